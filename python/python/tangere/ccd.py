"""First contact of vertices, edges and faces in a step of straight motion.

Corners go from where they start to where they end at constant velocity, so that shapes
may deform. Without a separation the answers are the truth for the numbers given:
nothing is missed, nothing is invented, however degenerate.

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

import enum

from ._tangere import edge_edge, edge_vertex, vertex_face, vertex_vertex

__all__ = ["Status", "edge_edge", "edge_vertex", "vertex_face", "vertex_vertex"]


class Status(enum.IntEnum):
    """What is known of a first contact.

    FREE: no contact during the step, for certain. CONTACT: contact, for certain.
    UNRESOLVED: rounding hides whether the separation is reached, not before `time`.
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
