"""The test of documents can fail: it finds what is wrong, says where, and mends what can be mended.
Usage: convention_test.py"""

import contextlib
import io
import os
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True  # Nothing is left behind beside the sources.
import console_blocks_test


class Convention(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.document = os.path.join(self.folder.name, "page.md")
        with open(os.path.join(self.folder.name, "halocline"), "w", encoding="utf-8") as program:
            program.write('#!/bin/sh\nfor line in "$@"; do echo "$line"; done\nenv | grep ^HALOCLINE_ || true\n')
        os.chmod(program.name, 0o755)

    def check(self, text, *words):
        with open(self.document, "w", encoding="utf-8") as file:
            file.write(text)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), unittest.mock.patch.dict(os.environ, HALOCLINE_MACHINE="node:2 core:2"):
            status = console_blocks_test.main([self.document, self.folder.name, *words])
        return (1, said.getvalue() + status) if isinstance(status, str) else (status, said.getvalue())

    def console(self, *lines, fence="console"):
        return "\n".join(["# Title", "", "```" + fence, *lines, "```", ""])

    def assert_right(self, text, counts):
        self.assertEqual(self.check(text), (0, f"{self.document}: {counts}\n"))

    def assert_wrong(self, text, *parts):
        status, said = self.check(text)
        self.assertEqual(status, 1, said)
        for part in parts:
            self.assertIn(part, said)

    def test_outputs_that_are_right(self):
        self.assert_right(self.console("$ halocline a b", "a", "b", "$ build/release/bin/halocline \\", "    c", "c"),
                          "2 tested, 0 wrong, 0 not run")

    def test_a_changed_digit_is_found_and_said_where(self):
        self.assert_wrong(self.console("$ halocline 12 14", "12", "13"), "page.md:4: halocline 12 14\n", "-13", "+14")

    def test_lines_too_many_or_too_few(self):
        self.assert_wrong(self.console("$ halocline a b", "a"), "+b")
        self.assert_wrong(self.console("$ halocline a", "a", "b"), "-b")
        self.assert_wrong(self.console("$ halocline", "a"), "-a")

    def test_elided_lines(self):
        for shown in (["..."], ["a", "..."], ["...", "d"], ["a", "...", "d"], ["...", "b", "c", "..."], ["a", "...", "c", "..."]):
            self.assert_right(self.console("$ halocline a b c d", *shown), "1 tested, 0 wrong, 0 not run")
        for shown in (["b", "..."], ["...", "c"], ["...", "b", "d", "..."], ["...", "c", "...", "b", "..."], ["a", "...", "a"]):
            self.assert_wrong(self.console("$ halocline a b c d", *shown), "1 tested, 1 wrong")

    def test_elided_words(self):
        self.assert_right(self.console("$ halocline 'a 0.3' 'b 0.4'", "a ...", "b 0..."), "1 tested, 0 wrong, 0 not run")
        self.assert_wrong(self.console("$ halocline 'a 0.3' 'b 0.4'", "a ...", "c ..."), "-c ...", "+b ...")
        self.assert_wrong(self.console("$ halocline 'a 0.3'", "a 0.3 ..."), "-a 0.3 ...")
        self.assert_right(self.console("$ halocline 'a 0.3 1'", "a ... 1"), "1 tested, 0 wrong, 0 not run")
        self.assert_right(self.console("$ halocline 'a 0.3000 1'", "a ...    1"), "1 tested, 0 wrong, 0 not run")
        self.assert_wrong(self.console("$ halocline 'a 0.3000 1'", "a ... 2"), "-a ... 2", "+a ...    1")
        self.assert_wrong(self.console("$ halocline 'a 0.3 11'", "a ... 1"), "+a ... 11")

    def test_a_command_that_fails(self):
        self.assert_wrong(self.console("$ halocline a; exit 3", "a"), "it ended with status 3")
        self.assert_wrong(self.console("false", "true", fence="sh"), "it ended with status 1")
        self.assert_right(self.console("halocline a >b", "grep a b", fence="sh"), "1 tested, 0 wrong, 0 not run")

    def test_commands_of_a_block_share_a_folder_and_blocks_do_not(self):
        made = self.console("$ halocline a >file", "$ cat file", "a")
        self.assert_right(made, "2 tested, 0 wrong, 0 not run")
        self.assert_wrong(made + self.console("$ cat file", "a"), "page.md:11: cat file", "it ended with status 1")

    def test_untested_blocks_are_counted_and_have_commands(self):
        self.assert_right(self.console("$ halocline a", "b", fence="console untested"), "0 tested, 0 wrong, 1 not run")
        self.assert_wrong(self.console("b", fence="console untested"), "page.md:4", "begins with '$ '")
        slow = self.console("$ halocline a", "b", fence="console slow")
        self.assert_right(slow, "0 tested, 0 wrong, 1 not run")
        self.assertEqual(self.check(slow, "--slow")[0], 1)

    def test_every_fence_says_what_it_is(self):
        self.assert_wrong(self.console("$ halocline a", "a", fence=""), "page.md:3", "does not say what its block is")
        self.assert_wrong(self.console("$ halocline a", "b", fence="console untestd"), "page.md:3", "untestd")
        self.assert_wrong(self.console("$ halocline a", "b", fence="text"), "page.md:3", "has to say console")
        self.assert_wrong(self.console(fence="console"), "page.md:3", "shows no command")
        self.assert_wrong("```text\na\n", "page.md:1", "has no end")
        self.assert_wrong("  ```console\n  $ halocline a\n  b\n  ```\n", "page.md:1", "indented")

    def test_a_file_is_shown_as_it_is(self):
        path = os.path.relpath(__file__, os.path.join(os.path.dirname(__file__), "..", ".."))
        with open(__file__, encoding="utf-8") as file:
            content = file.read().split("\n")[:-1]
        self.assert_wrong(self.console(*content[:-1], fence=f"text {path}"), f"the file {path}", "+    unittest.main()")
        self.assert_wrong(self.console("a", fence="text no/such/file"), "no/such/file: No such file")

    def test_update(self):
        status, _ = self.check(self.console("$ halocline 'a 1' b c 'd 4'", "a 2", "...", "d 5", "$ halocline x", "x", "y"), "--update")
        self.assertEqual(status, 0)
        with open(self.document, encoding="utf-8") as file:
            self.assertEqual(file.read(),
                             self.console("$ halocline 'a 1' b c 'd 4'", "a 1", "...", "d 4", "$ halocline x", "x"))
        self.check(self.console("$ halocline name 'a 1 0.3' 'b 2 0.4' 'c 3 0.5'", "name", "a 1 ...", "c 1 ..."), "--update")
        with open(self.document, encoding="utf-8") as file:
            self.assertIn("name\na 1 ...\nb 2 ...\nc 3 ...\n```", file.read())
        status, said = self.check(self.console("$ halocline a; exit 3", "a"), "--update")
        self.assertEqual(status, 1, said)


if __name__ == "__main__":
    unittest.main()
