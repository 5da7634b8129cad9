#!/bin/sh
# Every test: the pure ones and the tools once, the MPI ones and the installed copy with Open MPI and MPICH.
set -eu
cd "$(dirname "$0")/.."
for preset in release mpich; do
  scripts/build.sh $preset -DHALOCLINE_TESTS=ON
  echo "Testing $preset"
  # Launchers sleep more than they work, so that twice as many jobs as cores are done sooner. A machine that stands still for a
  # minute, as virtual ones do, is not a defect: who ran out of time has one more try, and where_time_goes.py names it.
  ctest --preset $preset -j $((2 * ${JOBS:-$(nproc)})) --repeat after-timeout:2
done
