//! Tests of a gas of dissipative spheres, and of spheres at rest on a floor.

use super::cases::{Spheres, crystal, mixed, walls};
use tangere::impact::gas::{Axis, Domain, End, Gas, GasSettings};

/// A row of dissipative spheres that runs into a wall collapses: infinitely many collisions in
/// finite time.
#[test]
fn a_collapse_does_not_hang() {
    let centers: Vec<[f64; 3]> = (0..12)
        .map(|i| [1.0 + 1.3 * f64::from(i), 0.0, 0.0])
        .collect();
    let velocities = [[-1.0, 0.0, 0.0]; 12];
    let wall = Axis::Walls {
        lower: 0.0,
        upper: f64::INFINITY,
    };
    let gas = |contact_time| {
        let settings = GasSettings {
            domain: Domain::new([wall, Axis::Open, Axis::Open]).unwrap(),
            restitution: 0.3,
            wall_restitution: 0.3,
            contact_time,
            ..GasSettings::default()
        };
        Gas::new(&centers, &velocities, &[0.5; 12], None, &settings).unwrap()
    };
    let run = gas(None).run(u64::MAX, 100.0, |_| ()).unwrap();
    assert_eq!(run.end, End::Until);
    assert!((200..10_000_000).contains(&run.events), "{}", run.events);
    // Without a contact time the run stalls.
    let run = gas(Some(0.0)).run(u64::MAX, 100.0, |_| ()).unwrap();
    assert_eq!(run.end, End::Stalled);
}

#[test]
fn a_gas_that_loses_energy_goes_on() {
    let (mut spheres, _) = crystal(5, 0.2, 1);
    spheres.settings.restitution = 0.7;
    let mut gas = spheres.gas();
    let before = gas.energy();
    let run = gas.run(100_000, f64::INFINITY, |_| ()).unwrap();
    assert_eq!(run.end, End::Events);
    assert!(gas.energy() < 0.01 * before && gas.energy() > 0.0);
    let momentum = gas.momentum();
    assert!(momentum.iter().all(|p| p.abs() < 1e-11));
}

#[test]
fn a_ball_bounces_as_high_as_it_may() {
    let floor = Axis::Walls {
        lower: 0.0,
        upper: f64::INFINITY,
    };
    let settings = GasSettings {
        domain: Domain::new([Axis::Open, Axis::Open, floor]).unwrap(),
        gravity: [0.0, 0.0, -2.0],
        wall_restitution: 0.5,
        ..GasSettings::default()
    };
    let mut gas = Gas::new(&[[0.0, 0.0, 1.5]], &[[0.0; 3]], &[0.5], None, &settings).unwrap();
    // It falls for 1, then hops for 1, 1/2, 1/4 ...: at rest after 3, and hops on very low.
    let times: Vec<f64> = gas.by_ref().take(4).map(|c| c.time).collect();
    for (time, expected) in times.into_iter().zip([1.0, 2.0, 2.5, 2.75]) {
        assert!((time - expected).abs() < 1e-12);
    }
    let run = gas.run(u64::MAX, 4.0, |_| ()).unwrap();
    assert_eq!(run.end, End::Until);
    assert!((1000..1_000_000).contains(&run.events));
    let height = Spheres::of(&gas).centers[0][2] - 0.5;
    assert!((0.0..1e-6).contains(&height));
}

#[test]
fn spheres_at_rest_on_a_floor_hop() {
    let mut spheres = mixed(20, 2.0, walls(1.0), 4);
    spheres.settings.gravity = [0.0, 0.0, -1.0];
    spheres.settings.restitution = 0.6;
    spheres.settings.wall_restitution = 0.6;
    spheres.settings.contact_time = Some(1e-3);
    let mut gas = spheres.gas();
    let before = gas.energy();
    let run = gas.run(3_000_000, 20.0, |_| ()).unwrap();
    assert_eq!(run.end, End::Until);
    // All lie on the floor, and on one another.
    assert!(gas.energy() < before);
    let now = Spheres::of(&gas);
    let kinetic = now.velocities.iter().zip(&now.masses);
    let kinetic: f64 = kinetic
        .map(|(v, m)| 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
        .sum();
    assert!(kinetic < 0.2 * before, "{kinetic} {before}");
    // Exactly at rest without a contact time there is no end.
    let settings = GasSettings {
        domain: walls(1.0),
        gravity: [0.0, 0.0, -1.0],
        contact_time: Some(0.0),
        ..GasSettings::default()
    };
    let mut gas = Gas::new(&[[0.5, 0.5, 0.25]], &[[0.0; 3]], &[0.25], None, &settings).unwrap();
    assert_eq!(gas.run(u64::MAX, 1.0, |_| ()).unwrap().end, End::Stalled);
    let settings = GasSettings {
        contact_time: None,
        ..settings
    };
    let mut gas = Gas::new(&[[0.5, 0.5, 0.25]], &[[0.0; 3]], &[0.25], None, &settings).unwrap();
    assert_eq!(gas.run(u64::MAX, 1.0, |_| ()).unwrap().end, End::Until);
}
