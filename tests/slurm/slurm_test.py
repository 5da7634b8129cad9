"""Jobs of Slurm as users have them, on a cluster of four nodes that is made up on this machine.
Usage: slurm_test.py CLUSTER_SCRIPT openmpi|mpich HALOCLINE PLAIN_PROGRAM LAUNCHER DOCUMENT [Steps|Allocations]; it starts itself again
inside. Steps are started by srun, allocations are used by the MPI's own launcher."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT, IMPLEMENTATION, HALOCLINE, PLAIN_PROGRAM, LAUNCHER, DOCUMENT = sys.argv[1:7]
INSIDE = "SLURM_TEST_INSIDE"
SKIPPED = 77  # what ctest is told by SKIP_RETURN_CODE
# Open MPI 4.1.4 jumps to nowhere in one of some thirty steps that srun starts by PMIx, with any of its transports.
CRASH, TRIES = "Failing at address: (nil)", 3
BATCH_SECONDS = 90
PMI = {"openmpi": "pmix", "mpich": "pmi2"}[IMPLEMENTATION]


def reason_to_skip():
    if os.geteuid() != 0:
        return "slurmd and namespaces need root"
    if subprocess.run(["unshare", "-u", "-n", "-m", "-i", "true"], capture_output=True, check=False).returncode != 0:
        return "namespaces cannot be made here"
    if not os.path.isdir("/sys/fs/cgroup"):
        return "slurmd needs /sys/fs/cgroup"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [name for name in ("slurmctld", "slurmd", "srun", "munged", "ip") if shutil.which(name, path=path) is None]
    return f"there is no {', '.join(missing)}" if missing else None


class Jobs:
    @classmethod
    def setUpClass(cls):
        """A folder with the program that the printed lines name."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.environment = {**os.environ, "SLURM_MPI_TYPE": PMI, "PATH": f"{Path(HALOCLINE).parent}:{os.environ['PATH']}",
                           "OMPI_MCA_mpi_yield_when_idle": "1"}  # nodes believe that they have cores of their own
        if "SLURM_TEST_PRELOAD" in os.environ:
            cls.environment["LD_PRELOAD"] = os.environ["SLURM_TEST_PRELOAD"]

    def program(self, grid):
        """./program is one that makes this grid and prints what it sends between nodes."""
        path = self.folder / "program"
        path.write_text(f'#!/bin/sh\nexec "{PLAIN_PROGRAM}" {grid}\n')
        path.chmod(0o755)

    def run_line(self, line):
        for _ in range(TRIES):
            done = subprocess.run(line, shell=True, cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                  timeout=60, check=False)
            if CRASH not in done.stderr:
                break
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def answer(self, line):
        return json.loads(self.run_line(f"{line} --json"))

    def output_of_batch(self, line):
        """Of a job that a line of sbatch starts."""
        for _ in range(TRIES):
            told = self.output_of_one_batch(line)
            if told is not None and CRASH not in told:
                break
        self.assertIsNotNone(told, f"still there after {BATCH_SECONDS} s, {TRIES} times: {line}")
        return told

    def output_of_one_batch(self, line):
        """None if the job does not end: jobs of Open MPI were seen to stand still at their start on a busy machine."""
        number = self.run_line(line).split()[-1]
        end = time.monotonic() + BATCH_SECONDS
        while self.run_line(f"squeue --noheader --jobs {number}"):  # sbatch --wait looks once in ten seconds
            if time.monotonic() > end:
                self.run_line(f"scancel {number}")
                return None
            time.sleep(0.1)
        return (self.folder / f"slurm-{number}.out").read_text()

    def cost(self, told):
        return [int(word) for word in told.split()[-2:]]

    def expected_cost(self, grid, nodes):
        """Of ranks in the order in which launchers fill nodes."""
        result = self.answer(f"halocline place --grid {grid} --nodes {nodes} --algorithm blocked")["results"][0]
        return [result["j_sum"], result["j_max"]]

    def output_of_template(self, launcher):
        """Of the batch script of the document that has this launcher; and the script."""
        scripts = re.findall(r"^```sh untested\n(#!/bin/bash\n.*?)^```$", Path(DOCUMENT).read_text(), re.DOTALL | re.MULTILINE)
        [template] = [script for script in scripts if re.search(rf"^{launcher} \./program", script, re.MULTILINE)]
        (self.folder / "job.sh").write_text(template.replace("SLURM_MPI_TYPE=pmix", f"SLURM_MPI_TYPE={PMI}"))
        self.program("2x4")
        return self.output_of_batch("sbatch job.sh"), template


class Steps(Jobs, unittest.TestCase):
    def test_processes_find_their_nodes(self):
        for distribution in ("block", "cyclic"):
            line = f"srun --nodes=4 --ntasks-per-node=2 --distribution={distribution} halocline machine"
            answer = self.answer(line)
            self.assertEqual((answer["source"], answer["machine"]), ("job", "node:4 core:2"))

    def test_the_launcher_of_the_mpi_finds_the_nodes_of_an_allocation(self):
        answer = self.answer(f"salloc --quiet --nodes=4 --ntasks-per-node=2 {LAUNCHER} halocline machine")
        self.assertEqual((answer["source"], answer["machine"]), ("job", "node:4 core:2"))

    def test_an_arbitrary_order_shares_memory(self):
        """Slurm tells MPICH by PMI-2 that each rank is alone on its node."""
        hosts = ["n1", "n0", "n2", "n0", "n1", "n0"]
        (self.folder / "order").write_text("\n".join(hosts) + "\n")
        answer = self.answer("SLURM_HOSTFILE=order srun --ntasks=6 --distribution=arbitrary halocline machine")
        self.assertEqual(answer["machine"], "node:3 core:2,3,1")
        [told] = self.answer("SLURM_HOSTFILE=order srun --ntasks=6 --distribution=arbitrary halocline doctor --only nodes")["findings"]
        self.assertEqual(told["verdict"], "slow" if IMPLEMENTATION == "mpich" else "ok", told)
        self.assertIn("6 processes on 3 nodes", told["found"])

    def test_what_is_known_without_mpi(self):
        """Uneven as Slurm made it: as many tasks on each host as srun starts there."""
        allocated = "salloc --quiet --nodes=3 --ntasks=7 sh -c"
        told = self.run_line(f"{allocated} 'halocline machine --json; halocline plan --mesh 100x100 --json; srun hostname'")
        machine, end = json.JSONDecoder().raw_decode(told)
        plan, end = json.JSONDecoder().raw_decode(told, end + 1)
        hosts = told[end:].split()
        names = sorted(set(hosts))
        self.assertEqual((machine["source"], machine["hosts"]), ("slurm", names))
        self.assertEqual((plan["problem"]["source"], plan["problem"]["machine"]), ("slurm", machine["machine"]))
        nodes = next(level for level in machine["levels"] if level["name"] == "node")["sizes"]
        sizes = [run["ranks"] for run in nodes for _ in range(run["groups"])]
        self.assertEqual(sizes, [hosts.count(name) for name in names])

    def printed_lines(self, nodes):
        """Those of srun and sbatch."""
        text = self.run_line(f"halocline plan --mesh 400x400 --nodes {nodes}")
        lines = [line.strip() for line in text.splitlines()]
        return [next(line for line in lines if line.split()[:1] == ["sbatch"]),
                next(line for line in lines if re.match(r"(SLURM_HOSTFILE=FILE )?srun ", line))]

    def test_lines_that_plan_prints_work_as_they_are(self):
        for nodes, grid in (("4x2", "2x4"), ("3,2,1", "6")):
            self.program(grid)
            (self.folder / "FILE").write_text("n0\nn0\nn0\nn1\nn1\nn2\n")
            expected = self.expected_cost(grid, nodes)
            batch, at_once = self.printed_lines(nodes)
            with self.subTest(line=batch):
                self.assertEqual(self.cost(self.output_of_batch(batch)), expected)
            with self.subTest(line=at_once):
                self.assertEqual(self.cost(self.run_line(at_once)), expected)

    def test_rank_files_and_distributions(self):
        """Where Slurm has a word for the placement, it is printed in place of the file, and does the same."""
        for grid, nodes, algorithm, part in (
            ("4x2", "4x2", "random", "--distribution=arbitrary"), ("2x3", "3,2,1", "optimal-strips", "--distribution=arbitrary"),
            ("2x4", "2x4", "optimal-strips", "--distribution=plane=2"), ("4x2", "2x4", "nodecart", "--distribution="),
        ):
            with self.subTest(grid=grid, nodes=nodes, algorithm=algorithm):
                place = f"halocline place --grid {grid} --nodes {nodes} --algorithm {algorithm} --rankfile slurm ranks"
                result = self.answer(place)["results"][0]
                line = re.search("without reordering: (.*)", self.run_line(place)).group(1)
                self.assertIn(part, line)
                ranks = len((self.folder / "ranks").read_text().splitlines())
                in_file = f"SLURM_HOSTFILE=ranks srun --ntasks={ranks} --distribution=arbitrary"
                for each in {line if "arbitrary" not in line else in_file, in_file}:
                    told = self.run_line(f"{each} {PLAIN_PROGRAM} {grid}")
                    self.assertEqual(self.cost(told), [result["j_sum"], result["j_max"]], each)

    def test_trace_and_run(self):
        self.program("2x4")
        expected = self.expected_cost("2x4", "4x2")
        for command in ("trace --output t.trace", "run"):
            told = self.run_line(f"halocline {command} -- srun --nodes=4 --ntasks-per-node=2 ./program")
            self.assertEqual(self.cost(told), expected)
        processes = [line.split() for line in (self.folder / "t.trace").read_text().splitlines() if line.startswith("process ")]
        self.assertEqual(sorted(int(words[1]) for words in processes), list(range(8)))
        self.assertEqual(len({words[3] for words in processes}), 4)

    def test_the_template_of_the_document(self):
        told, template = self.output_of_template("srun")
        self.assertEqual(len(re.findall(r"^\d+ \d+$", told, re.MULTILINE)), template.count("./program"), told)
        for word in ("8 ranks on 4 nodes", "HALOCLINE_MACHINE"):
            self.assertIn(word, told)


@unittest.skipUnless(IMPLEMENTATION == "openmpi", "Open MPI's launcher and rank files")
class Allocations(Jobs, unittest.TestCase):
    """mpirun inside a job: nodes and slots are Slurm's, daemons are started by srun, and processes by daemons."""

    def in_job(self, line, options="--nodes=4 --ntasks-per-node=2"):
        return self.run_line(f"salloc --quiet {options} sh -ec {shlex.quote(line)}")

    def hosts_of_ranks(self, line):
        """What this line of mpirun makes of 8 ranks."""
        told = self.in_job(f"{line} -n 8 sh -c 'echo $OMPI_COMM_WORLD_RANK $(hostname)'").split()
        return {int(rank): host for rank, host in zip(told[::2], told[1::2])}

    def test_processes_find_their_nodes(self):
        for nodes, options, machine in ((4, "--nodes=4 --ntasks-per-node=2", "node:4 core:2"), (2, "--nodes=2 --ntasks-per-node=1", "node:2 core:1")):
            told = self.in_job("halocline machine --json; mpirun halocline machine --json", options)
            by_slurm, end = json.JSONDecoder().raw_decode(told)
            by_mpi, _ = json.JSONDecoder().raw_decode(told, end + 1)
            self.assertEqual((by_slurm["source"], by_mpi["source"], by_mpi["nodes"]), ("slurm", "job", nodes))
            self.assertEqual(by_mpi["machine"], machine)
            self.assertEqual(by_slurm["machine"], machine)

    def test_plan_and_its_rank_file(self):
        """The program gets the grid that was planned, and each rank the host that the file names."""
        told = self.in_job("halocline plan --mesh 400x400 --rankfile openmpi ranks --json")
        answer = json.loads(told[:told.rindex("}") + 1])
        self.assertEqual((answer["problem"]["source"], answer["problem"]["machine"]), ("slurm", "node:4 core:2"))
        named = dict(re.findall(r"^rank (\d+)=(\S+)", (self.folder / "ranks").read_text(), re.MULTILINE))
        self.assertEqual(self.hosts_of_ranks("mpirun --rankfile ranks"), {int(rank): host for rank, host in named.items()})

    def test_trace_and_run(self):
        self.program("2x4")
        expected = self.expected_cost("2x4", "4x2")
        told = self.in_job("halocline trace --output t.trace -- mpirun ./program; halocline run -- mpirun ./program")
        self.assertEqual([int(word) for word in told.split()], expected * 2)
        processes = [line.split() for line in (self.folder / "t.trace").read_text().splitlines() if line.startswith("process ")]
        self.assertEqual(sorted(int(words[1]) for words in processes), list(range(8)))
        self.assertEqual({words[3] for words in processes}, {"n0", "n1", "n2", "n3"})

    def test_ranks_that_talk_come_together(self):
        """r and r + 4 talk, and sit on different nodes by default."""
        flows = "".join(f"flow message {rank} {(rank + 4) % 8} 1 1000\n" for rank in range(8))
        processes = "".join(f"process {rank} 1 n{rank // 2}\n" for rank in range(8))
        (self.folder / "far.trace").write_text(f"halocline trace 1\nranks 8\n{processes}{flows}end\n")
        told = self.in_job("halocline place --trace far.trace --rankfile openmpi ranks")
        self.assertIn("nodes 4x2: those of this job, by Slurm", told)
        line = re.search("To start the program in this order: (.*)", told).group(1)
        hosts = self.hosts_of_ranks(line)
        self.assertEqual(sorted(hosts), list(range(8)))
        for rank in range(4):
            self.assertEqual(hosts[rank], hosts[rank + 4], hosts)
        self.assertEqual(len(set(hosts.values())), 4)

    def test_the_template_of_the_document(self):
        told, template = self.output_of_template("mpirun")
        self.assertEqual(len(re.findall(r"^\d+ \d+$", told, re.MULTILINE)), template.count("./program"), told)
        self.assertEqual(told.count("8 ranks on 4 nodes"), 1, told)


def check_refusals():
    for words in (["0", "true"], ["4x0", "true"], ["4x4"], ["101", "true"], ["n4", "true"]):
        done = subprocess.run([SCRIPT, *words], capture_output=True, text=True, timeout=10, check=False)
        if done.returncode != 2 or not done.stderr.startswith("slurm_cluster.sh"):
            sys.exit(f"{words} is not refused: {done}")


def check_that_nothing_stays(folder):
    """Of a cluster that had that folder: its daemons are named by it."""
    def uses_it(process):
        try:
            return folder.encode() in (process / "environ").read_bytes()
        except OSError:  # it has ended
            return False

    if os.path.exists(folder) or any(uses_it(process) for process in Path("/proc").glob("[0-9]*")):
        sys.exit(f"something of the cluster in {folder} is still there")


def run_in_cluster():
    with tempfile.NamedTemporaryFile("r") as folder:
        inside = {**os.environ, INSIDE: folder.name, "HALOCLINE_CLUSTER_SECONDS": "240"}
        status = subprocess.run([SCRIPT, "4x4", sys.executable, *sys.argv], env=inside, check=False).returncode
        if name := folder.read():
            check_that_nothing_stays(name)
        return status


if __name__ == "__main__":
    if INSIDE in os.environ:
        Path(os.environ[INSIDE]).write_text(os.path.dirname(os.environ["SLURM_CONF"]))
        unittest.main(argv=sys.argv[:1] + sys.argv[7:])
    check_refusals()
    if reason := reason_to_skip():
        print(f"Skipped: {reason}")
        sys.exit(SKIPPED)
    sys.exit(run_in_cluster())
