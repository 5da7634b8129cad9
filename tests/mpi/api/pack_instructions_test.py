"""pack_instructions_test.py PACK_CALLS [MOST]

What a call of packing costs around the copy, in instructions, counted by valgrind (callgrind): they repeat exactly, whatever
else the machine does. Prints a table; fails if a call takes more than MOST above the copy, or 20 more than that for several elements.
Without valgrind it is skipped."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[1]
most = int(sys.argv[2]) if len(sys.argv) > 2 else None
repetitions = 1000
skipped = 77  # what ctest is told by SKIP_RETURN_CODE
shapes = {"480 B in one block": (1, 60, 60), "12 blocks of 40 B": (12, 5, 60), "4 blocks of 8 B": (4, 1, 9)}
calls = ["memcpy", "memcpy_back", "packer_pack", "packer_unpack", "HCL_Packer_pack", "HCL_Packer_unpack", "HCL_Pack",
         "HCL_Unpack", "HCL_Pack_doubles", "MPI_Pack", "MPI_Unpack"]
not_bounded = ["memcpy", "memcpy_back", "MPI_Pack", "MPI_Unpack"]
several = "HCL_Pack_doubles"  # as many elements as there are, always one copy


def counted(shape):
    """Instructions of each call."""
    environment = dict(os.environ, HALOCLINE_COMPILE="kernels")
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "out")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, *map(str, shape),
                               str(repetitions)], env=environment, capture_output=True, text=True, timeout=400)
        if done.returncode != 0:
            sys.exit(f"{program} {shape}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
        with open(profile, encoding="utf-8", errors="replace") as lines:
            return inclusive_costs(lines)


def inclusive_costs(lines):
    """{name: instructions of a call} of what the functions count_* call, with all that it calls. Names stand beside their number
    once, later the number alone; the line behind `calls=` is what so many calls cost together. The very first call, which
    has symbols to look up, stands alone."""
    names, most_calls, costs, caller, calls_here = {}, {}, {}, None, 0
    for line in lines:
        named = re.match(r"c?fn=\((\d+)\)(?: (.+))?", line)
        if named and named[2]:
            names[named[1]] = named[2].strip()
        if line.startswith("fn="):
            caller = names[named[1]]
        elif line.startswith("calls="):
            calls_here = int(line.split("=")[1].split()[0])
        elif calls_here > 0:
            name = caller.removeprefix("count_")
            if name != caller and calls_here > most_calls.get(name, 0):
                most_calls[name] = calls_here
                costs[name] = int(line.split()[-1]) / calls_here
            calls_here = 0
    return costs


if shutil.which("valgrind") is None:
    print("instructions are counted by valgrind, Debian's package valgrind: it is not here")
    sys.exit(skipped)
table = {name: counted(shape) for name, shape in shapes.items()}
print(f"{'instructions of a call':24}" + "".join(f"{name:>22}" for name in shapes))
for call in calls:
    print(f"{call:24}" + "".join(f"{table[name][call]:22.0f}" for name in shapes))
too_many = []
for shape, costs in table.items():
    for call, cost in costs.items():
        # One block is a call of memcpy; blocks apart are what the kernel takes.
        one_block = shape == "480 B in one block" or call == several
        back = "npack" in call or call == "memcpy_back"
        copy = costs[("memcpy_back" if back else "memcpy") if one_block else "packer_unpack" if back else "packer_pack"]
        if most is None or call in not_bounded:
            continue
        allowed = most + 20 if call == several else most
        if cost - copy > allowed:
            too_many.append(f"{call}, {shape}: {cost - copy:.0f} instructions above the copy, {allowed} are allowed")
sys.exit("\n".join(too_many) if too_many else 0)
