"""What placements send between nodes: on the paper's two grids, and medians of the 144 instances of its Figure 8.

known_costs.csv has what the paper's algorithms cost by its authors' programs, what the graph partitioners VieM, KaHIP and
Scotch reach in their best settings, and lower bounds."""

import csv
import os
import statistics
from itertools import product

from experiment import answer, print_table, progress

GRIDS = {50: "50x48", 100: "75x64"}
STENCILS = ["nearest", "hops", "component"]
# What the paper tells of Figure 8, which is a drawing: whose median of J_sum is lower than whose, or no different.
FIGURE_8 = [*((stencil, better, "below", "nodecart") for stencil in STENCILS for better in ("hyperplane", "strips")),
            ("nearest", "kd-tree", "below", "nodecart"), ("component", "kd-tree", "below", "nodecart"),
            ("hops", "kd-tree", "like", "nodecart")]


def costs(grid, nodes, stencil):
    """(J_sum, J_max) of each algorithm, and of the best of them all."""
    words = ["place", "--grid", grid, "--nodes", nodes, "--stencil", stencil, "--algorithm"]
    made = {result["algorithm"]: (result["j_sum"], result["j_max"]) for result in answer(*words, "all")["results"]}
    best = answer(*words, "best")["results"][0]
    return made | {"best": (best["j_sum"], best["j_max"])}


def read_known():
    """{(nodes, stencil): {algorithm: "J_sum/J_max", or "J_sum" where that is all that is known}}"""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_costs.csv")) as lines:
        rows = list(csv.DictReader(lines))
    return {(int(row.pop("nodes")), row.pop("stencil")): row for row in rows}


def print_costs():
    known = read_known()
    ours = {(nodes, stencil): {name: f"{j_sum}/{j_max}" for name, (j_sum, j_max) in
                               costs(GRIDS[nodes], f"{nodes}x48", stencil).items()} for nodes, stencil in known}
    names = list(next(iter(ours.values())))
    references = [name for name in next(iter(known.values())) if name not in names]
    rows = [["", *(f"{GRIDS[nodes]} {stencil}" for nodes, stencil in known)]]
    rows += [[name, *(f"{theirs[name]} | {ours[key][name]}" if name in theirs else ours[key][name] for key, theirs in known.items())]
             for name in names]
    rows += [[name, *(theirs[name] for theirs in known.values())] for name in references]
    print_table(rows, "J_sum/J_max with 48 processes a node, known | ours")
    compared = [(key, name) for key in known for name in known[key] if name in names]
    differ = [f"{GRIDS[key[0]]} {key[1]} {name}" for key, name in compared if known[key][name] != ours[key][name]]
    print(f"{len(compared)} of our costs are known, {len(differ)} differ" + "".join(f"; {where}" for where in differ))
    for name in references:
        print(f"best / {name}: " + ", ".join(f"{int(ours[key]['best'].split('/')[0]) / int(known[key][name]):.3f}" for key in known))
    print()


def even_grid(cells, dimensions):
    """As MPI_Dims_create has it: the largest extent as small as possible, in decreasing order."""
    if dimensions == 1:
        return [cells]
    grids = [[extent, *even_grid(cells // extent, dimensions - 1)] for extent in range(1, cells + 1) if cells % extent == 0]
    return min(grid for grid in grids if grid[0] >= grid[1])


def notch(values):
    """The median's 95 % confidence interval as box plots draw it."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    half = 1.57 * (high - low) / len(values)**0.5
    return middle - half, middle + half


def print_medians():
    instances = list(product(range(10, 32, 3), [*range(10, 32, 3), 32], [2, 3]))
    ratios = {}
    for stencil in STENCILS:
        progress(f"{len(instances)} instances with {stencil}")
        for nodes, cores, dimensions in instances:
            grid = "x".join(map(str, even_grid(nodes * cores, dimensions)))
            cost = costs(grid, f"{nodes}x{cores}", stencil)
            for name, js in cost.items():
                ratios.setdefault(stencil, {}).setdefault(name, []).append([j / b if b else 1 for j, b in zip(js, cost["blocked"])])
    rows = [[stencil, *("/".join(f"{statistics.median(column):.2f}" for column in zip(*of)) for of in ratios[stencil].values())]
            for stencil in STENCILS]
    print_table([["", *ratios[STENCILS[0]]], *rows], f"Median J_sum/J_max over {len(instances)} instances, blocked = 1 (Figure 8)")
    print("The paper draws Figure 8 without numbers. What it tells of J_sum, by the intervals of the medians:")
    for stencil, one, relation, other in FIGURE_8:
        mine, theirs = (notch([j_sum for j_sum, _ in ratios[stencil][name]]) for name in (one, other))
        found = "below" if mine[1] < theirs[0] else "above" if theirs[1] < mine[0] else "like"
        print(f"{stencil}: {one} is {relation} {other}: ours {'too' if found == relation else 'is ' + found}, "
              "{:.2f} to {:.2f} and {:.2f} to {:.2f}".format(*mine, *theirs))
    print()
