// The dot segments of a path: "." and "..", and their spellings with "%2e".
#pragma once

#include <cstddef>
#include <string_view>

namespace robotrules::core {

// How many dots a dot segment has: "." → 1, ".%2E" → 2; 0 for any other segment.
unsigned dots_of(std::string_view segment) noexcept;

// False if resolve_dots() would change nothing of `path`, before which a "/" is put if `slash_before`; true for some
// paths of which it would change nothing either.
bool may_have_dots(std::string_view path, bool slash_before) noexcept;

// Resolves the dot segments of a path that begins with "/", as RFC 3986 section 5.2.4 and the URL standard of the
// WHATWG do; what follows the first "?" is a query and stays. Works in place and returns the new size.
std::size_t resolve_dots(char* path, std::size_t size) noexcept;

}  // namespace robotrules::core
