#!/usr/bin/env python3
"""Links between documents lead somewhere: the file is there, and so is the heading that is named after a '#'.
Usage: links_test.py [DOCUMENT...]     (all of the repository without any)"""

import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def text_lines(path):
    """The lines of a document that are in no fenced block, with their numbers."""
    fenced = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, line.rstrip("\n")


def anchor(heading):
    """The name that a heading has in links: small letters and '-' for blanks, without signs."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(path):
    found = {}
    for _, line in text_lines(path):
        if re.match(r"#+ ", line):
            name = anchor(line.lstrip("#"))
            found[name] = found.get(name, -1) + 1
    return {name if i == 0 else f"{name}-{i}" for name, count in found.items() for i in range(count + 1)}


def dead_links(document):
    for number, line in text_lines(document):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, heading = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(document), file)) if file else document
            if not os.path.exists(path):
                yield f"{document}:{number}: {target}: there is no such file"
            elif heading and heading not in anchors(path):
                yield f"{document}:{number}: {target}: there is no such heading"


def main(documents):
    documents = documents or [os.path.join(folder, name) for folder in (ROOT, os.path.join(ROOT, "docs"))
                              for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    dead = [text for document in documents for text in dead_links(document)]
    print("\n".join(dead) if dead else f"{len(documents)} documents, no dead link")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
