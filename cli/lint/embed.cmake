# cmake -DFROM=docs/lint -DTO=lint_pages.cpp -P embed.cmake: writes the pages of all codes as one source, so that
# "robotrules lint --explain CODE" needs no file.
file(GLOB pages ${FROM}/*.md)
set(arrays)
set(rows)
foreach(page IN LISTS pages)
  get_filename_component(code ${page} NAME_WE)
  if(code STREQUAL "README")
    continue()
  endif()
  string(MAKE_C_IDENTIFIER ${code} name)
  file(READ ${page} bytes HEX)
  string(REPEAT "[0-9a-f]" 38 row)  # a line of 19 bytes
  string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char page_${name}[] = {\n${bytes}};\n")
  string(APPEND rows "    {\"${code}\", {reinterpret_cast<const char*>(page_${name}), sizeof page_${name}}},\n")
endforeach()
file(WRITE ${TO} "// Made of docs/lint by cli/lint/embed.cmake.
#include \"cli/lint/report.hpp\"

namespace robotrules::cli {
namespace {

${arrays}
}  // namespace

std::string_view lint_page(std::string_view code) noexcept {
  static const struct {
    std::string_view code;
    std::string_view text;
  } pages[] = {
${rows}  };
  for (const auto& page : pages) {
    if (page.code == code) return page.text;
  }
  return {};
}

}  // namespace robotrules::cli
")
