# SPDX-License-Identifier: BSD-3-Clause
"""Halos of processes that own several boxes of points, of any sizes."""

import ctypes
import dataclasses
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy
from mpi4py import MPI

from . import _library as lib
from ._device import memory_of
from ._errors import Error
from ._halo import Directions, Statistics, _attached, _directions, _way, statistics_of

Box = Sequence[slice]
Widths = Union[int, Sequence[int]]


@dataclasses.dataclass(frozen=True)
class Connection:
    """Ghost points of box `to` that show own points of box `source`. Boxes are told by their number.

    `ghosts` are slices for each dimension, counted from the first own point of `to`: (slice(-1, 0), slice(0, 4)). The first of them
    shows the point `first` of `source`, counted from its first own point. What follows along dimension d goes along dimension
    `axes[d]` of `source`, backwards where `backwards[d]`; without `axes` along itself.
    """

    to: int
    ghosts: Sequence[slice]
    source: int
    first: Sequence[int]
    axes: Optional[Sequence[int]] = None
    backwards: Optional[Sequence[bool]] = None


def _corners(box: Box, dimensions: int, name: str) -> Tuple[List[int], List[int]]:
    """The first point of a box, and its extents."""
    slices = tuple(box)
    if len(slices) != dimensions or not all(isinstance(s, slice) for s in slices):
        raise Error(f"{name} is {box!r}; it is a slice for each of {dimensions} dimensions")
    for s in slices:
        if s.start is None or s.stop is None or s.step not in (None, 1):
            raise Error(f"{name} has {s!r}; slices of boxes have a beginning, an end and no step")
    return [int(s.start) for s in slices], [int(s.stop) - int(s.start) for s in slices]


def _lists(boxes: Sequence[Box], dimensions: int) -> Tuple[ctypes.Array, ctypes.Array]:
    corners = [_corners(box, dimensions, f"box {i}") for i, box in enumerate(boxes)]
    return (lib.counts([x for first, _ in corners for x in first]), lib.counts([x for _, extents in corners for x in extents]))


def _periods(periodic: Union[bool, Sequence[bool]], dimensions: int) -> ctypes.Array:
    each = (periodic,) * dimensions if isinstance(periodic, (bool, int, numpy.integer)) else tuple(periodic)
    if len(each) != dimensions:
        raise Error(f"periodic={periodic!r} has {len(each)} entries, the mesh {dimensions} dimensions")
    return lib.ints([int(bool(x)) for x in each])


def _agree(comm: MPI.Comm, error: Optional[Error]) -> None:
    """All processes raise, or none: one that raised alone would leave the others waiting. Collective."""
    refusals = [text for text in comm.allgather(None if error is None else str(error)) if text is not None]
    if refusals:
        raise Error(refusals[0])


class Boxes:
    """The boxes of all processes: each may own any number, of any sizes, none too. A box is a tuple of slices, as `Cart.box()` has them.

    `mesh` is the global number of points along each dimension, `boxes` a list of (rank, box) that all processes know, and `periodic`
    has an entry for each dimension, or one for all. There may be points that nobody owns. Local; see `gather` and `connect`.
    """

    def __init__(self, mesh: Sequence[int], boxes: Sequence[Tuple[int, Box]], *,
                 periodic: Union[bool, Sequence[bool]] = False) -> None:
        mesh = tuple(int(x) for x in mesh)
        first, extents = _lists([box for _, box in boxes], len(mesh))
        made = ctypes.c_void_p()
        lib.check(lib.library.HCL_Boxes_create(
            len(mesh), lib.counts(mesh), _periods(periodic, len(mesh)), len(boxes), lib.ints([int(rank) for rank, _ in boxes]),
            first, extents, ctypes.byref(made)))
        self._take(made, len(mesh))

    @classmethod
    def gather(cls, comm: MPI.Comm, mesh: Sequence[int], own: Sequence[Box], *,
               periodic: Union[bool, Sequence[bool]] = False) -> "Boxes":
        """What all processes say that they own of a mesh, process after process: `own` of the calling one. Collective."""
        error: Optional[Error] = None
        try:
            mesh = tuple(int(x) for x in mesh)
            first, extents = _lists(own, len(mesh))
            periods = _periods(periodic, len(mesh))
        except Error as refused:
            error = refused
        _agree(comm, error)
        made = ctypes.c_void_p()
        handler = comm.Get_errhandler()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            lib.check(lib.library.HCL_Boxes_gather(lib.handle(comm), len(mesh), lib.counts(mesh), periods, len(own), first, extents,
                                                   ctypes.byref(made)))
        finally:
            comm.Set_errhandler(handler)
        return cls.__new__(cls)._take(made, len(mesh))

    @classmethod
    def connect(cls, boxes: Sequence[Tuple[int, Sequence[int]]], connections: Sequence[Connection]) -> "Boxes":
        """Boxes that lie in no mesh: a list of (rank, extents) that all processes know, and what their halos show. Local."""
        if not boxes:
            raise Error("no boxes; connections need some")
        dimensions = len(tuple(boxes[0][1]))
        for i, (_, extents) in enumerate(boxes):
            if len(tuple(extents)) != dimensions:
                raise Error(f"box {i} has extents {extents!r}; it needs {dimensions}")
        for i, c in enumerate(connections):
            for row in (c.first, c.axes, c.backwards):
                if row is not None and len(row) != dimensions:
                    raise Error(f"connection {i} has {row!r}; it needs {dimensions} entries")
        ghosts = [_corners(c.ghosts, dimensions, f"connection {i}") for i, c in enumerate(connections)]
        made = ctypes.c_void_p()
        lib.check(lib.library.HCL_Boxes_connect(
            dimensions, len(boxes), lib.ints([int(rank) for rank, _ in boxes]),
            lib.counts([int(x) for _, extents in boxes for x in extents]), len(connections), lib.ints([int(c.to) for c in connections]),
            lib.counts([x for first, _ in ghosts for x in first]), lib.counts([x for _, extents in ghosts for x in extents]),
            lib.ints([int(c.source) for c in connections]), lib.counts([int(x) for c in connections for x in c.first]),
            lib.ints([int(x) for c in connections for x in (range(dimensions) if c.axes is None else c.axes)]),
            lib.ints([int(bool(x)) for c in connections for x in ((False,) * dimensions if c.backwards is None else c.backwards)]),
            ctypes.byref(made)))
        return cls.__new__(cls)._take(made, dimensions)

    def _take(self, made: ctypes.c_void_p, dimensions: int) -> "Boxes":
        self._owned = lib.Owned(made, lib.library.HCL_Boxes_free)
        self.dimensions = dimensions
        count = ctypes.c_int()
        lib.check(lib.library.HCL_Boxes_size(made, ctypes.byref(count)))
        self._count = count.value
        return self

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Tuple[int, Tuple[slice, ...]]:
        """The rank that owns a box, and the box."""
        if not 0 <= number < self._count:
            raise IndexError(f"box {number} of {self._count}")
        owner = ctypes.c_int()
        first, extents = (ctypes.c_int64 * self.dimensions)(), (ctypes.c_int64 * self.dimensions)()
        lib.check(lib.library.HCL_Boxes_get(self._owned.value, number, self.dimensions, ctypes.byref(owner), first, extents))
        return owner.value, tuple(slice(a, a + n) for a, n in zip(first, extents))

    def of(self, rank: int) -> List[int]:
        """The numbers of the boxes that a process owns, increasing."""
        return [number for number, (owner, _) in enumerate(self) if owner == rank]

    def halo(self, comm: MPI.Comm, *fields: Sequence[numpy.ndarray], width: Widths = 1, directions: Directions = None,
             **options: Any) -> "BoxHalo":
        """The halos of some fields, which are exchanged together. Each field is a list of arrays, one for each box that this process
        owns in the order of their numbers. The first dimensions of an array are the points of the box with `width` more on either
        side; further ones are components. `directions` is "faces", "all", a list of offsets of -1, 0 and 1, or None: all. Further
        words are keys of the library: shared=False, statistics=True. Collective."""
        return BoxHalo(comm, self, fields, width, directions, options)

    def __repr__(self) -> str:
        return f"<halocline.Boxes: {self._count} of {self.dimensions} dimensions>"


class BoxHalo:
    """The halos of some fields on boxes, exchanged together. Made by `Boxes.halo()`, which is collective.

    Keeps the arrays alive. Freed when nobody refers to it any more, or by `free()`.
    """

    def __init__(self, comm: MPI.Comm, boxes: Boxes, fields: Sequence[Sequence[numpy.ndarray]], width: Widths,
                 directions: Directions, options: "dict[str, Any]") -> None:
        error: Optional[Error] = None
        attached: List[lib.Owned] = []
        count, chosen, own = 0, None, []
        try:
            widths = (width,) * boxes.dimensions if isinstance(width, (int, numpy.integer)) else tuple(int(w) for w in width)
            if len(widths) != boxes.dimensions:
                raise Error(f"width={width!r} has {len(widths)} entries, the boxes {boxes.dimensions} dimensions")
            count, chosen = _directions(directions, boxes.dimensions)
            own = boxes.of(comm.Get_rank())
            attached = [field for f, arrays in enumerate(fields) for field in self._fields_of(f, arrays, boxes, own, widths)]
        except Error as refused:
            error = refused
        _agree(comm, error)
        made, info = ctypes.c_void_p(), lib.info_of(options)
        handles = (ctypes.c_void_p * len(attached))(*(field.value.value for field in attached))
        handler = comm.Get_errhandler()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            lib.check(lib.library.HCL_Box_halo_create(
                lib.handle(comm), boxes._owned.value, len(fields), len(own), handles, count, chosen, lib.handle(info),
                ctypes.byref(made)))
        finally:
            comm.Set_errhandler(handler)
            if info != MPI.INFO_NULL:
                info.Free()
        self._fields, self._arrays, self._comm = attached, [list(arrays) for arrays in fields], comm
        self._owned = lib.Owned(made, lib.library.HCL_Box_halo_free)
        self._pointer = made
        lib.end_before_mpi(self)

    @staticmethod
    def _fields_of(number: int, arrays: Sequence[numpy.ndarray], boxes: Boxes, own: Sequence[int],
                  widths: Sequence[int]) -> List[lib.Owned]:
        arrays = [arrays] if isinstance(arrays, numpy.ndarray) else list(arrays)
        if len(arrays) != len(own):
            raise Error(f"field {number} has {len(arrays)} arrays; this process owns {len(own)} boxes")
        made = []
        for box, array in zip(own, arrays):
            if not isinstance(array, numpy.ndarray):
                raise Error(f"field {number} on box {box} is a {type(array).__name__}, not an array of numpy")
            cells = [s.stop - s.start for s in boxes[box][1]]
            made.append(_attached(memory_of(array), cells, widths, ()))
        return made

    def exchange(self) -> None:
        """Fills the halos."""
        lib.check(lib.library.HCL_Box_halo_exchange(self._alive()))

    def start(self) -> None:
        """Begins an exchange. Until `wait()` own points must not change and halos not be touched."""
        lib.check(lib.library.HCL_Box_halo_start(self._alive()))

    def wait(self) -> None:
        """Until the exchange that was started is complete."""
        lib.check(lib.library.HCL_Box_halo_wait(self._alive()))

    def test(self) -> bool:
        """Is nothing under way any more? If something is, it moves on."""
        flag = ctypes.c_int()
        lib.check(lib.library.HCL_Box_halo_test(self._alive(), ctypes.byref(flag)))
        return bool(flag.value)

    def accumulate(self, how: str = "sum") -> None:
        """The other way round: what all boxes have in their halos comes to the owners of these points, which add it to what they have,
        or take the least ("min"), the largest ("max"), or the last of them ("replace"), in the order of the boxes. Halos stay as they
        are. Collective the first time."""
        lib.check(lib.library.HCL_Box_halo_accumulate(self._alive(), _way(how)))

    def start_accumulate(self, how: str = "sum") -> None:
        """Begins it. Until `wait()` halos must not change; own points change then, not before."""
        lib.check(lib.library.HCL_Box_halo_start_accumulate(self._alive(), _way(how)))

    def verify(self) -> None:
        """Exchanges numbers that tell every point from every other, looks at all of them, and puts the old values back.

        Raises Error, which names the first wrong point, if there is one. Collective."""
        lib.check(lib.library.HCL_Box_halo_verify(self._alive()))

    @property
    def statistics(self) -> Statistics:
        """Of this process, over all exchanges that are complete."""
        return statistics_of(lib.library.HCL_Box_halo_statistics, self._alive())

    def free(self) -> None:
        """Frees it now. Raises Error while an exchange is under way. Local."""
        self._owned.free()

    def end(self) -> None:
        """MPI is about to end: what is under way stays with it."""
        try:
            self.free()
        except Error:
            pass

    def __repr__(self) -> str:
        return f"<halocline.BoxHalo of {len(self._arrays)} fields>"

    def _alive(self) -> ctypes.c_void_p:
        if not lib.mpi_is_up():
            raise Error("the halo cannot be used any more: MPI was finalized")
        if not self._pointer.value:
            raise Error("the halo cannot be used any more: it was freed")
        return self._pointer
