"""Random command lines of halocline: most of them make sense, some are absurd in one word or in all.

Commands and options come from the program. What an option takes is said by MAKERS; of one that is not there the words of
its help are tried, and what other options take. So a new option is tried without being known here."""

import dataclasses
import math
import random
import re
from pathlib import Path

TOPOLOGY = str(Path(__file__).resolve().parent.parent / "topologies" / "two_packages.xml")
NUMBERS = ("0", "-0", "1", "2", "-1", "-7", "010", "+3", "127", "128", "65536", "1000000", "2147483647", "2147483648", "4294967296",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "99999999999999999999", "1e9",
           "1e999", "nan", "inf", "-inf", "0x10", "1.5", "1e-320", "0.1", "")
# Two of them, \udcff and \udcfe, stand for bytes that are no text in UTF-8.
WORDS = ("", " ", "\t", "\n", "x", ",", ",,", ":", "=", "*", ";", "(", ")", "[]", "()", "--", "-", "-x", "%s%n", "{}", "$HOME", "ä", "\u00a0", "\x01",
         "\udcff\udcfe", "none", "all", "best", "NONE", "null", "true", "/", ".", "..", "/dev/null",
         "/dev/full", "no/such/folder/file", "a" * 300, "9" * 400, "1x" * 200 + "1", "((((((((", "dup(" * 1200 + "byte" + ")" * 1200)


def product(values):
    return math.prod(values)


@dataclasses.dataclass
class World:
    """Numbers that fit each other."""
    chance: random.Random
    most: int  # processes
    dims: int = 0
    grid: list = dataclasses.field(default_factory=list)
    nodes: int = 1
    size: int = 1

    def __post_init__(self):
        chance = self.chance
        self.dims = chance.choice((1, 2, 2, 2, 3, 3, 4))
        most = min(self.most, chance.choice((8, 64, 64, 512, 512, 4096, 10**6 if chance.random() < 0.2 else 64)))
        self.grid = [1] * self.dims
        while True:
            factor = chance.choice((2, 2, 3, 5, 7))
            if product(self.grid) * factor > most:
                break
            self.grid[chance.randrange(self.dims)] *= factor
            if chance.random() < 0.1:
                break
        divisors = [d for d in range(1, min(product(self.grid), 2000) + 1) if product(self.grid) % d == 0]
        self.size = chance.choice(divisors)
        self.nodes = product(self.grid) // self.size

    def crossed(self, values):
        return "x".join(map(str, values))

    def mesh(self):
        least = 1 if self.chance.random() < 0.1 else 2
        return self.crossed(extent * self.chance.randint(least, self.chance.choice((4, 20, 500))) for extent in self.grid)

    def node_sizes(self):
        kind = self.chance.randrange(4)
        if kind == 0 and self.nodes <= 30:
            return ",".join([str(self.size)] * self.nodes)
        if kind == 1 and self.nodes > 1 and self.size > 1:  # one of the nodes gives to another
            moved = self.chance.randint(1, self.size - 1)
            most = f"{self.nodes - 2}x{self.size}," if self.nodes > 2 else ""
            return f"{most}{self.size + moved},{self.size - moved}"
        return f"{self.nodes}x{self.size}"

    def levels(self):
        parts = [self.nodes]
        rest = self.size
        while rest > 1 and self.chance.random() < 0.6:
            factor = self.chance.choice([d for d in range(2, rest + 1) if rest % d == 0])
            parts.append(factor)
            rest //= factor
        return ",".join(map(str, parts + [rest]))

    def stencil(self):
        kind = self.chance.choice(("nearest", "hops", "component", "moore", "star", "octant", "offsets", "offsets"))
        if kind in ("moore", "star", "octant"):
            return f"{kind}:{self.chance.choice((1, 1, 1, 2, 3))}"
        if kind != "offsets":
            return kind
        offsets = []
        for _ in range(self.chance.randint(1, 6)):
            offset = ",".join(str(self.chance.randint(-3, 3)) for _ in range(self.dims))
            offsets.append(offset + (f"*{self.chance.randint(0, 90)}" if self.chance.random() < 0.5 else ""))
        return ";".join(offsets)

    def periodic(self):
        return self.chance.choice(("all", "none", ",".join(str(self.chance.randint(0, 1)) for _ in range(self.dims))))

    def halo(self):
        return self.chance.choice(("1", "2", self.crossed(self.chance.randint(0, 3) for _ in range(self.dims))))

    def fixed(self):
        return self.crossed(extent if self.chance.random() < 0.4 else 0 for extent in self.grid)

    def network(self):
        kind = self.chance.choice(("mesh", "torus", "torus", "fat-tree", "dragonfly"))
        some = self.nodes if self.chance.random() < 0.5 else self.chance.choice((4, 12, 64, 500))
        first = self.chance.choice([d for d in range(1, min(some, 400) + 1) if some % d == 0])
        extents = [first, some // first] if self.chance.random() < 0.7 else [some]
        if kind == "dragonfly":
            extents = [self.chance.randint(1, 6), self.chance.randint(1, 6), self.chance.randint(1, 4)]
        text = f"{kind}:{self.crossed(extents)}"
        for word, value in (("hosts", self.chance.randint(1, 3)), ("bandwidth", self.chance.choice(("1", "4,5,10", "12.5,12.5", "75,75/37.5"))),
                            ("parents", self.crossed([2] * len(extents))), ("links", self.crossed([1] * len(extents))),
                            ("global", self.chance.randint(1, 4)), ("periodic", "1,0")):
            if self.chance.random() < 0.1:
                text += f" {word}:{value}"
        return text

    def layout(self, levels=3):
        c = self.chance
        if levels == 0 or c.random() < 0.2:
            return c.choice(("byte", "char", "int", "double", "long-double", "short-int", "2int", "float", "int8", "complex16"))
        inner = self.layout(levels - 1)
        some = c.randint(0, 4)

        def list_of(low, high, length=some):
            return "[" + ",".join(str(c.randint(low, high)) for _ in range(length)) + "]"

        stride = c.choice((0, 1, -1, 8, -24, 100, 4096))
        sizes = [c.randint(1, 6) for _ in range(c.randint(1, 3))]
        parts = [c.randint(1, size) for size in sizes]
        starts = [c.randint(0, size - part) for size, part in zip(sizes, parts)]
        return c.choice((
            f"dup({inner})", f"contiguous({some},{inner})", f"vector({some},{c.randint(0, 3)},{stride},{inner})",
            f"hvector({some},{c.randint(0, 3)},{stride},{inner})", f"indexed({list_of(0, 3)},{list_of(-6, 6)},{inner})",
            f"hindexed({list_of(0, 3)},{list_of(-60, 60)},{inner})", f"indexed_block({c.randint(0, 3)},{list_of(-9, 9)},{inner})",
            f"hindexed_block({c.randint(0, 3)},{list_of(-90, 90)},{inner})", f"resized({c.randint(-9, 9)},{c.randint(-9, 60)},{inner})",
            f"struct([1,{some}],[0,{c.randint(-64, 64)}],[{inner},{self.layout(levels - 1)}])",
            f"subarray([{','.join(map(str, sizes))}],[{','.join(map(str, parts))}],[{','.join(map(str, starts))}],"
            f"{c.choice(('c', 'fortran'))},{inner})",
            f"darray(4,{c.randint(0, 3)},[9,9],[block,cyclic],[default,2],[2,2],{c.choice(('c', 'fortran'))},{inner})"))

    def host_file(self):
        return "".join(self.chance.choice(("n{} slots={}\n", "n{}:{}\n")).format(i, self.size) for i in range(min(self.nodes, 40)))

    def trace_file(self):
        ranks = min(self.nodes * self.size, 200)
        flows = "".join(f"flow message {rank} {(rank + step) % ranks} 1 {self.chance.choice((0, 8, 8000))}\n"
                        for rank in range(ranks) for step in (1, min(self.size, ranks)))
        return f"halocline trace 1\nranks {ranks}\n" + \
            "".join(f"process {rank} 1 n{rank // self.size}\n" for rank in range(ranks)) + flows + "end\n"

    def allocation_file(self):
        names = self.chance.random() < 0.5
        return "".join((f"n{i} " if names else "") + f"{i // 8} {i % 8}\n" for i in range(min(self.nodes, 40)))

    def machine_file(self):
        return (f"network: {self.network()}\ncores: {self.size}\nlink-latency: 1 us\nnode-bandwidth: 5 GB/s\nnode-latency: 20 ns\n"
                "send-overhead: 0 s\nreceive-overhead: 7 ns\n")

    def price_file(self):
        where = "host=* mpi=openmpi network=tcp processes=4 largest=1024"
        return (f"halocline prices 1\nnode alpha=1e-7 beta=1e-10 latency=0 {where}\n"
                f"network alpha=2e-6 beta=1e-10 latency=1e-6 {where}\n")


class Files:
    """Texts that a line wants in files, by the names it has for them."""

    def __init__(self):
        self.texts = {}

    def named(self, chance, name, text):
        if chance.random() < 0.15:
            return chance.choice(("missing", "", "/", "/dev/null"))
        self.texts[name] = mutated(chance, text) if chance.random() < 0.3 else text
        return name


def mutated(chance, text):
    """Another number, or a character more, less, twice or elsewhere."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        numbers = list(re.finditer(r"\d+", text))
        if numbers and chance.random() < 0.6:
            number = chance.choice(numbers)
            text = text[:number.start()] + chance.choice(NUMBERS) + text[number.end():]
            continue
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        text = chance.choice((text[:at] + chance.choice("x,:;*-+ .()[]/0a9\n") + text[at:], text[:at] + text[to:], text[:to] + text[at:],
                              text[:at] + chance.choice(WORDS) + text[at:]))
    return text.replace("\0", "")


def listed(chance, help_text):
    """One or some of the words of a help."""
    words = re.findall(r"[A-Za-z0-9_+-]+", help_text) or [""]
    return ",".join(chance.choice(words) for _ in range(1 if chance.random() < 0.7 else chance.randint(2, 4)))


def picture(chance, *names):
    return chance.choice((*names, "new." + names[0].split(".")[-1], "/dev/full", "no/such/folder/" + names[0], "", "."))


# What sense an option makes: a function of the world and of the files of the line.
MAKERS = {
    "--grid": lambda w, f: w.crossed(w.grid),
    "--tasks": lambda w, f: w.crossed(w.grid),
    "--mesh": lambda w, f: w.mesh(),
    "--nodes": lambda w, f: w.node_sizes(),
    "--levels": lambda w, f: w.levels(),
    "--ranks": lambda w, f: str(product(w.grid)),
    "--dims": lambda w, f: str(w.dims),
    "--halo": lambda w, f: w.halo(),
    "--fixed": lambda w, f: w.fixed(),
    "--periodic": lambda w, f: w.periodic(),
    "--stencil": lambda w, f: w.stencil(),
    "--network": lambda w, f: w.network(),
    "--cores": lambda w, f: str(w.chance.choice((1, w.size))),
    "--ratios": lambda w, f: ",".join(w.chance.choice(("1", "7", "0.5", "1e3")) for _ in range(w.chance.randint(1, 3))),
    "--count": lambda w, f: str(w.chance.choice((0, 1, 2, 13, 1000))),
    "--fields": lambda w, f: str(w.chance.randint(1, 9)),
    "--bytes": lambda w, f: w.chance.choice(("1", "8", "64", "1KiB")),
    "--block-bytes": lambda w, f: w.chance.choice(("8", "0", "8,16,8,16")),
    "--seed": lambda w, f: str(w.chance.randint(0, 99)),
    "--seconds": lambda w, f: w.chance.choice(("0.01", "0.1", "0")),
    "--repetitions": lambda w, f: "1",
    "--runs": lambda w, f: "1",
    "--inner": lambda w, f: "1",
    "--in-a-row": lambda w, f: w.chance.choice(("1", "4")),
    "--pairs": lambda w, f: "1",
    "--cases": lambda w, f: w.chance.choice(("1", "3")),
    "--side": lambda w, f: str(w.chance.randint(1, 9)),
    "--local": lambda w, f: w.chance.choice(("4", "4,8")),
    "--width": lambda w, f: str(w.chance.randint(1, 3)),
    "--alpha-beta": lambda w, f: w.chance.choice(("node=200ns,8GB/s", "node=1us,1GB/s,network=2us,2GB/s", "package=50ns,9GB/s",
                                                  f.named(w.chance, "prices", w.price_file()))),
    "--machine": lambda w, f: w.chance.choice(("vsc4", "jupiter", "juwels", f.named(w.chance, "machine.txt", w.machine_file()))),
    "--hostfile": lambda w, f: f.named(w.chance, "hosts", w.host_file()),
    "--allocation": lambda w, f: f.named(w.chance, "allocation", w.allocation_file()),
    "--trace": lambda w, f: f.named(w.chance, "app.trace", w.trace_file()),
    "--near": lambda w, f: w.chance.choice(("gpu", "nic", "gpu,nic")),
    "--topology": lambda w, f: w.chance.choice((TOPOLOGY, "no.xml")),
    "--devices": lambda w, f: w.chance.choice(("cuda0,cuda1,cuda2", "mlx5_0", "eth0")),
    "--wrapper": lambda w, f: picture(w.chance, "seats.sh"),
    "--hosts": lambda w, f: ",".join(f"n{i}" for i in range(min(w.nodes, 40))),
    "--svg": lambda w, f: picture(w.chance, "picture.svg"),
    "--plot": lambda w, f: picture(w.chance, "picture.svg", "picture.png"),
    "--html": lambda w, f: picture(w.chance, "page.html"),
    "--map": lambda w, f: picture(w.chance, "map.txt"),
    "--to": lambda w, f: picture(w.chance, "pages"),
    "layout": lambda w, f: w.layout(),
}
# Two words behind one option.
PAIRS = {"--rankfile": lambda w, f: [w.chance.choice(("openmpi", "mpich", "slurm", "hydra")), picture(w.chance, "ranks.txt")]}
# Options that make something outside of a folder: only with words that are refused.
NEVER_RIGHT = {"--cluster": ("0x4@10mbit", "4x8", "", "x", "4x8@mbit", "-1x2@5mbit")}
# Commands that communicate or measure are short only with these; few of the lines are theirs.
SHORT = {"bench exchange": ("--repetitions", "--runs", "--inner"), "bench halo": ("--repetitions", "--runs", "--inner"),
         "bench overlap": ("--repetitions", "--runs"), "bench plan": ("--repetitions", "--runs", "--inner"),
         "bench levels": ("--repetitions", "--pairs"), "bench pack": ("--side", "--seconds"), "bench place": ("--repetitions",), "doctor": ("--only",),
         "verify": ("--cases",)}


@dataclasses.dataclass
class Line:
    words: list
    files: dict
    environment: dict
    command: str
    values: list  # what was given, by itself
    absurd: bool


def value_of(program, command, option, world, files, absurd):
    """The words behind an option."""
    chance = world.chance
    if option in NEVER_RIGHT:
        return [chance.choice(NEVER_RIGHT[option])]
    if option in PAIRS:
        values = PAIRS[option](world, files)
    elif option in MAKERS:
        values = [MAKERS[option](world, files)]
    elif program.types[command, option] == "TEXT":
        help_text = program.helps.get((command, option), "")
        values = [listed(chance, help_text) if chance.random() < 0.9 else chance.choice(list(MAKERS.values()))(world, files)]
    else:
        values = [str(chance.choice((0, 1, 2, 7, 100)))]
    if absurd:
        at = chance.randrange(len(values))
        values[at] = chance.choice((mutated(chance, values[at]), mutated(chance, values[at]), chance.choice(NUMBERS), chance.choice(WORDS),
                                    listed(chance, program.helps.get((command, option), ""))))
    return values


def environment_of(chance, world, command):
    """Where the machine is not said on the command line it may be here."""
    if command not in ("plan", "machine", "simulate", "map", "place") or chance.random() < 0.7:
        return {}
    text = f"node:{world.nodes} core:{world.size}"
    some = chance.choice(({"HALOCLINE_MACHINE": text}, {"HALOCLINE_MACHINE": "nodes:" + world.node_sizes()},
                          {"SLURM_JOB_NODELIST": f"n[0-{world.nodes - 1}]", "SLURM_TASKS_PER_NODE": f"{world.size}(x{world.nodes})"}))
    if chance.random() < 0.3:
        name = chance.choice(list(some))
        some[name] = mutated(chance, some[name])
    return some


def random_line(program, seed, required):
    """The line of a seed. `required` has for each command the options without which it does nothing."""
    chance = random.Random(seed)
    rare = list(SHORT) + ["run", "trace", "man", "completion"]
    # The benchmarks of the parts take long, whatever their options.
    common = [name for name in program.commands if name not in rare and not name.startswith("bench part ")]
    command = chance.choice(common if chance.random() < 0.93 else [name for name in rare if name in program.commands])
    world, files = World(chance, 24 if command == "simulate" else 10**6), Files()  # each process of a simulation takes its time
    options = program.commands[command]
    wanted = [option for option in options if option in required.get(command, ()) and chance.random() < 0.97]
    wanted += [option for option in SHORT.get(command, ()) if option not in wanted]
    for option in chance.sample(options, chance.choice((0, 1, 1, 2, 2, 3, min(6, len(options)))) if options and len(options) >= 6 else 0):
        if option not in wanted:
            wanted.append(option)
    flags = [flag for flag in program.flags[command] if chance.random() < (0.5 if flag == "--json" else 0.15)]
    absurd = chance.random() < 0.35
    wrong = set(chance.sample(wanted, 1 if chance.random() < 0.8 else len(wanted))) if absurd and wanted else set()
    wrong -= set(SHORT.get(command, ()))
    parts, values = [], []
    for option in wanted:
        its_words = value_of(program, command, option, world, files, option in wrong)
        values += its_words
        parts.append(([option] if option.startswith("-") else []) + its_words)
    parts += [[flag] for flag in flags]
    chance.shuffle(parts)
    words = [word.replace("\0", "") for part in parts for word in part]
    if command in ("run", "trace"):
        words = [word for part in parts if part[0].startswith("-") for word in part] + chance.choice((["--", "true"], ["true"], []))
    if absurd and chance.random() < 0.1:
        words.insert(chance.randint(0, len(words)), chance.choice(("--frobnicate", "extra", "--", "-", "--help", "--version", "--json=7", "--grid")))
    return Line(command.split() + words, files.texts, environment_of(chance, world, command), command, values, absurd)
