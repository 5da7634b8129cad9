"""halocline plan. Usage: plan_command_test.py PROGRAM [TEST...]"""

import itertools
import json
import os
import socket
import random
import re
import resource
import tempfile
import unittest
from xml.etree import ElementTree

from command_line import CommandLine, run


def bytes_sent(mesh, grid, periodic, halo, stencil, host_of_cell):
    """All bytes that processes send, themselves included, and those to other hosts; cells are numbered row by row."""
    everything = leaving = 0
    cells = list(itertools.product(*map(range, grid)))
    number = {cell: index for index, cell in enumerate(cells)}
    for cell, (step, weight) in itertools.product(cells, stencil.items()):
        there = [x + s for x, s in zip(cell, step)]
        if any(not wraps and not 0 <= x < extent for x, extent, wraps in zip(there, grid, periodic)):
            continue
        there = tuple(x % extent for x, extent in zip(there, grid))
        size = 8 * weight
        for d, s in enumerate(step):
            owned = mesh[d] // grid[d] + (cell[d] < mesh[d] % grid[d])
            size *= min(halo[d], owned) if s else owned
        everything += size
        if host_of_cell[number[cell]] != host_of_cell[number[there]]:
            leaving += size
    return everything, leaving


class Plan(CommandLine):
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

    def test_the_verdict_counts_bytes(self):
        """Its percentages, and those that stay, beside a walk over all processes, for random problems."""
        for seed in range(25):
            chance = random.Random(seed)
            dimensions = chance.randint(1, 3)
            mesh = [chance.randint(70, 99) for _ in range(dimensions)]
            periodic = [chance.randint(0, 1) for _ in range(dimensions)]
            nodes = [chance.randint(1, 6) for _ in range(chance.randint(1, 5))]
            halo = [chance.randint(1, 2) for _ in range(dimensions)]
            steps = [step for step in itertools.product(range(-2, 3), repeat=dimensions) if any(step)]
            stencil = {step: chance.randint(1, 3) for step in chance.sample(steps, min(len(steps), chance.randint(1, 8)))}
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                ranks = os.path.join(folder, "ranks")
                words = ["plan", "--mesh", "x".join(map(str, mesh)), "--periodic", ",".join(map(str, periodic)),
                         "--nodes", ",".join(map(str, nodes)), "--halo", "x".join(map(str, halo)), "--stencil",
                         ";".join(",".join(map(str, step)) + f"*{weight}" for step, weight in stencil.items()),
                         "--schedule", chance.choice(["direct", "node", "mixed"]), "--rankfile", "slurm", ranks]
                answer = self.answer(*words)
                with open(ranks) as file:
                    hosts = [line.strip() for line in file]
                in_order = [f"n{node}" for node, size in enumerate(nodes) for _ in range(size)]
                counted = {key: bytes_sent(mesh, answer[key]["grid"], periodic, halo, stencil, placed)
                           for key, placed in (("plan", hosts), ("default", in_order))}
                for key, (everything, leaving) in counted.items():
                    self.assertEqual(answer[key]["j_sum"], leaving)
                    self.assertAlmostEqual(answer[key]["leaving_share"], leaving / everything if everything else 0)
                self.check_verdict(run(*words).stdout, *counted["plan"], *counted["default"])

    def check_verdict(self, text, ours_in_all, ours, theirs_in_all, theirs):
        def percent(part, whole):
            return f"{100 * part / whole:.3g}" if part < 10 * whole else f"{100 * part / whole:.0f}"

        stays = re.search(r"(\S+) % of all bytes stay on their node", text)
        if ours_in_all:
            self.assertAlmostEqual(float(stays[1]), 100 - 100 * ours / ours_in_all, delta=0.06)
        if not ours and not theirs:
            self.assertIn("Nothing leaves a node.", text)
        elif not theirs:
            self.assertIn(f"It sends {ours} bytes between nodes, {percent(ours, ours_in_all)} % of its bytes; the default sends none.", text)
        else:
            self.assertIn(f"It sends {percent(ours, theirs)} % of the bytes that the default sends between nodes: "
                          f"{percent(ours, ours_in_all or 1)} % of its bytes leave their node, "
                          f"{percent(theirs, theirs_in_all)} % of the default's.", text)

    def test_plan_of_one_row(self):
        # Four processes in a row on two nodes: faces of 10 points, 2 fields of 4 bytes, everything by hand.
        words = ["plan", "--mesh", "40x10", "--nodes", "2x2", "--fixed", "4x1", "--halo", "2x1", "--fields", "2", "--bytes", "4",
                 "--schedule", "direct", "--alpha-beta", "node=1us,1GB/s", "network=10us,0.5GB/s,30us"]
        plan = self.answer(*words)["plan"]
        face = 2 * 10 * 2 * 4
        self.assertEqual(plan["total"]["node"], {"messages": 4, "bytes": 4 * face})
        self.assertEqual(plan["total"]["network"], {"messages": 2, "bytes": 2 * face})
        self.assertAlmostEqual(plan["seconds"], 1e-6 + face * 1e-9 + 10e-6 + face * 2e-9 + 30e-6, places=12)
        ring = self.answer(*words[:-5], "--schedule", "direct", "--periodic", "1,1")["plan"]
        self.assertEqual(ring["total"]["self"]["bytes"], 4 * 2 * 10 * 2 * 4)  # both sides of dimension 1, one copy
        self.assertEqual(ring["total"]["self"]["messages"], 4)
        self.assertEqual(ring["total"]["network"], {"messages": 4, "bytes": 4 * face})

    def test_a_plan_from_a_file_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            for words in (["--mesh", "100x90x80", "--stencil", "moore:1", "--nodes", "5x8"],
                          ["--mesh", "64x64", "--periodic", "all", "--nodes", "4,3,4,5", "--halo", "2", "--fields", "3", "--network",
                           "torus:4", "--mapping", "links", "--alpha-beta", "network=10us,1GB/s,30us"],
                          ["--mesh", "64x64x64", "--nodes", "8x4", "--schedule", "node", "--placement", "blocked", "--fixed", "0x4x0"]):
                made = run("plan", *words, "--json").stdout
                with open(path, "w") as file:
                    file.write(made)
                self.assertEqual(run("plan", "--from", path, "--json").stdout, made)
                self.assertEqual(run("plan", "--from", path).stdout, run("plan", *words).stdout)
            svg = os.path.join(folder, "a.svg")
            self.assertEqual(run("plan", "--from", path, "--svg", svg).returncode, 0)
            self.assertTrue(ElementTree.parse(svg).getroot().tag.endswith("svg"))
            self.assert_refused(["plan", "--from", path, "--mesh", "3x3"], "--from", "--mesh")
            self.assert_refused(["plan", "--from", folder], "--from", folder)
            self.assert_refused(["plan", "--from", os.path.join(folder, "none")], "there is no such file")
            for text, *parts in (("", "line 1"), (made[:200], "line"), ("{}", "no plan"),
                                 (made.replace('"version": 1', '"version": 7'), "version 7"),
                                 (made.replace('"64x64x64"', '"64x64"', 1), "plan.json")):
                with open(path, "w") as file:
                    file.write(text)
                self.assert_refused(["plan", "--from", path], path, *parts)
        self.assert_refused(["plan"], "--mesh", "--from")

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

    def test_ranks_of_a_job_of_slurm_get_their_cores(self):
        job = {"SLURM_JOB_NODELIST": "n[1-2]", "SLURM_TASKS_PER_NODE": "4(x2)", "SLURM_CPUS_PER_TASK": "12"}
        with tempfile.TemporaryDirectory() as folder:
            ranks, plan = os.path.join(folder, "ranks"), os.path.join(folder, "plan.json")
            words = ["plan", "--mesh", "100x100", "--rankfile"]

            def cores_of_rank_0(*more, **environment):
                run(*words, "openmpi", ranks, *more, **environment)
                with open(ranks) as file:
                    return file.readline().strip().split(" slot=")[1]

            self.assertEqual(cores_of_rank_0(**job), "0-11")
            self.assertEqual(cores_of_rank_0("--cores-per-rank", "6", **job), "0-5")
            self.assertEqual(cores_of_rank_0("--nodes", "2x4", **job), "0")  # not this job's
            random = ["--placement", "random"]  # Slurm has a word for the best one here
            self.assertIn(f"SLURM_HOSTFILE={ranks} srun --distribution=arbitrary --cpus-per-task=12\n",
                          run(*words, "slurm", ranks, *random, **job).stdout)
            self.assertTrue(run(*words, "slurm", ranks, **job).stdout.endswith(
                " srun --nodes=2 --ntasks-per-node=4 --distribution=block --cpus-per-task=12\n"))
            with open(plan, "w") as file:
                json.dump(self.answer("plan", "--mesh", "100x100", *random, **job), file)
            self.assertTrue(run("plan", "--from", plan, "--rankfile", "slurm", ranks, **job).stdout.endswith("arbitrary\n"))
            for nonsense in ("0", "x", "4(x2)", "99999999999999999999"):
                self.assert_refused([*words, "slurm", ranks], nonsense, "SLURM_CPUS_PER_TASK", "--cores-per-rank",
                                    **{**job, "SLURM_CPUS_PER_TASK": nonsense})

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

    def test_plan_takes_bounded_time_and_memory(self):
        """Processor time, others may be busy; it was 17 s and 18 s, and 300 MB for the first."""
        def seconds(*words):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = run("plan", *words, memory=200 * 10**6)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        self.assertLess(seconds("--mesh", "4000x4000x4000", "--nodes", "100000x100", "--stencil", "moore:1"), 5)
        self.assertLess(seconds("--mesh", "4900x9x1197x4", "--nodes", "1029x180", "--periodic", "all", "--stencil=-1,-3,-1,2"), 6)

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
        for machine, level, known in (("switch:2 node:4 numa:2 core:4", "socket", "node, network, switch and numa"),
                                      ("switch:2 node:4 numa:2 core:4", "core", "node, network, switch and numa"),
                                      ("node:4 core:4", "numa", "node and network")):
            price = level + "=1us,1GB/s"
            self.assert_refused(["plan", "--mesh", "100x100", "--alpha-beta", price], "--alpha-beta " + price,
                                f'no level "{level}"', f"has prices of {known};", HALOCLINE_MACHINE=machine)
        for price in ("rack=1us,1GB/s", "node=1us", "node=1,1GB/s", "node=1us,0GB/s", "node=-1us,1GB/s", "node=1us,1GB/sx", "node"):
            self.assert_refused([*words, "--alpha-beta", price], "--alpha-beta " + price, "network=1.5us,12GB/s")

    def test_plan_for_nodes_with_several_gpus(self):
        words = ["plan", "--mesh", "256x256x256", "--stencil", "moore:1", "--schedule", "direct", "--levels", "node:2 gpu:4 core:2"]
        dear = self.answer(*words, "--alpha-beta", "node=20us,8GB/s", "gpu=20us,8GB/s")
        cheap = self.answer(*words, "--alpha-beta", "node=20us,8GB/s", "gpu=1us,8GB/s")
        self.assertEqual(cheap["problem"]["machine"], "node:2 gpu:4 core:2")
        self.assertEqual(list(cheap["problem"]["prices"]), ["node", "network", "gpu"])
        self.assertLess(cheap["plan"]["seconds"], dear["plan"]["seconds"])
        self.assertEqual([level["name"] for level in self.answer(
            "place", "--grid", "4x2x2", "--levels", "node:2 gpu:4 core:2")["results"][0]["levels"]], ["node", "gpu", "core"])
        self.assert_refused(["plan", "--mesh", "64x64", "--levels", "node:2 gpu:x"], "--levels", "gpu:x")

    def test_plan_with_prices_of_levels(self):
        words = ["plan", "--mesh", "100x100", "--schedule", "direct"]
        machine = {"HALOCLINE_MACHINE": "island:1 switch:2 node:4 numa:2 core:4"}

        def prices(*given):
            return self.answer(*words, "--alpha-beta", *given, **machine)["problem"]["prices"]

        usual = self.answer(*words, **machine)
        self.assertEqual(list(usual["problem"]["prices"]), ["node", "network"])
        found = prices("node=1us,5GB/s,7us", "numa=0.5us,10GB/s", "island=2us,4GB/s,9us", "switch=1us,4GB/s")
        self.assertEqual(list(found), ["node", "network", "numa", "island", "switch"])
        self.assertEqual(found["numa"], {"message_seconds": 5e-7, "byte_seconds": 1e-10, "latency_seconds": 7e-6})
        self.assertEqual(found["switch"], {"message_seconds": 1e-6, "byte_seconds": 2.5e-10, "latency_seconds": 9e-6})
        self.assertEqual(prices("numa=1ns,1GB/s,2ns", "numa=3ns,1GB/s")["numa"]["latency_seconds"], 2e-9)
        text = run(*words, "--alpha-beta", "numa=100ns,10GB/s", **machine).stdout
        self.assertIn("; out of a node 1.5 us, 12 GB/s, 1.5 us; inside one numa 100 ns, 10 GB/s, 300 ns\n", text)

        def seconds(*given):
            return self.answer(*words, "--alpha-beta", *given, **machine)["plan"]["seconds_of"]

        # All nodes are of one island, so its price is that of the network.
        self.assertEqual(seconds("island=9us,1GB/s,3us"), seconds("network=9us,1GB/s,3us"))
        self.assertLess(seconds("numa=1ns,8GB/s")["node_messages"], seconds("node=200ns,8GB/s")["node_messages"])

    def test_plan_on_a_network(self):
        words = ["plan", "--mesh", "512x512x512", "--stencil", "moore:1", "--nodes", "64x8", "--network", "torus:4x4x4"]
        for mapping in ("z2_1", "links"):
            plan = self.answer(*words, "--mapping", mapping)["plan"]
            self.assertEqual(plan["network"]["mapping"], mapping)
            self.assertLess(plan["network"]["weighted_hops"], plan["network"]["weighted_hops_before"])
            self.assertEqual(plan["network"]["fullest_link"] > 0, mapping == "links")
        self.assert_refused([*words, "--mapping", "far"], "--mapping far", "z2_1", "links")
        self.assert_refused([*words[:-3], "60x8", *words[-2:]], "64 nodes", "60")

    def test_plan_at_measured_prices(self):
        words = ["plan", "--mesh", "100x100", "--nodes", "4x4", "--alpha-beta"]
        with tempfile.TemporaryDirectory() as folder:
            unset = {"HALOCLINE_PRICES": "", "XDG_CONFIG_HOME": folder}
            self.assert_refused([*words, "measured"], folder, "no such file", "bench levels", **unset)
            self.assert_refused([*words, "measured"], "none", HALOCLINE_PRICES="none")
            self.assert_refused([*words, os.path.join(folder, "no")], folder, "network=1.5us,12GB/s")
            file = os.path.join(folder, "halocline", "prices")
            os.mkdir(os.path.dirname(file))

            def write(*lines):
                with open(file, "w", encoding="utf-8") as out:
                    out.write("".join(line + "\n" for line in ("halocline prices 1", *lines)))

            def line(level, alpha, processes, host="*"):
                return (f"{level} alpha={alpha} beta=1e-9 latency=5e-6 host={host} mpi=lam network=* "
                        f"processes={processes} largest=1")

            def prices(*more, **environment):
                found = self.answer(*more, **environment)["problem"]["prices"]
                return found["node"]["message_seconds"], found["network"]["message_seconds"]

            write(line("numa", 1e-7, 4), line("node", 3e-7, 4), line("network", 2e-5, 1), line("network", 4e-5, 4))
            self.assertEqual(self.answer(*words, file)["problem"]["prices"]["network"],
                             {"message_seconds": 4e-5, "byte_seconds": 1e-9, "latency_seconds": 5e-6})
            self.assertEqual(prices(*words, file), (3e-7, 4e-5))
            self.assertEqual(prices(*words, "measured", **unset), (3e-7, 4e-5))
            self.assertEqual(prices(*words, "measured", HALOCLINE_PRICES=file, XDG_CONFIG_HOME="/"), (3e-7, 4e-5))
            on_numa = self.answer("plan", "--mesh", "100x100", "--alpha-beta", file, HALOCLINE_MACHINE="node:4 numa:2 core:2")
            self.assertEqual(on_numa["problem"]["prices"]["numa"]["message_seconds"], 1e-7)
            self.assertNotIn("numa", self.answer(*words, file)["problem"]["prices"])
            few = ["plan", "--mesh", "100x100", "--nodes", "4x1", "--alpha-beta"]
            self.assertEqual(prices(*few, "measured", **unset), (3e-7, 2e-5))
            self.assertEqual(prices(*few, file, "network=7us,1GB/s"), (3e-7, 7e-6))

            write(line("network", 2e-5, 1, host="of-another-name*"))
            self.assert_refused([*words, "measured"], file, "no prices of host " + socket.gethostname(), **unset)
            self.assertEqual(prices(*words, file), (2e-7, 2e-5))
            write("network")
            self.assert_refused([*words, file], file, "line 2: alpha is missing")
            write(line("numa", 1e-7, 4))
            self.assert_refused([*words, file], file, "no prices of a node")
            self.assert_refused([*words, folder], folder, "not a plain file")

    def plan_machine(self, *words, **environment):
        problem = self.answer("plan", "--mesh", "100x100", *words, **environment)["problem"]
        return problem["source"], problem["machine"], problem.get("hosts")


if __name__ == "__main__":
    unittest.main()
