# cmake -DFROM=crawlers.json -DTO=crawlers_json.cpp -P embed.cmake: writes the bytes of the file as a source, so that the
# command needs no data file.
file(READ ${FROM} bytes HEX)
string(REPEAT "[0-9a-f]" 38 row)  # a line of 19 bytes
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
file(WRITE ${TO} "// Made of data/crawlers.json by cli/agents/embed.cmake.
#include \"cli/agents/crawlers.hpp\"

namespace robotrules::cli {
namespace {

constexpr unsigned char bytes[] = {
${bytes}};

}  // namespace

std::string_view known_crawlers() noexcept { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

}  // namespace robotrules::cli
")
