"""Typed fields of the records."""

from typing import ClassVar

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
