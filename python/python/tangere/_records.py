"""Results as frozen records, made from the columns that the library lists."""

import collections.abc
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
    """Base of all records: equality by compared fields, and access by name."""

    __slots__ = ()
    # `record == array` is False instead of an array.
    __array_ufunc__ = None

    def as_dict(self):
        """The fields and their values."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def keys(self):
        """The names of the fields."""
        return self.as_dict().keys()

    def __getitem__(self, name):
        return self.as_dict()[name]

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, name):
        return name in self.keys()

    def __setstate__(self, state):
        """Restores the fields of a copy; its arrays are read-only as well."""
        fields = dataclasses.fields(self)
        if len(state) != len(fields):
            name = type(self).__name__
            raise ValueError(f"{name}: found {len(state)} fields, expected {len(fields)}")
        for field, value in zip(fields, state):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field.name, value)

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        fields = (field.name for field in dataclasses.fields(self) if field.compare)
        return all(_same(getattr(self, name), getattr(other, name)) for name in fields)

    __hash__ = None


def _freeze(cls):
    """Refuses assignment: the way of dataclasses ends in another error where a class has slots."""

    def __setattr__(self, name, value, /):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name, /):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__


@dataclasses.dataclass(frozen=True, eq=False, repr=False, slots=True)
class Feature(Record):
    """A vertex, an edge or a face of a body.

    Parameters
    ----------
    kind : {'vertex', 'edge', 'face'}
    index : int
        Its index: of a `ConvexPolyhedron` in its `vertices`, `edges` or `faces`.

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
_freeze(Feature)


class Mapped(Record, collections.abc.Mapping):
    """A record that is also a mapping."""

    __slots__ = ()

    def __len__(self):
        return len(self.keys())

    def __eq__(self, other):
        if isinstance(other, dict):
            return self.as_dict() == other
        return super().__eq__(other)

    __hash__ = None


class Report(Mapped):
    """Base of reports: mappings that can be written as JSON."""

    __slots__ = ()

    def as_dict(self):
        """The attributes by name, ready for JSON.

        Returns
        -------
        dict
            Numbers, bools and None; ``bounds`` is a dictionary of the lists ``min`` and
            ``max``. ``tangere info --json`` has all of these names with the same values, and
            also those of the file and of the call: ``file``, ``format``, ``polygons`` and
            ``welded_vertices`` (see `Mesh.source`), ``seconds``, and ``tree`` with
            ``--tree``. ``self_intersections`` is present if they were counted.

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

    def __str__(self):
        items = self.as_dict()
        items["bounds"] = " to ".join(map(str, self.bounds.tolist()))
        return "\n".join(f"{name:<22}{value}" for name, value in items.items())


class Located(Record):
    """A record with a path."""

    __slots__ = ()

    def __post_init__(self):
        object.__setattr__(self, "path", pathlib.Path(self.path))


def _named(annotation):
    """A type as it is printed."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _record(name, doc, base=Record, first=(), **others):
    """A frozen dataclass with the columns of a result, and `others`: their type and meaning."""
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
    for column, (annotation, meaning) in others.items():
        fields.append((column, annotation))
        lines.append(f"{column} : {_named(annotation)}\n    {meaning}\n")
    head, _, examples = doc.partition("\n\nExamples\n")
    attributes = "\n\nAttributes\n----------\n" + "".join(lines) + "\nExamples\n"
    made = dataclasses.make_dataclass(
        name, fields, bases=(base,), frozen=True, eq=False, slots=True
    )
    made.__doc__ = head + attributes + examples
    made.__module__ = "tangere"
    # The one of dataclasses would leave the arrays of copies writeable.
    made.__setstate__ = Record.__setstate__
    _freeze(made)
    return made


Overlap = _record(
    "Overlap",
    """Penetration volume of two bodies, with force and torque; see `overlap`.

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

ImpactContact = _record(
    "ImpactContact",
    """A contact of two bodies, or of a body with itself, at its time of impact; see `Impact`.

Examples
--------
>>> import tangere
>>> cube, octahedron = tangere.generate.sponge(0), tangere.generate.sphere(0)
>>> falling = tangere.Body(octahedron, position=[0.25, 0.5, 4], velocity=[0, 0, -2])
>>> contact = tangere.ImpactEngine([cube, falling]).next_contact(9).contacts[0]
>>> round(contact.time, 9), contact.early <= 1 <= contact.late, contact.certificate
(1.0, True, 'bracket')
>>> contact.a, contact.feature_a.kind, contact.b, contact.feature_b.kind
(0, 'face', 1, 'vertex')
>>> contact.normal.tolist(), abs(contact.gap) < 1e-12
([0.0, 0.0, 1.0], True)
>>> corners = cube.vertices[cube.faces[contact.face_a]]
>>> u, v = contact.xi_a
>>> on_face = (1 - u - v) * corners[0] + u * corners[1] + v * corners[2]
>>> bool(abs(on_face - contact.point).max() < 1e-12)
True
""",
)


def _of_first(name):
    """A property that is the one of the first contact."""

    def get(self):
        if not self.contacts:
            raise AttributeError("an impact that is not resolved has no contacts")
        return getattr(self.contacts[0], name)

    return property(get, doc=f"`{name}` of the first of `contacts`.")


class _FirstContact(Record):
    """Properties of an impact that are those of its first contact."""

    __slots__ = ()

    a = _of_first("a")
    b = _of_first("b")
    feature_a = _of_first("feature_a")
    feature_b = _of_first("feature_b")
    point = _of_first("point")
    normal = _of_first("normal")
    gap = _of_first("gap")


Impact = _record(
    "Impact",
    """Time of impact and all contacts at that time; see `ImpactEngine.next_contact`.

`early` and `late` are the lower and upper bound of the time of impact, up to the rounding of
positions. `certificate` is how certain the contact is:

- 'exact': nodes move linearly, or balls on parabolas. The contact is exact for the given numbers.
- 'bracket': at `early` the gap is within rounding, and it closes.
- 'touching': at `early` the gap is within rounding but does not close. The bodies graze,
  slide, rest or just miss each other; `late` is infinite.
- 'overlap': the bodies overlap already.
- 'unresolved': the limit of work is used up, and the next call continues; or rounding hides
  whether bodies touch (after a turn by 1e8 radians). Nothing touches before `early`, and there
  are no contacts.

`contacts` lists all contacts, each an `ImpactContact`, in the order of bodies and features;
`a`, `b`, `feature_a`, `feature_b`, `point`, `normal` and `gap` are those of the first.

Examples
--------
>>> import tangere
>>> ball, wall = tangere.Body.ball(0.5, velocity=[2, 0, 0]), tangere.generate.sponge(0)
>>> engine = tangere.ImpactEngine([ball, tangere.Body(wall, position=[4, -0.5, -0.25])])
>>> impact = engine.next_contact(9)
>>> round(impact.time, 9), impact.early <= 1.75 <= impact.late, impact.certificate
(1.75, True, 'bracket')
>>> len(impact.contacts), impact.a, impact.feature_a, impact.b, impact.feature_b.kind
(1, 0, Feature('face', 0), 1, 'face')
>>> impact.point.round(9).tolist(), impact.normal.tolist(), abs(impact.gap) < 1e-12
([4.0, 0.0, 0.0], [1.0, 0.0, 0.0], True)
""",
    base=_FirstContact,
    contacts=(list, "All contacts, each an `ImpactContact`, in the order of bodies and features."),
)

ImpactCounts = _record(
    "ImpactCounts",
    """Work counts of an engine; see `ImpactEngine.counts`. It is also a mapping.

Examples
--------
>>> import tangere
>>> counts = tangere.ImpactEngine([tangere.generate.sphere(2)]).counts
>>> counts.trajectory, counts["update"], dict(counts)["volume"], counts.as_dict()["primitive"]
(0, 0, 0, 0)
""",
    base=Mapped,
)

class _Moving(Record):
    """A record of a rigid motion, which gives where the body is later."""

    __slots__ = ()

    def center_at(self, t):
        """The center in the world a time t after the motion begins (array of 3)."""
        w, axis = self.rotation[0], self.rotation[1:]
        across = 2.0 * np.cross(axis, self.center)
        center = self.position + self.center + w * across + np.cross(axis, across)
        return center + (self.velocity + 0.5 * self.acceleration * t) * t

    def pose_at(self, t):
        """The pose tx, ty, tz, qw, qx, qy, qz a time t after the motion begins (array of 7)."""
        rate = np.linalg.norm(self.spin)
        axis = self.spin / rate if rate > 0 else np.zeros(3)
        c, turn = np.cos(0.5 * rate * t), np.sin(0.5 * rate * t) * axis
        w, v = self.rotation[0], self.rotation[1:]
        rotation = np.append(c * w - turn @ v, c * v + w * turn + np.cross(turn, v))
        rotation /= np.linalg.norm(rotation)
        across = 2.0 * np.cross(rotation[1:], self.center)
        arm = self.center + rotation[0] * across + np.cross(rotation[1:], across)
        return np.append(self.center_at(t) - arm, rotation)


Motion = _record(
    "Motion",
    """Motion of a rigid body; see `ImpactEngine.motion` and `Body.motion`.

Its center moves with constant acceleration, and it rotates about it with constant spin.
``center_at(t)`` is the center in the world, and ``pose_at(t)`` the pose, a time t after the
motion begins: after the current time of the engine for `ImpactEngine.motion`.

Examples
--------
>>> import tangere
>>> ball = tangere.Body.ball(1, position=[0, 0, 5], velocity=[1, 0, 0], rotation="z:90")
>>> motion = ball.motion
>>> motion.position.tolist(), motion.velocity.tolist(), motion.rotation.round(3).tolist()
([0.0, 0.0, 5.0], [1.0, 0.0, 0.0], [0.707, 0.0, 0.0, 0.707])
>>> motion.spin.tolist() == motion.acceleration.tolist() == motion.center.tolist()
True
>>> motion.center_at(2).tolist(), motion.pose_at(2)[:3].tolist()
([2.0, 0.0, 5.0], [2.0, 0.0, 5.0])
""",
    base=_Moving,
)

GasCounts = _record(
    "GasCounts",
    """Event counts of a gas; see `Gas.counts`. It is also a mapping.

Examples
--------
>>> import tangere
>>> gas = tangere.Gas([[0, 0]], [[1, 0]], [1], walls=[[-2, -2], [2, 2]])
>>> _ = gas.run(events=5)
>>> gas.counts.walls, gas.counts["spheres"], list(gas.counts)
(5, 0, ['spheres', 'walls', 'escapes', 'stale', 'set_ups'])
""",
    base=Mapped,
)

PatchPoint = _record(
    "PatchPoint",
    """A corner of a contact patch: a point on each body; see `Contact.patch`.

Examples
--------
>>> import tangere
>>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
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

Contacts are equal if all fields but `steps` are, which a cache changes.

Examples
--------
>>> import tangere
>>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
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
        "Corners of the contact polygon of two faces, counter-clockwise about the normal; ends of\n"
        "    a contact segment; or the one contact point. Each is a `PatchPoint`.",
    ),
)

PairAnswer = _record(
    "PairAnswer",
    """What a method answers for a pair of bodies of a scene: one contact; see `Scene.pair_answers`.

Examples
--------
>>> import tangere
>>> scene = tangere.Scene()
>>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1.5, 0, 0]])
>>> answer = scene.pair_answers(0, 1)[0]
>>> answer.method, answer.gap, answer.normal.tolist()
('scene', -0.5, [1.0, 0.0, 0.0])
""",
)

LinContact = _record(
    "LinContact",
    """Distance of two convex bodies by Lin's walk as published; see `closest` with ``method="lin"``.

It has the fields of `Contact`, the number of `iterations`, and whether the walk was `trapped`.

Examples
--------
>>> import tangere
>>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
>>> contact = tangere.closest(cube, cube, pose_b=[1.5, 0, 0], method="lin")
>>> contact.gap, contact.trapped, contact.iterations == contact.steps
(0.5, False, True)
>>> tangere.closest(cube, cube, pose_b=[0.75, 0.1, 0], method="lin").trapped
True
""",
    patch=(
        list,
        "Corners of the contact polygon of two faces, counter-clockwise about the normal; ends of\n"
        "    a contact segment; or the one contact point. Each is a `PatchPoint`.",
    ),
)

Counts = _record(
    "Counts",
    """Work counts of `ConvexCache` and `ConvexPairs`: queries by steps, and restarts.

Examples
--------
>>> import tangere
>>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
>>> cache = tangere.ConvexCache()
>>> gaps = [tangere.closest(cube, cube, pose_b=[2, 0.1, 0.01 * k], cache=cache).gap for k in range(20)]
>>> cache.counts.queries, sum(cache.counts.steps), cache.counts.restarts >= 0
(20, 20, True)
""",
)

SurfaceDistance = _record(
    "SurfaceDistance",
    """Distance of two surfaces, and whether one closed mesh lies inside the other; see `closest`.

Examples
--------
>>> import tangere
>>> knot = tangere.generate.knot(2000)
>>> near = tangere.closest(knot, knot, pose_b=[0, 0, 5])
>>> near.status, near.gap > 2
('separated', True)
""",
)

MeshReport = _record(
    "MeshReport",
    """Report on a surface mesh and its defects; see `Mesh.report`.

``print(report)`` shows one attribute a line. It is also a mapping.

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
    bounds=(
        np.ndarray,
        "Bounding box of all used vertices: lower and upper corner as rows of an array of shape (2, 3).",
    ),
)

FaceReport = _record(
    "FaceReport",
    """Report on finite element faces and their defects; see `FaceMesh.report`.

It is also a mapping: ``report["area"]``, ``report.items()``, ``len(report)``.

Examples
--------
>>> import tangere
>>> report = tangere.FaceMesh([[0, 0], [1, 2]], [[0, 1]], "seg2").report
>>> report.kinds, report["bounds"]["max"], report.get("closed"), "area" in report
({'seg2': 1}, [1.0, 2.0, 0.0], False, True)
""",
    Report,
    bounds=(
        np.ndarray,
        "Bounding box of all faces: lower and upper corner as rows of an array of shape (2, 3).",
    ),
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
Repair(merged=0, collapsed=0, flipped=32, filled=0, added=0)
""",
)
