#!/usr/bin/env python3
"""The table that docs/results.md opens with says what the sections below it say.
Usage: results_table_test.py [DOCUMENT]"""

import os
import re
import sys

sys.dont_write_bytecode = True  # Nothing is left behind beside the sources.
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench", "experiments"))
import results_summary


def main(path):
    with open(path, encoding="utf-8") as file:
        shown, *parts = re.split(r"^(?=## )", file.read(), flags=re.MULTILINE)
    wanted = results_summary.head({part.split("\n", 1)[0][3:]: part for part in parts})
    if shown == wanted:
        return 0
    print(f"{path}: the table on top is not what the sections below it say. 'bench/experiments/results.py summary' writes it anew.")
    for has, should in zip(shown.split("\n"), wanted.split("\n")):
        if has != should:
            print(f"-{has}\n+{should}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "results.md")))
