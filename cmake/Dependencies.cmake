# What the store, the agent and the crawl need: used by the build, and by the package that is installed.

# robotrules_needed_library(<name> <header> <library>): the imported target robotrules::<name> of a library for which
# CMake has no module.
function(robotrules_needed_library name header library)
  find_path(ROBOTRULES_${name}_INCLUDE_DIR ${header})
  find_library(ROBOTRULES_${name}_LIBRARY ${library})
  mark_as_advanced(ROBOTRULES_${name}_INCLUDE_DIR ROBOTRULES_${name}_LIBRARY)
  if(ROBOTRULES_${name}_INCLUDE_DIR AND ROBOTRULES_${name}_LIBRARY AND NOT TARGET robotrules::${name})
    add_library(robotrules::${name} UNKNOWN IMPORTED)
    set_target_properties(robotrules::${name} PROPERTIES
      IMPORTED_LOCATION ${ROBOTRULES_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${ROBOTRULES_${name}_INCLUDE_DIR})
  endif()
endfunction()

# robotrules_find_needed(<component> <missing>): finds what the component links; <missing> gets a list of what is not
# there, in words.
function(robotrules_find_needed component missing)
  if(component STREQUAL "c")  # a shared library, which brings what it needs
    set(${missing} "" PARENT_SCOPE)
    return()
  endif()
  set(lacks)
  # In pairs: a target, and what to say when there is none.
  set(needed)
  if(NOT component STREQUAL "core")
    find_package(OpenSSL QUIET)
    robotrules_needed_library(zstd zstd.h zstd)
    list(APPEND needed OpenSSL::Crypto "OpenSSL (libssl-dev)" robotrules::zstd "zstd (libzstd-dev)")
  endif()
  if(component STREQUAL "store")
    find_package(SQLite3 QUIET)
    list(APPEND needed SQLite::SQLite3 "SQLite (libsqlite3-dev)")
  elseif(component STREQUAL "agent")
    find_package(CURL QUIET)
    find_package(ZLIB QUIET)
    find_package(EXPAT QUIET)
    find_package(Threads QUIET)
    robotrules_needed_library(brotlidec brotli/decode.h brotlidec)
    robotrules_needed_library(gumbo gumbo.h gumbo)
    robotrules_needed_library(psl libpsl.h psl)
    list(APPEND needed CURL::libcurl "libcurl (libcurl4-openssl-dev)" ZLIB::ZLIB "zlib (zlib1g-dev)"
                       EXPAT::EXPAT "Expat (libexpat1-dev)" Threads::Threads "threads (libc6-dev)"
                       robotrules::brotlidec "Brotli (libbrotli-dev)" robotrules::gumbo "Gumbo (libgumbo-dev)"
                       robotrules::psl "libpsl (libpsl-dev)")
  endif()
  if(component STREQUAL "crawl")
    find_package(ZLIB QUIET)
    find_package(Threads QUIET)
    robotrules_needed_library(deflate libdeflate.h deflate)
    list(APPEND needed ZLIB::ZLIB "zlib (zlib1g-dev)" Threads::Threads "threads (libc6-dev)"
                       robotrules::deflate "libdeflate (libdeflate-dev)")
    if(PROJECT_NAME STREQUAL "robotrules")  # read while the library is built, and never after
      find_package(nlohmann_json QUIET)
      list(APPEND needed nlohmann_json::nlohmann_json "nlohmann_json (nlohmann-json3-dev)")
    endif()
  endif()
  while(needed)
    list(POP_FRONT needed target words)
    if(NOT TARGET ${target})
      list(APPEND lacks ${words})
    endif()
  endwhile()
  list(JOIN lacks ", " lacks)
  set(${missing} ${lacks} PARENT_SCOPE)
endfunction()
