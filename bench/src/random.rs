//! Random numbers for scenes of benchmarks.

use tangere::geometry::Pose;

/// Random numbers that are the same everywhere (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A point of a cube about the origin that reaches so far.
    pub fn around(&mut self, reach: f64) -> [f64; 3] {
        [0.0; 3].map(|_| reach * (2.0 * self.unit() - 1.0))
    }

    /// A point of the unit sphere, uniform.
    pub fn direction<const D: usize>(&mut self) -> [f64; D] {
        loop {
            let p = [0.0; D].map(|_| 2.0 * self.unit() - 1.0);
            let squared: f64 = p.iter().map(|x| x * x).sum();
            if (0.01..1.0).contains(&squared) {
                return p.map(|x| x / squared.sqrt());
            }
        }
    }

    /// A rotation, uniform.
    pub fn rotation(&mut self) -> tangere::Result<Pose> {
        let [w, x, y, z] = self.direction();
        Pose::from_numbers(&[0.0, 0.0, 0.0, w, x, y, z])
    }
}
