# SPDX-License-Identifier: BSD-3-Clause
"""Arrays with a halo."""

import ctypes
import dataclasses
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy
from mpi4py import MPI

from . import _library as lib
from ._device import DeviceField
from ._errors import Error

_ORDERS = {"C": MPI.ORDER_C, "F": MPI.ORDER_F}


_NUMBERS = {
    "i1": MPI.INT8_T, "i2": MPI.INT16_T, "i4": MPI.INT32_T, "i8": MPI.INT64_T,
    "u1": MPI.UINT8_T, "u2": MPI.UINT16_T, "u4": MPI.UINT32_T, "u8": MPI.UINT64_T,
    "f4": MPI.FLOAT, "f8": MPI.DOUBLE, "c8": MPI.C_FLOAT_COMPLEX, "c16": MPI.C_DOUBLE_COMPLEX,
}


def _numbers_of(dtype: numpy.dtype, offset: int = 0) -> Optional[List[Tuple[MPI.Datatype, int, int]]]:
    """The numbers in an element: their type, where they begin and how many there are. None if it has something else."""
    if dtype.names is not None:
        parts: List[Tuple[MPI.Datatype, int, int]] = []
        for name in dtype.names:
            inside, place = dtype.fields[name][:2]
            numbers = _numbers_of(inside, offset + place)
            if numbers is None:
                return None
            parts += numbers
        return parts
    base, shape = dtype.subdtype or (dtype, ())
    if base.names is not None or base.subdtype is not None or not base.isnative:
        return None
    number = _NUMBERS.get(f"{base.kind}{base.itemsize}")
    return None if number is None else [(number, offset, int(numpy.prod(shape, dtype=int)))]


def element_of(dtype: numpy.dtype, repeats: int = 1) -> MPI.Datatype:
    """The bytes of a point; as numbers where they are nothing else, so that they can be added."""
    if dtype.hasobject:
        raise Error(f"dtype {dtype} has Python objects, which live in one process")
    numbers = _numbers_of(dtype)
    if numbers and sum(number.Get_size() * count for number, _, count in numbers) == dtype.itemsize:
        one = MPI.Datatype.Create_struct([count for _, _, count in numbers], [place for _, place, _ in numbers],
                                         [number for number, _, _ in numbers])
        whole = one.Create_resized(0, dtype.itemsize)
        element = whole.Create_contiguous(repeats)
        one.Free()
        whole.Free()
    else:
        element = MPI.BYTE.Create_contiguous(dtype.itemsize * repeats)
    element.Commit()
    return element


@dataclasses.dataclass(frozen=True)
class Staggered:
    """An array with one point more than there are cells along some dimensions. Made by `staggered()`."""

    array: Any
    dimensions: Tuple[int, ...]


def staggered(array: Any, dimensions: Iterable[int]) -> Staggered:
    """For `Cart.halo()`: an array of values on faces, edges or nodes, with one point more than there are cells along these dimensions.

    The last of these points is the first one of the next process, whose value an exchange brings."""
    return Staggered(array, tuple(int(d) for d in dimensions))


class Field(numpy.ndarray):
    """An ndarray of a process's points and the halo around them. Made by `Cart.field()`.

    `own` is the part without the halo. Slices and results of arithmetic are arrays as usual, without a halo of their own.
    """

    _handle: Optional[lib.Owned]
    _halo: Tuple[Tuple[int, ...], Tuple[int, ...]]

    @classmethod
    def _create(cls, comm: MPI.Comm, dimensions: int, dtype: numpy.dtype, order: str, widths: Sequence[int],
                options: Dict[str, Any]) -> "Union[Field, DeviceField]":
        if order not in _ORDERS:
            raise Error(f"order={order!r} is not known; it is 'C' or 'F'")
        made = ctypes.c_void_p()
        info, element = lib.info_of(options), element_of(dtype)
        try:
            lib.check(lib.library.HCL_Field_create(lib.handle(comm), lib.handle(element), lib.counts(widths), None,
                                                   _ORDERS[order], lib.handle(info), ctypes.byref(made)))
        finally:
            element.Free()
            if info != MPI.INFO_NULL:
                info.Free()
        owned = lib.Owned(made, lib.library.HCL_Field_free)
        first, strides = ctypes.c_void_p(), (lib.Aint * dimensions)()
        extents = (ctypes.c_int64 * dimensions)()
        lib.check(lib.library.HCL_Field_get(made, dimensions, ctypes.byref(first), strides, extents))
        shape = tuple(n + 2 * w for n, w in zip(extents, widths))
        begin = first.value - sum(w * s for w, s in zip(widths, strides))
        if options.get("field") == "device":
            return DeviceField(owned, shape, tuple(strides), dtype, widths, begin)
        size = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
        memory = (ctypes.c_char * size).from_address(begin)
        memory.owner = owned  # whoever sees the memory keeps it
        field = super().__new__(cls, shape, dtype=dtype, buffer=memory, strides=tuple(strides))
        field._handle = owned
        field._halo = (tuple(widths), tuple(widths))
        return field

    def __array_finalize__(self, parent: Any) -> None:
        self._handle = None
        self._halo = ((), ())

    @property
    def own(self) -> numpy.ndarray:
        """The points of this process, without the halo; a view, not a copy."""
        if self._handle is None:
            raise Error("a slice or a result of arithmetic has no halo; ask the field itself for its own points")
        low, high = self._halo
        return self.view(numpy.ndarray)[tuple(slice(a, n - b) for a, b, n in zip(low, high, self.shape))]

    def __reduce__(self) -> Any:
        return numpy.asarray(self).__reduce__()
