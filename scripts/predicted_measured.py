#!/usr/bin/env python3
"""predicted_measured.py [--measure] [--raw FILE] [--document FILE] [OPTION...]

Ten halo exchanges predicted, simulated and measured. For each layout of nodes, made of network namespaces (scripts/cluster.sh),
`halocline bench levels` measures what messages cost. With these prices `halocline plan` predicts, `halocline simulate` runs the
same grid, placement and schedule on a switch with links of these prices, and `halocline bench plan` measures what the library does
there. --measure does all that and keeps it in the file --raw; without it the table is made of what is there. --document
writes the table into a document, between its two comments "predicted and measured".

Needs root, Open MPI and SimGrid. --realtime runs all processes under chrt -f 1."""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

tree = pathlib.Path(__file__).resolve().parent.parent

# Layout, and the words of the problem.
PROBLEMS = [
    ("2x1", "--mesh 64x32x32 --periodic all --stencil moore:1 --fields 4"),
    ("2x1", "--mesh 256x128x128 --periodic all --stencil moore:1 --fields 4"),
    ("8x1", "--mesh 48x48x48 --periodic all --stencil moore:1"),
    ("8x1", "--mesh 4096x4096 --stencil nearest --halo 2"),
    ("4x4", "--mesh 512x512 --periodic all --stencil moore:1"),
    ("4x4", "--mesh 128x128x128 --stencil nearest"),
    ("8x2", "--mesh 96x96x96 --periodic all --stencil moore:1"),
    ("2x8", "--mesh 1000x900 --stencil nearest --halo 2"),
    ("4x8", "--mesh 64x64x64 --periodic all --stencil moore:1"),
    ("4x8", "--mesh 256x256x128 --stencil nearest --fields 4"),
]
BEGIN, END = "<!-- predicted and measured -->", "<!-- end of predicted and measured -->"


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="what is not in --raw yet")
    parser.add_argument("--minutes", type=float, default=10, help="to measure, at most")
    parser.add_argument("--raw", type=pathlib.Path, default=tree / "build" / "predicted_measured.json", help="where results are kept")
    parser.add_argument("--document", type=pathlib.Path, help="a document that gets the table")
    parser.add_argument("--rate", default="1000mbit", help="of the links between nodes")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--program", type=pathlib.Path, default=tree / "build" / "release" / "bin" / "halocline")
    parser.add_argument("--realtime", action="store_true", help="under chrt -f 1")
    return parser.parse_args()


def output(words, **environment):
    done = subprocess.run([str(word) for word in words], env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"predicted_measured.py: {' '.join(map(str, words))} ended with status {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout[done.stdout.index("{"):])


def on_cluster(words, layout, *command, **environment):
    realtime = ["chrt", "-f", "1"] if words.realtime else []
    return output([tree / "scripts" / "cluster.sh", f"{layout}@{words.rate}", *realtime, words.program, *command, "--json"], **environment)


def machine_text(layout, prices):
    """A switch with a link to each node; a message goes over two of them and costs its sender half of what it costs."""
    nodes, cores = layout.split("x")
    network, node = prices["network"], prices["node"]
    nanoseconds = {"link-latency": network["latency_seconds"] / 2, "node-latency": node["latency_seconds"],
                   "send-overhead": network["message_seconds"] / 2, "receive-overhead": network["message_seconds"] / 2}
    lines = [f"network: fat-tree:{nodes} bandwidth:{1e-9 / network['byte_seconds']:.9f}", f"cores: {cores}",
             f"node-bandwidth: {1 / node['byte_seconds']:.0f} B/s"]
    lines += [f"{name}: {max(1, round(1e9 * seconds))} ns" for name, seconds in nanoseconds.items()]
    return "\n".join(lines) + "\n"


def measured(words, layout, problem, prices_file, folder):
    """One problem all three ways; measured first, so that the others are about what really ran."""
    words_of = problem.split()
    real = on_cluster(words, layout, "bench", "plan", *words_of, "--runs", words.runs, "--repetitions", words.repetitions,
                      HALOCLINE_PRICES=str(prices_file))["results"][0]
    plan = output([words.program, "plan", *words_of, "--nodes", layout, "--alpha-beta", prices_file, "--json"])
    chosen = plan["plan"]
    machine = folder / f"{layout}.machine"
    machine.write_text(machine_text(layout, plan["problem"]["prices"]))
    simulated = output([words.program, "simulate", "--machine", machine, "--nodes", layout, *words_of, "--place", chosen["placement"],
                        "--schedule", chosen["schedule"], "--json"])["results"][0]
    return {"layout": layout, "problem": problem, "grid": chosen["grid"], "placement": chosen["placement"], "schedule": chosen["schedule"],
            "prices": plan["problem"]["prices"], "predicted": chosen["seconds"], "simulated": simulated["seconds"], "measured": real["seconds"],
            "least": real["least_seconds"], "most": real["most_seconds"],
            "as_planned": (real["grid"], real["schedule"]) == (chosen["grid"], chosen["schedule"])}


def measure_all(words, rows):
    end = time.monotonic() + 60 * words.minutes
    done = {(row["layout"], row["problem"]) for row in rows}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for layout, problem in PROBLEMS:
            if (layout, problem) in done or time.monotonic() > end:
                continue
            print(f"{layout}: {problem}", file=sys.stderr, flush=True)
            prices = folder / f"{layout}.prices"
            if not prices.exists():
                on_cluster(words, layout, "bench", "levels", HALOCLINE_PRICES=str(prices))
            rows.append(measured(words, layout, problem, prices, folder))
            words.raw.parent.mkdir(parents=True, exist_ok=True)
            words.raw.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


def time_text(seconds):
    if seconds < 1e-3:
        return f"{1e6 * seconds:.3g} us"
    return f"{1e3 * seconds:.2f} ms"


def table(rows):
    lines = ["| nodes | problem | grid | schedule | predicted | simulated | measured | measured / predicted | measured / simulated |",
             "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    ratios = {"predicted": [], "simulated": []}
    for row in sorted(rows, key=lambda row: PROBLEMS.index((row["layout"], row["problem"]))):
        for way in ratios:
            ratios[way].append(row["measured"] / row[way])
        problem = row["problem"].replace("--", "").replace("mesh ", "").replace(" all", "").replace("stencil ", "")
        lines.append(f"| {row['layout']} | {problem} | {'x'.join(map(str, row['grid']))} | {row['schedule']} | {time_text(row['predicted'])} | "
                     f"{time_text(row['simulated'])} | {time_text(row['measured'])} ({time_text(row['least'])} - {time_text(row['most'])}) | "
                     f"{ratios['predicted'][-1]:.2f} | {ratios['simulated'][-1]:.2f} |")
    errors = [f"{way} times miss by a factor of {math.exp(statistics.mean(abs(math.log(ratio)) for ratio in all_of)):.2f} in the geometric mean, "
              f"{max(max(ratio, 1 / ratio) for ratio in all_of):.2f} at worst" for way, all_of in ratios.items()]
    text = f"The {errors[0]}; the {errors[1]}."
    others = [row for row in rows if not row["as_planned"]]
    if others:
        text += f" In {len(others)} of them the job chose another grid or schedule than the plan."
    prices = {row["layout"]: row["prices"] for row in rows}
    lines += ["", text, "", "Prices that were measured:", "", "| nodes | network: message | GB/s | under way | node: message | GB/s | under way |",
              "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for layout, price in prices.items():
        cells = [cell for level in ("network", "node") for cell in (time_text(price[level]["message_seconds"]), f"{1e-9 / price[level]['byte_seconds']:.3g}",
                                                                    time_text(price[level]["latency_seconds"]))]
        lines.append("| " + " | ".join([layout, *cells]) + " |")
    return "\n".join(lines)


def write_into(document, text):
    old = document.read_text()
    begin, end = old.find(BEGIN), old.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"predicted_measured.py: {document} has no lines {BEGIN} and {END}")
    document.write_text(old[:begin + len(BEGIN)] + "\n" + text + "\n" + old[end:])


def main():
    words = options()
    rows = json.loads(words.raw.read_text())["rows"] if words.raw.exists() else []
    if words.measure:
        measure_all(words, rows)
    if not rows:
        sys.exit(f"predicted_measured.py: there are no results in {words.raw}")
    text = table(rows)
    print(text)
    if words.document:
        write_into(words.document, text)


if __name__ == "__main__":
    main()
