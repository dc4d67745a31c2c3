// robotrules --version.
#pragma once

#include <string>

namespace robotrules::cli {

// Returns the version, the versions of the libraries that are loaded or were compiled in, and the features of this
// build on this machine.
std::string version_text();

}  // namespace robotrules::cli
