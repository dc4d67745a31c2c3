# The libraries. Each is made of rooms, the folders of src/; docs/architecture.md says which room may use which. Store,
# agent and crawl are optional: another project goes without them if something that they need is missing. (Included, not a
# subdirectory: the command, the tests and the benchmarks link what is found here too.)
robotrules_library(core ROOMS base core compat/parser)
# The list of known crawlers. (Beside src, so that the layers test knows its room.)
set(robotrules_crawlers ${PROJECT_BINARY_DIR}/src/core/compare/crawler_table.cpp)
add_custom_command(OUTPUT ${robotrules_crawlers} VERBATIM
                   DEPENDS ${PROJECT_SOURCE_DIR}/data/crawlers.json ${PROJECT_SOURCE_DIR}/src/core/compare/crawler_table.cmake
                   COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/data/crawlers.json -DTO=${robotrules_crawlers}
                           -P ${PROJECT_SOURCE_DIR}/src/core/compare/crawler_table.cmake)
target_sources(robotrules_core PRIVATE ${robotrules_crawlers})
# The matcher's inner loops take up to 1.2 times as long if a function begins in the middle of a cache line, and where it
# begins depends on what was linked before it.
target_compile_options(robotrules_core PRIVATE -falign-functions=64)

robotrules_can_build(store is_possible)
if(NOT is_possible)
  return()
endif()
# Stores on servers are built where their client library is. Without it, open_store() says so.
robotrules_find_redis(robotrules_with_redis)
set(robotrules_store_without)
if(NOT robotrules_with_redis)
  list(APPEND robotrules_store_without store/redis)
endif()
robotrules_library(store ROOMS suffix store WITHOUT ${robotrules_store_without})
target_link_libraries(robotrules_store PUBLIC robotrules::core
                      PRIVATE SQLite::SQLite3 robotrules::zstd robotrules::psl OpenSSL::Crypto)
if(robotrules_with_redis)
  set(robotrules_redis_library ${PROJECT_BINARY_DIR}/src/store/redis/library.cpp)
  set(from ${PROJECT_SOURCE_DIR}/src/store/redis)
  add_custom_command(OUTPUT ${robotrules_redis_library} VERBATIM
                     DEPENDS ${from}/guard.lua ${from}/gate.lua ${from}/records.lua ${from}/embed.cmake
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${from} -DTO=${robotrules_redis_library} -P ${from}/embed.cmake)
  target_sources(robotrules_store PRIVATE ${robotrules_redis_library})
  target_compile_definitions(robotrules_store PRIVATE ROBOTRULES_WITH_REDIS)
  target_link_libraries(robotrules_store PRIVATE robotrules::hiredis OpenSSL::SSL Threads::Threads)
endif()

robotrules_can_build(agent is_possible)
if(NOT is_possible)
  return()
endif()
robotrules_library(agent ROOMS codec http page robot sitemap compat/fetch)
target_link_libraries(robotrules_agent PUBLIC robotrules::store
                      PRIVATE CURL::libcurl OpenSSL::SSL OpenSSL::Crypto robotrules::gumbo EXPAT::EXPAT ZLIB::ZLIB
                              robotrules::brotlidec robotrules::zstd Threads::Threads)

robotrules_can_build(crawl is_possible)
if(NOT is_possible)
  return()
endif()
robotrules_library(crawl ROOMS archive crawl)
target_link_libraries(robotrules_crawl PUBLIC robotrules::agent
                      PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>  # headers that only the sources include
                              OpenSSL::Crypto ZLIB::ZLIB robotrules::zstd robotrules::deflate Threads::Threads)
