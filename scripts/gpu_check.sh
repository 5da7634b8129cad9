#!/bin/bash
# gpu_check.sh [BUILD]: all there is to check and measure on a machine with a GPU, in at most eight minutes: builds the library,
# checks every halo cell in every way, lets compute-sanitizer look on, and prints the table of docs/gpu.md. It needs
# cmake, ninja, a C++ compiler, MPI, hwloc, nlohmann-json, CLI11 and fmt; the kernel is made by clang, by nvcc, or elsewhere
# (HALOCLINE_PTX=FILE).
set -u
cd "$(dirname "$0")/.."
export build=${1:-build/gpu}
began=$(date +%s)
limit=470
failed=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PATH=$PATH:/usr/local/cuda/bin

left() { echo $((limit - $(date +%s) + began)); }
# step NAME SECONDS COMMAND...: runs it for at most so long; what fails is told in the end.
step() {
  local name=$1 seconds=$2
  shift 2
  [ "$(left)" -gt "$seconds" ] || seconds=$(left)
  if [ "$seconds" -lt 5 ]; then echo "LEFT OUT, no time: $name"; failed=1; return 1; fi
  echo "== $name"
  # The functions below are told to the shell that has the time limit.
  timeout -k 5 "$seconds" bash -c '"$@"' bash "$@"
  local status=$?
  if [ $status -ne 0 ]; then echo "FAILED ($status): $name"; failed=1; fi
  echo "   $(($(date +%s) - began)) s"
  return $status
}
configure() {
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHALOCLINE_BENCHMARKS=ON -DHALOCLINE_TOOLS=OFF \
    -DHALOCLINE_PRELOAD=OFF -DHALOCLINE_EXAMPLES=OFF -DHALOCLINE_LLVM=OFF -DHALOCLINE_FORTRAN=OFF \
    ${HALOCLINE_PTX:+-DHALOCLINE_PTX="$HALOCLINE_PTX"} | grep -E "kernel|Left out|Error|rror:" || true
}
build() { cmake --build "$build" --target device_bench; }
ranks() { mpirun -n "$1" "$bench" "${@:2}"; }
export -f configure build ranks
# Several processes take turns on a GPU unless the service that lets them share it is running.
start_mps() {
  command -v nvidia-cuda-mps-control > /dev/null || return 0
  pgrep -f "nvidia-cuda-mps-control -d" > /dev/null && return 0
  export CUDA_MPS_PIPE_DIRECTORY=$(mktemp -d) CUDA_MPS_LOG_DIRECTORY=$(mktemp -d)
  nvidia-cuda-mps-control -d && mps=started
}
end_mps() { [ "${mps:-}" = started ] && echo quit | nvidia-cuda-mps-control; mps=; }

step "configure" 60 configure
step "build" 300 build || exit 1
export bench=$build/bin/device_bench

step "the host as a device, 4 ranks" 60 ranks 4 --device host --sizes 8 --check
step "every cell, 1 rank" 60 ranks 1 --sizes 5,32 --check
# The tools watch one process at a time, without the service.
for tool in memcheck racecheck synccheck; do
  command -v compute-sanitizer > /dev/null && step "compute-sanitizer $tool" 60 \
    compute-sanitizer --tool $tool --error-exitcode 9 "$bench" --sizes 12 --check
done
start_mps
trap end_mps EXIT
for count in 2 3 8; do step "every cell, $count ranks" 60 ranks $count --sizes 5,16 --check; done
for count in 1 2 4 8; do step "random halos, $count ranks" 60 ranks $count --random 250 --seed $((count * 1000)); done
step "2 ranks" 60 ranks 2 --sizes 32,64,128
step "8 ranks" 60 ranks 8 --sizes 32,64
[ $failed -eq 0 ] && echo "gpu_check: all is right, in $(($(date +%s) - began)) s" || echo "gpu_check: SOMETHING FAILED"
exit $failed
