# SPDX-License-Identifier: BSD-3-Clause
"""Fast halo exchange of numpy arrays between MPI processes.

>>> from mpi4py import MPI
>>> import halocline
>>> cart = halocline.Cart(MPI.COMM_WORLD, mesh=(100, 110, 95), periodic=(True, True, False), stencil="moore:1")
>>> u = cart.field(dtype="f8")       # an ndarray with its halo; u.own is the part without
>>> u.own[...] = cart.rank
>>> halo = cart.halo(u)
>>> halo.exchange()

Plans, placements and shapes need no MPI: `plan()`, `place()`, `shape()`.
"""

from ._errors import Error
from ._plan import Placement, Plan, Shape, place, plan, shape

__all__ = ["BoxHalo", "Boxes", "Cart", "Connection", "DeviceField", "Error", "Field", "Halo", "Placement", "Plan", "Shape", "Staggered", "Statistics", "place", "plan", "shape",
           "staggered"]
__version__ = "0.1.0"

_OF_MPI = {"BoxHalo": "_boxes", "Boxes": "_boxes", "Cart": "_cart", "Connection": "_boxes", "DeviceField": "_device", "Field": "_field", "Halo": "_halo", "Staggered": "_field", "Statistics": "_halo",
           "staggered": "_field"}


def __getattr__(name: str):
    """What needs MPI is imported when it is asked for: plans are made on machines that have none."""
    if name in _OF_MPI:
        from importlib import import_module

        return getattr(import_module("." + _OF_MPI[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> "list[str]":
    return sorted(__all__)
