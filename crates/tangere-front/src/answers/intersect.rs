//! Output columns of mesh intersection: triangles of two surfaces that cross or touch.

use crate::answer::{Column, Outputs, code, flag, index, indices};
use tangere::closest::{Intersection, PoseIntersection, SurfaceStatus};

/// The outputs of answers along a motion: files of rows.
const FILES: Outputs = Outputs::ROWS.without(Outputs::VTK);

/// The output columns of an [`Intersection`]: a pair of triangles, and how they intersect.
pub const INTERSECTION: &[Column<Intersection>] = &[
    indices("pair", &["a", "b"], |p: &Intersection, k| [p.a, p.b][k])
        .doc("Face of a and face of b.")
        .only(FILES),
    code(
        "kind",
        |p: &Intersection| p.kind as u8,
        |p: &Intersection| p.kind.name(),
    )
    .doc("`crossing`, `touching` where no point is in the interior of both, or `coplanar`.")
    .only(Outputs::CSV),
];

/// The output columns of a [`PoseIntersection`]: a pair of triangles at one pose of a motion.
pub const POSE_INTERSECTION: &[Column<PoseIntersection>] = &[
    index("pose", |p: &PoseIntersection| p.pose)
        .doc("Index of the pose.")
        .only(FILES),
    indices("pair", &["a", "b"], |p: &PoseIntersection, k| {
        [p.pair.a, p.pair.b][k]
    })
    .doc("Face of a and face of b.")
    .only(FILES),
    code(
        "kind",
        |p: &PoseIntersection| p.pair.kind as u8,
        |p: &PoseIntersection| p.pair.kind.name(),
    )
    .doc("`crossing`, `touching` where no point is in the interior of both, or `coplanar`.")
    .only(FILES),
];

/// The output columns of the [`SurfaceStatus`] of two surfaces at one pose of a motion.
pub const STATUS: &[Column<SurfaceStatus>] = &[
    flag("intersecting", |s: &SurfaceStatus| {
        *s != SurfaceStatus::Separated
    })
    .doc("Whether the surfaces have a common point, or one closed mesh lies inside the other.")
    .only(FILES),
    code(
        "status",
        |s: &SurfaceStatus| *s as u8,
        |s: &SurfaceStatus| s.name(),
    )
    .doc("`separated`, `touching`, `intersecting`, `a_inside_b` or `b_inside_a`.")
    .only(FILES),
];
