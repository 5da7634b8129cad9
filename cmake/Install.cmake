# What `cmake --install` leaves behind: the library, its public headers, a CMake package and a pkg-config file, the tool with its
# manual, documents and examples.

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/halocline)
foreach(kind static shared)
  install(TARGETS halocline_${kind} EXPORT halocline-${kind}-targets)
  install(EXPORT halocline-${kind}-targets NAMESPACE halocline:: DESTINATION ${package_folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/halocline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${halocline_generated_include}/halocline/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halocline)

# What C++ programs link without being told, and programs in other languages do not: "stdc++;m".
set(cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM cxx_runtime ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_DUPLICATES cxx_runtime)
halocline_mpi_wrapper(CXX mpicxx)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/halocline-config.cmake.in
  ${PROJECT_BINARY_DIR}/halocline-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/halocline-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/halocline-config.cmake ${PROJECT_BINARY_DIR}/halocline-config-version.cmake
  DESTINATION ${package_folder})

# For pkg-config the same library as for CMake; tests read the file of the other kind, too. Paths are relative, so that the
# installed copy may be moved.
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
function(halocline_pkg_config name library language)
  list(JOIN MPI_${language}_INCLUDE_DIRS " -I" mpi_include_flags)
  list(JOIN MPI_${language}_LIBRARIES " " mpi_link_flags)
  # Not "Requires: hwloc": with --static that asks for what a static hwloc needs, which nobody has installed.
  list(TRANSFORM cxx_runtime PREPEND -l)
  list(JOIN hwloc_LDFLAGS " " runtime_flags)
  list(JOIN cxx_runtime " " cxx_flags)
  string(APPEND runtime_flags " ${cxx_flags} -l${CMAKE_DL_LIBS} -pthread")
  set(template ${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in)
  set(private_flags "")
  set(link_flags "\${libdir}/lib${library}.a")
  configure_file(${template} ${PROJECT_BINARY_DIR}/pkgconfig/static/${name}.pc @ONLY)
  # With the shared library, what it needs itself is for pkg-config --static alone.
  set(private_flags ${runtime_flags})
  set(runtime_flags "")
  set(link_flags "-L\${libdir} -l${library}")
  configure_file(${template} ${PROJECT_BINARY_DIR}/pkgconfig/shared/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${halocline_kind}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
halocline_pkg_config(halocline halocline C)

# The Fortran module. Its targets are apart, because a project without Fortran has no MPI for Fortran.
if(HALOCLINE_HAS_FORTRAN)
  foreach(kind static shared)
    install(TARGETS halocline_fortran_${kind} EXPORT halocline-fortran-${kind}-targets)
    install(EXPORT halocline-fortran-${kind}-targets NAMESPACE halocline:: DESTINATION ${package_folder})
  endforeach()
  set(module_folder $<TARGET_PROPERTY:halocline_fortran_static,Fortran_MODULE_DIRECTORY>)
  install(FILES ${module_folder}/halocline.mod ${module_folder}/halocline_boxes.mod
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halocline/fortran)
  halocline_pkg_config(halocline-fortran halocline_fortran Fortran)
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

# Documents and examples lie as they do in the source, so that links from one to another hold.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN Doxyfile EXCLUDE PATTERN __pycache__ EXCLUDE)

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
    -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake VERBATIM)
endif()
