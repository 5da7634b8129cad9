"""halocline simulate on small machines: what messages, schedules and networks cost. Usage: simulate_test.py PROGRAM [TEST...]"""

import json
import subprocess
import unittest

from simulation import MACHINE, PROGRAM, Simulation, run


class Simulate(Simulation):
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


if __name__ == "__main__":
    unittest.main()
