"""Bounds and estimates of penetration volumes against exact boolean operations on the surfaces."""

import os
from functools import cache, partial

import numpy as np
import pytest
from conftest import MESHES, matrix

import tangere

manifold3d = pytest.importorskip("manifold3d")

LONG = os.environ.get("TANGERE_LONG") == "1"
POSES = 200 if LONG else 12


def cube():
    corners = np.array([[i >> k & 1 for k in range(3)] for i in range(8)], float)
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return tangere.Mesh(corners, [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])])


BODIES = {
    "cube": cube,
    "sphere": lambda: tangere.generate.sphere(3),
    "hull": lambda: tangere.generate.hull(100, seed=1),
    "knot": lambda: tangere.generate.knot(4000),
    "sponge": lambda: tangere.generate.sponge(1),
}


@cache
def packed(body, spheres):
    return tangere.pack(BODIES[body](), spheres=spheres)


def solid(mesh):
    mesh = manifold3d.Mesh64(
        vert_properties=np.array(mesh.vertices, np.float64),
        tri_verts=np.array(mesh.faces, np.uint64),
    )
    return manifold3d.Manifold(mesh)


def poses(mesh, count):
    """Random rotations about the middle, moved by up to the size of the box."""
    random = np.random.default_rng(7)
    low, high = mesh.vertices.min(0), mesh.vertices.max(0)
    middle = (low + high) / 2
    for _ in range(count):
        q = random.normal(size=4)
        q /= np.linalg.norm(q)
        turn = matrix([0, 0, 0, *q])[:3, :3]
        t = middle - turn @ middle + random.uniform(-0.7, 0.7, 3) * (high - low)
        yield np.array([*t, *q]), np.hstack([turn, t[:, None]])


# Meshes from other sources, where they are available.
OTHERS = {"armadillo": "armadillo.obj", "bunny": "bunny.mesh", "rocker-arm": "rocker-arm.obj"}
if LONG:
    for name, file in OTHERS.items():
        if (MESHES / file).exists():
            BODIES[name] = partial(tangere.load, MESHES / file)
        else:
            print(f"skipped: {file} is not in ../shared/meshes")

CASES = [(body, 4000, 0.02) for body in BODIES]
if LONG:
    # One sphere fills nearly all of the sphere, and its hollows are all at the surface, where the
    # estimate does not look for them.
    CASES += [(body, 60_000, 0.012 if body == "sphere" else 0.007) for body in BODIES]


@pytest.mark.parametrize(("body", "spheres", "error"), CASES)
def test_bounds_hold_and_estimates_are_near(body, spheres, error):
    mesh = BODIES[body]()
    packing = packed(body, spheres)
    exact_body = solid(mesh)
    volume = exact_body.volume()
    assert packing.filling == pytest.approx((4 / 3 * np.pi * packing.radii**3).sum() / volume)
    largest = met = 0
    for pose, matrix in poses(mesh, POSES):
        exact = (exact_body ^ exact_body.transform(matrix)).volume()
        found = tangere.overlap(packing, packing, pose_b=pose)
        slack = 1e-9 * volume
        integrated = tangere.exact_overlap(mesh, mesh, pose_b=pose)
        assert integrated == pytest.approx(exact, rel=1e-9, abs=1e-12 * volume)
        assert found.lower <= exact + slack and exact <= found.upper + slack, (pose, exact, found)
        assert found.lower <= found.volume <= found.upper
        largest = max(largest, abs(found.volume - exact) / volume)
        met += exact > 0
    assert largest <= error
    assert met > POSES / 2


def test_exact_overlap_of_many_poses_and_bad_input():
    box = cube()
    assert tangere.exact_overlap(box, box) == pytest.approx(1, abs=1e-15)
    way = [[0.25 * k, 0, 0] for k in range(5)]
    volumes = tangere.exact_overlap(box, box, pose_b=way, threads=1)
    assert volumes == pytest.approx([1, 0.75, 0.5, 0.25, 0], abs=1e-15)
    sheet = tangere.Mesh(box.vertices, box.faces[:6])
    with pytest.raises(ValueError, match="b: found a surface that is not closed"):
        tangere.exact_overlap(box, sheet)
    with pytest.raises(TypeError, match="a: "):
        tangere.exact_overlap([1, 2, 3], box)
