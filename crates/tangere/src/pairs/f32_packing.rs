//! Items (spheres or boxes) packed into f32 lanes, so that eight are tested at once. The units of
//! packed coordinates are edge lengths of a cell of the cell list. For boxes, the unit along an
//! axis is the edge of the cell along this axis. For spheres, the unit along every axis is the
//! longest edge of the cell.
//!
//! A test returns a signed gap for every lane. If the gap exceeds the bound of its rounding error,
//! the items are apart. If it is less than minus the bound, they touch. In between is a near tie,
//! which is decided in f64.

use super::scene::{Scene, Shapes};
use crate::simd::Vector;

/// The relative error of rounding to f32: half a unit in the last place of 1.
pub(super) const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// Items packed into `N` floats each. The first `D` floats are the position of an item, which
/// determines its cell: the centre of a sphere or the lower corner of a box.
pub(super) trait Packing<const D: usize, const N: usize>: Copy + Sync {
    /// The largest distance along an axis between the positions of two touching items of a packing,
    /// as a multiple of the largest extent of an item. It is 2 for spheres, whose position is the
    /// centre and whose extent is the radius. It is 1 for boxes, whose position is the lower corner
    /// and whose extent is the edge length. The largest extent includes `margin / REACH`: half of
    /// the margin for spheres, all of it for boxes.
    const REACH: f64;
    /// The number of floats, among the `N` of a packed item, that the packing fills. Fewer than `N`
    /// in two dimensions, where the remaining floats are unused.
    const USED: usize;
    /// Whether the test of two packed items adds squares of coordinates along different axes, which
    /// then must have the same unit. True for spheres.
    const ROUND: bool;

    /// The position of item `i` of the packing, in f64: the centre of a sphere, the lower corner of
    /// a box.
    fn position(&self, i: usize) -> [f64; D];

    /// The extent of item `i` of the packing along each axis, in f64 and without the margin: the
    /// radius of a sphere, the edge lengths of a box.
    fn extent(&self, i: usize) -> [f64; D];

    /// The size of an item of the packing, given its extent: the diameter of a sphere, the longest
    /// edge of a box.
    #[inline(always)]
    fn size(extent: [f64; D]) -> f64 {
        Self::REACH
            * extent
                .into_iter()
                .fold(0.0, |a: f64, b| if b > a { b } else { a })
    }

    /// Packs item `i` into `N` floats, with coordinates in the units of `frame`.
    fn pack(&self, i: usize, frame: &PackedUnits<D>) -> [f32; N];

    /// How far below and above the position of a packed item the positions of items that touch it
    /// may lie along axis `k`, if no item has an extent above `largest`.
    fn window(packed: &[f32; N], k: usize, largest: f32) -> [f32; 2];

    /// The signed gaps in f32 between one packed item and eight others, one in each lane. Negative
    /// if the items touch.
    fn signed_gap<V: Vector>(one: &[V; N], eight: &[V; N]) -> V;

    /// Bound on the f32 rounding error of the signed gap of two packed items. Their positions are
    /// up to `reach` apart and have an error of up to `error` along each axis, both in packed
    /// units.
    fn gap_error(&self, reach: f64, error: f64) -> f64;
}

/// The origin and the units of packed coordinates: the coordinate `x` is packed as `(x - origin) *
/// inverse`, where `inverse` is 1 over the unit along the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedUnits<const D: usize> {
    pub(super) origin: [f64; D],
    pub(super) inverse: [f64; D],
}

impl<const D: usize> PackedUnits<D> {
    /// Packs a coordinate: returns `x` along axis `k` in f32 and in packed units.
    #[inline(always)]
    fn unit(&self, x: f64, k: usize) -> f32 {
        ((x - self.origin[k]) * self.inverse[k]) as f32
    }
}

/// Packing of spheres: the floats of a sphere are its centre, then its radius plus half of the
/// margin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balls<'a, const D: usize> {
    centers: &'a [[f64; D]],
    radii: &'a [f64],
    half: f64,
}

impl<const D: usize> Packing<D, 4> for Balls<'_, D> {
    const REACH: f64 = 2.0;
    const USED: usize = D + 1;
    const ROUND: bool = true;

    #[inline(always)]
    fn position(&self, i: usize) -> [f64; D] {
        self.centers[i]
    }

    #[inline(always)]
    fn extent(&self, i: usize) -> [f64; D] {
        [self.radii[i]; D]
    }

    #[inline(always)]
    fn pack(&self, i: usize, frame: &PackedUnits<D>) -> [f32; 4] {
        let center = self.centers[i];
        let mut packed = [0.0; 4];
        for k in 0..D {
            packed[k] = frame.unit(center[k], k);
        }
        packed[D] = ((self.radii[i] + self.half) * frame.inverse[0]) as f32;
        packed
    }

    #[inline(always)]
    fn window(packed: &[f32; 4], _: usize, largest: f32) -> [f32; 2] {
        [packed[D] + largest; 2]
    }

    /// The signed gaps of packed spheres: the squared distance of the centres minus the squared sum
    /// of the radii.
    #[inline(always)]
    fn signed_gap<V: Vector>(one: &[V; 4], eight: &[V; 4]) -> V {
        let reach = one[D].add(eight[D]);
        let d = one[0].sub(eight[0]);
        let mut square = d.mul(d);
        for k in 1..D {
            let d = one[k].sub(eight[k]);
            square = d.mul_add(d, square);
        }
        square.sub(reach.mul(reach))
    }

    /// Bound on the f32 rounding error of the signed gap of packed spheres. Where they touch, or
    /// nearly, the difference of centres is at most `reach` long and has an error of at most `off`
    /// along each axis: twice `error`, plus the rounding of the difference. So its square has an
    /// error of `2 sqrt(D) reach off + D off^2`. The squared sum of radii has an error of six
    /// rounding units ([`UNIT`]) of `reach^2`. The squares and sums of the test add as much again.
    fn gap_error(&self, reach: f64, error: f64) -> f64 {
        let off = 2.0 * error + UNIT * reach;
        4.0 * reach * off + 3.0 * off * off + 12.0 * UNIT * reach * reach
    }
}

/// Packing of boxes: the floats of a box are its lower corner, then its upper corner plus the
/// margin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxes<'a, const D: usize> {
    lower: &'a [[f64; D]],
    upper: &'a [[f64; D]],
    margin: f64,
    exact: bool,
}

impl<const D: usize> Packing<D, 6> for Boxes<'_, D> {
    const REACH: f64 = 1.0;
    const USED: usize = 2 * D;
    const ROUND: bool = false;

    #[inline(always)]
    fn position(&self, i: usize) -> [f64; D] {
        self.lower[i]
    }

    #[inline(always)]
    fn extent(&self, i: usize) -> [f64; D] {
        std::array::from_fn(|k| self.upper[i][k] - self.lower[i][k])
    }

    #[inline(always)]
    fn pack(&self, i: usize, frame: &PackedUnits<D>) -> [f32; 6] {
        let (lower, upper) = (self.lower[i], self.upper[i]);
        let mut packed = [0.0; 6];
        for k in 0..D {
            packed[k] = frame.unit(lower[k], k);
            packed[D + k] = frame.unit(upper[k] + self.margin, k);
        }
        packed
    }

    #[inline(always)]
    fn window(packed: &[f32; 6], k: usize, largest: f32) -> [f32; 2] {
        [largest, packed[D + k] - packed[k]]
    }

    /// The signed gaps of packed boxes: for each pair of boxes, the largest of the signed gaps of
    /// their intervals along the axes.
    #[inline(always)]
    fn signed_gap<V: Vector>(one: &[V; 6], eight: &[V; 6]) -> V {
        let mut gap = one[0].sub(eight[D]).max(eight[0].sub(one[D]));
        for k in 1..D {
            gap = gap.max(one[k].sub(eight[D + k]).max(eight[k].sub(one[D + k])));
        }
        gap
    }

    /// Bound on the f32 rounding error of the signed gap of packed boxes. Coordinates come from f64
    /// by monotonic steps (a shift, a positive factor, rounding); without a margin and in open
    /// space only their order matters, and the bound is 0. Otherwise each of two coordinates has an
    /// error, and so does their difference.
    fn gap_error(&self, reach: f64, error: f64) -> f64 {
        match self.exact {
            true => 0.0,
            false => 2.0 * error + 4.0 * UNIT * reach,
        }
    }
}

/// The items of a scene as f32 lanes: a packing of spheres or of boxes.
pub(super) enum Packed<'a, const D: usize> {
    Balls(Balls<'a, D>),
    Boxes(Boxes<'a, D>),
}

impl<'a, const D: usize> Packed<'a, D> {
    /// The f32 packing of the items of a scene.
    pub(super) fn new(scene: &'a Scene<D>) -> Self {
        match &scene.shapes {
            Shapes::Spheres { centers, radii } => Packed::Balls(Balls {
                centers,
                radii,
                half: 0.5 * scene.margin,
            }),
            Shapes::Boxes { lower, upper } => Packed::Boxes(Boxes {
                lower,
                upper,
                margin: scene.margin,
                exact: scene.is_open() && scene.margin == 0.0,
            }),
        }
    }
}
