//! Conservative voxelisation: the cells of the grid that a triangle overlaps.
//!
//! A triangle and a box are apart if an axis separates them: an axis of the box, the triangle's
//! normal, or an axis perpendicular to an edge of each (Akenine-Möller 2001). The axes of the box
//! give the range of cells. The other axes give linear functions of the cell's position (Schwarz
//! and Seidel 2010): two for the plane and three for each projection along a coordinate axis. None
//! of them is negative where triangle and cell overlap. The eight functions that depend on x are
//! computed at once for a cell, one a lane, in f32 relative to a nearby cell.
//!
//! Cells are enlarged by [`SLACK`] on all sides, which covers all rounding: no cell is missed, and
//! a few false positives are reported. Functions spoilt by rounding (nearly degenerate planes and
//! edges) are dropped. Costs some hundred operations for a triangle and four for a cell.

use crate::simd::{Kernel, Vector, run_widest};

/// The amount by which cells are enlarged on all sides to cover rounding, in units of the cell
/// edge. In these units, corners have errors of at most 2^-40 (a grid has fewer than 2^12 cells
/// along an axis, and there are two roundings). Positions within a tile are below 16, so linear
/// functions in f32 have errors below 16 * 2^-22 of their coefficients.
const SLACK: f64 = 1.0 / 1024.0;

/// The least length of a triangle's edge, projected along an axis, with which the overlap test uses
/// the edge; shorter edges are dropped. It is given as a fraction of the largest component of the
/// triangle's edges or, if that is smaller than the cell edge, of the cell edge. An error of 2^-39
/// in an edge of 2^-20 turns the edge by 2^-19, far less than the slack.
const EDGE_MIN: f64 = 1.0 / (1 << 20) as f64;

/// The least ratio of a triangle's area to its squared size with which the overlap test uses the
/// plane of the triangle; otherwise the plane is dropped. Here the area is the sum of the
/// magnitudes of the components of the cross product of two edges. The size is the largest
/// component of the edges, but at least the cell edge. Errors of the corners turn the plane by the
/// product of the error and the longest edge, over the area.
const PLANE_MIN: f64 = 1.0 / (1 << 22) as f64;

/// Half the edge of a cell that is enlarged by [`SLACK`] on all sides, in units of the edge of the
/// cell itself.
const HALF: f64 = 0.5 + SLACK;

/// The number of cells along each edge of a tile, a cubic block of cells that is tested row by row.
const TILE: i32 = 8;

/// The maximum number of levels of the descent from a cube as large as any grid to a tile. Each
/// level divides the edge of the cube by four; a grid has fewer than 2^12 cells along an axis.
const LEVELS: usize = 5;

/// A range of cells `[low, high]`: the indices of the first and the last cell along each axis, both
/// included.
pub(super) type Span = [[i32; 3]; 2];

/// Four linear functions of position, one in each lane: their constants, then their coefficients of
/// x, y and z.
type Linear = [[f64; 4]; 4];

/// The linear functions of a triangle's edges and plane that decide which cells it overlaps: none
/// is negative at the centre of an overlapped cell. Positions are in units of the cell edge, with
/// cell centres at integers.
struct Footprint {
    /// The linear functions of the triangle's three edges projected along x, which do not depend on
    /// x.
    across: Linear,
    /// The linear functions of the triangle's edges projected along y, then those along z. The
    /// fourth lane of each has the function of one side of the triangle's plane.
    along: [Linear; 2],
}

/// Voxelises a triangle whose corners are given in units of the cell edge: calls `row(x, y, z,
/// bits)` for rows of up to eight cells of `span`. Bit `i` is set if the triangle overlaps the cell
/// `x + i` of the row. Each overlapped cell is reported once.
#[inline(always)]
pub(super) fn rows<V: Vector>(
    corners: [[f64; 3]; 3],
    span: Span,
    row: &mut impl FnMut(i32, i32, i32, u32),
) {
    let [low, high] = span;
    let extent = [
        high[0] - low[0] + 1,
        high[1] - low[1] + 1,
        high[2] - low[2] + 1,
    ];
    if extent[0].min(extent[1]).min(extent[2]) <= 0 {
        return;
    }
    if extent == [1; 3] {
        return row(low[0], low[1], low[2], 1);
    }
    let footprint = Footprint::new(corners, low);
    if extent[0].max(extent[1]).max(extent[2]) <= TILE {
        footprint.tile::<V>([0; 3], extent, low, row);
    } else {
        run_widest(Large {
            footprint: &footprint,
            extent,
            low,
            row,
        });
    }
}

/// Kernel that voxelises a triangle which may overlap several tiles (blocks of 8 x 8 x 8 cells). It
/// is separate, so that the code of the common case stays small.
struct Large<'a, F> {
    footprint: &'a Footprint,
    extent: [i32; 3],
    low: [i32; 3],
    row: &'a mut F,
}

impl<F: FnMut(i32, i32, i32, u32)> Kernel for Large<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        self.footprint.divide::<V>(self.extent, self.low, self.row);
    }
}

impl Footprint {
    /// The linear functions that decide which cells a triangle overlaps, with positions relative to
    /// the cell `origin`.
    #[inline(always)]
    fn new(corners: [[f64; 3]; 3], origin: [i32; 3]) -> Self {
        // Coordinate by coordinate, so that three edges fit in one vector.
        let mut at = [[0.0; 4]; 3];
        let mut edge = [[0.0; 4]; 3];
        for k in 0..3 {
            let origin = f64::from(origin[k]);
            let (u, v, w) = (
                corners[0][k] - origin,
                corners[1][k] - origin,
                corners[2][k] - origin,
            );
            at[k] = [u, v, w, 0.0];
            edge[k] = [v - u, w - v, u - w, 0.0];
        }
        let minor = |j: usize, k: usize| edge[j][0] * edge[k][1] - edge[k][0] * edge[j][1];
        let normal = [minor(1, 2), minor(2, 0), minor(0, 1)];
        let mut length = 1.0f64;
        for e in edge {
            length = length.max(e[0].abs()).max(e[1].abs()).max(e[2].abs());
        }
        let least = EDGE_MIN * length;
        let across = edges::<0>(&at, &edge, normal[0], least);
        let mut along = [
            edges::<1>(&at, &edge, normal[1], least),
            edges::<2>(&at, &edge, normal[2], least),
        ];
        let area = normal[0].abs() + normal[1].abs() + normal[2].abs();
        if area > PLANE_MIN * length * length {
            let center = normal[0] * at[0][0] + normal[1] * at[1][0] + normal[2] * at[2][0];
            for (functions, sign) in along.iter_mut().zip([1.0, -1.0]) {
                functions[0][3] = HALF * area - sign * center;
                for k in 0..3 {
                    functions[k + 1][3] = sign * normal[k];
                }
            }
        }
        Footprint { across, along }
    }

    /// Voxelises a triangle within a tile: reports those cells that the triangle overlaps, along
    /// each axis from `start` up to but not including `end`. Both are given relative to the cell
    /// `low`.
    #[inline(always)]
    fn tile<V: Vector>(
        &self,
        start: [i32; 3],
        end: [i32; 3],
        low: [i32; 3],
        row: &mut impl FnMut(i32, i32, i32, u32),
    ) {
        let along = moved::<V>(&self.along[0], &self.along[1], start);
        let across = moved::<V>(&self.across, &self.across, start);
        let (width, height, depth) = (end[0] - start[0], end[1] - start[1], end[2] - start[2]);
        let zero = V::splat(0.0);
        for k in 0..depth {
            let z = V::splat(k as f32);
            let in_layer = z.mul_add(along[3], along[0]);
            let across_layer = z.mul_add(across[3], across[0]);
            for j in 0..height {
                let y = V::splat(j as f32);
                if zero.at_most(y.mul_add(across[2], across_layer)) != 0xff {
                    continue;
                }
                let in_row = y.mul_add(along[2], in_layer);
                let mut bits = 0;
                for i in 0..width {
                    let value = V::splat(i as f32).mul_add(along[1], in_row);
                    bits |= u32::from(zero.at_most(value) == 0xff) << i;
                }
                if bits != 0 {
                    row(
                        low[0] + start[0],
                        low[1] + start[1] + j,
                        low[2] + start[2] + k,
                        bits,
                    );
                }
            }
        }
    }

    /// Voxelises a large triangle: descends to the tiles (blocks of 8 x 8 x 8 cells) that it
    /// overlaps, skipping larger cubes of cells that it does not overlap.
    #[inline(always)]
    fn divide<V: Vector>(
        &self,
        extent: [i32; 3],
        low: [i32; 3],
        row: &mut impl FnMut(i32, i32, i32, u32),
    ) {
        let longest = extent[0].max(extent[1]).max(extent[2]);
        let mut part = TILE;
        while longest > 4 * part {
            part *= 4;
        }
        // The cubes on the path down, and which of their 64 parts comes next.
        let mut path = [([0; 3], 0); LEVELS];
        let mut level = 0;
        loop {
            let (start, next) = &mut path[level];
            let n = *next;
            *next += 1;
            if n == 64 {
                if level == 0 {
                    return;
                }
                level -= 1;
                part *= 4;
                continue;
            }
            let offset = [n & 3, n >> 2 & 3, n >> 4];
            let start: [i32; 3] = std::array::from_fn(|k| start[k] + offset[k] * part);
            let reached = (0..3).all(|k| start[k] < extent[k])
                && [&self.across, &self.along[0], &self.along[1]]
                    .iter()
                    .all(|functions| may_reach(functions, start, part));
            if !reached {
                continue;
            }
            if part == TILE {
                let end = std::array::from_fn(|k| extent[k].min(start[k] + TILE));
                self.tile::<V>(start, end, low, row);
            } else {
                level += 1;
                part /= 4;
                path[level] = (start, 0);
            }
        }
    }
}

/// The linear functions of a triangle's edges, projected along axis `M`, for its voxelisation: they
/// are not negative at cells that overlap the projected triangle. `at` are the corners where edges
/// start, `edge` the vectors along the edges, `normal` is component `M` of the normal. Let `j` and
/// `k` be the other axes in cyclic order. If `normal` is positive, then a point `x` is on the inner
/// side of an edge `e` from `a` if `e.j (x.k - a.k) - e.k (x.j - a.j)` is not negative. Functions
/// of edges shorter than `least` are 0.
#[inline(always)]
fn edges<const M: usize>(
    at: &[[f64; 4]; 3],
    edge: &[[f64; 4]; 3],
    normal: f64,
    least: f64,
) -> Linear {
    let (j, k) = ((M + 1) % 3, (M + 2) % 3);
    let sign = if normal >= 0.0 { 1.0 } else { -1.0 };
    let mut functions = [[0.0; 4]; 4];
    for i in 0..4 {
        let (ej, ek) = (edge[j][i], edge[k][i]);
        let width = ej.abs() + ek.abs();
        let constant = HALF * width + sign * (ek * at[j][i] - ej * at[k][i]);
        let counts = width > least;
        functions[0][i] = if counts { constant } else { 0.0 };
        functions[j + 1][i] = if counts { -sign * ek } else { 0.0 };
        functions[k + 1][i] = if counts { sign * ej } else { 0.0 };
    }
    functions
}

/// Converts the eight linear functions `first` and `second` of the voxelised triangle to f32, with
/// positions relative to the cell `start`.
#[inline(always)]
fn moved<V: Vector>(first: &Linear, second: &Linear, start: [i32; 3]) -> [V; 4] {
    let (x, y, z) = (
        f64::from(start[0]),
        f64::from(start[1]),
        f64::from(start[2]),
    );
    let mut moved = [[0.0f32; 8]; 4];
    for (functions, half) in [(first, 0), (second, 4)] {
        for i in 0..4 {
            let (of_x, of_y, of_z) = (functions[1][i], functions[2][i], functions[3][i]);
            moved[0][half + i] = (functions[0][i] + of_x * x + of_y * y + of_z * z) as f32;
            moved[1][half + i] = of_x as f32;
            moved[2][half + i] = of_y as f32;
            moved[3][half + i] = of_z as f32;
        }
    }
    [
        V::load(&moved[0]),
        V::load(&moved[1]),
        V::load(&moved[2]),
        V::load(&moved[3]),
    ]
}

/// Whether the voxelised triangle may overlap a cube of cells: none of four of its linear functions
/// is negative on the whole cube. `start` is the first cell of the cube, `edge` the number of cells
/// along its edges.
#[inline(always)]
fn may_reach(functions: &Linear, start: [i32; 3], edge: i32) -> bool {
    let last = f64::from(edge - 1);
    (0..4).all(|i| {
        let mut greatest = functions[0][i];
        let mut size = greatest.abs();
        for k in 0..3 {
            let of_k = functions[k + 1][i];
            let term = of_k * f64::from(start[k]);
            greatest += term + (of_k * last).max(0.0);
            size += term.abs();
        }
        greatest >= -16.0 * f64::EPSILON * size
    })
}
