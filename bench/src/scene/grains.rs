//! Convex grains in motion: time a step and body against the number of bodies and of faces.

use crate::{Options, Outcome};
use tangere_reproduce::MovingGrains;

const STEPS: usize = 40;
/// Steps before the first that is measured: lists and trackers are made in them.
const WARM: usize = 4;

pub fn run(options: &Options) -> Outcome {
    let title = "grains: ns a step and body";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}, of the same excluded volume and density, coherent steps");
    let most = if options.quick { 100_000 } else { 1_000_000 };
    type Make = fn(usize, usize) -> tangere::Result<MovingGrains>;
    let (periodic, open): (Make, Make) = (MovingGrains::new, MovingGrains::open);
    for (space, make, count, faces) in [
        ("periodic", periodic, 1_000, 20),
        ("periodic", periodic, 10_000, 20),
        ("periodic", periodic, 100_000, 20),
        ("periodic", periodic, 1_000_000, 20),
        ("periodic", periodic, 10_000, 4),
        ("periodic", periodic, 10_000, 100),
        ("periodic", periodic, 10_000, 920),
        ("open", open, 1_000, 20),
        ("open", open, 1_000_000, 20),
    ] {
        if count > most {
            continue;
        }
        let mut grains = make(count, faces)?;
        let mut sum = 0.0;
        for step in 0..STEPS + WARM {
            let seconds = grains.advance()?;
            if step >= WARM {
                sum += seconds;
            }
        }
        println!(
            "{count:>10} bodies of {faces:>4} faces, {space:>8} {:8.0}   {} contacts",
            1e9 * sum / (STEPS * count) as f64,
            grains.contacts()
        );
    }
    Ok(())
}
