#!/usr/bin/env python3
"""What C++17 programs see of the public headers: C headers compile, C++ headers say what they need, and the example for
C++17 is compiled as that although the library asks for C++20.
Usage: standards_test.py SOURCE BUILD COMPILER [FLAG...]"""

import json
import os
import subprocess
import sys

ERROR = "Halocline's C++ headers need C++20"


def compiled(compiler, flags, language_standard, source):
    return subprocess.run([compiler, *flags, f"-std={language_standard}", "-fsyntax-only", "-x", "c++", "-"], input=source,
                          text=True, capture_output=True, check=False)


def headers_of(folder):
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            yield os.path.relpath(os.path.join(path, name), folder)


def main(source, build, compiler, *flags):
    faults = []
    headers = [header for header in headers_of(os.path.join(source, "include"))]
    for header in headers:
        include = f"#include <{header}>\n"
        if header.endswith(".hpp"):
            old = compiled(compiler, flags, "c++17", include)
            first = next((line for line in old.stderr.splitlines() if "error:" in line), "")
            if old.returncode == 0 or ERROR not in first:
                faults.append(f"{header} in C++17 begins with: {first or 'no error'}")
        else:
            for standard in ("c++11", "c++17"):
                made = compiled(compiler, (*flags, "-Wall", "-Wextra", "-Werror"), standard, include)
                if made.returncode != 0:
                    faults.append(f"{header} in {standard}: {made.stderr}")
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = [each["command"] for each in json.load(file) if each["file"].endswith("examples/cxx17.cpp")]
    if not commands or any("-std=c++17" not in command for command in commands):
        faults.append(f"examples/cxx17.cpp is not compiled as C++17: {commands}")
    print("\n".join(faults) or f"{len(headers)} headers are right")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
