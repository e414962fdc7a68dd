//! Exact oracle for the intersection of two triangles: computes the corners of their common part as
//! fractions.
//!
//! One triangle is clipped by the plane of the other and then by the planes through the edges of
//! the other that are orthogonal to that plane. The result is convex with known corners, so it has
//! a point in the interior of a triangle unless all corners are on one edge of the triangle.

use num_bigint::BigInt;
use tangere::geometry::IntersectionKind;

use test_support::exact::{Vector, cross, dot, minus, scaled};

/// A point `(x, y, z) / w` with `w > 0`.
#[derive(Clone, Debug)]
struct Fraction {
    x: Vector,
    w: BigInt,
}

/// The linear function `normal . p - offset` of a point `p`.
struct Linear {
    normal: Vector,
    offset: BigInt,
}

fn zero() -> BigInt {
    BigInt::from(0)
}

impl Linear {
    /// The linear function that is 0 on the plane through a point orthogonal to `normal`.
    fn through(normal: Vector, point: &Vector) -> Self {
        let offset = dot(&normal, point);
        Self { normal, offset }
    }

    /// The value at a point, times the `w` of the point.
    fn at(&self, p: &Fraction) -> BigInt {
        dot(&self.normal, &p.x) - &self.offset * &p.w
    }

    /// The function with its sign changed.
    fn negated(&self) -> Self {
        Self {
            normal: self.normal.clone().map(|x| -x),
            offset: -self.offset.clone(),
        }
    }
}

/// Clips a convex polygon, segment or point to where a linear function is not negative.
fn cut(corners: &[Fraction], by: &Linear) -> Vec<Fraction> {
    let mut left = Vec::new();
    for (i, p) in corners.iter().enumerate() {
        let q = &corners[(i + 1) % corners.len()];
        let (f, g) = (by.at(p), by.at(q));
        if f >= zero() {
            left.push(p.clone());
        }
        if f < zero() && g > zero() || f > zero() && g < zero() {
            let sign = BigInt::from(if f > zero() { 1 } else { -1 });
            left.push(Fraction {
                x: std::array::from_fn(|k| (&f * &q.x[k] - &g * &p.x[k]) * &sign),
                w: (&f * &q.w - &g * &p.w) * &sign,
            });
        }
    }
    left
}

/// A triangle with an area: its plane, and a linear function for each edge, positive inside.
struct TriangleWithArea {
    corners: Vec<Fraction>,
    plane: Linear,
    edges: [Linear; 3],
}

/// The normal of a triangle, not normalised.
fn normal(t: &[Vector; 3]) -> Vector {
    cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]))
}

/// Points as fractions.
fn fractions(t: &[Vector]) -> Vec<Fraction> {
    let w = BigInt::from(1);
    let fraction = |x: &Vector| Fraction {
        x: x.clone(),
        w: w.clone(),
    };
    t.iter().map(fraction).collect()
}

impl TriangleWithArea {
    /// The plane and the edges of a triangle; `None` if it has no area.
    fn new(t: &[Vector; 3]) -> Option<Self> {
        let n = normal(t);
        if n.iter().all(|x| *x == zero()) {
            return None;
        }
        let edge = |i: usize| Linear::through(cross(&n, &minus(&t[(i + 1) % 3], &t[i])), &t[i]);
        Some(Self {
            corners: fractions(t),
            edges: [edge(0), edge(1), edge(2)],
            plane: Linear::through(n, &t[0]),
        })
    }

    /// The intersection of the triangle with a convex set, given by its corners.
    fn common(&self, other: &[Fraction]) -> Vec<Fraction> {
        let mut left = cut(other, &self.plane);
        left = cut(&left, &self.plane.negated());
        for edge in &self.edges {
            left = cut(&left, edge);
        }
        left
    }

    /// Whether a convex part of the triangle has a point off the edges of the triangle.
    fn has_inside(&self, part: &[Fraction]) -> bool {
        let mut edges = self.edges.iter();
        edges.all(|edge| part.iter().any(|p| edge.at(p) > zero()))
    }
}

/// Whether two triangles without area, both segments or points, intersect: they overlap on one
/// line, or their lines cross in a point of both.
fn segments_meet(a: &[Vector; 3], b: &[Vector; 3]) -> bool {
    let direction = |t: &[Vector; 3]| {
        let edges = [minus(&t[1], &t[0]), minus(&t[2], &t[0])];
        edges.into_iter().find(|e| e.iter().any(|x| *x != zero()))
    };
    let is_null = |v: &Vector| v.iter().all(|x| *x == zero());
    // On a line: the points between the first and the last corner along it.
    let on = |p: &Vector, t: &[Vector; 3]| match direction(t) {
        None => *p == t[0],
        Some(d) => {
            let place = |q: &Vector| dot(&d, &minus(q, &t[0]));
            let places = [place(&t[0]), place(&t[1]), place(&t[2])];
            is_null(&cross(&d, &minus(p, &t[0])))
                && places.iter().any(|x| *x <= place(p))
                && places.iter().any(|x| *x >= place(p))
        }
    };
    if a.iter().any(|p| on(p, b)) || b.iter().any(|p| on(p, a)) {
        return true;
    }
    // Otherwise they cross inside both, if at all.
    let (Some(d), Some(e)) = (direction(a), direction(b)) else {
        return false;
    };
    let n = cross(&d, &e);
    if is_null(&n) || dot(&n, &minus(&b[0], &a[0])) != zero() {
        return false;
    }
    let parted = |side: Vector, from: &Vector, t: &[Vector; 3]| {
        let places = [0, 1, 2].map(|i| dot(&side, &minus(&t[i], from)));
        places.iter().all(|x| *x > zero()) || places.iter().all(|x| *x < zero())
    };
    !parted(cross(&n, &d), &a[0], b) && !parted(cross(&n, &e), &b[0], a)
}

/// The kind of intersection of two triangles; `None` if they are disjoint.
pub fn expected(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> Option<IntersectionKind> {
    let [a, b] = [a, b].map(|t| t.map(|p| p.map(scaled)));
    let touching = |common: bool| common.then_some(IntersectionKind::Touching);
    match (TriangleWithArea::new(&a), TriangleWithArea::new(&b)) {
        (None, None) => touching(segments_meet(&a, &b)),
        (None, Some(b)) => touching(!b.common(&fractions(&a)).is_empty()),
        (Some(a), None) => touching(!a.common(&fractions(&b)).is_empty()),
        (Some(a), Some(b)) => {
            let common = a.common(&b.corners);
            if common.is_empty() {
                return None;
            }
            if !a.has_inside(&common) || !b.has_inside(&common) {
                return Some(IntersectionKind::Touching);
            }
            let flat = b.corners.iter().all(|p| a.plane.at(p) == zero());
            Some(match flat {
                true => IntersectionKind::Coplanar,
                false => IntersectionKind::Crossing,
            })
        }
    }
}
