#!/usr/bin/env python3
"""instructions.py [--preload LIBRARY]

What passing by the library costs a program that uses nothing of it: instructions of one round of calls without and with it,
counted by valgrind (callgrind) as the difference of a long and a short run. They repeat to less than a hundredth, whatever
else the machine does. Takes half a minute."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import paired_runs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--preload", default=paired_runs.default_library)
options = parser.parse_args()
program = os.path.join(os.path.dirname(os.path.abspath(options.preload)), "preload_passing_by")
rows = {"MPI_Waitall of 32 MPI_Irecv and 32 MPI_Isend": "waitall", "MPI_Irecv, MPI_Send, MPI_Wait": "send", "MPI_Sendrecv": "sendrecv"}


def counted(way, rounds, library):
    environment = dict(paired_runs.environment, LD_PRELOAD=library)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, way, str(rounds)],
                                  env=environment, capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            sys.exit("instructions are counted by valgrind, Debian's package valgrind")
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{program} {way}: status {done.returncode}\n{done.stderr}")
    return int(found[1])


print(f"{'instructions of one round':45} {'without':>9} {'with':>9}  with / without")
for name, way in rows.items():
    without, ours = ((counted(way, 2000, library) - counted(way, 1000, library)) / 1000 for library in ("", os.path.abspath(options.preload)))
    print(f"{name:45} {without:9.0f} {ours:9.0f}  {ours / without:.3f}")
