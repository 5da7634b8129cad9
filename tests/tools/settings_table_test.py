"""settings_table_test.py SOURCE_FOLDER PROGRAM: the tables of docs/settings.md are those of src/base/settings.hpp, as
`halocline man --settings` prints them; sources take the names of variables and keys from there, but for the doors of the
preload library, which depend on nothing and whose names are among them. With --update behind it, writes the tables into the
document instead."""

import json
import pathlib
import re
import subprocess
import sys
import unittest

root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
document = root / "docs" / "settings.md"
table_of_settings = root / "src" / "base" / "settings.hpp"
# Whole string literals: what getenv() and MPI_Info_get() are called with. The names of functions are none.
literal = re.compile(r'"(HALOCLINE(?:_[A-Z]+)*|halocline_[a-z]+)"')
no_settings = {"halocline_takeover"}


def printed(*options):
    return subprocess.run([program, "man", "--settings", *options], check=True, capture_output=True, text=True).stdout


def tables(text):
    """Of each heading that has one: its table."""
    return {
        heading: table for heading, table in re.findall(r"^## ([^\n]*)\n(?:(?!## |\|)[^\n]*\n)*((?:\|[^\n]*\n)+)", text, re.M)
    }


def source_files():
    for path in (root / "src").rglob("*"):
        if path.suffix in {".cpp", ".hpp", ".c", ".h", ".f90", ".inc", ".def"} and path != table_of_settings:
            yield path


def sources():
    return (path.read_text() for path in source_files())


def names_by_constant():
    """Of every setting of the header: its variable and its key."""
    found = re.findall(r'constexpr Setting (\w+)\{\s*("\w+"|nullptr),\s*("\w+"|nullptr)', table_of_settings.read_text())
    return {constant: {name.strip('"') for name in names if name != "nullptr"} for constant, *names in found}


def update():
    text = document.read_text()
    of_document = tables(text)
    for heading, table in tables(printed()).items():
        text = text.replace(of_document[heading], table)
    document.write_text(text)


class SettingsTable(unittest.TestCase):
    def setUp(self):
        self.settings = json.loads(printed("--json"))["settings"]
        self.listed = [name for row in self.settings for name in (row["variable"], row["key"]) if name]

    def test_the_document_has_the_tables_of_the_program(self):
        self.assertEqual(len(tables(printed())), 6)
        self.assertEqual(tables(document.read_text()), tables(printed()), "settings_table_test.py ... --update mends it")

    def test_names_stand_in_the_table_alone(self):
        named = {(path.relative_to(root).as_posix(), name) for path in source_files() for name in literal.findall(path.read_text())}
        named = {(path, name) for path, name in named if name not in no_settings}
        doors = "src/preload/doors/"
        self.assertIn("HALOCLINE_MESH", {name for path, name in named if path.startswith(doors)})
        self.assertEqual(sorted(pair for pair in named if not pair[0].startswith(doors)), [], "write settings::x.key or .variable")
        self.assertEqual(sorted({name for _, name in named} - set(self.listed)), [], "not in src/base/settings.hpp")

    def test_every_variable_that_is_read_is_a_setting(self):
        called = re.compile(r'getenv\(\s*(?:"(HALOCLINE\w*)"|settings::(\w+)\.variable)')
        by_constant = names_by_constant()
        read = set()
        for text in sources():
            for name, constant in called.findall(text):
                read.update([name] if name else [each for each in by_constant[constant] if each.startswith("HALOCLINE")])
        self.assertIn("HALOCLINE_LOG", read)
        self.assertIn("HALOCLINE_COMPILE", read)
        self.assertEqual(sorted(read - set(self.listed)), [])

    def test_every_setting_is_used_and_listed_once(self):
        by_constant = names_by_constant()
        used = set()
        for text in sources():
            used.update(literal.findall(text))
            used.update(re.findall(r'"(OMPI_MCA_\w+)"', text))
            for constant in re.findall(r"settings::(\w+)\b", text):
                used.update(by_constant.get(constant, []))
        self.assertEqual(sorted(set(self.listed) - used), [], "in the table, and nowhere else in src/")
        self.assertEqual(sorted(self.listed), sorted(name for names in by_constant.values() for name in names))
        self.assertEqual(len(self.listed), len(set(self.listed)), "listed twice")

    def test_options_are_members_of_their_structures(self):
        headers = "".join(path.read_text() for path in (root / "include").rglob("*.hpp"))
        options = [row["option"] for row in self.settings if row["option"]]
        self.assertGreater(len(options), 5)
        for structure, member in (option.split("::") for option in options):
            body = re.search(rf"struct {structure} {{(.*?)^}};", headers, re.M | re.S)
            self.assertTrue(body, structure)
            self.assertRegex(body[1], rf"\b{member} =", structure)

    def test_no_cell_is_empty(self):
        self.assertGreater(len(self.settings), 20)
        for row in self.settings:
            self.assertTrue(row["variable"] or row["key"], row)
            self.assertTrue(row["what"] and row["values"] and row["whose"], row)
            self.assertNotIn("|", "".join(filter(None, row.values())), row)

    def test_the_readme_leads_there(self):
        self.assertIn("(docs/settings.md)", (root / "README.md").read_text())


if sys.argv[3:] == ["--update"]:
    update()
else:
    unittest.main(argv=sys.argv[:1])
