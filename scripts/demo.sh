#!/bin/sh
# The demo: discover the machine, print it, and run a checked exchange on 8 ranks of it.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh release
bin=build/release/bin
launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' build/release/CMakeCache.txt)

echo
echo "This machine:"
echo
$bin/halocline machine
echo
echo "A checked exchange on 8 ranks:"
echo
# More ranks than cores, and as root: what Open MPI must be told; other launchers ignore it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
timeout 60 "$launcher" -n 8 $bin/checked_exchange
