"""halocline machine, and place --near, on nodes of which only topologies are there. Usage: near_test.py PROGRAM [TEST...]"""

import itertools
import os
import random
import re
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from command_line import CommandLine, clean_environment, run

TOPOLOGIES = Path(__file__).resolve().parent.parent / "topologies"
TWO_PACKAGES, FOUR_DOMAINS = (str(TOPOLOGIES / name) for name in ("two_packages.xml", "four_domains.xml"))
PLAIN = {"HWLOC_SYNTHETIC": "package:2 core:8 pu:1"}  # nothing on its bus


def messages_of(extents):
    """(source, target) of a grid's nearest neighbours, row by row."""
    cells = list(itertools.product(*map(range, extents)))
    number = {cell: i for i, cell in enumerate(cells)}
    steps = [tuple(s if d == e else 0 for e in range(len(extents))) for d in range(len(extents)) for s in (-1, 1)]
    pairs = ((cell, tuple(map(sum, zip(cell, step)))) for cell in cells for step in steps)
    return [(number[a], number[b]) for a, b in pairs if b in number]


class Near(CommandLine):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def near(self, *words):
        """The answer, and of each rank its host and cores by the rank file."""
        answer = self.answer("place", *words, "--rankfile", "openmpi", self.path("ranks"))
        seats = re.findall(r"^rank (\d+)=(\S+) slot=(\d+)(?:-(\d+))?$", (self.folder / "ranks").read_text(), re.MULTILINE)
        self.assertEqual([int(rank) for rank, *_ in seats], list(range(len(seats))))
        return answer["near"], [(host, range(int(first), int(last or first) + 1)) for _, host, first, last in seats]

    def figures(self, near):
        return {row["key"]: (row["before"], row["after"]) for row in near["figures"]}

    def test_machine_tells_the_nearest_cores(self):
        told = self.answer("machine", HWLOC_XMLFILE=TWO_PACKAGES)
        self.assertEqual([(row["name"], row["kind"], row["cores"]) for row in told["devices"]],
                         [("cuda0", "gpu", "0-7"), ("cuda1", "gpu", "0-7"), ("cuda2", "gpu", "8-15"), ("cuda3", "gpu", "8-15"),
                          ("mlx5_0", "nic", "8-15")])
        self.assertEqual(told["machine_by_gpu"], "node:1 gpu:4 core:4")
        told = self.answer("machine", HWLOC_XMLFILE=FOUR_DOMAINS)
        self.assertEqual([(row["name"], row["kind"], row["cores"]) for row in told["devices"]],
                         [("renderD128", "gpu", "12-15"), ("renderD129", "gpu", "8-11"), ("renderD130", "gpu", "4-7"),
                          ("renderD131", "gpu", "0-3"), ("hsn0", "nic", "4-7"), ("hsn1", "nic", "8-11")])
        self.assertIn('HALOCLINE_MACHINE="node:1 gpu:4 core:4"', run("machine", HWLOC_XMLFILE=FOUR_DOMAINS).stdout)

    def test_machine_without_devices(self):
        self.assertEqual(self.answer("machine", **PLAIN)["devices"], [])
        self.assertIn("\nhwloc knows no GPU and no NIC here\n", run("machine", **PLAIN).stdout)

    def test_figures_near_a_nic_are_true(self):
        chance = random.Random(11)
        gains = 0
        for _ in range(12):
            extents = [chance.randint(1, 6), chance.randint(2, 6), chance.randint(1, 4)]
            ranks = extents[0] * extents[1] * extents[2]
            sizes = []
            while sum(sizes) < ranks:
                sizes.append(min(chance.randint(1, 16), ranks - sum(sizes)))
            words = ["--grid", "x".join(map(str, extents)), "--nodes", ",".join(map(str, sizes))]
            with self.subTest(words=words):
                near, seats = self.near(*words, "--near", "nic", "--topology", TWO_PACKAGES)
                packages = [(host, cores[0] // 8) for host, cores in seats]
                messages = messages_of(extents)
                out = [(a, b) for a, b in messages if seats[a][0] != seats[b][0]]
                figures = self.figures(near)
                self.assertEqual(figures["node"], (len(out), len(out)))
                self.assertEqual(figures["package"][1], sum(packages[a] != packages[b] for a, b in messages))
                far = sum((packages[a][1] == 0) + (packages[b][1] == 0) for a, b in out)
                self.assertEqual(figures["far_from_nic"][1], far)
                self.assertLessEqual(far, figures["far_from_nic"][0])
                gains += far < figures["far_from_nic"][0]
                self.assertEqual(len({(host, core) for host, cores in seats for core in cores}), ranks)
        self.assertGreater(gains, 2)

    def test_ranks_sit_next_to_their_gpus(self):
        near, seats = self.near("--grid", "4x2", "--nodes", "2x4", "--near", "gpu", "--topology", TWO_PACKAGES, "--cores-per-rank", "3",
                                "--wrapper", self.path("seats.sh"))
        self.assertEqual(sorted(cores[0] for host, cores in seats if host == "n0"), [0, 3, 9, 12])
        self.assertEqual(self.figures(near)["far_from_gpu"], (2, 0))
        [of_four] = near["seats"]
        self.assertEqual(of_four, {"ranks": 4, "seats": [{"cores": "0-2", "gpu": "cuda0"}, {"cores": "3-5", "gpu": "cuda1"},
                                                         {"cores": "9-11", "gpu": "cuda2"}, {"cores": "12-14", "gpu": "cuda3"}]})

    def test_the_wrapper_starts_ranks_where_the_rank_file_does(self):
        for topology, variable, gpu_of in ((TWO_PACKAGES, "CUDA_VISIBLE_DEVICES", lambda core: core // 4),
                                           (FOUR_DOMAINS, "ROCR_VISIBLE_DEVICES", lambda core: 3 - core // 4)):
            near, seats = self.near("--grid", "8x4", "--nodes", "2x16", "--near", "gpu,nic", "--topology", topology, "--wrapper", self.path("seats.sh"))
            self.assertIn("srun --cpu-bind=none", near["wrapper"])
            stub = self.folder / "taskset"
            stub.write_text(f'#!/bin/sh\necho "$2 ${variable} $3"\n')
            stub.chmod(0o755)
            self.assertTrue(os.stat(self.path("seats.sh")).st_mode & stat.S_IXUSR)
            environment = {**clean_environment(), "PATH": f"{self.folder}:{os.environ['PATH']}"}
            for rank, (_, cores) in enumerate(seats):
                told = subprocess.run([self.path("seats.sh"), "./program"], env={**environment, "OMPI_COMM_WORLD_RANK": str(rank)},
                                      capture_output=True, text=True, check=True, timeout=30).stdout
                core = cores[0]
                cpus = str(core) if topology == TWO_PACKAGES else f"{core},{core + 16}"
                self.assertEqual(told, f"{cpus} {gpu_of(core)} ./program\n")

    def test_ranks_of_a_trace(self):
        """Rank 0 and 1 of each node of 16 do all the talking with other nodes: they go to the second package."""
        lines = ["halocline trace 1", "ranks 32"] + [f"process {rank} 1 node{rank // 16}" for rank in range(32)]
        lines += [f"flow message {rank} {rank + 16} 1 1000" for rank in (0, 1)]
        lines += [f"flow message {rank} {rank // 16 * 16 + (rank + 1) % 16} 1 100000" for rank in range(32)]
        (self.folder / "t").write_text("\n".join(lines) + "\nend\n")
        near, seats = self.near("--trace", self.path("t"), "--near", "nic", "--topology", TWO_PACKAGES)
        self.assertEqual(self.figures(near)["far_from_nic"], (4000, 0))
        for rank in (0, 1, 16, 17):
            self.assertGreaterEqual(seats[rank][1][0], 8)
        told = self.answer("place", "--trace", self.path("t"), "--near", "nic", "--topology", TWO_PACKAGES, "--order", self.path("order"))
        self.assertEqual(told["best"], "default+near")
        numbers = re.findall(r"^ranks (.*)$", (self.folder / "order").read_text(), re.MULTILINE)
        order = [int(rank) for line in numbers for rank in line.split(",")]
        self.assertEqual([order[seats[rank][1][0] + 16 * (rank // 16)] for rank in range(32)], list(range(32)))

    def test_only_some_devices(self):
        near, _ = self.near("--grid", "4x2", "--nodes", "2x4", "--near", "gpu", "--topology", TWO_PACKAGES, "--devices", "nvml3,cuda0")
        self.assertEqual([seat["gpu"] for seat in near["seats"][0]["seats"]], ["cuda0", "cuda0", "cuda3", "cuda3"])

    def test_refusals(self):
        some = ["place", "--grid", "4x2", "--nodes", "2x4"]
        near = [*some, "--near", "nic", "--topology", TWO_PACKAGES]
        self.assert_refused([*some, "--near", "nvme", "--topology", TWO_PACKAGES], "nvme", "gpu,nic")
        self.assert_refused([*some, "--near", "nic", "--topology", self.path("nothing.xml")], "nothing.xml", "lstopo")
        (self.folder / "words.xml").write_text("no topology")
        self.assert_refused([*some, "--near", "nic", "--topology", self.path("words.xml")], "words.xml", "lstopo")
        self.assert_refused([*near, "--devices", "mlx5_7"], '"mlx5_7"', "cuda0, cuda1, cuda2, cuda3, mlx5_0")
        self.assert_refused(["place", "--grid", "40", "--nodes", "2x20", "--near", "nic", "--topology", TWO_PACKAGES], "20 ranks", "16 cores")
        for kind, word in (("nic", "NIC"), ("gpu", "GPU"), ("gpu,nic", "GPU")):
            self.assert_refused([*some, "--near", kind], f"hwloc knows no {word}", **PLAIN)
        self.assert_refused([*some, "--wrapper", self.path("w")], "--near")
        self.assert_refused([*some, "--topology", TWO_PACKAGES], "--near")
        self.assert_refused([*some, "--devices", "cuda0"], "--near")
        self.assert_refused(["place", "--trace", "t", "--order", "o", "--near", "gpu", "--wrapper", "w"], "--order", "--wrapper")


if __name__ == "__main__":
    unittest.main()
