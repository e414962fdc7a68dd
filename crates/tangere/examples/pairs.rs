//! Broad phase: which of 10,000 spheres touch while they drift through a periodic box.
//!
//! `cargo run --release -p tangere --example pairs`

use tangere::generate::crystal;
use tangere::pairs::{BroadPhase, PairFinder, PairSettings, Periodic};

fn main() -> Result<(), tangere::Error> {
    let spheres = crystal::<3>(10_000, 0.5)?;
    let (mut centers, radii) = (spheres.centers().to_vec(), spheres.radii());

    // A Verlet list: candidates within the skin are kept until motion has used it up.
    let settings = PairSettings::default()
        .with_periodic(Periodic::new([1.0; 3])?)
        .with_skin(0.2 * radii[0]);
    let mut broad_phase = BroadPhase::new(settings)?;
    let mut contacts = Vec::new();
    for step in 0..20 {
        for (i, center) in centers.iter_mut().enumerate() {
            // Every other layer goes the other way.
            let speed = if i % 2 == 0 { 1.0 } else { -1.0 };
            center[0] = (center[0] + 0.02 * speed * radii[0]).rem_euclid(1.0);
        }
        broad_phase.update((&centers[..], radii).into())?;
        broad_phase.contacts(&mut contacts)?;
        if step % 5 == 0 {
            let deepest = contacts.iter().map(|c| c.gap).fold(0.0, f64::min);
            println!(
                "step {step}: {} contacts, the deepest {deepest:.2e}",
                contacts.len()
            );
        }
    }
    if let Some(uses) = broad_phase.uses() {
        println!(
            "{} searches, {} steps without one",
            uses.builds, uses.reuses
        );
        assert!(uses.reuses > uses.builds);
    }
    Ok(())
}
