// The version of robotrules.
//
// It is written only here. CMake, pkg-config, the command and the documentation read it from this file.
#pragma once

#define ROBOTRULES_VERSION_MAJOR 0
#define ROBOTRULES_VERSION_MINOR 1
#define ROBOTRULES_VERSION_PATCH 0
#define ROBOTRULES_VERSION "0.1.0"
