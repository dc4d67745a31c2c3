# cmake -DPAGE=... -DPROGRAM=... [-DLANGUAGE=c] -P readme_program.cmake: PAGE shows PROGRAM word for word in a ```cpp block,
# or in one of LANGUAGE.
if(NOT LANGUAGE)
  set(LANGUAGE cpp)
endif()
file(READ ${PAGE} page)
file(READ ${PROGRAM} program)
string(FIND "${page}" "```${LANGUAGE}\n${program}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show ${PROGRAM} as it is")
endif()
