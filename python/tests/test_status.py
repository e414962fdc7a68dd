"""Words of numbers in rows, and rows and fields as plain files."""

import numpy as np
import pytest

import tangere
from tangere import _tangere, ccd


def test_words_are_those_of_the_library():
    words = dict(_tangere._words())
    for name, expected in words.items():
        enum = ccd.Status if name == "Status" else getattr(tangere, name)
        assert [code.word for code in enum] == expected and [int(code) for code in enum] == list(range(len(expected)))
        assert [enum(word) for word in expected] == list(enum)
        with pytest.raises(ValueError, match="nonsense"):
            enum("nonsense")
    assert words["Status"] == ["free", "contact", "unresolved", "not finite"]


def test_rows_have_the_numbers_of_the_words():
    knot, ball = tangere.generate.knot(1000), tangere.generate.sphere(2)
    poses = [[0, 0, 0], [9, 0, 0], [3, 0, 0]]
    rows = tangere.closest(knot, ball, pose_b=poses)
    for row, pose in zip(rows, poses, strict=True):
        assert tangere.SurfaceStatus(row["status"]).word == tangere.closest(knot, ball, pose_b=pose).status


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_rows_of_a_motion_are_a_text(ending, tmp_path):
    knot, ball = tangere.generate.knot(1000), tangere.generate.sphere(2)
    rows = tangere.closest(knot, ball, pose_b=[[0, 0, 0], [9, 0, 0]])
    path = tmp_path / f"rows.{ending}"
    tangere.save(rows, path)
    read = np.genfromtxt(path, delimiter={"csv": ",", "tsv": "\t"}[ending], names=True)
    for name in rows.dtype.names:
        values = rows[name]
        if values.ndim == 1:
            assert np.array_equal(read[name], values, equal_nan=values.dtype.kind == "f"), name
        else:
            parts = [read[f"{name}_{axis}"] for axis in "xyz"[: values.shape[1]]]
            assert np.array_equal(np.column_stack(parts), values, equal_nan=True), name
    query = [[0, 0, 0], [3, 0, 0]]
    tangere.save(knot.closest(query), path, points=query, point_data={"id": [2**53 + 1, 7]})
    text = path.read_text()
    assert text.startswith({"csv": "x,y,z,", "tsv": "x\ty\tz\t"}[ending]) and "9007199254740993" in text
    with pytest.raises(ValueError, match="^points: found 1 points, expected 2"):
        tangere.save(rows, path, points=[[0, 0, 0]])
    with pytest.raises(ValueError, match="^cell_data: found data, expected None"):
        tangere.save(rows, path, cell_data={"a": [1, 2]})
    # Without points they have no place, and the error calls them rows.
    with pytest.raises(ValueError, match="^rows: found the fields .*csv"):
        tangere.save(rows, tmp_path / "rows.vtu")
    with pytest.raises(ValueError, match="vtu, vtp|vtu or vtp|csv"):
        tangere.save(knot.closest(query), tmp_path / "rows.stl")


def test_fields_are_arrays(tmp_path):
    ball = tangere.generate.sphere(3)
    path = tmp_path / "field.npy"
    for field in [ball.distance_grid((4, 3, 2)), tangere.Inside(ball).classify_grid((4, 3, 2), margin=1)]:
        tangere.save(field, path)
        read = np.load(path)
        assert read.dtype == field.dtype and read.shape == field.cells[::-1]
        assert np.array_equal(read.reshape(-1), field)
    with pytest.raises(ValueError, match="npy holds the field alone"):
        tangere.save(field, path, cell_data={"twice": 2 * field})


def test_integers_keep_all_digits(tmp_path):
    large = 2**53 + 1
    for dtype, values in [(np.int64, [large, -large]), (np.uint64, [2**64 - 1, large])]:
        for ending in ["csv", "tsv", "vtp", "vtu"]:
            path = tmp_path / f"a.{ending}"
            tangere.save_particles([[0, 0, 0], [1, 1, 1]], 0.5, path, data={"id": np.array(values, dtype)})
            if ending in ("csv", "tsv"):
                rows = path.read_text().splitlines()
                assert [int(row.split({"csv": ",", "tsv": "\t"}[ending])[4]) for row in rows[1:]] == values
    with pytest.raises(ValueError, match=r'data: found NaN in "m", expected finite numbers in a text'):
        tangere.save_particles([[0, 0, 0]], 0.5, tmp_path / "a.csv", data={"m": [np.nan]})


def test_threads_of_a_grid():
    test = tangere.Inside(tangere.generate.sphere(3))
    assert np.array_equal(test.classify_grid(9, threads=1), test.classify_grid(9))
    with pytest.raises(ValueError, match="^threads: found -1"):
        test.classify_grid(9, threads=-1)


@pytest.mark.parametrize("bounds", [[0, 0, 0, 1, 1, 1], [[0, 0, 0]], [[0, 0], [1, 1]], 1.0])
def test_bounds_are_two_corners(bounds):
    with pytest.raises(ValueError, match=r"^bounds: found shape .*, expected \(2, 3\): the lower corner"):
        tangere.generate.sphere(1).distance_grid(4, bounds=bounds)


def test_frames_without_radii(tmp_path):
    path = tmp_path / "run.dump"
    path.write_text(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
        "ITEM: ATOMS id x y z\n1 0 0 0\n2 1 0 0\n"
    )
    (frame,) = tangere.read_dump(path)
    with pytest.raises(ValueError, match="expected radius .*; pairs and save_particles take one radius for all"):
        _ = frame.radii
    assert tangere.pairs(frame.centers, 0.5, periodic=frame.cell).tolist() == [[0, 1]]


def test_multipoles_beyond_all_memory():
    cube = tangere.generate.box([1, 1, 1])
    with pytest.raises(ValueError, match="^depth: found 16 with degree"):
        tangere.Inside(cube, method="multipole", depth=16)
