# The libraries. Each is made of rooms, the folders of src/; docs/architecture.md says which room may use which. Store,
# agent and crawl are optional: another project goes without them if something that they need is missing. (Included, not a
# subdirectory: the command, the tests and the benchmarks link what is found here too.)
robotrules_library(core ROOMS base core compat/parser)
# The matcher's inner loops take up to 1.2 times as long if a function begins in the middle of a cache line, and where it
# begins depends on what was linked before it.
target_compile_options(robotrules_core PRIVATE -falign-functions=64)

robotrules_library(advice ROOMS advice)
target_link_libraries(robotrules_advice PUBLIC robotrules::core)
# The list of known crawlers. (Beside src, so that the layers test knows its room.)
set(robotrules_crawlers ${PROJECT_BINARY_DIR}/src/advice/compare/crawler_table.cpp)
set(from ${PROJECT_SOURCE_DIR}/src/advice/compare)
add_custom_command(OUTPUT ${robotrules_crawlers} VERBATIM
                   DEPENDS ${PROJECT_SOURCE_DIR}/data/crawlers.json ${from}/crawler_table.cmake
                   COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/data/crawlers.json -DTO=${robotrules_crawlers}
                           -P ${from}/crawler_table.cmake)
target_sources(robotrules_advice PRIVATE ${robotrules_crawlers})

robotrules_can_build(store is_possible)
if(NOT is_possible)
  return()
endif()
# A store on a server is built if the client library of that server is there; otherwise open_store() says what is missing.
set(robotrules_store_servers)
set(left_out)
foreach(server redis postgres)
  if(NOT server IN_LIST ROBOTRULES_STORE_SERVERS)
    list(APPEND left_out store/${server})
    continue()
  endif()
  robotrules_find_server(${server} lacks)
  if(lacks)
    message(STATUS "The store in ${server} is left out: it needs ${lacks}")
    list(APPEND left_out store/${server})
  else()
    list(APPEND robotrules_store_servers ${server})
  endif()
endforeach()
robotrules_library(store ROOMS suffix codec fields answer store WITHOUT ${left_out})
target_link_libraries(robotrules_store PUBLIC robotrules::core
                      PRIVATE SQLite::SQLite3 ZLIB::ZLIB robotrules::brotlidec robotrules::zstd robotrules::psl
                              OpenSSL::Crypto)
foreach(server IN LISTS robotrules_store_servers)
  string(TOUPPER ${server} macro)
  target_compile_definitions(robotrules_store PRIVATE ROBOTRULES_WITH_${macro})
  target_link_libraries(robotrules_store PRIVATE ${robotrules_${server}_targets})
endforeach()
if("redis" IN_LIST robotrules_store_servers)
  set(robotrules_redis_library ${PROJECT_BINARY_DIR}/src/store/redis/redis_library.cpp)
  set(from ${PROJECT_SOURCE_DIR}/src/store/redis)
  add_custom_command(OUTPUT ${robotrules_redis_library} VERBATIM
                     DEPENDS ${from}/guard.lua ${from}/gate.lua ${from}/records.lua ${from}/embed.cmake
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${from} -DTO=${robotrules_redis_library} -P ${from}/embed.cmake)
  target_sources(robotrules_store PRIVATE ${robotrules_redis_library})
endif()

robotrules_can_build(agent is_possible)
if(NOT is_possible)
  return()
endif()
robotrules_library(agent ROOMS http page robot sitemap compat/fetch)
target_link_libraries(robotrules_agent PUBLIC robotrules::store
                      PRIVATE CURL::libcurl OpenSSL::SSL OpenSSL::Crypto robotrules::gumbo EXPAT::EXPAT Threads::Threads)

robotrules_can_build(crawl is_possible)
if(NOT is_possible)
  return()
endif()
robotrules_library(crawl ROOMS archive crawl)
target_link_libraries(robotrules_crawl PUBLIC robotrules::agent
                      PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>  # headers that only the sources include
                              OpenSSL::Crypto ZLIB::ZLIB robotrules::zstd robotrules::deflate Threads::Threads)
