# cmake -DFROM=crawlers.json -DTO=crawler_table.cpp -P crawler_table.cmake: writes the list of crawlers as a table in C++,
# because the library reads no JSON. Fails if the list is malformed.
cmake_minimum_required(VERSION 3.25)
file(READ ${FROM} document)

# quoted(<variable> <text>): the text as a literal of C++.
function(quoted variable text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()

# member(<variable> <object> <name>): a member as a literal; "" if there is none.
function(member variable object name)
  string(JSON text ERROR_VARIABLE missing GET "${object}" ${name})
  if(missing)
    set(text "")
  endif()
  quoted(text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

member(updated "${document}" updated)

# CMake sorts the members of an object by name. The kinds are printed in the order of the file.
set(places)
string(JSON object GET "${document}" kinds)
string(JSON count LENGTH "${object}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON name MEMBER "${object}" ${i})
  string(FIND "${document}" "\"${name}\":" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${FROM}: write the kind \"${name}\" without escapes, and its colon without a space before it")
  endif()
  list(APPEND places "${place} ${name}")
endforeach()
list(SORT places COMPARE NATURAL)

set(kinds)
set(kind_rows "")
foreach(name IN LISTS places)
  string(REGEX REPLACE "^[0-9]+ " "" name "${name}")
  list(APPEND kinds "\"${name}\"")
  member(means "${object}" "${name}")
  string(APPEND kind_rows "    {\"${name}\", ${means}},\n")
endforeach()

set(crawler_rows "")
string(JSON crawlers GET "${document}" crawlers)
string(JSON count LENGTH "${crawlers}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON crawler GET "${crawlers}" ${i})
  foreach(field IN ITEMS name operator kind source seen)
    member(${field} "${crawler}" ${field})
  endforeach()
  if(name STREQUAL "\"\"" OR NOT kind IN_LIST kinds)
    message(FATAL_ERROR "${FROM}: crawler ${i} (${name}) has no name, or a kind that is not one of \"kinds\": ${kind}")
  endif()
  set(tokens "")
  string(JSON token_count ERROR_VARIABLE missing LENGTH "${crawler}" tokens)
  if(NOT missing AND token_count GREATER 0)
    math(EXPR last_token "${token_count} - 1")
    foreach(j RANGE ${last_token})
      string(JSON token GET "${crawler}" tokens ${j})
      string(APPEND tokens "${token}\n")
    endforeach()
  endif()
  quoted(tokens "${tokens}")
  string(REGEX REPLACE "\"$" "\\\\n\"" own "${name}")
  if(tokens STREQUAL own)
    set(tokens "\"\"")
  endif()
  set(ignores_star false)
  string(JSON given ERROR_VARIABLE missing GET "${crawler}" ignores_star)
  if(NOT missing AND given)
    set(ignores_star true)
  endif()
  string(JSON obeys ERROR_VARIABLE missing GET "${crawler}" obeys_robots)
  if(missing)
    set(obeys not_stated)
  elseif(NOT obeys MATCHES "^(yes|partly|no)$")
    message(FATAL_ERROR "${FROM}: crawler ${i} (${name}) has an \"obeys_robots\" that is not yes, partly or no: ${obeys}")
  endif()
  string(APPEND crawler_rows
         "    {${name}, ${operator}, ${kind}, ${tokens}, ${ignores_star}, Obeys::${obeys},\n     ${source}, ${seen}},\n")
endforeach()

file(WRITE ${TO} "// Made of data/crawlers.json by src/advice/compare/crawler_table.cmake.
#include \"advice/compare/crawler_table.hpp\"

namespace robotrules::advice {
namespace {

constexpr KindRow kinds[] = {
${kind_rows}};

constexpr CrawlerRow crawlers[] = {
${crawler_rows}};

constexpr CrawlerTable table{${updated}, kinds, crawlers};

}  // namespace

const CrawlerTable& crawler_table() noexcept { return table; }

}  // namespace robotrules::advice
")
