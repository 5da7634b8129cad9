# SPDX-License-Identifier: BSD-3-Clause
"""Halos of arrays at any address, told at the call."""

import gc
import random
import weakref

import numpy as np
import pytest
from mpi4py import MPI

import halocline
from test_halo import expected, fill, own_part

MESH, PERIODIC, WIDTHS = (16, 12, 9), (True, False, True), (1, 2, 1)


@pytest.fixture
def cart(comm):
    with halocline.Cart(comm, MESH, periodic=PERIODIC, stencil="moore:1", halo=WIDTHS) as made:
        yield made


def whole_shape(cart):
    return tuple(n + 2 * w for n, w in zip(cart.shape, WIDTHS))


def looks_like(array):
    """A new array of the same shape, strides and dtype."""
    order = "F" if array.flags.f_contiguous else "C"
    return np.empty(array.shape, array.dtype, order=order)


def test_new_arrays_at_every_call(comm, cart):
    numbers = random.Random(4711 + comm.rank)  # addresses are everybody's own business
    values = expected(cart, MESH, PERIODIC, WIDTHS)
    c, f = np.zeros(whole_shape(cart), "f8"), np.zeros(whole_shape(cart), "i4", order="F")
    halo = cart.halo(c, f, addresses="any")
    pools = [[c], [f]]
    for step in range(40):
        told = []
        for pool in pools:
            if numbers.random() < 0.5:
                pool.append(looks_like(pool[0]))
            told.append(numbers.choice(pool))
            fill(told[-1], values + step * (values >= 0), WIDTHS)
        untouched = [(array, array.copy()) for pool in pools for array in pool if not any(array is t for t in told)]
        if step % 3 == 0:
            halo.exchange(*told)
        else:
            halo.start(*told)
            if step % 3 == 1:
                halo.wait()
            while not halo.test():
                pass
        for array in told:
            assert np.array_equal(array, np.where(values >= 0, values + step, -1).astype(array.dtype)), step
        for array, before in untouched:
            assert np.array_equal(array, before, equal_nan=array.dtype.kind == "f"), step
    halo.verify()


def test_fields_of_the_library(comm, cart):
    u, v = cart.field("f8"), cart.field("f8")
    values = expected(cart, MESH, PERIODIC, WIDTHS, "f8")
    halo = cart.halo(u, addresses="any")
    for field in (v, u, v):
        fill(field, values, WIDTHS)
        halo.exchange(field)
        assert np.array_equal(field, values)


def test_the_last_arrays_are_kept_until_others_are_told(comm, cart):
    shape, values = whole_shape(cart), expected(cart, MESH, PERIODIC, WIDTHS, "f8")
    halo = cart.halo(np.zeros(shape), addresses="any")
    array = values.copy()
    halo.exchange(array)
    seen = weakref.ref(array)
    del array
    gc.collect()
    own_part(seen(), WIDTHS)[...] += 1
    halo.exchange()  # the same again
    assert np.array_equal(seen(), np.where(values >= 0, values + 1, -1))
    halo.exchange(np.zeros(shape))
    gc.collect()
    assert seen() is None


def test_what_does_not_look_like_it_is_refused(comm, cart):
    shape = whole_shape(cart)
    first = np.zeros(shape)
    other = np.zeros(shape, "i4")
    halo = cart.halo(first, other, addresses="any")
    longer = (shape[0] + 1, *shape[1:])
    fixed = np.zeros(shape)
    fixed.flags.writeable = False
    for wrong, words in [(np.zeros(shape, "f4"), "array 0 has elements float32 now; the halo was made for float64"),
                         (np.zeros(longer), "array 0 has the shape"), (np.zeros(shape, order="F"), "array 0 has the strides"),
                         (np.zeros((*shape, 1)), "array 0 has the shape"), (fixed, "array 0 is not writeable"),
                         ([1, 2], "array 0 is a list"), (None, "array 0 is a NoneType")]:
        with pytest.raises(halocline.Error, match=words):
            halo.exchange(wrong, other)
        with pytest.raises(halocline.Error, match=words):
            halo.start(wrong, other)
    with pytest.raises(halocline.Error, match="1 arrays for a halo of 2"):
        halo.exchange(first)
    pool = np.zeros(2 * first.size)
    with pytest.raises(halocline.Error, match="have memory in common"):
        cart_halo = cart.halo(first, np.zeros(shape), addresses="any")
        cart_halo.exchange(pool[:first.size].reshape(shape), pool[1:first.size + 1].reshape(shape))
    halo.exchange(first, other)
    halo.verify()


def test_fixed_halos_take_no_other(comm, cart):
    halo = cart.halo(np.zeros(whole_shape(cart)), addresses="fixed")
    with pytest.raises(halocline.Error, match="addresses"):
        halo.exchange(np.zeros(whole_shape(cart)))
    with pytest.raises(halocline.Error, match='halocline_addresses is "some"'):
        cart.halo(np.zeros(whole_shape(cart)), addresses="some")
    assert MPI.COMM_WORLD.allreduce(1) == comm.size
