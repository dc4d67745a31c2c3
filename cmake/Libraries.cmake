# The libraries. Each is made of rooms, the folders of src/; docs/architecture.md says which room may use which, and
# cmake/Dependencies.cmake which library needs which. All but core and advice are optional: another project goes without
# one if something that it needs is missing. (Included, not a subdirectory: the command, the tests and the benchmarks link
# what is found here too.)
robotrules_library(core ROOMS base core compat/parser)
# The matcher's inner loops take up to 1.2 times as long if a function begins in the middle of a cache line, and where it
# begins depends on what was linked before it.
target_compile_options(robotrules_core PRIVATE -falign-functions=64)

robotrules_library(advice ROOMS advice)
# The list of known crawlers. (Beside src, so that the layers test knows its room.)
set(robotrules_crawlers ${PROJECT_BINARY_DIR}/src/advice/compare/crawler_table.cpp)
set(from ${PROJECT_SOURCE_DIR}/src/advice/compare)
add_custom_command(OUTPUT ${robotrules_crawlers} VERBATIM
                   DEPENDS ${PROJECT_SOURCE_DIR}/data/crawlers.json ${from}/crawler_table.cmake
                   COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/data/crawlers.json -DTO=${robotrules_crawlers}
                           -P ${from}/crawler_table.cmake)
target_sources(robotrules_advice PRIVATE ${robotrules_crawlers})

robotrules_optional_library(store ROOMS suffix codec fields answer store queue servers
                            WITHOUT store/sqlite queue/sqlite servers/redis servers/postgres)
robotrules_optional_library(sqlite ROOMS store/sqlite queue/sqlite repair)

# The stores on servers. open_store() says what is missing if a name asks for one that this build does not have.
robotrules_optional_library(redis ROOMS servers/redis)
if(TARGET robotrules_redis)
  set(robotrules_redis_library ${PROJECT_BINARY_DIR}/src/servers/redis/redis_library.cpp)
  set(from ${PROJECT_SOURCE_DIR}/src/servers/redis)
  add_custom_command(OUTPUT ${robotrules_redis_library} VERBATIM
                     DEPENDS ${from}/guard.lua ${from}/gate_row.lua ${from}/gate.lua ${from}/records.lua
                           ${from}/embed.cmake
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${from} -DTO=${robotrules_redis_library} -P ${from}/embed.cmake)
  target_sources(robotrules_redis PRIVATE ${robotrules_redis_library})
endif()
robotrules_optional_library(postgres ROOMS servers/postgres)
if(TARGET robotrules_postgres)
  set(robotrules_sql_text ${PROJECT_BINARY_DIR}/src/servers/postgres/sql_text.cpp)
  set(from ${PROJECT_SOURCE_DIR}/src/servers/postgres)
  file(GLOB robotrules_sql CONFIGURE_DEPENDS ${from}/sql/*.sql)
  add_custom_command(OUTPUT ${robotrules_sql_text} VERBATIM DEPENDS ${robotrules_sql} ${from}/embed.cmake
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${from}/sql -DTO=${robotrules_sql_text} -P ${from}/embed.cmake)
  target_sources(robotrules_postgres PRIVATE ${robotrules_sql_text})
endif()
set(robotrules_servers)
foreach(server redis postgres)
  if(TARGET robotrules_${server})
    list(APPEND robotrules_servers ${server})
  endif()
endforeach()

set(ROBOTRULES_BUILD_STORES ${ROBOTRULES_BUILD_SQLITE})
robotrules_optional_library(stores ROOMS stores)
if(TARGET robotrules_stores)
  foreach(server IN LISTS robotrules_servers)
    string(TOUPPER ${server} macro)
    target_compile_definitions(robotrules_stores PRIVATE ROBOTRULES_WITH_${macro})
    target_link_libraries(robotrules_stores PRIVATE robotrules::${server})
  endforeach()
endif()

robotrules_optional_library(page ROOMS charset url page)
robotrules_optional_library(sitemap ROOMS sitemap)
robotrules_optional_library(agent ROOMS http robot compat/fetch)
robotrules_optional_library(crawl ROOMS archive crawl)
if(TARGET robotrules_crawl)
  target_link_libraries(robotrules_crawl PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)  # headers alone
endif()

set(robotrules_built)
foreach(component IN LISTS robotrules_components)
  if(TARGET robotrules_${component})
    list(APPEND robotrules_built ${component})
  endif()
endforeach()
list(JOIN robotrules_built ", " found)
message(STATUS "Found what these libraries of robotrules need: ${found}")
