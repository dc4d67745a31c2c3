#include "http/charset/to_utf8.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <new>

#include "base/hex.hpp"
#include "http/charset/charset_labels.hpp"

namespace robotrules::agent {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

class Converter {
 public:
  Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {
    if (!is_open() && errno == ENOMEM) throw std::bad_alloc();
  }
  ~Converter() {
    if (is_open()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // If iconv_open() fails, it returns -1 as a pointer.
  bool is_open() const noexcept { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

  // Returns 0, or the errno with which iconv stopped early.
  int convert(std::string_view& rest, std::string& out) {
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

 private:
  iconv_t handle_;
};

// Returns the smallest number of bytes that a character has. This many bytes are skipped if they are invalid.
std::size_t unit_of(std::string_view charset) noexcept {
  if (charset.starts_with("utf-16")) return 2;
  return charset.starts_with("utf-32") ? 4 : 1;
}

void cut_to(std::string& text, std::size_t limit) {
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  text.resize(limit);
}

bool is_ascii(std::string_view bytes) noexcept {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Replaces forms beyond U+10FFFF, which glibc accepts as UTF-8. Every byte of such a form is invalid, so each one
// becomes a U+FFFD.
bool replace_beyond_unicode(std::string& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::string result;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (byte(i) < 0xF4 || (byte(i) == 0xF4 && byte(i + 1) < 0x90)) continue;
    result.append(text, copied, i - copied);
    const int length = byte(i) < 0xF8 ? 4 : byte(i) < 0xFC ? 5 : 6;
    for (int n = 0; n < length; ++n) result += replacement;
    copied = std::min(i + static_cast<std::size_t>(length), text.size());
    i = copied - 1;
  }
  if (copied == 0) return false;
  text = result.append(text, copied);
  return true;
}

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

Utf8Text convert(std::string_view rest, const CharsetLabel& from, std::size_t limit) {
  Utf8Text result;
  result.charset = from.name;
  const std::size_t unit = unit_of(from.name);
  if (from.name == "utf-8" && rest.starts_with(utf8_mark)) rest.remove_prefix(utf8_mark.size());
  if (unit == 1 && !from.name.starts_with("iso-2022") && is_ascii(rest)) {
    result.text = rest.substr(0, limit);
    result.cut = rest.size() > limit;
    return result;
  }
  Converter converter("UTF-8", from.iconv_name);
  if (!converter.is_open()) {
    // This machine lacks the converter: only ASCII characters are kept.
    for (const char c : rest.substr(0, limit)) {
      if (static_cast<unsigned char>(c) < 0x80)
        result.text += c;
      else
        result.text += replacement;
    }
    result.replaced = true;
  }
  while (converter.is_open() && !rest.empty() && result.text.size() <= limit) {
    const int error = converter.convert(rest, result.text);
    if (error == EILSEQ || error == EINVAL) {
      result.text += replacement;
      result.replaced = true;
      rest.remove_prefix(error == EINVAL ? rest.size() : std::min(unit, rest.size()));
    }
  }
  if (converter.is_open() && rest.empty()) converter.convert(rest, result.text);  // flushes the converter
  if (from.name == "utf-8" && replace_beyond_unicode(result.text)) result.replaced = true;
  if (unit > 1 && result.text.starts_with(utf8_mark)) result.text.erase(0, utf8_mark.size());
  if (result.text.size() > limit) {
    result.cut = true;
    cut_to(result.text, limit);
  }
  return result;
}

}  // namespace

std::string_view known_charset(std::string_view label) noexcept {
  const CharsetLabel* found = find_charset_label(label);
  return found == nullptr ? std::string_view() : found->name;
}

Utf8Text to_utf8(std::string_view bytes, std::string_view charset, std::size_t limit) {
  if (const CharsetLabel* known = find_charset_label(charset)) return convert(bytes, *known, limit);
  Utf8Text as_utf8 = convert(bytes, *find_charset_label("utf-8"), limit);
  if (as_utf8.replaced) as_utf8 = convert(bytes, *find_charset_label("iso-8859-1"), limit);
  return as_utf8;
}

std::string percent_encoded(std::string_view text, std::string_view charset) {
  const CharsetLabel* to = find_charset_label(charset);
  std::string result;
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_ascii(text.substr(plain, 1))) ++plain;
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t size = 1;  // bytes of the character
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    const std::string_view character = text.substr(0, size);
    std::string encoded;
    if (to != nullptr) {
      Converter converter(to->iconv_name, "UTF-8");
      std::string_view rest = character;
      if (!converter.is_open() || converter.convert(rest, encoded) != 0) encoded.clear();
    }
    for (const char c : encoded.empty() ? character : std::string_view(encoded)) {
      base::append_percent(result, c);
    }
    text.remove_prefix(size);
  }
  return result;
}

}  // namespace robotrules::agent
