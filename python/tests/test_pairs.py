"""Broad phase: every result equals that of testing all pairs."""

import inspect
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tangere

# The error about an unknown method names all methods.
try:
    tangere.pairs([[0, 0]], [1], method="?")
except ValueError as error:
    METHODS = re.findall(r"'(\w+)'", str(error))


def touching(centers, radii, periodic=None, margin=0.0):
    """All pairs, by the definition, with the minimum image along each axis."""
    centers, radii = np.asarray(centers, dtype=float), np.asarray(radii, dtype=float)
    a, b = np.triu_indices(len(centers), k=1)
    squares = np.zeros(len(a))
    for k in range(centers.shape[1]):
        d = centers[b, k] - centers[a, k]
        if periodic is not None and periodic[k] > 0:
            d = d + periodic[k] * -np.rint(d / periodic[k])
        squares = squares + d * d
    reach = radii[a] + radii[b] + margin
    near = squares <= reach * reach
    return np.stack([a[near], b[near]], axis=1)


def meeting(lower, upper, margin=0.0):
    a, b = np.triu_indices(len(lower), k=1)
    near = ((lower[a] - upper[b] <= margin) & (lower[b] - upper[a] <= margin)).all(axis=1)
    return np.stack([a[near], b[near]], axis=1)


def same(found, expected):
    assert found.dtype == np.uint32 and found.flags.c_contiguous
    assert found.shape == (len(expected), 2)
    assert np.array_equal(found, expected)


def test_there_are_methods():
    assert {"auto", "brute", "cells", "tree"} <= set(METHODS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 17, 500])
def test_random_spheres(method, dimension, count):
    rng = np.random.default_rng(count)
    centers = rng.uniform(-1, 1, (count, dimension))
    radii = rng.uniform(0, 0.15, count)
    for options in ({}, {"margin": 0.05}, {"periodic": [2.5, 0, 1.5][:dimension]}, {"periodic": [2.0] * dimension}):
        expected = touching(centers, radii, **options)
        same(tangere.pairs(centers, radii, method=method, **options), expected)
        finder = tangere.PairFinder(method=method, **options)
        finder.update(centers, radii)
        same(finder.pairs(), expected)
        assert len(finder) == count
        offsets, indices = finder.neighbors()
        assert offsets.dtype == np.int64 and indices.dtype == np.uint32
        both = np.concatenate([expected, expected[:, ::-1]])
        both = both[np.lexsort(both.T[::-1])]
        assert np.array_equal(offsets, np.searchsorted(both[:, 0], np.arange(count + 1)))
        assert np.array_equal(indices, both[:, 1])
        assert isinstance(finder.reason, str) and finder.reason
    assert count < 500 or len(expected) > 100


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_lattices(method, dimension, offset):
    """Neighbours touch exactly; places are taken twice; some have no extent."""
    rng = np.random.default_rng(3)
    for scale in (1.0, 0.1):
        centers = rng.integers(0, 7, (250, dimension)) * scale + offset
        radii = rng.choice([0.0, 0.5, 1.0], 250) * scale
        same(tangere.pairs(centers, radii, method=method), touching(centers, radii))


@pytest.mark.parametrize("method", METHODS)
def test_a_periodic_lattice(method):
    """Each of 4 x 4 x 4 spheres touches its six neighbours, also across periodic boundaries."""
    centers = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    finder = tangere.PairFinder(method=method, periodic=[4, 4, 4])
    finder.update(centers, np.full(64, 0.5))
    offsets, _ = finder.neighbors()
    assert (np.diff(offsets) == 6).all()
    # Anywhere else the same.
    expected = finder.pairs()
    finder.update(centers + [4, -8, 400], np.full(64, 0.5))
    same(finder.pairs(), expected)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_boxes(method, dimension):
    rng = np.random.default_rng(5)
    for count in (0, 1, 300):
        lower = rng.integers(0, 9, (count, dimension)) * 0.5
        upper = lower + rng.integers(0, 3, (count, dimension)) * 0.5
        for margin in (0.0, 0.5):
            expected = meeting(lower, upper, margin)
            same(tangere.box_pairs(lower, upper, method=method, margin=margin), expected)
    assert len(expected) > 300
    lower = np.array([[0.0] * dimension, [3.5] * dimension])
    same(tangere.box_pairs(lower, lower + 0.5, method=method), np.empty((0, 2)))
    found = tangere.box_pairs(lower, lower + 0.5, method=method, periodic=[4] * dimension)
    same(found, [[0, 1]])


def test_many_at_one_place():
    count = 2000
    pairs = tangere.pairs(np.zeros((count, 3)), np.ones(count))
    a, b = np.triu_indices(count, k=1)
    assert np.array_equal(pairs[:, 0], a) and np.array_equal(pairs[:, 1], b)


@pytest.mark.parametrize("method", METHODS)
def test_moving_particles(method):
    rng = np.random.default_rng(9)
    finder = tangere.PairFinder(method=method)
    assert len(finder) == 0 and finder.pairs().shape == (0, 2)
    offsets, indices = finder.neighbors()
    assert offsets.tolist() == [0] and len(indices) == 0
    centers, radii = rng.uniform(size=(400, 2)), rng.uniform(0.01, 0.05, 400)
    for step in range(20):
        centers = centers + rng.normal(scale=1e-3 if step != 10 else 1, size=centers.shape)
        finder.update(centers, radii)
        same(finder.pairs(), touching(centers, radii))
    # Fewer of them, and in space.
    finder.update(rng.uniform(size=(10, 3)), np.ones(10))
    assert len(finder.pairs()) == 45
    finder.update(np.empty((0, 2)), [])
    assert finder.pairs().shape == (0, 2)
    finder.update(centers, radii)
    same(finder.pairs(), touching(centers, radii))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("periodic", [None, [1, 1]])
def test_candidates_are_reused(method, periodic):
    rng = np.random.default_rng(4)
    finder = tangere.PairFinder(method=method, skin=0.05, periodic=periodic, margin=0.002)
    centers, radii = rng.uniform(size=(300, 2)), rng.uniform(0.01, 0.04, 300)
    assert (finder.builds, finder.reuses) == (0, 0)
    for step in range(30):
        centers = centers + rng.normal(scale=1e-3 if step != 20 else 1, size=centers.shape)
        if periodic:
            centers %= 1
        finder.update(centers, radii)
        expected = touching(centers, radii, periodic, 0.002)
        same(finder.pairs(), expected)
        same(np.concatenate([*finder.chunks(), np.empty((0, 2), np.uint32)]), expected)
    assert finder.builds >= 2 and finder.reuses >= 15 and finder.builds + finder.reuses == 30
    finder = tangere.PairFinder()
    finder.update(centers, radii)
    assert (finder.builds, finder.reuses) == (0, 0)
    for skin in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="^skin: found "):
            tangere.PairFinder(skin=skin)
    with pytest.raises(TypeError, match="^skin: found str"):
        tangere.PairFinder(skin="1")


def test_chunks():
    rng = np.random.default_rng(6)
    centers, radii = rng.uniform(size=(2000, 2)), np.full(2000, 0.1)
    finder = tangere.PairFinder()
    assert list(finder.chunks()) == []
    finder.update(centers, radii)
    chunks = list(finder.chunks())
    assert len(chunks) > 1 and all(0 < len(chunk) <= 1 << 16 for chunk in chunks)
    same(np.concatenate(chunks), finder.pairs())
    # Other queries in between do not invalidate the iterator, an update does.
    again = finder.chunks()
    assert iter(again) is again
    for chunk in chunks:
        same(next(again), chunk)
        finder.neighbors()
    assert next(again, None) is None
    again = finder.chunks()
    next(again)
    finder.update(centers, radii)
    with pytest.raises(RuntimeError, match="updated"):
        next(again)
    assert next(again, None) is None


def test_other_arrays():
    centers = np.array([[0, 0, 0], [1, 0, 0], [0, 5, 0]])
    for radii in ([1, 1, 1], (0.5, 0.5, 0.5), np.float32([0.5] * 3), np.int8([1, 1, 1])):
        for array in (centers, centers.tolist(), np.asfortranarray(centers, dtype=">f4"), centers[::-1][::-1]):
            same(tangere.pairs(array, radii), [[0, 1]])
    finder = tangere.PairFinder()
    mine = centers.astype(float)
    finder.update(mine, [1, 1, 1])
    mine[:] = 0
    same(finder.pairs(), [[0, 1]])


def test_answers_do_not_depend_on_threads():
    centers, radii = tangere.generate.particles(20_000, seed=2)
    expected = tangere.pairs(centers, radii)
    assert len(expected) > 10_000
    for threads in (1, 2, 3, 16):
        same(tangere.pairs(centers, radii, threads=threads), expected)
        finder = tangere.PairFinder(threads=threads)
        finder.update(centers, radii)
        same(finder.pairs(), expected)


def test_several_threads_share_a_finder():
    """Each result is that of one state or of the other, never a mixture."""
    states = [tangere.generate.particles(3000, seed=seed) for seed in (1, 2)]
    answers = [tangere.pairs(*state) for state in states]
    finder = tangere.PairFinder()
    finder.update(*states[0])

    def work(k):
        if k % 4 == 0:
            finder.update(*states[k // 4 % 2])
        pairs = finder.pairs()
        return any(np.array_equal(pairs, answer) for answer in answers)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(100)))


POINTS, RADII = [[0, 0], [1, 1]], [1, 1]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((POINTS, [1]), {}, ValueError, "radii: found shape (1,), expected (2,), one for each of centers"),
        ((POINTS, [1, -2]), {}, ValueError, "radii[1]: found -2, "),
        ((POINTS, [1, np.nan]), {}, ValueError, "radii[1]: found NaN, "),
        (([[0, 0], [0, np.inf]], RADII), {}, ValueError, "centers[1]: found [0.0, inf], "),
        (([0, 1], RADII), {}, ValueError, "centers: found shape (2,), expected (N, 2) or (N, 3)"),
        ((np.zeros((2, 4)), RADII), {}, ValueError, "centers: found shape (2, 4), "),
        (([[0, 0], [1]], RADII), {}, ValueError, "centers: "),
        (([["a", "b"]], [1]), {}, TypeError, "centers: found dtype "),
        ((POINTS, [[1, 1]]), {}, ValueError, "radii: found shape (1, 2), expected (N,)"),
        ((POINTS, RADII), {"method": "fastest"}, ValueError, "method: found 'fastest', expected 'auto', "),
        ((POINTS, RADII), {"method": 3}, TypeError, "method: found int, expected a str"),
        ((POINTS, RADII), {"margin": -1}, ValueError, "margin: found -1, "),
        ((POINTS, RADII), {"margin": np.nan}, ValueError, "margin: found NaN, "),
        ((POINTS, RADII), {"margin": "1"}, TypeError, "margin: found str, expected a number"),
        ((POINTS, RADII), {"periodic": [9, 9, 9]}, ValueError, "periodic: found 3 lengths, expected 2, "),
        ((POINTS, RADII), {"periodic": [9]}, ValueError, "periodic: found shape (1,), expected (2,) or (3,)"),
        ((POINTS, RADII), {"periodic": [9, -1]}, ValueError, "periodic[1]: found -1, "),
        ((POINTS, RADII), {"periodic": [0, 0]}, ValueError, "periodic: found [0.0, 0.0], "),
        ((POINTS, RADII), {"periodic": [3, 0]}, ValueError, "periodic: found a width of 3, expected at least 4, "),
        ((POINTS, RADII), {"threads": 0}, ValueError, "threads: found 0, "),
        ((POINTS, RADII), {"threads": 1.5}, TypeError, "threads: found float, "),
    ],
)
def test_refusals(arguments, options, error, message):
    for call in (tangere.pairs, lambda *a, **o: tangere.PairFinder(**o).update(*a)):
        with pytest.raises(error, match="^" + re.escape(message)):
            call(*arguments, **options)


def test_refused_boxes():
    for lower, upper, message in [
        ([[0, 0]], [[1, -1]], "upper[0]: found [0.0, 0.0] to [1.0, -1.0], "),
        ([[0, 0]], [[1, 1], [2, 2]], "upper: found shape (2, 2), expected (1, 2), that of lower"),
        ([[0, 0]], [[1, 1, 1]], "upper: found shape (1, 3), expected (1, 2), that of lower"),
        ([[0, np.nan]], [[1, 1]], "lower[0]: found [0.0, NaN], "),
        ([[0, 0]], [[1, np.inf]], "upper[0]: found [1.0, inf], "),
    ]:
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            tangere.box_pairs(lower, upper)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"groups": [1]}, ValueError, "groups: found shape (1,), expected (2,), one for each item"),
        ({"groups": []}, ValueError, "groups: found shape (0,), expected (2,)"),
        ({"groups": [[1, 2]]}, ValueError, "groups: found shape (1, 2), expected (2,)"),
        ({"groups": [0.5, 1]}, TypeError, "groups: found dtype float64, expected an array of integers"),
        ({"groups": [1, -1]}, ValueError, "groups[1]: found -1, expected an integer from 0 to 4294967295"),
        ({"groups": [1 << 32, 1]}, ValueError, "groups[0]: found 4294967296, "),
        ({"masks": [1, 2]}, ValueError, "masks: found shape (2,), expected (2, 2)"),
        ({"masks": [[1, 2], [3, -1]]}, ValueError, "masks[1]: found -1, "),
        ({"masks": np.ones((2, 2))}, TypeError, "masks: found dtype float64, "),
    ],
)
def test_refused_rules(options, error, message):
    for call in (tangere.pairs, tangere.PairFinder().update):
        with pytest.raises(error, match="^" + re.escape(message)):
            call(POINTS, RADII, **options)
    with pytest.raises(error, match="^" + re.escape(message)):
        tangere.box_pairs(POINTS, np.array(POINTS) + 1, **options)


@pytest.mark.parametrize("skin", [0, 0.05])
@pytest.mark.parametrize("method", METHODS)
def test_groups_and_masks(method, skin):
    random = np.random.default_rng(5)
    centers, radii = random.random((400, 3)), random.uniform(0, 0.1, 400)
    groups = random.integers(0, 5, 400)
    masks = random.integers(0, 8, (400, 2), dtype=np.uint8)
    a, b = (every := tangere.pairs(centers, radii)).T
    apart = groups[a] != groups[b]
    meet = ((masks[a, 0] & masks[b, 1]) != 0) & ((masks[b, 0] & masks[a, 1]) != 0)
    assert 0 < (apart & meet).sum() < apart.sum() < len(every)
    finder = tangere.PairFinder(method=method, skin=skin)
    for options, kept in [
        ({"groups": groups}, apart),
        ({"masks": masks}, meet),
        ({"groups": groups.astype(np.uint64), "masks": masks.tolist()}, apart & meet),
        ({"groups": np.repeat(groups, 2)[::2]}, apart),
        ({}, apart | True),
    ]:
        same(tangere.pairs(centers, radii, method=method, **options), every[kept])
        finder.update(centers, radii, **options)
        same(finder.pairs(), every[kept])
        same(np.concatenate([*finder.chunks()]), every[kept])
        same(finder.contacts()[0], every[kept])
    upper = centers + radii[:, None]
    a, b = (every := tangere.box_pairs(centers, upper)).T
    same(tangere.box_pairs(centers, upper, method=method, groups=groups), every[groups[a] != groups[b]])


def test_candidates_of_other_groups():
    finder = tangere.PairFinder(skin=0.5)
    row, radii = [[0, 0], [1, 0], [2, 0]], [0.5] * 3
    for groups, pairs, uses in [
        ([1, 1, 2], [[1, 2]], (1, 0)),
        ([1, 1, 2], [[1, 2]], (1, 1)),
        ([1, 2, 2], [[0, 1]], (2, 1)),
        (None, [[0, 1], [1, 2]], (3, 1)),
        (None, [[0, 1], [1, 2]], (3, 2)),
    ]:
        finder.update(row, radii, groups=groups)
        assert finder.pairs().tolist() == pairs
        assert (finder.builds, finder.reuses) == uses


@pytest.mark.parametrize("method", METHODS)
def test_every_image(method):
    random = np.random.default_rng(6)
    centers, radii = 3 * random.random((20, 2)), random.uniform(0, 0.8, 20)
    cell = np.array([1.0, 0.6])
    with pytest.raises(ValueError, match="^periodic: found a width of 0.6.*every_image"):
        tangere.pairs(centers, radii, periodic=cell)
    expected = []
    for a in range(20):
        for b in range(a, 20):
            for m in range(-8, 9):
                for n in range(-12, 13):
                    if a == b and (n, m) <= (0, 0):
                        continue
                    d = centers[b] - centers[a] + cell * (m, n)
                    reach = radii[a] + radii[b]
                    if d[0] * d[0] + d[1] * d[1] <= reach * reach:
                        expected.append((a, b, m, n))
    finder = tangere.PairFinder(method=method, periodic=cell, every_image=True)
    finder.update(centers, radii)
    pairs, images, gaps, normals = finder.contacts()
    assert (pairs.dtype, images.dtype) == (np.uint32, np.int32)
    assert np.hstack([pairs, images]).tolist() == [list(row) for row in expected]
    a, b = pairs.T
    offsets = centers[b] - centers[a] + cell * images
    assert np.allclose(gaps, np.linalg.norm(offsets, axis=1) - radii[a] - radii[b])
    assert np.allclose((normals * offsets).sum(axis=1), np.linalg.norm(offsets, axis=1))
    once = sorted({(a, b) for a, b, _, _ in expected if a < b})
    same(finder.pairs(), once)
    same(tangere.pairs(centers, radii, method=method, periodic=cell, every_image=True), once)
    with pytest.raises(ValueError, match="^periodic: found .* at most 8388608"):
        tangere.pairs([[0, 0]], [1e6], method=method, periodic=cell, every_image=True)


def test_contacts_without_particles():
    pairs, images, gaps, normals = tangere.PairFinder().contacts()
    assert (pairs.shape, images.shape, gaps.shape, normals.shape) == ((0, 2), (0, 3), (0,), (0, 3))
    with pytest.raises(TypeError, match="^every_image: found str, expected a bool"):
        tangere.PairFinder(every_image="yes")


def test_after_a_refusal_there_are_no_particles():
    for bad in ((POINTS, [1, -1]), (POINTS, [1]), ([[0, 0, 0]], [-1])):
        finder = tangere.PairFinder()
        finder.update(POINTS, RADII)
        assert len(finder.pairs()) == 1
        with pytest.raises(ValueError):
            finder.update(*bad)
        assert len(finder) == 0 and len(finder.pairs()) == 0
        finder.update(POINTS, RADII)
        assert len(finder.pairs()) == 1


def test_signatures_and_names():
    rules = "groups=None, masks=None"
    options = (
        f"method='auto', periodic=None, margin=0.0, {rules}, every_image=False, max_pairs=None, "
        "occupancy=None, origin=None, threads=None"
    )
    assert str(inspect.signature(tangere.pairs)) == f"(centers, radii, *, {options})"
    assert str(inspect.signature(tangere.box_pairs)) == f"(lower, upper, *, {options})"
    others = "other_centers, other_radii"
    assert str(inspect.signature(tangere.pairs_between)) == f"(centers, radii, {others}, *, {options})"
    finder = options.replace(rules, "skin=0.0")
    assert str(inspect.signature(tangere.PairFinder)) == f"(*, {finder})"
    finder = tangere.PairFinder(method="cells")
    finder.update([[0, 0]], [1])
    assert repr(finder) == "<tangere.PairFinder of 1 particle, method 'cells'>"


def test_interrupt_leaves_the_finder(interrupted):
    program = """
import numpy as np
centers, radii = np.zeros((6000, 3)), np.ones(6000)
finder = tangere.PairFinder(threads=1)
print("ready", flush=True)
try:
    while True:
        finder.update(centers, radii)
        finder.pairs()
except KeyboardInterrupt:
    finder.update([[0, 0], [1, 1]], [1, 1])
    print("interrupted", finder.pairs().tolist(), flush=True)
"""
    out = interrupted(program, after=0.2)
    assert out == "interrupted [[0, 1]]\n"


def test_settings_of_published_methods():
    centers, radii = tangere.generate.particles(300, seed=2)
    expected = tangere.pairs(centers, radii)
    for occupancy in (0.125, 1, 5.0, 1000):
        same(tangere.pairs(centers, radii, method="linked", occupancy=occupancy), expected)
    finder = tangere.PairFinder(method="linked", occupancy=5, skin=0.01)
    finder.update(centers, radii)
    same(finder.pairs(), expected)
    assert finder.method == "linked"
    with pytest.raises(ValueError, match="occupancy: found 5, expected none for method cells; only linked has one"):
        tangere.pairs(centers, radii, method="cells", occupancy=5)
    with pytest.raises(ValueError, match="occupancy: found 0, expected a finite number from 0.125 up"):
        tangere.PairFinder(method="linked", occupancy=0)
    for origin in ([0, 0, 0], centers[7], [1e6, -3, 0.5]):
        same(tangere.pairs(centers, radii, method="shells-published", origin=origin), expected)
    finder = tangere.PairFinder(method="shells-published", origin=[0, 0, 0])
    finder.update(centers, radii)
    same(finder.pairs(), expected)
    with pytest.raises(ValueError, match="origin: .* only shells-published has one"):
        tangere.pairs(centers, radii, origin=[0, 0, 0])
    with pytest.raises(ValueError, match="expected 3 coordinates, one for each dimension"):
        tangere.pairs(centers, radii, method="shells-published", origin=[0, 0])
