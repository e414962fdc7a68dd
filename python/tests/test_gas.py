"""Event-driven hard spheres: closed forms, conservation, restarts, bad arguments, Ctrl-C."""

import time

import numpy as np
import pytest

from tangere import Gas, generate


def crystal(count=500, filled=0.3, **options):
    centers, radii = generate.crystal(count, filled)
    velocities = np.random.default_rng(1).normal(size=(count, 3))
    velocities -= velocities.mean(axis=0)
    options = {"periodic": [1, 1, 1]} | options
    return Gas(centers, velocities, radii, np.ones(count), **options)


def deepest(gas):
    """The deepest overlap, by brute force."""
    d = gas.centers[:, None] - gas.centers[None]
    d -= np.round(d)
    reach = gas.radii[:, None] + gas.radii[None]
    depth = reach - np.sqrt((d**2).sum(axis=2))
    np.fill_diagonal(depth, 0)
    return (depth / reach).max()


def test_conserved_quantities():
    gas = crystal()
    energy, momentum = gas.energy, gas.momentum
    for _ in range(20):
        assert gas.run(events=1000, record=False).shape == (0,)
        assert deepest(gas) < 1e-12
    assert gas.collisions == 20_000
    assert abs(gas.energy / energy - 1) < 1e-12
    assert np.abs(gas.momentum - momentum).max() < 1e-10
    assert 3.5 < gas.pressure / (2 * energy / 3) < 4.5


def test_recorded_collisions():
    gas = Gas([[0, 0, 0], [4, 0.9, 0]], [[1, 0, 0], [0, 0, 0]], [1, 0.5], [1, 1])
    found = gas.run(events=5)
    assert found.dtype.names == ("time", "a", "b", "point", "normal", "impulse")
    assert found.shape == (1,) and gas.end == "over"
    row = found[0]
    assert (row["a"], row["b"]) == (0, 1)
    np.testing.assert_allclose(row["time"], 2.8, rtol=1e-12)
    np.testing.assert_allclose(row["normal"], [0.8, 0.6, 0], rtol=1e-12)
    np.testing.assert_allclose(row["point"], [2.8 + 0.8, 0.6, 0], rtol=1e-12)
    np.testing.assert_allclose(row["impulse"], 0.8, rtol=1e-12)
    np.testing.assert_allclose(gas.velocities[1], [0.64, 0.48, 0], rtol=1e-12)


def test_walls_have_numbers_below_0():
    walls = [[0, 0, 0], [10, 20, 30]]
    gas = Gas([[5, 10, 15]], [[1, 1, 1]], [1], walls=walls)
    found = gas.run(until=45)
    assert sorted(set(found["b"].tolist())) == [-6, -5, -4, -3, -2, -1]
    for b, axis, where in [(-1, 0, 0), (-2, 0, 10), (-3, 1, 0), (-4, 1, 20), (-5, 2, 0), (-6, 2, 30)]:
        rows = found[found["b"] == b]
        np.testing.assert_allclose(rows["point"][:, axis], where, atol=1e-12)
        assert (rows["impulse"] == 2).all()
    assert gas.time == 45 and gas.end == "until"


def test_a_layer_on_a_floor():
    inf = np.inf
    gas = crystal(periodic=[1, 1, 0], walls=[[-inf, -inf, -1], [inf, inf, inf]], gravity=[0, 0, -5],
                  restitution=0.9, wall_restitution=0.9, contact_time=1e-4)
    before = gas.energy
    gas.run(until=2, record=False)
    assert gas.energy < before
    assert gas.centers[:, 2].min() >= -1
    assert gas.pressure is None


def test_the_plane():
    rng = np.random.default_rng(2)
    centers, radii = generate.crystal(100, 0.3, dim=2)
    gas = Gas(centers, rng.normal(size=(100, 2)), radii, periodic=[1, 1])
    found = gas.run(events=1000)
    assert (found["normal"][:, 2] == 0).all() and (found["point"][:, 2] == 0).all()
    assert gas.centers.shape == gas.velocities.shape == (100, 2) and gas.momentum.shape == (2,)
    assert gas.pressure > 0


def test_copies_and_parts_go_on_alike():
    gas = crystal()
    gas.run(events=1000)
    copy = gas.copy()
    whole = gas.run(events=2000)
    parts = [copy.run(events=n) for n in (1, 999, 1000)]
    assert (np.concatenate(parts) == whole).all()
    assert (gas.centers == copy.centers).all()
    gas.synchronize()
    again = Gas(gas.centers, gas.velocities, gas.radii, gas.masses, periodic=[1, 1, 1], time=gas.time)
    assert again.time == gas.time
    assert (gas.run(events=3000) == again.run(events=3000)).all()


def test_inelastic_collapse_is_reported():
    """Inelastic collapse: a row of spheres at a wall has infinitely many collisions in finite time."""
    inf = np.inf
    centers = [[1 + 1.3 * i, 0, 0] for i in range(12)]
    walls = [[0, -inf, -inf], [inf, inf, inf]]
    options = {"walls": walls, "restitution": 0.3, "wall_restitution": 0.3}
    gas = Gas(centers, [[-1, 0, 0]] * 12, [0.5] * 12, **options)
    gas.run(until=100, record=False)
    assert gas.end == "until" and gas.time == 100 and gas.contact_time > 0
    gas = Gas(centers, [[-1, 0, 0]] * 12, [0.5] * 12, contact_time=0, **options)
    gas.run(until=100, record=False)
    assert gas.end == "stalled" and gas.time < 100 and gas.contact_time == 0


def test_velocities_of_a_temperature():
    masses = np.tile([1.0, 4.0], 5000)
    for dim in (2, 3):
        velocities = Gas.thermal_velocities(masses, 2.0, dim=dim, seed=3)
        assert velocities.shape == (10_000, dim)
        assert np.abs(masses @ velocities).max() < 1e-9
        np.testing.assert_allclose((masses * (velocities**2).T).sum(), 2.0 * dim * 10_000, rtol=1e-12)
    assert (velocities == Gas.thermal_velocities(masses, 2.0, seed=3)).all()
    assert (velocities != Gas.thermal_velocities(masses, 2.0)).any()
    with pytest.raises(ValueError, match=r"masses\[1\]: found 0"):
        Gas.thermal_velocities([1, 0], 1)
    with pytest.raises(ValueError, match="temperature: found -1"):
        Gas.thermal_velocities([1], -1)
    with pytest.raises(ValueError, match="dim: found 4"):
        Gas.thermal_velocities([1], 1, dim=4)


def test_a_box_elsewhere():
    gas = Gas([[0, 0]], [[1, 0]], [0.5], periodic=[4, 4], origin=[-2, 10])
    gas.run(until=3)
    assert gas.centers.tolist() == [[-1, 12]]
    assert gas.counts["spheres"] == gas.counts["walls"] == gas.collisions == 0
    assert gas.counts["set_ups"] >= 1


def test_few_spheres():
    none = Gas(np.empty((0, 3)), np.empty((0, 3)), [])
    assert len(none) == 0 and none.run(events=1).shape == (0,) and none.energy == 0
    assert none.end == "over" and none.pressure is None
    assert repr(none) == "<tangere.Gas of 0 spheres>"
    assert repr(Gas([[0, 0, 0]], [[0, 0, 0]], [1])) == "<tangere.Gas of 1 sphere>"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"centers": [[0, 0, 0], [np.nan, 0, 0]]}, r"centers\[1\]: found \[NaN"),
        ({"velocities": [[0, 0, 0], [np.inf, 0, 0]]}, r"velocities\[1\]: found \[inf"),
        ({"velocities": [[0, 0], [0, 0]]}, "velocities: found 2 columns, expected 3"),
        ({"velocities": [[0, 0, 0]]}, "velocities: found 1, expected 2"),
        ({"radii": [1, -1]}, r"radii\[1\]: found -1"),
        ({"radii": [1]}, "radii: found 1, expected 2"),
        ({"radii": [3, 3]}, r"centers\[0\]: found an overlap of 1 with sphere 1"),
        ({"masses": [1, 0]}, r"masses\[1\]: found 0"),
        ({"radii": [1, 0]}, r"masses\[1\]: found 0, the cube of the radius"),
        ({"periodic": [1, 1]}, r"periodic: found shape \(2,\), expected \(3,\)"),
        ({"periodic": [9, -1, 9]}, "periodic: found -1"),
        ({"periodic": [9, 9, 9], "origin": [0, 0]}, r"origin: found shape \(2,\), expected \(3,\)"),
        ({"origin": [0, 0, 0]}, "origin: found one without periodic"),
        ({"walls": [[0, 0, 0], [0, 9, 9]]}, "walls: found 0 and 0"),
        ({"walls": [[0, -9, -9], [9, 9, 9]]}, r"centers\[0\]: found 0 and radius 1, out of a wall by 1"),
        ({"walls": [[-9] * 3, [9] * 3], "periodic": [0, 0, 30]}, "walls: found some along axis 2"),
        ({"gravity": [0, 0, np.inf]}, "gravity: found"),
        ({"restitution": 0}, "restitution: found 0"),
        ({"wall_restitution": 2}, "wall_restitution: found 2"),
        ({"contact_time": -1}, "contact_time: found -1"),
        ({"time": np.nan}, "time: found NaN"),
    ],
)
def test_bad_values(change, message):
    arguments = {"centers": [[0, 0, 0], [5, 0, 0]], "velocities": np.zeros((2, 3)), "radii": [1, 1]}
    with pytest.raises(ValueError, match=message):
        Gas(**(arguments | change))


def test_bad_runs():
    gas = crystal()
    with pytest.raises(ValueError, match="events: found None, as until is"):
        gas.run()
    with pytest.raises(ValueError, match="events: found -1"):
        gas.run(events=-1)
    with pytest.raises(TypeError, match="events: found float"):
        gas.run(events=1.5)
    with pytest.raises(ValueError, match="until: found NaN"):
        gas.run(until=np.nan)
    gas.run(until=0.01)
    with pytest.raises(ValueError, match="until: found 0, expected a time from now"):
        gas.run(until=0)
    with pytest.raises(TypeError, match="record: found int"):
        gas.run(events=1, record=1)
    with pytest.raises(TypeError, match="restitution: found NoneType"):
        crystal(restitution=None)


def test_interrupt_ends_a_run(interrupted):
    """Ctrl-C ends a run, and the gas may be run on."""
    program = """
centers, radii = tangere.generate.crystal(500, 0.3)
gas = tangere.Gas(centers, numpy.random.default_rng(1).normal(size=(500, 3)), radii, periodic=[1, 1, 1])
print("ready", flush=True)
try:
    gas.run(events=10**12, record=False)
    print("finished", flush=True)
except KeyboardInterrupt:
    before = gas.collisions
    print("interrupted", len(gas.run(events=10)), gas.collisions - before, flush=True)
"""
    out = interrupted(program)
    assert out == "interrupted 10 10\n", out
