"""What tests of the command line share: the halocline program, run as a user would."""

import json
import os
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
