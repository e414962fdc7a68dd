//! OBB tree: oriented bounding boxes (OBBs) around parts of a surface, in f32.
//!
//! A part of a smooth surface is flat to second order, so its OBB is thin, whereas an axis-aligned
//! box around it is not. If a point or another surface is far away compared to the size of the
//! boxes, few OBBs are as near to it as the surface is. The results of searches are confirmed in
//! f64.
//!
//! | file | what |
//! |---|---|
//! | `tree` | tree of OBBs, with any kind of leaves |
//! | `tree_layout` | the items of each node and packet of an OBB tree |
//! | `obb` | an oriented bounding box |
//! | `obb_lanes` | a node of an OBB tree: eight OBBs in lanes |
//! | `placed_obb` | an OBB in the coordinates of another OBB tree |
//! | `far_obbs` | distances of OBBs of trees that are far apart |
//! | `orthogonal` | directions orthogonal to a unit vector |

mod far_obbs;
mod obb;
mod obb_lanes;
mod orthogonal;
mod placed_obb;
mod tree;
mod tree_layout;

pub(super) use far_obbs::FarObbs;
pub(super) use obb::Obb;
pub(super) use obb_lanes::{NOTHING, ObbLanes, Stack, splat};
pub(super) use orthogonal::across;
pub(super) use placed_obb::ObbPlacement;
pub(super) use tree::{FITTED, ObbTree, PACKET};
pub(super) use tree_layout::TreeLayout;

/// Bound of the rounding error of a distance from a point to a triangle or a box in f32, relative to
/// the lengths that it is computed from: 64 rounding units of 2^-24.
pub(super) const MARGIN: f32 = 1.0 / (1 << 18) as f32;

/// The length below which lengths of a triangle or a box count as 0, since their squares would
/// underflow in f32. It is added to every bound of the error of a distance.
pub(super) const TINY: f32 = 1.0 / (1u64 << 58) as f32;
