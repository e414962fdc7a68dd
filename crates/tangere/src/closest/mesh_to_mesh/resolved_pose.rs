//! Check that float64 resolves a mesh at a pose.
//!
//! A translation that is much larger than the mesh rounds its vertices to few places: triangles
//! collapse, and all are equally near. A search then takes time in proportion to all pairs of
//! triangles, for an answer about the rounding.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::largest;
use crate::geometry::{Aabb, Pose};

/// The least size of a mesh as a share of its translation: 2^-48, or 16 units in the last place.
const RESOLVED: f64 = f64::from_bits((1023 - 48) << 52);

/// Checks that float64 resolves a mesh with these bounds after a pose.
///
/// ```
/// use tangere::closest::check_resolved;
/// use tangere::generate;
/// use tangere::geometry::Pose;
///
/// let bounds = generate::sphere(3)?.bounds();
/// assert!(check_resolved(&bounds, &Pose::from_translation([1e12, 0.0, 0.0])?).is_ok());
/// assert!(check_resolved(&bounds, &Pose::from_translation([1e16, 0.0, 0.0])?).is_err());
/// # Ok::<(), tangere::Error>(())
/// ```
///
/// # Errors
/// When the translation is more than 2^48 (2.8e14) times the size of the bounds, unless that is 0.
pub fn check_resolved(bounds: &Aabb<3>, pose: &Pose) -> Result<()> {
    let size = largest(bounds.extent());
    let away = largest(pose.translation());
    if size == 0.0 || size >= RESOLVED * away {
        return Ok(());
    }
    let found = format!("a translation of {}", number(away));
    let expected = format!(
        "at most 2.8e14 times the size of the mesh, {}, beyond which float64 rounds it flat",
        number(size)
    );
    Err(Error::argument(Argument::Pose, found, expected))
}

/// Checks each of the poses of a mesh; the error names the first that fails.
pub(super) fn check_all_resolved(bounds: &Aabb<3>, poses: &[Pose]) -> Result<()> {
    for (i, pose) in poses.iter().enumerate() {
        check_resolved(bounds, pose).map_err(|error| match error {
            Error::Argument {
                what,
                found,
                expected,
            } => Error::item(what, i, found, expected),
            error => error,
        })?;
    }
    Ok(())
}
