#!/bin/sh
# consume.sh find_package|pkg_config BUILD_DIR: installs the build into a folder of its own, builds the consumers
# against that copy as a user would, and runs them.
set -eu
how=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
prefix=$build/install-test/prefix
work=$build/install-test/$how
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$prefix" >"$work/install.log"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name halocline.pc)")
export PKG_CONFIG_PATH
fortran=OFF
if pkg-config --exists halocline-fortran; then fortran=ON; fi

case $how in
find_package)
  cmake -S "$here/consumer" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" -DWITH_FORTRAN=$fortran >"$work/configure.log"
  cmake --build "$work" >"$work/build.log"
  ;;
pkg_config)
  # Word splitting is wanted: flags are several words.
  ${CXX:-c++} -std=c++20 "$here/consumer/consumer.cpp" $(pkg-config --cflags halocline) \
    $(pkg-config --libs halocline) -o "$work/consumer"
  ${CC:-cc} "$here/consumer/consumer.c" $(pkg-config --cflags halocline) $(pkg-config --libs halocline) \
    -o "$work/consumer_c"
  if [ $fortran = ON ]; then
    ${FC:-gfortran} "$here/consumer/consumer.f90" $(pkg-config --cflags halocline-fortran) \
      $(pkg-config --libs halocline-fortran) -o "$work/consumer_fortran"
  fi
  ;;
*)
  echo "consume.sh: $how is neither find_package nor pkg_config" >&2
  exit 2
  ;;
esac

launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
"$launcher" -n 2 "$work/consumer" | tee "$work/output"
grep -q '^2 ranks on node:1 core:2$' "$work/output"
"$launcher" -n 2 "$work/consumer_c" | tee "$work/output_c"
grep -q '^C: the halo is right on 2 ranks$' "$work/output_c"
if [ $fortran = ON ]; then
  "$launcher" -n 2 "$work/consumer_fortran" | tee "$work/output_fortran"
  grep -q '^Fortran: the halo is right on 2 ranks$' "$work/output_fortran"
  grep -q "^Fortran: version $(pkg-config --modversion halocline)$" "$work/output_fortran"
fi
[ "$("$prefix/bin/halocline" --version)" = "halocline $(pkg-config --modversion halocline)" ]
test -s "$prefix/share/man/man1/halocline-doctor.1"
bash -n "$prefix/share/bash-completion/completions/halocline"
