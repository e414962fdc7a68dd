//! Skin check of Verlet lists: a bound on how much two items may have approached each other since
//! the list was built, with growing items and a changing periodic cell. One pass over the items.
//! Used by [`super::verlet_list`].
//!
//! Let `u` be the displacement of a sphere since the build of the list, `g` the growth of its
//! radius, and `s_n` and `s0_n` the translation to the periodic image `n` now and at the build.
//! The gap of two spheres `a` and `b` has decreased since the build by at most
//! `|u_a| + g_a + |u_b| + g_b + |s_n - s0_n|`. The bound for all pairs is therefore the sum of the
//! two largest values of `|u| + g`, plus the strain: the largest length `|s_n - s0_n|` of all
//! images. The gap between a sphere and its own image decreases by at most `2 g` plus the strain,
//! which may be more. So if spheres may touch their own images, the bound is twice the largest
//! value of `|u| + g`, plus the strain, which covers both. For boxes, the bound along an axis is
//! the sum of the largest downward motion of a lower corner, the largest upward motion of an upper
//! corner and the strain, so that a motion common to all boxes cancels.
//!
//! In periodic space, displacements are those of items wrapped into the cell at the build. A pair
//! then touches in an image `n` of few cells, so that the strain is small. If the caller moved an
//! item by an integer number of cells, as simulations do when it crosses the border, this is a jump
//! and does not count as motion.

use super::periodic_cell::{Image, Periodic};
use super::periodic_images::Images;
use super::scene::{Scene, Shapes};
use crate::simd::widest;
use rayon::prelude::*;

/// The number of items in a chunk of the skin check, which one task handles.
const CHUNK: usize = 4096;
/// The largest displacement, in cells along an edge of the periodic cell, that the skin check may
/// take for a jump to another image. Anything farther is motion.
const FAR: f64 = 1e6;

/// The largest motion of items since the Verlet list was built, for the skin check.
#[derive(Clone, Copy, Debug)]
struct Moved<const D: usize> {
    /// For spheres: the largest and the second largest sum of the displacement of a sphere and the
    /// growth of its radius since the Verlet list was built.
    out: [f64; 2],
    /// For boxes: the largest distance along each axis that a lower corner has moved down since the
    /// Verlet list was built.
    down: [f64; D],
    /// For boxes: the largest distance along each axis that an upper corner has moved up since the
    /// Verlet list was built.
    up: [f64; D],
    /// The largest jump of any item to another periodic image since the Verlet list was built: the
    /// number of cells along each edge of the periodic cell.
    jump: Image<D>,
}

impl<const D: usize> Moved<D> {
    const NONE: Self = Moved {
        out: [f64::NEG_INFINITY; 2],
        down: [f64::NEG_INFINITY; D],
        up: [f64::NEG_INFINITY; D],
        jump: [0; D],
    };

    /// The largest motion among two sets of items, whose largest motions are `self` and `other`,
    /// for the skin check.
    #[inline(always)]
    fn union(self, other: Self) -> Self {
        Moved {
            out: [
                self.out[0].max(other.out[0]),
                (self.out[0].min(other.out[0])).max(self.out[1].max(other.out[1])),
            ],
            down: std::array::from_fn(|k| self.down[k].max(other.down[k])),
            up: std::array::from_fn(|k| self.up[k].max(other.up[k])),
            jump: std::array::from_fn(|k| self.jump[k].max(other.jump[k])),
        }
    }
}

/// The periodic cell at the build of the Verlet list and now, to separate jumps of items from
/// motion.
#[derive(Clone, Copy)]
struct Change<'a, const D: usize> {
    then: &'a Periodic<D>,
    now: &'a Periodic<D>,
    space: Images<'a, D>,
    /// For each item, the periodic image that wrapped it into the cell when the Verlet list was
    /// built.
    homes: &'a [Image<D>],
    /// The distance along each axis up to which a displacement of an item is motion, not a jump to
    /// another periodic image.
    little: f64,
}

impl<const D: usize> Change<'_, D> {
    /// For the skin check of item `i`, which the caller has moved by `u`: returns a shift and the
    /// jump of the item in cells. The sum of `u` and the shift is the motion of the wrapped item
    /// without its jump.
    #[inline(always)]
    fn wrap_shift(&self, i: usize, u: [f64; D]) -> ([f64; D], Image<D>) {
        let home = self.homes[i];
        let (then, now) = (self.then.shift(home), self.now.shift(home));
        let wrapped: [f64; D] = std::array::from_fn(|k| now[k] - then[k]);
        let moved: [f64; D] = std::array::from_fn(|k| u[k] + wrapped[k]);
        if moved.iter().all(|x| x.abs() <= self.little) {
            return (wrapped, [0; D]);
        }
        let cells = self.space.nearest(moved);
        if !cells.iter().all(|n| n.abs() <= FAR) {
            return (wrapped, [0; D]);
        }
        let jump = cells.map(|n| n as i32);
        let shift = self.now.shift(jump);
        (std::array::from_fn(|k| wrapped[k] - shift[k]), jump)
    }
}

/// Parameters of the skin check: the distance from which on a motion may be a jump to another
/// periodic image, how many cells away the farthest image of an item is, and whether items may
/// touch their own images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits<const D: usize> {
    /// The distance along each axis up to which a displacement of an item is motion, not a jump to
    /// another periodic image.
    pub(super) little: f64,
    /// The largest absolute number of cells along each edge by which an item or ghost was shifted
    /// when the Verlet list was built.
    pub(super) images: Image<D>,
    /// Whether items may touch their own periodic images.
    pub(super) own: bool,
}

/// The skin check: an upper bound, rounding included, of how much two items have approached each
/// other since the scene `then`. `now` are the items at present, as many as in `then` and of the
/// same kind, and `cell` is the present periodic cell. Returns `None` if there is no bound, because
/// the periodic cell was added or removed, or repeats along other edges than before.
///
/// In periodic space, `jumps` receives the number of cells by which each item jumped.
pub(super) fn approach<const D: usize>(
    then: &Scene<D>,
    now: &Shapes<D>,
    cell: Option<&Periodic<D>>,
    Limits {
        little,
        images,
        own,
    }: Limits<D>,
    jumps: &mut Vec<Image<D>>,
) -> Option<f64> {
    jumps.clear();
    // Rounding of the contact rule, then and now, and of this computation.
    let mut slack = 32.0 * f64::EPSILON * then.reach();
    let mut strain = [[0.0; D]; D];
    let moved = match (then.cell(), cell) {
        (None, None) => moved(
            then.given(),
            now,
            jumps,
            #[inline(always)]
            |_, _| ([0.0; D], [0; D]),
        ),
        (Some(before), Some(cell)) => {
            if (0..D).any(|k| before.repeats(k) != cell.repeats(k)) {
                return None;
            }
            let space = Images::new(cell);
            let change = Change {
                then: before,
                now: cell,
                space,
                homes: then.images(),
                little,
            };
            jumps.resize(then.items(), [0; D]);
            let moved = moved(
                then.given(),
                now,
                jumps,
                #[inline(always)]
                |i, u| change.wrap_shift(i, u),
            );
            let cells = space.between(before, then.reach());
            strain = cell.strain(before);
            for i in 0..D {
                strain[i] = strain[i].map(|x| cells[i] * x);
            }
            // Rounding of shifts and of shifted positions.
            let mut farthest = moved.jump;
            for k in 0..D {
                farthest[k] += cells[k].min(FAR) as i32 + images[k];
            }
            let paths = before.path(farthest).into_iter().chain(cell.path(farthest));
            slack += 64.0 * f64::EPSILON * paths.sum::<f64>();
            moved
        }
        _ => return None,
    };
    let nearer = match now {
        Shapes::Spheres { .. } => {
            let edge = |x: [f64; D]| crate::geometry::Vector::from(x).norm();
            let second = moved.out[usize::from(!own)];
            moved.out[0] + second + strain.into_iter().map(edge).sum::<f64>()
        }
        Shapes::Boxes { .. } => (0..D)
            .map(|k| {
                let strain: f64 = strain.iter().map(|edge| edge[k]).sum();
                let (down, up) = (moved.down[k], moved.up[k]);
                // A common motion cancels, except for its rounding.
                down + up + strain + 4.0 * f64::EPSILON * (down.abs() + up.abs())
            })
            .fold(f64::NEG_INFINITY, f64::max),
    };
    Some(nearer.max(0.0) * (1.0 + 1e-12) + slack)
}

/// The largest motion of all items, for the skin check. `wrap_shift(i, u)` is
/// [`Change::wrap_shift`], or returns 0 in open space.
fn moved<const D: usize>(
    then: &Shapes<D>,
    now: &Shapes<D>,
    jumps: &mut [Image<D>],
    wrap_shift: impl Fn(usize, [f64; D]) -> ([f64; D], Image<D>) + Sync,
) -> Moved<D> {
    let count = match now {
        Shapes::Spheres { radii, .. } => radii.len(),
        Shapes::Boxes { lower, .. } => lower.len(),
    };
    let chunk = |c: usize, jumps: &mut [Image<D>]| {
        let range = c * CHUNK..((c + 1) * CHUNK).min(count);
        widest(
            #[inline(always)]
            || match (then, now) {
                (
                    Shapes::Spheres {
                        centers: c0,
                        radii: r0,
                    },
                    Shapes::Spheres { centers, radii },
                ) => spheres(range, (c0, r0), (centers, radii), jumps, &wrap_shift),
                (
                    Shapes::Boxes {
                        lower: l0,
                        upper: u0,
                    },
                    Shapes::Boxes { lower, upper },
                ) => boxes(range, (l0, u0), (lower, upper), jumps, &wrap_shift),
                _ => unreachable!("items are of the same kind"),
            },
        )
    };
    match jumps.is_empty() {
        true => (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|c| chunk(c, &mut []))
            .reduce(|| Moved::NONE, Moved::union),
        false => (jumps.par_chunks_mut(CHUNK).enumerate())
            .map(|(c, jumps)| chunk(c, jumps))
            .reduce(|| Moved::NONE, Moved::union),
    }
}

type Points<'a, const D: usize> = &'a [[f64; D]];

/// The largest motion of the spheres in a range, for the skin check.
#[inline(always)]
fn spheres<const D: usize>(
    range: std::ops::Range<usize>,
    (c0, r0): (Points<'_, D>, &[f64]),
    (c1, r1): (Points<'_, D>, &[f64]),
    jumps: &mut [Image<D>],
    wrap_shift: &impl Fn(usize, [f64; D]) -> ([f64; D], Image<D>),
) -> Moved<D> {
    let mut all = Moved::NONE;
    let start = range.start;
    let (c0, r0) = (&c0[range.clone()], &r0[range.clone()]);
    let (c1, r1) = (&c1[range.clone()], &r1[range]);
    for i in 0..c0.len() {
        let u: [f64; D] = std::array::from_fn(|k| c1[i][k] - c0[i][k]);
        let (shift, jump) = wrap_shift(start + i, u);
        let u: [f64; D] = std::array::from_fn(|k| u[k] + shift[k]);
        let square = u.iter().fold(0.0, |sum, x| sum + x * x);
        // If an item shrank as much as it moved, the terms cancel and rounding remains: the factor
        // covers that of the distance, the slack for the reach that of the radii.
        let out = square.sqrt() * (1.0 + 1e-14) + (r1[i] - r0[i]);
        if out > all.out[1] {
            all.out = match out > all.out[0] {
                true => [out, all.out[0]],
                false => [all.out[0], out],
            };
        }
        record_jump(&mut all, jumps.get_mut(i), jump);
    }
    all
}

/// The largest motion of the boxes in a range, for the skin check.
#[inline(always)]
fn boxes<const D: usize>(
    range: std::ops::Range<usize>,
    (l0, u0): (Points<'_, D>, Points<'_, D>),
    (l1, u1): (Points<'_, D>, Points<'_, D>),
    jumps: &mut [Image<D>],
    wrap_shift: &impl Fn(usize, [f64; D]) -> ([f64; D], Image<D>),
) -> Moved<D> {
    let mut all = Moved::NONE;
    let start = range.start;
    let (l0, u0) = (&l0[range.clone()], &u0[range.clone()]);
    let (l1, u1) = (&l1[range.clone()], &u1[range]);
    for i in 0..l0.len() {
        let u: [f64; D] = std::array::from_fn(|k| l1[i][k] - l0[i][k]);
        let (shift, jump) = wrap_shift(start + i, u);
        for k in 0..D {
            let down = -(u[k] + shift[k]);
            let up = (u1[i][k] - u0[i][k]) + shift[k];
            all.down[k] = if down > all.down[k] {
                down
            } else {
                all.down[k]
            };
            all.up[k] = if up > all.up[k] { up } else { all.up[k] };
        }
        record_jump(&mut all, jumps.get_mut(i), jump);
    }
    all
}

/// Records the jump of an item that the skin check has found: in `slot`, its entry in the list of
/// jumps, and in the largest jump. In open space `slot` is `None`, and nothing is recorded.
#[inline(always)]
fn record_jump<const D: usize>(all: &mut Moved<D>, slot: Option<&mut Image<D>>, jump: Image<D>) {
    if let Some(slot) = slot {
        *slot = jump;
        all.jump = std::array::from_fn(|k| all.jump[k].max(jump[k].abs()));
    }
}
