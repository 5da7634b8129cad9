"""scripts/cluster.sh: nodes that are made, used and taken down. Usage: cluster_test.py SCRIPT [TEST...]"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = sys.argv.pop(1)
SKIPPED = 77  # what ctest is told by SKIP_RETURN_CODE


def namespaces_can_be_made():
    return os.geteuid() == 0 and subprocess.run(["unshare", "-u", "-n", "-m", "-i", "true"], capture_output=True, check=False).returncode == 0


def alive(folder):
    """Processes that write their numbers into the folder, as far as they live."""
    return [number for number in (int(path.name) for path in folder.iterdir()) if Path(f"/proc/{number}").exists()]


class Cluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, *words):
        return subprocess.run([SCRIPT, *words], input="", capture_output=True, text=True, timeout=60, check=False)

    def test_programs_run_on_the_nodes(self):
        done = self.run_script("2x1@1000mbit", "hostname")
        self.assertEqual((done.returncode, sorted(done.stdout.split())), (0, ["node0", "node1"]), done.stderr)

    def test_the_status_is_that_of_the_launcher(self):
        self.assertEqual(self.run_script("2x1@1000mbit", "sh", "-c", "exit 3").returncode, 3)

    def test_what_is_no_cluster_is_refused(self):
        for word in ("2x1", "0x1@1000mbit", "2x1@0mbit", "999x1@10mbit"):
            self.assertEqual(self.run_script(word, "true").returncode, 2, word)

    def test_nothing_outlives_a_cluster_that_is_ended(self):
        """The programs ignore what a launcher would tell them."""
        stubborn = f"trap '' TERM HUP INT; touch {self.folder}/$$; while :; do sleep 0.1; done"
        with subprocess.Popen([SCRIPT, "2x2@1000mbit", "sh", "-c", stubborn], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as cluster:
            self.wait_until(lambda: len(list(self.folder.iterdir())) == 4)
            cluster.send_signal(signal.SIGTERM)
            self.assertEqual(cluster.wait(timeout=30), 1)
            self.assertNotIn("Killed", cluster.stderr.read())
        self.wait_until(lambda: not alive(self.folder))

    def wait_until(self, is_so):
        end = time.monotonic() + 30
        while not is_so():
            self.assertLess(time.monotonic(), end, f"still alive: {alive(self.folder)}")
            time.sleep(0.05)


if __name__ == "__main__":
    if not namespaces_can_be_made():
        print("namespaces cannot be made here")
        sys.exit(SKIPPED)
    unittest.main()
