"""ConvexPolyhedron: convex hulls, surfaces, mass properties, bad arguments."""

import copy
import itertools
import math
import pickle
import re

import numpy as np
import pytest

import tangere
from tangere import ConvexPolyhedron, generate

CUBE = np.array(list(itertools.product([0.0, 1.0], repeat=3)))


def test_cube():
    inner = np.random.default_rng(1).uniform(0, 1, (100, 3))
    hull = ConvexPolyhedron(np.concatenate([inner, CUBE, CUBE]))
    assert hull.dimension == 3
    assert np.array_equal(hull.vertices, CUBE)
    assert np.array_equal(hull.sources, np.arange(100, 108))
    assert len(hull.faces) == 6 and all(len(face) == 4 for face in hull.faces)
    assert hull.edges.shape == (12, 2) and hull.edges.dtype == np.uint32
    assert len({frozenset(edge) for edge in hull.edges.tolist()}) == 12
    for face, normal, offset in zip(hull.faces, hull.normals, hull.offsets):
        heights = hull.vertices @ normal - offset
        assert heights.max() == 0 and np.array_equal(np.flatnonzero(heights == 0), np.sort(face))
    assert hull.volume == 1
    assert np.array_equal(hull.centroid, [0.5] * 3)
    assert np.allclose(hull.inertia, np.eye(3) / 6, rtol=0, atol=1e-15)
    assert np.array_equal(hull.bounds, [[0] * 3, [1] * 3])
    assert repr(hull) == "<tangere.ConvexPolyhedron of 8 vertices, 12 edges and 6 faces>"


def test_random_hulls_hold_their_points():
    rng = np.random.default_rng(2)
    for count in (4, 10, 100, 1000):
        points = rng.normal(size=(count, 3))
        hull = ConvexPolyhedron(points)
        assert np.array_equal(points[hull.sources], hull.vertices)
        assert (points @ hull.normals.T <= hull.offsets + 1e-12).all()
        assert len(hull.vertices) - len(hull.edges) + len(hull.faces) == 2
        assert ConvexPolyhedron(points, threads=1) == hull
        assert hull.mesh().report.volume == pytest.approx(hull.volume, rel=1e-12)


@pytest.mark.parametrize(
    ("points", "dimension", "vertices", "faces", "text"),
    [
        ([[1, 2, 3]] * 5, 0, 1, 0, "1 vertex, 0 edges and 0 faces"),
        ([[0, 0, 0], [1, 1, 1], [3, 3, 3]], 1, 2, 0, "2 vertices, 1 edge and 0 faces"),
        ([[0, 0, 7], [4, 0, 7], [4, 4, 7], [0, 4, 7], [2, 0, 7], [1, 1, 7]], 2, 4, 2, "4 vertices, 4 edges and 2 faces"),
    ],
)
def test_flat_sets(points, dimension, vertices, faces, text):
    hull = ConvexPolyhedron(points)
    assert hull.dimension == dimension
    assert len(hull.vertices) == vertices and len(hull.faces) == faces
    assert hull.edges.shape[1] == 2
    assert hull.volume == 0 and not hull.inertia.any()
    assert np.array_equal(hull.centroid, hull.vertices.mean(axis=0))
    assert text in repr(hull)


def test_surfaces():
    mesh = generate.hull(100, seed=4)
    body = ConvexPolyhedron.from_mesh(mesh)
    assert len(body.faces) == 100 and body == ConvexPolyhedron(mesh.vertices)
    inverted = tangere.Mesh(mesh.vertices, mesh.faces[:, ::-1])
    assert ConvexPolyhedron.from_mesh(inverted) == body
    assert body.volume == pytest.approx(mesh.report.volume, rel=1e-12)
    assert ConvexPolyhedron.from_mesh(body.mesh()) == body


def test_sphere_tends_to_the_sphere():
    body = ConvexPolyhedron.from_mesh(generate.sphere(6))
    assert body.volume == pytest.approx(4 * math.pi / 3, rel=1e-3)
    assert np.allclose(body.inertia, np.eye(3) * 8 * math.pi / 15, rtol=1e-3, atol=1e-9)


def test_copies():
    hull = ConvexPolyhedron(np.random.default_rng(3).normal(size=(50, 3)))
    for other in (copy.copy(hull), copy.deepcopy(hull), pickle.loads(pickle.dumps(hull))):
        assert other == hull
        assert all(map(np.array_equal, other.faces, hull.faces))
    assert hull != ConvexPolyhedron(CUBE) and hull != 1
    with pytest.raises(TypeError):
        hash(hull)


def test_vertices_are_a_view():
    vertices = ConvexPolyhedron(CUBE).vertices
    with pytest.raises(ValueError):
        vertices[0] = 1
    assert np.array_equal(vertices, CUBE)


@pytest.mark.parametrize(
    ("points", "exception", "pattern"),
    [
        (np.empty((0, 3)), ValueError, "^points: found 0 points, expected 1 to"),
        (np.zeros((4, 2)), ValueError, r"^points: found shape \(4, 2\)"),
        ([[0, 0, 0], [0, math.nan, 0]], ValueError, r"^points\[1\]: found \[0.0, NaN, 0.0\], expected finite"),
        ([[math.inf, 0, 0]], ValueError, r"^points\[0\]: found \[inf"),
        ([[1e300, 0, 0], [1e-300, 0, 0]], ValueError, r"^points\[1\]: found \[1e-300"),
        ("points", TypeError, "points"),
        (None, TypeError, "points"),
    ],
)
def test_bad_points(points, exception, pattern):
    with pytest.raises(exception) as caught:
        ConvexPolyhedron(points)
    assert re.search(pattern, str(caught.value)), caught.value


def test_bad_surfaces():
    with pytest.raises(ValueError, match=r"^edge of mesh: found vertex \d+ at \[.*\] to vertex \d+ at .* reflex"):
        ConvexPolyhedron.from_mesh(generate.sponge(1))
    sphere = generate.sphere(1)
    with pytest.raises(ValueError, match="^edge of mesh: found .* with a number of faces of 1"):
        ConvexPolyhedron.from_mesh(tangere.Mesh(sphere.vertices, sphere.faces[1:]))
    with pytest.raises(TypeError, match="mesh: found list, expected a Mesh"):
        ConvexPolyhedron.from_mesh([])
    with pytest.raises(ValueError):
        ConvexPolyhedron([[0, 0, 0]]).mesh()
