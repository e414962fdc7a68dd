"""Broad phase of two sets, boxes in finders, cells that change, and limits."""

import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import tangere
from test_pairs import METHODS, meeting, same, touching


def between(pairs, count):
    """Pairs across two sets, from all pairs of the concatenated sets."""
    pairs = pairs[(pairs[:, 0] < count) & (pairs[:, 1] >= count)]
    return pairs - [0, count]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (200, 1), (150, 300)])
def test_spheres(method, dimension, counts):
    rng = np.random.default_rng(sum(counts))
    centers = rng.uniform(-1, 1, (sum(counts), dimension))
    radii = rng.uniform(0, 0.2, sum(counts))
    n = counts[0]
    for options in ({}, {"margin": 0.05}, {"periodic": [2.5, 0, 1.5][:dimension]}):
        expected = between(touching(centers, radii, **options), n)
        found = tangere.pairs_between(
            centers[:n], radii[:n], centers[n:], radii[n:], method=method, **options
        )
        same(found, expected)
        for skin in (0, 0.1):
            finder = tangere.PairFinder(method=method, skin=skin, **options)
            finder.update(centers[:n], radii[:n])
            own = finder.pairs()
            same(finder.query(centers[n:], radii[n:]), expected)
            same(finder.query(centers[n:], radii[n:]), expected)
            assert np.array_equal(finder.pairs(), own)
    assert min(counts) < 100 or len(expected) > 20


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_boxes(method, dimension):
    rng = np.random.default_rng(5)
    lower = rng.integers(0, 9, (300, dimension)) * 0.5
    upper = lower + rng.integers(0, 3, (300, dimension)) * 0.5
    expected = between(meeting(lower, upper), 100)
    sets = lower[:100], upper[:100], lower[100:], upper[100:]
    same(tangere.box_pairs_between(*sets, method=method), expected)
    finder = tangere.PairFinder(method=method, skin=0.25)
    finder.update_boxes(lower[:100], upper[:100])
    same(finder.query_boxes(lower[100:], upper[100:]), expected)
    same(finder.pairs(), meeting(lower[:100], upper[:100]))
    _, _, gaps, _ = finder.contacts()
    assert (gaps <= 0).all()
    # From boxes to particles and back.
    finder.update(lower, np.full(300, 0.25))
    same(finder.pairs(), touching(lower, np.full(300, 0.25)))
    finder.update_boxes(lower, upper, groups=np.zeros(300, dtype=int))
    assert len(finder.pairs()) == 0 and len(finder) == 300


def test_masks_are_those_of_the_items():
    grain, ghost = (1, 3), (0, 0)
    sets = [[0, 0], [1, 0]], [0.5, 0.5], [[0.5, 0]], [0.5]
    same(tangere.pairs_between(*sets, masks=[ghost, grain]), [[1, 0]])
    same(tangere.pairs_between(*sets, groups=[4, 4]), [[0, 0], [1, 0]])


@pytest.mark.parametrize(
    ("others", "message"),
    [
        (([[0, 0, 0]], [1]), "others: found 3 dimensions, expected 2, as the items have"),
        (([[0, 0], [1, np.nan]], [1, 1]), r"other_centers\[1\]: found \[1(.0)?, NaN\]"),
        (([[0, 0], [1, 0]], [1, -1]), r"other_radii\[1\]: found -1"),
        (([[0, 0], [1, 0]], [1]), r"other_radii: found shape \(1,\), expected \(2,\), one for each of other_centers"),
        (([0, 0], [1, 1]), "other_centers: found"),
    ],
)
def test_refused_others(others, message):
    items = [[0.0, 0.0]], [1.0]
    with pytest.raises(ValueError, match=message):
        tangere.pairs_between(*items, *others)
    finder = tangere.PairFinder()
    finder.update(*items)
    with pytest.raises(ValueError, match=message.replace("other_", "")):
        finder.query(*others)
    assert len(finder) == 1


def test_refused_boxes_and_kinds():
    with pytest.raises(ValueError, match=r"other_upper\[0\]: found"):
        tangere.box_pairs_between([[0, 0]], [[1, 1]], [[0, 0]], [[1, -1]])
    with pytest.raises(ValueError, match=r"other_lower\[0\]: found"):
        tangere.box_pairs_between([[0, 0]], [[1, 1]], [[0, np.inf]], [[1, -1]])
    with pytest.raises(ValueError, match=r"other_upper: found shape \(2, 2\), expected \(1, 2\), that of other_lower"):
        tangere.box_pairs_between([[0, 0]], [[1, 1]], [[0, 0]], [[1, 1], [2, 2]])
    finder = tangere.PairFinder()
    assert len(finder.query([[0, 0]], [1])) == 0
    with pytest.raises(ValueError, match=r"radii\[0\]"):
        finder.query([[0, 0]], [-1])
    finder.update([[0, 0]], [1])
    with pytest.raises(ValueError, match="spheres with spheres"):
        finder.query_boxes([[0, 0]], [[1, 1]])


@pytest.mark.parametrize("skin", [0, 0.3])
def test_a_cell_for_each_step(skin):
    """A box that is compressed, with what is in it."""
    rng = np.random.default_rng(2)
    places, radii = rng.uniform(0, 1, (300, 3)), rng.uniform(0.1, 0.4, 300)
    finder = tangere.PairFinder(periodic=[10, 10, 10], skin=skin)
    for step in range(20):
        lengths = np.array([10, 10, 10 - 0.05 * step])
        finder.update(places * lengths, radii, periodic=lengths)
        same(finder.pairs(), touching(places * lengths, radii, lengths))
    # The cell of the finder again.
    finder.update(places * 10, radii)
    same(finder.pairs(), touching(places * 10, radii, [10] * 3))
    assert (finder.reuses > 8) == (skin > 0)
    with pytest.raises(ValueError, match=r"periodic\[0\]: found -1"):
        finder.update(places, radii, periodic=[-1, 1, 1])
    with pytest.raises(ValueError, match="periodic: found 2 lengths, expected 3"):
        finder.update(places, radii, periodic=[1, 1])
    assert len(finder) == 0


def test_tilted_cells():
    """A cell is the same for any choice of its edges."""
    rng = np.random.default_rng(9)
    centers, radii = rng.uniform(-5, 5, (200, 3)), rng.uniform(0.1, 0.4, 200)
    expected = touching(centers, radii, [4, 5, 6])
    for tilt in ([0, 0, 0], [4, 0, 0], [-4, 8, 5]):
        cell = tangere.Periodic([4, 5, 6], tilt=tilt, origin=[-1, 2, 3])
        same(tangere.pairs(centers, radii, periodic=cell, every_image=True), expected)
    sheared = tangere.Periodic([4, 5, 6], tilt=[1, 0, 0])
    assert len(tangere.pairs(centers, radii, periodic=sheared)) != len(expected)
    assert sheared == tangere.Periodic([4, 5, 6], tilt=[1, 0, 0]) != cell
    assert all(pickle.loads(pickle.dumps(some)) == some for some in (cell, sheared))
    assert repr(tangere.Periodic([4, 0])) == "tangere.Periodic([4.0, 0.0], tilt=[0.0], origin=[0.0, 0.0])"
    assert eval(repr(cell)) == cell
    for arguments, options, message in [
        (([4, -5],), {}, r"lengths\[1\]: found -5"),
        (([0, 0],), {}, "lengths: found"),
        (([4, 5],), {"tilt": [1, 2, 3]}, "tilt: found"),
        (([4, 0],), {"tilt": [1]}, r"tilt\[0\]: found 1"),
        (([4, 5],), {"origin": [0, np.inf]}, "origin"),
        (([4],), {}, "lengths: found"),
    ]:
        with pytest.raises(ValueError, match=message):
            tangere.Periodic(*arguments, **options)
    with pytest.raises(ValueError, match="2 lengths, expected 3"):
        tangere.pairs(centers, radii, periodic=tangere.Periodic([4, 5]))


@pytest.mark.parametrize("method", METHODS)
def test_candidates_of_every_image(method):
    """Particles as large as their cell, which shrinks."""
    rng = np.random.default_rng(4)
    places, radii = rng.uniform(0, 1, (12, 2)), rng.uniform(0.2, 1.2, 12)
    kept = tangere.PairFinder(method=method, skin=0.3, every_image=True)
    for step in range(12):
        cell = tangere.Periodic([2 - 0.01 * step, 2], tilt=[0.01 * step])
        anew = tangere.PairFinder(method="brute", every_image=True)
        for finder in (kept, anew):
            finder.update(places * 2, radii, periodic=cell)
        same(kept.pairs(), anew.pairs())
        for a, b in zip(kept.contacts(), anew.contacts()):
            assert np.array_equal(a, b)
    pairs, _, _, _ = kept.contacts()
    assert (pairs[:, 0] == pairs[:, 1]).any() and kept.reuses > 4


def test_limits():
    line = np.stack([np.arange(10.0), np.zeros(10)], axis=1)
    radii = np.full(10, 0.5)
    assert len(tangere.pairs(line, radii, max_pairs=9)) == 9
    with pytest.raises(ValueError, match="pairs: found at least 9, expected at most 8"):
        tangere.pairs(line, radii, max_pairs=8)
    for skin in (0, 1):
        finder = tangere.PairFinder(max_pairs=8, skin=skin)
        finder.update(line, radii)
        for call in (finder.pairs, finder.contacts, finder.neighbors, lambda: list(finder.chunks())):
            with pytest.raises(ValueError, match="found at least 9, expected at most 8"):
                call()
        with pytest.raises(ValueError, match="found at least 9, expected at most 8"):
            finder.query(line, radii)
    with pytest.raises(ValueError, match="max_pairs: found -1"):
        tangere.pairs(line, radii, max_pairs=-1)


def test_keywords_are_those_of_the_signature():
    for call in (
        lambda **options: tangere.pairs([[0, 0]], [1], **options),
        lambda **options: tangere.box_pairs_between(*[[[0, 0]]] * 4, **options),
        lambda **options: tangere.PairFinder(**options),
        lambda **options: tangere.PairFinder().update([[0, 0]], [1], **options),
    ):
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'metod'"):
            call(metod="auto")
    assert tangere.PairFinder(method="tree").method == "tree"


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads as Linux does")
def test_pools_of_threads_do_not_pile_up():
    program = """
import os, time, tangere
for threads in range(1, 30):
    tangere.pairs([[0, 0], [1, 0]], [0.5, 0.5], threads=threads)
tangere.pairs([[0, 0], [1, 0]], [0.5, 0.5], threads=2)
for _ in range(100):
    if len(os.listdir("/proc/self/task")) <= 3 + os.cpu_count():
        break
    time.sleep(0.1)
print(len(os.listdir("/proc/self/task")) - os.cpu_count())
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert re.fullmatch(r"-?\d+\n", out.stdout) and int(out.stdout) <= 3, out.stdout
