// URLs and paths as people write them.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::cli {

// Returns the URL that `text` means: "https://" is added to a text that begins with a host name, such as
// "example.org/x". Another text is returned as it is.
std::string read_url(std::string_view text);

// Returns the URL or the path that `text` means to a command that has the file. "https://" is added if a host name is
// followed by a port or a path, and "/" is added to a relative path or a query: "/foo.html" for "foo.html". A text with
// a scheme is returned as it is.
std::string read_url_or_path(std::string_view text);

}  // namespace robotrules::cli
