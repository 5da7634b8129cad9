#!/usr/bin/env python3
"""Runs every experiment and writes docs/results.md from what they print, with the command and the machine beside it.

  bench/experiments/results.py [NAME... | summary]

With names (folders beside this file), only their sections are made anew; with `summary` nothing but the table on top. Takes an hour, half of it for
placements that are simulated; sections whose command fails keep what they had, and the failure is told."""

import os
import platform
import re
import subprocess
import sys

from experiment import progress, root
from results_summary import head

# Folder, command, and what the paper is about.
experiments = [
    ("stencil_placement", "bench/experiments/stencil_placement/run.sh --keep build/stencil_placement", "Stencil placement (paper 1)"),
    ("message_combining", "bench/experiments/message_combining/run.py --cluster 4x8@1000mbit",
     "Message-combining collectives (paper 2)"),
    ("message_combining", "bench/experiments/message_combining/run.py --simulated", "Message-combining collectives, simulated (paper 2)"),
    ("geometric_mapping", "bench/experiments/geometric_mapping/run.py", "Geometric task mapping (paper 3)"),
    ("cartesian_grids", "bench/experiments/cartesian_grids/run.py", "Topology-aware Cartesian grids (paper 4)"),
    ("compiled_datatypes", "bench/experiments/compiled_datatypes/run.sh", "Runtime-compiled datatypes (paper 5)"),
]
file = os.path.join(root, "docs/results.md")


def machine():
    with open("/proc/cpuinfo") as info:
        models = re.findall(r"^(?:model name|CPU part)\s*:\s*(.*)$", info.read(), re.MULTILINE)
    return f"{platform.machine()}, {os.cpu_count()} cores ({models[0] if models else 'unknown'}), " \
           f"Linux {platform.release().split('-')[0]}"


def section(title, command):
    """The section, or None if the command fails."""
    progress(command)
    done = subprocess.run(command.split(), cwd=root, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        progress(f"{command} failed: {done.returncode}")
        return None
    return f"## {title}\n\nOn {machine()}.\n\n```console untested\n$ {command}\n{done.stdout.strip()}\n```\n"


known = {}
if os.path.exists(file):
    with open(file) as text:
        for part in re.split(r"^(?=## )", text.read(), flags=re.MULTILINE)[1:]:
            known[part.split("\n", 1)[0][3:]] = part.rstrip() + "\n"
wanted = [] if sys.argv[1:] == ["summary"] else sys.argv[1:] or [name for name, _, _ in experiments]
for name in wanted:
    if name not in [known_name for known_name, _, _ in experiments]:
        sys.exit(f"there is no experiment {name}; there are {', '.join(n for n, _, _ in experiments)}")
for name, command, title in experiments:
    if name in wanted:
        made = section(title, command)
        if made:
            known[title] = made
with open(file, "w") as out:
    out.write(head(known) + "\n".join(known[title] for _, _, title in experiments if title in known))
progress(f"Wrote {file}")
