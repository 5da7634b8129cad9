#!/usr/bin/env python3
"""fuzz.py [--minutes M] [--targets LIST] [--mpi openmpi|mpich|both] [--sanitize address|thread] [--ranks LIST]
        [--seed S] [--cases N] [--no-build]

Random cases of each target for so many minutes on each MPI, from a random seed on, on several numbers of ranks in turn. A
target is a row of the table below, or all rows whose name begins with its word: halos, halos.c. The last lines are a table with
the command that repeats each failure; what a run printed is in build/fuzz/. `make fuzz` hands its variables on: MINUTES=30
TARGETS=halos MPI=mpich SANITIZE=address RANKS=4 SEED=4711 CASES=1."""

import argparse
import collections
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

tree = pathlib.Path(__file__).resolve().parent.parent
Target = collections.namedtuple("Target", "name source program arguments ranks")


def tests_of(file):
    return ("mpi_tests", [f"--files={file}"])


EVERY = (1, 2, 3, 4, 8)
MANY = (*EVERY, 5, 6, 7, 12, 16)
TARGETS = [
    Target("datatypes", "tests/mpi/differential/pack_test.cpp", "pack_differential_test", [], (1,)),
    Target("neighbourhoods.cpp", "tests/mpi/exchange/random_exchange_test.cpp", *tests_of("exchange/random_exchange"), EVERY),
    Target("neighbourhoods.c", "tests/mpi/api/random_neighbor_test.cpp", *tests_of("api/random_neighbor"), EVERY),
    Target("halos.cpp", "tests/mpi/halo/random_halo_test.cpp", *tests_of("halo/random_halo"), EVERY),
    Target("halos.c", "tests/mpi/api/random_halo_test.cpp", *tests_of("api/random_halo"), EVERY),
    Target("halos.threads", "tests/mpi/halo/threads_test.cpp", *tests_of("halo/threads"), EVERY),
    Target("halos.outside", "tests/mpi/halo/threads_outside_test.cpp", "thread_tests", ["--files=halo/threads_outside"], (1, 2, 3, 4)),
    Target("halos.borders", "tests/mpi/halo/borders_test.cpp", *tests_of("halo/borders"), (*EVERY, 6, 7)),
    Target("halos.boxes", "tests/mpi/halo/box_halo_test.cpp", *tests_of("halo/box_halo"), (*EVERY, 6)),
    Target("halos.boxes.c", "tests/mpi/api/box_halo_test.cpp", *tests_of("api/box_halo"), (*EVERY, 6)),
    Target("halos.boxes.fortran", "tests/fortran/boxes_test.f90", "boxes_fortran_test", [], EVERY),
    Target("halos.staggered", "tests/mpi/halo/staggered_test.cpp", *tests_of("halo/staggered"), EVERY),
    Target("halos.sides", "tests/mpi/halo/random_sides_test.cpp", *tests_of("halo/random_sides"), (*EVERY, 6)),
    Target("halos.any", "tests/mpi/halo/any_memory_test.cpp", *tests_of("halo/any_memory"), (*EVERY, 5)),
    Target("halos.sums", "tests/mpi/halo/accumulate_test.cpp", *tests_of("halo/accumulate"), EVERY),
    Target("halos.boxes.sums", "tests/mpi/halo/box_sums_test.cpp", *tests_of("halo/box_sums"), (*EVERY, 6)),
    Target("halos.arrays", "tests/mpi/halo/array_view_test.cpp", *tests_of("halo/array_view"), (*EVERY, 5)),
    Target("halos.device", "tests/mpi/halo/random_device_halo_test.cpp", *tests_of("halo/random_device_halo"), EVERY),
    Target("halos.fortran", "tests/fortran/random_halo_test.f90", "random_halo_fortran_test", [], EVERY),
    Target("repeated_calls", "tests/mpi/api/repeated_calls_test.cpp", *tests_of("api/repeated_calls"), (*EVERY, 7, 16)),
    Target("wrong_calls", "tests/mpi/api/wrong_calls_test.cpp", *tests_of("api/wrong_calls"), EVERY),
    Target("plans.pure", "tests/pure/plan/planned_test.cpp", "plan_test", ["--gtest_filter=Planned.*"], (1,)),
    Target("plans.blocks", "tests/mpi/exchange/planned_test.cpp", *tests_of("exchange/planned"), MANY),
    Target("plans.cpp", "tests/mpi/halo/planned_test.cpp", *tests_of("halo/planned"), MANY),
    Target("plans.c", "tests/mpi/api/planned_test.cpp", *tests_of("api/planned"), MANY),
    Target("plans.fortran", "tests/fortran/planned_test.f90", "planned_fortran_test", [], MANY),
    Target("plans.preload", "tests/preload/planned_test.cpp", "planned_preload_test", [], MANY),
    Target("commands", "tests/tools/random_commands.py", "halocline_tool", [], (1,)),
]
# The build of each MPI, by sanitizer, and the one that it takes the pure core from.
PRESETS = {None: ("release", "mpich"), "address": ("dev", "dev-mpich"), "thread": ("thread", "thread-mpich")}
LEAST_SECONDS = 5
# Beyond the time for the cases, for the start, the last case and the other tests of a file; sanitizers are slow.
GRACE_SECONDS = 300
TOLD = re.compile(r": (from seed \d+ on|\d+ cases in \d+ of .*|(?P<cases>\d+) cases(, seeds .*| in \d+ s)|seed (?P<failed>\d+) failed.*)$")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30, help="for each target on each MPI")
    parser.add_argument("--targets", default="", help="names with commas between them (default: all)")
    parser.add_argument("--mpi", choices=("openmpi", "mpich", "both"), default="both")
    parser.add_argument("--sanitize", choices=("address", "thread"), default=None)
    parser.add_argument("--ranks", default="", help="numbers with commas between them (default: those of the target)")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--cases", type=int, default=None, help="so many on each number of ranks, instead of minutes")
    parser.add_argument("--no-build", action="store_true", help="what is there is up to date")
    return parser.parse_args()


def chosen_targets(text):
    there = [target for target in TARGETS if (tree / target.source).exists()]
    if not text:
        return there
    chosen = []
    for word in text.replace(" ", ",").split(","):
        found = [target for target in there if target.name == word or target.name.startswith(word + ".")]
        if not found:
            sys.exit(f"fuzz.py: there is no target {word!r}; they are {', '.join(target.name for target in there)}")
        chosen += found
    return chosen


def build(preset, targets):
    programs = sorted({target.program for target in targets})
    if preset.endswith("mpich"):
        core = preset.replace("mpich", "").rstrip("-") or "release"
        if not (tree / "build" / core / "halocline-core.cmake").exists():
            subprocess.run(["scripts/build.sh", core, "-DHALOCLINE_TESTS=ON", "--", "halocline_core"], cwd=tree, check=True)
        programs.append("halocline_mpich_yield")
    subprocess.run(["scripts/build.sh", preset, "-DHALOCLINE_TESTS=ON", "--", *programs], cwd=tree, check=True)


def cached(preset, variable):
    text = (tree / "build" / preset / "CMakeCache.txt").read_text()
    return re.search(rf"^{variable}:[A-Z]+=(.*)$", text, re.MULTILINE)[1]


def launcher(preset, mpi, ranks, libraries):
    """What starts so many ranks; as cmake/MpiTest.cmake does for the tests."""
    command = [cached(preset, "MPIEXEC_EXECUTABLE")]
    if mpi == "mpich":
        libraries.append(next((tree / "build" / preset).rglob("libhalocline_mpich_yield.so")))
    if libraries:
        preloaded = ":".join(str(library) for library in libraries)
        command += ["-genv", "LD_PRELOAD", preloaded] if mpi == "mpich" else ["-x", "LD_PRELOAD=" + preloaded]
    return [*command, "-n", str(ranks)]


def environment(preset, sanitize):
    result = {**os.environ, "HALOCLINE_TEST_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
              "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}
    # A build for MPICH has no module of its own: the one beside the core it takes.
    module = tree / "build" / {"mpich": "release", "dev-mpich": "dev", "thread-mpich": "thread"}.get(preset, preset) / "bin/libhalocline-llvm.so"
    if module.exists():
        result["HALOCLINE_LLVM_MODULE"] = str(module)
    if sanitize:
        sanitizers = tree / "tests/sanitizers"
        result["HALOCLINE_SANITIZED"] = sanitize
        result["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0:detect_stack_use_after_return=0"
        result["UBSAN_OPTIONS"] = "print_stacktrace=1"
        # UCX watches madvise, which a thread calls when ThreadSanitizer has already forgotten it.
        result["UCX_MEM_EVENTS"] = "no"
        result["TSAN_OPTIONS"] = f"suppressions={sanitizers}/thread.txt:second_deadlock_stack=1:history_size=4"
    return result


def command_of(target, preset, mpi, ranks, sanitize):
    program = tree / "build" / preset / "bin" / target.program.replace("halocline_tool", "halocline")
    if target.program == "halocline_tool":
        return [sys.executable, str(tree / target.source), str(program)]
    fixed = pathlib.Path("/proc/sys/vm/mmap_rnd_bits")
    # ThreadSanitizer of GCC 12 needs memory where it expects it.
    plain = ["setarch", "-R"] if sanitize == "thread" and fixed.exists() and int(fixed.read_text()) > 28 else []
    ours = [program.parent / "libhalocline-preload.so"] if target.name.endswith(".preload") else []
    return [*launcher(preset, mpi, ranks, ours), *plain, str(program), *target.arguments]


class Run:
    """One target on one number of ranks of one MPI."""

    def __init__(self, target, mpi, preset, ranks, seconds, seed, chosen):
        self.target, self.mpi, self.ranks, self.seconds, self.seed, self.chosen = target, mpi, ranks, seconds, seed, chosen
        self.preset = preset
        self.cases, self.failed_seeds, self.fault = 0, [], ""
        self.log = tree / "build/fuzz" / f"{target.name}-{preset}-{ranks}.log"
        self.seed_file = self.log.with_suffix(".seed")

    def run(self):
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.seed_file.unlink(missing_ok=True)
        variables = environment(self.preset, self.chosen.sanitize)
        variables.update(HALOCLINE_SEED=str(self.seed), HALOCLINE_SEED_FILE=str(self.seed_file))
        if self.chosen.cases:
            variables["HALOCLINE_CASES"] = str(self.chosen.cases)
        else:
            variables["HALOCLINE_SECONDS"] = str(self.seconds)
        command = command_of(self.target, self.preset, self.mpi, self.ranks, self.chosen.sanitize)
        end = time.monotonic() + self.seconds * 2.2 + GRACE_SECONDS
        with open(self.log, "w", encoding="utf-8") as log, subprocess.Popen(
                ["timeout", "-k", "5", str(int(end - time.monotonic())), *command], env=variables, cwd=tree, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
            try:
                for line in process.stdout:
                    log.write(line)
                    self.read(line.rstrip("\n"))
                status = process.wait()
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGTERM)
                raise
        if status == 0 and self.cases == 0:
            self.fault = "no cases"
        elif status != 0:
            self.fault = "does not end" if status in (124, 137) else f"status {status}"
            if not self.failed_seeds and self.seed_file.exists():
                self.failed_seeds.append(int(self.seed_file.read_text().strip() or self.seed))
            print("".join(open(self.log, encoding="utf-8").readlines()[-40:]), flush=True)

    def read(self, line):
        found = TOLD.search(line)
        if not found:
            return
        print(f"  {self.target.name}, {self.mpi}, {self.ranks} ranks: {line[:200]}", flush=True)
        if found["cases"]:
            self.cases += int(found["cases"])
        if found["failed"]:
            self.failed_seeds.append(int(found["failed"]))

    def failures(self):
        return max(len(self.failed_seeds), 1 if self.fault else 0)

    def repeat(self):
        seed = self.failed_seeds[0] if self.failed_seeds else self.seed
        sanitize = f" SANITIZE={self.chosen.sanitize}" if self.chosen.sanitize else ""
        return f"make fuzz TARGETS={self.target.name} MPI={self.mpi} RANKS={self.ranks}{sanitize} SEED={seed} CASES=1"


def runs_of(chosen, targets):
    """All runs, the time of a target shared out between its rows and their numbers of ranks."""
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**9)
    ranks_wanted = [int(word) for word in chosen.ranks.replace(" ", ",").split(",") if word]
    rows = collections.Counter(target.name.split(".")[0] for target in targets)
    for mpi, preset in zip(("openmpi", "mpich"), PRESETS[chosen.sanitize]):
        if chosen.mpi not in (mpi, "both"):
            continue
        for target in targets:
            # What needs no MPI is built once; a sanitizer has to be loaded before any other library.
            if (target.name.endswith(".pure") and mpi == "mpich") or (target.name.endswith(".preload") and chosen.sanitize):
                continue
            ranks = ranks_wanted if ranks_wanted and len(target.ranks) > 1 else target.ranks
            seconds = max(LEAST_SECONDS, round(chosen.minutes * 60 / rows[target.name.split(".")[0]] / len(ranks)))
            for number in ranks:
                yield Run(target, mpi, preset, number, seconds, seed, chosen)


def print_table(runs):
    rows = [("target", "MPI", "ranks", "cases", "failures", "repeat by")]
    for run in runs:
        rows.append((run.target.name, run.mpi, str(run.ranks), str(run.cases), str(run.failures()),
                     f"{run.repeat()}  ({run.fault or 'see above'})" if run.failures() else ""))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    print()
    for row in rows:
        print("  ".join([row[0].ljust(widths[0]), row[1].ljust(widths[1])] + [row[c].rjust(widths[c]) for c in (2, 3, 4)] + [row[5]]).rstrip())


def main():
    chosen = options()
    targets = chosen_targets(chosen.targets)
    runs = list(runs_of(chosen, targets))
    if not runs:
        sys.exit("fuzz.py: none of these targets can be had this way")
    if not chosen.no_build:
        for preset in dict.fromkeys(run.preset for run in runs):
            build(preset, [run.target for run in runs if run.preset == preset])
    seconds = sum(run.seconds for run in runs)
    print(f"From seed {runs[0].seed} on: {len(runs)} runs" + ("" if chosen.cases else f" of {seconds / 60:.0f} minutes in all"), flush=True)
    try:
        for run in runs:
            run.run()
    except KeyboardInterrupt:
        print("Interrupted")
    print_table(runs)
    return 1 if any(run.failures() for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
