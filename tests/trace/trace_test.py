"""A program by itself and under halocline trace: it must print the same, and the trace must have exactly the messages that
the program knows of. Usage: trace_test.py [options] -- LAUNCHER... PROGRAM

The program gets a folder as its argument, in which each rank leaves what it sent, unless --expect says it."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--tool", required=True, help="the halocline program")
parser.add_argument("--ranks", type=int, required=True)
parser.add_argument("--expect", action="append", default=[],
                    help="a line of the trace for each rank, with {rank}, {next} and {before} in it; first?8 is 8 on rank 0 and 0 on others")
parser.add_argument("--killed", action="store_true", help="the program is killed; its parts have all it sent")
parser.add_argument("--option", action="append", default=[], help="another option of halocline trace")
parser.add_argument("--nodes", type=int, default=1)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("command", nargs="+")
options = parser.parse_args()


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"no end after {options.seconds} s: {late.cmd}\n{str(late.stdout)[-2000:]}\n{str(late.stderr)[-2000:]}")


def check(right, *words):
    if not right:
        sys.exit("\n".join(str(word) for word in words))


def expected_lines(folder):
    lines = {}
    for rank in range(options.ranks):
        for form in options.expect:
            text = form.format(rank=rank, next=(rank + 1) % options.ranks, before=(rank - 1) % options.ranks)
            *key, messages, sent = re.sub(r"first\?(\d+)", lambda found: found[1] if rank == 0 else "0", text).split()
            if int(messages) > 0:
                add(lines, key, int(messages), int(sent))
        path = folder / f"expected.{rank}"
        if path.exists():
            for line in path.read_text().splitlines():
                *key, messages, sent = line.split()
                add(lines, key, int(messages), int(sent))
    return lines


def add(lines, key, messages, sent):
    before = lines.get(tuple(key), (0, 0))
    lines[tuple(key)] = (before[0] + messages, before[1] + sent)


def traced_lines(texts):
    lines, processes = {}, {}
    for text in texts:
        first, ranks, *rest, last = text.splitlines()
        check((first, ranks, last) == ("halocline trace 1", f"ranks {options.ranks}", "end"), "not the form of a trace", text)
        for line in rest:
            word, *values = line.split()
            if word in ("flow", "collective"):
                add(lines, [word, *values[:-2]], int(values[-2]), int(values[-1]))
            elif word == "process":
                check(values[0] not in processes and float(values[1]) > 0, "twice, or in no time", line)
                processes[values[0]] = values[2]
            else:
                check(word == "time" and int(values[2]) > 0 and float(values[3]) >= 0, "what is that", line)
                check(float(values[3]) < options.seconds, "more time than there was", line)
    check(sorted(map(int, processes)) == list(range(options.ranks)), "not one part of each process", processes)
    check(len(set(processes.values())) == options.nodes, "other nodes", processes)
    return lines


def difference(expected, found):
    lines = []
    for key in sorted(set(expected) | set(found)):
        if expected.get(key) != found.get(key):
            lines.append(f"{' '.join(key)}: expected {expected.get(key)}, traced {found.get(key)}")
    return lines


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    output = folder / "job.trace"
    if not options.killed:
        plain = run([*options.command, name])
        check(plain.returncode == 0, f"status {plain.returncode} by itself", plain.stdout, plain.stderr)
    traced = run([options.tool, "trace", "--output", str(output), *options.option, "--", *options.command, name])
    if options.killed:
        check(traced.returncode != 0 and not output.exists(), "it was not killed", traced.stdout, traced.stderr)
        files = sorted(folder.glob("job.trace.part.*"))
    else:
        check(traced.returncode == 0, f"status {traced.returncode} when it is traced", traced.stdout, traced.stderr)
        check(traced.stdout == plain.stdout, "without:", plain.stdout, "with:", traced.stdout)
        check("halocline" not in traced.stderr, traced.stderr)
        others = [path.name for path in folder.iterdir() if not path.name.startswith("expected.") and path != output]
        check(not others, "files that nobody asked for", others)
        files = [output]
    expected, found = expected_lines(folder), traced_lines([path.read_text() for path in files])
    wrong = difference(expected, found)
    check(not wrong, f"{len(wrong)} of {len(expected)} lines are wrong:", *wrong[:60])

    shown = run([options.tool, "trace", "--show", "--json", *map(str, files)])
    check(shown.returncode == 0, shown.stderr)
    answer = json.loads(shown.stdout)
    flows = [volume for key, volume in found.items() if key[0] == "flow"]
    for rows in answer["ways"], answer["places"]:
        check(sum(row["messages"] for row in rows) == sum(volume[0] for volume in flows), "messages of", rows)
        check(sum(row["bytes"] for row in rows) == sum(volume[1] for volume in flows), "bytes of", rows)
    people = run([options.tool, "trace", "--show", *map(str, files)])
    check(people.stdout.startswith(f"{options.ranks} rank"), people.stdout, people.stderr)
    print(f"{len(expected)} lines are right\n{people.stdout}")
