//! Oracle of bottom-up construction: the pair of least joint volume, found by testing all pairs, is
//! merged first; and Omohundro's construction with an online insertion tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tangere::geometry::{Aabb, Ball};
use tangere::impact::hierarchy::{Hierarchy, Node, Volume};

/// A bounding volume that is merged with others.
pub trait Joined: Copy {
    fn joint(&self, other: &Self) -> Self;
    /// A size that grows with the volume of a ball or the surface of a box.
    fn size(&self) -> f64;
    /// The volume of a leaf of a hierarchy.
    fn of_leaf(leaf: &Node, margin: f64) -> Self;
    /// Lower bound of the joint size with any volume inside `around`.
    fn least(&self, around: &Self) -> f64;
}

impl Joined for Ball<3> {
    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn of_leaf(leaf: &Node, _: f64) -> Self {
        leaf.ball
    }

    fn least(&self, around: &Self) -> f64 {
        let d: [f64; 3] = std::array::from_fn(|k| self.center[k] - around.center[k]);
        let apart = d.iter().map(|x| x * x).sum::<f64>().sqrt() - around.radius;
        self.radius.max(0.5 * (apart + self.radius) * (1.0 - 1e-12))
    }
}

impl Joined for Aabb<3> {
    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }

    fn size(&self) -> f64 {
        let e = self.extent();
        e[0] * e[1] + e[1] * e[2] + e[2] * e[0]
    }

    fn of_leaf(leaf: &Node, margin: f64) -> Self {
        leaf.bounds.expanded(margin)
    }

    fn least(&self, around: &Self) -> f64 {
        // Up to the nearest point of the box around.
        let nearest = std::array::from_fn(|k| around.min[k].max(self.max[k].min(around.max[k])));
        let mut reached = *self;
        reached.include(nearest);
        reached.size()
    }
}

/// The enlargement of boxes, as in the construction.
fn margin(hierarchy: &Hierarchy, count: usize) -> f64 {
    let leaves = || hierarchy.nodes().iter().filter(|node| node.is_leaf());
    let median = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers[count / 2]
    };
    let center = |k: usize| median(leaves().map(|leaf| leaf.bounds.center()[k]).collect());
    let origin = [0, 1, 2].map(center);
    let reach = |bounds: &Aabb<3>| {
        let away = |k: usize| (bounds.max[k] - origin[k]).max(origin[k] - bounds.min[k]);
        away(0).max(away(1)).max(away(2))
    };
    let spread = median(leaves().map(|leaf| reach(&leaf.bounds)).collect());
    let size = reach(&hierarchy.nodes()[0].bounds);
    let spread = [spread, size, 1.0].into_iter().find(|&x| x > 0.0);
    spread.unwrap_or(1.0) / (count as f64).cbrt()
}

/// Checks that every merge in a binary hierarchy was that of the pair of least joint volume.
pub fn check_greedy(hierarchy: &Hierarchy) {
    match hierarchy.settings().volume {
        Volume::Ball => check::<Ball<3>>(hierarchy),
        Volume::Box => check::<Aabb<3>>(hierarchy),
    }
}

fn check<V: Joined>(hierarchy: &Hierarchy) {
    let nodes = hierarchy.nodes();
    let count = nodes.len().div_ceil(2);
    let margin = margin(hierarchy, count);
    let mut volumes: Vec<V> = nodes.iter().map(|node| V::of_leaf(node, margin)).collect();
    let mut joins = Vec::new();
    for (i, node) in nodes.iter().enumerate().rev() {
        if !node.is_leaf() {
            let first = node.first as usize;
            volumes[i] = volumes[first].joint(&volumes[first + 1]);
            joins.push(i);
        }
    }
    // Children come before their parents among equal ones.
    joins.sort_by(|&i, &j| volumes[i].size().total_cmp(&volumes[j].size()));
    let mut live: Vec<usize> = (0..nodes.len()).filter(|&i| nodes[i].is_leaf()).collect();
    for join in joins {
        let mut least = f64::INFINITY;
        for (k, &i) in live.iter().enumerate() {
            for &j in &live[..k] {
                least = least.min(volumes[i].joint(&volumes[j]).size());
            }
        }
        let size = volumes[join].size();
        assert!(
            size <= least * (1.0 + 1e-9),
            "{count} {:?}: joined {size}, best {least}",
            hierarchy.settings()
        );
        let before = live.len();
        live.retain(|i| !nodes[join].children().contains(i));
        assert_eq!(live.len(), before - 2);
        live.push(join);
    }
}

/// Omohundro's bottom-up construction over the leaves of a hierarchy; returns for each inner node
/// the sorted items below it.
pub fn omohundro(hierarchy: &Hierarchy) -> Vec<Vec<u32>> {
    match hierarchy.settings().volume {
        Volume::Ball => joins::<Ball<3>>(hierarchy),
        Volume::Box => joins::<Aabb<3>>(hierarchy),
    }
}

fn joins<V: Joined>(hierarchy: &Hierarchy) -> Vec<Vec<u32>> {
    let leaves: Vec<&Node> = hierarchy.nodes().iter().filter(|n| n.is_leaf()).collect();
    let margin = margin(hierarchy, leaves.len());
    let mut tree = Online::new();
    let mut items = Vec::new();
    for leaf in &leaves {
        tree.insert(V::of_leaf(leaf, margin));
        items.push(vec![leaf.first]);
    }
    let mut queue = BinaryHeap::new();
    let push = |queue: &mut BinaryHeap<_>, tree: &Online<V>, name: usize| {
        if let Some((size, other)) = tree.best(name) {
            queue.push(Reverse((size.to_bits(), name, other)));
        }
    };
    for name in 0..leaves.len() {
        push(&mut queue, &tree, name);
    }
    while let Some(Reverse((_, a, b))) = queue.pop() {
        if tree.leaves[a] == NONE {
            continue;
        }
        // As in the paper, the best pair is searched again whether or not the one stored is there.
        if tree.best(a).is_none_or(|(_, other)| other != b) {
            push(&mut queue, &tree, a);
            continue;
        }
        let joint = tree.remove(a).joint(&tree.remove(b));
        let name = tree.insert(joint);
        let mut below = [items[a].clone(), items[b].clone()].concat();
        below.sort_unstable();
        items.push(below);
        push(&mut queue, &tree, name);
    }
    items.split_off(leaves.len())
}

const NONE: usize = usize::MAX;

/// A node of an [`Online`] tree; a leaf has no children.
struct Place<V> {
    volume: V,
    parent: usize,
    children: [usize; 2],
    name: usize,
}

/// An online insertion tree: a volume is inserted where the total volume of the tree grows least.
struct Online<V> {
    /// The nodes; removed ones are never reached.
    nodes: Vec<Place<V>>,
    root: usize,
    /// The node of each remaining name.
    leaves: Vec<usize>,
}

impl<V: Joined> Online<V> {
    fn new() -> Self {
        Self {
            nodes: Vec::new(),
            root: NONE,
            leaves: Vec::new(),
        }
    }

    fn push(&mut self, volume: V, parent: usize, children: [usize; 2], name: usize) -> usize {
        self.nodes.push(Place {
            volume,
            parent,
            children,
            name,
        });
        self.nodes.len() - 1
    }

    fn insert(&mut self, volume: V) -> usize {
        let name = self.leaves.len();
        let leaf = self.push(volume, NONE, [NONE; 2], name);
        self.leaves.push(leaf);
        if self.root == NONE {
            self.root = leaf;
            return name;
        }
        // Beside a node the tree grows by their joint volume and by what its ancestors grow.
        let (mut best, mut sibling) = (f64::INFINITY, self.root);
        let mut open = vec![(0.0, self.root)];
        while let Some((growth, node)) = open.pop() {
            let place = &self.nodes[node];
            let joint = place.volume.joint(&volume).size();
            if growth + joint < best {
                (best, sibling) = (growth + joint, node);
            }
            let growth = growth + joint - place.volume.size();
            if place.children[0] != NONE && growth < best {
                open.extend(place.children.map(|child| (growth, child)));
            }
        }
        let above = self.nodes[sibling].parent;
        let parent = self.push(volume, above, [sibling, leaf], NONE);
        (self.nodes[sibling].parent, self.nodes[leaf].parent) = (parent, parent);
        self.replace(above, sibling, parent);
        self.update(parent);
        name
    }

    fn replace(&mut self, parent: usize, old: usize, new: usize) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent].children;
        children[usize::from(children[1] == old)] = new;
    }

    fn update(&mut self, mut node: usize) {
        while node != NONE {
            let [a, b] = self.nodes[node]
                .children
                .map(|child| self.nodes[child].volume);
            self.nodes[node].volume = a.joint(&b);
            node = self.nodes[node].parent;
        }
    }

    fn remove(&mut self, name: usize) -> V {
        let leaf = std::mem::replace(&mut self.leaves[name], NONE);
        let Place { volume, parent, .. } = self.nodes[leaf];
        if parent == NONE {
            self.root = NONE;
            return volume;
        }
        let [a, b] = self.nodes[parent].children;
        let sibling = if a == leaf { b } else { a };
        let above = self.nodes[parent].parent;
        self.nodes[sibling].parent = above;
        self.replace(above, parent, sibling);
        self.update(above);
        volume
    }

    fn best(&self, name: usize) -> Option<(f64, usize)> {
        let volume = self.nodes[self.leaves[name]].volume;
        let mut best: Option<(f64, usize)> = None;
        let mut open = vec![self.root];
        while let Some(i) = open.pop() {
            let other = &self.nodes[i];
            if best.is_some_and(|(size, _)| volume.least(&other.volume) >= size) {
                continue;
            }
            if other.children[0] != NONE {
                open.extend(other.children);
            } else if other.name != name {
                let size = volume.joint(&other.volume).size();
                if best.is_none_or(|(least, _)| size < least) {
                    best = Some((size, other.name));
                }
            }
        }
        best
    }
}
