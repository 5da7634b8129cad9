"""Launches with the rank files that halocline place writes, on several nodes that are all this machine.
Usage: rank_file_test.py openmpi|mpich HALOCLINE PLAIN_PROGRAM LAUNCHER [OPTION...]"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

IMPLEMENTATION, HALOCLINE, PLAIN_PROGRAM, *LAUNCH = sys.argv[1:]
# Grid, node sizes, and a placement that differs from the order in which launchers fill nodes. (Open MPI binds each
# rank to a core of its own: no more ranks a node than a small machine has cores.)
CASES = [("4x2", "4x2", "random"), ("2x4", "4x2", "kd-tree"), ("2x3", "2,1,2,1", "random"), ("3x2x2", "6x2", "random")]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout


class RankFiles(unittest.TestCase):
    def place(self, case, form, path):
        grid, nodes, algorithm = case
        words = ["place", "--grid", grid, "--nodes", nodes, "--algorithm", algorithm, "--rankfile", form, path, "--json"]
        return json.loads(run(HALOCLINE, *words))["results"][0]

    @unittest.skipUnless(IMPLEMENTATION == "openmpi", "Open MPI's own format")
    def test_a_plain_program_gets_the_placement(self):
        for case in CASES:
            with self.subTest(case=case), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "rankfile")
                expected = self.place(case, "openmpi", path)
                with open(path) as lines:
                    ranks = len(lines.readlines())
                told = run(*LAUNCH, "--rankfile", path, "-n", str(ranks), PLAIN_PROGRAM, case[0]).split()
                self.assertEqual([int(word) for word in told], [expected["j_sum"], expected["j_max"]])

    @unittest.skipUnless(IMPLEMENTATION == "openmpi", "Open MPI's own format")
    @unittest.skipUnless(os.cpu_count() >= 2, "ranks of two cores")
    def test_each_rank_gets_all_its_cores(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rankfile")
            words = ["place", "--grid", "4", "--nodes", "4x1", "--algorithm", "random", "--rankfile", "openmpi", path]
            says = ["sh", "-c", 'echo cores $(nproc); exec "$0" 4', PLAIN_PROGRAM]
            for cores in (1, 2):
                run(HALOCLINE, *words, "--cores-per-rank", str(cores))
                told = run(*LAUNCH, "--rankfile", path, "-n", "4", *says).splitlines()
                several = [int(line.split()[1]) for line in told if line.startswith("cores ")]
                self.assertEqual(len(several), 4)
                threads = several[0] // cores  # of a core
                self.assertEqual(several, [cores * max(threads, 1)] * 4)

    @unittest.skipUnless(IMPLEMENTATION == "openmpi", "Open MPI's own format")
    def test_a_plain_program_gets_the_network_too(self):
        coordinates = [0, 3, 1, 4, 2, 5]  # of the nodes, on a line
        with tempfile.TemporaryDirectory() as folder:
            nodes, ranks = os.path.join(folder, "nodes"), os.path.join(folder, "rankfile")
            with open(nodes, "w") as file:
                file.writelines(f"n{i} {x}\n" for i, x in enumerate(coordinates))
            words = ["place", "--grid", "12", "--nodes", "6x2", "--network", "mesh:6", "--allocation", nodes]
            answer = json.loads(run(HALOCLINE, *words, "--rankfile", "openmpi", ranks, "--json"))["results"][0]
            self.assertEqual(answer["weighted_hops"], 2 * 5)
            self.assertGreater(answer["weighted_hops_before"], 2 * 5)
            says = ["sh", "-c", 'echo here $OMPI_COMM_WORLD_RANK $(hostname); exec "$0" 12', PLAIN_PROGRAM]
            told = run(*LAUNCH, "--rankfile", ranks, "-n", "12", *says)
            host = dict(line.split()[1:] for line in told.splitlines() if line.startswith("here "))
            places = [coordinates[int(host[str(rank)][1:])] for rank in range(12)]
            self.assertEqual(2 * sum(abs(a - b) for a, b in zip(places, places[1:])), answer["weighted_hops"])

    @unittest.skipUnless(len(os.sched_getaffinity(0) & {0, 1}) == 2, "seats on processors 0 and 1")
    def test_the_wrapper_starts_ranks_on_their_cores(self):
        """Of a node that is described: of its sixteen cores the seats of two ranks next to the first GPU are those that are here, too."""
        topology = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "topologies", "two_packages.xml")
        with tempfile.TemporaryDirectory() as folder:
            path, cores, wrapper = (os.path.join(folder, name) for name in ("ranks", "cores", "seats.sh"))
            words = ["place", "--grid", "4x2", "--nodes", "4x2", "--near", "gpu", "--topology", topology, "--devices", "cuda0"]
            run(HALOCLINE, *words, "--rankfile", "openmpi", cores)
            with open(cores) as lines:
                expected = {line.split("=")[0].split()[1]: line.split("slot=")[1].strip() for line in lines}
            form, option, rank = {"openmpi": ("openmpi", "--rankfile", "OMPI_COMM_WORLD_RANK"), "mpich": ("hydra", "-f", "PMI_RANK")}[IMPLEMENTATION]
            run(HALOCLINE, *words, "--rankfile", form, path, "--wrapper", wrapper)
            says = ["sh", "-c", f'echo here ${rank} $CUDA_VISIBLE_DEVICES $(taskset -cp $$); exec "$0" 4x2', PLAIN_PROGRAM]
            told = run(*LAUNCH, option, path, "-n", "8", wrapper, *says)
            here = [line.split() for line in told.splitlines() if line.startswith("here ")]
            self.assertEqual({words[1]: words[-1] for words in here}, expected)
            self.assertEqual(set(expected.values()), {"0", "1"})
            self.assertEqual({words[2] for words in here}, {"0"})

    @unittest.skipUnless(IMPLEMENTATION == "mpich", "Hydra's own format")
    def test_hydra_starts_each_rank_on_its_host(self):
        for case in CASES:
            with self.subTest(case=case), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "hosts")
                self.place(case, "slurm", path)
                with open(path) as lines:
                    expected = [f"{rank} {host.strip()}" for rank, host in enumerate(lines)]
                self.place(case, "hydra", path)
                # Every rank says where it is, then runs: Hydra does not like processes that end at once.
                rank = ["sh", "-c", 'echo here; exec "$0" "$1"', PLAIN_PROGRAM, case[0]]
                told = run(*LAUNCH, "-f", path, "-n", str(len(expected)), "-prepend-pattern", "%r %h ", *rank)
                here = [line[: -len(" here")] for line in told.splitlines() if line.endswith(" here")]
                self.assertEqual(sorted(here), sorted(expected))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
