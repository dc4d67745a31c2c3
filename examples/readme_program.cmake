# cmake -DPAGE=... -DPROGRAM=... -P readme_program.cmake: PAGE shows PROGRAM word for word in a ```cpp block.
file(READ ${PAGE} page)
file(READ ${PROGRAM} program)
string(FIND "${page}" "```cpp\n${program}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show ${PROGRAM} as it is")
endif()
