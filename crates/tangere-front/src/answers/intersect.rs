//! Output columns of mesh intersection: triangles of two surfaces that cross or touch.

use crate::answer::{Column, Outputs, code, indices};
use tangere::closest::Intersection;

/// The output columns of an [`Intersection`]: a pair of triangles, and how they intersect.
pub const INTERSECTION: &[Column<Intersection>] = &[
    indices("pair", &["a", "b"], |p: &Intersection, k| [p.a, p.b][k])
        .doc("Face of a and face of b.")
        .only(Outputs::ROWS.without(Outputs::VTK)),
    code(
        "kind",
        |p: &Intersection| p.kind as u8,
        |p: &Intersection| p.kind.name(),
    )
    .doc("`crossing`, `touching` where no point is in the interior of both, or `coplanar`.")
    .only(Outputs::CSV),
];
