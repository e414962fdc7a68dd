//! Collisions and spheres to files.

use crate::failure::Failure;
use std::path::Path;
use tangere::impact::gas::{Collision, Gas, Partner};
use tangere_io::{Table, TableFormat, check_target, write_table};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Checks all that can be known of a file before the work.
pub fn check(path: &Path) -> Result<(), Failure> {
    TableFormat::of_path(path).map_err(Failure::writing)?;
    check_target(path).map_err(Failure::writing)
}

/// The number of a partner: a sphere, or a wall below 0.
fn number(partner: Partner) -> f64 {
    match partner {
        Partner::Sphere(b) => f64::from(b),
        Partner::Wall(wall) => -1.0 - f64::from(2 * wall.axis + u8::from(wall.is_upper)),
    }
}

/// Names for each axis.
fn axes(prefix: &str, dimensions: usize) -> impl Iterator<Item = String> + '_ {
    AXES[..dimensions]
        .iter()
        .map(move |axis| format!("{prefix}{axis}"))
}

/// Writes a row for each collision.
pub fn write_collisions(
    path: &Path,
    collisions: &[Collision],
    dimensions: usize,
) -> Result<(), Failure> {
    let d = dimensions;
    let names = ["time", "a", "b"].map(str::to_owned).into_iter();
    let names = names.chain(axes("", d)).chain(axes("n", d));
    let row = |c: &Collision| {
        let who = [c.time, f64::from(c.a), number(c.partner)].into_iter();
        let (point, normal) = (c.point.into_iter().take(d), c.normal.into_iter().take(d));
        who.chain(point).chain(normal).chain([c.impulse])
    };
    let table = Table {
        columns: 4 + 2 * d,
        values: collisions.iter().flat_map(row).collect(),
        names: Some(names.chain(["impulse".to_owned()]).collect()),
    };
    write_table(path, &table).map_err(Failure::writing)
}

/// Writes a row for each sphere.
pub fn write_spheres(path: &Path, gas: &Gas, dimensions: usize) -> Result<(), Failure> {
    let d = dimensions;
    let (mut centers, mut velocities) = (Vec::new(), Vec::new());
    gas.centers(&mut centers);
    gas.velocities(&mut velocities);
    let names = axes("", d).chain(["radius".to_owned()]);
    let names = names.chain(axes("v", d)).chain(["mass".to_owned()]);
    let mut values = Vec::with_capacity(gas.len() * (2 + 2 * d));
    for (i, radius) in gas.radii().enumerate() {
        values.extend_from_slice(&centers[i][..d]);
        values.push(radius);
        values.extend_from_slice(&velocities[i][..d]);
        values.push(gas.masses()[i]);
    }
    let table = Table {
        columns: 2 + 2 * d,
        values,
        names: Some(names.collect()),
    };
    write_table(path, &table).map_err(Failure::writing)
}
