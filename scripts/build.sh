#!/bin/sh
# build.sh PRESET [CMAKE_OPTION...]: configures a CMake preset and builds it. Options stay until changed.
set -eu
cd "$(dirname "$0")/.."
preset=${1:?usage: build.sh PRESET [CMAKE_OPTION...]}
shift

mkdir -p build
echo "Building $preset"
if ! cmake --preset "$preset" "$@" >"build/$preset.log" 2>&1; then
  cat "build/$preset.log" >&2
  exit 1
fi
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}"
