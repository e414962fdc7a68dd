//! Distance and penetration depth: one convex body moves through another.
//!
//! `cargo run --release -p tangere --example closest`

use tangere::closest::{Patch, Tracker, certificate};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

fn main() -> Result<(), tangere::Error> {
    let grain = ConvexPolyhedron::from_mesh(&generate::hull(100, 1)?)?;
    let here = Pose::identity();
    // Follows the closest features from step to step; answers are the same without.
    let mut tracker = Tracker::new();
    let mut patch = Patch::new();
    for step in 0..200 {
        let there = Pose::from_translation([2.5 - 0.005 * f64::from(step), 0.1, 0.0])?;
        let contact = tracker.contact(&grain, &here, &grain, &there);
        // A proof that shares nothing with the search.
        assert_eq!(certificate(&grain, &here, &grain, &there, &contact), Ok(()));
        if step % 40 == 0 {
            patch.update(&grain, &here, &grain, &there, &contact);
            println!(
                "{}: gap {:+.4} in [{:+.4}, {:+.4}], {} on {}, {} points in the patch",
                contact.status.name(),
                contact.gap,
                contact.lower,
                contact.upper,
                contact.feature_a,
                contact.feature_b,
                patch.points().len()
            );
        }
    }
    println!("{} of 200 calls needed one step", tracker.counts().steps[0]);
    Ok(())
}
