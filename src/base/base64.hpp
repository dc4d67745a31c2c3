// Base64 (RFC 4648 section 4).
#pragma once

#include <string>
#include <string_view>

namespace robotrules::base {

std::string base64(std::string_view bytes);

// Reads the alphabet with "+" and "/", with or without "=" at the end, and nothing else. Returns false if `text` is not
// that; `out` is overwritten either way.
bool decode_base64(std::string_view text, std::string& out);

}  // namespace robotrules::base
