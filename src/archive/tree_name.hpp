// Where a page lies in a tree of files.
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

// As wget has it: HOST/PATH, http and https alike, "HOST:PORT" where the port is not the scheme's own, "index.html"
// where the path ends in "/", the query behind a "?". Each name is what one URL part became: never empty, "." or "..",
// without "/", NUL and controls (percent-encoded), and of at most `longest_name` octets: what is longer is cut and has
// its hash behind a "~". Of a path deeper than `most_folders` the rest becomes one such name. Null where the URL is not
// absolute http or https.
std::optional<TreeName> tree_name(std::string_view url);

inline constexpr std::size_t longest_name = 200;
inline constexpr std::size_t most_folders = 64;

// "~" and 16 hexadecimal digits: the name that one URL alone has where another got there before it. Cut so that it is
// no longer than `longest_name`.
std::string with_hash(std::string_view name, std::string_view of);

}  // namespace robotrules::archive
