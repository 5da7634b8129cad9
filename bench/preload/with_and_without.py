#!/usr/bin/env python3
"""with_and_without.py [--runs N] [--preload LIBRARY] -- LAUNCHER... PROGRAM...

Runs a program without and with the preload library, in turns, and prints a table: the median of the times and of the
ratios of each pair of runs, with their range. A program that prints lines "name microseconds" is timed by these, any
other one by its wall-clock seconds. LAUNCHER is Open MPI's mpirun, mpiexec.mpich, or scripts/cluster.sh with its first
argument:

  bench/preload/with_and_without.py -- mpirun -n 8 build/release/bin/preload_unmodified
  bench/preload/with_and_without.py -- scripts/cluster.sh 4x4@1000mbit build/release/bin/preload_unmodified
  bench/preload/with_and_without.py -- mpirun -n 4 lmp -in tests/preload/applications/melt.lmp -log none"""

import argparse

import paired_runs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--preload", default=paired_runs.default_library)
parser.add_argument("command", nargs="+")
options = parser.parse_args()

print(f"{'':34} {'without':>10} {'with':>10}   without / with (range)")
for name, both in paired_runs.compare(options.command, options.preload, options.runs).items():
    print(f"{name:34} {both.plain:10.2f} {both.ours:10.2f}   {both}")
