#!/usr/bin/env bash
# Builds the pure floors for x86-64 on a machine of another kind and runs their tests in an emulator.
#   scripts/cross_check.sh [floor...]      as many as named, otherwise base, describe, place, schedule and compile
# Needs Debian's packages g++-x86-64-linux-gnu, qemu-user and libgtest-dev. Emulated, the tests take minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

floors=("$@")
[ ${#floors[@]} -gt 0 ] || floors=(base describe place schedule compile)
build=build/x86-64
for program in x86_64-linux-gnu-g++ qemu-x86_64; do
  command -v "$program" > /dev/null || { echo "$program is missing: apt-get install g++-x86-64-linux-gnu qemu-user" >&2; exit 1; }
done

cmake -S tests/cross -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/x86-64-linux-gnu.cmake" -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST
cmake --build "$build" --target "${floors[@]/%/_test}"
for floor in "${floors[@]}"; do
  echo "== $floor, x86-64"
  qemu-x86_64 -cpu max -L /usr/x86_64-linux-gnu "$build/bin/${floor}_test" --gtest_brief=1
done
