"""What tests of the command line share: the halocline program, run as a user would."""

import json
import os
import re
import resource
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def clean_environment():
    return {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE", "SLURM", "PBS"))}


def run(*words, memory=None, **environment):
    """With so many bytes of address space, if they are given."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run([PROGRAM, *words], env={**clean_environment(), **environment}, capture_output=True, text=True,
                          timeout=30, preexec_fn=limit if memory else None)


def help_of(option, page):
    """The words behind an option on a page of help, its default included."""
    found = re.search(rf"^  {option} (.*(?:\n {{10}}.*)*)", page, re.MULTILINE)
    return found.group(1) if found else ""


class Program:
    """What the program says about itself: commands, their options and flags, and what the help says of each."""

    def __init__(self):
        script = run("completion", "bash").stdout
        self.commands = {}  # name: its options with a value, and positional words
        self.flags = {}
        self.types = {}
        self.helps = {}
        for name, words, valued in re.findall(r"^    'halocline ?([^']*)'\) words='([^']*)'; valued='([^']*)'", script, re.MULTILINE):
            if name == "bench part" or any(word for word in words.split() if not word.startswith("-")):
                continue  # commands below it have its options, too; parts may be left out of a build
            page = run(*name.split(), "--help").stdout
            above = run(*name.split()[:1], "--help").stdout
            positional = re.findall(r"^  (\w+) [A-Z]+", page.split("Options:")[0].partition("Positionals:")[2], re.MULTILINE)
            options = [option for option in valued.split("|") if option]
            self.commands[name] = options + positional
            self.flags[name] = [word for word in words.split() if word not in options and word not in ("-h", "--help")]
            for option in self.commands[name]:
                kind = re.search(rf"^  {option} ([A-Z]+)", page, re.MULTILINE) or re.search(rf"^  {option} ([A-Z]+)", above, re.MULTILINE)
                self.types[name, option] = kind.group(1)
                self.helps[name, option] = help_of(option, page) or help_of(option, above)

    def options(self, *types):
        return [key for key, kind in self.types.items() if kind in types]


class CommandLine(unittest.TestCase):
    def answer(self, *words, **environment):
        """The JSON of a command that succeeds."""
        done = run(*words, "--json", **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def assert_refused(self, words, *parts, **environment):
        """Exit status 2, nothing on stdout, one line on stderr that has the parts."""
        done = run(*words, **environment)
        self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("halocline: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
