//! Winding number of a point by the multipole method, with its error.

use super::direct_sums::Mark;
use crate::inside::solid_angle::Fraction;

/// The winding value of a point: its winding number, with error and mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    pub(super) winding: f64,
    pub(super) error: f64,
    pub(super) mark: Mark,
}

impl Value {
    /// The winding value rounded to an integer, if all values within its error round to the same
    /// one and the point is not on the surface or too close to it; `None` otherwise.
    #[inline]
    pub(super) fn rounded(&self) -> Option<f64> {
        // Drops the sign of zero, which would be that of an error.
        let nearest = self.winding.round() + 0.0;
        let is_clear = (self.winding - nearest).abs() + self.error < 0.5;
        (self.mark == Mark::Off && is_clear).then_some(nearest)
    }

    /// The winding value, or one of infinite error if it is NaN.
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

/// The winding value of a point as a fraction of the sphere with its error.
pub(super) fn fraction(value: &Value) -> Fraction {
    Fraction {
        value: value.winding,
        error: value.error,
    }
}
