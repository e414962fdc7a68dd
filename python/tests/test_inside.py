"""Point containment: points of bodies whose inside is known in closed form."""

import copy
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tangere

# The error about an unknown method names all methods.
try:
    tangere.Inside(tangere.generate.sphere(0), method="?")
except ValueError as error:
    METHODS = re.findall(r"'(\w+)'", str(error).split("expected")[1])


def test_there_are_methods():
    assert METHODS == ["auto", "ray", "layer", "multipole", "cells"]


@pytest.fixture
def box(cube):
    return tangere.Mesh(*cube)


def lattice():
    """Points at multiples of 1/4 around the unit cube, and their sides."""
    axis = np.arange(-1, 6) / 4
    points = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    depth = np.minimum(points, 1 - points).min(axis=1)
    return points, np.sign(depth).astype(np.int8)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rule", ["nonzero", "parity"])
def test_a_cube(box, method, rule):
    points, sides = lattice()
    test = tangere.Inside(box, method=method, rule=rule, threads=1)
    found = test.classify(points)
    assert found.dtype == np.int8 and np.array_equal(found, sides)
    assert test.confidence == 1 and test.method in METHODS and test.reason
    assert np.array_equal(tangere.inside(box, points, method=method, rule=rule), sides)
    winding = test.winding(points)
    assert winding.dtype == np.float64
    assert np.abs(winding - (sides + 1) / 2)[sides != 0].max() <= test.bound
    corner = (points == 0).all(axis=1) | (points == 1).all(axis=1)
    assert np.abs(winding[corner] - 1 / 8).max() <= test.bound
    assert np.array_equal(test.confidences(points), np.ones(len(points)))


@pytest.mark.parametrize("method", METHODS)
def test_no_points(box, method):
    test = tangere.Inside(box, method=method)
    for nothing in (np.empty((0, 3)), np.empty((0, 3), dtype=np.float32)):
        assert test.classify(nothing).shape == test.winding(nothing).shape == (0,)


def test_points_of_any_layout(box):
    points, sides = lattice()
    for layout in (np.asfortranarray(points), points[::-1][::-1], points.astype(np.float32), points.tolist()):
        assert np.array_equal(tangere.inside(box, layout), sides)


@pytest.mark.parametrize("method", METHODS)
def test_no_points(box, method):
    test = tangere.Inside(box, method=method)
    for none in ([], (), np.empty(0), np.empty((0, 3))):
        assert tangere.inside(box, none, method=method).shape == (0,)
        assert test.classify(none).shape == test.winding(none).shape == test.confidences(none).shape == (0,)
    with pytest.raises(ValueError, match=r"^points: found shape \(1,\)"):
        test.classify([1.0])


def test_insisting_promises_nothing(box):
    opened = tangere.Mesh(box.vertices, box.faces[1:])
    test = tangere.Inside(opened, insist=True)
    test.winding([[0.5, 0.5, 0.5]])
    assert test.confidence == 0 and test.bound == np.inf
    assert "3 boundary edges" in test.reason


def test_rules(box):
    both = tangere.Mesh(np.concatenate([box.vertices, box.vertices + 0.5]), np.concatenate([box.faces, box.faces + 8]))
    points = [[0.25] * 3, [0.75] * 3, [1.25] * 3]
    assert tangere.inside(both, points).tolist() == [1, 1, 1]
    assert tangere.inside(both, points, rule="parity").tolist() == [1, -1, 1]
    assert tangere.Inside(both).winding(points).tolist() == [1, 2, 1]


def test_open_surfaces(box):
    opened = tangere.Mesh(box.vertices, box.faces[1:])
    with pytest.raises(ValueError, match=r"^mesh: found 3 boundary edges \(.*winding number"):
        tangere.Inside(opened, method="ray")
    test = tangere.Inside(opened)
    assert test.classify([[0.5, 0.5, 0.5], [3, 3, 3]]).tolist() == [1, -1]
    assert 0 < test.confidence < 1
    assert "3 boundary edges" in test.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "magic"}, "^method: found 'magic', expected 'auto', "),
        ({"rule": "even"}, "^rule: found 'even', expected 'nonzero', 'parity'"),
        ({"accuracy": 0}, "^accuracy: found 0, expected a number between 0 and 1"),
        ({"accuracy": float("nan")}, "^accuracy: found NaN"),
        ({"threads": 0}, "^threads: found 0"),
    ],
)
def test_wrong_arguments(box, arguments, message):
    with pytest.raises(ValueError, match=message):
        tangere.Inside(box, **arguments)
    with pytest.raises(ValueError, match=message):
        tangere.inside(box, [[0, 0, 0]], **arguments)


def test_wrong_types(box):
    for arguments in ({"method": 1}, {"rule": None, "method": 2.0}, {"accuracy": "much"}, {"threads": 1.5}):
        with pytest.raises(TypeError):
            tangere.Inside(box, **arguments)
    with pytest.raises(TypeError, match="^mesh: found list, expected a Mesh"):
        tangere.Inside([])
    with pytest.raises(TypeError):
        tangere.inside(box, "points")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e61])
def test_wrong_points(box, method, bad):
    test = tangere.Inside(box, method=method)
    points = np.zeros((5, 3))
    points[3, 1] = bad
    with pytest.raises(ValueError, match=r"^points\[3\]: found "):
        test.classify(points)
    with pytest.raises(ValueError, match=r"^points\[3\]: found "):
        test.winding(points)
    with pytest.raises(ValueError, match="points"):
        test.classify(np.zeros((3, 2)))
    assert test.classify([[0.5, 0.5, 0.5]]).tolist() == [1]


def test_threads_share_one_object():
    mesh = tangere.generate.sphere(5)
    points = np.random.default_rng(1).uniform(-1, 1, (2000, 3))
    expected = tangere.inside(mesh, points, threads=1)
    test = tangere.Inside(mesh)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: test.classify(points), range(12)):
            assert np.array_equal(found, expected)


QUARTER = [8, -16, 32, np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
MATRIX = [[0, -1, 0, 8], [1, 0, 0, -16], [0, 0, 1, 32], [0, 0, 0, 1]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pose", [QUARTER, np.array(QUARTER), MATRIX, np.array(MATRIX)])
def test_poses(box, method, pose):
    points, sides = lattice()
    # A quarter turn about z: (x, y) goes to (-y, x).
    moved = np.stack([8 - points[:, 1], points[:, 0] - 16, points[:, 2] + 32], axis=1)
    test = tangere.Inside(box, method=method)
    assert np.array_equal(test.classify(moved, pose), sides)
    assert np.array_equal(test.classify(moved, pose=pose), sides)
    winding = test.winding(moved, pose)
    assert np.abs(winding - (sides + 1) / 2)[sides != 0].max() <= test.bound
    assert np.array_equal(test.confidences(moved, pose), np.ones(len(points)))
    # A pose does not affect later calls.
    assert np.array_equal(test.classify(points), sides)


def test_wrong_poses(box):
    test = tangere.Inside(box)
    points = np.zeros((2, 3))
    for pose, message in [
        ([1, 2], "^pose: found"),
        ([0, 0, 0, 1, 1, 0, 0], r"^pose\[3:\]: found"),
        ([0, np.nan, 0], r"^pose\[1\]: found nan|^pose\[1\]: found NaN"),
        (np.ones((4, 4)), "^pose"),
    ]:
        for query in (test.classify, test.winding, test.confidences):
            with pytest.raises(ValueError, match=message):
                query(points, pose)
    points[1, 2] = np.inf
    with pytest.raises(ValueError, match=r"^points\[1\]: found "):
        test.classify(points, [1, 2, 3])
    with pytest.raises(TypeError):
        test.classify([[0, 0, 0]], "0,0,1")


@pytest.mark.parametrize("method", METHODS)
def test_grids(method):
    mesh = tangere.generate.sphere(3)
    n = 7
    axis = (2 * np.arange(n) + 1 - n) / n
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    test = tangere.Inside(mesh, method=method)
    expected = test.classify(np.stack([x, y, z], axis=-1).reshape(-1, 3))
    assert np.array_equal(test.classify_grid(n), expected)
    for wrong in (0, -1, 1001):
        with pytest.raises(ValueError, match="^n: found "):
            test.classify_grid(wrong)
    with pytest.raises(TypeError, match="^n: found float"):
        test.classify_grid(7.0)


def test_insisting(box):
    opened = tangere.Mesh(box.vertices, box.faces[1:])
    test = tangere.Inside(opened, method="ray", insist=True)
    assert test.classify([[3, 3, 3]]).tolist() == [-1]
    assert test.confidence == 0
    assert tangere.inside(opened, [[3, 3, 3]], method="cells", insist=True).tolist() == [-1]
    with pytest.raises(TypeError, match="^insist: found int|^insist: found str"):
        tangere.Inside(box, insist="yes")
    with pytest.raises(TypeError, match="unexpected keyword argument 'methods'"):
        tangere.Inside(box, methods="ray")


def test_grids_of_the_box():
    box = tangere.generate.sponge(0).transformed(translate=[4, 0, 0])
    mesh = tangere.Mesh(box.vertices * [2, 1, 3], box.faces)
    axes = [8 + (2 * np.arange(4) + 1) / 4, (2 * np.arange(2) + 1) / 4, (2 * np.arange(3) + 1) / 2]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    test = tangere.Inside(mesh)
    expected = test.classify(np.stack([x, y, z], axis=-1).reshape(-1, 3))
    assert (expected == 1).all()
    assert np.array_equal(test.classify_grid((4, 2, 3)), expected)
    assert np.array_equal(test.classify_grid(np.array([4, 2, 3])), expected)
    # The cube around the box has the edge 3.
    assert (test.classify_grid(6) == 1).sum() == 4 * 2 * 6
    with pytest.raises(ValueError, match="^n: found 2 numbers, expected one integer or three"):
        test.classify_grid([4, 2])
    with pytest.raises(ValueError, match=r"^n\[1\]: found 0, expected an integer from 1 to"):
        test.classify_grid([4, 0, 3])
    with pytest.raises(TypeError, match=r"^n\[2\]: found float"):
        test.classify_grid([4, 2, 3.0])
    flat = tangere.Inside(tangere.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    with pytest.raises(ValueError, match="^n: found 2 cells along z, expected 1"):
        flat.classify_grid([3, 3, 2])
    assert flat.classify_grid([3, 3, 1]).tolist() == [0, 0, 0, 0, 0, -1, 0, -1, -1]


def test_grids_without_memory(box):
    for method in METHODS:
        test = tangere.Inside(box, method=method)
        with pytest.raises(MemoryError, match="^out of memory: 1.2e18 points need 1.2 EB"):
            test.classify_grid([2**20] * 3)
        assert test.classify_grid(1).tolist() == [1]


@pytest.mark.parametrize("method", METHODS)
def test_pickling(box, method):
    points, sides = lattice()
    test = tangere.Inside(box, method=method, rule="parity", threads=1)
    for again in (pickle.loads(pickle.dumps(test)), copy.deepcopy(test), copy.copy(test)):
        assert again is not test
        assert (repr(again), again.reason) == (repr(test), test.reason)
        assert np.array_equal(again.classify(points), sides)
    shells = tangere.Mesh(np.concatenate([box.vertices] * 2), np.concatenate([box.faces, box.faces + 8]))
    # The rule is kept: a winding number of 2 is outside.
    twice = pickle.loads(pickle.dumps(tangere.Inside(shells, method=method, rule="parity")))
    assert twice.classify([[0.5, 0.5, 0.5]]).tolist() == [-1]


def test_panel_clustering():
    sphere = tangere.generate.sphere(3)
    points = np.random.default_rng(4).uniform(-1, 1, (100, 3))
    points[:20] = sphere.vertices[:20]
    expected = tangere.inside(sphere, points)
    for options in ({}, {"degree": 2}, {"degree": 5, "separation": 3.0}):
        test = tangere.Inside(sphere, method="panel-clustering", **options)
        assert np.array_equal(test.classify(points), expected)
        assert test.method == "panel-clustering"
        assert test.reason.startswith("panel clustering by Taylor expansions of degree ")
        assert np.abs(test.winding(points[20:]) - (expected[20:] == 1)).max() <= test.bound <= 1e-6
        assert pickle.loads(pickle.dumps(test)).reason == test.reason
    assert np.array_equal(tangere.inside(sphere, points, method="panel-clustering"), expected)
    for options, message in (
        ({"depth": 3}, "^depth: found 3, expected none for method panel-clustering; only multipole has one"),
        ({"degree": 21}, "^degree: found 21, expected 1 to 20"),
        ({"separation": 1}, "^separation: found 1, expected a number above 1"),
    ):
        with pytest.raises(ValueError, match=message):
            tangere.Inside(sphere, method="panel-clustering", **options)


def test_published_multipoles():
    sphere = tangere.generate.sphere(3)
    points = np.random.default_rng(3).uniform(-1, 1, (200, 3))
    expected = tangere.inside(sphere, points)
    for options in ({"degree": 4}, {"separation": 3.0}, {"depth": 1}, {"depth": "pre-chosen", "degree": 9}):
        test = tangere.Inside(sphere, method="multipole", **options)
        assert np.array_equal(test.classify(points), expected)
        assert test.reason.startswith("fast multipoles of degree ")
        again = pickle.loads(pickle.dumps(test))
        assert again.reason == test.reason
    found = tangere.inside(sphere, points, method="multipole", depth="well-chosen")
    assert np.array_equal(found, expected)
    for options, message in (
        ({"degree": 4}, "^degree: found 4, expected none for method auto; only multipole and panel-clustering have one"),
        ({"method": "multipole", "degree": 0}, "^degree: found 0, expected an integer from 1 to "),
        ({"method": "multipole", "separation": 1}, "^separation: found 1, expected a number above 1"),
        ({"method": "multipole", "depth": 22}, "^depth: found 22, expected at most 21"),
        ({"method": "multipole", "depth": "deep"}, "^depth: found 'deep', expected 'well-chosen', 'pre-chosen'"),
        ({"method": "multipole", "depth": "well-chosen"}, "^depth: found well-chosen without it"),
    ):
        with pytest.raises(ValueError, match=message):
            tangere.Inside(sphere, **options)
