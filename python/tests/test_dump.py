"""LAMMPS dumps, frame by frame."""

import pickle

import numpy as np
import pytest

import tangere

HEAD = "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{count}\nITEM: BOX BOUNDS {bounds}\nITEM: ATOMS {names}\n"


def frame(step, atoms, names="id type x y z radius element", bounds="pp pp ff\n0 10\n0 10\n0 10"):
    rows = "".join(f"{atom}\n" for atom in atoms)
    return HEAD.format(step=step, count=len(atoms), bounds=bounds, names=names) + rows


def dump(tmp_path, *frames):
    path = tmp_path / "run.dump"
    path.write_text("".join(frames))
    return path


def test_frames_are_sorted_by_id(tmp_path):
    first = frame(0, ["7 1 9.75 5 5 0.5 Si", "3 2 0.5 5 5 0.25 O"])
    second = frame(100, ["3 2 1 5 5 0.25 O"])
    read = list(tangere.read_dump(dump(tmp_path, first, second)))
    assert [(f.step, len(f), f.time) for f in read] == [(0, 2, None), (100, 1, None)]
    a = read[0]
    assert a.ids.tolist() == [3, 7] and a.ids.dtype == np.int64
    assert a.centers.tolist() == [[0.5, 5, 5], [9.75, 5, 5]] and a.radii.tolist() == [0.25, 0.5]
    assert list(a.columns) == ["id", "type", "x", "y", "z", "radius", "element"]
    assert a.columns["element"].tolist() == ["O", "Si"]
    assert a.columns["type"].dtype == np.int64 and a.columns["x"].dtype == np.float64
    assert a.box.bounds.tolist() == [[0, 10]] * 3 and a.box.periodic == (True, True, False)
    assert a.cell == tangere.Periodic([10, 10, 0])
    pairs = tangere.pairs(a.centers, a.radii, periodic=a.cell)
    assert a.ids[pairs].tolist() == [[3, 7]]
    again = pickle.loads(pickle.dumps(a))
    assert again.columns.keys() == a.columns.keys() and (again.centers == a.centers).all()


def test_tilted_scaled_and_planar(tmp_path):
    tilted = frame(5, ["1 0 1 0 1"], "id xs ys zs diameter", "xy xz yz pp pp pp\n0 11 1\n0 4 0\n0 4 0")
    (a,) = tangere.read_dump(dump(tmp_path, tilted))
    assert a.centers.tolist() == [[1, 4, 0]] and a.radii.tolist() == [0.5]
    assert a.box.vectors.tolist() == [[10, 0, 0], [1, 4, 0], [0, 0, 4]]
    assert a.cell == tangere.Periodic([10, 4, 4], tilt=[1, 0, 0])
    (b,) = tangere.read_dump(dump(tmp_path, frame(5, ["1 2 3"], "x y radius")))
    assert b.ids is None and b.centers.shape == (1, 2)
    assert b.cell == tangere.Periodic([10, 10])
    (c,) = tangere.read_dump(dump(tmp_path, frame(5, ["1 2"], "id vx", "ff ff ff\n0 1\n0 1\n0 1")))
    assert c.cell is None and c.columns["vx"].tolist() == [2.0]
    with pytest.raises(ValueError, match="columns: found id, vx, expected x, y"):
        c.centers
    with pytest.raises(ValueError, match="expected radius"):
        c.radii
    general = frame(5, ["1 0 0 0 1"], "id x y z radius", "abc origin pp pp pp\n0 1 0 0\n1 0 0 0\n0 0 1 0")
    (d,) = tangere.read_dump(dump(tmp_path, general))
    with pytest.raises(ValueError, match="first edge along x"):
        d.cell


def test_bad_dumps(tmp_path):
    good = frame(0, ["3 1 0 0 0 1 O"])
    bad = frame(50, ["3 1 0 0 0 1 O", "4 1 0 0 0 1 O", "3 1 2 0 0 1 O"])
    frames = tangere.read_dump(dump(tmp_path, good, bad))
    assert next(frames).step == 0
    with pytest.raises(ValueError, match=r"frame 1: found two atoms with the id 3 \(step 50\)"):
        next(frames)
    with pytest.raises(StopIteration):
        next(frames)
    with pytest.raises(FileNotFoundError):
        tangere.read_dump(tmp_path / "none")
    with pytest.raises(ValueError, match="run.dump: line 1: found"):
        next(tangere.read_dump(dump(tmp_path, "x,y\n1,2\n")))
