//! Query of labelled cells: the sides and winding numbers of points.
//!
//! Blocks of points are processed in passes, each with independent loads and no mispredicted
//! branches. The passes find in turn: the cell of each point and its brick (4 x 4 x 4 cells), the
//! labels of bricks, the labels of cells in bricks that the surface crosses, and the triangles of
//! crossed cells. The last pass tests these triangles, which have been prefetched.

use super::super::crossing_test::Crossings;
use super::super::exact;
use super::super::min_max::{greater, lesser};
use super::super::{InsideRule, Side};
use super::Body;
use super::packed_cell::{Cell, UNKNOWN};
use super::segment_crossing::{Passage, passage};
use super::slab::{Brick, LABEL_MAX, LABELS, Slab, ZERO};
use super::slices::{ALIGNED, Cut, SliceState, Slices};
use super::uniform_grid::{BRICK, ROUNDING, UniformGrid};
use crate::geometry::{COORDINATE_MAX, COORDINATE_MIN};
use crate::simd::{Kernel, Vector, prefetch};

/// The number of points in a block, whose data stays in the L1 cache.
const BLOCK: usize = 256;

/// Kernel that finds the sides of points (inside, outside or on the surface) by a query of the
/// labelled cells.
pub(super) struct Query<'a> {
    pub(super) body: &'a Body,
    pub(super) points: &'a [[f64; 3]],
    pub(super) sides: &'a mut [Side],
}

/// A query point whose side is not decided yet, because it is in a crossed cell (one that triangles
/// overlap).
#[derive(Clone, Copy, Default)]
struct Doubt {
    point: u32,
    slab: u32,
    /// An index that belongs to the undecided point. Its meaning changes from pass to pass: first
    /// it is the index of the point's brick in the slab, then the index of the point's cell in
    /// [`Slab::cells`], at last the end of the list of triangles to be tested. If the cell has
    /// slices, then before the last pass it is the index of the slice's record.
    cell: u32,
    /// A second index that belongs to the undecided point. Its meaning changes from pass to pass:
    /// first it is the start of the triangles of the point's brick in [`Slab::list`], at last the
    /// start of the list of triangles to be tested. If the cell of the point has slices, then
    /// before the last pass it is the index of the slices.
    start: u32,
    winding: i32,
    /// The cut of the cell of the point into slices, given by the direction perpendicular to them;
    /// `None` if the cell has no slices.
    cut: Option<Cut>,
    /// The index of the slice that contains the point, if its cell has slices.
    slice: u32,
}

/// The location of a query point, packed in one number: the index of its brick in the coarse grid,
/// of its cell in the brick, and of the brick's layer along z.
#[derive(Clone, Copy, Default)]
struct Location(u64);

impl Location {
    const CELL: u32 = 32;
    const LAYER: u32 = 40;
    /// The position of the lowest of those bits of a location that hold the index of the cell along
    /// one axis. Only the part that a single axis adds to a location has these bits; in the sum of
    /// the three parts they are meaningless.
    const ALONG: u32 = 52;

    /// The location of a query point among labelled cells (brick, cell and layer): the sum of the
    /// parts that the coordinates x, y and z add to it.
    #[inline(always)]
    fn of(x: u64, y: u64, z: u64) -> Self {
        Location(x.wrapping_add(y).wrapping_add(z))
    }

    /// The index of the query point's brick in the coarse grid.
    #[inline(always)]
    fn brick(self) -> usize {
        self.0 as u32 as usize
    }

    /// The index of the query point's labelled cell in its brick.
    #[inline(always)]
    fn cell(self) -> u32 {
        (self.0 >> Self::CELL) as u32 & 63
    }

    /// The index of the layer of bricks that holds the query point.
    #[inline(always)]
    fn layer(self) -> u32 {
        (self.0 >> Self::LAYER) as u32 & 0xfff
    }
}

/// The number of coordinates of four points: three vectors of four lanes hold exactly these.
const FLAT: usize = 12;

/// The map from the coordinates of points to a [`Location`]. Four points are mapped at once, so the
/// arrays repeat the values of the three axes four times.
struct Mapping {
    origin: [f64; FLAT],
    last: [f64; FLAT],
    inverse: f64,
    stride: [u64; FLAT],
    cell_stride: [u64; FLAT],
    layer: [u64; FLAT],
}

impl Mapping {
    /// The map of a query from coordinates to locations among labelled cells.
    #[inline(always)]
    fn new(lattice: &UniformGrid) -> Self {
        let [width, height, _] = lattice.bricks.map(|n| n as u64);
        let stride = [1, width, width * height];
        Mapping {
            origin: std::array::from_fn(|i| lattice.origin[i % 3]),
            last: std::array::from_fn(|i| lattice.last[i % 3]),
            inverse: lattice.inverse,
            stride: std::array::from_fn(|i| stride[i % 3]),
            cell_stride: std::array::from_fn(|i| [1, 4, 16][i % 3]),
            layer: std::array::from_fn(|i| [0, 0, u64::MAX][i % 3]),
        }
    }

    /// Computes the part that each coordinate of four query points adds to the [`Location`] of the
    /// point, and returns whether all coordinates are finite and in the range of
    /// [`is_valid_coordinate`](crate::geometry::is_valid_coordinate).
    #[inline(always)]
    fn parts(&self, flat: &[f64; FLAT], parts: &mut [u64; FLAT]) -> bool {
        let mut valid = [true; FLAT];
        for i in 0..FLAT {
            let x = flat[i];
            let size = x.abs();
            valid[i] = (size <= COORDINATE_MAX) & ((size >= COORDINATE_MIN) | (size == 0.0));
            // As `UniformGrid::cell`, whose numbers are below 2^12.
            let location = (x - self.origin[i]) * self.inverse;
            let bounded = lesser(greater(location, 0.0), self.last[i]);
            let cell = (bounded + ROUNDING).to_bits() & 0xfff;
            let brick = cell / BRICK as u64;
            // Factors of 32 bits, which vectors can multiply.
            let number = (brick & 0xffff_ffff) * (self.stride[i] & 0xffff_ffff);
            let within = (cell % BRICK as u64) * (self.cell_stride[i] & 0xffff_ffff);
            let layer = (brick << Location::LAYER) & self.layer[i];
            parts[i] = number + (within << Location::CELL) + layer + (cell << Location::ALONG);
        }
        let mut all_valid = true;
        for i in 0..FLAT {
            all_valid &= valid[i];
        }
        all_valid
    }

    /// Computes the part that each coordinate of up to [`BLOCK`] query points adds to the
    /// [`Location`] of the point, and returns whether all coordinates are valid.
    #[inline(always)]
    fn all_parts(&self, points: &[[f64; 3]], parts: &mut [u64; 3 * BLOCK]) -> bool {
        let (fours, rest) = points.as_flattened().as_chunks::<FLAT>();
        let (parts, _) = parts.as_chunks_mut::<FLAT>();
        let mut valid = true;
        for (four, parts) in fours.iter().zip(&mut *parts) {
            valid &= self.parts(four, parts);
        }
        if !rest.is_empty() {
            let mut padded = [0.0; FLAT];
            padded[..rest.len()].copy_from_slice(rest);
            valid &= self.parts(&padded, &mut parts[fours.len()]);
        }
        valid
    }
}

impl Kernel for Query<'_> {
    /// Whether all coordinates of the points are valid; if not, then the sides found are
    /// meaningless.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let mapping = Mapping::new(&self.body.lattice);
        let mut scratch = Scratch {
            parts: [0; 3 * BLOCK],
            doubts: [Doubt::default(); BLOCK],
            sliced: [Doubt::default(); BLOCK],
        };
        let blocks = self.points.chunks(BLOCK).zip(self.sides.chunks_mut(BLOCK));
        let mut valid = true;
        for (points, sides) in blocks {
            valid &= mapping.all_parts(points, &mut scratch.parts);
            self.body.sides::<V>(points, sides, &mut scratch);
        }
        valid
    }
}

/// Scratch memory for the query of a block of points.
struct Scratch {
    parts: [u64; 3 * BLOCK],
    doubts: [Doubt; BLOCK],
    /// Points of the block in cells that are cut into slices.
    sliced: [Doubt; BLOCK],
}

impl Scratch {
    /// The location of query point `n` of the block.
    #[inline(always)]
    fn location(&self, n: usize) -> Location {
        let (x, y, z) = (
            self.parts[3 * n],
            self.parts[3 * n + 1],
            self.parts[3 * n + 2],
        );
        Location::of(x, y, z)
    }

    /// The index along each axis of the labelled cell of query point `n`.
    #[inline(always)]
    fn cell(&self, n: usize) -> [u32; 3] {
        let along = |k: usize| (self.parts[3 * n + k] >> Location::ALONG) as u32;
        [along(0), along(1), along(2)]
    }
}

/// Kernel that finds the winding number of one point.
pub(super) struct Winding<'a> {
    pub(super) body: &'a Body,
    pub(super) point: [f64; 3],
}

impl Kernel for Winding<'_> {
    /// The winding number of the surface about the point; `None` if the point lies on the surface.
    type Output = Option<i64>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Option<i64> {
        self.body.winding_anywhere::<V>(self.point)
    }
}

impl Body {
    /// Answers the query of a block of points from the labelled cells: writes their sides to
    /// `sides`.
    #[inline(always)]
    fn sides<V: Vector>(&self, points: &[[f64; 3]], sides: &mut [Side], scratch: &mut Scratch) {
        // The bits of a winding number that decide by the rule.
        let decisive = match self.rule {
            InsideRule::Nonzero => u32::MAX,
            InsideRule::Parity => 1,
        };
        let side = |inside: bool| if inside { Side::Inside } else { Side::Outside };
        let mut crossings = 0;
        for (n, out) in sides.iter_mut().enumerate() {
            let entry = self.coarse[scratch.location(n).brick()];
            *out = side((entry ^ ZERO) & decisive != 0);
            scratch.doubts[crossings].point = n as u32;
            scratch.doubts[crossings].cell = entry.wrapping_sub(LABELS);
            crossings += usize::from(entry >= LABELS);
        }

        // Compact the points in crossed cells to the front.
        let mut doubtful = 0;
        for n in 0..crossings {
            let Doubt { point, cell, .. } = scratch.doubts[n];
            let location = scratch.location(point as usize);
            let slab = location.layer() >> self.layers_log;
            let brick = &self.slabs[slab as usize].bricks[cell as usize];
            let cell = location.cell();
            sides[point as usize] = side(brick.inside >> cell & 1 == 1);
            let before = brick.crossed & ((1u64 << cell) - 1);
            scratch.doubts[doubtful] = Doubt {
                point,
                slab,
                cell: brick.first + before.count_ones(),
                start: brick.list,
                ..Doubt::default()
            };
            doubtful += (brick.crossed >> cell & 1) as usize;
        }

        for doubt in &scratch.doubts[..doubtful] {
            prefetch(&self.slabs[doubt.slab as usize].cells, doubt.cell as usize);
        }
        // Points in sliced cells are set apart; the rest is compacted again.
        let (mut listed, mut sliced) = (0, 0);
        for n in 0..doubtful {
            let mut doubt = scratch.doubts[n];
            let slab = &self.slabs[doubt.slab as usize];
            let cell = slab.cells[doubt.cell as usize];
            if cell.is_sliced() {
                doubt.start = cell.slices();
                scratch.sliced[sliced] = doubt;
                sliced += 1;
                prefetch(&slab.slices, ALIGNED * doubt.start as usize);
            } else {
                let range = cell.range(doubt.start);
                (doubt.start, doubt.cell) = (range.start as u32, range.end as u32);
                doubt.winding = cell.winding();
                scratch.doubts[listed] = doubt;
                listed += 1;
                prefetch(&slab.list, range.start);
            }
        }
        let doubtful = self.slices(points, sides, scratch, [listed, sliced]);
        for doubt in &scratch.doubts[..doubtful] {
            let list = self.list_of(doubt);
            for &face in list.iter().take(8) {
                prefetch(&self.triangles, face as usize);
            }
        }
        for doubt in &scratch.doubts[..doubtful] {
            let n = doubt.point as usize;
            let list = self.list_of(doubt);
            let cell = scratch.cell(n);
            let reference = match doubt.cut {
                None => self.lattice.center(cell),
                Some(cut) => cut.reference(&self.lattice, cell, doubt.slice as usize),
            };
            sides[n] = self
                .winding_from::<V>(points[n], reference, doubt.winding, list.iter())
                .map_or(Side::OnSurface, |winding| self.rule.side(winding));
        }
    }

    /// The indices of the triangles to test for a query point in a crossed cell.
    #[inline(always)]
    fn list_of(&self, doubt: &Doubt) -> &[u32] {
        let slab = &self.slabs[doubt.slab as usize];
        let all = match doubt.cut {
            None => &slab.list,
            Some(_) => &slab.slices,
        };
        &all[doubt.start as usize..doubt.cell as usize]
    }

    /// Finds the slice of each query point in a cell that is cut into slices. A slice without
    /// triangles decides the side of the point at once. The other points are appended to
    /// `scratch.doubts`, the points whose side is not decided yet. `listed` and `sliced` are the
    /// numbers of points in cells with a list and in cells with slices. Returns the new number of
    /// undecided points.
    #[inline(always)]
    fn slices(
        &self,
        points: &[[f64; 3]],
        sides: &mut [Side],
        scratch: &mut Scratch,
        [listed, sliced]: [usize; 2],
    ) -> usize {
        let mut doubtful = listed;
        for n in 0..sliced {
            let doubt = scratch.sliced[n];
            let point = doubt.point as usize;
            let all = &self.slabs[doubt.slab as usize].slices;
            let slices = Slices::at(all, doubt.start);
            let slice = slices.slice_of(&self.lattice, scratch.cell(point), points[point]);
            let SliceState {
                crossed,
                inside,
                record,
            } = slices.state(slice);
            sides[point] = match inside {
                true => Side::Inside,
                false => Side::Outside,
            };
            scratch.doubts[doubtful] = Doubt {
                cell: record,
                cut: Some(slices.cut()),
                slice: slice as u32,
                ..doubt
            };
            doubtful += usize::from(crossed);
            prefetch(all, ALIGNED * doubt.start as usize + record as usize);
        }
        for doubt in &mut scratch.doubts[listed..doubtful] {
            let all = &self.slabs[doubt.slab as usize].slices;
            let part = Slices::at(all, doubt.start).part(doubt.cell);
            let range = part.range(ALIGNED as u32 * doubt.start);
            (doubt.start, doubt.cell) = (range.start as u32, range.end as u32);
            doubt.winding = part.winding();
            prefetch(all, range.start);
        }
        doubtful
    }

    /// The winding number of a query point, from the winding number `winding` of the reference
    /// point of its cell or slice and the triangles of `list` that the segment between the two
    /// points crosses. `None` if the query point lies on the surface.
    #[inline(always)]
    fn winding_from<'a, V: Vector>(
        &self,
        point: [f64; 3],
        reference: [f64; 3],
        winding: i32,
        list: impl Iterator<Item = &'a u32>,
    ) -> Option<i64> {
        if winding == UNKNOWN {
            return self.winding_by_tree(point);
        }
        let mut winding = i64::from(winding);
        for &face in list {
            match passage::<V::Doubles>(point, reference, &self.triangles[face as usize]) {
                Passage::Through(by) => winding += i64::from(by),
                Passage::On => return None,
            }
        }
        Some(winding)
    }

    /// The winding number of a point by ray crossings, for which the query uses no labelled cells:
    /// with the BVH if there is one, otherwise with all triangles. `None` if the point lies on the
    /// surface.
    #[cold]
    #[inline(never)]
    pub(super) fn winding_by_tree(&self, point: [f64; 3]) -> Option<i64> {
        match &self.tree {
            Some(tree) => tree.winding(&self.triangles, point),
            None => exact::winding(point, self.triangles.iter().copied()),
        }
    }

    /// Query of labelled cells for the winding number of any point; `None` if the point lies on the
    /// surface.
    #[inline(always)]
    fn winding_anywhere<V: Vector>(&self, point: [f64; 3]) -> Option<i64> {
        if self.is_bare() {
            return self.winding_by_tree(point);
        }
        let (mut flat, mut parts) = ([0.0; FLAT], [0; FLAT]);
        flat[..3].copy_from_slice(&point);
        Mapping::new(&self.lattice).parts(&flat, &mut parts);
        let location = Location::of(parts[0], parts[1], parts[2]);
        let entry = self.coarse[location.brick()];
        if entry < LABELS {
            let label = i64::from(entry) - i64::from(ZERO);
            return match label.unsigned_abs() < u64::from(LABEL_MAX) {
                true => Some(label),
                false => self.winding_by_tree(point),
            };
        }
        let slab: &Slab = &self.slabs[(location.layer() >> self.layers_log) as usize];
        let brick = slab.bricks[(entry - LABELS) as usize];
        let cells = &slab.cells[brick.first as usize..];
        let bit = location.cell();
        if brick.crossed >> bit & 1 == 1 {
            let n = (brick.crossed & ((1u64 << bit) - 1)).count_ones() as usize;
            let at = self.lattice.cell_of(point);
            if cells[n].is_sliced() {
                let slices = Slices::at(&slab.slices, cells[n].slices());
                let slice = slices.slice_of(&self.lattice, at, point);
                let SliceState {
                    crossed, record, ..
                } = slices.state(slice);
                if !crossed {
                    let (center, faces) = (self.lattice.center(at), slices.faces());
                    return self.winding_from::<V>(point, center, slices.winding(), faces);
                }
                let part = slices.part(record);
                let reference = slices.cut().reference(&self.lattice, at, slice);
                let list = slices.list(part);
                return self.winding_from::<V>(point, reference, part.winding(), list.iter());
            }
            let list = &slab.list[cells[n].range(brick.list)];
            let center = self.lattice.center(at);
            return self.winding_from::<V>(point, center, cells[n].winding(), list.iter());
        }
        self.winding_in_uncrossed_cell::<V>(point, slab, brick)
    }

    /// The winding number of a query point in a cell that no triangle crosses, in a brick (block of
    /// 4 x 4 x 4 cells) with cells that triangles cross. `None` if the point lies on the surface.
    #[inline(always)]
    fn winding_in_uncrossed_cell<V: Vector>(
        &self,
        point: [f64; 3],
        slab: &Slab,
        brick: Brick,
    ) -> Option<i64> {
        let cells = &slab.cells[brick.first as usize..][..brick.crossed.count_ones() as usize];
        // An uncrossed cell has a bit but no winding number. The brick has crossed cells; a
        // segment to the centre of one crosses only triangles of the brick, each of which counts
        // in the first cell that lists it. A cell with too many triangles has no list, so its
        // triangles are unknown.
        let winding = |cell: &Cell| match cell.is_sliced() {
            true => Slices::at(&slab.slices, cell.slices()).winding(),
            false => cell.winding(),
        };
        let Some(known) = cells.iter().position(|cell| winding(cell) != UNKNOWN) else {
            return self.winding_by_tree(point);
        };
        if cells
            .iter()
            .any(|cell| !cell.is_sliced() && cell.len() == 0)
        {
            return self.winding_by_tree(point);
        }
        let mut bits = brick.crossed;
        for _ in 0..known {
            bits &= bits - 1;
        }
        let bit = bits.trailing_zeros();
        let [x, y, z] = self
            .lattice
            .cell_of(point)
            .map(|cell| cell & !(BRICK as u32 - 1));
        let cell = [x + bit % 4, y + bit / 4 % 4, z + bit / 16];
        let (reference, winding) = (self.lattice.center(cell), winding(&cells[known]));
        if cells.iter().any(|cell| cell.is_sliced()) {
            let mut faces: Vec<u32> = Vec::new();
            for &cell in cells {
                match cell.is_sliced() {
                    true => faces.extend(Slices::at(&slab.slices, cell.slices()).faces()),
                    false => faces.extend_from_slice(&slab.list[cell.range(brick.list)]),
                }
            }
            faces.sort_unstable();
            faces.dedup();
            return self.winding_from::<V>(point, reference, winding, faces.iter());
        }
        let list = |n: usize| &slab.list[cells[n].range(brick.list)];
        let faces = (0..cells.len()).flat_map(|n| {
            // Lists ascend, as triangles were added in order.
            let seen =
                move |face: &u32| (0..n).any(|before| list(before).binary_search(face).is_ok());
            list(n).iter().filter(move |&face| !seen(face))
        });
        self.winding_from::<V>(point, reference, winding, faces)
    }
}
