"""Every command as a user types it; place, map and plan have files of their own. Usage: command_line_test.py PROGRAM [TEST...]"""

import json
import os
import pty
import resource
import select
import socket
import subprocess
import tempfile
import time
import unittest

from command_line import PROGRAM, CommandLine, clean_environment, run


class Commands(CommandLine):
    def test_help_shows_an_example_for_every_command(self):
        overview = run("--help")
        self.assertEqual(overview.returncode, 0)
        listed = overview.stdout.split("Subcommands:")[1].split("Each command")[0]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertIn("machine", commands)
        for command in commands:
            page = run(command, "--help").stdout
            self.assertIn("Example:", page)
            self.assertIn("halocline " + command, page.split("Example:")[1])
            self.assertIn("--json", page)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^halocline \d+\.\d+\.\d+\n$")

    def test_wrong_use(self):
        self.assert_refused([], "a command is missing")
        self.assert_refused(["frobnicate"], "frobnicate", "machine")
        self.assert_refused(["machine", "--frobnicate"], "--frobnicate")

    def test_machine_of_this_host(self):
        answer = self.answer("machine")
        self.assertEqual(answer["source"], "host")
        self.assertEqual(answer["nodes"], 1)
        self.assertEqual(answer["levels"][-1]["groups"], answer["ranks"])

    def test_machine_in_a_job_that_it_was_not_started_by(self):
        """The nodes of the job, as plan has them, and how to see what is inside."""
        with tempfile.TemporaryDirectory() as folder:
            nodes = os.path.join(folder, "nodes")
            with open(nodes, "w") as file:
                file.write("a\na\nb\nb\n")
            for scheduler, machine, hosts, start, environment in (
                ("slurm", "node:4 core:4,2,2x1", ["n0", "n1", "n2", "n3"], "srun",
                 {"SLURM_JOB_NODELIST": "n[0-3]", "SLURM_TASKS_PER_NODE": "4,2,1(x2)", "SLURM_PROCID": "0"}),
                ("pbs", "node:2 core:2", ["a", "b"], "mpi", {"PBS_NODEFILE": nodes}),
            ):
                answer = self.answer("machine", **environment)
                self.assertEqual((answer["source"], answer["machine"], answer["hosts"]), (scheduler, machine, hosts))
                plan = self.answer("plan", "--mesh", "100x100", **environment)["problem"]
                self.assertEqual((plan["source"], plan["machine"]), (scheduler, machine))
                text = run("machine", **environment).stdout
                self.assertIn(f'HALOCLINE_MACHINE="{machine}"', text)
                for part in (answer["note"], "no node of the job", start, "halocline machine"):
                    self.assertIn(part, text)
                self.assertNotIn("note", self.answer("machine", HALOCLINE_MACHINE="node:2 core:2", **environment))
        two = {"SLURM_JOB_NODELIST": socket.gethostname().split(".")[0] + ",other", "SLURM_TASKS_PER_NODE": "2,1"}
        self.assertIn(f"This is {socket.gethostname()}. ", self.answer("machine", **two)["note"])
        self.assertIn("srun started 3", self.answer("machine", SLURM_STEP_NUM_TASKS="3", **two)["note"])
        broken = self.answer("machine", SLURM_JOB_NODELIST="n[0-3]")
        self.assertEqual(broken["source"], "host")
        self.assertIn("SLURM_TASKS_PER_NODE", broken["note"])
        self.assertNotIn("note", self.answer("machine"))

    def test_described_machine_round_trips(self):
        for text in ("node:4 core:4", "node:3 core:2x6,4", "rack:2 node:2 numa:2 core:8"):
            answer = self.answer("machine", HALOCLINE_MACHINE=text)
            self.assertEqual(answer["machine"], text)
            self.assertEqual(answer["source"], "environment")
            self.assertIn(f'HALOCLINE_MACHINE="{text}"', run("machine", HALOCLINE_MACHINE=text).stdout)
        self.assert_refused(["machine"], "nodes:6,-1", "-1", HALOCLINE_MACHINE="nodes:6,-1")

    def test_shape_examples(self):
        self.assertEqual(self.answer("shape", "--ranks", "12", "--mesh", "1800x580")["dims"], [6, 2])
        answer = self.answer("shape", "--levels", "625,2,12", "--mesh", "1000x1100x950")
        self.assertEqual(answer["dims"], [30, 25, 20])
        self.assertEqual(answer["levels"], [[5, 25, 5], [2, 1, 1], [3, 1, 4]])
        self.assertEqual(self.answer("shape", "--levels", "4,2,6", "--mesh", "6000x8080")["dims"], [6, 8])
        self.assertEqual(self.answer("shape", "--ranks", "360", "--dims", "3")["dims"], [9, 8, 5])
        self.assertEqual(self.answer("shape", "--ranks", "24", "--mesh", "100x100x100", "--fixed", "0x4x0")["dims"], [3, 4, 2])
        joint = self.answer("shape", "--levels", "24,32", "--mesh", "3000x2000", "--joint")
        self.assertEqual(joint["levels"], [[8, 3], [4, 8]])
        self.assertTrue(joint["proven"])
        self.assertIn("warning", self.answer("shape", "--levels", "24,32", "--mesh", "3x2"))

    def test_shape_for_uneven_nodes(self):
        answer = self.answer("shape", "--nodes", "40x48,20x24", "--mesh", "5000x4800")
        self.assertEqual(answer["dims"][0] * answer["dims"][1], 2400)
        self.assertIn("node_cost", answer)

    def test_shape_refuses(self):
        self.assert_refused(["shape"], "--ranks")
        self.assert_refused(["shape", "--ranks", "-4", "--dims", "2"], "-4")
        self.assert_refused(["shape", "--ranks", "12"], "--mesh")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "0x4"], "--mesh 0x4", "1 or more")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "9x9", "--halo", "1"], "halo")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "90x90", "--fixed", "5x0"], "5", "12")
        self.assert_refused(["shape", "--ranks", "12", "--levels", "4,4", "--dims", "2"], "12", "16")
        self.assert_refused(["shape", "--levels", "4,0", "--dims", "2"], "--levels 4,0", "0")
        self.assert_refused(["shape", "--ranks", "4", "--dims", "2", "--ratios", "7,1"], "--joint")

    def test_refusals_name_the_list_that_is_too_short(self):
        self.assert_refused(["shape", "--nodes", "49x7", "--mesh", "30x64", "--joint", "--ratios", "0.5"], "--ratios 0.5", "1 cost ratios for 2")
        self.assert_refused(["shape", "--ranks", "14", "--mesh", "13x14x24x392", "--halo", "2"], "--halo 2", "1 halo widths")
        self.assert_refused(["shape", "--ranks", "12", "--mesh", "30x30x30", "--fixed", "7"], "--fixed 7", "1 fixed extents for 3")
        self.assert_refused(["plan", "--nodes", "2x2", "--mesh", "30x30x30", "--fixed", "5"], "--fixed 5", "1 fixed extents for 3")
        self.assert_refused(["schedule", "--dims", "3", "--block-bytes", "8,16,8,16"], "--block-bytes 8,16,8,16", "4 block sizes for 6 neighbours")
        self.assert_refused(["plan", "--mesh", "180x9", "--nodes", "3x3", "--halo", "0"], "halos of 0x0", "stencil nearest")

    def test_refusals_are_one_line_without_control_characters(self):
        for word in ("\t", "\x01", "\x1b[2J", "1\n2", "\x7f"):
            for words in (["shape", "--ranks", word], ["plan", "--mesh", "40x40", "--nodes", word], [word]):
                done = run(*words)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertTrue(done.stderr[:-1].isprintable(), repr(done.stderr))

    def test_json_of_names_that_are_no_text(self):
        """Bytes that are not UTF-8, in the names of hosts and of a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "\udcff")
            with open(path, "wb") as file:
                file.write(b"n\xff slots=4\nm slots=4\n")
            for more in ([], ["--html", path + ".html"]):
                answer = self.answer("plan", "--mesh", "40x40", "--hostfile", path, *more)
                self.assertEqual(answer["problem"]["nodes"], 2)

    def test_what_takes_too_much_memory(self):
        """One line that says what for, and not that of the language."""
        self.assert_refused(["shape", "--ranks", "12", "--dims", "100000000"], "--dims 100000000", "64 dimensions")
        done = run("layout", "vector(8,1,16,double)", "--count", "720720", memory=5 * 10**8)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        for part in ("out of memory: layout vector(8,1,16,double) --count 720720 asks", "0.5 GB"):
            self.assertIn(part, done.stderr)
        # Before anything is allocated.
        for words, part in ((["--tasks", "10000x10000", "--network", "torus:100x100", "--cores", "1000000"], "1e+10 cores"),
                            (["--tasks", "8x8", "--network", "dragonfly:1000x1000x1000"], "--network \"dragonfly:1000x1000x1000\"")):
            done = run("map", *words, memory=4 * 10**9)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
            self.assertIn(part, done.stderr)
            self.assertRegex(done.stderr, r"take about \d+\.\d GB; there are 4\.0\n")

    def test_cores_without_tasks_take_no_memory(self):
        done = run("map", "--tasks", "8x9", "--network", "torus:8x8x8", "--cores", "720720", "--rotate", "--json", memory=10**9)
        self.assertEqual(done.returncode, 0, done.stderr)
        (result,) = json.loads(done.stdout)["results"]
        self.assertEqual(result["weighted_hops"], 0)  # all on one node
        self.assertEqual(result["max_data"], 0)
        done = run("map", "--tasks", "2x3x4x5x6", "--network", "torus:2x3x2x3x2x3x2x3x2", "--rotate")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"--rotate: there are 43545600 rotations, which take about \S+ hours")

    def test_nothing_takes_long_without_need(self):
        """By processor time: others may be busy. It was more than 30 s for the first, and 5 s for the second."""
        def seconds(*words):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.answer(*words)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        self.assertLess(seconds("schedule", "--grid", "12x24x24x16"), 8)
        self.assertLess(seconds("layout", "vector(8,1,3,byte)", "--count", "2000000"), 2.5)

    def test_progress_from_two_seconds_on(self):
        terminal, end = pty.openpty()
        begin = time.monotonic()
        with subprocess.Popen([PROGRAM, "place", "--grid", "100000x100000", "--nodes", "1000000x10000"], env=clean_environment(),
                              stdout=subprocess.DEVNULL, stderr=end) as tool:
            os.close(end)
            something = select.select([terminal], [], [], 20)[0]
            shown = os.read(terminal, 4096) if something else b""
            passed = time.monotonic() - begin
            tool.kill()
        os.close(terminal)
        self.assertRegex(shown, rb"^\r\d+ s, best")
        self.assertGreater(passed, 1.9)

    def test_layout(self):
        answer = self.answer("layout", "hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))")
        self.assertEqual((answer["size"], answer["extent"]), (3072, 30144))
        self.assertEqual(answer["canonical"], "at 0: 2 by 24576, 8 by 768, 192 bytes")
        self.assertEqual([engine["name"] for engine in answer["engines"]], ["kernels"])
        for engine in answer["engines"]:
            self.assertGreater(engine["commit_seconds"], 0)
            self.assertGreater(engine["pack_bytes_per_second"], 1e6)
        self.assertEqual(answer["advice"], [])

    def test_layout_counts_elements(self):
        answer = self.answer("layout", "vector(3,1,2,double)", "--count", "2")
        self.assertEqual((answer["size"], answer["packed_bytes"]), (24, 48))
        self.assertEqual(answer["canonical"], "at 0: 5 runs 0+8,16+8,32+16,56+8,72+8")
        self.assertEqual(self.answer("layout", "contiguous(0,int)")["canonical"], "nothing")
        large = self.answer("layout", "vector(1000000000,1,2,double)")
        self.assertEqual([engine["pack_bytes_per_second"] for engine in large["engines"]], [None])

    def test_layout_advises(self):
        advice = self.answer("layout", "indexed_block(1,[0,4,8,12,16],double)")["advice"]
        self.assertEqual(len(advice), 1)
        self.assertIn("5 displacements", advice[0])
        self.assertIn("a vector", advice[0])
        self.assertIn("5 displacements", run("layout", "indexed_block(1,[0,4,8,12,16],double)").stdout)

    def test_layout_refuses(self):
        self.assert_refused(["layout"], "layout")
        self.assert_refused(["layout", "vektor(3,1,2,double)"], "vektor")
        self.assert_refused(["layout", "contiguous(-3,int)"], "-3")
        self.assert_refused(["layout", "double", "--count", "-3"], "-3")

    def test_schedule_examples(self):
        def rows(*words):
            answer = self.answer("schedule", *words)
            return {row["algorithm"]: (row["rounds"], row["volume"]) for row in answer["results"]}

        self.assertEqual(rows("--dims", "3", "--stencil", "moore:1"),
                         {"direct": (26, 26), "torus": (6, 54), "torus-direct": (6, 54), "basis": (6, 54)})
        self.assertEqual(rows("--dims", "3", "--stencil", "moore:3", "--operation", "allgather", "--algorithm", "torus,basis"),
                         {"torus": (18, 342), "basis": (12, 342)})
        self.assertEqual(rows("--dims", "3", "--stencil", "octant:3", "--algorithm", "torus"), {"torus": (9, 288)})
        self.assertEqual(rows("--dims", "1", "--stencil", "1;2;3;4;5;6;7", "--algorithm", "basis"), {"basis": (3, 12)})
        row = self.answer("schedule", "--dims", "2", "--stencil", "moore:1", "--block-bytes", "100",
                          "--algorithm", "torus")["results"][0]
        self.assertEqual((row["bytes"], row["scratch_blocks"]), (1200, 4))
        self.assertGreater(row["seconds"], 0)

    def test_schedule_on_a_grid(self):
        for operation in ("alltoall", "allgather"):
            answer = self.answer("schedule", "--grid", "2x2x3", "--periodic", "1,1,0", "--stencil", "moore:1",
                                 "--operation", operation)
            self.assertEqual([row["rounds"] for row in answer["results"]], [11, 4, 4, 4])
            self.assertTrue(all(row["checked"] for row in answer["results"]))
        answer = self.answer("schedule", "--grid", "4096x4096", "--stencil", "moore:1", "--algorithm", "torus")
        self.assertFalse(answer["results"][0]["checked"])

    def test_schedule_refuses(self):
        self.assert_refused(["schedule"], "--dims")
        self.assert_refused(["schedule", "--dims", "-2"], "--dims -2")
        self.assert_refused(["schedule", "--dims", "2", "--grid", "4x4x4"], "--dims 2", "4x4x4")
        self.assert_refused(["schedule", "--dims", "2", "--operation", "reduce"], "reduce", "allgather")
        self.assert_refused(["schedule", "--dims", "2", "--algorithm", "torus,magic"], "magic", "torus-direct")
        self.assert_refused(["schedule", "--dims", "2", "--algorithm", ""], "--algorithm")
        self.assert_refused(["schedule", "--dims", "2", "--stencil", "1,0,0"], "--stencil 1,0,0")
        self.assert_refused(["schedule", "--dims", "2", "--block-bytes", "1,2"], "2 block sizes", "4 neighbours")
        self.assert_refused(["schedule", "--dims", "2", "--block-bytes", "-8"], "-8")
        done = run("schedule", "--dims", "1", "--stencil", "99999999999", "--algorithm", "torus")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("99999999999", done.stderr)

    def test_bench_refuses_clusters(self):
        for text in ("4x8", "0x3@10mbit", "4x8@10", "4x8@10mbitx", "2x4@0mbit", "200x1@10mbit", "199x99@10mbit"):
            self.assert_refused(["bench", "levels", "--cluster", text], f'"{text}"', "4x8@1000mbit")


if __name__ == "__main__":
    unittest.main()
