#!/usr/bin/env python3
"""compare_builds.py OLD NEW [--launches N] [--repetitions N] [--jobs LIST] [--no-realtime]

Is anything slower than it was? OLD and NEW are the folders bin/ of two builds of the tool. Each job of `halocline bench` runs with both,
one right after the other in an order by chance, as often as said. Prints what each takes in microseconds (the median of its launches),
how many times as fast the new one is (the median of the pairs of launches, and their range), and at the end what lost more than 5 %. --jobs has
names with commas between them (default: all).

Needs Open MPI. On a machine that has other things to do the numbers are worth nothing."""

import argparse
import collections
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

# Words of the command line and the number of processes; what names a cell in the answer, and which ways are ours.
SIZES = "--bytes 1,64,1024,4096,16384,65536"
JOBS = {
    "exchange-2": (f"exchange {SIZES} --ways auto", 2, ("block_bytes", "way"), ("auto",)),
    "exchange-16": (f"exchange {SIZES} --ways auto", 16, ("block_bytes", "way"), ("auto",)),
    "halo-1-field": ("halo --fields 1 --local 16,32,64,128 --ways mpi,view,field", 2, ("local", "way"), ("view", "field")),
    "halo-4-fields": ("halo --fields 4 --local 16,32,64,128 --ways mpi,view,field", 2, ("local", "way"), ("view", "field")),
    "pack": ("pack", 1, ("pattern",), None),
}
MOST_LOST = 0.95


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=30, help="of each way in each of the five runs of a launch")
    parser.add_argument("--jobs", type=lambda text: text.split(","), default=list(JOBS))
    parser.add_argument("--realtime", action=argparse.BooleanOptionalAction, default=True, help="under chrt -f 1")
    words = parser.parse_args()
    for name in words.jobs:
        if name not in JOBS:
            parser.error(f"--jobs {name}: they are {', '.join(JOBS)}")
    for folder in (words.old, words.new):
        if not (folder / "halocline").is_file():
            parser.error(f"{folder}: there is no program halocline")
    return words


def launched(words, folder, name):
    """The seconds of one launch by cell."""
    text, ranks, key, ours = JOBS[name]
    crowded = ["--mca", "mpi_yield_when_idle", "1"] if ranks > os.cpu_count() else []
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    realtime = ["chrt", "-f", "1"] if words.realtime else []
    line = [*realtime, "mpirun", *root, "--oversubscribe", *crowded, "-n", str(ranks), str(folder / "halocline"), "bench", *text.split(),
            *([] if name == "pack" else ["--repetitions", str(words.repetitions)]), "--json"]
    job = subprocess.run(line, env={"HALOCLINE_PRICES": "none", **os.environ}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, timeout=600, check=False)
    if job.returncode != 0:
        sys.exit(f"compare_builds.py: {' '.join(line)} ended with status {job.returncode}")
    rows = json.loads(job.stdout[job.stdout.index("{"):])["results"]
    return {" ".join(str(row[word]) for word in key): row["seconds"] for row in rows if ours is None or row["way"] in ours}


def main():
    words = options()
    lost = []
    for name in words.jobs:
        pairs = collections.defaultdict(list)
        for number in range(words.launches):
            print(f"\r{name}: pair {number + 1} of {words.launches} ", end="", file=sys.stderr, flush=True)
            times = {folder: launched(words, folder, name) for folder in random.sample([words.old, words.new], 2)}
            for cell in times[words.new].keys() & times[words.old].keys():
                pairs[cell].append((times[words.old][cell], times[words.new][cell]))
        print(file=sys.stderr)
        print(f"{name}\n\n| | old [us] | new [us] | times as fast |\n| --- | ---: | ---: | ---: |")
        for cell in sorted(pairs, key=lambda cell: [int(word) if word.isdigit() else word for word in cell.split()]):
            old, new = (1e6 * statistics.median(times) for times in zip(*pairs[cell]))
            faster = [one / other for one, other in pairs[cell]]
            typical = statistics.median(faster)
            print(f"| {cell} | {old:.2f} | {new:.2f} | {typical:.2f} ({min(faster):.2f}-{max(faster):.2f}) |", flush=True)
            if typical < MOST_LOST:
                lost.append(f"{name}, {cell}: {typical:.2f}")
        print()
    print("Lost more than 5 %: " + ("; ".join(lost) if lost else "nothing."))


if __name__ == "__main__":
    main()
