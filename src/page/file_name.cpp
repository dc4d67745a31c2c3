#include "page/file_name.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "charset/extended_value.hpp"
#include "charset/to_utf8.hpp"
#include "fields/field_reader.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t max_name_bytes = 255;

std::optional<std::string> safe_name(std::string_view bytes) {
  const std::size_t folder = bytes.find_last_of("/\\");
  if (folder != std::string_view::npos) bytes.remove_prefix(folder + 1);
  Utf8Text text = to_utf8(bytes, "utf-8");
  if (text.replaced) text = to_utf8(bytes, "iso-8859-1");
  std::string name = std::move(text.text);
  std::erase_if(name, base::is_control);
  // Remove the control characters 80 to 9F of ISO 8859-1, which are C2 80 to C2 9F in UTF-8.
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '\xC2' && static_cast<unsigned char>(name[i + 1]) < 0xA0) name.erase(i--, 2);
  }
  name = std::string(base::trimmed(name));
  if (name.size() > max_name_bytes) {
    std::size_t end = max_name_bytes;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // do not cut inside a character
    name.resize(end);
  }
  if (name.empty() || name == "." || name == "..") return std::nullopt;
  return name;
}

std::string base64_decoded(std::string_view text) {
  std::string result;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z')
      value = static_cast<unsigned>(c - 'A');
    else if (c >= 'a' && c <= 'z')
      value = static_cast<unsigned>(c - 'a') + 26;
    else if (base::is_digit(c))
      value = static_cast<unsigned>(c - '0') + 52;
    else if (c == '+')
      value = 62;
    else if (c == '/')
      value = 63;
    else
      continue;
    bits = (bits << 6 | value) & 0xFFFF;
    count += 6;
    if (count >= 8) {
      count -= 8;
      result += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return result;
}

// Decodes a text that is one word "=?charset?B?...?=" or "=?charset?Q?...?="; returns any other text unchanged.
std::string mail_word_decoded(std::string text) {
  const std::string_view word = text;
  if (word.size() < 8 || !word.starts_with("=?") || !word.ends_with("?=")) return text;
  const std::string_view inner = word.substr(2, word.size() - 4);
  const std::size_t first = inner.find('?');
  if (first == std::string_view::npos || inner.size() < first + 3 || inner[first + 2] != '?') return text;
  const char encoding = base::lower(inner[first + 1]);
  std::string bytes(inner.substr(first + 3));
  if (encoding == 'b') {
    bytes = base64_decoded(bytes);
  } else if (encoding == 'q') {
    std::replace(bytes.begin(), bytes.end(), '_', ' ');
    bytes = percent_decoded(bytes, '=');
  } else {
    return text;
  }
  return to_utf8(bytes, inner.substr(0, first)).text;
}

}  // namespace

std::optional<std::string> disposition_filename(std::string_view field) {
  FieldReader reader(field);
  const std::vector<Parameter> parameters = read_parameters(reader);
  if (const std::string* extended = find_parameter(parameters, "filename*")) {
    if (const std::optional<std::string> decoded = decode_extended(*extended)) {
      if (std::optional<std::string> name = safe_name(*decoded)) return name;
    }
  }
  const std::string* plain = find_parameter(parameters, "filename");
  return plain == nullptr ? std::nullopt : safe_name(mail_word_decoded(*plain));
}

std::optional<std::string> url_filename(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    const std::size_t path = url.find('/', scheme + 3);
    if (path == std::string_view::npos) return std::nullopt;
    url.remove_prefix(path);
  }
  const std::size_t slash = url.rfind('/');
  return safe_name(percent_decoded(slash == std::string_view::npos ? url : url.substr(slash + 1)));
}

std::optional<std::string> response_filename(std::string_view content_disposition, std::string_view content_location,
                                             std::string_view url) {
  if (std::optional<std::string> name = disposition_filename(content_disposition)) return name;
  return url_filename(content_location.empty() ? url : content_location);
}

}  // namespace robotrules::agent
