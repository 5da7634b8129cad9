"""Numbers that do not fit, or are no plain decimal numbers, on every command line, in variables and in files.
Usage: numbers_test.py PROGRAM [TEST...]

Commands and options come from the program itself. An option whose value is text is in one of the tables below, so a new
one fails the test until somebody has said what numbers it has."""

import json
import os
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from command_line import PROGRAM, Program

PROGRAM = os.path.abspath(PROGRAM)

NOT_INTEGERS = ("99999999999999999999", "-99999999999999999999", "9223372036854775808", "1e999", "nan", "0x10")
NOT_NATURALS = ("99999999999999999999", "-99999999999999999999", "18446744073709551616", "-1", "1e999", "nan", "0x10")
NOT_NUMBERS = ("1e999", "-1e999", "1e-999", "nan", "inf", "0x10")
WRONG = {"INT": NOT_INTEGERS, "UINT": NOT_NATURALS, "FLOAT": NOT_NUMBERS}

# For each command a line that is right, or is but for processes.
LINES = {
    "shape": {"--ranks": "12", "--mesh": "100x100"},
    "place": {"--grid": "6x4", "--nodes": "6x4", "--svg": "picture.svg"},
    "plan": {"--mesh": "100x100", "--nodes": "4x4", "--svg": "picture.svg"},
    "map": {"--tasks": "16x16", "--network": "torus:4x4"},
    "bench exchange": {},
    "bench halo": {},
    "bench levels": {},
    "bench overlap": {},
    "bench pack": {},
    "bench plan": {"--mesh": "100x100"},
    "bench place": {"--grid": "6x4", "--nodes": "6x4"},
    "simulate": {"--machine": "vsc4", "--nodes": "2x4", "--grid": "4x2", "--svg": "picture.svg"},
    "layout": {"layout": "double"},
    "schedule": {"--dims": "2"},
    "machine": {},
    "run": {"command": "true"},
    "trace": {"command": "true"},
    "doctor": {},
    "verify": {"--cases": "1"},
    "man": {},
    "completion": {},
}
# With more pairs than are shown.
TRACE = tempfile.NamedTemporaryFile("w", suffix=".trace")
TRACE.write("halocline trace 1\nranks 20\n" + "".join(f"flow message 0 {rank} 1 8\n" for rank in range(20)) + "end\n")
TRACE.flush()
# What else an option takes, or (None) does not bear.
COMPANY = {
    ("shape", "--nodes"): {"--ranks": None},
    ("shape", "--levels"): {"--ranks": None},
    ("shape", "--dims"): {"--mesh": None},
    ("shape", "--ratios"): {"--ranks": None, "--levels": "3,4", "--joint": ""},
    ("place", "--levels"): {"--nodes": None},
    ("place", "--seed"): {"--algorithm": "random"},
    ("place", "--mapping"): {"--network": "torus:3x2"},
    ("plan", "--mapping"): {"--network": "torus:4"},
    ("plan", "--levels"): {"--nodes": None},
    ("place", "--cores-per-rank"): {"--rankfile": ("openmpi", "ranks.txt")},
    ("plan", "--cores-per-rank"): {"--rankfile": ("openmpi", "ranks.txt")},
    ("place", "--topology"): {"--near": "nic"},
    ("place", "--devices"): {"--near": "nic"},
    ("place", "--wrapper"): {"--near": "nic"},
    ("map", "--cores"): {"--tasks": "12x10", "--network": "torus:5"},
    ("bench place", "--levels"): {"--nodes": None},
    ("simulate", "--mesh"): {"--grid": None},
    ("simulate", "--halo"): {"--grid": None, "--mesh": "400x200"},
    ("simulate", "--fields"): {"--grid": None, "--mesh": "400x200"},
    ("schedule", "--grid"): {"--dims": None},
    ("trace", "--pairs"): {"--show": "", "command": TRACE.name},
}
# Integers inside of text, and where they stand. In a list with x between its numbers 0x10 is two of them.
INTEGERS_INSIDE = {
    "--mesh": ("{}x10", "10x{}"),
    "--grid": ("{}x4", "6x{}"),
    "--tasks": ("{}x4", "4x{}"),
    "--nodes": ("{}x4", "4x{}", "4,{}"),
    "--levels": ("{},2", "2,{}"),
    "--halo": ("{}x1", "1x{}"),
    "--fixed": ("{}x1", "1x{}"),
    "--periodic": ("{},0", "1,{}"),
    "--stencil": ("moore:{}", "1,{}", "1,0*{}"),
    "--network": ("torus:{}x4", "torus:4x4 hosts:{}", "dragonfly:{}x4x2", "fat-tree:4x4 parents:{}x1"),
    "--bytes": ("{}", "64,{}"),
    "--block-bytes": ("{}", "8,{}"),
    "--local": ("{}", "16,{}"),
    "--cluster": ("{}x8@10mbit", "4x{}@10mbit", "4x8@{}mbit"),
    "layout": ("contiguous({},int)", "vector(2,1,{},double)"),
}
TWO_NUMBERS_IN_HEXADECIMAL = ("--halo", "--fixed")
# Numbers with a fraction inside of text.
NUMBERS_INSIDE = {
    "--ratios": ("{},1",),
    "--network": ("torus:4x4 bandwidth:{}",),
    "--alpha-beta": ("node={}ns,8GB/s", "network=1us,{}GB/s", "node=1us,8GB/s,{}ns"),
}
# Names out of a list: a number is not one of them.
NAMES = ("--algorithm", "--mapping", "--placement", "--schedule", "--operation", "--order", "--place", "--only", "--off", "--machine", "--shared",
         "--at-signal", "--memory", "--near", "shell")
# No numbers, and any text may be right.
FREE = {
    "--allocation": "a file", "--hostfile": "a file", "--map": "a file", "--svg": "a file", "--html": "a file", "--from": "a file", "--plot": "a file", "--trace": "a file",
    "--rankfile": "a format and a file", "--to": "a folder", "--output": "a file", "--topology": "a file", "--wrapper": "a file", "--devices": "names of devices", "--hosts": "names of hosts",
    "--ways": "names, with endings; known under MPI only", "command": "a name of a command, or any command",
}
# Options of 32 bits.
NARROW = {("bench exchange", option) for option in ("--dims", "--repetitions", "--runs", "--inner", "--in-a-row")} | \
         {(command, option) for command in ("bench halo", "bench plan") for option in ("--repetitions", "--runs", "--inner", "--in-a-row")} | \
         {("bench levels", "--repetitions"), ("bench levels", "--pairs"), ("bench overlap", "--repetitions"),
          ("bench overlap", "--runs"), ("bench overlap", "--tests"), ("bench pack", "--side"), ("bench place", "--repetitions")}


THE_PROGRAM = Program()
# The benchmarks of the parts, where this build has them.
PARTS = [command for command in THE_PROGRAM.commands if command.startswith("bench part ")]
if PARTS:
    LINES.update((part, {}) for part in PARTS)
    FREE["words"] = "words of names"
    INTEGERS_INSIDE["bytes"] = ("{}", "64,{}")
    COMPANY["bench part call", "bytes"] = {"repetitions": "1"}
    NARROW |= {key for key in THE_PROGRAM.options("INT") if key[0] in PARTS}


def line(command, option, value):
    words = dict(LINES[command])
    words.update(COMPANY.get((command, option), {}))
    words[option] = value
    spelled = command.split()
    for name, text in words.items():
        if text is not None:
            texts = list(text) if isinstance(text, tuple) else [text]
            spelled += texts if not name.startswith("-") else [name] if text == "" else [name, *texts]
    return spelled


def wrong_lines():
    """All command lines with one number that is wrong, and what must be named."""
    for (command, option), kind in THE_PROGRAM.types.items():
        for value in WRONG.get(kind, ()):
            yield line(command, option, value), value
        if (command, option) in NARROW:
            yield line(command, option, "2147483648"), "2147483648"
        if kind != "TEXT":
            continue
        for form in INTEGERS_INSIDE.get(option, ()):
            for value in NOT_INTEGERS:
                if value != "0x10" or option not in TWO_NUMBERS_IN_HEXADECIMAL:
                    yield line(command, option, form.format(value)), form.format(value)
        for form in NUMBERS_INSIDE.get(option, ()):
            for value in NOT_NUMBERS:
                yield line(command, option, form.format(value)), form.format(value)
        if option in NAMES:
            yield line(command, option, NOT_INTEGERS[0]), NOT_INTEGERS[0]
    for command, flags in THE_PROGRAM.flags.items():
        for flag in flags:
            for value in (NOT_INTEGERS[0], "nan", "7"):
                yield [*line(command, flag, None), f"{flag}={value}"], value


# Each number fits, but not what is made of it.
TOO_MUCH = [
    ("shape --ranks 12 --mesh 10000000000x10000000000", "10000000000"),
    ("shape --levels 10000000000,10000000000 --dims 2", "10000000000"),
    ("shape --nodes 9223372036854775807x2 --dims 2", "9223372036854775807x2"),
    ("shape --ranks 12 --dims 9223372036854775807", "9223372036854775807"),
    ("place --grid 10000000000x10000000000 --nodes 4x4", "10000000000"),
    ("place --grid 6x4 --nodes 9223372036854775807x2", "9223372036854775807x2"),
    ("place --grid 6x4 --nodes 6x4 --stencil 1,0*9223372036854775807", "9223372036854775807"),
    ("plan --mesh 10000000000x10000000000 --nodes 4x4", "10000000000"),
    ("plan --mesh 100x100 --nodes 4x4 --fields 9223372036854775807", "9223372036854775807"),
    ("plan --mesh 100x100 --nodes 4x4 --bytes 9223372036854775807", "9223372036854775807"),
    ("plan --mesh 100x100 --nodes 4x4 --alpha-beta node=1e308s,1GB/s", "1e+308"),
    ("plan --mesh 100x100 --nodes 4x4 --alpha-beta node=1ns,1e308GB/s", "1e308GB/s"),
    ("plan --mesh 100x100 --nodes 4x4 --alpha-beta node=1ns,1e-310B/s", "1e-310B/s"),
    ("plan --mesh 100x100 --levels 4,2,2 --alpha-beta package=1e308s,1GB/s", "1e+308"),
    ("plan --mesh 100x100 --levels 4,2,2 --alpha-beta package=1ns,1e-310B/s", "1e-310B/s"),
    ("map --tasks 10000000000x10000000000 --network torus:4x4", "10000000000"),
    ("map --tasks 4x4 --network torus:10000000000x10000000000", "10000000000"),
    ("map --tasks 4x4 --network torus:4x4 --cores 9223372036854775807", "9223372036854775807"),
    ("layout contiguous(9223372036854775807,double)", "9223372036854775807"),
    ("layout double --count 9223372036854775807", "9223372036854775807"),
    ("schedule --dims 2 --block-bytes 9223372036854775807", "9223372036854775807"),
    ("simulate --machine vsc4 --nodes 9223372036854775807 --grid 2x2", "9223372036854775807"),
    ("simulate --machine vsc4 --nodes 1x4 --grid 2x2 --bytes 9223372036854775807KiB", "9223372036854775807KiB"),
    ("simulate --machine vsc4 --nodes 1x4 --grid 2x2 --bytes 9223372036854775807", "9223372036854775807"),
    ("bench exchange --bytes 9223372036854775807", "9223372036854775807"),
    ("bench exchange --dims 2147483647", "2147483647"),
    ("bench halo --local 9223372036854775807", "9223372036854775807"),
    ("bench halo --local 3000000", "3000000"),
    ("bench halo --width 9223372036854775807", "9223372036854775807"),
    ("bench halo --fields 9223372036854775807", "9223372036854775807"),
    ("bench overlap --local 9223372036854775807", "9223372036854775807"),
    ("bench overlap --fields 9223372036854775807", "9223372036854775807"),
    ("bench overlap --computing 1e300", "1e+300"),
    ("bench plan --mesh 3000000000x3000000000", "3000000000"),
    ("bench levels --cluster 2x4611686018427387904@10mbit", "2x4611686018427387904@10mbit"),
    ("bench levels --cluster 2x2@9223372036854775807mbit", "2x2@9223372036854775807mbit"),
    ("doctor --seconds 1e300", "1e+300"),
]

PRICES = "halocline prices 1\nnode alpha={} beta={} latency={} host=* mpi=* network=* processes={} largest={}\n"
RIGHT_PRICES = ("1e-6", "1e-9", "1e-6", "4", "1024")
CLUSTER = {"network": "torus:4", "cores": "4", "link-latency": "1 us", "node-bandwidth": "5 GB/s", "node-latency": "20 ns",
           "send-overhead": "0 s", "receive-overhead": "7 ns"}


def cluster(**changed):
    lines = {**CLUSTER, **{word.replace("_", "-"): value for word, value in changed.items()}}
    return "".join(f"{word}: {value}\n" for word, value in lines.items())


def price_line(number, value):
    return PRICES.format(*(value if i == number else right for i, right in enumerate(RIGHT_PRICES)))


def wrong_variables():
    plan = ["plan", "--mesh", "100x100"]
    for value in NOT_INTEGERS:
        for form in ("node:{} core:4", "node:4 core:{}", "nodes:{}x4", "node:2 core:{},4"):
            for command in (plan, ["machine"]):
                yield command, {"HALOCLINE_MACHINE": form.format(value)}, form.format(value)
        for form in ("n[1-{}]", "n[{}]", "n[{},7]"):
            yield plan, {"SLURM_JOB_NODELIST": form.format(value), "SLURM_TASKS_PER_NODE": "1"}, form.format(value)
        for form in ("{}", "4(x{})", "4,{}"):
            yield plan, {"SLURM_JOB_NODELIST": "n[1-2]", "SLURM_TASKS_PER_NODE": form.format(value)}, form.format(value)
    for machine in ("node:9223372036854775807 core:2", "nodes:9223372036854775807x2", "rack:4294967296 node:4294967296 core:2"):
        yield plan, {"HALOCLINE_MACHINE": machine}, machine
    for tasks in ("9223372036854775807(x2)", "9223372036854775807,1"):
        yield plan, {"SLURM_JOB_NODELIST": "n[1-2]", "SLURM_TASKS_PER_NODE": tasks}, tasks


def wrong_files():
    """A command that reads FILE, the text of the file, and what must be named beside the file."""
    hosts = "plan --mesh 100x100 --hostfile FILE"
    nodes = "map --tasks 4x4 --network mesh:4x4 --allocation FILE"
    machine = "simulate --machine FILE --nodes 2 --grid 4x2"
    prices = "plan --mesh 100x100 --nodes 4x4 --alpha-beta FILE"
    for value in NOT_INTEGERS:
        for form in ("n1 slots={}", "n1:{}", "n1 slots=2 max_slots={}", "n1 slots=2\nn2 slots={}"):
            yield hosts, form.format(value), value
        for form in ("{} 1", "1 {}", "n1 0 {}"):
            yield nodes, form.format(value), value
        yield machine, cluster(network=f"torus:{value}"), value
        yield machine, cluster(cores=value), value
        for number in (3, 4):
            yield prices, price_line(number, value), value
    for value in NOT_NUMBERS:
        for word in ("link_latency", "node_latency", "send_overhead", "receive_overhead"):
            yield machine, cluster(**{word: f"{value} ns"}), value
        yield machine, cluster(node_bandwidth=f"{value} GB/s"), value
        yield machine, cluster(network=f"torus:4 bandwidth:{value}"), value
        for number in range(3):
            yield prices, price_line(number, value), value
    for value in ("true", '"1e-6"', "null", "[1]", "-1e-6", "1e300"):
        yield prices, price_line(0, value), f'line 2: alpha is "{value}"'
    yield machine, cluster(node_bandwidth="1e308 GB/s"), "1e308 GB/s"
    yield hosts, "n1 slots=9223372036854775807\nn1 slots=1\n", "9223372036854775807 + 1"
    yield hosts, "n1 slots=9223372036854775807\nn2\n", "9223372036854775807 + 1"


class Numbers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.empty = os.path.join(self.folder.name, "empty")
        os.mkdir(self.empty)
        outside = ("OMPI_", "PMI", "HALOCLINE", "SLURM", "PBS")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(outside)}
        self.environment.update(HOME=self.empty, XDG_CONFIG_HOME=self.empty, TMPDIR=self.empty)

    def run_here(self, words, environment=None):
        return subprocess.run([PROGRAM, *words], env={**self.environment, **(environment or {})}, cwd=self.empty,
                              capture_output=True, text=True, timeout=30)

    def refusal_fault(self, words, named, environment=None):
        """What is wrong with the refusal of a command line; nothing if it is as it should be."""
        try:
            done = self.run_here(words, environment)
        except subprocess.TimeoutExpired:
            return f"{words} {environment}: does not end"
        fault = "status " + str(done.returncode) if done.returncode != 2 else \
                "stdout " + done.stdout[:80] if done.stdout else \
                "not one line" if done.stderr.count("\n") != 1 or not done.stderr.startswith("halocline: ") else \
                "not named" if named not in done.stderr else ""
        return fault and f"{' '.join(words)} {environment or ''}: {fault}: {done.stderr[:200]}"

    def assert_all_refused(self, cases, least):
        with ThreadPoolExecutor(max_workers=2) as workers:
            faults = list(workers.map(lambda case: self.refusal_fault(*case), cases))
        found = [fault for fault in faults if fault]
        self.assertGreater(len(faults), least)
        self.assertEqual(found, [], f"{len(found)} of {len(faults)}:\n" + "\n".join(found))
        self.assertEqual(os.listdir(self.empty), [], "left behind")

    def test_every_option_is_known(self):
        self.assertEqual(set(LINES), set(THE_PROGRAM.commands))
        self.assertGreater(len(THE_PROGRAM.options("INT", "UINT", "FLOAT")), 20)
        self.assertEqual(set(THE_PROGRAM.types.values()), {"INT", "UINT", "FLOAT", "TEXT"})
        tables = (INTEGERS_INSIDE | NUMBERS_INSIDE, NAMES, FREE)
        for command, option in THE_PROGRAM.options("TEXT"):
            self.assertEqual(sum(option in table for table in tables), 1, f"{option} of {command} is not in one of the tables")
        options = {option for _, option in THE_PROGRAM.options("TEXT")}
        self.assertEqual({option for table in tables for option in table} - options, set(), "there is no such option")
        self.assertLessEqual(NARROW, set(THE_PROGRAM.options("INT")))

    def test_command_lines_without_a_mistake(self):
        """Else a refusal would say nothing."""
        for command in ("shape", "place", "plan", "map", "layout", "schedule", "man", "machine"):
            done = self.run_here(line(command, "--none", None))
            self.assertEqual((done.returncode, done.stderr), (0, ""), (command, done.stderr))
        for name in os.listdir(self.empty):
            self.assertEqual(name, "picture.svg")

    def test_wrong_numbers_on_every_command_line(self):
        self.assert_all_refused(((words, named) for words, named in wrong_lines()), 600)

    def test_products_that_do_not_fit(self):
        self.assert_all_refused(((text.split(), named) for text, named in TOO_MUCH), 25)

    def test_zeros_in_front_change_nothing(self):
        needs_mpi = ("bench exchange", "bench halo", "bench levels", "bench overlap", "bench plan")
        for command, option in THE_PROGRAM.options("INT", "UINT"):
            if command in PARTS:  # no two of their answers are alike
                continue
            if command in needs_mpi:  # 08 is no octal number
                self.assertNotIn("08", self.run_here(line(command, option, "08")).stderr)
                continue
            if (command, option) == ("bench pack", "--side"):  # 448 would be right
                self.assertEqual(self.refusal_fault(line(command, option, "0700"), "--side 700"), "")
                continue
            ten, zero_ten, eight = (self.told(line(command, option, value)) for value in ("10", "010", "8"))
            self.assertEqual(zero_ten, ten, (command, option))
            self.assertNotEqual(zero_ten, eight, (command, option))
            self.assertEqual(self.told(line(command, option, "+010")), ten, (command, option))

    def told(self, words):
        done = self.run_here([*words, "--json"])
        answer = json.loads(done.stdout, object_hook=lambda part: {k: v for k, v in part.items() if "second" not in k}) if done.stdout else None
        ranks = os.path.join(self.empty, "ranks.txt")
        if not os.path.exists(ranks):
            return done.returncode, done.stderr, answer
        with open(ranks, encoding="utf-8") as file:
            written = file.read()
        os.remove(ranks)
        return done.returncode, done.stderr, answer, written

    def test_wrong_numbers_in_variables(self):
        self.assert_all_refused(((words, named, variables) for words, variables, named in wrong_variables()), 80)

    def test_wrong_numbers_in_files(self):
        cases = []
        for number, (command, text, named) in enumerate(wrong_files()):
            path = os.path.join(self.folder.name, f"{number}.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            words = command.replace("FILE", path).split()
            cases += [(words, named), (words, path)] if number % 10 == 0 else [(words, named)]
        self.assert_all_refused(cases, 90)


if __name__ == "__main__":
    unittest.main()
