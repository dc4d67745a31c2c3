// Values of parameters in another charset than ASCII: filename*=utf-8''%c3%a9 (RFC 8187).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::agent {

// Decodes charset'language'percent-encoded (RFC 8187) to UTF-8. Returns null if the text does not have that form or the
// charset is neither UTF-8 nor ISO-8859-1.
std::optional<std::string> decode_extended(std::string_view value);

}  // namespace robotrules::agent
