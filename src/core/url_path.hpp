// The path and query of a URL: what rules are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// url[begin, end) is the path with its query, without the fragment; where `slash_before`, a "/" belongs before it.
struct PathSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool slash_before = false;
};

// Total: every string has a path, if need be "/" (or none at all, for those that know empty paths).
PathSpan find_path(std::string_view url, Dialect::UrlPath style) noexcept;

// Where the path of "http://host/..." or "https://host/..." begins, if nothing but the host stands before it: every
// style finds it there. 0 for all other URLs, which find_path() looks at.
std::size_t plain_path_begin(std::string_view url) noexcept;

// True for absolute URLs of another scheme than http and https ("mailto:x", "ftp://h/").
bool has_other_scheme(std::string_view url) noexcept;

// The length of the scheme that `url` begins with (RFC 3986 section 3.1), without its colon; 0 where there is none.
std::size_t scheme_length(std::string_view url) noexcept;

// `reference` resolved against the absolute http or https URL `base` (RFC 3986 section 5.2); `reference` itself where
// `base` is empty or has no authority. The fragment of `reference` is kept.
std::string resolve_reference(std::string_view base, std::string_view reference);

}  // namespace robotrules::core
