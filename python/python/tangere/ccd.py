"""Continuous collision detection of vertices, edges and faces in linear motion.

Corners move at constant velocity from their start to their end, so that shapes may
deform. Without a separation the results are exact for the given numbers: no contact is
missed and none is reported falsely, however degenerate the motion.

Examples
--------
>>> import numpy as np
>>> from tangere import ccd
>>> start, end = np.random.default_rng(1).random((2, 1000, 4, 3))
>>> found = ccd.vertex_face(start, end)
>>> found.dtype.names
('time', 'late', 'status')
>>> bool(np.isfinite(found["time"]).any())
True
"""

from ._status import Code
from ._tangere import edge_edge, edge_vertex, vertex_face, vertex_vertex

__all__ = ["Status", "edge_edge", "edge_vertex", "vertex_face", "vertex_vertex"]


class Status(Code):
    """Outcome of a query of the time of impact.

    FREE: certainly no contact during the step. CONTACT: certainly contact.
    UNRESOLVED: rounding hides whether the separation is reached, but not before `time`.
    NOT_FINITE: a coordinate is not finite.

    Examples
    --------
    >>> from tangere import ccd
    >>> found = ccd.vertex_vertex([[[0, 0, 0], [1, 0, 0]]], [[[0, 0, 0], [2, 0, 0]]])
    >>> ccd.Status(found["status"][0])
    <Status.FREE: 0>
    """

    FREE = 0
    CONTACT = 1
    UNRESOLVED = 2
    NOT_FINITE = 3

    @property
    def word(self) -> str:
        """The word in JSON and CSV files.

        Examples
        --------
        >>> from tangere.ccd import Status
        >>> Status.NOT_FINITE.word, Status("contact") == Status.CONTACT
        ('not finite', True)
        """
        return self.name.lower().replace("_", " ")
