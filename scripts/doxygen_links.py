#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""doxygen_links.py DOCUMENT: prints a document as Doxygen wants it, so that links to headings lead there in the reference, too.

Each heading below the title gets a name of its own, that of its document in front, and links name it so.
"""
import pathlib
import re
import sys


def anchor(heading):
    """The name that a heading has in links: small letters and '-' for blanks, without signs."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def named(document, name):
    return f"{pathlib.PurePath(document).stem}_{name}"


def converted(document, lines):
    fenced = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and (heading := re.match(r"##+ (.*)", line)):
            line = f"{line} {{#{named(document, anchor(heading[1]))}}}"
        elif not fenced:
            line = re.sub(r"\]\(([\w./]*)#([\w-]+)\)", lambda link: f"](#{named(link[1] or document, link[2])})", line)
        yield line


if __name__ == "__main__":
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    print("\n".join(converted(sys.argv[1], text.split("\n"))), end="")
