//! Lower bound of the time of impact of two curved faces by AABBs, k-DOPs or OBBs around their
//! control points.

use super::super::face_bound::Refinement;
use super::super::mover::Mover;
use super::super::relative_frame::RelativeFrame;
use super::face_pair::FacePair;
use crate::geometry::vector::{cross, direction, dot, minus};

/// Face bound of two curved faces: how long their bounding volumes stay separated, counted from the
/// time of the frame.
pub(super) fn separated_for(
    refinement: Refinement,
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
) -> f64 {
    let mut pair = FacePair::new(frame, movers, faces);
    let whole = pair.whole();
    let patches = [&whole[0], &whole[1]];
    let nets = pair.nets(patches);
    let between = pair.between(&nets);
    let along = |n: [f64; 3]| {
        let n = match dot(n, between) < 0.0 {
            true => n.map(|x| -x),
            false => n,
        };
        pair.slab(patches, &nets, n).separated_for(0.0)
    };
    let directions = refinement.directions().iter().copied().flatten();
    let fixed = directions.map(|&n| along(n)).fold(0.0, f64::max);
    if refinement != Refinement::Obb {
        return fixed;
    }
    let frames = [0, 1].into_iter().flat_map(|i| {
        let corner = |k: usize| pair.control(i, &nets[i], k);
        let (u, v) = (minus(corner(1), corner(0)), minus(corner(2), corner(0)));
        let normal = cross(u, v);
        [normal, u, cross(normal, u)]
    });
    let axes = frames.filter_map(direction).chain([between]);
    axes.map(along).fold(fixed, f64::max)
}
