//! Inner sphere trees: balls around the spheres of a packing, level by level.
//!
//! The method that weller2014 compares with. Both trees go down together; balls, unlike boxes,
//! stay what they are under a rotation. Takes `O(n log n)` to build and `O(log n + pairs)` a query on the
//! usual input.
//!
//! *Deviates* from the inner sphere trees of Weller and Zachmann: nodes have eight children, side by
//! side in f32 and rounded outward, which are compared 64 pairs at a time; large spheres sit high in
//! the tree, as items of nodes; clusters come from the surface area heuristic instead of neural gas.

use super::moved::Motion;
use super::sum::{Adder, Placed, Sums};
use crate::shape::Packing;
use crate::simd::{Kernel, Lanes, Vector, prefetch, run_widest};
use crate::stop::Current;
use crate::tree::{Branch, MAX_HEIGHT, Pairs, Tree, among};
use rayon::prelude::*;

/// The number of children of a node.
const WIDTH: usize = 8;

/// A child that is a sphere.
const ITEM: u32 = 1 << 31;

/// Numbers below this cannot overflow when squared and added.
const HUGE: f32 = 1e18;

/// A relative error above that of a centre moved in f32, and of the sum of two radii and the
/// square root in the comparison of their distance.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// Pieces of work that a query is cut into, at least, and how many a thread takes at a time: pieces
/// differ in size, and to begin with one costs as much as some ten steps.
const PIECES: usize = 128;
const TAKEN: usize = 8;

/// Pairs of nodes that may wait, of trees as they are and as they are at most: a step goes down one
/// node of a pair or both and leaves at most 64 behind.
const STACKS: [usize; 2] = [2 * 8 * 64, 2 * MAX_HEIGHT * 64];

/// The balls of up to eight children, coordinate by coordinate, in units of the packing's size
/// relative to its middle.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Node {
    center: [[f32; WIDTH]; 3],
    /// Not a number where a lane is not used: it meets nothing.
    radius: [f32; WIDTH],
    /// The highest bit is that of spheres.
    children: [u32; WIDTH],
}

impl Node {
    const EMPTY: Self = Node {
        center: [[0.0; WIDTH]; 3],
        radius: [f32::NAN; WIDTH],
        children: [ITEM; WIDTH],
    };
}

/// A tree of balls over the spheres of a packing.
#[derive(Clone, Debug)]
pub(crate) struct SphereTree {
    nodes: Vec<Node>,
    /// Spheres relative to the middle, in the order of the tree.
    spheres: Vec<Placed>,
    /// Their numbers in the packing.
    numbers: Vec<u32>,
    /// One by the largest coordinate.
    scale: f64,
    /// Levels of nodes.
    height: usize,
}

impl SphereTree {
    /// Over the spheres of a packing.
    pub(crate) fn new(packing: &Packing) -> Self {
        let spheres = packing.spheres();
        let mut tree = Tree::of_spheres(spheres).expect("a packing has few enough spheres");
        let numbers = tree.renumbered();
        let middle = packing.bounds().center();
        let placed: Vec<Placed> = numbers
            .iter()
            .map(|&i| {
                let c = spheres.centers()[i as usize];
                Placed {
                    center: std::array::from_fn(|k| c[k] - middle[k]),
                    radius: spheres.radii()[i as usize],
                    weight: packing.weight(i as usize),
                }
            })
            .collect();
        let size = placed.iter().fold(0.0, |size: f64, sphere| {
            sphere
                .center
                .iter()
                .fold(size, |m, x| m.max(x.abs()))
                .max(sphere.radius)
        });
        let mut made = Self {
            nodes: vec![Node::EMPTY; tree.nodes()],
            spheres: placed,
            numbers,
            scale: 1.0 / size,
            height: 1,
        };
        // Children have greater numbers than their node.
        let mut balls = vec![([0.0; 3], 0.0); made.nodes.len()];
        let mut heights = vec![1; made.nodes.len()];
        for node in (0..made.nodes.len()).rev() {
            let mut lanes: [([f64; 3], f64); WIDTH] = [([0.0; 3], 0.0); WIDTH];
            let mut count = 0;
            for branch in tree.branches(node) {
                let (ball, child) = match branch {
                    Branch::Node(below) => {
                        heights[node] = heights[node].max(heights[below] + 1);
                        (balls[below], below as u32)
                    }
                    Branch::Item(item) => {
                        let sphere = &made.spheres[item as usize];
                        (
                            (
                                sphere.center.map(|x| x * made.scale),
                                sphere.radius * made.scale,
                            ),
                            ITEM | item,
                        )
                    }
                };
                let packed = &mut made.nodes[node];
                // Rounding of the centre is made up for by the radius.
                let center = ball.0.map(|x| x as f32);
                let off: f64 = (0..3)
                    .map(|k| (f64::from(center[k]) - ball.0[k]).abs())
                    .sum();
                for k in 0..3 {
                    packed.center[k][count] = center[k];
                }
                packed.radius[count] = (((ball.1 + off) * (1.0 + 1e-6)) as f32).next_up();
                packed.children[count] = child;
                lanes[count] = ball;
                count += 1;
            }
            balls[node] = ball_around(&lanes[..count]);
        }
        made.height = heights[0];
        made
    }

    /// The number of a sphere in the packing.
    pub(super) fn number(&self, item: u32) -> u32 {
        self.numbers[item as usize]
    }
}

/// A ball around balls: from the middle of their box outward, then towards whichever sticks out
/// most, a few times.
fn ball_around(balls: &[([f64; 3], f64)]) -> ([f64; 3], f64) {
    let farthest = |center: [f64; 3]| {
        balls
            .iter()
            .map(|&(c, r)| {
                let d: [f64; 3] = std::array::from_fn(|k| c[k] - center[k]);
                let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                (distance + r, d, distance)
            })
            .fold((0.0, [0.0; 3], 0.0), |a, b| if b.0 > a.0 { b } else { a })
    };
    let side = |k: usize, sign: f64| {
        balls
            .iter()
            .map(|(c, r)| sign * c[k] + r)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mut center: [f64; 3] = std::array::from_fn(|k| 0.5 * (side(k, 1.0) - side(k, -1.0)));
    let mut best = (farthest(center).0, center);
    for step in 1..24 {
        let (_, d, distance) = farthest(center);
        if distance == 0.0 {
            break;
        }
        let by = best.0 / (distance * f64::from(step + 2)) * 0.5;
        center = std::array::from_fn(|k| center[k] + d[k] * by.min(1.0));
        let reach = farthest(center).0;
        if reach < best.0 {
            best = (reach, center);
        }
    }
    (best.1, best.0 * (1.0 + 1e-14))
}

/// The way of balls from the units of a to those of b.
struct BallMotion {
    matrix: [[f32; 3]; 3],
    offset: [f32; 3],
    ratio: f32,
    margin: f32,
}

impl BallMotion {
    fn new(a: &SphereTree, b: &SphereTree, motion: &Motion) -> Self {
        let ratio = b.scale / a.scale;
        let offset = motion.offset.map(|x| x * b.scale);
        let size = 3.0 * ratio + offset.iter().map(|x| x.abs()).sum::<f64>() + 3.0;
        let made = Self {
            matrix: motion.matrix.map(|row| row.map(|x| (x * ratio) as f32)),
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
            // Beyond the range of f32: everything may meet.
            Self {
                matrix: [[0.0; 3]; 3],
                offset: [0.0; 3],
                ratio: 0.0,
                margin: HUGE,
            }
        }
    }
}

/// Nodes of both trees that remain to be compared, and which of their lanes: all, or those of
/// spheres that go down the other tree together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    a: u32,
    b: u32,
    lanes_a: u8,
    lanes_b: u8,
}

impl Waiting {
    const ROOTS: Self = Waiting {
        a: 0,
        b: 0,
        lanes_a: !0,
        lanes_b: !0,
    };
}

/// What a query keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pieces: Vec<Waiting>,
    sums: Vec<Sums>,
}

/// Sums over all pairs that overlap, or over some of them if it is asked to end.
pub(super) fn sums(
    a: &SphereTree,
    b: &SphereTree,
    motion: &Motion,
    stop: &Current,
    scratch: &mut Scratch,
) -> Sums {
    let balls = &BallMotion::new(a, b, motion);
    let mut all = Adder::new();
    let pieces = &mut scratch.pieces;
    cut(a, b, balls, pieces, |i, j| {
        add(a, b, motion, &mut all, i, j)
    });
    scratch.sums.clear();
    pieces
        .par_chunks(TAKEN)
        .with_max_len(1)
        .map(|pieces| {
            let mut adder = Adder::new();
            if !stop.is_asked() {
                descend(a, b, balls, pieces, |i, j| {
                    add(a, b, motion, &mut adder, i, j)
                });
            }
            adder.sums()
        })
        .collect_into_vec(&mut scratch.sums);
    let mut all = all.sums();
    for piece in &scratch.sums {
        all.add(piece);
    }
    all
}

/// All pairs that overlap, in no particular order, unless it is asked to end.
pub(super) fn pairs(
    a: &SphereTree,
    b: &SphereTree,
    motion: &Motion,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    let balls = &BallMotion::new(a, b, motion);
    let mut visit = |i: u32, j: u32| {
        let mine = moved(&a.spheres[i as usize], motion);
        if mine.overlaps(&b.spheres[j as usize]) {
            found.push([a.number(i), b.number(j)]);
        }
    };
    let mut pieces = Vec::new();
    cut(a, b, balls, &mut pieces, &mut visit);
    for piece in pieces.chunks(TAKEN).take_while(|_| !stop.is_asked()) {
        descend(a, b, balls, piece, &mut visit);
    }
}

#[inline(always)]
fn moved(sphere: &Placed, motion: &Motion) -> Placed {
    Placed {
        center: motion.of_relative(sphere.center),
        ..*sphere
    }
}

#[inline(always)]
fn add(a: &SphereTree, b: &SphereTree, motion: &Motion, adder: &mut Adder, i: u32, j: u32) {
    let (mine, other) = (
        moved(&a.spheres[i as usize], motion),
        &b.spheres[j as usize],
    );
    if mine.overlaps(other) {
        adder.push(&mine, other);
    }
}

/// Goes down both trees, level by level, until there are pieces enough.
fn cut(
    a: &SphereTree,
    b: &SphereTree,
    balls: &BallMotion,
    pieces: &mut Vec<Waiting>,
    mut visit: impl FnMut(u32, u32),
) {
    pieces.clear();
    pieces.push(Waiting::ROOTS);
    let mut first = 0;
    while pieces.len() - first < PIECES && first < pieces.len() {
        let piece = pieces[first];
        first += 1;
        run_widest(OneStep {
            a,
            b,
            balls,
            piece,
            visit: &mut visit,
            pieces,
        });
    }
    pieces.drain(..first);
}

struct OneStep<'t, F> {
    a: &'t SphereTree,
    b: &'t SphereTree,
    balls: &'t BallMotion,
    piece: Waiting,
    visit: &'t mut F,
    pieces: &'t mut Vec<Waiting>,
}

impl<F: FnMut(u32, u32)> Kernel for OneStep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let wait = |below| self.pieces.push(below);
        step::<V>(self.a, self.b, self.balls, self.piece, self.visit, wait);
    }
}

/// Goes down from pairs of nodes to the spheres.
#[inline(always)]
fn descend(
    a: &SphereTree,
    b: &SphereTree,
    balls: &BallMotion,
    from: &[Waiting],
    visit: impl FnMut(u32, u32),
) {
    let descent = Descent {
        a,
        b,
        balls,
        from,
        visit,
    };
    if (a.height + b.height) * 64 <= STACKS[0] {
        run_widest(OnStack::<_, { STACKS[0] }>(descent));
    } else {
        run_widest(OnStack::<_, { STACKS[1] }>(descent));
    }
}

/// With room for so many that wait: to clear more takes longer than many a descent.
struct OnStack<D, const N: usize>(D);

struct Descent<'t, F> {
    a: &'t SphereTree,
    b: &'t SphereTree,
    balls: &'t BallMotion,
    from: &'t [Waiting],
    visit: F,
}

impl<F: FnMut(u32, u32), const N: usize> Kernel for OnStack<Descent<'_, F>, N> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut descent = self.0;
        let (a, b, balls) = (descent.a, descent.b, descent.balls);
        let mut stack = [Waiting::ROOTS; N];
        for &from in descent.from {
            stack[0] = from;
            let mut top = 1;
            while top > 0 {
                top -= 1;
                let piece = stack[top];
                step::<V>(a, b, balls, piece, &mut descent.visit, |below| {
                    stack[top] = below;
                    top += 1;
                });
            }
        }
    }
}

/// Compares the children of two nodes: pairs of spheres are visited, others wait.
#[inline(always)]
fn step<V: Vector>(
    a: &SphereTree,
    b: &SphereTree,
    balls: &BallMotion,
    piece: Waiting,
    visit: &mut impl FnMut(u32, u32),
    mut wait: impl FnMut(Waiting),
) {
    let (node_a, node_b) = (&a.nodes[piece.a as usize], &b.nodes[piece.b as usize]);
    let hits = hits::<V>(node_a, node_b, balls) & among(piece.lanes_a, piece.lanes_b);
    if hits == 0 {
        return;
    }
    let items_a = V::signs(&node_a.children) as u8;
    let items_b = V::signs(&node_b.children) as u8;
    for (i, j) in Pairs(hits & among(items_a, items_b)) {
        visit(node_a.children[i] & !ITEM, node_b.children[j] & !ITEM);
    }
    if items_a & items_b == !0 {
        return;
    }
    for j in Lanes(u32::from(!items_b)) {
        let lanes_a = (hits >> (8 * j)) as u8 & items_a;
        if lanes_a != 0 {
            let below = node_b.children[j];
            prefetch(&b.nodes, below as usize);
            wait(Waiting {
                a: piece.a,
                b: below,
                lanes_a,
                lanes_b: !0,
            });
        }
    }
    for (i, j) in Pairs(hits & among(!items_a, !items_b)) {
        let (below_a, below_b) = (node_a.children[i], node_b.children[j]);
        prefetch(&a.nodes, below_a as usize);
        prefetch(&b.nodes, below_b as usize);
        wait(Waiting {
            a: below_a,
            b: below_b,
            ..Waiting::ROOTS
        });
    }
    let mixed = hits & among(!items_a, items_b);
    if mixed != 0 {
        for i in Lanes(u32::from(!items_a)) {
            let lanes_b = (0..8).fold(0, |bits, j| bits | (mixed >> (8 * j + i) & 1) << j);
            if lanes_b != 0 {
                let below = node_a.children[i];
                prefetch(&a.nodes, below as usize);
                wait(Waiting {
                    a: below,
                    b: piece.b,
                    lanes_a: !0,
                    lanes_b: lanes_b as u8,
                });
            }
        }
    }
}

/// The lanes of two nodes whose balls meet: one bit each, those of `b` by eights.
#[inline(always)]
fn hits<V: Vector>(a: &Node, b: &Node, balls: &BallMotion) -> u64 {
    let [x, y, z] = [
        V::load(&a.center[0]),
        V::load(&a.center[1]),
        V::load(&a.center[2]),
    ];
    let mut center = [x; 3];
    for k in 0..3 {
        let [p, q, r] = balls.matrix[k];
        center[k] = x.mul_add(V::splat(p), V::splat(balls.offset[k]));
        center[k] = y.mul_add(V::splat(q), center[k]);
        center[k] = z.mul_add(V::splat(r), center[k]);
    }
    let radius = V::load(&a.radius).mul_add(V::splat(balls.ratio), V::splat(balls.margin));
    let mut hits = 0;
    for j in 0..WIDTH {
        let dx = center[0].sub(V::splat(b.center[0][j]));
        let dy = center[1].sub(V::splat(b.center[1][j]));
        let dz = center[2].sub(V::splat(b.center[2][j]));
        let squared = dx.mul_add(dx, dy.mul_add(dy, dz.mul(dz)));
        let reach = radius.add(V::splat(b.radius[j]));
        hits |= u64::from(squared.at_most(reach.mul(reach))) << (8 * j);
    }
    hits
}
