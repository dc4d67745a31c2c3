#include "charset/to_utf8.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "charset/charset_labels.hpp"
#include "charset/utf8_stream.hpp"

namespace robotrules::agent {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

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
  Utf8Stream stream(from);
  stream.write(rest, result.text, limit);
  if (result.text.size() <= limit) stream.finish(result.text);
  result.replaced = stream.has_replaced();
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
