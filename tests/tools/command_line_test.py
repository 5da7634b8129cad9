"""Runs the halocline program as a user would. Usage: command_line_test.py PROGRAM [TEST...]"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

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

    def test_shape_examples(self):
        self.assertEqual(self.answer("shape", "--ranks", "12", "--mesh", "1800x580")["dims"], [6, 2])
        answer = self.answer("shape", "--levels", "625,2,12", "--mesh", "1000x1100x950")
        self.assertEqual(answer["dims"], [30, 25, 20])
        self.assertEqual(answer["levels"], [[5, 25, 5], [2, 1, 1], [3, 1, 4]])
        self.assertEqual(self.answer("shape", "--levels", "4,2,6", "--mesh", "6000x8080")["dims"], [6, 8])
        self.assertEqual(self.answer("shape", "--ranks", "360", "--dims", "3")["dims"], [9, 8, 5])
        self.assertEqual(self.answer("shape", "--ranks", "24", "--mesh", "100x100x100", "--fixed", "0x4x0")["dims"], [3, 4, 2])
        joint = self.answer("shape", "--levels", "24,32", "--mesh", "3000x2000", "--joint")
        self.assertEqual(joint["levels"], [[8, 3], [4, 8]])
        self.assertTrue(joint["proven"])
        self.assertIn("warning", self.answer("shape", "--levels", "24,32", "--mesh", "3x2"))

    def test_shape_for_uneven_nodes(self):
        answer = self.answer("shape", "--nodes", "40x48,20x24", "--mesh", "5000x4800")
        self.assertEqual(answer["dims"][0] * answer["dims"][1], 2400)
        self.assertIn("node_cost", answer)

    def test_shape_refuses(self):
        self.assert_refused(["shape"], "--ranks")
        self.assert_refused(["shape", "--ranks", "-4", "--dims", "2"], "-4")
        self.assert_refused(["shape", "--ranks", "12"], "--mesh")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "0x4"], "--mesh 0x4", "1 or more")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "9x9", "--halo", "1"], "halo")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "90x90", "--fixed", "5x0"], "5", "12")
        self.assert_refused(["shape", "--ranks", "12", "--levels", "4,4", "--dims", "2"], "12", "16")
        self.assert_refused(["shape", "--levels", "4,0", "--dims", "2"], "--levels 4,0", "0")
        self.assert_refused(["shape", "--ranks", "4", "--dims", "2", "--ratios", "7,1"], "--joint")

    def test_place_reference_table(self):
        reference = {
            "nearest": {"blocked": (4704, 96), "hyperplane": (1328, 38), "kd-tree": (1732, 46), "strips": (1244, 28),
                        "nodecart": (2404, 50)},
            "hops": {"blocked": (13824, 288), "hyperplane": (3268, 108), "kd-tree": (4364, 114), "strips": (3868, 88),
                     "nodecart": (11524, 242)},
            "component": {"blocked": (4704, 96), "hyperplane": (288, 16), "kd-tree": (96, 2), "strips": (96, 2),
                          "nodecart": (2304, 48)},
        }
        optimal = {"nearest": (1204, 28), "hops": (2868, 68), "component": (96, 2)}
        for stencil, rows in reference.items():
            answer = self.answer("place", "--grid", "50x48", "--nodes", "50x48", "--stencil", stencil, "--algorithm", "all")
            found = {row["algorithm"]: (row["j_sum"], row["j_max"]) for row in answer["results"]}
            for algorithm, costs in rows.items():
                self.assertEqual(found[algorithm], costs, (stencil, algorithm))
            self.assertLessEqual(found["optimal-strips"], optimal[stencil])
            self.assertEqual(found[answer["best"]], min(found.values()))

    def test_place_best_is_the_default(self):
        answer = self.answer("place", "--grid", "50x48", "--nodes", "50x48")
        self.assertEqual([row["j_sum"] for row in answer["results"]], [1204])
        self.assertEqual(answer["results"][0]["algorithm"], answer["best"])

    def test_place_map_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            for grid, nodes in (("6x5", "3x8,6"), ("4x3x5", "6x10"), ("7", "3,4"), ("2x3x2x4", "6x8")):
                files = [os.path.join(folder, "map"), os.path.join(folder, "picture.svg")]
                self.answer("place", "--grid", grid, "--nodes", nodes, "--map", files[0], "--svg", files[1])
                with open(files[0]) as lines:
                    owners = [int(line) for line in lines]
                sizes = [n for part in nodes.split(",")
                         for n in ([int(part.split("x")[1])] * int(part.split("x")[0]) if "x" in part else [int(part)])]
                self.assertEqual([owners.count(node) for node in range(len(sizes))], sizes)
                self.assertTrue(ElementTree.parse(files[1]).getroot().tag.endswith("svg"))
            done = run("place", "--grid", "2x2", "--nodes", "2,2", "--map", os.path.join(folder, "no", "such", "place"))
            self.assertEqual(done.returncode, 1)

    def test_map_agrees_with_the_reference(self):
        here = os.path.dirname(os.path.abspath(__file__))
        checked = 0
        with open(os.path.join(here, "..", "pure", "network", "average_hops.csv")) as lines:
            for row in csv.DictReader(lines):
                tasks, pd, td = int(row["tasks"]), int(row["network_dims"]), int(row["task_dims"])
                if tasks != 4096:
                    continue
                kinds = row["connectivity"].split("_to_")
                words = ["map", "--tasks", "x".join([str(round(tasks ** (1 / td)))] * td), "--order", row["order"].lower(),
                         "--network", kinds[1] + ":" + "x".join([str(round(tasks ** (1 / pd)))] * pd)]
                answer = self.answer(*words, *(["--task-torus"] if kinds[0] == "torus" else []))
                self.assertAlmostEqual(answer["results"][0]["average_hops"], float(row["average_hops"]), delta=0.0051)
                checked += 1
        self.assertEqual(checked, 36)

    def test_map_refuses(self):
        self.assert_refused(["map", "--tasks", "4x4", "--network", "ring:16"], "--network ring:16")
        self.assert_refused(["map", "--tasks", "4x4", "--network", "mesh:16", "--order", "magic"], "magic", "hilbert")
        self.assert_refused(["map", "--tasks", "4x4", "--network", "mesh:16", "--cores", "0"], "--cores 0")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("0 0\n1 1\n0 0\n")
            file.flush()
            self.assert_refused(["map", "--tasks", "3", "--network", "mesh:2x2", "--allocation", file.name], "line", "0 0")

    def test_layout(self):
        answer = self.answer("layout", "hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))")
        self.assertEqual((answer["size"], answer["extent"]), (3072, 30144))
        self.assertEqual(answer["canonical"], "at 0: 2 by 24576, 8 by 768, 192 bytes")
        self.assertEqual([engine["name"] for engine in answer["engines"]], ["interpreter", "kernels"])
        for engine in answer["engines"]:
            self.assertGreater(engine["commit_seconds"], 0)
            self.assertGreater(engine["pack_bytes_per_second"], 1e6)
        self.assertEqual(answer["advice"], [])

    def test_layout_counts_elements(self):
        answer = self.answer("layout", "vector(3,1,2,double)", "--count", "2")
        self.assertEqual((answer["size"], answer["packed_bytes"]), (24, 48))
        self.assertEqual(answer["canonical"], "at 0: 5 runs 0+8,16+8,32+16,56+8,72+8")
        self.assertEqual(self.answer("layout", "contiguous(0,int)")["canonical"], "nothing")
        large = self.answer("layout", "vector(1000000000,1,2,double)")
        self.assertEqual([engine["pack_bytes_per_second"] for engine in large["engines"]], [None, None])

    def test_layout_advises(self):
        advice = self.answer("layout", "indexed_block(1,[0,4,8,12,16],double)")["advice"]
        self.assertEqual(len(advice), 1)
        self.assertIn("5 displacements", advice[0])
        self.assertIn("a vector", advice[0])
        self.assertIn("5 displacements", run("layout", "indexed_block(1,[0,4,8,12,16],double)").stdout)

    def test_layout_refuses(self):
        self.assert_refused(["layout"], "layout")
        self.assert_refused(["layout", "vektor(3,1,2,double)"], "vektor")
        self.assert_refused(["layout", "contiguous(-3,int)"], "-3")
        self.assert_refused(["layout", "double", "--count", "-3"], "-3")

    def test_rank_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ranks")
            for form, lines in (("openmpi", 24), ("mpich", 3), ("slurm", 24)):
                self.answer("place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", form, path, "--hosts", "a,b,c")
                with open(path) as file:
                    self.assertEqual(len(file.readlines()), lines)
            self.assert_refused(["place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", "pbs", path], "pbs", "slurm")
            self.assert_refused(["place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", "slurm", path, "--hosts", "a,b"],
                                "2 host names for 3 nodes")

    def test_place_refuses(self):
        self.assert_refused(["place", "--grid", "0x4"], "--grid 0x4", "extent 0")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "48,-1"], "--nodes 48,-1", "-1")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--stencil", "1,0,0"], "--stencil 1,0,0", "2 dimensions")
        self.assert_refused(["place", "--grid", "4294967296x4294967296", "--nodes", "1"], "4294967296", "64 bits")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--algorithm", "magic"], "magic", "optimal-strips")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "3x8"], "24", "16")
        self.assert_refused(["place", "--grid", "4x4"], "--nodes")
        self.assert_refused(["place", "--nodes", "2x8"], "--grid")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--periodic", "1,0,1"], "--periodic 1,0,1", "2 dimensions")


if __name__ == "__main__":
    unittest.main()
