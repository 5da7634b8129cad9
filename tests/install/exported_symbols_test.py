#!/usr/bin/env python3
"""exported_symbols_test.py LIBRARY [--update]: what the shared library gives to programs is what exported_symbols.txt lists.

A symbol that went, or whose type changed, breaks programs: CONTRIBUTING.md, "Versions", says what has to be raised then.
"""
import pathlib
import subprocess
import sys

listed = pathlib.Path(__file__).with_name("exported_symbols.txt")
# Handles of Open MPI, as programs write them.
handles = {"ompi_communicator_t*": "MPI_Comm", "ompi_info_t*": "MPI_Info"}


def symbols(library):
    printed = subprocess.run(["nm", "-D", "--defined-only", "--demangle", library], check=True, capture_output=True,
                             text=True).stdout
    found = set()
    for line in printed.splitlines():
        name = line.split(maxsplit=2)[2]
        for theirs, ours in handles.items():
            name = name.replace(theirs, ours)
        found.add(name)
    return sorted(found)


def main(library, update=None):
    found = symbols(library)
    if update == "--update":
        listed.write_text("\n".join(found) + "\n")
        return
    expected = listed.read_text().splitlines()
    gone = sorted(set(expected) - set(found))
    new = sorted(set(found) - set(expected))
    for name in gone:
        print("no longer there:", name)
    for name in new:
        print("not in the list:", name)
    if gone or new:
        sys.exit(f"{len(gone)} symbols of {listed.name} are gone, {len(new)} are new. If that is meant:\n"
                 f"  {sys.argv[0]} {library} --update\nand see CONTRIBUTING.md, \"Versions\".")
    print(f"{len(found)} symbols, as listed")


main(*sys.argv[1:])
