"""Simulations of granular matter."""

import numpy as np
import pytest

import tangere

DECK = """
units si
atom_style sphere
boundary p p f
region box block 0 4 0 4 0 20
create_box 1 box
lattice sc 1.05
create_atoms 1 region layer
set group all diameter 1 density 1
velocity all create 0.5 12345
pair_style granular
pair_coeff * * hertz 1000 5 tangential mindlin 800 1 0.5 damping viscoelastic
fix 1 all nve/sphere
fix 2 all gravity 1 vector 0 0 -1
fix 3 all wall/gran granular hertz 1000 5 tangential mindlin 800 1 0.5 damping viscoelastic zplane 0 NULL
timestep 0.001
run 0
"""
DECK = DECK.replace("lattice", "region layer block 0 3.9 0 3.9 0.5 6\nlattice")


def heap(**options):
    return tangere.Simulation(DECK, **options)


def test_columns_and_contacts():
    sim = heap()
    sim.step(200)
    count = len(sim)
    assert count > 30
    for column in (sim.positions, sim.velocities, sim.spins, sim.forces, sim.torques):
        assert column.shape == (count, 3) and np.isfinite(column).all()
    assert sim.ids.tolist() == sorted(sim.ids.tolist())
    assert sim.steps == 200 and abs(sim.time - 0.2) < 1e-12
    contacts = sim.contacts()
    assert len(contacts) > 0 and (contacts["gap"] <= 0).all() and (contacts["a"] < contacts["b"]).all()
    np.testing.assert_allclose(np.linalg.norm(contacts["normal"], axis=1), 1)
    kinetic, rotational = sim.kinetic_energy
    speeds = (sim.velocities**2).sum(axis=1)
    assert kinetic == pytest.approx(0.5 * (sim.masses * speeds).sum()) and rotational >= 0
    assert (sim.radii == 0.5).all()


def test_threads_and_restarts_change_nothing(tmp_path):
    hashes = set()
    for threads in (1, 2, 3):
        sim = heap(threads=threads)
        sim.step(150)
        hashes.add(sim.hash())
    sim = heap()
    for n in (17, 50, 83):
        sim.step(n)
        path = tmp_path / "state.bin"
        sim.checkpoint(path)
        sim = tangere.Simulation.resume(path, threads=2)
    hashes.add(sim.hash())
    assert len(hashes) == 1


def test_own_forces():
    deck = DECK.replace("fix 2 all gravity 1 vector 0 0 -1\n", "")
    pulled, given = heap(), tangere.Simulation(deck)
    pulled.step(100)
    masses = given.masses
    given.step(100, forces=lambda x, v, t: np.outer(masses, [0, 0, -1]))
    np.testing.assert_allclose(given.positions, pulled.positions, atol=1e-9)
    with pytest.raises(RuntimeError, match="sphere 1: the user's force is"):
        given.step(1, forces=lambda x, v, t: np.full_like(x, np.nan))
    with pytest.raises(RuntimeError, match="forces: .*boom"):
        given.step(1, forces=fails)
    try:
        given.step(1, forces=fails)
    except RuntimeError as error:
        assert isinstance(error.__cause__, ValueError)


def test_own_forces_however_steps_are_divided(tmp_path):
    def drag(positions, velocities, time):
        return -0.3 * velocities

    whole, parts = heap(), heap()
    whole.step(60, forces=drag)
    for n in (1, 9, 20):
        parts.step(n, forces=drag)
    parts.checkpoint(tmp_path / "state.bin")
    parts = tangere.Simulation.resume(tmp_path / "state.bin")
    parts.step(30, forces=drag)
    assert parts.hash() == whole.hash()
    whole.step(10)
    parts.step(10)
    assert parts.hash() == whole.hash()


def test_callbacks_that_fail_or_use_the_simulation():
    sim = tangere.Simulation("gas")
    with pytest.raises(RuntimeError, match="in use by the call"):
        sim.step(1, forces=lambda x, v, t: 0 * x + sim.time)

    def interrupted(positions, velocities, time):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.step(1, forces=interrupted)
    with pytest.raises(RuntimeError, match="boom"):
        sim.step(1, forces=fails)
    before = sim.velocities
    sim.step(3)
    np.testing.assert_array_equal(sim.velocities, before)


def fails(positions, velocities, time):
    raise ValueError("boom")


def test_bad_decks(tmp_path):
    with pytest.raises(ValueError, match="deck:2: .*boundry.*did you mean boundary"):
        tangere.Simulation("atom_style sphere\nboundry f f f\n")
    with pytest.raises(ValueError, match="run"):
        tangere.Simulation("units si\n\n")
    with pytest.raises(ValueError, match="nowhere"):
        tangere.Simulation(tmp_path / "nowhere")
    path = tmp_path / "damaged"
    heap().checkpoint(path)
    bytes_ = path.read_bytes()
    for damaged in (b"", bytes_[:-1], bytes_[:200] + b"x" + bytes_[201:], b"x" + bytes_[1:]):
        path.write_bytes(damaged)
        with pytest.raises(OSError, match="checkpoint"):
            tangere.Simulation.resume(path)
    with pytest.raises(TypeError, match="pickle"):
        __import__("pickle").dumps(heap())


BALL = {"ball": {"radius": 0.5}}
SCENE = {
    "step": 1e-4,
    "gravity": [0, 0, -10],
    "material": [{"name": "m", "density": 1, "stiffness": 1e4, "restitution": 0.5, "friction": 0.3}],
    "wall": [{"name": "floor", "plane": {"normal": [0, 0, 1]}}],
    "body": [
        {"shape": BALL, "position": [0, 0, 0.6], "id": 7},
        {
            "shape": {"compound": [{"shape": BALL}, {"shape": BALL, "position": [0.6, 0, 0]}]},
            "position": [3, 0, 0.7],
            "rotation": "y:20",
        },
    ],
}


def test_scenes_and_clumps(tmp_path):
    sim = tangere.Simulation(SCENE, ledger=True)
    sim.step(3000)
    assert sim.ids.tolist() == [7, 8, 9] and sim.bodies.tolist() == [7, 8, 8]
    (clump,) = sim.clumps()
    assert clump["id"] == 8 and clump["spheres"] == 2
    np.testing.assert_allclose(np.linalg.norm(sim.positions[2] - sim.positions[1]), 0.6, rtol=1e-12)
    np.testing.assert_allclose(sim.positions[1:].mean(axis=0), clump["position"], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(clump["orientation"]), 1)
    energy = sim.energy
    assert energy["dissipated_damping"] > 0 and abs(energy["residual"]) < 1e-3 * energy["dissipated_damping"]
    kinetic, rotational = sim.kinetic_energy
    assert kinetic == pytest.approx(energy["kinetic"]) and rotational == pytest.approx(energy["rotational"])
    path = tmp_path / "state.bin"
    sim.checkpoint(path)
    again = tangere.Simulation.resume(path)
    for one in (sim, again):
        one.step(500)
    assert again.hash() == sim.hash() and again.energy == sim.energy
    assert tangere.Simulation(SCENE).energy is None


def test_a_scene_as_text_file_and_dictionary_is_the_same(tmp_path):
    text = """
step = 1e-4
gravity = [0, 0, -10]
[[material]]
name = "m"
density = 1
stiffness = 1e4
restitution = 0.5
friction = 0.3
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1] }
[[body]]
id = 7
shape = { ball = { radius = 0.5 } }
position = [0, 0, 0.6]
[[body]]
shape = { compound = [{ shape = { ball = { radius = 0.5 } } }, { shape = { ball = { radius = 0.5 } }, position = [0.6, 0, 0] }] }
position = [3, 0, 0.7]
rotation = "y:20"
"""
    path = tmp_path / "scene.toml"
    path.write_text(text)
    hashes = set()
    for source in (SCENE, text, path, str(path)):
        sim = tangere.Simulation(source)
        sim.step(50)
        hashes.add(sim.hash())
    assert len(hashes) == 1
    assert len(tangere.Simulation("packing")) == 2000


def test_bad_scenes(tmp_path):
    with pytest.raises(ValueError, match="stifness.*did you mean `stiffness`"):
        tangere.Simulation({**SCENE, "material": [{"name": "m", "density": 1, "stifness": 1}]})
    with pytest.raises(ValueError, match="critical step"):
        tangere.Simulation({**SCENE, "step": 1.0})
    with pytest.raises(ValueError, match="expected a deck"):
        tangere.Simulation(SCENE, ignore=["dump"])
    with pytest.raises(ValueError, match="no body"):
        tangere.Simulation({"step": 1.0})
    with pytest.raises(ValueError, match="expected a scene .*hopper"):
        tangere.Simulation("hoper")
    with pytest.raises(OSError, match="nowhere"):
        tangere.Simulation(tmp_path / "nowhere.toml")
