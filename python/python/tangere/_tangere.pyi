import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal, SupportsFloat, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Bodies",
    "Inside",
    "Mesh",
    "MeshReport",
    "PairFinder",
    "Periodic",
    "Repair",
    "Source",
    "Tree",
    "__version__",
    "_restored_mesh",
    "_restored_report",
    "box_pairs",
    "box_pairs_between",
    "chazelle",
    "foam",
    "inside",
    "knot",
    "load",
    "load_particles",
    "pairs",
    "pairs_between",
    "particles",
    "save",
    "save_particles",
    "sphere",
    "sponge",
]

__version__: str

_Float: TypeAlias = SupportsFloat | SupportsIndex
_Cell: TypeAlias = ArrayLike | Periodic
_Pairs: TypeAlias = NDArray[np.uint32]

@final
class Source:
    def __new__(cls, path: str | os.PathLike[str], format: str, polygons: int, welded: int) -> Source: ...
    @property
    def path(self) -> Path: ...
    @property
    def format(self) -> str: ...
    @property
    def polygons(self) -> int: ...
    @property
    def welded(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[Path, str, int, int]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Repair:
    def __new__(cls, merged: int, collapsed: int, flipped: int) -> Repair: ...
    @property
    def merged(self) -> int: ...
    @property
    def collapsed(self) -> int: ...
    @property
    def flipped(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[int, int, int]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class MeshReport:
    @property
    def vertices(self) -> int: ...
    @property
    def triangles(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def oriented(self) -> bool: ...
    @property
    def manifold(self) -> bool: ...
    @property
    def components(self) -> int: ...
    @property
    def euler_characteristic(self) -> int: ...
    @property
    def genus(self) -> int | None: ...
    @property
    def boundary_edges(self) -> int: ...
    @property
    def nonmanifold_edges(self) -> int: ...
    @property
    def misoriented_edges(self) -> int: ...
    @property
    def nonmanifold_vertices(self) -> int: ...
    @property
    def unused_vertices(self) -> int: ...
    @property
    def degenerate_triangles(self) -> int: ...
    @property
    def duplicate_triangles(self) -> int: ...
    @property
    def shells(self) -> int: ...
    @property
    def inverted_shells(self) -> int: ...
    @property
    def volume(self) -> float | None: ...
    @property
    def area(self) -> float: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Mesh:
    def __new__(cls, vertices: ArrayLike, faces: ArrayLike) -> Mesh: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.uint32]: ...
    @property
    def report(self) -> MeshReport: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def source(self) -> Source | None: ...
    @property
    def repair(self) -> Repair | None: ...
    def transformed(
        self,
        *,
        scale: _Float = 1.0,
        rotate: str | ArrayLike | None = None,
        translate: ArrayLike | None = None,
        pose: ArrayLike | None = None,
        threads: SupportsIndex | None = None,
    ) -> Mesh: ...
    def welded(
        self, tolerance: _Float, *, threads: SupportsIndex | None = None
    ) -> Mesh: ...
    def reoriented(self, *, threads: SupportsIndex | None = None) -> Mesh: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Mesh: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> Mesh: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Tree:
    def __new__(
        cls, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Tree: ...
    @staticmethod
    def of_mesh(mesh: Mesh, *, threads: SupportsIndex | None = None) -> Tree: ...
    @staticmethod
    def of_spheres(
        centers: ArrayLike, radii: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Tree: ...
    @property
    def dimension(self) -> Literal[2, 3]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def bytes(self) -> int: ...
    def overlapping(
        self, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def pairs(self, *, threads: SupportsIndex | None = None) -> NDArray[np.uint32]: ...
    def refit(
        self, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> None: ...
    def __len__(self) -> int: ...
    def __getnewargs__(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

@final
class Periodic:
    def __new__(
        cls, lengths: ArrayLike, *, tilt: ArrayLike | None = None, origin: ArrayLike | None = None
    ) -> Periodic: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class PairFinder:
    def __new__(
        cls,
        *,
        method: str = "auto",
        periodic: _Cell | None = None,
        margin: _Float = 0.0,
        skin: _Float = 0.0,
        every_image: bool = False,
        max_pairs: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> PairFinder: ...
    @property
    def builds(self) -> int: ...
    @property
    def reuses(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    def chunks(self) -> Iterator[_Pairs]: ...
    def update(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        periodic: _Cell | None = None,
    ) -> None: ...
    def update_boxes(
        self,
        lower: ArrayLike,
        upper: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        periodic: _Cell | None = None,
    ) -> None: ...
    def pairs(self) -> _Pairs: ...
    def query(self, centers: ArrayLike, radii: ArrayLike) -> _Pairs: ...
    def query_boxes(self, lower: ArrayLike, upper: ArrayLike) -> _Pairs: ...
    def contacts(
        self,
    ) -> tuple[_Pairs, NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]: ...
    def neighbors(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def __len__(self) -> int: ...

@final
class Bodies:
    def __new__(
        cls,
        meshes: Iterable[Mesh],
        *,
        method: str = "auto",
        rule: str = "nonzero",
        accuracy: _Float = 1e-06,
        insist: bool = False,
        threads: SupportsIndex | None = None,
    ) -> Bodies: ...
    def intrusions(
        self, poses: ArrayLike | Iterable[ArrayLike]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int8]]: ...
    def __len__(self) -> int: ...

@final
class Inside:
    def __new__(
        cls,
        mesh: Mesh,
        *,
        method: str = "auto",
        rule: str = "nonzero",
        accuracy: _Float = 1e-06,
        insist: bool = False,
        threads: SupportsIndex | None = None,
    ) -> Inside: ...
    @property
    def bound(self) -> float: ...
    @property
    def confidence(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    def classify(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.int8]: ...
    def classify_grid(self, n: SupportsIndex) -> NDArray[np.int8]: ...
    def winding(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def confidences(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...

def load(path: str | os.PathLike[str], *, threads: SupportsIndex | None = None) -> Mesh: ...
def save(mesh: Mesh, path: str | os.PathLike[str]) -> None: ...
def load_particles(
    path: str | os.PathLike[str], *, threads: SupportsIndex | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def save_particles(centers: ArrayLike, radii: ArrayLike, path: str | os.PathLike[str]) -> None: ...
def pairs(
    centers: ArrayLike,
    radii: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def box_pairs(
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def pairs_between(
    centers: ArrayLike,
    radii: ArrayLike,
    other_centers: ArrayLike,
    other_radii: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def box_pairs_between(
    lower: ArrayLike,
    upper: ArrayLike,
    other_lower: ArrayLike,
    other_upper: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def inside(
    mesh: Mesh,
    points: ArrayLike,
    *,
    method: str = "auto",
    rule: str = "nonzero",
    accuracy: _Float = 1e-06,
    insist: bool = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int8]: ...
def sphere(level: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def foam(triangles: SupportsIndex, *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> Mesh: ...
def sponge(level: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def chazelle(size: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def knot(triangles: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def particles(
    count: SupportsIndex,
    *,
    dim: Literal[2, 3] = 3,
    diameters: ArrayLike = (0.05, 0.1),
    density: _Float | None = None,
    seed: SupportsIndex = 0,
    sizes: Literal["uniform", "log", "volume"] = "uniform",
    huge: _Float | None = None,
    contacts: _Float | None = None,
    threads: SupportsIndex | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def _restored_mesh(
    vertices: ArrayLike, faces: ArrayLike, source: Source | None, repair: Repair | None
) -> Mesh: ...
def _restored_report(items: dict[str, Any]) -> MeshReport: ...
