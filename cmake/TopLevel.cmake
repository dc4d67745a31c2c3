# What holds only when this is the project being built, and never for those who add it to theirs.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ROBOTRULES_CCACHE ccache)
  mark_as_advanced(ROBOTRULES_CCACHE)
  if(ROBOTRULES_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ROBOTRULES_CCACHE})
  endif()
endif()
