//! Benchmark of intersecting surfaces: all intersecting triangles of a knot and its rotated copy.

use super::{TURNS, parry_of};
use crate::timing::{contestant, cpu_seconds, race};
use crate::{Options, Outcome};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Rotation, Vector};
use parry3d_f64::query::intersection_test;
use std::cell::RefCell;
use std::f64::consts::FRAC_1_SQRT_2;
use tangere::closest::{Intersection, TriangleTree};
use tangere::generate;
use tangere::geometry::Pose;

/// The numbers of triangles of the knot, each with its target in milliseconds.
const SIZES: [(usize, f64); 3] = [(20_000, 1.5), (200_000, 4.0), (1_400_000, 10.0)];

/// The poses of the copy: rotated by a third of a turn about (1, 1, 1), rotated by a right angle
/// about x, and a general pose.
const POSES: [(&str, [f64; 7]); 3] = [
    (
        "a third about (1, 1, 1)",
        [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5],
    ),
    (
        "a quarter about x",
        [0.0, 0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0],
    ),
    ("anyhow", [0.05, 0.02, 0.03, 0.9, 0.3, 0.3, 0.1]),
];

pub fn run(options: &Options) -> Outcome {
    for (triangles, target) in SIZES {
        if options.quick && triangles > 200_000 {
            continue;
        }
        for (how, pose) in POSES {
            let title = format!("knot of {triangles} triangles, its copy turned by {how}");
            if options.selects(&title) {
                copies(options, &title, triangles, pose, target)?;
            }
        }
    }
    Ok(())
}

fn copies(
    options: &Options,
    title: &str,
    triangles: usize,
    [x, y, z, q @ ..]: [f64; 7],
    target: f64,
) -> Outcome {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, i, j, k] = q.map(|x| x / length);
    let pose = Pose::from_numbers(&[x, y, z, w, i, j, k])?;
    let turned =
        parry3d_f64::math::Pose::from_parts(Vector::new(x, y, z), Rotation::from_xyzw(i, j, k, w));
    let knot = generate::knot(triangles)?;
    let start = cpu_seconds();
    let tree = TriangleTree::new(&knot);
    let set_up = cpu_seconds() - start;
    let parry = match options.peers {
        true => Some(parry_of(&knot)?),
        false => None,
    };
    let found: RefCell<Vec<Intersection>> = RefCell::default();
    let mut contestants = vec![
        contestant("all pairs", || {
            let mut found = found.borrow_mut();
            match tree.intersections(&tree, &pose, &mut found) {
                Ok(()) => found.len(),
                Err(_) => 0,
            }
        }),
        contestant("any pair", || usize::from(tree.intersects(&tree, &pose))),
    ];
    if let Some(parry) = &parry {
        contestants.push(contestant("parry, all pairs", move || {
            let pairs = parry.bvh().leaf_pairs(parry.bvh(), |a, b| {
                a.aabb().intersects(&b.aabb().transform_by(&turned))
            });
            let here = parry3d_f64::math::Pose::IDENTITY;
            pairs
                .filter(|&(i, j)| {
                    let (a, b) = (parry.triangle(i), parry.triangle(j));
                    intersection_test(&here, &a, &turned, &b).is_ok_and(|found| found.intersecting)
                })
                .count()
        }));
    }
    race(title, TURNS, triangles, &mut contestants);
    println!(
        "  target {target} ms for all pairs; set-up {:.1} ms",
        set_up * 1e3
    );
    Ok(())
}
