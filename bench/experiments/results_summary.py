"""The table that docs/results.md opens with: for each paper its claim, ours, and where we fall short. Every number of ours is
taken from the sections below it, so that the table cannot say anything else than they do."""

import re

HEAD = """# Results: the papers' tables beside ours

Halocline began with [five papers](papers.md). This page runs their experiments again as far as that can be done on a small machine, and puts
the papers' figures beside ours. The summary first:

"""
TAIL = """
`bench/experiments/results.py` writes this page from the output of the commands that it shows; it takes the numbers of the summary from
there, too. Where a paper gives figures, the last lines of a section say how ours compare. Nothing was measured on a real cluster: times
between nodes are simulated, or taken on four nodes of eight processes that share two cores.

"""


class Sections:
    """The sections by their titles. Asks for a number or a line by a pattern that must be there."""

    def __init__(self, sections):
        self.sections = sections

    def find(self, title, pattern):
        found = re.search(pattern, self.sections[title], re.MULTILINE)
        if not found:
            raise SystemExit(f"the summary finds no '{pattern}' in the section '{title}'")
        return found.groups() if len(found.groups()) > 1 else found.group(1)

    def column(self, title, caption, name):
        """The numbers of a column of the table below a caption; of two beside each other ('1.0 | 2.0') the second."""
        lines = self.sections[title].split(caption, 1)[1].split("\n\n", 1)[0].split("\n")[1:]
        place = re.split(r"\s\s+", lines[0].strip()).index(name)
        return [float(re.split(r"\s\s+", line.strip())[place].split(" | ")[-1]) for line in lines[1:]]


def placement(told):
    title = "Stencil placement (paper 1)"
    known, differ = told.find(title, r"^(\d+) of our costs are known, (\d+) differ")
    viem = [float(word) for word in told.find(title, r"^best / viem: (.*)$").split(", ")]
    gains = {stencil: max(told.column(title, f"50 nodes, {stencil}: how many times as fast as blocked", "best"))
             for stencil in ("nearest", "hops")}
    slower = told.find(title, r"^On VSC-4 blocked took (.*) times as long as simulated")
    behind, lines = told.find(title, r"^In (\d+) of (\d+) lines the paper's best gain is larger than that of best,")
    beaten = told.find(title, r"^In (\d+) of \d+ lines a placement of the paper is faster than best by")
    return ("MPI_Neighbor_alltoall up to three times as fast; about as good as the graph partitioner ViEM, and up to two orders of magnitude faster to plan",
            f"{int(known) - int(differ)} of {known} costs are exactly the paper's; our `best` has {min(viem)} to {max(viem)} times ViEM's J_sum; "
            f"simulated, it is up to {gains['nearest']} (`nearest`) and {gains['hops']} (`hops`) times as fast as `blocked`",
            f"the real VSC-4 took {slower} times as long as the simulated one; in {behind} of {lines} cases the paper measured a larger gain than we "
            f"simulate, in {beaten} a placement of the paper is faster than `best`")


def combining(told):
    title, simulated = "Message-combining collectives (paper 2)", "Message-combining collectives, simulated (paper 2)"
    neighbours, rounds, basis = told.find(title, r"^3-D, radius 3 +(\d+) +(\d+) +\d+ +\d+ +(\d+) ")
    slow, cells = told.find(title, r"^auto: slower than MPI_Neighbor_alltoall in (\d+) of (\d+) cells")
    torus_slow = told.find(title, r"^torus-messages: slower than MPI_Neighbor_alltoall in (\d+) of")
    gains = [gain for caption in ("4x8@1000mbit, 26 neighbours", "4x8@1000mbit, 342 neighbours")
             for gain in told.column(title, caption, "auto")]
    wanted, torus, torus_direct = told.find(simulated, r"^3-D, radius 3 +([\d.]+) +([\d.]+) +([\d.]+)$")
    return (f"{rounds} rounds instead of {neighbours} messages (3-D, radius 3); with blocks of one byte a gain close to {wanted}",
            f"{rounds} rounds, {basis} with a basis; what the library chooses (`auto`) is {min(gains)} to {max(gains)} times as fast as "
            f"MPI_Neighbor_alltoall on 4 nodes of 8, and slower in {slow} of {cells} cases",
            f"simulated, the gain with one byte is {torus} to {torus_direct}; the paper's own schedule (`torus`, by messages alone) is slower than MPI in "
            f"{torus_slow} of {cells} cases")


def mapping(told):
    title = "Geometric task mapping (paper 3)"
    numbers, differ = told.find(title, r"^(\d+) numbers compared, (\d+) differ")
    ours, theirs = told.find(title, r"^Latency of the best geometric mapping: (.*) less than Default \(the paper's times of communication: (.*)\)")
    group, their_group = told.find(title, r"less than Default .*\nLatency of the best geometric mapping: (.*) less than Group \(.*: (.*)\)")
    return (f"communication of MiniGhost takes {theirs} less time than by default, {their_group} less than with MiniGhost's own grouping",
            f"{int(numbers) - int(differ)} of {numbers} numbers of the table of hops are the paper's; the time that the fullest link needs (Latency) is {ours} "
            f"less than by default, {group} less than with the grouping",
            "a metric of ours stands beside times of the paper; the allocations are simulated; z2_3 has the lowest latency less often than in the paper "
            "([network](network.md#minighost-on-a-machine-like-titan))")


def grids(told):
    title = "Topology-aware Cartesian grids (paper 4)"
    rows = re.findall(r"^--\S.*?  +(\S+)  +(\S+)$", told.sections[title], re.MULTILINE)
    same = sum(paper == ours for paper, ours in rows)
    links = told.find(title, r"^renumbered by levels, ours +(\d+) +\d+ +\d+$")
    before = told.find(title, r"^ranks row by row, ours +(\d+) ")
    return ("grids that fit mesh and machine; fewer links between nodes",
            f"{same} of {len(rows)} grids are the poster's; {links} links between nodes instead of {before}, as there",
            "no times were compared")


def datatypes(told):
    title = "Runtime-compiled datatypes (paper 5)"
    cell = r"(\d+)% of (\d+) datatypes are packed in less than a seventh of MPI's time \(paper, of MILC's: (\d+) %\), the best in (\S+) \((\S+)\), " \
           r".*; compiling pays after (\d+) packings in the median \((\d+)\)"
    found = {(mpi, engine): told.find(title, rf"^{mpi}.*, {engine}: {cell}") for mpi in ("Open MPI", "MPICH") for engine in ("kernels", "llvm")}
    share, types, papers_share, best, papers_best, pays, papers_pays = found["Open MPI", "kernels"]
    other = found["MPICH", "kernels"]
    return (f"{papers_share} % of MILC's datatypes are packed in less than a seventh of MPI's time, the best in {papers_best}; compiling pays after "
            f"{papers_pays} packings in the median",
            f"kernels pay after {pays} packings (Open MPI) and {other[5]} (MPICH); the best takes {best} and {other[3]} of MPI's time",
            f"{share} % and {other[0]} % of our {types} datatypes take less than a seventh (the datatypes and the MPIs are not the paper's); "
            f"generated code pays after {found['Open MPI', 'llvm'][5]} and {found['MPICH', 'llvm'][5]} packings")


def head(sections):
    """What stands before the first section."""
    told = Sections(sections)
    text = HEAD + "| paper | its claim | ours | where we fall short |\n| --- | --- | --- | --- |\n"
    for name, row in (("1, stencil placement", placement), ("2, combined messages", combining), ("3, geometric mapping", mapping),
                      ("4, Cartesian grids", grids), ("5, compiled datatypes", datatypes)):
        text += f"| [{name}](papers.md) | " + " | ".join(row(told)) + " |\n"
    return text + TAIL
