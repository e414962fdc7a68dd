"""Numbers in the rows of answers, and the words for them."""

from __future__ import annotations

import enum

__all__ = ["Certificate", "ContactEvent", "ContactStatus", "FeatureKind", "ProjectionStatus", "SurfaceStatus"]


class Code(enum.IntEnum):
    """Base of the enums of this module: made from a number or a word, as records have it."""

    @property
    def word(self) -> str:
        """The word in records, JSON and CSV files."""
        return self.name.lower()

    @classmethod
    def _missing_(cls, value: object) -> Code | None:
        return next((code for code in cls if code.word == value), None)


class ContactStatus(Code):
    """The ``status`` of a contact of convex bodies: a word in `Contact`, a number in rows.

    Examples
    --------
    >>> import tangere
    >>> body = tangere.ConvexPolyhedron(tangere.generate.hull(20).vertices)
    >>> tangere.closest(body, body, pose_b=[5, 0, 0]).status
    'separated'
    >>> tangere.ContactStatus("separated"), tangere.ContactStatus(2).word
    (<ContactStatus.SEPARATED: 0>, 'penetrating')
    """

    SEPARATED = 0
    TOUCHING = 1
    PENETRATING = 2
    BRACKETED = 3


class ContactEvent(Code):
    """The ``event`` of a contact in rows of `Scene.contacts`: what became of it in the last update.

    Examples
    --------
    >>> import tangere
    >>> tangere.ContactEvent("persists"), tangere.ContactEvent(0).word
    (<ContactEvent.PERSISTS: 1>, 'began')
    """

    BEGAN = 0
    PERSISTS = 1
    ENDED = 2


class SurfaceStatus(Code):
    """The ``status`` of two surfaces: a word in `SurfaceDistance`, a number in rows of a motion.

    Examples
    --------
    >>> import tangere
    >>> knot, ball = tangere.generate.knot(1000), tangere.generate.sphere(2)
    >>> rows = tangere.closest(knot, ball, pose_b=[[0, 0, 0], [9, 0, 0]])
    >>> [tangere.SurfaceStatus(status).word for status in rows["status"]]
    ['intersecting', 'separated']
    >>> (rows["status"] == tangere.SurfaceStatus.SEPARATED).tolist()
    [False, True]
    """

    SEPARATED = 0
    TOUCHING = 1
    INTERSECTING = 2
    A_INSIDE_B = 3
    B_INSIDE_A = 4


class ProjectionStatus(Code):
    """The ``status`` of a point of a curved surface in rows of `FaceMesh.project`.

    Examples
    --------
    >>> import tangere
    >>> tangere.ProjectionStatus("folded")
    <ProjectionStatus.FOLDED: 2>
    """

    PROVEN = 0
    BRACKETED = 1
    FOLDED = 2


class Certificate(Code):
    """The ``certificate`` of an impact: a word in `Impact`, a number in rows.

    Examples
    --------
    >>> import tangere
    >>> tangere.Certificate(4).word
    'unresolved'
    """

    EXACT = 0
    BRACKET = 1
    TOUCHING = 2
    OVERLAP = 3
    UNRESOLVED = 4


class FeatureKind(Code):
    """The kind of a feature: a word in `Feature`, a number in columns such as ``kind_a``.

    Examples
    --------
    >>> import tangere
    >>> tangere.FeatureKind("edge")
    <FeatureKind.EDGE: 1>
    """

    VERTEX = 0
    EDGE = 1
    FACE = 2
