#include "charset/utf8_stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <new>

namespace robotrules::agent {

Converter::Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {
  if (!is_open() && errno == ENOMEM) throw std::bad_alloc();
}

Converter::~Converter() {
  if (is_open()) iconv_close(handle_);
}

// If iconv_open() fails, it returns -1 as a pointer.
bool Converter::is_open() const noexcept { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

int Converter::convert(std::string_view& rest, std::string& out) {
  std::array<char, 4096> buffer{};
  char* in = const_cast<char*>(rest.data());  // iconv() does not write to its input
  std::size_t in_left = rest.size();
  char* to = buffer.data();
  std::size_t to_left = buffer.size();
  const std::size_t answer = iconv(handle_, in_left == 0 ? nullptr : &in, &in_left, &to, &to_left);
  const int error = answer == static_cast<std::size_t>(-1) ? errno : 0;
  out.append(buffer.data(), buffer.size() - to_left);
  rest.remove_prefix(rest.size() - in_left);
  return error;
}

std::size_t unit_of(std::string_view charset) noexcept {
  if (charset.starts_with("utf-16")) return 2;
  return charset.starts_with("utf-32") ? 4 : 1;
}

Utf8Stream::Utf8Stream(const CharsetLabel& from) : converter_("UTF-8", from.iconv_name), unit_(unit_of(from.name)) {}

void Utf8Stream::replace(std::string& out) {
  out += "\xEF\xBF\xBD";
  replaced_ = true;
}

void Utf8Stream::write(std::string_view bytes, std::string& out, std::size_t limit) {
  if (!converter_.is_open()) {
    for (const char c : bytes.substr(0, limit)) {
      if (static_cast<unsigned char>(c) < 0x80) {
        out += c;
      } else {
        replace(out);
      }
    }
    return;
  }
  std::string joined;
  if (!begun_.empty()) {
    joined.swap(begun_);
    joined += bytes;
    bytes = joined;
  }
  while (!bytes.empty() && out.size() <= limit) {
    const int error = converter_.convert(bytes, out);
    if (error == EINVAL) {
      begun_ = bytes;
      return;
    }
    if (error != EILSEQ) continue;  // E2BIG: the buffer was full
    replace(out);
    bytes.remove_prefix(std::min(unit_, bytes.size()));
  }
}

void Utf8Stream::finish(std::string& out) {
  if (!begun_.empty()) replace(out);
  begun_.clear();
  std::string_view none;
  if (converter_.is_open()) converter_.convert(none, out);
}

}  // namespace robotrules::agent
