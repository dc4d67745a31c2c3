# robotrules.hpp, the core and its advice in one header: PROJECT_BINARY_DIR has it after each build, and it is installed.
set(robotrules_single_header ${PROJECT_BINARY_DIR}/robotrules.hpp)
robotrules_glob(headers ${PROJECT_SOURCE_DIR}/include/robotrules/*.hpp ${PROJECT_SOURCE_DIR}/src/base/*.?pp
                ${PROJECT_SOURCE_DIR}/src/core/*.?pp ${PROJECT_SOURCE_DIR}/src/core/*/*.?pp
                ${PROJECT_SOURCE_DIR}/src/advice/*/*.?pp)
add_custom_command(OUTPUT ${robotrules_single_header} VERBATIM
                   DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/tools/amalgamate.sh robotrules_advice
                   COMMAND sh ${PROJECT_SOURCE_DIR}/tools/amalgamate.sh ${robotrules_crawlers} > ${robotrules_single_header})
add_custom_target(robotrules_single_header ALL DEPENDS ${robotrules_single_header})
if(ROBOTRULES_INSTALL)
  install(FILES ${robotrules_single_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core)
endif()
