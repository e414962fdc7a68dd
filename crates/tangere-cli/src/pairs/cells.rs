//! The periodic cell of each step: one for all, a row of a file, or that of a dump.

use super::input::{Steps, refused};
use super::{Edges, Pairs};
use crate::failure::Failure;
use std::path::Path;
use tangere::pairs::Periodic;
use tangere_io::{DumpCell, Error, Fault, Place};

/// Periodic cells, or none.
#[derive(Debug)]
pub enum Cells<const D: usize> {
    /// The same at each step.
    One(Option<Periodic<D>>),
    /// One for each step.
    Each(Vec<Option<Periodic<D>>>),
}

impl<const D: usize> Cells<D> {
    /// The cells asked for, one for each step if there are several.
    pub fn read(options: &Pairs, steps: &Steps<D>) -> Result<Self, Failure> {
        if let Some(path) = &options.cells {
            return rows(path, steps).map(Cells::Each);
        }
        let lengths = match &options.periodic {
            None => return Ok(Cells::One(None)),
            Some(Edges::Dump) => return of_dump(options, steps).map(Cells::Each),
            Some(Edges::Lengths(lengths)) => lengths.point("--periodic")?,
        };
        let tilts = options.tilt.as_ref().map_or(&[][..], |list| &list.0);
        let cell = Periodic::tilted(lengths, tilts)?;
        Ok(Cells::One(Some(match &options.origin {
            None => cell,
            Some(origin) => cell.at(origin.point("--origin")?)?,
        })))
    }

    /// The cell of a step.
    pub fn at(&self, step: usize) -> Option<Periodic<D>> {
        match self {
            Cells::One(cell) => *cell,
            Cells::Each(cells) => cells[step],
        }
    }
}

/// A cell from a row: lengths, then tilts, then its lower corner, the last two or the
/// last of which may be missing.
fn cell<const D: usize>(row: &[f64]) -> tangere::Result<Periodic<D>> {
    let tilts = D * (D - 1) / 2;
    let (lengths, rest) = row.split_at(D);
    let (tilts, origin) = rest.split_at(tilts.min(rest.len()));
    let point = |numbers: &[f64]| std::array::from_fn(|k| numbers[k]);
    let cell = Periodic::tilted(point(lengths), tilts)?;
    match origin.is_empty() {
        true => Ok(cell),
        false => cell.at(point(origin)),
    }
}

/// The cells of a file with a row for each step.
fn rows<const D: usize>(
    path: &Path,
    steps: &Steps<D>,
) -> Result<Vec<Option<Periodic<D>>>, Failure> {
    let array = tangere_io::read_array(path).map_err(Failure::reading)?;
    let tilts = D * (D - 1) / 2;
    let columns = [D, D + tilts, D + tilts + D];
    let (count, width) = match array.shape[..] {
        [rows, width] if columns.contains(&width) => (rows, width),
        _ => {
            let [lengths, tilted, placed] = columns;
            let expected = format!(
                "[steps, {lengths}] (lengths), [steps, {tilted}] (then tilts) \
                 or [steps, {placed}] (then the lower corner)"
            );
            let found = format!("{:?}", array.shape);
            return Err(refused(path, "shape", found, &expected));
        }
    };
    if count != steps.frames.len() {
        let expected = format!("{}, one for each step", steps.frames.len());
        return Err(refused(path, "rows", count, &expected));
    }
    let cells = array.values.chunks_exact(width).enumerate();
    cells
        .map(|(step, row)| match cell(row) {
            Ok(cell) => Ok(Some(cell)),
            Err(error) => {
                let (found, expected) = (format!("{row:?}"), error.to_string());
                let fault = Fault::new(Place::Item("cell", step), found, expected);
                let path = path.to_owned();
                Err(Failure::reading(Error::Content { path, fault }))
            }
        })
        .collect()
}

/// The cells of a dump, open along the edges that are not periodic.
fn of_dump<const D: usize>(
    options: &Pairs,
    steps: &Steps<D>,
) -> Result<Vec<Option<Periodic<D>>>, Failure> {
    let path = &options.particles;
    if options.tilt.is_some() || options.origin.is_some() {
        let message = "--periodic dump: found with --tilt or --origin, expected without: \
                       the dump has them";
        return Err(Failure::Input(message.into()));
    }
    let cell = |(step, cell): (usize, &Option<DumpCell>)| {
        let Some(cell) = cell else {
            let found = steps.message(step, "none");
            let expected = "ITEM: BOX BOUNDS with lower and upper bounds, for --periodic dump";
            return Err(refused(path, "box", found, expected));
        };
        if !cell.periodic[..D].contains(&true) {
            return Ok(None);
        }
        let edge = |k: usize| {
            if cell.periodic[k] {
                cell.lengths[k]
            } else {
                0.0
            }
        };
        // The first tilt is that of the plane, all are those of space.
        let tilts = &cell.tilts[..D * (D - 1) / 2];
        let made = Periodic::tilted(std::array::from_fn(edge), tilts)
            .and_then(|made| made.at(std::array::from_fn(|k| cell.lower[k])));
        match made {
            Ok(made) => Ok(Some(made)),
            Err(error) => {
                let message = steps.message(step, error);
                Err(Failure::Input(format!("{}: {message}", path.display())))
            }
        }
    };
    if steps.cells.len() != steps.frames.len() {
        let expected = "a dump of LAMMPS, for --periodic dump";
        return Err(refused(path, "box", "none", expected));
    }
    steps.cells.iter().enumerate().map(cell).collect()
}
