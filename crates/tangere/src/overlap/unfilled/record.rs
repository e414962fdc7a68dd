//! Serialisation of the unfilled volume of a packing as a list of numbers.
//!
//! | numbers | what |
//! |---|---|
//! | 1 | volume of the body |
//! | 4 | origin and side of the lattice |
//! | 3 | the number of its cells along each axis |
//! | 1 | the number of cells that contain a part of the body |
//! | 2 for each of these cells | its index, ascending, and the volume of the body in it |
//! | 1 for each corner of cells | its distance from the body |
//! | 1 | the checksum of all numbers before it and of the spheres |
//!
//! Bounds of overlaps depend on these numbers, and most changes to them would go unnoticed. The
//! checksum verifies that they are unchanged and belong to the spheres of the packing. It is an
//! integer below 2^53, which all formats keep; it does not depend on the order of the spheres.

use super::lattice::Lattice;
use super::{BodyCell, UnfilledVolume};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::is_valid_coordinate;
use crate::shape::Packing;

/// The tolerance of a check on records: the recorded volume of the body may exceed the sum of the
/// recorded volumes of the body in cells by at most this fraction of the former. It may be smaller,
/// because the volumes in cells may be upper bounds.
const OFF: f64 = 1e-6;

/// The maximum number of cells along an axis of a recorded lattice.
const ALONG: f64 = 1e6;

impl UnfilledVolume {
    /// Returns the record of the unfilled volume: those of its numbers that cannot be computed from
    /// the spheres of the packing.
    pub(crate) fn record(&self, packing: &Packing) -> Vec<f64> {
        let Lattice {
            origin,
            side,
            counts,
        } = self.lattice;
        let mut record = vec![self.volume, origin[0], origin[1], origin[2], side];
        record.extend(counts.map(|n| n as f64));
        record.push(self.body_cells.len() as f64);
        for body_cell in &self.body_cells {
            record.extend([f64::from(body_cell.cell), body_cell.body]);
        }
        record.extend(&self.distances);
        record.push(checksum(&record, packing));
        record
    }

    /// Returns the unfilled volume of a packing from its [`record`](UnfilledVolume::record) and the
    /// spheres of the packing.
    ///
    /// # Errors
    /// When the numbers contradict each other or the spheres, or were changed after they were
    /// written.
    pub(crate) fn from_record(record: &[f64], packing: &Packing) -> Result<Self> {
        if let Some(i) = record.iter().position(|x| !x.is_finite()) {
            let found = format!("{} as number {i}", number(record[i]));
            return Err(Error::argument(
                Argument::BodyRecord,
                found,
                "finite numbers",
            ));
        }
        let Some(([volume, x, y, z, side, p, q, r, count], rest)) = record.split_first_chunk()
        else {
            return Err(wrong_length(record, "at least 9"));
        };
        let (volume, side) = (*volume, *side);
        if !(volume > 0.0 && is_valid_coordinate(volume.cbrt())) {
            return wrong(Argument::BodyVolume, volume, "more than 0, that of a body");
        }
        check_volume(volume, packing)?;
        if !(side > 0.0 && is_valid_coordinate(side)) {
            return wrong(Argument::BodyCellsSide, side, "more than 0, a length");
        }
        let origin = [*x, *y, *z];
        if let Some(&x) = origin.iter().find(|&&x| !is_valid_coordinate(x)) {
            return wrong(Argument::BodyCellsCorner, x, "a coordinate");
        }
        let counts = [*p, *q, *r];
        if let Some(&n) = counts.iter().find(|&&n| !is_whole(n, 1.0, ALONG)) {
            return wrong(Argument::BodyCells, n, "a whole number from 1 to 1e6");
        }
        let cells: f64 = counts.iter().product();
        if !is_whole(*count, 1.0, cells.min(f64::from(u32::MAX))) {
            let most = format!("a whole number from 1 to {cells}, that of all cells");
            return wrong(Argument::ReachedCells, *count, &most);
        }
        let nodes: f64 = counts.iter().map(|n| n + 1.0).product();
        let expected = 9.0 + 2.0 * count + nodes + 1.0;
        if record.len() as f64 != expected || cells >= f64::from(u32::MAX) {
            return Err(wrong_length(record, expected));
        }
        let lattice = Lattice {
            origin,
            side,
            counts: counts.map(|n| n as usize),
        };
        check_place(&lattice, packing)?;
        let (body_cells, rest) = rest.split_at(2 * *count as usize);
        let body_cells = checked_body_cells(body_cells, &lattice)?;
        let sum: f64 = body_cells.iter().map(|body_cell| body_cell.body).sum();
        // Of a body given by distances only, the volumes of cells are upper bounds.
        if sum < volume * (1.0 - OFF) {
            let most = format!("at most that of its cells, {}", number(sum));
            return wrong(Argument::BodyVolume, volume, &most);
        }
        let Some((&sum, distances)) = rest.split_last() else {
            return Err(wrong_length(record, expected));
        };
        if let Some(&x) = distances.iter().find(|&&x| x < 0.0) {
            return wrong(Argument::BodyDistance, x, "0 or more");
        }
        let expected = checksum(&record[..record.len() - 1], packing);
        if sum != expected {
            return Err(Error::argument(
                Argument::BodyChecksum,
                sum,
                format!("{expected}: the record was changed, or is of other spheres"),
            ));
        }
        let distances = distances.to_vec();
        Ok(Self::of_body_cells(
            lattice, volume, distances, body_cells, packing,
        ))
    }
}

/// Returns the error for an invalid number in a record of the unfilled volume; `what` names the
/// number.
fn wrong<T>(what: Argument, found: f64, expected: &str) -> Result<T> {
    Err(Error::argument(what, number(found), expected))
}

/// Returns the error for a record of the unfilled volume that has a wrong number of entries.
fn wrong_length(record: &[f64], expected: impl std::fmt::Display) -> Error {
    let found = format!("{} numbers", record.len());
    Error::argument(Argument::BodyRecord, found, expected.to_string())
}

/// Returns whether `n`, an entry of a record, is an integer from `least` to `most`.
fn is_whole(n: f64, least: f64, most: f64) -> bool {
    (least..=most).contains(&n) && n.fract() == 0.0
}

/// Returns an error if `volume`, the volume of a body, is smaller than the volume of the spheres of
/// its packing. The volume of the body is computed, or read from a record.
pub(crate) fn check_volume(volume: f64, packing: &Packing) -> Result<()> {
    let filled = packing.filled_volume();
    if volume < filled * (1.0 - 1e-9) {
        let least = format!("at least that of the spheres, {}", number(filled));
        return wrong(Argument::BodyVolume, volume, &least);
    }
    Ok(())
}

/// Returns an error if a recorded lattice does not contain all spheres, as it must contain all of
/// the body.
fn check_place(lattice: &Lattice, packing: &Packing) -> Result<()> {
    let bounds = packing.bounds();
    for k in 0..3 {
        let from = lattice.origin[k];
        let to = from + lattice.side * lattice.counts[k] as f64;
        let (low, high) = (bounds.min[k], bounds.max[k]);
        // Spheres may stick out of the body by a few units of rounding.
        let slack = 64.0 * f64::EPSILON * from.abs().max(to.abs());
        if low < from - slack || high > to + slack {
            let [from, to, low, high] = [from, to, low, high].map(number);
            return Err(Error::argument(
                Argument::BodyCells,
                format!("from {from} to {to} along axis {k}"),
                format!("around all spheres, from {low} to {high}"),
            ));
        }
    }
    Ok(())
}

/// Returns the cells in a record that contain a part of the body, or an error if their entries are
/// invalid. `numbers` has the index of each cell, then the volume of the body in it.
fn checked_body_cells(numbers: &[f64], lattice: &Lattice) -> Result<Vec<BodyCell>> {
    let (pairs, _) = numbers.as_chunks::<2>();
    let last = lattice.cells() as f64 - 1.0;
    let whole = lattice.side * lattice.side * lattice.side;
    let mut next = 0.0;
    let mut body_cells = Vec::with_capacity(pairs.len());
    for &[cell, body] in pairs {
        if !is_whole(cell, next, last) {
            let expected = format!("a whole number from {next} to {last}, in order");
            return wrong(Argument::BodyCellNumber, cell, &expected);
        }
        if !(body > 0.0 && body <= whole * (1.0 + 1e-9)) {
            let expected = format!("more than 0 and no more than the cell, {}", number(whole));
            return wrong(Argument::BodyCellVolume, body, &expected);
        }
        next = cell + 1.0;
        body_cells.push(BodyCell {
            cell: cell as u32,
            body,
        });
    }
    Ok(body_cells)
}

/// Returns the checksum of a record: an integer below 2^53 that depends on all numbers and on the
/// spheres, but not on the order of the spheres.
fn checksum(numbers: &[f64], packing: &Packing) -> f64 {
    let spheres = packing.centers().iter().zip(packing.radii());
    let spheres = spheres.fold(0, |sum: u64, (&[x, y, z], &r)| {
        sum.wrapping_add(mixed(1, &[x, y, z, r]))
    });
    (mixed(spheres, numbers) >> 11) as f64
}

/// Returns a hash of the bits of a record's numbers, by the final mixing step of SplitMix64.
/// `start` is the initial state.
fn mixed(start: u64, numbers: &[f64]) -> u64 {
    numbers.iter().fold(start, |state, &x| {
        // Adding 0 maps -0 to 0.
        let state = (state ^ (x + 0.0).to_bits()).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ state >> 31
    })
}
