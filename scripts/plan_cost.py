#!/usr/bin/env python3
"""plan_cost.py [--document FILE] [--program FILE] [--runs N]

What `halocline plan` takes for ten million processes: seconds of processor time, the least of some runs, and the most memory that it
had at once. --document writes the table into a document, between its two comments "what a plan costs"."""

import argparse
import os
import pathlib
import subprocess
import sys

tree = pathlib.Path(__file__).resolve().parent.parent

BOX, PLANE, LINE, FOUR = "4000x4000x4000", "100000x100000", "1000000000", "500x500x500x500"
# Mesh, stencil, nodes, and other words.
CASES = [
    (BOX, "moore:1", "100000x100", ""),
    (BOX, "nearest", "100000x100", ""),
    (BOX, "moore:1", "100000x100", "--periodic all"),
    (BOX, "moore:1", "10000000x1", ""),
    (BOX, "moore:1", "208320x48", ""),
    (BOX, "nearest", "78125x128", ""),
    (BOX, "moore:1", "50000x96,81250x64", ""),
    (BOX, "moore:1", "100000x100", "--network torus:50x50x40"),
    (BOX, "moore:1", "100000x100", "--network fat-tree:50x50x40"),
    (PLANE, "moore:1", "100000x100", ""),
    (PLANE, "nearest", "100000x100", "--periodic all"),
    (LINE, "nearest", "100000x100", ""),
    (LINE, "nearest", "9999991x1", ""),
    (LINE, "nearest", "104166x96,55", ""),
    (FOUR, "moore:1", "100000x100", ""),
    (FOUR, "nearest", "100000x100", "--periodic all"),
    (FOUR, "nearest", "50000x96,81250x64", ""),
]
BEGIN, END = "<!-- what a plan costs -->", "<!-- end of what a plan costs -->"


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--document", type=pathlib.Path, help="a document that gets the table")
    parser.add_argument("--program", type=pathlib.Path, default=tree / "build" / "release" / "bin" / "halocline")
    parser.add_argument("--runs", type=int, default=3)
    return parser.parse_args()


def cost(program, words):
    """Seconds of processor time and MiB of one run."""
    with subprocess.Popen([program, "plan", *words], stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"plan_cost.py: halocline plan {' '.join(words)} ended with status {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def table(program, runs):
    lines = ["| mesh | stencil | nodes | | seconds | MiB |", "| --- | --- | --- | --- | ---: | ---: |"]
    for mesh, stencil, nodes, more in CASES:
        words = ["--mesh", mesh, "--stencil", stencil, "--nodes", nodes, *more.split()]
        costs = [cost(program, words) for _ in range(runs)]
        seconds, memory = min(time for time, _ in costs), max(size for _, size in costs)
        lines.append(f"| {mesh} | {stencil} | {nodes} | {more.replace('--', '')} | {seconds:.2f} | {memory:.0f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def write_into(document, text):
    old = document.read_text()
    begin, end = old.find(BEGIN), old.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"plan_cost.py: {document} has no lines {BEGIN} and {END}")
    document.write_text(old[: begin + len(BEGIN)] + "\n" + text + "\n" + old[end:])


def main():
    words = options()
    text = table(words.program, words.runs)
    if words.document:
        write_into(words.document, text)


if __name__ == "__main__":
    main()
