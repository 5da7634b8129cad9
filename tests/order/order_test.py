"""A program by itself and under halocline run --order. Usage: order_test.py [options] CHECK -- LAUNCHER... PROGRAM [WORD...]

same: it prints the same by random orders, but for the lines that begin with "process". With --places these lines say that each
process has the number that its order gives it: "process LAUNCHED RANK NODE", where NODE is the lowest rank there that the launcher
gave. alone: the launcher's numbers stay, and --expect is said once. force: it ends, and not well."""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--tool", required=True, help="the halocline program")
parser.add_argument("--ranks", type=int, required=True)
parser.add_argument("--nodes", help="as an order has them; one of all ranks")
parser.add_argument("--seeds", default="1", help="of random orders, with commas")
parser.add_argument("--off", default="reorder,neighbor,types", help="what halocline run leaves to MPI")
parser.add_argument("--log", action="store_true", help="halocline run --log")
parser.add_argument("--places", action="store_true")
parser.add_argument("--machine", help="HALOCLINE_MACHINE: nodes are those of --nodes, in turn")
parser.add_argument("--expect", help="a regular expression of what is said on stderr")
parser.add_argument("--file", help="cut, none: what becomes of the file behind the back of halocline run")
parser.add_argument("--for-ranks", type=int, help="as many as the order is for")
parser.add_argument("--variable", action="append", default=[], help="NAME=VALUE for the second run, behind halocline run; {} is LD_PRELOAD as it is")
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("check", choices=["same", "alone", "force"])
parser.add_argument("command", nargs="+")
options = parser.parse_args()
options.nodes = options.nodes or str(options.ranks)


def need(right, *words):
    if not right:
        sys.exit("\n".join(str(word) for word in words))


def run(command, **variables):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, env={**os.environ, **variables})
    except subprocess.TimeoutExpired as late:
        sys.exit(f"no end after {options.seconds} s: {late.cmd}\n{late.stdout}\n{late.stderr}")


def results(done):
    return [line for line in done.stdout.splitlines() if not line.startswith("process ")]


def processes(done):
    return sorted(tuple(map(int, line.split()[1:])) for line in done.stdout.splitlines() if line.startswith("process "))


def order_of(seed):
    ranks = list(range(options.for_ranks or options.ranks))
    random.Random(seed).shuffle(ranks)
    if ranks == sorted(ranks):
        ranks.reverse()
    return ranks


def text_of(ranks):
    return f"halocline order 1\nnodes {options.nodes}\nranks {','.join(map(str, ranks))}\nend\n"


def node_sorted(found):
    """Ranks of the launcher, node after node; on described nodes they follow each other."""
    return [launched for launched, _, node in sorted(found, key=lambda one: (0 if options.machine else one[2], one[0]))]


def ordered(path, command):
    words = [options.tool, "run", "--order", str(path)]
    if options.off:
        words += ["--off", options.off]
    if options.log:
        words += ["--log"]
    variables = {"HALOCLINE_MACHINE": options.machine} if options.machine else {}
    behind = [word.replace("{}", os.environ.get("LD_PRELOAD", "")) for word in options.variable]
    if options.file == "none":
        behind.append(f"HALOCLINE_ORDER={path}.gone")
    elif options.file == "cut":
        cut = pathlib.Path(f"{path}.cut")
        cut.write_text(path.read_text()[:-5])
        behind.append(f"HALOCLINE_ORDER={cut}")
    return run([*words, "--", *(["env", *behind] if behind else []), *command], **variables)


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("halocline: ")]


with tempfile.TemporaryDirectory() as name:
    os.chdir(name)  # programs may leave something
    path = pathlib.Path(name) / "job.order"
    command = [word.replace("{folder}", name) for word in options.command]
    if options.check == "force":
        path.write_text(text_of(order_of(1)))
        done = ordered(path, command)
        need(done.returncode != 0, "it ended well", done.stdout, done.stderr)
        need(re.search(options.expect or "", done.stdout + done.stderr), f"no '{options.expect}' in", done.stdout, done.stderr)
        sys.exit()
    if options.check == "alone":
        path.write_text(text_of(order_of(1)))
        done = ordered(path, command)
        need(done.returncode == 0 and results(done), f"status {done.returncode}", done.stdout, done.stderr)
        need([one[0] for one in processes(done)] == list(range(options.ranks)), "not all processes", done.stdout)
        need(all(launched == rank for launched, rank, _ in processes(done)), "other numbers", done.stdout, done.stderr)
        need(len(said(done)) == 1 and re.search(options.expect, said(done)[0]), f"not '{options.expect}' once in", done.stderr)
        sys.exit()
    plain = run(command)
    need(plain.returncode == 0 and plain.stdout, f"status {plain.returncode} by itself", plain.stdout, plain.stderr)
    for seed in options.seeds.split(","):
        ranks = order_of(seed)
        path.write_text(text_of(ranks))
        done = ordered(path, command)
        need(done.returncode == 0, f"status {done.returncode} by the order {ranks}", done.stdout, done.stderr)
        need(results(done) == results(plain), "without:", plain.stdout, f"by the order {ranks}:", done.stdout, done.stderr)
        need(options.log or not said(done), "something is said", done.stderr)
        need(re.search(options.expect or "", done.stderr), f"no '{options.expect}' in", done.stderr)
        if options.places:
            found = processes(done)
            need(len(found) == options.ranks, "not all processes", done.stdout)
            numbers = {launched: rank for launched, rank, _ in found}
            expected = dict(zip(node_sorted(found), ranks))
            need(numbers == expected, f"by the order {ranks} it is", expected, "and was", numbers)
    print(f"{len(results(plain))} lines are the same")
