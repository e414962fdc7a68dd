//! Substitutes for the paper's meshes, which are not given: a motorcycle and a jet, assembled from
//! parts whose faces differ much in size, as in the paper.
//!
//! Parts intersect each other; x points forward, y to the left, z up, lengths are in metres.

use crate::Effort;
use std::f64::consts::TAU;
use tangere::generate;
use tangere::shape::TriMesh;

/// The number of faces of the paper's motorcycle.
pub const MOTORCYCLE_FACES: usize = 17_955;

/// The number of faces of the jet. The paper does not give it; here it is about that of the
/// motorcycle, because in the paper the hierarchies of both bodies have the same mean height.
const JET_FACES: usize = 18_000;

/// Whether the effort is large enough for bodies with as many faces as in the paper.
pub fn is_fine(effort: &Effort) -> bool {
    effort.largest >= 4000
}

/// The parts of a body under construction.
struct Parts {
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
    /// Factor by which the resolution of round parts is reduced.
    coarseness: usize,
}

impl Parts {
    fn new(is_fine: bool) -> Self {
        Self {
            vertices: Vec::new(),
            faces: Vec::new(),
            coarseness: if is_fine { 1 } else { 3 },
        }
    }

    fn count(&self, fine: usize) -> usize {
        (fine / self.coarseness).max(3)
    }

    fn level(&self, fine: u32) -> u32 {
        (fine + 1).saturating_sub(self.coarseness as u32).min(fine)
    }

    /// Adds a surface, with its vertices transformed by `placed`.
    fn add(&mut self, mesh: TriMesh, placed: impl Fn([f64; 3]) -> [f64; 3]) {
        let base = self.vertices.len() as u32;
        let (vertices, faces) = mesh.into_parts();
        self.vertices.extend(vertices.into_iter().map(placed));
        self.faces
            .extend(faces.into_iter().map(|face| face.map(|v| v + base)));
    }

    /// Adds a surface of revolution about the x-axis, with its vertices transformed by `placed`. A
    /// point of `profile` is a position along the axis and a radius.
    fn add_turned(
        &mut self,
        profile: &[[f64; 2]],
        around: usize,
        is_ring: bool,
        placed: impl Fn([f64; 3]) -> [f64; 3],
    ) {
        let (base, rows) = (self.vertices.len() as u32, profile.len());
        for &[along, away] in profile {
            for i in 0..around {
                let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
                self.vertices.push(placed([along, away * cos, away * sin]));
            }
        }
        let at = |row: usize, i: usize| base + ((row % rows) * around + i % around) as u32;
        for row in 0..if is_ring { rows } else { rows - 1 } {
            for i in 0..around {
                let [a, b] = [at(row, i), at(row, i + 1)];
                let [c, d] = [at(row + 1, i), at(row + 1, i + 1)];
                // At a tip one of the two triangles is degenerate.
                if profile[row][1] > 0.0 {
                    self.faces.push([a, b, c]);
                }
                if profile[(row + 1) % rows][1] > 0.0 {
                    self.faces.push([b, d, c]);
                }
            }
        }
    }

    /// Adds a torus about an axis through `place` along y. `radius` is the radius of its centre
    /// line, `section` that of its cross section. `counts` are the numbers of divisions around the
    /// axis and around the cross section.
    fn add_ring(&mut self, radius: f64, section: f64, counts: [usize; 2], place: [f64; 3]) {
        let [around, across] = counts.map(|count| self.count(count));
        let profile: Vec<[f64; 2]> = (0..across)
            .map(|i| {
                let (sin, cos) = (TAU * i as f64 / across as f64).sin_cos();
                [section * cos, radius + section * sin]
            })
            .collect();
        self.add_turned(&profile, around, true, |[x, y, z]| {
            [place[0] + y, place[1] + x, place[2] + z]
        });
    }

    /// Adds a tube, open at its ends. `counts` are the numbers of divisions along and around it.
    fn add_tube(&mut self, [from, to]: [[f64; 3]; 2], radius: f64, counts: [usize; 2]) {
        let [along, around] = counts.map(|count| self.count(count));
        let axis: [f64; 3] = std::array::from_fn(|k| to[k] - from[k]);
        // The direction must not be along the axis; tubes lie in planes of constant y or along y.
        let aside = if axis[1].abs() > axis[0].abs().max(axis[2].abs()) {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 1.0, 0.0]
        };
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let unit = axis.map(|x| x / length);
        let third = [
            unit[1] * aside[2] - unit[2] * aside[1],
            unit[2] * aside[0] - unit[0] * aside[2],
            unit[0] * aside[1] - unit[1] * aside[0],
        ];
        let profile: Vec<[f64; 2]> = (0..=along)
            .map(|i| [i as f64 / along as f64, radius])
            .collect();
        self.add_turned(&profile, around, false, |[t, u, v]| {
            std::array::from_fn(|k| from[k] + t * axis[k] + u * aside[k] + v * third[k])
        });
    }

    /// Returns the body. At full resolution it has exactly `faces` faces: a convex part supplies
    /// the missing ones, and a surplus is removed.
    fn body(
        mut self,
        faces: usize,
        placed: impl Fn([f64; 3]) -> [f64; 3],
    ) -> tangere::Result<TriMesh> {
        if self.coarseness == 1 {
            // Closed surfaces have an even number of faces; a surplus face is removed.
            let missing = faces.saturating_sub(self.faces.len()).next_multiple_of(2);
            if missing >= 4 {
                self.add(generate::hull(missing, 1)?, placed);
            }
            self.faces.truncate(faces);
        }
        TriMesh::new(self.vertices, self.faces)
    }
}

/// Returns a motorcycle, 2.2 m long, that drives along x.
pub fn motorcycle(is_fine: bool) -> tangere::Result<TriMesh> {
    let mut parts = Parts::new(is_fine);
    for x in [-0.72, 0.75] {
        let hub = [x, 0.0, 0.33];
        parts.add_ring(0.26, 0.07, [48, 14], hub);
        parts.add_ring(0.19, 0.015, [40, 6], hub);
        parts.add_ring(0.1, 0.012, [40, 4], [x, 0.09, 0.33]);
        for spoke in 0..12 {
            let (sin, cos) = (TAU * f64::from(spoke) / 12.0).sin_cos();
            let end = [x + 0.18 * cos, 0.0, 0.33 + 0.18 * sin];
            parts.add_tube([hub, end], 0.004, [3, 9]);
        }
    }
    let frame = [
        [[-0.72, 0.1, 0.33], [-0.1, 0.1, 0.42]],
        [[-0.72, 0.1, 0.34], [-0.35, 0.1, 0.85]],
        [[-0.1, 0.1, 0.42], [-0.35, 0.1, 0.8]],
        [[-0.35, 0.06, 0.8], [0.45, 0.06, 0.88]],
        [[-0.1, 0.06, 0.35], [0.45, 0.06, 0.8]],
    ];
    for [from, to] in frame {
        for side in [1.0, -1.0] {
            let ends = [from, to].map(|[x, y, z]| [x, side * y, z]);
            parts.add_tube(ends, 0.017, [3, 12]);
        }
    }
    for side in [0.11, -0.11] {
        parts.add_tube([[0.75, side, 0.33], [0.47, side, 1.0]], 0.025, [3, 18]);
        parts.add_tube([[0.3, side, 0.3], [-0.75, side, 0.3]], 0.04, [30, 15]);
        parts.add(generate::sphere(parts.level(2))?, |[x, y, z]| {
            [0.4 + 0.03 * x, 3.0 * side + 0.07 * y, 1.15 + 0.045 * z]
        });
    }
    parts.add_tube([[0.43, -0.38, 1.05], [0.43, 0.38, 1.05]], 0.014, [24, 9]);
    // The motor is a block full of holes, and two cylinders with fins.
    let level = if is_fine { 2 } else { 1 };
    let edge = f64::powi(3.0, level);
    parts.add(generate::sponge(level as u32)?, |[x, y, z]| {
        [
            -0.15 + 0.36 * x / edge,
            -0.14 + 0.28 * y / edge,
            0.26 + 0.24 * z / edge,
        ]
    });
    let fins: Vec<[f64; 2]> = (0..18)
        .map(|i| [0.014 * f64::from(i), if i % 2 == 0 { 0.055 } else { 0.09 }])
        .collect();
    for lean in [-0.5, 0.5] {
        let around = parts.count(24);
        parts.add_turned(&fins, around, false, |[x, y, z]| {
            [0.03 + lean * x + 0.9 * z, y, 0.48 + x - 0.4 * lean * z]
        });
    }
    parts.add(generate::sphere(parts.level(4))?, |[x, y, z]| {
        [0.15 + 0.3 * x, 0.15 * y, 0.9 + 0.13 * z * (1.0 + 0.4 * x)]
    });
    parts.add(
        generate::hull(400 / parts.coarseness / 2 * 2, 2)?,
        |[x, y, z]| [-0.42 + 0.36 * x, 0.2 * y, 0.87 + 0.1 * z - 0.06 * x],
    );
    parts.add(generate::sphere(parts.level(3))?, |[x, y, z]| {
        [0.6 + 0.09 * x, 0.09 * y, 0.95 + 0.09 * z]
    });
    // The windshield has few large faces.
    parts.add(generate::plate([0.5, 0.4], [2, 2])?, |[x, y, _]| {
        [0.56 - 0.25 * x - 0.3 * y * y, y, 1.2 + x * 0.6]
    });
    // Chain and bolts have very small faces.
    for link in 0..parts.count(80) {
        let t = link as f64 / parts.count(80) as f64;
        let z = if t < 0.5 { 0.36 } else { 0.3 };
        let x = -0.72 + 1.3 * if t < 0.5 { t } else { 1.0 - t };
        parts.add(generate::box_mesh([0.01, 0.006, 0.008], [1; 3])?, |p| {
            [x + p[0], 0.13 + p[1], z + p[2]]
        });
    }
    for bolt in 0..parts.count(60) {
        let (sin, cos) = (TAU * bolt as f64 / parts.count(60) as f64).sin_cos();
        let side = if bolt % 2 == 0 { 0.15 } else { -0.15 };
        parts.add(generate::sphere(1)?, |p| {
            let [x, y, z] = p.map(|x| 0.006 * x);
            [0.03 + 0.12 * cos + x, side + y, 0.38 + 0.1 * sin + z]
        });
    }
    // The missing faces form a case behind the seat.
    parts.body(MOTORCYCLE_FACES, |[x, y, z]| {
        [-0.85 + 0.2 * x, 0.3 * y, 0.95 + 0.25 * z]
    })
}

/// Returns a jet, 16 m long.
pub fn jet(is_fine: bool) -> tangere::Result<TriMesh> {
    let mut parts = Parts::new(is_fine);
    let round = |count: usize, [from, to]: [f64; 2], radius: f64, power: f64| -> Vec<[f64; 2]> {
        let at = |i: usize| {
            let t = i as f64 / count as f64;
            // The profile is thin at both ends.
            let away = (4.0 * t * (1.0 - t)).powf(power);
            [from + t * (to - from), radius * away]
        };
        (0..=count).map(at).collect()
    };
    let (along, around) = (parts.count(54), parts.count(36));
    parts.add_turned(&round(along, [-8.0, 8.0], 0.8, 0.6), around, false, |p| p);
    for side in [1.0, -1.0] {
        // The wings are swept, with faces that get smaller toward the tip.
        let divisions = [parts.count(15) as u32, parts.count(24) as u32, 1];
        parts.add(
            generate::box_mesh([1.0, 1.0, 1.0], divisions)?,
            |[x, y, z]| {
                let out = 1.0 - (0.5 - y) * (0.5 - y);
                let chord = 3.2 - 2.4 * out;
                [
                    0.5 - 2.8 * out + chord * x,
                    side * (0.5 + 5.5 * out),
                    0.14 * (1.0 - 0.8 * out) * z,
                ]
            },
        );
        let divisions = [parts.count(7) as u32, parts.count(8) as u32, 1];
        parts.add(
            generate::box_mesh([1.0, 1.0, 1.0], divisions)?,
            |[x, y, z]| {
                let out = y + 0.5;
                [
                    -6.6 - 1.2 * out + (1.3 - 0.6 * out) * x,
                    side * (0.3 + 2.0 * out),
                    0.3 + 0.08 * z,
                ]
            },
        );
        let divisions = [parts.count(7) as u32, 1, parts.count(8) as u32];
        parts.add(
            generate::box_mesh([1.0, 1.0, 1.0], divisions)?,
            |[x, y, z]| {
                let out = z + 0.5;
                [
                    -6.2 - 1.2 * out + (1.6 - 0.8 * out) * x,
                    side * (0.5 + 0.5 * out) + 0.08 * y,
                    0.4 + 2.0 * out,
                ]
            },
        );
        let (along, around) = (parts.count(30), parts.count(27));
        let nozzle: Vec<[f64; 2]> = (0..=along)
            .map(|i| {
                let t = i as f64 / along as f64;
                [-8.6 + 4.0 * t, 0.42 + 0.1 * (6.0 * t).sin()]
            })
            .collect();
        parts.add_turned(&nozzle, around, false, |[x, y, z]| {
            [x, side * 0.65 + y, -0.1 + z]
        });
        for rack in [2.4, 3.6] {
            let (along, around) = (parts.count(12), parts.count(12));
            let store = round(along, [-2.4, 0.4], 0.12, 0.4);
            parts.add_turned(&store, around, false, |[x, y, z]| {
                [x, side * rack + y, -0.35 + z]
            });
        }
        parts.add_ring(0.3, 0.12, [24, 9], [-1.0, side * 1.1, -1.3]);
        parts.add_tube([[-1.0, side, -1.3], [-0.8, side, 0.0]], 0.07, [3, 9]);
    }
    parts.add_ring(0.22, 0.09, [24, 9], [4.6, 0.0, -1.35]);
    parts.add_tube([[4.6, 0.0, -1.35], [4.4, 0.0, 0.0]], 0.06, [3, 9]);
    parts.add_tube([[7.9, 0.0, 0.0], [9.0, 0.0, 0.0]], 0.015, [3, 6]);
    parts.add(generate::sphere(parts.level(3))?, |[x, y, z]| {
        [4.2 + 1.3 * x, 0.45 * y, 0.55 + 0.5 * z]
    });
    // Rivets have very small faces.
    for rivet in 0..parts.count(120) {
        let (sin, cos) = (0.9 * rivet as f64).sin_cos();
        let x = -5.0 + 0.08 * rivet as f64;
        parts.add(generate::sphere(0)?, |p| {
            let [u, v, w] = p.map(|x| 0.012 * x);
            [x + u, 0.8 * cos + v, 0.8 * sin + w]
        });
    }
    // The missing faces form an air intake under the body.
    parts.body(JET_FACES, |[x, y, z]| {
        [1.0 + 2.2 * x, 0.9 * y, -0.6 + 0.7 * z]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_as_many_faces_as_the_papers() {
        for (made, faces) in [
            (motorcycle as fn(bool) -> _, MOTORCYCLE_FACES),
            (jet, JET_FACES),
        ] {
            let (fine, coarse) = (made(true).unwrap(), made(false).unwrap());
            assert_eq!(fine.faces().len(), faces);
            assert!((300..faces / 3).contains(&coarse.faces().len()));
            assert_eq!(fine.report().degenerate_triangles, 0);
        }
    }
}
