# halocline/version.h out of the version of the project.
set(halocline_generated_include ${PROJECT_BINARY_DIR}/generated/include)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${halocline_generated_include}/halocline/version.h @ONLY)

# A program runs with every library of the SOVERSION that it was linked with; CONTRIBUTING.md, "Versions", says what may change.
set(halocline_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(halocline_soversion 0.${PROJECT_VERSION_MINOR})
endif()
