//! A gas against the known physics of hard spheres: collisions, velocity distribution, equation of
//! state.

use super::cases::{Spheres, crystal, walls};
use tangere::impact::gas::{Domain, End, Gas, GasSettings, Partner};
use test_support::Random;

fn pair(centers: [[f64; 3]; 2], velocities: [[f64; 3]; 2], masses: [f64; 2], e: f64) -> Gas {
    let settings = GasSettings {
        restitution: e,
        ..GasSettings::default()
    };
    Gas::new(&centers, &velocities, &[1.0, 0.5], Some(&masses), &settings).expect("a gas")
}

#[test]
fn two_spheres_in_closed_form() {
    // Head on: they meet after (4 - 1.5) / 2.5.
    for e in [1.0, 0.5] {
        let at = [[0.0; 3], [4.0, 0.0, 0.0]];
        let mut gas = pair(at, [[2.0, 0.0, 0.0], [-0.5, 0.0, 0.0]], [3.0, 1.0], e);
        let collision = gas.next().unwrap();
        assert!((collision.time - 1.0).abs() < 1e-12);
        assert_eq!((collision.a, collision.partner), (0, Partner::Sphere(1)));
        assert_eq!(collision.normal, [1.0, 0.0, 0.0]);
        assert!((collision.point[0] - 3.0).abs() < 1e-12);
        // The reduced mass is 3/4.
        assert!((collision.impulse - (1.0 + e) * 0.75 * 2.5).abs() < 1e-12);
        assert_eq!(gas.next(), None);
        let after = Spheres::of(&gas).velocities;
        let center = (3.0 * 2.0 - 0.5) / 4.0;
        assert!((after[0][0] - (center - e * 2.5 / 4.0)).abs() < 1e-14);
        assert!((after[1][0] - (center + e * 2.5 * 3.0 / 4.0)).abs() < 1e-14);
    }
    // Off centre: the normal has the sine of the distance of the lines.
    let at = [[0.0; 3], [4.0, 0.9, 0.0]];
    let mut gas = pair(at, [[1.0, 0.0, 0.0], [0.0; 3]], [1.0, 1.0], 1.0);
    let collision = gas.next().unwrap();
    assert!((collision.time - (4.0 - 1.2)).abs() < 1e-12);
    assert!((collision.normal[0] - 0.8).abs() < 1e-12 && (collision.normal[1] - 0.6).abs() < 1e-12);
    let after = Spheres::of(&gas).velocities;
    assert!((after[1][0] - 0.64).abs() < 1e-12 && (after[1][1] - 0.48).abs() < 1e-12);
    // Equal masses separate at right angles.
    let dot: f64 = (0..3).map(|k| after[0][k] * after[1][k]).sum();
    assert!(dot.abs() < 1e-15);
    // A graze, exactly, and a miss.
    let grazing = |y| {
        pair(
            [[0.0; 3], [4.0, y, 0.0]],
            [[1.0, 0.0, 0.0], [0.0; 3]],
            [1.0; 2],
            1.0,
        )
    };
    assert!(grazing(1.5).next().is_none_or(|c| c.impulse < 1e-15));
    assert_eq!(grazing(1.5000000001).next(), None);
}

#[test]
fn the_cradle_of_newton() {
    for count in [3usize, 5, 50] {
        for gap in [0.0, 0.5] {
            let centers: Vec<[f64; 3]> = (0..count)
                .map(|i| [if i == 0 { -2.0 } else { (1.0 + gap) * i as f64 }, 0.0, 0.0])
                .collect();
            let mut velocities = vec![[0.0; 3]; count];
            velocities[0] = [1.0, 0.0, 0.0];
            let radii = vec![0.5; count];
            let settings = GasSettings::default();
            let mut gas = Gas::new(&centers, &velocities, &radii, None, &settings).unwrap();
            let mut pairs = Vec::new();
            let run = gas
                .run(1000, f64::INFINITY, |c| pairs.push((c.a, c.partner)))
                .unwrap();
            assert_eq!((run.events, run.end), (count as u64 - 1, End::Over));
            for (i, pair) in (0u32..).zip(pairs) {
                assert_eq!(pair, (i, Partner::Sphere(i + 1)));
            }
            let after = Spheres::of(&gas).velocities;
            assert!((after[count - 1][0] - 1.0).abs() < 1e-14);
            assert!(after[..count - 1].iter().all(|v| v[0].abs() < 1e-14));
            assert!((gas.energy() - 0.0625).abs() < 1e-15);
        }
    }
}

/// Means of the squares and of the fourth powers of speeds.
fn moments(gas: &Gas) -> [f64; 2] {
    let speeds = Spheres::of(gas).velocities.into_iter();
    let squares: Vec<f64> = speeds
        .map(|v| v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        .collect();
    let count = squares.len() as f64;
    [
        squares.iter().sum::<f64>() / count,
        squares.iter().map(|s| s * s).sum::<f64>() / count,
    ]
}

#[test]
fn speeds_become_those_of_maxwell_and_boltzmann() {
    let (mut spheres, _) = crystal(8, 0.2, 5);
    // All equally fast.
    for v in &mut spheres.velocities {
        let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        *v = v.map(|x| x / speed);
    }
    let mut gas = spheres.gas();
    let [second, fourth] = moments(&gas);
    assert!((fourth / (second * second) - 1.0).abs() < 1e-12);
    gas.run(20_000, f64::INFINITY, |_| ()).unwrap();
    let mut mean = 0.0;
    for _ in 0..20 {
        gas.run(2_000, f64::INFINITY, |_| ()).unwrap();
        let [second, fourth] = moments(&gas);
        mean += fourth / (second * second) / 20.0;
    }
    assert!((mean - 5.0 / 3.0).abs() < 0.05, "{mean}");
}

#[test]
fn energy_is_shared_among_masses_alike() {
    let (mut spheres, _) = crystal(5, 0.2, 6);
    for (i, m) in spheres.masses.iter_mut().enumerate() {
        *m = [1.0, 10.0][i % 2];
    }
    let mut gas = spheres.gas();
    gas.run(30_000, f64::INFINITY, |_| ()).unwrap();
    let mut energies = [0.0; 2];
    for _ in 0..40 {
        gas.run(1_000, f64::INFINITY, |_| ()).unwrap();
        let now = Spheres::of(&gas);
        for (i, v) in now.velocities.iter().enumerate() {
            let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            energies[i % 2] += now.masses[i] * square;
        }
    }
    assert!(
        (energies[0] / energies[1] - 1.0).abs() < 0.05,
        "{energies:?}"
    );
}

/// The equation of state of Carnahan and Starling.
#[test]
fn the_pressure_is_that_of_carnahan_and_starling() {
    for share in [0.1, 0.25, 0.4] {
        let (spheres, edge) = crystal(6, share, 7);
        let mut gas = spheres.gas();
        gas.run(30_000, f64::INFINITY, |_| ()).unwrap();
        let mut gas = Spheres::of(&gas).gas();
        gas.run(100_000, f64::INFINITY, |_| ()).unwrap();
        let ideal = 2.0 * gas.energy() / 3.0 / edge.powi(3);
        let s: f64 = share;
        let expected = (1.0 + s + s * s - s * s * s) / (1.0 - s).powi(3);
        let found = gas.pressure().unwrap() / ideal;
        assert!(
            (found / expected - 1.0).abs() < 0.02,
            "{share}: {found} {expected}"
        );
    }
}

#[test]
fn the_pressure_on_walls_is_that_of_an_ideal_gas() {
    let mut n = Random::new(8);
    let count = 500;
    let centers: Vec<[f64; 3]> = (0..count)
        .map(|_| [(); 3].map(|()| 0.01 + 1.9 * n.unit()))
        .collect();
    let velocities: Vec<[f64; 3]> = (0..count).map(|_| n.vector(1.0)).collect();
    let settings = GasSettings {
        domain: walls(2.0),
        ..GasSettings::default()
    };
    let masses = vec![2.0; count];
    let mut gas = Gas::new(
        &centers,
        &velocities,
        &vec![1e-4; count],
        Some(&masses),
        &settings,
    )
    .unwrap();
    gas.run(60_000, f64::INFINITY, |_| ()).unwrap();
    let expected = 2.0 * gas.energy() / 3.0 / 8.0;
    let found = gas.pressure().unwrap();
    assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
}

#[test]
fn time_runs_backward() {
    let (spheres, edge) = crystal(3, 0.3, 9);
    for domain in [Domain::periodic([edge; 3]).unwrap(), walls(edge)] {
        let mut start = spheres.clone();
        start.radii.fill(0.42);
        start.settings.domain = domain;
        let mut gas = start.gas();
        gas.run(400, f64::INFINITY, |_| ()).unwrap();
        let time = gas.time() + 1e-3;
        gas.run(u64::MAX, time, |_| ()).unwrap();
        let mut back = Spheres::of(&gas);
        back.settings.time = 0.0;
        back.velocities.iter_mut().for_each(|v| *v = v.map(|x| -x));
        let mut back = back.gas();
        back.run(u64::MAX, time, |_| ()).unwrap();
        let end = Spheres::of(&back);
        for i in 0..end.centers.len() {
            for k in 0..3 {
                assert!((end.centers[i][k] - start.centers[i][k]).abs() < 1e-6);
                assert!((end.velocities[i][k] + start.velocities[i][k]).abs() < 1e-6);
            }
        }
    }
}
