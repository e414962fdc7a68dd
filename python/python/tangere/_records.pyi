"""Typed fields of the records."""

from dataclasses import dataclass
from typing import ClassVar, Literal, SupportsIndex

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

@dataclass(frozen=True, eq=False, slots=True)
class Feature(Record):
    kind: Literal["vertex", "edge", "face"]
    index: int
    def __init__(self, kind: Literal["vertex", "edge", "face"], index: SupportsIndex) -> None: ...
    def __post_init__(self) -> None: ...
    def __hash__(self) -> int: ...  # type: ignore[override]

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
