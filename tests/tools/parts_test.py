"""The benchmarks of the parts, each as short as it gets, and what `halocline bench` refuses.
Usage: parts_test.py PROGRAM [TEST...]"""

import re
import unittest

from command_line import CommandLine, run

# The least that each takes. MPI's ones run as a job of one process.
SMALLEST = {
    "shape": ["--quick"], "place": ["7", "--quick"], "pack": ["1", "--quick"], "device-pack": ["1", "--quick"], "generate": ["--quick"], "network": ["1", "--quick"],
    "schedule": ["--quick"], "graph-mapping": ["7", "--quick"], "grid-choice": ["--quick"], "network-placement": ["1", "--quick"], "cart": ["1"], "call": ["1", "1", "8"],
    "uneven": ["7", "--quick"], "pack-mpi": ["1", "MILC", "--quick"], "ddtbench": ["1", "NAS", "--quick"],
}
BUILT = run("bench", "part", "--help").returncode == 0


def tables_of(answer):
    return {key: value for key, value in answer.items() if isinstance(value, list)}


def seconds_in(value):
    """All times below a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.endswith("seconds"):
                yield from seconds_in(inner)
            elif inner is not None:  # nobody makes code for the host that plays a device
                yield inner
    elif isinstance(value, list):
        for inner in value:
            yield from seconds_in(inner)


class Parts(CommandLine):
    """A test for each part is added below."""

    def expect_tables(self, part):
        tables = tables_of(self.answer("bench", "part", part, *SMALLEST[part]))
        self.assertGreater(len(tables), 0)
        for name, rows in tables.items():
            self.assertGreater(len(rows), 0, name)
            # An application that receives in place has no loop that unpacks.
            self.assertGreaterEqual(min(seconds_in(rows), default=0), 0, name)
        self.assertTrue(part in ("grid-choice", "uneven") or max(seconds_in(list(tables.values()))) > 0)

    def expect_refusals(self, part):
        page = run("bench", "part", part, "--help").stdout
        positional = re.findall(r"^  (\w+) (\w+)", page.split("Options:")[0].partition("Positionals:")[2], re.MULTILINE)
        right = {"INT": "1", "UINT": "1", "TEXT": "1"}
        self.assert_refused(["bench", "part", part, "--frobnicate"], "--frobnicate")
        if part != "call":  # which takes any number of sizes
            self.assert_refused(["bench", "part", part, *(right[kind] for _, kind in positional), "frobnicate"], "frobnicate")
        for number, (name, kind) in enumerate(positional):
            if kind in ("INT", "UINT"):
                before = [right[kind] for _, kind in positional[:number]]
                self.assert_refused(["bench", "part", part, *before, "frobnicate"], name, "frobnicate")
                self.assertEqual(kind == "INT", "seed" != name, "a number of repetitions can be 0")

    @unittest.skipUnless(BUILT, "the benchmarks of the parts are left out of this build")
    def test_every_part_is_known(self):
        listed = re.findall(r"^  (\S+)", run("bench", "part", "--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertEqual(set(listed), set(SMALLEST))

    @unittest.skipUnless(BUILT, "the benchmarks of the parts are left out of this build")
    def test_numbers_and_words_that_nothing_has(self):
        for part in ("pack", "device-pack", "network", "network-placement", "cart", "call", "pack-mpi", "ddtbench"):
            self.assert_refused(["bench", "part", part, "0"], "there is 0; it takes numbers above 0")
        for part in ("pack-mpi", "ddtbench"):
            self.assert_refused(["bench", "part", part, "1", "frobnicate"], "frobnicate")
        for size in ("0", "67108865", "8,x"):
            self.assert_refused(["bench", "part", "call", "1", size], size)
        self.assert_refused(["bench", "part", "shape", "--quick", "--exhaustive"], "--exhaustive", "--quick")

    @unittest.skipUnless(BUILT, "the benchmarks of the parts are left out of this build")
    def test_random_layouts_on_a_device(self):
        self.assertEqual(self.answer("bench", "part", "device-pack", "--check", "--random", "60", "--seed", "4711")["checked"], 60)
        self.assertEqual(len(tables_of(self.answer("bench", "part", "device-pack", "1", "--quick", "--random", "2"))["layouts"]), 4)
        self.assert_refused(["bench", "part", "device-pack", "--random", "-1"], "--random -1")

    @unittest.skipIf(BUILT, "this build has them")
    def test_left_out(self):
        for words in ([], ["shape"], ["shape", "--quick"], ["--help"]):
            self.assert_refused(["bench", "part", *words], "left out", "-DHALOCLINE_BENCHMARKS=ON")
        self.assertIn("-DHALOCLINE_BENCHMARKS=ON", re.sub(r"\s+", " ", run("bench", "--help").stdout))

    def test_numbers_that_have_to_be_above_0(self):
        for option, words in (("--repetitions", ["place"]), ("--repetitions", ["exchange"]), ("--hopeless", ["halo"])):
            for number in ("0", "-3"):
                self.assert_refused(["bench", *words, option, number], option, f"there is {number}; it takes numbers above 0")
        for number in ("0.0", "-0.5"):
            self.assert_refused(["bench", "exchange", "--seconds", number], "--seconds", f"there is {number}; it takes numbers above 0")

    def test_names_that_nobody_has(self):
        self.assert_refused(["bench"], "bench what?", "exchange, halo")
        self.assert_refused(["bench", "frobnicate"], "frobnicate")
        self.assert_refused(["bench", "halo", "--ways", "mpi,frobnicate"], "--ways frobnicate", "petsc", "ghex_bulk")
        self.assert_refused(["bench", "halo", "--memory", "device", "--ways", "straight,mpi"], "--ways mpi", "strided", "launched")
        self.assert_refused(["bench", "halo", "--memory", "frobnicate"], "--memory frobnicate", "host, device or pool")
        self.assert_refused(["verify", "--memory", "frobnicate"], "--memory frobnicate", "host, device or pool")
        self.assert_refused(["verify", "--cases", "0"], "--cases 0")
        self.assert_refused(["verify", "--seed", "18446744073709551615", "--cases", "2"], "--seed 18446744073709551615")
        if BUILT:
            self.assert_refused(["bench", "part"], "bench part what?", "shape, place")
            self.assert_refused(["bench", "part", "frobnicate"], "frobnicate")


def add_tests(part):
    name = part.replace("-", "_")
    skipped = unittest.skipUnless(BUILT, f"bench part {part} is left out of this build")
    setattr(Parts, f"test_{name}", skipped(lambda self: self.expect_tables(part)))
    setattr(Parts, f"test_{name}_refuses", skipped(lambda self: self.expect_refusals(part)))


for each in SMALLEST:
    add_tests(each)

if __name__ == "__main__":
    unittest.main()
