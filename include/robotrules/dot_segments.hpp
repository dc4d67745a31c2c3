// Dot segments of a URL, resolved as browsers and robots resolve them before they send it.
//
//     resolve_dot_segments("https://example.org/a/%2E%2e/b?c=/../d") == "https://example.org/b?c=/../d"
//
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace robotrules {

// Returns `url` with the "." and ".." segments of its path resolved, and nothing else changed. "%2e" stands for "." in
// them, in capitals too, as in the URL standard of the WHATWG; query and fragment stay. Without such segments the
// result equals `url`. `url` is an absolute URL or a path; total, like all of the core.
std::string resolve_dot_segments(std::string_view url);

}  // namespace robotrules
