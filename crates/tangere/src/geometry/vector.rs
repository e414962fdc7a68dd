//! Vector algebra on plain arrays in a fixed order of operations, for formulas with proven rounding
//! errors.

/// Returns the difference `a - b`.
#[inline]
pub(crate) fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Returns the dot product, summed from the first coordinate to the last, without fused
/// multiply-add.
#[inline]
pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for k in 1..D {
        sum += a[k] * b[k];
    }
    sum
}

/// Returns the cross product, without fused multiply-add.
#[inline]
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the unit vector in the direction of `v`; `None` if the length is 0 or not finite.
pub(crate) fn direction(v: [f64; 3]) -> Option<[f64; 3]> {
    let size = largest(v);
    if !(size > 0.0 && size < f64::INFINITY) {
        return None;
    }
    let scaled = v.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    Some(scaled.map(|x| x / length))
}

/// Returns the largest magnitude among the coordinates.
#[inline]
pub(crate) fn largest<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}
