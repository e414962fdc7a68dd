//! Data files of LAMMPS with spheres: `read_data` and `write_data`.
//!
//! Rows of `Atoms` are id, type, diameter, density, x, y, z and optional images; rows of `Velocities` are
//! id, velocity and angular velocity.

use super::args::{Args, count, integer, number};
use super::book::{Book, State, wrap};
use super::cells::{check_inside, make};
use super::error::Problem;
use super::files::{path_of, text_of};
use super::spheres::{BALL, add};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Sections with rows that are not read, but may be there and empty of meaning for spheres.
const IGNORED: [&str; 2] = ["Masses", "Atom Type Labels"];

/// The command `read_data`. Returns how many spheres were read.
pub(super) fn read_data(
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<usize, Problem> {
    let name = args.word("a file")?;
    let (mut group, mut extra) = (None, 0);
    while let Some(word) = args.next() {
        match word {
            "group" => group = Some(args.word("a group")?.to_string()),
            "extra/atom/types" => extra = args.count("a number of types")? as usize,
            "nocoeff" => {}
            other => {
                let known = ["group", "extra/atom/types", "nocoeff"];
                return Err(Problem::unknown(other, "a keyword of read_data", &known));
            }
        }
    }
    if book.first_cell.is_some() {
        return Err(Problem::new(
            "a second simulation box",
            "read_data before create_box and other read_data",
        ));
    }
    let text = text_of(book, name)?;
    read(&text, name, extra, book, state)?;
    if let Some(group) = group {
        let bit = book.make_group(&group)?;
        for own in &mut state.spheres.groups {
            *own |= bit;
        }
    }
    Ok(state.spheres.ids.len())
}

/// The lines of a file, counted from 1, without comments.
struct Lines<'t> {
    name: &'t str,
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
}

impl<'t> Lines<'t> {
    /// The next line that is not empty: its number, words and comment.
    fn next(&mut self) -> Option<(usize, &'t str, &'t str)> {
        loop {
            let (i, line) = self.lines.next()?;
            let (text, comment) = line.split_once('#').unwrap_or((line, ""));
            if !text.trim().is_empty() {
                return Some((i + 1, text.trim(), comment.trim()));
            }
        }
    }

    fn at(&self, line: usize, problem: Problem) -> Problem {
        let found = format!("{} in line {line} of {}", problem.found, self.name);
        Problem::new(found, problem.expected)
    }
}

fn read(
    text: &str,
    name: &str,
    extra: usize,
    book: &mut Book,
    state: &mut State,
) -> Result<(), Problem> {
    let mut lines = Lines {
        name,
        lines: text.lines().enumerate(),
    };
    // The first line is a title.
    lines.lines.next();
    let (mut atoms, mut kinds) = (0, 0);
    let mut bounds = [[-0.5, 0.5]; 3];
    let mut tilts = None;
    let mut rows: BTreeMap<u64, usize> = BTreeMap::new();
    let mut is_made = false;
    let mut pending = lines.next();
    while let Some((at, line, comment)) = pending {
        let words: Vec<&str> = line.split_whitespace().collect();
        let starts_with_letter = line.starts_with(|c: char| c.is_ascii_alphabetic());
        if !starts_with_letter {
            header(&words, &mut atoms, &mut kinds, &mut bounds, &mut tilts)
                .map_err(|problem| lines.at(at, problem))?;
            pending = lines.next();
            continue;
        }
        if !is_made {
            make(book, state, bounds, tilts, kinds + extra)
                .map_err(|problem| lines.at(at, problem))?;
            is_made = true;
        }
        match line {
            "Atoms" if !comment.is_empty() && comment != "sphere" => {
                let problem = Problem::new(comment, "atom style sphere");
                return Err(lines.at(at, problem));
            }
            "Atoms" => {
                for _ in 0..atoms {
                    let Some((at, row, _)) = lines.next() else {
                        return Err(missing_rows(name, state.spheres.ids.len(), atoms));
                    };
                    let id = atom(row, book, state).map_err(|problem| lines.at(at, problem))?;
                    if rows.insert(id, state.spheres.ids.len() - 1).is_some() {
                        let problem = Problem::new(format!("atom {id} twice"), "different IDs");
                        return Err(lines.at(at, problem));
                    }
                }
            }
            "Velocities" => {
                for read in 0..atoms {
                    let Some((at, row, _)) = lines.next() else {
                        return Err(missing_rows(name, read, atoms));
                    };
                    velocity(row, &rows, state).map_err(|problem| lines.at(at, problem))?;
                }
            }
            other if IGNORED.contains(&other) => {
                for _ in 0..kinds {
                    lines.next();
                }
            }
            other => {
                let known = ["Atoms", "Velocities", "Masses"];
                let problem = Problem::unknown(other, "a section of a data file", &known);
                return Err(lines.at(at, problem));
            }
        }
        pending = lines.next();
    }
    if !is_made {
        make(book, state, bounds, tilts, kinds + extra)?;
    }
    if state.spheres.ids.len() != atoms {
        return Err(missing_rows(name, state.spheres.ids.len(), atoms));
    }
    check_inside(book, state)
}

fn missing_rows(name: &str, found: usize, expected: usize) -> Problem {
    Problem::new(
        format!("{found} atoms in {name}"),
        format!("{expected} as its head says"),
    )
}

/// A line of the head.
fn header(
    words: &[&str],
    atoms: &mut usize,
    kinds: &mut usize,
    bounds: &mut [[f64; 2]; 3],
    tilts: &mut Option<[f64; 3]>,
) -> Result<(), Problem> {
    match words {
        [n, "atoms"] => *atoms = count(n, "the number of atoms")? as usize,
        [n, "atom", "types"] => *kinds = count(n, "the number of atom types")? as usize,
        [low, high, "xlo", "xhi"] => bounds[0] = [number(low, "xlo")?, number(high, "xhi")?],
        [low, high, "ylo", "yhi"] => bounds[1] = [number(low, "ylo")?, number(high, "yhi")?],
        [low, high, "zlo", "zhi"] => bounds[2] = [number(low, "zlo")?, number(high, "zhi")?],
        [xy, xz, yz, "xy", "xz", "yz"] => {
            *tilts = Some([number(xy, "xy")?, number(xz, "xz")?, number(yz, "yz")?]);
        }
        [
            "0",
            "bonds" | "angles" | "dihedrals" | "impropers" | "ellipsoids" | "lines" | "triangles"
            | "bodies",
        ] => {}
        ["0", "bond" | "angle" | "dihedral" | "improper", "types"] => {}
        _ => {
            let expected = "a line of the head: atoms, atom types, xlo xhi, ..., xy xz yz";
            return Err(Problem::new(words.join(" "), expected));
        }
    }
    Ok(())
}

/// A row of `Atoms`: id, type, diameter, density, x, y, z, images.
fn atom(row: &str, book: &Book, state: &mut State) -> Result<u64, Problem> {
    let words: Vec<&str> = row.split_whitespace().collect();
    if words.len() != 7 && words.len() != 10 {
        return Err(Problem::new(
            format!("{} values", words.len()),
            "id, type, diameter, density, x, y, z and optional images ix, iy, iz",
        ));
    }
    let id = count(words[0], "an ID")?;
    if id == 0 {
        return Err(Problem::new("ID 0", "an ID above 0"));
    }
    let kind = book.kind(integer(words[1], "an atom type")?, words[1])?;
    let radius = 0.5 * number(words[2], "a diameter")?;
    let density = number(words[3], "a density")?;
    if radius <= 0.0 || density <= 0.0 {
        let found = format!(
            "diameter {} and density {} of atom {id}",
            words[2], words[3]
        );
        return Err(Problem::new(found, "values above 0"));
    }
    let mut place = [0.0; 3];
    let mut image = [0; 3];
    for k in 0..3 {
        place[k] = number(words[4 + k], "a coordinate")?;
        if let Some(word) = words.get(7 + k) {
            image[k] = integer(word, "an image")? as i32;
        }
    }
    wrap(&state.setup.cell, &mut place, &mut image);
    add(&mut state.spheres, id, kind, place, image);
    let last = state.spheres.ids.len() - 1;
    state.spheres.radii[last] = radius;
    state.spheres.masses[last] = BALL * radius * radius * radius * density;
    Ok(id)
}

/// A row of `Velocities`: id, velocity, angular velocity.
fn velocity(row: &str, rows: &BTreeMap<u64, usize>, state: &mut State) -> Result<(), Problem> {
    let words: Vec<&str> = row.split_whitespace().collect();
    if words.len() != 7 {
        return Err(Problem::new(
            format!("{} values", words.len()),
            "id, vx, vy, vz, wx, wy, wz",
        ));
    }
    let id = count(words[0], "an ID")?;
    let row = rows.get(&id);
    let row = *row.ok_or_else(|| Problem::new(format!("ID {id}"), "an ID of the section Atoms"))?;
    for k in 0..3 {
        state.spheres.velocities[row][k] = number(words[1 + k], "a velocity")?;
        state.spheres.spins[row][k] = number(words[4 + k], "an angular velocity")?;
    }
    Ok(())
}

/// The command `write_data`.
pub(super) fn write_data(args: &mut Args, book: &Book, state: &State) -> Result<(), Problem> {
    book.needs_cell()?;
    let name = args.word("a file")?;
    while let Some(word) = args.next() {
        match word {
            "nocoeff" | "nofix" => {}
            "pair" => {
                args.word("ii or ij")?;
            }
            other => {
                let known = ["nocoeff", "nofix", "pair"];
                return Err(Problem::unknown(other, "a keyword of write_data", &known));
            }
        }
    }
    let path = path_of(book, &name.replacen('*', &state.clock.step.to_string(), 1))?;
    if book.outputs.is_silent() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).ok();
    }
    std::fs::write(&path, text(book, state)).map_err(|error| {
        let found = format!("{}: {error}", path.display());
        Problem::new(found, "a file to write to")
    })
}

/// A number with as many digits as it takes to read the same number.
fn exact(x: f64) -> String {
    match x == 0.0 || (1e-5..1e16).contains(&x.abs()) {
        true => format!("{x}"),
        false => format!("{x:e}"),
    }
}

/// The text of a data file. Numbers are written so that the same numbers are read.
fn text(book: &Book, state: &State) -> String {
    let (spheres, cell) = (&state.spheres, &state.setup.cell);
    let mut out = format!(
        "LAMMPS data file via Tangere, timestep = {}, units = {}\n\n{} atoms\n{} atom types\n\n",
        state.clock.step,
        book.units.name,
        spheres.ids.len(),
        book.kinds
    );
    for ([low, high], axis) in book.bounds(cell, spheres).iter().zip(["x", "y", "z"]) {
        let _ = writeln!(out, "{} {} {axis}lo {axis}hi", exact(*low), exact(*high));
    }
    if book.is_triclinic {
        let [_, b, c] = cell.edges;
        let [xy, xz, yz] = [b[0], c[0], c[1]].map(exact);
        let _ = writeln!(out, "{xy} {xz} {yz} xy xz yz");
    }
    if spheres.ids.is_empty() {
        return out;
    }
    out.push_str("\nAtoms # sphere\n\n");
    for i in 0..spheres.ids.len() {
        let (r, [ix, iy, iz]) = (spheres.radii[i], spheres.images[i]);
        let density = spheres.masses[i] / (BALL * r * r * r);
        let (id, kind) = (spheres.ids[i], spheres.kinds[i] + 1);
        let [x, y, z] = spheres.positions[i].map(exact);
        let [diameter, density] = [2.0 * r, density].map(exact);
        let _ = writeln!(
            out,
            "{id} {kind} {diameter} {density} {x} {y} {z} {ix} {iy} {iz}"
        );
    }
    out.push_str("\nVelocities\n\n");
    for i in 0..spheres.ids.len() {
        let [x, y, z] = spheres.velocities[i].map(exact);
        let [u, v, w] = spheres.spins[i].map(exact);
        let id = spheres.ids[i];
        let _ = writeln!(out, "{id} {x} {y} {z} {u} {v} {w}");
    }
    out
}
