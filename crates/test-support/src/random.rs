//! Random numbers that are the same on every machine.

use std::ops::Range;
use tangere::generate;
use tangere::geometry::Pose;

/// The library's random numbers, and what tests make of them.
#[derive(Clone, Debug)]
pub struct Random(generate::Random);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(generate::Random::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// An integer below `end`, 0 where `end` is.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    /// An integer of a range that is not empty.
    pub fn integer(&mut self, range: Range<i64>) -> i64 {
        range.start + (self.bits() % range.end.abs_diff(range.start)) as i64
    }

    /// True in `one` of `many` cases.
    pub fn chance(&mut self, one: usize, many: usize) -> bool {
        self.below(many) < one
    }

    /// An item of a slice that is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Puts items in random order (Fisher, Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }

    /// A float in `[0, 1)`, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// A float in `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A float from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point of the unit cube.
    pub fn point(&mut self) -> [f64; 3] {
        [(); 3].map(|()| self.unit())
    }

    /// A point of a cube about the origin whose sides are `2 * size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.signed())
    }

    /// A point of a lattice, with coordinates from 0 to `size - 1`.
    pub fn lattice(&mut self, size: usize) -> [f64; 3] {
        [(); 3].map(|()| self.below(size) as f64)
    }

    /// A unit vector, uniform.
    pub fn direction<const D: usize>(&mut self) -> [f64; D] {
        loop {
            let p = [(); D].map(|()| self.signed());
            let squared: f64 = p.iter().map(|x| x * x).sum();
            if 0.01 < squared && squared < 1.0 {
                return p.map(|x| x / squared.sqrt());
            }
        }
    }

    /// A rotation, uniform, and then a translation.
    ///
    /// # Panics
    /// If the translation is out of the range of poses.
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
