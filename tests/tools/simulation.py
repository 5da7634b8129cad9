"""What tests of halocline simulate share: a small machine, and answers of the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1))

MACHINE = """\
title: a machine of the tests
network: {network}
cores: {cores}
link-latency: 1 us
node-bandwidth: 4 GB/s
node-latency: 500 ns
send-overhead: 100 ns
receive-overhead: 200 ns
"""


def run(*words, program=PROGRAM):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE"))}
    return subprocess.run([program, "simulate", *words], env=clean, capture_output=True, text=True, timeout=120)


class Simulation(unittest.TestCase):
    """Asks the program about machines that are described in a file of their own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def machine(self, network, cores=4, text=MACHINE):
        file = Path(self.folder.name) / "machine.txt"
        file.write_text(text.format(network=network, cores=cores))
        return str(file)

    def results(self, *words):
        done = run(*words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        results = json.loads(done.stdout)["results"]
        self.assertTrue(all(result["checked"] != ("--unchecked" in words) for result in results))
        return results

    def seconds(self, *words, schedule="direct"):
        (result,) = self.results("--place", "blocked", "--schedule", schedule, *words)
        return result["seconds"]

    def assert_refused(self, words, *parts, status=2, program=PROGRAM):
        done = run(*words, program=program)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def planned(self, *words, source=PROGRAM):
        done = subprocess.run([source, "plan", *words, "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)
