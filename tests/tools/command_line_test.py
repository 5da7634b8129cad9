"""Runs the halocline program as a user would. Usage: command_line_test.py PROGRAM [TEST...]"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

PROGRAM = sys.argv.pop(1)


def run(*words, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE", "SLURM", "PBS"))}
    return subprocess.run([PROGRAM, *words], env={**clean, **environment}, capture_output=True, text=True, timeout=30)


class CommandLine(unittest.TestCase):
    def answer(self, *words, **environment):
        """The JSON of a command that succeeds."""
        done = run(*words, "--json", **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def assert_refused(self, words, *parts, **environment):
        """Exit status 2, nothing on stdout, one line on stderr that has the parts."""
        done = run(*words, **environment)
        self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("halocline: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

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

    def test_place_reference_table(self):
        reference = {
            "nearest": {"blocked": (4704, 96), "hyperplane": (1328, 38), "kd-tree": (1732, 46), "strips": (1244, 28),
                        "nodecart": (2404, 50)},
            "hops": {"blocked": (13824, 288), "hyperplane": (3268, 108), "kd-tree": (4364, 114), "strips": (3868, 88),
                     "nodecart": (11524, 242)},
            "component": {"blocked": (4704, 96), "hyperplane": (288, 16), "kd-tree": (96, 2), "strips": (96, 2),
                          "nodecart": (2304, 48)},
        }
        optimal = {"nearest": (1204, 28), "hops": (2868, 68), "component": (96, 2)}
        for stencil, rows in reference.items():
            answer = self.answer("place", "--grid", "50x48", "--nodes", "50x48", "--stencil", stencil, "--algorithm", "all")
            found = {row["algorithm"]: (row["j_sum"], row["j_max"]) for row in answer["results"]}
            for algorithm, costs in rows.items():
                self.assertEqual(found[algorithm], costs, (stencil, algorithm))
            self.assertLessEqual(found["optimal-strips"], optimal[stencil])
            self.assertEqual(found[answer["best"]], min(found.values()))

    def test_place_best_is_the_default(self):
        answer = self.answer("place", "--grid", "50x48", "--nodes", "50x48")
        self.assertEqual([row["j_sum"] for row in answer["results"]], [1204])
        self.assertEqual(answer["results"][0]["algorithm"], answer["best"])

    def test_place_map_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            for grid, nodes in (("6x5", "3x8,6"), ("4x3x5", "6x10"), ("7", "3,4"), ("2x3x2x4", "6x8")):
                files = [os.path.join(folder, "map"), os.path.join(folder, "picture.svg")]
                self.answer("place", "--grid", grid, "--nodes", nodes, "--map", files[0], "--svg", files[1])
                with open(files[0]) as lines:
                    owners = [int(line) for line in lines]
                sizes = [n for part in nodes.split(",")
                         for n in ([int(part.split("x")[1])] * int(part.split("x")[0]) if "x" in part else [int(part)])]
                self.assertEqual([owners.count(node) for node in range(len(sizes))], sizes)
                self.assertTrue(ElementTree.parse(files[1]).getroot().tag.endswith("svg"))
            done = run("place", "--grid", "2x2", "--nodes", "2,2", "--map", os.path.join(folder, "no", "such", "place"))
            self.assertEqual(done.returncode, 1)

    def test_map_agrees_with_the_reference(self):
        here = os.path.dirname(os.path.abspath(__file__))
        checked = 0
        with open(os.path.join(here, "..", "pure", "network", "average_hops.csv")) as lines:
            for row in csv.DictReader(lines):
                tasks, pd, td = int(row["tasks"]), int(row["network_dims"]), int(row["task_dims"])
                if tasks != 4096:
                    continue
                kinds = row["connectivity"].split("_to_")
                words = ["map", "--tasks", "x".join([str(round(tasks ** (1 / td)))] * td), "--order", row["order"].lower(),
                         "--network", kinds[1] + ":" + "x".join([str(round(tasks ** (1 / pd)))] * pd)]
                answer = self.answer(*words, *(["--task-torus"] if kinds[0] == "torus" else []))
                self.assertAlmostEqual(answer["results"][0]["average_hops"], float(row["average_hops"]), delta=0.0051)
                checked += 1
        self.assertEqual(checked, 36)

    def test_map_refuses(self):
        self.assert_refused(["map", "--tasks", "4x4", "--network", "ring:16"], "--network ring:16")
        self.assert_refused(["map", "--tasks", "4x4", "--network", "mesh:16", "--order", "magic"], "magic", "hilbert")
        self.assert_refused(["map", "--tasks", "4x4", "--network", "mesh:16", "--cores", "0"], "--cores 0")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("0 0\n1 1\n0 0\n")
            file.flush()
            self.assert_refused(["map", "--tasks", "3", "--network", "mesh:2x2", "--allocation", file.name], "line", "0 0")

    def test_layout(self):
        answer = self.answer("layout", "hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))")
        self.assertEqual((answer["size"], answer["extent"]), (3072, 30144))
        self.assertEqual(answer["canonical"], "at 0: 2 by 24576, 8 by 768, 192 bytes")
        self.assertEqual([engine["name"] for engine in answer["engines"]], ["interpreter", "kernels"])
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
        self.assertEqual([engine["pack_bytes_per_second"] for engine in large["engines"]], [None, None])

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

    def test_rank_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ranks")
            for form, lines in (("openmpi", 24), ("mpich", 3), ("slurm", 24)):
                self.answer("place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", form, path, "--hosts", "a,b,c")
                with open(path) as file:
                    self.assertEqual(len(file.readlines()), lines)
            self.assert_refused(["place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", "pbs", path], "pbs", "slurm")
            self.assert_refused(["place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", "slurm", path, "--hosts", "a,b"],
                                "2 host names for 3 nodes")

    def test_place_on_a_network(self):
        # A ring of 12 nodes in a bad order; distances are counted here, from where a launcher would start the ranks.
        coordinates = [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]
        with tempfile.TemporaryDirectory() as folder:
            nodes, ranks = os.path.join(folder, "nodes"), os.path.join(folder, "ranks")
            with open(nodes, "w") as file:
                file.writelines(f"host{i} {x}\n" for i, x in enumerate(coordinates))
            ring = {f"host{i}": x for i, x in enumerate(coordinates)}
            for sizes in ("12x4", "4x8,8x2"):
                words = ["place", "--grid", "48", "--nodes", sizes, "--algorithm", "blocked", "--rankfile", "slurm", ranks]
                plain = self.answer(*words)["results"][0]
                found = self.answer(*words, "--network", "torus:12", "--allocation", nodes)["results"][0]
                self.assertEqual((found["j_sum"], found["j_max"]), (plain["j_sum"], plain["j_max"]))
                with open(ranks) as lines:
                    hosts = [line.strip() for line in lines]
                ways = [abs(ring[a] - ring[b]) for a, b in zip(hosts, hosts[1:])]
                self.assertEqual(found["weighted_hops"], 2 * sum(min(way, 12 - way) for way in ways))
                self.assertLess(found["weighted_hops"], found["weighted_hops_before"])
                expected = [4] * 12 if sizes == "12x4" else [8] * 4 + [2] * 8
                self.assertEqual([hosts.count(f"host{i}") for i in range(12)], expected)
            self.assertEqual(len(run("place", "--grid", "48", "--nodes", "12x4", "--network", "torus:12").stdout.split("\n")), 3)
            # A job on some of the nodes with names; and files without names.
            some = ["place", "--grid", "4", "--nodes", "4x1", "--network", "torus:12", "--allocation", nodes]
            job = self.answer(*some, "--hosts", "host2,host4,host0,host6", "--rankfile", "slurm", ranks)["results"][0]
            self.assertEqual(job["weighted_hops"], 6)
            with open(ranks) as lines:
                self.assertIn([line.strip() for line in lines], [["host0", "host2", "host4", "host6"], ["host6", "host4", "host2", "host0"]])
            self.assert_refused(some, "12 nodes", "4", "--hosts")
            self.assert_refused([*some, "--hosts", "host2,host4,host0,host12"], "--hosts", "host12", "12 hosts")
            self.assert_refused([*some[:5], "--allocation", nodes], "--network")
            self.assert_refused([*some[:5], "--mapping", "z2_1"], "--network")
            self.assert_refused([*some[:5], "--network", "torus:4", "--mapping", "z9"], "--mapping z9", "z2_1")
            self.assert_refused([*some[:5], "--network", "torus:5"], "5 nodes", "4")
            self.assert_refused([*some[:7], "--allocation", os.path.join(folder, "none")], "none", "cannot be read")
            with open(nodes, "a") as file:
                file.write("host3 1\n")
            self.assert_refused(some, nodes, "lines 3 and 13")

    def test_plan_beside_the_default(self):
        answer = self.answer("plan", "--mesh", "1000x1100x950", "--stencil", "moore:1", "--nodes", "50x48")
        plan, default = answer["plan"], answer["default"]
        self.assertEqual(default["grid"], [16, 15, 10])
        self.assertEqual((default["placement"], default["schedule"]), ("blocked", "direct"))
        self.assertEqual(plan["grid"][0] * plan["grid"][1] * plan["grid"][2], 2400)
        self.assertLess(plan["j_sum"], default["j_sum"])
        self.assertLess(plan["j_max"], default["j_max"])
        self.assertAlmostEqual(answer["speedup"], default["seconds"] / plan["seconds"])
        self.assertGreater(answer["speedup"], 1)
        for side in (plan, default):
            self.assertAlmostEqual(sum(side["seconds_of"].values()), side["seconds"])
            self.assertEqual(side["total"]["network"]["bytes"], side["j_sum"])
        # Counted without the tool: pairs of processes of the default's grid, and the messages of its blocks.
        dims = default["grid"]
        pairs = (3 * dims[0] - 2) * (3 * dims[1] - 2) * (3 * dims[2] - 2) - 2400
        self.assertEqual(sum(default["total"][level]["messages"] for level in ("self", "node", "network")), pairs)
        self.assertEqual([row["schedule"] for row in answer["schedules"]], ["direct", "node", "mixed"])
        self.assertEqual(len(answer["packing"]), 7)
        self.assertEqual(len(answer["reasons"]), 4)
        text = run("plan", "--mesh", "1000x1100x950", "--stencil", "moore:1", "--nodes", "50x48").stdout
        for part in ("grid", "16x15x10", "default", "bytes between nodes", "predicted time", "chosen", "200 ns, 8 GB/s"):
            self.assertIn(part, text)

    def test_plan_of_one_row(self):
        # Four processes in a row on two nodes: faces of 10 points, 2 fields of 4 bytes, everything by hand.
        words = ["plan", "--mesh", "40x10", "--nodes", "2x2", "--fixed", "4x1", "--halo", "2x1", "--fields", "2", "--bytes", "4",
                 "--schedule", "direct", "--alpha-beta", "node=1us,1GB/s", "network=10us,0.5GB/s"]
        plan = self.answer(*words)["plan"]
        face = 2 * 10 * 2 * 4
        self.assertEqual(plan["total"]["node"], {"messages": 4, "bytes": 4 * face})
        self.assertEqual(plan["total"]["network"], {"messages": 2, "bytes": 2 * face})
        self.assertAlmostEqual(plan["seconds"], 1e-6 + face * 1e-9 + 10e-6 + face * 2e-9, places=12)
        ring = self.answer(*words[:-5], "--schedule", "direct", "--periodic", "1,1")["plan"]
        self.assertEqual(ring["total"]["self"]["bytes"], 4 * 2 * 10 * 2 * 4)  # both sides of dimension 1, one copy
        self.assertEqual(ring["total"]["self"]["messages"], 4)
        self.assertEqual(ring["total"]["network"], {"messages": 4, "bytes": 4 * face})

    def test_plan_files(self):
        with tempfile.TemporaryDirectory() as folder:
            svg, ranks = os.path.join(folder, "a.svg"), os.path.join(folder, "ranks")
            words = ["plan", "--mesh", "100x100", "--nodes", "8,10,6", "--hosts", "a,b,c", "--svg", svg, "--rankfile", "slurm", ranks]
            self.assertIn(f"SLURM_HOSTFILE={ranks} srun", run(*words).stdout)
            self.assertTrue(ElementTree.parse(svg).getroot().tag.endswith("svg"))
            with open(ranks) as file:
                hosts = [line.strip() for line in file]
            self.assertEqual([hosts.count(host) for host in "abc"], [8, 10, 6])
            self.assert_refused([*words[:-2], "pbs", ranks], "--rankfile pbs", "slurm")
            self.assert_refused([*words[:5], "--hosts", "a,b"], "--hosts a,b", "2 host names for 3 nodes")

    def plan_machine(self, *words, **environment):
        problem = self.answer("plan", "--mesh", "100x100", *words, **environment)["problem"]
        return problem["source"], problem["machine"], problem.get("hosts")

    def test_plan_on_the_machine_of_a_scheduler(self):
        slurm = {"SLURM_JOB_NODELIST": "n[001-003,7],login", "SLURM_TASKS_PER_NODE": "4(x3),2(x1),1"}
        hosts = ["n001", "n002", "n003", "n7", "login"]
        self.assertEqual(self.plan_machine(**slurm), ("slurm", "node:5 core:3x4,2,1", hosts))
        self.assertEqual(self.plan_machine("--ranks", "9", **slurm), ("slurm", "node:3 core:2x4,1", hosts[:3]))
        self.assertEqual(self.plan_machine("--nodes", "2x3", **slurm), ("options", "node:2 core:3", None))
        self.assertEqual(self.plan_machine(HALOCLINE_MACHINE="node:2 core:5", **slurm)[0], "environment")
        two = {"SLURM_JOB_NODELIST": "r[1-2]n[08-10]-ib", "SLURM_TASKS_PER_NODE": "2(x6)"}
        self.assertEqual(self.plan_machine(**two)[2], [f"r{r}n{n}-ib" for r in (1, 2) for n in ("08", "09", "10")])
        self.assertEqual(self.plan_machine()[0], "host")
        for nodes, tasks, *parts in (("n[1-2]", "4(x3)", "n[1-2]", "2 nodes", "4(x3)", "3"), ("n[1-2", "4(x2)", "n[1-2", "]"),
                                     ("n[3-1]", "1", "3-1", "backwards"), ("n[1-99999999]", "1", "1048576 nodes"),
                                     ("n[a]", "1", "n[a]", "number"), ("n1,,n2", "1(x2)", "n1,,n2", "empty"),
                                     ("n1,n1", "2(x2)", "n1 twice"), ("n1]", "1", "n1]"), ("n[1-2]", "4(y2)", "4(y2)"),
                                     ("n1", "0", "0 tasks"), ("n1", "", "SLURM_TASKS_PER_NODE"), ("n1", "-4", "-4")):
            self.assert_refused(["plan", "--mesh", "100x100"], *parts, SLURM_JOB_NODELIST=nodes, SLURM_TASKS_PER_NODE=tasks)

    def test_plan_on_hosts_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hosts")

            def write(text):
                with open(path, "w") as file:
                    file.write(text)
                return ["plan", "--mesh", "100x100", "--hostfile", path]

            write("b.site\nb.site\na\nb.site\na\n\n")
            self.assertEqual(self.plan_machine(PBS_NODEFILE=path), ("pbs", "node:2 core:3,2", ["b.site", "a"]))
            write("n1 slots=4 max_slots=8\n# no\n\tn2\tslots=2 # two\nn3\nn1 slots=1\n")
            self.assertEqual(self.plan_machine("--hostfile", path), ("hostfile", "node:3 core:5,2,1", ["n1", "n2", "n3"]))
            write("n1:3\nn2:5 binding=user:4\nfe80::1\n")
            self.assertEqual(self.plan_machine("--hostfile", path), ("hostfile", "node:3 core:3,5,1", ["n1", "n2", "fe80::1"]))
            for text, *parts in (("n1 slots=x", "n1 slots=x"), ("n1 slots=0", "0 slots"), ("n1:x", "n1:x"), ("n1:3x", "n1:3x"),
                                 ("n1 slot=3", '"slot"'), ("", "no hosts"), ("# n1", "no hosts"), ("slots=3", "slots=3", "name"),
                                 ("n1 slots=2 slots=3", "twice"), ("n1 n2", "n1 n2")):
                self.assert_refused(write(text), "--hostfile " + path, *parts)
            write("a b\n")
            self.assert_refused(["plan", "--mesh", "100x100"], "PBS_NODEFILE " + path, "a b", PBS_NODEFILE=path)
            missing = os.path.join(folder, "none")
            self.assert_refused(["plan", "--mesh", "100x100"], missing, "cannot be read", PBS_NODEFILE=missing)
            self.assert_refused(["plan", "--mesh", "100x100", "--hostfile", missing], missing, "cannot be read")
            self.assert_refused(["plan", "--mesh", "100x100", "--hostfile", path, "--nodes", "2x3"], "--nodes")

    def test_plan_without_a_default(self):
        answer = self.answer("plan", "--mesh", "2x1000", "--nodes", "4x4")
        self.assertIsNone(answer["default"])
        self.assertIn("4", answer["no_default"])
        self.assertIn("There is no default", run("plan", "--mesh", "2x1000", "--nodes", "4x4").stdout)

    def test_plan_refuses(self):
        words = ["plan", "--mesh", "100x100", "--nodes", "4x4"]
        self.assert_refused(["plan", "--nodes", "4x4"], "--mesh")
        self.assert_refused(["plan", "--mesh", "0x4", "--nodes", "4x4"], "--mesh 0x4")
        self.assert_refused(["plan", "--mesh", "2x2", "--nodes", "4x4"], "16", "2x2")
        self.assert_refused([*words, "--stencil", "1,0,0"], "--stencil 1,0,0")
        self.assert_refused([*words, "--halo", "1x1x1"], "--halo 1x1x1", "3 widths")
        self.assert_refused([*words, "--halo", "-1"], "--halo -1", "negative")
        self.assert_refused([*words, "--halo", "0"], "nothing to send")
        self.assert_refused([*words, "--fields", "0"], "--fields 0")
        self.assert_refused([*words, "--bytes", "0"], "--bytes 0")
        self.assert_refused([*words, "--bytes", "9000000000000000000"], "64 bits")
        self.assert_refused([*words, "--ranks", "17"], "--ranks 17", "16")
        self.assert_refused([*words, "--placement", "magic"], "--placement magic", "optimal-strips")
        self.assert_refused([*words, "--schedule", "magic"], "magic", "torus")
        huge = run("plan", "--mesh", "100000000000", "--nodes", "1000000x1000")
        self.assertEqual((huge.returncode, huge.stdout), (1, ""))
        self.assertIn("1000000000 ranks", huge.stderr)
        for price in ("rack=1us,1GB/s", "node=1us", "node=1,1GB/s", "node=1us,0GB/s", "node=-1us,1GB/s", "node=1us,1GB/sx", "node"):
            self.assert_refused([*words, "--alpha-beta", price], "--alpha-beta " + price, "network=1.5us,12GB/s")

    def test_place_refuses(self):
        self.assert_refused(["place", "--grid", "0x4"], "--grid 0x4", "extent 0")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "48,-1"], "--nodes 48,-1", "-1")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--stencil", "1,0,0"], "--stencil 1,0,0", "2 dimensions")
        self.assert_refused(["place", "--grid", "4294967296x4294967296", "--nodes", "1"], "4294967296", "64 bits")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--algorithm", "magic"], "magic", "optimal-strips")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "3x8"], "24", "16")
        self.assert_refused(["place", "--grid", "4x4"], "--nodes")
        self.assert_refused(["place", "--nodes", "2x8"], "--grid")
        self.assert_refused(["place", "--grid", "4x4", "--nodes", "2x8", "--periodic", "1,0,1"], "--periodic 1,0,1", "2 dimensions")


if __name__ == "__main__":
    unittest.main()
