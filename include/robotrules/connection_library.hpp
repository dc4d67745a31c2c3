// The library that carries requests: which one a program has loaded, for reports and bug reports.
#pragma once

#include <string>

namespace robotrules {

// Names the library and what it stands on: "libcurl 7.88.1 (OpenSSL/3.0.15, nghttp2/1.52.0)".
std::string connection_library();

}  // namespace robotrules
