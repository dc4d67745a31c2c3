# cmake -DFOLDER=src/servers/redis -DTO=redis_library.cpp -P embed.cmake: joins the Lua sources to one library of functions, as a
# text in C++. "@ID@" in them becomes the first digits of their hash, so that two versions can be on one server.
cmake_minimum_required(VERSION 3.25)
set(library "")
foreach(name IN ITEMS guard gate_row gate records)
  file(READ ${FOLDER}/${name}.lua text)
  string(APPEND library "${text}")
endforeach()
string(SHA256 hash "${library}")
string(SUBSTRING ${hash} 0 8 id)
string(REPLACE "@ID@" "${id}" library "${library}")
file(WRITE ${TO} "// Made of the Lua sources by src/servers/redis/embed.cmake.
#include \"servers/redis/redis_library.hpp\"

namespace robotrules::store::redis {

const std::string_view library_id = \"${id}\";
const std::string_view library_source = R\"lua(${library})lua\";

}  // namespace robotrules::store::redis
")
