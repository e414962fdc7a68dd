//! Finite element faces: their Bernstein form, meshes of them, folds, normals,
//! and the boundary of meshes of volume elements.

mod bernstein;
mod boundary;
mod folds;
mod meshes;
mod normals;

use tangere::shape::FaceKind;

/// Numbers from -1 to 1 that are the same every time.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number.
    pub fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The nodes of the flat reference face, moved.
    pub fn nodes(&mut self, kind: FaceKind, bend: f64) -> Vec<[f64; 3]> {
        let flat = kind.dimension() == 1;
        let coordinates = kind.node_coordinates().iter();
        coordinates
            .map(|&[x, y]| {
                let [dx, dy, dz] = [self.number(), self.number(), self.number()].map(|d| bend * d);
                [x + dx, y + dy, if flat { 0.0 } else { dz }]
            })
            .collect()
    }

    /// A place of the reference domain.
    pub fn xi(&mut self, kind: FaceKind) -> [f64; 2] {
        let [x, y] = [self.number(), self.number()];
        match kind.corners() {
            2 => [x, 0.0],
            3 => {
                let [r, s] = [x, y].map(|x| 0.5 + 0.5 * x);
                if r + s > 1.0 {
                    [1.0 - r, 1.0 - s]
                } else {
                    [r, s]
                }
            }
            _ => [x, y],
        }
    }
}
