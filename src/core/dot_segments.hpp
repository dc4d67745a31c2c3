// The dot segments of a path: "." and "..", and their spellings with "%2e".
#pragma once

#include <cstddef>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::core {

// Returns the number of dots of a dot segment: "." → 1, ".%2E" → 2; 0 for any other segment.
ROBOTRULES_INTERNAL_API unsigned dots_of(std::string_view segment) noexcept;

// Returns false if resolve_dots() would not change `path`. True for all other paths and for some that it would not
// change. `slash_before`: a "/" will be put before `path`.
bool may_have_dots(std::string_view path, bool slash_before) noexcept;

// Resolves the dot segments of a path that begins with "/", as RFC 3986 section 5.2.4 and the URL standard of the
// WHATWG do; the query from the first "?" on is not changed. Works in place and returns the new size.
std::size_t resolve_dots(char* path, std::size_t size) noexcept;

}  // namespace robotrules::core
