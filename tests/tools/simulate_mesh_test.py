"""halocline simulate of meshes, beside the plan of the same mesh. Usage: simulate_mesh_test.py PROGRAM [TEST...]"""

import json
import re
import subprocess
import unittest
from pathlib import Path

from simulation import PROGRAM, Simulation, run


class Simulate(Simulation):
    def test_all_that_fit_are_simulated_without_a_choice(self):
        combining = ["torus", "torus-direct", "basis"]
        for nodes, mesh, expected in (("3x4", "60x72", ["direct", "node", "mixed", *combining]),
                                      ("3x4", "61x72", ["direct", "node", "mixed"]), ("1x4", "60x72", ["direct"])):
            with self.subTest(nodes=nodes, mesh=mesh):
                words = ["--nodes", nodes, "--mesh", mesh, "--stencil", "moore:1"]
                simulated = ["--machine", "vsc4", "--bytes", "8", "--place", "best", *words]
                self.assertEqual([result["schedule"] for result in self.results(*simulated)], expected)
                by_messages = [name for name in expected if name not in ("node", "mixed")]
                self.assertEqual([result["schedule"] for result in self.results(*simulated, "--shared", "off")], by_messages)
                planned = subprocess.run([PROGRAM, "plan", *words, "--json"], capture_output=True, text=True, timeout=60)
                self.assertLessEqual({rated["schedule"] for rated in json.loads(planned.stdout)["schedules"]}, set(expected))

    def test_a_mesh_has_faces_edges_and_corners(self):
        """Two by two processes of 500 x 500 points, each with two faces and a corner for the others."""
        tree = self.machine("fat-tree:4 bandwidth:10")
        faces, corner = (2 * 500, 500 * 3), 2 * 3
        for weights, points in (("", sum(faces) + corner), ("*40", sum(faces) + 40 * corner)):
            stencil = ";".join([f"{x},{y}{weights if x and y else ''}" for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
            for point in (8, 64):
                (result,) = self.results("--machine", tree, "--nodes", "4x1", "--mesh", "1000x1000", "--place", "blocked",
                                         "--stencil", stencil, "--halo", "2x3", "--fields", "5", "--bytes", str(point),
                                         "--schedule", "direct")
                size = points * 5 * point
                self.assertAlmostEqual(result["predicted_seconds"], 3 * 300e-9 + 2e-6 + size / 10e9, delta=1e-12)
                # Latencies, the overheads of three messages at both ends, and all bytes through one link.
                self.assertAlmostEqual(result["seconds"], 2e-6 + 3 * 300e-9 + size / 10e9, delta=1e-6)
                self.assertEqual((result["j_sum"], result["j_max"]), (4 * points, points))
                least = min(*faces, corner if not weights else 40 * corner)
                self.assertEqual((result["smallest_block_bytes"], result["largest_block_bytes"]),
                                 (least * 5 * point, max(*faces, points - sum(faces)) * 5 * point))

    def test_shares_of_a_mesh_that_differ(self):
        """Every byte of every block is looked at; schedules that forward blocks are refused as in a plan."""
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        words = ["--machine", tree, "--nodes", "3x4", "--mesh", "31x47x11", "--periodic", "1,0,1", "--stencil", "moore:1",
                 "--halo", "2x1x3"]
        self.assertEqual(len(self.results(*words, "--bytes", "1,8", "--place", "blocked,best")), 12)
        self.assert_refused([*words, "--schedule", "direct,torus"], "torus forwards only blocks of one size", "31x47x11", status=1)
        self.assert_refused([*words[:-1], "12"], "halo")
        self.assert_refused([*words, "--fields", "0"], "--fields 0")
        self.assert_refused(["--machine", tree, "--nodes", "3x4", "--grid", "3x4", "--halo", "2"], "--halo", "--mesh")

    def test_a_simulated_mesh_is_that_of_the_plan(self):
        """The grid, and what goes between nodes."""
        words = ["--mesh", "60x80x40", "--stencil", "moore:1", "--halo", "2", "--fields", "3"]
        done = run("--machine", "vsc4", "--nodes", "4x6", *words, "--place", "best", "--schedule", "direct", "--json")
        answer = json.loads(done.stdout)
        plan = json.loads(subprocess.run([PROGRAM, "plan", *words, "--nodes", "4x6", "--schedule", "direct", "--json"],
                                         capture_output=True, text=True, timeout=60).stdout)["plan"]
        self.assertEqual(answer["grid"], "x".join(map(str, plan["grid"])))
        self.assertEqual((answer["mesh"], answer["halo"], answer["fields"]), ("60x80x40", [2, 2, 2], 3))
        (result,) = answer["results"]
        self.assertEqual((result["bytes"], result["j_sum"] * 24, result["j_max"] * 24), (8, plan["j_sum"], plan["j_max"]))

    def test_a_mesh_alone_is_simulated_as_it_is_planned(self):
        """Grid, placement, schedule and predicted time of the plan and of the default, by the prices of the machine."""
        tree = self.machine("fat-tree:6 bandwidth:10", cores=16)
        prices = ["--alpha-beta", "node=0ns,4GB/s,500ns", "network=300ns,10GB/s,2us"]
        seen = set()
        for words in (["--mesh", "96x96x96", "--stencil", "moore:1", "--nodes", "4x8"],
                      ["--mesh", "24x24x24", "--stencil", "moore:1", "--periodic", "all", "--nodes", "6x4", "--fields", "3"],
                      ["--mesh", "16x16", "--stencil", "moore:1", "--periodic", "all", "--nodes", "4x1"],
                      ["--mesh", "512x511", "--halo", "2", "--nodes", "5,3,8", "--stencil", "nearest"],
                      ["--mesh", "900x400", "--nodes", "1x6"]):
            for point in ("1", "8"):
                with self.subTest(words=words, point=point):
                    plan = self.planned(*words, "--bytes", point, *prices)
                    results = self.results("--machine", tree, *words, "--bytes", point)
                    self.assertEqual([result["what"] for result in results], ["plan", "default"])
                    size = int(point) * plan["problem"]["fields"]
                    for result, expected in zip(results, (plan["plan"], plan["default"]), strict=True):
                        self.assertEqual(result["grid"].split(" ")[0], "x".join(map(str, expected["grid"])))
                        self.assertEqual((result["placement"], result["schedule"]), (expected["placement"], expected["schedule"]))
                        self.assertAlmostEqual(result["predicted_seconds"], expected["seconds"], delta=1e-12)
                        self.assertAlmostEqual(result["ratio"], result["seconds"] / result["predicted_seconds"], delta=1e-9)
                        if expected["schedule"] in ("direct", "node", "mixed"):
                            self.assertEqual((result["j_sum"] * size, result["j_max"] * size), (expected["j_sum"], expected["j_max"]))
                    seen.add(plan["plan"]["schedule"])
        self.assertGreater(len(seen), 2, seen)

    def test_what_is_simulated_of_a_plan_is_what_its_rows_say(self):
        """The same grid, placement and schedule asked for by name take as long."""
        words = ["--machine", "vsc4", "--mesh", "96x96x96", "--stencil", "moore:1", "--nodes", "8x12"]
        plan, usual = self.results(*words)
        (same,) = self.results(*words, "--place", plan["placement"], "--schedule", plan["schedule"])
        self.assertAlmostEqual(plan["seconds"], same["seconds"], delta=1e-12)
        self.assertAlmostEqual(plan["predicted_seconds"], same["predicted_seconds"], delta=1e-12)
        self.assertEqual((plan["j_sum"], plan["j_max"]), (same["j_sum"], same["j_max"]))
        self.assertEqual((usual["placement"], usual["schedule"]), ("blocked", "direct"))

    def test_a_plan_without_shared_memory_has_no_gateways(self):
        words = ["--machine", "vsc4", "--mesh", "96x96x96", "--stencil", "moore:1", "--nodes", "8x12"]
        plan, _ = self.results(*words)
        self.assertEqual(plan["schedule"], "mixed")
        without, _ = self.results(*words, "--shared", "off")
        names = [row["schedule"] for row in self.results(*words, "--shared", "off", "--place", "best")]
        self.assertIn(without["schedule"], names)
        self.assertNotIn("mixed", names)

    def test_a_plan_where_there_is_no_default(self):
        """Five processes along a dimension of three points."""
        done = run("--machine", "vsc4", "--nodes", "5x5", "--mesh", "100x3", "--json")
        answer = json.loads(done.stdout)
        self.assertEqual([result["what"] for result in answer["results"]], ["plan"])
        self.assertIn("5", answer["no_default"])
        self.assertEqual(answer["speedups"], [])
        self.assertIn("There is no default to compare with: ", run("--machine", "vsc4", "--nodes", "5x5", "--mesh", "100x3").stdout)

    def test_the_table_and_the_picture_of_a_plan(self):
        picture = Path(self.folder.name) / "times.svg"
        words = ["--machine", "vsc4", "--nodes", "2x8", "--mesh", "64x64", "--bytes", "1,8"]
        done = run(*words, "--svg", picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[:2] for line in done.stdout.splitlines()[2:6]],
                         [["1", "plan"], ["default", "4x4"], ["8", "plan"], ["default", "4x4"]])
        self.assertEqual(len(re.findall(r"bytes? a point: the plan is (?:[0-9.]+ times )?as fast as the default, predicted [0-9.]+", done.stdout)), 2)
        self.assertEqual(picture.read_text().count("<polyline"), 2)
        self.assert_refused([*words[:-1], "8,0"], "--bytes 8,0", "a size of 0")
        alone = run("--machine", "vsc4", "--nodes", "1x1", "--mesh", "64x64")
        self.assertNotRegex(alone.stdout, "nan|inf")

    def test_a_mesh_chooses_its_grid(self):
        done = run("--machine", "juwels", "--nodes", "2x8", "--mesh", "1000x1000", "--bytes", "64", "--schedule", "direct", "--json")
        self.assertEqual(json.loads(done.stdout)["grid"], "4x4", done.stderr)


if __name__ == "__main__":
    unittest.main()
