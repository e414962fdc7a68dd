//! Recheck: a second evaluation of winding numbers by the multipole method, with a smaller error
//! budget, for the few points for which the first evaluation was not accurate enough.

use super::sorted_points::{Points, SurfaceExpansion};
use super::winding_value::Value;

/// The points to recheck: those whose winding number was not accurate enough in the first
/// evaluation and is evaluated again.
#[derive(Clone, Debug, Default)]
pub(super) struct Recheck {
    numbers: Vec<usize>,
    points: Vec<[f64; 3]>,
    values: Vec<Value>,
    sorted: Points,
}

impl Recheck {
    /// Removes all points from the recheck.
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.points.clear();
    }

    /// Adds the point `p` to the recheck; `number` is its index among all points.
    pub(super) fn push(&mut self, number: usize, p: [f64; 3]) {
        self.numbers.push(number);
        self.points.push(p);
    }

    /// Rechecks the points: evaluates their winding numbers again, with an error of at most
    /// `budget` besides rounding, and replaces their entries in `values`.
    pub(super) fn answer(
        &mut self,
        surface: SurfaceExpansion<'_>,
        budget: f64,
        values: &mut [Value],
    ) {
        self.values.clear();
        self.values.resize(self.points.len(), Value::default());
        self.sorted
            .answer(surface, budget, &self.points, &mut self.values);
        for (&i, &value) in self.numbers.iter().zip(&self.values) {
            values[i] = value;
        }
    }
}
