//! Bounds of what two bodies share hold, and estimates are near.

use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, OverlapQuery, OverlapSettings, lipschitz};
use tangere::shape::{Packing, TriMesh};

fn cube() -> TriMesh {
    let vertices = (0..8)
        .map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1)))
        .collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let faces = quads
        .iter()
        .flat_map(|&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]])
        .collect();
    TriMesh::new(vertices, faces).expect("a cube")
}

/// A cube with the largest sphere, those of its corners and those of a lattice as they fit.
fn filled_cube() -> Packing {
    cube_filled_with(&[4, 9, 20, 41])
}

/// The same with spheres of lattices of so many a side.
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
    Packing::in_mesh(&cube(), centers, radii).expect("spheres in a cube")
}

#[test]
fn cubes_share_what_they_share() {
    let packing = filled_cube();
    assert!((packing.body_volume() - 1.0).abs() < 1e-12);
    assert!(packing.filling() > 0.7, "{}", packing.filling());
    let mut query = OverlapQuery::new(OverlapSettings::default());
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
    let mut query = OverlapQuery::new(OverlapSettings::default());
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
        });
        let [a, b] = [&packing, &again].map(|p| query.overlap(p, &Pose::identity(), p, &pose));
        assert_eq!(a, b);
    }
    let mut record = packing.record();
    record.pop();
    assert!(Packing::from_record(vec![[0.5; 3]], vec![0.5], &record).is_err());
    assert!(Packing::from_record(vec![[0.5; 3]], vec![0.5], &[0.1]).is_err());
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
            let found =
                OverlapQuery::new(settings).overlap(&ball, &Pose::identity(), &ball, &there);
            let [x, y, z] = found.normal;
            assert!(
                (x - 0.6).abs() < 1e-12 && (y - 0.8).abs() < 1e-12 && z == 0.0,
                "{size}: {found:?}"
            );
        }
    }
}

#[test]
fn spheres_of_any_body_are_bounded() {
    let sphere = generate::sphere(4).unwrap();
    let packing = Packing::in_mesh(&sphere, vec![[0.0; 3]], vec![0.99]).unwrap();
    let mut query = OverlapQuery::new(OverlapSettings::default());
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

/// Along a path of 10,000 steps volumes change by no more than they may, and forces less the finer the steps.
#[test]
fn answers_are_continuous() {
    let packing = cube_filled_with(&[4, 9]);
    let constants = lipschitz(&packing, &packing);
    let mut query = OverlapQuery::new(OverlapSettings::default());
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

fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
    (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
}
