#!/usr/bin/env python3
"""thread_memory_test.py LIBRARY...: each library has little memory of its own in every thread (its TLS segment).

One variable lies at a fixed distance from the thread's own (src/mpi/datatypes/recent_types.hpp), which makes the system place all of a
library's memory so. glibc keeps some 1.6 KB for libraries that are opened late, as Python and the preload library do: whoever
needs more cannot be opened.
"""
import re
import subprocess
import sys

most = 512  # bytes

for library in sys.argv[1:]:
    printed = subprocess.run(["readelf", "-lW", library], check=True, capture_output=True, text=True).stdout
    segment = re.search(r"^\s+TLS(?:\s+0x[0-9a-f]+){4}\s+0x([0-9a-f]+)", printed, re.MULTILINE)
    size = int(segment[1], 16) if segment else 0
    print(f"{library}: {size} bytes in each thread")
    if size > most:
        sys.exit(f"{library} has {size} bytes in each thread, {most} are allowed: put tables elsewhere")
