"""Stencil placement: costs of all algorithms, and simulated times beside those that were measured on VSC-4."""

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
from itertools import product

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from experiment import answer, build, print_table, progress, root  # noqa: E402

PAPERS = ["blocked", "hyperplane", "kd-tree", "strips", "nodecart", "random"]
PLACES = PAPERS + ["best"]
GRIDS = {50: "50x48", 100: "75x64"}
STENCILS = ["nearest", "hops", "component"]


def costs(grid, nodes, stencil):
    """(J_sum, J_max) of each algorithm."""
    results = answer("place", "--grid", grid, "--nodes", nodes, "--stencil", stencil, "--algorithm", "all")["results"]
    return {result["algorithm"]: (result["j_sum"], result["j_max"]) for result in results}


def print_costs():
    columns = list(product(GRIDS, STENCILS))
    tables = [costs(GRIDS[nodes], f"{nodes}x48", stencil) for nodes, stencil in columns]
    rows = [["", *(f"{GRIDS[nodes]} {stencil}" for nodes, stencil in columns)]]
    rows += [[name, *("{}/{}".format(*table[name]) for table in tables)] for name in tables[0]]
    print_table(rows, "J_sum/J_max with 48 processes a node")


def even_grid(cells, dimensions):
    """As MPI_Dims_create has it: the largest extent as small as possible, in decreasing order."""
    if dimensions == 1:
        return [cells]
    grids = [[extent, *even_grid(cells // extent, dimensions - 1)] for extent in range(1, cells + 1) if cells % extent == 0]
    return min(grid for grid in grids if grid[0] >= grid[1])


def print_medians():
    instances = list(product(range(10, 32, 3), [*range(10, 32, 3), 32], [2, 3]))
    rows = []
    for stencil in STENCILS:
        progress(f"{len(instances)} instances with {stencil}")
        ratios = {}
        for nodes, cores, dimensions in instances:
            grid = "x".join(map(str, even_grid(nodes * cores, dimensions)))
            cost = costs(grid, f"{nodes}x{cores}", stencil)
            for name, js in cost.items():
                ratios.setdefault(name, []).append([j / b if b else 1 for j, b in zip(js, cost["blocked"])])
        rows.append([stencil, *("/".join(f"{statistics.median(column):.2f}" for column in zip(*ratios[name])) for name in ratios)])
    print_table([["", *ratios], *rows], f"Median J_sum/J_max over {len(instances)} instances, blocked = 1 (Figure 8)")


def simulated(nodes, stencil, place, size):
    """In milliseconds."""
    progress(f"{nodes} nodes, {stencil}, {place}, {size} bytes")
    words = ["--machine", "vsc4", "--nodes", str(nodes), "--grid", GRIDS[nodes], "--stencil", stencil]
    return 1e3 * answer("simulate", *words, "--place", place, "--bytes", str(size))["results"][0]["seconds"]


def print_times(paper, nodes, stencil, sizes):
    """Returns {place: [(bytes, measured or None, simulated)]}."""
    times = {place: [(size, paper[nodes, stencil, size].get(place), simulated(nodes, stencil, place, size)) for size in sizes]
             for place in PLACES}
    rows = [["bytes", "blocked [ms]", *PLACES[1:]]]
    for number, size in enumerate(sizes):
        _, measured, ours = times["blocked"][number]
        row = [size, f"{measured} | {ours:.4f}"]
        for place in PLACES[1:]:
            _, other, mine = times[place][number]
            row.append(f"{measured / other:.2f} | {ours / mine:.2f}" if other else f"{ours / mine:.2f}")
        rows.append(row)
    print_table(rows, f"{nodes} nodes, {stencil}: how many times as long blocked takes, measured on VSC-4 | simulated")
    return times


def plot(file, tables):
    if not shutil.which("gnuplot"):
        progress("no gnuplot (Debian's gnuplot-nox): no plot")
        return
    script = [f"set terminal svg size 1000,{400 * len(tables)}", f"set output '{file}'", "set logscale xy", "set key outside",
              f"set multiplot layout {len(tables)},1", "set xlabel 'bytes to each neighbour'", "set ylabel 'ms'"]
    for title, times in tables.items():
        curves, data = [], []
        for number, place in enumerate(times, 1):
            curves.append(f"'-' with linespoints lc {number} pt 7 ps 0.3 title '{place}'")
            data += [f"{size} {ours}" for size, _, ours in times[place]] + ["e"]
            if measured := [f"{size} {theirs}" for size, theirs, _ in times[place] if theirs]:
                curves.append(f"'-' with points lc {number} pt 4 notitle")
                data += [*measured, "e"]
        script += [f"set title '{title}: simulated (lines), measured on VSC-4 (squares)'", "plot " + ", ".join(curves), *data]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)
    progress(f"plot: {file}")


def read_paper():
    with open(os.path.join(here, "paper_milliseconds.csv")) as lines:
        return {(int(row["nodes"]), row["stencil"], int(row["bytes"])):
                {name: float(row[name]) for name in PAPERS if row[name]} for row in csv.DictReader(lines)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="both tables, all stencils and sizes")
    parser.add_argument("--nodes", type=int, nargs="+", choices=GRIDS, default=[50])
    parser.add_argument("--stencil", nargs="+", choices=STENCILS, default=["nearest"])
    parser.add_argument("--bytes", type=int, nargs="+", default=[1024, 8192, 65536], help="sizes that the paper has")
    parser.add_argument("--plot", default=os.path.join(root, "build/stencil_placement.svg"), help="where gnuplot, if there is one, draws the times")
    words = parser.parse_args()
    if words.all:
        words.nodes, words.stencil, words.bytes = list(GRIDS), STENCILS, [64 << i for i in range(14)]
    build("halocline_tool", "halocline_simulated")
    print_costs()
    print_medians()
    paper = read_paper()
    tables = {f"{nodes} nodes, {stencil}": print_times(paper, nodes, stencil,
                                                       [size for size in words.bytes if (nodes, stencil, size) in paper])
              for nodes, stencil in product(words.nodes, words.stencil)}
    plot(words.plot, tables)


main()
