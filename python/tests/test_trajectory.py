"""Time of impact of balls on parabolas."""

import threading

import numpy as np
import pytest

from tangere import ccd, trajectory
from tangere.trajectory import Status, first_meetings, next_collisions

GRAVITY = [0.0, 0.0, -9.81]


def test_thrown_against_each_other():
    # aragon2013, example 5.1: 1500 m apart, radius 1 m, 50 m/s to each other, any gravity.
    up = 50 * np.sqrt(3)
    centers = [[0, 0, 0], [1500, 0, 0]]
    velocities = [[50, 0, up], [-50, 0, up]]
    for accelerations in (None, GRAVITY, [GRAVITY, GRAVITY]):
        found = first_meetings(centers, 1.0, velocities, accelerations)
        assert found.shape == (1,)
        assert found.dtype.names == ("a", "b", "early", "late", "status")
        assert (found["a"][0], found["b"][0]) == (0, 1)
        assert found["early"][0] <= 14.98 <= found["late"][0]
        assert found["late"][0] - found["early"][0] < 15e-12
        assert found["status"][0] == Status.CONTACT


def test_closed_forms():
    # Dropped from a height onto a ball at rest: a quartic whose root is known.
    height = np.linspace(3, 300, 100)
    centers = np.zeros((101, 3))
    centers[1:, 2] = height
    pull = np.zeros((101, 3))
    pull[1:, 2] = -9.81
    pairs = np.stack([np.zeros(100, int), np.arange(1, 101)], axis=1)
    found = first_meetings(centers, np.ones(101), None, pull, pairs=pairs)
    expected = np.sqrt(2 * (height - 2) / 9.81)
    assert np.allclose(found["early"], expected, rtol=1e-14, atol=0)
    assert (found["early"] <= found["late"]).all()
    assert (found["late"] <= found["early"] * (1 + 1e-12)).all()
    # Aside by the sum of radii exactly it grazes, when it comes by; one float more and it does not.
    for aside, status in ((2.0, Status.CONTACT), (np.nextafter(2, 3), Status.FREE)):
        found = first_meetings([[0, 0, 0], [aside, 0, 8]], 1.0, None, [[0, 0, 0], [0, 0, -4]])
        assert found["status"][0] == status
        assert found["early"][0] == (2.0 if status == Status.CONTACT else np.inf)


def test_degenerate():
    # Balls at rest, points, balls that overlap now.
    found = first_meetings([[0, 0, 0], [3, 0, 0], [1, 0, 0]], 1.0)
    assert found["early"].tolist() == [np.inf, 0.0, 0.0]
    assert found["late"].tolist() == [np.inf, 0.0, 0.0]
    assert found["status"].tolist() == [Status.FREE, Status.CONTACT, Status.CONTACT]
    assert found[["a", "b"]].tolist() == [(0, 1), (0, 2), (1, 2)]
    found = first_meetings([[0, 0, 0], [3, 0, 0]], 0, [[1, 0, 0], [0, 0, 0]])
    assert (found["early"][0], found["late"][0]) == (3.0, 3.0)
    for nothing in (first_meetings([], 1.0), first_meetings(np.empty((0, 3)), [])):
        assert nothing.shape == (0,)
    assert first_meetings([[0, 0, 0]], 1.0).shape == (0,)
    assert first_meetings([[0, 0, 0]], 1.0, pairs=[]).shape == (0,)


def test_all_pairs_are_those_of_numpy():
    random = np.random.default_rng(5)
    centers, velocities, accelerations = random.normal(size=(3, 60, 3))
    radii = random.random(60) * 0.4
    found = first_meetings(centers, radii, velocities, accelerations)
    a, b = np.triu_indices(60, 1)
    assert (found["a"] == a).all()
    assert (found["b"] == b).all()
    contact = found["status"] == Status.CONTACT
    assert 20 < contact.sum() < 1700
    assert (np.isfinite(found["early"]) == contact).all()
    # At these times, and no earlier, the distance is the sum of the radii.
    t = found["early"][contact, None]
    at = [
        centers[i] + t * velocities[i] + 0.5 * t**2 * accelerations[i]
        for i in (a[contact], b[contact])
    ]
    gap = np.linalg.norm(at[1] - at[0], axis=1) - radii[a[contact]] - radii[b[contact]]
    assert (np.abs(gap[t[:, 0] > 0]) < 1e-9).all()
    # Pairs may come in any order, from any memory, on any number of threads.
    pairs = np.stack([b, a], axis=1)[::-3]
    some = first_meetings(
        centers.tolist(), radii, np.asfortranarray(velocities), accelerations, pairs=pairs, threads=1
    )
    for field in ("early", "late", "status"):
        assert (some[field] == found[field][::-3]).all()
    again = first_meetings(centers, radii, velocities, accelerations, threads=3)
    assert again.tobytes() == found.tobytes()


def test_horizon():
    arguments = ([[0, 0, 0], [10, 0, 0]], 1.0, [[1, 0, 0], [0, 0, 0]])
    for horizon, is_met in ((None, True), (np.inf, True), (8.5, True), (7.5, False), (0, False)):
        found = first_meetings(*arguments, horizon=horizon)
        assert (found["status"][0] == Status.CONTACT) == is_met
    for horizon in (-1.0, np.nan):
        with pytest.raises(ValueError, match="horizon: found .*, expected a number, 0 or more"):
            first_meetings(*arguments, horizon=horizon)


def test_hard_spheres():
    # They touch: approaching ones collide now, separating ones never.
    touching = [[0, 0, 0], [1, 0, 0]]
    for speed, time in ((-1.0, 0.0), (1.0, np.inf), (0.0, np.inf)):
        found = next_collisions(touching, 0.5, [[0, 0, 0], [speed, 0, 0]])
        assert found["early"][0] == time
        assert first_meetings(touching, 0.5, [[0, 0, 0], [speed, 0, 0]])["early"][0] == 0.0
    # Apart, they behave as in first_meetings.
    random = np.random.default_rng(6)
    centers, velocities = random.normal(size=(2, 40, 3))
    one = next_collisions(centers, 1e-3, velocities)
    assert one.tobytes() == first_meetings(centers, 1e-3, velocities).tobytes()


def test_status_is_that_of_ccd():
    assert trajectory.Status is ccd.Status


def test_errors():
    good = np.zeros((4, 3))
    for shape in ((3,), (4, 2), (2, 2, 3)):
        with pytest.raises(ValueError, match=r"centers: found shape .*, expected \(N, 3\)"):
            first_meetings(np.ones(shape), 1.0)
    with pytest.raises(ValueError, match=r"radii: found shape \(3,\), expected \(4,\) or a number"):
        first_meetings(good, [1, 1, 1])
    with pytest.raises(
        ValueError, match=r"velocities: found shape \(2, 3\), expected \(4, 3\) or \(3,\)"
    ):
        first_meetings(good, 1.0, good[:2])
    with pytest.raises(ValueError, match=r"accelerations: found shape \(4,\)"):
        first_meetings(good, 1.0, good, [0, 0, 0, 0])
    bad = good.copy()
    bad[2, 1] = np.nan
    message = r"\[2\]: found \[0, NaN, 0\], expected finite numbers"
    for name in ("centers", "velocities", "accelerations"):
        arguments = {"centers": good, "radii": 1.0, name: bad}
        with pytest.raises(ValueError, match=name + message):
            first_meetings(**arguments)
    with pytest.raises(ValueError, match=r"radii\[1\]: found -2, expected a finite number, 0 or"):
        first_meetings(good, [1, -2, 1, 1])
    with pytest.raises(ValueError, match=r"pairs\[1\]: found \[0, 4\], expected indices below"):
        first_meetings(good, 1.0, pairs=[[0, 1], [0, 4]])
    with pytest.raises(ValueError, match=r"pairs: found shape \(3,\), expected \(M, 2\)"):
        next_collisions(good, 1.0, good, pairs=[0, 1, 2])
    with pytest.raises(TypeError, match="pairs: found"):
        first_meetings(good, 1.0, pairs=[[0.5, 1.0]])
    with pytest.raises(TypeError, match="horizon: found str, expected a number"):
        first_meetings(good, 1.0, horizon="soon")
    with pytest.raises(TypeError, match="missing 1 required"):
        next_collisions(good, 1.0)
    with pytest.raises(ValueError, match="threads: found 0"):
        first_meetings(good, 1.0, threads=0)


def test_other_threads_run_meanwhile():
    random = np.random.default_rng(7)
    centers, velocities, accelerations = random.normal(size=(3, 2000, 3))
    done = threading.Event()
    ticks = 0

    def count():
        nonlocal ticks
        while not done.wait(1e-3):
            ticks += 1

    counter = threading.Thread(target=count)
    counter.start()
    first_meetings(centers, 0.01, velocities, accelerations, threads=1)
    done.set()
    counter.join()
    assert ticks > 3
