"""Generators: counts, closed forms, seeds, bad arguments."""

import math
import re

import numpy as np
import pytest

import tangere
from tangere import generate

MESHES = {
    "sphere": (lambda: generate.sphere(4), 8 * 4**4, 0),
    "sponge": (lambda: generate.sponge(2), 4 * 20**2 + 8 * 8**2, 81),
    "chazelle": (lambda: generate.chazelle(7), 24 * 7 + 12, 0),
    "knot": (lambda: generate.knot(2468), 2468, 1),
    "hull": (lambda: generate.hull(246, seed=8), 246, 0),
    "box": (lambda: generate.box((4, 2, 1), divisions=(4, 2, 1)), 4 * (8 + 2 + 4), 0),
}


@pytest.mark.parametrize("kind", MESHES)
def test_meshes(kind):
    make, triangles, genus = MESHES[kind]
    mesh = make()
    report = mesh.report
    assert len(mesh) == triangles
    assert report.genus == genus
    assert report.closed and report.oriented and report.manifold
    assert report.volume > 0 and report.inverted_shells == 0
    assert report.degenerate_triangles == report.unused_vertices == 0
    assert np.array_equal(mesh.vertices, mesh.vertices.astype(np.float32))
    assert make() == mesh


def test_sphere_tends_to_the_sphere():
    for level in range(2, 6):
        report = generate.sphere(level).report
        # The error goes down with the square of the edge.
        assert 5.9 < (4 * math.pi / 3 - report.volume) * 4**level < 6.4
        assert 9.7 < (4 * math.pi - report.area) * 4**level < 10.3


def test_sponge_has_the_volume_of_its_cubes():
    assert generate.sponge(2).report.volume == 400


def test_boxes_and_plates():
    cube = generate.box([0.1, 0.1, 0.1])
    assert np.array_equal(np.unique(cube.vertices), [-0.05, 0.05])
    assert len(generate.box((1, 1, 1), divisions=3)) == 108
    assert generate.box((1, 1, 1), divisions=np.array([3, 3, 3])) == generate.box((1, 1, 1), divisions=np.int64(3))
    wall = generate.plate((12, 6), divisions=(12, 6))
    assert len(wall) == 144 and not wall.report.closed and wall.report.oriented
    assert np.array_equal(wall.vertices.max(axis=0), [6, 3, 0])
    assert generate.plate((1, 2)) == generate.plate((1, 2), divisions=1, threads=1)


def test_foam():
    foam = generate.foam(29_000, seed=3)
    assert abs(len(foam) - 29_000) <= 2900
    report = foam.report
    assert report.closed and report.oriented and report.manifold
    assert report.genus > 10
    assert np.array_equal(foam.vertices, foam.vertices.astype(np.float32))
    assert generate.foam(29_000, seed=3, threads=1) == foam
    assert generate.foam(29_000, seed=3, threads=5) == foam
    assert generate.foam(29_000, seed=4) != foam
    assert generate.foam(29_000) == generate.foam(29_000, seed=0)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_matter(threads):
    assert generate.sphere(5, threads=threads) == generate.sphere(5)


def test_particles():
    centers, radii = generate.particles(10_000)
    assert centers.dtype == radii.dtype == np.float64
    assert centers.shape == (10_000, 3) and radii.shape == (10_000,)
    assert 0 <= centers.min() and centers.max() <= 10 ** (1 / 3)
    assert 0.025 <= radii.min() and radii.max() <= 0.05
    assert abs(radii.mean() - 0.0375) < 1e-3
    centers[0] = 1  # the arrays belong to the caller

    discs, _ = generate.particles(10_000, dim=2)
    assert discs.shape == (10_000, 2)
    assert 9.9 < discs.max() <= 10
    sparse, _ = generate.particles(10_000, dim=2, density=1)
    assert 99 < sparse.max() <= 100


def test_particles_follow_the_seed():
    first = generate.particles(100, seed=2**64 - 1)
    again = generate.particles(100, seed=2**64 - 1)
    other = generate.particles(100, seed=1)
    assert np.array_equal(first[0], again[0]) and np.array_equal(first[1], again[1])
    assert not np.array_equal(first[0], other[0])


def test_particle_sizes():
    def diameters(sizes):
        return 2 * generate.particles(200_000, diameters=(0.001, 1.0), sizes=sizes)[1]

    # Half of the diameters are below the middle of their distribution.
    assert abs(np.mean(diameters("uniform") < 0.5005) - 0.5) < 0.01
    assert abs(np.mean(diameters("log") < 0.001**0.5) - 0.5) < 0.01
    volume = diameters("volume")
    shares = [volume[(lo <= volume) & (volume < 2 * lo)] for lo in (0.001, 0.002, 0.004)]
    totals = [np.sum(share**3) for share in shares]
    assert max(totals) / min(totals) < 1.1


def test_one_huge_particle():
    centers, radii = generate.particles(1000, huge=0.5)
    assert radii[-1] == 0.25
    assert np.array_equal(centers[-1], [0.5] * 3)
    assert np.array_equal(radii[:-1], generate.particles(1000)[1][:-1])


def test_no_particles():
    centers, radii = generate.particles(0, dim=2)
    assert centers.shape == (0, 2) and radii.shape == (0,)


@pytest.mark.parametrize(
    ("kind", "arguments", "options", "exception", "pattern"),
    [
        ("sphere", (-1,), {}, ValueError, "^level: found -1, expected 0 to 12, which"),
        ("sphere", (13,), {}, ValueError, "^level: found 13, expected 0 to 12, which"),
        ("sphere", (10**30,), {}, ValueError, "^level: found 10{30}, expected 0 to 12, which"),
        ("sphere", (1.0,), {}, TypeError, "level: found float, expected an integer"),
        ("sphere", ("1",), {}, TypeError, "level: found str, expected an integer"),
        ("sphere", (None,), {}, TypeError, "level: found NoneType"),
        ("sphere", (), {}, TypeError, "level"),
        ("sphere", (1, 2), {}, TypeError, "positional"),
        ("sphere", (1,), {"threads": 0}, ValueError, "^threads: found 0, expected None for all cores, or an integer from 1 to 1024$"),
        ("sphere", (1,), {"threads": -1}, ValueError, "threads: found -1"),
        ("sphere", (1,), {"threads": 10**6}, ValueError, "threads: found 1000000"),
        ("sphere", (1,), {"threads": 2.5}, TypeError, "^threads: found float, expected None for all cores, or an integer$"),
        ("foam", (-5,), {}, ValueError, r"^triangles: found -5, expected \d+ to \d+$"),
        ("foam", (0,), {}, ValueError, "^triangles: found 0, expected"),
        ("foam", (10**18,), {}, ValueError, "^triangles: found 10{18}, expected"),
        ("foam", (29_000,), {"seed": -1}, ValueError, "seed: found -1"),
        ("foam", (29_000,), {"seed": 2**64}, ValueError, "seed: found 18446744073709551616"),
        ("foam", (29_000,), {"seed": "a"}, TypeError, "seed: found str"),
        ("foam", (29_000,), {"seed": None}, TypeError, "^seed: found NoneType, expected an integer$"),
        ("sponge", (99,), {}, ValueError, "^level: found 99, expected 0 to 5, which"),
        ("sponge", (-1,), {}, ValueError, "^level: found -1, expected 0 to 5, which"),
        ("chazelle", (-3,), {}, ValueError, r"^size: found -3, expected 1 to \d+ notches"),
        ("chazelle", (0,), {}, ValueError, r"^size: found 0, expected 1 to \d+ notches"),
        ("chazelle", (2**31,), {}, ValueError, "^size: found 2147483648, expected 1 to"),
        ("hull", (21,), {}, ValueError, "^faces: found 21, expected an even number from 4 to"),
        ("hull", (2**70,), {}, ValueError, "^faces: found 1180591620717411303424, expected"),
        ("hull", (20,), {"seed": None}, TypeError, "^seed: found NoneType, expected an integer$"),
        ("knot", (-2,), {}, ValueError, "^triangles: found -2, expected an even number from 100 to"),
        ("knot", (3,), {}, ValueError, "^triangles: found 3, expected an even number from 100 to"),
        ("knot", (1001,), {}, ValueError, "^triangles: found 1001, expected an even number"),
        ("knot", (2**62,), {}, ValueError, "^triangles: found 4611686018427387904, expected"),
        ("box", ((1, 2),), {}, ValueError, r"^size: found shape \(2,\), expected \(3,\)"),
        ("box", ((1, 2, 0),), {}, ValueError, r"^size: found \[1.0, 2.0, 0.0\], expected positive"),
        ("box", ((1, 2, math.nan),), {}, ValueError, "^size: found"),
        ("box", ((1, 2, 3),), {"divisions": 0}, ValueError, "^divisions: found 0, expected an integer from 1"),
        ("box", ((1, 2, 3),), {"divisions": (1, 0, 1)}, ValueError, r"^divisions: found \[1, 0, 1\], expected numbers"),
        ("box", ((1, 2, 3),), {"divisions": (1, 1)}, ValueError, r"^divisions: found shape \(2,\), expected \(3,\)"),
        ("box", ((1, 2, 3),), {"divisions": 1.5}, TypeError, "^divisions: found float"),
        ("box", ((1, 2, 3),), {"divisions": None}, TypeError, "^divisions: found NoneType"),
        ("plate", ((1, 2, 3),), {}, ValueError, "^size: found shape"),
        ("plate", ((1, 2),), {"divisions": 10**6}, ValueError, "^divisions: found .*134217728 triangles"),
        ("particles", (-1,), {}, ValueError, "^count: found -1, expected 0 to 4294967295$"),
        ("particles", (2**60,), {}, ValueError, "^count: found 1152921504606846976, expected 0 to"),
        ("particles", (2**99,), {}, ValueError, "^count: found 633825300114114700748351602688, exp"),
        ("particles", (1.5,), {}, TypeError, "count: found float"),
        ("particles", (10, 3), {}, TypeError, "positional"),
        ("particles", (10,), {"dim": 4}, ValueError, "dim: found 4, expected an integer from 2 to 3"),
        ("particles", (10,), {"dim": "3"}, TypeError, "dim: found str"),
        ("particles", (10,), {"diameters": 1}, ValueError, r"diameters: found shape \(\)"),
        ("particles", (10,), {"diameters": (1, 2, 3)}, ValueError, r"diameters: found shape \(3,\)"),
        ("particles", (10,), {"diameters": (2, 1)}, ValueError, "diameters: found 2,1"),
        ("particles", (10,), {"diameters": (-1, 1)}, ValueError, "diameters: found -1,1"),
        ("particles", (10,), {"diameters": (0, math.nan)}, ValueError, "diameters: found 0,NaN"),
        ("particles", (10,), {"diameters": (0, 1), "sizes": "log"}, ValueError, "diameters"),
        ("particles", (10,), {"density": 0}, ValueError, "density: found 0"),
        ("particles", (10,), {"density": math.nan}, ValueError, "density: found NaN"),
        ("particles", (10,), {"density": math.inf}, ValueError, "density: found inf"),
        ("particles", (10,), {"density": 1e-300}, ValueError, "density: found"),
        ("particles", (10,), {"density": "1"}, TypeError, "density: found str"),
        ("particles", (10,), {"seed": -1}, ValueError, "seed: found -1"),
        ("particles", (10,), {"sizes": "big"}, ValueError, "sizes: found 'big', expected 'uniform'"),
        ("particles", (10,), {"sizes": 3}, TypeError, "sizes: found int, expected a str"),
        ("particles", (10,), {"huge": -1}, ValueError, "huge: found -1"),
        ("particles", (10,), {"seed": None}, TypeError, "^seed: found NoneType, expected an integer$"),
        ("particles", (10,), {"dim": None}, TypeError, "^dim: found NoneType, expected an integer$"),
        ("particles", (10,), {"diameters": None}, TypeError, "^diameters: found dtype object, expected"),
        ("particles", (10,), {"sizes": None}, TypeError, "^sizes: found NoneType, expected a str$"),
        ("particles", (0,), {"huge": 1}, ValueError, "huge: "),
    ],
)
def test_bad_arguments(kind, arguments, options, exception, pattern):
    with pytest.raises(exception) as caught:
        getattr(generate, kind)(*arguments, **options)
    assert re.search(pattern, str(caught.value))


def test_none_where_it_means_something():
    plain = generate.particles(10)
    none = generate.particles(10, density=None, huge=None, threads=None)
    assert all(map(np.array_equal, plain, none))
    given = generate.particles(10, dim=3, diameters=(0.05, 0.1), seed=0, sizes="uniform", threads=1)
    assert all(map(np.array_equal, plain, given))


def test_numpy_integers_are_integers():
    assert generate.sphere(np.int8(2), threads=np.uint64(1)) == generate.sphere(2)
