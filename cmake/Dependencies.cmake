# The libraries of this project, and what each needs: used by the build, and by the package that is installed.

# Each comes after those that it needs.
set(robotrules_components core advice store sqlite redis postgres stores page sitemap agent crawl)
set(robotrules_needs_advice core)
set(robotrules_needs_store core)
set(robotrules_needs_sqlite store)
set(robotrules_needs_redis store)
set(robotrules_needs_postgres store)
set(robotrules_needs_stores sqlite)  # an installed one also needs those of redis and postgres that it was built for
set(robotrules_needs_page store)
set(robotrules_needs_sitemap page)
set(robotrules_needs_agent page sitemap)
set(robotrules_needs_crawl agent stores)  # which open its queue

# The imported targets that each links, if they have no library of this project in between.
set(robotrules_links_store OpenSSL::Crypto robotrules::zstd robotrules::psl ZLIB::ZLIB robotrules::brotlidec)
set(robotrules_links_sqlite SQLite::SQLite3)
set(robotrules_links_redis robotrules::hiredis OpenSSL::SSL Threads::Threads)
set(robotrules_links_postgres robotrules::pq)
set(robotrules_links_page CURL::libcurl robotrules::gumbo)
set(robotrules_links_sitemap EXPAT::EXPAT)
set(robotrules_links_agent CURL::libcurl OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
set(robotrules_links_crawl OpenSSL::Crypto ZLIB::ZLIB robotrules::zstd robotrules::deflate Threads::Threads)
# Headers that only the sources include, so those who use an installed library need none.
set(robotrules_includes_redis boost)
set(robotrules_includes_agent boost)
set(robotrules_includes_crawl nlohmann_json::nlohmann_json)

# robotrules_with_needed(<variable> <component>...): these and all that they need, each after those that it needs.
function(robotrules_with_needed variable)
  set(wanted ${ARGN})
  set(found)
  set(reversed c ${robotrules_components})
  list(REVERSE reversed)
  foreach(component IN LISTS reversed)
    if(component IN_LIST wanted)
      list(PREPEND found ${component})
      list(APPEND wanted ${robotrules_needs_${component}})
      list(REMOVE_ITEM wanted ${component})
    endif()
  endforeach()
  list(APPEND found ${wanted})  # unknown ones, which are not found
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# What these targets and headers are: TARGET|what finds it|its name, with Debian's package|its name for pkg-config.
# A package of CMake finds it, or, if CMake has no module for it, its header; the library of robotrules::NAME is NAME. Of
# libcurl.pc, --static would ask for all that a static libcurl needs.
set(robotrules_externals
  "OpenSSL::Crypto|OpenSSL|OpenSSL (libssl-dev)|libcrypto"
  "OpenSSL::SSL|OpenSSL|OpenSSL (libssl-dev)|libssl"
  "SQLite::SQLite3|SQLite3|SQLite (libsqlite3-dev)|sqlite3"
  "ZLIB::ZLIB|ZLIB|zlib (zlib1g-dev)|zlib"
  "CURL::libcurl|CURL|libcurl (libcurl4-openssl-dev)|-lcurl"
  "EXPAT::EXPAT|EXPAT|Expat (libexpat1-dev)|expat"
  "Threads::Threads|Threads|threads (libc6-dev)|-pthread"
  "nlohmann_json::nlohmann_json|nlohmann_json|nlohmann_json (nlohmann-json3-dev)|"
  "robotrules::zstd|zstd.h|zstd (libzstd-dev)|libzstd"
  "robotrules::psl|libpsl.h|libpsl (libpsl-dev)|libpsl"
  "robotrules::brotlidec|brotli/decode.h|Brotli (libbrotli-dev)|libbrotlidec"
  "robotrules::hiredis|hiredis/hiredis.h|hiredis (libhiredis-dev)|hiredis"
  "robotrules::pq|libpq-fe.h|libpq (libpq-dev)|libpq"
  "robotrules::gumbo|gumbo.h|Gumbo (libgumbo-dev)|gumbo"
  "robotrules::deflate|libdeflate.h|libdeflate (libdeflate-dev)|libdeflate"
  "boost|boost/asio.hpp|Asio (libboost-dev)|")

# robotrules_external(<target> <row>): its row of the table, as a list.
function(robotrules_external target row)
  foreach(external IN LISTS robotrules_externals)
    string(REPLACE "|" ";" columns "${external}")
    list(GET columns 0 name)
    if(name STREQUAL target)
      set(${row} "${columns}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "cmake/Dependencies.cmake does not know ${target}")
endfunction()

# robotrules_find(<target> <words>): looks for it; <words> gets its name and its package of Debian if it is not there, and
# nothing if it is.
function(robotrules_find target words)
  robotrules_external(${target} row)
  list(GET row 1 finder)
  list(GET row 2 text)
  set(found FALSE)
  if(finder MATCHES "\\.")
    string(REGEX REPLACE "^robotrules::" "" name ${target})
    find_path(ROBOTRULES_${name}_INCLUDE_DIR ${finder} PATH_SUFFIXES postgresql)
    mark_as_advanced(ROBOTRULES_${name}_INCLUDE_DIR)
    if(ROBOTRULES_${name}_INCLUDE_DIR AND name STREQUAL target)  # a header alone
      set(found TRUE)
    endif()
    if(ROBOTRULES_${name}_INCLUDE_DIR AND NOT name STREQUAL target AND NOT TARGET ${target})
      find_library(ROBOTRULES_${name}_LIBRARY ${name})
      mark_as_advanced(ROBOTRULES_${name}_LIBRARY)
      if(ROBOTRULES_${name}_LIBRARY)
        add_library(${target} UNKNOWN IMPORTED)
        set_target_properties(${target} PROPERTIES
          IMPORTED_LOCATION ${ROBOTRULES_${name}_LIBRARY}
          INTERFACE_INCLUDE_DIRECTORIES ${ROBOTRULES_${name}_INCLUDE_DIR})
      endif()
    endif()
  else()
    find_package(${finder} QUIET)
  endif()
  if(found OR TARGET ${target})
    set(text "")
  endif()
  set(${words} "${text}" PARENT_SCOPE)
endfunction()

# robotrules_find_needed(<component> <missing>): finds what the component links; <missing> gets what is not there, in
# words. core and advice link nothing; c is a shared library, which brings what it needs.
function(robotrules_find_needed component missing)
  set(targets ${robotrules_links_${component}})
  if(PROJECT_NAME STREQUAL "robotrules")
    list(APPEND targets ${robotrules_includes_${component}})
  endif()
  set(lacks)
  foreach(target IN LISTS targets)
    robotrules_find(${target} lack)
    list(APPEND lacks ${lack})
  endforeach()
  list(REMOVE_DUPLICATES lacks)
  list(JOIN lacks ", " lacks)
  set(${missing} ${lacks} PARENT_SCOPE)
endfunction()
