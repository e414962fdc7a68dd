//! `orient3d` in integer arithmetic: the sign of the volume of a tetrahedron.
//!
//! Coordinates are integers times powers of two. Where four points lie near each other, the
//! coordinates of three of them relative to the fourth are mostly multiples of one power of two
//! that fit 62 bits with their sign. Then minors fit 125 bits and the determinant 187, and twelve
//! products of 64 bits replace hundreds of operations on expansions. Where a number does not fit,
//! `orient3d` returns none, and the caller uses expansions.

use super::Sign;

/// The number of bits, without sign, of a difference of two coordinates as an integer.
const BITS: i32 = 61;

/// Returns [`orient3d`](super::orient3d) of valid coordinates in integer arithmetic; none if
/// numbers do not fit.
pub(super) fn orient3d(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> Option<Sign> {
    let mut most = 0.0f64;
    for q in [a, b, c] {
        for k in 0..3 {
            let size = (q[k] - d[k]).abs();
            most = if size > most { size } else { most };
        }
    }
    // The largest difference is `most < 2^(exponent + 1)`. Coordinates are between 2^-300 and
    // 2^200, so nothing overflows, and tails of differences, 2^-352 at least, do not underflow.
    let exponent = (most.to_bits() >> 52) as i32 - 1023;
    let scale = f64::from_bits(((1023 + BITS - 1 - exponent) as u64) << 52);
    let a = relative(a, d, scale)?;
    let b = relative(b, d, scale)?;
    let c = relative(c, d, scale)?;
    let minor = |j: usize, k: usize| product(b[j], c[k]) - product(b[k], c[j]);
    // The determinant is `high * 2^64 + low`.
    let (mut high, mut low) = (0i128, 0i128);
    for (factor, minor) in a.into_iter().zip([minor(1, 2), minor(2, 0), minor(0, 1)]) {
        // Minors are split into signed halves, so that products fit.
        let half = minor as i64;
        high += product(factor, (minor >> 64) as i64 + i64::from(half < 0));
        low += product(factor, half);
    }
    high += low >> 64;
    let sign = match high {
        0 => Sign::of(f64::from(u8::from(low as u64 != 0))),
        1.. => Sign::Positive,
        _ => Sign::Negative,
    };
    // As seen from `d`, the points `a`, `b` and `c` turn the other way.
    Some(-sign)
}

/// Returns the exact product of two integers of `orient3d`.
#[inline(always)]
fn product(x: i64, y: i64) -> i128 {
    i128::from(x) * i128::from(y)
}

/// Returns `(q - d) * scale` in integer coordinates, for `orient3d`; none if a coordinate is not an
/// integer.
#[inline(always)]
fn relative(q: [f64; 3], d: [f64; 3], scale: f64) -> Option<[i64; 3]> {
    let (x, x_fits) = difference(q[0], d[0], scale);
    let (y, y_fits) = difference(q[1], d[1], scale);
    let (z, z_fits) = difference(q[2], d[2], scale);
    (x_fits & y_fits & z_fits).then_some([x, y, z])
}

/// Returns the exact difference of two coordinates, scaled to an integer for `orient3d`: the
/// rounded difference plus its tail (Knuth's two-sum). The flag is true if the rounded difference
/// and the tail are integers after scaling; otherwise the difference is not valid.
#[inline(always)]
fn difference(a: f64, b: f64, scale: f64) -> (i64, bool) {
    let rounded = a - b;
    let of_b = a - rounded;
    let of_a = rounded + of_b;
    let tail = (a - of_a) + (of_b - b);
    let (rounded, tail) = (rounded * scale, tail * scale);
    let (high, low) = (rounded as i64, tail as i64);
    // Neither is above 2^61; the sum wraps, because invalid coordinates must not panic.
    (
        high.wrapping_add(low),
        (high as f64 == rounded) & (low as f64 == tail),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use robust::Coord3D;
    use test_support::Random;

    fn expected([a, b, c, d]: [[f64; 3]; 4]) -> Sign {
        let [a, b, c, d] = [a, b, c, d].map(|[x, y, z]| Coord3D { x, y, z });
        -Sign::of(robust::orient3d(a, b, c, d))
    }

    /// Tests small lattices, which have many points in a plane.
    #[test]
    fn integers_agree_on_lattices() {
        let mut random = Random::new(1);
        let mut seen = [0; 3];
        for n in 0..120_000 {
            let size = 2 + n % 3;
            let scale = [1.0, 0.1, 1e-70, 1e50][n / 3 % 4];
            let shift = [0.0, 0.0, 1024.0, 1e9][n / 12 % 4];
            let points =
                [(); 4].map(|()| random.lattice(2 * size + 1).map(|x| (x + shift) * scale));
            let [a, b, c, d] = points;
            if let Some(found) = orient3d(a, b, c, d) {
                assert_eq!(found, expected(points), "{points:?}");
                seen[found as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 5_000), "{seen:?}");
    }

    /// Tests coordinates of many bits, with points next to a plane or exactly on it.
    #[test]
    fn integers_agree_next_to_planes() {
        let mut random = Random::new(2);
        let mut seen = [0; 3];
        for n in 0..60_000 {
            let mut unit = || (random.bits() >> 20) as f64 / (1u64 << 44) as f64 + 1.0 / 3.0;
            let mut point = || [unit(), unit(), unit()];
            let (a, b, c) = (point(), point(), point());
            let middle = [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
            let near = [0, 1, 2].map(|k| a[k] + 0.3 * (b[k] - a[k]) + 0.2 * (c[k] - a[k]));
            let points = [a, b, c, if n % 4 == 0 { middle } else { near }];
            if let Some(found) = orient3d(a, b, c, points[3]) {
                assert_eq!(found, expected(points), "{points:?}");
                seen[found as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }

    #[test]
    fn what_does_not_fit_is_left_to_others() {
        let wide = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1e-30, 1e-30, 1.0]];
        assert_eq!(orient3d(wide[0], wide[1], wide[2], [0.0; 3]), None);
        assert_eq!(
            orient3d([0.5; 3], [0.5; 3], [0.5; 3], [0.5; 3]),
            Some(Sign::Zero)
        );
        for bad in [f64::NAN, f64::INFINITY, f64::MAX, -f64::MAX] {
            orient3d([bad, 0.0, 1.0], [1.0, bad, 0.0], [0.0, 1.0, bad], [-bad; 3]);
        }
    }
}
