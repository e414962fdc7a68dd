"""Files: round trips, here and through other programs; bad files are refused."""

import errno
import os
import struct
from pathlib import Path

import meshio
import numpy as np
import pytest
import pyvista

import tangere

FORMATS = ["stl", "ply", "obj", "off", "vtp", "vtu"]


def triangles(vertices, faces):
    """The corners of each triangle, whatever the numbers of its vertices."""
    return np.asarray(vertices)[np.asarray(faces)]


@pytest.fixture(params=["knot", "shaken"])
def mesh(request):
    knot = tangere.generate.knot(500)
    if request.param == "knot":
        return knot
    # Numbers that no format of few digits could hold.
    noise = np.random.default_rng(2).uniform(-1e-3, 1e-3, knot.vertices.shape)
    return tangere.Mesh(knot.vertices + noise, knot.faces)


def stored(mesh, ending):
    """The mesh as a format keeps it."""
    if ending != "stl":
        return mesh
    return tangere.Mesh(mesh.vertices.astype(np.float32), mesh.faces)


@pytest.mark.parametrize("ending", FORMATS)
def test_reads_back_what_it_wrote(mesh, ending, tmp_path):
    path = tmp_path / f"mesh.{ending}"
    assert tangere.save(mesh, path) is None
    assert os.listdir(tmp_path) == [path.name]
    again, kept = tangere.load(path), stored(mesh, ending)
    assert np.array_equal(
        triangles(again.vertices, again.faces), triangles(kept.vertices, kept.faces)
    )
    assert len(again.vertices) == len(kept.vertices)
    if ending != "stl":
        assert again == kept
    source = again.source
    assert source.path == path
    assert source.format == ending
    assert source.polygons == len(mesh)
    assert source.welded == (3 * len(mesh) - len(mesh.vertices) if ending == "stl" else 0)
    assert source == tangere.Source(path, ending, source.polygons, source.welded)
    assert str(path) in repr(source)


# meshio has no reader of VTP.
@pytest.mark.parametrize("ending", [e for e in FORMATS if e != "vtp"])
def test_meshio_reads_it(mesh, ending, tmp_path):
    path = tmp_path / f"mesh.{ending}"
    tangere.save(mesh, path)
    kept = stored(mesh, ending)
    read = meshio.read(path)
    assert list(read.cells_dict) == ["triangle"]
    assert np.array_equal(
        triangles(read.points, read.cells_dict["triangle"]),
        triangles(kept.vertices, kept.faces),
    )


# VTK has no reader of OFF.
@pytest.mark.parametrize("ending", [e for e in FORMATS if e != "off"])
def test_pyvista_reads_it(mesh, ending, tmp_path):
    path = tmp_path / f"mesh.{ending}"
    tangere.save(mesh, path)
    read = pyvista.read(path)
    if isinstance(read, pyvista.UnstructuredGrid):
        assert set(read.celltypes) == {pyvista.CellType.TRIANGLE}
        faces = read.cells.reshape(-1, 4)
    else:
        faces = read.faces.reshape(-1, 4)
    assert len(faces) == len(mesh) and (faces[:, 0] == 3).all()
    points, expected = np.asarray(read.points), triangles(mesh.vertices, mesh.faces)
    # VTK's readers of STL, PLY and (in older versions) OBJ keep single precision.
    assert points.dtype == np.float64 or ending not in ("vtp", "vtu")
    expected = expected.astype(points.dtype)
    assert np.array_equal(triangles(points, faces[:, 1:]), expected)


def test_we_read_what_others_write(mesh, tmp_path):
    data = meshio.Mesh(mesh.vertices, [("triangle", mesh.faces.astype(np.int32))])
    for ending in ["ply", "vtk", "vtu", "off"]:
        path = tmp_path / f"meshio.{ending}"
        data.write(path)
        again = tangere.load(path)
        assert np.array_equal(again.faces, mesh.faces)
        assert np.abs(again.vertices - mesh.vertices).max() < 1e-9
    surface = pyvista.PolyData.from_regular_faces(np.array(mesh.vertices), np.array(mesh.faces, dtype=int))
    for ending, binary in [("vtp", True), ("vtp", False), ("vtk", True), ("vtk", False), ("ply", True)]:
        path = tmp_path / f"pyvista-{binary}.{ending}"
        surface.save(path, binary=binary)
        again = tangere.load(path)
        assert np.array_equal(again.faces, mesh.faces)
        assert np.abs(again.vertices - mesh.vertices).max() < 1e-6


def test_paths(tmp_path, monkeypatch):
    mesh = tangere.generate.sphere(1)

    class Path_:
        def __fspath__(self):
            return str(tmp_path / "ö 球.ply")

    tangere.save(mesh, Path_())
    for path in [Path_(), str(tmp_path / "ö 球.ply"), tmp_path / "ö 球.ply"]:
        assert tangere.load(path) == mesh
    monkeypatch.chdir(tmp_path)
    tangere.save(mesh, "here.PLY")
    assert tangere.load("here.PLY") == mesh
    assert tangere.load("here.PLY").source.path == Path("here.PLY")


def refusal(call, path):
    """The OSError, which must have all attributes that `open` sets."""
    with pytest.raises(OSError) as caught:
        call()
    error = caught.value
    assert error.filename == str(path) and error.filename2 is None
    assert error.strerror == os.strerror(error.errno)
    assert str(error) == f"[Errno {error.errno}] {error.strerror}: {str(path)!r}"
    return error


def test_system_errors(tmp_path, monkeypatch):
    mesh = tangere.generate.sphere(0)
    missing, folder = tmp_path / "missing.stl", tmp_path / "folder.stl"
    error = refusal(lambda: tangere.load(missing), missing)
    assert type(error) is FileNotFoundError and error.errno == errno.ENOENT
    folder.mkdir()
    assert type(refusal(lambda: tangere.load(folder), folder)) is IsADirectoryError
    assert type(refusal(lambda: tangere.save(mesh, folder), folder)) is IsADirectoryError
    # The folder of the temporary file is missing; the error does not show its name.
    inside = tmp_path / "missing" / "mesh.stl"
    assert type(refusal(lambda: tangere.save(mesh, inside), inside)) is FileNotFoundError
    table = tmp_path / "missing" / "particles.csv"
    assert type(refusal(lambda: tangere.load_particles(table), table)) is FileNotFoundError
    error = refusal(lambda: tangere.save_particles([[0, 0]], [1], table), table)
    assert type(error) is FileNotFoundError
    protected = tmp_path / "protected.stl"
    protected.touch(0o444)
    assert type(refusal(lambda: tangere.save(mesh, protected), protected)) is PermissionError
    protected.unlink()
    # A relative path stays what it was.
    monkeypatch.chdir(tmp_path)
    assert type(refusal(lambda: tangere.load("a/b.stl"), "a/b.stl")) is FileNotFoundError
    # So do bytes that are no text.
    odd = os.fsdecode(b"\xff.stl")
    assert type(refusal(lambda: tangere.load(odd), odd)) is FileNotFoundError
    assert sorted(os.listdir(tmp_path)) == ["folder.stl"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk(tmp_path):
    (tmp_path / "full.stl").symlink_to("/dev/full")
    call = lambda: tangere.save(tangere.generate.sphere(4), tmp_path / "full.stl")  # noqa: E731
    assert refusal(call, tmp_path / "full.stl").errno == errno.ENOSPC


def test_wrong_arguments(tmp_path):
    mesh = tangere.generate.sphere(0)
    for path in [None, 3, b"mesh.stl", ["mesh.stl"]]:
        for call in [
            lambda: tangere.load(path),
            lambda: tangere.save(mesh, path),
            lambda: tangere.load_particles(path),
            lambda: tangere.save_particles([[0, 0]], [1], path),
        ]:
            with pytest.raises(TypeError) as caught:
                call()
            found = type(path).__name__
            assert str(caught.value) == f"path: found {found}, expected a str or os.PathLike"
    for wrong in [None, mesh.vertices, "mesh"]:
        with pytest.raises(TypeError) as caught:
            tangere.save(wrong, tmp_path / "mesh.stl")
        assert str(caught.value) == f"mesh: found {type(wrong).__name__}, expected a Mesh"
    with pytest.raises(TypeError, match="^mesh: found str, expected a Mesh$"):
        tangere.save(str(tmp_path / "mesh.stl"), mesh)
    with pytest.raises(TypeError, match="^centers: found dtype <U"):
        tangere.save_particles(str(tmp_path / "particles.csv"), [[0, 0]], [1])
    with pytest.raises(TypeError):
        tangere.load(tmp_path / "mesh.stl", 4)
    with pytest.raises(ValueError, match="threads"):
        tangere.load(tmp_path / "mesh.stl", threads=0)
    with pytest.raises(ValueError):
        tangere.load("a\0b.stl")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["mesh", "mesh.", "mesh.xyz", "mesh.stl.gz", ".stl"])
def test_unknown_formats(name, tmp_path):
    (tmp_path / name).write_text("")
    with pytest.raises(ValueError, match="unknown format"):
        tangere.load(tmp_path / name)
    with pytest.raises(ValueError, match="unknown format"):
        tangere.save(tangere.generate.sphere(0), tmp_path / name)
    assert (tmp_path / name).read_text() == ""


BAD_FILES = {
    "empty.stl": (b"", "expected"),
    "empty.obj": (b"", "triangle"),
    "empty.ply": (b"", "expected"),
    "empty.off": (b"", "expected"),
    "empty.vtk": (b"", "expected"),
    "empty.vtp": (b"", "expected"),
    "empty.vtu": (b"", "expected"),
    # Four billion triangles in 134 bytes.
    "lying.stl": (bytes(80) + struct.pack("<I", 2**32 - 1) + bytes(50), "4294967295"),
    "word.stl": (b"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", "line 4: .*zero"),
    "nan.obj": (b"v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n", "line 3: .*nan"),
    "range.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: .*4"),
    "point.obj": (b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "extent"),
    "short.off": (b"OFF\n3 1 0\n0 0 0\n1 0 0\n", "expected"),
    "huge.off": (b"OFF\n4000000000 1 0\n0 0 0\n", "expected"),
    "header.ply": (b"ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "line 3: .*-1"),
    "not-xml.vtp": (b"<VTKFile", "expected"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(name, tmp_path):
    content, pattern = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=pattern) as caught:
        tangere.load(path)
    assert str(caught.value).startswith(str(path))


def test_what_a_format_cannot_hold(tmp_path):
    path = tmp_path / "mesh.stl"
    path.write_text("as it was")
    with pytest.raises(ValueError, match="vertex .*3.4e38"):
        tangere.save(tangere.generate.sphere(0).transformed(scale=1e50), path)
    assert path.read_text() == "as it was"
    assert os.listdir(tmp_path) == ["mesh.stl"]


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("ending", ["csv", "tsv", "txt", "dat", "npy", "vtp", "vtu"])
def test_particles(dim, ending, tmp_path):
    centers, radii = tangere.generate.particles(50, dim=dim, seed=9)
    path = tmp_path / f"particles.{ending}"
    tangere.save_particles(centers, radii, path)
    again, again_radii = tangere.load_particles(path)
    assert np.array_equal(again, centers) and np.array_equal(again_radii, radii)
    if ending == "npy":
        assert np.array_equal(np.load(path), np.column_stack([centers, radii]))
    if ending == "csv":
        table = np.genfromtxt(path, delimiter=",", names=True)
        assert table.dtype.names == (*"xyz"[:dim], "radius")
        assert np.array_equal(table["radius"], radii)
    if ending in ("vtp", "vtu"):
        read = pyvista.read(path)
        assert np.array_equal(read.points[:, :dim], centers) and np.all(read.points[:, dim:] == 0)
        assert np.array_equal(read["radius"], radii)
        assert list(read.field_data.get("dimension", [3])) == [dim]


def test_particles_from_numpy(tmp_path):
    table = np.asfortranarray(np.random.default_rng(3).uniform(1, 2, (20, 4)))
    for dtype in ["f4", "f8", ">f8"]:
        np.save(tmp_path / "particles.npy", table.astype(dtype))
        centers, radii = tangere.load_particles(tmp_path / "particles.npy")
        assert np.array_equal(np.column_stack([centers, radii]), table.astype(dtype))


def test_no_particles(tmp_path):
    tangere.save_particles(np.zeros((0, 2)), np.zeros(0), tmp_path / "none.npy")
    centers, radii = tangere.load_particles(tmp_path / "none.npy")
    assert centers.shape == (0, 2) and radii.shape == (0,)


@pytest.mark.parametrize(
    ("centers", "radii", "exception", "pattern"),
    [
        ([[0, 0, 0]], [-1], ValueError, r"^radii\[0\]: found -1, expected"),
        ([[0, 0, 0]], [np.nan], ValueError, r"^radii\[0\]: found NaN, expected"),
        ([[0, 0, 0], [0, 0, np.inf]], [1, 1], ValueError, r"^centers\[1\]: found \[0.0, 0.0, inf\]"),
        ([[0, 0, 0]], [1, 2], ValueError, "radii: found 2 radii, expected 1"),
        ([[0, 0, 0]], [[1]], ValueError, r"radii: found shape \(1, 1\), expected \(N,\)"),
        ([[0, 0, 0, 0]], [1], ValueError, r"centers: found shape \(1, 4\), expected \(N, 2\) or"),
        ([0, 0, 0], [1], ValueError, r"centers: found shape \(3,\), expected"),
        ([["a", "b"]], [1], TypeError, "centers: found dtype"),
        ([[0, 0, 0]], [1j], TypeError, "radii: found dtype complex128"),
        (None, [1], TypeError, "centers: found dtype object"),
    ],
)
def test_bad_particles(centers, radii, exception, pattern, tmp_path):
    with pytest.raises(exception, match=pattern):
        tangere.save_particles(centers, radii, tmp_path / "particles.csv")
    assert os.listdir(tmp_path) == []


def test_bad_particle_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        tangere.load_particles(tmp_path / "missing.csv")
    with pytest.raises(ValueError, match="unknown format"):
        tangere.load_particles(tmp_path / "particles.xyz")
    with pytest.raises(ValueError, match="unknown format"):
        tangere.save_particles([[0, 0, 0]], [1], tmp_path / "particles.xyz")
    path = tmp_path / "particles.csv"
    for text, pattern in [
        ("1,2\n", "columns: found 2"),
        ("x,y,z\n1,2,3\n", "columns: found x, y, z"),
        ("1,2,3\n1,two,3\n", "line 2: .*two"),
        ("1,2,3\n1,2\n", "line 2: "),
        ("1,2,3\n1,2,-3\n", "line 2: found the radius -3"),
    ]:
        path.write_text(text)
        with pytest.raises(ValueError, match=pattern):
            tangere.load_particles(path)


@pytest.mark.parametrize("ending", ["vtp", "vtu", "csv"])
def test_data_of_particles(ending, tmp_path):
    centers, radii = tangere.generate.particles(20, dim=3)
    data = {"id": np.arange(20) * 3, "v": centers[:, ::-1], "mass": radii.astype(np.float32)}
    path = tmp_path / f"grains.{ending}"
    tangere.save_particles(centers, radii, path, data=data)
    again, again_radii = tangere.load_particles(path)
    assert np.array_equal(again, centers) and np.array_equal(again_radii, radii)
    if ending == "csv":
        table = np.genfromtxt(path, delimiter=",", names=True)
        assert table.dtype.names == ("x", "y", "z", "radius", "id", "v_x", "v_y", "v_z", "mass")
        assert np.array_equal(table["v_x"], centers[:, 2]) and np.array_equal(table["id"], data["id"])
    else:
        read = pyvista.read(path)
        assert all(np.array_equal(read[name], values) for name, values in data.items())
        assert read["id"].dtype == np.int64
    path.unlink()
    for wrong, message in [
        ({"id": [1, 2]}, r'data\["id"\]: found 2 rows, expected 20, one for each of the particles'),
        ({"X": radii}, 'found the name "X"'),
        ({"v": [[]] * 20}, "shape"),
    ]:
        with pytest.raises(ValueError, match=message):
            tangere.save_particles(centers, radii, path, data=wrong)
    with pytest.raises(ValueError, match="npy holds no names"):
        tangere.save_particles(centers, radii, tmp_path / "a.npy", data=data)
    with pytest.raises(TypeError, match="^data: found list, expected a dict"):
        tangere.save_particles(centers, radii, path, data=[1])
    assert os.listdir(tmp_path) == []


def test_data_of_other_shapes_is_refused(tmp_path):
    cube = tangere.generate.box([1, 1, 1])
    n = len(cube.vertices)
    for shape in [(n, 2, 2), (n, 0), (n, 3, 3, 1), ()]:
        with pytest.raises(ValueError, match=r"point_data\[\"x\"\]: found shape .*, expected \(N,\), \(N, K\)"):
            tangere.save(cube, tmp_path / "a.vtu", point_data={"x": np.zeros(shape)})
    masked = np.ma.masked_equal(np.arange(n), 3)
    with pytest.raises(ValueError, match="found masked values"):
        tangere.save(cube, tmp_path / "a.vtu", point_data={"x": masked})
    tangere.save(cube, tmp_path / "a.vtu", point_data={"x": np.zeros((n, 3, 3))})
