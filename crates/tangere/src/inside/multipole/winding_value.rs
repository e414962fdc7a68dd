//! Winding number of a point by the multipole method, with the bound on its error.

use super::direct_sums::Mark;
use crate::inside::solid_angle::Fraction;

/// The winding value of a point: its winding number, the bound on its error, and the mark whether
/// the point is off, close to or on the surface.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    pub(super) winding: f64,
    pub(super) error: f64,
    pub(super) mark: Mark,
}

impl Value {
    /// The winding number rounded to an integer. `None` if not all values within the error bound
    /// round to the same integer, or if the point is on the surface or too close to it.
    #[inline]
    pub(super) fn rounded(&self) -> Option<f64> {
        // Drops the sign of zero, which would be that of an error.
        let nearest = self.winding.round() + 0.0;
        let is_clear = (self.winding - nearest).abs() + self.error < 0.5;
        (self.mark == Mark::Off && is_clear).then_some(nearest)
    }

    /// The winding value itself if it is finite; otherwise a value with an infinite error.
    #[inline]
    pub(super) fn or_unknown(self) -> Self {
        match (self.winding + self.error).is_finite() {
            true => self,
            false => Value {
                winding: 0.0,
                error: f64::INFINITY,
                ..self
            },
        }
    }
}

/// The winding number of a point with its error bound, as a [`Fraction`] of the sphere of
/// directions.
pub(super) fn fraction(value: &Value) -> Fraction {
    Fraction {
        value: value.winding,
        error: value.error,
    }
}
