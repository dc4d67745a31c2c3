#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/utf8.hpp"
#include "base/whole_lines.hpp"
#include "core/line/scan.hpp"

namespace robotrules::core {
namespace {

void append_utf8(std::uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// Converts the bytes after the byte order mark. A lone surrogate and an odd byte at the end become U+FFFD. Stops after
// more than `limit` bytes are written (0: no limit).
std::string utf8_of_utf16(std::string_view bytes, bool big_endian, std::size_t limit) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size() && (limit == 0 || out.size() <= limit); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size() && (unit(i + 2) & 0xFC00) == 0xDC00) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    } else if (c >= 0xD800 && c < 0xE000) {
      c = 0xFFFD;
    }
    append_utf8(c, out);
  }
  if (i + 1 == bytes.size()) append_utf8(0xFFFD, out);
  return out;
}

// Returns the number of leading bytes of `text` that are UTF-8.
std::size_t valid_utf8_size(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t bytes;
    while (at + sizeof bytes <= text.size() &&
           (std::memcpy(&bytes, text.data() + at, sizeof bytes), (bytes & high_bits) == 0)) {
      at += sizeof bytes;
    }
    if (at == text.size()) break;
    const base::Utf8Character character = base::utf8_at(text, at);
    if (!character.valid) break;
    at += character.size;
  }
  return at;
}

// Returns `text` without the bytes that are not UTF-8.
std::string valid_utf8(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Character character = base::utf8_at(text, at);
    if (character.valid) kept.append(text, at, character.size);
    at += character.size;
  }
  return kept;
}

std::size_t byte_order_mark_size(std::string_view text, const Dialect& dialect) noexcept {
  if (dialect.byte_order_mark != Dialect::ByteOrderMark::skip_partial) return 0;
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::size_t size = 0;
  while (size < mark.size() && size < text.size() && text[size] == mark[size]) ++size;
  return size;
}

}  // namespace

PreparedText prepare_text(std::string_view robots, const Dialect& dialect, std::string& storage) {
  PreparedText prepared;
  prepared.text = robots;
  std::string_view& text = prepared.text;
  if (const auto order = base::marked_byte_order(text); dialect.utf16 && order != base::ByteOrder::none) {
    storage = utf8_of_utf16(text.substr(2), order == base::ByteOrder::big, dialect.file_limit);
    text = storage;
    prepared.was_utf16 = true;
  }
  if (dialect.drop_invalid_utf8 && valid_utf8_size(text) != text.size()) {
    std::string kept = valid_utf8(text);
    storage = std::move(kept);
    text = storage;
  }
  if (dialect.nul == Dialect::Nul::remove && text.find('\0') != std::string_view::npos) {
    std::string kept(text);
    std::erase(kept, '\0');
    storage = std::move(kept);
    text = storage;
  }
  const std::size_t limit = dialect.file_limit == 0 ? max_text : std::min(dialect.file_limit, max_text);
  if (text.size() > limit) {
    text = text.substr(0, base::whole_lines(text, limit, base::ByteOrder::none));
    prepared.truncated = true;
  }
  prepared.mark_size = byte_order_mark_size(text, dialect);
  return prepared;
}

}  // namespace robotrules::core
