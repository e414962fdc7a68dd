"""Typed fields of the records."""

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

class Record:
    __array_ufunc__: ClassVar[None]
    def as_dict(self) -> dict[str, Any]: ...
    def keys(self) -> KeysView[str]: ...
    def __getitem__(self, name: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, name: object) -> bool: ...
    def __setstate__(self, state: list[Any]) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Feature(Record):
    kind: Literal["vertex", "edge", "face"]
    index: int
    def __init__(self, kind: Literal["vertex", "edge", "face"], index: SupportsIndex) -> None: ...
    def __post_init__(self) -> None: ...
    def __hash__(self) -> int: ...  # type: ignore[override]

class Mapped(Record, Mapping[str, Any]):
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@dataclass(frozen=True, eq=False, slots=True)
class Overlap(Record):
    volume: float
    lower: float
    upper: float
    force: NDArray[np.float64]
    torque: NDArray[np.float64]
    centroid: NDArray[np.float64]
    normal: NDArray[np.float64]
    pairs: int
    method: str
    work: int
    complete: bool
    spheres: tuple[int, int]

@dataclass(frozen=True, eq=False, slots=True)
class ImpactContact(Record):
    time: float
    early: float
    late: float
    certificate: Literal["exact", "bracket", "touching", "overlap", "unresolved"]
    a: int
    b: int
    feature_a: Feature
    feature_b: Feature
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    gap: float
    face_a: int
    face_b: int
    xi_a: NDArray[np.float64]
    xi_b: NDArray[np.float64]
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]

@dataclass(frozen=True, eq=False, slots=True)
class Impact(Record):
    time: float
    early: float
    late: float
    certificate: Literal["exact", "bracket", "touching", "overlap", "unresolved"]
    contacts: list[ImpactContact]
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def feature_a(self) -> Feature: ...
    @property
    def feature_b(self) -> Feature: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def gap(self) -> float: ...

@dataclass(frozen=True, eq=False, slots=True)
class ImpactCounts(Mapped):
    trajectory: int
    update: int
    volume: int
    primitive: int

@dataclass(frozen=True, eq=False, slots=True)
class Motion(Record):
    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    velocity: NDArray[np.float64]
    spin: NDArray[np.float64]
    acceleration: NDArray[np.float64]
    center: NDArray[np.float64]

    def center_at(self, t: float) -> NDArray[np.float64]: ...
    def pose_at(self, t: float) -> NDArray[np.float64]: ...

@dataclass(frozen=True, eq=False, slots=True)
class GasCounts(Mapped):
    spheres: int
    walls: int
    escapes: int
    stale: int
    set_ups: int

@dataclass(frozen=True, eq=False, slots=True)
class PatchPoint(Record):
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    gap: float
    feature_a: Feature
    feature_b: Feature

@dataclass(frozen=True, eq=False, slots=True)
class Contact(Record):
    gap: float
    lower: float
    upper: float
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    feature_a: Feature
    feature_b: Feature
    status: Literal["separated", "touching", "penetrating", "bracketed"]
    steps: int
    patch: list[PatchPoint]

@dataclass(frozen=True, eq=False, slots=True)
class LinContact(Record):
    gap: float
    lower: float
    upper: float
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    feature_a: Feature
    feature_b: Feature
    status: Literal["separated", "touching", "penetrating", "bracketed"]
    steps: int
    iterations: int
    trapped: bool
    patch: list[PatchPoint]

@dataclass(frozen=True, eq=False, slots=True)
class PairAnswer(Record):
    method: Literal["scene", "mirrored", "brute-force", "exhaustive", "lin"]
    agrees: bool
    gap: float
    lower: float
    upper: float
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    feature_a: Feature
    feature_b: Feature
    status: Literal["separated", "touching", "penetrating", "bracketed"]
    image: tuple[int, int, int]
    parts: tuple[int, int]
    remark: str

@dataclass(frozen=True, eq=False, slots=True)
class Counts(Record):
    queries: int
    steps: tuple[int, int, int, int]
    restarts: int

@dataclass(frozen=True, eq=False, slots=True)
class SurfaceDistance(Record):
    distance: float
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    face_a: int
    face_b: int
    intersecting: bool
    gap: float
    status: Literal["separated", "touching", "intersecting", "a_inside_b", "b_inside_a"]
    pairs: int
    solids: bool

class Report(Mapped):
    def as_dict(self) -> dict[str, Any]: ...

@dataclass(frozen=True, eq=False, slots=True)
class MeshReport(Report):
    vertices: int
    triangles: int
    edges: int
    closed: bool
    oriented: bool
    manifold: bool
    components: int
    euler_characteristic: int
    genus: int | None
    boundary_edges: int
    nonmanifold_edges: int
    misoriented_edges: int
    nonmanifold_vertices: int
    unused_vertices: int
    degenerate_triangles: int
    duplicate_triangles: int
    shells: int
    inverted_shells: int
    self_intersections: int | None
    volume: float | None
    area: float
    bounds: NDArray[np.float64]

@dataclass(frozen=True, eq=False, slots=True)
class FaceReport(Report):
    nodes: int
    faces: int
    kinds: dict[str, int]
    edges: int
    closed: bool
    oriented: bool
    manifold: bool
    components: int
    boundary_edges: int
    nonmanifold_edges: int
    misoriented_edges: int
    mismatched_edges: int
    unused_nodes: int
    folded_faces: int
    volume: float | None
    area: float
    bounds: NDArray[np.float64]

class Located(Record):
    def __post_init__(self) -> None: ...

@dataclass(frozen=True, eq=False, slots=True)
class Source(Located):
    path: Path
    format: str
    polygons: int
    welded: int

@dataclass(frozen=True, eq=False, slots=True)
class Repair(Record):
    merged: int
    collapsed: int
    flipped: int
    filled: int
    added: int
