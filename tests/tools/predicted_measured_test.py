"""scripts/predicted_measured.py on results that are made up, and the machine that it simulates.
Usage: predicted_measured_test.py SCRIPT PROGRAM [TEST...]"""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("predicted_measured", SCRIPT)
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)

PRICES = {"node": {"message_seconds": 1e-6, "byte_seconds": 2.5e-10, "latency_seconds": 5e-7},
          "network": {"message_seconds": 4e-5, "byte_seconds": 8e-9, "latency_seconds": 3e-5}}


def row(number, predicted, simulated, measured):
    layout, problem = script.PROBLEMS[number]
    return {"layout": layout, "problem": problem, "grid": [2, 1, 1], "placement": "blocked", "schedule": "direct", "prices": PRICES,
            "predicted": predicted, "simulated": simulated, "measured": measured, "least": measured, "most": measured, "as_planned": number != 1}


class PredictedMeasured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, rows, *words, status=0):
        raw = self.folder / "raw.json"
        raw.write_text(json.dumps({"rows": rows}))
        done = subprocess.run([sys.executable, SCRIPT, "--raw", raw, *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_errors_of_both(self):
        """Twice as long and half as long are the same error."""
        text = self.run_script([row(1, 4e-3, 1e-3, 2e-3), row(0, 1e-4, 2e-4, 2e-4)])
        first, second = [line for line in text.splitlines() if line.startswith("| 2x1 |")][:2]
        self.assertIn("64x32x32", first)
        self.assertIn("| 100 us | 200 us | 200 us (200 us - 200 us) | 2.00 | 1.00 |", first)
        self.assertIn("| 4.00 ms | 1.00 ms | 2.00 ms (2.00 ms - 2.00 ms) | 0.50 | 2.00 |", second)
        self.assertIn("predicted times miss by a factor of 2.00 in the geometric mean, 2.00 at worst", text)
        self.assertIn("simulated times miss by a factor of 1.41 in the geometric mean, 2.00 at worst", text)
        self.assertIn("In 1 of them the job chose another", text)

    def test_into_a_document(self):
        document = self.folder / "document.md"
        document.write_text(f"before\n{script.BEGIN}\nold\n{script.END}\nafter\n")
        text = self.run_script([row(0, 1e-4, 2e-4, 2e-4)], "--document", document)
        self.assertEqual(document.read_text(), f"before\n{script.BEGIN}\n{text}{script.END}\nafter\n")
        self.assertIn("there are no results", self.run_script([], status=1))

    def test_a_message_takes_on_the_machine_what_it_costs_by_the_prices(self):
        machine = self.folder / "machine"
        machine.write_text(script.machine_text("2x1", PRICES))
        done = subprocess.run([PROGRAM, "simulate", "--machine", machine, "--nodes", "2x1", "--grid", "2", "--stencil", "1", "--bytes", "10000",
                               "--place", "blocked", "--schedule", "direct", "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        (result,) = json.loads(done.stdout)["results"]
        self.assertAlmostEqual(result["seconds"], 4e-5 + 3e-5 + 10000 * 8e-9, delta=1e-6)
        self.assertAlmostEqual(result["predicted_seconds"], 4e-5 + 3e-5 + 10000 * 8e-9, delta=1e-8)


if __name__ == "__main__":
    unittest.main()
