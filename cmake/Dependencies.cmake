# What the store, the agent and the crawl need: used by the build, and by the package that is installed.

# robotrules_needed_library(<name> <header> <library>): the imported target robotrules::<name> of a library for which
# CMake has no module.
function(robotrules_needed_library name header library)
  find_path(ROBOTRULES_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES postgresql)
  find_library(ROBOTRULES_${name}_LIBRARY ${library})
  mark_as_advanced(ROBOTRULES_${name}_INCLUDE_DIR ROBOTRULES_${name}_LIBRARY)
  if(ROBOTRULES_${name}_INCLUDE_DIR AND ROBOTRULES_${name}_LIBRARY AND NOT TARGET robotrules::${name})
    add_library(robotrules::${name} UNKNOWN IMPORTED)
    set_target_properties(robotrules::${name} PROPERTIES
      IMPORTED_LOCATION ${ROBOTRULES_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${ROBOTRULES_${name}_INCLUDE_DIR})
  endif()
endfunction()

# robotrules_find_server(<server> <missing>): finds what the store in this kind of server (redis, postgres) needs; <missing>
# gets what is not there, in words. Each is optional for a build; an installed static store needs the libraries of those
# that it was built for (robotrules_store_servers).
set(robotrules_redis_targets robotrules::hiredis OpenSSL::SSL Threads::Threads)
set(robotrules_postgres_targets robotrules::pq)
function(robotrules_find_server server missing)
  set(lacks)
  if(server STREQUAL "redis")
    find_package(OpenSSL QUIET)
    find_package(Threads QUIET)
    robotrules_needed_library(hiredis hiredis/hiredis.h hiredis)
    set(words "hiredis (libhiredis-dev), OpenSSL (libssl-dev) and threads (libc6-dev)")
    if(PROJECT_NAME STREQUAL "robotrules")  # headers that only the sources include
      find_path(ROBOTRULES_ASIO_INCLUDE_DIR boost/asio.hpp)
      mark_as_advanced(ROBOTRULES_ASIO_INCLUDE_DIR)
      if(NOT ROBOTRULES_ASIO_INCLUDE_DIR)
        list(APPEND lacks "Asio (libboost-dev)")
      endif()
    endif()
  else()
    robotrules_needed_library(pq libpq-fe.h pq)
    set(words "libpq (libpq-dev)")
  endif()
  foreach(target IN LISTS robotrules_${server}_targets)
    if(NOT TARGET ${target})
      list(APPEND lacks ${words})
      break()
    endif()
  endforeach()
  list(JOIN lacks ", " lacks)
  set(${missing} ${lacks} PARENT_SCOPE)
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
    find_package(ZLIB QUIET)
    robotrules_needed_library(brotlidec brotli/decode.h brotlidec)
    robotrules_needed_library(psl libpsl.h psl)
    list(APPEND needed SQLite::SQLite3 "SQLite (libsqlite3-dev)" robotrules::psl "libpsl (libpsl-dev)"
                       ZLIB::ZLIB "zlib (zlib1g-dev)" robotrules::brotlidec "Brotli (libbrotli-dev)")
    foreach(server IN LISTS robotrules_store_servers)
      robotrules_find_server(${server} server_lacks)
      list(APPEND lacks ${server_lacks})
    endforeach()
  elseif(component STREQUAL "agent")
    find_package(CURL QUIET)
    find_package(EXPAT QUIET)
    find_package(Threads QUIET)
    robotrules_needed_library(gumbo gumbo.h gumbo)
    list(APPEND needed CURL::libcurl "libcurl (libcurl4-openssl-dev)" EXPAT::EXPAT "Expat (libexpat1-dev)"
                       Threads::Threads "threads (libc6-dev)" robotrules::gumbo "Gumbo (libgumbo-dev)")
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
