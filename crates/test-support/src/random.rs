//! Random numbers that are the same on every machine.

use std::ops::Range;
use tangere::generate;
use tangere::geometry::Pose;

/// The random number generator of the library, with more functions for tests.
#[derive(Clone, Debug)]
pub struct Random(generate::Random);

impl Random {
    /// Returns the generator of the sequence of random numbers that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Random(generate::Random::new(seed))
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a random integer from 0 to `end - 1`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    /// Returns a random integer of `range`, which must not be empty.
    pub fn integer(&mut self, range: Range<i64>) -> i64 {
        range.start + (self.bits() % range.end.abs_diff(range.start)) as i64
    }

    /// Returns true with the probability `one / many`.
    pub fn chance(&mut self, one: usize, many: usize) -> bool {
        self.below(many) < one
    }

    /// Returns a random item of `from`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Puts items in random order (Fisher, Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }

    /// Returns a random float in `[0, 1)`, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Returns a random float in `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Returns a random float from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a random point of the cube `[0, 1)^3`.
    pub fn point(&mut self) -> [f64; 3] {
        [(); 3].map(|()| self.unit())
    }

    /// Returns a random point of the cube about the origin with coordinates from `-size` to `size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.signed())
    }

    /// Returns a random point whose coordinates are integers from 0 to `size - 1`.
    pub fn lattice(&mut self, size: usize) -> [f64; 3] {
        [(); 3].map(|()| self.below(size) as f64)
    }

    /// Returns a random unit vector, uniform on the unit sphere in `D` dimensions.
    pub fn direction<const D: usize>(&mut self) -> [f64; D] {
        loop {
            let p = [(); D].map(|()| self.signed());
            let squared: f64 = p.iter().map(|x| x * x).sum();
            if 0.01 < squared && squared < 1.0 {
                return p.map(|x| x / squared.sqrt());
            }
        }
    }

    /// Returns a pose of a uniform random rotation and the given translation.
    ///
    /// # Panics
    /// If a coordinate of the translation is not finite or too large for a pose.
    pub fn pose(&mut self, [x, y, z]: [f64; 3]) -> Pose {
        let [w, i, j, k] = self.direction();
        Pose::from_numbers(&[x, y, z, w, i, j, k]).expect("a unit quaternion and a translation")
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[(random.integer(-3..4) + 3) as usize] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-1.0..1.0).contains(&random.signed()));
            assert!((2.0..3.0).contains(&random.between(2.0, 3.0)));
            let length: f64 = random.direction::<3>().iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-15);
        }
        assert!(
            seen.iter().all(|count| (800..1200).contains(count)),
            "{seen:?}"
        );
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(2).shuffle(&mut items);
        assert!(items[..50].iter().any(|&item| item >= 50));
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
