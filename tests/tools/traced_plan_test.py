"""halocline plan --trace: times by prices for the ranks in their order and in the suggested one.
Usage: traced_plan_test.py PROGRAM [TEST...]"""

import os
import tempfile
import unittest

from command_line import CommandLine, run
from traced_place_test import grid_trace, read_order

PRICES = ["--alpha-beta", "node=1us,1GB/s", "--alpha-beta", "network=10us,2GB/s"]


def busiest(trace, node_of):
    """Seconds of the node that is busy longest: its slowest process, then all bytes that leave the node."""
    process, way_out = {}, {}
    for line in trace.splitlines():
        if not line.startswith("flow "):
            continue
        _, _, source, target, messages, size = (int(word) if word.isdigit() else word for word in line.split())
        node = node_of[source]
        if node == node_of[target]:
            busy = messages * 1e-6 + size / 1e9
        else:
            busy = messages * 10e-6
            way_out[node] = way_out.get(node, 0) + size / 2e9
        process[node, source] = process.get((node, source), 0) + busy
    return max(max(busy for (of, _), busy in process.items() if of == node) + way_out.get(node, 0) for node in set(node_of))


class TracedPlan(CommandLine):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = grid_trace((8, 8), range(64), bytes_each=1000000)
        self.file = self.path("t")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(self.trace)

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_times_are_those_of_the_model(self):
        order = self.path("order")
        answer = self.answer("plan", "--trace", self.file, "--nodes", "4x16", *PRICES, "--order", order)
        seconds = {row["order"]: row["seconds"] for row in answer["times"]}
        self.assertAlmostEqual(seconds["default"], busiest(self.trace, [rank // 16 for rank in range(64)]), delta=1e-12)
        node_of = dict(zip(read_order(order), (position // 16 for position in range(64))))
        self.assertAlmostEqual(seconds[answer["best"]], busiest(self.trace, [node_of[rank] for rank in range(64)]), delta=1e-12)
        self.assertLess(seconds[answer["best"]], seconds["default"])

    def test_both_orders_are_compared_in_words(self):
        text = run("plan", "--trace", self.file, "--nodes", "4x16", *PRICES).stdout
        self.assertIn("on a node 1 us, 1 GB/s", text)
        self.assertRegex(text, r"By these prices \S+ is [0-9.]+ times as fast as the default order\.")
        self.assertIn("halocline run --order", text)

    def test_more_messages_may_cost_more_than_bytes_save(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(grid_trace((8, 8), range(64), bytes_each=10))
        text = run("plan", "--trace", self.file, "--nodes", "4x16", *PRICES).stdout
        self.assertIn("keep the default order", text)
        self.assertNotIn("To get it", text)

    def test_nothing_to_gain_has_one_time(self):
        answer = self.answer("plan", "--trace", self.file, "--nodes", "1x64")
        self.assertEqual([row["order"] for row in answer["times"]], ["default"])

    def test_a_mesh_beside_it_is_refused(self):
        self.assert_refused(["plan", "--trace", self.file, "--mesh", "8x8"], "--trace", "--mesh")
        self.assert_refused(["plan", "--mesh", "8x8", "--nodes", "4x1", "--order", self.path("order")], "--order", "--trace")
        self.assert_refused(["plan", "--trace", self.file, "--nodes", "3x16"], "64", "48")


if __name__ == "__main__":
    unittest.main()
