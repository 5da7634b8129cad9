#!/bin/sh
# consume.sh find_package|pkg_config BUILD_DIR: installs the build into a folder of its own, builds the consumer
# against that copy as a user would, and runs it.
set -eu
how=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
prefix=$build/install-test/prefix
work=$build/install-test/$how
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$prefix" >"$work/install.log"

case $how in
find_package)
  cmake -S "$here/consumer" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
  cmake --build "$work" >"$work/build.log"
  ;;
pkg_config)
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name halocline.pc)")
  export PKG_CONFIG_PATH
  # Word splitting is wanted: flags are several words.
  ${CXX:-c++} -std=c++20 "$here/consumer/consumer.cpp" $(pkg-config --cflags halocline) \
    $(pkg-config --libs halocline) -o "$work/consumer"
  ;;
*)
  echo "consume.sh: $how is neither find_package nor pkg_config" >&2
  exit 2
  ;;
esac

launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
"$launcher" -n 2 "$work/consumer" | tee "$work/output"
grep -q '^2 ranks on node:1 core:2$' "$work/output"
"$prefix/bin/halocline" --version
test -s "$prefix/share/man/man1/halocline-doctor.1"
bash -n "$prefix/share/bash-completion/completions/halocline"
