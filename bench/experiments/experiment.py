"""What the experiments share: building what they run, running it, and tables of text."""

import json
import os
import subprocess
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
programs = os.path.join(root, "build/release/bin")
halocline = os.path.join(programs, "halocline")
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")


def undisturbed():
    """What to put before a command that is timed: real-time priority where it may be had."""
    chrt = ["chrt", "-f", "1"]
    return chrt if subprocess.run([*chrt, "true"], capture_output=True).returncode == 0 else []


def progress(text):
    """On standard error, so that tables can be kept in a file."""
    print(text, file=sys.stderr, flush=True)


def build(*targets):
    """Builds the targets in build/release; what they print is shown only if they fail."""
    progress("Building " + ", ".join(targets))
    for command in (["cmake", "--preset", "release"],
                    ["cmake", "--build", "build/release", "--target", *targets]):
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)


def output(command, seconds=600):
    """What a command prints; it must succeed."""
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def answer(*words, seconds=600):
    """The JSON that `halocline WORDS` answers."""
    return json.loads(output([halocline, *words, "--json"], seconds))


def print_table(rows, title=""):
    """Columns as wide as their longest entry; the first is aligned to the left, the others to the right."""
    rows = [[str(entry) for entry in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if title:
        print(title)
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [e.rjust(w) for e, w in zip(row[1:], widths[1:])]).rstrip())
    print(flush=True)
