//! What a segment does at a triangle, in whole numbers.
//!
//! Coordinates are multiples of powers of two. Relative to the segment's start, most
//! are whole multiples of one power such that they fit 62 bits with their sign: then
//! minors fit 125 bits and determinants 190, and some fifty products decide what
//! expansions take hundreds for. Where they do not fit there is no answer.

use super::super::columns::Triangle;
use super::segment::Passage;

/// Differences are below 2 to the power of this.
const BITS: i32 = 61;

/// A number `high * 2^64 + low`.
#[derive(Clone, Copy)]
struct Whole {
    high: i128,
    low: i128,
}

impl Whole {
    /// With `low` from 0 to 2^64.
    fn carried(self) -> Self {
        Whole {
            high: self.high + (self.low >> 64),
            low: i128::from(self.low as u64),
        }
    }

    /// 1, 0 or -1, of a number that has been carried.
    fn sign(self) -> i32 {
        match self.high {
            0 => i32::from(self.low != 0),
            high => high.signum() as i32,
        }
    }

    fn minus(self, other: Self) -> Self {
        Whole {
            high: self.high - other.high,
            low: self.low - other.low,
        }
    }
}

/// What a segment from `p` does at a triangle, as
/// [`passage`](super::segment::passage); none if numbers do not fit.
pub(super) fn passage(p: [f64; 3], reference: [f64; 3], t: &Triangle) -> Option<Passage> {
    let corners = *t;
    let mut most = 0.0f64;
    for q in corners.iter().chain([&reference]) {
        for k in 0..3 {
            most = most.max((q[k] - p[k]).abs());
        }
    }
    // most < 2^(exponent + 1); coordinates are between 2^-300 and 2^200, so nothing
    // overflows, and tails of differences do not vanish.
    let exponent = (most.to_bits() >> 52) as i32 - 1023;
    let scale = f64::from_bits(((1023 + BITS - 1 - exponent) as u64) << 52);
    let [a, b, c] = [
        relative(corners[0], p, scale)?,
        relative(corners[1], p, scale)?,
        relative(corners[2], p, scale)?,
    ];
    let minors = [cross(a, b), cross(b, c), cross(c, a)];
    let start = dot(a, minors[1]).carried();
    if start.sign() == 0 {
        // In the plane of the triangle the three are multiples of its normal, their
        // sum: p is on it if none points the other way. Without area, others decide.
        let [ab, bc, ca] = minors;
        let k = (0..3).find(|&k| ab[k] + bc[k] + ca[k] != 0)?;
        let signs = [ab[k].signum(), bc[k].signum(), ca[k].signum()];
        return Some(match signs.contains(&1) && signs.contains(&-1) {
            true => Passage::Through(0),
            false => Passage::On,
        });
    }
    let d = relative(reference, p, scale)?;
    let edges = minors.map(|minor| dot(d, minor).carried());
    let end = start.minus(edges[0]).minus(edges[1]).minus(edges[2]);
    let (start, end) = (start.sign(), end.carried().sign());
    // A reference in the plane is off the triangle, and the segment meets the
    // plane nowhere else.
    if end == 0 || end == start {
        return Some(Passage::Through(0));
    }
    // Of the moved reference: what is 0 has the sign of the first component that
    // is not. All are only if p is on the line of the edge, hence in the plane.
    let moved = |n: usize| match edges[n].sign() {
        0 => minors[n].iter().find(|&&m| m != 0).map_or(0, |&m| m.signum() as i32),
        sign => sign,
    };
    let first = moved(0);
    Some(match first == moved(1) && first == moved(2) {
        true => Passage::Through(start),
        false => Passage::Through(0),
    })
}

/// A point relative to another, scaled; none if that is not whole.
#[inline(always)]
fn relative(q: [f64; 3], p: [f64; 3], scale: f64) -> Option<[i64; 3]> {
    let (x, x_fits) = difference(q[0], p[0], scale);
    let (y, y_fits) = difference(q[1], p[1], scale);
    let (z, z_fits) = difference(q[2], p[2], scale);
    (x_fits & y_fits & z_fits).then_some([x, y, z])
}

/// The difference of two numbers without rounding: what is rounded, and the tail
/// (Knuth's), both scaled; and whether they are whole.
#[inline(always)]
fn difference(a: f64, b: f64, scale: f64) -> (i64, bool) {
    let rounded = a - b;
    let of_b = a - rounded;
    let of_a = rounded + of_b;
    let tail = (a - of_a) + (of_b - b);
    let (rounded, tail) = (rounded * scale, tail * scale);
    let (high, low) = (rounded as i64, tail as i64);
    (high + low, (high as f64 == rounded) & (low as f64 == tail))
}

#[inline(always)]
fn cross(u: [i64; 3], v: [i64; 3]) -> [i128; 3] {
    let product = |j: usize, k: usize| i128::from(u[j]) * i128::from(v[k]);
    [
        product(1, 2) - product(2, 1),
        product(2, 0) - product(0, 2),
        product(0, 1) - product(1, 0),
    ]
}

/// The scalar product. Halves of minors of 64 bits times 61, three times, fit.
#[inline(always)]
fn dot(u: [i64; 3], minors: [i128; 3]) -> Whole {
    let mut sum = Whole { high: 0, low: 0 };
    for k in 0..3 {
        let factor = i128::from(u[k]);
        sum.high += factor * (minors[k] >> 64);
        sum.low += factor * i128::from(minors[k] as u64);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::segment::passage_by_predicates;
    use super::*;

    fn numbers(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 20
        }
    }

    /// Small lattices have every degeneracy; what does not count is a reference on
    /// the triangle.
    #[test]
    fn whole_numbers_agree_with_predicates() {
        let mut next = numbers(0x1234_5678_9abc_def1);
        let mut seen = [0; 4];
        for n in 0..200_000 {
            let size = 2 + n % 3;
            let scale = [1.0, 0.1, 1e-70, 1e50][n as usize / 3 % 4];
            let shift = [0.0, 0.0, 1024.0, 1e9][n as usize / 12 % 4];
            let mut point =
                || [0; 3].map(|_: i32| ((next() % (2 * size + 1)) as f64 + shift) * scale);
            let (t, p, reference) = ([point(), point(), point()], point(), point());
            if passage_by_predicates(reference, p, &t) == Passage::On {
                continue;
            }
            let expected = passage_by_predicates(p, reference, &t);
            match passage(p, reference, &t) {
                None => {}
                found => {
                    assert_eq!(found, Some(expected), "{p:?} {reference:?} {t:?}");
                    seen[match expected {
                        Passage::On => 0,
                        Passage::Through(by) => (2 + by) as usize,
                    }] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    /// Coordinates of many bits, points next to planes and edges.
    #[test]
    fn whole_numbers_agree_where_floats_fail() {
        let mut next = numbers(0xfeed_beef_1234_5671);
        let mut answers = 0;
        for n in 0..100_000 {
            let mut unit = || next() as f64 / (1u64 << 44) as f64 + 1.0 / 3.0;
            let mut point = || [unit(), unit(), unit()];
            let t @ [a, b, c] = [point(), point(), point()];
            let reference = point();
            let (u, v) = (0.3, if n % 2 == 0 { 0.2 } else { 0.7 });
            let p = [0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
            let Some(found) = passage(p, reference, &t) else {
                continue;
            };
            assert_eq!(found, passage_by_predicates(p, reference, &t));
            answers += 1;
        }
        assert!(answers > 50_000, "{answers}");
    }
}
