//! Computes: values of a group of spheres, computed when something asks for them.
//!
//! | style | value |
//! |---|---|
//! | ke, erotate/sphere, temp, pressure, com | numbers of the whole group |
//! | reduce, reduce/region | sums, means and extremes of columns |
//! | contact/atom, stress/atom, property/atom, ke/atom, erotate/sphere/atom | columns by sphere |
//! | pair/local, property/local | columns by contact |

use super::args::Args;
use super::attributes;
use super::book::{Book, unwrapped};
use super::error::Problem;
use super::now::Now;
use super::reduce::Reduction;
use crate::vector::{dot, length, times};

/// The value of a compute or a fix.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A number.
    Scalar(f64),
    /// Numbers.
    Vector(Vec<f64>),
    /// A number, and numbers by index.
    Both(f64, Vec<f64>),
    /// A number for each sphere.
    Atom(Vec<f64>),
    /// Columns of numbers for each sphere.
    Columns(Vec<Vec<f64>>),
    /// Columns of numbers for each contact.
    Local(Vec<Vec<f64>>),
}

/// A compute.
#[derive(Clone, Debug)]
pub(super) struct Compute {
    pub id: String,
    pub group: u32,
    pub style: Style,
}

/// What is computed.
#[derive(Clone, Debug)]
pub(super) enum Style {
    Ke,
    Erotate,
    Temperature,
    Pressure {
        counts_motion: bool,
    },
    Center,
    Reduce(Reduction),
    Contacts {
        others: u32,
    },
    Stress {
        counts_motion: bool,
        counts_pairs: bool,
    },
    Properties(Vec<String>),
    KeOfAtoms,
    ErotateOfAtoms,
    PairLocal(Vec<String>),
    PropertyLocal(Vec<String>),
}

/// The styles that are read.
pub(super) const STYLES: [&str; 14] = [
    "ke",
    "erotate/sphere",
    "temp",
    "pressure",
    "com",
    "reduce",
    "reduce/region",
    "contact/atom",
    "stress/atom",
    "property/atom",
    "ke/atom",
    "erotate/sphere/atom",
    "pair/local",
    "property/local",
];

const PAIR_FIELDS: [&str; 13] = [
    "dist", "eng", "force", "fx", "fy", "fz", "dx", "dy", "dz", "p1", "p2", "p3", "p4",
];
const LOCAL_FIELDS: [&str; 8] = [
    "natom1", "natom2", "ntype1", "ntype2", "patom1", "patom2", "ptype1", "ptype2",
];

impl Compute {
    /// The arguments of the command `compute`.
    pub fn parse(args: &mut Args, book: &Book) -> Result<Self, Problem> {
        let id = args.word("the ID of the compute")?.to_string();
        let group = book.group(args.word("the group of the compute")?)?;
        let name = args.word("the style of the compute")?;
        let fields = |args: &mut Args, known: &[&str]| -> Result<Vec<String>, Problem> {
            let mut found = Vec::new();
            while let Some(word) = args.next() {
                match word {
                    "cutoff" => {
                        args.word("type or radius")?;
                    }
                    _ if known.contains(&word) => found.push(word.to_string()),
                    _ => return Err(Problem::unknown(word, "a property", known)),
                }
            }
            match found.is_empty() {
                true => Err(Problem::missing("a property")),
                false => Ok(found),
            }
        };
        let style = match name {
            "ke" => Style::Ke,
            "erotate/sphere" => Style::Erotate,
            "temp" => Style::Temperature,
            "com" => Style::Center,
            "ke/atom" => Style::KeOfAtoms,
            "erotate/sphere/atom" => Style::ErotateOfAtoms,
            "pressure" => {
                args.word("the ID of a temperature or NULL")?;
                let words = args.rest();
                *args = Args::new(&[]);
                let is_motion = |word: &String| word == "ke";
                if let Some(word) = words
                    .iter()
                    .find(|word| !["ke", "pair", "virial"].contains(&word.as_str()))
                {
                    return Err(Problem::unknown(
                        word,
                        "a part of the pressure",
                        &["ke", "pair", "virial"],
                    ));
                }
                Style::Pressure {
                    counts_motion: words.is_empty() || words.iter().any(is_motion),
                }
            }
            "stress/atom" => {
                args.word("the ID of a temperature or NULL")?;
                let known = ["ke", "pair", "virial", "fix"];
                let mut parts = Vec::new();
                while let Some(word) = args.next() {
                    if !known.contains(&word) {
                        return Err(Problem::unknown(word, "a part of the stress", &known));
                    }
                    parts.push(word);
                }
                Style::Stress {
                    counts_motion: parts.is_empty() || parts.contains(&"ke"),
                    counts_pairs: parts.is_empty()
                        || parts.iter().any(|part| ["pair", "virial"].contains(part)),
                }
            }
            "contact/atom" => Style::Contacts {
                others: match args.next() {
                    Some(group) => book.group(group)?,
                    None => 1,
                },
            },
            "reduce" => Style::Reduce(Reduction::parse(args, None)?),
            "reduce/region" => {
                let region = args.word("the ID of a region")?;
                book.region_entry(region)?;
                Style::Reduce(Reduction::parse(args, Some(region.to_string()))?)
            }
            "property/atom" => Style::Properties(fields(args, &attributes::NAMES)?),
            "pair/local" => Style::PairLocal(fields(args, &PAIR_FIELDS)?),
            "property/local" => Style::PropertyLocal(fields(args, &LOCAL_FIELDS)?),
            other => return Err(Problem::unknown(other, "a compute", &STYLES)),
        };
        args.end()?;
        Ok(Self { id, group, style })
    }

    /// Whether it needs contacts, itself or through what it reads.
    pub fn needs_contacts(&self, book: &Book) -> bool {
        match &self.style {
            Style::Pressure { .. }
            | Style::Contacts { .. }
            | Style::PairLocal(_)
            | Style::PropertyLocal(_) => true,
            Style::Stress { counts_pairs, .. } => *counts_pairs,
            Style::Reduce(reduction) => reduction.inputs.iter().any(|input| {
                input != &format!("c_{}", self.id) && book.text_needs_contacts(input, 0)
            }),
            _ => false,
        }
    }

    /// The number of entries of its vector, or of its columns.
    pub fn size(&self) -> usize {
        match &self.style {
            Style::Temperature | Style::Pressure { .. } | Style::Stress { .. } => 6,
            Style::Center => 3,
            Style::Reduce(reduction) => reduction.inputs.len(),
            Style::Properties(fields) | Style::PairLocal(fields) | Style::PropertyLocal(fields) => {
                fields.len()
            }
            _ => 0,
        }
    }

    /// Whether its number grows with the number of spheres, so that `thermo_modify norm` divides it.
    pub fn is_extensive(&self) -> bool {
        match &self.style {
            Style::Ke | Style::Erotate => true,
            Style::Reduce(reduction) => reduction.is_extensive(),
            _ => false,
        }
    }

    /// The value at a moment.
    pub fn value(&self, now: &Now) -> Result<Value, Problem> {
        let spheres = now.spheres;
        let count = spheres.ids.len();
        let is_in = |i: usize| spheres.groups[i] & self.group != 0;
        let of_atoms = |f: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..count)
                .map(|i| if is_in(i) { f(i) } else { 0.0 })
                .collect()
        };
        let sum =
            |f: &dyn Fn(usize) -> f64| -> f64 { (0..count).filter(|&i| is_in(i)).map(f).sum() };
        let ke = |i: usize| {
            let v = spheres.velocities[i];
            0.5 * spheres.masses[i] * dot(v, v)
        };
        let erotate = |i: usize| {
            let (r, w) = (spheres.radii[i], spheres.spins[i]);
            0.2 * spheres.masses[i] * r * r * dot(w, w)
        };
        Ok(match &self.style {
            Style::Ke => Value::Scalar(sum(&ke)),
            Style::Erotate => Value::Scalar(sum(&erotate)),
            Style::KeOfAtoms => Value::Atom(of_atoms(&ke)),
            Style::ErotateOfAtoms => Value::Atom(of_atoms(&erotate)),
            Style::Temperature => {
                let tensor = COMPONENTS.map(|[j, k]| {
                    sum(&|i| {
                        let v = spheres.velocities[i];
                        spheres.masses[i] * v[j] * v[k]
                    })
                });
                Value::Both(temperature(now, self.group), tensor.to_vec())
            }
            Style::Pressure { counts_motion } => {
                let tensor = pressure(now, *counts_motion)?;
                Value::Both(mean_pressure(now, tensor), tensor.to_vec())
            }
            Style::Center => {
                let mut center = [0.0; 3];
                let mass = sum(&|i| spheres.masses[i]);
                for i in (0..count).filter(|&i| is_in(i)) {
                    let at = unwrapped(&now.setup.cell, spheres.positions[i], spheres.images[i]);
                    for k in 0..3 {
                        center[k] += spheres.masses[i] * at[k] / mass;
                    }
                }
                Value::Vector(center.to_vec())
            }
            Style::Reduce(reduction) => reduction.value(now, self.group)?,
            Style::Contacts { others } => {
                let mut counts = vec![0.0; count];
                for contact in now.known_contacts()? {
                    let [a, b] = contact.spheres;
                    for (i, j) in [(a, b), (b, a)] {
                        if is_in(i) && spheres.groups[j] & others != 0 {
                            counts[i] += 1.0;
                        }
                    }
                }
                Value::Atom(counts)
            }
            Style::Stress {
                counts_motion,
                counts_pairs,
            } => Value::Columns(self.stress(now, *counts_motion, *counts_pairs)?),
            Style::Properties(names) => {
                let mut columns: Vec<Vec<f64>> = names
                    .iter()
                    .filter_map(|name| attributes::values(now, name))
                    .collect();
                for column in &mut columns {
                    for (i, x) in column.iter_mut().enumerate() {
                        if !is_in(i) {
                            *x = 0.0;
                        }
                    }
                }
                match columns.len() {
                    1 => Value::Atom(columns.swap_remove(0)),
                    _ => Value::Columns(columns),
                }
            }
            Style::PairLocal(fields) => {
                let contacts = now.known_contacts()?.iter();
                let own = contacts.filter(|c| c.spheres.iter().all(|&i| is_in(i)));
                let mut columns = vec![Vec::new(); fields.len()];
                for contact in own {
                    let distance = length(contact.way);
                    let normal = times(contact.way, 1.0 / distance);
                    let push = dot(contact.force, normal);
                    let axis = |name: &str| usize::from(name.as_bytes()[1]).min(122) - 120;
                    for (column, field) in columns.iter_mut().zip(fields) {
                        column.push(match field.as_str() {
                            "dist" => distance,
                            "force" => push,
                            "fx" | "fy" | "fz" => 0.0 - push * normal[axis(field)],
                            "dx" | "dy" | "dz" => 0.0 - contact.way[axis(field)],
                            "p1" => 0.0 - contact.friction[0],
                            "p2" => 0.0 - contact.friction[1],
                            "p3" => 0.0 - contact.friction[2],
                            "p4" => length(contact.friction),
                            _ => 0.0,
                        });
                    }
                }
                Value::Local(columns)
            }
            Style::PropertyLocal(fields) => {
                let contacts = now.known_contacts()?.iter();
                let own = contacts.filter(|c| c.spheres.iter().all(|&i| is_in(i)));
                let mut columns = vec![Vec::new(); fields.len()];
                for contact in own {
                    for (column, field) in columns.iter_mut().zip(fields) {
                        let i = contact.spheres[usize::from(field.ends_with('2'))];
                        column.push(match field.contains("atom") {
                            true => spheres.ids[i] as f64,
                            false => f64::from(spheres.kinds[i] + 1),
                        });
                    }
                }
                Value::Local(columns)
            }
        })
    }

    /// Stress times volume of each sphere: xx, yy, zz, xy, xz, yz; pressure is negative.
    fn stress(
        &self,
        now: &Now,
        counts_motion: bool,
        counts_pairs: bool,
    ) -> Result<Vec<Vec<f64>>, Problem> {
        let spheres = now.spheres;
        let mut columns = vec![vec![0.0; spheres.ids.len()]; 6];
        if counts_motion {
            for (i, v) in spheres.velocities.iter().enumerate() {
                for (column, [j, k]) in columns.iter_mut().zip(COMPONENTS) {
                    column[i] -= spheres.masses[i] * v[j] * v[k];
                }
            }
        }
        if counts_pairs {
            for contact in now.known_contacts()? {
                for (column, [j, k]) in columns.iter_mut().zip(COMPONENTS) {
                    for i in contact.spheres {
                        column[i] -= 0.5 * contact.way[j] * contact.force[k];
                    }
                }
            }
        }
        for column in &mut columns {
            for (x, group) in column.iter_mut().zip(&spheres.groups) {
                if group & self.group == 0 {
                    *x = 0.0;
                }
            }
        }
        Ok(columns)
    }
}

/// The components of a symmetric tensor in LAMMPS' order.
const COMPONENTS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

/// The kinetic temperature of a group: twice the energy over the degrees of freedom, less one for each
/// dimension.
pub(super) fn temperature(now: &Now, group: u32) -> f64 {
    let spheres = now.spheres;
    let rows = (0..spheres.ids.len()).filter(|&i| spheres.groups[i] & group != 0);
    let (mut count, mut twice) = (0.0, 0.0);
    for i in rows {
        let v = spheres.velocities[i];
        count += 1.0;
        twice += spheres.masses[i] * dot(v, v);
    }
    let freedoms = now.book.dimension() * count - now.book.dimension();
    match freedoms > 0.0 {
        true => twice / (freedoms * now.book.units.boltzmann),
        false => 0.0,
    }
}

/// The pressure tensor: xx, yy, zz, xy, xz, yz.
pub(super) fn pressure(now: &Now, counts_motion: bool) -> Result<[f64; 6], Problem> {
    let volume = now.book.volume(&now.setup.cell, now.spheres);
    let mut sums = [0.0; 6];
    if counts_motion {
        for (v, m) in now.spheres.velocities.iter().zip(&now.spheres.masses) {
            for (sum, [j, k]) in sums.iter_mut().zip(COMPONENTS) {
                *sum += m * v[j] * v[k];
            }
        }
    }
    for contact in now.known_contacts()? {
        for (sum, [j, k]) in sums.iter_mut().zip(COMPONENTS) {
            *sum += contact.way[j] * contact.force[k];
        }
    }
    Ok(sums.map(|sum| sum / volume))
}

/// The mean of the normal pressures.
pub(super) fn mean_pressure(now: &Now, tensor: [f64; 6]) -> f64 {
    let dimension = now.book.dimension();
    let normal: f64 = tensor.iter().take(dimension as usize).sum();
    normal / dimension
}
