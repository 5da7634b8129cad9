# SPDX-License-Identifier: BSD-3-Clause
"""Stencils by name or as lists of offsets."""

import itertools
from typing import List, Sequence, Tuple, Union

from ._errors import Error

Offset = Tuple[int, ...]
Stencil = Union[str, Sequence[Sequence[int]]]

_NAMES = "nearest, moore:R, star:R, or a list of offsets such as [(1, 0), (-1, 0)]"


def offsets_of(stencil: Stencil, dimensions: int) -> List[Offset]:
    """The offsets between processes that talk to each other."""
    if not isinstance(stencil, str):
        offsets = [tuple(int(x) for x in offset) for offset in stencil]
        for offset in offsets:
            if len(offset) != dimensions:
                raise Error(f"the offset {offset} has {len(offset)} dimensions, the mesh {dimensions}")
        if not offsets:
            raise Error("a stencil of no offsets; it is " + _NAMES)
        return offsets
    kind, _, radius = stencil.partition(":")
    if kind == "nearest" and not radius:
        kind, radius = "star", "1"
    if kind not in ("moore", "star") or not radius.isdigit() or int(radius) < 1:
        raise Error(f"the stencil {stencil!r} is not known; it is {_NAMES}")
    reach = range(-int(radius), int(radius) + 1)
    cube = itertools.product(reach, repeat=dimensions)
    if kind == "moore":
        return [offset for offset in cube if any(offset)]
    return [offset for offset in cube if sum(1 for x in offset if x) == 1]


def text_of(stencil: Stencil) -> str:
    """As the command line takes it."""
    if isinstance(stencil, str):
        return stencil
    return ";".join(",".join(str(int(x)) for x in offset) for offset in stencil)
