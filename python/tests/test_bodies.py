"""Bodies: point containment among moving bodies, against one test a pair."""

import pickle

import numpy as np
import pytest

import tangere

METHODS = ["auto", "ray", "layer", "multipole", "cells"]


def quaternion(random):
    q = random.normal(size=4)
    return q / np.linalg.norm(q)


def expected(meshes, poses):
    """Every node of every body against every other, moved one by one."""
    nodes, sides = [], []
    for a, body in enumerate(meshes):
        test = tangere.Inside(body, method="ray")
        for b, other in enumerate(meshes):
            if a == b:
                continue
            world = other.transformed(pose=poses[b]).vertices
            found = test.classify(world, poses[a])
            for node in np.flatnonzero(found >= 0):
                nodes.append((a, b, node))
                sides.append(found[node])
    return np.array(nodes, dtype=np.uint32).reshape(-1, 3), np.array(sides, dtype=np.int8)


@pytest.mark.parametrize("method", METHODS)
def test_bodies_that_move(method):
    meshes = [
        tangere.generate.sphere(2),
        tangere.generate.sponge(1).transformed(scale=0.5),
        tangere.generate.knot(600),
    ]
    bodies = tangere.Bodies(meshes, method=method)
    assert len(bodies) == 3
    random = np.random.default_rng(5)
    total = 0
    for _ in range(5):
        poses = [[*random.uniform(-0.7, 0.7, 3), *quaternion(random)] for _ in meshes]
        nodes, sides = bodies.intrusions(np.array(poses))
        assert nodes.dtype == np.uint32 and sides.dtype == np.int8
        wanted = expected(meshes, poses)
        assert np.array_equal(nodes, wanted[0]) and np.array_equal(sides, wanted[1])
        total += len(nodes)
    assert total > 20


def test_poses_of_any_kind():
    cube = tangere.generate.sponge(0)
    bodies = tangere.Bodies((mesh for mesh in (cube, cube)), threads=1)
    shift = np.eye(4)
    shift[0, 3] = 0.5
    answers = [
        bodies.intrusions(poses)
        for poses in ([[0, 0, 0], [0.5, 0, 0]], [np.eye(4), shift], [[0, 0, 0], [0.5, 0, 0, 1, 0, 0, 0]])
    ]
    for nodes, sides in answers:
        # Half of the corners of each are on the faces of the other.
        assert len(nodes) == 8 and set(sides.tolist()) == {0}
        assert np.array_equal(nodes, answers[0][0])
    assert repr(bodies) == "<tangere.Bodies of 2 bodies>"


def test_no_bodies():
    nodes, sides = tangere.Bodies([]).intrusions([])
    assert nodes.shape == (0, 3) and sides.shape == (0,)


def test_wrong_arguments(cube):
    box = tangere.Mesh(*cube)
    opened = tangere.Mesh(box.vertices, box.faces[1:])
    with pytest.raises(ValueError, match=r"^meshes\[1\]: found 3 boundary edges"):
        tangere.Bodies([box, opened], method="ray")
    with pytest.raises(TypeError, match=r"^meshes\[1\]: found int, expected a Mesh"):
        tangere.Bodies([box, 1])
    with pytest.raises(TypeError, match="^meshes: found Mesh, expected an iterable of Mesh"):
        tangere.Bodies(box)
    with pytest.raises(ValueError, match="^accuracy: found 2"):
        tangere.Bodies([box], accuracy=2)
    with pytest.raises(ValueError, match="^threads: found 0"):
        tangere.Bodies([box], threads=0)
    bodies = tangere.Bodies([box, box])
    with pytest.raises(ValueError, match="^poses: found 1, expected 2, one for each body"):
        bodies.intrusions([[0, 0, 0]])
    with pytest.raises(ValueError, match=r"^poses\[1\]"):
        bodies.intrusions([[0, 0, 0], [0, 0]])
    with pytest.raises(ValueError, match=r"^poses\[1\]\[3:\]: found"):
        bodies.intrusions([[0, 0, 0], [0, 0, 0, 2, 0, 0, 0]])
    with pytest.raises(TypeError, match="^poses: found int"):
        bodies.intrusions(1)
    # Still there.
    assert len(bodies.intrusions([[0, 0, 0], [5, 0, 0]])[0]) == 0


def test_confidence_and_reasons(cube):
    box = tangere.Mesh(*cube)
    opened = tangere.Mesh(box.vertices, box.faces[1:])
    bodies = tangere.Bodies([box, opened])
    assert bodies.reasons[0].startswith("cells: ") and bodies.reasons[1].startswith("layer: ")
    assert "3 boundary edges" in bodies.reasons[1]
    assert bodies.confidence == 1
    # Corners of the box in the open one, whose winding numbers decide.
    bodies.intrusions([[0.5, 0.5, 0.5], [0, 0, 0]])
    assert 0 < bodies.confidence < 1
    bodies.intrusions([[0, 0, 0], [9, 0, 0]])
    assert bodies.confidence == 1


def test_pickling(cube):
    box = tangere.Mesh(*cube)
    bodies = tangere.Bodies([box, box], method="ray", threads=1)
    again = pickle.loads(pickle.dumps(bodies))
    assert (len(again), again.reasons) == (2, bodies.reasons)
    poses = [[0, 0, 0], [0.5, 0.5, 0.5]]
    for a, b in zip(again.intrusions(poses), bodies.intrusions(poses)):
        assert len(a) > 0 and np.array_equal(a, b)
