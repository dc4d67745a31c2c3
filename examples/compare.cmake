# cmake -DPROGRAM=... -DEXPECTED=... -P compare.cmake: PROGRAM prints EXPECTED, byte for byte, and ends with status 0.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${EXPECTED} expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "expected (${EXPECTED}):\n${expected}\nprinted:\n${printed}")
endif()
