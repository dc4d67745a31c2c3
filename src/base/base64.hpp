// Base64 (RFC 4648 section 4).
#pragma once

#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

ROBOTRULES_INTERNAL_API std::string base64(std::string_view bytes);

// Reads the alphabet with "+" and "/", with or without "=" at the end, and nothing else. Returns false if `text` is not
// that; `out` is overwritten either way.
ROBOTRULES_INTERNAL_API bool decode_base64(std::string_view text, std::string& out);

}  // namespace robotrules::base
