#!/bin/sh
# consume.sh BUILD_DIR find_package LANGUAGE...    programs of a project with these languages (C, CXX, Fortran)
# consume.sh BUILD_DIR pkg_config                  programs of all languages, without CMake
# consume.sh BUILD_DIR examples PROGRAM...         some of the examples that were installed
# Builds consumers against the copy in BUILD_DIR/install-test/prefix as users would, and runs them.
set -eu
build=$1
how=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
prefix=$build/install-test/prefix
work=$build/install-test/$(echo "$how $*" | tr ' ' _)
rm -rf "$work"
mkdir -p "$work"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name halocline.pc)")
export PKG_CONFIG_PATH
version=$(pkg-config --modversion halocline)
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# What a program of a language prints on so many ranks.
printed() {
  case $1 in
  C) echo "^C: the halo is right on $2 ranks\$" ;;
  CXX) echo "^$2 ranks on node:1 core:$2\$" ;;
  Fortran) echo "^Fortran: the halo is right on $2 ranks\$" ;;
  esac
}

# check LANGUAGE KIND [RANKS LAUNCHER...]: it has the library that it asked for, and works.
check() {
  language=$1
  wanted=$2
  program=$work/${language}_$wanted
  used=static
  if readelf -d "$program" | grep -q 'NEEDED.*libhalocline\.so'; then used=shared; fi
  if [ $used != "$wanted" ]; then
    echo "$program was linked with the $used library" >&2
    exit 1
  fi
  ranks=${3:-1}
  shift $(($# < 3 ? $# : 3))
  "$@" "$program" >"$program.output"
  grep -q "$(printed "$language" "$ranks")" "$program.output" || { cat "$program.output" >&2; exit 1; }
  if [ "$language" = Fortran ]; then grep -q "^Fortran: version $version\$" "$program.output"; fi
}

case $how in
find_package)
  languages=$(IFS=';'; echo "$*")
  kind=static
  if [ "$(cached BUILD_SHARED_LIBS)" = ON ]; then kind=shared; fi
  cmake -G "$(cached CMAKE_GENERATOR)" -S "$here/consumer" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" \
    "-DCONSUMER_LANGUAGES=$languages" -DDEFAULT_KIND=$kind >"$work/configure.log"
  cmake --build "$work" >"$work/build.log" || { tail -n 20 "$work/build.log" >&2; exit 1; }
  for language in "$@"; do
    check "$language" static
    check "$language" shared
  done
  ;;
pkg_config)
  launcher=$(cached MPIEXEC_EXECUTABLE)
  libraries=${PKG_CONFIG_PATH%/pkgconfig}
  # The copy as it would be if it had been configured for the other kind; and without a shared library.
  for kind in static shared only_static; do
    mkdir -p "$work/$kind"
    cp -rs "$prefix/." "$work/$kind"
    copy=$work/$kind${libraries#"$prefix"}
    cp --remove-destination "$build/pkgconfig/${kind#only_}/"*.pc "$copy/pkgconfig"
    flag=
    linked=$kind
    if [ $kind = only_static ]; then
      cp --remove-destination "$build/pkgconfig/shared/"*.pc "$copy/pkgconfig"
      rm "$copy"/libhalocline*.so*
      flag=--static
      linked=static
    fi
    export PKG_CONFIG_PATH="$copy/pkgconfig" LD_LIBRARY_PATH="$copy"
    # Word splitting is wanted: flags are several words.
    ${CC:-cc} "$here/consumer/consumer.c" $(pkg-config $flag --cflags --libs halocline) -o "$work/C_$linked"
    check C $linked
    if pkg-config --exists halocline-fortran; then
      ${FC:-gfortran} "$here/consumer/consumer.f90" $(pkg-config $flag --cflags --libs halocline-fortran) \
        -o "$work/Fortran_$linked"
      check Fortran $linked
    fi
  done
  ${CXX:-c++} -std=c++20 "$here/consumer/consumer.cpp" $(pkg-config --static --cflags --libs halocline) -o "$work/CXX_static"
  check CXX static 2 "$launcher" -n 2
  ;;
examples)
  cmake -G "$(cached CMAKE_GENERATOR)" -S "$prefix/share/doc/halocline/examples" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$work/configure.log"
  cmake --build "$work" --target "$@" >"$work/build.log" || { tail -n 20 "$work/build.log" >&2; exit 1; }
  for program in "$@"; do
    "$work/$program" 9 8 7 3 1
  done
  ;;
*)
  echo "consume.sh: $how is none of find_package, pkg_config and examples" >&2
  exit 2
  ;;
esac
