include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/robotrules)

# Each library is a component: its library, a targets file and a .pc file; the headers are all with core.
install(DIRECTORY include/robotrules DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core FILES_MATCHING PATTERN "*.hpp")
foreach(component IN LISTS robotrules_built)
  install(TARGETS robotrules_${component} EXPORT robotrules-${component} COMPONENT ${component}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT robotrules-${component} FILE robotrules-${component}-targets.cmake NAMESPACE robotrules::
          DESTINATION ${package_dir} COMPONENT ${component})
endforeach()

configure_package_config_file(cmake/robotrules-config.cmake.in robotrules-config.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(robotrules-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/robotrules-config.cmake ${PROJECT_BINARY_DIR}/robotrules-config-version.cmake
        DESTINATION ${package_dir} COMPONENT core)
install(FILES cmake/Dependencies.cmake RENAME robotrules-dependencies.cmake DESTINATION ${package_dir} COMPONENT core)
if(TARGET robotrules_c)  # find_package() also finds the component c alone
  install(FILES ${PROJECT_BINARY_DIR}/robotrules-config.cmake ${PROJECT_BINARY_DIR}/robotrules-config-version.cmake
          DESTINATION ${package_dir} COMPONENT c)
  install(FILES cmake/Dependencies.cmake RENAME robotrules-dependencies.cmake DESTINATION ${package_dir} COMPONENT c)
endif()

# The prefix in the .pc file is found from where the file lies, so that --prefix at install time and DESTDIR hold.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /prefix/${pc_dir} /prefix)
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
foreach(component IN LISTS robotrules_built)
  list(TRANSFORM robotrules_needs_${component} PREPEND robotrules- OUTPUT_VARIABLE pc_requires)
  set(pc_requires_private)
  foreach(target IN LISTS robotrules_links_${component})
    robotrules_external(${target} row)
    list(GET row 3 name)
    list(APPEND pc_requires_private ${name})
  endforeach()
  set(pc_libs_private ${pc_requires_private})  # those that have no .pc file, as options
  list(FILTER pc_libs_private INCLUDE REGEX "^-")
  list(FILTER pc_requires_private EXCLUDE REGEX "^-")
  if(component STREQUAL "stores")
    list(TRANSFORM robotrules_servers PREPEND robotrules- OUTPUT_VARIABLE servers)
    list(APPEND pc_requires_private ${servers})
  endif()
  set(pc_libs "")
  list(JOIN pc_libs_private " " pc_libs_private)
  if(NOT BUILD_SHARED_LIBS)  # a static library links nothing by itself: --libs names all, with and without --static
    list(APPEND pc_requires ${pc_requires_private})
    set(pc_libs ${pc_libs_private})
    set(pc_requires_private "")
    set(pc_libs_private "")
  endif()
  list(JOIN pc_requires ", " pc_requires)
  list(JOIN pc_requires_private ", " pc_requires_private)
  configure_file(cmake/robotrules.pc.in robotrules-${component}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/robotrules-${component}.pc DESTINATION ${pc_dir} COMPONENT ${component})
endforeach()

# Component c: the C ABI. A program needs its header and librobotrules.so, and none of the libraries behind it.
if(TARGET robotrules_c)
  install(FILES include/robotrules.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT c)
  install(FILES include/robotrules/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/robotrules COMPONENT c)
  install(TARGETS robotrules_c EXPORT robotrules-c COMPONENT c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT robotrules-c FILE robotrules-c-targets.cmake NAMESPACE robotrules:: DESTINATION ${package_dir} COMPONENT c)
  configure_file(cmake/robotrules-c.pc.in robotrules.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/robotrules.pc DESTINATION ${pc_dir} COMPONENT c)
endif()

# Component command: the command with what it says of itself.
if(TARGET robotrules)
  install(TARGETS robotrules RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  if(TARGET robotrules_pages)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command)
    install(FILES ${PROJECT_BINARY_DIR}/pages/robotrules.bash RENAME robotrules
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
    install(FILES ${PROJECT_BINARY_DIR}/pages/robotrules.zsh RENAME _robotrules
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
    install(FILES ${PROJECT_BINARY_DIR}/pages/robotrules.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
  endif()
  # The page of robotrules page, if make page has built it.
  install(FILES ${PROJECT_SOURCE_DIR}/build/web/robotrules.html RENAME page.html
          DESTINATION ${CMAKE_INSTALL_DATADIR}/robotrules COMPONENT command OPTIONAL)
  # A crawl as a service: docs/operations.md. systemd reads these folders below /usr and /usr/local.
  # The prefix is known at install time: cmake --install has --prefix.
  install(CODE "set(robotrules_bindir \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
                configure_file(\"${PROJECT_SOURCE_DIR}/packaging/systemd/robotrules@.service.in\"
                               \"${PROJECT_BINARY_DIR}/systemd/robotrules@.service\" @ONLY)" COMPONENT command)
  install(FILES ${PROJECT_BINARY_DIR}/systemd/robotrules@.service packaging/systemd/robotrules@.timer
          DESTINATION lib/systemd/system COMPONENT command)
  install(FILES packaging/systemd/robotrules.sysusers RENAME robotrules.conf DESTINATION lib/sysusers.d COMPONENT command)
  install(FILES packaging/systemd/robotrules.tmpfiles RENAME robotrules.conf DESTINATION lib/tmpfiles.d COMPONENT command)
endif()

install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
