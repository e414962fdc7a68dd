//! The winding number in integers: a ray in a direction of large numbers through
//! every triangle, and another where one meets an edge. It knows nothing of cells,
//! columns or predicates.

use crate::exact::scaled;
use num_bigint::BigInt;
use std::ops::{Add, Mul, Sub};

trait Integer: Clone + Ord + From<i32> {
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
}

impl<T> Integer for T
where
    T: Clone + Ord + From<i32>,
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

type Point<T> = [T; 3];

fn minus<T: Integer>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}

fn cross<T: Integer>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].times(&b[j]).minus(&a[j].times(&b[i]))
    })
}

fn dot<T: Integer>(a: &Point<T>, b: &Point<T>) -> T {
    (0..3).fold(T::from(0), |sum: T, k| sum.plus(&a[k].times(&b[k])))
}

fn sign<T: Integer>(x: &T) -> i64 {
    x.cmp(&T::from(0)) as i64
}

/// Whether the origin lies on a triangle: in its plane, and on no edge's outer side.
fn is_on<T: Integer>([a, b, c]: &[Point<T>; 3]) -> bool {
    let beyond = |k: usize| {
        let signs = [a, b, c].map(|p| sign(&p[k]));
        signs == [1; 3] || signs == [-1; 3]
    };
    if (0..3).any(beyond) || sign(&dot(a, &cross(b, c))) != 0 {
        return false;
    }
    let normal = cross(&minus(b, a), &minus(c, a));
    if normal.iter().any(|x| sign(x) != 0) {
        return [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(u, v)| sign(&dot(&normal, &cross(u, v))) >= 0);
    }
    // Without area: on one of the edges.
    [(a, b), (b, c), (c, a)].iter().any(|(u, v)| {
        let line = cross(u, v);
        line.iter().all(|x| sign(x) == 0) && sign(&dot(u, v)) <= 0
    })
}

/// The winding number of the origin, none on the surface.
fn winding_about<T: Integer>(triangles: &[[Point<T>; 3]]) -> Option<i64> {
    if triangles.iter().any(is_on) {
        return None;
    }
    'directions: for n in 1i32.. {
        let direction = [10_007 + 6 * n * n, 7_919 - 28 * n, 5_003 + 12 * n].map(T::from);
        let mut winding = 0;
        for [a, b, c] in triangles {
            let edges = [(a, b), (b, c), (c, a)];
            let signs = edges.map(|(u, v)| sign(&dot(&direction, &cross(u, v))));
            if signs.contains(&1) && signs.contains(&-1) {
                continue;
            }
            if signs.contains(&0) {
                // Behind the origin, or without area, a meeting with an edge is none.
                if signs == [0; 3] {
                    let normal = cross(&minus(b, a), &minus(c, a));
                    if normal.iter().all(|x| sign(x) == 0) {
                        continue;
                    }
                }
                continue 'directions;
            }
            if sign(&dot(a, &cross(b, c))) == signs[0] {
                winding += signs[0];
            }
        }
        return Some(winding);
    }
    None
}

/// The winding number of a point, in integers that are as small as they can be.
pub fn winding_of(mesh: &[[[f64; 3]; 3]], p: [f64; 3]) -> Option<i64> {
    let all = || mesh.iter().flatten().flatten().chain(&p);
    let places = |x: f64| match x {
        0.0 => i32::MAX,
        _ => {
            ((x.to_bits() >> 52 & 0x7ff) as i32 - 1075)
                + (x.to_bits() | 1 << 52).trailing_zeros() as i32
        }
    };
    let lowest = all()
        .map(|&x| places(x))
        .min()
        .expect("a mesh has triangles")
        .min(0);
    let most = all().fold(0.0f64, |most, x| most.max(x.abs()));
    // Four differences of 29 bits, and sums of up to 18 of their products.
    if lowest > -100 && most * 2f64.powi(-lowest) < 2f64.powi(28) {
        let whole = |x: f64| (x * 2f64.powi(-lowest)) as i128;
        let shifted = |q: &[f64; 3]| std::array::from_fn(|k| whole(q[k]) - whole(p[k]));
        let triangles: Vec<[Point<i128>; 3]> =
            mesh.iter().map(|t| t.each_ref().map(shifted)).collect();
        return winding_about(&triangles);
    }
    let whole = |x: f64| scaled(x) >> (500 + lowest).max(0) as usize;
    let origin = p.map(whole);
    let shifted = |q: &[f64; 3]| -> Point<BigInt> { minus(&q.map(whole), &origin) };
    let triangles: Vec<_> = mesh.iter().map(|t| t.each_ref().map(shifted)).collect();
    winding_about(&triangles)
}
