# SPDX-License-Identifier: BSD-3-Clause
"""Fields with one point more than there are cells: every point, own, shared and in the halo, by its global coordinates."""

import numpy as np
import pytest

import halocline


def values(cart, mesh, periodic, along, widths):
    """For each local point the number of its point in the mesh, or -1 beyond open borders; and which of them are own."""
    numbers, own = np.zeros((), dtype=np.int64), np.ones((), dtype=bool)
    for d, box in enumerate(cart.box()):
        points = mesh[d] + (d in along and not periodic[d])
        last = box.stop + (d in along and not periodic[d] and box.stop == mesh[d])
        at = np.arange(box.start - widths[d], box.stop + (d in along) + widths[d])
        inside = (at >= 0) & (at < points) | periodic[d]
        number = np.where(inside, at % points, -10**9)
        numbers = np.add.outer(numbers * points, number)
        own = np.logical_and.outer(own, (at >= box.start) & (at < last))
    return np.where(numbers < 0, -1, numbers), own


@pytest.mark.parametrize("mesh, periodic", [((17, 16), (True, False)), ((15, 16, 17), (False, True, False)), ((40,), (True,))])
def test_shared_points_are_the_owners(comm, mesh, periodic):
    dimensions = len(mesh)
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=1)
    widths = (1,) * dimensions
    sets = [(), (0,), (dimensions - 1,), tuple(range(dimensions))]
    fields = [cart.field("i8", staggered=along) for along in sets]
    arrays = [np.zeros(tuple(n + 2 + (d in along) for d, n in enumerate(cart.shape)), "i8") for along in sets]
    halo = cart.halo(*fields, *(halocline.staggered(array, along) for array, along in zip(arrays, sets)))
    for array, along in zip(fields + arrays, sets + sets):
        expected, own = values(cart, mesh, periodic, along, widths)
        assert array.shape == expected.shape
        array[...] = np.where(own, expected, -1)
    cart.comm.Barrier()
    halo.exchange()
    for array, along in zip(fields + arrays, sets + sets):
        expected, _ = values(cart, mesh, periodic, along, widths)
        assert np.array_equal(array, expected), along
    assert fields[-1].own.shape == tuple(n + 1 for n in cart.shape)
    halo.verify()
    cart.free()


def test_what_cannot_be_staggered_is_refused(comm):
    cart = halocline.Cart(comm, (12, 16), stencil="moore:1", halo=1)
    with pytest.raises(halocline.Error, match="along dimension 2; the mesh has 2"):
        cart.field(staggered=[2])
    with pytest.raises(halocline.Error, match="twice"):
        cart.field(staggered=[1, 1])
    cells = np.zeros(tuple(n + 2 for n in cart.shape))
    with pytest.raises(halocline.Error, match="own points"):
        cart.halo(halocline.staggered(cells, [0]))
    with pytest.raises(halocline.Error, match="-1"):
        cart.halo(halocline.staggered(cells, [-1]))
    faces = np.zeros((cart.shape[0] + 3, cart.shape[1] + 2))
    halo = cart.halo((halocline.staggered(faces, [0]), halocline.staggered(faces.copy(), [0])))
    halo.exchange(halocline.staggered(faces, [0]))
    cart.free()
