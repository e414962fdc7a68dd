"""Continuous collision detection: time of impact of bodies that move, spin and deform."""

import copy
import math
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import tangere
from tangere import Body, BodyShape, ImpactEngine, generate

SCENES = Path(__file__).resolve().parents[2] / "docs" / "scenes"
GRAVITY = [0, 0, -9.81]
UP = 50 * math.sqrt(3)


def thrown(shape, **more):
    """The bodies of example 5.1."""
    both = {"shape": shape, "acceleration": GRAVITY, **more}
    return [
        {"name": "left", "velocity": [50, 0, UP], **both},
        {"name": "right", "position": [1500, 0, 0], "velocity": [-50, 0, UP], **both},
    ]


@pytest.mark.parametrize("level", [0, 2, 4, 5])
@pytest.mark.parametrize("volume", ["box", "ball"])
def test_example_5_1(level, volume):
    engine = ImpactEngine(thrown({"sphere": {"level": level}}), volume=volume)
    assert len(engine) == 2 and engine.names == ["left", "right"]
    # Idle before.
    assert engine.next_contact(14) is None
    assert 14.5 < engine.next_time <= 14.98
    counts = engine.counts
    for step in range(1, 280):
        engine.advance(0.05 * step)
        assert engine.next_contact(0.05 * (step + 1)) is None
    assert engine.counts == counts
    impact = engine.next_contact(20)
    assert impact.early <= 14.98 <= impact.late
    assert impact.late - impact.early < 1e-12 * 14.98
    assert impact.time == impact.early
    (contact,) = impact.contacts
    assert (contact.a, contact.b) == (0, 1)
    assert contact.feature_a.kind == contact.feature_b.kind == "vertex"
    assert np.allclose(contact.normal, [1, 0, 0], atol=1e-12)
    x, z = 50 * 14.98 + 1, UP * 14.98 - 9.81 / 2 * 14.98**2
    assert np.allclose(contact.point, [x, 0, z], rtol=1e-12)


@pytest.mark.parametrize("turn", ["x:10", "1,2,3:40", [0.5, 0.5, 0.5, 0.5]])
def test_example_5_1_turned(turn):
    sphere = generate.sphere(3)
    engine = ImpactEngine(thrown(sphere, rotation=turn))
    impact = engine.next_contact(20.0)
    assert 14.98 <= impact.late and impact.late - impact.early < 1e-12 * 15
    hull = tangere.ConvexPolyhedron.from_mesh(sphere.transformed(rotate=turn))
    gap = tangere.closest(hull, hull, pose_b=[1500 - 100 * impact.early, 0, 0]).gap
    assert abs(gap) < 1e-9
    gap = tangere.closest(hull, hull, pose_b=[1500 - 100 * (impact.early - 1e-9), 0, 0]).gap
    assert gap > 0.5e-7


@pytest.fixture(scope="module")
def knot():
    """The paper's hierarchy over a body of its size."""
    return BodyShape(generate.knot(17_956), construction="bottom-up", volume="ball")


@pytest.mark.parametrize("refinement", ["none", "aabb", "14-dop", "18-dop", "26-dop", "obb"])
def test_example_5_2(knot, refinement):
    wall = generate.plate([6, 12], divisions=[6, 12])
    assert len(wall) == 144
    bodies = [
        Body(knot, velocity=[120 / 3.6, 0, 0], name="knot"),
        Body(wall, position=[103.5, 0.25, 1.5], rotation="y:90"),
    ]
    engine = ImpactEngine(bodies, refinement=refinement)
    awake = []
    for step in range(60):
        now = engine.counts
        if engine.next_contact(0.05 * (step + 1)):
            break
        if engine.counts != now:
            awake.append(step)
        engine.advance(0.05 * (step + 1))
    assert len(awake) <= 10
    impact = engine.next_contact(4)
    assert impact.early <= 3 + 1e-12 and impact.late >= 3 - 1e-12
    assert impact.late - impact.early < 3e-12
    assert impact.contacts[0].feature_a.kind == "vertex"
    assert impact.contacts[0].feature_b.kind == "face"


def test_spin():
    """An edge of an octahedron turns until a vertex meets the wall."""
    octahedron = Body(generate.sphere(0), rotation="z:45", spin=[0, 0, -0.5])
    wall = Body(generate.sponge(0), position=[0.9, -0.5, -0.5])
    impact = ImpactEngine([octahedron, wall]).next_contact(9)
    exact = (math.pi / 4 - math.acos(0.9)) / 0.5
    assert impact.early <= exact * (1 + 1e-14) and exact * (1 - 1e-14) <= impact.late
    assert impact.late - impact.early < 1e-11
    assert impact.certificate == "bracket"
    assert np.allclose(impact.normal, [1, 0, 0])
    assert impact.feature_a.kind == "vertex"


def test_turning_about_a_point():
    arm = Body(generate.box([2, 0.1, 0.1]), center=[-1, 0, 0], spin=[0, 0, 1])
    engine = ImpactEngine([arm])
    engine.advance(math.pi / 2)
    ends = engine.nodes(0)
    assert np.allclose(ends.min(axis=0), [-1.05, 0, -0.05])
    assert np.allclose(ends.max(axis=0), [-0.95, 2, 0.05])
    motion = engine.motion(0)
    assert np.allclose(motion.position, [-1, 1, 0])
    assert np.allclose(motion.rotation, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    assert motion.center.tolist() == [-1, 0, 0]


def test_balls_are_exact():
    balls = [Body.ball(0.5), Body.ball(0.25, [3, 0, 0], velocity=[-1, 0, 0])]
    impact = ImpactEngine(balls).next_contact(9)
    assert impact.certificate == "exact"
    assert impact.early <= 2.25 <= impact.late < 2.25 + 1e-12
    later = ImpactEngine(balls, separation=0.25).next_contact(9)
    assert later.early <= 2 <= later.late < 2 + 1e-12


def test_first_contacts_only():
    """Later contacts that the search visited are not reported with the first."""
    cube = generate.sponge(0)
    falling = Body(cube, [0.25, 0.25, 3], rotation="1,1,0:30", velocity=[0, 0, -1])
    impact = ImpactEngine([cube, falling]).next_contact(9)
    assert all(contact.early <= impact.late for contact in impact.contacts)


@pytest.mark.parametrize("scene", ["two-spheres", "wall", "tumbling"])
def test_first_contacts_of_all_pairs(scene):
    engine = ImpactEngine.from_scene(SCENES / f"{scene}.toml")
    found = engine.first_contacts()
    # One by one, each pair ignored once it has touched.
    stepped, expected = copy.copy(engine), []
    while (impact := stepped.next_contact()) is not None:
        expected += impact.contacts
        for contact in impact.contacts:
            stepped.ignore(contact.a, contact.b)
    expected.sort(key=lambda c: (c.early, c.a, c.b))
    assert len(found) == len(expected) > 0
    certificates = ["exact", "bracket", "touching", "overlap"]
    kinds = ["vertex", "edge", "face"]
    for row, contact in zip(found, expected):
        for name in ("early", "late", "gap", "a", "b", "face_a", "face_b"):
            assert row[name] == getattr(contact, name), name
        for name in ("point_a", "point_b", "normal", "xi_a", "xi_b"):
            assert (row[name] == getattr(contact, name)).all(), name
        for body in "ab":
            feature = getattr(contact, f"feature_{body}")
            assert (kinds[row[f"kind_{body}"]], row[f"index_{body}"]) == (feature.kind, feature.index)
        assert certificates[row["certificate"]] == contact.certificate
    # The engine is unchanged.
    assert engine.time == 0 and engine.next_contact().contacts[0] == expected[0]
    half = engine.first_contacts(found["early"][0])
    assert len(half) >= 1 and half[0] == found[0]


def test_first_contacts_refuses_bad_times():
    balls = [Body.ball(1), Body.ball(1, [6, 0, 0], velocity=[-2, 0, 0])]
    engine = ImpactEngine(balls)
    engine.advance(1)
    for bad, error, message in [
        (0.5, ValueError, "^until: found 0.5, expected a time from now, 1, on"),
        (math.nan, ValueError, "^until: found NaN"),
        ("soon", TypeError, "^until: found str"),
    ]:
        with pytest.raises(error, match=message):
            engine.first_contacts(bad)
    assert engine.first_contacts()["early"].round(9).tolist() == [2]
    idle = ImpactEngine(thrown({"sphere": {"level": 4}}), work=1)
    with pytest.raises(ValueError, match="^work: found all of it used up at the time"):
        idle.first_contacts(20)


def test_simultaneous_contacts_are_in_order():
    ball = generate.sphere(1)
    bodies = [Body(ball, [3 * i, 0, 0], velocity=[-i, 0, 0]) for i in range(5)]
    impact = ImpactEngine(bodies).next_contact(9)
    assert [(c.a, c.b) for c in impact.contacts] == [(i, i + 1) for i in range(4)]
    assert all(c.early <= 1 <= c.late for c in impact.contacts)


def test_overlap_at_the_start():
    ball = generate.sphere(2)
    bodies = [ball, Body(ball, [1, 0, 0]), Body(ball, [9, 0, 0], velocity=[-1, 0, 0])]
    engine = ImpactEngine(bodies)
    impact = engine.next_contact(20)
    assert (impact.time, impact.certificate) == (0, "overlap")
    assert {(c.a, c.b) for c in impact.contacts} == {(0, 1)}
    engine.ignore(0, 1)
    impact = engine.next_contact(20)
    assert (impact.a, impact.b) == (1, 2)
    assert impact.early <= 6 <= impact.late
    engine.ignore("body 2", "body 1")
    assert engine.next_contact(20).early == pytest.approx(7)
    engine.watch(1, 2)
    assert engine.next_contact(20) == impact


def test_bounces():
    """A box falls on a floor again and again, as high as before."""
    floor = Body(generate.plate([9, 9]), name="floor")
    box = Body({"box": {"size": 1}}, [0.1, 0.2, 0.5 + 5], acceleration=[0, 0, -10], name="box")
    engine = ImpactEngine([floor, box])
    times = []
    for _ in range(10):
        impact = engine.next_contact(100)
        assert engine.next_time == impact.time
        engine.advance(impact.time)
        assert engine.time == impact.time
        speed = engine.motion("box").velocity[2]
        assert speed == pytest.approx(-10, rel=1e-9)
        assert np.allclose(impact.normal, [0, 0, 1])
        engine.set_motion("box", velocity=[0, 0, -speed])
        times.append(impact.time)
    assert np.allclose(times, np.arange(1, 20, 2), rtol=1e-9)
    engine.set_motion(1, acceleration=[0, 0, 0], position=[0, 0, 3], rotation="x:90", spin=[0, 0, 1])
    motion = engine.motion(1)
    assert motion.position.tolist() == [0, 0, 3]
    assert motion.spin.tolist() == [0, 0, 1]
    assert motion.velocity[2] == pytest.approx(10, rel=1e-9)
    assert engine.next_contact(100) is None
    assert engine.next_contact() is None


def test_deforming():
    sphere = generate.sphere(3)
    wall = Body(generate.sponge(0), [3, -0.5, -0.5])
    moved = sphere.vertices * 3
    for growing in [
        Body.deforming(sphere, velocities=sphere.vertices),
        Body.deforming(sphere, velocities=sphere.vertices, duration=4),
        Body.deforming(sphere, ends=moved, duration=2),
        Body.deforming(BodyShape(sphere, branching=4), ends=moved, duration=2),
        {"shape": sphere, "vertex_velocities": sphere.vertices},
        {"shape": {"sphere": {"level": 3}}, "vertex_velocities": sphere.vertices.tolist()},
    ]:
        engine = ImpactEngine([growing, wall])
        impact = engine.next_contact(2)
        assert impact.early <= 2 <= impact.late < 2 + 1e-11
        assert impact.certificate == "exact"
        engine.advance(1)
        assert np.allclose(engine.nodes(0), 2 * sphere.vertices)
        assert engine.next_contact(2).time == pytest.approx(2)


def test_deforming_without_end():
    sphere = generate.sphere(2)
    speed = 1e-3
    body = Body.deforming(sphere, velocities=np.full((66, 3), [speed, 0, 0]))
    assert body.deforms and body.duration == math.inf
    wall = Body(generate.sponge(0), [3, -0.5, -0.5])
    engine = ImpactEngine([body, wall])
    for horizon in (0.5, 10, 1999):
        assert engine.next_contact(horizon) is None
    impact = engine.next_contact(5000)
    assert impact.early <= 2000 * (1 + 1e-12) and impact.late >= 2000 * (1 - 1e-12)
    # In small steps, nodes are where they would be.
    for step in range(1, 201):
        engine.advance(step * 0.1)
    assert np.allclose(engine.nodes(0), sphere.vertices + [20 * speed, 0, 0], atol=1e-15)
    assert engine.next_contact(5000).time == pytest.approx(2000, rel=1e-12)
    with pytest.raises(ValueError, match="horizon: found None, expected a finite time: body 0"):
        engine.next_contact()
    with pytest.raises(ValueError, match="horizon: found inf, expected a finite time: body 0"):
        engine.next_contact(math.inf)


def test_self_contact():
    """One of two triangles of a surface goes through the other."""
    vertices = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 1], [2, 1, 2], [1, 2, 2]]
    mesh = tangere.Mesh(vertices, [[0, 1, 2], [3, 4, 5]])
    velocities = np.zeros((6, 3))
    velocities[3:, 2] = -2
    body = Body.deforming(mesh, velocities=velocities)
    impact = ImpactEngine([body]).next_contact(9)
    assert (impact.a, impact.b) == (0, 0)
    assert impact.early <= 0.5 <= impact.late < 0.5 + 1e-12
    assert {impact.feature_a.kind, impact.feature_b.kind} == {"face", "vertex"}
    assert ImpactEngine([body], self_contact=False).next_contact(9) is None
    engine = ImpactEngine([body])
    engine.ignore(0, 0)
    assert engine.next_contact(9) is None


def test_nodes_step_by_step():
    sphere = generate.sphere(2)
    start, step = sphere.vertices, np.array([0, 0, -0.25])
    floor = Body(generate.plate([4, 4]), [0, 0, -2.1])
    engine = ImpactEngine([Body.deforming(sphere, ends=start + step, duration=1), floor])
    now = 0
    while (impact := engine.next_contact(now + 1)) is None:
        now += 1
        engine.advance(now)
        nodes = engine.nodes(0)
        assert np.allclose(nodes, start + now * step)
        if now % 2:
            engine.set_nodes(0, nodes, ends=nodes + step, duration=1)
        else:
            engine.set_nodes(0, nodes, velocities=np.tile(step, (66, 1)))
    assert impact.time == pytest.approx(1.1 / 0.25, rel=1e-12)
    with pytest.raises(ValueError, match="points: found 1, expected 66, one a node"):
        engine.set_nodes(0, [[0, 0, 0]], ends=nodes, duration=1)
    with pytest.raises(ValueError, match=r"ends: found shape \(66,\), expected \(N, 3\)"):
        engine.set_nodes(0, nodes, ends=nodes[:, 0], duration=1)
    with pytest.raises(ValueError, match=r"points\[3\]: found \[0.0, NaN, "):
        bad = nodes.copy()
        bad[3] = [0, np.nan, 0]
        engine.set_nodes(0, bad, velocities=nodes)
    # A refused call changes nothing.
    assert engine.next_contact(now + 1) == impact


def test_observations():
    engine = ImpactEngine([Body.ball(1), Body.ball(1, [0, 0, 22])])
    answers = []
    for k in range(6):
        t = 0.1 * k
        engine.advance(t)
        answers.append(engine.observe(1, [0, 0, 22 - 5 * t * t], tolerance=1e-6))
    assert answers[0] == "as predicted" and "changed" in answers and answers[-1] == "as predicted"
    assert engine.motion(1).acceleration[2] == pytest.approx(-10)
    assert engine.next_contact(9).time == pytest.approx(2)
    assert engine.observe(1, [0, 0, 22], "x:90", tolerance=math.inf) == "as predicted"


def test_many_bodies():
    rng = np.random.default_rng(5)
    shape = BodyShape(generate.sphere(1))
    places = rng.permutation(np.stack(np.meshgrid(*[np.arange(6)] * 3), -1).reshape(-1, 3)) * 3.0
    bodies = [Body(shape, p, velocity=v) for p, v in zip(places, rng.normal(size=(216, 3)))]
    answers = [ImpactEngine(bodies, threads=n).next_contact(9) for n in (None, 1, 3)]
    assert answers[0] == answers[1] == answers[2]
    first = answers[0]
    pair = [bodies[first.a], bodies[first.b]]
    assert ImpactEngine(pair).next_contact(9).time == pytest.approx(first.time)
    with ThreadPoolExecutor(4) as executor:
        engine = ImpactEngine(bodies)
        assert set(map(repr, executor.map(lambda _: engine.next_contact(9), range(8)))) == {repr(first)}


def test_kinds_of_shapes(tmp_path, cube):
    vertices, faces = cube
    mesh = tangere.Mesh(vertices, faces)
    tangere.save(mesh.transformed(scale=1000), tmp_path / "cube.obj")
    file = tmp_path / "cube.obj"
    ball = Body.ball(1, [4, 0.5, 0.5], velocity=[-1, 0, 0])
    shapes = [
        mesh,
        BodyShape(mesh),
        BodyShape(mesh, construction="bottom-up", volume="ball", branching=3),
        tangere.ConvexPolyhedron(vertices),
        (vertices, faces),
        [vertices.tolist(), faces.tolist()],
        {"sponge": {"level": 0}},
        {"file": str(file), "scale": 0.001},
        {"file": file, "scale": np.float64(0.001)},
    ]
    for shape in shapes:
        for body in ({"shape": shape}, Body(shape), {"shape": shape, "position": None}):
            impact = ImpactEngine([body, ball]).next_contact(9)
            assert impact.early <= 2 <= impact.late < 2 + 1e-11
    for shape in (mesh, shapes[1], shapes[3]):
        assert ImpactEngine([shape, ball]).next_contact(9).time == pytest.approx(2)
    assert len(tangere.hierarchy(shapes[-1], branching=2)) == 23


def paraboloid(kind, bend, size=0.8):
    """One face over a square, z = bend |p|^2 / 2, exact for faces of second order."""
    u = np.array([-1, 1, 1, -1, 0, 1, 0, -1, 0]) * size
    v = np.array([-1, -1, 1, 1, -1, 0, 1, 0, 0]) * size
    count = int(kind[-1])
    nodes = np.stack([u, v, bend * (u**2 + v**2) / 2], 1)[:count]
    return tangere.FaceMesh(nodes, [list(range(count))], kind)


@pytest.mark.parametrize("kind", ["quad8", "quad9"])
def test_curved_faces(kind):
    cap, bowl = paraboloid(kind, -1), paraboloid(kind, 0.5)
    falling = {"position": [0, 0, 3], "velocity": [0, 0, -2], "spin": [0, 0, 1]}
    for shape in (bowl, BodyShape(bowl), BodyShape(bowl, construction="bottom-up", branching=4)):
        impact = ImpactEngine([cap, Body(shape, **falling)]).next_contact(9)
        assert impact.certificate == "bracket"
        assert impact.early <= 1.5 <= impact.late < 1.5 + 1e-11
        contact = impact.contacts[0]
        assert contact.normal == pytest.approx([0, 0, 1])
        assert contact.xi_a == pytest.approx([0, 0], abs=1e-5)
        assert abs(contact.gap) < 1e-12
        found = cap.project([contact.point_a])[0]
        assert found["distance"] < 1e-9 and found["xi"] == pytest.approx(contact.xi_a, abs=1e-9)
        engine = ImpactEngine([{"shape": cap}, {"shape": shape, **falling}])
        assert engine.next_contact(9) == impact
    # A ball, a mesh and faces that move node by node.
    ball = Body.ball(0.5, [0, 0, 3], velocity=[0, 0, -1])
    assert ImpactEngine([cap, ball]).next_contact(9).time == pytest.approx(2.5, rel=1e-12)
    box = Body({"box": {"size": [1, 1, 1]}}, [0, 0, 3], velocity=[0, 0, -1], spin=[0, 0, 2])
    assert ImpactEngine([cap, box]).next_contact(9).time == pytest.approx(2.5, rel=1e-12)
    up = np.tile([0, 0, 1.0], (len(cap.nodes), 1))
    for rising in (
        Body.deforming(cap, velocities=up, position=[0, 0, -4]),
        {"shape": cap, "vertex_velocities": up, "position": [0, 0, -4]},
    ):
        assert ImpactEngine([rising, bowl]).next_contact(9).time == pytest.approx(4, rel=1e-12)


def test_shapes_of_curved_faces(tmp_path):
    cap = paraboloid("quad9", -1)
    shape = BodyShape(cap, branching=3)
    assert repr(shape) == "<tangere.BodyShape of 1 face on 9 nodes>"
    assert shape.face_mesh == cap and (shape.vertices == cap.nodes).all()
    assert shape.faces.tolist() == [[0, 1, 2]]
    again = pickle.loads(pickle.dumps(shape))
    assert again.face_mesh == cap and again.hierarchy.branching == 3
    body = Body.deforming(cap, velocities=np.ones((9, 3)), position=[1, 2, 3], name="cap")
    assert repr(body) == "<tangere.Body 'cap', deforming, of 1 face>"
    other = pickle.loads(pickle.dumps(body))
    assert other.shape.face_mesh == body.shape.face_mesh != cap
    assert BodyShape(generate.sphere(1)).face_mesh is BodyShape.ball(1).face_mesh is None
    # All of a face is within its volumes.
    tree = tangere.hierarchy(cap)
    assert (tree.lower[0] <= cap.nodes.min(axis=0)).all() and (tree.upper[0] >= cap.nodes.max(axis=0)).all()
    # From files, and from dictionaries of scenes.
    tangere.save(cap, tmp_path / "cap.vtu")
    falling = Body.ball(0.5, [0, 0, 3], velocity=[0, 0, -1])
    for said in ({"file": tmp_path / "cap.vtu"}, {"sphere": {"level": 1, "radius": 0.5, "kind": "tri6"}}):
        assert Body(said).shape.face_mesh is not None
        assert ImpactEngine([{"shape": said}, falling]).next_contact(9).time == pytest.approx(
            2.5 if "file" in said else 2, rel=1e-2
        )
    engine = ImpactEngine.from_scene(SCENES / "tumbling.toml")
    first = engine.next_contact()
    assert (engine.names[first.a], engine.names[first.b]) == ("hull", "knot")
    segments = tangere.FaceMesh([[0, 0], [1, 0]], [[0, 1]], "seg2")
    with pytest.raises(ValueError, match="shape: found segments of a plane, expected faces of a surface"):
        BodyShape(segments)


def test_kinds_of_values():
    wall = {"shape": {"box": {"size": np.array([1, 4, 4])}}, "fixed": True}
    quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    for rotation in ("z:90", [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], quarter, np.array(quarter)):
        body = {
            "shape": {"box": {"size": (1, 2, 1), "divisions": np.int32(2)}},
            "rotation": rotation,
            "position": np.array([5, 0, 0], dtype=np.float32),
            "velocity": (np.int8(-1), 0, 0.0),
            "center": range(3),
        }
        with pytest.raises(ValueError, match="body 1: found `center = range`"):
            ImpactEngine([wall, body])
        del body["center"]
        assert ImpactEngine(iter([wall, body])).next_contact(9).time == pytest.approx(3.5)
    scene = {"until": 3, "step": 0.5, "gravity": (0, 0, -1), "body": [wall, body, Body.ball(1, [9, 9, 9])]}
    engine = ImpactEngine(scene)
    assert (engine.until, engine.step) == (3, 0.5)
    assert engine.next_contact() is None
    assert engine.motion(1).acceleration.tolist() == [0, 0, -1]
    assert engine.motion(0).acceleration.tolist() == engine.motion(2).acceleration.tolist() == [0, 0, 0]


def test_scene_files(tmp_path):
    engine = ImpactEngine.from_scene(SCENES / "two-spheres.toml")
    assert (engine.names, engine.until, engine.step) == (["left", "right"], 20, 0.05)
    impact = engine.next_contact()
    assert impact.early <= 14.98 <= impact.late
    assert ImpactEngine(thrown(generate.sphere(4))).next_contact(20) == impact
    wall = ImpactEngine.from_scene(str(SCENES / "wall.toml"), refinement="14-dop", threads=1)
    assert wall.next_contact().time == pytest.approx(3, rel=1e-12)

    sphere = generate.sphere(1)
    np.save(tmp_path / "v.npy", sphere.vertices)
    tangere.save(sphere, tmp_path / "part.obj")
    scene = tmp_path / "scene.toml"
    scene.write_text(
        """
[[body]]
shape = { file = "part.obj" }
vertex_velocities = "v.npy"
[[body]]
shape = { ball = { radius = 1 } }
position = [4, 0, 0]
"""
    )
    assert ImpactEngine.from_scene(scene).next_contact(9).time == pytest.approx(2)
    body = {"shape": sphere, "vertex_velocities": tmp_path / "v.npy"}
    assert ImpactEngine([body, Body.ball(1, [4, 0, 0])]).next_contact(9).time == pytest.approx(2)
    scene.write_text("[[body]]\nshape = { file = 'other.obj' }\n")
    with pytest.raises(FileNotFoundError) as raised:
        ImpactEngine.from_scene(scene)
    assert Path(raised.value.filename) == tmp_path / "other.obj"
    scene.write_text("[[body]]\nshape = { sphere = { levl = 1 } }\n")
    with pytest.raises(ValueError, match="scene.toml: line 2: .*did you mean `level`"):
        ImpactEngine.from_scene(scene)
    with pytest.raises(FileNotFoundError):
        ImpactEngine.from_scene(tmp_path / "none.toml")
    with pytest.raises(TypeError, match="path: found int"):
        ImpactEngine.from_scene(3)


def test_hierarchies():
    mesh = generate.knot(1000)
    volumes = {}
    for construction in ("top-down", "bottom-up", "online"):
        for volume in ("ball", "box"):
            for branching in (2, 4):
                tree = tangere.hierarchy(mesh, construction, volume, branching)
                settings = (tree.construction, tree.volume, tree.branching)
                assert settings == (construction, volume, branching)
                report = tree.report
                volumes[settings] = report[f"{volume}_volume"]
                assert report["nodes"] == len(tree) == len(tree.radii)
                leaves = tree.count == 0
                assert report["leaves"] == leaves.sum() == 1000
                assert sorted(tree.first[leaves]) == list(range(1000))
                assert report["height_min"] <= report["height_mean"] <= report["height_max"]
                assert report["radius"] == tree.radii[0]
                corners = mesh.vertices[mesh.faces[tree.first[leaves]]]
                assert (tree.lower[leaves][:, None] <= corners).all()
                assert (tree.upper[leaves][:, None] >= corners).all()
                away = np.linalg.norm(corners - tree.centers[leaves][:, None], axis=2)
                assert (away <= tree.radii[leaves][:, None] * (1 + 1e-15)).all()
                for i in np.flatnonzero(~leaves):
                    below = slice(tree.first[i], tree.first[i] + tree.count[i])
                    assert 2 <= tree.count[i] <= branching
                    assert (tree.lower[i] == tree.lower[below].min(axis=0)).all()
                    assert (tree.upper[i] == tree.upper[below].max(axis=0)).all()
    assert volumes["top-down", "ball", 2] < 10 * volumes["bottom-up", "ball", 2]
    assert volumes["online", "ball", 2] < 10 * volumes["bottom-up", "ball", 2]
    shape = BodyShape(mesh, construction="bottom-up", volume="ball")
    assert shape.hierarchy.report == tangere.hierarchy(mesh).report
    with pytest.raises(ValueError, match="read-only"):
        shape.vertices[0] = 1


def test_pickles_and_copies():
    sphere = generate.sphere(2)
    shape = BodyShape(sphere, construction="bottom-up", branching=4)
    again = pickle.loads(pickle.dumps(shape))
    assert again.hierarchy.report == shape.hierarchy.report
    assert (again.vertices == sphere.vertices).all() and (again.faces == sphere.faces).all()
    ball = pickle.loads(pickle.dumps(BodyShape.ball(0.1)))
    assert ball.radius == 0.1 and len(ball.faces) == 0
    bodies = [
        Body(shape, [0.1, 0.2, 0.3], "1,2,3:40", [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], "a"),
        Body.ball(0.5, [9, 0, 0]),
        Body.deforming(sphere, velocities=sphere.vertices, position=[0, 20, 0], rotation="x:30"),
        Body.deforming(sphere, ends=sphere.vertices + 9, duration=50),
    ]
    for body in bodies:
        other = pickle.loads(pickle.dumps(body))
        assert repr(other) == repr(body)
        assert other.motion == body.motion
        assert (other.shape.vertices == body.shape.vertices).all()
        assert (other.name, other.deforms, other.duration) == (body.name, body.deforms, body.duration)
    engine, other = ImpactEngine(bodies), ImpactEngine([pickle.loads(pickle.dumps(b)) for b in bodies])
    impact = engine.next_contact(50)
    assert impact == other.next_contact(50)
    assert pickle.loads(pickle.dumps(impact)) == impact
    assert pickle.loads(pickle.dumps(impact.contacts[0])) == impact.contacts[0]
    assert impact != other.next_contact(50).contacts[0]
    motion = engine.motion("a")
    assert pickle.loads(pickle.dumps(motion)) == motion != engine.motion(1)
    for copied in (copy.copy(engine), copy.deepcopy(engine)):
        copied.advance(1)
        assert engine.time == 0 and copied.time == 1
        assert copied.names == engine.names
    with pytest.raises(TypeError):
        pickle.dumps(engine)
    with pytest.raises(TypeError):
        hash(impact)
    assert repr(engine) == "<tangere.ImpactEngine of 4 bodies at time 0>"
    assert repr(bodies[1]) == "<tangere.Body rigid, a ball of radius 0.5>"
    assert repr(bodies[0]) == "<tangere.Body 'a', rigid, of 128 triangles>"


def test_limited_work():
    knots = [Body(generate.knot(2000)), Body(generate.knot(2000), [9, 0, 0], velocity=[-1, 0, 0], spin=[0, 0, 1])]
    whole = ImpactEngine(knots).next_contact(20)
    engine = ImpactEngine(knots, work=200)
    impact = engine.next_contact(20)
    assert (impact.certificate, impact.contacts, impact.late) == ("unresolved", [], math.inf)
    assert repr(impact).endswith("certificate='unresolved', contacts=[])")
    with pytest.raises(AttributeError, match="has no contacts"):
        impact.a
    assert not hasattr(impact, "normal")
    for _ in range(10_000):
        before, impact = impact, engine.next_contact(20)
        assert impact.early >= before.early
        if impact.contacts:
            break
    assert impact == whole


def test_interrupt(interrupted):
    """Ctrl-C ends a search, and the engine accepts the next query."""
    program = """
foam = tangere.generate.foam(300_000)
body = tangere.Body.deforming(foam, velocities=numpy.random.default_rng(1).normal(size=foam.vertices.shape))
engine = tangere.ImpactEngine([body, tangere.Body(foam, [0.1, 0, 0])], separation=0.2, work=2**40)
print("ready", flush=True)
begin = time.perf_counter()
try:
    engine.next_contact(5)
    print("finished", flush=True)
except KeyboardInterrupt:
    ended = time.perf_counter()
    print("interrupted", ended - begin, engine.time, time.perf_counter() - ended, flush=True)
"""
    out = interrupted(program)
    assert float(out.split()[1]) < 2
    assert float(out.split()[3]) < 2


GOOD = {"ball": {"radius": 1}}
LOOP = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ({"shape": GOOD, "velocty": [1, 0, 0]}, ValueError, "unknown key `velocty`.*`velocity`"),
        ({"shape": GOOD, "postion": [1, 0, 0]}, ValueError, "`position`"),
        ({"shape": GOOD, "weight": 1}, ValueError, "one of the keys of a body: name, shape, "),
        ({"shape": {"spere": {"level": 1}}}, ValueError, "did you mean `sphere`"),
        ({"shape": {"sphere": {"level": 99}}}, ValueError, "`sphere.level = 99`"),
        ({"shape": {"sphere": {"level": LOOP}}}, ValueError, "level"),
        ({"shape": GOOD, "velocity": LOOP}, ValueError, "3 numbers"),
        ({"shape": GOOD, "velocity": {"a": LOOP}}, ValueError, "3 numbers"),
        ({"shape": GOOD, "velocity": [1, 0]}, ValueError, r"`velocity = \[1, 0\]`, expected 3 numbers, not 2"),
        ({"shape": GOOD, "velocity": [1, 0, np.nan]}, ValueError, "finite"),
        ({"shape": GOOD, "velocity": [1, 0, 10**400]}, ValueError, "velocity"),
        ({"shape": GOOD, "velocity": [1, 0, 1e300]}, ValueError, "velocity: found .*1.6e60"),
        ({"shape": GOOD, "spin": [1, 0, 1j]}, ValueError, "spin"),
        ({"shape": GOOD, "position": "here"}, ValueError, "position"),
        ({"shape": GOOD, "position": [np.inf, 0, 0]}, ValueError, "position"),
        ({"shape": GOOD, "acceleration": np.zeros((2, 2))}, ValueError, "acceleration"),
        ({"shape": GOOD, "rotation": [1, 1, 0, 0]}, ValueError, "rotation.*length 1"),
        ({"shape": GOOD, "rotation": 2 * np.eye(3)}, ValueError, r"bodies\[1\]\['rotation'\]: "),
        ({"shape": GOOD, "fixed": True, "velocity": [1, 0, 0]}, ValueError, "fixed"),
        ({"shape": GOOD, "fixed": 1}, ValueError, "fixed"),
        ({"shape": GOOD, "name": ""}, ValueError, "name"),
        ({"shape": GOOD, "name": 7}, ValueError, "name"),
        ({"shape": GOOD, "name": "body 0"}, ValueError, 'a second body of the name "body 0"'),
        ({"shape": GOOD, "vertex_velocities": [[0, 0, 0]]}, ValueError, "ball has no vertices"),
        ({"shape": "part.stl"}, ValueError, "shape = { sphere"),
        ({"shape": 7}, TypeError, r"bodies\[1\]\['shape'\]: found int, expected a Mesh, "),
        ({"shape": [[[0, 0, 0]], [[0, 1, 2]]]}, ValueError, r"bodies\[1\]\['shape'\]\[1\]\[0\]: "),
        ({"shape": {"file": "nowhere.stl"}}, FileNotFoundError, "nowhere.stl"),
        ({"shape": {"file": "nowhere.xyz"}}, ValueError, "nowhere.xyz: unknown format"),
        ({"shape": {"ball": {"radius": -1}}}, ValueError, "ball.radius = -1"),
        ({"velocity": [1, 0, 0]}, ValueError, "no `shape`"),
        ({}, ValueError, "no `shape`"),
        ({3: 4}, ValueError, "unknown key `3`"),
        (7, TypeError, r"bodies\[1\]: found int, expected a Body, a dict or a Mesh"),
        (None, TypeError, r"bodies\[1\]: found NoneType"),
        ("ball", TypeError, r"bodies\[1\]: found str"),
        ([1, 2], TypeError, r"bodies\[1\]: found list"),
    ],
)
def test_bad_bodies(body, error, message):
    with pytest.raises(error, match=message) as raised:
        ImpactEngine([{"shape": GOOD}, body])
    if error is ValueError and "bodies" not in message and not message.startswith("nowhere"):
        assert "body 1: " in str(raised.value)


def test_bad_vertex_velocities():
    sphere = generate.sphere(0)
    for rows, message in [
        ([[1, 2, 3]], "body 0: vertex_velocities: found 1, expected 6, one a node"),
        (np.zeros((6, 2)), r"bodies\[0\]\['vertex_velocities'\]: found shape \(6, 2\), expected \(N, 3\)"),
        (np.full((6, 3), np.nan), r"body 0: vertex_velocities\[0\]: found \[NaN, NaN, NaN\]"),
        (np.full((6, 3), 1e200), r"body 0: vertex_velocities\[0\]: found "),
    ]:
        with pytest.raises(ValueError, match=message):
            ImpactEngine([{"shape": sphere, "vertex_velocities": rows}])
    with pytest.raises(ValueError, match="beside `vertex_velocities`"):
        ImpactEngine([{"shape": sphere, "vertex_velocities": sphere.vertices, "spin": [1, 0, 0]}])


def test_bad_arguments():
    sphere = generate.sphere(1)
    ends = sphere.vertices
    nan = [0, 0, np.nan]
    for make, error, message in [
        (lambda: ImpactEngine(), TypeError, "bodies"),
        (lambda: ImpactEngine(7), TypeError, "bodies: found int, expected an iterable of"),
        (lambda: ImpactEngine("a.toml"), TypeError, "bodies: found str, .*from_scene reads files"),
        (lambda: ImpactEngine({"body": []}), ValueError, "at least one body"),
        (lambda: ImpactEngine({"body": 7}), ValueError, "body = 7"),
        (lambda: ImpactEngine({"untl": 7, "body": [{"shape": GOOD}]}), ValueError, "`until`"),
        (lambda: ImpactEngine({"until": 0, "body": [{"shape": GOOD}]}), ValueError, "until"),
        (lambda: ImpactEngine({"step": -1, "body": [{"shape": GOOD}]}), ValueError, "step"),
        (lambda: ImpactEngine([], separation=-1), ValueError, "separation: found -1"),
        (lambda: ImpactEngine([], separation=None), TypeError, "separation: found NoneType"),
        (lambda: ImpactEngine([], separation=np.nan), ValueError, "separation: found NaN"),
        (lambda: ImpactEngine([], volume="cone"), ValueError, "volume: found 'cone', expected one of 'ball', 'box'"),
        (lambda: ImpactEngine([], refinement=3), TypeError, "refinement: found int, expected a str"),
        (lambda: ImpactEngine([], self_contact=1), TypeError, "self_contact: found int"),
        (lambda: ImpactEngine([], work=0), ValueError, "work: found 0"),
        (lambda: ImpactEngine([], threads=0), ValueError, "threads: found 0"),
        (lambda: ImpactEngine([], 3), TypeError, "positional"),
        (lambda: Body(), TypeError, "shape"),
        (lambda: Body(7), TypeError, "shape: found int, expected a Mesh, a FaceMesh, a BodyShape, "),
        (lambda: Body((1, 2, 3)), TypeError, "shape: found tuple"),
        (lambda: Body(({}, [])), TypeError, r"shape\[0\]"),
        (lambda: Body({"sphere": {"levl": 1}}), ValueError, "shape: found unknown key `levl`.*`level`"),
        (lambda: Body({"sphere": 3}), ValueError, "shape: found "),
        (lambda: Body({}), ValueError, "shape: found "),
        (lambda: Body({"file": "none.stl"}), FileNotFoundError, "none.stl"),
        (lambda: Body(tangere.ConvexPolyhedron([[0, 0, 0], [1, 0, 0]])), ValueError, "shape: found"),
        (lambda: Body(sphere, velocity=nan), ValueError, r"velocity: found \[0, 0, NaN\]"),
        (lambda: Body(sphere, spin=nan), ValueError, "spin: found"),
        (lambda: Body(sphere, acceleration=nan), ValueError, "acceleration: found"),
        (lambda: Body(sphere, center=nan), ValueError, "center: found"),
        (lambda: Body(sphere, position=nan), ValueError, r"position\[2\]: found NaN"),
        (lambda: Body(sphere, position=[1e70, 0, 0]), ValueError, r"position\[0\]: found 1e70"),
        (lambda: Body(sphere, rotation=[0, 0, 0, 0]), ValueError, "rotation: found"),
        (lambda: Body(sphere, rotation="x"), ValueError, "rotation: found 'x'"),
        (lambda: Body(sphere, velocity=3), ValueError, r"velocity: found shape \(\)"),
        (lambda: Body(sphere, velocity="fast"), TypeError, "velocity: found dtype"),
        (lambda: Body(sphere, name=3), TypeError, "name: found int"),
        (lambda: Body.ball(0), ValueError, "radius: found 0"),
        (lambda: Body.ball(np.inf), ValueError, "radius: found inf"),
        (lambda: Body.ball("1"), TypeError, "radius: found str"),
        (lambda: BodyShape.ball(-1), ValueError, "radius: found -1"),
        (lambda: BodyShape({"ball": {"radius": 1}}), ValueError, "shape: found a ball"),
        (lambda: BodyShape(BodyShape.ball(1)), ValueError, "shape: found a ball"),
        (lambda: BodyShape(sphere, branching=17), ValueError, "branching: found 17"),
        (lambda: BodyShape(sphere, construction="up"), ValueError, "construction: found 'up'"),
        (lambda: tangere.hierarchy(7), TypeError, "mesh: found int"),
        (lambda: Body.deforming(sphere), ValueError, "velocities and ends: found neither"),
        (lambda: Body.deforming(sphere, ends, ends), ValueError, "velocities and ends: found both"),
        (lambda: Body.deforming(sphere, ends=ends), ValueError, "duration: found None"),
        (lambda: Body.deforming(sphere, ends=ends, duration=0), ValueError, "duration: found 0"),
        (lambda: Body.deforming(sphere, ends=ends, duration=np.nan), ValueError, "duration: found NaN"),
        (lambda: Body.deforming(sphere, ends, duration=-1), ValueError, "duration: found -1"),
        (lambda: Body.deforming(sphere, ends[:3], duration=1), ValueError, "velocities: found 3, expected 18"),
        (lambda: Body.deforming(GOOD, [[0, 0, 0]]), ValueError, "shape: found a ball"),
    ]:
        with pytest.raises(error, match=message):
            make()
    engine = ImpactEngine([Body.ball(1, name="only")])
    for make, error, message in [
        (lambda: engine.next_contact(np.nan), ValueError, "horizon: found NaN"),
        (lambda: engine.next_contact(-1), ValueError, "horizon: found -1"),
        (lambda: engine.next_contact("soon"), TypeError, "horizon: found str"),
        (lambda: engine.advance(-1), ValueError, "t: found -1"),
        (lambda: engine.advance(np.inf), ValueError, "t: found inf"),
        (lambda: engine.advance(None), TypeError, "t: found NoneType"),
        (lambda: engine.motion(1), ValueError, "body: found 1, expected an integer from 0 to 0"),
        (lambda: engine.motion(-1), ValueError, "body: found -1"),
        (lambda: engine.motion(0.0), TypeError, "body: found float"),
        (lambda: engine.motion("one"), ValueError, "body: found 'one', expected a name of a body: 'only'"),
        (lambda: engine.nodes(9), ValueError, "body: found 9"),
        (lambda: engine.ignore(0, 9), ValueError, "b: found 9"),
        (lambda: engine.watch(9, 0), ValueError, "a: found 9"),
        (lambda: engine.set_motion(0, velocity=nan), ValueError, "velocity: found"),
        (lambda: engine.set_motion(0, position=[0, 0]), ValueError, r"position: found shape \(2,\)"),
        (lambda: engine.set_nodes(0, [[0, 0, 0]], velocities=[[0, 0, 0]]), ValueError, "body: found a rigid body"),
        (lambda: engine.observe(0, [0, 0, 0], tolerance=-1), ValueError, "tolerance: found -1"),
        (lambda: engine.observe(0, nan, tolerance=1), ValueError, r"position\[2\]: found NaN"),
        (lambda: engine.observe(0, [0, 0, 0]), TypeError, "tolerance"),
        (lambda: ImpactEngine([]).motion(0), ValueError, "no bodies"),
    ]:
        with pytest.raises(error, match=message):
            make()
    assert engine.time == 0
    deforming = ImpactEngine([Body.deforming(sphere, ends, duration=2)])
    with pytest.raises(ValueError, match="body: found a deforming body"):
        deforming.set_motion(0, velocity=[1, 0, 0])
    with pytest.raises(ValueError, match="horizon: found 3, expected at most 2"):
        deforming.next_contact(3)
    assert deforming.next_contact() is None


def test_nothing_to_touch():
    assert ImpactEngine([]).next_contact(1e300) is None
    assert ImpactEngine([generate.sphere(1)]).next_contact() is None
    engine = ImpactEngine([Body.ball(1), Body.ball(1, [9, 0, 0], velocity=[1, 0, 0])])
    assert engine.next_contact(math.inf) is None
    assert engine.next_time == math.inf


def test_links_out_of_the_folder_of_a_scene_are_refused(tmp_path):
    tangere.save(tangere.generate.sphere(1), tmp_path / "secret.stl")
    folder = tmp_path / "scene"
    folder.mkdir()
    try:
        (folder / "link.stl").symlink_to("../secret.stl")
    except OSError:
        pytest.skip("this system makes no links")
    scene = folder / "scene.toml"
    scene.write_text('until = 1\n[[body]]\nshape = { file = "link.stl" }\n')
    with pytest.raises(ValueError, match="found a link out of the folder of the scene"):
        tangere.ImpactEngine.from_scene(scene)
    assert tangere.ImpactEngine.from_scene(scene, follow_links=True).names == ["body 0"]


@pytest.mark.parametrize("e", [1.0, 0.7])
@pytest.mark.parametrize("shape", ["knot", "brick"])
def test_a_mesh_bounces_by_impulses(e, shape):
    """The impulse of docs/impact.md: energy is kept by a restitution of 1, and else lost."""
    mesh = {"knot": generate.knot(600), "brick": generate.box([2.4, 1.15, 0.71])}[shape]
    mesh = mesh.transformed(translate=[0.5, -0.2, 0.1], rotate="1,2,3:40")
    mass, own, gravity = mesh.mass(2.0), mesh.inertia(2.0), np.array([0, 0, -9.81])
    floor = {"plate": {"size": [400, 400]}}
    body = tangere.Body(mesh, center=mesh.centroid, position=[0, 0, 9], spin=[1, 2, 0.5], acceleration=gravity)
    engine = tangere.ImpactEngine([{"shape": floor}, body])

    def inertia(motion):
        # The image of each axis, by a pose that turns alone.
        axes = tangere.Mesh(np.eye(3), [[0, 1, 2]]).transformed(rotate=motion.rotation).vertices
        return axes.T @ own @ axes

    def energy(motion):
        turning = motion.spin @ inertia(motion) @ motion.spin
        return 0.5 * (mass * motion.velocity @ motion.velocity + turning) - mass * gravity @ motion.center_at(0)

    energies, bounces = [energy(engine.motion(1))], 0
    while bounces < 5:
        impact = engine.next_contact(engine.time + 9.0)
        engine.advance(impact.time)
        before = energy(engine.motion(1))
        assert before == pytest.approx(energies[-1], rel=1e-9)  # Free flight keeps the energy.
        for contact in impact.contacts:
            motion, n = engine.motion(1), contact.normal
            assert np.allclose(n, [0, 0, 1], atol=1e-9)
            arm = contact.point_b - motion.center_at(0)
            speed = (motion.velocity + np.cross(motion.spin, arm)) @ n
            if speed >= 0:
                continue
            turn = np.linalg.solve(inertia(motion), np.cross(arm, n))
            push = -(1 + e) * speed / (1 / mass + np.cross(turn, arm) @ n)
            engine.set_motion(1, velocity=motion.velocity + push / mass * n, spin=motion.spin + push * turn)
            after = engine.motion(1)
            assert (after.velocity + np.cross(after.spin, arm)) @ n == pytest.approx(-e * speed, rel=1e-9)
            bounces += 1
        energies.append(energy(engine.motion(1)))
    if e == 1.0:
        assert energies == pytest.approx([energies[0]] * len(energies), rel=1e-9)
    else:
        assert all(now < was for was, now in zip(energies, energies[1:]))
    # The mesh is above the floor, up to rounding.
    motion = engine.motion(1)
    lowest = mesh.transformed(pose=motion.pose_at(0)).bounds[0, 2]
    assert lowest > -1e-9
