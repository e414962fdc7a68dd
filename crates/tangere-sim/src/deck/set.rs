//! The commands `set` and `mass`.

use super::args::{Args, integer, number, range};
use super::book::{Book, State, wrap};
use super::error::Problem;
use super::now::Now;
use super::spheres::BALL;
use super::variables::Operand;
use std::f64::consts::PI;

const STYLES: [&str; 4] = ["type", "group", "atom", "region"];
const KEYWORDS: [&str; 13] = [
    "type",
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "omega",
    "diameter",
    "density",
    "density/disc",
    "mass",
    "image",
];

/// The command `set`.
pub(super) fn set(args: &mut Args, book: &Book, state: &mut State) -> Result<(), Problem> {
    book.needs_cell()?;
    let style = args.word("type, group, atom or region")?;
    let word = args.word("which atoms")?;
    let count = state.spheres.ids.len();
    let chosen: Vec<usize> = match style {
        "type" => {
            let (low, high) = range(word, "an atom type", 1, book.kinds as i64)?;
            let kinds = &state.spheres.kinds;
            let is_in = |i: &usize| (low..=high).contains(&(i64::from(kinds[*i]) + 1));
            (0..count).filter(is_in).collect()
        }
        "atom" => {
            let (low, high) = range(word, "the ID of an atom", 1, i64::MAX)?;
            let ids = &state.spheres.ids;
            let is_in = |i: &usize| (low..=high).contains(&(ids[*i] as i64));
            (0..count).filter(is_in).collect()
        }
        "group" => {
            let group = book.group(word)?;
            let groups = &state.spheres.groups;
            (0..count).filter(|i| groups[*i] & group != 0).collect()
        }
        "region" => {
            let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
            let region = now.region(word)?;
            let places = &state.spheres.positions;
            (0..count).filter(|i| region.contains(places[*i])).collect()
        }
        other => return Err(Problem::unknown(other, "which atoms", &STYLES)),
    };
    if args.is_empty() {
        return Err(Problem::missing("a keyword of set"));
    }
    while let Some(keyword) = args.next() {
        apply(keyword, args, book, state, &chosen)?;
    }
    Ok(())
}

fn apply(
    keyword: &str,
    args: &mut Args,
    book: &Book,
    state: &mut State,
    chosen: &[usize],
) -> Result<(), Problem> {
    let axis = |word: &str| ["x", "y", "z"].iter().position(|own| *own == word);
    match keyword {
        "type" => {
            let word = args.word("an atom type")?;
            let kind = book.kind(integer(word, "an atom type")?, word)?;
            for &i in chosen {
                state.spheres.kinds[i] = kind;
            }
        }
        "image" => {
            let mut images = [None; 3];
            for image in &mut images {
                *image = match args.word("an image or NULL")? {
                    "NULL" => None,
                    word => Some(integer(word, "an image")? as i32),
                };
            }
            for &i in chosen {
                for (own, image) in state.spheres.images[i].iter_mut().zip(images) {
                    *own = image.unwrap_or(*own);
                }
            }
        }
        "omega" => {
            for k in 0..3 {
                let values = values(args, book, state)?;
                for &i in chosen {
                    state.spheres.spins[i][k] = values(i);
                }
            }
        }
        "x" | "y" | "z" => {
            let values = values(args, book, state)?;
            let k = axis(keyword).unwrap_or(0);
            let cell = state.setup.cell;
            for &i in chosen {
                let spheres = &mut state.spheres;
                spheres.positions[i][k] = values(i);
                wrap(&cell, &mut spheres.positions[i], &mut spheres.images[i]);
            }
        }
        "vx" | "vy" | "vz" => {
            let values = values(args, book, state)?;
            let k = axis(&keyword[1..]).unwrap_or(0);
            for &i in chosen {
                state.spheres.velocities[i][k] = values(i);
            }
        }
        "diameter" | "density" | "density/disc" | "mass" => {
            let values = values(args, book, state)?;
            for &i in chosen {
                let (value, id) = (values(i), state.spheres.ids[i]);
                if value.is_nan() || value <= 0.0 {
                    let found = format!("{keyword} {value} of atom {id}");
                    return Err(Problem::new(found, "a value above 0"));
                }
                let r = state.spheres.radii[i];
                match keyword {
                    "diameter" => state.spheres.radii[i] = 0.5 * value,
                    "mass" => state.spheres.masses[i] = value,
                    "density" => {
                        state.spheres.masses[i] = BALL * r * r * r * value;
                    }
                    _ => state.spheres.masses[i] = PI * r * r * value,
                }
            }
        }
        other => return Err(Problem::unknown(other, "a keyword of set", &KEYWORDS)),
    }
    Ok(())
}

/// A number, or the values of a variable, by row.
fn values(
    args: &mut Args,
    book: &Book,
    state: &State,
) -> Result<Box<dyn Fn(usize) -> f64>, Problem> {
    let word = args.word("a value")?;
    let Some(name) = word.strip_prefix("v_") else {
        let value = number(word, "a value")?;
        return Ok(Box::new(move |_| value));
    };
    let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
    Ok(match now.variable(name)? {
        Operand::Number(value) => Box::new(move |_| value),
        Operand::Column(values) => Box::new(move |i| values.get(i).copied().unwrap_or(f64::NAN)),
    })
}

/// The command `mass`: the mass of all spheres of a kind. LAMMPS refuses it for spheres.
pub(super) fn mass(args: &mut Args, book: &Book, state: &mut State) -> Result<(), Problem> {
    book.needs_cell()?;
    let word = args.word("an atom type")?;
    let (low, high) = range(word, "an atom type", 1, book.kinds as i64)?;
    let mass = args.number("a mass")?;
    if mass <= 0.0 {
        return Err(Problem::new(mass.to_string(), "a mass above 0"));
    }
    for (own, kind) in state.spheres.masses.iter_mut().zip(&state.spheres.kinds) {
        if (low..=high).contains(&(i64::from(*kind) + 1)) {
            *own = mass;
        }
    }
    args.end()
}
