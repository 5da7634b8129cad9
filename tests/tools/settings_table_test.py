"""settings_table_test.py SOURCE_FOLDER: every environment variable and every info key that the sources name stands in
the tables of docs/settings.md, with all columns filled, and nothing else does."""

import pathlib
import re
import sys
import unittest

root = pathlib.Path(sys.argv[1])
# Whole string literals: what getenv() and MPI_Info_get() are called with. The names of functions are none.
literal = re.compile(r'"(HALOCLINE(?:_[A-Z]+)*|halocline_[a-z]+)"')
no_settings = {"halocline_takeover"}


def names_in_sources():
    found = set()
    for path in (root / "src").rglob("*"):
        if path.suffix in {".cpp", ".hpp", ".c", ".h", ".f90", ".inc", ".def"}:
            found.update(literal.findall(path.read_text()))
    return found - no_settings


def rows():
    """Of all tables: their cells."""
    lines = (root / "docs" / "settings.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cells if re.match("`?(HALOCLINE|halocline_)", row[0])]


class SettingsTable(unittest.TestCase):
    def test_every_setting_of_the_sources_stands_in_the_table(self):
        in_sources = names_in_sources()
        self.assertIn("HALOCLINE_VERIFY", in_sources)
        self.assertIn("halocline_place", in_sources)
        listed = [name for row in rows() for name in re.findall(r"\b(?:HALOCLINE(?:_[A-Z]+)*|halocline_[a-z]+)\b", row[0])]
        self.assertEqual(sorted(in_sources - set(listed)), [], "not in docs/settings.md")
        self.assertEqual(sorted(set(listed) - in_sources), [], "in docs/settings.md, and nowhere in src/")
        self.assertEqual(len(listed), len(set(listed)), "listed twice")

    def test_no_cell_is_empty(self):
        self.assertGreater(len(rows()), 20)
        for row in rows():
            self.assertEqual(len(row), 4, row)
            self.assertTrue(all(row), row)

    def test_the_readme_leads_there(self):
        self.assertIn("(docs/settings.md)", (root / "README.md").read_text())


unittest.main(argv=sys.argv[:1])
