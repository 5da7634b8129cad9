#!/usr/bin/env python3
"""doxygen_comments.py HEADER: prints a C header as Doxygen wants it, so that the header itself can be read as it is.

Plain comments become Doxygen's: one that begins a line is about what follows, one behind a declaration about that. The
first is about the file. One with a title and a blank line behind it opens a section, which lasts until the next one.
Indented lines of a comment stay as they are. Guards against a second inclusion are left out.
"""
import re
import sys


def block(lines):
    """The lines of a comment, where runs of indented ones are shown as they are."""
    shown, inside = [], False
    for line in lines:
        indented = re.match(r" \*   +\S", line) is not None
        if indented != inside and not (inside and line == " *"):
            shown.append(" * @verbatim" if indented else " * @endverbatim")
            inside = indented
        shown.append(line)
    if inside:
        last = shown.pop()
        shown += [last.removesuffix(" */"), " * @endverbatim */"] if last.endswith(" */") else [last, " * @endverbatim"]
    return shown


def translated(text):
    """The whole header."""
    lines, shown, at, seen_first, in_section = text.split("\n"), [], 0, False, False
    while at < len(lines):
        line = lines[at]
        if not line.startswith("/* "):
            if in_section and line.startswith("#ifdef __cplusplus"):
                shown.append("/** @} */")
                in_section = False
            guard = re.match(r"#define (\w+_H)$", line)
            shown.append("" if guard else re.sub(r"(\S.*;\s*)/\* ", r"\1/**< ", line))
            at += 1
            continue
        end = at
        while not lines[end].rstrip().endswith("*/"):
            end += 1
        comment = lines[at:end + 1]
        title = comment[0].removeprefix("/* ")
        if not seen_first:
            shown += ["/** @file"] + block([" * " + title] + comment[1:])
            seen_first = True
        elif len(comment) > 2 and comment[1] == " *" and lines[end + 1] == "":
            shown += (["/** @} */"] if in_section else []) + ["/** @name " + title.rstrip(".")] + block(comment[1:]) + ["/** @{ */"]
            in_section = True
        else:
            shown += block(["/** " + title] + comment[1:])
        at = end + 1
    return "\n".join(shown)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(translated(header.read()))
