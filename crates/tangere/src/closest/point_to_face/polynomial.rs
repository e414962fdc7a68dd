//! Polynomials of finite element faces.
//!
//! Every kind of face is a polynomial `x(u, v) = sum c_ij u^i v^j` with `i, j <= 2`, so values and
//! derivatives of all kinds are the same few products. A part of a face, scaled to the reference
//! domain, is a polynomial of the same form.

use crate::geometry::vector::{dot, minus};
use crate::shape::{Face, FaceKind};

/// A vector in space.
type Vector = [f64; 3];

/// The reference domain of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::closest) enum Domain {
    /// The segment of all reference coordinates `u` with `-1 <= u <= 1`; `v` is 0.
    Segment,
    /// The triangle of all reference coordinates with `0 <= u`, `0 <= v` and `u + v <= 1`.
    Triangle,
    /// The square of all reference coordinates with `-1 <= u <= 1` and `-1 <= v <= 1`.
    Square,
}

impl Domain {
    /// The reference domain of the polynomial of a kind of face.
    pub fn of(kind: FaceKind) -> Self {
        match kind.corners() {
            2 => Domain::Segment,
            3 => Domain::Triangle,
            _ => Domain::Square,
        }
    }

    /// The corners of the reference domain of a face polynomial.
    pub fn corners(self) -> &'static [[f64; 2]] {
        match self {
            Domain::Segment => &[[-1.0, 0.0], [1.0, 0.0]],
            Domain::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            Domain::Square => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
        }
    }

    /// The center of the reference domain of a face polynomial.
    pub fn center(self) -> [f64; 2] {
        match self {
            Domain::Triangle => [1.0 / 3.0; 2],
            _ => [0.0; 2],
        }
    }
}

/// The polynomial of a face, or of a part of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polynomial {
    pub domain: Domain,
    /// The coefficients: `c[i][j]` is that of `u^i v^j`.
    c: [[Vector; 3]; 3],
}

/// The linear combination of vectors, for the coefficients of a face polynomial.
fn combined<const N: usize>(terms: [(f64, Vector); N]) -> Vector {
    std::array::from_fn(|k| terms.iter().map(|(weight, p)| weight * p[k]).sum())
}

/// The coefficients of a face polynomial along a line: those of the parabola with these values at
/// -1, 0 and 1.
fn parabola(below: Vector, middle: Vector, above: Vector) -> [Vector; 3] {
    [
        middle,
        combined([(0.5, above), (-0.5, below)]),
        combined([(0.5, above), (0.5, below), (-1.0, middle)]),
    ]
}

impl Polynomial {
    /// The polynomial of a finite element face, with coordinates relative to `origin`.
    pub fn new(face: &Face, origin: Vector) -> Self {
        let kind = face.kind();
        let mut n = [[0.0; 3]; FaceKind::NODES_MAX];
        for (place, &node) in n.iter_mut().zip(face.nodes()) {
            *place = minus(node, origin);
        }
        let mut c = [[[0.0; 3]; 3]; 3];
        match kind {
            FaceKind::Seg2 => {
                c[0][0] = combined([(0.5, n[0]), (0.5, n[1])]);
                c[1][0] = combined([(0.5, n[1]), (-0.5, n[0])]);
            }
            FaceKind::Seg3 => {
                let [a, b, d] = parabola(n[0], n[2], n[1]);
                (c[0][0], c[1][0], c[2][0]) = (a, b, d);
            }
            FaceKind::Tri3 => {
                c[0][0] = n[0];
                c[1][0] = minus(n[1], n[0]);
                c[0][1] = minus(n[2], n[0]);
            }
            FaceKind::Tri6 => {
                c[0][0] = n[0];
                c[1][0] = combined([(-3.0, n[0]), (-1.0, n[1]), (4.0, n[3])]);
                c[0][1] = combined([(-3.0, n[0]), (-1.0, n[2]), (4.0, n[5])]);
                c[2][0] = combined([(2.0, n[0]), (2.0, n[1]), (-4.0, n[3])]);
                c[1][1] = combined([(4.0, n[0]), (-4.0, n[3]), (4.0, n[4]), (-4.0, n[5])]);
                c[0][2] = combined([(2.0, n[0]), (2.0, n[2]), (-4.0, n[5])]);
            }
            FaceKind::Quad4 => {
                let signed = |s: [f64; 4]| {
                    combined([
                        (0.25 * s[0], n[0]),
                        (0.25 * s[1], n[1]),
                        (0.25 * s[2], n[2]),
                        (0.25 * s[3], n[3]),
                    ])
                };
                c[0][0] = signed([1.0, 1.0, 1.0, 1.0]);
                c[1][0] = signed([-1.0, 1.0, 1.0, -1.0]);
                c[0][1] = signed([-1.0, -1.0, 1.0, 1.0]);
                c[1][1] = signed([1.0, -1.0, 1.0, -1.0]);
            }
            FaceKind::Quad8 | FaceKind::Quad9 => {
                if kind == FaceKind::Quad8 {
                    // The biquadratic face with the same points has this one in the middle.
                    n[8] = std::array::from_fn(|k| {
                        0.5 * ((n[4][k] + n[6][k]) + (n[5][k] + n[7][k]))
                            - 0.25 * ((n[0][k] + n[2][k]) + (n[1][k] + n[3][k]))
                    });
                }
                let rows = [
                    parabola(n[0], n[4], n[1]),
                    parabola(n[7], n[8], n[5]),
                    parabola(n[3], n[6], n[2]),
                ];
                for i in 0..3 {
                    c[i] = parabola(rows[0][i], rows[1][i], rows[2][i]);
                }
                if kind == FaceKind::Quad8 {
                    c[2][2] = [0.0; 3];
                }
            }
        }
        Self {
            domain: Domain::of(kind),
            c,
        }
    }

    /// The value of the face polynomial at `[u, v]`.
    #[inline]
    pub fn point(&self, [u, v]: [f64; 2]) -> Vector {
        let c = &self.c;
        std::array::from_fn(|k| {
            let row = |i: usize| c[i][0][k] + v * (c[i][1][k] + v * c[i][2][k]);
            row(0) + u * (row(1) + u * row(2))
        })
    }

    /// The polynomial of a part of the face: `(u, v) = place + size (u', v')` for `(u', v')` in the
    /// reference domain.
    pub fn part(&self, place: [f64; 2], size: f64) -> Self {
        // Taylor coefficients in v, then in u.
        let moved = |[a, b, d]: [Vector; 3], at: f64| -> [Vector; 3] {
            [
                combined([(1.0, a), (at, b), (at * at, d)]),
                combined([(size, b), (2.0 * at * size, d)]),
                combined([(size * size, d)]),
            ]
        };
        let rows = self.c.map(|row| moved(row, place[1]));
        let mut c = [[[0.0; 3]; 3]; 3];
        for j in 0..3 {
            let column = moved([rows[0][j], rows[1][j], rows[2][j]], place[0]);
            for i in 0..3 {
                c[i][j] = column[i];
            }
        }
        Self { c, ..*self }
    }

    /// The control points of the polynomial in Bernstein form, whose convex hull contains the face.
    /// On `[-1, 1]` those of `a + b t + c t^2` are `a - b + c`, `a - c` and `a + b + c`.
    pub fn control_points(&self) -> Controls {
        let c = &self.c;
        let mut points = Controls::default();
        let along = |[a, b, d]: [Vector; 3]| {
            [
                combined([(1.0, a), (-1.0, b), (1.0, d)]),
                combined([(1.0, a), (-1.0, d)]),
                combined([(1.0, a), (1.0, b), (1.0, d)]),
            ]
        };
        match self.domain {
            Domain::Segment => {
                for p in along([c[0][0], c[1][0], c[2][0]]) {
                    points.push(p);
                }
            }
            Domain::Triangle => {
                let (o, r, s) = (c[0][0], c[1][0], c[0][1]);
                points.push(o);
                points.push(combined([(1.0, o), (0.5, r)]));
                points.push(combined([(1.0, o), (1.0, r), (1.0, c[2][0])]));
                points.push(combined([(1.0, o), (0.5, s)]));
                points.push(combined([(1.0, o), (1.0, s), (1.0, c[0][2])]));
                points.push(combined([(1.0, o), (0.5, r), (0.5, s), (0.5, c[1][1])]));
            }
            Domain::Square => {
                let rows = c.map(along);
                for j in 0..3 {
                    for p in along([rows[0][j], rows[1][j], rows[2][j]]) {
                        points.push(p);
                    }
                }
            }
        }
        points
    }

    /// The coefficients of the face polynomial: `[i][j]` is that of `u^i v^j`.
    pub fn coefficients(&self) -> &[[Vector; 3]; 3] {
        &self.c
    }

    /// The face polynomial with these coefficients on a reference domain.
    pub fn from_coefficients(domain: Domain, c: [[Vector; 3]; 3]) -> Self {
        Self { domain, c }
    }

    /// The largest distance of a control point of the face polynomial from the origin.
    pub fn extent(&self) -> f64 {
        let points = self.control_points();
        let lengths = points.as_slice().iter().map(|&p| dot(p, p).sqrt());
        lengths.fold(0.0, f64::max)
    }
}

/// Up to nine control points of a polynomial.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controls {
    points: [Vector; 9],
    count: usize,
}

impl Controls {
    /// Adds a control point of a face polynomial.
    fn push(&mut self, p: Vector) {
        self.points[self.count] = p;
        self.count += 1;
    }

    /// The control points of a face polynomial.
    pub fn as_slice(&self) -> &[Vector] {
        &self.points[..self.count]
    }
}
