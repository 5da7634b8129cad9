"""The data that plan --html puts into its page, without a browser. Usage: page_data_test.py PROGRAM"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE", "SLURM", "PBS"))}


def run(*words):
    return subprocess.run([PROGRAM, "plan", *words], env=CLEAN, capture_output=True, text=True, timeout=60)


def without_page():
    return "built without the page" in run("--mesh", "64x64", "--nodes", "2x2", "--html", os.devnull).stderr


def owners_of_blocks(nodes, grid, block):
    """The node that owns most of each block of a grid of three dimensions, of equals the first."""
    blocks = {}
    for x in range(grid[0]):
        for y in range(grid[1]):
            for z in range(grid[2]):
                owners = blocks.setdefault((x // block[0], y // block[1], z // block[2]), {})
                node = nodes[(x * grid[1] + y) * grid[2] + z]
                owners[node] = owners.get(node, 0) + 1
    return [min(owners, key=lambda node: (-owners[node], node)) for _, owners in sorted(blocks.items())]


class PageData(unittest.TestCase):
    def pages(self, *words):
        """The plan in the page, the plan that is printed, and the node of each cell by the rank file."""
        with tempfile.TemporaryDirectory() as folder:
            page, hosts = pathlib.Path(folder, "page.html"), pathlib.Path(folder, "hosts")
            done = run(*words, "--html", str(page), "--rankfile", "slurm", str(hosts), "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = page.read_text(encoding="utf8")
            scripts = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', text, re.DOTALL)
            self.assertEqual(len(scripts), 1)
            self.assertTrue(text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n"))
            nodes = [int(host[1:]) for host in hosts.read_text().split()]
            return json.loads(scripts[0]), json.loads(done.stdout), nodes

    def expect_traffic(self, picture, prediction, nodes):
        traffic = picture["traffic"]
        self.assertEqual(traffic["groups"], -(-nodes // traffic["nodes_together"]))
        self.assertLessEqual(traffic["groups"], 512)
        senders, receivers, messages, sizes = (traffic["pairs"][i::4] for i in range(4))
        self.assertTrue(all(0 <= group < traffic["groups"] for group in senders + receivers))
        # These stencils are symmetric: who sends gets as many messages back.
        counted = dict(zip(zip(senders, receivers), messages))
        self.assertEqual(len(counted), len(messages))
        self.assertEqual(counted, {(to, sender): count for (sender, to), count in counted.items()})
        self.assertEqual(sum(sizes), prediction["j_sum"])
        sent = [0] * traffic["groups"]
        for sender, size in zip(senders, sizes):
            sent[sender] += size
        if traffic["nodes_together"] == 1:
            self.assertTrue(all(sender != to for sender, to in counted))
            self.assertEqual(max(sent), prediction["j_max"])

    def test_every_cell_and_every_byte(self):
        for words in (["--mesh", "97", "--nodes", "3x5,2"], ["--mesh", "300x200", "--nodes", "4x6", "--periodic", "all"],
                      ["--mesh", "100x110x95", "--nodes", "7x8,5,3", "--stencil", "moore:1"],
                      ["--mesh", "32x32x32x32", "--nodes", "8x12"], ["--mesh", "64x64", "--nodes", "1x4"],
                      ["--mesh", "8x8", "--nodes", "2x1"]):
            with self.subTest(words):
                page, printed, nodes = self.pages(*words)
                self.assertEqual({key: page[key] for key in printed}, printed)
                cells = page["pictures"]["plan"]["cells"]
                self.assertEqual((cells["extents"], set(cells["block"])), (printed["plan"]["grid"], {1}))
                runs = cells["runs"]
                self.assertEqual([node for node, length in zip(runs[::2], runs[1::2]) for _ in range(length)], nodes)
                for name in ("plan", "default"):
                    self.expect_traffic(page["pictures"][name], printed[name], printed["problem"]["nodes"])
                own = [row for row in page["placements"] if row["placement"] == printed["plan"]["placement"]]
                self.assertEqual([(row["j_sum"], row["j_max"], row["seconds"]) for row in own],
                                 [tuple(printed["plan"][key] for key in ("j_sum", "j_max", "seconds"))])

    def test_large_ones_are_taken_together(self):
        # On this grid nodes end inside blocks.
        page, printed, nodes = self.pages("--mesh", "2000x2000x2000", "--nodes", "1300x131")
        cells = page["pictures"]["plan"]["cells"]
        shown = 1
        for extent, block, whole in zip(cells["extents"], cells["block"], printed["plan"]["grid"]):
            self.assertEqual(extent, -(-whole // block))
            shown *= extent
        self.assertEqual(sum(cells["runs"][1::2]), shown)
        self.assertTrue(2**16 < shown <= 2**17, shown)
        drawn = [node for node, length in zip(cells["runs"][::2], cells["runs"][1::2]) for _ in range(length)]
        self.assertEqual(drawn, owners_of_blocks(nodes, printed["plan"]["grid"], cells["block"]))
        self.assertEqual(page["pictures"]["plan"]["traffic"]["nodes_together"], 3)
        self.expect_traffic(page["pictures"]["plan"], printed["plan"], 1300)

    def test_no_default(self):
        page, printed, _ = self.pages("--mesh", "4x1000", "--nodes", "5x7")
        self.assertIsNone(printed["default"])
        self.assertIsNone(page["pictures"]["default"])

    def test_a_file_that_cannot_be_written(self):
        done = run("--mesh", "64x64", "--nodes", "2x2", "--html", "/nowhere/page.html")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "halocline: cannot write --html /nowhere/page.html\n")


class NoPage(unittest.TestCase):
    def test_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page.html")
            done = run("--mesh", "64x64", "--nodes", "2x2", "--html", str(path))
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
            for part in (f"--html {path}", "npm", "HALOCLINE_PAGE", "--svg"):
                self.assertIn(part, done.stderr)
            self.assertFalse(path.exists())


if __name__ == "__main__":
    wanted = "NoPage" if without_page() else "PageData"
    print(f"Testing {wanted}", file=sys.stderr)
    unittest.main(defaultTest=wanted)
