# SPDX-License-Identifier: BSD-3-Clause
"""Halos of several boxes a process: every point, own and in the halo, by its global coordinates."""

import itertools
import random

import numpy as np
import pytest
from mpi4py import MPI

import halocline


def random_cut(numbers, mesh, ranks):
    """(rank, box) of a mesh that is cut again and again; some points belong to nobody."""
    boxes = [tuple(slice(0, n) for n in mesh)]
    for _ in range(numbers.randrange(12)):
        box = boxes.pop(numbers.randrange(len(boxes)))
        d = numbers.randrange(len(mesh))
        middle = numbers.randint(box[d].start, box[d].stop)
        for part in (slice(box[d].start, middle), slice(middle, box[d].stop)):
            if part.stop > part.start:
                boxes.append(box[:d] + (part,) + box[d + 1:])
    numbers.shuffle(boxes)
    keep = len(boxes) if numbers.random() < 0.6 else (len(boxes) + 1) // 2
    return [(numbers.randrange(ranks), box) for box in boxes[:keep]]


def painted(mesh, owned):
    """The number of each point that somebody owns; 0 for the others."""
    whole = np.arange(1, int(np.prod(mesh)) + 1).reshape(mesh)
    numbers = np.zeros(mesh, dtype=np.int64)
    for _, box in owned:
        numbers[box] = whole[box]
    return numbers


def shown(numbers, periodic, box, width):
    """What a box and its halo must show; -1 where there is nothing."""
    indices, inside = [], np.ones((), dtype=bool)
    for n, around, s, w in zip(numbers.shape, periodic, box, width):
        at = np.arange(s.start - w, s.stop + w)
        inside = np.logical_and.outer(inside, around | (at >= 0) & (at < n))
        indices.append(at % n)
    found = numbers[np.ix_(*indices)]
    return np.where(inside & (found > 0), found, -1)


def own_part(array, width):
    return array[tuple(slice(w, n - w) for n, w in zip(array.shape, width))]


@pytest.mark.parametrize("seed", range(1, 13))
def test_random_boxes_show_what_lies_there(comm, seed):
    numbers = random.Random(seed)  # the same on all processes
    dimensions = numbers.randint(1, 3)
    mesh = tuple(numbers.randint(1, (40, 12, 6)[dimensions - 1]) for _ in range(dimensions))
    periodic = tuple(numbers.random() < 0.5 for _ in mesh)
    owned = random_cut(numbers, mesh, comm.size)
    width = tuple(numbers.randint(0, 4) for _ in mesh)
    mine = [box for rank, box in owned if rank == comm.rank]
    if seed % 2 == 0:
        boxes = halocline.Boxes.gather(comm, mesh, mine, periodic=periodic)
    else:
        boxes = halocline.Boxes(mesh, owned, periodic=periodic)
        assert list(boxes) == owned
    assert len(boxes) == len(owned)
    assert [boxes[b][1] for b in boxes.of(comm.rank)] == mine
    expected = [shown(painted(mesh, owned), periodic, box, width) for box in mine]
    u = [np.full(values.shape, -1.0) for values in expected]
    v = [np.full(values.shape, -1, dtype="i4", order="F") for values in expected]
    w = [np.full((*values.shape, 2), -1, dtype="i8") for values in expected]
    for arrays in (u, v, w):
        for array, values in zip(arrays, expected):
            inner = own_part(array, width + (0,) * (array.ndim - dimensions))
            inner[...] = own_part(values, width).reshape(inner.shape[:dimensions] + (1,) * (array.ndim - dimensions))
    halo = boxes.halo(comm, u, v, w, width=width)
    del boxes
    comm.Barrier()
    if seed % 3:
        halo.exchange()
    else:
        halo.start()
        halo.test()
        halo.wait()
        assert halo.test()
    for array, values in zip(u + v, expected + expected):
        assert np.array_equal(array, values)
    for array, values in zip(w, expected):
        assert np.array_equal(array[..., 0], values) and np.array_equal(array[..., 1], values)
    halo.verify()
    assert halo.statistics.exchanges == 3
    halo.free()
    with pytest.raises(halocline.Error, match="it was freed"):
        halo.exchange()


def test_boxes_are_connected_by_hand(comm):
    last = comm.size - 1
    turned = halocline.Connection(to=1, ghosts=(slice(-1, 0), slice(0, 4)), source=0, first=(3, 3), axes=(1, 0),
                                  backwards=(False, True))
    boxes = halocline.Boxes.connect([(0, (4, 4)), (last, (4, 4))], [turned])
    a = np.pad(np.arange(16).reshape(4, 4), 1, constant_values=-1)
    b = np.pad(np.arange(16).reshape(4, 4) + 100, 1, constant_values=-1)
    arrays = [array for rank, array in ((0, a), (last, b)) if rank == comm.rank]
    before = b.copy()
    halo = boxes.halo(comm, arrays)
    halo.exchange()
    if comm.rank == last:
        # Beyond row 0 of the second lies the last column of the first, from below.
        before[0, 1:-1] = np.arange(16).reshape(4, 4)[::-1, 3]
        assert np.array_equal(b, before)
    assert np.all(a[0] == -1)
    halo.verify()


def test_sums_come_back_to_the_owners(comm):
    side = 2 * comm.size
    mine = [(slice(2 * comm.rank + i, 2 * comm.rank + i + 1), slice(0, 3)) for i in (0, 1)]
    boxes = halocline.Boxes.gather(comm, (side, 3), mine, periodic=(True, False))
    arrays = [np.full((3, 5), 1.0) for _ in mine]
    halo = boxes.halo(comm, arrays)
    halo.accumulate()
    for array in arrays:
        assert np.all(array[1, 1:-1] == 3) and array.sum() == 15 + 6  # the rows above and below have each in their halos
    halo.start_accumulate("max")
    halo.wait()
    for array in arrays:
        assert np.all(array[1, 1:-1] == 3)
    with pytest.raises(halocline.Error, match="how='mean'"):
        halo.accumulate("mean")
    letters = boxes.halo(comm, [np.zeros((3, 5), "S2") for _ in mine])
    with pytest.raises(halocline.Error, match="only replaced"):
        letters.accumulate()
    letters.accumulate("replace")


def test_directions_are_chosen(comm):
    side = 2 * comm.size
    mine = [(slice(2 * comm.rank, 2 * comm.rank + 1), slice(0, 3)), (slice(2 * comm.rank + 1, 2 * comm.rank + 2), slice(0, 3))]
    boxes = halocline.Boxes.gather(comm, (side, 3), mine, periodic=True)
    arrays = [np.full((3, 5), -1) for _ in mine]
    for box, array in zip(mine, arrays):
        array[1:-1, 1:-1] = box[0].start
    boxes.halo(comm, arrays, directions=[(1, 0)]).exchange()
    for box, array in zip(mine, arrays):
        assert np.all(array[2, 1:-1] == (box[0].start + 1) % side)
        assert np.all(array[0] == -1) and np.all(array[:, 0] == -1)


def test_what_is_wrong_on_one_process_is_refused_on_all(comm):
    last = comm.rank == comm.size - 1
    mesh, row = (2 * comm.size, 4), 2 * comm.rank
    mine = [(slice(row, row + 2), slice(0, 4))]
    for wrong, words in [([(slice(mesh[0] - 1, mesh[0] + 1), slice(0, 4))], "reaches beyond the mesh"),
                         ([(slice(row, row), slice(0, 4))], "has no points"), ([(slice(row, row + 2),)], "a slice for each"),
                         ([(slice(row, None), slice(0, 4))], "have a beginning, an end"),
                         (mine + mine, "points in common")]:
        with pytest.raises(halocline.Error, match=words):
            halocline.Boxes.gather(comm, mesh, wrong if last else mine)
    if comm.size > 1:
        with pytest.raises(halocline.Error, match="the mesh"):
            halocline.Boxes.gather(comm, (2 * comm.size, 5 if last else 4), [])
    boxes = halocline.Boxes.gather(comm, mesh, mine)
    good = np.zeros((4, 6))
    fixed = np.zeros((4, 6))
    fixed.flags.writeable = False
    for wrong, words in [([], "field 1 has 0 arrays"), ([good, good], "field 1 has 2 arrays"), ([np.zeros((4, 7))], "own points"),
                         ([[1, 2]], "is a list"), ([None], "is a NoneType"), ([fixed], "not writeable")]:
        with pytest.raises(halocline.Error, match=words):
            boxes.halo(comm, [np.zeros((4, 6))], wrong if last else [good])
    with pytest.raises(halocline.Error, match="at least one"):
        boxes.halo(comm)
    for key, value, words in [("borders", "carry", "cannot carry"), ("addresses", "any", "fixed addresses"),
                              ("sides", "x:mirror-face", "no described sides")]:
        with pytest.raises(halocline.Error, match=words):
            boxes.halo(comm, [good], **({key: value} if last else {}))
    halo = boxes.halo(comm, [good])
    halo.start()
    for refused in (halo.start, halo.exchange, halo.free, halo.verify):
        with pytest.raises(halocline.Error, match="not complete|under way"):
            refused()
    halo.wait()
    halo.verify()


def test_lists_that_cannot_be(comm):
    square = (slice(0, 2), slice(0, 2))
    with pytest.raises(halocline.Error, match="owned by rank -1"):
        halocline.Boxes((4, 4), [(-1, square)])
    with pytest.raises(halocline.Error, match="periodic"):
        halocline.Boxes((4, 4), [(0, square)], periodic=(True,))
    with pytest.raises(halocline.Error, match="own points of box 0"):
        halocline.Boxes.connect([(0, (2, 2))], [halocline.Connection(0, square, 0, (0, 0))])
    with pytest.raises(halocline.Error, match="connection 0 has"):
        halocline.Boxes.connect([(0, (2, 2))], [halocline.Connection(0, square, 0, (0,))])
    with pytest.raises(IndexError):
        halocline.Boxes((4, 4), [(0, square)])[1]
    strangers = halocline.Boxes((4, 4), [(comm.size, square)])
    with pytest.raises(halocline.Error, match="is owned by rank"):
        strangers.halo(comm, [])
    assert MPI.COMM_WORLD.allreduce(1) == comm.size
    assert list(itertools.chain(halocline.Boxes((4, 4), []))) == []


def test_slabs_of_any_sizes(comm):
    slabs = [[5], list(range(1, comm.size + 1))]
    mesh = (5, sum(slabs[1]))
    with halocline.Cart(comm, mesh, periodic=True, stencil="moore:1", halo=1, slabs=slabs) as cart:
        assert cart.dims == (1, comm.size)
        assert [cart.box(rank)[1].stop - cart.box(rank)[1].start for rank in range(comm.size)] == slabs[1]
        u = cart.field("f8")
        assert u.own.shape == (5, cart.coords[1] + 1)
        cart.halo(u).verify()
    for wrong, words in [([[4], slabs[1]], "do not make up the mesh"), ([[2, 3], slabs[1]], "processes")]:
        with pytest.raises(halocline.Error, match=words):
            halocline.Cart(comm, mesh, slabs=wrong)
    with pytest.raises(halocline.Error, match="slabs"):
        halocline.Cart(comm, mesh, slabs=slabs, fixed=(1, 0))
