//! Vector arithmetic, for tests independent of the library.

/// A point or a vector.
type P = [f64; 3];

/// Returns `a + b`.
pub fn plus(a: P, b: P) -> P {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Returns `a - b`.
pub fn minus(a: P, b: P) -> P {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Returns the vector `a` times the number `s`.
pub fn times(a: P, s: f64) -> P {
    a.map(|x| s * x)
}

/// Returns the dot product `a . b`.
pub fn dot(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the cross product `a x b`.
pub fn cross(a: P, b: P) -> P {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// Returns the distance `|a - b|`.
pub fn distance(a: P, b: P) -> f64 {
    let d = minus(a, b);
    dot(d, d).sqrt()
}
