//! Symmetric 2x2 matrices: products, sums, congruence and eigenvalues.

use crate::geometry::vector::dot;

/// A symmetric 2x2 matrix: its entries 11, 12, 22.
pub(super) type Square = [f64; 3];

/// The product of a symmetric 2x2 matrix and a vector.
pub(super) fn applied(m: Square, v: [f64; 2]) -> [f64; 2] {
    [m[0] * v[0] + m[1] * v[1], m[1] * v[0] + m[2] * v[1]]
}

/// The product `v' m w` of a symmetric 2x2 matrix and two vectors.
pub(super) fn product(m: Square, v: [f64; 2], w: [f64; 2]) -> f64 {
    let mv = applied(m, v);
    mv[0] * w[0] + mv[1] * w[1]
}

/// The symmetric 2x2 matrix `T' m T`, where `T` has the columns `t`.
pub(super) fn congruent(m: Square, t: [[f64; 2]; 2]) -> Square {
    [
        product(m, t[0], t[0]),
        product(m, t[0], t[1]),
        product(m, t[1], t[1]),
    ]
}

/// The square of a symmetric 2x2 matrix.
pub(super) fn squared(m: Square) -> Square {
    let [a, b, c] = m;
    [a * a + b * b, b * (a + c), b * b + c * c]
}

/// The eigenvalues of a symmetric 2x2 matrix, the lower one first.
pub(super) fn eigenvalues([a, b, c]: Square) -> [f64; 2] {
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let root = (half * half + b * b).sqrt();
    [mean - root, mean + root]
}

/// The sum `m + share n` of two symmetric 2x2 matrices.
pub(super) fn plus(m: Square, n: Square, share: f64) -> Square {
    std::array::from_fn(|i| m[i] + share * n[i])
}

/// The symmetric 2x2 matrix `inverse(T)' m inverse(T)`, where `T` has the columns `t`, the tangents
/// of a patch in the plane across the axis. It converts the quadratic form `m` of the parameters of
/// the patch to one of vectors in that plane. `None` if the tangents are parallel.
pub(super) fn pushed(m: Square, t: [[f64; 2]; 2]) -> Option<Square> {
    let determinant = t[0][0] * t[1][1] - t[0][1] * t[1][0];
    let size = dot(t[0], t[0]) + dot(t[1], t[1]);
    if determinant.abs().is_nan() || determinant.abs() <= 1e-7 * size {
        return None;
    }
    let columns = [
        [t[1][1] / determinant, -t[0][1] / determinant],
        [-t[1][0] / determinant, t[0][0] / determinant],
    ];
    Some(congruent(m, columns))
}
