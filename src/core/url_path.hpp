// The path and query of a URL, which rules are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// url[begin, end) is the path with its query, without the fragment. `slash_before`: put a "/" before it.
struct PathSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool slash_before = false;
};

// Returns the path of any string. A missing path is "/", or empty in styles with empty paths.
PathSpan find_path(std::string_view url, Dialect::UrlPath style) noexcept;

// Returns the offset of the path of "http://host/..." or "https://host/..." if only a host comes before it; all styles
// agree about this offset. Returns 0 for all other URLs: use find_path() for them.
std::size_t plain_path_begin(std::string_view url) noexcept;

// Returns true for absolute URLs with a scheme other than http and https ("mailto:x", "ftp://h/").
bool has_other_scheme(std::string_view url) noexcept;

// Returns the length of the scheme of `url` (RFC 3986 section 3.1) without its colon; 0 if it has none.
std::size_t scheme_length(std::string_view url) noexcept;

}  // namespace robotrules::core
