//! What all blocks of candidate pairs share in a step, and the spheres of eight pairs.

use super::columns::{Line, Spin};
use super::contact_groups::Group;
use super::velocity_box::VelocityBox;
use crate::laws::{Clock, Law};
use crate::setup::Cell;
use crate::vector::sums;
use tangere::simd::{LANES, Reals, prefetch};

/// What all blocks share in a step.
#[derive(Clone, Copy)]
pub(crate) struct ContactContext<'a> {
    /// The rows from `first` on.
    pub lines: &'a [Line],
    pub spins: &'a [Spin],
    pub first: u32,
    pub cell: &'a Cell,
    pub laws: &'a [Law],
    /// Whether a law holds on to spheres that part (JKR).
    pub has_pull_off: bool,
    /// Whether torques act at the full radii.
    pub is_classic: bool,
    pub clock: Clock,
    /// The overlap that is an error, relative to the smaller radius.
    pub deepest: f64,
    /// The boxes of velocities of all bunches of rows in the last drift.
    pub velocities: &'a [VelocityBox],
    /// A bound of the rounding of positions in a drift.
    pub rounding: f64,
    /// Whether work is taken into account.
    pub has_ledger: bool,
    /// Whether forces are kept for observers.
    pub stores: bool,
}

/// Eight spheres: their places in columns of the same length.
#[derive(Clone, Copy)]
pub(super) struct Eight<'a> {
    lines: &'a [Line],
    spins: &'a [Spin],
    /// Less than the length of the columns.
    rows: [u32; LANES],
}

impl<'a> ContactContext<'a> {
    /// The first and the second spheres of eight pairs of rows.
    #[inline(always)]
    pub(super) fn spheres(&self, rows: &[[u32; LANES]; 2]) -> [Eight<'a>; 2] {
        let (lines, spins) = (self.lines, self.spins);
        let mut are_inside = lines.len() == spins.len();
        let mut found = [[0; LANES]; 2];
        for side in 0..2 {
            for lane in 0..LANES {
                let row = rows[side][lane].wrapping_sub(self.first);
                found[side][lane] = row;
                are_inside &= (row as usize) < lines.len();
            }
        }
        assert!(are_inside, "pairs of other rows");
        found.map(|rows| Eight { lines, spins, rows })
    }
}

impl ContactContext<'_> {
    /// Loads what a group will need into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, group: &Group) {
        for lane in 0..LANES {
            for side in 0..2 {
                let row = group.rows[side][lane].wrapping_sub(self.first) as usize;
                prefetch(self.lines, row);
                prefetch(self.spins, row);
            }
        }
    }
}

impl<'a> Eight<'a> {
    #[inline(always)]
    pub(super) fn lines(&self) -> [&'a [f64; LANES]; LANES] {
        // SAFETY: rows are less than the length of both columns, by construction.
        std::array::from_fn(|lane| unsafe {
            self.lines.get_unchecked(self.rows[lane] as usize).lanes()
        })
    }

    #[inline(always)]
    pub(super) fn places(&self) -> [&'a [f64; 4]; LANES] {
        // SAFETY: as above.
        std::array::from_fn(|lane| unsafe {
            &self.lines.get_unchecked(self.rows[lane] as usize).place
        })
    }

    #[inline(always)]
    pub(super) fn spins(&self) -> [&'a [f64; 4]; LANES] {
        // SAFETY: as above.
        std::array::from_fn(|lane| unsafe { &self.spins.get_unchecked(self.rows[lane] as usize).0 })
    }
}

/// The difference of positions of eight pairs, from `a` to the image of `b`.
#[inline(always)]
pub(super) fn ways<V: Reals>(
    cell: &Cell,
    images: &[[i8; 4]; LANES],
    [xa, ya, za]: [V; 3],
    [xb, yb, zb]: [V; 3],
) -> [V; 3] {
    let way = [xb - xa, yb - ya, zb - za];
    let mut any = 0;
    for image in images {
        any |= i32::from_ne_bytes(image.map(|n| n as u8));
    }
    match any != 0 {
        true => sums(way, shifts(cell, images)),
        false => way,
    }
}

/// The shifts of eight images.
#[inline(always)]
fn shifts<V: Reals>(cell: &Cell, images: &[[i8; 4]; LANES]) -> [V; 3] {
    let mut shifts = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let [i, j, k, _] = images[lane].map(i32::from);
        let shift = cell.shift([i, j, k]);
        for k in 0..3 {
            shifts[k][lane] = shift[k];
        }
    }
    [
        V::load(&shifts[0]),
        V::load(&shifts[1]),
        V::load(&shifts[2]),
    ]
}
