// The status line of a response.
#pragma once

#include <optional>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

struct StatusLine {
  int version = 0;  // 11: HTTP/1.1; 20: HTTP/2
  int status = 0;
  std::string_view reason;
};

// Reads "HTTP/1.1 200 OK" or "HTTP/2 200 " (RFC 9112 section 4). A missing reason is accepted. Returns null for other
// text; libcurl 7.88 would take a line that only starts like a status line for a 200.
ROBOTRULES_INTERNAL_API std::optional<StatusLine> read_status_line(std::string_view line);

// Returns false if the response ends with its head, whatever its fields say (RFC 9112 section 6.3).
constexpr bool may_have_body(bool answers_head, int status) noexcept {
  return !answers_head && status >= 200 && status != 204 && status != 304;
}

}  // namespace robotrules::agent
