"""The manual pages and the completion of bash know what the program knows.
Usage: manual_test.py PROGRAM [TEST...]"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def run(*words):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "HALOCLINE"))}
    return subprocess.run([PROGRAM, *words], env=clean, capture_output=True, text=True, timeout=30)


def commands_below(*path):
    """The subcommands that the help text lists."""
    page = run(*path, "--help").stdout
    if "Subcommands:" not in page:
        return []
    listed = page.split("Subcommands:")[1]
    return [line.split()[0] for line in listed.splitlines() if re.match(r"  \S", line) and not re.match(r"  (halocline|mpirun)", line)]


def options_of(*path):
    """The long options that the help text lists: each begins a line."""
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(*path, "--help").stdout, re.MULTILINE))


def with_those_below(path):
    yield path
    for below in commands_below(*path):
        yield from with_those_below((*path, below))


def all_commands():
    for command in commands_below():
        if command in ("Each",):
            continue
        yield from with_those_below((command,))


class Manual(unittest.TestCase):
    def test_every_option_of_every_command_has_an_entry(self):
        checked = 0
        for path in all_commands():
            page = run("man", path[0]).stdout.replace("\\-", "-")
            self.assertTrue(page.startswith(f".TH HALOCLINE-{path[0].upper()} 1"), page[:80])
            for option in options_of(*path):
                self.assertIn(f"\\fB{option}\\fR", page, path)
                checked += 1
        self.assertGreater(checked, 60)

    def test_the_page_of_the_program_lists_the_commands(self):
        page = run("man").stdout.replace("\\-", "-")
        for command in commands_below():
            self.assertIn(f"\\fB{command}\\fR\n", page)
        self.assertIn("doctor", commands_below())

    @unittest.skipUnless(shutil.which("groff"), "groff is not there")
    def test_groff_has_no_complaints(self):
        for command in ("", *commands_below()):
            page = run("man", *([command] if command else [])).stdout
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True, timeout=30)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)

    def test_all_pages_into_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("man", "--to", os.path.join(folder, "new"), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = {"halocline.1"} | {f"halocline-{c}.1" for c in commands_below()}
            self.assertEqual(set(os.listdir(os.path.join(folder, "new"))), expected)
            self.assertEqual(len(json.loads(done.stdout)["pages"]), len(expected))
            open(os.path.join(folder, "file"), "w").close()
            done = run("man", "--to", os.path.join(folder, "file"))
            self.assertEqual(done.returncode, 1)
            self.assertIn(folder, done.stderr)

    def test_refusals(self):
        for words, part in ((["man", "frobnicate"], "frobnicate"), (["completion", "tcsh"], "tcsh"), (["completion"], "shell")):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(part, done.stderr)


@unittest.skipUnless(shutil.which("bash"), "bash is not there")
class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash would offer for the last of the words."""
        script = ('source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _halocline; '
                  '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-u", "-c", script, "bash", *words], input=run("completion", "bash").stdout,
                              capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(done.stdout.split())

    def test_bash_can_read_it(self):
        script = run("completion", "bash").stdout
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        registered = subprocess.run(["bash", "-c", "source /dev/stdin; complete -p halocline"], input=script,
                                    capture_output=True, text=True, timeout=30)
        self.assertIn("-F _halocline halocline", registered.stdout)

    def test_commands_and_options(self):
        self.assertEqual(self.complete("halocline", "ma"), {"machine", "man", "map"})
        self.assertLessEqual(set(commands_below()), self.complete("halocline", ""))
        self.assertEqual(self.complete("halocline", "bench", "ex"), {"exchange"})
        for path in all_commands():
            self.assertLessEqual(options_of(*path), self.complete("halocline", *path, "--"), path)

    def test_options_of_one_command_are_not_offered_for_another(self):
        self.assertEqual(self.complete("halocline", "shape", "--sv"), set())
        self.assertEqual(self.complete("halocline", "place", "--sv"), {"--svg"})
        self.assertIn("--json", self.complete("halocline", "bench", "halo", "--"))

    def test_files_behind_options_with_a_value(self):
        self.assertEqual(self.complete("halocline", "place", "--svg", ""), set())
        self.assertNotEqual(self.complete("halocline", "place", "--json", ""), set())


@unittest.skipUnless(shutil.which("zsh"), "zsh is not there")
class ZshCompletion(unittest.TestCase):
    def complete(self, *words):
        """What the function hands to zsh for the last of the words: names, or FILES."""
        script = ('source =(cat); _describe() { print -rl -- "${(@P)@[-1]}" }; _files() { print FILES }; '
                  'words=("$@"); CURRENT=$#; _halocline')
        done = subprocess.run(["zsh", "-f", "-c", script, "zsh", *words], input=run("completion", "zsh").stdout,
                              capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return {line.split(":")[0] for line in done.stdout.splitlines()}

    def test_commands_and_options(self):
        self.assertEqual(self.complete("halocline", ""), set(commands_below()))
        self.assertIn("exchange", self.complete("halocline", "bench", ""))
        for path in all_commands():
            self.assertLessEqual(options_of(*path), self.complete("halocline", *path, "--"), path)

    def test_files(self):
        self.assertEqual(self.complete("halocline", "place", "--svg", ""), {"FILES"})
        self.assertEqual(self.complete("halocline", "place", "x"), {"FILES"})


@unittest.skipUnless(shutil.which("fish"), "fish is not there")
class FishCompletion(unittest.TestCase):
    def complete(self, line):
        """What fish offers for a line."""
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(["fish", "-N", "-c", 'source; complete -C "$argv[1]"', line], input=run("completion", "fish").stdout,
                                  capture_output=True, text=True, timeout=60, cwd=home, env={**os.environ, "HOME": home})
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return {offer.split("\t")[0] for offer in done.stdout.splitlines()}

    def test_commands_and_options(self):
        self.assertLessEqual(set(commands_below()), self.complete("halocline "))
        self.assertLessEqual({"exchange", "halo"}, self.complete("halocline bench "))
        for path in all_commands():
            offered = self.complete("halocline " + " ".join([*path, "--"]))
            self.assertLessEqual({name for name in options_of(*path) if name.startswith("--")}, offered, path)

    def test_options_of_one_command_are_not_offered_for_another(self):
        self.assertEqual(self.complete("halocline shape --sv"), set())
        self.assertEqual(self.complete("halocline place --sv"), {"--svg"})


if __name__ == "__main__":
    unittest.main()
