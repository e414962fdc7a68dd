//! Penetration volume: its bounds hold, and its estimate is close.

use tangere::generate;
use tangere::geometry::{Aabb, Pose, Similarity};
use tangere::overlap::pack::{FunctionContainer, PackSettings, pack, pack_mesh};
use tangere::overlap::{Budget, Method, OverlapQuery, OverlapSettings, lipschitz};
use tangere::shape::{Packing, TriMesh};
use test_support::surfaces::cube;
use test_support::vectors::distance;

/// A cube packed with its inscribed sphere, spheres at its corners, and lattice spheres that fit.
fn filled_cube() -> Packing {
    cube_filled_with(&[4, 9, 20, 41])
}

/// The same with several lattices of so many spheres a side.
fn cube_filled_with(sides: &[i32]) -> Packing {
    let mut centers = vec![[0.5; 3]];
    let mut radii = vec![0.5];
    for &level in sides {
        let r = 0.5 / f64::from(level);
        for place in 0..level * level * level {
            let at = [place % level, place / level % level, place / level / level];
            let center = at.map(|i| (2 * i + 1) as f64 * r);
            let clear = centers.iter().zip(&radii).all(|(c, s): (&[f64; 3], &f64)| {
                let d: f64 = (0..3).map(|k| (c[k] - center[k]).powi(2)).sum();
                d.sqrt() >= s + r
            });
            if clear {
                centers.push(center);
                radii.push(r * (1.0 - 1e-12));
            }
        }
    }
    Packing::in_mesh(&cube([0.5; 3], 1.0), centers, radii).expect("spheres in a cube")
}

#[test]
fn cubes_share_what_they_share() {
    let packing = filled_cube();
    assert!((packing.body_volume() - 1.0).abs() < 1e-12);
    assert!(packing.filling() > 0.7, "{}", packing.filling());
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    for step in -12..=12 {
        let t = [0.1 * f64::from(step), 0.03 * f64::from(step), 0.0];
        let pose = Pose::from_translation(t).unwrap();
        let found = query.overlap(&packing, &Pose::identity(), &packing, &pose);
        let exact: f64 = t.iter().map(|x| (1.0 - x.abs()).max(0.0)).product();
        assert!(found.lower <= exact + 1e-12, "{step}: {found:?}");
        assert!(found.upper >= exact - 1e-12, "{step}: {found:?}");
        assert!(found.lower <= found.volume && found.volume <= found.upper);
    }
}

#[test]
fn bounds_hold_whenever_a_budget_ends() {
    let packing = filled_cube();
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let pose = Pose::from_translation([0.4, 0.1, 0.0]).unwrap();
    let mut before = f64::INFINITY;
    for work in [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000] {
        let budget = Budget::Work(work);
        let found = query.overlap_within(&packing, &Pose::identity(), &packing, &pose, budget);
        assert!(
            found.lower <= 0.54 && found.upper >= 0.54,
            "{work}: {found:?}"
        );
        assert!(
            found.upper - found.lower <= before + 1e-12,
            "{work}: {found:?}"
        );
        before = found.upper - found.lower;
    }
}

#[test]
fn records_bring_back_what_is_known() {
    let packing = filled_cube();
    let (centers, radii) = (packing.centers().to_vec(), packing.radii().to_vec());
    let again = Packing::from_record(centers, radii, &packing.record()).unwrap();
    let pose: Pose = "0.4,0.1,0.2,0.8,0.6,0,0".parse().unwrap();
    for method in Method::ALL {
        let mut query = OverlapQuery::new(OverlapSettings {
            method,
            about: None,
        })
        .unwrap();
        let [a, b] = [&packing, &again].map(|p| query.overlap(p, &Pose::identity(), p, &pose));
        assert_eq!(a, b);
    }
    let mut record = packing.record();
    record.pop();
    assert!(Packing::from_record(vec![[0.5; 3]], vec![0.5], &record).is_err());
    assert!(Packing::from_record(vec![[0.5; 3]], vec![0.5], &[0.1]).is_err());
}

/// The record is rejected, with this text.
fn assert_refused(packing: &Packing, record: &[f64], words: &str) {
    let (centers, radii) = (packing.centers().to_vec(), packing.radii().to_vec());
    let error = Packing::from_record(centers, radii, record).expect_err("a damaged record");
    assert!(error.to_string().contains(words), "{words}: {error}");
}

#[test]
fn damaged_records_are_refused() {
    let packing = cube_filled_with(&[4]);
    let record = packing.record();
    let rooms = record[8] as usize;
    for (i, value, words) in [
        (
            0,
            -1.0,
            "volume of the body: found -1, expected more than 0",
        ),
        (0, 1e300, "volume of the body: found 1e300"),
        (
            0,
            2.0,
            "volume of the body: found 2, expected at most that of its cells",
        ),
        (
            0,
            0.1,
            "volume of the body: found 0.1, expected at least that of the spheres",
        ),
        (0, 0.99, "checksum of the body: found "),
        (1, 0.5, "expected around all spheres"),
        (2, 1e18, "expected around all spheres"),
        (3, 1e300, "corner of the body's cells: found 1e300"),
        (4, 0.0, "side of the body's cells: found 0"),
        (4, 1e-3, "cells of the body: found from"),
        (
            5,
            0.5,
            "cells of the body: found 0.5, expected a whole number",
        ),
        (6, -3.0, "cells of the body: found -3"),
        (7, 1e300, "cells of the body: found 1e300"),
        (8, 0.5, "cells that the body reaches: found 0.5"),
        (8, -7.0, "cells that the body reaches: found -7"),
        (8, 7.0, "record of the body: found "),
        (9, -1.0, "number of a cell of the body: found -1"),
        (
            11,
            0.0,
            "number of a cell of the body: found 0, expected a whole number from 1",
        ),
        (11, 0.5, "number of a cell of the body: found 0.5"),
        (10, -1.0, "volume in a cell of the body: found -1"),
        (10, 1e9, "volume in a cell of the body: found 1000000000"),
        (9 + 2 * rooms, -1.0, "distance from the body: found -1"),
        (9 + 2 * rooms, 0.5, "checksum of the body: found "),
        (
            record.len() - 1,
            0.0,
            "checksum of the body: found 0, expected",
        ),
    ] {
        let mut damaged = record.clone();
        damaged[i] = value;
        assert_refused(&packing, &damaged, words);
    }
    // Every number of the record, changed.
    for i in 0..record.len() {
        for value in [
            -1.0,
            0.0,
            0.5,
            1e18,
            2.0 * record[i] + 1.0,
            f64::NAN,
            record[i] * (1.0 + 1e-15),
        ] {
            let mut damaged = record.clone();
            damaged[i] = value;
            if value != record[i] {
                assert_refused(&packing, &damaged, "found");
            }
        }
    }
    // A record of other spheres; their order does not matter.
    let (mut centers, mut radii) = (packing.centers().to_vec(), packing.radii().to_vec());
    radii[3] *= 0.5;
    let smaller = Packing::new(centers.clone(), radii.clone()).unwrap();
    assert_refused(&smaller, &record, "or is of other spheres");
    radii[3] *= 2.0;
    centers.reverse();
    radii.reverse();
    assert!(Packing::from_record(centers, radii, &record).is_ok());
}

#[test]
fn records_of_all_bodies_are_taken_back() {
    let inside = |[x, y, z]: [f64; 3]| 0.5 - (x.hypot(y) - 2.0).hypot(z);
    let bounds = Aabb::new([-2.5, -2.5, -0.5], [2.5, 2.5, 0.5]).unwrap();
    let volume = std::f64::consts::PI.powi(2);
    let mut torus = FunctionContainer::new(bounds, volume, inside).unwrap();
    let far = Similarity::new(1.0, Pose::from_translation([1e9, -1e9, 5e8]).unwrap()).unwrap();
    let tiny = Similarity::new(1e-60, Pose::identity()).unwrap();
    let knot = generate::knot(1000).unwrap();
    let settings = PackSettings::spheres(50);
    for packing in [
        pack(&mut torus, &settings).unwrap(),
        pack_mesh(&knot, &settings).unwrap(),
        pack_mesh(&knot.transformed(&far).unwrap(), &settings).unwrap(),
        pack_mesh(&knot.transformed(&tiny).unwrap(), &settings).unwrap(),
    ] {
        let (centers, radii) = (packing.centers().to_vec(), packing.radii().to_vec());
        let again = Packing::from_record(centers, radii, &packing.record()).unwrap();
        assert_eq!(again.record(), packing.record());
    }
}

#[test]
fn a_speck_in_a_body_stands_for_it() {
    let sphere = generate::sphere(4).unwrap();
    let packing = Packing::in_mesh(&sphere, vec![[0.0; 3]], vec![1e-3]).unwrap();
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let there = Pose::from_translation([1e-4, 0.0, 0.0]).unwrap();
    let found = query.overlap(&packing, &Pose::identity(), &packing, &there);
    assert!(
        found.lower < found.volume && found.volume <= found.upper,
        "{found:?}"
    );
}

#[test]
fn normals_of_bodies_of_any_size_have_unit_length() {
    for size in [1e-80, 1e-60, 1e-52, 1e-30, 1.0, 1e52, 1e58] {
        let ball = Packing::new(vec![[0.0; 3]], vec![size]).unwrap();
        let there = Pose::from_translation([0.6 * size, 0.8 * size, 0.0]).unwrap();
        for method in Method::ALL {
            let settings = OverlapSettings {
                method,
                about: None,
            };
            let found = OverlapQuery::new(settings).unwrap().overlap(
                &ball,
                &Pose::identity(),
                &ball,
                &there,
            );
            let [x, y, z] = found.normal;
            assert!(
                (x - 0.6).abs() < 1e-12 && (y - 0.8).abs() < 1e-12 && z == 0.0,
                "{size}: {found:?}"
            );
        }
    }
}

#[test]
fn spheres_that_are_none_or_elsewhere_are_named() {
    let sphere = generate::sphere(4).unwrap();
    for (radius, words) in [
        (-1.0, "radius 0: found -1, expected more than 0"),
        (0.0, "radius 0: found 0, expected more than 0"),
        (f64::NAN, "radius 0: found NaN, expected more than 0"),
        (
            1e-100,
            "radius 0: found 1e-100, expected more than 0, from 4.9e-91",
        ),
    ] {
        let error = Packing::new(vec![[0.0; 3]], vec![radius]).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
    }
    let error = Packing::new(vec![[0.0; 3]], vec![1.0, -1.0])
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "radii: found 2 radii, expected 1, one for each centre"
    );
    for (center, radius, words) in [
        (
            [3.0, 0.0, 0.0],
            0.5,
            "sphere 0: found a centre [3.0, 0.0, 0.0], outside of the surface by 2",
        ),
        (
            [0.5, 0.0, 0.0],
            0.75,
            "sphere 0: found a radius of 0.75, expected at most 0.49",
        ),
    ] {
        let error = Packing::in_mesh(&sphere, vec![center], vec![radius]).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
    }
}

#[test]
fn spheres_of_any_body_are_bounded() {
    let sphere = generate::sphere(4).unwrap();
    let packing = Packing::in_mesh(&sphere, vec![[0.0; 3]], vec![0.99]).unwrap();
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let pose = Pose::from_translation([1.0, 0.0, 0.0]).unwrap();
    let found = query.overlap(&packing, &Pose::identity(), &packing, &pose);
    let exact = 5.0 / 12.0 * std::f64::consts::PI;
    assert!(
        found.lower < exact && exact * 0.99 < found.upper,
        "{found:?}"
    );
    let open = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[1..].to_vec()).unwrap();
    assert!(Packing::in_mesh(&open, vec![[0.0; 3]], vec![0.5]).is_err());
}

/// Along a path of 10,000 steps volumes change within the Lipschitz constants, and changes of force
/// shrink with the steps.
#[test]
fn answers_are_continuous() {
    let packing = cube_filled_with(&[4, 9]);
    let constants = lipschitz(&packing, &packing);
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let mut jumps = Vec::new();
    for steps in [2500, 10_000] {
        let mut before = None;
        let (mut force, mut torque): (f64, f64) = (0.0, 0.0);
        for i in 0..=steps {
            let t = f64::from(i) / f64::from(steps);
            let (sin, cos) = (0.4 * t).sin_cos();
            // Through the place where all spheres are concentric.
            let numbers = [1.2 - 2.4 * t, 0.3 - 0.6 * t, 0.0, cos, 0.0, 0.0, sin];
            let pose = Pose::from_numbers(&numbers).unwrap();
            let found = query.overlap(&packing, &Pose::identity(), &packing, &pose);
            if let Some((last, at)) = before.replace((found, pose)) {
                // The farthest that a corner of the box has moved.
                let moved = (0..8)
                    .map(|c| [0, 1, 2].map(|k| f64::from(c >> k & 1)))
                    .map(|p| distance(pose.apply(p), at.apply(p)))
                    .fold(0.0, f64::max);
                let slack = 1e-13;
                assert!((found.lower - last.lower).abs() <= constants.lower * moved + slack);
                assert!((found.volume - last.volume).abs() <= constants.volume * moved + slack);
                force = force.max(distance(found.force, last.force));
                torque = torque.max(distance(found.torque, last.torque));
            }
        }
        jumps.push([force, torque]);
    }
    for k in 0..2 {
        assert!(jumps[1][k] < 0.4 * jumps[0][k], "{jumps:?}");
    }
}

/// Loose, because machines are busy: `cargo xtask bench overlap` measures how well time budgets
/// hold.
#[test]
fn budgets_of_time_are_held_and_bounds_hold() {
    let packing = cube_filled_with(&[4, 9, 20]);
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let pose = Pose::from_translation([0.4, 0.1, 0.0]).unwrap();
    for micros in [0, 20, 50, 200, 1000] {
        let budget = std::time::Duration::from_micros(micros);
        let mut times: Vec<_> = (0..50)
            .map(|_| {
                let start = std::time::Instant::now();
                let within = Budget::Time(budget);
                let found =
                    query.overlap_within(&packing, &Pose::identity(), &packing, &pose, within);
                assert!(found.lower <= 0.54 && found.upper >= 0.54, "{found:?}");
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let most = budget * 10 + std::time::Duration::from_millis(1);
        assert!(times[25] < most, "{micros} us took {:?}", times[25]);
    }
}
