#!/usr/bin/env python3
"""mpi_suite.py --suite FOLDER --preload LIBRARY --launcher openmpi|mpich PART...: runs parts of an MPI test suite that
was built in FOLDER, such as MPICH's (topo, coll, pt2pt, datatype, ...), with the preload library.

What fails with it runs again without it; only tests that then pass count. Every part has a file testlist with a line
for each test: a program, its processes, and perhaps words such as arg=X and env=NAME=VALUE."""

import argparse
import subprocess
import sys
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--suite", type=Path, required=True)
parser.add_argument("--preload", type=Path, required=True, help="the preload library")
parser.add_argument("--launcher", required=True, choices=["openmpi", "mpich"])
parser.add_argument("--ranks", type=int, default=4, help="tests of more processes are left out (default: 4)")
parser.add_argument("--seconds", type=int, default=60, help="for each run (default: 60)")
parser.add_argument("--only", default="", help="tests whose name contains this")
parser.add_argument("--option", action="append", default=[], help="a further word for the launcher")
parser.add_argument("parts", nargs="+")
options = parser.parse_args()


def passes(folder, program, ranks, arguments, variables):
    command = ["timeout", "-k", "2", str(options.seconds)]
    command += ["mpirun.openmpi" if options.launcher == "openmpi" else "mpiexec.mpich", "-n", str(ranks), *options.option]
    for name, value in variables.items():
        command += ["-x", f"{name}={value}"] if options.launcher == "openmpi" else ["-genv", name, value]
    done = subprocess.run([*command, f"./{program}", *arguments], cwd=folder, capture_output=True, errors="replace", text=True)
    return done.returncode == 0 and "No Errors" in done.stdout


def values(words, kind):
    return [word[len(kind):] for word in words if word.startswith(kind)]


counts = {"pass": 0, "fail with and without": 0, "fail with the library only": 0}
for part in options.parts:
    folder = options.suite / part
    for line in (folder / "testlist").read_text().splitlines():
        program, ranks, *words = [*line.split("#")[0].split(), "", ""]
        if not ranks.isdigit() or int(ranks) > options.ranks or options.only not in program or not (folder / program).exists():
            continue
        variables = dict(word.split("=", 1) for word in values(words, "env="))
        ours = {**variables, "LD_PRELOAD": str(options.preload.resolve())}
        verdict = "pass"
        if not passes(folder, program, ranks, values(words, "arg="), ours):
            plain = passes(folder, program, ranks, values(words, "arg="), variables)
            verdict = "fail with the library only" if plain else "fail with and without"
            print(f"{part}/{program} {ranks}: {verdict}", flush=True)
        counts[verdict] += 1
print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
sys.exit(counts["fail with the library only"] > 0)
