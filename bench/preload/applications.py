#!/usr/bin/env python3
"""applications.py [--runs N] [--preload LIBRARY] [--cluster NODESxRANKS@RATE | --no-cluster] [--realtime]
                [--only TEXT]

The table of docs/preload.md: programs of tests/preload and of bench/preload, and applications of Debian as far as they
are installed, without and with the preload library, in turns; inside one node, and on several that are namespaces of
this machine (scripts/cluster.sh, as root). Each cell is the time without the library over that with it: the median over
pairs of runs, and the range. Whole applications are timed by what they print themselves, otherwise by the wall clock."""

import argparse
import os
import shutil

import paired_runs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--preload", default=paired_runs.default_library)
parser.add_argument("--ranks", type=int, default=2, help="inside one node, but for programs that need more")
parser.add_argument("--cluster", default="2x2@1000mbit")
parser.add_argument("--no-cluster", action="store_true")
parser.add_argument("--realtime", action="store_true", help="ranks before everything else on this machine (chrt, as root)")
parser.add_argument("--only", default="", help="programs whose name has this")
options = parser.parse_args()

programs = os.path.dirname(os.path.abspath(options.preload))
inputs = os.path.join(paired_runs.root, "tests/preload/applications")


fortran = os.path.normpath(os.path.join(programs, "../tests/preload"))


def ours(name):
    return os.path.join(programs, name)


# Name, command line, and what in the output tells the time; then the ranks it needs, if more than two. Open MPI 4.1 takes
# as many datatypes as there are processes, whatever the number of neighbours, for MPI_Neighbor_alltoallw from Fortran.
seconds = r"^seconds +([0-9.]+)$"
rows = [
    ("halos by neighbourhood collectives", [ours("preload_unmodified")],
     r"^(MPI_\S+,\d+\^3|ping-pong\S*|MPI_Waitall\S*) ([0-9.]+)$"),
    ("messages of datatypes", [ours("preload_point_to_point")], r"^(MPI_\S+_B) ([0-9.]+)$"),
    ("heat3d, C, 16^3 a process", [ours("heat3d_program"), "16", "3000"], seconds),
    ("heat3d, C, 48^3 a process", [ours("heat3d_program"), "48", "300"], seconds),
    ("heat2d, Fortran mpi_f08, 64^2 a process", [os.path.join(fortran, "heat2d_f08"), "64", "3000"], seconds, 4),
    ("heat2d, Fortran mpi, 256^2 a process", [os.path.join(fortran, "heat2d_mpi"), "256", "1000"], seconds, 4),
    ("graphs, with its start", [ours("graphs_program")], "(?!)", 4),
    ("LAMMPS, melt", ["lmp", "-in", os.path.join(inputs, "melt.lmp"), "-log", "none"], r"^Loop time of ([0-9.]+)"),
    ("Meep, waveguide", ["meep", os.path.join(inputs, "waveguide.ctl")], r"^Elapsed run time = ([0-9.]+)"),
]
places = [("one node", ["mpirun", "-n"])]
if not options.no_cluster:
    if os.geteuid() == 0:
        places.append((f"{options.cluster}", [os.path.join(paired_runs.root, "scripts/cluster.sh"), options.cluster]))
    else:
        print("network namespaces need root: one node only\n")

table = {}
for program, command, pattern, *needed in rows:
    if options.only not in program or shutil.which(command[0]) is None:
        continue
    for place, launcher in places:
        if place == "one node":
            launcher = launcher + [str(max([options.ranks, *needed]))]
        if options.realtime:
            launcher = launcher + ["chrt", "-f", "1"]
        found = paired_runs.compare(launcher + command, options.preload, options.runs, pattern, seconds=120)
        for name, both in found.items():
            row = program if name == "seconds" else f"{program}: {name}"
            table.setdefault(row, {})[place] = both

print("| program | " + " | ".join(place for place, _ in places) + " |")
print("| --- |" + " --- |" * len(places))
for row, cells in table.items():
    print(f"| {row} | " + " | ".join(str(cells.get(place, "")) for place, _ in places) + " |")
