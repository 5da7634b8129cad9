"""compare.py FILE: what the tables that the experiment printed show beside the figures of the paper, and a plot of MPI's time
over ours for packing each datatype."""

import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plot import Panel, draw  # noqa: E402


def tables(lines):
    """For each MPI: its name, and for each engine {datatype: (ratio of packing, packings after which it pays or None)}.
    Fused rows follow theirs."""
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")]
        if " rounds" in line:
            mpi = line.split(",")[0].replace("Version:", "").replace("\t", "").strip()
            engines = {}
            yield mpi, engines
        elif line.startswith("MPI's time / ours"):
            names = cells[2:cells.index("decode")]
            compiled = cells[cells.index("decode") + 1:]
        elif len(cells) > 3 and not line.startswith(" "):
            datatype = cells[0].rsplit(None, 1)[0]
            pays = {name: cell.split()[1] for name, cell in zip(compiled, cells[3 + len(names):])}
            for name, cell in zip(names, cells[2:]):
                at = pays.get(name, "never")
                engines.setdefault(name, {})[datatype] = (float(cell.split()[0]), int(at) if at != "never" else None)


def tell(mpi, engine, rows):
    """Beside what the paper says of the 96 datatypes of MILC, against Cray MPI."""
    ratios = [ratio for ratio, _ in rows.values()]
    pays = [at if at is not None else float("inf") for _, at in rows.values()]
    print(f"{mpi}, {engine}: {sum(ratio > 7 for ratio in ratios) / len(ratios):.0%} of {len(ratios)} datatypes are packed in less than a "
          f"seventh of MPI's time (paper, of MILC's: 73 %), the best in 1/{max(ratios):.0f} (1/38), {sum(ratio < 1 for ratio in ratios)} "
          f"in more (none); compiling pays after {statistics.median(pays):.0f} packings in the median (520)")


with open(sys.argv[1]) as file:
    found = list(tables(file))
panels = []
for mpi, engines in found:
    for engine in ("kernels", "llvm"):
        if engine in engines:
            tell(mpi, engine, engines[engine])
    panel = Panel(f"Packing: how many times as fast as {mpi}", "", "", "set logscale y", "set xtics rotate by -60 font ',9'")
    panel.add_bars(next(iter(engines.values())), {engine: [ratio for ratio, _ in rows.values()] for engine, rows in engines.items()})
    panel.head += ["set yrange [0.5:*]", "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc 'black'"]
    panels.append(panel)
draw("compiled_datatypes", panels, height=520)
