// Resolution of dot segments ("." and "..") in URLs, as browsers and robots do it before they send a request.
//
//     resolve_dot_segments("https://example.org/a/%2E%2e/b?c=/../d") == "https://example.org/b?c=/../d"
//
// Thread rule: a pure function. Errors: none; every string is accepted. Only std::bad_alloc is thrown.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/export.hpp>

namespace robotrules {

// Returns `url` with the "." and ".." segments of its path resolved. "%2e" and "%2E" in these
// segments mean "." (URL standard of the WHATWG). Everything else stays as it is, also the query and the fragment.
// `url` is an absolute URL or a path.
ROBOTRULES_API std::string resolve_dot_segments(std::string_view url);

}  // namespace robotrules
