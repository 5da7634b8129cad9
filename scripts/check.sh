#!/bin/sh
# The checks that are not tests: the format, the floors, clang-tidy.
set -eu
cd "$(dirname "$0")/.."
echo "Checking the format"
git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format --dry-run --Werror
scripts/check_layers.sh
scripts/build.sh tidy
