#!/usr/bin/env python3
"""reference_test.py REPOSITORY: everything that is public has a description, in the headers and in the reference.

Where doxygen is installed it makes the reference, too, and must not complain.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
HEADERS = sorted((ROOT / "include/halocline").glob("*.h")) + [ROOT / "cmake/version.h.in"]
MODULES = [ROOT / "src/api/fortran" / name for name in ("halocline.f90", "halocline_boxes.f90")]
PUBLIC = re.compile(r"HALOCLINE_API .*?\b((?:HCL|MPIX|Iso)_\w+)|typedef .*?\b((?:HCL|Iso)_\w+);|#define ((?:HCL|MPIX|ISO)_\w+)")


def undescribed(text):
    """The public names of a header before which there is no comment."""
    lines = text.split("\n")
    found = [(at, PUBLIC.match(line)) for at, line in enumerate(lines)]
    return [next(filter(None, name.groups())) for at, name in found if name and not lines[at - 1].endswith("*/")]


def run_doxygen(folder, *settings):
    """What doxygen says."""
    lines = ["@INCLUDE = docs/Doxyfile", f"OUTPUT_DIRECTORY = {folder}", "WARN_AS_ERROR = NO", *settings]
    done = subprocess.run(["doxygen", "-"], input="\n".join(lines), cwd=ROOT, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


class Reference(unittest.TestCase):
    """Of C and of Fortran."""

    def test_every_c_function_has_a_description(self):
        """By a comment of its own; one for several is none for most of them."""
        for header in HEADERS:
            with self.subTest(header=header.name):
                self.assertEqual(undescribed(header.read_text(encoding="utf-8")), [])

    def test_missing_descriptions_are_found(self):
        """This test can fail."""
        text = "/* One. */\nHALOCLINE_API int HCL_One(void);\nHALOCLINE_API int HCL_Two(void);\n#define HCL_THREE 3\n"
        self.assertEqual(undescribed(text), ["HCL_Two", "HCL_THREE"])

    def test_every_public_name_of_the_module_is_in_its_reference(self):
        """But for constants, which the handles are described with."""
        for module in MODULES:
            page = subprocess.run([ROOT / "scripts/fortran_reference.py", module], capture_output=True, text=True, check=True).stdout
            headings = set(re.findall(r"^## (\w+)$", page, re.M))
            listed = re.findall(r"^  public :: (.*)$", module.read_text(encoding="utf-8"), re.M)
            names = {name.strip() for line in listed for name in line.split(",")}
            with self.subTest(module=module.name):
                self.assertGreater(len(names), 15)
                self.assertEqual({name for name in names if not name.endswith("_NULL")}, headings)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_doxygen_finds_nothing_undocumented_in_the_c_headers(self):
        """Every function, type, member and macro."""
        with tempfile.TemporaryDirectory() as folder:
            said = run_doxygen(folder, "INPUT = " + " ".join(map(str, HEADERS)), "RECURSIVE = NO", "EXTRACT_ALL = NO",
                               "WARN_IF_UNDOCUMENTED = YES")
            self.assertEqual(said, "")
            shown = (pathlib.Path(folder) / "html/halo_8h.html").read_text(encoding="utf-8")
            self.assertIn("Tells a Cartesian communicator its mesh", shown)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_the_whole_reference_is_made_without_a_warning(self):
        """As `make docs` makes it."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run_doxygen(folder), "")
            pages = list((pathlib.Path(folder) / "html").glob("*api_fortran_halocline.html"))
            self.assertEqual(len(pages), 1)
            self.assertIn("HCL_Cart_mesh_create", pages[0].read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
