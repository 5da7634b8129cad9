#!/usr/bin/env python3
"""speed_tables.py [--tables LIST] [--seconds S] [--no-realtime] [--dry]

Measures tables of docs/exchange.md and docs/halo.md and writes them there, between the comments "speed NAME ARCHITECTURE" and "end of
speed": those of this machine's architecture, with the machine and the commit. Tables of another architecture stay as they are.
Each column is one job of `halocline bench`, all ways in turns, in an order by chance. --tables has names with commas between them
(default: all); --dry prints the commands and does nothing.

Needs Open MPI, and root for tables between nodes (scripts/cluster.sh). On a machine that has other things to do the numbers are
worth nothing."""

import argparse
import collections
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

tree = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = tree / "build" / "release" / "bin" / "halocline"

# A column: its heading, the layout of processes, words of the command line, and the ways that are shown, behind MPI's.
Column = collections.namedtuple("Column", "heading layout words ways")
# A table: its document, what its rows are in the answer, and its columns.
Table = collections.namedtuple("Table", "document key columns")

ONE_NODE = "exchange --bytes 1,64,1024,4096,16384,65536"
CLUSTER = "exchange --grid 4x4x2 --bytes 1,64,1024,4096,16384,65536"
HALO = "halo --fields 1 --local 32,64,128"
HALO_WAYS = ["hand", "view", "field"]
TABLES = {
    "one-node": Table("docs/exchange.md", "block_bytes", [
        Column("2 processes", "2", ONE_NODE + ",1048576", ["hand", "auto", "copy"]),
        Column("8", "8", ONE_NODE, ["hand", "auto", "copy"]),
        Column("16", "16", ONE_NODE, ["hand", "auto", "copy"])]),
    "one-node-342": Table("docs/exchange.md", "block_bytes", [
        Column("16 processes", "16", "exchange --stencil moore:3 --bytes 1,64,1024,16384", ["hand", "auto"])]),
    "four-nodes": Table("docs/exchange.md", "block_bytes", [
        Column("alltoall", "4x8", CLUSTER, ["torus", "auto"]),
        Column("allgather", "4x8", CLUSTER + " --operation allgather", ["torus", "auto"])]),
    "four-nodes-342": Table("docs/exchange.md", "block_bytes", [
        Column("alltoall", "4x8", "exchange --grid 4x4x2 --stencil moore:3 --bytes 1,64,1024", ["torus", "auto"])]),
    "halo-one-node": Table("docs/halo.md", "local", [
        Column("2 processes", "2", HALO, HALO_WAYS), Column("8", "8", HALO, HALO_WAYS), Column("16", "16", HALO, HALO_WAYS)]),
    "halo-four-nodes": Table("docs/halo.md", "local", [
        Column("4 nodes of 8", "4x8", "halo --grid 4x4x2 --fields 4 --local 16,32,64,128", ["datatype", "packed", *HALO_WAYS])]),
}


def size_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


# What rows are called, and how.
ROWS = {"block_bytes": ("block", size_text), "local": ("local points", lambda size: f"{size}^3")}
NAMES = {"auto": "Halocline", "copy": "copies alone"}
OURS = ("auto", "view", "field")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=lambda text: text.split(","), default=list(TABLES))
    parser.add_argument("--seconds", type=float, default=3, help="for a cell of a column, about")
    parser.add_argument("--realtime", action=argparse.BooleanOptionalAction, default=True, help="under chrt -f 1")
    parser.add_argument("--dry", action="store_true")
    words = parser.parse_args()
    for name in words.tables:
        if name not in TABLES:
            parser.error(f"--tables {name}: they are {', '.join(TABLES)}")
    return words


def command(words, column):
    realtime = ["chrt", "-f", "1"] if words.realtime else []
    if "x" in column.layout:
        launcher = ["scripts/cluster.sh", f"{column.layout}@1000mbit", *realtime]
    else:
        crowded = ["--mca", "mpi_yield_when_idle", "1"] if int(column.layout) > os.cpu_count() else []
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        launcher = [*realtime, "mpirun", *root, "--oversubscribe", *crowded, "-n", column.layout]
    return [*launcher, str(PROGRAM.relative_to(tree)), "bench", *column.words.split(), "--ways", ",".join(["mpi", *column.ways]),
            "--seconds", f"{words.seconds:g}"]


def measured(words, key, column):
    """Rows of the answer by size and way."""
    line = command(words, column)
    print(" ".join(line), file=sys.stderr, flush=True)
    if words.dry:
        return {}
    job = subprocess.run([*line, "--json"], cwd=tree, env={"HALOCLINE_PRICES": "none", **os.environ}, stdout=subprocess.PIPE, text=True,
                         timeout=900, check=False)
    if job.returncode != 0:
        sys.exit(f"speed_tables.py: {' '.join(line)} ended with status {job.returncode}")
    answer = json.loads(job.stdout[job.stdout.index("{"):])
    return {(row[key], row["way"]): row for row in answer["results"]}


def cell_text(row, ours):
    if row is None:
        return ""
    text = f"{row['ratio']:.2f}"
    if not ours:
        return text
    text += f" ({row['lowest_ratio']:.2f}-{row['highest_ratio']:.2f})"
    return text if row["schedule"] in ("", "direct") else f"{text} {row['schedule']}"


def table_text(table, answers):
    title, row_text = ROWS[table.key]
    heading = [title]
    for column in table.columns:
        for way in column.ways:
            name = NAMES.get(way, way)
            heading.append(f"{column.heading}: {name}" if way == column.ways[0] else name)
    sizes = sorted({size for answer in answers for size, _ in answer})
    lines = ["| " + " | ".join(heading) + " |", "|" + " ---: |" * len(heading)]
    for size in sizes:
        cells = [cell_text(answer.get((size, way)), way in OURS) for column, answer in zip(table.columns, answers) for way in column.ways]
        lines.append("| " + " | ".join([row_text(size), *cells]) + " |")
    return "\n".join(lines)


def machine_text():
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    name = " ".join(cpu.group(1).replace("(R)", "").split()) if cpu else platform.machine()
    mpi = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\d+\.\d+\.\d+", mpi)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=tree, capture_output=True, text=True, check=False).stdout.strip()
    return (f"{platform.machine()}, {name}, {os.cpu_count()} cores, Open MPI {version.group(0) if version else 'of unknown version'}, "
            f"commit {commit or 'unknown'}")


def write_into(document, name, text):
    old = document.read_text()
    begin, end = f"<!-- speed {name} {platform.machine()} -->", "<!-- end of speed -->"
    start = old.find(begin)
    stop = old.find(end, start)
    if start < 0 or stop < 0:
        sys.exit(f"speed_tables.py: {document.relative_to(tree)} has no lines {begin} and, behind it, {end}")
    document.write_text(old[:start + len(begin)] + "\n" + text + "\n" + old[stop:])


def main():
    words = options()
    for name in words.tables:
        table = TABLES[name]
        answers = [measured(words, table.key, column) for column in table.columns]
        if words.dry:
            continue
        text = f"{machine_text()}:\n\n{table_text(table, answers)}"
        print(text, flush=True)
        write_into(tree / table.document, name, text)


if __name__ == "__main__":
    main()
