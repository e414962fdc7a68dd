//! Volume of the intersection of a ball and a box, in closed form.
//!
//! Take the unit ball and the corner `x >= a, y >= b, z >= c` with none of `a`, `b`, `c` negative
//! and the point `(a, b, c)` in the ball. The slice at `x` is the part of a disc of radius `ρ`,
//! `ρ² = 1 - x²`, beyond the corner `(b, c)`. Its area is
//!
//! ```text
//! A(x) = (T(b) + T(c)) / 2 - π ρ² / 4 + b c,   T(b) = ρ² acos(b / ρ) - b √(ρ² - b²).
//! ```
//!
//! With `q = √(1 - b² - x²)`, integration by parts gives
//!
//! ```text
//! ∫ T(b) dx = (x - x³/3) acos(b / ρ) - (b - b³/3) asin(x / √(1 - b²))
//!             + 2/3 atan(b x / q) - 2/3 b x q.
//! ```
//!
//! A plane at a negative coordinate is handled by symmetry: the part beyond it is all of the ball
//! less the mirrored part. The volume in a box is an alternating sum over its corners.

use std::f64::consts::{FRAC_PI_2, PI};

/// Returns the volume of the intersection of the unit ball about the origin and the box from `low`
/// to `high`, with an error of a few rounding units of 1.
pub(super) fn unit_ball_in_box(low: [f64; 3], high: [f64; 3]) -> f64 {
    beyond([None; 3], low, high, 0).max(0.0)
}

/// Returns the volume of that part of the unit ball which lies beyond given planes and in a box. On
/// each axis before `axis` the part is bounded by the plane in `planes` (`None`: no plane). From
/// `axis` on it lies between the sides of the box from `low` to `high`.
fn beyond(planes: [Option<f64>; 3], low: [f64; 3], high: [f64; 3], axis: usize) -> f64 {
    if axis == 3 {
        return corner(planes);
    }
    let with = |side: f64| {
        let mut planes = planes;
        planes[axis] = (side > -1.0).then_some(side);
        beyond(planes, low, high, axis + 1)
    };
    if low[axis] >= 1.0 || high[axis] <= -1.0 {
        0.0
    } else if high[axis] >= 1.0 {
        with(low[axis])
    } else {
        with(low[axis]) - with(high[axis])
    }
}

/// Returns the volume of that part of the unit ball which lies beyond up to three planes of a box,
/// one perpendicular to each axis.
fn corner(planes: [Option<f64>; 3]) -> f64 {
    // Beyond a plane on the negative side of the centre lies all but the mirrored part.
    if let Some(k) = (0..3).find(|&k| planes[k].is_some_and(|x| x < 0.0)) {
        let mut all = planes;
        all[k] = None;
        let mut mirrored = planes;
        mirrored[k] = planes[k].map(|x| -x);
        return corner(all) - corner(mirrored);
    }
    let mut given = [0.0; 3];
    let mut count = 0;
    for x in planes.into_iter().flatten() {
        given[count] = x;
        count += 1;
    }
    match count {
        0 => 4.0 / 3.0 * PI,
        1 => cap(given[0]),
        // The part is symmetric about x = 0.
        2 => 2.0 * wedge(0.0, given[0], given[1]),
        _ => wedge(given[0], given[1], given[2]),
    }
}

/// Returns the volume of the cap of the unit ball beyond the plane of a box's side at distance `x`
/// from the centre.
fn cap(x: f64) -> f64 {
    if x >= 1.0 {
        return 0.0;
    }
    let h = 1.0 - x;
    PI / 3.0 * h * h * (3.0 - h)
}

/// Returns the volume of that part of the unit ball which lies beyond a corner of a box:
/// `x >= a, y >= b, z >= c`, none of the three negative.
fn wedge(a: f64, b: f64, c: f64) -> f64 {
    let end = (1.0 - b * b - c * c).max(0.0).sqrt();
    if end <= a {
        return 0.0;
    }
    let primitive = |x: f64| {
        let cubic = x - x * x * x / 3.0;
        0.5 * (slices(x, cubic, b) + slices(x, cubic, c)) - PI / 4.0 * cubic + b * c * x
    };
    (primitive(end) - primitive(a)).max(0.0)
}

/// Returns the integral over slices of the unit ball, from 0 to `x`, of the area `T(b)` of that
/// part of a slice which lies beyond `b`. `cubic` is `x - x³/3`.
fn slices(x: f64, cubic: f64, b: f64) -> f64 {
    let q = (1.0 - b * b - x * x).max(0.0).sqrt();
    let angle = if q == 0.0 && b == 0.0 {
        FRAC_PI_2
    } else {
        q.atan2(b)
    };
    cubic * angle - (b - b * b * b / 3.0) * x.atan2(q) + 2.0 / 3.0 * ((b * x).atan2(q) - b * x * q)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the volume of the unit ball in a box, as a sum over rays along z through a fine
    /// grid.
    fn summed(low: [f64; 3], high: [f64; 3]) -> f64 {
        let count = 1000;
        let step: [f64; 2] = std::array::from_fn(|k| (high[k] - low[k]) / f64::from(count));
        let mut sum = 0.0;
        for i in 0..count {
            for j in 0..count {
                let x = low[0] + (f64::from(i) + 0.5) * step[0];
                let y = low[1] + (f64::from(j) + 0.5) * step[1];
                let half = (1.0 - x * x - y * y).max(0.0).sqrt();
                sum += (high[2].min(half) - low[2].max(-half)).max(0.0);
            }
        }
        sum * step[0] * step[1]
    }

    #[test]
    fn boxes_hold_what_rays_add_up_to() {
        for (low, high) in [
            ([-1.0; 3], [1.0; 3]),
            ([-0.3, -0.4, -0.5], [0.2, 0.6, 0.1]),
            ([0.1, 0.2, 0.3], [1.5, 1.5, 1.5]),
            ([-0.9, -0.9, 0.2], [0.5, 0.7, 0.9]),
            ([-0.1, 0.5, -2.0], [0.8, 2.0, 2.0]),
            ([0.0; 3], [1.0; 3]),
            ([0.55, 0.55, 0.55], [0.6, 0.6, 0.6]),
            ([-1.0, -1.0, 0.999], [1.0, 1.0, 1.0]),
        ] {
            let (found, summed) = (unit_ball_in_box(low, high), summed(low, high));
            assert!((found - summed).abs() < 2e-4, "{low:?}: {found} {summed}");
        }
    }

    #[test]
    fn parts_add_up() {
        let ball = 4.0 / 3.0 * PI;
        for planes in [
            [0.1, 0.2, -0.3],
            [0.0, 0.0, 0.0],
            [0.7, -0.7, 0.05],
            [1.0, -1.0, 0.5],
        ] {
            let mut sum = 0.0;
            for octant in 0..8 {
                let side = |k: usize| octant >> k & 1 == 1;
                let low = std::array::from_fn(|k| if side(k) { planes[k] } else { -3.0 });
                let high = std::array::from_fn(|k| if side(k) { 3.0 } else { planes[k] });
                sum += unit_ball_in_box(low, high);
            }
            assert!((sum - ball).abs() < 1e-14, "{planes:?}");
        }
        assert!((unit_ball_in_box([0.0; 3], [2.0; 3]) - ball / 8.0).abs() < 1e-15);
    }
}
