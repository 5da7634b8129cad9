"""usage_test.py PROGRAM... -- LAUNCH...: every example explains itself, and refuses nonsense in one line."""
import concurrent.futures
import os
import subprocess
import sys

separator = sys.argv.index("--")
programs, launch = sys.argv[1:separator], sys.argv[separator + 1:]
failures = 0


def expect(condition, what, run):
    global failures
    if not condition:
        failures += 1
        print(f"{' '.join(run.args)}: {what}\nstatus {run.returncode}\n{run.stdout}{run.stderr}")


def run(program, *arguments):
    return subprocess.run([*launch, program, *arguments], capture_output=True, text=True)


def try_out(program):
    name = os.path.basename(program)
    helped = run(program, "--help")
    expect(helped.returncode == 0, "no help", helped)
    expect(helped.stdout.count(f"mpirun -n RANKS {name}") == 1, "not one line of usage", helped)

    # Launchers add words of their own about processes that fail: only the example's line counts.
    option = helped.stdout.split("\n  ")[1].split()[0]
    for arguments, words in [(["--nonsense", "3"], "unknown option '--nonsense'"), ([option, "0x7"], "0"),
                             ([option, "99999999999999999999"], "99999999999999999999"), ([option], "needs a value")]:
        refused = run(program, *arguments)
        lines = [line for line in refused.stderr.splitlines() if line.startswith(name + ": ")]
        expect(refused.returncode == 2, "not refused", refused)
        expect(len(lines) == 1 and words in lines[0], f"not one line with {words}", refused)


# Launchers take a second, in which they sleep, to end a job that failed: several at a time.
with concurrent.futures.ThreadPoolExecutor(len(programs)) as workers:
    list(workers.map(try_out, programs))
sys.exit(1 if failures else 0)
