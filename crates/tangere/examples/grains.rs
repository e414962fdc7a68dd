//! Three questions of one step of a simulation: 500 convex grains in a spherical drum.
//! Broad phase (`pairs`), narrow phase (`closest`), and who is still in the drum (`inside`).
//!
//! `cargo run --release -p tangere --example grains`

use std::sync::Arc;
use tangere::closest::ConvexPairs;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::inside::{Inside, InsideSettings, InsideTest, Side};
use tangere::pairs::{BroadPhase, Items, PairFinder, PairSettings};
use tangere::shape::ConvexPolyhedron;

fn main() -> Result<(), tangere::Error> {
    let shape = Arc::new(ConvexPolyhedron::from_mesh(&generate::hull(40, 1)?)?);
    let mut drum = Inside::new(InsideSettings::default())?;
    drum.update(&generate::sphere(5)?)?;

    // Grains of radius 1 in a lattice that spans the drum, scaled to it.
    let spacing = 1.7;
    let places =
        (0..512).map(|i| [i % 8, i / 8 % 8, i / 64].map(|k| spacing * (f64::from(k) - 3.5)));
    let poses: Vec<Pose> = places
        .map(Pose::from_translation)
        .collect::<Result<_, _>>()?;

    // Broad phase: boxes of the grains that overlap.
    let bounds = shape.bounds();
    let corner = |corner: [f64; 3]| move |pose: &Pose| pose.apply(corner);
    let lower: Vec<[f64; 3]> = poses.iter().map(corner(bounds.min)).collect();
    let upper: Vec<[f64; 3]> = poses.iter().map(corner(bounds.max)).collect();
    let mut broad_phase = BroadPhase::new(PairSettings::default())?;
    let mut candidates = Vec::new();
    broad_phase.update(Items::Boxes {
        lower: &lower,
        upper: &upper,
    })?;
    broad_phase.pairs(&mut candidates)?;

    // Narrow phase: distance or penetration depth of each candidate pair.
    let mut narrow_phase = ConvexPairs::new(vec![shape; poses.len()]);
    let mut contacts = Vec::new();
    narrow_phase.contacts(&poses, &candidates, &mut contacts)?;
    let touching = contacts.iter().filter(|contact| contact.gap <= 0.0).count();

    // Containment: the drum has radius 7.
    let mut sides = Vec::new();
    let centers: Vec<[f64; 3]> = poses
        .iter()
        .map(|pose| pose.apply([0.0; 3]).map(|x| x / 7.0))
        .collect();
    drum.classify(&centers, &mut sides)?;
    let inside = sides.iter().filter(|&&side| side == Side::Inside).count();
    println!(
        "{} grains, {} candidate pairs, {touching} contacts, {inside} grains in the drum",
        poses.len(),
        candidates.len()
    );
    assert!(touching > 0 && touching <= candidates.len());
    assert!(inside > 0 && inside < poses.len());
    Ok(())
}
