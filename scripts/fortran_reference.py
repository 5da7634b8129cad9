#!/usr/bin/env python3
"""fortran_reference.py MODULE: prints the reference of the Fortran module, for Doxygen: Markdown, out of its comments.

A comment that begins with !> is about the procedure or type behind it. Arguments are shown as they are declared: in the
module, in its abstract interfaces, or in the templates of interfaces/.
"""
import pathlib
import re
import sys

TEMPLATE_WORDS = {"word": "start", "comm": "type(MPI_Comm) or integer", "info": "type(MPI_Info) or integer",
                  "datatype_if_any": "type(MPI_Datatype) or integer, optional"}
ELEMENTS = {"field_create": "integer, real or complex"}


def declarations(lines):
    """Of the arguments among the lines of a procedure, in the order of its list."""
    head = re.sub(r"&\s*\n\s*", "", "\n".join(lines))
    listed = re.search(r"\b(?:subroutine|function) \w+\(([^)]*)\)", head).group(1)
    names = {name.strip() for name in listed.split(",")}
    shown = []
    for line in lines:
        declared = re.match(r"\s*(\S.*?) :: (.*?)\s*(?:!.*)?$", line)
        if declared and {re.sub(r"\(.*", "", name) for name in re.findall(r"\w+(?:\([^)]*\))?", declared.group(2))} & names:
            shown.append(declared.group(1) + " :: " + declared.group(2))
    return shown


def template(folder, name):
    """The declarations of a template, with words for what is filled in."""
    path = folder / "interfaces" / (re.sub(r"_(start|exchange)$", "", name) + ".inc.in")
    text = path.read_text(encoding="utf-8")
    words = TEMPLATE_WORDS | {"element": ELEMENTS.get(name, "integer")}
    return declarations(re.sub(r"@(\w+)@", lambda found: words.get(found.group(1), ""), text).split("\n"))


def procedure(lines, name):
    """The lines of the procedure of that name, of the module or of its abstract interfaces."""
    begin = next(i for i, line in enumerate(lines) if re.match(rf"\s*(pure )?(subroutine|function) {name}\(", line))
    end = next(i for i in range(begin, len(lines)) if lines[i].strip().startswith("end "))
    return lines[begin:end]


def arguments(folder, lines, at):
    """What the declaration in line `at` takes: declarations, or nothing for what is no procedure."""
    generic = re.match(r"  interface (HCL_\w+)", lines[at])
    if generic:
        inside = re.match(r"    subroutine (\w+)\(", lines[at + 1])
        if inside:
            return declarations(procedure(lines, inside.group(1)))
        included = re.match(r'    include "(\w+)\.inc"', lines[at + 1])
        return template(folder, included.group(1) if included else generic.group(1).removeprefix("HCL_").lower())
    shared = re.match(r"  procedure\((\w+)\).* :: HCL_\w+", lines[at])
    if shared:
        return declarations(procedure(lines, shared.group(1)))
    own = re.match(r"  (?:pure )?(?:subroutine|function) (HCL_\w+)\(", lines[at])
    if own:
        return declarations(procedure(lines, own.group(1)))
    components = re.match(r"  type, bind\(C\) :: HCL_\w+", lines[at])
    end = next((i for i in range(at, len(lines)) if lines[i].strip() == "end type"), at) if components else at
    return [line.strip() for line in lines[at + 1:end] if "::" in line and "c_null_ptr" not in line]


def section(folder, lines, at, words):
    """A heading, the comment, and what is declared."""
    name = re.search(r"HCL_\w+", lines[at]).group(0)
    call, _, text = words.partition(": ")
    if not call.startswith(name + "("):
        text, call = words, None
    shown = [f"## {name}", ""]
    shown += ["```fortran", "call " + call, "```", ""] if call else []
    shown += [text[0].upper() + text[1:], ""]
    declared = arguments(folder, lines, at)
    return shown + (["```fortran", *declared, "```", ""] if declared else [])


def reference(path):
    """The whole page."""
    lines = path.read_text(encoding="utf-8").split("\n")
    name = next(line.split()[1] for line in lines if line.startswith("module "))
    shown, at = ["# The Fortran module" + ("" if name == "halocline" else f" {name}"), ""], 0
    while at < len(lines):
        if not re.match(r"\s*!> ", lines[at]):
            at += 1
            continue
        words = []
        while re.match(r"\s*!(>|!)", lines[at]):
            words.append(re.sub(r"^\s*!(>|!) ?", "", lines[at]))
            at += 1
        if words[0].startswith("Halocline"):
            shown += words + [""]
        else:
            shown += section(path.parent, lines, at, " ".join(words))
    return "\n".join(shown)


if __name__ == "__main__":
    sys.stdout.write(reference(pathlib.Path(sys.argv[1])) + "\n")
