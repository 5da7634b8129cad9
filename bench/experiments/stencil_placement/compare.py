"""Prints the paper's figures beside ours. Usage: compare.py HALOCLINE PAPER.csv [--quick] [--plot FILE.png]
[--nodes 50 ...] [--stencil nearest ...] [--bytes 64 ...]"""

import argparse
import csv
import json
import shutil
import statistics
import subprocess
import sys
from itertools import product

ALGORITHMS = ["blocked", "hyperplane", "kd-tree", "strips", "nodecart", "random"]  # the paper's
OURS = ["best"]
GRIDS = {50: "50x48", 100: "75x64"}
STENCILS = ["nearest", "hops", "component"]


def halocline(program, *words):
    done = subprocess.run([program, *words, "--json"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def costs(program, grid, nodes, stencil):
    """(J_sum, J_max) of each algorithm."""
    answer = halocline(program, "place", "--grid", grid, "--nodes", nodes, "--stencil", stencil, "--algorithm", "all")
    return {r["algorithm"]: (r["j_sum"], r["j_max"]) for r in answer["results"]}


def print_costs(program):
    print("J_sum/J_max with 48 processes a node")
    columns = list(product(GRIDS, STENCILS))
    table = {c: costs(program, GRIDS[c[0]], f"{c[0]}x48", c[1]) for c in columns}
    print(f"{'':<16}" + "".join(f"{GRIDS[n] + ' ' + s:>18}" for n, s in columns))
    for name in table[columns[0]]:
        print(f"{name:<16}" + "".join(f"{'{}/{}'.format(*table[c][name]):>18}" for c in columns))


def even_grid(cells, dimensions):
    """As MPI_Dims_create: extents as close to each other as possible, in decreasing order."""
    if dimensions == 1:
        return [cells]
    grids = [[d, *rest] for d in range(1, cells + 1) if cells % d == 0
             for rest in [even_grid(cells // d, dimensions - 1)] if d >= rest[0]]
    return min(grids)


def print_medians(program, quick):
    """Figure 8: reductions against blocked over 8 x 9 x 2 instances."""
    instances = list(product(range(10, 32, 3), [*range(10, 32, 3), 32], [2, 3]))
    if quick:
        instances = instances[::8]
    print(f"\nMedian J_sum and J_max in units of blocked, over {len(instances)} instances")
    for stencil in STENCILS:
        sums, most = {}, {}
        for nodes, cores, dimensions in instances:
            grid = "x".join(map(str, even_grid(nodes * cores, dimensions)))
            cost = costs(program, grid, f"{nodes}x{cores}", stencil)
            for name, (j_sum, j_max) in cost.items():
                sums.setdefault(name, []).append(j_sum / cost["blocked"][0])
                most.setdefault(name, []).append(j_max / cost["blocked"][1])
        print(f"{stencil:<11}" + "  ".join(f"{name} {statistics.median(sums[name]):.2f}/{statistics.median(most[name]):.2f}"
                                           for name in sums if name != "blocked"))


def print_times(program, paper, nodes, stencil, sizes):
    """Rows of (bytes, {algorithm: (the paper's milliseconds, ours)})."""
    answer = halocline(program, "simulate", "--machine", "vsc4", "--nodes", str(nodes), "--grid", GRIDS[nodes], "--stencil",
                       stencil, "--place", ",".join(ALGORITHMS + OURS), "--bytes", ",".join(map(str, sizes)))
    ours = {(r["bytes"], r["place"]): 1e3 * r["seconds"] for r in answer["results"]}
    print(f"\n{nodes} nodes, grid {GRIDS[nodes]}, {stencil}: times blocked takes as long, measured in the paper | simulated here;"
          "\nblocked itself in ms")
    print(f"{'bytes':>8}" + "".join(f"{name:>17}" for name in ALGORITHMS + OURS))
    rows = []
    for size in sizes:
        row = {name: (paper.get((nodes, stencil, size), {}).get(name), ours[size, name]) for name in ALGORITHMS + OURS}
        rows.append((size, row))
        theirs, mine = row["blocked"]
        line = f"{theirs if theirs is not None else '-':>8} |{mine:>7.4f}"
        for name in (ALGORITHMS + OURS)[1:]:
            ratio = f"{theirs / row[name][0]:.2f}" if theirs and row[name][0] else "-"
            line += f"{ratio:>8} |{mine / row[name][1]:>7.2f}"
        print(f"{size:>8}{line}", flush=True)
    return rows


def plot(file, tables):
    if not shutil.which("gnuplot"):
        print("\nno gnuplot (Debian's gnuplot-nox): no plot")
        return
    script = [f"set terminal png size 1200,{400 * len(tables)}", f"set output '{file}'", "set logscale xy", "set key outside",
              f"set multiplot layout {len(tables)},1", "set xlabel 'bytes to each neighbour'", "set ylabel 'ms'"]
    for (nodes, stencil), rows in tables.items():
        script.append(f"set title '{nodes} nodes, {stencil}: measured on VSC-4 (points), simulated (lines)'")
        parts, data = [], []
        for number, name in enumerate(ALGORITHMS + OURS, 1):
            parts.append(f"'-' with lines lc {number} title '{name}'")
            data += [f"{size} {row[name][1]}" for size, row in rows] + ["e"]
            measured = [f"{size} {row[name][0]}" for size, row in rows if row[name][0]]
            if measured:
                parts.append(f"'-' with points lc {number} notitle")
                data += measured + ["e"]
        script += ["plot " + ", ".join(parts), *data]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)
    print(f"\nplot: {file}")


def read_paper(file):
    with open(file) as lines:
        return {(int(row["nodes"]), row["stencil"], int(row["bytes"])):
                {name: float(row[name]) for name in ALGORITHMS if row[name]} for row in csv.DictReader(lines)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("paper")
    parser.add_argument("--quick", action="store_true", help="50 nodes, nearest, three sizes, a tenth of the instances")
    parser.add_argument("--plot", default="stencil_placement.png")
    parser.add_argument("--nodes", type=int, nargs="+", choices=GRIDS, default=list(GRIDS))
    parser.add_argument("--stencil", nargs="+", choices=STENCILS, default=STENCILS)
    parser.add_argument("--bytes", type=int, nargs="+")
    words = parser.parse_args()
    if words.quick:
        words.nodes, words.stencil, words.bytes = [50], ["nearest"], words.bytes or [1024, 8192, 65536]
    paper = read_paper(words.paper)
    print_costs(words.program)
    print_medians(words.program, words.quick)
    tables = {}
    for nodes, stencil in product(words.nodes, words.stencil):
        sizes = words.bytes or sorted(size for n, s, size in paper if (n, s) == (nodes, stencil))
        tables[nodes, stencil] = print_times(words.program, paper, nodes, stencil, sizes)
    plot(words.plot, tables)


main()
