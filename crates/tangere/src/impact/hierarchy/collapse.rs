//! Collapses a binary hierarchy to `K` children a node: the child of largest volume is replaced by
//! its own children until a node has `K`.
//!
//! A node with at most `K` items below it gets these items as its children. Its ancestors never
//! replace it by its children, so the lowest nodes, which are the most numerous, are well filled.
//!
//! O(n K) for `n` items. Volumes are compared by the kind of volume in the settings, boxes or
//! balls; children of equal volume are replaced in order.

use super::{HierarchySettings, Node, Volume};

/// The key by which the collapse of a hierarchy chooses the child of largest volume. Keys are
/// compared element by element: boxes by volume, then, because flat boxes have volume 0, by surface
/// area and by the sum of their extents; balls by radius.
fn size(node: &Node, volume: Volume) -> [f64; 3] {
    match volume {
        Volume::Ball => [node.ball.radius; 3],
        Volume::Box => {
            let e = node.bounds.extent();
            [
                e[0] * e[1] * e[2],
                e[0] * e[1] + e[1] * e[2] + e[2] * e[0],
                e[0] + e[1] + e[2],
            ]
        }
    }
}

/// The number of items below each node of a binary hierarchy that is to be collapsed. Every node
/// must precede its children.
fn counts(nodes: &[Node]) -> Vec<u32> {
    let mut counts = vec![1; nodes.len()];
    for (i, node) in nodes.iter().enumerate().rev().filter(|(_, n)| !n.is_leaf()) {
        counts[i] = node.children().map(|child| counts[child]).sum();
    }
    counts
}

/// Collapses a binary hierarchy to at most `settings.branching` children a node.
pub(super) fn collapsed(binary: &[Node], settings: &HierarchySettings) -> Vec<Node> {
    let counts = counts(binary);
    let mut nodes = Vec::with_capacity(binary.len());
    nodes.push(binary[0]);
    let mut open = vec![0];
    let mut children: Vec<usize> = Vec::with_capacity(settings.branching);
    while let Some(index) = open.pop() {
        let node: Node = nodes[index];
        if node.is_leaf() {
            continue;
        }
        // At first the node has the children of the binary hierarchy.
        children.clear();
        children.extend(node.children());
        let below: u32 = children.iter().map(|&child| counts[child]).sum();
        let least = match below as usize <= settings.branching {
            true => 1,
            false => settings.branching as u32,
        };
        while children.len() < settings.branching {
            let mut largest: Option<(usize, [f64; 3])> = None;
            for (i, &child) in children.iter().enumerate() {
                let size = size(&binary[child], settings.volume);
                if counts[child] > least && largest.is_none_or(|(_, most)| size > most) {
                    largest = Some((i, size));
                }
            }
            let Some((i, _)) = largest else { break };
            let opened = binary[children[i]].children();
            children.splice(i..=i, opened);
        }
        let first = nodes.len();
        nodes[index].first = first as u32;
        nodes[index].count = children.len() as u32;
        nodes.extend(children.iter().map(|&child| binary[child]));
        open.extend((first..nodes.len()).rev());
    }
    nodes
}
