#!/usr/bin/env python3
"""choice_table.py [--minutes M] [--raw FILE] [--merge FILE...] [--document FILE] [OPTION...]

How good the choice of a schedule is. Runs `halocline bench exchange` on clusters of network namespaces (scripts/cluster.sh)
and on one node, for every layout, number of neighbours, operation and size of blocks, with MPI's collective, the schedule
that the library chooses (auto) and every schedule by itself, in turns in one job. Launches case after case until the minutes
are over, those with the fewest launches first, and keeps all results in the file --raw: the next call goes on from there.
Then prints, for each cell, how many times as fast as MPI auto is, what it chose, and, where another schedule was faster by more
than 5 %, auto's time over that one's; and how far all of it is from what it should be. --merge takes results of other files in;
--document writes the tables into a document, between its two comments "choice table".

Needs root and Open MPI. On a machine that has other things to do the numbers are worth nothing; --realtime runs all processes
under chrt -f 1."""

import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

tree = pathlib.Path(__file__).resolve().parent.parent

Case = collections.namedtuple("Case", "layout neighbours operation")
# By the number of neighbours: dimensions of the grid, and the stencil.
STENCILS = {8: (2, "moore:1"), 26: (3, "moore:1"), 124: (3, "moore:2"), 342: (3, "moore:3")}
SCHEDULES = ("direct", "node", "mixed", "torus", "torus-direct", "basis")
FORWARDING = SCHEDULES[3:]
# What a process sends beyond which nothing is forwarded: its bytes would be all that counts, and memory runs out.
MOST_FORWARDED = 4 << 20
# The aims: auto over the best schedule in the mean and at worst, and MPI's time over auto's.
MEAN_AIM, WORST_AIM, MPI_AIM = 1.10, 1.25, 0.95
BEGIN, END = "<!-- choice table -->", "<!-- end of choice table -->"


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    words = {"type": lambda text: text.split(",")}
    numbers = {"type": lambda text: [int(word) for word in text.split(",")]}
    parser.add_argument("--minutes", type=float, default=0, help="to measure; 0: only what is there (default)")
    parser.add_argument("--raw", type=pathlib.Path, default=tree / "build" / "choice_table.json", help="where results are kept")
    parser.add_argument("--merge", type=pathlib.Path, nargs="*", default=[], help="results of other files, taken into --raw")
    parser.add_argument("--document", type=pathlib.Path, help="a document that gets the tables")
    parser.add_argument("--layouts", **words, default=["27x1", "16x2", "8x4", "4x8", "2x16", "1x16"])
    parser.add_argument("--neighbours", **numbers, default=[26, 8, 124, 342], help="8, 26, 124 or 342, the first first")
    parser.add_argument("--operations", **words, default=["alltoall", "allgather"])
    parser.add_argument("--blocks", **numbers, default=[1, 64, 512, 1024, 4096, 16384, 65536])
    parser.add_argument("--launches", type=int, default=5, help="of each case, at most")
    parser.add_argument("--runs", type=int, default=3, help="in each launch")
    parser.add_argument("--repetitions", type=int, default=15, help="of each way in a run, at most")
    parser.add_argument("--seconds", type=float, default=2, help="for a cell in a launch, about")
    parser.add_argument("--hopeless", type=float, default=2, help="a way that takes longer than so many times MPI's is not repeated")
    parser.add_argument("--rate", default="1000mbit", help="of the links between nodes")
    parser.add_argument("--program", type=pathlib.Path, default=tree / "build" / "release" / "bin" / "halocline")
    parser.add_argument("--realtime", action="store_true", help="under chrt -f 1")
    words = parser.parse_args()
    for number in words.neighbours:
        if number not in STENCILS:
            parser.error(f"--neighbours {number}: it is one of {', '.join(map(str, STENCILS))}")
    return words


class Results:
    """All launches so far; the file is written anew after each."""

    def __init__(self, file):
        self.file = file
        self.launches = json.loads(file.read_text())["launches"] if file.exists() else []

    def add(self, launches):
        self.launches += [launch for launch in launches if launch not in self.launches]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.file.with_suffix(".new")
        unfinished.write_text(json.dumps({"launches": self.launches}, indent=1) + "\n")
        unfinished.replace(self.file)

    def of(self, case):
        return [launch for launch in self.launches if Case(*(launch[key] for key in Case._fields)) == case]


def all_cases(words):
    """In the order of what matters most."""
    return [Case(layout, neighbours, operation) for at in range(0, len(words.neighbours), 2) for operation in words.operations
            for neighbours in words.neighbours[at:at + 2] for layout in words.layouts]


def ways_of(case, block):
    if case.layout.startswith("1x"):
        return ["mpi", "auto"]  # nothing leaves the node: there is only one way
    sent = block * (case.neighbours if case.operation == "alltoall" else 1)
    return ["mpi", "auto"] + [name for name in SCHEDULES if sent <= MOST_FORWARDED or name not in FORWARDING]


def command(words, case, blocks, ways):
    dims, stencil = STENCILS[case.neighbours]
    nodes, processes = case.layout.split("x")
    realtime = ["chrt", "-f", "1"] if words.realtime else []
    launcher = [str(tree / "scripts" / "cluster.sh"), f"{case.layout}@{words.rate}", *realtime]
    if nodes == "1":
        launcher = [*realtime, "mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", processes]
    return [*launcher, str(words.program), "bench", "exchange", "--dims", str(dims), "--stencil", stencil, "--operation", case.operation,
            "--bytes", ",".join(map(str, blocks)), "--ways", ",".join(ways), "--runs", str(words.runs), "--repetitions",
            str(words.repetitions), "--seconds", str(words.seconds), "--hopeless", str(words.hopeless), "--json"]


def launch(words, case, seconds):
    """What `bench exchange` says about all sizes of a case, with a job for each list of ways; None if time is up."""
    end = time.monotonic() + seconds
    groups = collections.defaultdict(list)
    for block in words.blocks:
        groups[tuple(ways_of(case, block))].append(block)
    results = []
    for ways, blocks in groups.items():
        left = end - time.monotonic()
        if left < 5:
            return None
        environment = {"HALOCLINE_PRICES": "none", **os.environ, "HALOCLINE_CLUSTER_SECONDS": str(math.ceil(left))}
        with subprocess.Popen(command(words, case, blocks, ways), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, start_new_session=True) as job:
            try:
                said, complained = job.communicate(timeout=left)
            except subprocess.TimeoutExpired:
                job.terminate()  # cluster.sh takes its nodes down
                job.communicate()
                return None
        if job.returncode == 124:
            return None
        if job.returncode != 0:
            sys.exit(f"choice_table.py: {' '.join(job.args)} ended with status {job.returncode}: {complained[-2000:]}")
        results += json.loads(said[said.index("{"):])["results"]
    return {**case._asdict(), "seconds": time.monotonic() - (end - seconds), "results": results}


def measure(words, results):
    """Launches until time is up, or everything was launched often enough."""
    end = time.monotonic() + 60 * words.minutes
    known = [one["seconds"] for one in results.launches]
    while True:
        waiting = [case for case in all_cases(words) if len(results.of(case)) < words.launches]
        if not waiting:
            return
        case = min(waiting, key=lambda case: len(results.of(case)))  # the first of those with the fewest
        before = [one["seconds"] for one in results.of(case)]
        expected = max(before) if before else statistics.mean(known) if known else 30
        if time.monotonic() + expected > end:
            return
        print(f"{case.layout}, {case.neighbours} neighbours, {case.operation}: launch {len(before) + 1}, {end - time.monotonic():.0f} s left",
              file=sys.stderr, flush=True)
        one = launch(words, case, end - time.monotonic() + 20)
        if one is None:
            print("choice_table.py: it took too long and was ended", file=sys.stderr, flush=True)
            return
        known.append(one["seconds"])
        results.add([one])


class Cell:
    """One size of blocks of one case: times of all ways relative to MPI's in the same run, each the median over the runs of a launch,
    then over the launches."""

    def __init__(self, launches, block):
        rows = [{row["way"]: row for row in one["results"] if row["block_bytes"] == block} for one in launches]
        rows = [ways for ways in rows if "mpi" in ways and "auto" in ways]
        self.there = bool(rows)
        if not rows:
            return
        self.launches = len(rows)
        self.chosen = rows[-1]["auto"]["schedule"]
        # auto and the schedule that it has become are the same code, measured twice: both count.
        twice = [[1 / ways[name]["ratio"] for name in ("auto", self.chosen)
                  if name in ways and ways[name]["schedule"] == self.chosen] for ways in rows]
        self.auto = statistics.median(statistics.geometric_mean(both) for both in twice if both)
        self.differences = [abs(math.log(both[0] / both[1])) for both in twice if len(both) == 2]
        others = {name: [1 / ways[name]["ratio"] for ways in rows if name in ways] for name in SCHEDULES}
        self.times = {name: statistics.median(times) for name, times in others.items() if times and name != self.chosen}
        self.times[self.chosen] = self.auto
        self.best = min(self.times, key=self.times.get)

    @property
    def over_best(self):
        return self.auto / self.times[self.best]

    @property
    def faster(self):
        return 1 / self.auto

    def text(self):
        text = f"{self.faster:.2f} {self.chosen}"
        return text if self.over_best <= 1.05 else f"{text}, {self.best} {self.over_best:.2f}"


def block_text(block):
    return f"{block} B" if block < 1024 else f"{block // 1024} KiB"


def tables(words, results):
    """Markdown, and the cells by what they are called."""
    lines, cells = [], {}
    for operation in words.operations:
        for neighbours in sorted(words.neighbours):
            of = {(layout, block): Cell(results.of(Case(layout, neighbours, operation)), block)
                  for layout in words.layouts for block in words.blocks}
            if not any(cell.there for cell in of.values()):
                continue
            layouts = [layout for layout in words.layouts if any(of[layout, block].there for block in words.blocks)]
            lines += ["", f"{operation}, {neighbours} neighbours:", "", "| block | " + " | ".join(layouts) + " |",
                      "| ---: |" + " --- |" * len(layouts)]
            for block in words.blocks:
                row = [of[layout, block] for layout in layouts]
                if not any(cell.there for cell in row):
                    continue
                lines.append("| " + " | ".join([block_text(block), *(cell.text() if cell.there else "" for cell in row)]) + " |")
                cells.update({f"{layout}, {operation}, {neighbours} neighbours, {block_text(block)}": of[layout, block]
                              for layout in layouts if of[layout, block].there})
    return lines[1:], cells


def listed(cells, text):
    return [f"- {name}: {text(cell)}" for name, cell in cells]


def summary(cells):
    several = {name: cell for name, cell in cells.items() if not name.startswith("1x")}
    lines = []
    if several:
        over = [cell.over_best for cell in several.values()]
        worst = max(several, key=lambda name: several[name].over_best)
        lines.append(f"Beside the best schedule, {len(several)} cells on several nodes: the best is {statistics.geometric_mean(over):.3f} times as fast as what auto "
                     f"chose in the geometric mean (aim: {MEAN_AIM:.2f} or less), at most {max(over):.2f} times (aim: {WORST_AIM}; {worst}). In "
                     f"{sum(value <= 1.05 for value in over)} cells auto is within 5 % of the best, in {sum(value > WORST_AIM for value in over)} it misses the aim.")
        differences = [difference for cell in several.values() for difference in cell.differences]
        if differences:
            lines.append(f"The same schedule measured twice in one job differs by {100 * statistics.median(differences):.1f} % in the median.")
    slowest = min(cells, key=lambda name: cells[name].faster)
    lines.append(f"Beside MPI, {len(cells)} cells: auto is {statistics.geometric_mean(cell.faster for cell in cells.values()):.2f} times as fast as MPI in the "
                 f"geometric mean, at least {cells[slowest].faster:.2f} times (aim: {MPI_AIM}; {slowest}); "
                 f"{sum(cell.faster < MPI_AIM for cell in cells.values())} below {MPI_AIM}.")
    missed = sorted(((name, cell) for name, cell in several.items() if cell.over_best > WORST_AIM), key=lambda pair: -pair[1].over_best)
    slower = sorted(((name, cell) for name, cell in cells.items() if cell.faster < MPI_AIM), key=lambda pair: pair[1].faster)
    if missed:
        lines += ["", f"Where another schedule is more than {WORST_AIM} times as fast as the chosen one:", "",
                  *listed(missed, lambda cell: f"{cell.best} is {cell.over_best:.2f} times as fast as {cell.chosen}")]
    if slower:
        lines += ["", f"Where auto is less than {MPI_AIM} times as fast as MPI:", "",
                  *listed(slower, lambda cell: f"{cell.chosen} {cell.faster:.2f}, the best {1 / cell.times[cell.best]:.2f} ({cell.best})")]
    return lines


def write_into(document, text):
    old = document.read_text()
    begin, end = old.find(BEGIN), old.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"choice_table.py: {document} has no lines {BEGIN} and {END}")
    document.write_text(old[:begin + len(BEGIN)] + "\n" + text + "\n" + old[end:])


def main():
    words = options()
    results = Results(words.raw)
    if words.merge:
        results.add([launch for file in words.merge for launch in json.loads(file.read_text())["launches"]])
    if words.minutes > 0:
        measure(words, results)
    lines, cells = tables(words, results)
    if not cells:
        sys.exit(f"choice_table.py: there are no results in {words.raw}")
    text = "\n".join([*summary(cells), "", *lines])
    print(text)
    if words.document:
        write_into(words.document, text)


if __name__ == "__main__":
    main()
