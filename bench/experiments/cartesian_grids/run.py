#!/usr/bin/env python3
"""The examples of "Topology aware Cartesian grid mapping with MPI" beside ours: grids for meshes and machines of one to
three levels, and the links of a numbered grid at each level.

  bench/experiments/cartesian_grids/run.py"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from experiment import answer, build, print_table
from plot import Panel, draw

# What is asked of `halocline shape`, and the grid that the paper prints.
examples = [
    (["--ranks", "12", "--mesh", "1800x580"], "6x2"),
    (["--levels", "25,24", "--mesh", "3000x3000"], "30x20"),
    (["--levels", "625,24", "--dims", "3"], "25x30x20"),
    (["--levels", "625,2,12", "--mesh", "1000x1100x950"], "30x25x20"),
    (["--levels", "4,2,6", "--mesh", "6000x8080"], "6x8"),
    (["--ranks", "360", "--dims", "3"], "9x8x5"),
    (["--ranks", "35200", "--dims", "3"], "44x32x25"),
    (["--ranks", "37044", "--dims", "3"], "49x28x27"),
    (["--ranks", "3696", "--dims", "3"], "21x16x11"),
    (["--ranks", "5040", "--dims", "3"], "20x18x14"),
    (["--ranks", "6240", "--dims", "3"], "24x20x13"),
    (["--ranks", "2160", "--dims", "4"], "9x8x6x5"),
    (["--ranks", "2520", "--dims", "4"], "9x8x7x5"),
    (["--ranks", "2880", "--dims", "4"], "9x8x8x5"),
    (["--ranks", "3240", "--dims", "4"], "9x9x8x5"),
]


def links(levels, grid, factors):
    """Neighbouring cells of a 2-D grid that share no group of a level, for ranks row by row and for ranks numbered by
    groups: each outermost group a box of factors[1] x factors[2] x ... cells, and so on inwards."""
    def groups_by_rows(x, y):
        rank, sizes = x * grid[1] + y, [1] * len(levels)
        for level in reversed(range(len(levels) - 1)):
            sizes[level] = sizes[level + 1] * levels[level + 1]
        return [rank // size for size in sizes]

    def groups_by_boxes(x, y):
        groups, box = [], list(grid)
        for level in range(len(levels)):
            box = [b // f for b, f in zip(box, factors[level])]
            groups.append((x // box[0], y // box[1]))
        return groups

    counts = []
    for groups in (groups_by_rows, groups_by_boxes):
        count = [0] * len(levels)
        for x in range(grid[0]):
            for y in range(grid[1]):
                for other in ((x + 1, y), (x, y + 1)):
                    if other[0] < grid[0] and other[1] < grid[1]:
                        pairs = zip(groups(x, y), groups(*other))
                        count[next(level for level, (a, b) in enumerate(pairs) if a != b)] += 1
        counts.append(count)
    return counts


build("halocline_tool")
rows = [["halocline shape", "paper", "ours", ""]]
for words, expected in examples:
    ours = "x".join(str(extent) for extent in answer("shape", *words)["dims"])
    rows.append([" ".join(words), expected, ours, "" if ours == expected else "differs"])
print_table(rows, "Grids")

shape = answer("shape", "--levels", "9,4,6", "--mesh", "12x18")
sequential, renumbered = links([9, 4, 6], shape["dims"], shape["levels"])
counts = {"ranks row by row, paper": [150, 72, 180], "ranks row by row, ours": sequential,
          "renumbered by levels, paper": [60, 90, 252], "renumbered by levels, ours": renumbered}
between = ["nodes", "sockets", "cores"]
print_table([["links of the 12x18 grid between", *between], *([name, *count] for name, count in counts.items())])

panel = Panel("Links of the 12x18 grid on 9 nodes of 4 sockets of 6 cores", "between", "links")
panel.add_bars(between, counts)
draw("cartesian_grids", [panel])
