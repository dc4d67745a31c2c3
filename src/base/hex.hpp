// Hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Appends the last `digits` hexadecimal digits of `value`, in capitals.
void append_hex(std::string& out, std::uint32_t value, int digits);
// Returns two digits for each byte, in small letters.
ROBOTRULES_INTERNAL_API std::string hex(std::string_view bytes);

}  // namespace robotrules::base
