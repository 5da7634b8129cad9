#!/bin/sh
# The experiments of "Efficient Process-to-Node Mapping Algorithms for Stencil Computations": J of all algorithms on the
# two grids, the medians of Figure 8, and Tables II and III simulated, beside what the paper measured on VSC-4.
# Usage: run.sh [BUILD FOLDER] [OPTION OF compare.py...]; without options about an hour, with --quick a few minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../../build/release}
[ $# -gt 0 ] && shift
exec python3 "$here/compare.py" "$build/bin/halocline" "$here/paper_milliseconds.csv" "$@"
