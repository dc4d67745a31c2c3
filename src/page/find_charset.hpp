// The charset of a body.
#pragma once

#include <string_view>

#include "base/visibility.hpp"
#include "fields/content_type.hpp"

namespace robotrules::agent {

// Returns the charset that HTTP::Message would guess: that of the Content-Type, the byte order mark, or the XML
// declaration or HTML meta element in the first 1,024 bytes, depending on the type. Otherwise it is UTF-8 if the bytes
// are valid UTF-8, else ISO-8859-1. The result is always a known charset.
ROBOTRULES_INTERNAL_API std::string_view find_charset(std::string_view bytes, const ContentType& type);

}  // namespace robotrules::agent
