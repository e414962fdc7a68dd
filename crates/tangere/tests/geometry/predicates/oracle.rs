//! Oracle of segment-triangle intersection: the segment is `p + t (q - p)`, clipped by linear
//! conditions on `t` with exact fractions, in any ring of integers.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

use tangere::geometry::{SegmentFeature, SegmentTriangle, Shared, TriangleFeature};

/// Integers without rounding: `i64` on small lattices, `BigInt` for floats.
pub trait Integer: Clone + Ord + From<i8> {
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
}

impl<T> Integer for T
where
    T: Clone + Ord + From<i8>,
    for<'a> &'a T: Add<&'a T, Output = T> + Sub<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

pub type Point<T> = [T; 3];

fn zero<T: Integer>() -> T {
    T::from(0)
}

fn minus<T: Integer>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}

pub fn dot<T: Integer>(a: &Point<T>, b: &Point<T>) -> T {
    (0..3).fold(zero(), |sum: T, k| sum.plus(&a[k].times(&b[k])))
}

pub fn cross<T: Integer>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].times(&b[j]).minus(&a[j].times(&b[i]))
    })
}

/// The sign of the volume of a tetrahedron.
pub fn volume_sign<T: Integer>(points: &[Point<T>; 4]) -> Ordering {
    let [a, b, c, d] = points;
    let normal = cross(&minus(b, a), &minus(c, a));
    dot(&normal, &minus(d, a)).cmp(&zero())
}

/// `constant + slope * t`.
struct Linear<T> {
    constant: T,
    slope: T,
}

impl<T: Integer> Linear<T> {
    fn negated(&self) -> Self {
        Linear {
            constant: zero::<T>().minus(&self.constant),
            slope: zero::<T>().minus(&self.slope),
        }
    }

    fn is_zero_at(&self, t: &(T, T)) -> bool {
        self.constant.times(&t.1).plus(&self.slope.times(&t.0)) == zero()
    }

    fn is_zero(&self) -> bool {
        self.constant == zero() && self.slope == zero()
    }
}

/// Fractions with positive denominators.
fn less<T: Integer>(a: &(T, T), b: &(T, T)) -> bool {
    a.0.times(&b.1) < b.0.times(&a.1)
}

/// The part of 0..=1 on which no function is negative.
fn clip<T: Integer>(conditions: &[Linear<T>]) -> Option<[(T, T); 2]> {
    let mut low = (zero::<T>(), T::from(1));
    let mut high = (T::from(1), T::from(1));
    for f in conditions {
        let negated = f.negated();
        match f.slope.cmp(&zero()) {
            Ordering::Equal if f.constant < zero() => return None,
            Ordering::Equal => {}
            Ordering::Greater => {
                let bound = (negated.constant, f.slope.clone());
                if less(&low, &bound) {
                    low = bound;
                }
            }
            Ordering::Less => {
                let bound = (f.constant.clone(), negated.slope);
                if less(&bound, &high) {
                    high = bound;
                }
            }
        }
    }
    (!less(&high, &low)).then_some([low, high])
}

fn segment_feature<T: Integer>(t: &(T, T)) -> SegmentFeature {
    if t.0 == zero() {
        SegmentFeature::Start
    } else if t.0 == t.1 {
        SegmentFeature::End
    } else {
        SegmentFeature::Interior
    }
}

/// The expected result of `segment_triangle`.
pub fn expected<T: Integer>(segment: &[Point<T>; 2], triangle: &[Point<T>; 3]) -> SegmentTriangle {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let direction = minus(q, p);
    // v . (x(t) - o)
    let along = |v: &Point<T>, o: &Point<T>| Linear {
        constant: dot(v, &minus(p, o)),
        slope: dot(v, &direction),
    };
    let normal = cross(&minus(b, a), &minus(c, a));
    if normal == [zero(), zero(), zero()] {
        return SegmentTriangle::Degenerate(on_collapsed(segment, triangle));
    }
    let plane = along(&normal, a);
    let edges: [Linear<T>; 3] = std::array::from_fn(|i| {
        let (u, v) = (&triangle[i], &triangle[(i + 1) % 3]);
        along(&cross(&normal, &minus(v, u)), u)
    });
    let transversal = !plane.is_zero();
    let upward = plane.slope > zero();
    let mut conditions = vec![plane.negated(), plane];
    conditions.extend(edges.iter().map(|e| e.negated().negated()));
    let Some([low, high]) = clip(&conditions) else {
        return if transversal {
            SegmentTriangle::Disjoint
        } else {
            SegmentTriangle::Coplanar(Shared::Nothing)
        };
    };
    if p != q && less(&low, &high) {
        let on = match edges.iter().position(|e| e.is_zero()) {
            Some(i) => TriangleFeature::Edge(i as u8),
            None => TriangleFeature::Face,
        };
        return SegmentTriangle::Coplanar(Shared::Stretch { on });
    }
    let at = segment_feature(&low);
    let zeros: Vec<usize> = (0..3).filter(|&i| edges[i].is_zero_at(&low)).collect();
    let on = match zeros[..] {
        [] => TriangleFeature::Face,
        [i] => TriangleFeature::Edge(i as u8),
        [0, 1] => TriangleFeature::Vertex(1),
        [1, 2] => TriangleFeature::Vertex(2),
        _ => TriangleFeature::Vertex(0),
    };
    match (transversal, at, on) {
        (false, at, on) => SegmentTriangle::Coplanar(Shared::Point { at, on }),
        (true, SegmentFeature::Interior, TriangleFeature::Face) => {
            SegmentTriangle::Crosses { upward }
        }
        (true, at, on) => SegmentTriangle::Touches { at, on, upward },
    }
}

fn on_collapsed<T: Integer>(segment: &[Point<T>; 2], triangle: &[Point<T>; 3]) -> Shared {
    let [p, q] = segment;
    let direction = minus(q, p);
    // The ends in lexicographic order, of equal ones that of lowest index.
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| triangle[i].cmp(&triangle[j]));
    let u = order[0];
    let v = (0..3)
        .find(|&i| triangle[i] == triangle[order[2]])
        .unwrap_or(0);
    let span = minus(&triangle[v], &triangle[u]);
    let edge = TriangleFeature::Edge(if (u + 1) % 3 == v { u } else { v } as u8);
    let at_u = minus(p, &triangle[u]);
    let mut conditions = Vec::new();
    let mut vanish = |constant: T, slope: T| {
        let f = Linear { constant, slope };
        conditions.push(f.negated());
        conditions.push(f);
    };
    if u == v {
        for k in 0..3 {
            vanish(at_u[k].clone(), direction[k].clone());
        }
    } else {
        let (constants, slopes) = (cross(&at_u, &span), cross(&direction, &span));
        for (constant, slope) in constants.into_iter().zip(slopes) {
            vanish(constant, slope);
        }
        let f = Linear {
            constant: dot(&at_u, &span),
            slope: dot(&direction, &span),
        };
        let length = dot(&span, &span);
        conditions.push(Linear {
            constant: length.minus(&f.constant),
            slope: f.negated().slope,
        });
        conditions.push(f);
    }
    let Some([low, high]) = clip(&conditions) else {
        return Shared::Nothing;
    };
    if p != q && less(&low, &high) {
        return Shared::Stretch { on: edge };
    }
    let is_at = |v: &Point<T>| {
        (0..3).all(|k| {
            let x = p[k].times(&low.1).plus(&direction[k].times(&low.0));
            x == v[k].times(&low.1)
        })
    };
    let on = match triangle.iter().position(is_at) {
        Some(i) => TriangleFeature::Vertex(i as u8),
        None => edge,
    };
    Shared::Point {
        at: segment_feature(&low),
        on,
    }
}
