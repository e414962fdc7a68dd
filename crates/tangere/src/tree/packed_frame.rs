//! Packed frame of the AABB tree: coordinates `(x - center) * scale` in f32, rounded outward.
//!
//! An f32 has 24 bits, so it is finest near 0. The centre is therefore where most items are (the
//! median of up to 255 item centres): neither an offset of 1e9 nor an outlier costs the items
//! resolution (an outlier may be 1e30 times their size away, where the range of f32 ends). The
//! scale is a power of two that brings the farthest item to at most 1, so that nothing overflows.

use super::Tree;
use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;
use rayon::prelude::*;

/// The packed frame of a tree: the map from space to the f32 coordinates of its node boxes.
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
    /// The packed frame of an AABB tree whose items all lie in `bounds`. Its resolution is finest
    /// at `center`.
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

    /// A lower bound of the coordinate `x` along axis `k` in the packed frame; `-f32::MAX` for NaN.
    #[inline]
    pub(super) fn lower(&self, x: f64, k: usize) -> f32 {
        let f = ((x - self.center[k]) * self.scale) as f32;
        let below = down(f);
        // NaN fails the comparison and must hide nothing.
        if below >= -f32::MAX { below } else { -f32::MAX }
    }

    /// An upper bound of the coordinate `x` along axis `k` in the packed frame; `f32::MAX` for NaN.
    #[inline]
    pub(super) fn upper(&self, x: f64, k: usize) -> f32 {
        let f = ((x - self.center[k]) * self.scale) as f32;
        let above = up(f);
        if above <= f32::MAX { above } else { f32::MAX }
    }

    /// Packs a box: the box in the coordinates of the packed frame, rounded outward.
    #[inline]
    pub(super) fn pack(&self, bounds: &Aabb<D>) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lower(bounds.min[k], k)),
            hi: std::array::from_fn(|k| self.upper(bounds.max[k], k)),
        }
    }
}

impl<const D: usize> Tree<D> {
    /// The packed frame of the AABB tree: its centre, and the power of two that scales all
    /// coordinates relative to the centre to at most 1.
    pub(crate) fn unit(&self) -> ([f64; D], f64) {
        (self.frame.center, self.frame.scale)
    }
}

/// Rounds a coordinate of the packed frame down: returns a number at least one unit in the last
/// place below `f`.
///
/// The packed coordinate has an error of half a unit in the last place of f32 from rounding and of
/// 2^-53 of itself from the subtraction, so one unit covers both. Now `|f| 2^-23` lies between one
/// and two units, so the exact difference lies between `f` minus two and `f` minus one unit, and so
/// does its rounded value. Around zero, the smallest normal number serves as the unit.
#[inline]
pub(super) fn down(f: f32) -> f32 {
    f - (f.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

/// Rounds a coordinate of the packed frame up: returns a number at least one unit in the last place
/// above `f` (see [`down`]).
#[inline]
pub(super) fn up(f: f32) -> f32 {
    f + (f.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

/// The packed frame that fits all items of the AABB tree. An item whose box is invalid is an error.
pub(super) fn fitted_frame<const D: usize>(
    len: usize,
    bounds: &(impl Fn(usize) -> Aabb<D> + Sync),
) -> Result<PackedFrame<D>> {
    let all = checked_bounds(len, bounds)?;
    // The median of a few items: the centre of the bounding box would follow any outlier.
    const SAMPLES: usize = 255;
    let step = len.div_ceil(SAMPLES).max(1);
    let mut sample = [0.0; SAMPLES];
    let center = std::array::from_fn(|k| {
        let mut count = 0;
        for (i, middle) in (0..len).step_by(step).zip(&mut sample) {
            *middle = bounds(i).center()[k];
            count += 1;
        }
        match sample[..count].len() {
            0 => 0.0,
            n => *sample[..n].select_nth_unstable_by(n / 2, f64::total_cmp).1,
        }
    });
    Ok(PackedFrame::new(&all, center))
}

/// The bounding box of all items, for the packed frame. An item whose box is invalid is an error.
fn checked_bounds<const D: usize>(
    len: usize,
    bounds: &(impl Fn(usize) -> Aabb<D> + Sync),
) -> Result<Aabb<D>> {
    let valid = |b: &Aabb<D>| {
        (0..D).all(|k| b.min[k] >= -f64::MAX && b.min[k] <= b.max[k] && b.max[k] <= f64::MAX)
    };
    const CHUNK: usize = 1 << 12;
    // Reduced, not collected: refitting a tree allocates nothing.
    let (all, invalid) = (0..len.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut union = Aabb::EMPTY;
            let mut all_valid = true;
            let mut range = chunk * CHUNK..((chunk + 1) * CHUNK).min(len);
            for i in range.clone() {
                let b = bounds(i);
                all_valid &= valid(&b);
                union = union.union(&b);
            }
            let invalid = match all_valid {
                true => None,
                false => range.find(|&i| !valid(&bounds(i))),
            };
            (union, invalid)
        })
        .reduce(
            || (Aabb::EMPTY, None),
            |(union, invalid), (other, later)| (union.union(&other), invalid.or(later)),
        );
    match invalid {
        None => Ok(all),
        Some(i) => Err(Error::item(
            Argument::Box,
            i,
            format!("{:?}", bounds(i)),
            "finite corners with min <= max",
        )),
    }
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
