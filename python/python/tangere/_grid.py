"""Fields on grids: arrays that know where their values are."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["GridField"]


class GridField(np.ndarray[Any, Any]):
    """Values at the centres of the equal cells of a regular grid, x fastest, then y, then z.

    It is an array of one axis, and behaves as one; results of arithmetic, parts and other shapes
    are plain arrays. `tangere.save` writes it as a VTI file, with the values as data of cells.

    Parameters
    ----------
    values : array_like, shape (nx * ny * nz,) or (nz, ny, nx)
        A number for each cell.
    origin : array_like, shape (3,)
        The lower corner of the first cell: its centre less half the spacing.
    spacing : array_like, shape (3,)
        The edges of a cell.
    cells : sequence of three int
        The numbers of cells along x, y and z.
    name : str, optional
        The name of the field in files.

    Attributes
    ----------
    origin, spacing : ndarray of float64, shape (3,)
    cells : tuple of three int
    name : str

    Raises
    ------
    ValueError
        If a shape does not fit.

    Examples
    --------
    >>> import tangere
    >>> field = tangere.generate.sponge(0).distance_grid(4)
    >>> field.name, field.cells, field.origin.tolist(), field.spacing.tolist()
    ('distance', (4, 4, 4), [0.0, 0.0, 0.0], [0.25, 0.25, 0.25])
    >>> field.reshape(field.cells[::-1])[1, 1].tolist()
    [-0.125, -0.375, -0.375, -0.125]
    >>> own = tangere.GridField([1, 2], origin=(0, 0, 0), spacing=(1, 1, 1), cells=(2, 1, 1))
    >>> own.points.tolist(), int(own.sum())
    ([[0.5, 0.5, 0.5], [1.5, 0.5, 0.5]], 3)
    """

    name: str
    origin: NDArray[np.float64]
    spacing: NDArray[np.float64]
    cells: tuple[int, int, int]
    _axes: tuple[NDArray[np.float64], ...] | None

    def __new__(
        cls,
        values: ArrayLike,
        origin: ArrayLike,
        spacing: ArrayLike,
        cells: Iterable[SupportsIndex],
        name: str = "value",
        _axes: Sequence[ArrayLike] | None = None,
    ) -> GridField:
        counts = tuple(operator.index(count) for count in cells)
        if len(counts) != 3 or min(counts) < 1:
            raise ValueError(f"cells: found {counts}, expected three integers above 0")
        plain = np.asarray(values)
        if plain.shape == counts[::-1]:
            plain = plain.reshape(-1)
        if plain.shape != (math.prod(counts),):
            expected = f"({math.prod(counts)},) or {counts[::-1]}"
            raise ValueError(f"values: found shape {plain.shape}, expected {expected}")
        self = plain.view(cls)
        self.cells = (counts[0], counts[1], counts[2])
        self.name = name
        for attribute, given in (("origin", origin), ("spacing", spacing)):
            vector = np.array(given, dtype=np.float64)
            if vector.shape != (3,):
                raise ValueError(f"{attribute}: found shape {vector.shape}, expected (3,)")
            vector.flags.writeable = False
            setattr(self, attribute, vector)
        if _axes is not None:
            self._axes = tuple(np.asarray(axis, dtype=np.float64) for axis in _axes)
        return self

    def __array_finalize__(self, obj: Any) -> None:
        # A copy keeps its place; a part or another shape has none.
        keeps = isinstance(obj, GridField) and obj.shape == self.shape
        for attribute in ("name", "origin", "spacing", "cells", "_axes"):
            setattr(self, attribute, getattr(obj, attribute, None) if keeps else None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array is self:
            return self
        plain = np.asarray(array)
        return plain[()] if return_scalar or plain.ndim == 0 else plain

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __reduce__(self) -> Any:
        if self.cells is None:
            return self.values.__reduce__()
        parts = (self.values, self.origin, self.spacing, self.cells, self.name, self._axes)
        return GridField, parts

    @property
    def values(self) -> NDArray[Any]:
        """The values as a plain array, which shares their memory.

        Examples
        --------
        >>> import tangere
        >>> sides = tangere.Inside(tangere.generate.sphere(3)).classify_grid(2)
        >>> sides.values
        array([1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)
        """
        return self.view(np.ndarray)

    @property
    def points(self) -> NDArray[np.float64]:
        """The centres of the cells, where the values are: a new array of shape (N, 3).

        Examples
        --------
        >>> import tangere
        >>> field = tangere.generate.sponge(0).distance_grid((2, 1, 1))
        >>> field.points.tolist()
        [[0.25, 0.5, 0.5], [0.75, 0.5, 0.5]]
        """
        axes = self._axes
        if axes is None:
            counts = (np.arange(count) + 0.5 for count in self.cells)
            axes = tuple(o + s * at for o, s, at in zip(self.origin, self.spacing, counts, strict=True))
        z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        return np.column_stack([x.reshape(-1), y.reshape(-1), z.reshape(-1)])
