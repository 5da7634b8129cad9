# What the build takes from elsewhere: how to say what is missing, and by which packages a distribution has it.

set(HALOCLINE_OS_RELEASE /etc/os-release CACHE FILEPATH "The file that tells which distribution this is, to name its packages")
mark_as_advanced(HALOCLINE_OS_RELEASE)

# need | its name in messages | Debian, Ubuntu | Fedora and its relatives | openSUSE. Without a package: nothing.
set(halocline_packages
  "MPI|MPI 3.1|libopenmpi-dev openmpi-bin|openmpi-devel|openmpi4-devel"
  "pkg-config|pkg-config|pkg-config|pkgconf-pkg-config|pkg-config"
  "hwloc|hwloc 2|libhwloc-dev|hwloc-devel|hwloc-devel"
  "nlohmann_json|nlohmann_json|nlohmann-json3-dev|json-devel|nlohmann_json-devel"
  "CLI11|CLI11|libcli11-dev|cli11-devel|cli11-devel"
  "fmt|fmt|libfmt-dev|fmt-devel|fmt-devel"
  "GTest|GoogleTest|libgtest-dev|gtest-devel|gtest"
  "Python3|Python 3|python3|python3|python3"
  "Fortran|a Fortran compiler|gfortran|gcc-gfortran|gcc-fortran"
  "LLVM|LLVM 14 or 15|llvm-14-dev|llvm15-devel|llvm15-devel"
  "SimGrid|SimGrid|libsimgrid-dev||"
  "clang|clang|clang|clang|clang"
  "Node|Node.js and npm|nodejs npm|nodejs npm|nodejs-default npm-default"
  "mpi4py|mpi4py|python3-mpi4py python3-numpy python3-pytest|python3-mpi4py-openmpi python3-numpy python3-pytest|"
  "pip|pip|python3-pip python3-setuptools python3-wheel|python3-pip python3-setuptools python3-wheel|"
)

# The column of this distribution, 2 to 4; 0 if it is none of them.
function(halocline_distribution result)
  set(column 0)
  if(EXISTS "${HALOCLINE_OS_RELEASE}")
    file(STRINGS "${HALOCLINE_OS_RELEASE}" names REGEX "^(ID|ID_LIKE)=")
    if(names MATCHES "debian|ubuntu")
      set(column 2)
    elseif(names MATCHES "fedora|rhel|centos")
      set(column 3)
    elseif(names MATCHES "suse")
      set(column 4)
    endif()
  endif()
  set(${result} ${column} PARENT_SCOPE)
endfunction()

# halocline_of_needs(result column need...): that column of the table for each of the needs, where it has anything.
function(halocline_of_needs result column)
  set(found)
  foreach(need IN LISTS ARGN)
    foreach(line IN LISTS halocline_packages)
      string(REPLACE "|" ";" line "${line}")
      list(GET line 0 name)
      list(GET line ${column} text)
      if(name STREQUAL need AND text)
        list(APPEND found "${text}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# halocline_how_to_get(result need...): the command that installs them here, or for each distribution if this is another one.
function(halocline_how_to_get result)
  halocline_distribution(here)
  set(commands "" "" "apt-get install" "dnf install" "zypper install")
  set(said)
  foreach(column 2 3 4)
    halocline_of_needs(packages ${column} ${ARGN})
    list(GET commands ${column} command)
    if(packages AND (here EQUAL column OR here EQUAL 0))
      list(JOIN packages " " packages)
      list(APPEND said "${command} ${packages}")
    endif()
  endforeach()
  list(JOIN said ", or " said)
  set(${result} "${said}" PARENT_SCOPE)
endfunction()

# halocline_left_out(what why need): remembers that this build is without something, which its last lines tell.
function(halocline_left_out what why need)
  halocline_how_to_get(command ${need})
  set(line "Left out: ${what}. ${why}")
  if(command)
    string(APPEND line " (${command})")
  endif()
  set_property(GLOBAL APPEND PROPERTY HALOCLINE_LEFT_OUT "${line}")
endfunction()

function(halocline_tell_what_is_left_out)
  get_property(lines GLOBAL PROPERTY HALOCLINE_LEFT_OUT)
  foreach(line IN LISTS lines)
    message(STATUS "${line}")
  endforeach()
endfunction()
