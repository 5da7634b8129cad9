# SPDX-License-Identifier: BSD-3-Clause
"""Halos of numpy arrays: every point is compared with what its global coordinates say."""

import gc
import itertools
import pickle
import random
import weakref

import numpy as np
import pytest
from mpi4py import MPI

import halocline


def expected(cart, mesh, periodic, widths, dtype=np.int64):
    """The number of each point of this process and its halo, row by row; -1 beyond open borders."""
    axes, inside = [], []
    for d, box in enumerate(cart.box()):
        axis = np.arange(box.start - widths[d], box.stop + widths[d])
        inside.append(np.full(axis.shape, True) if periodic[d] else (axis >= 0) & (axis < mesh[d]))
        axes.append(axis % mesh[d])
    number = np.zeros([len(a) for a in axes], dtype=np.int64)
    valid = np.ones_like(number, dtype=bool)
    for d, axis in enumerate(axes):
        side = [1] * len(axes)
        side[d] = -1
        number = number * mesh[d] + axis.reshape(side)
        valid &= inside[d].reshape(side)
    return np.where(valid, number, -1).astype(dtype)


def own_part(array, widths):
    return array[tuple(slice(w, n - w) for w, n in zip(widths, array.shape))]


def fill(array, values, widths):
    array[...] = -1
    own_part(array, widths)[...] = own_part(values, widths)


def reached(widths, shape, directions):
    """Which points of an array the directions fill, own ones included."""
    mask = np.zeros(shape, dtype=bool)
    for direction in [(0,) * len(widths), *directions]:
        part = []
        for d, w in zip(direction, widths):
            part.append({-1: slice(0, w), 0: slice(w, -w or None), 1: slice(-w or None, None) if w else slice(0, 0)}[d])
        mask[tuple(part)] = True
    return mask


CASES = [
    ((24,), (True,), (1,)),
    ((16, 21), (True, False), (1, 1)),
    ((18, 16), (False, False), (2, 1)),
    ((12, 14, 16), (True, True, False), (1, 1, 1)),
    ((16, 9, 12), (False, True, True), (1, 2, 1)),
]


@pytest.mark.parametrize("mesh, periodic, widths", CASES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_field_sees_its_neighbours(comm, mesh, periodic, widths, order):
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=widths)
    assert np.prod(cart.dims) == comm.size and cart.coords == tuple(cart.comm.Get_coords(cart.rank))
    u = cart.field("i8", order=order)
    assert isinstance(u, np.ndarray) and u.own.shape == cart.shape
    assert u.shape == tuple(n + 2 * w for n, w in zip(cart.shape, widths)) and not u.any()
    assert u.strides[0 if order == "F" else -1] == u.itemsize, "points that lie side by side"
    values = expected(cart, mesh, periodic, widths)
    halo = cart.halo(u)
    for _ in range(3):
        fill(u, values, widths)
        halo.exchange()
        assert np.array_equal(u, values)
    halo.verify()
    assert np.array_equal(u, values)
    cart.free()


@pytest.mark.parametrize("mesh, periodic, widths", CASES)
def test_arrays_of_every_layout_at_once(comm, mesh, periodic, widths):
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=widths)
    shape = tuple(n + 2 * w for n, w in zip(cart.shape, widths))
    pair = np.dtype([("a", "i2"), ("b", "f8")])
    c, f = np.zeros(shape, "f4"), np.zeros(shape, "i8", order="F")
    strided = np.zeros(tuple(2 * n for n in shape), "i8")[tuple(slice(None, None, 2) for _ in shape)]
    backwards = np.zeros(shape, "i4")[::-1]
    components, structured = np.zeros((*shape, 3), "f8"), np.zeros(shape, pair)
    arrays = [c, f, strided, backwards, components, structured]
    values = expected(cart, mesh, periodic, widths)
    halo = cart.halo(*arrays)
    halo.start()
    halo.wait()
    for array in arrays:
        if array is structured:
            fill(structured["a"], values.astype("i2"), widths)
            fill(structured["b"], values, widths)
        elif array is components:
            for i in range(3):
                fill(components[..., i], values + i * (values >= 0), widths)
        else:
            fill(array, values, widths)
    halo.start()
    while not halo.test():
        pass
    for array in (c, f, strided, backwards):
        assert np.array_equal(array, values), array.strides
    assert np.array_equal(structured["a"], values.astype("i2")) and np.array_equal(structured["b"], values)
    for i in range(3):
        assert np.array_equal(components[..., i], values + i * (values >= 0))
    cart.free()


@pytest.mark.parametrize("directions", ["faces", "all", [(1, 0), (-1, 0)], [(1, 0), (-1, 1)], None])
def test_directions(comm, directions):
    mesh, widths = (12, 16), (1, 1)
    cart = halocline.Cart(comm, mesh, periodic=True, stencil="nearest", halo=1)
    u, values = cart.field("i4"), expected(cart, mesh, (True, True), widths, "i4")
    fill(u, values, widths)
    cart.halo(u, directions=directions).exchange()
    every = [d for d in itertools.product((-1, 0, 1), repeat=2) if any(d)]
    faces = [d for d in every if 0 in d]
    filled = reached(widths, u.shape, {"faces": faces, "all": every, None: faces}.get(directions) if not isinstance(
        directions, list) else directions)
    assert np.array_equal(u, np.where(filled, values, -1))
    cart.free()


def dimension_by_dimension(comm, array, widths):
    """What programs do that have no library: whole planes, ghost points included, along one dimension after the other."""
    for d, w in enumerate(widths):
        down, up = comm.Shift(d, 1)
        plane = lambda first: array[tuple(slice(first, first + w) if i == d else slice(None) for i in range(len(widths)))]
        last = array.shape[d] - w
        for to, source, sent, received in ((up, down, last - w, 0), (down, up, w, last)):
            arrived = np.ascontiguousarray(plane(received))
            comm.Sendrecv(np.ascontiguousarray(plane(sent)), to, recvbuf=arrived, source=source)
            plane(received)[...] = arrived


@pytest.mark.parametrize("mesh, periodic, widths", CASES)
def test_points_beyond_open_borders(comm, mesh, periodic, widths):
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=widths)
    u, v = cart.field("i8"), np.zeros(tuple(n + 2 * w for n, w in zip(cart.shape, widths)), "i8", order="F")
    before = np.arange(u.size).reshape(u.shape) + 1000000 * (1 + cart.rank)
    after = before.copy()
    dimension_by_dimension(cart.comm, after, widths)
    halo = cart.halo(u, v, borders="carry")
    u[...] = v[...] = before
    halo.exchange()
    assert np.array_equal(u, after) and np.array_equal(v, after)
    for keep in (cart.halo(u), cart.halo(u, borders="keep")):
        u[...] = before
        keep.exchange()
        assert np.array_equal(u, np.where(expected(cart, mesh, periodic, widths) >= 0, after, before))
    cart.free()


def test_borders_of_the_mesh(comm):
    """A mirror on the left, a fold on top, against one array of the whole mesh."""
    m, n = 6, 2 * comm.size + 1
    cart = halocline.Cart(comm, (m, n), periodic=(True, False), stencil="moore:1", halo=(1, 1))
    u, v = cart.field("f8"), cart.field("i4")
    x, y = cart.box()
    own = (slice(1, -1), slice(1, -1))
    number = 10 * (1 + np.arange(m))[:, None] + np.arange(n)[None, :] + 0.0
    whole = np.zeros((m + 2, n + 2))
    whole[own] = number
    whole[1:-1, 0] = -number[:, 0]
    whole[1:-1, -1] = number[-np.arange(m) % m, n - 2]
    whole[0], whole[-1] = whole[-2], whole[1]
    here = whole[x.start:x.stop + 2, y.start:y.stop + 2]
    u[own] = v[own] = here[own]
    halo = cart.halo(u, v, sides="y-:mirror-face:odd=0 y+:fold-t@x")
    halo.exchange()
    assert np.array_equal(u, here) and np.array_equal(v, np.abs(here))
    halo.verify()
    cart.free()
    with pytest.raises(Exception, match="mirror-point"):
        other = halocline.Cart(comm, (m, n), periodic=(True, False))
        other.halo(other.field(), sides="y:nonsense")


def test_random_meshes(comm):
    chance = random.Random(20261118 + comm.size)
    for _ in range(25):
        dimensions = chance.choice([1, 2, 2, 3, 3, 4])
        widths = tuple(chance.randint(0, 2) for _ in range(dimensions))
        mesh = tuple(chance.randint(2 * comm.size, 2 * comm.size + 9) for _ in range(dimensions)) if dimensions < 4 else tuple(
            chance.randint(2 * comm.size, 2 * comm.size + 1) for _ in range(4))
        periodic = tuple(chance.random() < 0.5 for _ in range(dimensions))
        cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1", halo=widths, reorder=chance.random() < 0.5)
        dtypes = [chance.choice(["i1", "i2", "i4", "i8", "f4", "f8", "c16"]) for _ in range(chance.randint(1, 3))]
        orders = [chance.choice("CF") for _ in dtypes]
        shape = tuple(n + 2 * w for n, w in zip(cart.shape, widths))
        arrays = [cart.field(t, order=o) if chance.random() < 0.5 else np.zeros(shape, t, order=o) for t, o in zip(dtypes, orders)]
        halo = cart.halo(*arrays, directions="all", shared=chance.choice([None, "on", "off", "buffered"]))
        values = expected(cart, mesh, periodic, widths)
        for _ in range(2):
            for array in arrays:
                fill(array, values.astype(array.dtype), widths)
            halo.exchange()
            for array in arrays:
                assert np.array_equal(array, values.astype(array.dtype)), (mesh, periodic, widths, array.dtype, array.strides)
        cart.free()


@pytest.mark.parametrize("shared", ["on", "off"])
def test_arrays_that_change_places(comm, shared):
    mesh, periodic, widths = (12, 14), (True, False), (1, 1)
    cart = halocline.Cart(comm, mesh, periodic=periodic, stencil="moore:1")
    shape = tuple(n + 2 for n in cart.shape)
    now, following, third = cart.field("i4"), np.zeros(shape, "i4"), np.zeros(shape, "i4", order="F")
    other, another = np.zeros(shape, "f8"), np.zeros(shape, "f8")
    halo = cart.halo((now, following, third), (other, another), shared=shared)
    values = expected(cart, mesh, periodic, widths)
    for step in range(7):
        names = [now, following, third, other, another]
        for i, array in enumerate(names):
            fill(array, (values + 1000 * i).astype(array.dtype), widths)
        if step % 2:
            halo.start(now, other)
            halo.wait()
        else:
            halo.exchange(now, other)
        for i, array in enumerate(names):
            wanted = np.where(values >= 0, values + 1000 * i, -1).astype(array.dtype)
            if array is now or array is other:
                assert np.array_equal(array, wanted), step
            else:  # nobody touched it
                halo_part = np.ones(shape, dtype=bool)
                own_part(halo_part, widths)[...] = False
                assert (array[halo_part] == -1).all(), step
        now, following, third = following, third, now
        other, another = another, other
    with pytest.raises(halocline.Error, match="2"):
        halo.exchange(now)
    with pytest.raises(halocline.Error):
        halo.exchange(np.zeros(shape, "i4"), other)  # of which the halo was never told
    halo.exchange(now, other)
    halo.verify()
    cart.free()


def test_the_verifier_names_a_wrong_point(comm):
    cart = halocline.Cart(comm, (12, 14), periodic=True, stencil="moore:1")
    shape = tuple(n + 2 for n in cart.shape)
    memory = np.zeros(np.prod(shape) + 1)
    one, other = memory[:-1].reshape(shape), memory[1:].reshape(shape)  # each lies one point behind the other
    refused(r"field 0 of the process at .* holds a wrong value at its point", cart.halo(one, other).verify)
    cart.halo(one).verify()
    cart.free()


def test_the_grid_is_chosen_for_the_widths(comm):
    side, p = 10 * comm.size, comm.size
    for widths, dims in (((8, 1), (1, p)), ((1, 8), (p, 1))):
        with halocline.Cart(comm, (side, side), stencil="moore:1", halo=widths) as cart:
            assert cart.dims == dims, widths


def test_boxes_and_owners(comm):
    mesh = (13, 17)
    cart = halocline.Cart(comm, mesh, periodic=(True, False))
    seen = np.zeros(mesh, dtype="i4")
    for rank in range(comm.size):
        seen[cart.box(rank)] += 1
        assert cart.owner([s.start for s in cart.box(rank)]) == rank
    assert (seen == 1).all()
    assert cart.owner((-1, 0)) == cart.owner((12, 0)) and cart.owner((0, 17)) is None
    cart.free()


def test_statistics_and_schedule(comm):
    with halocline.Cart(comm, (24, 24), periodic=True, stencil="moore:1") as cart:
        halo = cart.halo(cart.field(), cart.field("f4"), statistics=True)
        for _ in range(5):
            halo.exchange()
        numbers = halo.statistics
        assert numbers.exchanges == 5 and numbers.timed
        assert numbers.self_bytes + numbers.node_bytes + numbers.network_bytes > 0
        assert halo.schedule in ("direct", "node", "mixed", "torus", "torus-direct", "basis")
        assert halo.report().startswith("5 exchanges by " + halo.schedule)


def test_a_halo_tells_its_plan(comm):
    with halocline.Cart(comm, (24, 24), periodic=True, stencil="moore:1") as cart:
        halo = cart.halo(cart.field())
        plan = halo.plan()
        assert plan.schedule == halo.schedule
        assert plan.data["format"]["name"] == "halocline plan" and str(plan) == plan.text
        assert "x".join(map(str, plan.grid)) in plan.text
        halo.free()
        with pytest.raises(halocline.Error):
            halo.plan()


def test_a_halo_keeps_its_arrays(comm):
    cart = halocline.Cart(comm, (16, 16), periodic=True)
    arrays = [np.full(tuple(n + 2 for n in cart.shape), 7.0) for _ in range(2)]
    seen = [weakref.ref(array) for array in arrays]
    halo = cart.halo(tuple(arrays))
    del arrays
    gc.collect()
    assert all(array() is not None for array in seen)
    halo.exchange(seen[1]())
    del halo
    gc.collect()
    assert all(array() is None for array in seen)
    cart.free()


def test_slices_and_copies_of_a_field(comm):
    with halocline.Cart(comm, (16, 16)) as cart:
        u = cart.field()
        u += 1
        assert isinstance(u, halocline.Field) and (u == 1).all() and u.own.shape == cart.shape
        with pytest.raises(halocline.Error, match="no halo"):
            (u + 1).own
        again = pickle.loads(pickle.dumps(u))
        assert np.array_equal(again, u)
        view = u[1:]
        del u
        assert (view == 1).all()  # the memory stays as long as somebody sees it


def refused(match, call):
    """All processes refuse, with the same words."""
    with pytest.raises(halocline.Error, match=match) as caught:
        call()
    texts = MPI.COMM_WORLD.allgather(str(caught.value))
    assert len(set(texts)) == 1, texts


def test_refusals_are_alike_on_all_ranks(comm):
    refused("stencil 'more:1'", lambda: halocline.Cart(comm, (8, 8), stencil="more:1"))
    refused("halo=.1, 1. has 2 entries", lambda: halocline.Cart(comm, (8, 8, 8), halo=[1, 1]))
    refused("0", lambda: halocline.Cart(comm, (0, 8)))
    refused("not a placement|no placement|fast", lambda: halocline.Cart(comm, (32, 32), place="fast"))
    cart = halocline.Cart(comm, (32, 32))
    refused("order='A'", lambda: cart.field(order="A"))
    refused("Python objects", lambda: cart.field(dtype=object))
    refused("no arrays", cart.halo)
    refused("list is not an array", lambda: cart.halo([1, 2, 3]))
    refused("", lambda: cart.halo((np.zeros(tuple(n + 2 for n in cart.shape)), cart.field("i2"))))
    refused("directions='edges'", lambda: cart.halo(cart.field(), directions="edges"))
    refused("halocline_borders is \"drop\"", lambda: cart.halo(cart.field(), borders="drop"))
    refused("has 3 dimensions, the mesh 2", lambda: cart.halo(cart.field(), directions=[(1, 0, 0)]))
    # One process alone has an array of another shape: all hear of it.
    shape = tuple(n + 2 for n in cart.shape)
    wrong = np.zeros((shape[0] + (comm.rank == comm.size - 1), shape[1]))
    refused("it begins with", lambda: cart.halo(wrong))
    fixed = np.zeros(shape)
    fixed.flags.writeable = False
    refused("not writeable", lambda: cart.halo(fixed))
    refused("side by side", lambda: cart.halo(np.zeros((*shape, 4))[..., ::2]))
    halo = cart.halo(cart.field())
    halo.start()
    with pytest.raises(halocline.Error):
        halo.start()
    with pytest.raises(halocline.Error):
        halo.free()
    halo.wait()
    halo.free()
    for call in (halo.exchange, halo.start, halo.wait, halo.test, halo.verify):
        with pytest.raises(halocline.Error, match="freed"):
            call()
    cart.free()
    with pytest.raises(halocline.Error, match="freed"):
        cart.field()
