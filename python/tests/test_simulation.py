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
