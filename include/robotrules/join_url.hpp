// The URL that a reference means on a page, as RFC 3986 section 5 resolves it.
//
//     join_url("https://example.org/a/b?c", "../d#e") == "https://example.org/d#e"
//
// Thread rule: a pure function. Errors: none; every text is accepted. Only std::bad_alloc is thrown.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/export.hpp>

namespace robotrules {

// Returns `reference` resolved against the absolute URL `base`, strictly: "http:x" is an absolute URL. The fragment of
// `reference` is kept, and that of `base` is not. "%2e" in dot segments means "." (URL standard of the WHATWG). Nothing
// else is changed; plain_url() makes the form that is sent. Returns `reference` itself if `base` has no authority.
ROBOTRULES_API std::string join_url(std::string_view base, std::string_view reference);

}  // namespace robotrules
