# What makes a mistake in optimised code end the program instead of giving it away. docs/security.md has the list, and
# tests/hardening reads it from the binary.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)

option(ROBOTRULES_HARDENING "Harden optimised builds" ON)
set(ROBOTRULES_HARDENED OFF)
if(ROBOTRULES_HARDENING AND NOT ROBOTRULES_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  set(ROBOTRULES_HARDENED ON)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  check_cxx_compiler_flag(-fcf-protection=full ROBOTRULES_HAS_CF_PROTECTION)  # x86 alone
endif()

# robotrules_harden(<target>): PRIVATE, as all that robotrules_target() adds.
function(robotrules_harden target)
  if(NOT ROBOTRULES_HARDENED)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE
                                           -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS)
  if(ROBOTRULES_HAS_CF_PROTECTION)
    target_compile_options(${target} PRIVATE -fcf-protection=full)
  endif()
  target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endfunction()
