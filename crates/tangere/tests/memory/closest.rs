//! Warm distance queries of convex bodies allocate nothing, on any thread of the pool.

use std::sync::Arc;
use test_support::allocations::{of_process, of_thread};
use test_support::alone;
use test_support::surfaces::corners;

use tangere::closest::{ConvexPairs, Patch, Tracker};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

/// A ball of triangles, not quite round.
fn round(rings: usize) -> ConvexPolyhedron {
    let mut points = vec![[0.0, 0.0, 0.5], [0.0, 0.0, -0.5]];
    for ring in 1..rings {
        let (r, z) = (std::f64::consts::PI * ring as f64 / rings as f64).sin_cos();
        for k in 0..2 * rings {
            let angle = std::f64::consts::PI * (k as f64 + 0.5 * ring as f64) / rings as f64;
            points.push([0.5 * r * angle.cos(), 0.45 * r * angle.sin(), 0.5 * z]);
        }
    }
    ConvexPolyhedron::hull(&points).expect("a hull")
}

fn cube() -> ConvexPolyhedron {
    ConvexPolyhedron::hull(&corners([0.0; 3], 1.0)).expect("a hull")
}

/// Where a body is at a step: turned by a little more, and nearer and farther.
fn pose(body: usize, step: usize) -> Pose {
    let angle = 0.002 * (step % 40) as f64 + body as f64;
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let place =
        |k: usize| 0.75 * ((body / [1, 4, 16][k]) % 4) as f64 + 0.01 * ((step % 40) as f64).sin();
    let numbers = [
        place(0),
        place(1),
        place(2),
        cosine,
        0.6 * sine,
        0.0,
        0.8 * sine,
    ];
    Pose::from_numbers(&numbers).expect("a pose")
}

#[test]
fn warm_calls_allocate_nothing() {
    alone!();
    assert!(of_process(|| drop(std::hint::black_box(vec![1]))) > 0);
    let (ball, cube) = (Arc::new(round(12)), Arc::new(cube()));

    let (mut tracker, mut patch) = (Tracker::new(), Patch::new());
    let (mut last, mut depth) = (0, 0.0_f64);
    for step in 0..240 {
        let (here, there) = (pose(0, step), pose(1, step));
        let count = of_thread(|| {
            for (a, b) in [(&ball, &ball), (&cube, &cube)] {
                let contact = tracker.contact(a, &here, b, &there);
                patch.update(a, &here, b, &there, &contact);
                depth = depth.min(contact.gap);
            }
        });
        last += if step < 120 { 0 } else { count };
    }
    assert_eq!(last, 0, "a tracker and a patch");
    assert!(depth < -0.01);

    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let shapes = (0..64).map(|i| {
                if i % 2 == 0 {
                    ball.clone()
                } else {
                    cube.clone()
                }
            });
            let mut pairs = ConvexPairs::new(shapes.collect());
            let all: Vec<[u32; 2]> = (0..64)
                .flat_map(|a| (a + 1..64).map(move |b| [a, b]))
                .filter(|[a, b]| b - a < 22)
                .collect();
            let mut contacts = Vec::new();
            // The least of several: threads that begin or end may allocate meanwhile.
            let mut least = usize::MAX;
            for step in 0..160 {
                let poses: Vec<Pose> = (0..64).map(|body| pose(body, step)).collect();
                // Another list of pairs at every step.
                let list = &all[step % 4..all.len() - step % 7];
                let count = of_process(|| {
                    let found = pairs.contacts(&poses, list, &mut contacts);
                    found.expect("valid pairs");
                });
                if step >= 120 {
                    least = least.min(count);
                }
            }
            assert_eq!(least, 0, "pairs on {threads} threads");
            assert!(contacts.iter().any(|c| c.gap < 0.0));
        });
    }
}
