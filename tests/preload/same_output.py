#!/usr/bin/env python3
"""same_output.py [options] -- LAUNCHER... PROGRAM...: runs a program without and with the preload library.

Both must end well and print the same, and the summary of the second must have all that --expect names.
The launcher gets the variables for its ranks by --variable-option (-x for Open MPI, -genv for Hydra)."""

import argparse
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--preload", required=True, help="the preload library")
parser.add_argument("--beside", default="", help="another library to preload in both runs")
parser.add_argument("--launcher", required=True, choices=["openmpi", "mpich"])
parser.add_argument("--expect", action="append", default=[], help="a regular expression that the summary must match")
parser.add_argument("--variable", action="append", default=[], help="NAME=VALUE for the second run")
parser.add_argument("--lines", default="", help="compare only lines that match this: others have times in them")
parser.add_argument("--seconds", type=float, default=240)
parser.add_argument("command", nargs="+")
options = parser.parse_args()


def with_variables(variables):
    """The command line that hands the variables to the ranks and to nobody else."""
    words = [options.command[0]]
    for name, value in variables.items():
        words += ["-x", f"{name}={value}"] if options.launcher == "openmpi" else ["-genv", name, value]
    return words + options.command[1:]


def run(variables):
    try:
        return subprocess.run(with_variables(variables), capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"no end after {options.seconds} s: {late.cmd}\n{late.stdout}\n{late.stderr}")


def results(done):
    return [line for line in done.stdout.splitlines() if re.search(options.lines, line)]


libraries = [name for name in [options.preload, options.beside] if name]
plain = run({"LD_PRELOAD": options.beside} if options.beside else {})
ours = run({"LD_PRELOAD": ":".join(libraries), "HALOCLINE_LOG": "info",
            **dict(word.split("=", 1) for word in options.variable)})

if plain.returncode != 0:
    sys.exit(f"status {plain.returncode} without the preload library\n{plain.stdout}\n{plain.stderr}")
if ours.returncode != 0:
    sys.exit(f"status {ours.returncode} with the preload library\n{ours.stdout}\n{ours.stderr}")
if results(plain) != results(ours) or not results(plain):
    sys.exit(f"without:\n{plain.stdout}\nwith:\n{ours.stdout}\n{ours.stderr}")
for expected in options.expect:
    if not re.search(expected, ours.stderr):
        sys.exit(f"no \"{expected}\" in\n{ours.stderr}")
print(f"{len(results(plain))} lines are the same\n{ours.stderr}")
