"""Bounding volume hierarchy: every result equals that of comparing all pairs of boxes."""

import copy
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import tangere


def meet(lower, upper, others_lower, others_upper):
    """Which closed boxes meet which, as a matrix."""
    return ((lower[:, None] <= others_upper) & (others_lower <= upper[:, None])).all(axis=2)


def expected_pairs(lower, upper):
    return np.argwhere(np.triu(meet(lower, upper, lower, upper), k=1))


def check(tree, lower, upper, queries_lower, queries_upper, **options):
    assert len(tree) == len(lower)
    offsets, items = tree.overlapping(queries_lower, queries_upper, **options)
    assert offsets.dtype == np.int64 and offsets.shape == (len(queries_lower) + 1,)
    assert items.dtype == np.uint32 and items.ndim == 1
    rows, expected = np.nonzero(meet(queries_lower, queries_upper, lower, upper))
    assert np.array_equal(items, expected)
    assert np.array_equal(offsets, np.searchsorted(rows, np.arange(len(queries_lower) + 1)))
    pairs = tree.pairs(**options)
    assert pairs.dtype == np.uint32 and pairs.flags.c_contiguous
    assert np.array_equal(pairs, expected_pairs(lower, upper).reshape(-1, 2))
    return len(items), len(pairs)


def random_boxes(rng, count, dimension, size=0.1):
    lower = rng.uniform(-1, 1, (count, dimension))
    return lower, lower + rng.uniform(0, size, (count, dimension))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 8, 9, 65, 1000])
def test_random_boxes(dimension, count):
    rng = np.random.default_rng(count)
    boxes, queries = random_boxes(rng, count, dimension), random_boxes(rng, 300, dimension, 0.5)
    tree = tangere.Tree(*boxes)
    found = check(tree, *boxes, *queries)
    assert count < 1000 or min(found) > 0
    none = np.empty((0, dimension))
    check(tree, *boxes, none, none)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("offset", [0.0, 1e9, -1e9])
@pytest.mark.parametrize("seed", range(10))
def test_ties(dimension, offset, seed):
    """On a lattice boxes share faces, edges, corners and places; many have no extent."""
    rng = np.random.default_rng(seed)
    scale = rng.choice([1.0, 0.1, 2.0**-20])

    def boxes(count):
        lower = rng.integers(-5, 5, (count, dimension))
        upper = lower + rng.integers(0, 3, (count, dimension))
        return lower * scale + offset, upper * scale + offset

    items, queries = boxes(200), boxes(100)
    check(tangere.Tree(*items), *items, *queries)


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e9])
def test_one_unit_in_the_last_place_separates_boxes(offset):
    ends = np.array([[offset + 1, 0.0]])
    for gap, expected in [(ends[0, 0], [[0, 1]]), (np.nextafter(ends[0, 0], np.inf), np.empty((0, 2)))]:
        lower = np.array([[offset, 0], [gap, 0]])
        upper = np.array([[offset + 1, 1], [offset + 2, 1]])
        assert np.array_equal(tangere.Tree(lower, upper).pairs(), expected)


def test_all_boxes_at_one_place():
    lower = np.full((100, 3), 7.5)
    tree = tangere.Tree(lower, lower)
    assert len(tree.pairs()) == 100 * 99 // 2
    check(tree, lower, lower, lower[:3], lower[:3])


def test_huge_and_tiny_boxes():
    rng = np.random.default_rng(5)
    magnitudes = 10.0 ** rng.uniform(-300, 300, (200, 3))
    lower, upper = -magnitudes, magnitudes[rng.permutation(200)]
    lower[::3] = np.abs(lower[::3]) / 2
    upper = np.maximum(lower, upper)
    check(tangere.Tree(lower, upper), lower, upper, lower[:50], upper[:50])


def test_infinite_query_boxes():
    rng = np.random.default_rng(6)
    boxes = random_boxes(rng, 100, 2)
    inf = np.inf
    lower = np.array([[-inf, -inf], [0, -inf], [-inf, 0], [inf, inf], [-inf, -inf]])
    upper = np.array([[inf, inf], [inf, inf], [0, 0], [inf, inf], [-inf, inf]])
    tree = tangere.Tree(*boxes)
    check(tree, *boxes, lower, upper)
    assert np.array_equal(np.diff(tree.overlapping(lower, upper)[0])[[0, 3, 4]], [100, 0, 0])


def test_boxes_of_a_mesh():
    mesh = tangere.generate.sphere(4)
    tree = tangere.Tree.of_mesh(mesh)
    corners = mesh.vertices[mesh.faces]
    boxes = corners.min(axis=1), corners.max(axis=1)
    check(tree, *boxes, boxes[0][:100] - 0.05, boxes[1][:100])
    assert (tree.dimension, len(tree)) == (3, len(mesh))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_boxes_of_spheres(dimension, offset):
    centers, radii = tangere.generate.particles(500, dim=dimension, seed=4)
    centers += offset
    radii[::7] = 0
    tree = tangere.Tree.of_spheres(centers, radii)
    assert (tree.dimension, len(tree)) == (dimension, 500)
    # One unit in the last place further out than rounded, points as they are.
    lower, upper = centers - radii[:, None], centers + radii[:, None]
    extended = radii > 0
    lower[extended] = np.nextafter(lower[extended], -np.inf)
    upper[extended] = np.nextafter(upper[extended], np.inf)
    assert min(check(tree, lower, upper, lower[:100], upper[:100])) > 0
    for dtype in ("f4", ">f8", "i8"):
        table = (10 * centers).astype(dtype), (100 * radii).astype(dtype)
        again = tangere.Tree.of_spheres(*(array.astype("f8") for array in table))
        assert np.array_equal(tangere.Tree.of_spheres(*table).pairs(), again.pairs())


def test_boxes_of_no_spheres():
    assert len(tangere.Tree.of_spheres(np.empty((0, 2)), [])) == 0


@pytest.mark.parametrize("dimension", [2, 3])
def test_spheres_that_touch_are_never_missed(dimension):
    """In rational arithmetic, at places where centre plus radius is rounded."""
    rng = np.random.default_rng(13)
    touching = 0
    for _ in range(300):
        centers = np.zeros((2, dimension))
        centers[:, 0] = np.sort(rng.choice([1, 10, 1e9]) * rng.uniform(-1, 1, 2))
        gap = Fraction(centers[1, 0]) - Fraction(centers[0, 0])
        first = float(gap) * rng.uniform()
        second = float(gap - Fraction(first))
        if first >= 0 and second >= 0 and Fraction(first) + Fraction(second) >= gap:
            touching += 1
            assert len(tangere.Tree.of_spheres(centers, [first, second]).pairs()) == 1
    assert touching > 50


@pytest.mark.parametrize(
    ("centers", "radii", "error", "message"),
    [
        ([[0, 0], [1, 1]], [1, -1], ValueError, r"radii\[1\]: found -1, expected"),
        ([[0, 0], [1, np.nan]], [1, 1], ValueError, r"centers\[1\]: found \[1.0, NaN\]"),
        ([[0, 0]], [1, 1], ValueError, "radii: found 2 radii, expected 1, one for each centre"),
        ([[0, 0, 0, 0]], [1], ValueError, r"centers: found shape \(1, 4\), expected \(N, 2\) or"),
        ("abc", [1], TypeError, "centers: found dtype <U3"),
    ],
)
def test_wrong_spheres(centers, radii, error, message):
    with pytest.raises(error, match=f"^{message}"):
        tangere.Tree.of_spheres(centers, radii)


@pytest.mark.parametrize("dimension", [2, 3])
def test_refit(dimension):
    rng = np.random.default_rng(7)
    queries = random_boxes(rng, 50, dimension, 0.5)
    tree = tangere.Tree(*random_boxes(rng, 500, dimension))
    before, nodes = tree.cost, tree.nodes
    for offset in (0, 1e9):
        lower, upper = random_boxes(rng, 500, dimension)
        lower, upper = lower + offset, upper + offset
        assert tree.refit(lower, upper) is None
        check(tree, lower, upper, queries[0] + offset, queries[1] + offset)
    # Neighbours have separated.
    assert tree.cost > 2 * before
    assert tree.nodes == nodes


def test_answers_do_not_depend_on_threads():
    rng = np.random.default_rng(8)
    boxes, queries = random_boxes(rng, 5000, 3), random_boxes(rng, 2000, 3)
    tree = tangere.Tree(*boxes)
    pairs, (offsets, items) = tree.pairs(), tree.overlapping(*queries)
    assert len(pairs) > 100 and len(items) > 100
    for threads in (1, 2, 3, 5, 16):
        assert np.array_equal(tree.pairs(threads=threads), pairs)
        found = tree.overlapping(*queries, threads=threads)
        assert np.array_equal(found[0], offsets) and np.array_equal(found[1], items)


def layouts(array):
    """The same numbers in other memory."""
    yield np.asfortranarray(array)
    yield np.repeat(array, 2, axis=0)[::2]
    yield array[::-1].copy()[::-1]
    yield array.astype(">f8")
    wide = np.zeros((len(array), 5))
    wide[:, 1:4] = array
    yield wide[:, 1:4]
    read_only = array.copy()
    read_only.flags.writeable = False
    yield read_only
    yield array.tolist()


def test_any_layout():
    lower, upper = random_boxes(np.random.default_rng(9), 100, 3)
    pairs = expected_pairs(lower, upper)
    queries = tangere.Tree(lower, upper).overlapping(lower, upper)
    for other_lower, other_upper in zip(layouts(lower), reversed(list(layouts(upper)))):
        tree = tangere.Tree(other_lower, other_upper)
        assert np.array_equal(tree.pairs(), pairs)
        assert all(map(np.array_equal, tree.overlapping(other_lower, other_upper), queries))
        tree.refit(other_lower, other_upper)
        assert np.array_equal(tree.pairs(), pairs)


def test_any_kind_of_number():
    lower = np.array([[0, 0], [1, 1], [3, 0]])
    for dtype in (np.int8, np.uint64, np.float32, np.float16):
        tree = tangere.Tree(lower.astype(dtype), (lower + 1).astype(dtype))
        assert tree.pairs().tolist() == [[0, 1]]


def test_owns_its_memory():
    lower, upper = random_boxes(np.random.default_rng(10), 100, 2)
    tree = tangere.Tree(lower, upper)
    pairs = tree.pairs()
    lower[:], upper[:] = 0, 0
    assert np.array_equal(tree.pairs(), pairs)


def test_answers_can_be_written_to():
    tree = tangere.Tree([[0, 0], [1, 1]], [[1, 1], [2, 2]])
    for array in (tree.pairs(), *tree.overlapping([[0, 0]], [[9, 9]])):
        array[:] = 0


def test_attributes():
    tree = tangere.Tree.of_mesh(tangere.generate.sphere(5))
    assert tree.nodes >= len(tree) / 8
    assert 4 <= tree.height <= 40
    assert 1 <= tree.cost < tree.nodes
    assert tree.bytes % tree.nodes == 0 and 0 < tree.bytes < 100 * len(tree)
    assert repr(tangere.Tree([[0, 0]], [[1, 1]])) == "<tangere.Tree of 1 box in 2 dimensions>"
    with pytest.raises(AttributeError):
        tree.nodes = 1
    empty = tangere.Tree(np.empty((0, 3)), np.empty((0, 3)))
    assert (len(empty), empty.nodes, empty.height, empty.cost, empty.bytes) == (0, 0, 0, 0, 0)
    empty.refit(np.empty((0, 3)), np.empty((0, 3)))
    assert empty.pairs().shape == (0, 2)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
@pytest.mark.parametrize("dimension", [2, 3])
def test_copies_are_of_their_own(duplicate, dimension):
    boxes = random_boxes(np.random.default_rng(11), 100, dimension)
    tree = tangere.Tree(*boxes)
    other = duplicate(tree)
    check(other, *boxes, *boxes)
    moved = boxes[0] + 5, boxes[1] + 9
    other.refit(*moved)
    check(other, *moved, *moved)
    check(tree, *boxes, *boxes)


SQUARE = np.array([[0.0, 0.0], [2.0, 2.0]]), np.array([[1.0, 1.0], [3.0, 3.0]])


def changed(array, row, column, value):
    array = array.copy()
    array[row, column] = value
    return array


NAN, INF = float("nan"), float("inf")
WRONG = [
    ([0, 1], SQUARE[1], ValueError, r"lower: found shape \(2,\), expected \(N, 2\)"),
    (np.zeros((2, 4)), np.zeros((2, 4)), ValueError, r"lower: found shape \(2, 4\), expected \(N, 2\)"),
    ([], [], ValueError, r"lower: found shape \(0,\), expected \(N, 2\)"),
    (SQUARE[0], np.zeros((2, 3)), ValueError, r"upper: found shape \(2, 3\), expected \(N, 2\)"),
    (SQUARE[0], SQUARE[1][:1], ValueError, r"upper: found shape \(1, 2\), expected \(2, 2\), that of lower"),
    ([["a", "b"]], SQUARE[1], TypeError, "lower: found dtype <U1, expected an array of real numbers"),
    (SQUARE[0], None, TypeError, "upper: found dtype object, expected an array of real numbers"),
    (SQUARE[0] * 1j, SQUARE[1], TypeError, "lower: found dtype complex128"),
    (changed(SQUARE[0], 1, 0, NAN), SQUARE[1], ValueError, r"lower\[1\]: found \[NaN, 2.0\], expected"),
    (SQUARE[0], changed(SQUARE[1], 1, 1, NAN), ValueError, r"upper\[1\]: found \[3.0, NaN\], expected"),
    (
        SQUARE[0],
        changed(SQUARE[1], 1, 1, 1.5),
        ValueError,
        r"upper\[1\]: found \[3.0, 1.5\], expected nothing below lower\[1\], \[2.0, 2.0\]",
    ),
]


@pytest.mark.parametrize(("lower", "upper", "error", "message"), WRONG)
def test_wrong_boxes(lower, upper, error, message):
    tree = tangere.Tree(*SQUARE)
    for take in (tangere.Tree, tree.overlapping, tree.refit):
        with pytest.raises(error, match=f"^{message}"):
            take(lower, upper)
    assert tree.pairs().shape == (0, 2)
    check(tree, *SQUARE, *SQUARE)


@pytest.mark.parametrize("value", [INF, -INF])
def test_items_must_be_finite(value):
    tree = tangere.Tree(*SQUARE)
    name, boxes = ("upper", [SQUARE[0], changed(SQUARE[1], 1, 0, value)])
    if value < 0:
        name, boxes = ("lower", [changed(SQUARE[0], 1, 0, value), SQUARE[1]])
    for take in (tangere.Tree, tree.refit):
        with pytest.raises(ValueError, match=rf"^{name}\[1\]: found .*inf.*, expected finite numbers$"):
            take(*boxes)


def test_wrong_number_of_boxes():
    tree = tangere.Tree(*SQUARE)
    with pytest.raises(
        ValueError, match=r"^lower: found shape \(1, 2\), expected \(2, 2\), a row for each item"
    ):
        tree.refit(SQUARE[0][:1], SQUARE[1][:1])
    with pytest.raises(ValueError, match=r"^lower: found shape \(1, 3\), expected \(N, 2\)"):
        tree.overlapping([[0, 0, 0]], [[1, 1, 1]])


def test_other_wrong_arguments():
    tree = tangere.Tree(*SQUARE)
    with pytest.raises(TypeError, match="^mesh: found ndarray, expected a Mesh$"):
        tangere.Tree.of_mesh(SQUARE[0])
    for threads in (0, -1, 10**6):
        with pytest.raises(ValueError, match=f"^threads: found {threads}, "):
            tree.pairs(threads=threads)
    with pytest.raises(TypeError, match="^threads: found float"):
        tree.overlapping(*SQUARE, threads=2.0)
    with pytest.raises(TypeError):
        tree.pairs(2)


def test_queries_while_items_move():
    """Each result is that of one state or of the other, never a mixture."""
    rng = np.random.default_rng(12)
    states = [random_boxes(rng, 3000, 3, size) for size in (0.05, 0.15)]
    answers = [tangere.Tree(*state).pairs() for state in states]
    tree = tangere.Tree(*states[0])

    def move(k):
        tree.refit(*states[k % 2])

    def query(_):
        pairs = tree.pairs()
        return any(np.array_equal(pairs, answer) for answer in answers)

    with ThreadPoolExecutor(4) as executor:
        moves = executor.map(move, range(40))
        assert all(executor.map(query, range(40)))
        assert list(moves) == [None] * 40


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_more_pairs_than_memory():
    """All of 40000 boxes meet: 6.4 GB of pairs in half a GB; the interpreter goes on."""
    program = """
import resource, numpy as np, tangere
tree = tangere.Tree(np.zeros((40_000, 3)), np.ones((40_000, 3)), threads=2)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**29, used + 2**29))
for threads in (1, 2):
    try:
        tree.pairs(threads=threads)
    except MemoryError as error:
        print(error)
print(tree, len(tangere.Tree([[0, 0], [1, 1]], [[1, 1], [2, 2]]).pairs()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and done.returncode == 0
    assert done.stdout.splitlines() == [
        *["out of memory: the result does not fit"] * 2,
        "<tangere.Tree of 40000 boxes in 3 dimensions> 1",
    ]


def test_interrupt_leaves_the_tree(interrupted):
    """Ctrl-C during a refit or a query: the tree is unchanged, or refitted."""
    program = """
import numpy as np
rng = np.random.default_rng(1)
lower = rng.uniform(size=(3000, 2))
tree = tangere.Tree(lower, lower + 1e-3)
few = len(tree.pairs())
many = len(tangere.Tree(lower, lower + 1e-2).pairs())
big = tangere.Tree(np.zeros((4000, 3)), np.ones((4000, 3)))
print("ready", flush=True)
try:
    while True:
        big.pairs(threads=1)
        tree.refit(lower, lower + 1e-2)
        tree.refit(lower, lower + 1e-3)
except KeyboardInterrupt:
    print("interrupted", len(tree.pairs()) in (few, many), flush=True)
"""
    out = interrupted(program, after=0.2)
    assert out == "interrupted True\n"
