//! Collapses a binary hierarchy to K children a node: a node replaces its child of largest volume
//! by its children until it has K.
//!
//! A node over at most K items has them as its children, and is not expanded by its ancestors, so
//! that the lowest nodes, of which there are most, are well filled.
//!
//! O(n K). The volume is that of the settings; equal ones are expanded in order.

use super::{HierarchySettings, Node, Volume};

/// A key that orders nodes by volume. Flat boxes have volume 0, so surfaces, then lengths, decide.
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

/// The number of items below each node. Nodes precede their children.
fn counts(nodes: &[Node]) -> Vec<u32> {
    let mut counts = vec![1; nodes.len()];
    for (i, node) in nodes.iter().enumerate().rev().filter(|(_, n)| !n.is_leaf()) {
        counts[i] = node.children().map(|child| counts[child]).sum();
    }
    counts
}

/// The same hierarchy with at most as many children a node as the settings say.
pub(super) fn collapsed(binary: &[Node], settings: &HierarchySettings) -> Vec<Node> {
    let counts = counts(binary);
    let mut nodes = Vec::with_capacity(binary.len());
    nodes.push(binary[0]);
    let mut open = vec![0];
    let mut children: Vec<usize> = Vec::with_capacity(settings.branching);
    while let Some(place) = open.pop() {
        let node: Node = nodes[place];
        if node.is_leaf() {
            continue;
        }
        // So far the node has the children of the binary hierarchy.
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
        nodes[place].first = first as u32;
        nodes[place].count = children.len() as u32;
        nodes.extend(children.iter().map(|&child| binary[child]));
        open.extend((first..nodes.len()).rev());
    }
    nodes
}
