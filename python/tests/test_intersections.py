"""Intersecting triangles, self-intersections and distances of surfaces."""

import copy
import pickle

import numpy as np
import pytest
from conftest import matrix

import tangere

TURNED = [0.1, 0.2, 0.3, 0.8, 0, 0, 0.6]


@pytest.fixture(scope="module")
def knot():
    return tangere.generate.knot(600)


def test_pairs_are_sorted_and_the_same_for_any_threads(knot):
    pairs = tangere.intersections(knot, knot, TURNED)
    assert pairs.dtype == np.uint32 and pairs.shape[1] == 2 and len(pairs) > 50
    rows = [tuple(row) for row in pairs.tolist()]
    assert rows == sorted(set(rows))
    for threads in (1, 3):
        again = tangere.intersections(knot, knot, TURNED, threads=threads)
        assert np.array_equal(pairs, again)
    assert np.array_equal(pairs, tangere.intersections(knot, knot, matrix(TURNED)))
    moved = knot.transformed(pose=TURNED)
    assert np.array_equal(pairs, tangere.intersections(knot, moved))
    swapped = tangere.intersections(knot, knot, pose_a=TURNED)
    assert np.array_equal(sorted(map(tuple, swapped[:, ::-1].tolist())), rows)


def test_kinds():
    cube = tangere.generate.sponge(0)
    for move, kinds in [([1, 0.25, 0.1], {1, 2}), ([1, 1, 1], {1}), ([0.4, 0.3, 0.2], {0})]:
        pairs, found = tangere.intersections(cube, cube, move, return_kinds=True)
        assert found.dtype == np.uint8 and len(found) == len(pairs) > 0
        assert set(found.tolist()) == kinds, move
        assert tangere.intersects(cube, cube, move)
    pairs, found = tangere.intersections(cube, cube, [3, 0, 0], return_kinds=True)
    assert pairs.shape == (0, 2) and found.shape == (0,)
    assert not tangere.intersects(cube, cube, [3, 0, 0])


def test_a_surface_through_itself(knot):
    assert tangere.self_intersections(knot).shape == (0, 2)
    count = len(knot.vertices)
    twice = tangere.Mesh(
        np.concatenate([knot.vertices, knot.transformed(pose=TURNED).vertices]),
        np.concatenate([knot.faces, knot.faces + count]),
    )
    pairs, kinds = tangere.self_intersections(twice, return_kinds=True)
    between = tangere.intersections(knot, knot, TURNED) + np.uint32([0, len(knot)])
    assert np.array_equal(pairs, between) and set(kinds.tolist()) == {0}
    assert twice.report.self_intersections is None
    report = twice.report_with_self_intersections()
    assert report.self_intersections == len(pairs)
    assert report.as_dict()["self_intersections"] == len(pairs)


def test_distances(knot):
    near = tangere.closest(knot, knot, pose_b=[0, 0, 6], convex=False)
    assert isinstance(near, tangere.SurfaceDistance) and not near.intersecting
    away = np.linalg.norm(near.point_a - near.point_b)
    assert near.distance == pytest.approx(away) and near.distance > 2.5
    other = tangere.closest(knot, knot, pose_a=[0, 0, -6], convex=False)
    assert other.distance == pytest.approx(near.distance)
    through = tangere.closest(knot, knot, None, TURNED, convex=False)
    assert through.distance == 0 and through.intersecting
    assert np.array_equal(through.point_a, through.point_b)
    first = tangere.intersections(knot, knot, TURNED)[0]
    assert (through.face_a, through.face_b) == tuple(first)
    assert through == tangere.closest(knot, knot, None, TURNED, convex=False)
    assert "intersecting=True" in repr(through)


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (TypeError, "a: ", lambda m: tangere.intersections([[0, 0, 0]], m)),
        (TypeError, "b: ", lambda m: tangere.intersections(m, None)),
        (ValueError, "pose_b", lambda m: tangere.intersections(m, m, [0, 0])),
        (ValueError, "pose_a", lambda m: tangere.intersections(m, m, pose_a=[0, 0, np.nan])),
        (TypeError, "return_kinds", lambda m: tangere.intersections(m, m, return_kinds=None)),
        (TypeError, "mesh", lambda m: tangere.self_intersections(3)),
        (TypeError, "b: ", lambda m: tangere.closest(m, [[0, 0, 0]], convex=False)),
        (ValueError, "convex", lambda m: tangere.closest(m, m, convex=False, verify=True)),
    ],
)
def test_bad_arguments(knot, error, message, call):
    with pytest.raises(error, match=message):
        call(knot)


def test_distances_are_kept_and_compared(knot):
    apart, met = (tangere.closest(knot, knot, pose_b=pose, convex=False) for pose in ([0, 0, 5], TURNED))
    assert apart != met and apart == tangere.closest(knot, knot, pose_b=[0, 0, 5], convex=False)
    for distance in (apart, met):
        for again in (pickle.loads(pickle.dumps(distance)), copy.deepcopy(distance)):
            assert again == distance and repr(again) == repr(distance)
            assert np.array_equal(again.point_a, distance.point_a)
            assert np.array_equal(again.point_b, distance.point_b)


def test_two_meshes_are_surfaces():
    """Without convex=True two meshes are compared as the command line does."""
    ball = tangere.generate.sphere(3)
    small = ball.transformed(scale=0.25)
    found = tangere.closest(ball, small)
    assert isinstance(found, tangere.SurfaceDistance)
    assert found == tangere.closest(ball, small, convex=False)
    assert (found.status, found.intersecting, found.solids) == ("b_inside_a", True, True)
    assert found.gap == -found.distance and found.pairs == 0
    assert tangere.intersects(ball, small) and tangere.intersects(small, ball)
    assert tangere.intersects(small, ball, return_status=True) == "a_inside_b"
    hulls = tangere.closest(ball, small, convex=True)
    assert isinstance(hulls, tangere.Contact) and hulls.gap < -1
    cache = tangere.ConvexCache()
    assert tangere.closest(ball, small, cache=cache) == hulls
    # An open mesh encloses nothing.
    hole = tangere.Mesh(ball.vertices, ball.faces[1:])
    found = tangere.closest(hole, small)
    assert (found.status, found.intersecting, found.solids) == ("separated", False, False)
    assert not tangere.intersects(hole, small)


def test_many_poses():
    knot, ball = tangere.generate.knot(2000), tangere.generate.sphere(2)
    poses = np.zeros((50, 7))
    poses[:, 0] = np.linspace(8, -8, 50)
    poses[:, 3] = 1
    rows = tangere.closest(knot, ball, pose_b=poses)
    names = ("separated", "touching", "intersecting", "a_inside_b", "b_inside_a")
    for pose, row in zip(poses, rows):
        one = tangere.closest(knot, ball, pose_b=pose)
        for name in ("distance", "gap", "face_a", "face_b", "pairs", "intersecting", "solids"):
            assert row[name] == getattr(one, name), name
        assert row["point_a"].tobytes() == one.point_a.tobytes()
        assert names[row["status"]] == one.status
    assert {names[k] for k in rows["status"]} == {"separated", "intersecting"}
    for threads in (1, 2):
        assert tangere.closest(knot, ball, pose_b=poses, threads=threads).tobytes() == rows.tobytes()
    met = tangere.intersects(knot, ball, poses)
    assert met.dtype == bool and (met == rows["intersecting"]).all()
    statuses = tangere.intersects(knot, ball, poses, return_status=True)
    assert statuses.tolist() == [names[k] for k in rows["status"]]
    pairs, kinds = tangere.intersections(knot, ball, poses, return_kinds=True)
    assert pairs.shape == (rows["pairs"].sum(), 3) and len(kinds) == len(pairs)
    for k in (0, 20, 25):
        alone = tangere.intersections(knot, ball, poses[k])
        assert (pairs[pairs[:, 0] == k][:, 1:] == alone).all()
    # No poses, and convex bodies.
    assert len(tangere.closest(knot, ball, pose_b=np.zeros((0, 3)))) == 0
    assert tangere.intersects(knot, ball, np.zeros((0, 3))).shape == (0,)
    grain = tangere.ConvexPolyhedron(ball.vertices)
    rows = tangere.closest(grain, grain, pose_b=poses, verify=True)
    assert [r["gap"] for r in rows] == [tangere.closest(grain, grain, pose_b=p).gap for p in poses]
    with pytest.raises(ValueError, match=r"pose_b: found shape \(2, 5\)"):
        tangere.closest(knot, ball, pose_b=np.zeros((2, 5)))


def test_a_rotation_matrix_is_not_three_translations():
    ball = tangere.generate.sphere(2)
    turned = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    calls = [
        lambda pose: tangere.closest(ball, ball, pose_b=pose),
        lambda pose: tangere.closest(ball, ball, pose_b=pose, convex=True),
        lambda pose: tangere.intersects(ball, ball, pose),
        lambda pose: tangere.intersections(ball, ball, pose),
    ]
    for call in calls:
        for matrix in (turned, np.eye(3), (turned * (1 + 1e-8)).tolist()):
            with pytest.raises(ValueError, match="^pose_b: found a 3 x 3 rotation matrix.*4 x 4"):
                call(matrix)
        for translations in (2 * turned, -turned, turned[:2], np.column_stack([turned, [[1, 0, 0, 0]] * 3])):
            call(translations)
    packing = tangere.pack(ball, spheres=20)
    for side in ("pose_a", "pose_b"):
        with pytest.raises(ValueError, match=f"^{side}: found a 3 x 3 rotation matrix"):
            tangere.overlap(packing, packing, **{side: turned})


def test_poses_that_round_a_mesh_flat_are_refused():
    sphere = tangere.generate.sphere(3)
    for call in (tangere.intersections, tangere.intersects, tangere.closest):
        with pytest.raises(ValueError, match="^pose_b: found a translation of 1e16, expected at most 2.8e14 times"):
            call(sphere, sphere, pose_b=[1e16, 0, 0])
        with pytest.raises(ValueError, match="^pose_a: found a translation of 1e59"):
            call(sphere, sphere, pose_a=[1e59, 0, 0])
        with pytest.raises(ValueError, match=r"1\]?: found a translation of 1e16"):
            call(sphere, sphere, pose_b=[[0, 0, 0], [1e16, 0, 0]])
