# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on a GPU, of any package that offers `__cuda_array_interface__` (CuPy, Numba, PyTorch), and streams."""

import dataclasses
from typing import Any, Dict, Sequence, Tuple

import numpy

from . import _library as lib
from ._errors import Error


@dataclasses.dataclass(frozen=True)
class Memory:
    """What the library has to know of an array, wherever it lies."""

    address: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]
    dtype: numpy.dtype
    writeable: bool


def is_on_device(array: Any) -> bool:
    try:
        return hasattr(array, "__cuda_array_interface__")
    except Exception as refused:  # PyTorch has one of tensors with gradients, and does not give it away
        raise Error(f"{type(array).__name__} does not show its memory: {refused}") from None


def address_of(array: Any) -> int:
    """Of its first element."""
    return array.ctypes.data if isinstance(array, numpy.ndarray) else array.__cuda_array_interface__["data"][0]


def _rows(shape: Sequence[int], itemsize: int) -> Tuple[int, ...]:
    """The strides of an array in the order of C without gaps."""
    strides = [itemsize]
    for n in reversed(shape[1:]):
        strides.insert(0, strides[0] * n)
    return tuple(strides[:len(shape)])


def memory_of(array: Any) -> Memory:
    """Of an array of numpy, or of one on a GPU."""
    if isinstance(array, numpy.ndarray):
        return Memory(array.ctypes.data, array.shape, array.strides, array.dtype, array.flags.writeable)
    told = array.__cuda_array_interface__
    try:
        shape, (address, read_only) = tuple(told["shape"]), told["data"]
        described = told.get("descr")
        dtype = numpy.dtype(described if described and told["typestr"][1:2] == "V" else told["typestr"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise Error(f"the __cuda_array_interface__ of {type(array).__name__} lacks something: {wrong!r}") from None
    if told.get("mask") is not None:
        raise Error(f"an array of shape {shape} has a mask; halos know no points that are not there")
    return Memory(address, shape, tuple(told.get("strides") or _rows(shape, dtype.itemsize)), dtype, not read_only)


def stream_handle(stream: Any) -> int:
    """A stream as the driver knows it: a number, a stream of CuPy or PyTorch, or whatever has `__cuda_stream__`."""
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for attribute in ("ptr", "cuda_stream"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise Error(f"stream={stream!r} is not a stream: neither its number, nor one of CuPy or PyTorch, nor has it __cuda_stream__")


class DeviceField:
    """A process's points and the halo around them on its GPU. Made by `Cart.field(field="device")`.

    `cupy.asarray(u)` or `torch.as_tensor(u)` is a view of it, and so of the part without the halo with `u.own`.
    """

    def __init__(self, owned: lib.Owned, shape: Sequence[int], strides: Sequence[int], dtype: numpy.dtype, widths: Sequence[int],
                 address: int) -> None:
        self._handle, self.shape, self.dtype, self._widths = owned, tuple(shape), dtype, tuple(widths)
        self._memory = Memory(address, self.shape, tuple(strides), dtype, True)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return _interface(self._memory.address, self.shape, self._memory.strides, self.dtype)

    @property
    def own(self) -> "DeviceView":
        """The points of this process, without the halo; a view, not a copy."""
        memory = self._memory
        address = memory.address + sum(w * s for w, s in zip(self._widths, memory.strides))
        return DeviceView(self, address, tuple(n - 2 * w for n, w in zip(self.shape, self._widths)))

    def __repr__(self) -> str:
        return f"<halocline.DeviceField of shape {self.shape}, {self.dtype}>"


class DeviceView:
    """A part of a field on a GPU, which it keeps alive."""

    def __init__(self, field: DeviceField, address: int, shape: Tuple[int, ...]) -> None:
        self._field, self.shape, self.dtype = field, shape, field.dtype
        self.__cuda_array_interface__ = _interface(address, shape, field._memory.strides, field.dtype)


def _interface(address: int, shape: Tuple[int, ...], strides: Tuple[int, ...], dtype: numpy.dtype) -> Dict[str, Any]:
    return {"shape": shape, "typestr": dtype.str, "descr": dtype.descr, "data": (address, False), "strides": strides, "version": 3}
