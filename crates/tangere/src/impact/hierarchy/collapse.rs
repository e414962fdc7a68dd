//! K children a node: a node of a binary hierarchy opens its child of largest volume until it has K.
//!
//! A node over no more than K items has them as its children, and is not opened by those above it, so that the lowest nodes,
//! of which there are most, are well filled.
//!
//! O(n K). Volumes are those that the construction keeps small; equal ones are opened in order.

use super::{HierarchySettings, Node, Volume};

/// A measure that orders nodes by volume. Flat boxes have none, so surfaces, then lengths, decide among them.
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

/// How many items are below each node. Nodes lie before their children.
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
        // Until it is given its own, a node has the children it had.
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
