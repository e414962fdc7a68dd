//! Benchmark of the distance of two surfaces along a motion: a knot, and a foam that moves past it.

use super::{TURNS, parry_of};
use crate::timing::{contestant, race};
use crate::{Options, Outcome};
use parry3d_f64::math::{Rotation, Vector};
use std::cell::RefCell;
use tangere::closest::{
    SurfaceDistance, SurfaceStatus, TriangleTree, surface_distances, surface_statuses,
};
use tangere::generate;
use tangere::geometry::Pose;

/// The number of poses of the motion.
const POSES: usize = 100;

pub fn run(options: &Options) -> Outcome {
    let title = "distance of a knot and a foam, 20000 and 13388 triangles, at 100 poses";
    if !options.selects(title) {
        return Ok(());
    }
    let (a, b) = (generate::knot(20_000)?, generate::foam(13_000, 0)?);
    let numbers: Vec<[f64; 7]> = (0..POSES)
        .map(|i| {
            let s = i as f64 / POSES as f64;
            let (sin, cos) = (0.5 * s).sin_cos();
            [4.2 + 2.0 * s, s - 0.65, -0.65, cos, 0.0, 0.0, sin]
        })
        .collect();
    let poses = numbers.iter().map(|n| Pose::from_numbers(n));
    let poses = poses.collect::<tangere::Result<Vec<Pose>>>()?;
    let (tree_a, tree_b) = (TriangleTree::new(&a), TriangleTree::new(&b));
    let found: RefCell<Vec<SurfaceDistance>> = RefCell::default();
    let statuses: RefCell<Vec<SurfaceStatus>> = RefCell::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let parry = match options.peers {
        true => Some((parry_of(&a)?, parry_of(&b)?)),
        false => None,
    };
    let mut contestants = vec![
        contestant("distances", || {
            let found: &mut Vec<_> = &mut found.borrow_mut();
            let work = || surface_distances(&tree_a, &tree_b, &poses, found);
            pool.install(work).map_or(0, |()| POSES)
        }),
        contestant("distances, each pose anew", || {
            let distances = poses.iter().map(|pose| tree_a.distance(&tree_b, pose));
            distances.filter(|found| found.distance > 0.0).count()
        }),
    ];
    if let Some((parry_a, parry_b)) = &parry {
        contestants.push(contestant("parry, distances", || {
            let here = parry3d_f64::math::Pose::IDENTITY;
            let apart = numbers.iter().filter(|[x, y, z, w, i, j, k]| {
                let at = parry3d_f64::math::Pose::from_parts(
                    Vector::new(*x, *y, *z),
                    Rotation::from_xyzw(*i, *j, *k, *w),
                );
                let distance = parry3d_f64::query::distance(&here, parry_a, &at, parry_b);
                distance.is_ok_and(|found| found.distance > 0.0)
            });
            apart.count()
        }));
    }
    race(title, TURNS, POSES, &mut contestants);
    // A race of its own: a contestant that is far behind has no further turns.
    let mut status = [contestant("status", || {
        let statuses: &mut Vec<_> = &mut statuses.borrow_mut();
        let work = || surface_statuses(&tree_a, &tree_b, &poses, statuses);
        pool.install(work).map_or(0, |()| POSES)
    })];
    race("status of the same", TURNS, POSES, &mut status);
    println!("  target 10 ms for distances, on one thread");
    Ok(())
}
