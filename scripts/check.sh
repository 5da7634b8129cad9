#!/bin/sh
# check.sh [OPTION...]: the checks that are not tests: the format, the floors, clang-tidy. The options are those of tidy.py, which
# looks at what has changed; --all is for everything.
set -eu
cd "$(dirname "$0")/.."
echo "Checking the format"
git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format --dry-run --Werror
scripts/check_layers.sh
[ -e build/release/build.ninja ] || scripts/build.sh release
scripts/tidy.py "$@"
