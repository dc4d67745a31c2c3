// The agent's names for src/base/ascii.hpp.
#pragma once

#include "base/ascii.hpp"

namespace robotrules::agent {

using namespace base;

}  // namespace robotrules::agent
