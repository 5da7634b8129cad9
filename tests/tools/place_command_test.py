"""halocline place and map. Usage: place_command_test.py PROGRAM [TEST...]"""

import csv
import os
import tempfile
import unittest
from xml.etree import ElementTree

from command_line import CommandLine, run


class Place(CommandLine):
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

    def test_picture_says_what_it_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "picture.svg")
            answer = self.answer("place", "--grid", "2x6x8", "--nodes", "40,30,26", "--stencil", "moore:1", "--svg", file)
            row = answer["results"][0]
            texts = [element.text for element in ElementTree.parse(file).getroot().iter() if element.tag.endswith("text")]
        self.assertEqual(texts[0], f"{row['algorithm']}: grid 2x6x8 on node:3 core:40,30,26")
        self.assertIn(f"{row['levels'][0]['messages']} messages, {row['j_sum']} in weights (J_sum)", texts[1])
        self.assertIn(f"sends {row['j_max']} (J_max)", texts[1])
        self.assertIn("dimension 1, left to right: dimension 2", texts[2])
        for caption in ("(0, *, *)", "(1, *, *)"):
            self.assertIn(caption, texts)
        for node in "012":  # its number stands in the picture, beside those of the axes
            self.assertGreater(texts[3:].count(node), 2)

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
            wide = ["place", "--grid", "4x6", "--nodes", "8,10,6", "--rankfile", "openmpi", path, "--cores-per-rank"]
            self.answer(*wide, "4")
            with open(path) as file:
                cores = {tuple(line.split(" slot=")[0].split("=")[1:]) + (line.strip().split("slot=")[1],) for line in file}
            self.assertEqual({where for host, where in cores if host == "n1"}, {f"{4 * i}-{4 * i + 3}" for i in range(10)})
            self.assert_refused([*wide, "0"], "--cores-per-rank", "0")
            self.assert_refused([*wide, "2000000000000000000"], "2000000000000000000")
            self.assert_refused(["place", "--grid", "4x6", "--nodes", "8,10,6", "--cores-per-rank", "4"], "--rankfile")

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
            links = self.answer(*some, "--hosts", "host2,host4,host0,host6", "--mapping", "links")["results"][0]
            self.assertEqual((links["weighted_hops"], links["fullest_link"]), (6, 1))
            self.assertLess(links["fullest_link"], links["fullest_link_before"])
            self.assertNotIn("fullest_link", job)
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
