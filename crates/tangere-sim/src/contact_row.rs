//! Contacts of a simulation as rows.

use crate::vector::Vector;

/// A contact of two spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRow {
    /// The lower id.
    pub a: u64,
    /// The higher id.
    pub b: u64,
    /// The periodic image of `b` that touches `a`.
    pub image: [i32; 3],
    /// The unit normal from `a` to `b`.
    pub normal: Vector,
    /// The gap: negative where spheres overlap.
    pub gap: f64,
    /// The contact point: the middle of the overlap.
    pub point: Vector,
    /// The force on `b`.
    pub force: Vector,
    /// The spring of friction: displacement or force.
    pub shear: Vector,
}
