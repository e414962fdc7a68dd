//! Output columns of point containment: sides (inside, on the surface or outside) and winding
//! numbers of points, and nodes (mesh vertices) of bodies inside other bodies.

use crate::answer::{Column, Outputs, float, integers, side};
use tangere::inside::{Intrusion, Side};

/// Containment of a point: its side (inside, on the surface or outside), winding number and
/// confidence.
#[derive(Clone, Copy, Debug)]
pub struct PointSide {
    /// The side of the surface on which the point lies: inside, on the surface or outside.
    pub side: Side,
    /// The winding number of the surface about the point; 0 if it was not computed.
    pub winding: f64,
    /// The confidence that the side of the point is right, from 0 to 1; 0 if it was not computed.
    pub confidence: f64,
}

/// The output columns of a [`PointSide`].
pub const POINT_SIDE: &[Column<PointSide>] = &[
    side("side", |p: &PointSide| p.side as i8)
        .doc("1 inside, 0 on the surface, -1 outside.")
        .only(Outputs::ROWS),
    float("winding", |p: &PointSide| p.winding)
        .doc("Winding number of the surface about the point; with `--winding`.")
        .only(Outputs::ROWS),
    float("confidence", |p: &PointSide| p.confidence)
        .doc("How sure the side is, from 0 to 1; with `--confidence`.")
        .only(Outputs::ROWS),
];

/// A node (mesh vertex) of one body that lies inside another body or on its surface, at a step of a
/// motion.
#[derive(Clone, Copy, Debug)]
pub struct NodeInside {
    /// The index of the step of the motion, from 0.
    pub step: u32,
    /// The node, the body to which it belongs, the body that it has entered, and whether it lies
    /// inside that body or on its surface.
    pub found: Intrusion,
}

/// The output columns of a [`NodeInside`]. In NPY files they are the columns of a plain array.
pub const NODE_INSIDE: &[Column<NodeInside>] = &[integers(
    "node",
    &["step", "body", "other", "node", "side"],
    |n: &NodeInside, k| {
        let Intrusion { body, other, node, side } = n.found;
        [n.step as i32, body as i32, other as i32, node as i32, side as i32][k]
    },
)
.doc("Step of the motion, body that is entered, other that enters it, node of the other, side (1 inside, 0 on the surface).")
.only(Outputs::CSV.and(Outputs::NUMPY))];
