"""Signed distances, fields on grids, and data in files."""

import copy
import pickle

import numpy as np
import pytest
from conftest import MESHES

import tangere


def cube(center=(0, 0, 0), edge=1.0):
    return tangere.generate.box([edge] * 3).transformed(translate=center)


def together(*meshes):
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]
    return tangere.Mesh(vertices, np.concatenate(faces))


def inverted(mesh):
    return tangere.Mesh(mesh.vertices, mesh.faces[:, ::-1])


def around(mesh, count, seed=0):
    low, high = mesh.bounds
    return np.random.default_rng(seed).uniform(low - 0.1, high + 0.1, (count, 3))


SHELLS = {
    "sphere": lambda: tangere.generate.sphere(3),
    "across": lambda: together(cube(), cube((0.5, 0.3, 0.2))),
    "across, one inverted": lambda: together(cube(), inverted(cube((0.5, 0.3, 0.2)))),
    "inverted": lambda: inverted(cube()),
    "nested": lambda: together(cube(edge=2.0), cube()),
    "hollow": lambda: together(cube(edge=2.0), inverted(cube())),
}


@pytest.mark.parametrize("name", SHELLS)
def test_the_sign_is_that_of_inside(name):
    mesh = SHELLS[name]()
    points = np.concatenate([around(mesh, 5000), mesh.vertices])
    distances = mesh.signed_distance(points)
    assert distances.dtype == np.float64
    assert np.array_equal(-np.sign(distances), tangere.inside(mesh, points))
    found = mesh.closest(points)
    assert np.array_equal(found["gap"], distances)
    assert np.array_equal(np.abs(distances), found["distance"])
    assert np.array_equal(mesh.signed_distance(points, threads=1), distances)


def test_a_scanned_mesh_that_crosses_itself():
    path = MESHES / "armadillo.obj"
    if not path.exists():
        pytest.skip("no shared meshes beside the project")
    mesh = tangere.load(path)
    points = around(mesh, 20_000)
    assert np.array_equal(-np.sign(mesh.signed_distance(points)), tangere.inside(mesh, points))


def test_no_points():
    assert cube().signed_distance([]).shape == (0,)


def test_open_surfaces_warn_that_there_is_no_sign():
    sphere = tangere.generate.sphere(3)
    mesh = tangere.Mesh(sphere.vertices, sphere.faces[1:])
    with pytest.warns(UserWarning, match="no sign"):
        assert mesh.signed_distance([[0, 0, 0]])[0] > 0.9
    with pytest.warns(UserWarning, match="no sign"):
        assert mesh.distance_grid(3).min() >= 0


def test_margins_bounds_and_spacings():
    mesh = cube(edge=2.0)
    test = tangere.Inside(mesh)
    near, wide = mesh.distance_grid(4), mesh.distance_grid(4, margin=2)
    assert near.max() < 0  # The grid of the body's box has no point outside.
    assert wide.cells == (8, 8, 8) and np.array_equal(wide.spacing, near.spacing)
    shape = wide.reshape(wide.cells[::-1])
    assert np.array_equal(shape[2:-2, 2:-2, 2:-2].reshape(-1), near.values)
    assert np.array_equal(shape > 0, ~np.pad(np.ones((4, 4, 4), bool), 2))
    for place in [
        {"n": (4, 2, 1), "margin": 1},
        {"spacing": 0.5},
        {"spacing": 0.75, "bounds": [[0, 0, 0], [1, 3, 0]], "margin": 2},
        {"n": 5, "bounds": mesh.bounds * 2},
    ]:
        distances, sides = mesh.distance_grid(**place), test.classify_grid(**place)
        assert np.array_equal(np.sign(distances.values), -sides.values)
        assert np.array_equal(distances.points, sides.points)
        assert np.allclose(distances.origin + distances.spacing / 2, distances.points[0])
    assert mesh.distance_grid(spacing=0.75).cells == (3, 3, 3)
    assert mesh.distance_grid(5, bounds=mesh.bounds * 2).origin.tolist() == [-2, -2, -2]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({}, "neither n nor spacing"),
        ({"n": 4, "spacing": 1.0}, "n and spacing"),
        ({"spacing": 0.0}, "spacing: found 0"),
        ({"spacing": 1e-9}, "1e9 cells"),
        ({"n": 4, "margin": -1}, "margin: found -1"),
        ({"n": 4, "bounds": [[0, 0, 0]]}, r"bounds: found shape \(1, 3\)"),
        ({"n": 4, "bounds": [[0, 0, 0], [1, -1, 1]]}, "bounds: found min 0.0 above max -1.0"),
        ({"n": 4, "bounds": [[0, 0, 0], [0, 0, 0]]}, "bounds: found a single point"),
    ],
)
def test_grids_without_a_place(place, message):
    for grid in (cube().distance_grid, tangere.Inside(cube()).classify_grid):
        with pytest.raises(ValueError, match=message):
            grid(**place)


@pytest.mark.parametrize("n", [1, 7, (4, 2, 3)])
def test_grids_of_distances_and_sides(n):
    mesh = together(cube(), cube((0.5, 0.3, 0.2)))
    distances, sides = mesh.distance_grid(n), tangere.Inside(mesh).classify_grid(n)
    for field, name, dtype in [(distances, "distance", np.float64), (sides, "side", np.int8)]:
        assert isinstance(field, tangere.GridField) and isinstance(field, np.ndarray)
        assert (field.name, field.dtype, field.ndim) == (name, dtype, 1)
        nx, ny, nz = field.cells
        assert field.shape == (nx * ny * nz,)
        index = np.arange(len(field))
        index = np.column_stack([index % nx, index // nx % ny, index // nx // ny])
        np.testing.assert_allclose(field.points, field.origin + field.spacing * (index + 0.5), atol=1e-15)
    assert np.array_equal(distances, mesh.signed_distance(distances.points))
    assert np.array_equal(sides, tangere.inside(mesh, sides.points))
    assert np.array_equal(-np.sign(distances), sides)
    assert np.array_equal(distances.origin, sides.origin)
    assert np.array_equal(distances.spacing, sides.spacing)


def test_the_place_of_a_cube_around_a_long_body():
    box = tangere.generate.box([4, 2, 1])
    low = box.bounds[0]
    field = box.distance_grid(2)
    assert field.spacing.tolist() == [2, 2, 2]
    np.testing.assert_allclose(field.origin - low, [0, -1, -1.5])
    field = box.distance_grid((4, 2, 1))
    assert field.spacing.tolist() == [1, 1, 1]
    np.testing.assert_allclose(field.origin, low)


def test_a_field_behaves_as_an_array():
    field = cube().distance_grid(4)
    plain = np.asarray(field)
    assert type(plain) is np.ndarray and np.shares_memory(plain, field)
    assert type(field.values) is np.ndarray
    for result in (field + 1, field < 0, field[3:5], field.reshape(4, 4, 4)[0], np.abs(field)):
        assert np.asarray(result).shape
    assert type(field + 1) is np.ndarray and type(field[2:4]) is np.ndarray
    assert isinstance(field[0], np.float64) and isinstance(field.sum(), np.float64)
    assert field.tolist() == plain.tolist()
    doubled = field.copy()
    doubled *= 2
    assert isinstance(doubled, tangere.GridField) and doubled.cells == (4, 4, 4)
    assert field.reshape(4, 4, 4).cells is None
    with pytest.raises(ValueError, match="read-only"):
        field.origin[0] = 3


def test_fields_are_pickled_with_their_place():
    field = cube().distance_grid((2, 3, 4))
    for again in (pickle.loads(pickle.dumps(field)), copy.copy(field)):
        assert isinstance(again, tangere.GridField)
        assert np.array_equal(again, field) and again.cells == field.cells
        assert again.origin.tolist() == field.origin.tolist() and again.name == "distance"
        assert np.array_equal(again.points, field.points)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (dict(values=[1, 2, 3]), "values: found shape (3,), expected (2,) or (1, 1, 2)"),
        (dict(origin=[1, 2]), "origin: found shape (2,), expected (3,)"),
        (dict(spacing=1.0), "spacing: found shape (), expected (3,)"),
        (dict(cells=(2, 1)), "cells: found (2, 1), expected three integers above 0"),
        (dict(cells=(2, 0, 1)), "cells: found (2, 0, 1)"),
    ],
)
def test_wrong_fields_are_refused(arguments, words):
    right = dict(values=[1, 2], origin=(0, 0, 0), spacing=(1, 1, 1), cells=(2, 1, 1))
    tangere.GridField(**right)
    with pytest.raises(ValueError) as error:
        tangere.GridField(**{**right, **arguments})
    assert words in str(error.value)


def test_wrong_points_and_grids_are_refused():
    mesh = cube()
    with pytest.raises(ValueError, match=r"points\[1\]"):
        mesh.signed_distance([[0, 0, 0], [0, np.nan, 0]])
    for wrong in (0, 1001, (1, 2), (1, 0, 2)):
        with pytest.raises(ValueError, match="n"):
            mesh.distance_grid(wrong)
    with pytest.raises(MemoryError):
        mesh.distance_grid([2**20] * 3)


def header(path):
    return path.read_bytes().split(b"<AppendedData")[0].decode()


def test_fields_are_saved_as_images(tmp_path):
    field = cube().distance_grid((4, 3, 2))
    path = tmp_path / "field.vti"
    corners = np.arange(5 * 4 * 3, dtype=np.uint16)
    tangere.save(field, path, cell_data={"twice": 2 * field}, point_data={"corner": corners})
    text = header(path)
    assert 'WholeExtent="0 4 0 3 0 2"' in text
    pyvista = pytest.importorskip("pyvista")
    image = pyvista.read(path)
    np.testing.assert_allclose(image.origin, [-0.5] * 3)
    np.testing.assert_allclose(image.spacing, [1 / 4, 1 / 3, 1 / 2])
    assert np.array_equal(image.cell_data["distance"], field)
    np.testing.assert_allclose(image.cell_centers().points, field.points, atol=1e-15)
    assert np.array_equal(image.point_data["corner"], corners)
    for name, kind in [("distance", "Float64"), ("twice", "Float64"), ("corner", "UInt16")]:
        assert f'type="{kind}" Name="{name}"' in text
    assert np.asarray(field).tobytes() in path.read_bytes()
    sides = tangere.Inside(cube()).classify_grid(3)
    tangere.save(sides, tmp_path / "sides.vti")
    assert 'type="Int8" Name="side"' in header(tmp_path / "sides.vti")
    for wrong, words in [
        ((field, tmp_path / "field.vtu"), "vti"),
        ((field.reshape(2, 3, 4), path), "whole"),
    ]:
        with pytest.raises(ValueError, match=words):
            tangere.save(*wrong)
    with pytest.raises(ValueError, match=r'cell_data\["a"\]: found 23 rows, expected 24'):
        tangere.save(field, path, cell_data={"a": np.zeros(23)})
    with pytest.raises(ValueError, match=r'point_data\["a"\]: found 24 rows, expected 60'):
        tangere.save(field, path, point_data={"a": np.zeros(24)})


DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?", ">f8", ">i4"]


@pytest.mark.parametrize("ending", ["vtp", "vtu"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_data_of_meshes_is_saved(tmp_path, ending, dtype):
    meshio = pytest.importorskip("meshio")
    mesh = tangere.generate.sphere(1)
    path = tmp_path / f"mesh.{ending}"
    scalars = np.arange(len(mesh.vertices)).astype(dtype)
    vectors = np.arange(6 * len(mesh)).reshape(-1, 6)[:, ::2].astype(dtype)
    tangere.save(mesh, path, point_data={"scalar": scalars}, cell_data={"vector": vectors})
    assert tangere.load(path) == mesh
    assert 'Name="vector" NumberOfComponents="3"' in header(path)
    if ending == "vtu":
        read = meshio.read(path)
        assert np.array_equal(read.point_data["scalar"], scalars)
        assert np.array_equal(read.cell_data["vector"][0], vectors)


def test_data_of_faces_is_saved(tmp_path):
    nodes = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    plate = tangere.FaceMesh(nodes, [[0, 1, 2, 3]], "quad4")
    tangere.save(plate, tmp_path / "plate.vtu", cell_data={"a": [1.5]}, point_data={"b": nodes})
    assert tangere.load_faces(tmp_path / "plate.vtu") == plate
    with pytest.raises(ValueError, match=r'cell_data\["a"\]: found 2 rows, expected 1'):
        tangere.save(plate, tmp_path / "plate.vtu", cell_data={"a": [1, 2]})


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (dict(point_data={"a": np.zeros(3)}), ValueError, 'point_data["a"]: found 3 rows, expected 6'),
        (dict(cell_data={"a": np.zeros((3, 2))}), ValueError, 'cell_data["a"]: found 3 rows, expected 8'),
        (dict(cell_data={"a": 1.0}), ValueError, 'cell_data["a"]: found shape'),
        (dict(cell_data={"a": ["x"] * 8}), TypeError, 'cell_data["a"]: found dtype'),
        (dict(cell_data={"a": np.zeros(8, complex)}), TypeError, 'cell_data["a"]: found dtype'),
        (dict(cell_data={1: np.zeros(8)}), TypeError, "cell_data: found int, expected names"),
        (dict(cell_data={"": np.zeros(8)}), ValueError, "at least one character"),
        (dict(cell_data=[1, 2]), TypeError, "cell_data: found list, expected a dict"),
        (dict(points=[[0, 0, 0]]), ValueError, "points: found points, expected None"),
    ],
)
def test_wrong_data_is_refused(tmp_path, data, error, words):
    with pytest.raises(error) as found:
        tangere.save(tangere.generate.sphere(0), tmp_path / "mesh.vtu", **data)
    assert words in str(found.value)
    assert not list(tmp_path.iterdir())


def test_formats_without_place_for_data(tmp_path):
    mesh = tangere.generate.sphere(0)
    with pytest.raises(ValueError, match="use vtp or vtu"):
        tangere.save(mesh, tmp_path / "mesh.stl", cell_data={"a": np.zeros(8)})
    tangere.save(mesh, tmp_path / "mesh.stl", cell_data={})


@pytest.mark.parametrize("ending", ["vtp", "vtu"])
def test_rows_of_nearest_points_are_saved(tmp_path, ending):
    nodes = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    plate = tangere.FaceMesh(nodes, [[0, 1, 2, 3]], "quad4")
    query = np.array([[1.0, 0.5, 3.0], [1, 5, -4]])
    path = tmp_path / f"rows.{ending}"
    for mesh in (cube(), plate):
        found = mesh.closest(query) if mesh is not plate else mesh.project(query)
        tangere.save(found, path, points=query, point_data={"more": [1, 2]})
        text = header(path)
        for name in [*found.dtype.names, "more"]:
            assert f'Name="{name}"' in text
        assert query.tobytes() in path.read_bytes()
        tangere.save(found, path)
        assert found["point"].tobytes() in path.read_bytes()
    with pytest.raises(ValueError, match="points: found 1 points, expected 2"):
        tangere.save(found, path, points=query[:1])
    with pytest.raises(ValueError, match="points="):
        tangere.save(found[["face", "gap"]], path)
    with pytest.raises(ValueError, match="vtu or vtp"):
        tangere.save(found, tmp_path / "rows.stl")
    with pytest.raises(ValueError, match="a name that a column has"):
        tangere.save(found, path, point_data={"gap": [1, 2]})


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_mass_of_a_box(offset):
    box = tangere.generate.box([1, 2, 3], divisions=3)
    middle = box.bounds.mean(axis=0) + offset
    for mesh in (box, inverted(box)):
        mesh = mesh.transformed(translate=[offset] * 3)
        assert mesh.mass() == pytest.approx(6, rel=1e-9)
        assert mesh.mass(density=0.5) == pytest.approx(3, rel=1e-9)
        np.testing.assert_allclose(mesh.centroid, middle, rtol=1e-15, atol=1e-15)
        expected = np.diag([13, 10, 5]) / 2
        np.testing.assert_allclose(mesh.inertia(), expected, atol=1e-8)
        np.testing.assert_allclose(mesh.inertia(2.0), 2 * expected, atol=2e-8)


def test_mass_against_trimesh():
    trimesh = pytest.importorskip("trimesh")
    mesh = tangere.generate.knot(2000).transformed(rotate="1,2,3:40", translate=(1, 2, 3))
    other = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert mesh.mass(3.0) == pytest.approx(3 * other.volume, rel=1e-10)
    np.testing.assert_allclose(mesh.centroid, other.center_mass, rtol=1e-10)
    np.testing.assert_allclose(mesh.inertia(), other.moment_inertia, rtol=1e-8, atol=1e-8)


def test_open_meshes_have_no_mass():
    sphere = tangere.generate.sphere(1)
    mesh = tangere.Mesh(sphere.vertices, sphere.faces[1:])
    assert mesh.centroid is None and mesh.mass() is None and mesh.inertia() is None
    for wrong in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="density"):
            sphere.mass(wrong)
    with pytest.raises(TypeError, match="density"):
        sphere.inertia("heavy")
