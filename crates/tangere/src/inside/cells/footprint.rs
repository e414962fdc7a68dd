//! Which cells of a lattice does a triangle meet?
//!
//! A triangle and a box are apart if an axis separates them: one of the box, the
//! triangle's normal, or one perpendicular to an edge of each (Akenine-Möller
//! 2001). The first are the range of cells that is looked at; the others are linear
//! functions of the cell's place (Schwarz and Seidel 2010), two for the plane and
//! three for each projection, none of which is negative where they meet. Eight cells
//! of a row are looked at at once, in f32 relative to a corner nearby.
//!
//! Cells are taken to be larger by [`SLACK`] on all sides, which covers all
//! rounding: no cell is missed, a few are reported that the triangle almost meets.
//! Functions that rounding spoils (planes and edges of next to no extent) do not
//! count. Costs some hundred operations and a dozen for each row of eight cells.

/// By how much cells are taken to be larger, in their edges. Corners are given with
/// errors of at most 2^-40 (a lattice has fewer than 2^12 cells along an axis, and
/// two roundings) and places within a tile are below 16, so in f32 functions are
/// off by less than 16 * 2^-22 of their coefficients.
const SLACK: f64 = 1.0 / 1024.0;

/// Edges shorter than this part of the longest edge, and of a cell, do not count: an
/// error of 2^-39 in one of 2^-20 turns it by 2^-19, far less than the slack.
const EDGE_MIN: f64 = 1.0 / (1 << 20) as f64;

/// The same for planes, which an error of the corners turns by its product with the
/// longest edge, over the area.
const PLANE_MIN: f64 = 1.0 / (1 << 22) as f64;

/// Cells along the edge of what is looked at in one go.
const TILE: i32 = 8;

/// Cells from `low` to `high`, both included.
pub(super) type Span = [[i32; 3]; 2];

/// Functions of the place: a constant and a coefficient an axis.
type Linear<const N: usize> = [[f64; N]; 4];

/// A triangle in units of cells, whose centres are at integers.
struct Footprint {
    /// The plane from both sides, three edges along z and three along y.
    along: Linear<8>,
    /// Three edges along x; these do not depend on x.
    across: Linear<4>,
}

/// Calls `row(x, y, z, bits)` for cells that the triangle meets: the cells
/// `x + lane` of the row for which bits are set, of at most eight lanes. All cells
/// of the span that it meets are reported, once each. Corners are given in cells.
#[inline(always)]
pub(super) fn rows(corners: [[f64; 3]; 3], span: Span, row: &mut impl FnMut(i32, i32, i32, u32)) {
    let [low, high] = span;
    let extent: [i32; 3] = std::array::from_fn(|k| high[k] - low[k] + 1);
    if extent.iter().any(|&n| n <= 0) {
        return;
    }
    if extent == [1; 3] {
        return row(low[0], low[1], low[2], 1);
    }
    let footprint = Footprint::new(corners, low);
    if extent.iter().all(|&n| n <= TILE) {
        footprint.tile([0; 3], extent, low, row);
    } else {
        let mut edge = TILE;
        while extent.iter().any(|&n| n > edge) {
            edge *= 4;
        }
        footprint.divide([0; 3], edge, extent, low, row);
    }
}

impl Footprint {
    /// The functions, with places relative to a cell.
    #[inline(always)]
    fn new(corners: [[f64; 3]; 3], origin: [i32; 3]) -> Self {
        let [u, v, w] =
            corners.map(|p| -> [f64; 3] { std::array::from_fn(|k| p[k] - f64::from(origin[k])) });
        let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let edges = [minus(v, u), minus(w, v), minus(u, w)];
        let [e, f, _] = edges;
        let normal = [
            e[1] * f[2] - e[2] * f[1],
            e[2] * f[0] - e[0] * f[2],
            e[0] * f[1] - e[1] * f[0],
        ];
        let half = 0.5 + SLACK;
        let mut along = [[0.0; 8]; 4];
        let mut across = [[0.0; 4]; 4];
        let size = |e: [f64; 3]| e[0].abs().max(e[1].abs()).max(e[2].abs());
        let length = size(edges[0]).max(size(edges[1])).max(size(edges[2]));
        let area = normal[0].abs() + normal[1].abs() + normal[2].abs();
        if area > PLANE_MIN * length * length.max(1.0) {
            let at = normal[0] * u[0] + normal[1] * u[1] + normal[2] * u[2];
            for (i, sign) in [(0, 1.0), (1, -1.0)] {
                along[0][i] = half * area - sign * at;
                for k in 0..3 {
                    along[k + 1][i] = sign * normal[k];
                }
            }
        }
        for (i, (p, e)) in [u, v, w].into_iter().zip(edges).enumerate() {
            // Seen along an axis m, with the others p and q in cyclic order, inside
            // is on the left of the edge if the normal points to the viewer:
            // e.p (x.q - a.q) - e.q (x.p - a.p).
            for m in 0..3 {
                let (j, k) = ((m + 1) % 3, (m + 2) % 3);
                let width = e[j].abs() + e[k].abs();
                if width <= EDGE_MIN * length.max(1.0) {
                    continue;
                }
                let sign = if normal[m] >= 0.0 { 1.0 } else { -1.0 };
                let constant = half * width + sign * (e[k] * p[j] - e[j] * p[k]);
                let (of_j, of_k) = (-sign * e[k], sign * e[j]);
                if m == 0 {
                    across[0][i] = constant;
                    across[j + 1][i] = of_j;
                    across[k + 1][i] = of_k;
                } else {
                    let i = i + 3 * m - 1;
                    along[0][i] = constant;
                    along[j + 1][i] = of_j;
                    along[k + 1][i] = of_k;
                }
            }
        }
        Footprint { along, across }
    }

    /// Cells `start..end` within a tile.
    #[inline(always)]
    fn tile(
        &self,
        start: [i32; 3],
        end: [i32; 3],
        low: [i32; 3],
        row: &mut impl FnMut(i32, i32, i32, u32),
    ) {
        let along = moved(&self.along, start);
        let across = moved(&self.across, start);
        let lanes = (1 << (end[0] - start[0])) - 1;
        for k in 0..end[2] - start[2] {
            for j in 0..end[1] - start[1] {
                let (y, z) = (j as f32, k as f32);
                let mut outside = false;
                for i in 0..4 {
                    outside |= across[0][i] + (across[2][i] * y + across[3][i] * z) < 0.0;
                }
                if outside {
                    continue;
                }
                let mut base = [0.0; 8];
                for i in 0..8 {
                    base[i] = along[0][i] + (along[2][i] * y + along[3][i] * z);
                }
                let mut least = [0.0f32; 8];
                for lane in 0..8 {
                    least[lane] = base[0] + along[1][0] * LANES[lane];
                }
                for i in 1..8 {
                    for lane in 0..8 {
                        let value = base[i] + along[1][i] * LANES[lane];
                        least[lane] = if value < least[lane] {
                            value
                        } else {
                            least[lane]
                        };
                    }
                }
                let mut bits = 0;
                for lane in 0..8 {
                    bits |= u32::from(least[lane] >= 0.0) << lane;
                }
                bits &= lanes;
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

    /// Goes down to the tiles of a large triangle, past boxes that it does not meet.
    #[inline(never)]
    fn divide(
        &self,
        start: [i32; 3],
        edge: i32,
        extent: [i32; 3],
        low: [i32; 3],
        row: &mut impl FnMut(i32, i32, i32, u32),
    ) {
        if edge == TILE {
            let end = std::array::from_fn(|k| extent[k].min(start[k] + TILE));
            return self.tile(start, end, low, row);
        }
        let part = edge / 4;
        for n in 0..64 {
            let offset = [n & 3, n >> 2 & 3, n >> 4];
            let start: [i32; 3] = std::array::from_fn(|k| start[k] + offset[k] * part);
            if (0..3).all(|k| start[k] < extent[k])
                && may_reach(&self.along, start, part)
                && may_reach(&self.across, start, part)
            {
                self.divide(start, part, extent, low, row);
            }
        }
    }
}

const LANES: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// Functions with places relative to another cell.
#[inline(always)]
fn moved<const N: usize>(functions: &Linear<N>, [x, y, z]: [i32; 3]) -> [[f32; N]; 4] {
    let [x, y, z] = [x, y, z].map(f64::from);
    let mut moved = functions.map(|row| row.map(|value| value as f32));
    if [x, y, z] != [0.0; 3] {
        for i in 0..N {
            let [constant, of_x, of_y, of_z] = functions.map(|row| row[i]);
            moved[0][i] = (constant + of_x * x + of_y * y + of_z * z) as f32;
        }
    }
    moved
}

/// Whether no function is negative on all of a cube of cells.
fn may_reach<const N: usize>(functions: &Linear<N>, start: [i32; 3], edge: i32) -> bool {
    let last = f64::from(edge - 1);
    (0..N).all(|i| {
        let mut greatest = functions[0][i];
        for k in 0..3 {
            let of_k = functions[k + 1][i];
            greatest += of_k * f64::from(start[k]) + (of_k * last).max(0.0);
        }
        greatest >= -1e-9 * functions[0][i].abs()
    })
}
