# SPDX-License-Identifier: BSD-3-Clause
"""The C interface of libhalocline: where the library is, and what its functions take."""

import ctypes
import ctypes.util
import os
import pathlib
import sys
import weakref
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_ssize_t, c_void_p
from typing import Any, Iterable, Sequence

from mpi4py import MPI

from ._errors import Error

# A handle of MPI is a pointer in Open MPI and an int in MPICH.
Handle = c_void_p if MPI._sizeof(MPI.Comm) == ctypes.sizeof(c_void_p) else c_int
Aint = c_ssize_t


class CStatistics(Structure):
    """HCL_Statistics."""

    _fields_ = (
        [(name, c_int64) for name in (
            "exchanges", "self_messages", "self_bytes", "node_messages", "node_bytes", "network_messages", "network_bytes")]
        + [(name, c_double) for name in ("pack_seconds", "late_seconds", "transfer_seconds")]
        + [("timed", c_int)]
    )


def _candidates() -> Iterable[str]:
    """Where the library may be, the most explicit first."""
    if "HALOCLINE_LIBRARY" in os.environ:
        yield os.environ["HALOCLINE_LIBRARY"]
        return
    name = "libhalocline.so"
    for prefix in (pathlib.Path(sys.prefix), pathlib.Path(sys.base_prefix), pathlib.Path("/usr/local"), pathlib.Path("/usr")):
        for folder in ("lib", "lib64", f"lib/{sys.implementation._multiarch}"):
            yield str(prefix / folder / name)
    yield name  # wherever the loader looks
    found = ctypes.util.find_library("halocline")
    if found:
        yield found


def _load() -> ctypes.CDLL:
    failures = []
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            if "HALOCLINE_LIBRARY" in os.environ:
                failures.append(f"HALOCLINE_LIBRARY={path}: there is no such file")
            continue
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            failures.append(str(error))
    raise Error("libhalocline.so cannot be loaded: " + ("; ".join(failures) or "it was not found")
                + ". Install Halocline for the MPI of mpi4py, or name the library in HALOCLINE_LIBRARY")


# Function: its arguments. All return an error code.
_OBJECT = c_void_p
_INTS, _COUNTS = POINTER(c_int), POINTER(c_int64)
_PROTOTYPES = {
    "HCL_Error_string": (c_int, c_char_p, _INTS),
    "HCL_Cart_mesh_create": (Handle, c_int, _COUNTS, _COUNTS, _INTS, c_int, c_int, _INTS, _COUNTS, Handle, _INTS, POINTER(Handle)),
    "HCL_Cart_slabs_create": (Handle, c_int, _INTS, _COUNTS, _COUNTS, _INTS, c_int, c_int, _INTS, _COUNTS, Handle, POINTER(Handle)),
    "HCL_Cart_mesh_attach": (Handle, _COUNTS, _COUNTS),
    "HCL_Cart_mesh_get": (Handle, c_int, _COUNTS, _COUNTS),
    "HCL_Cart_box": (Handle, c_int, _COUNTS, _COUNTS),
    "HCL_Cart_owner": (Handle, _COUNTS, _INTS),
    "HCL_Field_create": (Handle, Handle, _COUNTS, _COUNTS, c_int, Handle, POINTER(_OBJECT)),
    "HCL_Field_attach_strided": (c_void_p, c_int, _COUNTS, _COUNTS, _COUNTS, POINTER(Aint), Handle, POINTER(_OBJECT)),
    "HCL_Field_stagger": (_OBJECT, c_int, _INTS),
    "HCL_Field_get": (_OBJECT, c_int, POINTER(c_void_p), POINTER(Aint), _COUNTS),
    "HCL_Field_free": (POINTER(_OBJECT),),
    "HCL_Halo_create_rotating": (Handle, c_int, _INTS, POINTER(_OBJECT), c_int, _INTS, Handle, POINTER(_OBJECT)),
    "HCL_Halo_start": (_OBJECT,),
    "HCL_Halo_test": (_OBJECT, _INTS),
    "HCL_Halo_wait": (_OBJECT,),
    "HCL_Halo_exchange": (_OBJECT,),
    "HCL_Halo_accumulate": (_OBJECT, c_int),
    "HCL_Halo_start_accumulate": (_OBJECT, c_int),
    "HCL_Halo_start_with": (_OBJECT, POINTER(c_void_p)),
    "HCL_Halo_exchange_with": (_OBJECT, POINTER(c_void_p)),
    "HCL_Halo_start_on": (_OBJECT, c_void_p),
    "HCL_Halo_start_with_on": (_OBJECT, POINTER(c_void_p), c_void_p),
    "HCL_Halo_wait_on": (_OBJECT, c_void_p),
    "HCL_Halo_verify": (_OBJECT,),
    "HCL_Halo_set_threads": (_OBJECT, c_int),
    "HCL_Halo_schedule": (_OBJECT, c_int, c_char_p, _INTS),
    "HCL_Halo_plan": (_OBJECT, c_int, c_char_p, _INTS),
    "HCL_Halo_plan_json": (_OBJECT, c_int, c_char_p, _INTS),
    "HCL_Halo_report": (_OBJECT, c_int, c_char_p, _INTS),
    "HCL_Halo_statistics": (_OBJECT, POINTER(CStatistics)),
    "HCL_Halo_free": (POINTER(_OBJECT),),
    "HCL_Boxes_gather": (Handle, c_int, _COUNTS, _INTS, c_int, _COUNTS, _COUNTS, POINTER(_OBJECT)),
    "HCL_Boxes_create": (c_int, _COUNTS, _INTS, c_int, _INTS, _COUNTS, _COUNTS, POINTER(_OBJECT)),
    "HCL_Boxes_connect": (c_int, c_int, _INTS, _COUNTS, c_int, _INTS, _COUNTS, _COUNTS, _INTS, _COUNTS, _INTS, _INTS,
                          POINTER(_OBJECT)),
    "HCL_Boxes_size": (_OBJECT, _INTS),
    "HCL_Boxes_get": (_OBJECT, c_int, c_int, _INTS, _COUNTS, _COUNTS),
    "HCL_Boxes_free": (POINTER(_OBJECT),),
    "HCL_Box_halo_create": (Handle, _OBJECT, c_int, c_int, POINTER(_OBJECT), c_int, _INTS, Handle, POINTER(_OBJECT)),
    "HCL_Box_halo_start": (_OBJECT,),
    "HCL_Box_halo_test": (_OBJECT, _INTS),
    "HCL_Box_halo_wait": (_OBJECT,),
    "HCL_Box_halo_exchange": (_OBJECT,),
    "HCL_Box_halo_accumulate": (_OBJECT, c_int),
    "HCL_Box_halo_start_accumulate": (_OBJECT, c_int),
    "HCL_Box_halo_verify": (_OBJECT,),
    "HCL_Box_halo_statistics": (_OBJECT, POINTER(CStatistics)),
    "HCL_Box_halo_free": (POINTER(_OBJECT),),
}

library = _load()
for _name, _arguments in _PROTOTYPES.items():
    try:
        _function = getattr(library, _name)
    except AttributeError:
        raise Error(f"libhalocline.so has no {_name}: it is older than this package") from None
    _function.argtypes, _function.restype = _arguments, c_int


def check(code: int) -> None:
    """Raises what Halocline said last, if it is an error."""
    if code == MPI.SUCCESS:
        return
    text, length = ctypes.create_string_buffer(MPI.MAX_ERROR_STRING + 1), c_int(0)
    library.HCL_Error_string(code, text, ctypes.byref(length))
    raise Error(text.value.decode(errors="replace"), code)


def handle(thing: Any) -> Handle:
    """The handle of an object of mpi4py."""
    return Handle.from_address(MPI._addressof(thing))


def counts(numbers: Sequence[int]) -> ctypes.Array:
    return (c_int64 * len(numbers))(*numbers)


def ints(numbers: Sequence[int]) -> ctypes.Array:
    return (c_int * len(numbers))(*numbers)


def constant(name: str) -> Any:
    """The address of one of the library's lists, such as HCL_Stencil_moore."""
    return ctypes.cast(ctypes.addressof(c_int.in_dll(library, name)), _INTS)


def text_of(function: Any, thing: c_void_p) -> str:
    """What a function writes that takes a size, a text and a length."""
    length = c_int(0)
    check(function(thing, 0, None, ctypes.byref(length)))
    text = ctypes.create_string_buffer(length.value + 1)
    check(function(thing, len(text), text, ctypes.byref(length)))
    return text.value.decode()


def mpi_is_up() -> bool:
    return MPI.Is_initialized() and not MPI.Is_finalized()


class Owned:
    """An object of the library that is freed with this one, if MPI is still there by then: Python destroys objects in any order
    at the end of a process, and MPI_Finalize may have been called before."""

    def __init__(self, value: c_void_p, free: Any) -> None:
        self.value, self._free = value, free

    def free(self) -> None:
        if self.value.value and mpi_is_up():
            check(self._free(ctypes.byref(self.value)))

    def __del__(self) -> None:
        try:
            self.free()
        except Exception:  # of what is under way; nobody could catch it here
            pass


_before_finalize: "weakref.WeakSet[Any]" = weakref.WeakSet()


def end_before_mpi(thing: Any) -> None:
    """Has `thing.end()` called when MPI_Finalize begins, if it lives until then."""
    if not hasattr(end_before_mpi, "key"):
        end_before_mpi.key = MPI.Comm.Create_keyval(delete_fn=lambda *_: [each.end() for each in list(_before_finalize)] and None)
        MPI.COMM_SELF.Set_attr(end_before_mpi.key, True)  # what hangs there goes first
    _before_finalize.add(thing)


def info_of(options: "dict[str, Any]") -> MPI.Info:
    """Keys of the library, "halocline_" left out: schedule="torus"."""
    chosen = {key: value for key, value in options.items() if value is not None}
    if not chosen:
        return MPI.INFO_NULL
    info = MPI.Info.Create()
    for key, value in chosen.items():
        info.Set("halocline_" + key, {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value))
    return info
