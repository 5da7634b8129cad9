"""Random command lines of halocline, sensible and absurd ones, and what must hold for each:

 - it ends with status 0, or with 1 or 2 and one line on stderr that says what was wrong; never by a signal
 - what is wrong use (2) is named: a word of the line, or what it lacks
 - it takes neither more than 10 s of processor time nor 2 GiB of memory
 - where --json was given the answer is JSON; the same line gives the same answer again

Usage: random_commands.py PROGRAM. HALOCLINE_CASES lines (150), or as many as HALOCLINE_SECONDS allow, from HALOCLINE_SEED on;
HALOCLINE_SEED=4711 HALOCLINE_CASES=1 repeats one. HALOCLINE_SANITIZED says that the program is a build with sanitizers."""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from command_line import PROGRAM, Program, clean_environment
from random_lines import random_line

PROGRAM = os.path.abspath(PROGRAM)
WHAT = "random command lines"
SANITIZED = bool(os.environ.get("HALOCLINE_SANITIZED"))
SECONDS_EACH = 10 * (10 if SANITIZED else 1)
BYTES_EACH = 2 << 30
MOST_FAILURES = 20
# Without these a command does nothing; the help says it of some only.
DOES_NOTHING_WITHOUT = {"shape": ("--mesh", "--ranks"), "schedule": ("--dims",), "simulate": ("--machine", "--nodes", "--grid"),
                        "place": ("--nodes",), "plan": ("--nodes",), "bench place": ("--grid", "--nodes"), "completion": ("shell",)}
# Texts of the language and of its libraries, which tell a user nothing.
NOT_FOR_USERS = re.compile(r"std::|basic_string|vector::|map::|stoi|stol|stod|bad_alloc|bad_variant|optional|terminate|what\(\)|json\.exception")
# What the program says when it contradicts itself: schedules that do not deliver, simulations that receive something else.
BROKEN_PROMISE = re.compile(r" is wrong: |is no sum of the elements|the simulated program wrote|received a wrong block|all processes wait for each other|simulated torus is called")
# Times in answers: in JSON, in tables (whose columns have as many digits) and in words.
TIMES = re.compile(r'"\w*seconds\w*": \S+|"\w*bytes_per_second": \S+|\d+\.\d{4,}|\d+(\.\d+)? (ns|us|ms|s)\b')
TIMED_COMMANDS = ("bench", "doctor", "layout")
SANITIZER_REPORT = re.compile(r"(ERROR|WARNING): \w+Sanitizer|runtime error:")
# A sanitizer ends a process that the allocator has nothing for; without one that is an error with a text.
SANITIZER_MEMORY = re.compile(r"allocation-size-too-big|out-of-memory|rss limit|failed to allocate")


def required_options(program):
    """For each command what its help calls required, and what it needs besides."""
    required = {command: set(options) for command, options in DOES_NOTHING_WITHOUT.items()}
    for (command, option), text in program.helps.items():
        if "REQUIRED" in text:
            required.setdefault(command, set()).add(option)
    return required


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_EACH, SECONDS_EACH + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not SANITIZED:  # which reserve more addresses than that
        resource.setrlimit(resource.RLIMIT_AS, (BYTES_EACH, BYTES_EACH))


def run_line(line, folder):
    """The line in a folder of its own, where there is nothing but its files. What it starts itself counts for its time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(dir=folder) as here:
        for name, text in line.files.items():
            with open(os.path.join(here, name), "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
        environment = {**clean_environment(), "HOME": here, "XDG_CONFIG_HOME": here, "TMPDIR": here, **line.environment}
        with subprocess.Popen([PROGRAM, *line.words], env=environment, cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True, preexec_fn=limit) as process:
            try:
                out, err = process.communicate(timeout=15 * SECONDS_EACH)
            except BaseException as stopped:  # with all that it started, also when this program is stopped
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                if not isinstance(stopped, subprocess.TimeoutExpired):
                    raise
                return None, "", ""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime > SECONDS_EACH:
            return -signal.SIGXCPU, "", ""
        return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def names_something(line, message):
    """Is a word of the line in the message, or a number of one, or an option?"""
    words = [word for value in line.values for word in (value, *re.findall(r"\d+|[A-Za-z-]{3,}", value)) if word.strip()]
    words += [word.lstrip("0") for word in words if word.isdigit() and word.strip("0")]
    words += [word for word in line.words if word.startswith("-")] + list(line.environment) + list(line.files) + [line.command + " needs"]
    # What would steer a terminal is told as a blank or a question mark.
    words = [re.sub(r"[\x00-\x1f\x7f]", "?", re.sub(r"[\n\t]", " ", word)) for word in words]
    words += [re.sub("[\udc80-\udcff]+", "\ufffd", word) for word in words]  # bytes that are no text
    return any(word in message for word in words) or re.search(r"--[a-z]", message) is not None or \
        all(not value.strip() for value in line.values)


def fault_of(line, status, out, err):
    """What is wrong with the end of a line; nothing if all is well."""
    if SANITIZER_REPORT.search(err):
        return "" if SANITIZER_MEMORY.search(err) else "the sanitizer found something"
    if status is None:
        return f"does not end within {15 * SECONDS_EACH} s"
    if status == -signal.SIGXCPU:
        return f"takes more than {SECONDS_EACH} s of processor time"
    if status not in (0, 1, 2):
        return f"status {status}"
    if status == 0:
        if err and line.command not in ("run", "trace"):
            return "succeeds, and has something on stderr"
        # The command that is run prints what it likes.
        if "--json" in line.words and not {"--help", "--version", "run", "trace"} & set(line.words):
            try:
                json.loads(out, parse_constant=no_constant)
            except ValueError as fault:
                return f"what it prints is not JSON: {fault}"
        return ""
    if out:
        return f"status {status}, and something on stdout"
    if err.count("\n") != 1 or not err.startswith("halocline: "):
        return f"status {status}, and not one line on stderr"
    if any(ord(c) < 32 for c in err[:-1]):
        return f"status {status}, and the line on stderr has characters that steer a terminal"
    if found := NOT_FOR_USERS.search(err):
        return f"status {status}, and the line on stderr says {found.group()}"
    if BROKEN_PROMISE.search(err):
        return "the program contradicts itself"
    if status == 2 and not names_something(line, err):
        return "the line on stderr names nothing of the command line"
    return ""


def same_again(line, out, folder):
    if line.command.split()[0] in TIMED_COMMANDS or line.command in ("run", "trace"):
        return True
    # A portfolio compares as long as it may.
    if line.command in ("place", "plan", "simulate") and "--seconds" in line.words:
        return True
    return TIMES.sub("", run_line(line, folder)[1]) == TIMES.sub("", out)


def told(seed, line, fault, status, out, err):
    """A failure, with all that repeats it."""
    variables = "".join(f"{name}={shlex.quote(value)} " for name, value in line.environment.items())
    text = f"{WHAT}: seed {seed} failed: {fault}\n  {variables}halocline {shlex.join(line.words)}\n".encode("utf-8", "backslashreplace").decode()
    for name, content in line.files.items():
        text += f"  the file {name}: {content!a}\n"
    return text + f"  status {status}, stdout {out[:200]!a}, stderr {err[-1500:] if SANITIZED else err[:500]!a}"


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    number = lambda name, otherwise: int(os.environ.get(name) or otherwise)
    seconds, first = number("HALOCLINE_SECONDS", 0), number("HALOCLINE_SEED", 20261117)
    cases = 0 if seconds else number("HALOCLINE_CASES", 150)
    program = Program()
    required = required_options(program)
    print(f"{WHAT}: from seed {first} on", flush=True)
    begin = last_word = time.monotonic()
    done, failures, statuses = 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        while failures < MOST_FAILURES and (done < cases if cases else time.monotonic() - begin < seconds):
            seed = first + done
            if note := os.environ.get("HALOCLINE_SEED_FILE"):
                with open(note, "w", encoding="ascii") as file:
                    file.write(f"{seed}\n")
            line = random_line(program, seed, required)
            status, out, err = run_line(line, folder)
            fault = fault_of(line, status, out, err)
            if not fault and status == 0 and seed % 3 == 0 and not same_again(line, out, folder):
                fault = "another answer the second time"
            if fault:
                failures += 1
                print(told(seed, line, fault, status, out, err), flush=True)
            statuses[status] = statuses.get(status, 0) + 1
            done += 1
            if seconds and time.monotonic() - last_word >= 10:
                last_word = time.monotonic()
                print(f"{WHAT}: {done} cases in {last_word - begin:.0f} of {seconds} s, now seed {seed + 1}", flush=True)
    print(f"{WHAT}: {done} cases, seeds {first} to {first + done - 1}; {failures} failed; ended with " +
          ", ".join(f"status {status} {times} times" for status, times in sorted(statuses.items(), key=str)), flush=True)
    # Neither all right nor all wrong: otherwise it tests nothing.
    if done >= 100 and (statuses.get(0, 0) < done / 5 or statuses.get(2, 0) < done / 20):
        print(f"{WHAT}: too few of the lines are right, or wrong")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
