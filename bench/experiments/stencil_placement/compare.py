"""Stencil placement: costs of all algorithms, and simulated times beside those that were measured on VSC-4."""

import argparse
import csv
import json
import os
import statistics
import sys
import time
from itertools import product

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from costs import GRIDS, STENCILS, print_costs, print_medians  # noqa: E402
from experiment import answer, build, print_table, programs, progress, root  # noqa: E402
from plot import Panel, draw  # noqa: E402

PAPERS = ["blocked", "hyperplane", "kd-tree", "strips", "nodecart", "viem", "random"]
OURS = ["best", "best+links"]
PLACES = PAPERS + OURS
SIZES = [64 << i for i in range(14)]
# VieM's placements are not to be had here, and so its times are the paper's alone.
SIMULATED = [place for place in PLACES if place != "viem"]
# Where all flows share links with each other, as they do after a random placement, one simulated exchange takes minutes.
FEW_SIZES = {("random", 50): [64, 1024, 32768, 524288], ("random", 100): [1024]}


def simulated(nodes, stencil, place, sizes, folder):
    """Milliseconds for each size, of one simulated world; from the folder if they were kept there by this simulator."""
    file = os.path.join(folder, f"{nodes}.{stencil}.{place}") if folder else None
    simulator = os.path.join(programs, "halocline-simulated")
    if file and os.path.exists(file) and os.path.getmtime(file) > os.path.getmtime(simulator):
        with open(file) as text:
            kept = {result["bytes"]: 1e3 * result["seconds"] for result in json.load(text)["results"]}
        if set(sizes) <= set(kept):
            return [kept[size] for size in sizes]
    begin = time.monotonic()
    words = ["--machine", "vsc4", "--nodes", str(nodes), "--grid", GRIDS[nodes], "--stencil", stencil, "--unchecked",
             "--schedule", "direct", "--shared", "off"]
    made = answer("simulate", *words, "--place", place, "--bytes", ",".join(map(str, sizes)), seconds=7200)
    progress(f"{nodes} nodes, {stencil}, {place}: {time.monotonic() - begin:.0f} s")
    if file:
        with open(file, "w") as text:
            json.dump(made, text)
    return [1e3 * result["seconds"] for result in made["results"]]


def print_times(paper, nodes, stencil, sizes, folder, everything):
    """Returns {place: [(bytes, measured or None, simulated or None)]}."""
    times = {}
    for place in PLACES:
        few = FEW_SIZES.get((place, nodes), sizes)
        own = [size for size in sizes if place in SIMULATED and (everything or size in few)]
        ours = dict(zip(own, simulated(nodes, stencil, place, own, folder)) if own else ())
        times[place] = [(size, paper[nodes, stencil, size].get(place), ours.get(size)) for size in sizes]
    rows = [["bytes", "blocked [ms]", *PLACES[1:]]]
    for number, size in enumerate(sizes):
        _, measured, ours = times["blocked"][number]
        row = [size, f"{measured} | {ours:.4f}"]
        for place in PLACES[1:]:
            _, other, mine = times[place][number]
            ratios = [f"{measured / other:.2f}"] if other else []
            row.append(" | ".join(ratios + [f"{ours / mine:.2f}" if mine else "-"]))
        rows.append(row)
    print_table(rows, f"{nodes} nodes, {stencil}: how many times as fast as blocked, measured on VSC-4 | simulated")
    return times


def print_shortfalls(tables):
    """How far the simulated machine is from the real one, where ours is not the fastest that we simulated, and where it
    gains less than the paper measured."""
    slower = [measured / ours for times in tables.values() for _, measured, ours in times["blocked"]]
    print(f"On VSC-4 blocked took {min(slower):.1f} to {max(slower):.1f} times as long as simulated, "
          f"{statistics.median(slower):.1f} in the median")
    for mine in OURS:
        beaten, short = [], []
        for title, times in tables.items():
            for number, (size, measured, blocked) in enumerate(times["blocked"]):
                line = {place: times[place][number] for place in PLACES}
                gains = {place: blocked / ours for place, (_, _, ours) in line.items() if ours}
                first = max(PAPERS, key=lambda place: gains.get(place, 0))
                papers = max(measured / theirs for _, theirs, _ in line.values() if theirs)
                where = f"{title}, {size} bytes"
                if gains[first] > 1.005 * gains[mine]:
                    beaten.append((gains[first] / gains[mine], f"{where}: {first} {gains[first]:.2f}, {mine} {gains[mine]:.2f}"))
                if papers > gains[mine]:
                    short.append((papers / gains[mine], f"{where}: {papers:.2f} measured, {mine} {gains[mine]:.2f} simulated"))
        for what, found in ((f"a placement of the paper is faster than {mine} by more than 0.5 %", beaten),
                            (f"the paper's best gain is larger than that of {mine}", short)):
            print(f"In {len(found)} of {len(slower)} lines {what}" + (f", most with {max(found)[1]}" if found else ""))


def plot(file, tables):
    panels = []
    for title, times in tables.items():
        panel = Panel(f"{title}: simulated (lines), measured on VSC-4 (squares)", "bytes to each neighbour", "ms", "set logscale x 2",
                      "set logscale y", "set format y '%g'")
        for number, place in enumerate(times, 1):
            if simulated_times := [(size, ours) for size, _, ours in times[place] if ours]:
                panel.add(place, simulated_times, color=number)
            if measured := [(size, theirs) for size, theirs, _ in times[place] if theirs]:
                panel.add("" if simulated_times else place, measured, "points pt 4", number)
        panels.append(panel)
    draw("stencil_placement", panels, file=file)


def read_paper():
    with open(os.path.join(here, "paper_milliseconds.csv")) as lines:
        return {(int(row["nodes"]), row["stencil"], int(row["bytes"])):
                {name: float(row[name]) for name in PAPERS if row[name]} for row in csv.DictReader(lines)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="random placements in all sizes as well: two hours")
    parser.add_argument("--times", action="store_true", help="the simulated times alone")
    parser.add_argument("--nodes", type=int, nargs="+", choices=GRIDS, default=list(GRIDS), help="Table II, Table III")
    parser.add_argument("--stencil", nargs="+", choices=STENCILS, default=STENCILS)
    parser.add_argument("--bytes", type=int, nargs="+", default=SIZES, help="sizes that the paper has")
    parser.add_argument("--plot", default=os.path.join(root, "build/stencil_placement.svg"), help="where gnuplot, if there is one, draws the times")
    parser.add_argument("--keep", help="a folder for what was simulated, where a run that was interrupted goes on")
    words = parser.parse_args()
    if words.keep:
        os.makedirs(words.keep, exist_ok=True)
    build("halocline_tool", "halocline_simulated")
    if not words.times:
        print_costs()
        print_medians()
    paper = read_paper()
    tables = {f"{nodes} nodes, {stencil}": print_times(paper, nodes, stencil,
                                                       [size for size in words.bytes if (nodes, stencil, size) in paper], words.keep, words.all)
              for nodes, stencil in product(words.nodes, words.stencil)}
    print_shortfalls(tables)
    plot(words.plot, tables)


main()
