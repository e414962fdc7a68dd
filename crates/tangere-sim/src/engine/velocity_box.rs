//! Bounds of the velocities of some spheres.

use tangere::simd::{LANES, Reals};

/// Lower and upper ends of the velocities of some spheres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityBox {
    pub low: [f64; 4],
    pub high: [f64; 4],
}

impl VelocityBox {
    pub const EMPTY: Self = Self {
        low: [f64::INFINITY; 4],
        high: [f64::NEG_INFINITY; 4],
    };

    #[inline(always)]
    pub fn add(&mut self, velocity: [f64; 4]) {
        for k in 0..4 {
            let x = velocity[k];
            self.low[k] = if x < self.low[k] { x } else { self.low[k] };
            self.high[k] = if x > self.high[k] { x } else { self.high[k] };
        }
    }

    /// From the ends of lines, whose velocities are in the second half.
    #[inline(always)]
    pub fn of_lines<V: Reals>(low: V, high: V) -> Self {
        let (mut lows, mut highs) = ([0.0; LANES], [0.0; LANES]);
        low.store(&mut lows);
        high.store(&mut highs);
        let last = |[.., u, v, w, m]: [f64; LANES]| [u, v, w, m];
        Self {
            low: last(lows),
            high: last(highs),
        }
    }

    /// Adds those of another box.
    #[inline(always)]
    pub fn join(&mut self, other: &Self) {
        for k in 0..4 {
            self.low[k] = if other.low[k] < self.low[k] {
                other.low[k]
            } else {
                self.low[k]
            };
            self.high[k] = if other.high[k] > self.high[k] {
                other.high[k]
            } else {
                self.high[k]
            };
        }
    }

    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// The largest relative speed of two of these spheres.
    pub fn diagonal(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let squares = (0..3).map(|k| (self.high[k] - self.low[k]) * (self.high[k] - self.low[k]));
        let sum: f64 = squares.sum();
        sum.sqrt()
    }

    /// A bound of the speed of these spheres.
    pub fn fastest(&self) -> f64 {
        let largest = |k: usize| self.low[k].abs().max(self.high[k].abs());
        let sum: f64 = (0..3).map(|k| largest(k) * largest(k)).sum();
        sum.sqrt()
    }
}
