"""halocline trace --show of files made by hand; what it records is in tests/trace. Usage: trace_command_test.py PROGRAM [TEST...]"""

import os
import tempfile
import unittest

from command_line import CommandLine, run

PARTS = (
    "halocline trace 1\nranks 3\nprocess 0 2.5 a\nflow message 0 1 10 800\nflow message 0 2 1 4000\n"
    "collective bcast 0 2 64\ntime wait 0 12 0.25\nend\n",
    "halocline trace 1\nranks 3\nprocess 1 2 a\nflow neighbor 1 0 2 100\nflow message 1 outside 1 8\n"
    "collective bcast 1 2 0\ntime wait 1 4 0.5\nend\n",
    "halocline trace 1\nranks 3\nprocess 2 2 b\nend\n",
)


class Trace(CommandLine):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.parts = [self.file(f"part.{rank}", text) for rank, text in enumerate(PARTS)]

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_parts_are_added_up(self):
        answer = self.answer("trace", "--show", *self.parts)
        self.assertEqual((answer["ranks"], answer["parts"], answer["nodes"], answer["seconds"]), (3, 3, 2, 2.5))
        volumes = {row["what"]: (row["messages"], row["bytes"]) for row in answer["ways"] + answer["places"]}
        self.assertEqual(volumes, {"message": (12, 4808), "neighbor": (2, 100), "one-sided": (0, 0), "itself": (0, 0),
                                   "node": (12, 900), "network": (1, 4000), "outside": (1, 8)})
        self.assertEqual(answer["collectives"], [{"what": "bcast", "calls": 4, "bytes": 64}])
        self.assertEqual(answer["times"], [{"what": "wait", "calls": 16, "seconds": 0.75, "longest_seconds": 0.5}])
        self.assertEqual(answer["pairs"][0], {"source": 0, "target": 2, "messages": 1, "bytes": 4000, "between_nodes": True})

    def test_the_sum_is_a_file_again(self):
        whole = os.path.join(self.folder, "whole")
        self.assertEqual(run("trace", "--show", "--output", whole, *self.parts).returncode, 0)
        self.assertEqual(self.answer("trace", "--show", whole), self.answer("trace", "--show", *self.parts))

    def test_pairs_that_are_shown(self):
        self.assertEqual(len(self.answer("trace", "--show", "--pairs", "2", *self.parts)["pairs"]), 2)
        self.assert_refused(["trace", "--show", "--pairs", "0", *self.parts], "--pairs", "0")

    def test_missing_parts_are_told(self):
        self.assertIn("only 2 of them left parts", run("trace", "--show", *self.parts[:2]).stdout)
        self.assertIn("not known", run("trace", "--show", *self.parts[:2]).stdout)

    def test_what_is_no_trace_is_refused(self):
        damaged = self.file("damaged", PARTS[0].replace("10 800", "10 many"))
        cut = self.file("cut", PARTS[0][:-4])
        self.assert_refused(["trace", "--show", damaged], damaged, "line 4", "many")
        self.assert_refused(["trace", "--show", cut], cut, "something is missing")
        self.assert_refused(["trace", "--show", self.parts[0], self.parts[0]], "process 0", "twice")
        self.assert_refused(["trace", "--show", os.path.join(self.folder, "none")], "none", "no such file")
        self.assert_refused(["trace", "--show"], "--show")
        self.assert_refused(["trace"], "a command is missing")
        self.assert_refused(["trace", "--keep-parts", "0.001", "--", "true"], "--keep-parts 0.001")
        self.assert_refused(["trace", "--at-signal", "KILL", "--", "true"], '"KILL"', "USR1, USR2")
        self.assert_refused(["trace", "--keep-parts", "1", "--show", self.parts[0]], "--keep-parts", "--show")

    def test_other_commands_run_as_they_do(self):
        done = run("trace", "--", "sh", "-c", "echo $HALOCLINE_TRACE; exit 3")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertTrue(done.stdout.endswith("/halocline.trace\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
