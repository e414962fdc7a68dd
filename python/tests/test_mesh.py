"""Mesh: unchanged arrays, views, equality, pickling, operations."""

import copy
import gc
import json
import pickle
import weakref

import numpy as np
import pytest
from conftest import matrix

import tangere


def test_keeps_what_it_is_given(cube):
    vertices, faces = cube
    # A duplicate vertex, an unused one, a triangle that names a vertex twice.
    vertices = np.vstack([vertices, vertices[:1], [[5, 5, 5]]])
    faces = np.vstack([faces, [[0, 0, 1]], faces[:1]])
    mesh = tangere.Mesh(vertices, faces)
    assert np.array_equal(mesh.vertices, vertices)
    assert np.array_equal(mesh.faces, faces)
    assert mesh.report.unused_vertices == 2
    assert mesh.report.degenerate_triangles == 1
    assert mesh.report.duplicate_triangles == 1
    assert mesh.source is None


def test_owns_its_memory(cube):
    vertices, faces = cube
    mesh = tangere.Mesh(vertices, faces)
    vertices[:] = 7
    faces[:] = 0
    assert mesh.report.volume == 1


def test_views_are_read_only_and_not_copied(cube):
    mesh = tangere.Mesh(*cube)
    for view, dtype in [(mesh.vertices, np.float64), (mesh.faces, np.uint32)]:
        assert view.dtype == dtype
        assert view.flags.c_contiguous and view.flags.aligned
        assert not view.flags.owndata and view.base is mesh
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            view.flags.writeable = True
    assert np.shares_memory(mesh.vertices, mesh.vertices)


def test_views_keep_the_mesh_alive():
    mesh = tangere.generate.sphere(4)
    alive = weakref.ref(mesh)
    vertices, expected = mesh.vertices, mesh.vertices.copy()
    del mesh
    gc.collect()
    assert alive() is not None
    assert np.array_equal(vertices, expected)
    del vertices
    gc.collect()
    assert alive() is None


def test_report_of_the_cube(cube):
    report = tangere.Mesh(*cube).report
    assert report.as_dict() == {
        "vertices": 8,
        "triangles": 12,
        "edges": 18,
        "closed": True,
        "oriented": True,
        "manifold": True,
        "components": 1,
        "euler_characteristic": 2,
        "genus": 0,
        "boundary_edges": 0,
        "nonmanifold_edges": 0,
        "misoriented_edges": 0,
        "nonmanifold_vertices": 0,
        "unused_vertices": 0,
        "degenerate_triangles": 0,
        "duplicate_triangles": 0,
        "shells": 1,
        "inverted_shells": 0,
        "volume": 1.0,
        "area": 6.0,
        "bounds": {"min": [0, 0, 0], "max": [1, 1, 1]},
    }
    assert np.array_equal(report.bounds, [[0, 0, 0], [1, 1, 1]])
    assert json.loads(json.dumps(report.as_dict())) == report.as_dict()
    for name, value in report.as_dict().items():
        if name != "bounds":
            assert getattr(report, name) == value
            assert type(getattr(report, name)) is type(value)
            assert f"{name}={value!r}" in repr(report)
            assert f"{name} " in str(report)
        with pytest.raises(AttributeError):
            setattr(report, name, value)


def test_report_is_computed_once(cube):
    mesh = tangere.Mesh(*cube)
    assert mesh.report is mesh.report
    assert mesh.report == tangere.Mesh(*cube).report
    assert mesh.report != tangere.generate.sphere(0).report


def test_report_of_an_open_surface():
    report = tangere.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).report
    assert (report.closed, report.genus, report.volume) == (False, None, None)
    assert report.boundary_edges == 3


def test_equality(cube):
    vertices, faces = cube
    mesh = tangere.Mesh(vertices, faces)
    assert mesh == mesh
    assert mesh == tangere.Mesh(vertices.astype(np.float32), faces.astype(np.int8))
    assert mesh != tangere.Mesh(2 * vertices, faces)
    assert mesh != tangere.Mesh(vertices, faces[::-1])
    assert mesh != 3 and mesh != None  # noqa: E711
    assert (mesh == mesh.vertices) is not True
    with pytest.raises(TypeError, match="unhashable"):
        hash(mesh)


def test_cannot_be_changed(cube):
    mesh = tangere.Mesh(*cube)
    with pytest.raises(AttributeError):
        mesh.vertices = mesh.vertices
    with pytest.raises(AttributeError):
        mesh.name = "cube"
    with pytest.raises(TypeError):
        type("Derived", (tangere.Mesh,), {})


def test_length_and_repr(cube):
    mesh = tangere.Mesh(*cube)
    assert len(mesh) == 12
    assert repr(mesh) == "<tangere.Mesh of 12 triangles on 8 vertices>"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(cube, protocol):
    mesh = tangere.Mesh(*cube)
    again = pickle.loads(pickle.dumps(mesh, protocol))
    assert again == mesh and again.source is None
    report = pickle.loads(pickle.dumps(mesh.report, protocol))
    assert report == mesh.report


def test_pickle_keeps_the_source(tmp_path):
    tangere.save(tangere.generate.sphere(1), tmp_path / "sphere.stl")
    mesh = tangere.load(tmp_path / "sphere.stl")
    again = pickle.loads(pickle.dumps(mesh))
    assert again == mesh
    assert again.source == mesh.source
    assert again.source.path == tmp_path / "sphere.stl"


def test_copies_are_the_mesh_itself(cube):
    mesh = tangere.Mesh(*cube)
    assert copy.copy(mesh) is mesh
    assert copy.deepcopy([mesh])[0] is mesh


def test_transformed_does_nothing_by_default(cube):
    mesh = tangere.Mesh(*cube)
    assert mesh.transformed() == mesh


def test_transformed_scales_then_rotates_then_moves(cube):
    mesh = tangere.Mesh(*cube)
    # A quarter turn about z takes x to y.
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    quaternion = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    expected = 2 * mesh.vertices @ turn.T + [1, 2, 3]
    homogeneous = np.eye(4)
    homogeneous[:3, :3], homogeneous[:3, 3] = turn, [1, 2, 3]
    for options in [
        {"rotate": turn, "translate": (1, 2, 3)},
        {"rotate": turn.T.copy().T, "translate": [1, 2, 3]},
        {"rotate": quaternion, "translate": np.array([1, 2, 3], dtype=np.int16)},
        {"pose": homogeneous},
        {"pose": np.asfortranarray(homogeneous)},
        {"pose": (1, 2, 3, *quaternion)},
    ]:
        moved = mesh.transformed(scale=2, **options)
        assert np.array_equal(moved.vertices, expected)
        assert np.array_equal(moved.faces, mesh.faces)
    assert np.array_equal(mesh.transformed(pose=(1, 2, 3)).vertices, mesh.vertices + [1, 2, 3])


def test_transformed_rotates_by_words():
    """As on the command line."""
    mesh = tangere.generate.sphere(3)
    half = np.sqrt(0.5)
    for words, matrix in {
        "x:90": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        "y:-90": [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
        " Z : 450 ": [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        "0,0,2:90": [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        "1,1,1:120": [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        "0,0,0,1": [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
        "z:45": [[half, -half, 0], [half, half, 0], [0, 0, 1]],
    }.items():
        rotated = mesh.transformed(rotate=words)
        expected = mesh.vertices @ np.transpose(matrix)
        assert np.abs(rotated.vertices - expected).max() < 1e-15
        if words[0] in " xy":
            assert np.array_equal(rotated.vertices, expected)
    moved = mesh.transformed(rotate=np.str_("z:90"), translate=(1, 2, 3), scale=2)
    x, y, z = mesh.vertices.T
    assert np.array_equal(moved.vertices, np.column_stack([1 - 2 * y, 2 + 2 * x, 3 + 2 * z]))


def test_transformed_rotates_as_numpy_does():
    rng = np.random.default_rng(5)
    mesh = tangere.generate.sphere(3)
    for _ in range(20):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        turn = matrix([0, 0, 0, *q])[:3, :3]
        for rotate in [tuple(q), turn]:
            rotated = mesh.transformed(rotate=rotate).vertices
            assert np.abs(rotated - mesh.vertices @ turn.T).max() < 1e-14


def test_mirroring_keeps_normals_outward(cube):
    mirrored = tangere.Mesh(*cube).transformed(scale=-1)
    assert np.array_equal(mirrored.bounds, [[-1, -1, -1], [0, 0, 0]])
    assert mirrored.report.volume == 1


def test_welded(cube):
    vertices, faces = cube
    soup = tangere.Mesh(vertices[faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert soup.report.components == 12
    assert soup.welded(0).report == tangere.Mesh(vertices, faces).report
    shaken = soup.vertices + np.random.default_rng(1).uniform(-1e-7, 1e-7, (36, 3))
    assert len(tangere.Mesh(shaken, soup.faces).welded(1e-6).vertices) == 8
    assert len(tangere.Mesh(shaken, soup.faces).welded(0).vertices) == 36
    # Of a cube with edges as long as the tolerance nothing would remain.
    with pytest.raises(ValueError, match="^(tolerance|the result): found .*, expected .* triangle$"):
        soup.welded(2)


def test_reoriented(cube):
    vertices, faces = cube
    mixed = faces.copy()
    mixed[[0, 5, 7]] = mixed[[0, 5, 7]][:, ::-1]
    mesh = tangere.Mesh(vertices, mixed)
    assert not mesh.report.oriented
    repaired = mesh.reoriented()
    assert repaired.report.volume == 1
    assert np.flatnonzero((repaired.faces != mixed).any(axis=1)).tolist() == [0, 5, 7]


def test_repairs_say_what_they_changed(cube):
    vertices, faces = cube
    soup = tangere.Mesh(vertices[faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert soup.repair is None
    assert soup.welded(0).repair == tangere.Repair(28, 0, 0, 0, 0)
    assert soup.welded(0).welded(0).repair == tangere.Repair(0, 0, 0, 0, 0)

    # A thirteenth triangle so thin that its corners become one.
    thin = np.vstack([vertices, [[1, 1, 1 + 1e-9], [1, 1 + 1e-9, 1]]])
    welded = tangere.Mesh(thin, np.vstack([faces, [[7, 8, 9]]])).welded(1e-6)
    assert welded.repair == tangere.Repair(2, 1, 0, 0, 0)
    assert np.array_equal(welded.faces, faces)

    mixed = faces.copy()
    mixed[[0, 5, 7]] = mixed[[0, 5, 7]][:, ::-1]
    oriented = tangere.Mesh(vertices, mixed).reoriented()
    assert oriented.repair == tangere.Repair(0, 0, 3, 0, 0)
    # It is that of the last call, as the mesh itself is.
    assert oriented.reoriented().repair == tangere.Repair(0, 0, 0, 0, 0)
    assert oriented.transformed().repair is None
    # Meshes are equal if vertices and faces are.
    assert oriented.reoriented() == oriented


def test_a_repair_is_a_plain_value(cube):
    mesh = tangere.Mesh(*cube).welded(0)
    repair = tangere.Repair(1, 2, 3, 4, 5)
    assert (repair.merged, repair.collapsed, repair.flipped) == (1, 2, 3)
    assert repr(repair) == "Repair(merged=1, collapsed=2, flipped=3, filled=4, added=5)"
    assert repair != tangere.Repair(1, 2, 4, 4, 5)
    for name in ("merged", "collapsed", "flipped"):
        with pytest.raises(AttributeError):
            setattr(repair, name, 0)
    with pytest.raises(AttributeError):
        mesh.repair = None
    assert pickle.loads(pickle.dumps(repair)) == repair == copy.copy(repair)
    assert pickle.loads(pickle.dumps(mesh)).repair == mesh.repair == tangere.Repair(0, 0, 0, 0, 0)


def test_a_moebius_strip_cannot_be_reoriented():
    n = 12
    angle = 2 * np.pi * np.arange(n) / n
    rim = [
        [(1 + s * np.cos(a / 2)) * np.cos(a), (1 + s * np.cos(a / 2)) * np.sin(a), s * np.sin(a / 2)]
        for a in angle
        for s in (-0.3, 0.3)
    ]
    faces = []
    for i in range(n):
        a, b = 2 * i, 2 * i + 1
        c, d = (1, 0) if i == n - 1 else (a + 2, a + 3)
        faces += [[a, b, c], [c, b, d]]
    with pytest.raises(ValueError, match=r"^faces\[\d+\]: found the other side of face \d+ .*, expected a surface with two sides$"):
        tangere.Mesh(rim, faces).reoriented()


def test_derived_meshes_have_no_source(tmp_path):
    tangere.save(tangere.generate.sphere(1), tmp_path / "sphere.ply")
    mesh = tangere.load(tmp_path / "sphere.ply")
    assert mesh.source is not None
    assert mesh.transformed().source is None


def test_holes_are_filled():
    sphere = tangere.generate.sphere(4)
    keep = np.ones(len(sphere.faces), bool)
    keep[[3, 700, 701]] = False
    scan = tangere.Mesh(sphere.vertices, sphere.faces[keep])
    closed = scan.fill_holes()
    assert closed.report.closed and closed.report.oriented and closed.repair.added == 3
    assert closed.report.volume == pytest.approx(sphere.report.volume, rel=1e-3)
    assert not scan.fill_holes(3).report.closed
    with pytest.raises(ValueError, match="max_edges: found 2, expected"):
        scan.fill_holes(2)
