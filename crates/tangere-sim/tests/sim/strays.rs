//! A few spheres that are much faster than most: their pairs are added to the list that is in use.

use super::determinism::with_threads;
use super::engine_oracle::assert_like_reference;
use super::systems::{Random, cell, law, on_all, random_spheres, setup, two_kinds, wall};
use tangere_sim::Simulation;
use tangere_sim::region::Region;
use tangere_sim::setup::{Effect, PairLaws, Setup, Spheres};

/// A bed nearly at rest, and fast spheres above it that fly across the borders of a periodic cell, past each
/// other, onto the bed and against a wall.
fn bed(counts: [usize; 3], fast: usize, laws: PairLaws) -> (Setup, Spheres) {
    let [x, y, z] = counts.map(|n| n as f64);
    let mut setup = setup(cell([x, y, z + 8.0], [true, true, false]), laws);
    let sides = Region::Planes {
        axis: 2,
        low: Some(-0.2),
        high: Some(z + 7.0),
    };
    setup.actions.push(on_all("sides", wall(sides, law(3))));
    let mut random = Random(7);
    let mut spheres = random_spheres(&mut random, counts, 1.0);
    for velocity in &mut spheres.velocities {
        *velocity = velocity.map(|x| 0.01 * x);
    }
    for k in 0..fast {
        let i = k * spheres.ids.len() / fast;
        let at = (k as f64 + 0.5) / fast as f64;
        spheres.positions[i] = [at * x, (7.0 * at) % 1.0 * y, z + 1.0 + (5.0 * at) % 5.0];
        spheres.velocities[i] = random.vector(60.0);
    }
    (setup, spheres)
}

#[test]
fn as_the_reference_finds_them() {
    for (first, fast) in [(0, 3), (4, 5), (7, 8)] {
        let (setup, spheres) = bed([6, 6, 4], fast, two_kinds(first));
        assert_like_reference(&format!("{fast} fast"), &setup, &spheres, 300);
    }
}

/// Far from where the list was made, they meet each other.
#[test]
fn strays_that_meet() {
    let (setup, mut spheres) = bed([8, 8, 2], 2, two_kinds(2));
    // The bed is loose, and stays where it is.
    for radius in &mut spheres.radii {
        *radius *= 0.8;
    }
    let second = spheres.ids.len() / 2;
    (spheres.positions[0], spheres.positions[second]) = ([2.5, 4.0, 6.0], [5.5, 4.2, 6.1]);
    (spheres.velocities[0], spheres.velocities[second]) = ([30.0, 0.0, 0.0], [-20.0, 0.0, 0.0]);
    assert_like_reference("they meet", &setup, &spheres, 600);
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.advance(600).unwrap();
    assert!(simulation.lists() < 3, "{} lists", simulation.lists());
}

#[test]
fn lists_live_on_and_nothing_changes() {
    let (mut setup, spheres) = bed([14, 12, 8], 12, two_kinds(2));
    let end = |setup: &Setup, threads: usize| {
        with_threads(threads, || {
            let mut simulation = Simulation::new(setup.clone(), &spheres).unwrap();
            simulation.advance(200).unwrap();
            (simulation.hash(), simulation.lists())
        })
    };
    let (expected, lists) = end(&setup, 1);
    // The fast ones alone go through half the skin forty times.
    assert!(lists < 12, "{lists} lists");
    for threads in [2, 3, 8] {
        assert_eq!(end(&setup, threads).0, expected, "{threads} threads");
    }
    for skin in [0.0, 0.02, 0.5] {
        setup.skin = skin;
        assert_eq!(end(&setup, 1).0, expected, "skin {skin}");
    }
}

/// One that leaves the cell across a fixed border is noticed although it is a stray.
#[test]
fn lost_strays() {
    let (mut setup, mut spheres) = bed([6, 6, 4], 1, two_kinds(2));
    setup.cell.border[2] = tangere_sim::setup::Border::Fixed;
    setup.actions.truncate(1);
    setup
        .actions
        .push(on_all("none", Effect::Gravity([0.0; 3])));
    spheres.velocities[0] = [0.0, 0.0, 200.0];
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    let stopped = simulation.advance(2000).unwrap_err().to_string();
    assert!(stopped.contains("left the cell"), "{stopped}");
    assert!(simulation.step_number() < 700, "{stopped}");
}
