# SPDX-License-Identifier: BSD-3-Clause
"""Arrays with a halo."""

import ctypes
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy
from mpi4py import MPI

from . import _library as lib
from ._device import DeviceField
from ._errors import Error

_ORDERS = {"C": MPI.ORDER_C, "F": MPI.ORDER_F}


def element_of(dtype: numpy.dtype, repeats: int = 1) -> MPI.Datatype:
    """Bytes of a point: the library copies, it does not compute."""
    if dtype.hasobject:
        raise Error(f"dtype {dtype} has Python objects, which live in one process")
    element = MPI.BYTE.Create_contiguous(dtype.itemsize * repeats)
    element.Commit()
    return element


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
