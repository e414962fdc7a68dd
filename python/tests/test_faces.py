"""FaceMesh: arrays, kinds, files, reports, bad arguments."""

import copy
import pickle
import re

import numpy as np
import pytest

import tangere
from tangere import FaceMesh

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
# Corners, nodes between them, centre.
NODES = {
    "seg2": [[-1, 0], [1, 0]],
    "seg3": [[-1, 0], [1, 0], [0, 0.3]],
    "tri3": [[0, 0], [1, 0], [0, 1]],
    "tri6": [[0, 0], [1, 0], [0, 1], [0.5, 0], [0.5, 0.5], [0, 0.5]],
    "quad4": [[-1, -1], [1, -1], [1, 1], [-1, 1]],
    "quad8": [[-1, -1], [1, -1], [1, 1], [-1, 1], [0, -1], [1, 0], [0, 1], [-1, 0]],
    "quad9": [[-1, -1], [1, -1], [1, 1], [-1, 1], [0, -1], [1, 0], [0, 1], [-1, 0], [0, 0]],
}


def in_space(nodes):
    nodes = np.asarray(nodes, dtype=float)
    return np.column_stack([nodes, np.zeros(len(nodes))])


@pytest.mark.parametrize("kind", NODES)
def test_arrays_come_back(kind, tmp_path):
    nodes = in_space(NODES[kind])
    faces = np.arange(len(nodes))[None]
    for dtype in ("uint8", "int32", "uint32", "int64", "uint64"):
        mesh = FaceMesh(nodes, faces.astype(dtype), kind)
        assert len(mesh) == 1 and mesh.kinds == [kind]
        assert np.array_equal(mesh.nodes, nodes) and mesh.nodes.dtype == np.float64
        assert np.array_equal(mesh.faces, faces) and mesh.faces.dtype == np.uint32
    assert not mesh.nodes.flags.writeable
    assert pickle.loads(pickle.dumps(mesh)) == mesh == copy.deepcopy(mesh)
    assert mesh != FaceMesh(2 * nodes, faces, kind) and mesh != 1
    assert mesh.report["faces"] == 1 and mesh.report["kinds"] == {kind: 1}
    assert len(mesh.folded) == 0
    path = tmp_path / "mesh.vtu"
    tangere.save(mesh, path)
    assert tangere.load_faces(path) == mesh
    assert (mesh.bounds[0] <= nodes.min(0)).all() and (mesh.bounds[1] >= nodes.max(0)).all()


def test_segments_have_two_coordinates_or_three():
    flat = FaceMesh(NODES["seg3"], [[0, 1, 2]], "seg3")
    assert flat == FaceMesh(in_space(NODES["seg3"]), [[0, 1, 2]], "seg3")


def test_kinds_are_mixed():
    nodes = [*SQUARE, [2, 0, 0]]
    mesh = FaceMesh(nodes, [[0, 1, 2, 3], [1, 4, 2]], ["quad4", "tri3"])
    assert mesh.kinds == ["quad4", "tri3"] and repr(mesh) == "<tangere.FaceMesh of 2 faces on 5 nodes>"
    assert [face.tolist() for face in mesh.faces] == [[0, 1, 2, 3], [1, 4, 2]]
    assert mesh.report["boundary_edges"] == 5
    assert pickle.loads(pickle.dumps(mesh)) == mesh


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((SQUARE, [[0, 1, 2]], "quad4"), ValueError, "faces: found shape (1, 3), expected (M, 4)"),
        ((SQUARE, [[0, 1, 4]], "tri3"), ValueError, "faces[0]: found tri3 of nodes [0, 1, 4], expected indices below 4"),
        ((SQUARE, [[0, 1, 1]], "tri3"), ValueError, "faces[0]: found tri3 of nodes [0, 1, 1], expected nodes that differ"),
        ((SQUARE, [[0, 1, -1]], "tri3"), ValueError, "faces[0]: found node -1, expected an integer from 0"),
        ((SQUARE, [[0.5, 1, 2]], "tri3"), TypeError, "faces: found dtype float64, expected an array of integers"),
        ((SQUARE, [], "tri3"), ValueError, "faces: found no faces, expected at least one face"),
        ((SQUARE, [[0, 1, 2]], "tri4"), ValueError, 'kind: found "tri4", expected one of seg2, seg3'),
        ((SQUARE, [[0, 1, 2]], 3), TypeError, "kind: found int, expected a str"),
        ((SQUARE, [[0, 1, 2]], ["tri3", "tri3"]), ValueError, "kind: found 2 kinds, expected 1"),
        ((SQUARE, [[0, 1, 2]], ["tri5"]), ValueError, 'kind[0]: found "tri5"'),
        ((SQUARE, [[0, 1]], ["tri3"]), ValueError, "faces[0]: found shape (1, 2), expected (M, 3)"),
        ((SQUARE, [[0, 1, 2], [0, 1]], ["tri3", "seg2"]), ValueError, "faces[1]: found seg2 in a mesh that begins"),
        (([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]], "tri3"), ValueError, "nodes: found 2 coordinates for tri3"),
        (([[0, 0, 0], [np.nan, 0, 0]], [[0, 1]], "seg2"), ValueError, "nodes[1]: found [NaN, 0.0, 0.0]"),
        (([[0, 0, 0], [1, 0, 1]], [[0, 1]], "seg2"), ValueError, "nodes[1]: found [1.0, 0.0, 1.0], expected z = 0"),
        (([1, 2, 3], [[0, 1]], "seg2"), ValueError, "nodes: found shape (3,), expected (N, 2) or (N, 3)"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        FaceMesh(*arguments)


INPUT = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
*ELEMENT, TYPE=C3D4
1, 1, 2, 3, 4
*SURFACE, NAME=base
1, S1
"""


def test_files(tmp_path):
    path = tmp_path / "part.inp"
    path.write_text(INPUT)
    mesh = tangere.load_faces(path)
    assert len(mesh) == 4 and mesh.report["volume"] == pytest.approx(1 / 6)
    base = tangere.load_faces(path, surface="BASE")
    assert len(base) == 1 and (base.nodes[:, 2] == 0).all()
    assert tangere.load(path).report.volume == pytest.approx(1 / 6)
    with pytest.raises(ValueError, match='surface: found "top", expected one of base'):
        tangere.load_faces(path, surface="top")
    path.write_text(INPUT.replace("C3D4", "CONN3D2"))
    with pytest.raises(ValueError, match='line 6: found the element type "CONN3D2"'):
        tangere.load_faces(path)
    with pytest.raises(FileNotFoundError):
        tangere.load_faces(tmp_path / "none.msh")
    with pytest.raises(ValueError, match="use vtu"):
        tangere.save(mesh, tmp_path / "part.stl")
