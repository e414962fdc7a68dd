//! Axis-aligned boxes.

/// An axis-aligned box: all points `min <= x <= max`.
///
/// Closed: boxes that share only a face overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// The lower corner.
    pub min: [f64; D],
    /// The upper corner.
    pub max: [f64; D],
}

impl<const D: usize> Aabb<D> {
    /// The box that contains nothing: the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self {
        min: [f64::INFINITY; D],
        max: [f64::NEG_INFINITY; D],
    };

    /// The smallest box around points; [`Aabb::EMPTY`] of none.
    pub fn of_points(points: impl IntoIterator<Item = [f64; D]>) -> Self {
        let mut bounds = Self::EMPTY;
        for p in points {
            bounds.include(p);
        }
        bounds
    }

    /// Grows the box to contain a point.
    #[inline]
    pub fn include(&mut self, p: [f64; D]) {
        for (k, &x) in p.iter().enumerate() {
            self.min[k] = self.min[k].min(x);
            self.max[k] = self.max[k].max(x);
        }
    }

    /// The smallest box around two boxes.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        let mut bounds = *self;
        for k in 0..D {
            bounds.min[k] = bounds.min[k].min(other.min[k]);
            bounds.max[k] = bounds.max[k].max(other.max[k]);
        }
        bounds
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Whether the point lies in the closed box.
    #[inline]
    pub fn contains(&self, p: [f64; D]) -> bool {
        (0..D).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// The middle of the box.
    #[inline]
    pub fn center(&self) -> [f64; D] {
        std::array::from_fn(|k| 0.5 * self.min[k] + 0.5 * self.max[k])
    }

    /// The edge lengths.
    #[inline]
    pub fn extent(&self) -> [f64; D] {
        std::array::from_fn(|k| self.max[k] - self.min[k])
    }
}
