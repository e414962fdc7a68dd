//! Output columns of penetration volume: shared volume, force and torque of two bodies.

use crate::answer::{Column, Outputs, count, counts, flag, float, text, vector};
use tangere::overlap::Overlap;

/// The output columns of an [`Overlap`].
pub const OVERLAP: &[Column<Overlap>] = &[
    float("volume", |o: &Overlap| o.volume)
        .unit("length³")
        .doc("Volume that the bodies share, estimated from the spheres and what they leave unfilled."),
    float("lower", |o: &Overlap| o.lower)
        .label("at least")
        .unit("length³")
        .doc("Volume that the spheres share: a lower bound."),
    float("upper", |o: &Overlap| o.upper)
        .label("at most")
        .unit("length³")
        .doc("Upper bound of the volume."),
    vector("force", &["fx", "fy", "fz"], |o: &Overlap, k| o.force[k])
        .label("force on b")
        .unit("length³")
        .doc("Force on b: directions from a to b of all pairs of spheres, each times the volume they share."),
    vector("torque", &["mx", "my", "mz"], |o: &Overlap, k| o.torque[k])
        .label("torque on b")
        .unit("length⁴")
        .doc("Torque of that force, about the origin of b's frame or the point given as `about`."),
    vector("centroid", &["cx", "cy", "cz"], |o: &Overlap, k| o.centroid[k])
        .unit("length")
        .doc("Centroid of the volume that the spheres share; none (NaN) where they share nothing.")
        .not(Outputs::VTK),
    vector("normal", &["nx", "ny", "nz"], |o: &Overlap, k| o.normal[k])
        .doc("Direction of the force, from a to b, of unit length; none (NaN) where there is no force.")
        .not(Outputs::VTK),
    count("pairs", |o: &Overlap| o.pairs as u64).doc("Pairs of spheres that overlap."),
    text("method", |o: &Overlap| o.method.name()).doc("Method that found the pairs."),
    count("work", |o: &Overlap| o.work)
        .doc("Work of the search, in units of `budget_work`; 0 for methods without a budget.")
        .not(Outputs::VTK),
    flag("complete", |o: &Overlap| o.complete)
        .doc("Whether all pairs were searched; false where a budget ended the search."),
    counts("spheres", &["spheres_a", "spheres_b"], |o: &Overlap, k| o.spheres[k] as u64)
        .doc("Largest spheres of a and b that were searched.")
        .label("spheres searched")
    .only(Outputs::JSON.and(Outputs::PYTHON).and(Outputs::TEXT)),
];

/// The output column of an exact volume.
pub const EXACT_VOLUME: &[Column<f64>] = &[float("volume", |volume: &f64| *volume)
    .unit("length³")
    .doc("Volume of the intersection of the bodies, exact up to rounding.")];
