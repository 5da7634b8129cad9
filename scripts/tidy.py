#!/usr/bin/env python3
"""tidy.py [--all | --since COMMIT]: clang-tidy over the sources of the library, the tools and the examples.

Without --all, over those that differ from a commit, and those that include what differs. The commit is that of --since, or
the last tag, or else the one that .ci/checked names, up to which all of it was looked at.
Reads the compilation database of build/release, which has to be configured."""

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
    """The command without what only GCC knows, and without the cache in front of the compiler."""
    words = shlex.split(command)
    while not words[0].endswith("c++"):
        words.pop(0)
    kept = []
    while words:
        word = words.pop(0)
        if word == "-include":
            words.pop(0)
        elif word not in gcc_only:
            kept.append(word)
    return shlex.join(kept)


def included_in(path):
    """What a file includes by quotes, as written."""
    return re.findall(r'^#include "([^"]+)"', pathlib.Path(path).read_text(), re.MULTILINE)


def sources_of(compiled):
    """The sources that one compilation is of: what is compiled together, or the file itself."""
    paths = [compiled]
    if "/generated/together/" in compiled:
        paths = [os.path.join(os.path.dirname(compiled), name) for name in included_in(compiled)]
    return [os.path.relpath(os.path.normpath(path), tree) for path in paths]


def compilations():
    """Those that have each source once, by the file that is compiled. Most have several sources: what they include is read once."""
    found, seen = {}, set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        ours = {path for path in sources_of(entry["file"]) if re.match(r"(src|examples)/.*\.cpp$", path)}
        if ours <= seen or "halocline_simulated_engine" in entry["command"]:
            continue
        seen |= ours
        found[os.path.relpath(entry["file"], tree)] = {**entry, "command": for_clang(entry["command"])}
    return found


def made_of(path, known):
    """The files of this tree that one includes, however far away, and itself."""
    if path not in known:
        known[path] = {path}
        for name in included_in(tree / path):
            for folder_of_name in ["src", "include", os.path.dirname(path)]:
                candidate = os.path.normpath(os.path.join(folder_of_name, name))
                if (tree / candidate).exists():
                    known[path] |= made_of(candidate, known)
                    break
    return known[path]


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
    everything = compilations()
    commit = None if options.all else options.since or base()
    changed = changed_since(commit) if commit else None
    if changed is None or ".clang-tidy" in changed:
        return everything
    print(f"Since {commit} {len(changed)} files have changed")
    known = {}
    return {path: entry for path, entry in everything.items() if made_of(path, known) & changed}


def look_at(path):
    # What is compiled together is a file that includes sources, which is not what one should write.
    done = subprocess.run(["clang-tidy", "-p", folder, "--quiet", "--warnings-as-errors=*", "--checks=-bugprone-suspicious-include",
                           "--header-filter=/(include/halocline|src|examples)/.*\\.[ch]pp$", tree / path],
                          capture_output=True, text=True)
    return path, done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="look at every source")
    which.add_argument("--since", metavar="COMMIT", help="look at what differs from this commit")
    options = parser.parse_args()
    if not (build / "compile_commands.json").exists():
        sys.exit("tidy.py: build/release is missing: cmake --preset release comes first")
    entries = chosen(options)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as workers:
        for number, (path, status, text) in enumerate(workers.map(look_at, sorted(entries)), 1):
            print(f"[{number}/{len(entries)}] {' '.join(sources_of(str(tree / path)))}", flush=True)
            if status != 0:
                failed += 1
                print(text, flush=True)
    if failed:
        sys.exit(f"clang-tidy finds fault in {failed} of {len(entries)} compilations")
    print(f"clang-tidy finds no fault in {len(entries)} compilations")


main()
