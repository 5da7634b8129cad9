"""halocline simulate --trace: what the messages of a trace take on small machines. Usage: simulate_trace_test.py PROGRAM [TEST...]"""

import itertools
import json
import random
import unittest
from pathlib import Path

from simulation import Simulation, run


def trace_of(ranks, flows):
    lines = ["halocline trace 1", f"ranks {ranks}"] + [f"process {rank} 1 n" for rank in range(ranks)]
    return "\n".join(lines + [f"flow message {source} {target} {messages} {size}" for source, target, messages, size in flows]) + "\nend\n"


def torus(extents, numbers, size):
    """A message to each neighbour on a periodic grid, whose cells have these numbers row by row."""
    cells = list(itertools.product(*map(range, extents)))
    rank_of = dict(zip(cells, numbers))
    for cell in cells:
        for d, step in itertools.product(range(len(extents)), (-1, 1)):
            other = list(cell)
            other[d] = (other[d] + step) % extents[d]
            yield rank_of[cell], rank_of[tuple(other)], 5, 5 * size


class SimulateTrace(Simulation):
    def rounds(self, text, nodes, *more):
        file = Path(self.folder.name) / "t.trace"
        file.write_text(text)
        done = run("--machine", self.tree(), "--nodes", nodes, "--trace", file, "--json", *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {row["order"]: row for row in json.loads(done.stdout)["results"]}

    def tree(self):
        return self.machine("fat-tree:4x2 parents:2x1 bandwidth:10,10", cores=8)

    def test_one_message_has_the_mean_size(self):
        for size in (1, 1000, 60000):
            text = trace_of(2, [(0, 1, 7, 7 * size)])
            between, inside = self.rounds(text, "2x1")["default"], self.rounds(text, "1x2")["default"]
            self.assertAlmostEqual(between["seconds"], 100e-9 + 2e-6 + size / 10e9 + 200e-9, delta=20e-9)
            self.assertAlmostEqual(inside["seconds"], 100e-9 + 0.5e-6 + size / 4e9 + 200e-9, delta=20e-9)

    def test_a_process_sends_one_after_the_other(self):
        text = trace_of(4, [(0, rank, 1, 8) for rank in (1, 2, 3)])
        self.assertAlmostEqual(self.rounds(text, "4x1")["default"]["seconds"], 3 * 100e-9 + 2e-6 + 200e-9, delta=2.1e-6)
        text = trace_of(4, [(rank, 0, 1, 8) for rank in (1, 2, 3)])
        self.assertGreater(self.rounds(text, "4x1")["default"]["seconds"], 100e-9 + 2e-6 + 3 * 200e-9 - 1e-9)

    def test_the_suggested_order_is_faster(self):
        random.seed(4)
        numbers = list(range(64))
        random.shuffle(numbers)
        rows = self.rounds(trace_of(64, torus((8, 8), numbers, 100000)), "8x8")
        (best,) = set(rows) - {"default"}
        self.assertGreater(rows[best]["ratio"], 1.5)
        self.assertLess(rows[best]["bytes"], rows["default"]["bytes"])
        self.assertLess(rows[best]["predicted_seconds"], rows["default"]["predicted_seconds"])

    def test_nothing_to_gain_is_one_row(self):
        self.assertEqual(list(self.rounds(trace_of(2, [(0, 1, 1, 8), (1, 0, 1, 8)]), "1x2")), ["default"])

    def test_refusals(self):
        file = Path(self.folder.name) / "t.trace"
        file.write_text(trace_of(4, [(0, 1, 1, 8)]))
        words = ["--machine", self.tree(), "--trace", file]
        self.assert_refused(words, "--nodes is missing")
        self.assert_refused([*words, "--nodes", "2x3"], "4", "6")
        self.assert_refused([*words, "--nodes", "2x2", "--grid", "2x2"], "--trace", "--grid")
        file.write_text(trace_of(4, [(0, 1, 1, 1 << 40)]))
        self.assert_refused([*words, "--nodes", "4x1"], str(1 << 40))
        file.write_text(trace_of(4, [(0, 1, 1, 8)])[:-4])
        self.assert_refused([*words, "--nodes", "4x1"], "t.trace", "missing")


if __name__ == "__main__":
    unittest.main()
