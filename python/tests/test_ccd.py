"""Time of impact of vertices, edges and faces in linear motion."""

from pathlib import Path

import numpy as np
import pytest

from tangere import ccd

SHARED = Path(__file__).resolve().parents[3] / "shared" / "ccd"


def test_known_truth():
    files = sorted(SHARED.glob("*.csv"))
    if not files:
        pytest.skip("no shared queries")
    count = 0
    for file in files:
        rows = np.loadtxt(file, delimiter=",", dtype=object, converters=int, ndmin=2)
        points = np.array(
            [[int(row[i]) / int(row[i + 1]) for i in (0, 2, 4)] for row in rows], dtype=float
        ).reshape(-1, 8, 3)
        truth = np.array([int(row[6]) for row in rows]).reshape(-1, 8)[:, 0]
        query = ccd.edge_edge if "edge-edge" in file.name else ccd.vertex_face
        found = query(points[:, :4], points[:, 4:])
        assert (found["status"] == truth).all()
        assert (np.isfinite(found["time"]) == (truth == 1)).all()
        count += len(truth)
    assert count >= 1824


@pytest.mark.parametrize(
    ("query", "corners"),
    [(ccd.vertex_face, 4), (ccd.edge_edge, 4), (ccd.edge_vertex, 3), (ccd.vertex_vertex, 2)],
)
def test_pairs(query, corners):
    start, end = np.random.default_rng(3).random((2, 2000, corners, 3))
    found = query(start, end, separation=0.05)
    assert found.shape == (2000,)
    assert found.dtype.names == ("time", "late", "status")
    contact = found["status"] == ccd.Status.CONTACT
    assert 10 < contact.sum() < 1900
    assert (found["time"][contact] <= found["late"][contact]).all()
    assert (found["time"][found["status"] == ccd.Status.FREE] == np.inf).all()
    one = query(start, end, separation=0.05, threads=1)
    assert one.tobytes() == found.tobytes()
    # Touching comes later than a separation, if ever.
    assert (query(start, end)["late"] >= found["time"]).all()
    # Any memory layout, and no pairs.
    assert (query(start[::-2].tolist(), end[::-2]) == query(start, end)[::-2]).all()
    assert query(np.empty((0, corners, 3)), np.empty((0, corners, 3))).shape == (0,)


def test_coordinates_that_are_not_finite():
    start = np.zeros((3, 4, 3))
    start[1, 2, 0] = np.nan
    start[2, 0, 0] = np.inf
    found = ccd.vertex_face(start, np.zeros((3, 4, 3)))
    assert found["status"].tolist() == [1, 3, 3]
    assert np.isnan(found["time"][1:]).all()


def test_errors():
    good = np.zeros((2, 4, 3))
    with pytest.raises(ValueError, match=r"start: found shape \(2, 3, 3\), expected \(N, 4, 3\)"):
        ccd.edge_edge(good[:, :3], good)
    with pytest.raises(ValueError, match="end: found 1 pairs, expected 2, as many as start has"):
        ccd.vertex_face(good, good[:1])
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="separation: found .*, expected a finite number"):
            ccd.vertex_face(good, good, separation=bad)
    with pytest.raises(TypeError, match="separation: found str, expected a number"):
        ccd.vertex_face(good, good, separation="near")
    with pytest.raises(TypeError, match="start: found dtype"):
        ccd.vertex_face(good.astype(complex), good)
    with pytest.raises(ValueError, match="threads"):
        ccd.vertex_face(good, good, threads=0)
