"""halocline simulate as a command: its table, picture and bar, refusals, and its end. Usage: simulate_command_test.py PROGRAM [TEST...]"""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import time
import unittest
from contextlib import suppress
from pathlib import Path

from simulation import MACHINE, PROGRAM, Simulation, run


class Simulate(Simulation):
    def test_the_table_and_the_picture(self):
        picture = Path(self.folder.name) / "times.svg"
        done = run("--machine", "vsc4", "--nodes", "2x8", "--grid", "4x4", "--bytes", "64,1KiB", "--schedule", "direct", "--svg", picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("16 processes on 2 nodes of vsc4", done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 6)
        self.assertEqual(picture.read_text().count("<polyline"), 2)

    def test_the_bar_moves(self):
        terminal, end = pty.openpty()
        shown = b""
        with subprocess.Popen([PROGRAM, "simulate", "--machine", "vsc4", "--nodes", "4", "--grid", "16x12", "--bytes", "64,1KiB", "--schedule", "direct"],
                              stdout=subprocess.DEVNULL, stderr=end) as tool:
            os.close(end)
            with suppress(OSError):  # that nobody has the other end any more
                while more := os.read(terminal, 65536):
                    shown += more
        os.close(terminal)
        self.assertEqual(tool.returncode, 0)
        percents = [int(percent) for percent in re.findall(rb"\] (\d+) %", shown)]
        self.assertEqual(percents, sorted(percents))
        self.assertGreater(len(set(percents)), 5)

    def test_unchecked_takes_as_long(self):
        words = ["--machine", "titan", "--nodes", "4x4", "--grid", "4x4", "--bytes", "1,64KiB", "--schedule", "direct,torus,node", "--json"]
        own, shared = (json.loads(run(*words, *more).stdout)["results"] for more in ([], ["--unchecked"]))
        for mine, common in zip(own, shared, strict=True):
            self.assertAlmostEqual(mine["seconds"], common["seconds"], delta=1e-12)
            self.assertEqual((mine["checked"], common["checked"]), (True, False))

    def test_refusals(self):
        words = ["--nodes", "2x2", "--grid", "2x2"]
        self.assert_refused(words, "--machine is missing")
        self.assert_refused(["--machine", "nowhere", *words], "nowhere", "vsc4")
        vsc4 = ["--machine", "vsc4"]
        self.assert_refused([*vsc4, "--grid", "2x2"], "--nodes is missing")
        self.assert_refused([*vsc4, "--nodes", "2x2"], "--grid, --mesh and --trace")
        self.assert_refused([*vsc4, "--nodes", "1000", "--grid", "1000x48"], "1000 nodes", "792")
        self.assert_refused([*vsc4, "--nodes", "2x49", "--grid", "98"], "49 processes", "48 cores")
        self.assert_refused([*vsc4, "--nodes", "2x2", "--grid", "3x2"], "6", "4")
        self.assert_refused([*vsc4, *words, "--place", "luck"], "luck", "hyperplane")
        self.assert_refused([*vsc4, *words, "--schedule", "luck"], "luck", "torus")
        for schedule in ("node", "mixed"):
            self.assert_refused([*vsc4, *words, "--schedule", f"direct,{schedule}", "--shared", "off"], f"schedule {schedule}", "share",
                                status=1)
        self.assert_refused([*vsc4, *words, "--shared", "perhaps"], "--shared perhaps", "on or off")
        self.assert_refused([*vsc4, *words, "--place", "best+luck"], "best+luck", "z2_1")
        self.assert_refused([*vsc4, *words, "--place", "luck+z2_1"], "luck", "hyperplane")
        self.assert_refused([*vsc4, *words, "--place", "best+"], "z2_1")
        self.assert_refused([*vsc4, *words, "--bytes", "0"], "0")
        self.assert_refused([*vsc4, *words, "--bytes", "64,1QiB"], "1QiB")

    def test_wrong_machine_files(self):
        words = ["--nodes", "2x2", "--grid", "2x2"]
        good = MACHINE.format(network="torus:4x4", cores=4)
        for change, parts in (
            (("torus:4x4", "mesh:4x4"), ("line 2", "open")),
            (("torus:4x4", "fat-tree:4x4 bandwidth:1,2"), ("line 2", "one speed")),
            (("torus:4x4", "dragonfly:4x2x2 global:1"), ("line 2", "1 global links at each of 2 routers", "3 others", "takes 2")),
            (("torus:4x4", "cube:4"), ("line 2", "cube")),
            (("cores: 4", "cores: none"), ("line 3", "none")),
            (("1 us", "1 lightyear"), ("line 4", "lightyear", "ns")),
            (("4 GB/s", "0 GB/s"), ("line 5", "rate")),
            (("send-overhead: 100 ns\n", ""), ("send-overhead",)),
            (("title", "titel"), ("line 1", "titel", "title")),
            (("cores: 4", "cores: 4\ncores: 4"), ("line 4", "twice")),
            (("cores: 4", "cores 4"), ("line 3", "word: value")),
        ):
            self.assert_refused(["--machine", self.machine("", text=good.replace(*change)), *words], *parts)

    def test_without_simgrid(self):
        """The program alone, as where SimGrid was not found."""
        prefix = Path(self.folder.name)
        (prefix / "bin").mkdir()
        shutil.copy(PROGRAM, prefix / "bin" / "halocline")
        torus = self.machine("torus:4x4")
        self.assert_refused(["--machine", torus, "--nodes", "2x2", "--grid", "2x2"], "halocline-simulated", "libsimgrid-dev",
                            status=1, program=prefix / "bin" / "halocline")

    def test_an_interrupt_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([PROGRAM, "simulate", "--machine", "vsc4", "--nodes", "20", "--grid", "20x48"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as tool:
                child = self.wait_for(lambda: self.children(tool.pid))
                tool.send_signal(number)
                tool.communicate(timeout=20)
                self.wait_for(lambda: not Path(f"/proc/{child[0]}").exists() or "(zombie)" in self.state(child[0]))
                self.assertEqual(tool.returncode, -number)

    @staticmethod
    def state(process):
        try:
            return Path(f"/proc/{process}/status").read_text()
        except OSError:
            return "(zombie)"

    @staticmethod
    def children(process):
        try:
            return Path(f"/proc/{process}/task/{process}/children").read_text().split()
        except OSError:
            return []

    def wait_for(self, condition):
        for _ in range(200):
            if found := condition():
                return found
            time.sleep(0.05)
        self.fail("nothing happened in 10 s")


if __name__ == "__main__":
    unittest.main()
