//! Minimum of a quadratic function, convex or not, on a convex polygon in the plane.

/// The feature of a polygon (interior, edge or corner) on which a point lies. On the feature the
/// point may move in all directions, along one, or in none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Free {
    /// The point is in the interior of the polygon and may move in all directions.
    All,
    /// The point is on an edge of the polygon and may move along this direction, that of the edge.
    Along([f64; 2]),
    /// The point is at a corner of the polygon and may not move.
    Nowhere,
}

/// Minimum of a quadratic function on a polygon: the point, the value there, and the feature of the
/// polygon on which the point lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    pub(super) uv: [f64; 2],
    pub(super) value: f64,
    pub(super) free: Free,
}

/// The minimum of the quadratic function `g.p + p.H p / 2` on a convex polygon of up to four
/// corners in order; `h` has the entries 11, 12, 22 of the symmetric matrix `H`.
///
/// The minimum is at a corner, on an edge along which the function is convex, or in the interior if
/// the function is convex.
#[inline]
pub(super) fn least(corners: &[[f64; 2]], g: [f64; 2], h: [f64; 3]) -> Minimum {
    let value = |[u, v]: [f64; 2]| {
        let square = 0.5 * (h[0] * u * u + h[2] * v * v) + h[1] * u * v;
        (g[0] * u + g[1] * v) + square
    };
    let n = corners.len();
    let determinant = h[0] * h[2] - h[1] * h[1];
    if h[0] > 0.0 && determinant > 0.0 && n > 2 {
        let uv = [
            (h[1] * g[1] - h[2] * g[0]) / determinant,
            (h[1] * g[0] - h[0] * g[1]) / determinant,
        ];
        let is_left = |i: usize| {
            let (a, b) = (corners[i], corners[(i + 1) % n]);
            let (e, w) = ([b[0] - a[0], b[1] - a[1]], [uv[0] - a[0], uv[1] - a[1]]);
            e[0] * w[1] - e[1] * w[0] >= 0.0
        };
        if (0..n).all(is_left) {
            return Minimum {
                uv,
                value: value(uv),
                free: Free::All,
            };
        }
    }
    let mut best = Minimum {
        uv: corners[0],
        value: value(corners[0]),
        free: Free::Nowhere,
    };
    let mut offer = |uv: [f64; 2], free: Free| {
        let value = value(uv);
        if value < best.value {
            best = Minimum { uv, value, free };
        }
    };
    for i in 0..n {
        let (a, b) = (corners[i], corners[(i + 1) % n]);
        offer(a, Free::Nowhere);
        let d = [b[0] - a[0], b[1] - a[1]];
        let bent = [h[0] * d[0] + h[1] * d[1], h[1] * d[0] + h[2] * d[1]];
        let curvature = bent[0] * d[0] + bent[1] * d[1];
        let slope = (g[0] * d[0] + g[1] * d[1]) + (bent[0] * a[0] + bent[1] * a[1]);
        if curvature > 0.0 && slope < 0.0 && -slope < curvature {
            let t = -slope / curvature;
            offer([a[0] + t * d[0], a[1] + t * d[1]], Free::Along(d));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn no_sample_is_lower() {
        let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut random = Random::new(7);
        let mut number = || random.unit() * 2.0 - 1.0;
        for round in 0..2000 {
            let corners: &[[f64; 2]] = if round % 2 == 0 { &triangle } else { &square };
            let (g, h) = ([number(), number()], [number(), number(), number()]);
            let found = least(corners, g, h);
            let mut sampled = f64::INFINITY;
            for i in 0..=32 {
                for j in 0..=32 {
                    let [u, v] = [i, j].map(|k| f64::from(k) / 32.0);
                    if round % 2 == 0 && u + v > 1.0 {
                        continue;
                    }
                    let square = 0.5 * (h[0] * u * u + h[2] * v * v) + h[1] * u * v;
                    sampled = sampled.min(g[0] * u + g[1] * v + square);
                }
            }
            assert!(found.value <= sampled + 1e-14, "{g:?} {h:?}");
            assert!(found.value >= sampled - 4e-3, "{g:?} {h:?}");
        }
    }
}
