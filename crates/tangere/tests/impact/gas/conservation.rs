//! A gas conserves energy and momentum, and its spheres do not overlap.

use super::cases::{Overlaps, Spheres, crystal, mixed, walls};
use tangere::impact::gas::{Axis, Domain, End, Gas};

/// Largest deviations over a run.
struct Kept {
    energy: f64,
    momentum: f64,
    overlap: f64,
}

/// The sum of the magnitudes of momenta.
fn all_momenta(gas: &Gas) -> f64 {
    let Spheres {
        velocities, masses, ..
    } = Spheres::of(gas);
    let momenta = velocities.iter().zip(masses);
    momenta
        .map(|(v, m)| m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt())
        .sum()
}

/// Runs a gas in parts, and checks all spheres after each part: at a collision, and before the next
/// one.
fn kept(gas: &mut Gas, events: u64, parts: u64) -> Kept {
    let (energy, momentum, scale) = (gas.energy(), gas.momentum(), all_momenta(gas));
    let mut overlaps = Overlaps::of(gas);
    let mut overlap = 0.0f64;
    let mut rounds = 0;
    let goal = gas.collisions() + events;
    while gas.collisions() < goal {
        let run = gas
            .run(events.div_ceil(parts), f64::INFINITY, |_| ())
            .expect("a run");
        assert_eq!(run.end, End::Events);
        overlap = overlap.max(overlaps.deepest(gas));
        // A third of the way to the next collision.
        let mut next = gas.clone();
        let Some(collision) = next.next() else { break };
        let between = gas.time() + (collision.time - gas.time()) / 3.0;
        gas.run(u64::MAX, between, |_| ()).expect("a run");
        assert_eq!(gas.time(), between);
        overlap = overlap.max(overlaps.deepest(gas));
        rounds += 1;
    }
    assert!(rounds >= parts / 2);
    let change = (0..3).map(|k| (gas.momentum()[k] - momentum[k]).abs());
    Kept {
        energy: (gas.energy() / energy - 1.0).abs(),
        momentum: change.fold(0.0, f64::max) / scale,
        overlap,
    }
}

#[test]
fn a_periodic_gas_keeps_energy_momentum_and_distances() {
    for share in [0.01, 0.3, 0.5] {
        let (spheres, _) = crystal(6, share, 1);
        let kept = kept(&mut spheres.gas(), 20_000, 200);
        assert!(kept.energy < 1e-13 && kept.momentum < 1e-14, "{share}");
        assert!(kept.overlap < 1e-13, "{share}: {}", kept.overlap);
    }
}

#[test]
fn a_gas_between_walls_keeps_energy_and_distances() {
    let (mut spheres, edge) = crystal(4, 0.3, 2);
    // Out of the walls it would stick.
    spheres.radii.fill(0.4);
    spheres.settings.domain = walls(edge);
    let mut gas = spheres.gas();
    let found = kept(&mut gas, 20_000, 200);
    assert!(found.energy < 1e-13 && found.overlap < 1e-13);
    assert!(gas.counts().walls > 1000 && gas.counts().spheres > 1000);
    // The same with gravity: the potential energy counts.
    spheres.settings.gravity = [0.1, 0.0, -1.0];
    let mut gas = spheres.gas();
    let found = kept(&mut gas, 20_000, 200);
    assert!(
        found.energy < 1e-12 && found.overlap < 1e-13,
        "{}",
        found.energy
    );
}

#[test]
fn sizes_may_differ_by_a_hundred() {
    for (seed, domain) in [Domain::periodic([1.0; 3]).unwrap(), walls(1.0)]
        .into_iter()
        .enumerate()
    {
        let spheres = mixed(400, 100.0, domain, seed as u64);
        let found = kept(&mut spheres.gas(), 10_000, 100);
        assert!(found.energy < 1e-12, "{}", found.energy);
        assert!(found.overlap < 1e-12, "{}", found.overlap);
        assert!(seed == 1 || found.momentum < 1e-12);
    }
}

#[test]
fn a_layer_that_repeats_on_a_floor() {
    let mut spheres = mixed(200, 3.0, Domain::OPEN, 5);
    let side = Axis::Periodic {
        lower: 0.0,
        length: 1.0,
    };
    let floor = Axis::Walls {
        lower: 0.0,
        upper: f64::INFINITY,
    };
    spheres.settings.domain = Domain::new([side, side, floor]).unwrap();
    spheres.settings.gravity = [0.0, 0.0, -1.0];
    let mut gas = spheres.gas();
    let before = gas.momentum();
    let found = kept(&mut gas, 10_000, 100);
    assert!(found.energy < 1e-12 && found.overlap < 1e-12);
    let after = gas.momentum();
    let scale = all_momenta(&gas);
    assert!((0..2).all(|k| (after[k] - before[k]).abs() < 1e-12 * scale));
    assert!(gas.pressure().is_none());
}

#[test]
fn gravity_without_walls_is_a_fall() {
    let (mut spheres, edge) = crystal(3, 0.3, 3);
    let weightless = spheres.gas();
    let gravity = [0.0, 1.5, -2.0];
    spheres.settings.gravity = gravity;
    for domain in [Domain::periodic([edge; 3]).unwrap(), Domain::OPEN] {
        spheres.settings.domain = domain;
        let mut gas = spheres.gas();
        let mut still = match domain == Domain::OPEN {
            true => {
                let mut still = spheres.clone();
                still.settings.gravity = [0.0; 3];
                still.gas()
            }
            false => weightless.clone(),
        };
        let energy = gas.energy();
        for _ in 0..100 {
            let (a, b) = (gas.next().unwrap(), still.next().unwrap());
            assert_eq!(
                (a.time, a.a, a.partner, a.impulse),
                (b.time, b.a, b.partner, b.impulse)
            );
        }
        assert!((gas.energy() / energy - 1.0).abs() < 1e-13);
        let (falling, still) = (Spheres::of(&gas), Spheres::of(&still));
        for i in 0..falling.centers.len() {
            for k in 0..3 {
                let t = gas.time();
                let v = falling.velocities[i][k] - still.velocities[i][k];
                assert!((v - gravity[k] * t).abs() < 1e-12);
                let x = falling.centers[i][k] - still.centers[i][k] - 0.5 * gravity[k] * t * t;
                let x = match domain == Domain::OPEN {
                    true => x,
                    false => x - edge * (x / edge).round(),
                };
                assert!(x.abs() < 1e-11);
            }
        }
    }
}

/// Reproduces the figures of the documentation.
#[test]
#[ignore = "takes a minute in a release build"]
fn ten_thousand_spheres_and_a_million_events() {
    let cells = 14;
    for share in [0.1, 0.3, 0.45] {
        let (mut spheres, edge) = crystal(cells, share, 4);
        for list in [&mut spheres.centers, &mut spheres.velocities] {
            list.truncate(10_000);
        }
        spheres.radii.truncate(10_000);
        spheres.masses.truncate(10_000);
        let start = std::time::Instant::now();
        let mut gas = spheres.gas();
        gas.run(1_000_000, f64::INFINITY, |_| ()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let mut gas = spheres.gas();
        let found = kept(&mut gas, 1_000_000, 5_000);
        println!(
            "filled {share} of a box of {edge:.2}: {:.2} µs a collision, energy {:.1e}, momentum {:.1e}, overlap {:.1e}, {:?}",
            seconds,
            found.energy,
            found.momentum,
            found.overlap,
            gas.counts()
        );
        assert!(found.energy < 1e-10 && found.momentum < 1e-10 && found.overlap < 1e-12);
    }
}
