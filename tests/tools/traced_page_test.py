"""The data that plan --trace --html puts into its page, without a browser. Usage: traced_page_test.py PROGRAM [TEST...]"""

import json
import os
import random
import re
import tempfile
import unittest
from xml.etree import ElementTree

from command_line import CommandLine, run
from traced_place_test import between_nodes, grid_trace, read_order


def trace_of(ranks, flows, on_node=4):
    """flows: source, target, messages, bytes."""
    lines = ["halocline trace 1", f"ranks {ranks}", *(f"process {rank} 2 node{rank // on_node}" for rank in range(ranks))]
    lines += [f"flow message {source} {target} {messages} {size}" for source, target, messages, size in flows]
    return "\n".join(lines) + "\nend\n"


def flows_of(trace):
    return [tuple(map(int, line.split()[2:])) for line in trace.splitlines() if line.startswith("flow ")]


def drawn(svg):
    """The dots of a matrix, by row and column, with the numbers of their shades; where frames begin, and their sides."""
    root = ElementTree.fromstring(svg)
    dots, frames = {}, []
    for path in (element for element in root.iter() if element.tag.endswith("}path")):
        shade = re.fullmatch(r"shade([1-8])", path.get("class"))
        if shade:
            for column, row, length in re.findall(r"M(\d+) (\d+)h(\d+)", path.get("d")):
                for i in range(int(length)):
                    if (int(row), int(column) + i) in dots:
                        raise AssertionError(f"two dots in row {row}, column {int(column) + i}")
                    dots[int(row), int(column) + i] = int(shade.group(1))
        elif path.get("class") == "nodes":
            frames += [(float(x), float(side)) for x, y, side in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)", path.get("d")) if x == y]
    return dots, frames


class TracedPage(CommandLine):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def page(self, trace, *words):
        """What is in the page, what is printed, the order, and the page's bytes."""
        with open(self.path("app.trace"), "w", encoding="utf-8") as file:
            file.write(trace)
        printed = self.answer("plan", "--trace", self.path("app.trace"), *words, "--html", self.path("page.html"), "--order", self.path("app.order"))
        with open(self.path("page.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n"))
        [plan] = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', text, re.DOTALL)
        shown = json.loads(plan)
        self.assertEqual({key: shown[key] for key in printed}, printed)
        return shown, printed, read_order(self.path("app.order")), len(text)

    def expect_picture(self, picture, trace, ranks, sizes):
        """`ranks`: by place; `sizes`: of nodes."""
        place_of = {rank: place for place, rank in enumerate(ranks)}
        node_of = {place: node for node, size in enumerate(sizes) for place in range(sum(sizes[:node]), sum(sizes[:node + 1]))}
        together = -(-len(ranks) // 256)
        dots, frames = drawn(picture["matrix"])
        expected = {}
        for source, target, _, size in flows_of(trace):
            dot = place_of[source] // together, place_of[target] // together
            expected[dot] = expected.get(dot, 0) + size
        self.assertEqual(dots.keys(), expected.keys())
        for one, other in zip(sorted(dots, key=expected.get), sorted(dots, key=expected.get)[1:]):
            self.assertLessEqual(dots[one], dots[other])
        place = 512 / len(ranks)
        blocks = [(place * sum(sizes[:node]), place * size) for node, size in enumerate(sizes) if place * size >= 2]
        self.assertEqual(len(frames), len(blocks))
        for frame, block in zip(frames, blocks):
            self.assertAlmostEqual(frame[0], block[0], delta=0.011)
            self.assertAlmostEqual(frame[1], block[1], delta=0.011)

        traffic, sent = picture["traffic"], {}
        for source, target, messages, size in flows_of(trace):
            a, b = node_of[place_of[source]], node_of[place_of[target]]
            if a != b:
                pair = a // traffic["nodes_together"], b // traffic["nodes_together"]
                before = sent.get(pair, (0, 0))
                sent[pair] = before[0] + messages, before[1] + size
        senders, receivers, messages, sizes_sent = (traffic["pairs"][i::4] for i in range(4))
        self.assertEqual(dict(zip(zip(senders, receivers), zip(messages, sizes_sent))), sent)
        self.assertLessEqual(len(senders), 2**14)
        return expected, dots

    def expect_page(self, trace, nodes, *words):
        sizes = [int(size) for part in nodes.split(",") for size in [part.split("x")[1]] * int(part.split("x")[0])]
        shown, printed, order, size = self.page(trace, "--nodes", nodes, *words)
        before = self.expect_picture(shown["pictures"]["default"], trace, range(len(order)), sizes)
        self.assertEqual(shown["node_count"], len(sizes))
        if not printed["gains"]:
            self.assertIsNone(shown["pictures"]["best"])
            self.assertNotIn("order", shown)
            return shown, size
        after = self.expect_picture(shown["pictures"]["best"], trace, order, sizes)
        # Shades mean the same in both.
        shades = {}
        for expected, dots in (before, after):
            for dot, shade in dots.items():
                self.assertEqual(shades.setdefault(expected[dot], shade), shade)
        self.assertEqual(max(shades.values()), 8)
        with open(self.path("app.order"), encoding="utf-8") as file:
            self.assertEqual(shown["order"], file.read())
        return shown, size

    def test_a_grid_before_and_after(self):
        trace = grid_trace((8, 8), range(64))
        shown, _ = self.expect_page(trace, "4x16")
        costs = {row["order"]: (row["bytes"], row["busiest_in"], row["busiest_out"]) for row in shown["results"]}
        self.assertEqual(costs["default"], between_nodes(trace, [rank // 16 for rank in range(64)]))
        self.assertIn("grid 8x8, row-major", shown["pattern"])

    def test_nodes_of_different_sizes(self):
        # The first nodes are too small to be framed.
        chance = random.Random(3)
        flows = [(a, b, chance.randrange(1, 9), chance.randrange(1, 10**6)) for a in range(700) for b in {(a * 7 + 1) % 700, chance.randrange(700)} - {a}]
        shown, _ = self.expect_page(trace_of(700, flows), "10x2,1x300,19x20")
        self.assertIsNone(shown["grid"])

    def test_what_is_said_is_what_is_printed(self):
        with open(self.path("app.trace"), "w", encoding="utf-8") as file:
            file.write(grid_trace((8, 8), range(64), bytes_each=10000))
        for nodes in ("4x16", "1x64"):
            words = ["plan", "--trace", self.path("app.trace"), "--nodes", nodes]
            said, answer = run(*words).stdout.splitlines(), self.answer(*words)
            for sentence in (answer["about"], answer["pattern"], answer["verdict"], *answer["reasons"]):
                self.assertIn(sentence, said)
            self.assertIn(f"nodes {answer['nodes']}: {answer['told_by']}", said)
            self.assertIn(answer["verdict"], answer["reasons"])
            self.assertTrue(any(line.endswith(answer["prices"]) for line in said))

    def test_levels_and_networks(self):
        trace = grid_trace((8, 8), range(64))
        shown, printed, _, _ = self.page(trace, "--levels", "4,2,8")
        self.assertEqual(len({row["level"] for row in shown["results"]}), 2)
        shown, printed, _, _ = self.page(grid_trace((48,), random.Random(2).sample(range(48), 48)), "--nodes", "12x4", "--network", "torus:12")
        self.assertTrue(any("weighted hops" in reason for reason in printed["reasons"]))

    def test_how_to_get_it(self):
        trace = grid_trace((8, 8), range(64))
        _, answer, _, _ = self.page(trace, "--nodes", "4x16")
        lines = [line for way in answer["how_to_get_it"] for line in way["lines"]]
        order = self.path("app.order")
        self.assertIn(f"halocline run --order {order} -- mpirun -n 64 --map-by ppr:16:node ./program", lines)
        self.assertIn(f"halocline run --order {order} -- srun --nodes=4 --ntasks-per-node=16 ./program", lines)
        for name, line in (("openmpi", "mpirun --rankfile FILE -n 64 ./program"), ("hydra", "mpiexec -f FILE -n 64 ./program")):
            [way] = [way for way in answer["how_to_get_it"] if f"--rankfile {name} FILE" in way["purpose"]]
            self.assertEqual(way["lines"], [line])
        # With a file that is written there is one launcher, and the line that is printed.
        words = ["plan", "--trace", self.path("app.trace"), "--nodes", "4x16", "--rankfile", "slurm", self.path("hosts")]
        [_, way] = self.answer(*words)["how_to_get_it"]
        said = run(*words).stdout
        line = said.splitlines()[-1].partition(": ")[2]
        self.assertEqual(way["lines"], [f"{line} -n 64 ./program"])
        self.assertIn("--distribution=arbitrary", line)
        # Of columns that are dealt to two nodes in turn Slurm knows the word.
        with open(self.path("app.trace"), "w", encoding="utf-8") as file:
            file.write(trace_of(8, [(a, b, 1, 100) for a in range(8) for b in range(8) if a != b and a % 2 == b % 2]))
        [_, way] = self.answer("plan", "--trace", self.path("app.trace"), "--nodes", "2x4", *words[-3:])["how_to_get_it"]
        self.assertEqual(way["lines"], ["srun --nodes=2 --ntasks-per-node=4 --distribution=cyclic ./program"])

    def test_nothing_to_gain(self):
        shown, _ = self.expect_page(grid_trace((8, 8), range(64)), "1x64")
        self.assertTrue(shown["verdict"].startswith("Nothing is to be gained"))
        self.assertEqual([way["lines"][0] for way in shown["how_to_get_it"]], ["mpirun -n 64 --map-by ppr:64:node ./program"])

    def test_no_page_is_huge(self):
        # As many dots as there can be, each of another shade than the one beside it.
        chance = random.Random(11)
        flows = [(a, b, 1, 2**chance.randrange(1, 40)) for a in range(1800) for b in chance.sample(range(1800), 30) if a != b]
        shown, size = self.expect_page(trace_of(1800, flows), "200x9")
        self.assertLess(size, 4e6)
        # Everybody talks with everybody.
        flows = [(a, b, 1, 1 + (a ^ b)) for a in range(260) for b in range(260) if a != b]
        shown, size = self.expect_page(trace_of(260, flows), "260x1")
        self.assertLess(size, 4e6)
        self.assertGreater(shown["pictures"]["default"]["traffic"]["nodes_together"], 1)

    def test_names_of_nodes(self):
        trace = grid_trace((4, 4), range(16)).replace(" node", " </script><b>")
        shown, _, _, _ = self.page(trace)
        self.assertEqual(shown["hosts"], [f"</script><b>{node}" for node in range(4)])
        shown, _, _, _ = self.page(trace, "--nodes", "4x4")
        self.assertNotIn("hosts", shown)

    def test_what_does_not_fit_is_refused(self):
        good = self.path("good")
        with open(good, "w", encoding="utf-8") as file:
            file.write(grid_trace((4, 4), range(16)))
        page = ["--html", self.path("page.html"), "--order", self.path("order")]
        self.assert_refused(["plan", "--trace", good, "--nodes", "5x4", *page], "16 ranks", "5x4", "20")
        self.assert_refused(["plan", "--trace", self.path("none"), "--nodes", "4x4", *page], "none", "no such file")
        self.assert_refused(["plan", "--trace", good, "--mesh", "4x4", *page], "--trace", "--mesh")
        self.assert_refused(["plan", "--trace", good, "--rankfile", "pbs", self.path("ranks"), *page], "pbs", "slurm")
        self.assertEqual(os.listdir(self.folder), ["good"])
        done = run("plan", "--trace", good, "--nodes", "4x4", "--html", "/nowhere/page.html")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "halocline: cannot write --html /nowhere/page.html\n"))


class NoPage(CommandLine):
    def test_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            done = run("plan", "--trace", os.path.join(folder, "none"), "--nodes", "2x2", "--html", path)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
            for part in (f"--html {path}", "npm", "HALOCLINE_PAGE", "--svg"):
                self.assertIn(part, done.stderr)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    without = "built without the page" in run("plan", "--mesh", "64x64", "--nodes", "2x2", "--html", os.devnull).stderr
    unittest.main(defaultTest="NoPage" if without else "TracedPage")
