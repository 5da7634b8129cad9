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
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHALOCLINE_SIMULATE=OFF -DHALOCLINE_PAGE=OFF \
    -DHALOCLINE_PRELOAD=ON -DHALOCLINE_EXAMPLES=OFF -DHALOCLINE_LLVM=OFF -DHALOCLINE_FORTRAN=OFF -DHALOCLINE_BENCHMARKS=ON \
    ${HALOCLINE_PTX:+-DHALOCLINE_PTX="$HALOCLINE_PTX"} | grep -E "kernel|Left out|Error|rror:" || true
}
build() { cmake --build "$build" --target halocline_tool halocline_preload halocline_takeover; }
ranks() { mpirun -n "$1" "$halocline" "${@:2}"; }
# Every way, and the cells that it fills, as often as it takes to see them.
cells() { ranks "$1" bench halo --memory device --local "$2" --runs 1 --repetitions 1; }
watched() { mpirun -n 1 compute-sanitizer --tool "$1" --error-exitcode 9 "$halocline" "${@:2}"; }
# All ways in one job: each for a while alone, as an application has it, or one after the other.
ways=strided,copied,staged,straight,stream,launched
in_a_row() { ranks "$1" bench halo --memory device --local "$2" --ways "$ways" --in-a-row 40 --repetitions 2 --runs 5; }
in_turns() { ranks "$1" bench halo --memory device --local "$2" --ways "$ways"; }
# The same messages from memory of the device, by an MPI that is made to take them; each process says how many there were.
device_messages() {
  mpirun -n "$1" -x LD_PRELOAD="$PWD/$build/libdevice_messages.so" -x HALOCLINE_DEVICE_MESSAGES=device \
    ${machine:+-x "HALOCLINE_MACHINE=$machine"} "$halocline" "${@:2}" > "$build/messages.txt" 2>&1
  local status=$?
  grep -v "^device_messages" "$build/messages.txt"
  grep "^device_messages" "$build/messages.txt" | sort | uniq -c
  [ $status -eq 0 ] && grep -q "^device_messages: [1-9]" "$build/messages.txt"
}
messages_of_nodes() { machine="node:64 core:1" device_messages "$@"; }
# A program that knows nothing of the library must get the same bytes from buffers on the GPU as from those of the host.
preloaded() {
  mpirun -n "$1" -x LD_PRELOAD="$PWD/$build/bin/libhalocline-preload.so" -x HALOCLINE_LOG=info -x HALOCLINE_NEIGHBOR=eager "${@:2}"
}
compiled() {
  mpicc -O1 -w -o "$build/$(basename "$1" .c)" "$1" "$(ldconfig -p | sed -n 's/.*libcuda.so.1.*=> //p' | head -n 1)"
}
unmodified() {
  compiled tests/preload/device_buffers.c || return 1
  mpirun -n "$1" "$build/device_buffers" > "$build/on_host.txt" || return 1
  preloaded "$1" -x TESTS_ON_DEVICE=1 "$build/device_buffers" > "$build/on_device.txt" || return 1
  diff "$build/on_host.txt" "$build/on_device.txt"
}
# What MPI_Pack takes of a face on the GPU, beside a copy for each of its blocks.
block_by_block() { compiled bench/preload/device_pack.c && preloaded 1 "$build/device_pack"; }
on_host() { CUDA_VISIBLE_DEVICES= cells "$@"; }
# The kernel beside code that is made for each layout. Fails where that would be made at run time, docs/gpu.md, Speed: for
# layouts of applications; of random ones it is told how many there are.
beside_made() { "$halocline" bench part device-pack "$@" | tee "$build/beside_made.txt" && grep -q "^no launch takes" "$build/beside_made.txt"; }
beside_made_random() { "$halocline" bench part device-pack "$@" | sed -n '/^a launch:/,$p'; }
compile_messages() {
  mpicc -shared -fPIC -O1 -o "$build/libdevice_messages.so" tests/mpi/support/device_messages.c -ldl
}
export ways
export -f configure build ranks cells in_a_row in_turns watched on_host preloaded compiled unmodified block_by_block \
  device_messages messages_of_nodes compile_messages beside_made beside_made_random
# Several processes take turns on a GPU unless the service that lets them share it is running.
start_mps() {
  command -v nvidia-cuda-mps-control > /dev/null || return 0
  local number=${CUDA_MPS_PIPE_DIRECTORY:-/tmp/nvidia-mps}/nvidia-cuda-mps-control.pid
  [ -s "$number" ] && kill -0 "$(cat "$number")" 2> /dev/null && return 0
  export CUDA_MPS_PIPE_DIRECTORY=$(mktemp -d) CUDA_MPS_LOG_DIRECTORY=$(mktemp -d)
  nvidia-cuda-mps-control -d && mps=started
}
end_mps() { [ "${mps:-}" = started ] && echo quit | nvidia-cuda-mps-control; mps=; }

step "configure" 60 configure
step "build" 300 build || exit 1
export halocline=$build/bin/halocline

step "the host as a device, 4 ranks" 60 on_host 4 8
step "every cell, 1 rank" 60 cells 1 5,32
step "random layouts" 60 "$halocline" bench part device-pack --check --random 600 --seed 1000
# The tools watch one process at a time, without the service.
for tool in memcheck racecheck synccheck; do
  command -v compute-sanitizer > /dev/null || continue
  step "compute-sanitizer $tool" 60 watched $tool bench halo --memory device --local 12 --runs 1 --repetitions 1
  step "the same of random layouts" 60 watched $tool bench part device-pack --check --random 60 --seed 2000
done
start_mps
trap end_mps EXIT
step "what the doctor says, 2 ranks" 60 ranks 2 doctor --only version,gpu,gpu-sharing,gpu-in-mpi
for count in 2 3 8; do step "every cell, $count ranks" 60 cells $count 5,16; done
for count in 1 2 4 8; do
  step "random halos, $count ranks" 60 ranks $count verify --memory device --cases 250 --seed $((count * 1000))
done
for count in 1 2 4 8; do
  step "random halos in a pool, $count ranks" 60 ranks $count verify --memory pool --cases 100 --seed $((count * 1000))
done
if step "a library for messages from devices" 30 compile_messages; then
  for count in 2 4 8; do
    step "random halos, messages from the device, $count ranks" 60 device_messages $count verify --memory device --cases 60
    step "the same, each rank on a node of its own" 60 messages_of_nodes $count verify --memory device --cases 60
  done
  step "every cell, messages from the device, 2 ranks" 60 \
    device_messages 2 bench halo --memory device --local 5,64 --ways staged --runs 1 --repetitions 1
fi
step "every cell in a pool, 3 ranks" 60 ranks 3 bench halo --memory pool --local 5,16 --runs 1 --repetitions 1
for count in 1 2 4; do step "an unmodified program, $count ranks" 60 unmodified $count; done
step "a datatype on the GPU" 60 block_by_block
step "2 ranks, each way in a row" 60 in_a_row 2 32,64,128
step "8 ranks, each way in a row" 60 in_a_row 8 32,64
step "2 ranks, in turns" 60 in_turns 2 32,64,128
step "8 ranks, in turns" 60 in_turns 8 32,64
step "2 ranks, fields in a pool" 60 ranks 2 bench halo --memory pool --local 32,64,128 --ways straight,stream,launched
step "prices, 2 ranks" 60 ranks 2 bench levels --no-store
step "packing by the table and by kernels made for each layout" 90 beside_made 15
step "the same of random layouts" 150 beside_made_random 9 --random 96 --seed 1
step "packing alone" 60 ranks 1 bench halo --memory device --local 32,64,128 --ways copy,pack
[ $failed -eq 0 ] && echo "gpu_check: all is right, in $(($(date +%s) - began)) s" || echo "gpu_check: SOMETHING FAILED"
exit $failed
