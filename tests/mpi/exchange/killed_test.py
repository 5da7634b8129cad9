"""A process that is killed while memory is being shared leaves nothing behind in /dev/shm.

killed_test.py DYING_PROCESS LAUNCHER... : kills one process of three before each of the calls that making shared
memory takes, and looks for names. Where names cannot be avoided, the next that makes memory must sweep them up."""

import concurrent.futures
import fcntl
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

program, launcher = sys.argv[1], sys.argv[2:]
shared = "/dev/shm"


def run(rank, step, *mode):
    """What the processes say: {rank: steps} of those that got to the end; and their ids."""
    with tempfile.TemporaryDirectory() as folder:
        answer = subprocess.run([*launcher, "-n", "3", program, folder, str(rank), str(step), *mode],
                                capture_output=True, timeout=120)
        processes = os.listdir(folder)
        lines = [pathlib.Path(folder, process).read_text().split() for process in processes]
    return answer.returncode, {int(line[0]): int(line[1]) for line in lines if line}, processes


def names_of(processes):
    return [name for name in os.listdir(shared)
            if name.startswith("halocline") and any(f".{process}." in name for process in processes)]


class Killed(unittest.TestCase):
    def killed_everywhere(self, ranks, *mode):
        """After each kill of one of the ranks, the names of the processes."""
        status, steps, processes = run(-1, -1, *mode)
        self.assertEqual((status, len(processes), sorted(steps)), (0, 3, [0, 1, 2]))
        self.assertEqual(names_of(processes), [])
        self.assertGreaterEqual(min(steps.values()), 5)
        # Launchers take a second, in which they sleep, to end a job that failed: several at a time.
        kills = [(rank, step) for rank in ranks for step in range(steps[rank])]
        with concurrent.futures.ThreadPoolExecutor(6) as workers:
            results = list(workers.map(lambda kill: run(*kill, *mode), kills))
        for (rank, step), (status, ended, processes) in zip(kills, results):
            self.assertNotEqual(status, 0, f"rank {rank} was to be killed at step {step}")
            self.assertNotIn(rank, ended)
            self.assertEqual(len(processes), 3)
            yield f"rank {rank} killed at step {step} of {steps[rank]}", names_of(processes)

    def test_nothing_is_left_of_memory_without_a_name(self):
        for when, left in self.killed_everywhere((0, 1)):
            self.assertEqual(left, [], when)

    def test_names_are_swept_up(self):
        left = [name for _, names in self.killed_everywhere((0,), "named") for name in names]
        left = [name for name in left if os.path.exists(os.path.join(shared, name))]  # on a slow machine some are swept
        self.assertNotEqual(left, [], "no process was killed while there was a name")
        long_ago = time.time() - 600
        alive = os.path.join(shared, f"halocline.{os.getpid()}.alive")
        young = os.path.join(shared, f"halocline.{os.getpid()}.young")
        with open(alive, "w") as held, open(young, "w"):
            try:
                fcntl.flock(held, fcntl.LOCK_EX)
                for name in (*left, os.path.basename(alive)):
                    os.utime(os.path.join(shared, name), (long_ago, long_ago))
                status, _, _ = run(-1, -1, "named")
                self.assertEqual(status, 0)
                found = os.listdir(shared)
                self.assertEqual([name for name in left if name in found], [])
                self.assertIn(os.path.basename(alive), found)
                self.assertIn(os.path.basename(young), found)
            finally:
                os.unlink(alive)
                os.unlink(young)


unittest.main(argv=sys.argv[:1])
