# cmake -DFOLDER=src/servers/postgres/sql -DTO=sql_text.cpp -P embed.cmake: joins the files with SQL to one text in C++.
cmake_minimum_required(VERSION 3.25)
set(all "")
foreach(name IN ITEMS tables meta trusted_schema gates records queue)
  file(READ ${FOLDER}/${name}.sql text)
  string(APPEND all "    R\"sql(${text})sql\"\n")
endforeach()
file(WRITE ${TO} "// Made of sql/*.sql by src/servers/postgres/embed.cmake.
#include \"servers/postgres/sql_text.hpp\"

namespace robotrules::store::postgres {

const std::string_view sql_text =
${all};

}  // namespace robotrules::store::postgres
")
