// The lines of an index of a WARC file (CDXJ), as pywb reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace robotrules::archive {

// A record with a response: type "response" or "revisit".
struct CdxRecord {
  std::string url;     // WARC-Target-URI
  std::string date;    // WARC-Date
  std::string digest;  // WARC-Payload-Digest; empty: none
  bool revisit = false;
  bool answers_head = false;  // the request was HEAD, so there is no body
  std::string status;         // of the response: "200"
  std::string mime;           // media type without parameters; empty: none
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // of the record as it is stored, with its compression
};

// Sets status and mime from the head of a response.
void read_head_for_cdx(std::string_view head, CdxRecord& into);

// Returns "KEY TIME {...}" with LF. `file` is the name of the WARC file, without folders.
std::string cdx_line(const CdxRecord& record, std::string_view file);

// Returns true if another program or another file made the line: it begins with "!", or names another file at its end.
bool is_foreign_cdx_line(std::string_view line, std::string_view file);

// Returns the end of the record, as an offset in the WARC file, of a line without its LF. Returns null if cdx_line()
// did not make the line for this file.
std::optional<std::uint64_t> end_in_cdx_line(std::string_view line, std::string_view file);

}  // namespace robotrules::archive
