//! Volume meshes: meshes of volume elements of mixed kinds, from which boundaries are extracted.

use super::VolumeKind;
use super::connectivity::starts;
use crate::error::{Argument, Error, Result};
use crate::geometry::check_points;
use crate::parallel;

/// A mesh of volume elements of mixed kinds, validated: predicates are exact on its coordinates,
/// node indices are in range and differ within an element, and there is at least one element.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeMesh {
    nodes: Vec<[f64; 3]>,
    kinds: Vec<VolumeKind>,
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl VolumeMesh {
    /// Returns a volume mesh with one element for each of `kinds`. `indices` has the node indices
    /// of all elements, one element after another.
    pub fn new(nodes: Vec<[f64; 3]>, kinds: Vec<VolumeKind>, indices: Vec<u32>) -> Result<Self> {
        let counts = kinds.iter().map(|kind| kind.nodes());
        let starts = starts((Argument::Elements, "elements"), counts, &nodes, &indices)?;
        if kinds.is_empty() {
            let found = "no elements";
            return Err(Error::argument(
                Argument::Mesh,
                found,
                "at least one element",
            ));
        }
        check_points(Argument::Node, &nodes)?;
        let mesh = VolumeMesh {
            nodes,
            kinds,
            starts,
            indices,
        };
        let count = mesh.nodes.len();
        let outside = |&node: &u32| node as usize >= count;
        let is_bad = |e: usize| {
            let element = mesh.nodes_of(e);
            let repeated = |i: usize| element[..i].contains(&element[i]);
            element.iter().any(outside) || (1..element.len()).any(repeated)
        };
        match parallel::first(mesh.len(), is_bad) {
            None => Ok(mesh),
            Some(e) => Err(Error::item(
                Argument::Element,
                e,
                format!("{} of nodes {:?}", mesh.kinds[e], mesh.nodes_of(e)),
                if mesh.nodes_of(e).iter().any(outside) {
                    format!("indices below {count}, the number of nodes")
                } else {
                    "nodes that differ".to_owned()
                },
            )),
        }
    }

    /// The coordinates of the nodes of the volume mesh.
    pub fn nodes(&self) -> &[[f64; 3]] {
        &self.nodes
    }

    /// The number of elements of the volume mesh.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the volume mesh has no elements; never true.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind of each element of the volume mesh.
    pub fn kinds(&self) -> &[VolumeKind] {
        &self.kinds
    }

    /// The node indices of one element of the volume mesh.
    #[inline]
    pub fn nodes_of(&self, element: usize) -> &[u32] {
        &self.indices[self.starts[element] as usize..self.starts[element + 1] as usize]
    }

    /// The coordinates of a node of the volume mesh: node `k` of element `element`.
    #[inline]
    pub(super) fn node_of(&self, element: usize, k: u8) -> [f64; 3] {
        self.nodes[self.nodes_of(element)[k as usize] as usize]
    }
}
