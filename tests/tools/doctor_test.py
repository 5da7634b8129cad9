"""halocline doctor and the benchmarks of levels, packing and placement, under the MPI of this build.
Usage: doctor_test.py openmpi|mpich PROGRAM LAUNCHER [LAUNCHER_WORD...]"""

import json
import os
import re
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
                              "collective-speed", "code-generator", "persistent-collectives", "gpu", "gpu-sharing", "gpu-in-mpi"}, set(names))
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


class Gpus(unittest.TestCase):
    """What is said about GPUs, by a driver that is a fake, and without any."""

    def found(self, ranks, name, words=(), **environment):
        done = subprocess.run([*LAUNCHER, "-n", str(ranks), *words, PROGRAM, "doctor", "--only", name, "--json"],
                              env={**os.environ, **environment}, capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["findings"][0]

    def with_fake(self, ranks, name, words=(), **environment):
        path = os.environ["FAKE_DRIVER"] + ":" + os.environ.get("LD_LIBRARY_PATH", "")
        return self.found(ranks, name, words, LD_LIBRARY_PATH=path, **environment)

    def test_a_gpu_is_found_or_not(self):
        self.assertEqual(self.with_fake(2, "gpu", FAKE_GPUS="0")["verdict"], "absent")
        self.assertIn("no CUDA-capable device", self.with_fake(2, "gpu", FAKE_GPUS="0")["found"])
        two = self.with_fake(2, "gpu", FAKE_GPUS="2")
        if "no kernel for" in two["found"]:
            self.assertEqual(two["verdict"], "absent")
        else:
            self.assertEqual((two["verdict"], two["found"]), ("ok", "a process sees 2; process 0: GPU 0 (fake)"))

    def test_too_many_processes_on_a_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            nobody = {"CUDA_MPS_PIPE_DIRECTORY": folder}
            slow = self.with_fake(3, "gpu-sharing", FAKE_GPUS="2", **nobody)
            self.assertEqual(slow["verdict"], "slow")
            self.assertIn("3 processes a node, 2 GPUs for them; MPS does not run", slow["found"])
            self.assertIn("nvidia-cuda-mps-control -d", slow["remedy"])
            enough = self.with_fake(2, "gpu-sharing", FAKE_GPUS="2", **nobody)
            self.assertEqual((enough["verdict"], enough["remedy"]), ("ok", ""))
            # The service names its process there as long as it runs; one that was killed leaves the file behind.
            with subprocess.Popen(["true"]) as gone:
                gone.wait()
            for process, verdict in ((os.getpid(), "ok"), (gone.pid, "slow"), ("", "slow"), (0, "slow"), (-1, "slow"), ("x", "slow")):
                with open(os.path.join(folder, "nvidia-cuda-mps-control.pid"), "w", encoding="utf-8") as file:
                    file.write(str(process))
                self.assertEqual(self.with_fake(3, "gpu-sharing", FAKE_GPUS="2", **nobody)["verdict"], verdict, process)

    def test_gpus_that_processes_number_differently_are_counted_once(self):
        rank = "$OMPI_COMM_WORLD_RANK$PMI_RANK"
        each = ["sh", "-c", f'export FAKE_FIRST_GPU={rank}; exec "$@"', "sh"]
        with tempfile.TemporaryDirectory() as folder:
            apart = self.with_fake(3, "gpu-sharing", each, CUDA_MPS_PIPE_DIRECTORY=folder)
            self.assertEqual((apart["verdict"], apart["found"]), ("ok", "3 processes a node, 3 GPUs for them"))
            same = self.with_fake(3, "gpu-sharing", CUDA_MPS_PIPE_DIRECTORY=folder)
            self.assertEqual(same["verdict"], "slow")

    def test_whether_mpi_takes_their_memory(self):
        told = self.found(2, "gpu-in-mpi")
        self.assertIn(told["verdict"], ("ok", "absent"))
        self.assertIn("says ", told["found"])
        if MPI in ("openmpi", "mpich"):
            self.assertRegex(told["found"], "P?MPIX_(GPU_query|Query_cuda)_support")
        self.assertEqual(told["remedy"] == "", told["verdict"] == "ok")


def relative_squares(samples, alpha, beta):
    return sum(((alpha + beta * s["bytes"]) / s["seconds"] - 1) ** 2 for s in samples)


def pair_slopes(points):
    return [(b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points) for b in points[:i]]


def median_slope(points):
    return middle(pair_slopes(points))


def middle(numbers):
    return sorted(numbers)[len(numbers) // 2]


def intercept(points):
    return middle([t - median_slope(points) * x for x, t in points])


def is_noise(points):
    """More has to take longer in three of four comparisons, and half of the times must be within 30 % of the line."""
    slopes = pair_slopes(points)
    line = [intercept(points) + median_slope(points) * x for x, _ in points]
    misses = [abs(model / t - 1) for model, (_, t) in zip(line, points)]
    return sum(slope > 0 for slope in slopes) < 0.75 * len(slopes) or middle(misses) > 0.3


def points_of(price, ways_out=1):
    return ([(b["messages"], b["seconds"]) for b in price["bursts"] if b["bytes"] == 1],
            [(b["bytes"] * ways_out, b["seconds"]) for b in price["bursts"] if b["bytes"] > 1])


class Levels(unittest.TestCase):
    """The file of prices is where HALOCLINE_PRICES says, or in a folder of settings if that is empty."""

    def levels(self, ranks, *words, **environment):
        done = run(ranks, "bench", "levels", "--json", *words, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def assert_price_follows_from_times(self, price, alone, ways_out):
        bursts = price["bursts"]
        self.assertEqual([b["messages"] for b in bursts if b["bytes"] == 1], [1, *range(4, 33, 4)])
        sizes = [b["bytes"] for b in bursts if b["bytes"] > 1]
        self.assertEqual(sizes, [price["largest_bytes"] * i // 8 for i in range(1, 9)])
        of_messages, of_bytes = points_of(price, ways_out)
        alpha, beta = median_slope(of_messages), median_slope(of_bytes)
        self.assertAlmostEqual(price["alpha_seconds"], alpha if alpha > 0 else alone["samples"][0]["seconds"], delta=1e-12)
        self.assertAlmostEqual(price["beta_seconds_per_byte"], beta if beta > 0 else alone["beta_seconds_per_byte"], delta=1e-15)
        one = alone["samples"][0]["seconds"]
        self.assertEqual(price["latency_from"], "bursts" if one <= alpha else "alone")
        latency = intercept(of_messages) if one <= alpha else one - price["alpha_seconds"]
        self.assertAlmostEqual(price["latency_seconds"], max(0, latency), delta=1e-12)
        self.assertEqual(price["doubt"] is not None, is_noise(of_messages) or is_noise(of_bytes), price)

    def test_levels_are_measured_and_fitted(self):
        answer = self.levels(4, "--repetitions", "7", "--no-store", HALOCLINE_MACHINE="node:2 core:2")
        self.assertEqual([level["name"] for level in answer["levels"]], ["node", "network"])
        self.assertEqual([level["pairs"] for level in answer["levels"]], [2, 1])
        self.assertEqual(answer["network"], "described")
        for level in answer["levels"]:
            samples, alpha, beta = level["samples"], level["alpha_seconds"], level["beta_seconds_per_byte"]
            self.assertEqual([s["bytes"] for s in samples], [4 ** k for k in range(11)])
            self.assertTrue(alpha >= 0 and beta >= 0 and alpha + beta > 0)
            best = relative_squares(samples, alpha, beta)
            for other in ((alpha * 1.01, beta), (alpha * 0.99, beta), (alpha, beta * 1.01), (alpha, beta * 0.99)):
                self.assertLessEqual(best, relative_squares(samples, *other) * (1 + 1e-9))
            errors = [abs((alpha + beta * s["bytes"]) / s["seconds"] - 1) for s in samples]
            self.assertAlmostEqual(level["largest_error"], max(errors))
        node, network = answer["levels"]
        self.assertEqual([(p["name"], p["processes"]) for p in answer["prices"]],
                         [("network", 2), ("network", 1), ("node", 2)])
        for price, alone, ways_out in zip(answer["prices"], (network, network, node), (2, 1, 1)):
            self.assert_price_follows_from_times(price, alone, ways_out)

    def test_nodes_of_different_sizes(self):
        """Of a node with more than half of all processes, only as many send as others can answer."""
        answer = self.levels(5, "--repetitions", "2", "--no-store", HALOCLINE_MACHINE="node:3 core:3,1,1")
        self.assertEqual([(p["name"], p["processes"]) for p in answer["prices"]],
                         [("network", 2), ("network", 1), ("node", 3)])
        answer = self.levels(3, "--repetitions", "2", "--no-store", HALOCLINE_MACHINE="node:3 core:1")
        self.assertEqual([(p["name"], p["processes"]) for p in answer["prices"]], [("network", 1)])
        answer = self.levels(3, "--repetitions", "2", "--no-store", HALOCLINE_MACHINE="node:1 core:3")
        self.assertEqual([(p["name"], p["processes"]) for p in answer["prices"]], [("node", 3)])

    def test_levels_inside_and_above_nodes_have_prices(self):
        for machine, names in (("node:1 numa:2 core:2", ["numa", "node"]), ("switch:2 node:2 core:1", ["switch", "network"])):
            answer = self.levels(4, "--repetitions", "3", "--no-store", HALOCLINE_MACHINE=machine)
            self.assertEqual([level["name"] for level in answer["levels"]], names)
            self.assertEqual([price["name"] for price in answer["prices"]], names[::-1])
            for level, price in zip(answer["levels"], answer["prices"][::-1]):
                self.assertEqual(price["processes"], 4 if machine.startswith("node:1") else 1)
                self.assert_price_follows_from_times(price, level, 1)
        # A part with more than half of the processes of its group has nobody to send to at once.
        answer = self.levels(4, "--repetitions", "2", "--no-store", HALOCLINE_MACHINE="node:1 numa:2 l3:2,1 core:2,1,1")
        self.assertEqual([level["name"] for level in answer["levels"]], ["l3", "numa", "node"])
        self.assertEqual([price["name"] for price in answer["prices"]], ["node", "l3"])

    def test_prices_of_a_device_are_measured_stored_and_obeyed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "prices")
            hidden = {"CUDA_VISIBLE_DEVICES": "", "HALOCLINE_PRICES": path}
            self.assertIsNone(self.levels(2, "--repetitions", "2", "--no-store", **hidden)["device"])
            answer = self.levels(2, "--repetitions", "3", "--host-device", "--store-anyway", **hidden)
            self.assertEqual(answer["device"], "the host's processor as a device")
            self.assertEqual([p["name"] for p in answer["prices"]], ["node", "device", "device-host"])
            for price in answer["prices"][1:]:
                of_messages, of_bytes = points_of(price)
                alone = {"samples": [{"bytes": 1, "seconds": of_messages[0][1]}], "beta_seconds_per_byte": of_messages[0][1]}
                self.assert_price_follows_from_times(price, alone, 1)
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual(lines[0], "halocline prices 1")
            self.assertEqual([line.split()[0] for line in lines[1:]], ["node", "device", "device-host"])
            # What is dear is left alone: here a byte straight to another process, or one through the host.
            for device, host, way in (("1e-3", "1e-12", "in messages through memory of the host"), ("1e-12", "1e-3", "straight to processes")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("halocline prices 1\n" + "".join(
                        f"{level} alpha=1e-6 beta={beta} latency=0 host=* mpi=* network=* processes=2 largest=9\n"
                        for level, beta in (("device", device), ("device-host", host))))
                done = run(2, "bench", "halo", "--memory", "device", "--ways", "straight", "--local", "4", "--runs", "1",
                           "--repetitions", "1", HALOCLINE_LOG="1", **hidden)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Fields on devices go " + way, done.stderr)

    def test_noise_is_named_and_not_stored(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "prices")
            done = run(4, "bench", "levels", "--json", "--repetitions", "3", HALOCLINE_PRICES=path, HALOCLINE_MACHINE="node:2 core:2")
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            sound = [price for price in answer["prices"] if price["doubt"] is None]
            doubted = [price for price in answer["prices"] if price["doubt"] is not None]
            warnings = [line for line in done.stderr.splitlines() if "warning" in line]
            self.assertEqual(len(warnings), len(doubted), done.stderr)
            for line, price in zip(warnings, doubted):
                self.assertIn(f'the price of {price["name"]} with {price["processes"]} processes a node is noise: {price["doubt"]}', line)
                self.assertIn("--store-anyway", line)
            self.assertEqual(answer["stored"], path if sound else None)
            stored = []
            if sound:
                with open(path, encoding="utf-8") as file:
                    stored = [line.split()[0] for line in file.read().splitlines()[1:]]
            self.assertEqual(stored, [price["name"] for price in sound])

    def test_prices_are_stored_and_replaced_and_plan_takes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            where = {"HALOCLINE_PRICES": "", "XDG_CONFIG_HOME": folder, "HALOCLINE_MACHINE": "node:2 core:2"}
            path = os.path.join(folder, "halocline", "prices")
            answer = self.levels(4, "--repetitions", "3", "--store-anyway", **where)
            self.assertEqual(answer["stored"], path)
            with open(path, encoding="utf-8") as file:
                first = file.read().splitlines()
            host = re.sub("[0-9]+", "*", answer["host"])
            self.assertEqual(first[0], "halocline prices 1")
            self.assertEqual(len(first), 4)
            for line, price in zip(first[1:], answer["prices"]):
                words = dict(word.split("=") for word in line.split()[1:])
                self.assertEqual(line.split()[0], price["name"])
                self.assertEqual((words["host"], words["mpi"], words["network"]), (host, MPI, "described"))
                self.assertEqual([float(words[k]) for k in ("alpha", "beta", "latency", "processes", "largest")],
                                 [price[k] for k in ("alpha_seconds", "beta_seconds_per_byte", "latency_seconds",
                                                     "processes", "largest_bytes")])
            with open(path, "a", encoding="utf-8") as file:
                file.write("# kept\n")
            again = self.levels(4, "--repetitions", "3", "--store-anyway", **where)
            with open(path, encoding="utf-8") as file:
                second = file.read().splitlines()
            self.assertEqual(len(second), 5)
            self.assertEqual(second[4], "# kept")
            self.assertTrue(set(first[1:]).isdisjoint(second))
            self.assertEqual(os.listdir(os.path.dirname(path)), ["prices"])

            alone = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
            done = subprocess.run([PROGRAM, "plan", "--mesh", "100x100", "--alpha-beta", "measured", "--json"],
                                  env={**alone, **where}, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            taken = json.loads(done.stdout)["problem"]["prices"]
            for name, price in (("network", again["prices"][0]), ("node", again["prices"][2])):
                self.assertEqual([taken[name][k] for k in ("message_seconds", "byte_seconds", "latency_seconds")],
                                 [price[k] for k in ("alpha_seconds", "beta_seconds_per_byte", "latency_seconds")])

    def test_nothing_is_stored_unless_it_may_be(self):
        with tempfile.TemporaryDirectory() as folder:
            where = {"HALOCLINE_PRICES": "", "XDG_CONFIG_HOME": folder}
            self.assertIsNone(self.levels(2, "--repetitions", "3", "--no-store", **where)["stored"])
            self.assertIsNone(self.levels(2, "--repetitions", "3", HALOCLINE_PRICES="none", XDG_CONFIG_HOME=folder)["stored"])
            self.assertEqual(os.listdir(folder), [])
            file = os.path.join(folder, "file")
            with open(file, "w", encoding="utf-8") as out:
                out.write("halocline prices 2\n")
            for path in (file, os.path.join(file, "in_a_file"), folder):
                done = run(2, "bench", "levels", "--repetitions", "3", HALOCLINE_PRICES=path)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(path, done.stderr)
            with open(file, encoding="utf-8") as out:
                self.assertEqual(out.read(), "halocline prices 2\n")

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
