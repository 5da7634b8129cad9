#!/bin/sh
# The demo: a wave solver with the halos of Halocline beside the same solver on plain MPI. The same answer to
# the last bit, the time of both, the plan here and on a cluster, and pictures.
#   HALOCLINE_DEMO_RANKS     processes: as many as cores unless told, two at least and sixteen at most
#   HALOCLINE_DEMO_SECONDS   whole seconds that one run may take, 120 unless told
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh release -- halocline_tool wave wave_plain_mpi what_if
bin=build/release/bin
out=build/demo
mkdir -p $out
launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' build/release/CMakeCache.txt)
ranks=${HALOCLINE_DEMO_RANKS:-$(nproc | awk '{print ($1 < 2) ? 2 : ($1 > 16) ? 16 : $1}')}
limit=${HALOCLINE_DEMO_SECONDS:-120}
rounds=5
mesh=128x128x128

# More ranks than cores, and as root: what Open MPI must be told; other launchers ignore it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# on_ranks FILE PROGRAM...: appends what the program prints to FILE. The demo ends if it fails or takes too long.
on_ranks() {
  file=$1
  program=$(basename "$2")
  shift
  began=$(date +%s)
  status=0
  timeout -k 2 "$limit" "$launcher" -n "$ranks" "$@" >>"$file" || status=$?
  [ $status != 0 ] || return 0
  took=$(($(date +%s) - began))
  # timeout ends with 124, or with 137 if the launcher had to be killed; so does a launcher whose rank was killed.
  if { [ $status = 124 ] || [ $status = 137 ]; } && [ $took -ge "$limit" ]; then
    echo "demo: $program on $ranks ranks was stopped after $limit s. It takes some seconds on a machine that is free." \
      "This one has $(nproc) cores, which $(cut -d' ' -f1 /proc/loadavg) processes wanted at a time in the last minute;" \
      "ranks that have no core of their own wait for each other." \
      "Try again when it is quiet, with HALOCLINE_DEMO_SECONDS=$((5 * limit)), or with fewer HALOCLINE_DEMO_RANKS." >&2
  else
    echo "demo: $program failed with status $status. What it said is above; what it printed is in $file." >&2
  fi
  exit 1
}
median() { sort -g | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'; }
# The seconds after the word $1 in the runs of program $2.
seconds() { sed -n "s/.*\\b$1 \\([0-9.]*\\) s.*/\\1/p" $out/"$2".log; }

echo
echo "This machine:"
$bin/halocline machine
echo
rm -f $out/*.log
on_ranks $out/what_if.log $bin/what_if --mesh $mesh
grep -v '^draw' $out/what_if.log

echo
echo "The wave solver on $ranks ranks, $rounds runs each in turn:"
for _ in $(seq $rounds); do
  on_ranks $out/wave_plain_mpi.log $bin/wave_plain_mpi --mesh $mesh --steps 60
  on_ranks $out/wave.log $bin/wave --mesh $mesh --steps 60
done
sed -n 1p $out/wave_plain_mpi.log
sed -n 1p $out/wave.log
answers=$(sed -n 's/^checksum //p' $out/wave.log $out/wave_plain_mpi.log | sort -u)
if [ "$(echo "$answers" | wc -l)" != 1 ]; then
  echo "demo: the answers differ:" $answers >&2
  exit 1
fi
echo "All $((2 * rounds)) answers are the same to the last bit: checksum $answers"
for what in halo all; do
  plain=$(seconds $what wave_plain_mpi | median)
  ours=$(seconds $what wave | median)
  echo "$what $plain $ours"
done | awk '
  BEGIN { printf "%-28s %12s %12s %8s\n", "median seconds", "plain MPI", "Halocline", "speedup" }
  { printf "%-28s %12.4f %12.4f %8.2f\n", $1 == "halo" ? "halo (starting and waiting)" : "all", $2, $3, $2 / $3 }'

echo
on_ranks $out/report.log $bin/wave --mesh $mesh --steps 220 --report yes --picture $out/wave.png
sed -n '/exchanges by/,/other nodes/p' $out/report.log

echo
$bin/what_if --machine "node:16 core:48" >$out/cluster.txt
grep -v '^draw' $out/cluster.txt
for whose in default Halocline; do
  command=$(sed -n "s/^draw .*$whose[^:]*: halocline //p" $out/cluster.txt)
  eval "$bin/halocline $command --svg $out/placement_$whose.svg" >/dev/null
done

echo
echo "On eight nodes of twelve, by every message of a halo through a simulated network (halocline simulate):"
# A build without SimGrid says how to get it.
$bin/halocline simulate --machine vsc4 --nodes 8x12 --mesh 480x480x480 --stencil moore:1 >$out/simulated.txt 2>&1 || true
cat $out/simulated.txt

echo
echo "Pictures: $out/wave.png, the wave after 220 steps, upper layer slow, lower one and the ball fast"
echo "          $out/placement_default.svg and $out/placement_Halocline.svg, the cluster's nodes on the process grid"
