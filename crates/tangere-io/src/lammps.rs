//! Reader of LAMMPS text dumps: particles at one or several time steps.
//!
//! Reads the position and the size of each particle. Positions are in the columns `x`, `y`, `z`; or
//! `xs`, `ys`, `zs`, scaled by the simulation box, which may be orthogonal or triclinic; or `xu` or
//! `xsu` and so on, which are unwrapped across periodic boundaries. The size is in the column
//! `radius`, or `diameter`, which is halved. Without a z column particles are discs. LAMMPS changes
//! the order of atoms from step to step: if there is a column `id`, all steps are returned in the
//! order of the first.

use crate::error::{Error, Fault, Result};
use crate::particles::Particles;
use crate::read_bytes::read_bytes;
use crate::text::{Line, Lines, integer, number, quoted};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use tangere::shape::Spheres;

/// A time step of a LAMMPS dump: its particles and its simulation box.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpStep {
    /// The number of the time step in the dump.
    pub timestep: i64,
    /// The particles of the time step. Either all steps of a dump have discs or all have spheres.
    pub particles: Particles,
    /// The simulation box of the time step. `None` if the dump has none, or gives it by three edge
    /// vectors.
    pub cell: Option<DumpCell>,
}

/// The simulation box of a time step of a LAMMPS dump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DumpCell {
    /// The lower corner of the simulation box.
    pub lower: [f64; 3],
    /// The lengths of the simulation box along x, y and z.
    pub lengths: [f64; 3],
    /// Tilt factors xy, xz and yz of the simulation box, as in LAMMPS; 0 if it is orthogonal.
    pub tilts: [f64; 3],
    /// Whether the simulation box is periodic along each edge (`pp` in the dump).
    pub periodic: [bool; 3],
}

/// Whether a file begins with `ITEM:` as a text dump does, regardless of its name.
pub fn is_dump(path: impl AsRef<Path>) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(5).read_to_end(&mut start));
    read.is_ok() && start == b"ITEM:"
}

/// Reads the time steps of a LAMMPS text dump, regardless of the file extension.
pub fn read_dump(path: impl AsRef<Path>) -> Result<Vec<DumpStep>> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    parse_dump(&bytes).map_err(|fault| Error::content(path, fault))
}

/// Parses the time steps of a LAMMPS text dump, in the order of the file.
pub fn parse_dump(bytes: &[u8]) -> std::result::Result<Vec<DumpStep>, Fault> {
    let mut lines = Lines::new(bytes);
    let mut steps = Vec::new();
    let mut header = Header::default();
    let mut ids = None;
    let mut flat = None;
    while let Some(line) = lines.next_filled() {
        let mut words = line.words();
        let item = (words.next() == Some(b"ITEM:".as_slice())).then(|| words.next());
        match item.flatten() {
            Some(b"TIMESTEP") => header.timestep = Some(single(&mut lines, "a time step")?),
            Some(b"NUMBER") => header.count = Some(single(&mut lines, "a number of atoms")?),
            Some(b"BOX") => header.cell = DumpCell::parse(line, &mut lines)?,
            Some(b"ATOMS") => {
                let columns = Columns::parse(line)?;
                if *flat.get_or_insert(columns.flat()) != columns.flat() {
                    return Err(line.fault("other dimensions", "those of the steps before"));
                }
                let (Some(timestep), Some(count)) = (header.timestep, header.count) else {
                    let expected = "ITEM: TIMESTEP and ITEM: NUMBER OF ATOMS before";
                    return Err(line.fault("ITEM: ATOMS", expected));
                };
                let atoms = atoms(&columns, &header.cell, count, line, &mut lines)?;
                let atoms = ordered(atoms, &mut ids);
                let particles = particles(&atoms, columns.flat())?;
                steps.push(DumpStep {
                    timestep,
                    particles,
                    cell: header.cell,
                });
                header = Header::default();
            }
            // These sections have one line, which is not needed.
            Some(b"TIME" | b"UNITS") => drop(lines.next()),
            _ => return Err(line.fault(quoted(line.bytes), "ITEM: and a part of a dump")),
        }
    }
    match steps.is_empty() {
        true => Err(lines.end_fault("ITEM: TIMESTEP")),
        false => Ok(steps),
    }
}

#[derive(Default)]
struct Header {
    timestep: Option<i64>,
    count: Option<usize>,
    cell: Option<DumpCell>,
}

/// Parses the next line that is not blank as a single integer.
fn single<T: std::str::FromStr>(
    lines: &mut Lines,
    expected: &str,
) -> std::result::Result<T, Fault> {
    let line = lines
        .next_filled()
        .ok_or_else(|| lines.end_fault(expected))?;
    let word = line.bytes.trim_ascii();
    integer(word).ok_or_else(|| line.fault(quoted(word), expected))
}

impl DumpCell {
    /// Parses the simulation box from the three lines after `head`. `None` if it is given by three
    /// edge vectors.
    fn parse(head: Line, lines: &mut Lines) -> std::result::Result<Option<Self>, Fault> {
        let has = |name: &[u8]| head.words().any(|word| word == name);
        let (general, tilted) = (has(b"abc"), has(b"xy"));
        let expected = if general {
            4
        } else if tilted {
            3
        } else {
            2
        };
        let mut rows = [[0.0; 4]; 3];
        for row in &mut rows {
            let what = format!("{expected} numbers of the box");
            let line = lines.next_filled().ok_or_else(|| lines.end_fault(&*what))?;
            if line.words().count() != expected {
                return Err(line.fault(quoted(line.bytes), what));
            }
            for (x, word) in row.iter_mut().zip(line.words()) {
                *x = number(word, line.number)?;
            }
        }
        if general {
            return Ok(None);
        }
        // For triclinic cells LAMMPS writes the bounding box of the cell.
        let [xy, xz, yz] = rows.map(|row| row[2]);
        let under = [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::min);
        let over = [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::max);
        let lower = [rows[0][0] - under, rows[1][0] - yz.min(0.0), rows[2][0]];
        let upper = [rows[0][1] - over, rows[1][1] - yz.max(0.0), rows[2][1]];
        // The header is `ITEM: BOX BOUNDS`, the names of the tilts, and the kind of both ends of
        // each edge.
        let mut ends = head.words().skip(if tilted { 6 } else { 3 });
        Ok(Some(DumpCell {
            periodic: std::array::from_fn(|_| ends.next() == Some(b"pp")),
            lower,
            lengths: std::array::from_fn(|k| upper[k] - lower[k]),
            tilts: [xy, xz, yz],
        }))
    }

    /// Returns the position of a particle from scaled coordinates `s`, which go from 0 to 1 along
    /// each edge of the simulation box.
    fn place(&self, s: [f64; 3]) -> [f64; 3] {
        let [xy, xz, yz] = self.tilts;
        let [lx, ly, lz] = self.lengths;
        [
            self.lower[0] + s[0] * lx + s[1] * xy + s[2] * xz,
            self.lower[1] + s[1] * ly + s[2] * yz,
            self.lower[2] + s[2] * lz,
        ]
    }
}

/// The indices of the columns of a dump that contain position, size and id of the particles.
struct Columns {
    count: usize,
    /// The indices of the columns of the coordinates x, y and z of the particles; that of z is
    /// `None` if the particles are discs.
    place: [Option<usize>; 3],
    scaled: bool,
    size: usize,
    halved: bool,
    id: Option<usize>,
}

impl Columns {
    fn parse(head: Line) -> std::result::Result<Self, Fault> {
        let names: Vec<&[u8]> = head.words().skip(2).collect();
        let column = |name: &str| names.iter().position(|&word| word == name.as_bytes());
        let kinds = [("", false), ("s", true), ("u", false), ("su", true)];
        let places = kinds.map(|(kind, scaled)| {
            let place = ["x", "y", "z"].map(|axis| column(&format!("{axis}{kind}")));
            (place, scaled)
        });
        let place = places.into_iter().find(|(place, _)| {
            let [x, y, _] = place;
            x.is_some() && y.is_some()
        });
        let (radius, diameter) = (column("radius"), column("diameter"));
        match (place, radius.or(diameter)) {
            (Some((place, scaled)), Some(size)) => Ok(Columns {
                count: names.len(),
                place,
                scaled,
                size,
                halved: radius.is_none(),
                id: column("id"),
            }),
            _ => Err(head.fault(
                quoted(head.bytes),
                "columns x, y, z (or xs, ys, zs) and radius (or diameter)",
            )),
        }
    }

    fn flat(&self) -> bool {
        self.place[2].is_none()
    }
}

#[derive(Clone, Copy)]
struct Atom {
    id: Option<i64>,
    center: [f64; 3],
    radius: f64,
}

fn atoms(
    columns: &Columns,
    cell: &Option<DumpCell>,
    count: usize,
    head: Line,
    lines: &mut Lines,
) -> std::result::Result<Vec<Atom>, Fault> {
    let cell = match (columns.scaled, cell) {
        (false, _) => None,
        (true, Some(cell)) => Some(cell),
        (true, None) => {
            let expected = "ITEM: BOX BOUNDS with lower and upper bounds before scaled coordinates";
            return Err(head.fault(quoted(head.bytes), expected));
        }
    };
    let mut atoms = Vec::new();
    let mut words: Vec<&[u8]> = Vec::with_capacity(columns.count);
    for i in 0..count {
        let line = lines.next_filled().ok_or_else(|| {
            let expected = format!("atom {i} of {count}");
            lines.end_fault(expected)
        })?;
        words.clear();
        words.extend(line.words());
        if words.len() != columns.count {
            let found = format!("{} words", words.len());
            return Err(line.fault(found, format!("{}, one for each column", columns.count)));
        }
        let mut center = [0.0; 3];
        for (x, &column) in center.iter_mut().zip(&columns.place) {
            if let Some(column) = column {
                *x = number(words[column], line.number)?;
            }
        }
        let size = number(words[columns.size], line.number)?;
        if size < 0.0 {
            let expected = "a size that is not negative";
            return Err(line.fault(quoted(words[columns.size]), expected));
        }
        let id = match columns.id {
            None => None,
            Some(column) => Some(
                integer(words[column])
                    .ok_or_else(|| line.fault(quoted(words[column]), "the number of an atom"))?,
            ),
        };
        atoms.push(Atom {
            id,
            center: cell.map_or(center, |cell| cell.place(center)),
            radius: if columns.halved { 0.5 * size } else { size },
        });
    }
    Ok(atoms)
}

/// Returns the atoms of a step in the order of the first step. The first call stores that order in
/// `ids`, as a map from atom id to index. Atoms that the first step does not have come last, in
/// file order.
fn ordered(mut atoms: Vec<Atom>, ids: &mut Option<HashMap<i64, usize>>) -> Vec<Atom> {
    match ids {
        Some(ids) => {
            let place = |atom: &Atom| atom.id.and_then(|id| ids.get(&id).copied());
            atoms.sort_by_key(|atom| place(atom).unwrap_or(usize::MAX));
        }
        None => {
            let numbered = atoms.iter().enumerate();
            *ids = Some(numbered.filter_map(|(i, a)| Some((a.id?, i))).collect());
        }
    }
    atoms
}

fn particles(atoms: &[Atom], flat: bool) -> std::result::Result<Particles, Fault> {
    let radii: Vec<f64> = atoms.iter().map(|atom| atom.radius).collect();
    let made = match flat {
        true => {
            let centers = atoms.iter().map(|atom| [atom.center[0], atom.center[1]]);
            Spheres::new(centers.collect(), radii).map(Particles::Discs)
        }
        false => {
            let centers = atoms.iter().map(|atom| atom.center);
            Spheres::new(centers.collect(), radii).map(Particles::Spheres)
        }
    };
    made.map_err(Fault::of_library)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(bounds: &str, columns: &str, atoms: &[&str]) -> String {
        format!(
            "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS {bounds}\n\
             ITEM: ATOMS {columns}\n{}\n",
            atoms.len(),
            atoms.join("\n")
        )
    }

    const BOX: &str = "pp pp ff\n-1 1\n0 4\n0 8";

    fn spheres(text: &str) -> Vec<Spheres<3>> {
        let steps = parse_dump(text.as_bytes()).unwrap();
        let particles = steps.into_iter().map(|step| match step.particles {
            Particles::Spheres(spheres) => spheres,
            Particles::Discs(_) => panic!("discs"),
        });
        particles.collect()
    }

    #[test]
    fn columns_are_chosen_by_name() {
        let text = step(
            BOX,
            "id type radius z y x",
            &["1 1 0.5 3 2 1", "2 1 1e-1 6 5 4"],
        );
        let expected = Spheres::new(vec![[1., 2., 3.], [4., 5., 6.]], vec![0.5, 0.1]).unwrap();
        assert_eq!(spheres(&text), std::slice::from_ref(&expected));
        let text = step(BOX, "xu yu zu diameter", &["1 2 3 1", "4 5 6 0.2"]);
        assert_eq!(spheres(&text), [expected]);
        let text = step(BOX, "x y radius", &["1 2 3"]);
        let discs = Spheres::new(vec![[1., 2.]], vec![3.]).unwrap();
        let read = parse_dump(text.as_bytes()).unwrap();
        assert_eq!(read[0].particles, Particles::Discs(discs));
        assert_eq!(read[0].timestep, 7);
        let cell = DumpCell {
            lower: [-1.0, 0.0, 0.0],
            lengths: [2.0, 4.0, 8.0],
            tilts: [0.0; 3],
            periodic: [true, true, false],
        };
        assert_eq!(read[0].cell, Some(cell));
    }

    #[test]
    fn scaled_coordinates_are_those_of_the_box() {
        let text = step(BOX, "xs ys zs radius", &["0.5 0.25 0.75 1"]);
        assert_eq!(spheres(&text)[0].centers(), [[0.0, 1.0, 6.0]]);
        // The cell has the lengths 2, 4 and 8, the lower corner (-1, 0, 0) and the tilts xy = 1, xz
        // = -2, yz = 0.5: its bounding box goes from -1 - 2 to 1 + 1 in x and from 0 to 4.5 in y.
        let tilted = "xy xz yz pp pp pp\n-3 2 1\n0 4.5 -2\n0 8 0.5";
        let text = step(
            tilted,
            "xs ys zs radius",
            &["0 0 0 1", "1 1 1 1", "0.5 0.5 0 1"],
        );
        let expected = [[-1.0, 0.0, 0.0], [0.0, 4.5, 8.0], [0.5, 2.0, 0.0]];
        assert_eq!(spheres(&text)[0].centers(), expected);
        let cell = DumpCell {
            lower: [-1.0, 0.0, 0.0],
            lengths: [2.0, 4.0, 8.0],
            tilts: [1.0, -2.0, 0.5],
            periodic: [false, true, false],
        };
        let text = text.replace("pp pp pp", "fs pp sm");
        assert_eq!(parse_dump(text.as_bytes()).unwrap()[0].cell, Some(cell));
    }

    #[test]
    fn steps_have_the_order_of_the_first() {
        let columns = "id x y z radius";
        let text = step(BOX, columns, &["9 0 0 0 1", "4 1 0 0 2"])
            + "ITEM: UNITS\nlj\nITEM: TIME\n0.5\n"
            + &step(BOX, columns, &["4 1 1 0 2", "5 7 7 7 3", "9 0 1 0 1"])
            + &step(BOX, columns, &[]);
        let steps = spheres(&text);
        assert_eq!(steps[0].radii(), [1.0, 2.0]);
        assert_eq!(steps[1].radii(), [1.0, 2.0, 3.0]);
        assert_eq!(steps[1].centers()[0], [0.0, 1.0, 0.0]);
        assert!(steps[2].radii().is_empty());
    }

    #[test]
    fn faults_name_the_line() {
        for (text, part) in [
            (String::new(), "line 1: found the end of the file"),
            ("x y\n".into(), "line 1: found \"x y\""),
            ("ITEM: TIMESTEP\nsoon\n".into(), "line 2: found \"soon\""),
            ("ITEM: NUMBER OF ATOMS\n-1\n".into(), "line 2: found \"-1\""),
            (
                "ITEM: ATOMS x y z radius\n".into(),
                "line 1: found ITEM: ATOMS",
            ),
            (
                "ITEM: BOX BOUNDS pp\n1 2 3\n".into(),
                "line 2: found \"1 2 3\", expected 2 numbers",
            ),
            (
                step(BOX, "x y z", &["1 2 3"]),
                "line 9: found \"ITEM: ATOMS x y z\"",
            ),
            (
                step(BOX, "x y z radius", &["1 2 3"]),
                "line 10: found 3 words, expected 4",
            ),
            (
                step(BOX, "x y z radius", &["1 2 nan 4"]),
                "line 10: found \"nan\"",
            ),
            (
                step(BOX, "x y z radius", &["1 2 3 -4"]),
                "line 10: found \"-4\"",
            ),
            (
                step(BOX, "id x y radius", &["a 1 2 3"]),
                "line 10: found \"a\"",
            ),
            (
                step(BOX, "x y z radius", &["1e99 2 3 4"]),
                "centre 0: found [1e99",
            ),
            (
                step(
                    "abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0",
                    "xs ys zs radius",
                    &["0 0 0 1"],
                ),
                "expected ITEM: BOX BOUNDS with",
            ),
            (
                step(BOX, "x y z radius", &["0 0 0 1"]) + &step(BOX, "x y radius", &["0 0 1"]),
                "found other dimensions",
            ),
            (
                step(BOX, "x y z radius", &["0 0 0 1"]).replace("\n1\nITEM: BOX", "\n3\nITEM: BOX"),
                "line 10: found the end of the file, expected atom 1 of 3",
            ),
        ] {
            let message = parse_dump(text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
}
