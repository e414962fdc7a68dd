"""Golden files: names, signatures, types of arrays, and values of the whole package.

They are kept in `golden` beside this file. With `TANGERE_BLESS=1` in the environment they are
rewritten, and a look at `git diff` shows what has changed.
"""

import dataclasses
import enum
import hashlib
import inspect
import os
import platform
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import tangere
from tangere import ccd, generate, trajectory

GOLDEN = Path(__file__).resolve().parent / "golden"
SCENES = Path(__file__).resolve().parents[2] / "docs" / "scenes"
MODULES = [tangere, generate, ccd, trajectory]


def compare(name, lines):
    """Compares lines with a golden file, or rewrites it."""
    path = GOLDEN / name
    found = "".join(f"{line}\n" for line in lines)
    if os.environ.get("TANGERE_BLESS") == "1":
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = found.splitlines()
    end = "the end of the file"
    for number in range(max(len(expected), len(found))):
        old = expected[number] if number < len(expected) else end
        new = found[number] if number < len(found) else end
        if old != new:
            pytest.fail(
                f"python/tests/golden/{name}, line {number + 1}\n"
                f"  expected {old!r}\n  found    {new!r}\n"
                "If this is as it should be: "
                "TANGERE_BLESS=1 python -m pytest python/tests/test_golden.py",
                pytrace=False,
            )


def public(owner):
    """Public names and their values, sorted."""
    names = getattr(owner, "__all__", None) or dir(owner)
    if inspect.isclass(owner) and issubclass(owner, np.ndarray):
        # What NumPy adds depends on its version.
        names = vars(owner)
    names = sorted(name for name in names if not name.startswith("_"))
    return [(name, getattr(owner, name)) for name in names]


def classes():
    """Every class of the package once, with its name."""
    found = {}
    for module in MODULES:
        for name, value in public(module):
            if inspect.isclass(value):
                found.setdefault(value, f"{module.__name__}.{name}")
    return [(name, value) for value, name in found.items()]


def signature(value):
    try:
        found = inspect.signature(value)
    except ValueError:
        return "no signature"
    # How types are written depends on the version of Python.
    plain = [one.replace(annotation=one.empty) for one in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=found.empty))


def test_signatures():
    lines = []
    for module in MODULES:
        for name, value in public(module):
            if inspect.ismodule(value):
                lines.append(f"{module.__name__}.{name}: module")
            elif inspect.isclass(value):
                lines.append(f"{module.__name__}.{name}: class")
            elif callable(value):
                lines.append(f"{module.__name__}.{name}{signature(value)}")
            else:
                lines.append(f"{module.__name__}.{name}: {type(value).__name__}")
    for owner, cls in classes():
        if issubclass(cls, enum.Enum):
            continue
        is_record = dataclasses.is_dataclass(cls)
        made = signature(cls) if is_record else cls.__text_signature__ or "no signature"
        lines.append(f"{owner}: {made}")
        for name, value in public(cls):
            if callable(value):
                lines.append(f"{owner}.{name}{signature(value)}")
    compare("signatures.txt", lines)


def test_attributes():
    # Pickling adds the last, so it depends on the tests that ran before.
    usual = {"__doc__", "__module__", "__new__", "__qualname__", "__slotnames__"}
    lines = []
    for owner, cls in classes():
        if issubclass(cls, enum.Enum):
            members = ", ".join(f"{member.name} = {member.value}" for member in cls)
            lines.append(f"{owner}: {members}")
            continue
        names = [name for name, _ in public(cls)]
        lines.append(f"{owner}: {', '.join(names)}")
        special = sorted(name for name in vars(cls) if name.startswith("__"))
        special = [name for name in special if name not in usual]
        lines.append(f"{owner}: {', '.join(special)}")
    compare("attributes.txt", lines)


def made(folder):
    """Instances of every class and results of every function, by the name of the call."""
    box = generate.box([2, 2, 2])
    sphere = generate.sphere(2)
    cut = tangere.Mesh(box.vertices, box.faces[:-2])
    (folder / "run.dump").write_text(
        "ITEM: TIME\n0.5\nITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp ff\n"
        "0 11 1\n0 4 0\n0 4 0\nITEM: ATOMS id xs ys zs diameter element\n7 0.5 0.25 1 1 Si\n3 0 0 0 0.5 O\n"
    )
    (frame,) = tangere.read_dump(folder / "run.dump")
    centers, radii = generate.particles(40, contacts=4, seed=1)
    plane, discs = generate.particles(40, dim=2, seed=1)
    points = np.array([[0, 0, 4], [0.5, 0, 0], [3, 3, 3], [0, 1, 0.25]], dtype=float)
    quad = np.array(
        [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, -1, 0.5], [1, 0, 0], [0, 1, 0.5], [-1, 0, 0]],
        dtype=float,
    )
    corner = np.array([[3, 0, 0]], dtype=float)
    faces = tangere.FaceMesh(quad, [list(range(8))], "quad8")
    mixed = tangere.FaceMesh(
        np.vstack([quad, corner]), [[0, 1, 2, 3, 4, 5, 6, 7], [1, 8, 2]], ["quad8", "tri3"]
    )
    hull = tangere.ConvexPolyhedron(generate.hull(20, seed=3).vertices)
    cache = tangere.ConvexCache()
    contact = tangere.closest(box, box, pose_b=[2, 0.5, 0.25], cache=cache)
    convex = tangere.ConvexPairs([box, hull])
    poses = np.array([[0, 0, 0], [1.5, 0.25, 0]], dtype=float)
    finder = tangere.PairFinder(periodic=[1, 1, 1], skin=0.01)
    finder.update(centers, radii)
    flat = tangere.PairFinder()
    flat.update_boxes(plane, plane + 0.1)
    packing = tangere.pack(box, spheres=20)
    ball = tangere.pack(sphere, spheres=20)
    tree = tangere.Tree.of_mesh(sphere)
    test = tangere.Inside(sphere)
    bodies = tangere.Bodies([box, sphere])
    gas = tangere.Gas(
        [[0, 0, 0], [5, 0, 0]], [[1, 0, 0], [0, 0, 0]], [1, 1], walls=[[-9, -9, -9], [9, 9, 9]]
    )
    pane = tangere.Gas([[0, 1.5]], [[0, 0]], [0.5], walls=[[-9, 0], [9, 9]], gravity=[0, -1])
    engine = tangere.ImpactEngine.from_scene(SCENES / "two-spheres.toml")
    impact = engine.next_contact(20)
    body = tangere.Body(box, velocity=[1, 0, 0], spin=[0, 0, 1], name="box")
    shape = body.shape
    tangere.save(box, folder / "box.obj")
    tangere.save_particles(centers, radii, folder / "spheres.csv")
    packing.save(folder / "packing.npy")
    loaded = tangere.load(folder / "box.obj")
    start = np.array([[[1, 1, 3], [0, 0, 0], [4, 0, 0], [0, 4, 0]]], dtype=float)
    end = start.copy()
    end[0, 0, 2] = -1
    moving = {"velocities": [[1, 0, 0], [-1, 0, 0]]}
    two = ([[0, 0, 0], [5, 0, 0]], [1, 1])
    capsule = tangere.Capsule(0.25, 0.5)
    dumbbell = tangere.Compound([(tangere.Sphere(0.5), None), (capsule, [1, 0, 0])])
    simulation = tangere.Simulation(
        "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
        "create_atoms 1 single 4 4 4\ncreate_atoms 1 single 4.9 4 4\n"
        "set group all diameter 1 density 1\nfix 1 all nve/sphere\n"
        "pair_style gran/hooke/history 1000 NULL 1 NULL 0.5 0\npair_coeff * *\nrun 0\n"
    )
    simulation.step(3)
    scene = tangere.Scene(margin=0.125, history=1)
    scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True, name="floor")
    scene.add(tangere.Box(1), [0, 0, 0.5])
    scene.add(dumbbell, [0.25, 0.125, 1.375], id=9)
    scene.update()
    every = {
        "Mesh": box,
        "Mesh, open": cut,
        "Mesh, loaded": loaded,
        "Source": loaded.source,
        "Mesh.welded": cut.welded(1e-9),
        "Mesh.repair": cut.welded(1e-9).repair,
        "Mesh.reoriented": cut.reoriented(),
        "Mesh.transformed": box.transformed(scale=2, rotate="x:90", translate=[1, 2, 3]),
        "MeshReport": box.report,
        "MeshReport, open": cut.report,
        "MeshReport.as_dict": box.report.as_dict(),
        "Mesh.report_with_self_intersections": box.report_with_self_intersections(),
        "Mesh.closest": box.closest(points),
        "Mesh.within": box.within(points, 3),
        "Mesh.signed_distance": box.signed_distance(points),
        "Mesh.distance_grid": box.distance_grid(3),
        "Mesh.distance_grid, axes": box.distance_grid([3, 2, 1]),
        "Mesh.centroid": box.centroid,
        "Mesh.mass": box.mass(2.0),
        "Mesh.inertia": box.inertia(2.0),
        "FaceMesh": faces,
        "FaceMesh, mixed": mixed,
        "FaceReport": mixed.report,
        "FaceMesh.project": faces.project(points),
        "FaceMesh.closest": mixed.closest(points),
        "FaceMesh.within": mixed.within(points, 3),
        "ConvexPolyhedron": hull,
        "ConvexPolyhedron.mesh": hull.mesh(),
        "ConvexPolyhedron.from_mesh": tangere.ConvexPolyhedron.from_mesh(box),
        "ConvexCache": cache,
        "Counts": cache.counts,
        "Contact": contact,
        "Contact, deep": tangere.closest(box, hull, pose_b=[1, 0, 0], verify=True),
        "PatchPoint": contact.patch[0],
        "Feature": contact.feature_a,
        "LinContact": tangere.closest(box, hull, pose_b=[3, 0, 0], convex=True, method="lin"),
        "SurfaceDistance": tangere.closest(box, sphere, pose_b=[4, 0, 0], convex=False),
        "ConvexPairs": convex,
        "ConvexPairs.contacts": convex.contacts(poses, [[0, 1]], verify=True),
        "intersections": tangere.intersections(box, sphere, pose_b=[1, 0, 0]),
        "intersections, kinds": tangere.intersections(box, box, pose_b=[2, 0, 0], return_kinds=True),
        "intersects": tangere.intersects(box, sphere),
        "self_intersections": tangere.self_intersections(box),
        "self_intersections, kinds": tangere.self_intersections(box, return_kinds=True),
        "Packing": packing,
        "Packing, bare": tangere.Packing([[0, 0, 0]], [1]),
        "Packing.in_mesh": tangere.Packing.in_mesh(box, [[0, 0, 0]], [1]),
        "Packing.load": tangere.Packing.load(folder / "packing.npy"),
        "Packing.updated": packing.updated(packing.centers),
        "Overlap": tangere.overlap(packing, ball, pose_b=[1, 0, 0]),
        "Overlap, apart": tangere.overlap(packing, ball, pose_b=[9, 0, 0]),
        "overlap, pairs": tangere.overlap(packing, ball, pose_b=[1, 0, 0], return_pairs=True),
        "overlap, path": tangere.overlap(packing, ball, pose_b=[[1, 0, 0], [2, 0, 0]]),
        "Tree": tree,
        "Tree.overlapping": tree.overlapping([[0, 0, 0]], [[1, 1, 1]]),
        "Tree.pairs": tree.pairs(),
        "Tree.of_spheres": tangere.Tree.of_spheres(plane, discs),
        "Periodic": tangere.Periodic([1, 2, 3], tilt=[0.1, 0, 0], origin=[0, 0, 1]),
        "PairFinder": finder,
        "PairFinder.pairs": finder.pairs(),
        "PairFinder.contacts": finder.contacts(),
        "PairFinder.neighbors": finder.neighbors(),
        "PairFinder.chunks": list(finder.chunks()),
        "PairFinder.query": finder.query(centers[:3], radii[:3]),
        "PairFinder, boxes": flat,
        "PairFinder.pairs, boxes": flat.pairs(),
        "PairFinder.contacts, boxes": flat.contacts(),
        "PairFinder.query_boxes": flat.query_boxes(plane[:3], plane[:3] + 0.1),
        "pairs": tangere.pairs(centers, radii),
        "box_pairs": tangere.box_pairs(plane, plane + 0.1),
        "pairs_between": tangere.pairs_between(centers, radii, centers[:3], radii[:3]),
        "box_pairs_between": tangere.box_pairs_between(plane, plane + 0.1, plane[:3], plane[:3] + 0.1),
        "Inside": test,
        "Inside.classify": test.classify(points),
        "Inside.classify_grid": test.classify_grid(4),
        "Inside.classify_grid, axes": test.classify_grid([4, 3, 2]),
        "Inside.winding": test.winding(points),
        "Inside.confidences": test.confidences(points),
        "inside": tangere.inside(sphere, points),
        "Bodies": bodies,
        "Bodies.intrusions": bodies.intrusions([[0, 0, 0], [1.5, 0, 0]]),
        "load_particles": tangere.load_particles(folder / "spheres.csv"),
        "read_dump": tangere.read_dump(folder / "run.dump"),
        "DumpFrame": frame,
        "DumpBox": frame.box,
        "Mesh.fill_holes": cut.fill_holes(),
        "load_faces": tangere.load_faces(folder / "box.obj"),
        "Gas": gas,
        "Gas.run": gas.run(events=3),
        "GasCounts": gas.counts,
        "Gas, plane": pane,
        "Gas.run, plane": pane.run(until=2),
        "GasCounts, plane": pane.counts,
        "Gas.thermal_velocities": tangere.Gas.thermal_velocities([1, 2], 1, seed=3),
        "Hierarchy": tangere.hierarchy(box),
        "BodyShape": shape,
        "BodyShape, faces": tangere.BodyShape(faces),
        "Body": body,
        "Body.ball": tangere.Body.ball(0.5),
        "Body.deforming": tangere.Body.deforming(box, velocities=np.zeros((8, 3))),
        "Motion": body.motion,
        "ImpactEngine": engine,
        "ImpactCounts": engine.counts,
        "ImpactEngine.motion": engine.motion("left"),
        "ImpactEngine.nodes": engine.nodes(0)[:5],
        "Impact": impact,
        "ImpactContact": impact.contacts[0],
        "Sphere": tangere.Sphere(0.5),
        "Box": tangere.Box([1, 2, 3]),
        "Capsule": capsule,
        "HalfSpace": tangere.HalfSpace([0, 0, 2]),
        "Wall": tangere.Wall(cut),
        "Compound": dumbbell,
        "Scene": scene,
        "Scene.contacts": scene.contacts(),
        "Scene.contacts_of": scene.contacts_of(9),
        "Scene.ended": scene.ended(),
        "Scene.patches": scene.patches(),
        "Scene.rays": scene.rays([[0, 0, 9], [9, 9, 9]], [[0, 0, -1], [0, 0, 1]]),
        "Scene.nearest": scene.nearest(points),
        "Scene.containing": scene.containing(points),
        "Scene.in_boxes": scene.in_boxes([[0, 0, 0.5]], [[1, 1, 2]]),
        "PairAnswer": scene.pair_answers(0, 1)[0],
        "Scene.sleep_until": scene.sleep_until(2.0),
        "Scene.verify": scene.verify(),
        "Scene.state_hash": scene.state_hash(),
        "ccd.vertex_face": ccd.vertex_face(start, end),
        "ccd.edge_edge": ccd.edge_edge(start, end, separation=0.5),
        "ccd.edge_vertex": ccd.edge_vertex(start[:, :3], end[:, :3]),
        "ccd.vertex_vertex": ccd.vertex_vertex(start[:, :2], end[:, :2]),
        "trajectory.first_meetings": trajectory.first_meetings(*two, **moving),
        "trajectory.next_collisions": trajectory.next_collisions(*two, **moving),
        "generate.sphere": generate.sphere(1),
        "generate.foam": generate.foam(500, seed=7),
        "generate.sponge": generate.sponge(1),
        "generate.chazelle": generate.chazelle(2),
        "generate.knot": generate.knot(100),
        "generate.hull": generate.hull(20, seed=3),
        "generate.plate": generate.plate([1, 2], divisions=2),
        "generate.particles": (centers, radii),
        "generate.particles, plane": (plane, discs),
        "generate.crystal": generate.crystal(20),
        "Simulation": simulation,
        "Simulation.contacts": simulation.contacts(),
    }
    return every


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    return {name: (value, shown(value, folder)) for name, value in made(folder).items()}


def shown(value, folder):
    """Its repr, without the name of the folder and addresses."""
    text = repr(value).replace(str(folder), "FOLDER")
    return re.sub("0x[0-9a-f]+", "0x...", text).replace("\n", " ")


def is_ours(value):
    return type(value).__module__.split(".")[0] == "tangere" and not isinstance(value, enum.Enum)


def digest(array):
    """A hash of the numbers, field by field: bytes between fields have no meaning."""
    if array.dtype.names is None:
        return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]
    return " ".join(f"{name}:{digest(array[name])}" for name in array.dtype.names)


def described(dtype):
    """A dtype, with the offsets of its fields."""
    if dtype.names is None:
        return dtype.str
    fields = ((name, *dtype.fields[name][:2]) for name in dtype.names)
    fields = (
        f"{name} {kind.base.str}{list(kind.shape) if kind.shape else ''} at {place}"
        for name, kind, place in fields
    )
    return f"{{{', '.join(fields)}}}"


def walked(label, value, depth=0):
    """Lines of types and lines of values of everything reachable from a value."""
    if isinstance(value, np.ndarray):
        descr = described(value.dtype)
        rest = ", ".join(["n", *(str(n) for n in value.shape[1:])])
        order = "C" if value.flags.c_contiguous else "strided"
        writes = "writeable" if value.flags.writeable else "read-only"
        size = value.dtype.itemsize
        yield f"{label}: {descr} of {size} bytes, ({rest}), {order}, {writes}", (
            f"{label}: {value.shape} {digest(value)}"
        )
    elif isinstance(value, (tuple, list)):
        kind = type(value).__name__
        yield f"{label}: {kind}", f"{label}: {kind} of {len(value)}"
        # Items of lists are alike.
        for k, item in enumerate(value if isinstance(value, tuple) else value[:2]):
            yield from walked(f"{label}[{k}]", item, depth + 1)
    elif isinstance(value, dict):
        yield f"{label}: dict", f"{label}: dict of {len(value)}"
        for key, item in value.items():
            yield from walked(f"{label}[{key!r}]", item, depth + 1)
    elif is_ours(value):
        kind = type(value).__name__
        yield f"{label}: {kind}", f"{label}: {kind}"
        if depth > 0:
            return
        for name, _ in public(type(value)):
            item = getattr(value, name)
            if not callable(item):
                yield from walked(f"{label}.{name}", item, depth + 1)
    else:
        kind = type(value).__name__
        text = "a path" if isinstance(value, Path) else repr(value)
        yield f"{label}: {kind}", f"{label}: {text}"


def test_every_class_is_there(every):
    found = {type(value) for value, _ in every.values()}
    found |= {type(item) for value, _ in every.values() if isinstance(value, tuple) for item in value}
    missing = [
        name for name, cls in classes() if cls not in found and not issubclass(cls, enum.Enum)
    ]
    assert missing == []


def test_reprs(every):
    lines = [f"{name}: {text}" for name, (_, text) in every.items() if is_ours(every[name][0])]
    compare("reprs.txt", lines)


def test_types(every):
    lines = [line for name, (value, _) in every.items() for line, _ in walked(name, value)]
    compare("types.txt", lines)


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="numbers are the same bits on this architecture",
)
def test_values(every):
    lines = [line for name, (value, _) in every.items() for _, line in walked(name, value)]
    compare("values.txt", lines)


def refused(folder):
    """Calls that must raise, by what is wrong with them."""
    box = generate.box([2, 2, 2])
    cut = tangere.Mesh(box.vertices, box.faces[:-2])
    two = ([[0, 0, 0], [1, 0, 0]], [1, 1])
    finder = tangere.PairFinder()
    finder.update(*two)
    packing = tangere.Packing([[0, 0, 0]], [1])
    return {
        "a face out of range": lambda: tangere.Mesh([[0, 0, 0]], [[0, 1, 2]]),
        "a coordinate that is not finite": lambda: tangere.Mesh([[0, 0, np.nan]] * 3, [[0, 1, 2]]),
        "vertices of the plane": lambda: tangere.Mesh([[0, 0]] * 3, [[0, 1, 2]]),
        "faces of four corners": lambda: tangere.Mesh(box.vertices, [[0, 1, 2, 3]]),
        "text as vertices": lambda: tangere.Mesh("vertices", [[0, 1, 2]]),
        "a missing file": lambda: tangere.load(folder / "missing.stl"),
        "an unknown format": lambda: tangere.save(box, folder / "box.xyz"),
        "a format that is only read": lambda: tangere.save(box, folder / "box.msh"),
        "a missing folder": lambda: tangere.save(box, folder / "no" / "box.stl"),
        "a rotation": lambda: box.transformed(rotate="q:90"),
        "a scale of nothing": lambda: box.transformed(scale=0),
        "a tolerance": lambda: box.welded(-1),
        "a kind of face": lambda: tangere.FaceMesh(box.vertices, [[0, 1, 2]], "tri4"),
        "no points of a hull": lambda: tangere.ConvexPolyhedron(np.zeros((0, 3))),
        "a pose": lambda: tangere.closest(box, box, pose_b=[0, 0, 0, 1, 0, 0, 1]),
        "a proof of surfaces": lambda: tangere.closest(box, box, convex=False, verify=True),
        "pairs out of range": lambda: tangere.ConvexPairs([box]).contacts([[0, 0, 0]], [[0, 1]]),
        "a negative radius": lambda: tangere.pairs([[0, 0, 0]], [-1]),
        "radii of others": lambda: tangere.pairs([[0, 0, 0]], [1, 1]),
        "a method of pairs": lambda: tangere.pairs(*two, method="fast"),
        "a small cell": lambda: tangere.pairs(*two, periodic=[1, 1, 1]),
        "a cell of the plane": lambda: tangere.pairs(*two, periodic=[1, 1]),
        "too many pairs": lambda: tangere.pairs(*two, max_pairs=0),
        "groups": lambda: tangere.pairs(*two, groups=[1]),
        "masks": lambda: tangere.pairs(*two, masks=[[1, 2.5], [1, 1]]),
        "others of the plane": lambda: finder.query([[0, 0]], [1]),
        "boxes turned over": lambda: tangere.box_pairs([[1, 1]], [[0, 0]]),
        "too many threads": lambda: tangere.pairs(*two, threads=-1),
        "an open surface": lambda: tangere.inside(cut, [[0, 0, 0]], method="ray"),
        "an accuracy": lambda: tangere.Inside(box, accuracy=2),
        "a rule": lambda: tangere.Inside(box, rule="all"),
        "a grid": lambda: tangere.Inside(box).classify_grid(0),
        "poses of bodies": lambda: tangere.Bodies([box]).intrusions([[0, 0, 0]] * 2),
        "a packing of an open surface": lambda: tangere.pack(cut),
        "a filling": lambda: tangere.pack(box, filling=1.5),
        "spheres that overlap": lambda: tangere.Packing(*two),
        "a method of overlap": lambda: tangere.overlap(packing, packing, method="fast"),
        "a budget": lambda: tangere.overlap(packing, packing, budget_us=-1),
        "a gas that overlaps": lambda: tangere.Gas(two[0], np.zeros((2, 3)), two[1]),
        "a restitution": lambda: tangere.Gas([[0, 0, 0]], [[0, 0, 0]], [1], restitution=2),
        "no end of a gas": lambda: tangere.Gas([[0, 0, 0]], [[0, 0, 0]], [1]).run(),
        "an unknown body": lambda: tangere.ImpactEngine([box, box]).motion("left"),
        "an unknown key": lambda: tangere.ImpactEngine([{"shape": box, "velocty": [0, 0, 0]}]),
        "an unknown volume": lambda: tangere.ImpactEngine([box, box], volume="cone"),
        "a missing scene": lambda: tangere.ImpactEngine.from_scene(folder / "missing.toml"),
        "a radius of nothing": lambda: tangere.Sphere(0),
        "an open mesh that moves": lambda: tangere.Scene().add(cut),
        "a negative margin": lambda: tangere.Scene(-1),
        "an unknown id": lambda: tangere.Scene().remove(3),
        "a damaged snapshot": lambda: tangere.Scene.restore(b"snapshot"),
        "corners of three": lambda: ccd.vertex_face(np.zeros((1, 3, 3)), np.zeros((1, 3, 3))),
        "a separation": lambda: ccd.vertex_vertex(
            np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), separation=-1
        ),
        "a horizon": lambda: trajectory.first_meetings(*two, horizon=-1),
        "a level": lambda: generate.sphere(13),
        "an odd number": lambda: generate.knot(101),
        "a dimension": lambda: generate.particles(4, dim=4),
        "too full": lambda: generate.crystal(4, 0.8),
    }


def test_errors(tmp_path):
    lines = []
    for name, call in refused(tmp_path).items():
        try:
            lines.append(f"{name}: accepted, {shown(call(), tmp_path)}")
        except Exception as error:  # noqa: BLE001
            text = str(error).replace(str(tmp_path), "FOLDER").replace("\n", " ")
            lines.append(f"{name}: {type(error).__name__}: {text}")
    compare("errors.txt", lines)
