"""Files that the program writes under an MPI launcher are written by one process. Each process starts in a folder of its
own, so that a second writer leaves a second file. Usage: one_writer_test.py PROGRAM LAUNCHER..."""

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

    def test_place(self):
        self.expect_files_of_the_first(["hosts", "map", "svg"], "place", "--grid", "4x3", "--nodes", "4x3", "--map", "map",
                                       "--svg", "svg", "--rankfile", "slurm", "hosts")

    def test_plan(self):
        self.expect_files_of_the_first(["hosts", "svg"], "plan", "--mesh", "40x30", "--nodes", "4x3", "--svg", "svg",
                                       "--rankfile", "slurm", "hosts")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
