#!/usr/bin/env python3
"""Average hops of tasks on tori and meshes by every ordering (Table 1 of "Exploiting Geometric Partitioning in Task
Mapping for Parallel Computers", all 453 numbers), and MiniGhost on a Titan-like machine.

  bench/experiments/geometric_mapping/run.py [--all]

Without --all, Table 1 has one line for each pair of dimensions: tasks and network tori; with it, all of them."""

import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from experiment import answer, build, output, print_table, programs, progress, root
from plot import Panel, draw

orders = ["hilbert", "z", "fz", "mfz"]


def cube(cells, dimensions):
    return "x".join([str(round(cells ** (1 / dimensions)))] * dimensions)


def words_of(tasks, network_dims, task_dims, connectivity):
    torus = "mesh" if connectivity == "mesh_to_mesh" else "torus"
    forward = ";".join(",".join("1" if i == j else "0" for j in range(task_dims)) for i in range(task_dims))
    words = ["--tasks", cube(tasks, task_dims), "--network", f"{torus}:{cube(tasks, network_dims)}",
             "--stencil", forward]
    return words + (["--task-torus"] if connectivity == "torus_to_torus" else [])


build("halocline_tool", "minighost")
paper = {}
with open(os.path.join(root, "tests/pure/network/average_hops.csv")) as file:
    for row in csv.DictReader(file):
        key = (int(row["tasks"]), int(row["network_dims"]), int(row["task_dims"]), row["connectivity"])
        paper.setdefault(key, {})[row["order"]] = float(row["average_hops"])

rows = [["tasks, dimensions: tasks on network", *(f"{order} {who}" for order in orders for who in ("paper", "ours"))]]
compared = differing = 0
pairs = {order: [] for order in orders}
for i, (key, values) in enumerate(paper.items()):
    tasks, network_dims, task_dims, connectivity = key
    if i % 20 == 0:
        progress(f"Table 1: {i} of {len(paper)} lines")
    ours = {entry["order"]: entry["average_hops"]
            for entry in answer("map", *words_of(*key), "--order", ",".join(values))["results"]}
    for order, value in values.items():
        pairs[order].append((value, ours[order]))
    compared += len(values)
    differing += sum(abs(ours[order] - value) > 0.00501 for order, value in values.items())
    if connectivity == "torus_to_torus" or "--all" in sys.argv:
        cells = [text for order in orders
                 for text in ((f"{values[order]:.2f}", f"{ours[order]:.2f}") if order in values else ("", ""))]
        name = f"{tasks}, {task_dims}-D on {network_dims}-D"
        rows.append([name if "--all" not in sys.argv else f"{name}, {connectivity.replace('_', ' ')}", *cells])
print_table(rows, "Average hops")
print(f"{compared} numbers compared, {differing} differ in the second decimal\n")

progress("MiniGhost, about a minute")
minighost = output([os.path.join(programs, "minighost"), "2"])
print(minighost)
rows = [line.split() for line in minighost.splitlines() if line.split() and line.split()[0].isdigit()]
for other, paper_says in (("Default", "35 to 64 %"), ("Group", "10 to 28 %")):
    savings = []
    for tasks in dict.fromkeys(row[0] for row in rows):
        latency = {row[1]: float(row[5]) for row in rows if row[0] == tasks}
        savings.append(1 - min(time for way, time in latency.items() if way.startswith("z2")) / latency[other])
    print(f"Latency of the best geometric mapping: {100 * min(savings):.0f} to {100 * max(savings):.0f} % less than {other} "
          f"(the paper's times of communication: {paper_says})")

table = Panel("Average hops of Table 1", "paper", "ours", "set logscale xy", "set key left top inside")
table.add("equal", [(low := min(x for p in pairs.values() for x, _ in p), low), (high := max(x for p in pairs.values() for x, _ in p), high)],
          "lines lw 1", "'gray'")
for number, order in enumerate(orders, 1):
    table.add(order, pairs[order], f"points pt {number + 3} ps 0.7", number)
panels = [table]
for column, name in ((2, "AverageHops"), (5, "Latency [ms]")):
    panel = Panel(f"MiniGhost on a machine like Titan: {name}", "tasks", name, "set logscale x 2")
    for number, way in enumerate(dict.fromkeys(row[1] for row in rows), 1):
        panel.add(way, [(row[0], row[column]) for row in rows if row[1] == way], color=number)
    panels.append(panel)
draw("geometric_mapping", panels)
