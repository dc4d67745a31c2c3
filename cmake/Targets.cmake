# What every target of this project gets. All of it is PRIVATE: nothing reaches those who link the library.
include(${CMAKE_CURRENT_LIST_DIR}/Hardening.cmake)

function(robotrules_target target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RELAXED" "" "")
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)

  if(ROBOTRULES_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi
                                             -Werror)
    if(NOT arg_RELAXED)  # GoogleTest's macros shadow names, and tests compare literals of every type
      target_compile_options(${target} PRIVATE -Wshadow -Wconversion -Wold-style-cast -Wcast-qual -Wundef)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms on "text" + std::string (GCC bug 105651)
      string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
      if("${CMAKE_CXX_FLAGS_${type}}" MATCHES "-O1")  # false alarms on coroutines and on std::optional
        target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete -Wno-maybe-uninitialized)
      endif()
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)  # inside libstdc++ 12's std::stable_sort
    endif()
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
      target_compile_options(${target} PRIVATE -UNDEBUG -D_GLIBCXX_ASSERTIONS)
    endif()
  endif()

  robotrules_harden(${target})
  if(ROBOTRULES_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ROBOTRULES_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${ROBOTRULES_SANITIZE})
  endif()
  if(ROBOTRULES_BUILD_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# What judges the engine in harnesses is not what is looked for bugs: watched as the engine is, it took nine tenths of
# the time.
set(robotrules_unwatched)
if(ROBOTRULES_BUILD_FUZZ)
  set(robotrules_unwatched -fno-sanitize=all -fno-sanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table
                           -U_GLIBCXX_ASSERTIONS)
endif()

# Sources in batches of this size are compiled as one (0: each by itself). A first build takes half the time; after a change
# a whole batch is compiled again.
set(ROBOTRULES_BATCH 0 CACHE STRING "Sources that are compiled together (0: each by itself)")
# The compiler inlines less in large sources: with these folders in batches, `robotrules batch` takes 1.2 times the
# processor time. So a release keeps them out.
set(ROBOTRULES_NO_BATCH "" CACHE STRING "Folders whose sources are compiled by themselves")

# robotrules_batches(<target> <source>...): a batch has sources of one folder, so that its object file tells the room.
function(robotrules_batches target)
  if(NOT ROBOTRULES_BATCH GREATER 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${source})
    get_filename_component(folder ${folder} DIRECTORY)
    if(folder IN_LIST ROBOTRULES_NO_BATCH)
      continue()
    endif()
    string(REGEX REPLACE "^src/" "" folder ${folder})
    string(REPLACE "/" "-" folder ${folder})
    list(APPEND ${folder}_sources ${source})
    list(LENGTH ${folder}_sources count)
    math(EXPR batch "(${count} - 1) / ${ROBOTRULES_BATCH}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}-${batch})
  endforeach()
endfunction()

# The sources that match, or nothing. A new file is found by the next build without a new configure run.
macro(robotrules_glob variable)
  file(GLOB ${variable} CONFIGURE_DEPENDS ${ARGN})
endmacro()

# robotrules_hide(<target>): a shared library exports only what has ROBOTRULES_API or ROBOTRULES_INTERNAL_API. The linker
# reports a library that needs a symbol which is hidden in another one. Tests, benchmarks and harnesses use the internals,
# so a build with them exports everything.
function(robotrules_hide target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY" OR ROBOTRULES_BUILD_TESTS OR ROBOTRULES_BUILD_BENCH OR ROBOTRULES_BUILD_FUZZ)
    return()
  endif()
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT ROBOTRULES_SANITIZE)  # a sanitizer's symbols are in the program
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
endfunction()

# robotrules_library(<component> ROOMS <folder>... [WITHOUT <folder>...]): the library robotrules_<component>, which others
# link as robotrules::<component>, of the sources in these folders of src/ without those of the others. It links what
# cmake/Dependencies.cmake says.
function(robotrules_library component)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ROOMS;WITHOUT")
  set(target robotrules_${component})
  set(patterns)
  foreach(room IN LISTS arg_ROOMS)
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp ${PROJECT_SOURCE_DIR}/src/${room}/*/*.cpp)
  endforeach()
  robotrules_glob(sources ${patterns})
  foreach(folder IN LISTS arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/src/${folder}/")
  endforeach()
  add_library(${target} ${sources})
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT component STREQUAL "core")
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)  # built if it is linked
  endif()
  add_library(robotrules::${component} ALIAS ${target})
  robotrules_target(${target})
  robotrules_batches(${target} ${sources})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${component}
    POSITION_INDEPENDENT_CODE ON  # the static library goes into shared bindings too
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN>")  # a shared library finds the others beside itself
  foreach(other IN LISTS robotrules_needs_${component})
    target_link_libraries(${target} PUBLIC robotrules::${other})
  endforeach()
  target_link_libraries(${target} PRIVATE ${robotrules_links_${component}})
  robotrules_hide(${target})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Position-independent code must not keep the compiler from inlining within a file; clang takes that liberty by itself.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# robotrules_optional_library(<component> ROOMS ...): the same, if the component is wanted and what it needs is there. If
# something is missing, this project cannot be built; another project that this is a part of goes without, and is told so.
function(robotrules_optional_library component)
  string(TOUPPER ${component} name)
  if(NOT ROBOTRULES_BUILD_${name})
    return()
  endif()
  robotrules_find_needed(${component} missing)
  foreach(other IN LISTS robotrules_needs_${component})
    if(NOT TARGET robotrules_${other})
      list(APPEND missing robotrules::${other})
    endif()
  endforeach()
  list(JOIN missing ", " missing)
  if(NOT missing)
    robotrules_library(${component} ${ARGN})
  elseif(PROJECT_IS_TOP_LEVEL AND NOT SKBUILD)
    message(FATAL_ERROR "robotrules::${component} needs ${missing}: install what is missing, or leave it out with "
                        "-DROBOTRULES_BUILD_${name}=OFF")
  else()
    message(STATUS "robotrules::${component} is left out: it needs ${missing}")
  endif()
endfunction()
