# SPDX-License-Identifier: BSD-3-Clause
"""What processes have in their halos comes to the owners of the points: compared with how many halos show each of them."""

import numpy as np
import pytest

import halocline
from test_halo import CASES, own_part


def held(cart, mesh, periodic, widths):
    """For each own point how many points of halos, own point included, show it."""
    counts = np.ones((), dtype=np.int64)
    for d, box in enumerate(cart.box()):
        along = np.ones(box.stop - box.start, dtype=np.int64)
        if periodic[d] or box.start > 0:
            along[:widths[d]] += 1
        if periodic[d] or box.stop < mesh[d]:
            along[len(along) - widths[d]:] += 1
        counts = np.multiply.outer(counts, along)
    return counts


@pytest.mark.parametrize("mesh, periodic, widths", CASES)
def test_halos_come_to_their_owners(comm, mesh, periodic, widths):
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=widths)
    shape = tuple(n + 2 * w for n, w in zip(cart.shape, widths))
    pair = np.dtype([("a", "i4"), ("b", "f4", (2,))])
    arrays = [cart.field("f8"), cart.field("i4", order="F"), np.zeros((*shape, 3), "c8"), np.zeros(shape, "u2")[::-1],
              np.zeros(shape, pair)]
    halo = cart.halo(*arrays)
    numbers = [arrays[0], arrays[1], arrays[2][..., 1], arrays[3], arrays[4]["a"], arrays[4]["b"][..., 1]]
    count = held(cart, mesh, periodic, widths)
    for how in ("sum", "replace", "sum"):
        for array in numbers:
            array[...] = 3
            own_part(array, widths)[...] = 20
        cart.comm.Barrier()
        if how == "sum":
            halo.start_accumulate()
            assert all((own_part(array, widths) == 20).all() for array in numbers)
            halo.wait()
        else:
            halo.accumulate(how)
        expected_values = 20 + 3 * (count - 1) if how == "sum" else np.where(count > 1, 3, 20)
        for array in numbers:
            assert np.array_equal(own_part(array, widths), expected_values), how
            beyond = np.ones(array.shape, dtype=bool)
            own_part(beyond, widths)[...] = False
            assert (array[beyond] == 3).all()
        cart.comm.Barrier()
    real = cart.halo(arrays[0])
    real.accumulate("max")
    real.accumulate("min")
    cart.free()


def test_what_cannot_be_accumulated_is_refused(comm):
    cart = halocline.Cart(comm, (12, 16), periodic=True, stencil="moore:1", halo=1)
    flags, numbers = cart.field("?"), cart.field("c16")
    halo = cart.halo(numbers, flags)
    with pytest.raises(halocline.Error, match="field 1 has elements that cannot be added"):
        halo.accumulate()
    halo.accumulate("replace")
    with pytest.raises(halocline.Error, match="how='mean' is not known"):
        halo.accumulate("mean")
    with pytest.raises(halocline.Error, match="complex"):
        cart.halo(numbers).accumulate("min")
    backwards = np.zeros(tuple(n + 2 for n in cart.shape), ">f8")
    with pytest.raises(halocline.Error, match="field 0"):
        cart.halo(backwards).accumulate()
    halo.free()
    with pytest.raises(halocline.Error, match="freed"):
        halo.accumulate()
    cart.free()
