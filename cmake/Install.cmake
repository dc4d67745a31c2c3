include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/robotrules)

# Each library is a component: its library, a targets file and a .pc file; the headers are all with core.
set(components)
foreach(component IN LISTS robotrules_components)
  if(TARGET robotrules_${component})
    list(APPEND components ${component})
  endif()
endforeach()
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
# pc_names(<variable> PACKAGES|OPTIONS <component>): the imported targets that the component links, as pkg-config names
# them, or those that have no .pc file as options.
function(pc_names variable kind component)
  set(package_OpenSSL::Crypto libcrypto)
  set(package_OpenSSL::SSL libssl)
  set(package_SQLite::SQLite3 sqlite3)
  set(package_ZLIB::ZLIB zlib)
  set(package_EXPAT::EXPAT expat)
  set(package_robotrules::zstd libzstd)
  set(package_robotrules::psl libpsl)
  set(package_robotrules::brotlidec libbrotlidec)
  set(package_robotrules::hiredis hiredis)
  set(package_robotrules::pq libpq)
  set(package_robotrules::gumbo gumbo)
  set(package_robotrules::deflate libdeflate)
  set(option_CURL::libcurl -lcurl)  # of libcurl.pc, --static would ask for all that a static libcurl needs
  set(option_Threads::Threads -pthread)
  set(names)
  foreach(target IN LISTS robotrules_links_${component})
    if(kind STREQUAL "PACKAGES" AND DEFINED package_${target})
      list(APPEND names ${package_${target}})
    elseif(kind STREQUAL "OPTIONS" AND DEFINED option_${target})
      list(APPEND names ${option_${target}})
    elseif(NOT DEFINED package_${target} AND NOT DEFINED option_${target})
      message(FATAL_ERROR "cmake/Install.cmake has no name of ${target} for pkg-config")
    endif()
  endforeach()
  set(${variable} ${names} PARENT_SCOPE)
endfunction()
foreach(component IN LISTS components)
  list(TRANSFORM robotrules_needs_${component} PREPEND robotrules- OUTPUT_VARIABLE pc_requires)
  pc_names(pc_requires_private PACKAGES ${component})
  if(component STREQUAL "stores")
    list(TRANSFORM robotrules_servers PREPEND robotrules- OUTPUT_VARIABLE servers)
    list(APPEND pc_requires_private ${servers})
  endif()
  set(pc_libs "")
  pc_names(pc_libs_private OPTIONS ${component})
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
