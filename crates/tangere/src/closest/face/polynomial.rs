//! A face as a polynomial, and how much it bends.
//!
//! Every kind is a part of `x(u, v) = sum c_ij u^i v^j` with `i, j <= 2`: values and derivatives
//! of all kinds are the same few products. Parts of a face, scaled to the whole reference domain,
//! are polynomials of the same form.

use crate::geometry::vector::{cross, dot, minus};
use crate::shape::face::Constraint;
use crate::shape::{Face, FaceKind};

type Vector = [f64; 3];

/// The reference domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// `-1 <= u <= 1`, `v = 0`.
    Segment,
    /// `0 <= u`, `0 <= v`, `u + v <= 1`.
    Triangle,
    /// `-1 <= u, v <= 1`.
    Square,
}

impl Domain {
    pub fn of(kind: FaceKind) -> Self {
        match kind.corners() {
            2 => Domain::Segment,
            3 => Domain::Triangle,
            _ => Domain::Square,
        }
    }

    pub fn corners(self) -> &'static [[f64; 2]] {
        match self {
            Domain::Segment => &[[-1.0, 0.0], [1.0, 0.0]],
            Domain::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            Domain::Square => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
        }
    }

    /// The sides, in the order of those of the face.
    pub fn sides(self) -> &'static [Constraint] {
        match self {
            Domain::Segment => FaceKind::Seg2.constraints(),
            Domain::Triangle => FaceKind::Tri3.constraints(),
            Domain::Square => FaceKind::Quad4.constraints(),
        }
    }

    pub fn center(self) -> [f64; 2] {
        match self {
            Domain::Triangle => [1.0 / 3.0; 2],
            _ => [0.0; 2],
        }
    }
}

/// A face, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polynomial {
    pub domain: Domain,
    /// `c[i][j]` of `u^i v^j`.
    c: [[Vector; 3]; 3],
    /// The degree in each coordinate is no more than this.
    degree: usize,
}

/// A point of a face with its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    pub x: Vector,
    pub u: Vector,
    pub v: Vector,
    pub uu: Vector,
    pub uv: Vector,
    pub vv: Vector,
}

fn combined<const N: usize>(terms: [(f64, Vector); N]) -> Vector {
    std::array::from_fn(|k| terms.iter().map(|(weight, p)| weight * p[k]).sum())
}

/// The coefficients of a parabola by its values at -1, 0 and 1.
fn parabola(below: Vector, middle: Vector, above: Vector) -> [Vector; 3] {
    [
        middle,
        combined([(0.5, above), (-0.5, below)]),
        combined([(0.5, above), (0.5, below), (-1.0, middle)]),
    ]
}

impl Polynomial {
    /// Coordinates are taken about `origin`.
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
            degree: kind.degree(),
        }
    }

    #[inline]
    pub fn point(&self, [u, v]: [f64; 2]) -> Vector {
        let c = &self.c;
        std::array::from_fn(|k| {
            let row = |i: usize| c[i][0][k] + v * (c[i][1][k] + v * c[i][2][k]);
            row(0) + u * (row(1) + u * row(2))
        })
    }

    #[inline]
    pub fn jet(&self, [u, v]: [f64; 2]) -> Jet {
        let c = &self.c;
        let mut jet = Jet {
            x: [0.0; 3],
            u: [0.0; 3],
            v: [0.0; 3],
            uu: [0.0; 3],
            uv: [0.0; 3],
            vv: [0.0; 3],
        };
        for k in 0..3 {
            let row = |i: usize| c[i][0][k] + v * (c[i][1][k] + v * c[i][2][k]);
            let slope = |i: usize| c[i][1][k] + 2.0 * v * c[i][2][k];
            let (a, b, d) = (row(0), row(1), row(2));
            let (da, db, dd) = (slope(0), slope(1), slope(2));
            jet.x[k] = a + u * (b + u * d);
            jet.u[k] = b + 2.0 * u * d;
            jet.v[k] = da + u * (db + u * dd);
            jet.uu[k] = 2.0 * d;
            jet.uv[k] = db + 2.0 * u * dd;
            jet.vv[k] = 2.0 * (c[0][2][k] + u * (c[1][2][k] + u * c[2][2][k]));
        }
        jet
    }

    /// The part with `(u, v) = place + size (u', v')` for `(u', v')` in the reference domain.
    pub fn part(&self, place: [f64; 2], size: f64) -> Self {
        // Taylor's coefficients in v, then in u.
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

    /// The control points of the Bernstein form, whose hull contains the face. On `[-1, 1]`
    /// those of `a + b t + c t^2` are `a - b + c`, `a - c`, `a + b + c`.
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

    /// How the face bends.
    pub fn bend(&self) -> Bend {
        let c = &self.c;
        let twice = |p: Vector| p.map(|x| 2.0 * x);
        let mut bend = Bend {
            uu: Controls::default(),
            uv: Controls::default(),
            vv: Controls::default(),
            lengths: [1.0; 2],
            stiff: 0.0,
        };
        // Control points of both tangents; both are linear or of degree 2 in either coordinate.
        let (mut tangents_u, mut tangents_v) = (Controls::default(), Controls::default());
        match self.domain {
            Domain::Segment => {
                bend.uu.push(twice(c[2][0]));
                for u in [-1.0, 1.0] {
                    tangents_u.push(combined([(1.0, c[1][0]), (2.0 * u, c[2][0])]));
                }
            }
            Domain::Triangle => {
                bend.uu.push(twice(c[2][0]));
                bend.uv.push(c[1][1]);
                bend.vv.push(twice(c[0][2]));
                for &[u, v] in self.domain.corners() {
                    let jet = self.jet([u, v]);
                    tangents_u.push(jet.u);
                    tangents_v.push(jet.v);
                }
            }
            Domain::Square => {
                let along = |[a, b, d]: [Vector; 3]| {
                    [
                        combined([(1.0, a), (-1.0, b), (1.0, d)]),
                        combined([(1.0, a), (-1.0, d)]),
                        combined([(1.0, a), (1.0, b), (1.0, d)]),
                    ]
                };
                let column = |j: usize| [c[0][j], c[1][j], c[2][j]];
                for p in along(c[2]) {
                    bend.uu.push(twice(p));
                }
                for p in along(column(2)) {
                    bend.vv.push(twice(p));
                }
                for &xi in self.domain.corners() {
                    bend.uv.push(self.jet(xi).uv);
                }
                for sign in [-1.0, 1.0] {
                    let row = |j| combined([(1.0, c[1][j]), (2.0 * sign, c[2][j])]);
                    for p in along([row(0), row(1), row(2)]) {
                        tangents_u.push(p);
                    }
                    let row = |i: usize| combined([(1.0, c[i][1]), (2.0 * sign, c[i][2])]);
                    for p in along([row(0), row(1), row(2)]) {
                        tangents_v.push(p);
                    }
                }
            }
        }
        let middle = self.jet(self.domain.center());
        let length = |p: Vector| dot(p, p).sqrt();
        let flat = self.domain == Domain::Segment;
        let lengths = [length(middle.u), if flat { 1.0 } else { length(middle.v) }];
        if !(lengths[0] > 0.0 && lengths[1] > 0.0) {
            return bend;
        }
        bend.lengths = lengths;
        let strays = |controls: &Controls, from: Vector| {
            let far = controls.as_slice().iter().map(|&p| length(minus(p, from)));
            far.fold(0.0, f64::max)
        };
        let stray_u = strays(&tangents_u, middle.u) / lengths[0];
        let stray_v = strays(&tangents_v, middle.v) / lengths[1];
        // The squared singular values of two unit vectors at an angle of sine z are
        // 1 - sqrt(1 - z^2) = z^2 / (1 + sqrt(1 - z^2)) and 1 + sqrt(1 - z^2).
        let least = if flat {
            1.0
        } else {
            let [p, q] = [
                middle.u.map(|x| x / lengths[0]),
                middle.v.map(|x| x / lengths[1]),
            ];
            let n = cross(p, q);
            let squared = dot(n, n).min(1.0);
            (squared / (1.0 + (1.0 - squared).sqrt())).sqrt()
        };
        let stray = (stray_u * stray_u + stray_v * stray_v).sqrt();
        let stretch = (least - stray).max(0.0);
        // By how much the way from one point of the face to another, in the directions of
        // its second derivatives, may differ.
        let points = self.control_points();
        let ranges = |controls: &Controls| {
            let range = |a: &Vector| {
                let heights = points.as_slice().iter().map(|p| dot(*a, *p));
                let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                    (l.min(x), h.max(x))
                });
                high - low
            };
            controls.as_slice().iter().map(range).fold(0.0, f64::max)
        };
        let [u, v] = lengths;
        let spoilt = (ranges(&bend.uu) / (u * u)).max(ranges(&bend.vv) / (v * v))
            + ranges(&bend.uv) / (u * v);
        bend.stiff = stretch * stretch - spoilt;
        bend
    }

    /// The largest magnitude among its control points.
    pub fn extent(&self) -> f64 {
        let points = self.control_points();
        let lengths = points.as_slice().iter().map(|&p| dot(p, p).sqrt());
        lengths.fold(0.0, f64::max)
    }

    /// Whether all is linear, so that no part bends.
    pub fn is_linear(&self) -> bool {
        self.degree == 1 && self.domain != Domain::Square
    }
}

/// Up to nine points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controls {
    points: [Vector; 9],
    count: usize,
}

impl Controls {
    fn push(&mut self, p: Vector) {
        self.points[self.count] = p;
        self.count += 1;
    }

    pub fn as_slice(&self) -> &[Vector] {
        &self.points[..self.count]
    }
}

/// How much a face bends: control points of its second derivatives.
///
/// With `r = x - y` the Hessian of half the squared distance is `J^T J + r . D^2 x`. With `w = y - x*`
/// from the nearest point this is `J^T J + (x - x*) . D^2 x - w . D^2 x`. If the first two are no
/// less than `stiff` everywhere, in coordinates scaled by the lengths of the tangents, and the
/// last no more than that, distances are convex and a local minimum is the global one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    uu: Controls,
    uv: Controls,
    vv: Controls,
    lengths: [f64; 2],
    stiff: f64,
}

impl Bend {
    /// Whether the squared distance from a point is convex, by its way from the nearest point.
    #[inline]
    pub fn is_convex(&self, way: Vector) -> bool {
        let most = |controls: &Controls| {
            let heights = controls.as_slice().iter().map(|a| dot(way, *a));
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        let largest = |controls: &Controls| {
            let heights = controls.as_slice().iter().map(|a| dot(way, *a).abs());
            heights.fold(0.0, f64::max)
        };
        let [u, v] = self.lengths;
        let bent = (most(&self.uu) / (u * u)).max(most(&self.vv) / (v * v));
        let twisted = largest(&self.uv) / (u * v);
        // A millionth for rounding.
        bent + twisted < self.stiff - 1e-6
    }
}
