//! Winding numbers without rounding, by a route of their own: a segment in a
//! direction of large integers against every triangle, all in integers.

use num_bigint::{BigInt, Sign};
use tangere::shape::TriMesh;

type Point = [BigInt; 3];

/// A surface and how its floats become integers: as multiples of a power of two
/// that divides them all.
pub struct Oracle {
    triangles: Vec<[Point; 3]>,
    /// The power of two, negated.
    shift: i64,
}

fn exponent(x: f64) -> i64 {
    ((x.to_bits() >> 52) & 0x7ff) as i64 - 1075
}

/// The float as a multiple of `2^-shift`, which must divide it.
fn integer(x: f64, shift: i64) -> BigInt {
    if x == 0.0 {
        return BigInt::from(0);
    }
    let mantissa = BigInt::from((x.to_bits() & ((1 << 52) - 1)) | (1 << 52));
    let power = exponent(x) + shift;
    let magnitude = match power >= 0 {
        true => mantissa << power,
        false => {
            let whole = &mantissa >> -power;
            assert_eq!(&whole << -power, mantissa, "{x} is no multiple");
            whole
        }
    };
    if x < 0.0 { -magnitude } else { magnitude }
}

fn minus(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|k| &a[k] - &b[k])
}

fn cross(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

fn dot(a: &Point, b: &Point) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

impl Oracle {
    /// For points whose lowest bits are those of the surface or of `points`.
    pub fn new(mesh: &TriMesh, points: &[[f64; 3]]) -> Self {
        let numbers = mesh.vertices().iter().chain(points).flatten();
        let lowest = numbers.filter(|x| **x != 0.0).map(|&x| exponent(x)).min();
        let shift = -lowest.unwrap_or(0);
        let triangle = |f: usize| mesh.triangle(f).map(|v| v.map(|x| integer(x, shift)));
        Oracle {
            triangles: (0..mesh.faces().len()).map(triangle).collect(),
            shift,
        }
    }

    /// The winding number, none on the surface.
    pub fn winding(&self, p: [f64; 3]) -> Option<i64> {
        let p = p.map(|x| integer(x, self.shift));
        // From the point, so that the rest is about the origin.
        let seen: Vec<[Point; 3]> = self
            .triangles
            .iter()
            .map(|t| t.each_ref().map(|v| minus(v, &p)))
            .collect();
        if seen.iter().any(holds_origin) {
            return None;
        }
        for attempt in 0.. {
            let far: Point = [99_991, 70_001 + attempt, 40_009 + 7 * attempt].map(BigInt::from);
            let crossings: Option<i64> = seen.iter().map(|t| crossing(t, &far)).sum();
            if crossings.is_some() {
                return crossings;
            }
        }
        unreachable!("some direction meets no edge")
    }
}

/// Whether the origin lies on a triangle, perhaps one without area.
fn holds_origin(triangle: &[Point; 3]) -> bool {
    let [a, b, c] = triangle;
    if dot(a, &cross(b, c)) != BigInt::from(0) {
        return false;
    }
    let normal = cross(&minus(b, a), &minus(c, a));
    let zero = BigInt::from(0);
    if normal.iter().all(|x| *x == zero) {
        // On one of its edges: at an end or between opposite directions.
        return [(a, b), (b, c), (c, a)]
            .iter()
            .any(|(u, v)| cross(u, v).iter().all(|x| *x == zero) && dot(u, v) <= zero);
    }
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(u, v)| dot(&cross(u, v), &normal) >= zero)
}

/// How the ray from the origin along `far` crosses a triangle; none if it meets
/// its rim or lies in its plane.
fn crossing(triangle: &[Point; 3], far: &Point) -> Option<i64> {
    let [a, b, c] = triangle;
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(u, v)| dot(far, &cross(u, v)).sign());
    let has = |sign| [ab, bc, ca].contains(&sign);
    if has(Sign::Plus) && has(Sign::Minus) {
        return Some(0);
    }
    // The line meets the closed triangle: in front of the origin or behind it?
    let normal = cross(&minus(b, a), &minus(c, a));
    if normal.iter().all(|x| x.sign() == Sign::NoSign) {
        return Some(0);
    }
    let (height, slope) = (dot(&normal, a), dot(&normal, far));
    match (height.sign(), slope.sign()) {
        (Sign::NoSign, Sign::NoSign) => None,
        (_, Sign::NoSign) => Some(0),
        (height, slope) if height != slope => Some(0),
        _ if has(Sign::NoSign) => None,
        (_, Sign::Plus) => Some(1),
        _ => Some(-1),
    }
}
