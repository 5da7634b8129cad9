"""Runs the halocline program as a user would. Usage: command_line_test.py PROGRAM [TEST...]"""

import json
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def run(*words, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE"))}
    return subprocess.run([PROGRAM, *words], env={**clean, **environment}, capture_output=True, text=True, timeout=30)


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

    def test_help_shows_an_example_for_every_command(self):
        overview = run("--help")
        self.assertEqual(overview.returncode, 0)
        listed = overview.stdout.split("Subcommands:")[1].split("Each command")[0]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertIn("machine", commands)
        for command in commands:
            page = run(command, "--help").stdout
            self.assertIn("Example:", page)
            self.assertIn("halocline " + command, page.split("Example:")[1])
            self.assertIn("--json", page)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^halocline \d+\.\d+\.\d+\n$")

    def test_wrong_use(self):
        self.assert_refused([], "a command is missing")
        self.assert_refused(["frobnicate"], "frobnicate", "machine")
        self.assert_refused(["machine", "--frobnicate"], "--frobnicate")

    def test_machine_of_this_host(self):
        answer = self.answer("machine")
        self.assertEqual(answer["source"], "host")
        self.assertEqual(answer["nodes"], 1)
        self.assertEqual(answer["levels"][-1]["groups"], answer["ranks"])

    def test_described_machine_round_trips(self):
        for text in ("node:4 core:4", "node:3 core:2x6,4", "rack:2 node:2 numa:2 core:8"):
            answer = self.answer("machine", HALOCLINE_MACHINE=text)
            self.assertEqual(answer["machine"], text)
            self.assertEqual(answer["source"], "environment")
            self.assertIn(f'HALOCLINE_MACHINE="{text}"', run("machine", HALOCLINE_MACHINE=text).stdout)
        self.assert_refused(["machine"], "nodes:6,-1", "-1", HALOCLINE_MACHINE="nodes:6,-1")


if __name__ == "__main__":
    unittest.main()
