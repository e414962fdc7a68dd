"""Closest point projection, nearest points and faces within a distance, of FaceMesh and Mesh."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tangere
from tangere import FaceMesh, Mesh

FIELDS = ("face", "xi", "point", "distance", "gap", "normal", "residual", "status")
PLATE = FaceMesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2, 3]], "quad4")


def cube(kind):
    """A cube from -1 to 1 of a face on each side, its nodes shared."""
    corners = [[(k & 1) * 2 - 1, (k >> 1 & 1) * 2 - 1, (k >> 2) * 2 - 1] for k in range(8)]
    rings = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    nodes, numbers, faces = list(corners), {}, []
    for ring in rings:
        face = list(ring)
        if kind != "quad4":
            for a, b in zip(ring, ring[1:] + ring[:1]):
                key = (min(a, b), max(a, b))
                if key not in numbers:
                    numbers[key] = len(nodes)
                    nodes.append(np.add(corners[a], corners[b]) / 2)
                face.append(numbers[key])
        faces.append(face)
    return FaceMesh(nodes, faces, kind)


def same(a, b):
    """Whether all fields are equal; padding between them may differ."""
    return a.dtype == b.dtype and all(np.array_equal(a[name], b[name]) for name in a.dtype.names)


def points(count=500):
    return np.random.default_rng(1).uniform(-2, 2, (count, 3))


@pytest.mark.parametrize("kind", ["quad4", "quad8"])
def test_a_cube(kind):
    mesh = cube(kind)
    assert mesh.report["closed"] and mesh.report["volume"] == pytest.approx(8)
    p = points()
    found = mesh.project(p)
    assert found.dtype.names == FIELDS and found.shape == (len(p),)
    assert found["xi"].shape == (len(p), 2)
    assert found["point"].shape == found["normal"].shape == (len(p), 3)
    assert found["face"].dtype == np.uint32 and found["status"].dtype == np.uint8
    # The distance of a cube in closed form.
    over = np.abs(p) - 1
    outside = np.linalg.norm(np.maximum(over, 0), axis=1)
    expected = np.where(outside > 0, outside, over.max(1))
    assert np.allclose(found["gap"], expected, rtol=0, atol=1e-12)
    # By the published method, which proves nothing.
    published = mesh.project(p, method="bfgs-sqp")
    assert np.allclose(published["gap"], expected, rtol=0, atol=1e-9)
    assert (published["status"] == 1).all()
    with pytest.raises(ValueError, match="method: found 'lin', expected 'auto', 'bfgs-sqp'"):
        mesh.project(p, method="lin")
    assert np.allclose(np.linalg.norm(p - found["point"], axis=1), found["distance"], atol=1e-14)
    assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1)
    assert (found["status"] == 0).all() and (found["residual"] < 1e-12).all()
    assert (np.abs(found["xi"]) <= 1).all()
    # The same of fewer fields, and of triangles.
    closest = mesh.closest(p)
    assert closest.dtype.names == ("face", "point", "distance", "gap")
    for name in closest.dtype.names:
        assert np.array_equal(closest[name], found[name])
    corners = mesh.nodes[:8]
    ring = np.array([face[:4] for face in mesh.faces])
    triangles = Mesh(corners, np.vstack([ring[:, [0, 1, 2]], ring[:, [0, 2, 3]]]))
    assert np.allclose(triangles.closest(p)["gap"], expected, rtol=0, atol=1e-12)


def test_arrays_can_be_saved(tmp_path):
    p = points(10)
    for found in (PLATE.project(p), PLATE.closest(p), tangere.generate.sphere(2).closest(p)):
        np.save(tmp_path / "found.npy", found)
        back = np.load(tmp_path / "found.npy")
        assert back.dtype == found.dtype and back.tobytes() == found.tobytes()


def test_second_calls_need_no_set_up_and_agree():
    mesh = cube("quad8")
    p = points()
    first = mesh.project(p)
    for threads in (1, 2, 5):
        assert same(mesh.project(p, threads=threads), first)
    assert same(mesh.project(p[::-1])[::-1], first)
    with ThreadPoolExecutor(4) as executor:
        again = cube("quad8")
        for found in executor.map(lambda _: again.project(p), range(8)):
            assert same(found, first)
    sphere = tangere.generate.sphere(3)
    first = sphere.closest(p)
    assert same(sphere.closest(p, threads=1), first)


def test_open_surfaces():
    p = [[0, 0, 2], [0, 0, -2], [0, 5, 3], [0, 5, -3]]
    assert PLATE.project(p)["gap"].tolist() == [2, -2, 5, -5]
    assert np.isnan(PLATE.closest(p)["gap"]).all()
    open = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert np.isnan(open.closest(p)["gap"]).all()
    assert open.closest(p)["distance"][0] == 2


def test_segments_in_the_plane():
    square = FaceMesh([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1], [1, 2], [2, 3], [3, 0]], "seg2")
    p = [[0.5, 0.25], [0.5, -1], [2, 2]]
    found = square.project(p)
    assert found["gap"].tolist() == pytest.approx([-0.25, 1, 2**0.5])
    assert found["face"].tolist() == [0, 0, 1]
    assert (found["point"][:, 2] == 0).all() and (found["xi"][:, 1] == 0).all()
    in_space = np.column_stack([p, np.zeros(3)])
    assert same(square.project(in_space), found)
    # In another plane.
    lifted = FaceMesh(np.column_stack([square.nodes[:, :2], np.full(4, 7.0)]), square.faces, "seg2")
    assert np.array_equal(lifted.project(p)["gap"], found["gap"])
    arc = FaceMesh([[1, 0], [-1, 0], [0, 1]], [[0, 1, 2]], "seg3")
    assert arc.project([[0, 3]])["gap"].item() == pytest.approx(2)


def test_folded_faces():
    nodes = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    mesh = FaceMesh(nodes, [[0, 2, 1, 3]], "quad4")
    found = mesh.project([[0.5, 0.2, 1]])
    assert found["status"].tolist() == [2] and found["face"].tolist() == mesh.folded.tolist()


def test_within():
    p = points(200)
    for mesh in (cube("quad8"), tangere.generate.sphere(2)):
        nearest = mesh.closest(p)
        for h in (0, 0.3, 1.5):
            offsets, faces = mesh.within(p, h)
            assert offsets.dtype == np.int64 and faces.dtype == np.uint32
            assert offsets.shape == (len(p) + 1,) and offsets[-1] == len(faces)
            assert ((np.diff(offsets) > 0) == (nearest["distance"] <= h)).all()
            for i in range(len(p)):
                row = faces[offsets[i] : offsets[i + 1]]
                assert (np.diff(row.astype(int)) > 0).all()
                if len(row):
                    assert nearest["face"][i] in row
        # Faces are those whose own distance is small.
        if isinstance(mesh, FaceMesh):
            each = [FaceMesh(mesh.nodes, [face], "quad8").project(p)["distance"] for face in mesh.faces]
            offsets, faces = mesh.within(p, 1.0)
            expected = np.array(each).T <= 1.0
            assert (np.diff(offsets) == expected.sum(1)).all()


def test_within_has_a_limit():
    """More pairs than max_pairs raise an error before all are found."""
    cube = tangere.generate.sponge(0)
    for mesh in (cube, FaceMesh(cube.vertices, cube.faces, "tri3")):
        points = [[0.5, 0.5, 0.5]] * 5
        assert len(mesh.within(points, 1, max_pairs=60)[1]) == 60
        with pytest.raises(ValueError, match="pairs: found at least 60, expected at most 59"):
            mesh.within(points, 1, max_pairs=59)
        assert mesh.within(points, 0.25, max_pairs=0)[0].tolist() == [0] * 6
        with pytest.raises(ValueError, match="max_pairs: found -1"):
            mesh.within(points, 1, max_pairs=-1)
        with pytest.raises(TypeError, match="max_pairs"):
            mesh.within(points, 1, max_pairs=1.5)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_within_more_than_memory():
    """All of 8192 faces from 50000 points: 1.6 GB in 128 MB; the interpreter goes on."""
    program = """
import resource, numpy as np, tangere
mesh = tangere.generate.sphere(5)
faces = tangere.FaceMesh(mesh.vertices, mesh.faces, "tri3")
points = np.zeros((50_000, 3))
for surface in (mesh, faces):
    surface.within(points[:20], 1e300, threads=2)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**27, used + 2**27))
for surface in (mesh, faces):
    try:
        surface.within(points, 1e300, threads=2)
    except MemoryError as error:
        print(error)
    print(len(surface.within(points[:2], 1e300)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and done.returncode == 0
    first, count, second, others = done.stdout.splitlines()
    assert count == others == "16384"
    for message in (first, second):
        assert re.fullmatch(r"out of memory: at least [0-9.e]+ pairs need [0-9.]+ [MG]B; limit with max_pairs", message)


def test_no_points():
    for mesh in (PLATE, tangere.generate.sphere(1)):
        for none in ([], np.zeros((0, 3))):
            assert mesh.closest(none).shape == (0,)
            assert mesh.within(none, 1)[0].tolist() == [0]
    assert PLATE.project([]).shape == (0,) and PLATE.project([]).dtype.names == FIELDS


@pytest.mark.parametrize("mesh", [PLATE, tangere.generate.sphere(1)], ids=["faces", "triangles"])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[0, 0]],), ValueError, "points: found shape (1, 2), expected (N, 3)"),
        (([0, 0, 0],), ValueError, "points: found shape (3,), expected (N, 3)"),
        (([[0, 0, 0], [0, np.nan, 0]],), ValueError, "points[1]: found [0.0, NaN, 0.0], expected finite"),
        (("points",), TypeError, "points: found dtype"),
        (([[0, 0, 0]], -1), ValueError, "h: found -1.0, expected a finite number, 0 or more"),
        (([[0, 0, 0]], float("nan")), ValueError, "h: found NaN"),
        (([[0, 0, 0]], "far"), TypeError, "h: found str, expected a number"),
    ],
)
def test_bad_arguments(mesh, arguments, error, message):
    query = mesh.within if len(arguments) == 2 else mesh.closest
    with pytest.raises(error, match=re.escape(message)):
        query(*arguments)
    if query == mesh.closest and isinstance(mesh, FaceMesh):
        with pytest.raises(error, match=re.escape(message)):
            mesh.project(*arguments)


def test_bad_threads():
    with pytest.raises(ValueError, match="threads: found 0"):
        PLATE.project([[0, 0, 0]], threads=0)


def test_interrupt_ends_the_work(interrupted):
    program = """
sphere = tangere.generate.sphere(5)
mesh = tangere.FaceMesh(sphere.vertices, sphere.faces, "tri3")
points = 9 * numpy.random.default_rng(1).uniform(-1, 1, (4_000_000, 3))
mesh.project(points[:1])
print("ready", flush=True)
try:
    mesh.project(points)
    print("finished", flush=True)
except KeyboardInterrupt:
    # The work ends and frees its memory; nothing continues.
    print("interrupted", is_quiet(), mesh.project([[0, 0, 0.5]])["gap"].item() < 0, flush=True)
"""
    out = interrupted(program)
    # Nothing continues in the background, and the mesh accepts the next query.
    assert out.split()[1:] == ["True", "True"], out
