//! Spheres that move, from a table.

use crate::failure::Failure;
use std::path::Path;
use tangere::impact::gas::{Gas, GasSettings, thermal_velocities};
use tangere_io::{Error, Fault, Place, Table, line_of_row, read_table};

/// Spheres in space; discs have z = 0.
pub struct Spheres {
    table: Table,
    pub dimensions: usize,
    centers: Vec<[f64; 3]>,
    radii: Vec<f64>,
    velocities: Option<Vec<[f64; 3]>>,
    masses: Option<Vec<f64>>,
}

/// Which columns there are.
struct Columns {
    center: Vec<usize>,
    radius: usize,
    is_diameter: bool,
    velocity: Option<Vec<usize>>,
    mass: Option<usize>,
}

const EXPECTED: &str =
    "x, y, z (missing for discs), radius (or r, or diameter), and if any vx, vy, vz and mass";

/// The columns of a table with names.
fn named(table: &Table, names: &[String]) -> Result<Columns, Fault> {
    let column = |name: &str| table.column_named(name);
    let refusal = || Fault::new(Place::Part("columns"), names.join(", "), EXPECTED);
    let radius = column("radius").or_else(|| column("r"));
    let is_diameter = radius.is_none();
    let radius = radius.or_else(|| column("diameter")).ok_or_else(refusal)?;
    let center = match [column("x"), column("y"), column("z")] {
        [Some(x), Some(y), z] => [Some(x), Some(y), z]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>(),
        _ => return Err(refusal()),
    };
    let speeds = ["vx", "vy", "vz"].map(column);
    let given: Vec<usize> = speeds[..center.len()].iter().copied().flatten().collect();
    let velocity = match given.len() {
        0 => None,
        n if n == center.len() => Some(given),
        _ => return Err(refusal()),
    };
    Ok(Columns {
        center,
        radius,
        is_diameter,
        velocity,
        mass: column("mass"),
    })
}

/// The columns of a table without names.
fn counted(table: &Table) -> Result<Columns, Fault> {
    let dimensions = match table.columns {
        3 | 5 | 6 => 2,
        4 | 7 | 8 => 3,
        // No rows and no columns, such as an empty text.
        0 => 3,
        n => {
            let expected = "4, 7 or 8 (x, y, z, radius, vx, vy, vz, mass), or for discs 3, 5 or 6";
            return Err(Fault::new(Place::Part("columns"), n, expected));
        }
    };
    let d = dimensions;
    Ok(Columns {
        center: (0..d).collect(),
        radius: d,
        is_diameter: false,
        velocity: (table.columns > d + 1).then(|| (d + 1..2 * d + 1).collect()),
        mass: (table.columns > 2 * d + 1).then_some(2 * d + 1),
    })
}

impl Spheres {
    /// Reads them.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let table = read_table(path).map_err(Failure::reading)?;
        let columns = match &table.names {
            Some(names) => named(&table, names),
            None => counted(&table),
        };
        let columns = columns.map_err(|fault| {
            let path = path.to_owned();
            Failure::reading(Error::Content { path, fault })
        })?;
        let vectors = |of: &[usize]| -> Vec<[f64; 3]> {
            let row = |row: &[f64]| {
                let mut vector = [0.0; 3];
                for (x, &k) in vector.iter_mut().zip(of) {
                    *x = row[k];
                }
                vector
            };
            table.rows().map(row).collect()
        };
        let unit = if columns.is_diameter { 0.5 } else { 1.0 };
        Ok(Spheres {
            dimensions: columns.center.len(),
            centers: vectors(&columns.center),
            radii: table.rows().map(|row| unit * row[columns.radius]).collect(),
            velocities: columns.velocity.as_deref().map(vectors),
            masses: columns
                .mass
                .map(|k| table.rows().map(|row| row[k]).collect()),
            table,
        })
    }

    /// Gives them velocities of a temperature.
    pub fn heat(&mut self, temperature: f64, seed: u64) -> Result<(), Failure> {
        let cubes = || self.radii.iter().map(|r| r * r * r).collect();
        let masses: Vec<f64> = self.masses.clone().unwrap_or_else(cubes);
        let drawn = thermal_velocities(&masses, temperature, self.dimensions, seed);
        self.velocities = Some(match drawn {
            Ok(velocities) => velocities,
            // What is no mass is refused with all else.
            Err(tangere::Error::Item { .. }) => vec![[0.0; 3]; masses.len()],
            Err(error) => return Err(super::refused(error)),
        });
        Ok(())
    }

    /// The gas of them.
    pub fn gas(&self, path: &Path, settings: &GasSettings) -> Result<Gas, Failure> {
        let name = path.display();
        let Some(velocities) = &self.velocities else {
            return Err(Failure::Input(format!(
                "{name}: found no velocities, expected columns vx, vy, vz, or --temperature"
            )));
        };
        let masses = self.masses.as_deref();
        let made = Gas::new(&self.centers, velocities, &self.radii, masses, settings);
        made.map_err(|error| match &error {
            // Whoever wrote a text finds a line more easily than an item.
            tangere::Error::Item {
                what,
                index,
                found,
                expected,
            } => match self.line(path, *index) {
                Some(line) => Failure::Input(format!(
                    "{name}: line {line}: found the {what} {index} with {found}, expected {expected}"
                )),
                None => Failure::Input(format!("{name}: {error}")),
            },
            _ => super::refused(error),
        })
    }

    /// The line of a row, if it was read from a text.
    fn line(&self, path: &Path, row: usize) -> Option<usize> {
        let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
        let is_text = matches!(ending.as_str(), "csv" | "tsv" | "txt" | "dat");
        is_text.then(|| line_of_row(path, &self.table, row).ok())?
    }
}
