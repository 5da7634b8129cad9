"""halocline doctor and the benchmarks of levels, packing and placement, under the MPI of this build.
Usage: doctor_test.py openmpi|mpich PROGRAM LAUNCHER [LAUNCHER_WORD...]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

MPI, PROGRAM, *LAUNCHER = sys.argv[1:]
del sys.argv[1:]


def run(ranks, *words, **environment):
    return subprocess.run([*LAUNCHER, "-n", str(ranks), PROGRAM, *words], env={**os.environ, **environment},
                          capture_output=True, text=True, timeout=200)


class Doctor(unittest.TestCase):
    def findings(self, ranks, only, **environment):
        done = run(ranks, "doctor", "--only", only, "--json", **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["ranks"], ranks)
        self.assertEqual([f["name"] for f in answer["findings"]], only.split(","))
        return {f["name"]: f for f in answer["findings"]}

    def test_known_oddities_are_found(self):
        found = self.findings(2, "version,doubled-edges,stride-of-minus-one,unsigned-minimum,sides-of-one,open-borders,"
                                 "empty-members,negative-extents")
        version = found["version"]["found"]
        verdicts = {name: finding["verdict"] for name, finding in found.items()}
        self.assertEqual(verdicts["version"], "ok")
        if MPI == "openmpi" and "v4.1.4" in version:
            self.assertEqual(verdicts, {"version": "ok", "doubled-edges": "ok", "stride-of-minus-one": "wrong",
                                        "unsigned-minimum": "ok", "sides-of-one": "ok", "open-borders": "ok",
                                        "empty-members": "wrong", "negative-extents": "ok"})
        if MPI == "mpich" and "4.0.2" in version:
            self.assertEqual(verdicts, {"version": "ok", "doubled-edges": "wrong", "stride-of-minus-one": "ok",
                                        "unsigned-minimum": "wrong", "sides-of-one": "wrong", "open-borders": "ok",
                                        "empty-members": "ok", "negative-extents": "wrong"})
        for name, finding in found.items():
            self.assertIn(finding["verdict"], ("ok", "wrong"), name)
            self.assertEqual(finding["verdict"] == "wrong", finding["remedy"] != "", name)
            self.assertNotIn("please report", finding["remedy"])

    def test_our_exchange_delivers_where_it_is_compared(self):
        for finding in self.findings(6, "sides-of-one,sides-of-two,open-borders").values():
            self.assertNotIn("please report", finding["remedy"])

    def test_placement_is_compared_on_a_described_machine(self):
        found = self.findings(8, "cart-reorder", HALOCLINE_MACHINE="node:4 core:2")["cart-reorder"]
        self.assertIn("12 messages between nodes before", found["found"])  # three borders of two edges, both ways
        self.assertEqual(found["verdict"], "ok")  # no placement has less
        found = self.findings(12, "cart-reorder", HALOCLINE_MACHINE="node:3 core:4")["cart-reorder"]
        self.assertIn("16 messages between nodes before, 16 after, grid 4x3", found["found"])
        self.assertEqual((found["verdict"], found["remedy"]), ("slow", "places the same grid with 12"))

    def test_too_few_processes(self):
        found = self.findings(1, "sides-of-two,collective-speed,sides-of-one")
        self.assertIsNone(found["sides-of-two"]["verdict"])
        self.assertIsNone(found["collective-speed"]["verdict"])
        self.assertIn("needs 2 processes, there are 1", found["sides-of-two"]["found"])
        self.assertIsNotNone(found["sides-of-one"]["verdict"])

    def test_the_whole_report(self):
        done = run(2, "doctor")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[1] for line in done.stdout.splitlines() if not line.startswith(" ")]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({"version", "binding", "oversubscription", "shared-memory", "dims-create", "pack-speed",
                              "collective-speed", "code-generator", "persistent-collectives"}, set(names))
        self.assertIn("MPI_Dims_create is", done.stdout)

    def test_an_examination_that_takes_too_long_ends_the_job(self):
        done = run(2, "doctor", "--only", "version,pack-speed", "--seconds", "0.05")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("did not come back within 0.05 s", done.stdout)

    def test_refusals(self):
        done = run(2, "doctor", "--only", "version,frobnicate")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("frobnicate", done.stderr)
        self.assertIn("dims-create", done.stderr)
        alone = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
        done = subprocess.run([PROGRAM, "doctor"], env=alone, capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("mpirun -n 8 halocline doctor", done.stderr)


def relative_squares(samples, alpha, beta):
    return sum(((alpha + beta * s["bytes"]) / s["seconds"] - 1) ** 2 for s in samples)


class Levels(unittest.TestCase):
    def test_levels_are_measured_fitted_and_stored(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(4, "bench", "levels", "--json", "--repetitions", "7", XDG_CACHE_HOME=folder,
                       HALOCLINE_MACHINE="node:2 core:2")
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual([level["name"] for level in answer["levels"]], ["node", "network"])
            self.assertEqual([level["pairs"] for level in answer["levels"]], [2, 1])
            for level in answer["levels"]:
                samples, alpha, beta = level["samples"], level["alpha_seconds"], level["beta_seconds_per_byte"]
                self.assertEqual([s["bytes"] for s in samples], [4 ** k for k in range(11)])
                self.assertTrue(alpha >= 0 and beta >= 0 and alpha + beta > 0)
                best = relative_squares(samples, alpha, beta)
                for other in ((alpha * 1.01, beta), (alpha * 0.99, beta), (alpha, beta * 1.01), (alpha, beta * 0.99)):
                    self.assertLessEqual(best, relative_squares(samples, *other) * (1 + 1e-9))
                errors = [abs((alpha + beta * s["bytes"]) / s["seconds"] - 1) for s in samples]
                self.assertAlmostEqual(level["largest_error"], max(errors))
            self.assertEqual(answer["stored"], os.path.join(folder, "halocline", f"levels-{answer['host']}.json"))
            with open(answer["stored"]) as file:
                kept = json.load(file)
            self.assertEqual(kept["levels"], answer["levels"])
            self.assertEqual(len(os.listdir(os.path.join(folder, "halocline"))), 1)

    def test_nothing_is_stored_unless_it_may_be(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(2, "bench", "levels", "--json", "--repetitions", "3", "--no-store", XDG_CACHE_HOME=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIsNone(json.loads(done.stdout)["stored"])
            self.assertEqual(os.listdir(folder), [])
            inside_a_file = os.path.join(folder, "file")
            open(inside_a_file, "w").close()
            done = run(2, "bench", "levels", "--repetitions", "3", XDG_CACHE_HOME=inside_a_file)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(inside_a_file, done.stderr)

    def test_one_process_is_not_enough(self):
        done = run(1, "bench", "levels")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("two processes", done.stderr)


class Benchmarks(unittest.TestCase):
    def test_bench_draws_ratios(self):
        words = ["bench", "exchange", "--bytes", "8,64", "--repetitions", "2", "--runs", "2", "--ways", "mpi,auto"]
        self.assertIn("--plot x.pdf", run(2, *words, "--plot", "x.pdf").stderr)
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot")
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "ratios.svg")
            done = run(2, *words, "--plot", picture)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(picture) as file:
                drawn = file.read()
            for text in ("<svg", "times as fast as mpi", "auto", "block_bytes"):
                self.assertIn(text, drawn)

    def test_pack(self):
        done = run(2, "bench", "pack", "--side", "24", "--seconds", "0.01", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["pattern"]: row for row in json.loads(done.stdout)["results"]}
        self.assertEqual(rows["columns"]["bytes"], 24 * 24 * 8)
        self.assertEqual(rows["edge"]["bytes"], 24 * 8)
        for name, row in rows.items():
            self.assertTrue(row["same_bytes"], name)
            self.assertTrue(row["seconds"] > 0 and row["mpi_seconds"] > 0 and row["ratio"] > 0, name)
        self.assertIn("--side 2", run(1, "bench", "pack", "--side", "2").stderr)

    def test_place(self):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
        done = subprocess.run([PROGRAM, "bench", "place", "--grid", "50x48", "--nodes", "50x48", "--json"], env=clean,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["algorithm"]: row for row in json.loads(done.stdout)["results"]}
        self.assertEqual((rows["blocked"]["j_sum"], rows["strips"]["j_sum"]), (4704, 1244))
        for row in rows.values():
            self.assertTrue(row["plan_seconds"] > 0 and row["lookup_seconds"] > 0, row)


if __name__ == "__main__":
    unittest.main()
