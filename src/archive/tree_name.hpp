// The file name of a page in a tree of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::archive {

struct TreeName {
  std::vector<std::string> folders;  // the host first
  std::string file;
};

// Returns HOST/PATH, as wget does, the same for http and https. The host is "HOST:PORT" if the port is not the default
// of the scheme; the file is "index.html" if the path ends in "/"; a query follows after "?". Each name comes from one
// part of the URL. It is never empty, "." or "..", and contains no "/", NUL or control characters, because they are
// percent-encoded. A name longer than `max_name_bytes` is cut, and "~" and its hash are added. If a path is deeper than
// `max_folders`, the rest becomes one such name. Returns null if the URL is not absolute http or https.
std::optional<TreeName> tree_name(std::string_view url);

inline constexpr std::size_t max_name_bytes = 200;
inline constexpr std::size_t max_folders = 64;

// Returns the name with "~" and 16 hexadecimal digits of the hash of `of`, for a URL whose usual name is taken. The
// name is cut so that the result has at most `max_name_bytes` bytes.
std::string with_hash(std::string_view name, std::string_view of);

}  // namespace robotrules::archive
