"""Distance and penetration depth of convex bodies: brute force, caches, symmetry, bad arguments."""

import copy
import itertools
import pickle
import re
import threading

import numpy as np
import pytest
from conftest import matrix

import tangere
from tangere import ConvexCache, ConvexPairs, ConvexPolyhedron, Feature, closest

CUBE = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
KINDS = ["vertex", "edge", "face"]
STATUSES = ["separated", "touching", "penetrating", "bracketed"]


def turned(rng):
    """A random unit quaternion."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def placed(shape, pose):
    """A hull at a pose, and its vertices in the world as an array."""
    m = matrix(pose)
    return shape.vertices @ m[:3, :3].T + m[:3, 3]


def brute(a, b, pose_a, pose_b):
    """Gap by brute force over all candidate directions: the largest of min n.b - max n.a.

    In penetration these are the normals of faces of the difference: those of both bodies and
    cross products of edges. Apart, differences of points of features join them.
    """
    p, q = placed(a, pose_a), placed(b, pose_b)
    ra, rb = matrix(pose_a)[:3, :3], matrix(pose_b)[:3, :3]
    edges_a = [p[j] - p[i] for i, j in a.edges.tolist()]
    edges_b = [q[j] - q[i] for i, j in b.edges.tolist()]
    crossed = np.array([np.cross(e, f) for e in edges_a for f in edges_b])
    ways = [a.normals @ ra.T, -(b.normals @ rb.T), crossed, -crossed]
    ways.append((q[None] - p[:, None]).reshape(-1, 3))
    for i, j in b.edges.tolist():
        along = q[j] - q[i]
        t = np.clip((p - q[i]) @ along / (along @ along), 0, 1)
        ways.append(q[i] + t[:, None] * along - p)
    for i, j in a.edges.tolist():
        along = p[j] - p[i]
        t = np.clip((q - p[i]) @ along / (along @ along), 0, 1)
        ways.append(q - (p[i] + t[:, None] * along))
    ways = np.concatenate(ways)
    lengths = np.linalg.norm(ways, axis=1)
    ways = ways[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return ((ways @ q.T).min(axis=1) - (ways @ p.T).max(axis=1)).max()


def test_cubes():
    cube = ConvexPolyhedron(CUBE)
    apart = closest(cube, cube, pose_b=[1.5, 0.25, 0])
    assert apart.gap == 0.5 and apart.status == "separated"
    assert apart.lower <= 0.5 <= apart.upper
    assert apart.normal.tolist() == [1, 0, 0]
    assert apart.point_a[0] == 1 and apart.point_b[0] == 1.5
    assert np.array_equal(apart.point_a[1:], apart.point_b[1:])
    assert apart.feature_a.kind == "face" and apart.feature_b.kind == "face"
    assert np.array_equal(cube.normals[apart.feature_a.index], [1, 0, 0])
    assert apart.steps >= 1
    touching = closest(cube, cube, pose_b=[0, 0, 1])
    assert touching.gap == 0 and touching.status == "touching" and len(touching.patch) == 4
    deep = closest(cube, cube, [0, 0, 0, 1, 0, 0, 0], np.array([0.1, 0.2, 0.75]))
    assert deep.gap == -0.25 and deep.status == "penetrating"
    corners = sorted(corner.point_a.tolist() for corner in deep.patch)
    assert np.allclose(corners, [[x, y, 1] for x in (0.1, 1) for y in (0.2, 1)], rtol=0, atol=1e-15)
    assert all(corner.gap == pytest.approx(-0.25, abs=1e-15) for corner in deep.patch)
    assert repr(deep.patch[0]).startswith("PatchPoint(point_a=array(")


def test_brute_force():
    rng = np.random.default_rng(5)
    apart = deep = 0
    for _ in range(60):
        a, b = (ConvexPolyhedron(rng.normal(size=(rng.integers(4, 12), 3))) for _ in range(2))
        pose_a = np.concatenate([rng.normal(size=3) * 0.3, turned(rng)])
        pose_b = np.concatenate([rng.normal(size=3) * 2.0, turned(rng)])
        contact = closest(a, b, pose_a, pose_b)
        assert contact.gap == pytest.approx(brute(a, b, pose_a, pose_b), abs=1e-12)
        assert contact.lower <= contact.gap <= contact.upper
        assert np.linalg.norm(contact.normal) == pytest.approx(1, abs=1e-14)
        between = contact.point_b - contact.point_a
        assert np.allclose(between, contact.gap * contact.normal, rtol=0, atol=1e-12)
        apart, deep = apart + (contact.gap > 0), deep + (contact.gap < 0)
        # A matrix is the same pose up to rounding.
        same = closest(a, b, matrix(pose_a), matrix(pose_b))
        assert same.gap == pytest.approx(contact.gap, abs=1e-13)
    assert apart > 10 and deep > 10


def same(one, other):
    return (
        one.gap == other.gap
        and one.lower == other.lower
        and one.upper == other.upper
        and np.array_equal(one.point_a, other.point_a)
        and np.array_equal(one.point_b, other.point_b)
        and np.array_equal(one.normal, other.normal)
        and (one.feature_a, one.feature_b) == (other.feature_a, other.feature_b)
        and one.status == other.status
    )


def motion(steps):
    for k in range(steps):
        angle = 0.01 * k
        yield [1.9 + 0.5 * np.cos(3 * angle), 0, 0, np.cos(angle / 2), 0, np.sin(angle / 2), 0]


def test_caches_change_nothing_but_the_time():
    grain = ConvexPolyhedron(tangere.generate.hull(200).vertices)
    cache = ConvexCache()
    steps = 0
    for pose in motion(300):
        cold = closest(grain, grain, pose_b=pose)
        warm = closest(grain, grain, pose_b=pose, cache=cache)
        assert same(cold, warm)
        mirrored = closest(grain, grain, pose_a=pose)
        assert mirrored.gap == warm.gap
        assert np.array_equal(mirrored.point_a, warm.point_b)
        assert np.array_equal(mirrored.normal, -warm.normal)
        assert (mirrored.feature_a, mirrored.feature_b) == (warm.feature_b, warm.feature_a)
        steps += warm.steps
    counts = cache.counts
    assert counts.queries == 300 and sum(counts.steps) == 300 and counts.steps[0] > 200
    assert steps < 600
    assert repr(counts).startswith("Counts(queries=300, steps=(")
    # Another pair may use it.
    assert closest(CUBE, CUBE, pose_b=[3, 0, 0], cache=cache).gap == 2
    assert cache.counts != counts
    cache.reset_counts()
    assert cache.counts.queries == 0 and cache.counts == ConvexCache().counts


def test_meshes_points_and_flat_sets():
    sphere = tangere.generate.sphere(3)
    hull = ConvexPolyhedron(sphere.vertices)
    far = [3, 0.1, 0.2]
    expected = closest(hull, ConvexPolyhedron(CUBE), pose_b=far)
    assert same(closest(sphere, CUBE, pose_b=far, convex=True), expected)
    assert same(closest(sphere, ConvexPolyhedron(CUBE), pose_b=far), expected)
    with pytest.raises(ValueError, match="found a Mesh and points, expected convex=True"):
        closest(sphere, CUBE, pose_b=far)
    assert closest([[1, 2, 3]] * 4, [[1, 2, 5]]).gap == 2
    segments = closest([[-1, 0, 0], [1, 0, 0]], [[0, -1, 1], [0, 1, 1]])
    assert segments.gap == 1 and segments.feature_a == segments.feature_b == Feature("edge", 0)
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    lying = closest(square, square, pose_b=[0.5, 0.5, 2])
    assert lying.gap == 2 and len(lying.patch) == 4


def test_answers_are_proven():
    rng = np.random.default_rng(8)
    shapes, poses = bodies(rng, 12)
    pairs = list(itertools.combinations(range(12), 2))
    many, cache = ConvexPairs(shapes), ConvexCache()
    contacts = many.contacts(poses, pairs, verify=True)
    assert contacts.tobytes() == ConvexPairs(shapes).contacts(poses, pairs).tobytes()
    for (i, j), gap in zip(pairs, contacts["gap"]):
        proven = closest(shapes[i], shapes[j], poses[i], poses[j], cache, verify=True)
        assert proven.gap == gap
    with pytest.raises(TypeError, match="verify: found str, expected a bool"):
        closest(CUBE, CUBE, verify="yes")
    with pytest.raises(TypeError, match="verify: found int, expected a bool"):
        many.contacts(poses, pairs, verify=3)


def test_poses_of_all_kinds():
    cube = ConvexPolyhedron(CUBE)
    poses = [
        [3, 0.25, 0],
        (3, 0.25, 0.0),
        np.array([3, 0.25, 0]),
        np.array([3, 0.25, 0], np.float32),
        [3, 0.25, 0, 1, 0, 0, 0],
        (np.float64(3), 0.25, np.int8(0), 1.0, 0, 0, 0),
        matrix([3, 0.25, 0, 1, 0, 0, 0]),
        matrix([3, 0.25, 0, 1, 0, 0, 0]).tolist(),
        np.asfortranarray(matrix([3, 0.25, 0, 1, 0, 0, 0])),
    ]
    for pose in poses:
        assert same(closest(cube, cube, pose_b=pose), closest(cube, cube, pose_b=poses[0]))
    for pose in (["1", "2", "3"], [1j, 0, 0], [None, 0, 0], [[1], [2], [3]], "123", {}):
        with pytest.raises((TypeError, ValueError), match="pose_b"):
            closest(cube, cube, pose_b=pose)
    with pytest.raises(ValueError, match=re.escape("pose_b[0]: found")):
        closest(cube, cube, pose_b=[10**70, 0, 0])


@pytest.mark.parametrize("size", [1e-250, 1e-120, 1e-60, 1e-20, 1e20, 1e55])
def test_magnitudes(size):
    cube = ConvexPolyhedron(CUBE * size)
    apart = closest(cube, cube, pose_b=[1.5 * size, 0.25 * size, 0], verify=True)
    assert apart.gap == pytest.approx(0.5 * size, rel=1e-12, abs=0)
    assert apart.normal.tolist() == [1, 0, 0] and len(apart.patch) == 4
    deep = closest(cube, cube, pose_b=[0.75 * size, 0.25 * size, 0], verify=True)
    assert deep.gap == pytest.approx(-0.25 * size, rel=1e-12, abs=0)


def test_bodies_larger_than_poses():
    huge = ConvexPolyhedron(CUBE * 1e100)
    assert closest(huge, huge, pose_b=[1e59, 0, 0], verify=True).gap == pytest.approx(-1e100)
    grain = closest(huge, CUBE, pose_b=[-1, 0, 0], verify=True)
    assert abs(grain.gap) <= 1e88
    with pytest.raises(ValueError, match=re.escape("points[1]: found [0.0, 0.0, 1e305], expected coordinates of magnitudes up to 1.07")):
        ConvexPolyhedron(CUBE * 1e305)


def test_features():
    feature = Feature("edge", 7)
    assert (feature.kind, feature.index) == ("edge", 7)
    assert feature == Feature("edge", 7) and feature != Feature("face", 7)
    assert len({feature, Feature("edge", 7), Feature("edge", 8)}) == 2
    assert pickle.loads(pickle.dumps(feature)) == copy.copy(feature) == feature
    assert eval(repr(feature)) == feature
    with pytest.raises(ValueError, match="kind: found 'corner', expected 'vertex', 'edge' or 'face'"):
        Feature("corner", 1)
    with pytest.raises(ValueError, match="index: found -1"):
        Feature("face", -1)


def bodies(rng, count):
    shapes = [ConvexPolyhedron(tangere.generate.hull(f).vertices) for f in (8, 40, 100)]
    poses = np.concatenate([rng.uniform(0, 4, (count, 3)), np.zeros((count, 4))], axis=1)
    poses[:, 3:] = [turned(rng) for _ in range(count)]
    return [shapes[i % 3] for i in range(count)], poses


def test_contacts_are_kept_and_compared():
    """Pickles and copies are equal, bit for bit; other results are not."""
    cube, cache = ConvexPolyhedron(tangere.generate.sponge(0).vertices), ConvexCache()
    poses = ([3, 0, 0], [0.5, 0.25, 1], [0.1, 0.2, 0.9, 0.8, 0, 0, 0.6], [0, 0, 0.5])
    contacts = [closest(cube, cube, pose_b=pose) for pose in poses]
    for k, contact in enumerate(contacts):
        for again in (pickle.loads(pickle.dumps(contact)), copy.copy(contact), copy.deepcopy(contact)):
            assert again == contact and not again != contact
            for name in ("gap", "lower", "upper", "feature_a", "feature_b", "status", "steps", "patch"):
                assert getattr(again, name) == getattr(contact, name), name
            for name in ("point_a", "point_b", "normal"):
                assert getattr(again, name).tobytes() == getattr(contact, name).tobytes(), name
        assert [other == contact for other in contacts] == [i == k for i in range(len(contacts))]
        corner = contact.patch[0]
        assert pickle.loads(pickle.dumps(corner)) == corner == contact.patch[0]
        assert contact != corner and contact != contact.gap
        with pytest.raises(TypeError, match="unhashable"):
            hash(contact)
    # With a warm start the result is the same, whatever the steps.
    for pose, contact in zip(poses, contacts):
        assert closest(cube, cube, pose_b=pose, cache=cache) == contact
    # Contacts are immutable.
    with pytest.raises(AttributeError):
        contacts[0].gap = 1.0
    with pytest.raises(ValueError, match="read-only"):
        contacts[0].normal[0] = 1.0


def test_many_pairs():
    rng = np.random.default_rng(6)
    shapes, poses = bodies(rng, 30)
    pairs = np.array([(i, j) for i in range(30) for j in range(i)])
    many = ConvexPairs(shapes)
    assert len(many) == 30 and repr(many) == "<tangere.ConvexPairs of 30 bodies>"
    contacts = many.contacts(poses, pairs)
    assert contacts.shape == (len(pairs),) and contacts.flags.aligned
    names = "gap lower upper point_a point_b normal kind_a index_a kind_b index_b status steps"
    assert contacts.dtype.names == tuple(names.split())
    for (i, j), row in zip(pairs.tolist(), contacts):
        single = closest(shapes[i], shapes[j], poses[i], poses[j])
        assert (row["gap"], row["lower"], row["upper"]) == (single.gap, single.lower, single.upper)
        for name in ("point_a", "point_b", "normal"):
            assert np.array_equal(row[name], getattr(single, name))
        assert Feature(KINDS[row["kind_a"]], row["index_a"]) == single.feature_a
        assert Feature(KINDS[row["kind_b"]], row["index_b"]) == single.feature_b
        assert STATUSES[row["status"]] == single.status
        assert row["steps"] == single.steps
    assert (contacts["gap"] < 0).any() and (contacts["gap"] > 0).any()

    # Known pairs need a step, wherever they stand in the list.
    many.reset_counts()
    order = rng.permutation(len(pairs))
    again = many.contacts(poses.tolist(), pairs[order].tolist())
    assert np.array_equal(again["gap"], contacts["gap"][order])
    assert again["steps"].mean() < 1.2
    assert many.counts.queries == len(pairs)
    mirrored = many.contacts(poses, pairs[:, ::-1])
    assert np.array_equal(mirrored["gap"], contacts["gap"])
    assert np.array_equal(mirrored["normal"], -contacts["normal"])
    assert np.array_equal(mirrored["index_a"], contacts["index_b"])
    as_matrices = many.contacts(np.array([matrix(pose) for pose in poses]), pairs)
    assert np.allclose(as_matrices["gap"], contacts["gap"], rtol=0, atol=1e-12)
    for threads in (1, 2, 5):
        other = ConvexPairs(shapes, threads=threads).contacts(poses, pairs)
        assert other.tobytes() == contacts.tobytes()
    assert many.contacts(poses, []).shape == (0,)
    assert many.contacts(poses, np.empty((0, 2), int)).dtype == contacts.dtype


def test_threads_share_caches():
    rng = np.random.default_rng(7)
    shapes, poses = bodies(rng, 12)
    pairs = list(itertools.combinations(range(12), 2))
    many, cache = ConvexPairs(shapes), ConvexCache()
    expected = many.contacts(poses, pairs)["gap"]
    wrong = []

    def work():
        for _ in range(20):
            if not np.array_equal(many.contacts(poses, pairs)["gap"], expected):
                wrong.append("pairs")
            for k, (i, j) in enumerate(pairs[:10]):
                if closest(shapes[i], shapes[j], poses[i], poses[j], cache).gap != expected[k]:
                    wrong.append("cache")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (dict(a=[]), ValueError, "a: found shape (0,), expected (N, 3)"),
        (dict(a=np.empty((0, 3))), ValueError, "a: found 0 points"),
        (dict(b=[[0, 0, np.nan]]), ValueError, "b[0]: found"),
        (dict(b="cube"), TypeError, "b: found dtype"),
        (dict(pose_a=[1, 2]), ValueError, "pose_a: found shape (2,), expected (3,) or (7,) or (4, 4)"),
        (dict(pose_b=[0, 0, 0, 1, 0, 0, 1e-2]), ValueError, "pose_b[3:]: found"),
        (dict(pose_b=[0, 0, np.inf]), ValueError, "pose_b[2]: found inf"),
        (dict(pose_b=2 * np.eye(4)), ValueError, "pose_b"),
        (dict(cache={}), TypeError, "cache: found dict, expected a ConvexCache"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        closest(**{**dict(a=CUBE, b=CUBE), **arguments})
    # A quaternion that is nearly of unit length is normalised.
    assert closest(CUBE, CUBE, pose_b=[3, 0, 0, 1 + 1e-7, 0, 0, 0]).gap == 2


@pytest.mark.parametrize(
    ("poses", "pairs", "error", "message"),
    [
        ([[0, 0, 0]] * 3, [[0, 1]], ValueError, "poses: found 3 poses, expected one for each of the 2 bodies"),
        ([[0, 0, 0, 1]] * 2, [[0, 1]], ValueError, "poses: found shape (2, 4), expected (N, 3) or (N, 7) or (N, 4, 4)"),
        ([[0, 0, 0], [0, np.nan, 0]], [[0, 1]], ValueError, "poses[1][1]: found"),
        ([[0] * 7] * 2, [[0, 1]], ValueError, "poses[0][3:]: found"),
        ([[0, 0, 0]] * 2, [[0, 1], [1, 1]], ValueError, "pairs[1]: found [1, 1], expected two different bodies"),
        ([[0, 0, 0]] * 2, [[0, 2]], ValueError, "pairs[0]: found [0, 2]"),
        ([[0, 0, 0]] * 2, [[0, -1]], ValueError, "pairs[0]: found -1"),
        ([[0, 0, 0]] * 2, [0, 1], ValueError, "pairs: found shape (2,), expected (M, 2)"),
        ([[0, 0, 0]] * 2, [[0.0, 1.0]], TypeError, "pairs: found dtype float64"),
    ],
)
def test_bad_pairs(poses, pairs, error, message):
    many = ConvexPairs([CUBE, CUBE])
    with pytest.raises(error, match=re.escape(message)):
        many.contacts(poses, pairs)
    assert many.contacts([[0, 0, 0], [2, 0, 0]], [[0, 1]])["gap"].tolist() == [1]


def test_bad_shapes():
    with pytest.raises(TypeError, match="shapes: found int, expected an iterable of shapes"):
        ConvexPairs(3)
    with pytest.raises(ValueError, match=re.escape("shapes[1]: found shape (3,), expected (N, 3)")):
        ConvexPairs([CUBE, [1, 2, 3]])
    with pytest.raises(ValueError, match="threads: found 0"):
        ConvexPairs([CUBE], threads=0)


def test_records_by_name():
    contact = tangere.closest([[0, 0, 0]], [[2, 0, 0]])
    assert "gap" in contact and "depth" not in contact
    assert list(contact) == list(contact.keys())
    assert not contact == np.zeros(3)
    with pytest.raises(ValueError, match="fields"):
        object.__new__(tangere.Overlap).__setstate__([1.0])


def test_threads_are_checked_for_given_hulls():
    hull = tangere.ConvexPolyhedron(tangere.generate.hull(20).vertices)
    for wrong, error in [(0, ValueError), ("many", TypeError)]:
        with pytest.raises(error, match="threads"):
            tangere.closest(hull, hull, pose_b=[3, 0, 0], threads=wrong)


def test_lins_walk():
    grain = tangere.ConvexPolyhedron(tangere.generate.hull(60, seed=1).vertices)
    motion = [[2.5 - 0.001 * k, 0.1, 0] for k in range(200)]
    tracked = tangere.closest(grain, grain, pose_b=motion)
    walked = tangere.closest(grain, grain, pose_b=motion, method="lin")
    np.testing.assert_allclose(walked["gap"], tracked["gap"], atol=1e-12)
    assert "iterations" not in tracked.dtype.names and "trapped" not in tracked.dtype.names
    assert (walked["iterations"] >= 1).all() and np.median(walked["iterations"]) == 1
    assert not walked["trapped"].any()
    one = tangere.closest(grain, grain, pose_b=motion[0], method="lin", verify=True)
    assert isinstance(one, tangere.LinContact)
    assert (one.gap, one.iterations) == (walked["gap"][0], walked["iterations"][0])
    assert one.steps == one.iterations and one.patch
    deep = tangere.closest(grain, grain, pose_b=[0.3, 0, 0], method="lin")
    expected = tangere.closest(grain, grain, pose_b=[0.3, 0, 0])
    assert deep.trapped and abs(deep.gap - expected.gap) < 1e-12
    assert not hasattr(expected, "iterations")
    mesh = tangere.generate.sponge(0)
    assert tangere.closest(mesh, mesh, pose_b=[2, 0, 0], method="lin").gap == 1
    with pytest.raises(ValueError, match="^cache: found a ConvexCache, expected none with method 'lin'"):
        tangere.closest(grain, grain, cache=tangere.ConvexCache(), method="lin")
    with pytest.raises(ValueError, match="^convex: found False with method 'lin', expected True"):
        tangere.closest(mesh, mesh, convex=False, method="lin")
    with pytest.raises(ValueError, match="^method: found 'walk', expected 'auto', 'lin'"):
        tangere.closest(grain, grain, method="walk")
