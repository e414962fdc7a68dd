//! Slices of crowded cells: which of the many triangles of a cell are near a point.
//!
//! Plates, fans and slivers leave many triangles in a cell, and smaller cells do not help: a
//! triangle as long as the body overlaps more of them, each as crowded. But such triangles lie side
//! by side, so that slices of the cell across them have one or two triangles each, or none. A slice
//! has its own list and its own reference point with a winding number, as a cell has; all points of
//! a slice without triangles are on the same side.
//!
//! The direction across the slices is the normal of a triangle or, within its plane, the normal of
//! an edge, whichever gives the shortest lists. Let `n` be the direction, in multiples of 1/128 and
//! with `|n|_1 = 1`, and `x` a position relative to the cell's centre, in cell edges. Slice `i` of
//! `m` has the points with `i <= m (n.x + 1/2) < i + 1`. The reference points of slices lie on the
//! diagonal of the cell along which `n.x` grows from -1/2 to 1/2; that of the middle slice is the
//! centre.
//!
//! # Why nothing is missed
//! The segment from a point to the reference of its slice is in the cell and, up to rounding, in
//! the slice. A triangle is in the lists of all slices that it may reach (`triangle_extent`), with
//! enlarged bounds. Segments between the reference points of slices, tested against the triangles
//! of the slices between them, give the winding numbers there.
//!
//! Costs some dozen operations for each triangle and tried direction, and two exact tests for
//! each triangle of each slice.

use super::super::grid_columns::Triangle;
use super::super::{InsideRule, Side};
use super::CROWDED;
use super::packed_cell::{Cell, UNKNOWN};
use super::segment_crossing::{Passage, passage};
use super::triangle_extent::TriangleExtent;
use super::uniform_grid::UniformGrid;
use crate::simd::Doubles;
use std::ops::Range;

/// The number of slices into which a cell is cut; odd, so that one is in the middle.
pub(super) const SLICES: usize = 63;

/// A cell is cut into slices only if the mean length of their lists of triangles is at most that of
/// the cell's list, divided by this number.
const WORTH_IT: usize = 2;

/// The maximum number of triangles of a cell that are sampled to compare directions of slices.
const SAMPLE: usize = 8;

/// A cut into slices is used without trying others if its cost is at most this number times the
/// number of sampled triangles; see [`Slicer::cost`].
const WELL_CUT: usize = 3;

/// The number of entries of the slicer's cache of triangle extents.
const RECENT: usize = 1 << 10;

/// The cut of a cell into slices, given by the direction perpendicular to the slices. Its
/// components are multiples of 1/128, and their magnitudes add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut([i8; 3]);

impl Cut {
    /// The cut into slices perpendicular to a direction, which must not be 0.
    fn new(direction: [f64; 3]) -> Self {
        let sum = direction[0].abs() + direction[1].abs() + direction[2].abs();
        let parts = direction.map(|x| x / sum * 128.0);
        let size = parts.map(f64::abs);
        let main = match () {
            _ if size[0] >= size[1] && size[0] >= size[2] => 0,
            _ if size[1] >= size[2] => 1,
            _ => 2,
        };
        // Oriented so that the largest component is negative: -128 fits in eight bits.
        let sign = if parts[main] > 0.0 { -1.0 } else { 1.0 };
        let mut across = parts.map(|x| (sign * x).round() as i32);
        across[main] = 0;
        across[main] = -128 + across.iter().map(|x| x.abs()).sum::<i32>();
        Cut(across.map(|x| x as i8))
    }

    /// The cut into slices that is stored in the lower 24 bits of `bits`.
    fn from_bits(bits: u32) -> Self {
        let [x, y, z, _] = bits.to_le_bytes();
        Cut([x as i8, y as i8, z as i8])
    }

    /// The cut into slices, packed in the lower 24 bits.
    fn bits(self) -> u32 {
        let [x, y, z] = self.0.map(|x| x as u8);
        u32::from_le_bytes([x, y, z, 0])
    }

    /// The direction perpendicular to the slices, with components whose magnitudes add up to 1.
    #[inline(always)]
    fn direction(self) -> [f64; 3] {
        let [x, y, z] = self.0;
        [x, y, z].map(|x| f64::from(x) * (1.0 / 128.0))
    }

    /// The index of the slice at `value`, the dot product of two vectors: the direction
    /// perpendicular to the slices, and a position relative to the cell's centre in units of the
    /// cell edge. For points of the cell it is between -1/2 and 1/2.
    #[inline(always)]
    fn slice_at(value: f64) -> usize {
        ((value + 0.5) * SLICES as f64).max(0.0) as u32 as usize
    }

    /// The indices of the slices of a cell that a triangle may overlap, from the triangle's extent
    /// along the direction perpendicular to them.
    #[inline(always)]
    fn slices(self, reach: &TriangleExtent) -> Range<usize> {
        let [low, high] = reach.bounds(self.direction());
        let end = (Self::slice_at(high) + 1).min(SLICES);
        Self::slice_at(low).min(end)..end
    }

    /// The index of the slice that contains the point `p` of a cell.
    #[inline(always)]
    fn slice_of(self, lattice: &UniformGrid, cell: [u32; 3], p: [f64; 3]) -> usize {
        let n = self.direction();
        let at = |k: usize| n[k] * (lattice.position(p[k], k) - f64::from(cell[k]));
        Self::slice_at(at(0) + at(1) + at(2)).min(SLICES - 1)
    }

    /// The reference point of a slice of a cell: the point at which its winding number is stored.
    #[inline(always)]
    pub(super) fn reference(self, lattice: &UniformGrid, cell: [u32; 3], slice: usize) -> [f64; 3] {
        let step = (slice as f64 + 0.5) * (1.0 / SLICES as f64) - 0.5;
        let mut reference = lattice.center(cell);
        if slice != SLICES / 2 {
            for k in 0..3 {
                let along = step * f64::from(self.0[k].signum());
                reference[k] = lattice.rounded(reference[k] + along * lattice.edge);
            }
        }
        reference
    }
}

/// The slices of a cell, as stored in `Slab::slices`, in words of 32 bits. First come the cut and
/// the winding number at the cell's centre, then two bits for each slice (whether triangles cross
/// it and, if not, whether it is inside), then a [`Cell`] for each crossed slice, then the
/// triangles of these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slices<'a>(&'a [u32]);

/// The code that is stored with the slices of a cell in place of the winding number at the cell's
/// centre, if that number does not fit in eight bits.
const NO_WINDING: i8 = i8::MIN;

/// The alignment of the stored slices of a cell in `Slab::slices`, in words of 32 bits. The index
/// of the slices is the word at which they start, divided by this number.
pub(super) const ALIGNED: usize = 8;

/// The number of words before the records of slices, in the stored slices of a cell: one for the
/// cut and the winding number, two for the mask of crossed slices, two for that of slices inside.
const HEAD: usize = 5;

impl<'a> Slices<'a> {
    /// The slices of a cell, which have the index `number` in `all`, the stored slices of a slab.
    #[inline(always)]
    pub(super) fn at(all: &'a [u32], number: u32) -> Self {
        Slices(&all[ALIGNED * number as usize..])
    }

    /// The cut of the cell into its slices, given by the direction perpendicular to them.
    #[inline(always)]
    pub(super) fn cut(self) -> Cut {
        Cut::from_bits(self.0[0])
    }

    /// The mask of the cell's crossed slices, those that triangles overlap.
    #[inline(always)]
    fn crossed(self) -> u64 {
        u64::from(self.0[1]) | u64::from(self.0[2]) << 32
    }

    /// The mask of the cell's slices that no triangle overlaps and that are inside.
    #[inline(always)]
    fn inside(self) -> u64 {
        u64::from(self.0[3]) | u64::from(self.0[4]) << 32
    }

    /// The index of the slice that contains the point `p` of the cell.
    #[inline(always)]
    pub(super) fn slice_of(self, lattice: &UniformGrid, cell: [u32; 3], p: [f64; 3]) -> usize {
        self.cut().slice_of(lattice, cell, p)
    }

    /// The state of the slice with index `slice`: crossed by triangles, inside or outside.
    #[inline(always)]
    pub(super) fn state(self, slice: usize) -> SliceState {
        let crossed = self.crossed();
        SliceState {
            crossed: crossed >> slice & 1 == 1,
            inside: self.inside() >> slice & 1 == 1,
            record: HEAD as u32 + (crossed & ((1 << slice) - 1)).count_ones(),
        }
    }

    /// The winding number at the centre of the cell that is cut into slices; [`UNKNOWN`] if it was
    /// too large to be stored.
    #[inline(always)]
    pub(super) fn winding(self) -> i32 {
        match (self.0[0] >> 24) as i8 {
            NO_WINDING => UNKNOWN,
            winding => i32::from(winding),
        }
    }

    /// The record of a crossed slice (one that triangles overlap), given its index from
    /// [`SliceState::record`].
    #[inline(always)]
    pub(super) fn part(self, record: u32) -> Cell {
        Cell(self.0[record as usize])
    }

    /// The indices of the triangles of a crossed slice, given the record of the slice.
    #[inline(always)]
    pub(super) fn list(self, part: Cell) -> &'a [u32] {
        &self.0[part.range(0)]
    }

    /// The indices of all triangles of the sliced cell, each once. A triangle overlaps consecutive
    /// slices and is taken from the first of them.
    pub(super) fn faces(self) -> impl Iterator<Item = &'a u32> {
        let list = move |n: u32| self.list(self.part(HEAD as u32 + n));
        (0..self.crossed().count_ones()).flat_map(move |n| {
            let before = if n > 0 { list(n - 1) } else { &[] };
            let is_new = move |face: &&u32| before.binary_search(face).is_err();
            list(n).iter().filter(is_new)
        })
    }
}

/// The state of a slice of a cell: crossed by triangles, inside or outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceState {
    /// Whether triangles overlap the slice.
    pub(super) crossed: bool,
    /// Whether the slice is inside the body; meaningful only if no triangle overlaps the slice.
    pub(super) inside: bool,
    /// The index of the slice's record in the words of [`Slices`]; meaningful only if the slice is
    /// crossed.
    pub(super) record: u32,
}

/// A cell with so many triangles that it is to be cut into slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd<'a> {
    pub(super) lattice: &'a UniformGrid,
    pub(super) triangles: &'a [Triangle],
    pub(super) cell: [u32; 3],
    pub(super) rule: InsideRule,
    /// The winding number at the centre of the cell to be cut.
    pub(super) winding: i32,
    /// The indices of the triangles of the cell to be cut.
    pub(super) faces: &'a [u32],
}

/// The slicer, which cuts cells into slices; its memory is reused from call to call.
#[derive(Debug, Default)]
pub(super) struct Slicer {
    /// Cache of the extents of recent triangles, indexed by the last bits of the triangle's index.
    recent: Vec<(u32, TriangleExtent)>,
    /// The cut of the cell that the slicer processed last.
    last: Option<Cut>,
    /// The extents of the triangles of the cell that the slicer processes now, relative to its
    /// centre.
    reaches: Vec<TriangleExtent>,
    /// For each triangle of the cell that the slicer processes now, the range of slices that it may
    /// overlap.
    spans: Vec<Range<usize>>,
    /// The start of the triangles of each slice in `list`, and at last the end of the list.
    starts: Vec<usize>,
    /// The triangles of slices, slice by slice, as indices among the triangles of the cell that the
    /// slicer processes now.
    list: Vec<u32>,
}

impl Slicer {
    /// Clears the slicer's cache of triangle extents and its last cut, for another grid.
    pub(super) fn reset(&mut self) {
        self.recent.clear();
        self.recent
            .resize(RECENT, (u32::MAX, TriangleExtent::default()));
        self.last = None;
    }

    /// Cuts a cell with many triangles and appends its [`Slices`] to `out`. Returns the index of
    /// these slices and whether the winding numbers of all slices with triangles are known. Appends
    /// nothing and returns `None` if the winding number at the cell's centre is unknown, if slices
    /// do not shorten the lists enough, or if their lists would be too long to be stored.
    #[inline(always)]
    pub(super) fn slice<D: Doubles>(
        &mut self,
        crowd: &Crowd<'_>,
        out: &mut Vec<u32>,
    ) -> Option<(u32, bool)> {
        let number = out.len().div_ceil(ALIGNED);
        if crowd.winding == UNKNOWN || number >= Cell::SLICES_MAX as usize {
            return None;
        }
        let faces = crowd.faces;
        let center = crowd.cell.map(f64::from);
        self.reaches.clear();
        for &face in faces {
            // Neighbouring cells share triangles.
            let (known, reach) = &mut self.recent[face as usize % RECENT];
            if *known != face {
                let (positions, _) = crowd.lattice.positions(&crowd.triangles[face as usize]);
                (*known, *reach) = (face, TriangleExtent::new(positions));
            }
            self.reaches.push(reach.relative_to(center));
        }
        let cut = self.best_cut()?;
        self.last = Some(cut);
        let mut lens = [0; SLICES];
        self.spans.clear();
        for reach in &self.reaches {
            let span = cut.slices(reach);
            for len in &mut lens[span.clone()] {
                *len += 1;
            }
            self.spans.push(span);
        }
        let total: usize = lens.iter().sum();
        let longest = lens.iter().fold(0, |most: usize, &len| most.max(len));
        if WORTH_IT * total > SLICES * faces.len()
            || longest > CROWDED as usize
            || HEAD + SLICES + total >= Cell::START_MAX as usize
        {
            return None;
        }
        self.starts.clear();
        self.starts.push(0);
        let mut ends = [0; SLICES];
        for slice in 0..SLICES {
            ends[slice] = self.starts[slice];
            self.starts.push(ends[slice] + lens[slice]);
        }
        self.list.clear();
        self.list.resize(total, 0);
        for (n, span) in (0..).zip(&self.spans) {
            for end in &mut ends[span.clone()] {
                self.list[*end] = n;
                *end += 1;
            }
        }
        let windings = self.windings::<D>(crowd, cut);
        let (mut crossed, mut inside, mut all_known) = (0u64, 0u64, true);
        for slice in 0..SLICES {
            let is_inside = crowd.rule.side(i64::from(windings[slice])) == Side::Inside;
            crossed |= u64::from(lens[slice] > 0) << slice;
            inside |= u64::from(is_inside) << slice;
        }
        out.resize(ALIGNED * number, 0);
        let winding = i8::try_from(crowd.winding).unwrap_or(NO_WINDING);
        out.push(cut.bits() | u32::from(winding as u8) << 24);
        out.extend([crossed, crossed >> 32, inside, inside >> 32].map(|bits| bits as u32));
        let first = HEAD + crossed.count_ones() as usize;
        for slice in 0..SLICES {
            if lens[slice] > 0 {
                let start = (first + self.starts[slice]) as u32;
                let part = Cell::new(start, lens[slice] as u32, windings[slice]);
                all_known &= part.winding() != UNKNOWN;
                out.push(part.0);
            }
        }
        for &n in &self.list {
            out.push(faces[n as usize]);
        }
        Some((number as u32, all_known))
    }

    /// The cut into slices with the least cost. The candidates are the cut of the cell processed
    /// last and four others: for each of two sampled triangles of the cell, those along the normal
    /// of the triangle and, within its plane, along the normal of its longest edge. If the last cut
    /// is good enough, then the others are not tried. `None` if both triangles are degenerate and
    /// there is no last cut.
    #[inline(always)]
    fn best_cut(&self) -> Option<Cut> {
        let len = self.reaches.len();
        let step = len.div_ceil(SAMPLE);
        let least = len.div_ceil(step);
        let mut best = self.last.map(|cut| (self.cost(cut, step), cut));
        if let Some((cost, cut)) = best
            && cost <= WELL_CUT * least
        {
            return Some(cut);
        }
        for reach in [&self.reaches[len / 4], &self.reaches[3 * len / 4]] {
            for lane in [0, reach.longest] {
                let direction = reach.normal(lane);
                if direction == [0.0; 3] {
                    continue;
                }
                let cut = Cut::new(direction);
                let cost = self.cost(cut, step);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, cut));
                }
            }
        }
        best.map(|(_, cut)| cut)
    }

    /// The cost of a cut into slices: the sum over the slices of the squared number of triangles in
    /// the slice. Only every `step`-th triangle of the cell is counted. The cost measures the
    /// number of tests for a query, as points tend to lie where triangles do.
    #[inline(always)]
    fn cost(&self, cut: Cut, step: usize) -> usize {
        let mut lens = [0; SLICES];
        for reach in self.reaches.iter().step_by(step) {
            for len in &mut lens[cut.slices(reach)] {
                *len += 1;
            }
        }
        let mut cost = 0;
        for len in lens {
            cost += len * len;
        }
        cost
    }

    /// The winding numbers at the reference points of all slices of a cell; [`UNKNOWN`] if a
    /// reference point lies on the surface. They are found slice by slice, outward from the middle
    /// slice, whose reference point is the centre of the cell. Between adjacent slices without
    /// triangles the winding number does not change.
    #[inline(always)]
    fn windings<D: Doubles>(&self, crowd: &Crowd<'_>, cut: Cut) -> [i32; SLICES] {
        const MIDDLE: usize = SLICES / 2;
        let mut windings = [UNKNOWN; SLICES];
        windings[MIDDLE] = crowd.winding;
        for upward in [true, false] {
            let mut known = MIDDLE;
            for step in 1..=MIDDLE {
                let slice = if upward { MIDDLE + step } else { MIDDLE - step };
                let (low, high) = (known.min(slice), known.max(slice));
                if self.starts[low] == self.starts[high + 1] {
                    // No triangle between.
                    (windings[slice], known) = (windings[known], slice);
                    continue;
                }
                let reference = cut.reference(crowd.lattice, crowd.cell, known);
                let p = cut.reference(crowd.lattice, crowd.cell, slice);
                let mut winding = Some(windings[known]);
                for between in low..=high {
                    for &n in &self.list[self.starts[between]..self.starts[between + 1]] {
                        // Each counts in the first of its slices.
                        if between > low && self.spans[n as usize].start < between {
                            continue;
                        }
                        let face = crowd.faces[n as usize];
                        match passage::<D>(p, reference, &crowd.triangles[face as usize]) {
                            Passage::Through(by) => winding = winding.map(|w| w + by),
                            Passage::On => winding = None,
                        }
                    }
                }
                if let Some(winding) = winding {
                    (windings[slice], known) = (winding, slice);
                }
            }
        }
        windings
    }
}

#[cfg(test)]
mod tests {
    use super::super::triangle_extent::dot;
    use super::*;
    use crate::geometry::Aabb;
    use test_support::Random;

    #[test]
    fn directions_are_kept() {
        let mut random = Random::new(5);
        for n in 0..1000 {
            let mut direction = random.vector(1.0);
            if n < 3 {
                direction = [0.0; 3];
                direction[n] = if n == 1 { -1e-9 } else { 1e9 };
            }
            let cut = Cut::new(direction);
            let sum: u32 = cut.0.iter().map(|x| u32::from(x.unsigned_abs())).sum();
            assert_eq!(sum, 128, "{direction:?}");
            assert_eq!(Cut::from_bits(cut.bits() | 0xab << 24), cut);
            // Within half a degree or so.
            let (n, length) = (cut.direction(), dot(direction, direction).sqrt());
            let cosine = dot(n, direction).abs() / length / dot(n, n).sqrt();
            assert!(cosine > 0.9998, "{direction:?} {cut:?} {cosine}");
        }
    }

    #[test]
    fn references_are_in_their_slices() {
        let bounds = Aabb {
            min: [-3.0, 1.0, 7.0],
            max: [5.0, 4.0, 8.0],
        };
        let lattice = UniformGrid::new(&bounds, 0.1, 1e6, 0);
        let mut random = Random::new(9);
        for _ in 0..100 {
            let cut = Cut::new(random.vector(1.0));
            let cell = [7, 13, 5];
            for slice in 0..SLICES {
                let p = cut.reference(&lattice, cell, slice);
                assert_eq!(lattice.cell_of(p), cell);
                assert_eq!(cut.slice_of(&lattice, cell, p), slice);
            }
            let middle = cut.reference(&lattice, cell, SLICES / 2);
            assert_eq!(middle, lattice.center(cell));
        }
    }
}
