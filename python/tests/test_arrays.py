"""Arrays of any layout and dtype are accepted; errors about others name the argument."""

import re

import numpy as np
import pytest

import tangere


def misaligned(array):
    """The same values at an odd address."""
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = memory[1:].view(array.dtype).reshape(array.shape)
    view[:] = array
    assert not view.flags.aligned
    return view


def packed(array):
    """The same values in records of 3 items and a byte, so that rows are at odd addresses."""
    records = np.zeros(len(array), dtype=[("row", array.dtype, 3), ("tag", "u1")])
    records["row"] = array
    return records["row"]


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


LAYOUTS = {
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "transposed": lambda a: a.T.copy().T,
    "every other row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "wider rows": lambda a: np.hstack([a, a])[:, :3],
    "columns apart": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "reversed rows": lambda a: a[::-1].copy()[::-1],
    "reversed columns": lambda a: a[:, ::-1].copy()[:, ::-1],
    "big endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "little endian": lambda a: a.astype(a.dtype.newbyteorder("<")),
    "misaligned": misaligned,
    "packed records": packed,
    "read-only": read_only,
    "matrix": lambda a: a.view(np.ndarray).copy().view(type("Sub", (np.ndarray,), {})),
    "list": lambda a: a.tolist(),
    "tuple of arrays": lambda a: tuple(a),
    "memoryview": lambda a: memoryview(np.ascontiguousarray(a)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(cube, layout):
    vertices, faces = cube
    vertices = vertices + [0.1, 0.2, 0.3]
    expected = tangere.Mesh(vertices, faces)
    assert np.array_equal(expected.vertices, vertices) and np.array_equal(expected.faces, faces)
    assert tangere.Mesh(LAYOUTS[layout](vertices), faces) == expected
    assert tangere.Mesh(vertices, LAYOUTS[layout](faces)) == expected
    assert tangere.Mesh(vertices, LAYOUTS[layout](faces.astype(np.uint32))) == expected
    assert tangere.Mesh(vertices, LAYOUTS[layout](faces.astype(np.int16))) == expected


@pytest.mark.parametrize("dtype", "b h i l q B H I L Q >i2 >i4 >u4 >i8 >u8 intp uintp".split())
def test_integer_dtypes(cube, dtype):
    vertices, faces = cube
    assert tangere.Mesh(vertices, faces.astype(dtype)) == tangere.Mesh(vertices, faces)


@pytest.mark.parametrize("dtype", "e f d g >f4 >f8 b B i8 u8".split())
def test_real_dtypes(cube, dtype):
    vertices, faces = cube
    assert tangere.Mesh(vertices.astype(dtype), faces) == tangere.Mesh(vertices, faces)


def test_objects_with_array_protocol(cube):
    vertices, faces = cube

    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return vertices

    assert tangere.Mesh(Wrapped(), faces) == tangere.Mesh(vertices, faces)


def test_broadcast_rows():
    point = np.broadcast_to(np.array([1.0, 2.0, 3.0]), (5, 3))
    with pytest.raises(ValueError, match="extent"):
        tangere.Mesh(point, [[0, 1, 2]])


V = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
F = [[0, 1, 2]]
NAN, INF = float("nan"), float("inf")


class Raises:
    def __array__(self, dtype=None, copy=None):
        raise OSError("the disk is gone")


BAD_MESHES = [
    # vertices, faces, exception, pattern
    ("abc", F, TypeError, r"vertices: found dtype <U3, expected"),
    ([["a", "b", "c"]], F, TypeError, r"vertices: found dtype"),
    (None, F, TypeError, r"vertices: found dtype object"),
    ({}, F, TypeError, r"vertices: found dtype object"),
    (object(), F, TypeError, r"vertices: found dtype object"),
    (np.array(V, dtype=complex), F, TypeError, r"vertices: found dtype complex128"),
    (np.array(V, dtype=bool), F, TypeError, r"vertices: found dtype bool"),
    (np.array(V, dtype=object), F, TypeError, r"vertices: found dtype object"),
    (np.zeros((3, 3), dtype="M8[s]"), F, TypeError, r"vertices: found dtype datetime64"),
    (np.zeros((3, 3), dtype="m8[s]"), F, TypeError, r"vertices: found dtype timedelta64"),
    (np.zeros(3, dtype=[("x", "f8")]), F, TypeError, r"vertices: found dtype"),
    ([[0, 0, 0], [1, 0]], F, ValueError, r"vertices: "),
    (1.0, F, ValueError, r"vertices: found shape \(\), expected \(N, 3\)"),
    ([], F, ValueError, r"vertices: found shape \(0,\), expected \(N, 3\)"),
    ([0.0, 1.0, 2.0], F, ValueError, r"vertices: found shape \(3,\), expected \(N, 3\)"),
    (np.zeros((3, 2)), F, ValueError, r"vertices: found shape \(3, 2\), expected \(N, 3\)"),
    (np.zeros((3, 4)), F, ValueError, r"vertices: found shape \(3, 4\), expected \(N, 3\)"),
    (np.zeros((3, 3, 1)), F, ValueError, r"vertices: found shape \(3, 3, 1\)"),
    (np.zeros((1,) * 32), F, ValueError, r"vertices: found shape \(1, 1, .*expected \(N, 3\)"),
    (np.zeros((3, 0)), F, ValueError, r"vertices: found shape \(3, 0\)"),
    (np.zeros((0, 3)), F, ValueError, r"faces\[0\]: found \[0, 1, 2\], expected .* below 0"),
    (np.zeros((3, 3)), F, ValueError, r"^vertices: found all corners .* extent"),
    ([V[0], [NAN, 0, 0], V[2]], F, ValueError, r"^vertices\[1\]: found \[NaN, 0.0, 0.0\]"),
    ([V[0], V[1], [0, INF, 0]], F, ValueError, r"^vertices\[2\]: found \[0.0, inf, 0.0\]"),
    ([V[0], V[1], [0, -INF, 0]], F, ValueError, r"^vertices\[2\]: found \[0.0, -inf, 0.0\]"),
    ([V[0], V[1], [0, 1e200, 0]], F, ValueError, r"^vertices\[2\]: "),
    ([V[0], V[1], [0, 1e-200, 0]], F, ValueError, r"^vertices\[2\]: "),
    ([V[0], V[1], [0, 10**400, 0]], F, (TypeError, ValueError), r"vertices: "),
    # An unused vertex must be finite, too.
    ([*V, [NAN, 0, 0]], F, ValueError, r"^vertices\[3\]: "),
    (V, "abc", TypeError, r"faces: found dtype <U3, expected an array of integers"),
    (V, None, TypeError, r"faces: found dtype object"),
    (V, [[0.0, 1.0, 2.0]], TypeError, r"faces: found dtype float64, expected an array of integers"),
    (V, np.zeros((0, 3)), TypeError, r"faces: found dtype float64"),
    (V, np.zeros((1, 3), dtype=bool), TypeError, r"faces: found dtype bool"),
    (V, np.zeros((1, 3), dtype=complex), TypeError, r"faces: found dtype complex128"),
    (V, [[0, 1, 10**30]], TypeError, r"faces: found dtype object"),
    (V, [], ValueError, r"faces: found shape \(0,\), expected \(N, 3\)"),
    (V, [[]], ValueError, r"faces: found shape \(1, 0\), expected \(N, 3\)"),
    (V, np.zeros((0, 3), dtype=int), ValueError, r"^faces: found no triangles, expected at least one"),
    (V, 0, ValueError, r"faces: found shape \(\), expected \(N, 3\)"),
    (V, [0, 1, 2], ValueError, r"faces: found shape \(3,\), expected \(N, 3\)"),
    (V, [[0, 1, 2, 0]], ValueError, r"faces: found shape \(1, 4\), expected \(N, 3\)"),
    (V, [[0, 1, 2], [0, 1]], ValueError, r"faces: "),
    (V, [[0, 1, 2], [0, 1, 3]], ValueError, r"faces\[1\]: found \[0, 1, 3\], expected .* below 3"),
    (V, [[0, 1, 2], [0, -1, 2]], ValueError, r"faces\[1\]: found \[0, -1, 2\], expected .* from 0"),
    (V, [[0, 1, 2**32]], ValueError, r"faces\[0\]: found \[0, 1, 4294967296\]"),
    (V, np.array([[0, 1, 2**64 - 1]], dtype="u8"), ValueError, r"faces\[0\]: .*18446744073709551615"),
    (V, np.array([[0, 1, 200]], dtype="u1"), ValueError, r"faces\[0\]: found \[0, 1, 200\]"),
    (V, np.array([[0, 1, -2]], dtype=">i2"), ValueError, r"faces\[0\]: found \[0, 1, -2\]"),
    (V, [[0, 0, 0]], ValueError, r"extent"),
    (Raises(), F, OSError, r"the disk is gone"),
]


@pytest.mark.parametrize(("vertices", "faces", "exception", "pattern"), BAD_MESHES)
def test_bad_meshes(vertices, faces, exception, pattern):
    with pytest.raises(exception) as caught:
        tangere.Mesh(vertices, faces)
    assert re.search(pattern, str(caught.value))


@pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2, reason="NumPy 1 has at most 32 axes")
@pytest.mark.parametrize("shape", [(1,) * 33, (1,) * 64, (0,) * 64])
def test_very_many_axes(shape):
    for bad in [(np.zeros(shape), F), (V, np.zeros(shape, dtype=int))]:
        with pytest.raises(ValueError, match=r"expected \(N, 3\)"):
            tangere.Mesh(*bad)
    with pytest.raises(ValueError, match=r"expected \(3,\)"):
        tangere.Mesh(V, F).transformed(translate=np.zeros(shape))


def test_wrong_calls():
    with pytest.raises(TypeError):
        tangere.Mesh()
    with pytest.raises(TypeError):
        tangere.Mesh(V)
    with pytest.raises(TypeError):
        tangere.Mesh(V, F, F)
    with pytest.raises(TypeError):
        tangere.MeshReport()


BAD_TRANSFORMS = [
    ({"scale": 0}, ValueError, "scale: found 0"),
    ({"scale": NAN}, ValueError, "scale: found NaN"),
    ({"scale": INF}, ValueError, "scale: found inf"),
    ({"scale": 10**400}, ValueError, "scale: "),
    ({"scale": "2"}, TypeError, "scale: found str, expected a number"),
    ({"scale": 1j}, TypeError, "scale: found complex"),
    ({"scale": [1, 2, 3]}, TypeError, "scale: found list"),
    ({"scale": None}, TypeError, "^scale: found NoneType, expected a number$"),
    ({"rotate": [1, 0, 0]}, ValueError, r"rotate: found shape \(3,\), expected \(4,\) or \(3, 3\)"),
    ({"rotate": np.eye(4)}, ValueError, r"rotate: found shape \(4, 4\)"),
    ({"rotate": "x"}, ValueError, "^rotate: found 'x', expected an axis and degrees such as 'x:90' or"),
    ({"rotate": ""}, ValueError, "^rotate: found '', expected an axis"),
    ({"rotate": "x:nan"}, ValueError, "^rotate: found 'x:nan', expected an axis"),
    ({"rotate": "0,0,0:90"}, ValueError, "^rotate: found '0,0,0:90', expected an axis"),
    ({"rotate": "2,0,0,0"}, ValueError, "^rotate: found '2,0,0,0', .* of length 1$"),
    ({"rotate": "\udc80:90"}, UnicodeEncodeError, ""),
    ({"rotate": ["x:90"]}, TypeError, "^rotate: found dtype <U4"),
    ({"rotate": b"x:90"}, TypeError, "^rotate: found dtype"),
    ({"rotate": [0, 0, 0, 0]}, ValueError, "^rotate: found .* of length 0, expected a quaternion"),
    ({"rotate": [2, 0, 0, 0]}, ValueError, "^rotate: found .* of length 2, expected a quaternion"),
    ({"rotate": [1, 0, NAN, 1]}, ValueError, r"^rotate\[2\]: found NaN, expected a finite number$"),
    ({"rotate": 2 * np.eye(3)}, ValueError, "^rotate: found row 0 times row 0 = 4, expected 1"),
    ({"rotate": -np.eye(3)}, ValueError, "^rotate: found determinant -1, a reflection, expected"),
    ({"rotate": np.diag([1, 1, INF])}, ValueError, r"^rotate\[2, 2\]: found inf, expected a finite"),
    ({"translate": 1}, ValueError, r"translate: found shape \(\), expected \(3,\)"),
    ({"translate": [1, 2]}, ValueError, r"translate: found shape \(2,\), expected \(3,\)"),
    ({"translate": [1, 2, NAN]}, ValueError, r"^translate\[2\]: found NaN, expected a finite number$"),
    ({"translate": [1, -1e300, 0]}, ValueError, r"^translate\[1\]: found -1e300, expected .* 1.6e60$"),
    ({"translate": [1, 2, 3j]}, TypeError, "translate: found dtype complex128"),
    ({"pose": [1, 2]}, ValueError, r"pose: found shape \(2,\), expected"),
    ({"pose": np.ones((4, 4))}, ValueError, r"^pose\[3\]: found \[1.0, .*, expected \[0, 0, 0, 1\]$"),
    ({"pose": np.diag([2, 1, 1, 1])}, ValueError, "^pose: found row 0 times row 0 = 4, expected 1"),
    ({"pose": np.eye(4) + NAN}, ValueError, r"^pose\[0, 0\]: found NaN"),
    ({"pose": np.eye(4) + np.diag([0, 1e99], 2)}, ValueError, r"^pose\[1, 3\]: found 1e99, expected"),
    ({"pose": [0, 0, 1e99]}, ValueError, r"^pose\[2\]: found 1e99, expected"),
    ({"pose": [0, 0, 0, 1, 0, 0, INF]}, ValueError, r"^pose\[6\]: found inf, expected"),
    ({"pose": [0, 0, 0, 0, 0, 0, 0]}, ValueError, r"^pose\[3:\]: found .* of length 0, expected"),
    ({"pose": [0, 0, 0], "rotate": np.eye(3)}, TypeError, "pose: "),
    ({"pose": [0, 0, 0], "translate": [0, 0, 0]}, TypeError, "pose: "),
    ({"shear": 1}, TypeError, "shear"),
]


@pytest.mark.parametrize(("options", "exception", "pattern"), BAD_TRANSFORMS)
def test_bad_transforms(options, exception, pattern):
    with pytest.raises(exception) as caught:
        tangere.Mesh(V, F).transformed(**options)
    assert re.search(pattern, str(caught.value))


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        tangere.Mesh(V, F).transformed(2.0)


def test_a_transform_must_stay_in_range():
    far = tangere.Mesh(V, F).transformed(scale=1e60)
    with pytest.raises(ValueError, match=r"^vertices\[1\] of the result: found \[.*e119, 0.0, 0.0\]"):
        far.transformed(scale=1e60)


@pytest.mark.parametrize("tolerance", [-1, NAN, INF, -INF])
def test_bad_tolerances(tolerance):
    with pytest.raises(ValueError, match=f"^tolerance: found {tolerance}, ".replace("nan", "NaN")):
        tangere.Mesh(V, F).welded(tolerance)
    with pytest.raises(TypeError, match="tolerance: found str"):
        tangere.Mesh(V, F).welded("1")


def test_masked_values_are_refused(tmp_path):
    points = np.ma.masked_array(np.zeros((2, 3)), mask=[[0, 0, 0], [0, 1, 0]])
    box = tangere.generate.box([1, 1, 1])
    for call in (
        lambda: tangere.inside(box, points),
        lambda: tangere.pairs(points, 1.0),
    ):
        with pytest.raises(ValueError, match="found masked values, expected none"):
            call()
    with pytest.raises(ValueError, match=r'data\["m"\]: found masked values'):
        tangere.save_particles(np.zeros((2, 3)), 1.0, tmp_path / "a.vtp", data={"m": points[:, 1]})
    # Without masked values it is an array like any other.
    points.mask = False
    assert tangere.inside(box, points).tolist() == [1, 1]


def test_integers_are_not_rounded():
    large = 2**53 + 1
    for dtype in (np.int64, np.uint64):
        points = np.array([[0, 0, 0], [1, large, 0]], dtype)
        with pytest.raises(ValueError, match=rf"centers\[1\]: found {large}, expected an integer that float64 holds"):
            tangere.pairs(points, 1.0)
    with pytest.raises(ValueError, match=rf"centers\[0\]: found {large}"):
        tangere.pairs([[large, 0, 0]], 1.0)
    assert len(tangere.pairs(np.array([[0, 0, 0], [2**60, 0, 0]]), 1.0)) == 0
