"""Answers as frozen records, made of the columns that the library lists."""

import dataclasses

import numpy as np

from . import _tangere

_TYPES = {
    "float64": float,
    "uint64": int,
    "uint32": int,
    "int32": int,
    "int8": int,
    "bool": bool,
    "name": str,
    "text": str,
}


def _same(a, b):
    """Whether values are equal, NaN to NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b, equal_nan=True)
    return a == b or (a != a and b != b)


class Record:
    """What all records share: equality of all fields that are compared."""

    __slots__ = ()

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        fields = (field.name for field in dataclasses.fields(self) if field.compare)
        return all(_same(getattr(self, name), getattr(other, name)) for name in fields)

    __hash__ = None


@dataclasses.dataclass(frozen=True, eq=False, repr=False, slots=True)
class Feature(Record):
    """A vertex, an edge or a face of a body.

    Parameters
    ----------
    kind : {'vertex', 'edge', 'face'}
    index : int
        Its number: of a `ConvexPolyhedron` the place among its `vertices`, `edges`
        or `faces`.

    Examples
    --------
    >>> import tangere
    >>> feature = tangere.closest([[0, 0, 0]], [[2, 0, 0]]).feature_a
    >>> feature
    Feature('vertex', 0)
    >>> feature.kind, feature.index, feature == tangere.Feature("vertex", 0)
    ('vertex', 0, True)
    """

    kind: str
    index: int

    def __post_init__(self):
        kind, index = _tangere._checked_feature(self.kind, self.index)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "index", index)

    def __hash__(self):
        return hash((self.kind, self.index))

    def __repr__(self):
        return f"Feature({self.kind!r}, {self.index})"


Feature.__module__ = "tangere"


def _record(name, doc, **others):
    """A frozen dataclass with the columns of an answer, and with others: their type and meaning."""
    fields, lines = [], []
    for column, kind, width, meaning, compared in _tangere._columns(name):
        if kind == "feature":
            annotation = Feature
        elif width == 1:
            annotation = _TYPES[kind]
        else:
            annotation = np.ndarray if kind == "float64" else tuple
        fields.append((column, annotation, dataclasses.field(compare=compared)))
        lines.append(f"{column} : {annotation.__name__}\n    {meaning}\n")
    for column, (annotation, meaning) in others.items():
        fields.append((column, annotation))
        lines.append(f"{column} : {annotation.__name__}\n    {meaning}\n")
    head, _, examples = doc.partition("\n\nExamples\n")
    attributes = "\n\nAttributes\n----------\n" + "".join(lines) + "\nExamples\n"
    made = dataclasses.make_dataclass(
        name, fields, bases=(Record,), frozen=True, eq=False, slots=True
    )
    made.__doc__ = head + attributes + examples
    made.__module__ = "tangere"
    return made


Overlap = _record(
    "Overlap",
    """What two bodies share; see `overlap`.

Examples
--------
>>> import tangere
>>> ball = tangere.Packing([[0, 0, 0]], [1])
>>> found = tangere.overlap(ball, ball, pose_b=[1, 0, 0])
>>> round(found.volume, 6)
1.308997
>>> found.lower <= found.volume <= found.upper
True
>>> found.force, found.torque
(array([1.30899694, 0.        , 0.        ]), array([0., 0., 0.]))
>>> found.centroid, found.normal
(array([0.5, 0. , 0. ]), array([1., 0., 0.]))
>>> found.pairs, found.method in ("grid", "tree", "brute"), found.complete, found.spheres
(1, True, True, (1, 1))
""",
)

PatchPoint = _record(
    "PatchPoint",
    """A corner of a contact patch: a point on each body; see `Contact.patch`.

Examples
--------
>>> import tangere
>>> cube = tangere.generate.sponge(0)
>>> patch = tangere.closest(cube, cube, pose_b=[0.5, 0.25, 1]).patch
>>> [corner.point_a.tolist() for corner in patch]
[[0.5, 0.25, 1.0], [1.0, 0.25, 1.0], [1.0, 1.0, 1.0], [0.5, 1.0, 1.0]]
>>> patch[0].gap, patch[0].feature_b.kind, patch[2].feature_a.kind
(0.0, 'vertex', 'vertex')
""",
)

Contact = _record(
    "Contact",
    """Distance or penetration depth of two bodies; see `closest`.

Contacts are equal if all but `steps` is, which a cache changes.

Examples
--------
>>> import tangere
>>> cube = tangere.generate.sponge(0)
>>> contact = tangere.closest(cube, cube, pose_b=[0.5, 0.25, 0.875])
>>> contact.gap, contact.status, contact.feature_a, contact.feature_b
(-0.125, 'penetrating', Feature('face', 4), Feature('face', 0))
>>> contact.lower <= contact.gap <= contact.upper
True
>>> contact.normal.tolist(), len(contact.patch)
([0.0, 0.0, 1.0], 4)
>>> contact.point_b - contact.point_a
array([ 0.   ,  0.   , -0.125])
>>> contact == tangere.closest(cube, cube, pose_b=[0.5, 0.25, 0.875])
True
""",
    patch=(
        list,
        "Corners of the polygon where faces lie on each other, counter-clockwise about the normal;\n"
        "    the ends of a segment; or the one point. Each is a `PatchPoint`.",
    ),
)

Counts = _record(
    "Counts",
    """Work of following pairs of bodies.

Examples
--------
>>> import tangere
>>> cube, cache = tangere.generate.sponge(0), tangere.ConvexCache()
>>> gaps = [tangere.closest(cube, cube, pose_b=[2, 0.1, 0.01 * k], cache=cache).gap for k in range(20)]
>>> cache.counts.queries, sum(cache.counts.steps), cache.counts.restarts >= 0
(20, 20, True)
""",
)

SurfaceDistance = _record(
    "SurfaceDistance",
    """Distance of two surfaces; see `closest` with ``convex=False``.

Examples
--------
>>> import tangere
>>> knot = tangere.generate.knot(2000)
>>> near = tangere.closest(knot, knot, pose_b=[0, 0, 5], convex=False)
>>> near.intersecting, near.distance > 2
(False, True)
""",
)
