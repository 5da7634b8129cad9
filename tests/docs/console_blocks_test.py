#!/usr/bin/env python3
"""What a document shows is what programs print.
Usage: console_blocks_test.py DOCUMENT PROGRAMS [--slow] [--update]

PROGRAMS is the folder of the halocline program. What the word after a fence of DOCUMENT means:
  console           each '$ command' is run; the lines below it are all that it prints; '...' in a line stands
                    for any text, alone for any lines
  sh                the block is run, and ends with status 0
  console slow, sh slow            run with --slow alone: it prints the same always, but takes more than three seconds
  console untested, sh untested    not run: times, other machines, MPI; the document says where it was taken
  cpp PATH          shows that file of the repository as it is, without the line of its licence (so do c, cmake,
                    fortran, python and text)
  c, cpp, cmake, fortran, python, text     not run
--update writes what the commands print today, and files as they are today, into the document."""

import difflib
import os
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # Nothing is left behind beside the sources.
from markdown_blocks import DocumentError, blocks_of, commands_of, shown_anew

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SECONDS = {"": 120, "slow": 600}  # Commands take far less than three seconds, on a busy machine much longer.
OF_THIS_JOB = ("HALOCLINE", "OMPI_", "PMIX_", "PMI_", "PRTE_", "SLURM_", "PBS_", "XDG_", "LD_PRELOAD")


class Folder:
    """A fresh folder in which halocline and build/release/bin/halocline are the program that was built."""

    def __init__(self, programs, seconds):
        self.seconds = seconds
        self.folder = tempfile.TemporaryDirectory(prefix="halocline-docs-")
        self.path = self.folder.name
        os.makedirs(os.path.join(self.path, "build", "release"))
        os.symlink(programs, os.path.join(self.path, "build", "release", "bin"))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_JOB)}
        self.environment.update(PATH=programs + os.pathsep + os.environ["PATH"], HOME=self.path, LC_ALL="C")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, command):
        """What the command prints, and what is wrong with how it ended, if anything is."""
        process = subprocess.Popen(["bash", "-e", "-c", command], cwd=self.path, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            printed, _ = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0], f"it did not end within {self.seconds} s"
        except BaseException:  # This test is ended: so is what it started.
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return printed, f"it ended with status {process.returncode}" if process.returncode else ""


class Document:
    def __init__(self, path, programs):
        self.path, self.programs = path, programs
        self.name = os.path.relpath(path, ROOT) if os.path.abspath(path).startswith(ROOT + os.sep) else path
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.failures, self.changes, self.tested, self.untested = [], [], 0, 0

    def check(self, runs):
        """Runs blocks of the marks in `runs`, and compares files."""
        for block in blocks_of(self.lines):
            if block.shows_file:
                self.check_file(block)
            elif block.has_commands and block.mark in runs:
                with Folder(self.programs, SECONDS[block.mark]) as folder:
                    (self.check_console if block.kind == "console" else self.check_commands)(block, folder)
            elif block.has_commands:
                self.untested += 1
                if block.kind == "console":
                    commands_of(block)

    def check_console(self, block, folder):
        for shown in commands_of(block):
            self.tested += 1
            printed, wrong = folder.run(shown.command)
            if wrong:
                self.fail(block.line + shown.number + 1, shown.command, wrong + "\n" + printed)
                continue
            now = shown.output(block)
            lines = [text.rstrip() for text in printed.rstrip("\n").split("\n")] if printed else []
            self.compare(block.line + shown.first, now, shown_anew(now, lines), block.line + shown.number + 1, shown.command)

    def check_commands(self, block, folder):
        self.tested += 1
        printed, wrong = folder.run("\n".join(block.lines))
        if wrong:
            self.fail(block.line + 1, "\n".join(block.lines), wrong + "\n" + printed)

    def check_file(self, block):
        self.tested += 1
        try:
            with open(os.path.join(ROOT, block.shows_file), encoding="utf-8") as file:
                content = file.read().rstrip("\n").split("\n")
            if "SPDX-License-Identifier" in content[0]:
                del content[0]  # a licence is nothing to read
        except OSError as error:
            raise DocumentError(block.line, f"{block.shows_file}: {error.strerror}") from None
        self.compare(block.line, block.lines, content, block.line, f"the file {block.shows_file}")

    def compare(self, index, shown, right, line, what):
        """`shown` is what stands in the document from line `index` + 1 on, `right` what should."""
        if shown == right:
            return
        self.changes.append((index, len(shown), right))
        diff = difflib.unified_diff(shown, right, "in the document", "now", lineterm="", n=1)
        self.fail(line, what, "\n".join(diff))

    def fail(self, line, what, text):
        shown = "\n".join("  " + part for part in text.rstrip("\n").split("\n"))
        self.failures.append(f"{self.name}:{line}: {what}\n{shown}\n")

    def update(self):
        for index, count, right in sorted(self.changes, reverse=True):
            self.lines[index:index + count] = right
        if self.changes:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write("\n".join(self.lines))


def main(arguments):
    """The exit status, or a message that is one of failure."""
    words = [word for word in arguments if word not in ("--slow", "--update")]
    if len(words) != 2:
        return __doc__
    document = Document(words[0], os.path.abspath(words[1]))
    try:
        document.check(("", "slow") if "--slow" in arguments else ("",))
    except DocumentError as error:
        return f"{document.name}:{error}"
    for failure in document.failures:
        print(failure)
    if "--update" in arguments:
        document.update()
        print(f"{document.name}: {len(document.changes)} of {document.tested} tested blocks and commands written anew")
        return int(len(document.failures) > len(document.changes))
    print(f"{document.name}: {document.tested} tested, {len(document.failures)} wrong, {document.untested} not run")
    if document.failures:
        return "what programs print today is written into a document by console_blocks_test.py DOCUMENT PROGRAMS --update"
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    sys.exit(main(sys.argv[1:]))
