//! Face row: the precomputed values of a finite element face that nearest-point queries need.
//!
//! A row has the origin of the face, the power of two that scales its size to about 1, and the
//! coefficients of its polynomial relative to that origin, in that unit. In this unit no product
//! overflows or underflows, whatever the size of the face. The row of a flat triangle is in
//! [`flat_triangle`].

use super::flat_triangle;
use super::lane_vectors::Point;
use super::polynomial::Polynomial;
use super::polynomial_lanes::{Form, with_form};
use crate::shape::{Face, FaceKind};
use crate::simd::{LANES, Reals};

/// The length of the longest face row, in f64 values.
pub(super) const ROW: usize = 32;

/// The index of the first coefficient of the polynomial in a face row.
const COEFFICIENTS: usize = 4;

/// A block of a face row: eight of its values, aligned in memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Block(pub [f64; LANES]);

/// The face row of one face, or the face rows of eight faces in lanes: each value has one lane for
/// each face.
pub(super) type Row<V> = [V; ROW];

/// The face row of a face: its precomputed values, in blocks of eight.
pub(super) fn row(face: &Face) -> [Block; ROW / LANES] {
    match face.kind() {
        FaceKind::Tri3 => flat_triangle::row(face),
        _ => curved_row(face),
    }
}

/// The face row of a face that is not a flat triangle.
fn curved_row(face: &Face) -> [Block; ROW / LANES] {
    let kind = face.kind();
    // Relative to its own center no digits are lost far from the origin.
    let origin = face.point(kind.center());
    let polynomial = Polynomial::new(face, origin);
    let scale = inverse_power(polynomial.extent());
    let mut row = [0.0; ROW];
    row[..3].copy_from_slice(&origin);
    row[3] = scale;
    let c = polynomial.coefficients();
    let powers = with_form!(kind, F => <F as Form>::POWERS);
    for (place, &[i, j]) in row[COEFFICIENTS..].chunks_exact_mut(3).zip(powers) {
        place.copy_from_slice(&c[i][j].map(|x| x * scale));
    }
    blocked(&row)
}

/// The number of blocks in the face row of a face of this kind.
pub(super) fn blocks(kind: FaceKind) -> usize {
    match kind {
        FaceKind::Tri3 => 2,
        _ => {
            let powers = with_form!(kind, F => <F as Form>::POWERS.len());
            (COEFFICIENTS + 3 * powers).div_ceil(LANES)
        }
    }
}

/// Splits a face row into blocks of eight values.
pub(super) fn blocked(row: &[f64; ROW]) -> [Block; ROW / LANES] {
    let mut blocks = [Block::default(); ROW / LANES];
    for (block, numbers) in blocks.iter_mut().zip(row.chunks_exact(LANES)) {
        block.0.copy_from_slice(numbers);
    }
    blocks
}

/// The scale of the face row of a face of size `x`: the inverse of the greatest power of two that
/// is not above `x`; 1 if `x` is 0, subnormal or not finite.
pub(super) fn inverse_power(x: f64) -> f64 {
    if x.is_normal() {
        crate::simd::One(x).inverse_power().0
    } else {
        1.0
    }
}

/// Coefficient `i` of the polynomial of a face row, a vector.
#[inline(always)]
pub(super) fn coefficient<V: Reals>(row: &Row<V>, i: usize) -> Point<V> {
    let at = COEFFICIENTS + 3 * i;
    [row[at], row[at + 1], row[at + 2]]
}

/// The polynomial of a face row.
pub(super) fn polynomial<F: Form>(row: &Row<crate::simd::One>) -> Polynomial {
    let mut c = [[[0.0; 3]; 3]; 3];
    for (n, &[i, j]) in F::POWERS.iter().enumerate() {
        let [x, y, z] = coefficient(row, n);
        c[i][j] = [x.0, y.0, z.0];
    }
    Polynomial::from_coefficients(F::DOMAIN, c)
}
