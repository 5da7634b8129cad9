# SPDX-License-Identifier: BSD-3-Clause
"""The exchange of halos."""

import ctypes
import dataclasses
import json
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy
from mpi4py import MPI

from . import _library as lib
from ._device import DeviceField, Memory, address_of, is_on_device, memory_of, stream_handle
from ._errors import Error
from ._field import Field, Staggered, element_of
from ._plan import Plan

if TYPE_CHECKING:
    from ._cart import Cart

Directions = Union[None, str, Sequence[Sequence[int]]]
# In the order of the constants in C.
_WAYS = ("sum", "min", "max", "replace")
Arrays = Union[numpy.ndarray, Sequence[numpy.ndarray]]


@dataclasses.dataclass(frozen=True)
class Statistics:
    """What a process has exchanged. Messages and bytes by where they went; times if they were asked for (statistics=True)."""

    exchanges: int
    self_messages: int
    self_bytes: int
    node_messages: int
    node_bytes: int
    network_messages: int
    network_bytes: int
    pack_seconds: float
    late_seconds: float
    transfer_seconds: float
    timed: bool


def statistics_of(function: Any, halo: ctypes.c_void_p) -> Statistics:
    """What a function of the library writes."""
    numbers = lib.CStatistics()
    lib.check(function(halo, ctypes.byref(numbers)))
    values = {name: getattr(numbers, name) for name, _ in numbers._fields_}
    return Statistics(**{**values, "timed": bool(numbers.timed)})


def _is_array(thing: Any) -> bool:
    return isinstance(thing, (numpy.ndarray, Staggered)) or is_on_device(thing)


def _components(array: Memory, dimensions: int) -> int:
    """How many elements a point has. They must lie side by side."""
    repeats = 1
    expected = array.dtype.itemsize
    for d in range(len(array.shape) - 1, dimensions - 1, -1):
        if array.shape[d] != 1 and array.strides[d] != expected:
            raise Error(f"components of a point (dimension {d} of an array of shape {array.shape}) do not lie side by side: "
                        f"strides are {array.strides}; use a structured dtype or one array for each component")
        expected *= array.shape[d]
        repeats *= array.shape[d]
    return repeats


def _plain(thing: Any) -> Any:
    return thing.array if isinstance(thing, Staggered) else thing


def _attached(array: Memory, cells: Sequence[int], widths: Sequence[int], along: Sequence[int]) -> lib.Owned:
    """An array of somebody else as the library knows it."""
    dimensions = len(cells)
    own = tuple(n + (d in along) for d, n in enumerate(cells))
    wanted = tuple(n + 2 * w for n, w in zip(own, widths))
    if array.shape[:dimensions] != wanted:
        raise Error(f"an array of shape {array.shape}; with {'x'.join(map(str, own))} own points and halos of "
                    f"{'x'.join(map(str, widths))} it begins with {wanted}")
    if not array.writeable:
        raise Error(f"an array of shape {array.shape} is not writeable: its halo could not be filled")
    element = element_of(array.dtype, _components(array, dimensions))
    made = ctypes.c_void_p()
    try:
        lib.check(lib.library.HCL_Field_attach_strided(
            array.address, dimensions, lib.counts(wanted), lib.counts(widths), None,
            (lib.Aint * dimensions)(*array.strides[:dimensions]), lib.handle(element), ctypes.byref(made)))
    finally:
        element.Free()
    owned = lib.Owned(made, lib.library.HCL_Field_free)
    if along:
        lib.check(lib.library.HCL_Field_stagger(made, len(along), lib.ints(along)))
    return owned


def _require_alike(number: int, array: Any, first: Memory) -> None:
    """Raises Error unless an array looks like the one that its slot was made for, whose address alone the library is told."""
    if not isinstance(array, numpy.ndarray):
        raise Error(f"array {number} is a {type(array).__name__}; of a halo with addresses='any' all are arrays of numpy")
    if not array.flags.writeable:
        raise Error(f"array {number} is not writeable: its halo could not be filled")
    if array.dtype != first.dtype:
        raise Error(f"array {number} has elements {array.dtype} now; the halo was made for {first.dtype}")
    if array.shape != first.shape:
        raise Error(f"array {number} has the shape {array.shape} now; the halo was made for {first.shape}")
    if any(n > 1 and now != then for n, now, then in zip(array.shape, array.strides, first.strides)):
        raise Error(f"array {number} has the strides {array.strides} now; the halo was made for {first.strides}")


def _directions(directions: Directions, dimensions: int) -> Tuple[int, Any]:
    if directions is None:
        return 0, None
    if isinstance(directions, str):
        if directions not in ("faces", "all"):
            raise Error(f"directions={directions!r} is not known; it is 'faces', 'all' or a list of offsets of -1, 0 and 1")
        return 0, lib.constant("HCL_Directions_" + directions)
    rows = [tuple(int(x) for x in row) for row in directions]
    for row in rows:
        if len(row) != dimensions:
            raise Error(f"the direction {row} has {len(row)} dimensions, the mesh {dimensions}")
    return len(rows), lib.ints([x for row in rows for x in row])


def _way(how: str) -> int:
    if how not in _WAYS:
        raise Error(f"how={how!r} is not known; it is 'sum', 'min', 'max' or 'replace'")
    return _WAYS.index(how)


class Halo:
    """The halos of some arrays, exchanged together. Made by `Cart.halo()`, which is collective.

    Keeps the arrays alive. Freed when nobody refers to it any more, or by `free()`.
    """

    def __init__(self, cart: "Cart", arrays: Sequence[Arrays], directions: Directions, widths: Sequence[int],
                 options: Dict[str, Any]) -> None:
        if not arrays:
            raise Error("a halo of no arrays")
        comm, dimensions = cart._alive(), len(cart.mesh)
        error: Optional[Error] = None
        fields: List[lib.Owned] = []
        slots: List[Tuple[Any, ...]] = []
        count, chosen = 0, None
        try:
            cells = cart.shape
            slots = [tuple(slot) if isinstance(slot, (tuple, list)) and slot and _is_array(slot[0]) else (slot,) for slot in arrays]
            count, chosen = _directions(directions, dimensions)
            for array in (each for slot in slots for each in slot):
                if isinstance(array, (Field, DeviceField)) and array._handle is not None:
                    fields.append(array._handle)
                elif _is_array(array):
                    along = array.dimensions if isinstance(array, Staggered) else ()
                    fields.append(_attached(memory_of(_plain(array)), cells, widths, along))
                else:
                    raise Error(f"{type(array).__name__} is not an array of numpy, nor one on a GPU")
        except Error as refused:
            error = refused
        # All processes raise, or none: one that raised alone would leave the others waiting.
        texts = comm.allgather(None if error is None else str(error))
        refusals = [text for text in texts if text is not None]
        if refusals:
            raise Error(refusals[0])
        made, info = ctypes.c_void_p(), lib.info_of(options)
        handles = (ctypes.c_void_p * len(fields))(*(field.value.value for field in fields))
        try:
            lib.check(lib.library.HCL_Halo_create_rotating(
                lib.handle(comm), len(slots), lib.ints([len(slot) for slot in slots]), handles, count, chosen, lib.handle(info),
                ctypes.byref(made)))
        finally:
            if info != MPI.INFO_NULL:
                info.Free()
        self._slots, self._fields, self._cart = slots, fields, cart
        self._now = (ctypes.c_void_p * len(slots))()
        # With addresses="any": what each has to look like, and the arrays that it was told last, which it keeps.
        self._looks = [memory_of(_plain(slot[0])) for slot in slots] if options.get("addresses") == "any" else None
        self._told: Sequence[Any] = ()
        self._owned = lib.Owned(made, lib.library.HCL_Halo_free)
        # What a step calls: found once, and checked without a detour.
        self._pointer = made
        self._exchange, self._start, self._wait = (
            lib.library.HCL_Halo_exchange, lib.library.HCL_Halo_start, lib.library.HCL_Halo_wait)
        self._exchange_with, self._start_with = lib.library.HCL_Halo_exchange_with, lib.library.HCL_Halo_start_with
        self._start_on, self._start_with_on, self._wait_on = (
            lib.library.HCL_Halo_start_on, lib.library.HCL_Halo_start_with_on, lib.library.HCL_Halo_wait_on)
        lib.end_before_mpi(self)

    def exchange(self, *arrays: Any) -> None:
        """Fills the halos with the neighbours' points: those of `arrays`, one for each that the halo was made of, of the
        alternatives it was made for; or those of the last time, at first of the first ones. All processes name the same.
        With addresses="any" they are any arrays of the same shape, strides and dtype."""
        code = self._exchange_with(self._pointer, self._addresses(arrays)) if arrays else self._exchange(self._pointer)
        if code:
            lib.check(code)
        if arrays:
            self._told = arrays

    def start(self, *arrays: Any, stream: Any = None) -> None:
        """Begins an exchange. Until `wait()` own points must not change and halos not be touched.

        With `stream`, of the GPU that the arrays lie on, it begins when all is done that the stream has now: a stream of CuPy or
        PyTorch, or its number, 0 for the default one."""
        if stream is not None:
            handle = stream_handle(stream)
            code = (self._start_with_on(self._pointer, self._addresses(arrays), handle) if arrays
                    else self._start_on(self._pointer, handle))
        else:
            code = self._start_with(self._pointer, self._addresses(arrays)) if arrays else self._start(self._pointer)
        if code:
            lib.check(code)
        if arrays:
            self._told = arrays

    def wait(self, stream: Any = None) -> None:
        """Until the exchange that was started is complete. With `stream` that one waits, and the host only where it has to."""
        if code := self._wait(self._pointer) if stream is None else self._wait_on(self._pointer, stream_handle(stream)):
            lib.check(code)

    def accumulate(self, how: str = "sum") -> None:
        """The other way round: what all processes have in their halos comes to the owners of these points, which add it to what
        they have, or take the least ("min"), the largest ("max"), or the last of them ("replace"). The sum has the same bits on any
        placement. Halos stay as they are. Needs dtypes of numbers, or structures of them without gaps; "replace" takes any.
        Collective the first time."""
        self._require()
        self._check(lib.library.HCL_Halo_accumulate(self._pointer, _way(how)))

    def start_accumulate(self, how: str = "sum") -> None:
        """Begins it. Until `wait()` halos must not change; own points change then, not before."""
        self._require()
        self._check(lib.library.HCL_Halo_start_accumulate(self._pointer, _way(how)))

    def test(self) -> bool:
        """Is nothing under way any more? If something is, it moves on."""
        self._require()
        flag = ctypes.c_int()
        self._check(lib.library.HCL_Halo_test(self._pointer, ctypes.byref(flag)))
        return bool(flag.value)

    def set_threads(self, threads: int) -> None:
        """From now on so many threads of the library, the one that calls among them, pack, copy and unpack what is large. Local."""
        self._require()
        self._check(lib.library.HCL_Halo_set_threads(self._pointer, threads))

    def verify(self) -> None:
        """Exchanges numbers that tell every point from every other, looks at all of them, and puts the old values back.

        Raises Error, which names the first wrong point, if there is one. Collective."""
        self._require()
        self._check(lib.library.HCL_Halo_verify(self._pointer))

    def report(self) -> str:
        """The statistics of all processes, for people. Collective."""
        self._require()
        return lib.text_of(lib.library.HCL_Halo_report, self._pointer)

    def plan(self) -> Plan:
        """What was decided for this halo, and why, beside what MPI gives by default. Raises Error if nothing is sent. Local."""
        self._require()
        data = json.loads(lib.text_of(lib.library.HCL_Halo_plan_json, self._pointer))
        return Plan._of(data, lib.text_of(lib.library.HCL_Halo_plan, self._pointer))

    @property
    def schedule(self) -> str:
        """How blocks get from node to node: direct, node, mixed, torus, torus-direct or basis."""
        self._require()
        return lib.text_of(lib.library.HCL_Halo_schedule, self._pointer)

    @property
    def statistics(self) -> Statistics:
        """Of this process, over all exchanges that are complete."""
        self._require()
        return statistics_of(lib.library.HCL_Halo_statistics, self._pointer)

    def free(self) -> None:
        """Frees it now. Raises Error while an exchange is under way. Local."""
        self._owned.free()
        self._leave()

    def end(self) -> None:
        """MPI is about to end: what is under way stays with it, and nothing is started any more."""
        try:
            self.free()
        except Error:
            self._leave()

    def __repr__(self) -> str:
        return f"<halocline.Halo of {len(self._slots)} arrays on {self._cart!r}>"

    def _addresses(self, arrays: Sequence[Any]) -> Any:
        if len(arrays) != len(self._slots):
            raise Error(f"{len(arrays)} arrays for a halo of {len(self._slots)}")
        for i, array in enumerate(arrays):
            given = _plain(array)
            if self._looks is not None:
                _require_alike(i, given, self._looks[i])
            self._now[i] = address_of(given)
        return self._now

    def _leave(self) -> None:
        self._exchange = self._start = self._wait = self._exchange_with = self._start_with = self._gone
        self._start_on = self._start_with_on = self._wait_on = self._gone

    def _require(self) -> None:
        if not lib.mpi_is_up():
            raise Error("the halo cannot be used any more: MPI was finalized")
        if not self._pointer.value:
            raise Error("the halo cannot be used any more: it was freed")

    def _gone(self, *_: Any) -> int:
        """In place of the library's functions once there is nothing left to call them for."""
        self._require()
        return MPI.SUCCESS

    def _check(self, code: int) -> None:
        if code:
            lib.check(code)
