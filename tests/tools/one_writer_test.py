"""Under an MPI launcher one process writes files and complains. For files each process starts in a folder of its own, so
that a second writer leaves a second file. Usage: one_writer_test.py PROGRAM LAUNCHER..."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, *LAUNCHER = sys.argv[1:]
RANKS = 4
IN_OWN_FOLDER = 'mkdir "$OMPI_COMM_WORLD_RANK$PMI_RANK" && cd "$OMPI_COMM_WORLD_RANK$PMI_RANK" && exec "$@"'


class OneWriter(unittest.TestCase):
    def expect_files_of_the_first(self, names, *words):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*LAUNCHER, "-n", str(RANKS), "sh", "-c", IN_OWN_FOLDER, "sh", PROGRAM, *words],
                                  cwd=folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(list(pathlib.Path(folder).iterdir())), RANKS)
            files = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).glob("*/*"))
            self.assertEqual(files, [f"0/{name}" for name in names])
            for name in files:
                self.assertGreater((pathlib.Path(folder) / name).stat().st_size, 0, name)

    def expect_once(self, text, status, *words):
        """On stdout or stderr."""
        done = subprocess.run([*LAUNCHER, "-n", str(RANKS), PROGRAM, *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual((done.stdout + done.stderr).count(text), 1, done.stdout + done.stderr)

    def test_wrong_use(self):
        self.expect_once("halocline: unknown command 'frobnicate'", 2, "frobnicate")
        self.expect_once("halocline: a command is missing", 2)
        for command in (["bench", "halo"], ["doctor"], ["machine"]):
            self.expect_once("--frobnicate", 2, *command, "--frobnicate")
        self.expect_once("halocline: ", 2, "bench", "halo", "--grid", "2x")

    def test_help(self):
        self.expect_once("Subcommands:", 0, "--help")
        self.expect_once("halocline ", 0, "--version")

    def test_place(self):
        self.expect_files_of_the_first(["hosts", "map", "svg"], "place", "--grid", "4x3", "--nodes", "4x3", "--map", "map",
                                       "--svg", "svg", "--rankfile", "slurm", "hosts")

    def test_plan(self):
        self.expect_files_of_the_first(["hosts", "svg"], "plan", "--mesh", "40x30", "--nodes", "4x3", "--svg", "svg",
                                       "--rankfile", "slurm", "hosts")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
