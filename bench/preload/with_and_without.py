#!/usr/bin/env python3
"""with_and_without.py [--runs 5] [--preload LIBRARY] -- LAUNCHER... PROGRAM...

Times a program without and with the preload library, in turns, and prints a table: the median of the times and of the
ratios of each pair of runs, with their range. A program that prints lines "name microseconds" is timed by these, any
other one by its wall-clock seconds. LAUNCHER is Open MPI's mpirun, or scripts/cluster.sh with its first argument:

  bench/preload/with_and_without.py -- mpirun -n 8 build/release/bin/preload_unmodified
  bench/preload/with_and_without.py -- scripts/cluster.sh 4x4@1000mbit build/release/bin/preload_unmodified
  bench/preload/with_and_without.py -- mpirun -n 4 lmp -in tests/preload/applications/melt.lmp -log none"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
library = os.path.join(here, "../../build/release/bin/libhalocline-preload.so")
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--preload", default=os.path.normpath(library))
parser.add_argument("command", nargs="+")
options = parser.parse_args()

words = 2 if options.command[0].endswith("cluster.sh") else 1
handed_on = ["-x", f"LD_PRELOAD={options.preload}", "-x", "HALOCLINE_EVERYWHERE=1"]
commands = {
    "without": options.command,
    "with": options.command[:words] + handed_on + options.command[words:],
}
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")


def timed(command):
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    rows = dict(re.findall(r"^(\S+) ([0-9.]+)$", done.stdout, re.M))
    return {name: float(value) for name, value in rows.items()} or {"seconds": seconds}


times = {way: [] for way in commands}
for run in range(options.runs):
    for way in sorted(commands, reverse=run % 2 == 0):
        times[way].append(timed(commands[way]))
    print(f"\r{run + 1} of {options.runs} runs", end="", file=sys.stderr)
print(file=sys.stderr)

print(f"{'':34} {'without':>10} {'with':>10}   without / with (range)")
for name in times["without"][0]:
    plain = [run[name] for run in times["without"]]
    ours = [run[name] for run in times["with"]]
    ratios = [a / b for a, b in zip(plain, ours)]
    print(f"{name:34} {statistics.median(plain):10.2f} {statistics.median(ours):10.2f}   "
          f"{statistics.median(ratios):5.2f} ({min(ratios):.2f} - {max(ratios):.2f})")
