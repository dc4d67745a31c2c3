// The version of robotrules. This is its only home: CMake, pkg-config, the command and the docs read it from here.
#pragma once

#define ROBOTRULES_VERSION_MAJOR 0
#define ROBOTRULES_VERSION_MINOR 1
#define ROBOTRULES_VERSION_PATCH 0
#define ROBOTRULES_VERSION "0.1.0"
