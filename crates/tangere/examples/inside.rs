//! Point containment: which points of a grid are inside a foam, exactly.
//!
//! `cargo run --release -p tangere --example inside`

use tangere::generate;
use tangere::inside::{Grid, Inside, InsideSettings, InsideTest, Side};

fn main() -> Result<(), tangere::Error> {
    let foam = generate::foam(20_000, 1)?;
    let mut test = Inside::new(InsideSettings::default())?;
    test.update(&foam)?;

    let grid = Grid::over(&foam.bounds(), [40; 3])?;
    let mut sides = Vec::new();
    test.classify_grid(&grid, &mut sides)?;
    let inside = sides.iter().filter(|&&side| side == Side::Inside).count();
    let share = inside as f64 / sides.len() as f64;
    println!(
        "{} points, {:.1}% inside ({})",
        sides.len(),
        100.0 * share,
        test.reason()
    );

    // The same share as that of the volumes, up to the width of the grid.
    let extent = foam.bounds().extent();
    let exact = foam.report().volume.unwrap_or(0.0) / (extent[0] * extent[1] * extent[2]);
    println!("volume of the foam: {:.1}% of its box", 100.0 * exact);
    assert!((share - exact).abs() < 0.02);
    Ok(())
}
