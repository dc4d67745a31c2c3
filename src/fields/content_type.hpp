// Content-Type (RFC 9110 section 8.3).
#pragma once

#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

struct ContentType {
  std::string type;     // "text/html", in lower case; empty: missing or malformed
  std::string charset;  // in lower case; empty: none is named

  bool is_html() const noexcept { return type == "text/html" || type == "application/xhtml+xml"; }
  bool is_xml() const noexcept { return type == "text/xml" || type == "application/xml" || type.ends_with("+xml"); }
};
ROBOTRULES_INTERNAL_API ContentType parse_content_type(std::string_view field);

}  // namespace robotrules::agent
