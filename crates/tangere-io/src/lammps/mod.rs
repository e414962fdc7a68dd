//! Reader of LAMMPS text dumps, frame by frame: the atoms at one or several time steps.
//!
//! A [`DumpFrame`] has all columns by name. Positions are in the columns `x`, `y`, `z`; or `xs`,
//! `ys`, `zs`, scaled by the simulation box, which may be orthogonal or tilted; or `xu` or `xsu` and
//! so on, which are unwrapped across periodic boundaries. The size is in the column `radius`, or
//! `diameter`, which is halved. Without a z column particles are discs. LAMMPS writes atoms in any
//! order: if there is a column `id`, a frame has them in ascending order of id.

mod cell;
mod column;

pub use cell::DumpBox;
pub use column::DumpColumn;

use crate::error::{Error, Fault, Place, Result};
use crate::line_reader::LineReader;
use crate::particles::Particles;
use crate::text::{Line, integer, number, quoted};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use tangere::shape::Spheres;

/// A frame of a LAMMPS dump: all atoms at one time step, and the simulation box.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpFrame {
    /// The number of the time step in the dump.
    pub step: i64,
    /// The time of the time step (`ITEM: TIME`); `None` if the dump has none.
    pub time: Option<f64>,
    /// The simulation box of the time step; `None` if the dump has none.
    pub cell: Option<DumpBox>,
    /// The name of each column, such as `id` or `vx`.
    pub names: Vec<String>,
    /// The columns, each with a value for each atom. Atoms are in ascending order of id, or in
    /// file order if there is no column `id`.
    pub columns: Vec<DumpColumn>,
    len: usize,
    cell_line: usize,
}

impl DumpFrame {
    /// Returns the number of atoms.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no atoms.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the line number of the simulation box in the file, counted from 1; 0 if there is no
    /// box.
    pub fn cell_line(&self) -> usize {
        self.cell_line
    }

    /// Returns the column with a name.
    pub fn column(&self, name: &str) -> Option<&DumpColumn> {
        let place = self.names.iter().position(|other| other == name)?;
        self.columns.get(place)
    }

    /// Returns the ids of the atoms, in ascending order; `None` if there is no column `id`.
    pub fn ids(&self) -> Option<&[i64]> {
        match self.column("id")? {
            DumpColumn::Integers(ids) => Some(ids),
            _ => None,
        }
    }

    /// Returns the names of the columns of x, y and z, and whether they are scaled by the simulation
    /// box; that of z is `None` in the plane.
    fn places(&self) -> Option<([Option<&DumpColumn>; 3], bool)> {
        let kinds = [("", false), ("s", true), ("u", false), ("su", true)];
        let places = kinds.map(|(kind, scaled)| {
            let place = ["x", "y", "z"].map(|axis| self.column(&format!("{axis}{kind}")));
            (place, scaled)
        });
        let has_two = |place: &[Option<&DumpColumn>; 3]| place[0].is_some() && place[1].is_some();
        places.into_iter().find(|(place, _)| has_two(place))
    }

    /// Returns the dimension of the atoms: 3, or 2 if no column has their z. `None` if no columns
    /// have their positions.
    pub fn dimension(&self) -> Option<usize> {
        let ([.., z], _) = self.places()?;
        Some(if z.is_some() { 3 } else { 2 })
    }

    /// Returns the names of the columns that [`DumpFrame::centers`] and [`DumpFrame::radii`] are
    /// read from.
    pub fn names_read(&self) -> Vec<&str> {
        let kinds = ["", "s", "u", "su"];
        let has = |name: &str| self.column(name).is_some();
        let kind = kinds
            .into_iter()
            .find(|kind| has(&format!("x{kind}")) && has(&format!("y{kind}")));
        let axes = |kind: &str| ["x", "y", "z"].map(|axis| format!("{axis}{kind}"));
        let mut read: Vec<String> = kind.map(axes).into_iter().flatten().collect();
        read.push(if has("radius") { "radius" } else { "diameter" }.into());
        let names = self.names.iter().map(String::as_str);
        names
            .filter(|name| read.iter().any(|other| other == name))
            .collect()
    }

    /// Returns the centres of the atoms; in the plane their z is 0.
    ///
    /// # Errors
    /// When no columns have them, or they are scaled and the dump has no simulation box.
    pub fn centers(&self) -> std::result::Result<Vec<[f64; 3]>, Fault> {
        let Some((places, scaled)) = self.places() else {
            return Err(self.missing("x, y, z (or xs, ys, zs; xu, yu, zu; xsu, ysu, zsu)"));
        };
        let mut centers = vec![[0.0; 3]; self.len];
        for (axis, column) in places.iter().enumerate() {
            // The reader makes columns of positions numbers.
            if let Some(DumpColumn::Numbers(values)) = column {
                for (center, &x) in centers.iter_mut().zip(values) {
                    center[axis] = x;
                }
            }
        }
        if scaled {
            let Some(cell) = &self.cell else {
                let (found, expected) = ("none", "one, as coordinates are scaled by it");
                return Err(Fault::new(Place::Part("ITEM: BOX BOUNDS"), found, expected));
            };
            centers.iter_mut().for_each(|s| *s = cell.place(*s));
        }
        Ok(centers)
    }

    /// Returns the radii of the atoms.
    ///
    /// # Errors
    /// When there is no column `radius` or `diameter`.
    pub fn radii(&self) -> std::result::Result<Vec<f64>, Fault> {
        match (self.column("radius"), self.column("diameter")) {
            (Some(DumpColumn::Numbers(radii)), _) => Ok(radii.clone()),
            (_, Some(DumpColumn::Numbers(diameters))) => {
                Ok(diameters.iter().map(|diameter| 0.5 * diameter).collect())
            }
            _ => Err(self.missing("radius (or diameter)")),
        }
    }

    /// Returns the atoms as discs or spheres.
    ///
    /// # Errors
    /// When columns are missing, or an atom is not a valid particle.
    pub fn particles(&self) -> std::result::Result<Particles, Fault> {
        self.particles_with(self.centers()?, self.radii()?)
    }

    /// Returns the atoms as discs or spheres that all have the same radius, whatever the columns of
    /// the frame.
    ///
    /// # Errors
    /// When columns of positions are missing, or an atom is not a valid particle.
    pub fn particles_of_radius(&self, radius: f64) -> std::result::Result<Particles, Fault> {
        self.particles_with(self.centers()?, vec![radius; self.len])
    }

    fn particles_with(
        &self,
        centers: Vec<[f64; 3]>,
        radii: Vec<f64>,
    ) -> std::result::Result<Particles, Fault> {
        let particles = match self.dimension() {
            Some(2) => {
                let centers = centers.iter().map(|&[x, y, _]| [x, y]).collect();
                Spheres::new(centers, radii).map(Particles::Discs)
            }
            _ => Spheres::new(centers, radii).map(Particles::Spheres),
        };
        particles.map_err(|error| self.named(error))
    }

    /// Returns the fault of an atom that is not a valid particle; it names the atom by its id.
    fn named(&self, error: tangere::Error) -> Fault {
        match (error, self.ids()) {
            (
                tangere::Error::Item {
                    what,
                    index,
                    found,
                    expected,
                },
                Some(ids),
            ) => {
                let found = format!("the {what} {found} at step {}", self.step);
                Fault::new(Place::Item("atom", ids[index] as usize), found, expected)
            }
            (error, _) => Fault::of_library(error),
        }
    }

    fn missing(&self, expected: &str) -> Fault {
        let found = crate::table::listed_names(&self.names);
        Fault::new(Place::Part("columns"), found, expected)
    }
}

/// Whether a file begins with `ITEM:` as a text dump does, regardless of its name; a byte order mark
/// may stand before. A pipe or a device is none: what is read from it cannot be read again.
pub fn is_dump(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    if !path.metadata().is_ok_and(|file| file.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    read.is_ok() && start.starts_with(b"ITEM:")
}

/// Reads a LAMMPS text dump frame by frame, regardless of the file extension. One frame is in memory
/// at a time.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run.dump");
/// std::fs::write(&path, "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\n\
///     ITEM: BOX BOUNDS pp pp ff\n0 4\n0 4\n0 9\n\
///     ITEM: ATOMS id x y z radius vx\n7 1 1 1 0.5 0\n3 2 1 1 0.5 -1\n")?;
/// for frame in tangere_io::read_dump(&path)? {
///     let frame = frame?;
///     assert_eq!((frame.step, frame.ids()), (100, Some(&[3, 7][..])));
///     assert_eq!(frame.centers().unwrap()[0], [2.0, 1.0, 1.0]);
///     assert_eq!(frame.cell.unwrap().periodic, [true, true, false]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be opened. The iterator returns the error of a frame and then ends.
pub fn read_dump(path: impl AsRef<Path>) -> Result<DumpFrames> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| Error::file(path, source))?;
    Ok(DumpFrames {
        path: path.to_owned(),
        parser: Parser::new(BufReader::with_capacity(1 << 16, file)),
    })
}

/// Iterator over the frames of a LAMMPS dump; see [`read_dump`].
pub struct DumpFrames {
    path: PathBuf,
    parser: Parser<BufReader<File>>,
}

impl Iterator for DumpFrames {
    type Item = Result<DumpFrame>;

    fn next(&mut self) -> Option<Result<DumpFrame>> {
        let frame = self.parser.frame().transpose()?;
        Some(frame.map_err(|stopped| match stopped {
            Stopped::File(source) => Error::file(&self.path, source),
            Stopped::Fault(fault) => Error::content(&self.path, fault),
        }))
    }
}

/// Parses all frames of a LAMMPS text dump, in the order of the file.
pub fn parse_dump(bytes: &[u8]) -> std::result::Result<Vec<DumpFrame>, Fault> {
    let mut parser = Parser::new(bytes);
    let mut frames = Vec::new();
    loop {
        match parser.frame() {
            Ok(Some(frame)) => frames.push(frame),
            Ok(None) => return Ok(frames),
            Err(Stopped::Fault(fault)) => return Err(fault),
            Err(Stopped::File(error)) => {
                return Err(Fault::new(Place::Part("dump"), error, "bytes in memory"));
            }
        }
    }
}

/// Why a dump cannot be read further.
enum Stopped {
    File(io::Error),
    Fault(Fault),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::File(error)
    }
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Stopped::Fault(fault)
    }
}

/// What stands before the atoms of a frame.
#[derive(Default)]
struct Header {
    step: Option<i64>,
    time: Option<f64>,
    count: Option<usize>,
    cell: Option<DumpBox>,
    /// The line number of `ITEM: BOX BOUNDS`; 0 if there is none.
    cell_line: usize,
}

impl Header {
    fn is_empty(&self) -> bool {
        self.step.is_none() && self.time.is_none() && self.count.is_none() && self.cell.is_none()
    }
}

struct Parser<R> {
    lines: LineReader<R>,
    /// The number of frames read so far.
    frames: usize,
    /// Whether the end or a fault was reached.
    ended: bool,
}

impl<R: BufRead> Parser<R> {
    fn new(source: R) -> Self {
        Parser {
            lines: LineReader::new(source),
            frames: 0,
            ended: false,
        }
    }

    /// Parses the next frame; `None` after the last and after a fault.
    fn frame(&mut self) -> std::result::Result<Option<DumpFrame>, Stopped> {
        if self.ended {
            return Ok(None);
        }
        // After a fault the iterator ends, as it cannot know where the next frame begins.
        self.ended = true;
        let frame = self.next_frame()?;
        self.ended = frame.is_none();
        self.frames += 1;
        Ok(frame)
    }

    fn next_frame(&mut self) -> std::result::Result<Option<DumpFrame>, Stopped> {
        let mut header = Header::default();
        loop {
            let Some(line) = self.lines.next_filled()? else {
                let expected = match (header.is_empty(), self.frames) {
                    (true, 0) => "ITEM: TIMESTEP",
                    (true, _) => return Ok(None),
                    (false, _) => "ITEM: ATOMS",
                };
                return Err(self.lines.end_fault(expected).into());
            };
            // A copy, as the lines after it are read into the same memory.
            let (number, head) = (line.number, line.bytes.to_vec());
            let line = Line {
                number,
                bytes: &head,
            };
            let mut words = line.words();
            let item = (words.next() == Some(b"ITEM:".as_slice())).then(|| words.next());
            match item.flatten() {
                Some(b"TIMESTEP") => header.step = Some(self.single("a time step")?),
                Some(b"NUMBER") => header.count = Some(self.single("a number of atoms")?),
                Some(b"BOX") => {
                    header.cell = Some(DumpBox::parse(line, &mut self.lines)?);
                    header.cell_line = line.number;
                }
                Some(b"ATOMS") => {
                    let word = |word| String::from_utf8_lossy(word).into_owned();
                    let names: Vec<String> = line.words().skip(2).map(word).collect();
                    if names.is_empty() {
                        let expected = "the names of columns after it";
                        return Err(line.fault("ITEM: ATOMS", expected).into());
                    }
                    let mut seen = HashSet::new();
                    if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
                        let found = format!("the column {} twice", quoted(name.as_bytes()));
                        return Err(line.fault(found, "each column once").into());
                    }
                    let (Some(step), Some(count)) = (header.step, header.count) else {
                        let expected = "ITEM: TIMESTEP and ITEM: NUMBER OF ATOMS before";
                        return Err(line.fault("ITEM: ATOMS", expected).into());
                    };
                    return self.atoms(names, step, count, header).map(Some);
                }
                Some(b"TIME") => header.time = Some(self.time()?),
                // This section has one line, which is not needed.
                Some(b"UNITS") => drop(self.lines.next_filled()?),
                _ => {
                    let expected = "ITEM: and a part of a dump";
                    return Err(line.fault(quoted(line.bytes), expected).into());
                }
            }
        }
    }

    /// Parses the next line that is not blank as a single integer.
    fn single<T: std::str::FromStr>(&mut self, expected: &str) -> std::result::Result<T, Stopped> {
        let Some(line) = self.lines.next_filled()? else {
            return Err(self.lines.end_fault(expected).into());
        };
        let word = line.bytes.trim_ascii();
        integer(word).ok_or_else(|| line.fault(quoted(word), expected).into())
    }

    fn time(&mut self) -> std::result::Result<f64, Stopped> {
        match self.lines.next_filled()? {
            Some(line) => Ok(number(line.bytes.trim_ascii(), line.number)?),
            None => Err(self.lines.end_fault("a time").into()),
        }
    }

    /// Parses the rows of a frame and sorts them by id.
    fn atoms(
        &mut self,
        names: Vec<String>,
        step: i64,
        count: usize,
        header: Header,
    ) -> std::result::Result<DumpFrame, Stopped> {
        let mut columns: Vec<_> = names.iter().map(|name| DumpColumn::empty(name)).collect();
        for i in 0..count {
            let Some(line) = self.lines.next_filled()? else {
                let expected = format!("atom {i} of {count}");
                return Err(self.lines.end_fault(expected).into());
            };
            let mut words = line.words();
            for (k, column) in columns.iter_mut().enumerate() {
                let Some(word) = words.next() else {
                    let expected = format!("{}, one for each column", names.len());
                    return Err(line.fault(format!("{k} words"), expected).into());
                };
                column.push(&names[k], word, line)?;
            }
            if words.next().is_some() {
                let found = format!("{} words", line.words().count());
                let expected = format!("{}, one for each column", names.len());
                return Err(line.fault(found, expected).into());
            }
        }
        let mut frame = DumpFrame {
            step,
            time: header.time,
            cell: header.cell,
            names,
            columns,
            len: count,
            cell_line: header.cell_line,
        };
        if let Some(order) = self.order(&frame)? {
            let columns = frame.columns.into_iter();
            frame.columns = columns.map(|column| column.ordered(&order)).collect();
        }
        Ok(frame)
    }

    /// Returns the order of the atoms of a frame by id; `None` if they are in that order already.
    /// Two atoms with the same id are a fault, which names the id and the frame.
    fn order(&self, frame: &DumpFrame) -> std::result::Result<Option<Vec<usize>>, Fault> {
        let Some(ids) = frame.ids() else {
            return Ok(None);
        };
        if ids.is_sorted_by(|a, b| a < b) {
            return Ok(None);
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&i| ids[i]);
        match order.windows(2).find(|two| ids[two[0]] == ids[two[1]]) {
            None => Ok(Some(order)),
            Some(two) => {
                let (id, step) = (ids[two[0]], frame.step);
                let found = format!("two atoms with the id {id} (step {step})");
                let place = Place::Item("frame", self.frames);
                Err(Fault::new(place, found, "each id once"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
