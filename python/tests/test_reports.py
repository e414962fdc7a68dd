"""Mesh reports against independent counts with NumPy, SciPy and trimesh."""

import collections
import copy
import pickle

import numpy as np
import pytest
import trimesh
from conftest import MESHES
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import tangere

# Volume meshes have cells in place of a surface.
SURFACES = [
    "armadillo.obj",
    "cow.obj",
    "decimated-knight.off",
    "fandisk.obj",
    "rocker-arm.obj",
    "spot.obj",
    "stanford-bunny.obj",
    "suzanne.obj",
    "teapot.obj",
]


def parts(count, links):
    """The number of connected components of `count` nodes linked by these pairs."""
    a, b = np.asarray(links).reshape(-1, 2).T
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(count, count))
    return connected_components(graph, directed=False)


def counted(vertices, faces):
    """What a report counts, by plain definitions."""
    vertices, faces = np.asarray(vertices), np.asarray(faces, dtype=np.int64)
    proper = faces[
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    ]
    n = len(proper)
    half_edges = proper[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    owner = np.repeat(np.arange(n), 3)
    forward = half_edges[:, 0] < half_edges[:, 1]
    # An edge as one number, for speed.
    keys = half_edges.min(axis=1) * len(vertices) + half_edges.max(axis=1)
    edges, index, degree = np.unique(keys, return_inverse=True, return_counts=True)
    balance = np.bincount(index, weights=np.where(forward, 1, -1), minlength=len(edges))

    # Triangles of one edge hang together; so do, at each of its ends, their corners.
    order = np.argsort(index, kind="stable")
    same = index[order][1:] == index[order][:-1]
    first, second = order[:-1][same], order[1:][same]
    components, _ = parts(n, np.column_stack([owner[first], owner[second]]))
    corner_at_start = 3 * owner + np.tile([0, 1, 2], n)
    corner_at_end = 3 * owner + np.tile([1, 2, 0], n)
    low = np.where(forward, corner_at_start, corner_at_end)
    high = np.where(forward, corner_at_end, corner_at_start)
    links = np.vstack(
        [np.column_stack([low[first], low[second]]), np.column_stack([high[first], high[second]])]
    )
    _, fan = parts(3 * n, links)
    fans = np.unique(proper.reshape(-1) * (3 * n) + fan) // (3 * n)
    fans_of_vertex = np.bincount(fans, minlength=len(vertices))

    a, b, c = (vertices[faces[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    center = vertices[faces].mean(axis=(0, 1))
    volume = np.einsum("ij,ij->", a - center, np.cross(b - center, c - center)) / 6
    closed = len(edges) > 0 and not (degree == 1).any()
    oriented = not ((degree > 1) & (balance != 0)).any()
    manifold = not (degree > 2).any() and not (fans_of_vertex > 1).any()
    euler = np.unique(proper).size - len(edges) + n

    # Patches hang together through edges of two triangles; a shell is one whose own
    # half-edges are balanced at every edge.
    twins = degree[index[first]] == 2
    patches, patch = parts(n, np.column_stack([owner[first][twins], owner[second][twins]]))
    own_edges, own = np.unique(index * patches + patch[owner], return_inverse=True)
    own_balance = np.bincount(own, weights=np.where(forward, 1, -1), minlength=len(own_edges))
    leaking = np.unique(own_edges[own_balance != 0] % patches)
    return {
        "vertices": len(vertices),
        "triangles": len(faces),
        "edges": len(edges),
        "closed": closed,
        "oriented": oriented,
        "manifold": manifold,
        "components": components,
        "euler_characteristic": euler,
        "genus": components - euler // 2 if closed and oriented and manifold else None,
        "boundary_edges": (degree == 1).sum(),
        "nonmanifold_edges": (degree > 2).sum(),
        "misoriented_edges": ((degree > 1) & (balance != 0)).sum(),
        "nonmanifold_vertices": (fans_of_vertex > 1).sum(),
        "unused_vertices": len(vertices) - np.unique(faces).size,
        "duplicate_triangles": n - len(np.unique(np.sort(proper, axis=1), axis=0)),
        "shells": patches - len(leaking),
        "volume": pytest.approx(volume, rel=1e-9) if closed and oriented else None,
        "area": pytest.approx(areas.sum(), rel=1e-12),
        "bounds": {
            "min": vertices[np.unique(faces)].min(axis=0).tolist(),
            "max": vertices[np.unique(faces)].max(axis=0).tolist(),
        },
    }


# Those of `tangere info --json`, which has the same list in its own tests.
NAMES = {
    "vertices", "triangles", "closed", "oriented", "manifold", "components", "genus", "boundary_edges",
    "nonmanifold_edges", "nonmanifold_vertices", "unused_vertices", "degenerate_triangles",
    "duplicate_triangles", "volume", "area", "bounds", "edges", "euler_characteristic",
    "misoriented_edges", "shells", "inverted_shells",
}  # fmt: skip


def test_names_are_those_of_the_command_line():
    report = tangere.generate.sphere(1).report
    assert set(report.as_dict()) == NAMES
    assert {name for name in dir(report) if not name.startswith("_")} == NAMES | {
        "as_dict",
        "get",
        "items",
        "keys",
        "self_intersections",
        "values",
    }


@pytest.mark.parametrize(
    "report",
    [tangere.generate.sphere(1).report, tangere.FaceMesh([[0, 0], [1, 2]], [[0, 1]], "seg2").report],
    ids=["triangles", "faces"],
)
def test_reports_are_mappings(report):
    assert dict(report.items()) == dict(report) == report.as_dict() == report
    assert len(report) == len(report.keys()) == len(list(report.values()))
    assert report.get("closed") is report.closed and report.get("colour", 1) == 1
    assert "area" in report and "colour" not in report


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_arrays_of_copies_are_read_only(copied):
    mesh = tangere.generate.sphere(1)
    contact = tangere.closest(mesh, mesh, pose_b=[3, 0, 0], convex=True)
    engine = tangere.ImpactEngine([mesh, tangere.Body(mesh, [4, 0, 0], velocity=[-1, 0, 0], threads=1)])
    for record in [mesh.report, contact, *contact.patch, engine.motion(1), engine.next_contact(9)]:
        again = copied(record)
        assert again == record
        for name in again.as_dict():
            value = getattr(again, name)
            assert not isinstance(value, np.ndarray) or not value.flags.writeable, name


def check(mesh):
    report, expected = mesh.report.as_dict(), counted(mesh.vertices, mesh.faces)
    assert {name: report[name] for name in expected} == expected
    assert np.array_equal(mesh.bounds, mesh.report.bounds)
    assert set(report) - set(expected) == {"degenerate_triangles", "inverted_shells"}

    other = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False, validate=False)
    assert other.area == pytest.approx(report["area"], rel=1e-9)
    if not report["nonmanifold_edges"] and not report["degenerate_triangles"]:
        assert other.is_watertight == report["closed"]
        assert len(other.edges_unique) == report["edges"]
    if report["volume"] is not None:
        assert other.volume == pytest.approx(report["volume"], rel=1e-6)


@pytest.mark.parametrize("name", SURFACES)
def test_surfaces(name):
    if not MESHES.is_dir():
        pytest.skip(f"skipped: there is no folder {MESHES}")
    mesh = tangere.load(MESHES / name)
    check(mesh)
    # The file has been read as it is: corners are those that plain Python reads.
    vertices, polygons = by_hand(MESHES / name)
    assert mesh.source.polygons == len(polygons)
    assert mesh.source.welded == len(vertices) - len(np.unique(vertices + 0.0, axis=0))
    assert len(mesh) == sum(len(polygon) - 2 for polygon in polygons)
    corners = {tuple(p) for p in (vertices + 0.0).tolist()}
    assert {tuple(p) for p in (mesh.vertices + 0.0).tolist()} == corners


def by_hand(path):
    """Vertices and polygons of an OBJ or OFF file."""
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    lines = [words for words in lines if words]
    if path.suffix == ".off":
        count, faces, _ = map(int, lines[1])
        vertices = [list(map(float, words[:3])) for words in lines[2 : 2 + count]]
        return np.array(vertices), [words[1:4] for words in lines[2 + count : 2 + count + faces]]
    vertices = [list(map(float, words[1:4])) for words in lines if words[0] == "v"]
    return np.array(vertices), [words[1:] for words in lines if words[0] == "f"]


def test_every_surface_is_checked():
    if not MESHES.is_dir():
        pytest.skip(f"skipped: there is no folder {MESHES}")
    found = {path.name for path in MESHES.iterdir() if path.suffix in (".obj", ".off", ".stl", ".ply")}
    assert found == set(SURFACES)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tangere.generate.sphere(4),
        lambda: tangere.generate.sponge(2),
        lambda: tangere.generate.chazelle(5),
        lambda: tangere.generate.knot(3000),
        lambda: tangere.generate.foam(29_000, seed=1),
    ],
    ids=["sphere", "sponge", "chazelle", "knot", "foam"],
)
def test_generated(make):
    check(make())


@pytest.mark.parametrize("seed", range(40))
def test_random_triangles(seed):
    """Few vertices and many triangles: every kind of defect occurs."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 12))
    faces = rng.integers(0, count, (int(rng.integers(1, 40)), 3))
    if not (faces != faces[:, :1]).any():
        faces[0] = [0, 1, 2]
    mesh = tangere.Mesh(rng.uniform(-1, 1, (count, 3)), faces)
    report, expected = mesh.report.as_dict(), counted(mesh.vertices, mesh.faces)
    assert {name: report[name] for name in expected} == expected
    named_twice = sum(len(set(face)) < 3 for face in faces.tolist())
    assert report["degenerate_triangles"] == named_twice
    triples = collections.Counter(tuple(sorted(f)) for f in faces.tolist() if len(set(f)) == 3)
    assert report["duplicate_triangles"] == sum(n - 1 for n in triples.values())


def test_degenerate_triangles_are_exact():
    # Three corners nearly on a line are not on a line.
    line = np.array([[0.0, 0, 0], [0.1, 0.1, 0.1], [0.3, 0.3, 0.3]])
    assert tangere.Mesh(line, [[0, 1, 2]]).report.degenerate_triangles == 1
    line[2, 0] = np.nextafter(line[2, 0], 1)
    assert tangere.Mesh(line, [[0, 1, 2]]).report.degenerate_triangles == 0


def test_inverted_shells(cube):
    vertices, faces = cube
    inner = 0.25 + vertices / 2
    both = np.vstack([vertices, inner])
    cavity = tangere.Mesh(both, np.vstack([faces, faces[:, ::-1] + 8])).report
    assert (cavity.shells, cavity.inverted_shells, cavity.volume) == (2, 0, 0.875)
    apart = np.vstack([vertices, vertices + 5])
    inverted = tangere.Mesh(apart, np.vstack([faces, faces[:, ::-1] + 8])).report
    assert (inverted.shells, inverted.inverted_shells, inverted.volume) == (2, 1, 0)


def test_records_refuse_any_assignment():
    report = tangere.generate.sphere(0).report
    for record in [report, tangere.Feature("face", 1)]:
        for name in ["closed", "index", "nothing"]:
            with pytest.raises(AttributeError, match=f"cannot assign to field '{name}'"):
                setattr(record, name, 1)
