// The head of a WARC record (ISO 28500), read line by line, and the parts that such heads consist of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace robotrules::archive {

// Splits "Name: value". The name is returned in lower case; it is empty if there is none.
std::pair<std::string, std::string_view> named_value(std::string_view line);
// Reads a number that has only digits. Returns null for other text and for numbers that are too large.
std::optional<std::uint64_t> whole_number(std::string_view text, int base = 10);

// Reads a line and removes its end, LF or CRLF. `next` returns the bytes one by one, and a negative number at the end.
// Returns false if the line has no end or is longer than `max_bytes`. (gzgets() does not fit: it ends a line at a NUL.)
template <class Next>
bool read_head_line(Next next, std::size_t max_bytes, std::string& line) {
  line.clear();
  for (int byte = next(); byte >= 0; byte = next()) {
    if (byte == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (line.size() == max_bytes) return false;
    line += static_cast<char>(byte);
  }
  return false;
}

struct WarcHead {
  static constexpr std::size_t max_fields = 200;

  std::string type;        // lower case
  std::string target_uri;  // without "<" and ">"
  std::string date;
  std::string block_digest;             // as written; empty: none
  std::string payload_digest;           // as written; empty: none
  std::optional<std::uint64_t> length;  // null: missing, or not a number
  bool truncated = false;

  // Reads a line after "WARC/1.1".
  void take(std::string_view line);
};

}  // namespace robotrules::archive
