// Marks for what the shared libraries export beside ROBOTRULES_API (robotrules/base.hpp).
#pragma once

#include <robotrules/base.hpp>

// Exported for the project's own libraries and its command, which use it across the border of a library. It is not part
// of the interface and may change at any time.
#define ROBOTRULES_INTERNAL_API ROBOTRULES_API

// Not exported. A class inside a class with ROBOTRULES_API is exported too unless its definition has this mark.
#if defined(__GNUC__)
#define ROBOTRULES_HIDDEN __attribute__((visibility("hidden")))
#else
#define ROBOTRULES_HIDDEN
#endif
