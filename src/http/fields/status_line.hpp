// The status line of a response.
#pragma once

#include <optional>
#include <string_view>

namespace robotrules::agent {

struct StatusLine {
  int version = 0;  // 11: HTTP/1.1; 20: HTTP/2
  int status = 0;
  std::string_view reason;
};

// Reads "HTTP/1.1 200 OK", "HTTP/2 200 " as RFC 9112 section 4 has it; a missing reason is accepted. libcurl takes a
// line that only begins as one does for a 200 (7.88).
std::optional<StatusLine> read_status_line(std::string_view line);

}  // namespace robotrules::agent
