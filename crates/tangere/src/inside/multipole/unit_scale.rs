//! Scale of the multipole method: the power of two that brings a surface to unit size, so that
//! powers of lengths neither overflow nor vanish.

use crate::shape::TriMesh;

/// The unit scale of a surface: the power of two that scales the longest side of its box to a
/// number from 1 to 2.
pub(super) fn unit_of(mesh: &TriMesh) -> f64 {
    unit(mesh.bounds().extent().into_iter().fold(0.0, f64::max))
}

/// The unit scale of an extent: the power of two that scales it to a number from 1 to 2.
fn unit(extent: f64) -> f64 {
    let exponent = (extent.to_bits() >> 52) as i32 - 1023;
    // Extents are never subnormal: coordinates are too large for that.
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}
