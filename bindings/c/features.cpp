#include <robotrules.h>

#include <cstdint>

// The parts that are linked together with this file. The build of the shared library names all of them.
#ifndef ROBOTRULES_C_FEATURES
#define ROBOTRULES_C_FEATURES ROBOTRULES_FEATURE_CORE
#endif

std::uint32_t robotrules_features() noexcept { return ROBOTRULES_C_FEATURES; }
