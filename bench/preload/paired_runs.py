"""Runs a command without and with the preload library, in turns, and compares: each pair of runs gives a ratio, and the
median of the ratios counts, with their range. That is what can be said on a machine that others use as well."""

import os
import re
import statistics
import subprocess
import sys
import time

folder = os.path.dirname(os.path.abspath(__file__))
root = os.path.normpath(os.path.join(folder, "../.."))
default_library = os.path.join(root, "build/release/bin/libhalocline-preload.so")
name_and_time = r"^(\S+) ([0-9.]+)$"

# Open MPI 4.1's own reordering of graphs, treematch, ends programs that run on several nodes here.
environment = dict(os.environ, OMPI_MCA_topo="^treematch", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")


def preloaded(command, library):
    """The command line that hands the library to all ranks and to nobody else. Graphs are reordered, as the programs of
    ours that make some expect."""
    if "mpich" in command[0]:  # which hands on its environment; what is preloaded in both runs stays
        both = ":".join(filter(None, [library, os.environ.get("LD_PRELOAD")]))
        return command[:1] + ["-genv", "LD_PRELOAD", both, "-genv", "HALOCLINE_REORDER", "graphs"] + command[1:]
    words = 2 if command[0].endswith("cluster.sh") else 1
    return command[:words] + ["-x", f"LD_PRELOAD={library}", "-x", "HALOCLINE_EVERYWHERE=1",
                                "-x", "HALOCLINE_REORDER=graphs"] + command[words:]


def timed(command, pattern, seconds):
    """Names and times of one run: what `pattern` finds in the output, else the wall-clock seconds."""
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=seconds)
    elapsed = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
    found = re.findall(pattern, done.stdout, re.M)
    if not found:
        return {"seconds": elapsed}
    return {name: float(value) for name, value in (pair if isinstance(pair, tuple) else ("seconds", pair)
                                                   for pair in found)}


class Comparison:
    def __init__(self, plain, ours):
        ratios = [a / b for a, b in zip(plain, ours)]
        self.plain, self.ours = statistics.median(plain), statistics.median(ours)
        self.ratio, self.least, self.most = statistics.median(ratios), min(ratios), max(ratios)

    def __str__(self):
        return f"{self.ratio:.2f} ({self.least:.2f}-{self.most:.2f})"


def compare_runs(ways, runs):
    """{name: Comparison} of two functions, `without` and `with`, that run something and return names and times; which of
    them is first changes from pair to pair."""
    times = {way: [] for way in ways}
    for run in range(runs):
        for way in sorted(ways, reverse=run % 2 == 0):
            times[way].append(ways[way]())
        print(f"\r{run + 1} of {runs} pairs of runs", end="", file=sys.stderr)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return {name: Comparison(*([run[name] for run in times[way]] for way in ("without", "with")))
            for name in times["without"][0]}


def compare(command, library, runs, pattern=name_and_time, seconds=600):
    return compare_runs({"without": lambda: timed(command, pattern, seconds),
                         "with": lambda: timed(preloaded(command, library), pattern, seconds)}, runs)
