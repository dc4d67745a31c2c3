// The head of a WARC record (ISO 28500), read line by line, and the parts that such heads consist of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace robotrules::archive {

class PackedFile;

// Removes the first line from `text` and returns it with its end, which a last line may lack.
std::string_view take_line(std::string_view& text);
// Removes the first line and the lines that continue it from `text`. Returns them as one line, without its end: each
// fold is a blank (RFC 9112 section 5.2).
std::string take_folded_line(std::string_view& text);
// Splits "Name: value". The name is returned in lower case; it is empty if there is none, as in a line that continues a
// field.
std::pair<std::string, std::string_view> named_value(std::string_view line);
// Reads a number that has only digits. Returns null for other text and for numbers that are too large.
std::optional<std::uint64_t> whole_number(std::string_view text, int base = 10);

struct WarcHead {
  static constexpr std::size_t max_fields = 200;

  std::string type;  // lower case
  std::string record_id;
  std::string concurrent_to;  // the last one, if there are several
  std::string target_uri;     // without "<" and ">"
  std::string date;
  std::string refers_to_uri;            // without "<" and ">"; of a revisit record
  std::string refers_to_date;           // the same
  std::string block_digest;             // as written; empty: none
  std::string payload_digest;           // as written; empty: none
  std::optional<std::uint64_t> length;  // null: missing, or not a number
  bool truncated = false;

  // Reads a line after "WARC/1.1".
  void take(std::string_view line);
};

// Reads a line and removes its end, LF or CRLF. Returns false if the line has no end or is longer than any URL.
// (gzgets() does not fit: it ends a line at a NUL.)
bool read_head_line(PackedFile& file, std::string& line);
// Reads the lines after "WARC/1.1", up to the empty line. Returns false if one is missing, or if there are too many.
bool read_warc_fields(PackedFile& file, WarcHead& head);
// Reads a whole head. Returns false if it is incomplete, or is not that of WARC/1.0 or 1.1, or has no Content-Length.
bool read_warc_head(PackedFile& file, WarcHead& head);

}  // namespace robotrules::archive
