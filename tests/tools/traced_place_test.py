"""halocline place --trace, with traces made by hand. Usage: traced_place_test.py PROGRAM [TEST...]"""

import itertools
import os
import random
import tempfile
import unittest
from xml.etree import ElementTree

from command_line import CommandLine, run


def grid_trace(extents, numbers, bytes_each=1000, on_node=4, extra=(), parts=None):
    """Nearest neighbours of a grid whose cells, row by row, have these numbers; so many ranks a node."""
    cells = list(itertools.product(*[range(n) for n in extents]))
    rank_of = dict(zip(cells, numbers))
    lines = ["halocline trace 1", f"ranks {len(cells)}"]
    lines += [f"process {rank} 2 node{rank // on_node}" for rank in range(parts or len(cells))]
    for cell in cells:
        for d, step in itertools.product(range(len(extents)), (-1, 1)):
            other = cell[:d] + (cell[d] + step,) + cell[d + 1:]
            if other in rank_of:
                lines.append(f"flow message {rank_of[cell]} {rank_of[other]} 10 {bytes_each}")
    lines += [f"flow message {source} {target} 1 {size}" for source, target, size in extra]
    return "\n".join(lines) + "\nend\n"


def between_nodes(trace, node_of):
    """Bytes between nodes, what each node gets and sends: counted here."""
    total, gets, sends = 0, {}, {}
    for line in trace.splitlines():
        if line.startswith("flow "):
            _, _, source, target, _, size = line.split()
            a, b = node_of[int(source)], node_of[int(target)]
            if a != b:
                total += int(size)
                sends[a] = sends.get(a, 0) + int(size)
                gets[b] = gets.get(b, 0) + int(size)
    return total, max(gets.values(), default=0), max(sends.values(), default=0)


def read_order(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return [int(rank) for line in lines if line.startswith("ranks ") for rank in line.split()[1].split(",")]


class TracedPlace(CommandLine):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_a_grid_is_placed(self):
        trace = grid_trace((8, 8), range(64))
        order, ranks = self.path("order"), self.path("ranks")
        answer = self.answer("place", "--trace", self.file("t", trace), "--nodes", "4x16", "--order", order, "--rankfile", "slurm", ranks)
        self.assertEqual((answer["grid"]["extents"], answer["grid"]["numbering"], answer["grid"]["explained"]), ([8, 8], "row-major", 1.0))
        self.assertEqual({tuple(row["offset"]): row["bytes"] for row in answer["grid"]["stencil"]},
                         {(0, 1): 1000, (0, -1): 1000, (1, 0): 1000, (-1, 0): 1000})
        costs = {row["order"]: (row["bytes"], row["busiest_in"], row["busiest_out"]) for row in answer["results"]}
        self.assertEqual(costs["as recorded"], between_nodes(trace, [rank // 4 for rank in range(64)]))
        self.assertEqual(costs["default"], between_nodes(trace, [rank // 16 for rank in range(64)]))
        numbers = read_order(order)
        self.assertEqual(sorted(numbers), list(range(64)))
        node_of = {rank: position // 16 for position, rank in enumerate(numbers)}
        self.assertEqual(costs[answer["best"]], between_nodes(trace, node_of))
        self.assertEqual(costs[answer["best"]][0], 32000)  # four squares of 4 x 4
        self.assertAlmostEqual(answer["ratio"], 32 / 48)
        with open(ranks, encoding="utf-8") as lines:
            self.assertEqual([line.strip() for line in lines], [f"n{node_of[rank]}" for rank in range(64)])

    def test_any_numbering_and_noise(self):
        numbers = list(range(6 * 6 * 6))
        random.Random(7).shuffle(numbers)
        extra = [(rank, 0, 8) for rank in range(1, 216)] + [(3, 77, 500), (100, 200, 500)]
        answer = self.answer("place", "--trace", self.file("t", grid_trace((6, 6, 6), numbers, extra=extra)), "--nodes", "8x27")
        self.assertEqual((sorted(answer["grid"]["extents"]), answer["grid"]["numbering"]), ([6, 6, 6], None))
        self.assertTrue(0.99 < answer["grid"]["explained"] < 1)
        self.assertTrue(answer["gains"])

    def test_nodes_of_the_trace_and_of_a_job(self):
        path = self.file("t", grid_trace((4, 4), range(16)))
        answer = self.answer("place", "--trace", path, "--rankfile", "slurm", self.path("ranks"))
        self.assertEqual((answer["nodes"], answer["nodes_from"]), ("4x4", "trace"))
        with open(self.path("ranks"), encoding="utf-8") as lines:
            self.assertEqual({line.strip() for line in lines}, {"node0", "node1", "node2", "node3"})
        slurm = {"SLURM_JOB_NODELIST": "c[1-2]", "SLURM_TASKS_PER_NODE": "8(x2)"}
        answer = self.answer("place", "--trace", path, "--rankfile", "slurm", self.path("ranks"), **slurm)
        self.assertEqual((answer["nodes"], answer["nodes_from"]), ("2x8", "slurm"))
        with open(self.path("ranks"), encoding="utf-8") as lines:
            self.assertEqual({line.strip() for line in lines}, {"c1", "c2"})

    def test_nothing_to_gain_is_said(self):
        boxes = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
        words = ["place", "--trace", self.file("t", grid_trace((4, 4), boxes)), "--nodes", "4x4"]
        said = run(*words).stdout
        self.assertIn("Morton order", said)  # which boxes of 2 x 2 in a grid of 4 x 4 are
        self.assertIn("Nothing is to be gained", said)
        self.assertEqual(os.listdir(self.folder), ["t"])
        answer = self.answer(*words, "--order", self.path("order"))
        self.assertEqual((answer["best"], answer["gains"]), ("default", False))
        self.assertEqual(read_order(self.path("order")), list(range(16)))

    def test_the_ratio_in_words(self):
        said = run("place", "--trace", self.file("t", grid_trace((8, 8), range(64))), "--nodes", "4x16").stdout
        self.assertIn("a grid 8x8, row-major: stencil nearest of 4 neighbours, 100.0 % of the bytes", said)
        self.assertIn("Between nodes go 1.50 times fewer bytes than in the default order: 66.7 %.", said)

    def test_a_network(self):
        # A chain on a ring of nodes in a bad order: nodes change places.
        where = [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]
        nodes = self.file("nodes", "".join(f"node{i} {x}\n" for i, x in enumerate(where)))
        words = ["place", "--trace", self.file("t", grid_trace((48,), range(48), bytes_each=1)), "--network", "torus:12", "--allocation", nodes]
        answer = self.answer(*words, "--rankfile", "slurm", self.path("ranks"))
        self.assertEqual(answer["network"]["best"]["weighted_hops"], 22)
        self.assertGreater(answer["network"]["default"]["weighted_hops"], 22)
        with open(self.path("ranks"), encoding="utf-8") as lines:
            places = [where[int(line[4:])] for line in lines]
        ways = [abs(a - b) for a, b in zip(places, places[1:])]
        self.assertEqual(2 * sum(min(way, 12 - way) for way in ways), 22)
        links = self.answer(*words, "--mapping", "links")["network"]
        self.assertLessEqual(links["best"]["fullest_link"], links["default"]["fullest_link"])

    def test_the_picture(self):
        picture = self.path("picture.svg")
        for extents, nodes in (((8, 8), "4x16"), ((40, 30), "10x120")):
            cells = extents[0] * extents[1]
            self.answer("place", "--trace", self.file("t", grid_trace(extents, range(cells))), "--nodes", nodes, "--svg", picture)
            root = ElementTree.parse(picture).getroot()
            texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
            self.assertIn(f"{cells} ranks on nodes {nodes}", texts)
            self.assertTrue(any(text.startswith("default: ") for text in texts), texts)
            frames = [element.get("d") for element in root.iter() if element.get("class") == "nodes"]
            self.assertEqual([frame.count("M") for frame in frames], [int(nodes.split("x")[0])] * 2)

    def test_what_does_not_fit_is_refused(self):
        good, order = self.file("good", grid_trace((4, 4), range(16))), self.path("order")
        asks = ["--order", order, "--rankfile", "slurm", self.path("ranks"), "--svg", self.path("svg")]
        self.assert_refused(["place", "--trace", good, "--nodes", "5x4", *asks], "16 ranks", "5x4", "20")
        self.assert_refused(["place", "--trace", good, *asks], "16 ranks", "Slurm", "24", SLURM_JOB_NODELIST="n[1-3]", SLURM_TASKS_PER_NODE="8(x3)")
        part = self.file("part", grid_trace((4, 4), range(16), parts=15))
        self.assert_refused(["place", "--trace", part, *asks], part, "15 of 16")
        silent = self.file("silent", "halocline trace 1\nranks 2\nprocess 0 1 a\nprocess 1 1 a\nend\n")
        self.assert_refused(["place", "--trace", silent, *asks], silent, "no rank sends")
        self.assert_refused(["place", "--trace", self.file("cut", "halocline trace 1\nranks 2\n"), *asks], "cut", "something is missing")
        self.assert_refused(["place", "--trace", self.path("none"), *asks], "none", "no such file")
        self.assert_refused(["place", "--trace", good, "--grid", "4x4", *asks], "--grid", "--trace")
        self.assert_refused(["place", "--trace", good, *asks, "--hosts", "a,b"], "--hosts a,b", "4 nodes")
        self.assert_refused(["place", "--trace", good, *asks, "--network", "torus:5"], "5 nodes", "4")
        self.assert_refused(["place", "--trace", good, "--rankfile", "pbs", order], "pbs", "slurm")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--order", order], "--order", "--trace")
        self.assert_refused(["place", "--nodes", "2x8"], "--grid or --trace")
        self.assertEqual(sorted(os.listdir(self.folder)), ["cut", "good", "part", "silent"])

    def test_other_patterns(self):
        chance = random.Random(5)
        flows = "".join(f"flow message {a} {chance.randrange(40)} 1 100\n" for a in range(40) for _ in range(4))
        text = "halocline trace 1\nranks 40\n" + "".join(f"process {rank} 1 n{rank // 8}\n" for rank in range(40)) + flows + "end\n"
        answer = self.answer("place", "--trace", self.file("t", text))
        self.assertIsNone(answer["grid"])
        self.assertIn("no grid", run("place", "--trace", self.path("t")).stdout)
        costs = {row["order"]: row["bytes"] for row in answer["results"]}
        self.assertEqual(answer["best"], "graph")
        self.assertLess(costs["graph"], costs["default"])


if __name__ == "__main__":
    unittest.main()
