"""Scenes: closed forms, events, queries, snapshots; errors leave a scene as it was."""

import pickle

import numpy as np
import pytest

import tangere
from tangere import generate

FIELDS = (
    "id a b feature_a feature_b point_a point_b normal gap lower upper volume status event".split()
)


def heap(threads=None, order=1):
    """Spheres, boxes, capsules, polyhedra and a compound over a floor."""
    scene = tangere.Scene(margin=0.05, threads=threads, history=1)
    scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True, id=0)
    hull = tangere.ConvexPolyhedron(generate.hull(20, seed=3).vertices)
    dumbbell = tangere.Compound([(tangere.Sphere(0.4), None), (tangere.Box(0.7), [0.6, 0, 0])])
    shapes = [tangere.Sphere(0.5), tangere.Box([1, 0.8, 0.6]), tangere.Capsule(0.3, 0.6), hull, dumbbell]
    random = np.random.default_rng(1)
    turns = random.normal(size=(60, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    poses = np.hstack([random.uniform(0, 4, size=(60, 3)), turns])
    for i in range(60)[::order]:
        scene.add(shapes[i % len(shapes)], poses[i], id=i + 1)
    return scene, poses


def test_fields():
    scene, _ = heap()
    assert scene.contacts().dtype.names[:14] == tuple(FIELDS) and len(scene.contacts()) == 0
    scene.update()
    rows = scene.contacts()
    assert rows.dtype["id"] == rows.dtype["a"] == rows.dtype["b"] == np.uint64
    assert (np.isnan(rows["volume"]) | (rows["volume"] >= 0)).all()
    assert (rows["a"] < rows["b"]).all() and len(set(rows["id"].tolist())) == len(rows)
    apart = np.linalg.norm(rows["point_b"] - rows["point_a"] - rows["gap"][:, None] * rows["normal"], axis=1)
    assert apart.max() < 1e-9
    assert (rows["gap"] <= 0.05).all()
    assert set(rows["feature_a"][:, 0]) <= set(tangere.FeatureKind)


@pytest.mark.parametrize(
    ("shape", "pose", "gap"),
    [
        (tangere.Sphere(0.5), [0, 0, 0.25], -0.25),
        (tangere.Box([1, 2, 3]), [0, 0, 1.25], -0.25),
        (tangere.Box(1), [0, 0, 0.5, np.cos(np.pi / 8), np.sin(np.pi / 8), 0, 0], 0.5 - np.sqrt(0.5)),
        (tangere.Capsule(0.25, 1), [0, 0, 0.5], -0.25),
        (tangere.ConvexPolyhedron([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), [0, 0, -0.125], -0.125),
        (tangere.Compound([(tangere.Sphere(0.5), [0, 0, 1])]), [0, 0, -0.75], -0.25),
    ],
)
def test_closed_forms_over_a_floor(shape, pose, gap):
    scene = tangere.Scene()
    floor = scene.add(tangere.HalfSpace([0, 0, 3]), fixed=True)
    body = scene.add(shape, pose)
    scene.update()
    (row,) = scene.contacts()
    assert (row["a"], row["b"]) == (floor, body)
    assert row["gap"] == pytest.approx(gap, abs=1e-14) and row["normal"].tolist() == [0, 0, 1]
    assert row["lower"] <= gap + 1e-14 and row["upper"] >= gap - 1e-14
    assert scene.verify() == []


def test_a_mesh_is_a_solid_or_a_wall():
    plate = generate.plate([4, 4], divisions=3)
    for shape in (plate, tangere.Wall(plate)):
        scene = tangere.Scene()
        scene.add(shape, fixed=True)
        scene.add_many(tangere.Sphere(0.5), [[0.1, 0.2, 0.25], [-1, 0, -0.25]])
        scene.update()
        assert np.allclose(scene.contacts()["gap"], [-0.25, -0.25], atol=1e-15)
        assert np.allclose(scene.contacts()["normal"], [[0, 0, 1], [0, 0, -1]], atol=1e-15)
        assert scene.verify() == []
    scene = tangere.Scene()
    with pytest.raises(ValueError, match="^shape: found an open mesh, expected a closed mesh, fixed=True for a wall"):
        scene.add(plate)
    with pytest.raises(ValueError, match=r"^shapes\[1\]: found an open mesh"):
        scene.add_many([tangere.Sphere(1), plate], [[0, 0, 0], [1, 0, 0]])
    with pytest.raises(ValueError, match=r"^parts\[0\]\[0\]: found an open mesh, expected a closed mesh, or a Wall"):
        tangere.Compound([(plate, None)])
    assert len(scene) == 0
    scene.add(generate.box([2, 2, 2]))
    scene.add(tangere.Sphere(0.5), [0, 0, 1.25])
    scene.update()
    assert scene.contacts()["gap"].tolist() == [-0.25]
    # The deepest point of a ball inside of a closed surface is its nearest way out.
    scene.set_poses([[0, 0, 0.5]], ids=[1])
    scene.update()
    assert scene.contacts()["gap"].min() == -1.0


def test_events_and_identity():
    scene = tangere.Scene()
    scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1.5, 0, 0]])
    scene.update()
    first = scene.contacts()
    assert first["event"].tolist() == [tangere.ContactEvent.BEGAN]
    scene.set_poses([[0, 0, 0], [0, 1.75, 0]])
    scene.update()
    second = scene.contacts()
    assert second["event"].tolist() == [tangere.ContactEvent.PERSISTS] and second["id"] == first["id"]
    assert len(scene.ended()) == 0
    scene.remove(1)
    scene.update()
    assert len(scene.contacts()) == 0
    ended = scene.ended()
    assert ended["event"].tolist() == [tangere.ContactEvent.ENDED] and ended["id"] == first["id"]
    scene.update()
    assert len(scene.ended()) == 0


def test_groups_masks_and_fixed_bodies():
    def count(**options):
        scene = tangere.Scene()
        scene.add(tangere.Sphere(1), **options)
        scene.add(tangere.Sphere(1), [1, 0, 0], **options)
        scene.update()
        return len(scene.contacts())

    assert count() == 1 and count(group=3) == 0 and count(fixed=True) == 0
    assert count(mask=(1, 2)) == 0 and count(mask=[3, 1]) == 1


def test_errors_leave_the_scene_unchanged():
    scene, poses = heap()
    scene.update()
    before, ids = scene.state_hash(), scene.ids.tolist()
    box = generate.box([1, 1, 1])
    bad = np.array(poses)
    bad[7, 3:] = 0
    for call, words in [
        (lambda: scene.add(tangere.Sphere(1), id=3), "^id: found 3, which another body has"),
        (lambda: scene.add(tangere.Sphere(1), id=2**64 - 1), "^id: found 18446744073709551615"),
        (lambda: scene.add(tangere.Sphere(1), [0, 0]), "^pose: found shape"),
        (lambda: scene.add(tangere.Sphere(1), group=2**32), "^group: found 4294967296"),
        (lambda: scene.add(tangere.Sphere(1), mask=[1, 2, 3]), "^mask: found shape"),
        (lambda: scene.add(box), "^shape: found a mesh that can touch the half-space of body 0"),
        (lambda: scene.add_many([tangere.Sphere(1), box], np.zeros((2, 3))), r"^shapes\[1\]: found a mesh"),
        (lambda: scene.add_many([tangere.Sphere(1)], np.zeros((2, 3))), "^shapes: found 1 shapes, expected 2"),
        (lambda: scene.remove(99), "^id: found 99, expected the id of a body"),
        (lambda: scene.set_poses(bad), "^poses: found|^poses.7"),
        (lambda: scene.set_poses(poses), "^poses: found 60 poses, expected one for each of 61"),
        (lambda: scene.set_poses(poses[:2], ids=[1, 99]), "^ids: found 99"),
        (lambda: scene.set_poses(poses[:1], ids=[-1]), r"^ids\[0\]: found -1"),
        (lambda: scene.set_positions(poses[:, :3]), "^positions: found 60 positions, expected one for each of 61"),
        (lambda: scene.set_positions([[0, np.nan, 0]], ids=[1]), r"^positions\[0\]"),
        (lambda: scene.set_positions([[0, 0, 0]], ids=[99]), "^ids: found 99"),
        (lambda: scene.contacts_of(99), "^id: found 99"),
        (lambda: setattr(scene, "history", np.zeros((1, 1, 3))), r"^history: found shape \(1, 1, 3\)"),
        (lambda: setattr(scene, "history", np.full_like(scene.history, np.nan)), r"^history\[0\]: found NaN"),
        (lambda: scene.nearest([[np.nan, 0, 0]]), r"^points\[0\]"),
        (lambda: scene.rays([[0, 0, 0]], [[0, 0, 0]]), "^ray 0: found"),
        (lambda: scene.rays([[0, 0, 0]], np.ones((2, 3))), "^directions: found 2, expected 1"),
        (lambda: scene.in_boxes([[1, 0, 0]], [[0, 0, 0]]), r"^upper\[0\]"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
        assert scene.state_hash() == before and scene.ids.tolist() == ids
    with pytest.raises(TypeError, match="^shape: found float, expected a Sphere"):
        scene.add(1.0)
    scene.add(tangere.Sphere(1), name="one")
    with pytest.raises(ValueError, match="^name: found 'one', which body 61 has"):
        scene.add(tangere.Sphere(1), name="one")
    assert scene.names == {61: "one"} and len(scene) == 62
    scene.remove(61)
    with pytest.raises(ValueError, match="^id: found 61, which a removed body had"):
        scene.add(tangere.Sphere(1), id=61)
    assert scene.names == {} and scene.add(tangere.Sphere(1), name="one") == 62


@pytest.mark.parametrize("margin", [-1, np.nan, np.inf])
def test_settings(margin):
    with pytest.raises(ValueError, match="^margin: found"):
        tangere.Scene(margin)
    with pytest.raises(ValueError, match="^periodic: found a cell of the plane"):
        tangere.Scene(periodic=[1, 1])
    with pytest.raises(ValueError, match="^history: found -1"):
        tangere.Scene(history=-1)
    scene = tangere.Scene(periodic=[4, 4, 4])
    scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True)
    with pytest.raises(ValueError, match="^periodic: found a half-space"):
        scene.update()


def test_threads_and_order_give_the_same_bits():
    rows, hashes = [], []
    for threads, order in [(1, 1), (2, 1), (None, -1), (5, -1)]:
        scene, poses = heap(threads, order)
        for step in range(3):
            scene.set_poses(poses + [0, 0, -0.01 * step, 0, 0, 0, 0], ids=np.arange(1, 61))
            scene.update()
        assert scene.verify() == []
        rows.append(scene.contacts().tobytes())
        hashes.append(scene.state_hash())
    assert len(set(rows)) == 1 and len(set(hashes)) == 1 and len(rows[0]) > 0


def test_snapshots_go_on():
    scene, poses = heap()
    scene.update()
    scene.history = np.cross(scene.contacts()["normal"], [0.1, 0.2, 0.3])[:, None]
    for again in (tangere.Scene.restore(scene.snapshot()), pickle.loads(pickle.dumps(scene))):
        assert again.state_hash() == scene.state_hash()
        assert again.contacts().tobytes() == scene.contacts().tobytes()
        assert np.array_equal(again.history, scene.history)
    for one in (scene, again):
        one.set_poses(poses + [0, 0, 0.01, 0, 0, 0, 0], ids=np.arange(1, 61))
        one.update()
    assert again.state_hash() == scene.state_hash()
    assert again.contacts().tobytes() == scene.contacts().tobytes()
    bytes_ = scene.snapshot()
    for bad in (b"", bytes_[:-8], bytes_[:100] + b"x" + bytes_[101:]):
        with pytest.raises(ValueError, match="^snapshot: found"):
            tangere.Scene.restore(bad)
    with pytest.raises(TypeError, match="^snapshot: found str"):
        tangere.Scene.restore("snapshot")


def test_names_are_pickled():
    scene = tangere.Scene()
    scene.add(tangere.Sphere(1), name="ball")
    assert pickle.loads(pickle.dumps(scene)).names == {0: "ball"}


def test_patches_are_areas():
    scene = tangere.Scene()
    scene.add(tangere.Box(1))
    scene.add(tangere.Box(1), [0.5, 0.25, 1])
    scene.add(tangere.Sphere(0.5), [0, 0, -1])
    scene.update()
    offsets, points = scene.patches()
    assert offsets.tolist() == [0, 4, 5]
    corners = points["point_a"][:4]
    assert sorted(map(tuple, corners.tolist())) == [
        (0.0, -0.25, 0.5), (0.0, 0.5, 0.5), (0.5, -0.25, 0.5), (0.5, 0.5, 0.5)
    ]  # fmt: skip
    assert np.abs(points["gap"]).max() < 1e-12
    assert points.dtype["feature_a"].shape == (2,)


def test_queries_agree_with_closed_forms():
    scene = tangere.Scene()
    random = np.random.default_rng(7)
    centers = random.uniform(0, 9, size=(50, 3))
    scene.add_many([tangere.Sphere(r) for r in np.linspace(0.2, 1, 50)], centers)
    radii = np.linspace(0.2, 1, 50)
    points = random.uniform(0, 9, size=(200, 3))
    gaps = np.linalg.norm(points[:, None] - centers, axis=2) - radii
    near = scene.nearest(points)
    assert np.allclose(near["gap"], gaps.min(axis=1), atol=1e-12)
    assert np.array_equal(near["body"], gaps.argmin(axis=1))
    offsets, ids = scene.containing(points)
    for i in range(200):
        assert ids[offsets[i] : offsets[i + 1]].tolist() == np.flatnonzero(gaps[i] <= 0).tolist()
    offsets, ids = scene.in_boxes(points[:20], points[:20] + 1)
    for i in range(20):
        inner = np.clip(centers, points[i], points[i] + 1)
        touched = np.flatnonzero(np.linalg.norm(inner - centers, axis=1) <= radii)
        assert ids[offsets[i] : offsets[i + 1]].tolist() == touched.tolist()
    ways = random.normal(size=(200, 3))
    hits = scene.rays(points, ways)
    for i in range(200):
        to = centers - points[i]
        along = to @ ways[i] / (ways[i] @ ways[i])
        rest = along**2 - (np.sum(to**2, axis=1) - radii**2) / (ways[i] @ ways[i])
        inside = gaps[i] <= 0
        t = np.where(inside, 0, np.where((rest >= 0) & (along > 0), along - np.sqrt(np.abs(rest)), np.inf))
        assert hits["t"][i] == pytest.approx(t.min(), abs=1e-9)
        if np.isinf(t.min()):
            assert hits["body"][i] == 2**64 - 1
    short = scene.rays(points, ways, t_max=np.zeros(200))
    assert np.array_equal(np.isfinite(short["t"]), (gaps <= 0).any(axis=1))
    empty = tangere.Scene()
    assert np.isinf(empty.nearest([[0, 0, 0]])["gap"][0]) and len(empty.rays([], [])) == 0


def test_history_turns_with_the_normal():
    scene = tangere.Scene(history=2)
    scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1.5, 0, 0]])
    scene.update()
    assert scene.history.shape == (1, 2, 3) and not scene.history.any()
    scene.history = [[[0, 1, 0], [0, 0, 2]]]
    scene.set_poses([[0, 1.5, 0]], ids=[1])
    scene.update()
    assert np.allclose(scene.history, [[[-1, 0, 0], [0, 0, 2]]], atol=1e-15)
    bare = tangere.Scene()
    assert bare.history.shape == (0, 0, 3)


def test_shapes():
    ball = tangere.Sphere(0.5)
    assert ball == tangere.Sphere(0.5) and ball != tangere.Sphere(1) and ball != tangere.Box(1)
    assert tangere.Box(2) == tangere.Box([2, 2, 2])
    assert tangere.HalfSpace([0, 0, 1]) == tangere.HalfSpace([0, 0, 7])
    pair = tangere.Compound([(ball, [1, 0, 0]), (tangere.Box(1), None)])
    assert pair == tangere.Compound(pair.parts) and pair != tangere.Compound([(ball, None)])
    for make, words in [
        (lambda: tangere.Sphere(0), "^radius: found 0"),
        (lambda: tangere.Sphere(np.inf), "^radius: found inf"),
        (lambda: tangere.Box([1, 2]), "^size: found 2 numbers"),
        (lambda: tangere.Box([1, 2, -1]), "^size: found -1"),
        (lambda: tangere.Capsule(1, 0), "^length: found 0"),
        (lambda: tangere.HalfSpace([0, 0, 0]), "^normal: found"),
        (lambda: tangere.Compound([]), "^parts: found none"),
        (lambda: tangere.Compound([(ball, [1, 2])]), r"^parts\[0\]\[1\]: found shape"),
    ]:
        with pytest.raises(ValueError, match=words):
            make()
    for make, words in [
        (lambda: tangere.Sphere("1"), "^radius: found str"),
        (lambda: tangere.Wall(ball), "^mesh: found Sphere, expected a Mesh"),
        (lambda: tangere.Compound(3), "^parts: found int"),
        (lambda: tangere.Compound([ball]), r"^parts\[0\]: found Sphere, expected a pair"),
    ]:
        with pytest.raises(TypeError, match=words):
            make()


def test_volumes_have_closed_forms():
    scene = tangere.Scene(margin=0.5)
    scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True)
    scene.add(tangere.Sphere(0.5), [0, 0, 0.25])
    scene.add(tangere.Sphere(1), [5, 0, 2])
    scene.add(tangere.Sphere(1), [6, 0, 2])
    scene.add(tangere.Box(1), [9, 0, 0.25])
    scene.update()
    rows = scene.contacts()
    volume = {(int(row["a"]), int(row["b"])): float(row["volume"]) for row in rows}
    assert volume[0, 1] == pytest.approx(np.pi * 0.0625 * (0.5 - 0.25 / 3))
    assert volume[2, 3] == pytest.approx(5 / 12 * np.pi)
    assert np.isnan(volume[0, 4])


def test_every_method_answers_a_pair():
    scene, _ = heap()
    scene.update()
    for row in scene.contacts()[::5]:
        a, b = int(row["a"]), int(row["b"])
        answers = scene.pair_answers(a, b)
        assert all(answer.agrees for answer in answers)
        assert any(answer.method == "scene" and answer.gap == row["gap"] for answer in answers)
        alone = tangere.Scene.restore(scene.replay(b, a))
        assert alone.ids.tolist() == [a, b]
        assert alone.pair_answers(a, b) == answers
    with pytest.raises(ValueError, match="a, b: found 3 twice, expected two bodies"):
        scene.replay(3, 3)
    with pytest.raises(ValueError, match="a, b: found 999, expected the id of a body"):
        scene.pair_answers(3, 999)


def test_bodies_that_are_apart_sleep():
    scene = tangere.Scene()
    ids = scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [3, 0, 0], [9, 0, 0]])
    scene.set_velocities([[1, 0, 0], [-1, 0, 0]], ids=ids[:2])
    assert scene.velocities.tolist() == [[1, 0, 0], [-1, 0, 0], [0, 0, 0]]
    rows = scene.sleep_until(2)
    assert (rows["a"].tolist(), rows["b"].tolist()) == ([0], [1])
    assert rows["until"][0] == pytest.approx(1) and rows["until"][0] <= 1
    assert len(scene.sleep_until(0.5)) == 0
    assert scene.sleep_until(2, acceleration=1)["until"][0] == pytest.approx(np.sqrt(3) - 1)
    spun = tangere.Scene.restore(scene.snapshot())
    assert spun.velocities.tolist() == scene.velocities.tolist()
    for bad in [[[1, 0, 0]], [[np.nan, 0, 0]] * 3, [[1, 0]] * 3]:
        with pytest.raises(ValueError):
            scene.set_velocities(bad)
    for bad in [-1, np.nan, np.inf]:
        with pytest.raises(ValueError):
            scene.sleep_until(bad)


def test_batches_hold_all_contacts():
    scene, _ = heap()
    scene.update()
    batches = scene.batches()
    assert set(batches) == {"sphere-sphere", "sphere-half-space", "rounded-rounded", "rounded-half-space", "many"}
    pairs = {tuple(pair) for ids, _ in batches.values() for pair in ids.tolist()}
    contacts = scene.contacts()
    assert {(int(a), int(b)) for a, b in zip(contacts["a"], contacts["b"])} <= pairs
