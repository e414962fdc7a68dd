//! Simplex of up to four vertices of the Minkowski difference, and its point nearest to the origin.
//!
//! GJK moves such a simplex towards the origin, and EPA starts with one that contains it.

use super::relative_frame::RelativeFrame;
use super::vectors::area;
use crate::geometry::vector::{dot, minus};

/// A triangle of the simplex is thin, so that its normal is inaccurate, if the squared sine of its
/// angle at the first corner is below this.
const THIN: f64 = 1e-6;

/// A simplex of up to four vertices of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    pub len: usize,
    pub pairs: [[u32; 2]; 4],
    pub points: [[f64; 3]; 4],
    /// Barycentric weights of the point of the simplex nearest to the origin, one for each corner.
    pub weights: [f64; 4],
}

impl Simplex {
    /// The simplex whose corners are vertices of the Minkowski difference, each given by a pair of
    /// vertices of the bodies. Pairs after the fourth are ignored.
    pub fn new(frame: &RelativeFrame, pairs: &[[u32; 2]]) -> Self {
        let mut simplex = Self {
            len: 0,
            pairs: [[0; 2]; 4],
            points: [[0.0; 3]; 4],
            weights: [0.0; 4],
        };
        for &pair in pairs.iter().take(4) {
            simplex.push(pair, frame.difference(pair));
        }
        simplex
    }

    /// Adds a corner to the simplex: the difference `point` of two vertices, one of each body, with
    /// the indices `pair`.
    pub fn push(&mut self, pair: [u32; 2], point: [f64; 3]) {
        self.pairs[self.len] = pair;
        self.points[self.len] = point;
        self.len += 1;
    }

    /// The pair of vertices of the bodies that makes each corner of the simplex.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs[..self.len]
    }

    /// Reduces the simplex to the corners whose weight in its point nearest to the origin is
    /// positive; returns that point.
    pub fn reduce(&mut self) -> [f64; 3] {
        let nearest = nearest(&self.points, self.len);
        let mut kept = 0;
        for k in 0..self.len {
            if nearest.weights[k] > 0.0 {
                self.pairs[kept] = self.pairs[k];
                self.points[kept] = self.points[k];
                self.weights[kept] = nearest.weights[k];
                kept += 1;
            }
        }
        self.len = kept;
        nearest.point
    }
}

/// The point of a simplex nearest to the origin, with its barycentric weights.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub point: [f64; 3],
    pub weights: [f64; 4],
}

/// The point nearest to the origin in the simplex whose corners are the first `len` points.
fn nearest(points: &[[f64; 3]; 4], len: usize) -> Nearest {
    let [p, q, r, s] = *points;
    match len {
        0 | 1 => Nearest {
            point: p,
            weights: [1.0, 0.0, 0.0, 0.0],
        },
        2 => nearest_on_segment(p, q),
        3 => nearest_on_triangle(p, q, r),
        _ => nearest_in_tetrahedron(p, q, r, s),
    }
}

/// The point of a simplex of two corners, a segment, nearest to the origin.
fn nearest_on_segment(p: [f64; 3], q: [f64; 3]) -> Nearest {
    let along = minus(q, p);
    let squared = dot(along, along);
    let t = if squared > 0.0 {
        (-dot(p, along) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Nearest {
        point: std::array::from_fn(|k| p[k] + t * along[k]),
        weights: [1.0 - t, t, 0.0, 0.0],
    }
}

/// The point of a simplex of three corners, a triangle, nearest to the origin.
///
/// If the projection of the origin is on the inner side of all three edges, the nearest point is
/// this projection. Otherwise the nearest point is on one of the edges beyond which the projection
/// lies.
pub(super) fn nearest_on_triangle(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> Nearest {
    let n = area(p, q, r);
    let squared = dot(n, n);
    // Areas of the triangles of the edges and the projection of the origin.
    let inner = [(q, r), (r, p), (p, q)].map(|(from, to)| {
        let back = from.map(|x| 0.0 - x);
        dot(n, crate::geometry::vector::cross(minus(to, from), back))
    });
    if squared > 0.0 && inner.iter().all(|&x| x > 0.0) {
        let sum = inner[0] + inner[1] + inner[2];
        let weights = inner.map(|x| x / sum);
        let height = dot(n, p) / squared;
        let mut point = n.map(|x| x * height);
        // A thin triangle has an inaccurate normal but accurate corners.
        if squared < THIN * dot(minus(q, p), minus(q, p)) * dot(minus(r, p), minus(r, p)) {
            point =
                std::array::from_fn(|k| weights[0] * p[k] + weights[1] * q[k] + weights[2] * r[k]);
        }
        return Nearest {
            point,
            weights: [weights[0], weights[1], weights[2], 0.0],
        };
    }
    let corners = [p, q, r];
    let mut best = f64::INFINITY;
    let mut out = Nearest {
        point: p,
        weights: [1.0, 0.0, 0.0, 0.0],
    };
    for k in 0..3 {
        if inner[k] > 0.0 && squared > 0.0 {
            continue;
        }
        let (from, to) = ((k + 1) % 3, (k + 2) % 3);
        let side = nearest_on_segment(corners[from], corners[to]);
        let distance = dot(side.point, side.point);
        if distance < best {
            best = distance;
            out.point = side.point;
            out.weights = [0.0; 4];
            out.weights[from] = side.weights[0];
            out.weights[to] = side.weights[1];
        }
    }
    out
}

/// The point of a simplex of four corners, a tetrahedron, nearest to the origin: the origin, or the
/// nearest point of a face beyond which the origin is.
fn nearest_in_tetrahedron(p: [f64; 3], q: [f64; 3], r: [f64; 3], s: [f64; 3]) -> Nearest {
    let corners = [p, q, r, s];
    let mut best: Option<(f64, Nearest)> = None;
    let mut volumes = [0.0; 4];
    for apex in 0..4 {
        let [x, y, z] = [1, 2, 3].map(|k| (apex + k) % 4);
        let n = area(corners[x], corners[y], corners[z]);
        let height = dot(n, minus(corners[apex], corners[x]));
        let origin = 0.0 - dot(n, corners[x]);
        volumes[apex] = origin * height.signum();
        // Beyond the face, or the tetrahedron is flat.
        if origin * height <= 0.0 {
            let face = nearest_on_triangle(corners[x], corners[y], corners[z]);
            let distance = dot(face.point, face.point);
            if best.is_none_or(|(least, _)| distance < least) {
                let mut weights = [0.0; 4];
                weights[x] = face.weights[0];
                weights[y] = face.weights[1];
                weights[z] = face.weights[2];
                best = Some((
                    distance,
                    Nearest {
                        point: face.point,
                        weights,
                    },
                ));
            }
        }
    }
    match best {
        Some((_, nearest)) => nearest,
        None => {
            let sum: f64 = volumes.iter().sum();
            Nearest {
                point: [0.0; 3],
                weights: volumes.map(|v| v / sum),
            }
        }
    }
}
