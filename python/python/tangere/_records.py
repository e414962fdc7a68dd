"""Answers as frozen records, made of the columns that the library lists."""

import dataclasses
import pathlib

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
    "int": int,
    "int or none": int | None,
    "float or none": float | None,
    "dict": dict,
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


class Report(Record):
    """What reports share: they work like dictionaries as well, ready for JSON."""

    __slots__ = ()

    def as_dict(self):
        """The attributes by name, ready for JSON.

        Returns
        -------
        dict
            Numbers, truth values and None; ``bounds`` is a dictionary of the lists ``min`` and
            ``max``. ``tangere info --json`` has all of these names with the same values, and
            besides them those of the file and of the call: ``file``, ``format``, ``polygons`` and
            ``welded_vertices`` (see `Mesh.source`), ``seconds``, and ``tree`` if asked for with
            ``--tree``. ``self_intersections`` is there if they were looked for.

        Examples
        --------
        >>> import json, tangere
        >>> report = tangere.generate.sphere(0).report
        >>> json.loads(json.dumps(report.as_dict()))["edges"]
        12
        """
        items = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        items["bounds"] = dict(zip(("min", "max"), self.bounds.tolist()))
        if items.get("self_intersections", 0) is None:
            del items["self_intersections"]
        return items

    def __getitem__(self, name):
        return self.as_dict()[name]

    def __iter__(self):
        return iter(self.as_dict())

    def keys(self):
        """The names of `as_dict`."""
        return self.as_dict().keys()

    def __str__(self):
        items = self.as_dict()
        items["bounds"] = " to ".join(map(str, self.bounds.tolist()))
        return "\n".join(f"{name:<22}{value}" for name, value in items.items())


class Located(Record):
    """What has a path."""

    __slots__ = ()

    def __post_init__(self):
        object.__setattr__(self, "path", pathlib.Path(self.path))


def _named(annotation):
    """A type as it is written."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _record(name, doc, base=Record, first=(), **others):
    """A frozen dataclass with the columns of an answer, and with fields of other types."""
    fields, lines = list(first), []
    for column, kind, width, meaning, compared in _tangere._columns(name):
        if kind == "feature":
            annotation = Feature
        elif width == 1:
            annotation = _TYPES[kind]
        else:
            annotation = np.ndarray if kind == "float64" else tuple
        fields.append((column, annotation, dataclasses.field(compare=compared)))
        lines.append(f"{column} : {_named(annotation)}\n    {meaning}\n")
    for column, annotation in others.items():
        fields.append((column, annotation))
    head, _, examples = doc.partition("\n\nExamples\n")
    attributes = "\n\nAttributes\n----------\n" + "".join(lines) + "\nExamples\n"
    made = dataclasses.make_dataclass(
        name, fields, bases=(base,), frozen=True, eq=False, slots=True
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

MeshReport = _record(
    "MeshReport",
    """What is right and wrong with a surface; see `Mesh.report`.

``print(report)`` shows an attribute a line. ``bounds`` is the box of all vertices that triangles
use: its lower and its upper corner as the rows of an array of shape (2, 3).

Examples
--------
>>> import tangere
>>> report = tangere.generate.sphere(0).report
>>> report.closed, report.genus, report.triangles
(True, 0, 8)
>>> report.as_dict()["bounds"]
{'min': [-1.0, -1.0, -1.0], 'max': [1.0, 1.0, 1.0]}
""",
    Report,
    bounds=np.ndarray,
)

FaceReport = _record(
    "FaceReport",
    """What is right and wrong with finite element faces; see `FaceMesh.report`.

Its fields can be had by name as well, as those of a dictionary. ``bounds`` is a box that contains
all faces: its lower and its upper corner as the rows of an array of shape (2, 3).

Examples
--------
>>> import tangere
>>> report = tangere.FaceMesh([[0, 0], [1, 2]], [[0, 1]], "seg2").report
>>> report.kinds, report["bounds"]["max"]
({'seg2': 1}, [1.0, 2.0, 0.0])
""",
    Report,
    bounds=np.ndarray,
)

Source = _record(
    "Source",
    """Where a mesh was read from; see `Mesh.source`.

Examples
--------
>>> import os, tempfile, tangere
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "sphere.stl")
...     tangere.save(tangere.generate.sphere(0), path)
...     source = tangere.load(path).source
>>> source.path.name, source.format, source.polygons, source.welded
('sphere.stl', 'stl', 8, 18)
""",
    Located,
    [("path", pathlib.Path)],
)

Repair = _record(
    "Repair",
    """What was changed to make a mesh from another; see `Mesh.repair`.

Examples
--------
>>> import tangere
>>> sphere = tangere.generate.sphere(1)
>>> inverted = tangere.Mesh(sphere.vertices, sphere.faces[:, ::-1])
>>> inverted.reoriented().repair
Repair(merged=0, collapsed=0, flipped=32)
""",
)
