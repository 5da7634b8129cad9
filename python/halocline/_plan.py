# SPDX-License-Identifier: BSD-3-Clause
"""Plans, placements and shapes by the program `halocline`, without MPI."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._errors import Error
from ._stencil import Stencil, text_of

Nodes = Union[str, Sequence[int]]


def _program() -> str:
    if "HALOCLINE_PROGRAM" in os.environ:
        return os.environ["HALOCLINE_PROGRAM"]
    beside = pathlib.Path(sys.prefix) / "bin" / "halocline"
    found = str(beside) if beside.is_file() else shutil.which("halocline")
    if not found:
        raise Error("the program halocline was not found; put it on the PATH, or name it in HALOCLINE_PROGRAM")
    return found


def _run(*words: str) -> "subprocess.CompletedProcess[str]":
    """The program alone: one that takes itself for a process of this job would end MPI for the process that it belongs to."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_PROCID"))}
    return subprocess.run([_program(), *words], env=alone, capture_output=True, text=True, check=False)


def _answer(command: str, words: List[str]) -> Dict[str, Any]:
    """What a command prints as JSON. Its refusal becomes an Error."""
    try:
        done = _run(command, *words, "--json")
    except OSError as error:
        raise Error(f"{error.filename}: {error.strerror}") from None
    if done.returncode != 0:
        raise Error(done.stderr.strip().replace("halocline: ", "", 1) or f"halocline {command} ended with status {done.returncode}")
    return json.loads(done.stdout)


def _shown(data: Dict[str, Any], folder: str, *words: str) -> str:
    """What the program says about a plan that a file in the folder has."""
    file = pathlib.Path(folder) / "plan.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return _run("plan", "--from", str(file), *words).stdout


def _sides(extents: Sequence[int]) -> str:
    return "x".join(str(int(n)) for n in extents)


def _widths(widths: Union[int, Sequence[int]]) -> str:
    return str(widths) if isinstance(widths, int) else _sides(widths)


def _periodic(periodic: Union[bool, Sequence[bool]]) -> str:
    return ("all" if periodic else "none") if isinstance(periodic, bool) else ",".join(str(int(p)) for p in periodic)


def _nodes(nodes: Nodes) -> str:
    return nodes if isinstance(nodes, str) else ",".join(str(int(n)) for n in nodes)


def _options(options: Dict[str, Any]) -> List[str]:
    words = []
    for key, value in options.items():
        if value is not None:
            words += ["--" + key.replace("_", "-"), str(value)]
    return words


@dataclasses.dataclass(frozen=True)
class Plan:
    """The grid, the placement and the schedule for a mesh on a machine, and what they cost, beside the default of MPI.

    Times are seconds of one exchange by the linear model. `data` is all that `halocline plan --json` says. Where MPI's default
    fits no grid to the mesh, numbers of the default are None, and `data["no_default"]` says why. A notebook draws the plan as a
    picture: cells of the grid coloured by node.
    """

    grid: Tuple[int, ...]
    placement: str
    schedule: str
    seconds: float
    default_grid: Optional[Tuple[int, ...]]
    default_seconds: Optional[float]
    bytes_between_nodes: int
    default_bytes_between_nodes: Optional[int]
    text: str = dataclasses.field(repr=False)
    data: Dict[str, Any] = dataclasses.field(repr=False)

    @classmethod
    def _of(cls, data: Dict[str, Any], text: str) -> "Plan":
        ours, default = data["plan"], data["default"]
        return cls(grid=tuple(ours["grid"]), placement=ours["placement"], schedule=ours["schedule"], seconds=ours["seconds"],
                   default_grid=default and tuple(default["grid"]), default_seconds=default and default["seconds"],
                   bytes_between_nodes=ours["total"]["network"]["bytes"],
                   default_bytes_between_nodes=default and default["total"]["network"]["bytes"], text=text, data=data)

    @property
    def svg(self) -> str:
        """The picture, drawn by the program halocline; empty if there are too many cells for one."""
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "plan.svg"
            _shown(self.data, folder, "--svg", str(picture))
            return picture.read_text(encoding="utf-8") if picture.is_file() else ""

    @property
    def gain(self) -> Optional[float]:
        """How many times as fast as the default an exchange is, by the model; None where there is no default."""
        if self.default_seconds is None:
            return None
        if self.seconds == 0:
            return 1.0 if self.default_seconds == 0 else float("inf")
        return self.default_seconds / self.seconds

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg or None
        except Error:  # no program to draw it; the text is there
            return None

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the plan file that programs obey with HALOCLINE_PLAN_USE=FILE."""
        pathlib.Path(path).write_text(json.dumps(self.data, indent=2) + "\n", encoding="utf-8")


def plan(mesh: Sequence[int], nodes: Nodes, *, periodic: Union[bool, Sequence[bool]] = False, stencil: Stencil = "nearest",
         halo: Union[int, Sequence[int]] = 1, fields: int = 1, bytes: int = 8, **options: Any) -> Plan:
    """Plans the exchange of `fields` arrays of `bytes` bytes a point on a mesh. Needs neither MPI nor the machine.

    `nodes` has the processes of each node: "50x48" is 50 nodes of 48, as is (48,) * 50. Further words are options of
    `halocline plan`: network="torus:4x4x4", schedule="node", alpha_beta="measured"."""
    words = ["--mesh", _sides(mesh), "--nodes", _nodes(nodes), "--periodic", _periodic(periodic), "--stencil", text_of(stencil),
             "--halo", _widths(halo), "--fields", str(fields), "--bytes", str(bytes), *_options(options)]
    data = _answer("plan", words)
    with tempfile.TemporaryDirectory() as folder:
        return Plan._of(data, _shown(data, folder))


@dataclasses.dataclass(frozen=True)
class Placement:
    """What algorithms cost that place a grid on nodes: `j_sum` and `j_max` are messages between nodes, in all and of the
    busiest node, by algorithm."""

    best: str
    j_sum: Dict[str, int]
    j_max: Dict[str, int]
    data: Dict[str, Any] = dataclasses.field(repr=False)


def place(grid: Sequence[int], nodes: Nodes, *, periodic: Union[bool, Sequence[bool]] = False, stencil: Stencil = "nearest",
          **options: Any) -> Placement:
    """Places the processes of a grid on nodes. Further words are options of `halocline place`: algorithm="strips"."""
    data = _answer("place", ["--grid", _sides(grid), "--nodes", _nodes(nodes), "--periodic", _periodic(periodic), "--stencil",
                             text_of(stencil), *_options(options)])
    rows = data["results"]
    return Placement(best=data["best"], j_sum={row["algorithm"]: row["j_sum"] for row in rows},
                     j_max={row["algorithm"]: row["j_max"] for row in rows}, data=data)


@dataclasses.dataclass(frozen=True)
class Shape:
    """How many processes there are along each dimension. `cost` is the sum of halo width / points over all parts."""

    dims: Tuple[int, ...]
    cost: float
    data: Dict[str, Any] = dataclasses.field(repr=False)


def shape(mesh: Sequence[int], ranks: Optional[int] = None, *, nodes: Optional[Nodes] = None,
          halo: Union[int, Sequence[int]] = 1, **options: Any) -> Shape:
    """The process grid that fits a mesh: for `ranks` processes, or for those of `nodes`, whose levels it fits as well."""
    if (ranks is None) == (nodes is None):
        raise Error(f"shape: ranks={ranks!r} and nodes={nodes!r}; give one of them")
    machine = ["--ranks", str(ranks)] if nodes is None else ["--nodes", _nodes(nodes)]
    widths = _widths((halo,) * len(mesh) if isinstance(halo, int) else halo)
    data = _answer("shape", ["--mesh", _sides(mesh), *machine, "--halo", widths, *_options(options)])
    return Shape(dims=tuple(data["dims"]), cost=data["cost"], data=data)
