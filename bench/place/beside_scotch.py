#!/usr/bin/env python3
"""J_sum of `halocline place --algorithm best` beside that of Scotch, a graph partitioner (Debian's package scotch), on
seeded random instances of even nodes. Scotch gets the weighted graph of the messages and one part for each node, has to
balance them exactly, and may try twice with each of two strategies; the best of these counts. Prints the geometric mean
of the ratios for each class, and the worst; below 1 Halocline sends less between nodes."""

import argparse
import itertools
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

USUAL_SIZES = [8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 96, 128]
STRATEGIES = ["-cq", "-cb"]  # quality, balance


def nearest(dimensions):
    return [tuple(sign * (i == d) for i in range(dimensions)) for d in range(dimensions) for sign in (1, -1)]


def box(dimensions, low, high):
    return [step for step in itertools.product(range(low, high + 1), repeat=dimensions) if any(step)]


def axes(dimensions, reach):
    return [tuple(n * x for x in step) for step in nearest(dimensions) for n in range(1, reach + 1)]


def weighted(dimensions):
    weights = [random.randint(1, 8) for _ in range(dimensions)]
    return {step: weights[d // 2] for d, step in enumerate(nearest(dimensions))}


def unweighted(steps):
    return {step: 1 for step in steps}


# name: (dimensions, stencil or how to make one, periodic)
CLASSES = {
    "2-D along the axes": [(2, lambda d: unweighted(axes(d, random.choice([1, 2]))), False)],
    "3-D along the axes": [(3, lambda d: unweighted(axes(d, random.choice([1, 2]))), False)],
    "Moore and octant": [
        (2, lambda d: unweighted(box(d, -1, 1)), False),
        (2, lambda d: unweighted(box(d, 0, 1)), False),
        (2, lambda d: unweighted(box(d, -2, 2)), False),
        (2, lambda d: unweighted(box(d, 0, 2)), False),
        (3, lambda d: unweighted(box(d, -1, 1)), False),
        (3, lambda d: unweighted(box(d, 0, 1)), False),
    ],
    "3-D octant of radius 2": [(3, lambda d: unweighted(box(d, 0, 2)), False)],
    "periodic": [(2, lambda d: unweighted(nearest(d)), True), (3, lambda d: unweighted(nearest(d)), True)],
    "weighted": [(2, weighted, False), (3, weighted, False)],
    "4-D": [(4, lambda d: unweighted(nearest(d)), False)],
}


def even_extents(cells, dimensions):
    """The factors of `cells` that lie closest together, largest first."""
    if dimensions == 1:
        return [cells]
    best = None
    for extent in (e for e in range(1, cells + 1) if cells % e == 0 and e**dimensions >= cells):
        rest = even_extents(cells // extent, dimensions - 1)
        if rest and rest[0] <= extent and (best is None or extent - rest[-1] < best[0] - best[-1]):
            best = [extent, *rest]
    return best


def random_instance(dimensions, make_stencil, periodic):
    while True:
        size = random.choice(USUAL_SIZES) if random.random() < 0.5 else random.randint(10, 48)
        nodes = min(random.randint(10, 60), max(4, 4000 // size))
        extents = even_extents(nodes * size, dimensions)
        if extents and extents[0] <= 16 * extents[-1]:
            return extents, nodes, size, make_stencil(dimensions), periodic


def edges(extents, stencil, periodic):
    """All messages: from, to, weight."""
    strides = [math.prod(extents[d + 1 :]) for d in range(len(extents))]
    for number, cell in enumerate(itertools.product(*map(range, extents))):
        for step, weight in stencil.items():
            target = [x + s for x, s in zip(cell, step)]
            if periodic:
                target = [x % extent for x, extent in zip(target, extents)]
            elif any(not 0 <= x < extent for x, extent in zip(target, extents)):
                continue
            yield number, sum(x * stride for x, stride in zip(target, strides)), weight


def sum_by_halocline(tool, extents, nodes, size, stencil, periodic):
    text = ";".join(f"{','.join(map(str, step))}*{weight}" for step, weight in stencil.items())
    command = [tool, "place", "--json", "--algorithm", "best", "--grid", "x".join(map(str, extents)), "--nodes"]
    command += [f"{nodes}x{size}", "--stencil", text, "--periodic", "all" if periodic else "none"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer["results"][0]["j_sum"]


def sum_by_scotch(folder, extents, nodes, size, stencil, periodic):
    messages = list(edges(extents, stencil, periodic))
    neighbours = [{} for _ in range(nodes * size)]
    for a, b, weight in messages:
        if a != b:
            neighbours[a][b] = neighbours[a].get(b, 0) + weight
            neighbours[b][a] = neighbours[b].get(a, 0) + weight
    graph, mapping = folder / "grid.grf", folder / "grid.map"
    lines = [f"0\n{len(neighbours)} {sum(map(len, neighbours))}\n0 010"]
    lines += [f"{len(own)} " + " ".join(f"{weight} {b}" for b, weight in own.items()) for own in neighbours]
    graph.write_text("\n".join(lines) + "\n")
    sums = []
    for strategy in 2 * STRATEGIES:
        command = ["scotch_gpart", str(nodes), str(graph), str(mapping), strategy, "-b0.001"]
        subprocess.run(command, check=True, capture_output=True)
        part = dict(map(int, line.split()) for line in mapping.read_text().splitlines()[1:])
        if all(list(part.values()).count(node) == size for node in range(nodes)):
            sums.append(sum(weight for a, b, weight in messages if part[a] != part[b]))
    return min(sums, default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=24, help="instances of each class (default: 24)")
    parser.add_argument("--tool", default="build/release/bin/halocline")
    options = parser.parse_args()
    if not shutil.which("scotch_gpart"):
        sys.exit("beside_scotch.py: no scotch_gpart; Debian has it in the package scotch")
    random.seed(options.seed)
    print(f"seed {options.seed}\n{'class':24} {'count':>6} {'best / Scotch':>14} {'worst':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name, kinds in CLASSES.items():
            ratios = []
            for number in range(options.count):
                if sys.stderr.isatty():
                    print(f"\r{name}: {number + 1} of {options.count} ", end="", file=sys.stderr)
                instance = random_instance(*kinds[number % len(kinds)])
                theirs = sum_by_scotch(Path(folder), *instance)
                if theirs is not None:  # exactly balanced
                    ratios.append(sum_by_halocline(options.tool, *instance) / theirs)
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
            print(f"{name:24} {len(ratios):6} {mean:14.3f} {max(ratios, default=math.nan):7.3f}", flush=True)


main()
