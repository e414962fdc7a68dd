//! Points looked up in labelled cells.
//!
//! Two passes over some points: the first gives a side to all whose brick or cell
//! has a label and notes the others, the second tests these against the triangles of
//! their cells. The first has hardly a branch that is hard to foresee, and the loads
//! of the second overlap.

use super::super::exact;
use super::super::{InsideRule, Side};
use super::lattice::BRICK;
use super::segment::{Passage, passage};
use super::slab::{Cell, LABEL_MAX, LABELS, Slab, UNKNOWN, ZERO};
use super::{Body, POINTS};
use crate::geometry::{COORDINATE_MAX, COORDINATE_MIN};
use crate::simd::{Kernel, Vector};

/// Points whose cells are computed at once.
const LANES: usize = 8;

/// Points and where their sides go; at most [`POINTS`].
pub(super) struct Query<'a> {
    pub(super) body: &'a Body,
    pub(super) points: &'a [[f64; 3]],
    pub(super) sides: &'a mut [Side],
}

/// A point in a crossed cell.
#[derive(Clone, Copy, Default)]
struct Doubt {
    point: u32,
    /// Its cell, and the cell's number among those of the slab.
    place: [u32; 3],
    cell: u32,
}

/// The cells of some points.
#[derive(Clone, Copy)]
struct Places {
    cells: [[u32; LANES]; 3],
    coarse: [u32; LANES],
}

impl Kernel for Query<'_> {
    /// Whether all coordinates are valid. Sides mean nothing otherwise.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let Query {
            body,
            points,
            sides,
        } = self;
        // Of a winding number, the bits that decide.
        let decisive = match body.rule {
            InsideRule::Nonzero => u32::MAX,
            InsideRule::Parity => 1,
        };
        let mut doubts = [Doubt::default(); POINTS];
        let mut doubtful = 0;
        let mut valid = true;
        let (blocks, rest) = points.as_chunks::<LANES>();
        let mut padded = [[0.0; 3]; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let last = (!rest.is_empty()).then_some(&padded);
        for (n, block) in blocks.iter().chain(last).enumerate() {
            valid &= is_valid(block);
            let places = body.places(block);
            let first = n * LANES;
            let count = LANES.min(points.len() - first);
            for (lane, side) in sides[first..first + count].iter_mut().enumerate() {
                let entry = body.coarse[places.coarse[lane] as usize];
                let mut inside = (entry ^ ZERO) & decisive != 0;
                if entry >= LABELS {
                    let place = places.cells.map(|cells| cells[lane]);
                    let slab = body.slab(place[2]);
                    let brick = slab.bricks[(entry - LABELS) as usize];
                    let bit = bit_of(place);
                    inside = brick.inside >> bit & 1 == 1;
                    if brick.crossed >> bit & 1 == 1 {
                        let before = brick.crossed & ((1u64 << bit) - 1);
                        doubts[doubtful] = Doubt {
                            point: (first + lane) as u32,
                            place,
                            cell: brick.first + before.count_ones(),
                        };
                        doubtful += 1;
                    }
                }
                *side = if inside { Side::Inside } else { Side::Outside };
            }
        }
        for doubt in &doubts[..doubtful] {
            let point = points[doubt.point as usize];
            let slab = body.slab(doubt.place[2]);
            sides[doubt.point as usize] = body
                .winding_in_cell(point, doubt.place, slab, doubt.cell as usize)
                .map_or(Side::OnSurface, |winding| body.rule.side(winding));
        }
        valid
    }
}

/// Whether predicates are exact on all coordinates.
#[inline(always)]
fn is_valid(points: &[[f64; 3]; LANES]) -> bool {
    let mut valid = true;
    for &x in points.as_flattened() {
        let size = x.abs();
        valid &= (size <= COORDINATE_MAX) & ((size >= COORDINATE_MIN) | (size == 0.0));
    }
    valid
}

/// The number of a cell in its brick.
#[inline(always)]
fn bit_of([x, y, z]: [u32; 3]) -> u32 {
    const LAST: u32 = BRICK as u32 - 1;
    (x & LAST) + 4 * (y & LAST) + 16 * (z & LAST)
}

impl Body {
    #[inline(always)]
    fn slab(&self, z: u32) -> &Slab {
        &self.slabs[(z >> (2 + self.layers_log)) as usize]
    }

    /// The cells of points.
    #[inline(always)]
    fn places(&self, points: &[[f64; 3]; LANES]) -> Places {
        let lattice = &self.lattice;
        let mut cells = [[0; LANES]; 3];
        for k in 0..3 {
            for lane in 0..LANES {
                cells[k][lane] = lattice.cell(lattice.place(points[lane][k], k), k);
            }
        }
        let [width, height, _] = lattice.bricks.map(|n| n as u32);
        let mut coarse = [0; LANES];
        for lane in 0..LANES {
            let [x, y, z] = [0, 1, 2].map(|k| cells[k][lane] / BRICK as u32);
            coarse[lane] = x + width * (y + height * z);
        }
        Places { cells, coarse }
    }

    /// The winding number of a point in a crossed cell, none on the surface.
    #[inline(always)]
    fn winding_in_cell(
        &self,
        point: [f64; 3],
        place: [u32; 3],
        slab: &Slab,
        cell: usize,
    ) -> Option<i64> {
        let [Cell { end: start, .. }, Cell { end, winding }] =
            [slab.cells[cell], slab.cells[cell + 1]];
        if winding == UNKNOWN {
            return self.winding_by_all(point);
        }
        let center = self.lattice.center(place);
        let mut winding = i64::from(winding);
        for &face in &slab.list[start as usize..end as usize] {
            match passage(point, center, &self.triangles[face as usize]) {
                Passage::Through(by) => winding += i64::from(by),
                Passage::On => return None,
            }
        }
        Some(winding)
    }

    /// The winding number from all triangles.
    #[cold]
    #[inline(never)]
    fn winding_by_all(&self, point: [f64; 3]) -> Option<i64> {
        exact::winding(point, self.triangles.iter().copied())
    }

    /// The winding number of any point, none on the surface.
    pub(super) fn winding(&self, point: [f64; 3]) -> Option<i64> {
        let places = self.places(&[point; LANES]);
        let place = places.cells.map(|cells| cells[0]);
        let entry = self.coarse[places.coarse[0] as usize];
        if entry < LABELS {
            let label = i64::from(entry) - i64::from(ZERO);
            return match label.unsigned_abs() < u64::from(LABEL_MAX) {
                true => Some(label),
                false => self.winding_by_all(point),
            };
        }
        let slab = self.slab(place[2]);
        let brick = slab.bricks[(entry - LABELS) as usize];
        let bit = bit_of(place);
        if brick.crossed >> bit & 1 == 1 {
            let before = brick.crossed & ((1u64 << bit) - 1);
            let cell = brick.first + before.count_ones();
            return self.winding_in_cell(point, place, slab, cell as usize);
        }
        // A cell without triangles has a bit but no number. The brick has crossed
        // cells; a segment to the centre of one passes only triangles of the brick,
        // each of which counts in the first cell that lists it.
        let cells = &slab.cells[brick.first as usize..][..=brick.crossed.count_ones() as usize];
        let list = |n: usize| &slab.list[cells[n].end as usize..cells[n + 1].end as usize];
        let known = cells[1..].iter().position(|cell| cell.winding != UNKNOWN);
        let Some(known) = known else {
            return self.winding_by_all(point);
        };
        let mut bits = brick.crossed;
        for _ in 0..known {
            bits &= bits - 1;
        }
        let corner = place.map(|cell| cell & !(BRICK as u32 - 1));
        let bit = bits.trailing_zeros();
        let center = self.lattice.center([
            corner[0] + bit % 4,
            corner[1] + bit / 4 % 4,
            corner[2] + bit / 16,
        ]);
        let mut winding = i64::from(cells[known + 1].winding);
        for n in 0..cells.len() - 1 {
            for face in list(n) {
                // Lists ascend, as triangles were dealt in their order.
                if (0..n).any(|before| list(before).binary_search(face).is_ok()) {
                    continue;
                }
                match passage(point, center, &self.triangles[*face as usize]) {
                    Passage::Through(by) => winding += i64::from(by),
                    Passage::On => return None,
                }
            }
        }
        Some(winding)
    }
}
