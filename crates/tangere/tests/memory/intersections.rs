//! Warm intersection queries of two surfaces allocate nothing.

use std::hint::black_box;
use tangere::closest::TriangleTree;
use tangere::generate;
use tangere::geometry::Pose;
use test_support::allocations::{least_of_process, of_process};
use test_support::alone;

#[test]
fn warm_queries_of_surfaces_allocate_nothing() {
    alone!();
    assert!(of_process(|| drop(black_box(vec![1]))) > 0);
    let knot = TriangleTree::new(&generate::knot(2000).unwrap());
    let pose: Pose = "0.02,0.01,0.03,0.5,0.5,0.5,0.5".parse().unwrap();
    let away: Pose = "9,0,0,0.8,0,0.6,0".parse().unwrap();
    let mut found = Vec::new();
    knot.intersections(&knot, &pose, &mut found).unwrap();
    assert!(!found.is_empty());
    let mut query = || {
        knot.intersections(&knot, &pose, &mut found).unwrap();
        black_box(knot.intersects(&knot, &pose));
        black_box((knot.distance(&knot, &pose), knot.distance(&knot, &away)));
        knot.self_intersections(&mut found).unwrap();
    };
    // Threads that made the mesh may still be going to sleep.
    let count = least_of_process(&mut query);
    assert_eq!(count, 0);
}
