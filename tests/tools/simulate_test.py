"""halocline simulate on small machines. Usage: simulate_test.py PROGRAM [TEST...]"""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import suppress
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


class Simulate(unittest.TestCase):
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

    def test_a_message_takes_what_its_links_say(self):
        """One message from node to node over two links, and one inside a node."""
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        for size in (1, 1000, 60000):
            between = self.seconds("--machine", tree, "--nodes", "2x1", "--grid", "2", "--stencil", "1", "--bytes", str(size))
            self.assertAlmostEqual(between, 100e-9 + 2e-6 + size / 10e9 + 200e-9, delta=20e-9)
            inside = self.seconds("--machine", tree, "--nodes", "1x2", "--grid", "2", "--stencil", "1", "--bytes", str(size),
                                  "--shared", "off")
            self.assertAlmostEqual(inside, 100e-9 + 0.5e-6 + size / 4e9 + 200e-9, delta=20e-9)

    def test_memory_of_a_node_is_neither_free_nor_a_message(self):
        """Written by one process and read by the other, at 4 GB/s each; from 64 KiB on copied once."""
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        words = ["--machine", tree, "--nodes", "1x2", "--grid", "2", "--stencil", "1"]
        for size in (1, 1000, 60000):
            self.assertAlmostEqual(self.seconds(*words, "--bytes", str(size)), 2 * size / 4e9 + 0.5e-6, delta=10e-9)
        chunk = 64 << 10
        self.assertAlmostEqual(self.seconds(*words, "--bytes", str(20 * chunk)), 20 * chunk / 4e9 + 0.5e-6, delta=10e-9)

    def test_processes_that_are_done_at_one_instant_wake_each_other(self):
        """Each begins to wait for the other while that one writes."""
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        for nodes, grid in (("1x2", "2"), ("1x4", "2x2"), ("2x4", "8")):
            seconds = self.seconds("--machine", tree, "--nodes", nodes, "--grid", grid, "--bytes", "1000")
            self.assertGreater(seconds, 0.5e-6)

    def test_a_process_copies_what_it_sends_itself(self):
        tree = self.machine("fat-tree:4 bandwidth:10")
        for shared in ("on", "off"):
            seconds = self.seconds("--machine", tree, "--nodes", "1x1", "--grid", "1x1", "--periodic", "all", "--stencil",
                                   "1,0;0,1*2", "--bytes", "4000", "--shared", shared)
            self.assertAlmostEqual(seconds, 12000 / 4e9, delta=1e-9)

    def test_nodes_are_those_of_the_job(self):
        """Two nodes at one router are one host to SimGrid, and yet they share no memory."""
        torus = self.machine("torus:4 bandwidth:1 hosts:2")
        words = ["--machine", torus, "--grid", "2", "--stencil", "1", "--bytes", "40000"]
        self.assertAlmostEqual(self.seconds(*words, "--nodes", "2x1"), 300e-9 + 0.5e-6 + 10e-6, delta=20e-9)
        self.assertAlmostEqual(self.seconds(*words, "--nodes", "1x2"), 20e-6 + 0.5e-6, delta=20e-9)

    def test_a_gateway_sends_for_its_node(self):
        """Two processes write, one of them sends, one there receives, and two read."""
        tree = self.machine("fat-tree:4 bandwidth:10")
        words = ["--machine", tree, "--nodes", "2x2", "--grid", "2x2", "--stencil", "1,0", "--bytes", "8000"]
        write, message, read = 8000 / 4e9, 300e-9 + 2e-6 + 16000 / 10e9, 0.5e-6 + 8000 / 4e9
        seconds = self.seconds(*words, schedule="node")
        # Whether the gateway sees the other's block at once depends on who was first.
        self.assertAlmostEqual(seconds, write + 0.25e-6 + message + read, delta=0.3e-6)
        self.assertAlmostEqual(self.seconds(*words), message, delta=0.1e-6)

    def test_one_message_for_a_node_costs_one_overhead(self):
        slow = MACHINE.replace("100 ns", "100 us").replace("200 ns", "300 us")
        tree = self.machine("fat-tree:4 bandwidth:10", text=slow)
        words = ["--machine", tree, "--nodes", "2x4", "--grid", "2x4", "--periodic", "0,1", "--stencil", "moore:1", "--bytes", "8"]
        self.assertAlmostEqual(self.seconds(*words), 3 * 400e-6, delta=10e-6)
        for schedule in ("node", "mixed"):
            self.assertAlmostEqual(self.seconds(*words, schedule=schedule), 400e-6, delta=10e-6)

    def test_mixed_has_the_threshold_of_the_prices(self):
        """A message of 300 ns stands for 500 bytes that go through a link of 10 GB/s and twice through memory."""
        tree = self.machine("fat-tree:4 bandwidth:10")
        results = self.results("--machine", tree, "--nodes", "2x4", "--grid", "2x4", "--periodic", "0,1", "--stencil",
                               "1,0;1,1;1,-1", "--bytes", "499,501", "--schedule", "direct,node,mixed", "--place", "blocked")
        time_of = {(result["schedule"], result["bytes"]): result["seconds"] for result in results}
        self.assertAlmostEqual(time_of["mixed", 499], time_of["node", 499], delta=1e-12)
        self.assertAlmostEqual(time_of["mixed", 501], time_of["direct", 501], delta=1e-12)
        self.assertGreater(abs(time_of["node", 501] - time_of["direct", 501]), 0.1e-6)
        self.assertGreater(abs(time_of["node", 499] - time_of["direct", 499]), 0.1e-6)

    def test_every_byte_arrives_by_gateways(self):
        """Uneven nodes, open and periodic, one process on a node, weights; chunks, and messages in parts."""
        tree = self.machine("fat-tree:3x3 parents:2x1 bandwidth:10,10", cores=7)
        for nodes, grid, periodic, stencil in (("7,6,1", "7x2", "1,0", "moore:1"), ("5x1", "5", "1", "nearest"),
                                               ("4x3", "2x3x2", "1,0,1", "moore:1"), ("1,5,2,4", "3x4", "0,0", "1,0*3;-1,2;0,1*7;2,2"),
                                               ("2,1", "3x1", "1,1", "1,0;0,1;0,0"), ("7x2", "14", "0", "1;-1;3*2;-5")):
            with self.subTest(nodes=nodes, grid=grid):
                results = self.results("--machine", tree, "--nodes", nodes, "--grid", grid, "--periodic", periodic, "--stencil",
                                       stencil, "--schedule", "node,mixed", "--bytes", "1,13,1000,100001")
                self.assertEqual(len(results), 16)

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

    def test_weights_are_simulated_as_they_are_predicted(self):
        """One message, of as many bytes as its weight says."""
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        for weight in (1, 3, 50):
            (result,) = self.results("--machine", tree, "--nodes", "2x1", "--grid", "2", "--place", "blocked",
                                     "--stencil", f"1*{weight}", "--bytes", "20000", "--schedule", "direct")
            size = weight * 20000
            self.assertAlmostEqual(result["seconds"], 100e-9 + 2e-6 + size / 10e9 + 200e-9, delta=20e-9)
            self.assertAlmostEqual(result["predicted_seconds"], 300e-9 + 2e-6 + size / 10e9, delta=1e-12)
            self.assertEqual((result["smallest_block_bytes"], result["largest_block_bytes"]), (size, size))
            self.assertEqual((result["j_sum"], result["j_max"]), (weight, weight))

    def test_blocks_of_different_weights_arrive_whole(self):
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10")
        results = self.results("--machine", tree, "--nodes", "4x4", "--grid", "4x4", "--periodic", "1,0", "--stencil",
                               "1,0*3;-1,0*3;0,1*5;0,-1;1,1*2;-1,-1", "--bytes", "1,8,1001")
        self.assertEqual(len(results), 36)

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

    def planned(self, *words, source=PROGRAM):
        done = subprocess.run([source, "plan", *words, "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

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

    def test_links_of_a_torus_have_their_own_speeds(self):
        torus = self.machine("torus:4x4 bandwidth:8/8/8/2,1", cores=1)
        size = 1000000
        for stencil, periodic, slowest in (("1,0", "0,0", 8e9), ("1,0", "1,0", 2e9), ("0,1", "0,0", 1e9)):
            seconds = self.seconds("--machine", torus, "--nodes", "16", "--grid", "4x4", "--stencil", stencil,
                                   "--periodic", periodic, "--bytes", str(size))
            self.assertAlmostEqual(seconds, size / slowest, delta=0.15 * size / slowest)

    def test_nodes_at_a_router_share_its_links(self):
        torus = self.machine("torus:4 bandwidth:1 hosts:2", cores=1)
        words = ["--machine", torus, "--nodes", "8", "--grid", "4x2", "--stencil", "1,0", "--bytes", "1MB"]
        self.assertAlmostEqual(self.seconds(*words), 2e-3, delta=0.1e-3)

    def test_a_dragonfly_has_three_kinds_of_links(self):
        dragonfly = self.machine("dragonfly:2x3x2 global:1 bandwidth:0.5,2,4", cores=1)
        size = 1000000
        # Between hosts of a router, routers of a group (two flows a link), groups (six flows over three links).
        for grid, stencil, speed in (("6x2", "0,1", 4e9), ("2x3x2", "0,1,0", 1e9), ("2x6", "1,0", 0.25e9)):
            seconds = self.seconds("--machine", dragonfly, "--nodes", "12", "--grid", grid, "--stencil", stencil,
                                   "--bytes", str(size))
            self.assertAlmostEqual(seconds, size / speed, delta=0.15 * size / speed)

    def test_a_dragonfly_of_more_groups_than_routers(self):
        """Several global links at a router, several between two groups, one message over each kind."""
        for network, nodes in (("dragonfly:16x8x4", 512), ("dragonfly:9x4x2", 72), ("dragonfly:5x2x1 global:4", 10),
                               ("dragonfly:3x1x2", 6), ("dragonfly:4x3x1 global:5", 12)):
            with self.subTest(network=network):
                file = self.machine(network + " bandwidth:0.5,2,4", cores=1)
                groups = int(network.split(":")[1].split("x")[0])
                results = self.results("--machine", file, "--nodes", str(nodes), "--grid", f"{groups}x{nodes // groups}",
                                       "--periodic", "1,0", "--place", "blocked", "--bytes", "100", "--schedule", "direct,torus")
                self.assertEqual(len(results), 2)
        # Port 0 and 2 of a group of two routers lead to the next group, 1 and 3 to the one before.
        file = self.machine("dragonfly:3x2x1 global:2 bandwidth:1,2,4", cores=1)
        words = ["--machine", file, "--nodes", "6", "--grid", "3x2", "--periodic", "1,0", "--bytes", "1MB"]
        self.assertAlmostEqual(self.seconds(*words, "--stencil", "1,0"), 1e-3, delta=0.05e-3)

    def test_the_links_of_a_dragonfly_are_those_of_the_metrics(self):
        """For messages that take long the fullest link decides, and the metrics know how full it is."""
        size = 10000000
        for network, nodes, grid in (("dragonfly:5x2x2 global:2", 20, "5x4"), ("dragonfly:9x4x2", 72, "9x8"),
                                     ("dragonfly:4x3x2 global:3", 24, "24x1"), ("dragonfly:7x3x1", 21, "3x7"),
                                     ("dragonfly:16x8x1", 128, "8x16")):
            network += " bandwidth:1,2,4"
            words = ["--grid", grid, "--periodic", "all", "--stencil", "1,0;0,1;1,1"]
            placed = subprocess.run([PROGRAM, "place", *words, "--nodes", f"{nodes}x1", "--algorithm", "blocked", "--network",
                                     network, "--mapping", "links", "--json"], capture_output=True, text=True, timeout=60)
            fullest = json.loads(placed.stdout)["results"][0]["fullest_link_before"] * size / 1e9
            seconds = self.seconds("--machine", self.machine(network, cores=1), "--nodes", str(nodes), *words, "--bytes", str(size),
                                   "--unchecked")
            self.assertAlmostEqual(seconds, fullest, delta=0.005 * fullest, msg=network)

    def test_every_machine_moves_every_byte(self):
        machines = json.loads(run("--machines", "--json").stdout)["machines"]
        self.assertEqual({m["name"] for m in machines} & {"vsc4", "juwels", "titan"}, {"vsc4", "juwels", "titan"})
        kinds = set()
        for machine in machines:
            kinds.add(machine["network"].split(":")[0])
            self.assertTrue(machine["sources"])
            results = self.results("--machine", machine["name"], "--nodes", "8x8", "--grid", "8x8", "--stencil", "moore:1",
                                   "--periodic", "1,0", "--place", "best", "--bytes", "64,32KiB")
            self.assertEqual(len(results), 12)
            time_of = {(r["schedule"], r["bytes"]): r["seconds"] for r in results}
            for (schedule, size), seconds in time_of.items():
                if size == 64:
                    self.assertLess(seconds, time_of[schedule, 32768])
            # Fewer messages for small blocks; nothing sent on by others for large ones.
            self.assertLess(time_of["node", 64], time_of["direct", 64])
            self.assertGreater(time_of["basis", 32768], time_of["direct", 32768])
            self.assertGreater(time_of["node", 32768], time_of["direct", 32768])
            self.assertAlmostEqual(time_of["mixed", 32768], time_of["direct", 32768], delta=1e-12)
        self.assertEqual(kinds, {"fat-tree", "torus", "dragonfly"})

    def test_a_message_costs_each_processor(self):
        """Overheads add up, first those of sending, then those of receiving."""
        slow = MACHINE.replace("100 ns", "100 us").replace("200 ns", "300 us")
        tree = self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10", text=slow)
        for nodes, grid, stencil, messages in (("2x1", "2", "nearest", 1), ("4x1", "2x2", "nearest", 2), ("4x1", "2x2", "moore:1", 3)):
            seconds = self.seconds("--machine", tree, "--nodes", nodes, "--grid", grid, "--stencil", stencil, "--bytes", "8")
            self.assertAlmostEqual(seconds, messages * 400e-6, delta=5e-6)

    def test_rounding_errors_of_many_flows(self):
        """They ended SimGrid with its usual precision."""
        (result,) = self.results("--machine", "aries", "--nodes", "8x16", "--grid", "8x16", "--periodic", "all", "--stencil",
                                 "moore:1", "--place", "blocked", "--bytes", "128KiB", "--schedule", "direct", "--shared", "off", "--unchecked")
        self.assertAlmostEqual(result["seconds"], 2.411e-3, delta=0.02e-3)

    def test_compact_nodes_beat_rows_on_the_fat_tree(self):
        results = self.results("--machine", "vsc4", "--nodes", "8x16", "--grid", "8x16", "--bytes", "64KiB", "--schedule", "direct",
                               "--shared", "off", "--unchecked")
        blocked, best = results
        self.assertEqual((blocked["place"], blocked["ratio"]), ("blocked", 1))
        self.assertGreater(best["ratio"], 1.5)
        self.assertLess(best["ratio"], 1.1 * blocked["j_max"] / best["j_max"])
        # The linear model adds what goes on at the same time, on the node and out of it: at most twice as long.
        for result in results:
            self.assertLess(0.95 * result["seconds"], result["predicted_seconds"])
            self.assertLess(result["predicted_seconds"], 2 * result["seconds"])

    def test_nodes_change_places_on_a_torus(self):
        """The grid is the torus row by row, but with its dimensions in another order: nodes are neighbours only once moved."""
        torus = self.machine("torus:8x2x2", cores=1)
        results = self.results("--machine", torus, "--nodes", "32", "--grid", "2x2x8", "--periodic", "all", "--place",
                               "blocked,blocked+z2_1", "--bytes", "60000", "--schedule", "direct")
        self.assertEqual([result["place"] for result in results], ["blocked", "blocked+z2_1"])
        self.assertEqual(results[0]["j_sum"], results[1]["j_sum"])
        self.assertEqual(results[0]["predicted_seconds"], results[1]["predicted_seconds"])
        self.assertGreater(results[1]["ratio"], 1.5)

    def test_the_fullest_link_decides_if_it_is_asked_for(self):
        """On a dragonfly with narrow local links the placement with the fewest messages between nodes takes longest."""
        results = self.results("--machine", "aries", "--nodes", "16x32", "--grid", "32x16", "--stencil", "moore:1",
                               "--periodic", "all", "--place", "blocked,best,best+links", "--bytes", "64KiB", "--schedule",
                               "direct", "--unchecked")
        blocked, best, links = [result["seconds"] for result in results]
        self.assertGreater(best, 1.2 * blocked)
        self.assertLess(links, blocked)

    def test_odd_shapes(self):
        tree = self.machine("fat-tree:3x3 parents:2x1 bandwidth:10,10", cores=7)
        for nodes, grid, periodic in (("7,6,1", "7x2", "1,1"), ("1x7", "7x1", "1,1"), ("2,1", "3", "0"), ("1x1", "1x1", "1,1"),
                                      ("4x3", "2x3x2", "1,0,1")):
            self.results("--machine", tree, "--nodes", nodes, "--grid", grid, "--periodic", periodic, "--stencil",
                         "nearest", "--schedule", "direct,torus,basis", "--bytes", "1,13,100001")

    def test_a_mesh_chooses_its_grid(self):
        done = run("--machine", "juwels", "--nodes", "2x8", "--mesh", "1000x1000", "--bytes", "64", "--schedule", "direct", "--json")
        self.assertEqual(json.loads(done.stdout)["grid"], "4x4", done.stderr)

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
        self.assert_refused([*vsc4, "--nodes", "2x2"], "--grid and --mesh")
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
