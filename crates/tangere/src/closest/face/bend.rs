//! Is the squared distance from a point convex on a face?
//!
//! The Hessian of `f = |x - y|^2 / 2` is the matrix `J^T J + (x - y) . D^2 x`, a polynomial. In
//! Bernstein form it is at every place a mean of its control matrices, with positive weights: if
//! they are all positive definite, so is the Hessian everywhere, and a local minimum is the only
//! one. The part without `y` is computed once; the rest is linear in `y`, and of the low degree of
//! second derivatives.

use super::polynomial::{Domain, Polynomial};
use crate::geometry::vector::dot;

type Vector = [f64; 3];
/// Coefficients of `u^i v^j`.
type Scalar = [[f64; 5]; 5];

/// The determinant of a control matrix must be more than this part of the product of its
/// diagonal, so that rounding does not tell.
const SOUND: f64 = 1e-9;

/// The Hessians of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    domain: Domain,
    /// The control matrices without `y`: `uu, uv, vv`.
    base: [[f64; 3]; 25],
    /// Control points of the second derivatives: `uu` in `v`, `uv` at the corners, `vv` in `u`.
    uu: [Vector; 3],
    uv: [Vector; 4],
    vv: [Vector; 3],
    /// Whether second derivatives vanish.
    is_flat: bool,
}

impl Bend {
    pub fn new(face: &Polynomial) -> Self {
        let c = face.coefficients();
        let (u, v) = (face.derivative(true), face.derivative(false));
        let (of_u, of_v) = (face.with(u), face.with(v));
        let (uu, uv, vv) = (
            of_u.derivative(true),
            of_u.derivative(false),
            of_v.derivative(false),
        );
        let sum = |a: Scalar, b: Scalar| -> Scalar {
            std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + b[i][j]))
        };
        let hessian = [
            sum(product(&u, &u), product(c, &uu)),
            sum(product(&u, &v), product(c, &uv)),
            sum(product(&v, &v), product(c, &vv)),
        ];
        let controls = hessian.map(|h| controls(face.domain, &h));
        let at = |p: &[[Vector; 3]; 3], xi: [f64; 2]| face.with(*p).point(xi);
        let corner = |p: &[[Vector; 3]; 3], k: usize| {
            let corners = face.domain.corners();
            at(p, corners[k % corners.len()])
        };
        Self {
            domain: face.domain,
            base: std::array::from_fn(|k| controls.map(|c| c[k])),
            uu: on_interval([uu[0][0], uu[0][1], uu[0][2]]),
            uv: std::array::from_fn(|k| corner(&uv, k)),
            vv: on_interval([vv[0][0], vv[1][0], vv[2][0]]),
            is_flat: [uu, uv, vv].as_flattened().as_flattened().as_flattened() == [0.0; 81],
        }
    }

    /// Whether the squared distance from `y` is strictly convex on the face.
    #[inline]
    pub fn is_convex(&self, y: Vector) -> bool {
        match self.domain {
            Domain::Segment => {
                let bent = dot(y, self.uu[0]);
                self.base[..3].iter().all(|h| h[0] - bent > 0.0)
            }
            Domain::Triangle => {
                let (uu, uv, vv) = (dot(y, self.uu[0]), dot(y, self.uv[0]), dot(y, self.vv[0]));
                let mut sound = true;
                for h in &self.base[..6] {
                    sound &= is_positive(h[0] - uu, h[1] - uv, h[2] - vv);
                }
                sound
            }
            Domain::Square => {
                let uu = raised(self.uu.map(|a| dot(y, a)));
                let vv = raised(self.vv.map(|a| dot(y, a)));
                // At the corners (-1, -1), (1, -1), (1, 1), (-1, 1), and in between.
                let [a, b, c, d] = self.uv.map(|a| dot(y, a));
                let mut sound = true;
                for j in 0..5 {
                    let t = 0.25 * j as f64;
                    let (low, high) = (a + t * (d - a), b + t * (c - b));
                    for i in 0..5 {
                        let uv = low + 0.25 * i as f64 * (high - low);
                        let h = &self.base[5 * j + i];
                        sound &= is_positive(h[0] - uu[j], h[1] - uv, h[2] - vv[i]);
                    }
                }
                sound
            }
        }
    }

    /// Whether the face is flat, and its coordinates are linear.
    pub fn is_flat(&self) -> bool {
        self.is_flat
    }
}

#[inline]
fn is_positive(h: f64, k: f64, l: f64) -> bool {
    (h > 0.0) & (l > 0.0) & (h * l * (1.0 - SOUND) > k * k)
}

/// The product of two vectors that are polynomials.
fn product(p: &[[Vector; 3]; 3], q: &[[Vector; 3]; 3]) -> Scalar {
    let mut out = [[0.0; 5]; 5];
    for (i, row) in p.iter().enumerate() {
        for (j, a) in row.iter().enumerate() {
            for (k, other) in q.iter().enumerate() {
                for (l, b) in other.iter().enumerate() {
                    out[i + k][j + l] += dot(*a, *b);
                }
            }
        }
    }
    out
}

/// The control values of a polynomial: on a segment of degree 2, on a triangle of degree 2 in all,
/// on a square of degree 4 in each coordinate, `u` first.
fn controls(domain: Domain, c: &Scalar) -> [f64; 25] {
    let mut out = [0.0; 25];
    match domain {
        Domain::Segment => {
            let (a, b, d) = (c[0][0], c[1][0], c[2][0]);
            out[..3].copy_from_slice(&[a - b + d, a - d, a + b + d]);
        }
        Domain::Triangle => {
            let (o, r, s) = (c[0][0], c[1][0], c[0][1]);
            out[..6].copy_from_slice(&[
                o,
                o + 0.5 * r,
                o + r + c[2][0],
                o + 0.5 * s,
                o + s + c[0][2],
                o + 0.5 * (r + s + c[1][1]),
            ]);
        }
        Domain::Square => {
            // The monomials of [-1, 1] in Bernstein form of degree 4.
            const FORM: [[f64; 5]; 5] = [
                [1.0, 1.0, 1.0, 1.0, 1.0],
                [-1.0, -0.5, 0.0, 0.5, 1.0],
                [1.0, 0.0, -1.0 / 3.0, 0.0, 1.0],
                [-1.0, 0.5, 0.0, -0.5, 1.0],
                [1.0, -1.0, 1.0, -1.0, 1.0],
            ];
            for j in 0..5 {
                for i in 0..5 {
                    let mut sum = 0.0;
                    for (p, row) in c.iter().enumerate() {
                        for (q, coefficient) in row.iter().enumerate() {
                            sum += coefficient * FORM[p][i] * FORM[q][j];
                        }
                    }
                    out[5 * j + i] = sum;
                }
            }
        }
    }
    out
}

/// Control points of a parabola on `[-1, 1]`.
fn on_interval([a, b, c]: [Vector; 3]) -> [Vector; 3] {
    [
        std::array::from_fn(|k| a[k] - b[k] + c[k]),
        std::array::from_fn(|k| a[k] - c[k]),
        std::array::from_fn(|k| a[k] + b[k] + c[k]),
    ]
}

/// The control values of a parabola as those of degree 4.
#[inline]
fn raised([a, b, c]: [f64; 3]) -> [f64; 5] {
    [
        a,
        0.5 * (a + b),
        (a + 4.0 * b + c) * (1.0 / 6.0),
        0.5 * (b + c),
        c,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Face, FaceKind};

    /// Control matrices are means of Hessians: their values at corners are those of the face, and
    /// the sum of them all is that of the integral.
    #[test]
    fn control_matrices_agree_with_hessians() {
        for kind in [
            FaceKind::Seg3,
            FaceKind::Tri6,
            FaceKind::Quad4,
            FaceKind::Quad8,
            FaceKind::Quad9,
        ] {
            let nodes: Vec<[f64; 3]> = kind
                .node_coordinates()
                .iter()
                .enumerate()
                .map(|(n, &[u, v])| {
                    let noise = |k: usize| (0.1 * ((7 * n + 3 * k) as f64)).sin() * 0.2;
                    [u + noise(0), v + noise(1), noise(2)]
                })
                .collect();
            let face = Face::new(kind, &nodes).unwrap();
            let polynomial = Polynomial::new(&face, [0.0; 3]);
            let bend = Bend::new(&polynomial);
            let picks: &[usize] = match polynomial.domain {
                Domain::Segment => &[0, 2],
                Domain::Triangle => &[0, 2, 4],
                Domain::Square => &[0, 4, 24, 20],
            };
            for (&pick, &xi) in picks.iter().zip(polynomial.domain.corners()) {
                let jet = polynomial.jet(xi);
                let expected = [
                    dot(jet.u, jet.u) + dot(jet.x, jet.uu),
                    dot(jet.u, jet.v) + dot(jet.x, jet.uv),
                    dot(jet.v, jet.v) + dot(jet.x, jet.vv),
                ];
                for k in 0..3 {
                    let found = bend.base[pick][k];
                    assert!((found - expected[k]).abs() < 1e-12, "{kind} {xi:?} {k}");
                }
            }
        }
    }
}
