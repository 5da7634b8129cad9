#!/bin/sh
# install_copy.sh BUILD_DIR WITH_TOOLS: installs what was built into BUILD_DIR/install-test/prefix, and looks at what is there. WITH_TOOLS
# is ON if the command line program is part of it.
set -eu
build=$1
tools=$2
prefix=$build/install-test/prefix
cd "$(dirname "$0")/../.."
rm -rf "$prefix"
mkdir -p "$prefix"
cmake --install "$build" --prefix "$prefix" >"$build/install-test/install.log"

if [ "$tools" = ON ]; then
  version=$(pkg-config --modversion "$(find "$prefix" -name halocline.pc)")
  [ "$("$prefix/bin/halocline" --version)" = "halocline $version" ]
  test -s "$prefix/share/man/man1/halocline-doctor.1"
  bash -n "$prefix/share/bash-completion/completions/halocline"
fi
