//! Vector algebra on plain arrays in a fixed order of operations, for formulas whose rounding
//! errors have proven bounds.

/// Returns the difference `a - b` of two vectors.
#[inline]
pub(crate) fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Returns the dot product of two vectors, summed from the first coordinate to the last, without
/// fused multiply-add.
#[inline]
pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for k in 1..D {
        sum += a[k] * b[k];
    }
    sum
}

/// Returns the cross product of two vectors, without fused multiply-add.
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
    // Squares of a vector scaled to 1 neither overflow nor underflow.
    let size = largest(v);
    if !(size > 0.0 && size < f64::INFINITY) {
        return None;
    }
    let scaled = v.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    Some(scaled.map(|x| x / length))
}

/// Returns the maximum norm of a vector: the largest magnitude among its coordinates.
#[inline]
pub(crate) fn largest<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Returns `a*b - c*d`, a coordinate of a cross product, to within 1.5 units in the last place
/// (Kahan's algorithm; Jeannerod, Louvet, Muller 2013). `mul_add` rounds once on every machine.
#[inline(always)]
pub(crate) fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    let error = (-c).mul_add(d, cd);
    a.mul_add(b, -cd) + error
}

/// Returns the cross product of two vectors, accurate even if they are nearly parallel.
#[inline(always)]
pub(crate) fn accurate_cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        difference_of_products(a[1], b[2], a[2], b[1]),
        difference_of_products(a[2], b[0], a[0], b[2]),
        difference_of_products(a[0], b[1], a[1], b[0]),
    ]
}

/// Returns the length of a vector, accurate even if its squares underflow.
#[inline]
pub(crate) fn length(v: [f64; 3]) -> f64 {
    let squared = dot(v, v);
    // Smaller squares may have lost bits to underflow.
    if squared >= f64::MIN_POSITIVE / f64::EPSILON {
        return squared.sqrt();
    }
    let largest = largest(v);
    if largest == 0.0 {
        return 0.0;
    }
    let scaled = v.map(|x| x / largest);
    largest * dot(scaled, scaled).sqrt()
}

/// Returns the squared distance of two points: the dot product of the vector between them with
/// itself, summed from the first coordinate to the last, without fused multiply-add.
#[inline]
pub(crate) fn distance_squared<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let d = minus(a, b);
    dot(d, d)
}
