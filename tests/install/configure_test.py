#!/usr/bin/env python3
"""configure_test.py FOLDER: what CMake does with this tree, without compiling anything, in a build below FOLDER.

- What is missing is named in one line, with the packages of the distribution.
- What is left out, and why, is said at the end.
- A project that takes this one in by add_subdirectory builds the library and nothing else.
"""
import pathlib
import shutil
import subprocess
import sys

tree = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(sys.argv[1])
failures = []


def configure(source, build, *options):
    """Status and output of cmake, with Ninja."""
    run = subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", build, *options], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    return run.returncode, run.stdout


def expect(what, holds, output):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}:\n{output}")


def os_release(name, text):
    path = folder / f"os-release-{name}"
    path.write_text(text)
    return f"-DHALOCLINE_OS_RELEASE={path}"


DISTRIBUTIONS = {
    "debian": ('ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
               "apt-get install libopenmpi-dev openmpi-bin pkg-config libhwloc-dev libfmt-dev"),
    "ubuntu": ("ID=ubuntu\nID_LIKE=debian\n", "apt-get install libopenmpi-dev openmpi-bin pkg-config libhwloc-dev libfmt-dev"),
    "fedora": ("ID=fedora\n", "dnf install openmpi-devel pkgconf-pkg-config hwloc-devel fmt-devel"),
    "rocky": ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf install openmpi-devel pkgconf-pkg-config hwloc-devel fmt-devel"),
    "opensuse": ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n',
                 "zypper install openmpi4-devel pkg-config hwloc-devel fmt-devel"),
    "arch": ("ID=arch\n", "hwloc-devel fmt-devel, or zypper install openmpi4-devel"),
}


def missing_packages():
    for name, (text, packages) in DISTRIBUTIONS.items():
        off = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in ("MPI", "PkgConfig", "fmt")]
        status, output = configure(tree, folder / "missing", os_release(name, text), *off)
        lines = [line for line in output.splitlines() if "Halocline needs MPI 3.1, pkg-config, hwloc 2, fmt: " in line]
        expect(f"one line names what is missing on {name}", status != 0 and len(lines) == 1 and packages in lines[0], output)
        expect(f"and CMake says no more on {name}", output.count("CMake Error") == 1 and "Call Stack" not in output, output)
    # Nothing is wanted for a tool that is not built.
    status, output = configure(tree, folder / "missing", "-DHALOCLINE_TOOLS=OFF")
    expect("a tool that is not built needs no fmt", "Halocline needs MPI 3.1, pkg-config, hwloc 2: " in output, output)


def left_out():
    without = {  # how to hide it, and what has to be said then
        "-DCMAKE_Fortran_COMPILER=NOTFOUND": "the Fortran module. There is no Fortran compiler (apt-get install gfortran)",
        "-DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON": "code generated for datatypes, which kernels pack as well. There is no LLVM "
                                                "(apt-get install llvm-14-dev)",
        "-DSimGrid_LIBRARY=": "what halocline simulate runs on. There is no SimGrid (apt-get install libsimgrid-dev)",
        "-DHALOCLINE_NODE=": "halocline plan --html. There is no node and npm (apt-get install nodejs npm)",
    }
    status, output = configure(tree, folder / "left_out", os_release("debian", "ID=debian\n"), *without)
    last = output.splitlines()[-3 - len(without):-3]
    told = sorted("-- Left out: " + each for each in without.values())
    expect("the last lines say what is left out", status == 0 and sorted(last) == told, output)
    # Who has turned something off need not be told.
    off = [f"-DHALOCLINE_{name}=OFF" for name in ("FORTRAN", "LLVM", "SIMULATE", "PAGE")]
    status, output = configure(tree, folder / "left_out", *off)
    expect("nothing is said of what was turned off", status == 0 and "Left out" not in output, output)


def light_subproject():
    parent = folder / "parent"
    parent.mkdir()
    (parent / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(parent LANGUAGES C CXX)\n"
        f"add_subdirectory({tree} halocline)\nadd_executable(program program.c)\n"
        "target_link_libraries(program PRIVATE halocline::halocline)\n")
    shutil.copy(tree / "tests/install/consumer/consumer.c", parent / "program.c")
    build = parent / "build"
    status, output = configure(parent, build)
    expect("a project takes this one in", status == 0, output)
    planned = subprocess.run(["ninja", "-C", build, "-t", "commands", "all"], capture_output=True, text=True).stdout
    expect("the library is built", "libhalocline.a" in planned, planned)
    for unwanted in ("src/tools", "src/preload", "src/page", "src/simulate", "compile_llvm", "examples/", "libhalocline.so",
                     "libhalocline_core.a"):
        found = [line for line in planned.splitlines() if unwanted in line]
        expect(f"nothing is done for {unwanted}", not found, "\n".join(found))


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
missing_packages()
left_out()
light_subproject()
if failures:
    sys.exit("\n\n".join(failures))
