#!/bin/sh
# build.sh PRESET [CMAKE_OPTION...] [-- TARGET...]: configures a CMake preset and builds it, all of it or these targets.
# Options stay until changed.
set -eu
cd "$(dirname "$0")/.."
preset=${1:?usage: build.sh PRESET [CMAKE_OPTION...] [-- TARGET...]}
shift
options=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  options="$options $1"
  shift
done
[ $# -eq 0 ] || shift

mkdir -p build
echo "Building $preset"
# Word splitting is wanted: options have no blanks.
if ! cmake --preset "$preset" $options >"build/$preset.log" 2>&1; then
  # What went wrong; what CMake found before that is in the log.
  sed -n '/^CMake Error/,$p' "build/$preset.log" | grep . >&2 || cat "build/$preset.log" >&2
  exit 1
fi
sed -n 's/^-- \(Left out: \)/\1/p' "build/$preset.log"
if [ $# -eq 0 ]; then set -- all; fi
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}" --target "$@"
