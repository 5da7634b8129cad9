# SPDX-License-Identifier: BSD-3-Clause
"""Processes on a grid over a mesh."""

import ctypes
from typing import Any, Optional, Sequence, Tuple, Union

import numpy
from mpi4py import MPI

from . import _library as lib
from ._device import DeviceField
from ._errors import Error
from ._field import Field
from ._halo import Arrays, Directions, Halo
from ._stencil import Stencil, offsets_of

Widths = Union[int, Sequence[int]]


def per_dimension(name: str, value: Any, dimensions: int) -> Tuple[int, ...]:
    """One number for each dimension; one alone stands for all."""
    numbers = (value,) * dimensions if isinstance(value, (bool, int, numpy.integer)) else tuple(value)
    if len(numbers) != dimensions:
        raise Error(f"{name}={value!r} has {len(numbers)} entries, the mesh {dimensions} dimensions")
    return tuple(int(x) for x in numbers)


class Cart:
    """The processes of a communicator on the grid that fits a mesh and the machine best, each in the right cell.

    `mesh` is the global number of points along each dimension. `periodic`, `halo` (the widths of halos) and `fixed` (extents of
    the grid that stay, 0 is free) have an entry for each dimension, or one for all. `stencil` says which processes talk to each
    other: "nearest", "moore:1", "star:2", or a list of offsets. With `reorder=False` ranks stay. `slabs` has, for each dimension, the
    points of the processes at coordinate 0, 1, ... of the grid, where work differs from place to place; without it slabs are as even
    as they can be. Further words are keys of the library without "halocline_": place="strips", network="torus:4x4x4".

    Collective. Raises Error on all processes alike. The communicator lives until `free()`, which is collective, or the end of MPI.
    """

    def __init__(self, comm: MPI.Comm, mesh: Sequence[int], *, periodic: Union[bool, Sequence[bool]] = False,
                 stencil: Stencil = "nearest", halo: Widths = 1, fixed: Optional[Widths] = None, reorder: bool = True,
                 slabs: Optional[Sequence[Sequence[int]]] = None, **options: Any) -> None:
        mesh = tuple(int(x) for x in mesh)
        dimensions = len(mesh)
        offsets = offsets_of(stencil, dimensions)
        flat = lib.ints([x for offset in offsets for x in offset])
        widths = per_dimension("halo", halo, dimensions)
        dims = lib.ints(per_dimension("fixed", 0 if fixed is None else fixed, dimensions))
        periods = lib.ints(per_dimension("periodic", periodic, dimensions))
        cut: Sequence[int] = ()
        if slabs is not None:
            dims = lib.ints([len(each) for each in slabs])
            cut = [int(points) for each in slabs for points in each]
            if fixed is not None or tuple(sum(int(points) for points in each) for each in slabs) != mesh:
                raise Error(f"slabs={slabs!r} do not make up the mesh {'x'.join(map(str, mesh))}, or come together with fixed")
        made = lib.Handle()
        info = lib.info_of(options)
        handler = comm.Get_errhandler()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            if slabs is not None:
                lib.check(lib.library.HCL_Cart_slabs_create(
                    lib.handle(comm), dimensions, dims, lib.counts(cut), lib.counts(widths), periods, int(reorder), len(offsets), flat,
                    None, lib.handle(info), ctypes.byref(made)))
            else:
                lib.check(lib.library.HCL_Cart_mesh_create(
                    lib.handle(comm), dimensions, lib.counts(mesh), lib.counts(widths), periods, int(reorder), len(offsets), flat,
                    None, lib.handle(info), dims, ctypes.byref(made)))
        finally:
            comm.Set_errhandler(handler)
            if info != MPI.INFO_NULL:
                info.Free()
        self.mesh, self.halo_widths, self.stencil = mesh, widths, stencil
        self.dims = tuple(dims)
        #: The Cartesian communicator, MPI.COMM_NULL on processes that have no part of the grid.
        self.comm = MPI.Cartcomm()
        lib.handle(self.comm).value = made.value
        if self.comm != MPI.COMM_NULL:
            self.comm.Set_errhandler(MPI.ERRORS_RETURN)

    @property
    def rank(self) -> int:
        """Of this process on the grid."""
        return self._alive().Get_rank()

    @property
    def coords(self) -> Tuple[int, ...]:
        """Of this process on the grid."""
        return tuple(self._alive().Get_coords(self.rank))

    def box(self, rank: Optional[int] = None) -> Tuple[slice, ...]:
        """The global points that a process owns (this one if none is named), to index an array of the whole mesh."""
        dimensions = len(self.mesh)
        first, extents = (ctypes.c_int64 * dimensions)(), (ctypes.c_int64 * dimensions)()
        comm = self._alive()
        lib.check(lib.library.HCL_Cart_box(lib.handle(comm), self.rank if rank is None else int(rank), first, extents))
        return tuple(slice(a, a + n) for a, n in zip(first, extents))

    @property
    def shape(self) -> Tuple[int, ...]:
        """How many points this process owns along each dimension."""
        return tuple(s.stop - s.start for s in self.box())

    def owner(self, point: Sequence[int]) -> Optional[int]:
        """The rank on the grid that owns a global point; None outside open borders."""
        rank = ctypes.c_int()
        where = lib.counts(per_dimension("point", point, len(self.mesh)))
        lib.check(lib.library.HCL_Cart_owner(lib.handle(self._alive()), where, ctypes.byref(rank)))
        return None if rank.value == MPI.PROC_NULL else rank.value

    def field(self, dtype: Any = "f8", *, order: str = "C", halo: Optional[Widths] = None, staggered: Sequence[int] = (),
              **options: Any) -> "Union[Field, DeviceField]":
        """A new array of zeros for the points of this process and their halo, in memory that processes of a node share.

        Neighbours on the node copy straight from it, so it is the fastest. With field="device" it lies on the GPU of the process, and
        is an array for CuPy and its like. `staggered` are dimensions along which it has one point more than there are cells: [0] for
        values on the faces across dimension 0. Collective."""
        widths = self.halo_widths if halo is None else per_dimension("halo", halo, len(self.mesh))
        options["staggered"] = ",".join(str(int(d)) for d in staggered) or None
        return Field._create(self._alive(), len(self.mesh), numpy.dtype(dtype), order, widths, options)

    def halo(self, *arrays: Arrays, directions: Directions = None, borders: Optional[str] = None, width: Optional[Widths] = None,
             **options: Any) -> Halo:
        """The halos of some arrays, which are exchanged together.

        An array is a field, any ndarray, or any array on a GPU that has `__cuda_array_interface__`. Its first dimensions are the
        points of this process with `width` more (the widths of the cart if it is not given) on either side. Further dimensions are components of a point. Arrays may differ in
        dtype and in order. Arrays that change places from step to step stand together, as `cart.halo((now, next))`; then
        `halo.exchange(now)` says which of them is meant. `staggered(array, dimensions)` has one point more along these. `directions` is "faces", "all", a list of offsets of -1, 0 and 1, or None: those of the stencil.
        With borders="carry" points beyond open borders travel along the border to the next process, into its corners; otherwise,
        borders="keep", nothing is touched there. sides="x:mirror-face y+:fold-t@z:odd=1" says what is beyond open sides of the mesh:
        mirrors, a shear or a fold (docs/halo.md, "Borders of the mesh").
        Further words are keys of the library: schedule="direct", shared=False, statistics=True. Collective."""
        widths = self.halo_widths if width is None else per_dimension("width", width, len(self.mesh))
        return Halo(self, arrays, directions, widths, {"borders": borders, **options})

    def free(self) -> None:
        """Frees the communicator. Halos of it must not be used any more. Collective."""
        if lib.mpi_is_up() and self.comm != MPI.COMM_NULL:
            self.comm.Free()

    def __enter__(self) -> "Cart":
        return self

    def __exit__(self, *_: Any) -> None:
        self.free()

    def __bool__(self) -> bool:
        """Has this process a part of the grid?"""
        return self.comm != MPI.COMM_NULL

    def __repr__(self) -> str:
        mesh, dims = "x".join(map(str, self.mesh)), "x".join(map(str, self.dims))
        return f"<halocline.Cart of {mesh} points on {dims} processes>"

    def _alive(self) -> MPI.Cartcomm:
        if not lib.mpi_is_up():
            raise Error("MPI was finalized")
        if self.comm == MPI.COMM_NULL:
            raise Error("this process has no part of the grid, or the cart was freed")
        return self.comm
