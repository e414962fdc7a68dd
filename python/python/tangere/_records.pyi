"""Typed fields of the records."""

import os
from pathlib import Path
from typing import Any, ClassVar, KeysView

import numpy as np
from numpy.typing import NDArray

class Record:
    def __eq__(self, other: object) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

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
    complete: bool
    spheres: tuple[int, int]
    work: int

class Report(Record):
    def as_dict(self) -> dict[str, Any]: ...
    def __getitem__(self, name: str) -> Any: ...
    def keys(self) -> KeysView[str]: ...

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

class Located(Record): ...

class Source(Located):
    def __init__(
        self, path: str | os.PathLike[str], format: str, polygons: int, welded: int
    ) -> None: ...
    path: Path
    format: str
    polygons: int
    welded: int

class Repair(Record):
    def __init__(self, merged: int, collapsed: int, flipped: int) -> None: ...
    merged: int
    collapsed: int
    flipped: int
