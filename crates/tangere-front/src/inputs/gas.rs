//! Reader of hard spheres from tables, and construction of their domain: periodic axes and walls.

use super::content;
use super::paths::{extension, is_text};
use std::path::Path;
use tangere::impact::gas::{Axis, Domain, thermal_velocities};
use tangere::{Argument, Error, Result};
use tangere_io::{Fault, Place, Table, line_of_row, listed_names, read_table_with_fields};

/// Hard spheres in space; discs have z = 0.
pub struct Spheres {
    table: Table,
    /// The number of space dimensions: 2 if the spheres are discs in the plane, else 3.
    pub dimensions: usize,
    /// The centres of the spheres.
    pub centers: Vec<[f64; 3]>,
    /// The radii of the spheres.
    pub radii: Vec<f64>,
    /// The velocities of the spheres; `None` if the table has none.
    pub velocities: Option<Vec<[f64; 3]>>,
    /// The masses of the spheres; `None` if the table has none.
    pub masses: Option<Vec<f64>>,
    /// The names of the columns of the table that are not used.
    pub unkept: Vec<String>,
}

/// The indices of the columns of a table in which centres, radii, velocities and masses of spheres
/// stand.
struct Columns {
    center: Vec<usize>,
    radius: usize,
    is_diameter: bool,
    velocity: Option<Vec<usize>>,
    mass: Option<usize>,
}

const EXPECTED: &str =
    "x, y, z (missing for discs), radius (or r, or diameter), and if any vx, vy, vz and mass";

/// Finds the columns of spheres in a table with column names.
fn named(table: &Table, names: &[String]) -> std::result::Result<Columns, Fault> {
    let column = |name: &str| table.column_named(name);
    let refusal = || Fault::new(Place::Part("columns"), listed_names(names), EXPECTED);
    let (radius, is_diameter) = table.size_column()?.ok_or_else(refusal)?;
    let center: Vec<usize> = match ["x", "y", "z"].map(column) {
        [Some(x), Some(y), z] => [x, y].into_iter().chain(z).collect(),
        _ => return Err(refusal()),
    };
    let speeds = ["vx", "vy", "vz"].map(column);
    if center.len() == 2 && speeds[2].is_some() {
        return Err(refusal());
    }
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

/// Returns the columns of spheres in a table without column names. Their order is fixed; how many
/// there are decides between discs and spheres.
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
    /// Reads hard spheres from a CSV, NPY, VTP or VTU file.
    ///
    /// # Errors
    /// When the file cannot be read, or columns are missing.
    pub fn read(path: &Path) -> tangere_io::Result<Self> {
        let table = read_table_with_fields(path)?;
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

    /// Replaces the velocities by random ones of the given temperature, in units of mass times
    /// speed squared. If the table has no masses, a mass is the cube of the radius.
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

    /// Returns the line in the file on which a sphere stands; `None` if the file is not a text
    /// table.
    pub fn line(&self, path: &Path, sphere: usize) -> Option<usize> {
        match is_text(&extension(path)) {
            true => line_of_row(path, &self.table, sphere).ok(),
            false => None,
        }
    }
}

/// Returns the domain of a gas. `periodic` has the lengths of the periodic cell, 0 along open axes.
/// `origin` is its lower corner. `walls` has the lower, then the upper corner of the box of walls,
/// infinite where there is no wall. Each corner has `dimensions` numbers.
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

/// Returns a vector of three components from up to three numbers; missing components are 0.
pub fn in_space(numbers: &[f64]) -> [f64; 3] {
    std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0))
}
