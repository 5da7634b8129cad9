#!/usr/bin/env python3
"""spdx.py [--add]: every source that users get names its licence in its first comment. --add writes it where it is missing."""

import pathlib
import subprocess
import sys

tree = pathlib.Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: BSD-3-Clause"  # as LICENSE says
COMMENTS = {
    **dict.fromkeys((".cpp", ".cu", ".hpp", ".inc", ".def", ".js", ".mjs"), f"// {LINE}\n"),
    **dict.fromkeys((".c", ".h", ".css"), f"/* {LINE} */\n"),
    **dict.fromkeys((".f90", ".F90"), f"! {LINE}\n"),
    ".py": f"# {LINE}\n",
    ".html": f"<!-- {LINE} -->\n",
}


def sources():
    """Each file with the comment that belongs into it."""
    listed = subprocess.run(["git", "ls-files", "include", "src", "python", "examples", "cmake"], cwd=tree, check=True,
                            capture_output=True, text=True).stdout
    for name in listed.splitlines():
        path = tree / name
        suffix = pathlib.Path(name.removesuffix(".in")).suffix  # of what becomes of a template
        if suffix == ".inc" and "/fortran/" in name:
            suffix = ".f90"
        if suffix in COMMENTS and path.exists():
            yield path, COMMENTS[suffix]


def place_of(lines):
    """In which line the comment stands: the first one that no program reads."""
    return 1 if lines and lines[0].lower().startswith(("#!", "<!doctype")) else 0


def main():
    missing = 0
    for path, comment in sources():
        lines = path.read_text().splitlines(keepends=True)
        place = place_of(lines)
        if lines[place:place + 1] == [comment]:
            continue
        missing += 1
        if "--add" in sys.argv[1:]:
            path.write_text("".join([*lines[:place], comment, *lines[place:]]))
        else:
            print(f"{path.relative_to(tree)}:{place + 1}: here should stand {comment}", end="")
    if "--add" in sys.argv[1:]:
        print(f"{missing} files name their licence now")
    elif missing:
        sys.exit(f"{missing} files do not name their licence: scripts/spdx.py --add")
    else:
        print("Every source names its licence")


main()
