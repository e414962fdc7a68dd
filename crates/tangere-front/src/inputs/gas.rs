//! Hard spheres from tables, and their domain: periodic axes and walls.

use super::content;
use super::paths::{extension, is_text};
use std::path::Path;
use tangere::impact::gas::{Axis, Domain, thermal_velocities};
use tangere::{Argument, Error, Result};
use tangere_io::{Fault, Place, Table, line_of_row, read_table};

/// Hard spheres in space; discs have z = 0.
pub struct Spheres {
    table: Table,
    /// 2 for discs, 3 for spheres.
    pub dimensions: usize,
    /// The centres.
    pub centers: Vec<[f64; 3]>,
    /// The radii.
    pub radii: Vec<f64>,
    /// The velocities, if the table has them.
    pub velocities: Option<Vec<[f64; 3]>>,
    /// The masses, if the table has them.
    pub masses: Option<Vec<f64>>,
    /// The names of columns that are not used.
    pub unkept: Vec<String>,
}

/// The columns of a table of spheres.
struct Columns {
    center: Vec<usize>,
    radius: usize,
    is_diameter: bool,
    velocity: Option<Vec<usize>>,
    mass: Option<usize>,
}

const EXPECTED: &str =
    "x, y, z (missing for discs), radius (or r, or diameter), and if any vx, vy, vz and mass";

/// Finds the columns of a table by their names.
fn named(table: &Table, names: &[String]) -> std::result::Result<Columns, Fault> {
    let column = |name: &str| table.column_named(name);
    let refusal = || Fault::new(Place::Part("columns"), names.join(", "), EXPECTED);
    let radius = column("radius").or_else(|| column("r"));
    let is_diameter = radius.is_none();
    let radius = radius.or_else(|| column("diameter")).ok_or_else(refusal)?;
    let center: Vec<usize> = match ["x", "y", "z"].map(column) {
        [Some(x), Some(y), z] => [x, y].into_iter().chain(z).collect(),
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

/// Returns the columns of a table without names, by their number.
fn counted(table: &Table) -> std::result::Result<Columns, Fault> {
    let d = match table.columns {
        3 | 5 | 6 => 2,
        4 | 7 | 8 => 3,
        // An empty text has no rows and no columns.
        0 => 3,
        n => {
            let expected = "4, 7 or 8 (x, y, z, radius, vx, vy, vz, mass), or for discs 3, 5 or 6";
            return Err(Fault::new(Place::Part("columns"), n, expected));
        }
    };
    Ok(Columns {
        center: (0..d).collect(),
        radius: d,
        is_diameter: false,
        velocity: (table.columns > d + 1).then(|| (d + 1..2 * d + 1).collect()),
        mass: (table.columns > 2 * d + 1).then_some(2 * d + 1),
    })
}

impl Spheres {
    /// Reads spheres from CSV, NPY, VTP or VTU.
    ///
    /// # Errors
    /// When the file cannot be read, or columns are missing.
    pub fn read(path: &Path) -> tangere_io::Result<Self> {
        let table = read_table(path)?;
        let columns = match &table.names {
            Some(names) => named(&table, names),
            None => counted(&table),
        };
        let columns = columns.map_err(|fault| content(path, fault))?;
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
        let used = columns
            .center
            .iter()
            .chain(columns.velocity.iter().flatten());
        let used = used.copied().chain([columns.radius]).chain(columns.mass);
        Ok(Spheres {
            unkept: table.names_besides(&used.collect::<Vec<_>>()),
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

    /// Draws random velocities of a temperature. If the table has no masses, they are the cubes of
    /// the radii.
    ///
    /// # Errors
    /// When the temperature is not valid.
    pub fn heat(&mut self, temperature: f64, seed: u64) -> Result<()> {
        let cubes = || self.radii.iter().map(|r| r * r * r).collect();
        let masses: Vec<f64> = self.masses.clone().unwrap_or_else(cubes);
        let drawn = thermal_velocities(&masses, temperature, self.dimensions, seed);
        self.velocities = Some(match drawn {
            // An invalid mass is refused later, with the other values.
            Err(Error::Item { .. }) => vec![[0.0; 3]; masses.len()],
            drawn => drawn?,
        });
        Ok(())
    }

    /// Returns the name of a column of accelerations that are not 0, if there is one: a gas has one
    /// acceleration for all spheres.
    pub fn accelerated(&self) -> Option<&'static str> {
        ["ax", "ay", "az"].into_iter().find(|name| {
            let column = self.table.column_named(name);
            column.is_some_and(|k| self.table.rows().any(|row| row[k] != 0.0))
        })
    }

    /// Returns the line of a sphere in the file; `None` if the file is no text.
    pub fn line(&self, path: &Path, sphere: usize) -> Option<usize> {
        match is_text(&extension(path)) {
            true => line_of_row(path, &self.table, sphere).ok(),
            false => None,
        }
    }
}

/// Returns the domain of a gas. Each argument has a number for each dimension: lengths of the
/// periodic cell (0 along open axes), its lower corner, and the lower and upper corner of the walls
/// (infinite where there is no wall).
///
/// # Errors
/// When an axis has both a period and walls ([`Argument::AxisWalls`]), or a number is not valid.
pub fn domain(
    periodic: Option<&[f64]>,
    origin: Option<&[f64]>,
    walls: Option<&[f64]>,
    dimensions: usize,
) -> Result<Domain> {
    let mut axes = [Axis::Open; 3];
    if let Some(corners) = walls {
        let (lower, upper) = corners.split_at(dimensions);
        for ((axis, &lower), &upper) in axes.iter_mut().zip(lower).zip(upper) {
            if (lower, upper) != (f64::NEG_INFINITY, f64::INFINITY) {
                *axis = Axis::Walls { lower, upper };
            }
        }
    }
    for (k, &length) in periodic.unwrap_or_default().iter().enumerate() {
        match axes[k] {
            _ if length == 0.0 => {}
            Axis::Open => {
                let lower = origin.map_or(0.0, |origin| origin[k]);
                axes[k] = Axis::Periodic { lower, length };
            }
            _ => {
                let found = format!("some along axis {k}");
                let expected = "none where the box repeats";
                return Err(Error::argument(Argument::AxisWalls, found, expected));
            }
        }
    }
    Domain::new(axes)
}

/// Returns a vector in space; missing components are 0.
pub fn in_space(numbers: &[f64]) -> [f64; 3] {
    std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0))
}
