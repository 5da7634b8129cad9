#!/bin/sh
# check.sh [OPTION...]: the checks that are not tests: the format, the floors, the licences, clang-tidy. The options are those
# of tidy.py, which looks at what has changed; --all is for everything.
set -eu
cd "$(dirname "$0")/.."
echo "Checking the format"
git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format --dry-run --Werror
scripts/check_layers.sh
scripts/spdx.py
mkdir -p build
cmake --preset release >build/release.log 2>&1 || { cat build/release.log >&2; exit 1; }
scripts/tidy.py "$@"
