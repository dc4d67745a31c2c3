include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/robotrules)

# Components core, advice, store, agent and crawl: headers (all with core), a library, a targets file and a .pc file each.
set(components core advice)
if(TARGET robotrules_store)
  list(APPEND components store)
endif()
if(TARGET robotrules_agent)
  list(APPEND components agent)
endif()
if(TARGET robotrules_crawl)
  list(APPEND components crawl)
endif()
set(needed_by_core "")
set(needed_by_advice robotrules-core)
set(needed_by_store robotrules-core)
set(needed_by_agent robotrules-store)
set(needed_by_crawl robotrules-agent)
# As pkg-config names them; cmake/Dependencies.cmake has the same for CMake.
set(needed_privately_by_store "sqlite3, zlib, libbrotlidec, libzstd, libpsl, libcrypto")
set(needed_privately_by_agent "libssl, libcrypto, gumbo, expat")
if("postgres" IN_LIST robotrules_store_servers)
  string(APPEND needed_privately_by_store ", libpq")
endif()
set(needed_privately_by_crawl "libcrypto, zlib, libzstd, libdeflate")
set(linked_privately_by_store "")
if("redis" IN_LIST robotrules_store_servers)
  string(APPEND needed_privately_by_store ", hiredis, libssl")
  set(linked_privately_by_store "-pthread")
endif()
set(linked_privately_by_crawl "-pthread")
set(linked_privately_by_agent "-lcurl -pthread")  # by its name: of libcurl.pc, --static would ask for all that a static libcurl needs
install(DIRECTORY include/robotrules DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core FILES_MATCHING PATTERN "*.hpp")
foreach(component IN LISTS components)
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
foreach(component IN LISTS components)
  set(pc_requires ${needed_by_${component}})
  set(pc_libs "")
  set(pc_requires_private ${needed_privately_by_${component}})
  set(pc_libs_private ${linked_privately_by_${component}})
  if(NOT BUILD_SHARED_LIBS)  # a static library links nothing by itself: --libs names all, with and without --static
    list(APPEND pc_requires ${pc_requires_private})
    list(JOIN pc_requires ", " pc_requires)
    set(pc_libs ${pc_libs_private})
    set(pc_requires_private "")
    set(pc_libs_private "")
  endif()
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
