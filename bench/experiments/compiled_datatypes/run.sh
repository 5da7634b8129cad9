#!/bin/sh
# run.sh [ROUNDS]: datatypes of applications packed by every engine and by both MPIs; how often a datatype must be
# packed before compiling it has paid (the paper on runtime-compiled datatypes, figures 4 to 9).
# Interpreter, kernels and generated code; Open MPI, then MPICH. The generated code needs LLVM at build time.
set -eu
cd "$(dirname "$0")/../../.."
rounds=${1:-15}
log=$(mktemp)
tables=$(mktemp)
trap 'rm -f "$log" "$tables"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for preset in release mpich; do
  echo "Building $preset" >&2
  cmake --preset $preset -DHALOCLINE_BENCHMARKS=ON >"$log" && cmake --build build/$preset --target halocline_tool >>"$log" ||
    { cat "$log" >&2; exit 1; }
done
cmake --build build/release --target halocline_llvm >"$log" 2>&1 || echo "No generated code: built without LLVM" >&2

module=$PWD/build/release/bin/libhalocline-llvm.so
for preset in release mpich; do
  echo "Packing with $preset, about ten seconds" >&2
  HALOCLINE_LLVM_MODULE=$module build/$preset/bin/halocline bench part pack-mpi "$rounds" >>"$tables"
  echo >>"$tables"
done
cat "$tables"
python3 bench/experiments/compiled_datatypes/compare.py "$tables"
