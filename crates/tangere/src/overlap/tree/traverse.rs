//! Simultaneous traversal of two inner sphere trees.
//!
//! Pairs of nodes wait on a stack and are taken in batches: first a batch is tested, then its hits
//! are pushed, so that neither step waits for the other. A pair of nodes has 64 pairs of children.
//! Among the hits, a pair of nodes goes back to the stack, and a pair of spheres is a candidate. A
//! sphere and a node go to stacks of their own, where a sphere is tested against eight children at
//! a time.
//!
//! The stack of nodes is sorted by depth, the deepest last, because a pair is taken only when all
//! deeper pairs are taken too. So it holds at most `64 TAKEN` entries of each depth. The stacks of
//! spheres and nodes are bounded in the same way: a pair of nodes adds at most 64 entries to them.

use super::{ITEM, Node, SphereTree, WIDTH};
use crate::overlap::relative_pose::RelativePose;
use crate::simd::{Kernel, Vector, prefetch};

/// The number of pairs that are taken from a stack at a time, as a batch.
const TAKEN: usize = 16;

/// Limit of the magnitudes of the entries of a [`BallTransform`]: sums of squares of smaller
/// numbers do not overflow in f32. If an entry is larger, then every pair is accepted.
const HUGE: f32 = 1e18;

/// The margin of the overlap test of bounding spheres, relative to coordinates and radii. It is
/// more than the rounding errors of a centre moved in f32, of the sum of two radii and of the
/// comparison of distances.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// The transform of bounding spheres from the f32 coordinates of sphere tree `a` to those of sphere
/// tree `b`.
pub(super) struct BallTransform {
    matrix: [[f32; 3]; 3],
    offset: [f32; 3],
    ratio: f32,
    margin: f32,
}

impl BallTransform {
    /// Returns the transform of bounding spheres between two inner sphere trees at a relative pose,
    /// for their traversal.
    pub(super) fn new(a: &SphereTree, b: &SphereTree, relative_pose: &RelativePose) -> Self {
        let ratio = b.scale / a.scale;
        let offset = relative_pose.offset.map(|x| x * b.scale);
        let size = 3.0 * ratio + offset.iter().map(|x| x.abs()).sum::<f64>() + 3.0;
        let made = Self {
            matrix: relative_pose
                .matrix
                .map(|row| row.map(|x| (x * ratio) as f32)),
            offset: offset.map(|x| x as f32),
            ratio: (ratio as f32).next_up(),
            margin: (size * SLACK) as f32,
        };
        let numbers = made.matrix.as_flattened().iter().chain(&made.offset);
        if numbers
            .chain(&[made.ratio, made.margin])
            .all(|x| x.abs() < HUGE)
        {
            made
        } else {
            // Beyond the range of f32 every pair is accepted.
            Self {
                matrix: [[0.0; 3]; 3],
                offset: [0.0; 3],
                ratio: 0.0,
                margin: HUGE,
            }
        }
    }
}

/// A child of a node of tree `a` and one of tree `b`, given by their indices. Each is a node, or a
/// sphere if the bit [`ITEM`] is set.
pub(super) type Pair = [u32; 2];

/// Receives candidate pairs of a sphere of `a` and a sphere of `b`.
pub(super) trait Sink {
    /// Takes a candidate pair of spheres that the traversal of two sphere trees found, as indices
    /// in the order in which the nodes of each tree list its spheres.
    fn push(&mut self, a: u32, b: u32);
}

/// Four stacks of pairs: of two nodes, of a sphere of `a` and a node of `b`, of a node of `a` and a
/// sphere of `b`, and of two spheres. Scratch memory of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists([List; 4]);

/// A stack of pairs whose memory is reserved before pairs are pushed.
#[derive(Clone, Debug, Default)]
struct List {
    pairs: Vec<Pair>,
    len: usize,
}

impl List {
    /// Makes room for `room` pairs in all on a stack of the traversal of two sphere trees.
    fn reserve(&mut self, room: usize) {
        if self.pairs.len() < room {
            self.pairs.resize(room, [0; 2]);
        }
    }

    /// Pushes a pair to a stack of the traversal of two sphere trees.
    #[inline(always)]
    fn push(&mut self, pair: Pair) {
        debug_assert!(self.len < self.pairs.len());
        if let Some(place) = self.pairs.get_mut(self.len) {
            *place = pair;
            self.len += 1;
        }
    }

    /// Pops up to [`TAKEN`] pairs from a stack of the traversal of two sphere trees. Returns them
    /// and their number.
    #[inline(always)]
    fn take(&mut self) -> ([Pair; TAKEN], usize) {
        let count = self.len.min(TAKEN);
        let mut taken = [[0; 2]; TAKEN];
        let first = self.len - count;
        taken[..count].copy_from_slice(&self.pairs[first..first + count]);
        self.len = first;
        (taken, count)
    }
}

/// Two inner sphere trees and the transform between them.
#[derive(Clone, Copy)]
pub(super) struct Trees<'t> {
    pub(super) a: &'t SphereTree,
    pub(super) b: &'t SphereTree,
    pub(super) balls: &'t BallTransform,
}

/// The kernel that traverses two trees from the given pairs of nodes down to candidate pairs of
/// spheres.
pub(super) struct Descent<'t, S> {
    pub(super) trees: Trees<'t>,
    pub(super) from: &'t [Pair],
    pub(super) lists: &'t mut Lists,
    pub(super) sink: &'t mut S,
}

impl<S: Sink> Kernel for Descent<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Trees { a, b, .. } = self.trees;
        let lists = self.lists;
        let height = a.height.max(b.height) + 1;
        let more = self.from.len();
        lists.0[0].reserve(64 * TAKEN * height + more);
        for list in &mut lists.0[1..3] {
            list.reserve(64 * TAKEN + 8 * TAKEN * height + more);
        }
        lists.0[3].reserve(64 * TAKEN + more);
        for &pair in self.from {
            lists.push(pair);
        }
        loop {
            mixed::<V, _>(&OfA(self.trees), lists, self.sink);
            mixed::<V, _>(&OfB(self.trees), lists, self.sink);
            let (taken, count) = lists.0[0].take();
            if count == 0 {
                break;
            }
            nodes::<V>(&self.trees, &taken[..count], lists);
            lists.spheres(self.sink);
        }
    }
}

impl Lists {
    /// Pushes a pair to the stack of its kind (nodes or spheres) in the traversal of two sphere
    /// trees, without a branch, which would be mispredicted.
    #[inline(always)]
    fn push(&mut self, pair: Pair) {
        let [of_a, of_b] = pair.map(|child| child >> 31);
        self.0[(of_a + 2 * of_b) as usize % 4].push(pair);
    }

    /// Passes all pairs of spheres on the stack of the traversal of two sphere trees to `sink`, and
    /// empties the stack.
    #[inline(always)]
    fn spheres(&mut self, sink: &mut impl Sink) {
        let list = &mut self.0[3];
        for &[i, j] in &list.pairs[..list.len] {
            sink.push(i & !ITEM, j & !ITEM);
        }
        list.len = 0;
    }
}

/// The kernel of breadth-first traversal: tests the children of one pair of nodes. Pairs whose
/// bounding spheres overlap are appended to `left` or, if both are spheres of the packings, passed
/// to `sink`.
pub(super) struct OneStep<'t, S> {
    pub(super) trees: Trees<'t>,
    pub(super) pair: Pair,
    pub(super) left: &'t mut Vec<Pair>,
    pub(super) sink: &'t mut S,
}

impl<S: Sink> Kernel for OneStep<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Trees { a, b, balls } = self.trees;
        let [i, j] = self.pair;
        let [node_a, node_b] = [(a, i), (b, j)].map(|(tree, i)| tree.nodes.get(i as usize));
        let mut push = |pair: Pair| {
            if pair[0] & pair[1] & ITEM != 0 {
                self.sink.push(pair[0] & !ITEM, pair[1] & !ITEM);
            } else {
                self.left.push(pair);
            }
        };
        match (node_a, node_b) {
            (Some(node_a), Some(node_b)) => {
                let mut hits = hits::<V>(node_a, node_b, balls);
                while hits != 0 {
                    push(children(node_a, node_b, hits.trailing_zeros() as usize));
                    hits &= hits - 1;
                }
            }
            (None, Some(node_b)) => {
                let mut hits = hits_of_a::<V>(a, i, node_b, balls);
                while hits != 0 {
                    push([i, node_b.children[hits.trailing_zeros() as usize % WIDTH]]);
                    hits &= hits - 1;
                }
            }
            (Some(node_a), None) => {
                let mut hits = hits_of_b::<V>(node_a, b, j, balls);
                while hits != 0 {
                    push([node_a.children[hits.trailing_zeros() as usize % WIDTH], j]);
                    hits &= hits - 1;
                }
            }
            (None, None) => {}
        }
    }
}

/// Returns the children of two sphere tree nodes that form pair `lane` of their 64 pairs: child
/// `lane % 8` of `a` and child `lane / 8` of `b`.
#[inline(always)]
fn children(a: &Node, b: &Node, lane: usize) -> Pair {
    [a.children[lane % WIDTH], b.children[lane / WIDTH % WIDTH]]
}

/// Traverses a batch of pairs of sphere tree nodes: tests the bounding spheres of their children,
/// and pushes the pairs that overlap to the stacks.
#[inline(always)]
fn nodes<V: Vector>(Trees { a, b, balls }: &Trees<'_>, taken: &[Pair], lists: &mut Lists) {
    let mut found = [0; TAKEN];
    for (found, &[i, j]) in found.iter_mut().zip(taken) {
        if let (Some(a), Some(b)) = (a.nodes.get(i as usize), b.nodes.get(j as usize)) {
            *found = hits::<V>(a, b, balls);
        }
    }
    for (mut hits, &[i, j]) in found.into_iter().zip(taken) {
        if let (Some(a), Some(b)) = (a.nodes.get(i as usize), b.nodes.get(j as usize)) {
            while hits != 0 {
                lists.push(children(a, b, hits.trailing_zeros() as usize));
                hits &= hits - 1;
            }
        }
    }
    let list = &lists.0[0];
    for &[i, j] in &list.pairs[list.len.saturating_sub(TAKEN)..list.len] {
        prefetch(&a.nodes, i as usize);
        prefetch(&b.nodes, j as usize);
    }
}

/// Traversal with pairs of a sphere of one tree and a node of the other.
trait Mixed {
    /// The index in [`Lists`] of the stack with the pairs of a sphere and a node.
    const LIST: usize;
    /// Returns the sphere tree's node of a pair, in the traversal with pairs of a sphere and a
    /// node.
    fn node(&self, pair: Pair) -> Option<&Node>;
    /// Returns the mask of those children of the sphere tree's node whose bounding spheres overlap
    /// the sphere of the pair.
    fn hits<V: Vector>(&self, pair: Pair, node: &Node) -> u32;
    /// Returns the pair of the sphere of `pair` and a child of the sphere tree's node.
    fn below(pair: Pair, child: u32) -> Pair;
}

/// Traversal with pairs of a sphere of `a` and a node of `b`.
struct OfA<'t>(Trees<'t>);

impl Mixed for OfA<'_> {
    const LIST: usize = 1;
    #[inline(always)]
    fn node(&self, [_, j]: Pair) -> Option<&Node> {
        self.0.b.nodes.get(j as usize)
    }
    #[inline(always)]
    fn hits<V: Vector>(&self, [i, _]: Pair, node: &Node) -> u32 {
        hits_of_a::<V>(self.0.a, i, node, self.0.balls)
    }
    #[inline(always)]
    fn below([i, _]: Pair, child: u32) -> Pair {
        [i, child]
    }
}

/// Traversal with pairs of a node of `a` and a sphere of `b`.
struct OfB<'t>(Trees<'t>);

impl Mixed for OfB<'_> {
    const LIST: usize = 2;
    #[inline(always)]
    fn node(&self, [i, _]: Pair) -> Option<&Node> {
        self.0.a.nodes.get(i as usize)
    }
    #[inline(always)]
    fn hits<V: Vector>(&self, [_, j]: Pair, node: &Node) -> u32 {
        hits_of_b::<V>(node, self.0.b, j, self.0.balls)
    }
    #[inline(always)]
    fn below([_, j]: Pair, child: u32) -> Pair {
        [child, j]
    }
}

/// Traverses the nodes of one sphere tree with single spheres of the other, until no pair of a
/// sphere and a node is left.
#[inline(always)]
fn mixed<V: Vector, M: Mixed>(trees: &M, lists: &mut Lists, sink: &mut impl Sink) {
    loop {
        let (taken, count) = lists.0[M::LIST].take();
        if count == 0 {
            break;
        }
        let mut found = [0; TAKEN];
        for (found, &pair) in found.iter_mut().zip(&taken[..count]) {
            if let Some(node) = trees.node(pair) {
                *found = trees.hits::<V>(pair, node);
            }
        }
        for (mut hits, &pair) in found.into_iter().zip(&taken[..count]) {
            if let Some(node) = trees.node(pair) {
                while hits != 0 {
                    let child = node.children[hits.trailing_zeros() as usize % WIDTH];
                    lists.push(M::below(pair, child));
                    hits &= hits - 1;
                }
            }
        }
        lists.spheres(sink);
    }
}

/// Returns the centres and radii of the bounding spheres of the children of a node of sphere tree
/// `a`, in the f32 coordinates of tree `b`. Radii are enlarged to cover rounding.
#[inline(always)]
fn moved<V: Vector>(a: &Node, balls: &BallTransform) -> [V; 4] {
    let [x, y, z] = [
        V::load(&a.center[0]),
        V::load(&a.center[1]),
        V::load(&a.center[2]),
    ];
    let mut moved = [x; 4];
    for k in 0..3 {
        let [p, q, r] = balls.matrix[k];
        moved[k] = x.mul_add(V::splat(p), V::splat(balls.offset[k]));
        moved[k] = y.mul_add(V::splat(q), moved[k]);
        moved[k] = z.mul_add(V::splat(r), moved[k]);
    }
    moved[3] = V::load(&a.radius).mul_add(V::splat(balls.ratio), V::splat(balls.margin));
    moved
}

/// Returns the mask of the lanes in which two bounding spheres of the traversed trees overlap. A
/// sphere is given by its centre and radius.
#[inline(always)]
fn meet<V: Vector>([x, y, z, r]: [V; 4], [u, v, w, s]: [V; 4]) -> u32 {
    let [dx, dy, dz] = [x.sub(u), y.sub(v), z.sub(w)];
    let squared = dx.mul_add(dx, dy.mul_add(dy, dz.mul(dz)));
    let reach = r.add(s);
    squared.at_most(reach.mul(reach))
}

/// Returns the mask of the 64 pairs of children of two sphere tree nodes whose bounding spheres
/// overlap. Bit `8 j + i` is that of child `i` of `a` and child `j` of `b`.
#[inline(always)]
fn hits<V: Vector>(a: &Node, b: &Node, balls: &BallTransform) -> u64 {
    let moved = moved::<V>(a, balls);
    let mut hits = 0;
    for j in 0..WIDTH {
        let other = [
            V::splat(b.center[0][j]),
            V::splat(b.center[1][j]),
            V::splat(b.center[2][j]),
            V::splat(b.radius[j]),
        ];
        hits |= u64::from(meet::<V>(moved, other)) << (8 * j);
    }
    hits
}

/// Returns the mask of those children of a node of sphere tree `b` whose bounding spheres overlap a
/// sphere of `a`.
#[inline(always)]
fn hits_of_a<V: Vector>(a: &SphereTree, sphere: u32, node: &Node, balls: &BallTransform) -> u32 {
    let Some(&[x, y, z, r]) = a.balls.get((sphere & !ITEM) as usize) else {
        return 0;
    };
    let mut moved = [V::splat(0.0); 4];
    for k in 0..3 {
        let [p, q, s] = balls.matrix[k];
        moved[k] = V::splat(x * p + y * q + z * s + balls.offset[k]);
    }
    moved[3] = V::splat(r * balls.ratio + balls.margin);
    let other = [
        V::load(&node.center[0]),
        V::load(&node.center[1]),
        V::load(&node.center[2]),
        V::load(&node.radius),
    ];
    meet::<V>(moved, other)
}

/// Returns the mask of those children of a node of sphere tree `a` whose bounding spheres overlap a
/// sphere of `b`.
#[inline(always)]
fn hits_of_b<V: Vector>(node: &Node, b: &SphereTree, sphere: u32, balls: &BallTransform) -> u32 {
    let Some(&[x, y, z, r]) = b.balls.get((sphere & !ITEM) as usize) else {
        return 0;
    };
    let other = [V::splat(x), V::splat(y), V::splat(z), V::splat(r)];
    meet::<V>(moved::<V>(node, balls), other)
}
