//! Packed coordinates of the tree: `(x - center) * scale` in f32, rounded outward.
//!
//! f32 has 24 bits, relative to the distance from the origin. So boxes are stored relative to
//! the box of most items: an offset of 1e9 costs no resolution, and neither does an outlier (up
//! to 1e30 times the size of the rest, where f32 ends). The scale is a power of two that brings
//! the farthest item to at most 1, so nothing overflows.

use crate::geometry::Aabb;

/// A map from space to the coordinates in which nodes are packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PackedFrame<const D: usize> {
    pub(super) center: [f64; D],
    pub(super) scale: f64,
}

/// A box in the coordinates of a [`PackedFrame`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PackedBox<const D: usize> {
    pub(super) lo: [f32; D],
    pub(super) hi: [f32; D],
}

impl<const D: usize> PackedFrame<D> {
    /// The frame of everything in `bounds`, finest at `center`.
    pub(super) fn new(bounds: &Aabb<D>, center: [f64; D]) -> Self {
        let half = (0..D)
            .map(|k| (bounds.max[k] - center[k]).max(center[k] - bounds.min[k]))
            .fold(0.0, f64::max);
        // Items at one point may keep any scale; otherwise half < 2^(e + 1).
        let scale = if half > 0.0 {
            let exponent = ((half.to_bits() >> 52) as i64 - 1023).clamp(-1000, 1000);
            f64::from_bits(((1023 - exponent - 1) as u64) << 52)
        } else {
            1.0
        };
        PackedFrame { center, scale }
    }

    /// A lower bound of the packed coordinate; `-f32::MAX` for NaN.
    #[inline]
    pub(super) fn lower(&self, x: f64, k: usize) -> f32 {
        let f = ((x - self.center[k]) * self.scale) as f32;
        let below = down(f);
        // NaN fails the comparison and must hide nothing.
        if below >= -f32::MAX { below } else { -f32::MAX }
    }

    /// An upper bound of the packed coordinate; `f32::MAX` for NaN.
    #[inline]
    pub(super) fn upper(&self, x: f64, k: usize) -> f32 {
        let f = ((x - self.center[k]) * self.scale) as f32;
        let above = up(f);
        if above <= f32::MAX { above } else { f32::MAX }
    }

    /// A packed box around a box.
    #[inline]
    pub(super) fn pack(&self, bounds: &Aabb<D>) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lower(bounds.min[k], k)),
            hi: std::array::from_fn(|k| self.upper(bounds.max[k], k)),
        }
    }
}

/// A number at least one unit in the last place below `f`.
///
/// The packed coordinate has an error of half a unit of f32 from rounding and of 2^-53 of itself
/// from the subtraction, so one whole unit covers both. Now |f| 2^-23 lies between one and two
/// units, the exact difference therefore between `f` minus two and `f` minus one unit, and its
/// rounding stays there. The smallest normal number does the same around zero.
/// |f| 2^-23 lies between one and two units, the exact difference therefore
/// between `f` minus two and `f` minus one unit, and its rounding stays there.
/// The smallest normal number does the same around zero.
#[inline]
pub(super) fn down(f: f32) -> f32 {
    f - (f.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

/// A number at least one unit in the last place above `f`: see [`down`].
#[inline]
pub(super) fn up(f: f32) -> f32 {
    f + (f.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_bounds_contain_the_exact_coordinate(
            x in -1.0f64..1.0, middle in -1.0f64..1.0,
            exponent in prop::sample::select(vec![-280, -40, 0, 30, 190]),
            offset in prop::sample::select(vec![0.0, 1e9]),
        ) {
            let size = 2f64.powi(exponent);
            let (x, middle) = (x * size + offset * size, middle * size + offset * size);
            let frame = PackedFrame::new(&Aabb { min: [middle - size], max: [middle + size] }, [middle]);
            // lower <= (x - center) * scale <= upper, free of rounding in the
            // other direction: lower / scale + center <= x up to one f64 unit.
            let unpack = |f: f32| f64::from(f) / frame.scale;
            let exact = x - frame.center[0];
            let slack = exact.abs() * 1e-15;
            prop_assert!(unpack(frame.lower(x, 0)) <= exact - slack || exact == 0.0);
            prop_assert!(unpack(frame.upper(x, 0)) >= exact + slack || exact == 0.0);
            prop_assert!(frame.lower(x, 0) < frame.upper(x, 0));
        }
    }

    #[test]
    fn nan_is_unbounded() {
        let frame = PackedFrame::new(
            &Aabb {
                min: [0.0],
                max: [1.0],
            },
            [0.5],
        );
        assert_eq!(frame.lower(f64::NAN, 0), -f32::MAX);
        assert_eq!(frame.upper(f64::NAN, 0), f32::MAX);
        assert_eq!(frame.upper(f64::INFINITY, 0), f32::MAX);
        assert_eq!(frame.lower(f64::NEG_INFINITY, 0), -f32::MAX);
    }
}
