//! Periodic cells: one for all steps, or one for each step, from a file or a LAMMPS dump.

use super::{DumpHead, Frame, Shapes, Steps, content, refused, refused_argument};
use std::path::Path;
use tangere::Argument;
use tangere::pairs::Periodic;
use tangere_io::{DumpBox, Fault, Place, Result};

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
        Self::of_boxes(path, steps, |cell| cell)
    }

    /// As [`Cells::of_dump`], with the boxes that `changed` makes of those of the dump.
    fn of_boxes(path: &Path, steps: &Steps, changed: fn(DumpBox) -> DumpBox) -> Result<Self> {
        if steps.dump.len() != steps.frames.len() {
            let (found, expected) = ("no box", "a dump of LAMMPS, which has one for each step");
            return Err(refused_argument(path, Argument::Periodic, found, expected));
        }
        let cell = |(step, head): (usize, &DumpHead)| {
            let Some(cell) = head.cell else {
                let found = format!("no box at step {step}");
                return Err(refused_argument(
                    path,
                    Argument::Periodic,
                    found,
                    "ITEM: BOX BOUNDS",
                ));
            };
            Self::of_box(path, steps, step, &changed(cell))
        };
        let cells = steps.dump.iter().enumerate();
        cells.map(cell).collect::<Result<_>>().map(Cells::Each)
    }

    /// Returns the periodic cell of the simulation box of a step.
    fn of_box(path: &Path, steps: &Steps, step: usize, cell: &DumpBox) -> Result<Option<Cell>> {
        let dimension = steps.dimension;
        if !cell.periodic[..dimension].contains(&true) {
            return Ok(None);
        }
        let place = Place::Line(steps.dump[step].cell_line);
        let Some((lengths, tilts)) = cell.lengths_and_tilts() else {
            let found = format!("a periodic box with the edges {:?}", cell.vectors);
            let expected = "the first along x and the second in the plane of x and y";
            return Err(content(path, Fault::new(place, found, expected)));
        };
        let lengths = lengths.iter().zip(cell.periodic);
        let lengths = lengths.map(|(&length, periodic)| if periodic { length } else { 0.0 });
        let lengths: Vec<f64> = lengths.take(dimension).collect();
        // In the plane only the first tilt applies, in space all three.
        let tilts = &tilts[..dimension * (dimension - 1) / 2];
        let made = Cell::new(&lengths, tilts, &cell.origin[..dimension]);
        made.map(Some).map_err(|error| match error {
            tangere::Error::Item {
                what,
                index,
                found,
                expected,
            } => {
                let found = format!("a box with the {what} {index} of {found}");
                content(path, Fault::new(place, found, expected))
            }
            error => steps.refused(path, step, error),
        })
    }
}

/// The periodic cells that a LAMMPS dump implies if none are requested.
pub struct DumpCells {
    /// The periodic cells of the steps.
    pub cells: Cells,
    /// The axes along which a step is periodic: some of x, y and z; empty if none is.
    pub axes: String,
    /// Whether z is left open although the dump is periodic along it, as all atoms lie in a plane.
    pub is_flat: bool,
}

impl DumpCells {
    /// Returns the periodic cells of a LAMMPS dump; `None` if the file is not a dump, or no step is
    /// periodic.
    ///
    /// LAMMPS simulates the plane in a box that is thin and periodic along z. If at each step all
    /// atoms have the same z, they cannot touch across a z border that is higher than their
    /// diameter, and a thinner box has no other meaning. With `may_be_flat`, such dumps are left
    /// open along z.
    ///
    /// # Errors
    /// As [`Cells::of_dump`].
    pub fn new(path: &Path, steps: &Steps, may_be_flat: bool) -> Result<Option<Self>> {
        let repeats = |k: usize| {
            let boxes = steps.dump.iter().filter_map(|head| head.cell.as_ref());
            boxes.into_iter().any(|cell| cell.periodic[k])
        };
        let mut axes: String = (0..steps.dimension)
            .filter(|&k| repeats(k))
            .map(|k| ["x", "y", "z"][k])
            .collect();
        if axes.is_empty() {
            return Ok(None);
        }
        let is_flat = may_be_flat && axes.ends_with('z') && steps.frames.iter().all(is_plane);
        let cells = match is_flat {
            false => Cells::of_dump(path, steps)?,
            true => {
                axes.pop();
                Cells::of_boxes(path, steps, |mut cell| {
                    cell.periodic[2] = false;
                    // Tilts along z mean nothing to atoms that do not cross it.
                    cell.vectors[2][..2].fill(0.0);
                    cell
                })?
            }
        };
        Ok(Some(DumpCells {
            cells,
            axes,
            is_flat,
        }))
    }
}

/// Whether all particles of a frame in space have the same z.
fn is_plane(frame: &Frame) -> bool {
    match frame {
        Frame::Space(Shapes::Spheres { centers, .. }) => {
            centers.windows(2).all(|two| two[0][2] == two[1][2])
        }
        _ => false,
    }
}
