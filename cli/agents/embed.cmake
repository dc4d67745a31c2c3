# cmake -DFROM=crawlers.json -DTO=crawlers_json.cpp -P embed.cmake: the file's octets as a source, so that the command
# needs no data file beside it.
file(READ ${FROM} octets HEX)
string(REPEAT "[0-9a-f]" 38 row)  # a line of 19 octets
string(REGEX REPLACE "(${row})" "\\1\n" octets "${octets}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " octets "${octets}")
file(WRITE ${TO} "// Made of data/crawlers.json by cli/embed.cmake.
#include \"cli/crawlers.hpp\"

namespace robotrules::cli {
namespace {

constexpr unsigned char octets[] = {
${octets}};

}  // namespace

std::string_view known_crawlers() noexcept { return {reinterpret_cast<const char*>(octets), sizeof octets}; }

}  // namespace robotrules::cli
")
