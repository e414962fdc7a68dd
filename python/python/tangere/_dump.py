"""Frames of LAMMPS dumps, as `read_dump` returns them."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ._tangere import Periodic


@dataclasses.dataclass(frozen=True, eq=False)
class DumpBox:
    """Simulation box of a frame of a LAMMPS dump, orthogonal or tilted (triclinic).

    Attributes
    ----------
    origin : numpy.ndarray, float64, shape (3,)
        The lower corner, at which the edge vectors begin.
    vectors : numpy.ndarray, float64, shape (3, 3)
        The edge vectors, one a row.
    bounds : numpy.ndarray, float64, shape (3, 2)
        Lower and upper bounds along x, y and z; those of a tilted box are its bounding box.
    periodic : tuple of 3 bools
        Whether the box is periodic along each edge (``pp`` in the dump).

    Examples
    --------
    >>> import numpy as np, tangere
    >>> box = tangere.DumpBox(np.zeros(3), np.diag([4.0, 4.0, 9.0]), np.array([[0, 4], [0, 4], [0, 9]]),
    ...                       (True, True, False))
    >>> box.cell()
    tangere.Periodic([4.0, 4.0, 0.0], tilt=[0.0, 0.0, 0.0], origin=[0.0, 0.0, 0.0])
    """

    origin: NDArray[np.float64]
    vectors: NDArray[np.float64]
    bounds: NDArray[np.float64]
    periodic: tuple[bool, bool, bool]

    def cell(self, dimension: int = 3) -> Periodic | None:
        """The periodic cell for `pairs` and `PairFinder`, in the plane or in space.

        Parameters
        ----------
        dimension : {3, 2}, optional
            In space, or in the plane without z.

        Returns
        -------
        Periodic or None
            None if no edge is periodic.

        Raises
        ------
        ValueError
            If the first edge is not along x, or the second not in the plane of x and y.
        """
        if not any(self.periodic[:dimension]):
            return None
        if np.triu(self.vectors, 1).any():
            raise ValueError(
                f"vectors: found {self.vectors.tolist()}, expected the first edge along x and the "
                "second in the plane of x and y"
            )
        lengths = np.where(self.periodic, np.diag(self.vectors), 0.0)[:dimension]
        (xy, xz, yz) = self.vectors[1, 0], self.vectors[2, 0], self.vectors[2, 1]
        tilt = [xy, xz, yz] if dimension == 3 else [xy]
        return Periodic(lengths, tilt=tilt, origin=self.origin[:dimension])


@dataclasses.dataclass(frozen=True, eq=False)
class DumpFrame:
    """Frame of a LAMMPS dump: all atoms at one time step, in ascending order of their ids.

    Without a column ``id`` atoms are in the order of the file. ``len(frame)`` is their number.

    Attributes
    ----------
    step : int
        The number of the time step.
    time : float or None
        The time (``ITEM: TIME``), if the dump has it.
    box : DumpBox or None
        The simulation box, if the dump has it.
    columns : dict of str to numpy.ndarray
        Every column by its name: int64 for those that LAMMPS writes as integers (``id``, ``mol``,
        ``type``, ``proc``, ``ix``, ...), float64 for others, text for names of elements.
    ids, centers, radii : numpy.ndarray
        The ids, positions and sizes of the atoms, from these columns.
    cell : Periodic or None
        The box as the argument `periodic` of `pairs` and `PairFinder`; None if it is open.

    Examples
    --------
    >>> import os, tempfile, tangere
    >>> text = '''ITEM: TIMESTEP
    ... 500
    ... ITEM: NUMBER OF ATOMS
    ... 2
    ... ITEM: BOX BOUNDS pp pp ff
    ... 0 10
    ... 0 10
    ... 0 10
    ... ITEM: ATOMS id x y z radius vx
    ... 7 9.75 5 5 0.5 -1
    ... 3 0.5 5 5 0.5 2
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.dump")
    ...     with open(path, "w") as file:
    ...         _ = file.write(text)
    ...     frame, = tangere.read_dump(path)
    >>> frame
    <tangere.DumpFrame of 2 atoms at step 500>
    >>> frame.ids.tolist(), frame.columns["vx"].tolist(), frame.centers.shape, frame.radii.tolist()
    ([3, 7], [2.0, -1.0], (2, 3), [0.5, 0.5])
    >>> pairs = tangere.pairs(frame.centers, frame.radii, periodic=frame.cell)
    >>> frame.ids[pairs].tolist()
    [[3, 7]]
    """

    step: int
    time: float | None
    box: DumpBox | None
    columns: dict[str, NDArray]
    _centers: NDArray[np.float64] | str
    _radii: NDArray[np.float64] | str

    @property
    def ids(self) -> NDArray[np.int64] | None:
        """The ids of the atoms, ascending: int64 of shape (N,); None without a column ``id``."""
        return self.columns.get("id")

    @property
    def centers(self) -> NDArray[np.float64]:
        """The centres, scaled ones (``xs``, ...) in the box: float64 of shape (N, 3), or (N, 2)
        without a z column. ValueError if the dump has no positions."""
        return _found(self._centers)

    @property
    def radii(self) -> NDArray[np.float64]:
        """The radii, half of ``diameter`` if that is the column: float64 of shape (N,). ValueError
        if the dump has neither: `pairs`, `PairFinder.update` and `save_particles` take one radius
        for all, such as ``pairs(frame.centers, 0.5)``."""
        return _found(self._radii)

    @property
    def cell(self) -> Periodic | None:
        """The periodic cell for `pairs` and `PairFinder`; None if the box is open or missing."""
        if self.box is None:
            return None
        return self.box.cell(3 if isinstance(self._centers, str) else self._centers.shape[1])

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        atoms = "1 atom" if len(self) == 1 else f"{len(self)} atoms"
        return f"<tangere.DumpFrame of {atoms} at step {self.step}>"


def _found(values: NDArray[np.float64] | str) -> NDArray[np.float64]:
    """Returns an array; the text of an error is raised."""
    if isinstance(values, str):
        raise ValueError(values)
    return values
