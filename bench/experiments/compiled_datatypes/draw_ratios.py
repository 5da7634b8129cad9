"""draw_ratios.py FILE: MPI's time over ours for packing each datatype, from the tables that the experiment printed."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plot import Panel, draw  # noqa: E402


def tables(lines):
    """For each MPI: its name, the names of the engines, and {datatype: ratios of packing}. Fused rows follow theirs."""
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")]
        if " rounds" in line:
            mpi = line.split(",")[0].replace("Version:", "").replace("\t", "").strip()
            engines, ratios = [], {}
            yield mpi, engines, ratios
        elif line.startswith("MPI's time / ours"):
            engines[:] = cells[2:cells.index("decode")]
        elif len(cells) > 3 and not line.startswith(" "):
            name = cells[0].rsplit(None, 1)[0]
            ratios[name] = [float(cell.split()[0]) for cell in cells[2:2 + len(engines)]]


with open(sys.argv[1]) as file:
    found = list(tables(file))
panels = []
for mpi, engines, ratios in found:
    panel = Panel(f"Packing: how many times as long {mpi} takes", "", "", "set logscale y", "set xtics rotate by -60 font ',9'")
    panel.add_bars(ratios, {engine: [row[number] for row in ratios.values()] for number, engine in enumerate(engines)
                            if engine != "interpreter"})
    panel.head += ["set yrange [0.5:*]", "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc 'black'"]
    panels.append(panel)
draw("compiled_datatypes", panels, height=520)
