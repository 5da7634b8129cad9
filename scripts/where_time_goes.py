#!/usr/bin/env python3
"""where_time_goes.py: what the last builds and tests in build/ took, part by part. Seconds of compiling are those of single
commands added up, several of which run at a time; objects out of the compiler cache take next to nothing."""

import collections
import pathlib
import re

build = pathlib.Path(__file__).resolve().parent.parent / "build"


def part_of_object(path):
    """"src/tools" out of "src/tools/CMakeFiles/...", "programs and libraries" for what is linked."""
    words = path.split("/CMakeFiles/")[0].split("/")
    if not path.endswith((".o", ".gch")):
        return "linking, page, Fortran"
    return "precompiled headers" if path.endswith(".gch") else "/".join(words[:2])


def compiled(log):
    seconds, objects = collections.Counter(), collections.Counter()
    last = {}
    for line in log.read_text().splitlines()[1:]:
        begin, end, _, path, _ = line.split("\t")
        if not path.startswith("/"):
            last[path] = (int(end) - int(begin)) / 1000
    for path, took in last.items():
        seconds[part_of_object(path)] += took
        objects[part_of_object(path)] += 1
    return seconds, objects


def part_of_test(name):
    words = name.split(".")
    if words[0] == "mpi":
        return ".".join(words[2:3] if words[2] != "preload" else ["preload"])
    return words[0]


def tested(log):
    seconds, entries, tries = collections.Counter(), collections.Counter(), collections.Counter()
    name = None
    for line in log.read_text(errors="replace").splitlines():
        if begun := re.match(r"\d+/\d+ Testing: (\S+)", line):
            name = part_of_test(begun[1])
            tries[begun[1]] += 1
        elif ended := re.match(r"Test time = +([\d.]+) sec", line):
            seconds[name] += float(ended[1])
            entries[name] += 1
    for test in (test for test, count in tries.items() if count > 1):
        print(f"RAN OUT OF TIME at first, and had a second try: {test}")
    return seconds, entries


def print_table(title, seconds, numbers, of_what):
    print(f"{title}: {sum(numbers.values())} {of_what}, {sum(seconds.values()):.0f} s")
    for part, took in seconds.most_common():
        print(f"  {part:<24} {numbers[part]:4} {took:8.1f} s")


for preset in ["release", "mpich", "dev"]:
    if (log := build / preset / ".ninja_log").exists():
        print_table(f"Compiled for {preset}", *compiled(log), "files")
    if (log := build / preset / "Testing/Temporary/LastTest.log").exists():
        print_table(f"Tested with {preset}", *tested(log), "entries")
