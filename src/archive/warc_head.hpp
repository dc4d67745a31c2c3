// The head of a WARC record (ISO 28500), line by line; and the small parts that all such heads are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace robotrules::archive {

// "Name: value", the name in lower case; the name is empty where there is none.
std::pair<std::string, std::string_view> named_value(std::string_view line);
// Nothing but digits; null where it is none or too great.
std::optional<std::uint64_t> whole_number(std::string_view text, int base = 10);

// A line without its end, LF or CRLF, of octets that `next` gives one by one; negative: there are no more. (Not
// gzgets(): to it a line ends at a NUL.) False where the line has no end, or is longer than `longest`.
template <class Next>
bool read_head_line(Next next, std::size_t longest, std::string& line) {
  line.clear();
  for (int octet = next(); octet >= 0; octet = next()) {
    if (octet == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (line.size() == longest) return false;
    line += static_cast<char>(octet);
  }
  return false;
}

struct WarcHead {
  static constexpr std::size_t most_fields = 200;

  std::string type;        // lower case
  std::string target_uri;  // without "<" and ">"
  std::string date;
  std::string block_digest;             // as it stands there; empty: none
  std::optional<std::uint64_t> length;  // null: not said, or no number
  bool truncated = false;

  // A line behind "WARC/1.1".
  void take(std::string_view line);
};

}  // namespace robotrules::archive
