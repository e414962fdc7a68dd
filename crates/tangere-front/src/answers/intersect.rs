//! Columns of mesh intersection: triangles of two surfaces that cross or touch.

use crate::answer::{Column, Outputs, code, indices};
use tangere::closest::Intersection;

/// The columns of an [`Intersection`].
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
