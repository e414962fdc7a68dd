//! Connectivity of meshes of faces or volume elements: one list of node indices, and the offsets of
//! the faces or elements in it.

use crate::error::{Argument, Error, Result};

/// Returns the offsets of a connectivity: the position in `indices` at which the nodes of each face
/// or element begin, and the end of the last. `counts` has the number of nodes of each face or
/// element. `what` and `name` name the faces or elements in an error.
///
/// # Errors
/// When there are too many nodes, or the length of `indices` is not the sum of `counts`.
pub(super) fn starts(
    (what, name): (Argument, &str),
    counts: impl ExactSizeIterator<Item = usize> + Clone,
    nodes: &[[f64; 3]],
    indices: &[u32],
) -> Result<Vec<u32>> {
    if nodes.len() > u32::MAX as usize || indices.len() > u32::MAX as usize {
        return Err(Error::argument(
            Argument::Mesh,
            format!("{} nodes and {} node numbers", nodes.len(), indices.len()),
            "at most 4294967295 of each",
        ));
    }
    let needed: usize = counts.clone().sum();
    if needed != indices.len() {
        return Err(Error::argument(
            what,
            format!("{} node numbers", indices.len()),
            format!("{needed}, the nodes of {} {name}", counts.len()),
        ));
    }
    let mut starts = Vec::with_capacity(counts.len() + 1);
    let mut end = 0;
    starts.push(end);
    for count in counts {
        end += count as u32;
        starts.push(end);
    }
    Ok(starts)
}

/// Returns the indices of the nodes that a connectivity uses, in ascending order. Replaces each
/// entry of `indices`, a node index, by the position of the node in that list. `count` is the
/// number of nodes of the mesh, used or not.
pub(super) fn used_nodes(count: usize, indices: &mut [u32]) -> Vec<u32> {
    const UNUSED: u32 = u32::MAX;
    let mut places = vec![UNUSED; count];
    for &node in indices.iter() {
        places[node as usize] = 0;
    }
    let mut nodes = Vec::new();
    for (node, place) in places.iter_mut().enumerate() {
        if *place != UNUSED {
            *place = nodes.len() as u32;
            nodes.push(node as u32);
        }
    }
    for node in indices {
        *node = places[*node as usize];
    }
    nodes
}
