# cmake -DBUILD=... -DPREFIX=... -DSOURCE=... -P install.cmake: the build, installed into an empty prefix. What people read
# is there, and make uninstall leaves nothing behind.
set(gone ${PREFIX}-uninstalled)
file(REMOVE_RECURSE ${PREFIX} ${gone})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${gone} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${SOURCE}/tools/uninstall.sh ${BUILD}/install_manifest.txt COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(GLOB_RECURSE left ${gone}/*)
if(left)
  message(FATAL_ERROR "make uninstall leaves files behind: ${left}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(GLOB commands RELATIVE ${BUILD}/pages/man1 ${BUILD}/pages/man1/*.1)
list(TRANSFORM commands PREPEND share/man/man1/)
file(GLOB pages RELATIVE ${SOURCE} ${SOURCE}/docs/lint/*.md ${SOURCE}/docs/inside/*.md)
list(TRANSFORM pages PREPEND share/doc/robotrules/)
set(wanted include/robotrules.hpp share/doc/robotrules/README.md share/doc/robotrules/SECURITY.md
    share/doc/robotrules/docs/cli.md ${pages})
if(EXISTS ${BUILD}/pages)
  list(APPEND wanted share/man/man1/robotrules.1 share/man/man1/robotrules-get.1 ${commands}
       share/bash-completion/completions/robotrules share/zsh/site-functions/_robotrules
       share/fish/vendor_completions.d/robotrules.fish)
endif()
foreach(file ${wanted})
  if(NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
