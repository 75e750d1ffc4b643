# SPDX-License-Identifier: Apache-2.0
# Installation. The prefix has the layout of a CANN toolkit, so ASCEND_HOME_PATH may name it.
if(NOT TARGET tandem)
  return()
endif()
include(CMakePackageConfigHelpers)

get_property(tandem_names GLOBAL PROPERTY TANDEM_LIBRARY_NAMES)
set_target_properties(tandem_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS tandem tandem_headers ${tandem_names} EXPORT TandemTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tandem_cli)
  install(TARGETS tandem_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tandem)

set(tandem_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
install(EXPORT TandemTargets NAMESPACE Tandem:: DESTINATION ${tandem_package_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TandemConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/TandemConfig.cmake" INSTALL_DESTINATION ${tandem_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/TandemConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/TandemConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/TandemConfigVersion.cmake"
  DESTINATION ${tandem_package_dir})

# The .pc file finds its prefix from where it lies, so it may be moved with the rest.
file(RELATIVE_PATH TANDEM_PC_TO_PREFIX
  "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${PROJECT_SOURCE_DIR}/cmake/tandem.pc.in" "${PROJECT_BINARY_DIR}/package/tandem.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/tandem.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# CANN build files look in lib64, most others in lib: a prefix of our own gets both. System prefixes
# have their own rules for lib64 and are left alone.
if(CMAKE_INSTALL_LIBDIR MATCHES "^lib(64)?$")
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    foreach(name lib lib64)
      if(NOT CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?\$\" AND NOT EXISTS \"\${prefix}/\${name}\")
        file(CREATE_LINK ${CMAKE_INSTALL_LIBDIR} \"\${prefix}/\${name}\" SYMBOLIC)
        message(STATUS \"Installing: \${prefix}/\${name} -> ${CMAKE_INSTALL_LIBDIR}\")
      endif()
    endforeach()")
endif()
