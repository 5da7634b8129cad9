#!/usr/bin/env python3
"""Writes the trace of a program whose ranks are the cells of a grid and send to all cells around them, as a halo exchange would.

Usage: grid_trace.py EXTENTS RANKS_PER_NODE row-major|shuffled|land [FOLDER] > FILE, such as 50x50x40 100 shuffled; with a FOLDER the
part of each rank is written there, as app.trace.part.RANK. A message along an offset has
as many bytes as points of 64 x 64 x ... lie on that side. Rank 0 gets 16 bytes from everybody, which is no part of the grid. With
land, three in ten blocks of 4 x 4 cells in the first two dimensions have no ranks, as in models of oceans: the others are numbered row by row."""

import itertools
import os
import random
import sys


def main():
    extents = [int(word) for word in sys.argv[1].split("x")]
    per_node, numbering = int(sys.argv[2]), sys.argv[3]
    chance = random.Random(2026)
    cells = list(itertools.product(*map(range, extents)))
    if numbering == "land":
        blocks = {(x // 4, y // 4) for x, y, *_ in cells}
        land = {block for block in sorted(blocks) if chance.random() < 0.3}
        cells = [cell for cell in cells if (cell[0] // 4, cell[1] // 4) not in land]
    ranks = list(range(len(cells)))
    if numbering == "shuffled":
        chance.shuffle(ranks)
    rank_of = dict(zip(cells, ranks))
    offsets = [(offset, 8 * 64 ** offset.count(0)) for offset in itertools.product((-1, 0, 1), repeat=len(extents)) if any(offset)]
    def flows(cell, rank):
        for offset, size in offsets:
            other = rank_of.get(tuple(map(sum, zip(cell, offset))))
            if other is not None:
                yield f"flow message {rank} {other} 100 {100 * size}"
        yield f"flow message {rank} 0 1 16"

    head = f"halocline trace 1\nranks {len(cells)}"
    if len(sys.argv) > 4:
        for cell, rank in rank_of.items():
            with open(os.path.join(sys.argv[4], f"app.trace.part.{rank}"), "w", encoding="utf-8") as file:
                print(head, f"process {rank} 1 node{rank // per_node}", *flows(cell, rank), "end", sep="\n", file=file)
        return
    print(head)
    for rank in range(len(cells)):
        print(f"process {rank} 1 node{rank // per_node}")
    for cell, rank in rank_of.items():
        print(*flows(cell, rank), sep="\n")
    print("end")


if __name__ == "__main__":
    main()
