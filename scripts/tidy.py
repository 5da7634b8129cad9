#!/usr/bin/env python3
"""tidy.py [--all | --since COMMIT]: clang-tidy over the sources of the library, the tools and the examples.

Without --all, over those that differ from a commit, and those that include what differs. The commit is that of --since, or
the last tag, or else the one that .ci/checked names, up to which all of it was looked at.
Reads the compilation database of build/release, which has to be built."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

tree = pathlib.Path(__file__).resolve().parent.parent
build = tree / "build/release"
folder = tree / "build/tidy"
# What GCC is told and clang does not know; precompiled headers are GCC's own.
gcc_only = {"-fno-tree-loop-distribute-patterns", "-fpch-preprocess", "-Winvalid-pch"}


def output_of(*command, folder=tree):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def for_clang(command):
    words = shlex.split(command)
    kept = []
    while words:
        word = words.pop(0)
        if word == "-include":
            words.pop(0)
        elif word not in gcc_only:
            kept.append(word)
    return shlex.join(kept)


def sources():
    """Each source once, with the command that compiles it and the object it becomes."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = os.path.relpath(entry["file"], tree)
        if not re.match(r"(src|examples)/.*\.cpp$", path) or "halocline_simulated_engine" in entry["command"]:
            continue
        found.setdefault(path, {"directory": entry["directory"], "file": entry["file"],
                                "command": for_clang(entry["command"]),
                                "output": re.search(r" -o (\S+)", entry["command"])[1]})
    return found


def includes():
    """The files of this tree that each object was made of, as the build noted them."""
    made_of, target = {}, None
    for line in output_of("ninja", "-t", "deps", folder=build).splitlines():
        if line and not line.startswith(" "):
            target = line.split(":")[0]
            made_of[target] = set()
        elif line:
            made_of[target].add(os.path.relpath(os.path.normpath(build / line.strip()), tree))
    return made_of


def base():
    tag = subprocess.run(["git", "describe", "--tags", "--abbrev=0"], cwd=tree, capture_output=True, text=True)
    return tag.stdout.strip() if tag.returncode == 0 else (tree / ".ci/checked").read_text().split()[0]


def changed_since(commit):
    try:
        return set(output_of("git", "diff", "--name-only", commit).split()
                   + output_of("git", "ls-files", "--others", "--exclude-standard").split())
    except subprocess.CalledProcessError:
        print(f"There is no commit {commit} here: everything is looked at")
        return None


def chosen(options):
    all_sources = sources()
    commit = None if options.all else options.since or base()
    changed = changed_since(commit) if commit else None
    if changed is None or ".clang-tidy" in changed:
        return all_sources
    made_of = includes()
    print(f"Since {commit} {len(changed)} files have changed")
    return {path: entry for path, entry in all_sources.items()
            if ({path} | made_of.get(entry["output"], set())) & changed}


def look_at(path):
    done = subprocess.run(["clang-tidy", "-p", folder, "--quiet", "--warnings-as-errors=*", tree / path],
                          capture_output=True, text=True)
    return path, done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="look at every source")
    which.add_argument("--since", metavar="COMMIT", help="look at what differs from this commit")
    options = parser.parse_args()
    if not (build / "compile_commands.json").exists():
        sys.exit("tidy.py: build/release is missing: scripts/build.sh release comes first")
    entries = chosen(options)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as workers:
        for number, (path, status, text) in enumerate(workers.map(look_at, sorted(entries)), 1):
            print(f"[{number}/{len(entries)}] {path}", flush=True)
            if status != 0:
                failed += 1
                print(text, flush=True)
    if failed:
        sys.exit(f"clang-tidy finds fault with {failed} of {len(entries)} files")
    print(f"clang-tidy finds no fault with {len(entries)} files")


main()
