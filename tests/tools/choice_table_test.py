"""scripts/choice_table.py on results that are made up. Usage: choice_table_test.py SCRIPT [TEST...]"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = sys.argv.pop(1)


def launch(layout, block, times, chosen, neighbours=26, operation="alltoall"):
    """Times relative to MPI's; auto is one of them."""
    rows = [{"block_bytes": block, "way": "mpi", "schedule": "", "seconds": 2e-3, "ratio": 1}]
    # The ratio is that of runs: it need not be that of the medians of times.
    rows += [{"block_bytes": block, "way": way, "schedule": chosen if way == "auto" else way, "seconds": 3e-3, "ratio": 1 / time}
             for way, time in times.items()]
    return {"layout": layout, "neighbours": neighbours, "operation": operation, "seconds": 20, "results": rows}


class ChoiceTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, *launches):
        path = self.folder / name
        path.write_text(json.dumps({"launches": launches}))
        return path

    def run_script(self, *words, status=0):
        done = subprocess.run([sys.executable, SCRIPT, "--raw", self.folder / "raw.json", *map(str, words)], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_what_was_chosen_counts_twice_and_others_once(self):
        """auto and node are the same code: 0.5 and 0.72 make 0.6, which is 1.5 times direct's 0.4."""
        self.file("raw.json", launch("4x8", 64, {"auto": 0.5, "node": 0.72, "direct": 0.4, "torus": 3.0}, "node"))
        text = self.run_script()
        self.assertIn("| 64 B | 1.67 node, direct 1.50 |", text)
        self.assertIn("the best is 1.500 times as fast as what auto chose in the geometric mean (aim: 1.10 or less), at most 1.50 times", text)
        self.assertIn("- 4x8, alltoall, 26 neighbours, 64 B: direct is 1.50 times as fast as node", text)
        self.assertIn("0 below 0.95", text)

    def test_medians_over_launches_and_files(self):
        self.file("raw.json", launch("4x8", 1024, {"auto": 1.0, "direct": 1.0}, "direct"))
        more = self.file("more.json", launch("4x8", 1024, {"auto": 2.0, "direct": 2.0}, "direct"),
                         launch("4x8", 1024, {"auto": 1.25, "direct": 1.25}, "direct"))
        text = self.run_script("--merge", more)
        self.assertIn("| 1 KiB | 0.80 direct |", text)
        self.assertIn("1 below 0.95", text)
        self.assertIn("- 4x8, alltoall, 26 neighbours, 1 KiB: direct 0.80, the best 0.80 (direct)", text)
        # What was merged stays, and is there once.
        self.assertEqual(self.run_script("--merge", more), text)
        self.assertEqual(len(json.loads((self.folder / "raw.json").read_text())["launches"]), 3)

    def test_a_choice_that_has_changed(self):
        """What the last launch chose counts; the time of an earlier one is that of the schedule by itself."""
        self.file("raw.json", launch("16x2", 1, {"auto": 0.9, "direct": 0.9, "mixed": 0.5}, "direct"),
                  launch("16x2", 1, {"auto": 0.6, "direct": 0.9, "mixed": 0.6}, "mixed"),
                  launch("16x2", 1, {"auto": 0.6, "direct": 0.9, "mixed": 0.6}, "mixed"))
        self.assertIn("| 1 B | 1.67 mixed |", self.run_script())

    def test_one_node_has_nothing_to_choose(self):
        self.file("raw.json", launch("1x16", 1, {"auto": 0.5}, "direct"))
        text = self.run_script()
        self.assertNotIn("best schedule", text)
        self.assertIn("Beside MPI, 1 cells: auto is 2.00 times as fast", text)

    def test_into_a_document(self):
        self.file("raw.json", launch("4x8", 64, {"auto": 0.5, "node": 0.5}, "node", 8, "allgather"))
        document = self.folder / "document.md"
        document.write_text("before\n<!-- choice table -->\nold\n<!-- end of choice table -->\nafter\n")
        for _ in range(2):
            text = self.run_script("--document", document)
            self.assertEqual(document.read_text(), f"before\n<!-- choice table -->\n{text}<!-- end of choice table -->\nafter\n")
        document.write_text("nothing")
        self.assertIn("has no lines", self.run_script("--document", document, status=1))

    def test_refusals(self):
        self.assertIn("there are no results", self.run_script(status=1))
        self.assertIn("--neighbours 9", self.run_script("--neighbours", "9", status=2))


if __name__ == "__main__":
    unittest.main()
