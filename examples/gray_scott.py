#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two substances that react and diffuse (Gray and Scott), on a periodic mesh, with a picture at the end:

    mpirun -n 4 python3 examples/gray_scott.py --points 256 --steps 3000 --picture gray_scott.png

Each process owns a part of the mesh. In every step it exchanges the halos of both fields, then computes the next ones. The result does
not depend on the number of processes: the sum of all values is printed to the last bit."""

import argparse
import struct
import zlib

import numpy as np
from mpi4py import MPI

import halocline

FEED, KILL, DIFFUSION_U, DIFFUSION_V = 0.037, 0.060, 0.16, 0.08


def laplacian(f, out):
    """Of the own points: the four neighbours less four times the point."""
    np.add(f[:-2, 1:-1], f[2:, 1:-1], out=out)
    out += f[1:-1, :-2]
    out += f[1:-1, 2:]
    out -= 4 * f[1:-1, 1:-1]
    return out


def step(u, v, du, dv):
    laplacian(u, du)
    laplacian(v, dv)
    reaction = u.own * v.own**2
    u.own[...] += DIFFUSION_U * du - reaction + FEED * (1 - u.own)
    v.own[...] += DIFFUSION_V * dv + reaction - (FEED + KILL) * v.own


def write_png(path, values):
    """Greys, eight bits each."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = values.shape
    pixels = (255 * (values - values.min()) / (np.ptp(values) or 1)).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--points", type=int, default=128, help="along each side of the mesh")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--picture", metavar="FILE", help="write the second substance as PNG")
    words = parser.parse_args()

    mesh = (words.points, words.points)
    cart = halocline.Cart(MPI.COMM_WORLD, mesh, periodic=True, stencil="nearest")
    u, v = cart.field(), cart.field()
    halo = cart.halo(u, v)

    # A square of the second substance in the middle, worked out from global coordinates.
    x, y = np.ogrid[cart.box()]
    middle = (abs(x - words.points // 2) < words.points // 16 + 2) & (abs(y - words.points // 2) < words.points // 16 + 2)
    u.own[...] = np.where(middle, 0.5, 1.0)
    v.own[...] = np.where(middle, 0.25, 0.0)

    du, dv = np.empty(cart.shape), np.empty(cart.shape)
    begin = MPI.Wtime()
    for _ in range(words.steps):
        halo.exchange()
        step(u, v, du, dv)
    seconds = MPI.Wtime() - begin

    parts = cart.comm.gather((cart.box(), v.own.copy()), root=0)
    if cart.rank == 0:
        whole = np.empty(mesh)
        for box, part in parts:
            whole[box] = part
        print(f"{cart.comm.size} processes as {'x'.join(map(str, cart.dims))}, {words.steps} steps, "
              f"sum {float(np.sum(whole)).hex()}, {1e6 * seconds / max(words.steps, 1):.0f} us a step")
        if words.picture:
            write_png(words.picture, whole)


if __name__ == "__main__":
    main()
