//! What a simulation refuses, and what stops it.

use super::support::{BOX, run_in};
use super::systems::{cell, law, on_all, one_kind, setup, spheres_at, wall};
use tangere_sim::laws::{Damping, Law, Normal, Rolling};
use tangere_sim::region::Region;
use tangere_sim::setup::{Border, Effect, Setup, Spheres};
use tangere_sim::{Error, Simulation};

fn good() -> (Setup, Spheres) {
    let setup = setup(cell([9.0; 3], [false; 3]), one_kind(law(0)));
    let spheres = spheres_at(&[[2.0; 3], [3.5, 2.0, 2.0], [6.0; 3]], 0.5);
    (setup, spheres)
}

/// The message of a simulation that cannot be made, after a change of one that can.
fn refused(change: impl FnOnce(&mut Setup, &mut Spheres)) -> String {
    let (mut setup, mut spheres) = good();
    change(&mut setup, &mut spheres);
    match Simulation::new(setup, &spheres) {
        Err(error @ Error::Invalid { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn assert_names(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "{word} is not in: {message}");
    }
}

#[test]
fn numbers_that_are_none() {
    let (setup, spheres) = good();
    assert!(Simulation::new(setup, &spheres).is_ok());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let message = refused(|_, spheres| spheres.positions[1][2] = bad);
        assert_names(&message, &["position", "sphere 2"]);
        let message = refused(|_, spheres| spheres.velocities[2][0] = bad);
        assert_names(&message, &["velocity", "sphere 3"]);
        let message = refused(|_, spheres| spheres.spins[0][1] = bad);
        assert_names(&message, &["angular velocity", "sphere 1"]);
    }
    for bad in [f64::NAN, f64::INFINITY, 0.0, -0.5] {
        let message = refused(|_, spheres| spheres.radii[1] = bad);
        assert_names(&message, &["radius", "sphere 2"]);
        let message = refused(|_, spheres| spheres.masses[1] = bad);
        assert_names(&message, &["mass", "sphere 2"]);
        let message = refused(|setup, _| setup.step = bad);
        assert_names(&message, &["time step"]);
        let message = refused(|setup, _| setup.cell.edges[1][1] = bad);
        assert_names(&message, &["edge 1"]);
    }
    for bad in [f64::NAN, f64::INFINITY, -0.1] {
        assert_names(&refused(|setup, _| setup.skin = bad), &["skin"]);
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let message = refused(|setup, _| setup.cell.edges[2][0] = bad);
        assert_names(&message, &["tilt"]);
    }
}

#[test]
fn tables_that_do_not_fit() {
    let message = refused(|_, spheres| spheres.ids[2] = 1);
    assert_names(&message, &["id", "1", "differ"]);
    let message = refused(|_, spheres| spheres.kinds[1] = 1);
    assert_names(&message, &["kind", "sphere 2"]);
    let message = refused(|_, spheres| spheres.torques.truncate(1));
    assert_names(&message, &["length", "3"]);
    let message = refused(|setup, _| setup.laws.table.push(None));
    assert_names(&message, &["table of laws"]);
    let message = refused(|setup, _| setup.laws.table[0] = Some(1));
    assert_names(&message, &["law", "below 1"]);
    let message = refused(|setup, _| setup.laws.laws.clear());
    assert_names(&message, &["law", "below 0"]);
}

#[test]
fn constants_of_laws() {
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let message = refused(|setup, _| {
            setup.laws.laws[0].normal = Normal::Hooke { stiffness: bad };
        });
        assert_names(&message, &["normal stiffness"]);
        let message = refused(|setup, _| setup.laws.laws[0].damping = Damping::Velocity(bad));
        assert_names(&message, &["damping"]);
        let message = refused(|setup, _| {
            let rolling = Rolling::Cdt { friction: bad };
            let law = Law { rolling, ..law(0) };
            let floor = Region::Planes {
                axis: 2,
                low: Some(0.0),
                high: None,
            };
            setup.actions.push(on_all("floor", wall(floor, law)));
        });
        assert_names(&message, &["rolling friction"]);
    }
}

/// A bad setup is refused, and the simulation goes on with the one it has.
#[test]
fn refused_setups_change_nothing() {
    let (setup, mut spheres) = good();
    spheres.velocities[0] = [10.0, 0.0, 0.0];
    let mut one = Simulation::new(setup.clone(), &spheres).unwrap();
    let mut two = Simulation::new(setup.clone(), &spheres).unwrap();
    one.advance(300).unwrap();
    two.advance(300).unwrap();
    let mut bad = setup;
    bad.step = f64::NAN;
    assert!(two.set_setup(bad.clone()).is_err());
    assert!(two.replace(bad, &spheres).is_err());
    one.advance(300).unwrap();
    two.advance(300).unwrap();
    assert_eq!(one.hash(), two.hash());
}

/// Step, id and cause of what stops a simulation.
fn stopped(simulation: &mut Simulation, steps: u64) -> (u64, u64, String) {
    match simulation.advance(steps) {
        Err(Error::Stopped { step, id, cause }) => (step, id, cause),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lost_spheres() {
    let (mut setup, mut spheres) = good();
    setup.cell.border = [Border::Fixed; 3];
    spheres.velocities[2] = [0.0, 0.0, 100.0];
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    // It leaves after 0.03, and is missed when the next list is made.
    let (step, id, cause) = stopped(&mut simulation, 1000);
    assert_eq!(id, 3);
    assert!((300..400).contains(&step), "{step}");
    assert_names(&cause, &["left the cell"]);
}

#[test]
fn deep_overlaps() {
    let (setup, mut spheres) = good();
    // Contact begins after 0.5 / 3000; at 0.3 a step the depth of 0.25 is passed in the next.
    spheres.velocities[0] = [3000.0, 0.0, 0.0];
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.set_deepest(0.5);
    let (step, id, cause) = stopped(&mut simulation, 100);
    assert_eq!((step, id), (3, 1));
    assert_names(&cause, &["sphere 2", "overlaps", "0.5"]);
}

#[test]
fn forces_that_explode() {
    let (mut setup, spheres) = good();
    let push = Effect::AddForce([1e308, 0.0, 0.0]);
    setup.actions.push(on_all("push", push));
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    let (_, id, cause) = stopped(&mut simulation, 10_000);
    assert_eq!(id, 1);
    assert_names(&cause, &["not finite"]);
}

#[test]
fn forces_of_the_user() {
    let (setup, spheres) = good();
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.advance(5).unwrap();
    let hash = simulation.hash();
    let mut forces = vec![[0.0; 3]; 3];
    for bad in [f64::NAN, f64::INFINITY] {
        forces[1] = [0.0, bad, 0.0];
        match simulation.set_own_forces(&forces) {
            Err(Error::Stopped { step, id, cause }) => {
                assert_eq!((step, id), (5, 2));
                assert_names(&cause, &["user's force"]);
            }
            other => panic!("{other:?}"),
        }
    }
    let few = simulation.set_own_forces(&forces[..2]).unwrap_err();
    assert_names(&few.to_string(), &["number of forces", "2", "3"]);
    assert_eq!(simulation.hash(), hash);
    forces[1] = [0.0, 2.0, 0.0];
    simulation.set_own_forces(&forces).unwrap();
    simulation.advance(10).unwrap();
    assert!(simulation.spheres().velocities[1][1] > 0.0);
    assert_eq!(simulation.spheres().velocities[0], [0.0; 3]);
}

/// What stops the simulation of a deck names the command, the step and the sphere.
#[test]
fn decks_that_stop() {
    let folder = tempfile::tempdir().unwrap();
    let text = |commands: &str| {
        format!(
            "{BOX}create_atoms 1 single 0 0 0\ncreate_atoms 1 single 2 0 0\n\
            set group all diameter 1 density 1\nfix 1 all nve/sphere\n{commands}"
        )
    };
    let failed = |commands: &str| match run_in(folder.path(), &text(commands)) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{commands} runs"),
    };
    let law = "pair_style gran/hooke 10.0 NULL 0.0 NULL 0.0 0\npair_coeff * *\n";
    let message = failed(&format!("{law}velocity all ramp vx 9 -9 x 0 2\nrun 500\n"));
    assert_names(&message, &["run 500", "sphere 1", "sphere 2", "overlaps"]);
    let message = failed(&format!("{law}velocity all set 90 0 0\nrun 500\n"));
    assert_names(&message, &["run 500", "sphere 2", "left the cell"]);
    assert!(!failed("pair_style granular\nrun 1\n").is_empty());
}
