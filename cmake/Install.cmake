# What `cmake --install` leaves behind: the library, its public headers, a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)

# A static library needs hwloc again where it is linked, so the package finds it through pkg-config as we do.
install(TARGETS halocline EXPORT halocline-targets)
install(EXPORT halocline-targets NAMESPACE halocline:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/halocline)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/halocline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${halocline_generated_include}/halocline/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halocline)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/halocline-config.cmake.in
  ${PROJECT_BINARY_DIR}/halocline-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/halocline)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/halocline-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/halocline-config.cmake ${PROJECT_BINARY_DIR}/halocline-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/halocline)

# Relative, so that the installed copy may be moved.
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
list(JOIN MPI_C_INCLUDE_DIRS " -I" mpi_include_flags)
list(JOIN MPI_C_LIBRARIES " " mpi_link_flags)
configure_file(${PROJECT_SOURCE_DIR}/cmake/halocline.pc.in ${PROJECT_BINARY_DIR}/halocline.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/halocline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The Fortran module. Its targets are apart, because a project without Fortran has no MPI for Fortran.
if(HALOCLINE_HAS_FORTRAN)
  install(TARGETS halocline_fortran EXPORT halocline-fortran-targets)
  install(EXPORT halocline-fortran-targets NAMESPACE halocline::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/halocline)
  install(FILES $<TARGET_PROPERTY:halocline_fortran,Fortran_MODULE_DIRECTORY>/halocline.mod
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halocline/fortran)
  list(JOIN MPI_Fortran_INCLUDE_DIRS " -I" mpi_fortran_include_flags)
  list(JOIN MPI_Fortran_LIBRARIES " " mpi_fortran_link_flags)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/halocline-fortran.pc.in ${PROJECT_BINARY_DIR}/halocline-fortran.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/halocline-fortran.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(HALOCLINE_TOOLS)
  install(TARGETS halocline_tool)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/cluster.sh TYPE BIN RENAME halocline-cluster)
  # The program prints its own manual and completion, so that they cannot say anything else than it does.
  if(NOT CMAKE_CROSSCOMPILING)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    set(print_manual ${PROJECT_SOURCE_DIR}/cmake/PrintManual.cmake)
    install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:halocline_tool>\"
      \"-DFOLDER=${manual}\" -P \"${print_manual}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${manual}/halocline DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${manual}/_halocline DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${manual}/halocline.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
