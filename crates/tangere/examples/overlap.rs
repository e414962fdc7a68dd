//! Penetration volume: two knots filled with spheres are pushed into each other.
//!
//! `cargo run --release -p tangere --example overlap`

use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings};

fn main() -> Result<(), tangere::Error> {
    let knot = pack_mesh(&generate::knot(2000)?, &PackSettings::spheres(500))?;
    let mut query = OverlapQuery::new(OverlapSettings::default())?;
    let here = Pose::identity();
    for x in [8.0, 4.0, 2.0, 1.0] {
        let there = Pose::from_translation([x, 0.0, 0.0])?;
        let found = query.overlap(&knot, &here, &knot, &there);
        println!(
            "at {x}: volume {:.3} in [{:.3}, {:.3}], {} pairs of spheres, force on b {:+.2?}",
            found.volume, found.lower, found.upper, found.pairs, found.force
        );
        assert!(found.lower <= found.volume && found.volume <= found.upper);
    }
    Ok(())
}
