#!/usr/bin/env python3
"""Rounds, volumes, set-up times and exchange ratios of "Message-Combining Algorithms for Isomorphic, Sparse
Collective Communication" beside ours.

  bench/experiments/message_combining/run.py [--cluster 4x8@1000mbit]
  bench/experiments/message_combining/run.py --simulated

Set-up times are those of Table 2, of 480 processes of a cluster of 2016; ours are of one process here, since the
schedule is computed locally. Ratios are MPI_Neighbor_alltoall's time over that of the way, in one node, and with
--cluster (which needs root) also between network namespaces.

With --simulated, nothing is measured: the exchange engine runs under SimGrid with the paper's 480 processes on its machine,
where one message to each neighbour stands for MPI_Neighbor_alltoall. The paper draws its times and says that the gain of the
smallest blocks is close to the number of neighbours over 2d, which stands beside ours. Takes some minutes."""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from experiment import answer, build, halocline, output, print_table, progress, undisturbed
from plot import Panel, draw

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--cluster", help="also on such a cluster of namespaces")
parser.add_argument("--simulated", action="store_true", help="the paper's processes and machine, simulated, and nothing else")
options = parser.parse_args()

# Iso_neighborhood_alltoall_init of Table 2, in ms, by dimensions, then radius 1, 2, 3.
paper_init = {2: (0.10, 0.05, 0.06), 3: (0.03, 0.10, 0.37), 4: (0.06, 0.42, 2.94), 5: (0.15, 2.82, 25.02)}


def schedules():
    """Prints their rounds, volumes and set-up times; returns what is drawn of them."""
    rows = [["Moore neighbourhood", "neighbours", "rounds: D = 2rd", "torus", "torus-direct", "basis", "blocks: torus",
             "torus-direct", "basis", "set-up [ms]: paper", "torus"]]
    for dimensions, times in paper_init.items():
        for radius, time in enumerate(times, start=1):
            progress(f"Schedules: {dimensions} dimensions, radius {radius}")
            made = {entry["algorithm"]: entry for entry in
                    answer("schedule", "--dims", str(dimensions), "--stencil", f"moore:{radius}",
                           "--algorithm", "torus,torus-direct,basis")["results"]}
            kinds = ("torus", "torus-direct", "basis")
            rows.append([f"{dimensions}-D, radius {radius}", (2 * radius + 1) ** dimensions - 1, 2 * radius * dimensions,
                         *(made[kind]["rounds"] for kind in kinds), *(made[kind]["volume"] for kind in kinds),
                         f"{time:.2f}", f"{1e3 * made['torus']['seconds']:.3f}"])
    print_table(rows, "Schedules for alltoall")
    rounds = Panel("Rounds of an alltoall in Moore neighbourhoods", "neighbours", "rounds", "set logscale xy", "set xrange [:20000]")
    set_up = Panel("Set-up of the schedule torus", "neighbours", "ms", "set logscale xy", "set format y '%g'")
    by_neighbours = sorted(rows[1:], key=lambda row: row[1])
    rounds.add("direct", [(row[1], row[1]) for row in by_neighbours], color=7)
    for number, column in enumerate((3, 4, 5), 1):
        rounds.add(rows[0][column], [(row[1], row[column]) for row in by_neighbours], color=number)
    set_up.add("paper", [(row[1], row[9]) for row in by_neighbours], "points pt 4 ps 1", 7)
    set_up.add("ours", [(row[1], row[10]) for row in by_neighbours], "points pt 7 ps 0.7", 1)
    return [rounds, set_up]


slower = {}  # for each way, whether MPI was faster, table after table


def ratios(title, launcher, stencil, sizes, words=()):
    """Prints MPI's time over that of each way; of ours by shared memory and of the schedules by messages alone."""
    progress(title)
    ways = ["mpi", "torus-messages", "torus-direct-messages", "auto"]
    text = output([*launcher, halocline, "bench", "exchange", *words, "--stencil", stencil, "--bytes",
                   ",".join(map(str, sizes)), "--ways", ",".join(ways), "--json"])
    results = json.loads(text[text.index("{"):])["results"]
    table = [["block bytes", *ways[1:], "auto is"]]
    for size in sizes:
        of_size = {result["way"]: result for result in results if result["block_bytes"] == size}
        table.append([size, *(f"{of_size[way]['ratio']:.2f}" for way in ways[1:]), of_size["auto"]["schedule"]])
    print_table(table, title)
    for number, way in enumerate(ways[1:], 1):
        slower.setdefault(way, []).extend(float(row[number]) < 1 for row in table[1:])
    panel = Panel(f"{title}: how many times as fast as MPI", "bytes of a block", "", "set logscale x 2", "set yrange [0:*]")
    panel.add("MPI_Neighbor_alltoall", [(size, 1) for size in sizes], "lines lw 1", "'black'")
    for number, way in enumerate(ways[1:], 1):
        panel.add(way, [(row[0], row[number]) for row in table[1:]], color=number)
    return panel


def measured():
    panels = schedules()
    sizes = [1, 64, 1024, 4096]
    for stencil, neighbours in (("moore:1", 26), ("moore:2", 124), ("moore:3", 342)):
        panels.append(ratios(f"One node, 16 processes, {neighbours} neighbours", [*undisturbed(), "mpirun", "-n", "16"], stencil,
                             sizes, ["--repetitions", "15", "--runs", "3"]))
    if options.cluster:
        for stencil, neighbours in (("moore:1", 26), ("moore:3", 342)):
            panels.append(ratios(f"{options.cluster}, {neighbours} neighbours", undisturbed(), stencil, sizes,
                                 ["--cluster", options.cluster, "--repetitions", "10", "--runs", "3"]))
    for way, lost in slower.items():
        print(f"{way}: slower than MPI_Neighbor_alltoall in {sum(lost)} of {len(lost)} cells")
    return panels


gains = [["neighbourhood", "paper: close to", "torus", "torus-direct"]]


def simulated_ratios(name, expected, grid, stencil, sizes):
    """Prints direct's time over that of each combining schedule, 30 nodes of 16 processes on the machine of the paper."""
    progress(f"Simulating {name}")
    words = ["--machine", "jupiter", "--nodes", "30x16", "--grid", grid, "--periodic", "all", "--stencil", stencil, "--unchecked",
             "--shared", "off"]
    ways = ["direct", "torus", "torus-direct"]
    results = answer("simulate", *words, "--place", "blocked", "--schedule", ",".join(ways), "--bytes", ",".join(map(str, sizes)),
                     seconds=3600)["results"]
    time = {(result["bytes"], result["schedule"]): result["seconds"] for result in results}
    table = [["block bytes", "direct [us]", *ways[1:]]]
    for size in sizes:
        direct = time[size, "direct"]
        table.append([size, f"{1e6 * direct:.1f}", *(f"{direct / time[size, way]:.2f}" for way in ways[1:])])
    print_table(table, f"Simulated, 30x16 processes, {name}")
    gains.append([name.split(":")[0], expected, *table[1][2:]])
    panel = Panel(f"{name}: how many times as fast as one message to each", "bytes of a block", "", "set logscale x 2", "set yrange [0:*]")
    for number, way in enumerate(ways[1:], 1):
        panel.add(way, [(size, time[size, "direct"] / time[size, way]) for size in sizes], color=number)
    return panel


def simulated():
    # Name, number of neighbours over 2d, grid, stencil, sizes.
    neighbourhoods = (
        ("2-D, radius 1: 8 neighbours", 2, "24x20", "moore:1", [1, 64, 512, 2048]),
        ("3-D, radius 1: 26 neighbours", 4.3, "10x8x6", "moore:1", [1, 64, 512, 2048]),
        ("4-D, radius 1: 80 neighbours", 10, "6x5x4x4", "moore:1", [1, 64, 512]),
        ("3-D, positive, radius 3: 63 neighbours", 10.5, "10x8x6", "octant:3", [1, 64, 512]),
        ("3-D, radius 3: 342 neighbours", 57, "10x8x6", "moore:3", [1]))
    panels = [simulated_ratios(*neighbourhood) for neighbourhood in neighbourhoods]
    print_table(gains, "Gain with blocks of one byte, which the paper has close to the number of neighbours over 2d")
    return panels


build("halocline_tool", "halocline_simulated")
if options.simulated:
    draw("message_combining_simulated", simulated())
else:
    draw("message_combining", measured())
