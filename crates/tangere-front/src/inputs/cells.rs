//! Periodic cells: one for all steps, or one for each step, from a file or a LAMMPS dump.

use super::{Steps, content, refused, refused_argument};
use std::path::Path;
use tangere::Argument;
use tangere::pairs::Periodic;
use tangere_io::{DumpCell, Fault, Place, Result};

/// A periodic cell of the plane or of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A periodic cell in the plane.
    Plane(Periodic<2>),
    /// A periodic cell in space.
    Space(Periodic<3>),
}

impl Cell {
    /// Returns a periodic cell with the given edge lengths; a length of 0 means not periodic along
    /// that edge. `tilts` are xy, then xz and yz, as in LAMMPS; `origin` is the lower corner. Tilts
    /// and origin are 0 if they are empty.
    ///
    /// # Errors
    /// When the number of lengths is not 2 or 3, the number of tilts or coordinates of the origin
    /// does not fit it, or a number is invalid.
    pub fn new(lengths: &[f64], tilts: &[f64], origin: &[f64]) -> tangere::Result<Self> {
        fn made<const D: usize>(
            lengths: [f64; D],
            tilts: &[f64],
            origin: &[f64],
        ) -> tangere::Result<Periodic<D>> {
            let cell = Periodic::tilted(lengths, tilts)?;
            match origin.is_empty() {
                true => Ok(cell),
                false => cell.at(numbers(Argument::Origin, origin)?),
            }
        }
        match *lengths {
            [x, y] => made([x, y], tilts, origin).map(Cell::Plane),
            _ => {
                let lengths = numbers(Argument::PeriodicLengths, lengths)?;
                made(lengths, tilts, origin).map(Cell::Space)
            }
        }
    }

    /// Returns the dimension of the cell: 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Cell::Plane(_) => 2,
            Cell::Space(_) => 3,
        }
    }

    /// Returns the edge lengths, the tilts and the lower corner of the periodic cell.
    pub fn numbers(&self) -> [Vec<f64>; 3] {
        match self {
            Cell::Plane(cell) => [cell.lengths().into(), cell.tilts(), cell.origin().into()],
            Cell::Space(cell) => [cell.lengths().into(), cell.tilts(), cell.origin().into()],
        }
    }
}

fn numbers<const D: usize>(what: Argument, numbers: &[f64]) -> tangere::Result<[f64; D]> {
    numbers.try_into().map_err(|_| {
        tangere::Error::argument(what, format!("{} numbers", numbers.len()), D.to_string())
    })
}

/// The periodic cells of all steps, or none.
#[derive(Clone, Debug)]
pub enum Cells {
    /// The same periodic cell for all steps; `None` if no step is periodic.
    One(Option<Cell>),
    /// A periodic cell for each step; `None` for a step that is not periodic.
    Each(Vec<Option<Cell>>),
}

impl Cells {
    /// Returns the periodic cell of a step; `None` if the step is not periodic.
    pub fn at(&self, step: usize) -> Option<Cell> {
        match self {
            Cells::One(cell) => *cell,
            Cells::Each(cells) => cells[step],
        }
    }

    /// Reads periodic cells from a file with a row for each step: edge lengths, then tilts, then
    /// the lower corner. Rows may end after the lengths or after the tilts.
    ///
    /// # Errors
    /// When the file cannot be read, has another number of columns or of rows, or a cell is
    /// invalid.
    pub fn read(path: &Path, steps: &Steps) -> Result<Self> {
        let array = tangere_io::read_array(path)?;
        let dimension = steps.dimension;
        let tilted = dimension + dimension * (dimension - 1) / 2;
        let columns = [dimension, tilted, tilted + dimension];
        let (count, width) = match array.shape[..] {
            [rows, width] if columns.contains(&width) => (rows, width),
            _ => {
                let [lengths, tilted, placed] = columns;
                let expected = format!(
                    "[steps, {lengths}] (lengths), [steps, {tilted}] (then tilts) \
                     or [steps, {placed}] (then the lower corner)"
                );
                let found = format!("{:?}", array.shape);
                return Err(refused(path, "shape", found, expected));
            }
        };
        if count != steps.frames.len() {
            let expected = format!("{}, one for each step", steps.frames.len());
            return Err(refused(path, "rows", count, expected));
        }
        let cell = |(step, row): (usize, &[f64])| {
            let (lengths, rest) = row.split_at(dimension);
            let (tilts, origin) = rest.split_at(rest.len().min(tilted - dimension));
            Cell::new(lengths, tilts, origin)
                .map(Some)
                .map_err(|error| {
                    let (found, expected) = (format!("{row:?}"), error.to_string());
                    content(path, Fault::new(Place::Item("cell", step), found, expected))
                })
        };
        let rows = array.values.chunks_exact(width).enumerate();
        rows.map(cell).collect::<Result<_>>().map(Cells::Each)
    }

    /// Returns the periodic cells of the steps of a LAMMPS dump. Edges that the dump marks as not
    /// periodic are open.
    ///
    /// # Errors
    /// When the file is not a dump, or a step has no box or an invalid one.
    pub fn of_dump(path: &Path, steps: &Steps) -> Result<Self> {
        if steps.boxes_of_dump.len() != steps.frames.len() {
            let (found, expected) = ("no box", "a dump of LAMMPS, which has one for each step");
            return Err(refused_argument(path, Argument::Periodic, found, expected));
        }
        let dimension = steps.dimension;
        let cell = |(step, cell): (usize, &Option<DumpCell>)| {
            let Some(cell) = cell else {
                let found = format!("no box at step {step}");
                let expected = "ITEM: BOX BOUNDS with lower and upper bounds";
                return Err(refused_argument(path, Argument::Periodic, found, expected));
            };
            if !cell.periodic[..dimension].contains(&true) {
                return Ok(None);
            }
            let lengths = cell.lengths.iter().zip(cell.periodic);
            let lengths = lengths.map(|(&length, periodic)| if periodic { length } else { 0.0 });
            let lengths: Vec<f64> = lengths.take(dimension).collect();
            // In the plane only the first tilt applies, in space all three.
            let tilts = &cell.tilts[..dimension * (dimension - 1) / 2];
            let made = Cell::new(&lengths, tilts, &cell.lower[..dimension]);
            made.map(Some)
                .map_err(|error| steps.refused(path, step, error))
        };
        let cells = steps.boxes_of_dump.iter().enumerate();
        cells.map(cell).collect::<Result<_>>().map(Cells::Each)
    }
}
