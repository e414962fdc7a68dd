"""Typed fields of the records."""

from collections.abc import Iterator, KeysView
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

class Record:
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

class Report(Record):
    def as_dict(self) -> dict[str, Any]: ...
    def __getitem__(self, name: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> KeysView[str]: ...

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
