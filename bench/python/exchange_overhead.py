#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an exchange from Python costs more than one from C: the same halo, called in turn by a loop of either, in random order.

  HALOCLINE_LIBRARY=build/release/src/libhalocline.so PYTHONPATH=python mpirun -n 2 \\
    python3 bench/python/exchange_overhead.py build/release/bin/libexchange_loop.so
"""

import argparse
import ctypes
import random
import statistics
import time

from mpi4py import MPI

import halocline

EXCHANGES = 2000


def measure(halo, loop, runs):
    """Seconds of an exchange by C, and by Python: medians of the runs."""

    def by_c():
        if loop(halo._pointer, EXCHANGES):
            raise SystemExit("an exchange from C failed")

    def by_python():
        for _ in range(EXCHANGES):
            halo.exchange()

    ways = {"C": by_c, "Python": by_python}
    seconds = {name: [] for name in ways}
    order = random.Random(1)  # the same on all ranks
    for _ in range(runs):
        for name in order.sample(list(ways), len(ways)):
            MPI.COMM_WORLD.Barrier()
            began = time.perf_counter()
            ways[name]()
            seconds[name].append(MPI.COMM_WORLD.allreduce(time.perf_counter() - began, MPI.MAX) / EXCHANGES)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("loop", help="libexchange_loop.so, which a build with HALOCLINE_BENCHMARKS=ON has")
    words.add_argument("--runs", type=int, default=31)
    words = words.parse_args()
    loop = ctypes.CDLL(words.loop).exchange_loop
    loop.argtypes = [ctypes.c_void_p, ctypes.c_int]
    for extent in (8, 32):
        with halocline.Cart(MPI.COMM_WORLD, (extent,) * 3, periodic=True, stencil="moore:1") as cart:
            seconds = measure(cart.halo(cart.field()), loop, words.runs)
        if MPI.COMM_WORLD.rank == 0:
            more = seconds["Python"] - seconds["C"]
            print(f"{extent}^3 points, {MPI.COMM_WORLD.size} ranks: C {seconds['C'] * 1e6:.2f} us, "
                  f"Python {seconds['Python'] * 1e6:.2f} us, {more * 1e6:.2f} us more", flush=True)


if __name__ == "__main__":
    main()
