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


def _record(name, doc, **others):
    """A frozen dataclass with the columns of an answer, and with fields of other types."""
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
    for column, annotation in others.items():
        fields.append((column, annotation))
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
