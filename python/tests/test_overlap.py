"""Sphere packings and their penetration volume."""

import copy
import math
import os
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tangere
from tangere import Packing, overlap

BALL = Packing([[0, 0, 0]], [1])
FIELDS = ("volume", "lower", "upper", "force", "torque", "centroid", "normal", "pairs", "work", "complete")


def lens(d, r, s):
    """The volume that two spheres share, d apart."""
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return 4 / 3 * math.pi * min(r, s) ** 3
    return math.pi / 12 * (r + s - d) ** 2 * (d * d + 2 * d * (r + s) - 3 * (r - s) ** 2) / d


def lattice(seed, side=4):
    """Spheres of different sizes about the points of a lattice."""
    random = np.random.default_rng(seed)
    points = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3).astype(float)
    radii = random.uniform(0.2, 0.45, len(points))
    room = (0.5 - radii)[:, None] / 2
    return Packing(points + random.uniform(-1, 1, points.shape) * room, radii)


def turned(angle, translation):
    c, s = math.cos(angle / 2), math.sin(angle / 2)
    return [*translation, c, 0, s * 0.6, s * 0.8]


def matrix(pose):
    t, (w, x, y, z) = pose[:3], pose[3:]
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    m[:3, 3] = t
    return m


def test_all_sums_against_numpy():
    a, b = lattice(1), lattice(2)
    pose_a, pose_b = turned(0.4, [0.1, 0, -0.2]), turned(-0.9, [1.3, 0.7, 0.2])
    found, pairs = overlap(a, b, pose_a, pose_b, about=[1, 2, 3], return_pairs=True)
    ma, mb = matrix(pose_a), matrix(pose_b)
    ca = a.centers @ ma[:3, :3].T + ma[:3, 3]
    cb = b.centers @ mb[:3, :3].T + mb[:3, 3]
    d = cb[None] - ca[:, None]
    distance = np.linalg.norm(d, axis=-1)
    i, j = np.nonzero(distance < a.radii[:, None] + b.radii)
    assert np.array_equal(pairs, np.stack([i, j], 1)) and found.pairs == len(i) > 25
    volumes = np.array([lens(distance[k], a.radii[k[0]], b.radii[k[1]]) for k in zip(i, j)])
    assert found.lower == pytest.approx(volumes.sum(), rel=1e-12)
    fade = np.maximum(distance[i, j], np.minimum(a.radii[i], b.radii[j]) / 8)
    forces = d[i, j] * (volumes / fade)[:, None]
    assert found.force == pytest.approx(forces.sum(0), abs=1e-12)
    torques = np.cross(cb[j] - [1, 2, 3], forces)
    assert found.torque == pytest.approx(torques.sum(0), abs=1e-11)
    assert found.normal == pytest.approx(found.force / np.linalg.norm(found.force))
    # The default reference point is the origin of b's frame.
    torque = np.cross(cb[j] - pose_b[:3], forces).sum(0)
    assert overlap(a, b, pose_a, pose_b).torque == pytest.approx(torque, abs=1e-11)
    assert found.lower <= found.volume <= found.upper


def test_nothing_in_common():
    found = overlap(BALL, BALL, pose_b=[2, 0, 0])
    assert (found.volume, found.lower, found.upper, found.pairs) == (0, 0, 0, 0)
    assert np.isnan(found.centroid).all() and np.isnan(found.normal).all()
    assert not found.force.any() and not found.torque.any()
    _, pairs = overlap(BALL, BALL, pose_b=[2, 0, 0], return_pairs=True)
    assert pairs.shape == (0, 2) and pairs.dtype == np.uint32


def test_pairs_without_a_budget():
    with pytest.raises(ValueError, match="return_pairs: found True with a budget"):
        overlap(BALL, BALL, budget_work=5, return_pairs=True)


def test_many_poses():
    a, b = lattice(1), lattice(2)
    rows = np.array([turned(0.1 * k, [0.2 * k, 0.1, 0]) for k in range(30)])
    found = overlap(a, b, pose_b=rows)
    assert found.dtype.names == FIELDS and found.shape == (30,)
    assert found["force"].shape == (30, 3) and found["pairs"].dtype == np.uint64
    for k in (0, 7, 29):
        alone = overlap(a, b, pose_b=rows[k])
        for name in FIELDS:
            assert np.array_equal(found[name][k], getattr(alone, name), equal_nan=True), name
    matrices = overlap(a, b, pose_b=[matrix(row) for row in rows])
    assert np.allclose(matrices["volume"], found["volume"], rtol=1e-12)
    # Either body may have many, or both.
    still = np.tile([0, 0, 0, 1, 0, 0, 0], (30, 1))
    assert overlap(a, b, still, rows).tobytes() == found.tobytes()
    assert overlap(b, a, rows)["pairs"].tolist() == found["pairs"].tolist()
    assert overlap(a, b, pose_b=rows[:, :3])["volume"][0] == found["volume"][0]
    assert overlap(a, b, pose_b=np.zeros((0, 3))).shape == (0,)


def test_the_same_on_any_number_of_threads():
    a, b = lattice(1, 8), lattice(2, 8)
    rows = np.array([turned(0.1 * k, [0.2 * k, 0.1, 0]) for k in range(5)])
    first = overlap(a, b, pose_b=rows)
    for threads in (1, 2, 5):
        assert overlap(a, b, pose_b=rows, threads=threads).tobytes() == first.tobytes()
    with ThreadPoolExecutor(4) as executor:
        for found in executor.map(lambda _: overlap(a, b, pose_b=rows), range(8)):
            assert found.tobytes() == first.tobytes()
    for method in ("brute", "djb2", "perfect-hash", "morton"):
        other = overlap(a, b, pose_b=rows, method=method)
        assert np.array_equal(other["pairs"], first["pairs"])
        assert np.allclose(other["lower"], first["lower"], rtol=1e-12)


def test_budgets():
    a, b = lattice(1, 8), lattice(2, 8)
    pose_b = turned(0.3, [0.4, 0.1, 0])
    whole = overlap(a, b, pose_b=pose_b)
    assert whole.complete and whole.spheres == (512, 512)
    ended = 0
    for work in (1, 10, 100, 1000, 10_000, 10**9):
        found = overlap(a, b, pose_b=pose_b, budget_work=work)
        assert found == overlap(a, b, pose_b=pose_b, budget_work=work, threads=1)
        assert found.lower <= whole.lower * (1 + 1e-12) and found.upper >= whole.lower * (1 - 1e-12)
        ended += not found.complete
    assert found.complete and found.lower == pytest.approx(whole.lower, rel=1e-12) and 0 < ended
    assert overlap(a, b, pose_b=pose_b, budget_us=1e9) == found
    rows = overlap(a, b, pose_b=[pose_b, pose_b], budget_work=1)
    assert rows["complete"].tolist() == [0, 0] and (rows["work"] < found.work).all()


def test_packings():
    packing = lattice(1)
    assert len(packing) == 64 and packing.filling == 1
    assert packing.centers.shape == (64, 3) and packing.radii.shape == (64,)
    assert packing.volume == pytest.approx(4 / 3 * math.pi * (packing.radii**3).sum())
    for array in (packing.centers, packing.radii):
        assert not array.flags.writeable and array.dtype == np.float64
        with pytest.raises(ValueError):
            array[0] = 0
    radii = Packing([[0, 0, 0]], [2]).radii  # keeps the packing alive
    assert radii.tolist() == [2]
    assert packing == lattice(1) and packing != lattice(2) and packing != 3
    assert copy.copy(packing) is packing and copy.deepcopy(packing) is packing
    assert repr(BALL) == "<tangere.Packing of 1 sphere>"
    with pytest.raises(TypeError):
        hash(packing)


def test_pack(tmp_path):
    cube = tangere.generate.sponge(0)
    packing = tangere.pack(cube, spheres=100)
    assert len(packing) == 100 and packing.volume == 1
    assert packing.filling == pytest.approx((4 / 3 * math.pi * packing.radii**3).sum())
    assert (np.diff(packing.radii) <= 0).all()
    # None leaves the body, none overlap.
    assert (cube.closest(packing.centers)["gap"] <= -packing.radii).all()
    assert len(tangere.pairs(packing.centers, packing.radii)) == 0
    assert tangere.pack(cube, spheres=100, threads=1) == packing
    hull = tangere.ConvexPolyhedron(cube.vertices)
    assert len(tangere.pack(hull, spheres=10)) == 10
    assert tangere.pack(cube, filling=0.6).filling >= 0.6
    assert tangere.pack(cube, smallest=0.1).radii.min() >= 0.1
    packing.save(tmp_path / "cube.npy")
    assert Packing.load(tmp_path / "cube.npy") == packing
    assert pickle.loads(pickle.dumps(packing)) == packing


def torus(points):
    return 1 - np.hypot(np.hypot(points[:, 0], points[:, 1]) - 2, points[:, 2])


def test_functions_are_packed():
    known = {"bounds": [[-3, -3, -1], [3, 3, 1]], "volume": 4 * math.pi**2}
    ring = tangere.pack(torus, spheres=60, **known)
    assert len(ring) == 60 and ring.volume == known["volume"]
    assert (ring.radii <= torus(ring.centers)).all() and ring.radii[0] > 0.999
    assert tangere.pack(torus, spheres=60, threads=1, **known) == ring
    with pytest.raises(ValueError, match="bounds and volume"):
        tangere.pack(torus, spheres=60)
    with pytest.raises(ValueError, match="distances: found 1 numbers, expected"):
        tangere.pack(lambda points: [1.0], spheres=2, **known)
    with pytest.raises(ValueError, match=r"distances\[0\]: found NaN at"):
        tangere.pack(lambda points: points[:, 0] * math.nan, spheres=2, **known)
    with pytest.raises(ZeroDivisionError):
        tangere.pack(lambda points: 1 / 0, spheres=2, **known)
    with pytest.raises(ValueError, match="bounds: found"):
        tangere.pack(torus, bounds=[[0, 0, 0], [-1, 1, 1]], volume=1)
    with pytest.raises(ValueError, match="bounds: found a sphere of radius 0.999"):
        tangere.pack(lambda p: 1 - np.linalg.norm(p, axis=1), bounds=[[-0.5] * 3, [0.5] * 3], volume=4.19, spheres=1)
    with pytest.raises(ValueError, match="bounds: found one for a surface"):
        tangere.pack(tangere.generate.knot(500), spheres=2, bounds=known["bounds"])


def test_spheres_are_moved(tmp_path):
    a = lattice(3)
    moved = a.updated(a.centers + [0.5, 0, 0])
    there = overlap(a, BALL, pose_a=[0.5, 0, 0])
    found = overlap(moved, BALL)
    assert found.pairs == there.pairs and found.lower == pytest.approx(there.lower, rel=1e-12)
    assert (a.updated(a.centers, a.radii / 2).radii == a.radii / 2).all()
    assert (a.radii == lattice(3).radii).all()
    pushed = a.updated(a.centers * 0.5)
    assert pickle.loads(pickle.dumps(pushed)) == pushed
    with pytest.raises(ValueError, match="expected spheres that do not overlap"):
        pushed.save(tmp_path / "pushed.npy")
    with pytest.raises(ValueError, match="centers: found 2 rows, expected 64, one for each sphere"):
        a.updated(a.centers[:2])
    with pytest.raises(ValueError, match="radii: found 1 rows"):
        a.updated(a.centers, [1])
    with pytest.raises(ValueError, match=r"radii\[0\]"):
        a.updated(a.centers, a.radii * 0)


def test_meshes_are_packed():
    cube = tangere.generate.sponge(0)
    found = overlap(cube, cube, pose_b=[0.75, 0, 0])
    packing = tangere.pack(cube)
    assert found == overlap(packing, packing, pose_b=[0.75, 0, 0])
    assert found.spheres == (4000, 4000) and found.lower <= 0.25 and found.normal[0] > 0.99


def test_nothing_to_pack():
    cube = tangere.generate.sponge(0)
    open_cube = tangere.Mesh(cube.vertices, cube.faces[1:])
    for keywords, error, message in [
        ({"spheres": 0}, ValueError, "spheres: found 0, expected an integer from 1"),
        ({"spheres": 1.5}, TypeError, "spheres: found float, expected an integer"),
        ({"filling": 1}, ValueError, "filling: found 1"),
        ({"filling": math.nan}, ValueError, "filling: found NaN"),
        ({"smallest": 9}, ValueError, "smallest: found 9, expected at most 0."),
        ({"mesh": open_cube}, ValueError, "mesh: found a surface that is not closed, expected one that is closed and oriented"),
        ({"mesh": [[0, 0, 0]]}, TypeError, "mesh: found list, expected a Mesh, a ConvexPolyhedron or a function"),
    ]:
        with pytest.raises(error, match=re.escape(message)):
            tangere.pack(**{"mesh": cube, **keywords})
    with pytest.raises(ValueError, match="a: found a surface that is not closed, expected one that is closed and oriented"):
        overlap(open_cube, cube)


@pytest.mark.parametrize("ending", ["npy", "vtp"])
def test_files(tmp_path, ending):
    packing, path = lattice(3), tmp_path / f"packing.{ending}"
    packing.save(path)
    assert Packing.load(path) == packing
    assert os.listdir(tmp_path) == [path.name]
    centers, radii = tangere.load_particles(path)
    assert np.array_equal(centers, packing.centers) and np.array_equal(radii, packing.radii)


def test_what_is_known_of_the_body(tmp_path):
    cube = tangere.generate.sponge(0)
    centers, radii = [[0.5, 0.5, 0.5], [0.1, 0.1, 0.1]], [0.5, 0.09]
    packing, known = Packing(centers, radii), Packing.in_mesh(cube, centers, radii)
    rows = np.column_stack([centers, radii])
    assert known.volume == pytest.approx(1) and known.filling == pytest.approx(packing.volume)
    assert known != packing and f"{100 * known.filling:.1f}% of the body" in repr(known)
    # Bounds are those of the bodies.
    half = overlap(known, known, pose_b=[0.5, 0, 0])
    assert half.lower == overlap(packing, packing, pose_b=[0.5, 0, 0]).lower
    assert half.lower <= half.volume <= half.upper and half.lower < 0.5 < half.upper
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(known, protocol))
        assert again == known and again.volume == known.volume
        assert overlap(again, again, pose_b=[0.5, 0, 0]) == half
    path = tmp_path / "known.npy"
    known.save(path)
    assert Packing.load(path) == known
    assert np.array_equal(np.load(path), rows)
    with open(path, "rb") as file:
        assert np.array_equal(np.load(file), rows)
        record = np.load(file)
        assert record.ndim == 1 and record.dtype == np.float64 and file.read() == b""
    # As NumPy writes it.
    with open(tmp_path / "again.npy", "wb") as file:
        np.save(file, rows)
        np.save(file, record)
    assert Packing.load(tmp_path / "again.npy") == known
    known.save(tmp_path / "again.vtp")
    assert Packing.load(tmp_path / "again.vtp") == known
    # An array alone will do.
    np.save(path, rows)
    assert Packing.load(path) == packing
    with pytest.raises(ValueError, match=re.escape("centers[0]")):
        Packing.in_mesh(cube, [[0.5, 0.5, 0.5]], [0.6])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([], []), ValueError, "centers: found shape (0,), expected (N, 3)"),
        ((np.zeros((0, 3)), []), ValueError, "centers: found 0, expected at least one"),
        (([[0, 0, np.nan]], [1]), ValueError, "centers[0]: found"),
        (([[0, 0, 0]], [0]), ValueError, "radii[0]: found 0, expected more than 0"),
        (([[0, 0, 0]], [-1]), ValueError, "radii[0]: found -1"),
        (([[0, 0, 0]], [1, 2]), ValueError, "radii"),
        (
            ([[0, 0, 0], [1, 0, 0]], [0.25, 1]),
            ValueError,
            "centers[1]: found a centre 1 from that of sphere 0, their radii add up to 1.25",
        ),
        (("centers", [1]), TypeError, "centers: found dtype"),
    ],
)
def test_no_packings(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        Packing(*arguments)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"a": [[0, 0, 0]]}, TypeError, "a: found list, expected a Packing, which pack makes of any body, or a Mesh"),
        ({"pose_b": [0, math.nan, 0]}, ValueError, "pose_b[1]: found"),
        ({"pose_b": [[0, 0, 0], [0, math.nan, 0]]}, ValueError, "pose_b[1][1]: found NaN"),
        ({"pose_b": [0, 0]}, ValueError, "pose_b: found shape (2,), expected (3,), (7,) or (4, 4)"),
        ({"pose_b": np.zeros((2, 4, 4))}, ValueError, "pose_b[0][3]: found"),
        ({"pose_a": [0, 0, 0, 1, 1, 0, 0]}, ValueError, "pose_a[3:]: found"),
        (
            {"pose_a": np.zeros((2, 3)), "pose_b": np.zeros((3, 3))},
            ValueError,
            "pose_b: found 3 poses, expected one, or 2 as pose_a has",
        ),
        ({"method": "magic"}, ValueError, 'method: found "magic", expected one of auto, '),
        ({"method": 3}, TypeError, "method: found int, expected a str"),
        ({"budget_us": 0}, ValueError, "budget_us: found 0, expected microseconds, more than 0"),
        ({"budget_us": math.nan}, ValueError, "budget_us: found NaN"),
        ({"budget_us": "soon"}, TypeError, "budget_us: found str, expected a number"),
        ({"budget_work": 0}, ValueError, "budget_work: found 0, expected an integer from 1"),
        ({"budget_work": 1, "budget_us": 1}, ValueError, "budget_work: found another budget beside it"),
        ({"budget_work": 1, "method": "brute"}, ValueError, "method: found brute with a budget"),
        ({"about": [0, math.inf, 0]}, ValueError, "about[1]: found inf"),
        ({"about": [0, 0]}, ValueError, "about: found shape (2,), expected (3,)"),
        ({"return_pairs": 1}, TypeError, "return_pairs: found int, expected a bool"),
        (
            {"return_pairs": True, "pose_b": np.zeros((2, 3))},
            ValueError,
            "return_pairs: found True with many poses",
        ),
        ({"threads": 0}, ValueError, "threads: found 0"),
    ],
)
def test_bad_arguments(keywords, error, message):
    with pytest.raises(error, match=re.escape(message)):
        overlap(**{"a": BALL, "b": BALL, **keywords})


def test_bad_files(tmp_path):
    path = tmp_path / "a.npy"
    with pytest.raises(FileNotFoundError):
        Packing.load(path)
    np.save(path, np.zeros((3, 3)))
    with pytest.raises(ValueError, match=re.escape("first array: found the shape [3, 3]")):
        Packing.load(path)
    np.save(path, [[0, 0, 0, 1], [0, 0, 1.5, 1]])
    with pytest.raises(ValueError, match="sphere 1: found a centre 1.5 from that of sphere 0"):
        Packing.load(path)
    with pytest.raises(ValueError, match="use npy or vtp"):
        BALL.save(tmp_path / "a.csv")
    with pytest.raises(FileNotFoundError):
        BALL.save(tmp_path / "no" / "a.npy")


@pytest.mark.parametrize(("side", "poses"), [(10, 100_000), (50, 1)])
def test_interrupt_ends_the_work(side, poses, interrupted):
    # Between two poses of many, and within one.
    program = f"side, count = {side}, {poses}" + """
points = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3), -1).reshape(-1, 3)
block = tangere.Packing(points, numpy.full(side**3, 0.5))
poses = numpy.full((count, 3), 0.25)
print("ready", flush=True)
try:
    tangere.overlap(block, block, pose_b=poses, method="brute")
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", is_quiet(), flush=True)
"""
    out = interrupted(program, after=1.5)
    assert out == "interrupted True\n"
