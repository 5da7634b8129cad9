#!/usr/bin/env python3
"""order_worth.py [--runs N] [--time REGEX] [--build FOLDER] NODESxRANKS@RATE PROGRAM...

What an order of ranks is worth to a program that is not changed, on nodes that scripts/cluster.sh makes of this machine (as
root). Traces the program as the launcher numbers it, asks `halocline place --trace` for an order, and runs the program with
its own numbers and with this order, in turns. Each run is traced: what went between nodes is compared with what was
predicted, and the time of the mean rank in calls that send, receive and wait stands beside that of the program. This is what
--time finds in its output, otherwise the wall-clock seconds:

  bench/preload/order_worth.py --time 'Elapsed time *= *([0-9.]+)' 8x8@1000mbit ./lulesh -s 6 -i 40

Ranks share the cores of this machine, but each link has its rate for itself: computing is slower beside the network than on
nodes with a core for each rank. Of R ranks on C cores, C/R of the rate of such nodes keeps their proportion."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import paired_runs

cluster = os.path.join(paired_runs.root, "scripts/cluster.sh")
messages = {"send", "receive", "sendrecv", "start", "wait", "probe", "neighbor"}


class Job:
    def __init__(self, options, folder):
        self.options = options
        self.trace = os.path.join(folder, "job.trace")
        self.order = os.path.join(folder, "job.order")

    def command(self, ordered):
        libraries = ["order", "trace"] if ordered else ["trace"]
        preload = ":".join(os.path.join(self.options.build, f"libhalocline-{name}.so") for name in libraries)
        words = ["-x", f"LD_PRELOAD={preload}", "-x", f"HALOCLINE_TRACE={self.trace}", "--mca", "halocline_everywhere", "1"]
        if ordered:
            words += ["-x", f"HALOCLINE_ORDER={self.order}"]
        return [cluster, self.options.nodes, *words, *self.options.program]

    def run(self, ordered):
        """The seconds of the program and of its messages."""
        times = paired_runs.timed(self.command(ordered), self.options.time, 600)
        return {"program": times["seconds"], "messages": self.seconds_in_messages()}

    def seconds_in_messages(self):
        ranks, seconds = 1, 0.0
        with open(self.trace, encoding="utf-8") as lines:
            for line in lines:
                words = line.split()
                if words[0] == "ranks":
                    ranks = int(words[1])
                elif words[0] == "time" and words[1] in messages:
                    seconds += float(words[4])
        return seconds / ranks

    def placed(self, *more):
        """What `halocline place` says of the last trace; the bytes between nodes of each order."""
        done = subprocess.run([os.path.join(self.options.build, "halocline"), "place", "--trace", self.trace, "--nodes",
                               self.options.nodes.split("@")[0], "--json", *more], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        said = json.loads(done.stdout)
        return said, {row["order"]: row["bytes"] for row in said["results"] if row["level"] == "node"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--time", default="^$ never", help="a regular expression with a group, of the seconds")
    parser.add_argument("--build", default=os.path.join(paired_runs.root, "build/release/bin"))
    parser.add_argument("nodes")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        job = Job(options, folder)
        job.run(ordered=False)
        said, predicted = job.placed("--order", job.order)
        before, after = predicted["default"], predicted[said["best"]]
        print(f"{said['about']}; {said['pattern']}\n{said['verdict']}")
        if not said["gains"]:
            return
        times = paired_runs.compare_runs({"without": lambda: job.run(False), "with": lambda: job.run(True)}, options.runs)
        job.run(ordered=True)
        _, measured = job.placed()
        print(f"bytes between nodes: {before} by the numbers of the launcher, {after} predicted, "
              f"{measured['as recorded']} measured with {said['best']}\n")
        print(f"{'median of ' + str(options.runs):20} {'default [s]':>12} {'order [s]':>12}   default / order (range)")
        for name, both in times.items():
            print(f"{name:20} {both.plain:12.3f} {both.ours:12.3f}   {both}")
        print(f"{'bytes':20} {'':12} {'':12}   {before / after:.2f}")


if __name__ == "__main__":
    main()
