//! Benchmark of the closest point on a finite element face; every answer is proven.

use super::TURNS;
use crate::timing::{contestant, race};
use crate::{Options, Outcome};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;
use std::cell::RefCell;
use tangere::closest::{FacePoint, FaceStatus, PreparedFaces};
use tangere::shape::{Face, FaceKind};
use test_support::Random;

/// The number of pairs of a face and a point; they fit into the cache.
const PAIRS: usize = 1000;

/// The face kinds, each with its target in nanoseconds for a query.
const KINDS: [(FaceKind, f64); 5] = [
    (FaceKind::Tri3, 20.0),
    (FaceKind::Quad4, 100.0),
    (FaceKind::Tri6, 180.0),
    (FaceKind::Quad8, 280.0),
    (FaceKind::Quad9, 300.0),
];

/// The cases: title, perturbation of the nodes of a plane face with edges of 1 to 2, and distance
/// of the points from its centre.
const CASES: [(&str, f64, f64); 3] = [
    ("mildly bent, points near", 0.1, 1.0),
    ("strongly bent, points near", 0.5, 1.0),
    ("mildly bent, points far", 0.1, 10.0),
];

pub fn run(options: &Options) -> Outcome {
    for (case, bent, far) in CASES {
        for (kind, target) in KINDS {
            let title = format!("nearest point of {} faces, {case}", kind.name());
            if options.selects(&title) {
                pairs(options, &title, kind, bent, far, target)?;
            }
        }
    }
    Ok(())
}

fn pairs(
    options: &Options,
    title: &str,
    kind: FaceKind,
    bent: f64,
    far: f64,
    target: f64,
) -> Outcome {
    let mut random = Random::new(kind as u64 + 1);
    // Edges from 1 to 2, about the origin; those of reference triangles are half of the squares'.
    let edge = if kind.corners() == 3 { 2.0 } else { 1.0 };
    let center = kind.center();
    let faces = (0..PAIRS)
        .map(|_| {
            let turn = random.pose([0.0; 3]);
            let size = [0; 2].map(|_| edge * (0.5 + 0.5 * random.unit()));
            let node = |xi: &[f64; 2]| {
                let [x, y, z] = random.vector(bent);
                let [u, v] = [0, 1].map(|k| size[k] * (xi[k] - center[k]));
                turn.apply([u + x, v + y, z])
            };
            let nodes: Vec<[f64; 3]> = kind.node_coordinates().iter().map(node).collect();
            Face::new(kind, &nodes)
        })
        .collect::<tangere::Result<Vec<Face>>>()?;
    let points: Vec<[f64; 3]> = (0..PAIRS).map(|_| random.vector(far)).collect();
    let numbers: Vec<u32> = (0..PAIRS as u32).collect();
    let prepared = PreparedFaces::from_faces(&faces);
    let triangles: Vec<Triangle> = faces
        .iter()
        .map(|face| {
            let n = face.nodes();
            Triangle::new(n[0].into(), n[1].into(), n[2].into())
        })
        .collect();
    let found: RefCell<Vec<FacePoint>> = RefCell::default();
    // Repeated within a turn, because a single run is too short for the clock.
    let repeats = if options.quick { 5 } else { 50 };
    let mut contestants = vec![contestant("PreparedFaces", || {
        let mut found = found.borrow_mut();
        for _ in 0..repeats {
            if prepared.nearest_all(&numbers, &points, &mut found).is_err() {
                return 0;
            }
        }
        found.len()
    })];
    if options.peers && kind == FaceKind::Tri3 {
        contestants.push(contestant("parry", || {
            for _ in 0..repeats {
                for (triangle, &p) in triangles.iter().zip(&points) {
                    std::hint::black_box(triangle.project_local_point(p.into(), false));
                }
            }
            triangles.len()
        }));
    }
    race(title, TURNS, PAIRS * repeats, &mut contestants);
    drop(contestants);
    let found = found.borrow();
    let iterations = found.iter().map(|x| x.iterations);
    let (least, most) = (iterations.clone().min(), iterations.clone().max());
    let proven = found
        .iter()
        .filter(|x| x.status == FaceStatus::Proven)
        .count();
    println!(
        "  target {target} ns; iterations {} to {}, {:.2} on average; {proven} of {} proven",
        least.unwrap_or(0),
        most.unwrap_or(0),
        iterations.sum::<u32>() as f64 / found.len() as f64,
        found.len()
    );
    Ok(())
}
