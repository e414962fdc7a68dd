//! Invalid and degenerate input of a gas: errors, or a run that ends.

use super::cases::{Spheres, crystal, mixed, walls};
use tangere::impact::gas::{Axis, Domain, End, Gas, GasSettings};

const SETTINGS: GasSettings = GasSettings {
    domain: Domain::OPEN,
    gravity: [0.0; 3],
    restitution: 1.0,
    wall_restitution: 1.0,
    contact_time: None,
    time: 0.0,
};

fn two(distance: f64, velocity: f64, radius: f64, settings: &GasSettings) -> tangere::Result<Gas> {
    let centers = [[1.0; 3], [1.0 + distance, 1.0, 1.0]];
    let velocities = [[velocity, 0.0, 0.0], [0.0; 3]];
    Gas::new(&centers, &velocities, &[radius; 2], None, settings)
}

fn message(gas: tangere::Result<Gas>) -> String {
    gas.err().map(|e| e.to_string()).unwrap_or_default()
}

#[test]
fn bad_numbers_are_named() {
    let make = |center: f64, velocity: f64, radius: f64, mass: f64| {
        let centers = [[9.0; 3], [center, 0.0, 0.0]];
        let velocities = [[0.0; 3], [0.0, velocity, 0.0]];
        message(Gas::new(
            &centers,
            &velocities,
            &[1.0, radius],
            Some(&[1.0, mass]),
            &SETTINGS,
        ))
    };
    assert_eq!(make(0.0, 0.0, 1.0, 1.0), "");
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 1e-300] {
        assert!(
            make(bad, 0.0, 1.0, 1.0).starts_with("centre 1: found ["),
            "{bad}"
        );
        assert!(
            make(0.0, bad, 1.0, 1.0).starts_with("velocity 1: found ["),
            "{bad}"
        );
        assert!(
            make(0.0, 0.0, bad, 1.0).starts_with("radius 1: found "),
            "{bad}"
        );
        assert!(
            make(0.0, 0.0, 1.0, bad).starts_with("mass 1: found "),
            "{bad}"
        );
    }
    assert!(make(0.0, 0.0, -1.0, 1.0).contains("radius 1: found -1, expected 0, or from"));
    assert!(make(0.0, 0.0, 1.0, 0.0).contains("mass 1: found 0, expected a number from"));
    assert!(make(0.0, 0.0, 1.0, -2.0).contains("mass 1: found -2"));
    let found = message(Gas::new(&[[0.0; 3]], &[[0.0; 3]], &[0.0], None, &SETTINGS));
    assert!(
        found.contains("mass 0: found 0, the cube of the radius"),
        "{found}"
    );
    for (velocities, radii, masses, what) in [
        (1, 2, 2, "velocities: found 1, expected 2"),
        (2, 3, 2, "radii: found 3, expected 2"),
        (2, 2, 0, "masses: found 0, expected 2"),
    ] {
        let (velocities, radii) = (vec![[0.0; 3]; velocities], vec![1.0; radii]);
        let masses = vec![1.0; masses];
        let centers = [[0.0; 3], [5.0; 3]];
        let found = message(Gas::new(
            &centers,
            &velocities,
            &radii,
            Some(&masses),
            &SETTINGS,
        ));
        assert!(found.starts_with(what), "{found}");
    }
}

#[test]
fn bad_settings_are_named() {
    let with = |settings: GasSettings| message(two(5.0, 1.0, 1.0, &settings));
    for bad in [0.0, -0.5, 1.5, f64::NAN] {
        let found = with(GasSettings {
            restitution: bad,
            ..SETTINGS
        });
        assert!(found.starts_with("restitution: found "), "{found}");
        let found = with(GasSettings {
            wall_restitution: bad,
            ..SETTINGS
        });
        assert!(found.starts_with("wall restitution: found "), "{found}");
    }
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let found = with(GasSettings {
            gravity: [0.0, bad, 0.0],
            ..SETTINGS
        });
        assert!(found.starts_with("gravity: found "), "{found}");
        let found = with(GasSettings {
            contact_time: Some(bad),
            ..SETTINGS
        });
        assert!(found.starts_with("contact time: found "), "{found}");
        let found = with(GasSettings {
            time: bad,
            ..SETTINGS
        });
        assert!(found.starts_with("time: found "), "{found}");
    }
}

#[test]
fn overlaps_are_named_with_their_depth() {
    let found = message(two(1.5, 1.0, 1.0, &SETTINGS));
    assert_eq!(
        found,
        "sphere 0: found an overlap of 0.5 with sphere 1, expected spheres that touch at most"
    );
    assert!(two(2.0, 1.0, 1.0, &SETTINGS).is_ok());
    assert!(two(2.0 - 1e-13, 1.0, 1.0, &SETTINGS).is_ok());
    assert!(two(2.0 - 1e-11, 1.0, 1.0, &SETTINGS).is_err());
    // Through the end of a period, and with its own image.
    let periodic = GasSettings {
        domain: Domain::periodic([4.0, 0.0, 0.0]).unwrap(),
        ..SETTINGS
    };
    assert!(two(2.0, 1.0, 1.0, &periodic).is_ok());
    assert!(message(two(2.5, 1.0, 1.0, &periodic)).contains("an overlap of 0.5 with sphere 1"));
    assert!(message(two(2.5, 1.0, 2.5, &periodic)).contains("an overlap of 1 with its own image"));
    // All in one place: rejected at once, not after testing all pairs.
    let many = vec![[1.0; 3]; 20_000];
    let found = message(Gas::new(&many, &many, &vec![0.1; 20_000], None, &SETTINGS));
    assert!(
        found.starts_with("sphere 0: found an overlap of 0.2 with sphere 1,"),
        "{found}"
    );
    let walled = GasSettings {
        domain: walls(5.0),
        ..SETTINGS
    };
    assert!(two(2.0, 1.0, 1.0, &walled).is_ok());
    let found = message(two(3.5, 1.0, 1.0, &walled));
    assert!(
        found.contains("sphere 1: found 4.5 and radius 1, out of a wall by 0.5"),
        "{found}"
    );
    assert!(two(2.0, 1.0, 3.0, &walled).is_err());
}

#[test]
fn few_or_no_moving_spheres() {
    let none = Gas::new(&[], &[], &[], None, &SETTINGS);
    let mut none = none.unwrap();
    assert_eq!((none.next(), none.energy(), none.len()), (None, 0.0, 0));
    assert_eq!(none.run(5, 7.0, |_| ()).unwrap().end, End::Until);
    assert_eq!((none.time(), none.pressure()), (7.0, None));
    for domain in [Domain::OPEN, Domain::periodic([3.0; 3]).unwrap()] {
        let settings = GasSettings { domain, ..SETTINGS };
        let mut one = Gas::new(&[[1.0; 3]], &[[1.0, 2.0, 3.0]], &[1.0], None, &settings).unwrap();
        assert_eq!(one.run(5, f64::INFINITY, |_| ()).unwrap().end, End::Over);
        one.run(5, 2.5, |_| ()).unwrap();
        let expected = match domain == Domain::OPEN {
            true => [3.5, 6.0, 8.5],
            false => [0.5, 0.0, 2.5],
        };
        let found = Spheres::of(&one).centers[0];
        assert!(
            (0..3).all(|k| (found[k] - expected[k]).abs() < 1e-12),
            "{found:?}"
        );
    }
    let (mut rest, edge) = crystal(3, 0.5, 1);
    rest.velocities.fill([0.0; 3]);
    for domain in [Domain::periodic([edge; 3]).unwrap(), Domain::OPEN] {
        rest.settings.domain = domain;
        assert_eq!(rest.gas().next(), None);
        // Equal velocities count as rest.
        let mut moving = rest.clone();
        moving.velocities.fill([0.3, -1.0, 0.2]);
        assert_eq!(moving.gas().next(), None);
    }
    rest.settings.domain = Domain::new(
        [Axis::Walls {
            lower: -1.0,
            upper: edge + 1.0,
        }; 3],
    )
    .unwrap();
    assert_eq!(rest.gas().next(), None);
}

/// A run of dispersing spheres ends, also with periods along other axes or a wall behind.
#[test]
fn dispersing_spheres_end_the_run() {
    let floor = Axis::Walls {
        lower: 0.0,
        upper: f64::INFINITY,
    };
    let side = Axis::Periodic {
        lower: 0.0,
        length: 1.0,
    };
    for axis in [Axis::Open, floor] {
        let domain = Domain::new([side, side, axis]).unwrap();
        let mut gas = mixed(8, 3.0, domain, 1).gas();
        let run = gas.run(u64::MAX, f64::INFINITY, |_| ()).unwrap();
        assert_eq!(run.end, End::Over);
        // All are in the order of their speeds, or above each other alike.
        let now = Spheres::of(&gas);
        let mut order: Vec<usize> = (0..8).collect();
        order.sort_by(|&a, &b| now.centers[a][2].total_cmp(&now.centers[b][2]));
        for pair in order.windows(2) {
            let [below, above] = [pair[0], pair[1]].map(|i| now.velocities[i][2]);
            assert!(below <= above + 1e-12, "{below} {above}");
        }
        let events = gas.counts().escapes + gas.counts().stale;
        assert!(events < 100_000, "{events}");
    }
    // Spheres that pass each other at a distance do not disperse yet.
    let domain = Domain::periodic([1.0, 1.0, 0.0]).unwrap();
    let settings = GasSettings { domain, ..SETTINGS };
    let centers = [[0.5, 0.5, 0.0], [0.5, 0.5, 50.0]];
    let velocities = [[0.0, 0.0, 1.0], [0.3, 0.1, -1.0]];
    let mut gas = Gas::new(&centers, &velocities, &[0.4; 2], None, &settings).unwrap();
    assert!(gas.next().is_some_and(|found| found.time > 24.0));
}

#[test]
fn touching_spheres_collide_only_if_they_approach() {
    let mut parting = two(2.0, -1.0, 1.0, &SETTINGS).unwrap();
    assert_eq!(parting.next(), None);
    let mut meeting = two(2.0, 1.0, 1.0, &SETTINGS).unwrap();
    assert_eq!(meeting.next().map(|c| c.time), Some(0.0));
    assert_eq!(meeting.next(), None);
}

#[test]
fn extreme_sizes_and_speeds() {
    // From 1e-60 to 1e60, times from 1e-120 to what never happens.
    for size in [1e-80, 1e-30, 1.0, 1e30, 1e50] {
        for speed in [1e-80, 1e-30, 1.0, 1e30, 1e60] {
            let centers = [[0.0; 3], [5.0 * size, 0.0, 0.0]];
            let velocities = [[speed, 0.0, 0.0], [0.0; 3]];
            let made = Gas::new(
                &centers,
                &velocities,
                &[size; 2],
                Some(&[1.0; 2]),
                &SETTINGS,
            );
            let mut gas = made.unwrap();
            let time = 3.0 * (size / speed);
            match (gas.next(), time < 1.6e60) {
                (Some(found), true) => assert!((found.time / time - 1.0).abs() < 1e-9),
                (None, false) => {}
                (found, _) => panic!("{size} {speed}: {found:?}"),
            }
            assert!(gas.energy().is_finite());
            gas.run(3, 1.6e60, |_| ()).unwrap();
            assert!(
                Spheres::of(&gas)
                    .centers
                    .as_flattened()
                    .iter()
                    .all(|x| x.is_finite())
            );
        }
    }
    // One much faster and one much lighter than all others.
    let (mut spheres, _) = crystal(3, 0.3, 2);
    spheres.velocities[5] = [1e20, 3e19, 0.0];
    spheres.masses[7] = 1e-15;
    let mut gas = spheres.gas();
    let before = gas.energy();
    gas.run(20_000, f64::INFINITY, |_| ()).unwrap();
    assert!((gas.energy() / before - 1.0).abs() < 1e-12);
}

#[test]
fn invalid_times() {
    let mut gas = two(5.0, 1.0, 1.0, &SETTINGS).unwrap();
    for bad in [f64::NAN, -1.0, 1e70, f64::NEG_INFINITY] {
        let found = gas.run(1, bad, |_| ()).unwrap_err().to_string();
        assert!(found.starts_with("until: found "), "{found}");
    }
    gas.run(0, 100.0, |_| ()).unwrap();
    assert_eq!(gas.time(), 0.0);
    let run = gas.run(1, 2.0, |_| ()).unwrap();
    assert_eq!((run.events, run.end, gas.time()), (0, End::Until, 2.0));
    assert!(gas.run(1, 1.0, |_| ()).is_err());
    let run = gas.run(9, f64::INFINITY, |_| ()).unwrap();
    assert_eq!((run.events, run.end), (1, End::Over));
}

/// Points meet spheres, but not each other.
#[test]
fn points_do_not_meet_points() {
    let centers = [[0.0; 3], [0.0; 3], [2.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
    let velocities = [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3], [0.0; 3]];
    let radii = [0.0, 0.0, 0.0, 1.0];
    let mut gas = Gas::new(&centers, &velocities, &radii, Some(&[1.0; 4]), &SETTINGS).unwrap();
    let found = gas.next().unwrap();
    assert_eq!(found.a, 0);
    assert!((found.time - 4.0).abs() < 1e-12);
    assert_eq!(gas.next(), None);
    let many = vec![[1.0; 3]; 30_000];
    let radii = vec![0.0; 30_000];
    let mut gas = Gas::new(&many, &many, &radii, Some(&vec![1.0; 30_000]), &SETTINGS).unwrap();
    assert_eq!(gas.next(), None);
}
