//! Other Rust crates on the same broad phase, used as their documentation
//! suggests, each with the exact sphere test at its leaves.
//!
//! | crate | data structure | query |
//! |---|---|---|
//! | `parry2d-f64`, `parry3d-f64` | bounding volume hierarchy | tree rebuilt, against itself |
//! | `kiddo` | k-d tree of centres | a ball of `2 r_i` around each, for those not larger (it joins two trees, but not one with itself) |
//! | `rstar` | R*-tree of boxes | bulk load, then the box of each |
//! | `zelll` | linked cells in a hash table | cells as large as the largest diameter |
//! | `broccoli` (2D only) | k-d tree with sweep and prune in its nodes | colliding pairs |
//! | `static_aabb2d_index` (2D only) | packed Hilbert R-tree | the box of each |

use super::{digest, meet, touch};
use crate::timing::{Contestant, Turn, timed};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::RTree;
use rstar::primitives::{GeomWithData, Rectangle};
use std::ops::ControlFlow;
use tangere::shape::Spheres;

/// Limit of candidates, beyond which a peer is left out.
const CANDIDATES_MAX: f64 = 2e9;

/// Factor on a squared radius, so that no contact is lost by a peer's rounding.
const SLACK: f64 = 1.0 + 1e-12;

/// Peers, and the reasons for those left out.
pub type Peers<'a> = (Vec<Contestant<'a>>, Vec<String>);

/// Spheres or discs with their peers.
pub trait Opponents {
    /// The peers that support this dimension.
    fn peers(&self) -> Peers<'_>;
}

/// A peer that finds all pairs from scratch each turn.
fn peer<'a>(name: &'static str, mut find: impl FnMut(&mut Vec<[u32; 2]>) + 'a) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::peer(name, move || {
        let seconds = timed(|| {
            out.clear();
            find(&mut out);
        });
        Turn {
            seconds,
            answers: out.len(),
            digest: digest(&out),
            by: None,
        }
    })
}

/// Parry has a crate for each dimension, with the same names in them.
macro_rules! parry {
    ($crate_name:ident, $spheres:expr) => {{
        use $crate_name::bounding_volume::Aabb;
        use $crate_name::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
        let spheres = $spheres;
        let mut workspace = BvhWorkspace::default();
        peer("parry, tree built anew", move |out| {
            let (centers, radii) = (spheres.centers(), spheres.radii());
            let boxes = centers
                .iter()
                .zip(radii)
                .map(|(c, r)| Aabb::new(c.map(|x| x - r).into(), c.map(|x| x + r).into()));
            let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
            tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                if touch(spheres, a, b) {
                    out.push([a.min(b), a.max(b)]);
                }
            });
        })
    }};
}

impl Opponents for Spheres<3> {
    fn peers(&self) -> Peers<'_> {
        let (mut peers, left_out) = of_both(self);
        peers.insert(0, parry!(parry3d_f64, self));
        (peers, left_out)
    }
}

impl Opponents for Spheres<2> {
    fn peers(&self) -> Peers<'_> {
        let (mut peers, left_out) = of_both(self);
        peers.insert(0, parry!(parry2d_f64, self));
        peers.push(peer("broccoli", |out| broccoli_pairs(self, out)));
        peers.push(peer("static_aabb2d_index", |out| packed_pairs(self, out)));
        (peers, left_out)
    }
}

/// Peers that support both dimensions.
fn of_both<const D: usize>(spheres: &Spheres<D>) -> Peers<'_> {
    let mut left_out = Vec::new();
    let mut peers = vec![
        peer("kiddo", |out| kiddo_balls(spheres, out)),
        peer("rstar", |out| rstar_pairs(spheres, out)),
    ];
    let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
    let candidates = [4.5, 13.5][D - 2] * near(spheres, largest);
    if candidates <= CANDIDATES_MAX {
        peers.push(peer("zelll", move |out| zelll_pairs(spheres, largest, out)));
    } else {
        left_out.push(format!(
            "zelll: cells as large as the largest make {candidates:.0e} candidates"
        ));
    }
    (peers, left_out)
}

/// Expected number of pairs within a cube of the given edge, in a uniformly filled box.
fn near<const D: usize>(spheres: &Spheres<D>, edge: f64) -> f64 {
    let n = spheres.len() as f64;
    let share = |k: usize| {
        let along = spheres.centers().iter().map(|c| c[k]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        (edge / (high - low)).min(1.0)
    };
    n * n * (0..D).map(share).product::<f64>()
}

/// A contact of `i` with one not larger is within `r_i + r_j <= 2 r_i`: each is
/// found from the larger of the two, or from the later where they are equal.
fn kiddo_balls<const D: usize>(spheres: &Spheres<D>, out: &mut Vec<[u32; 2]>) {
    let radii = spheres.radii();
    let Ok(tree) = ImmutableKdTree::<f64, D>::new_from_slice(spheres.centers()) else {
        return;
    };
    let mut scratch = tree.create_scratch::<SquaredEuclidean<f64>>();
    // In the order of the tree, neighbours are still in the cache.
    for (i, center) in tree.iter() {
        let radius = radii[i as usize];
        tree.query(&center)
            .within::<SquaredEuclidean<f64>>(4.0 * radius * radius * SLACK)
            .unsorted()
            .without_distances()
            .with_scratch(&mut scratch)
            .visit(|found| {
                let j = found.item;
                let other = radii[j as usize];
                if (other < radius || (other == radius && j < i)) && touch(spheres, i, j) {
                    out.push([i.min(j), i.max(j)]);
                }
            });
    }
}

fn rstar_pairs<const D: usize>(spheres: &Spheres<D>, out: &mut Vec<[u32; 2]>) {
    let boxes = (0..spheres.len()).map(|i| {
        let bounds = spheres.bounds(i);
        GeomWithData::new(Rectangle::from_corners(bounds.min, bounds.max), i as u32)
    });
    let tree = RTree::bulk_load(boxes.collect());
    for item in &tree {
        let a = item.data;
        let envelope = rstar::RTreeObject::envelope(item);
        let _: ControlFlow<()> = tree.locate_in_envelope_intersecting_int(envelope, |other| {
            let b = other.data;
            if a < b && touch(spheres, a, b) {
                out.push([a, b]);
            }
            ControlFlow::Continue(())
        });
    }
}

/// A particle in zelll's cells.
#[derive(Clone, Copy)]
struct Particle<const D: usize> {
    index: u32,
    center: [f64; D],
    radius: f64,
}

impl<const D: usize> Default for Particle<D> {
    fn default() -> Self {
        Particle {
            index: 0,
            center: [0.0; D],
            radius: 0.0,
        }
    }
}

impl<const D: usize> zelll::ParticleLike<[f64; D]> for Particle<D> {
    fn coords(&self) -> [f64; D] {
        self.center
    }
}

/// Built from scratch each turn, because a rebuild with the same particles is a shortcut.
fn zelll_pairs<const D: usize>(spheres: &Spheres<D>, largest: f64, out: &mut Vec<[u32; 2]>) {
    let items = (0u32..).zip(spheres.centers().iter().zip(spheres.radii()));
    let particles = items.map(|(index, (&center, &radius))| Particle {
        index,
        center,
        radius,
    });
    let grid = zelll::CellGrid::<Particle<D>, D, f64>::new(particles, largest);
    for (a, b) in grid.particle_pairs() {
        if meet((&a.center, a.radius), (&b.center, b.radius)) {
            out.push([a.index.min(b.index), a.index.max(b.index)]);
        }
    }
}

fn broccoli_pairs(discs: &Spheres<2>, out: &mut Vec<[u32; 2]>) {
    let mut boxes: Vec<_> = (0..discs.len())
        .map(|i| {
            let bounds = discs.bounds(i);
            let ([x0, y0], [x1, y1]) = (bounds.min, bounds.max);
            broccoli::bbox(broccoli::rect(x0, x1, y0, y1), i as u32)
        })
        .collect();
    let mut tree = broccoli::Tree::new(&mut boxes);
    tree.find_colliding_pairs(|a, b| {
        let (a, b) = (*a.unpack_inner(), *b.unpack_inner());
        if touch(discs, a, b) {
            out.push([a.min(b), a.max(b)]);
        }
    });
}

fn packed_pairs(discs: &Spheres<2>, out: &mut Vec<[u32; 2]>) {
    let mut builder = static_aabb2d_index::StaticAABB2DIndexBuilder::new(discs.len());
    for i in 0..discs.len() {
        let bounds = discs.bounds(i);
        builder.add(bounds.min[0], bounds.min[1], bounds.max[0], bounds.max[1]);
    }
    let Ok(index) = builder.build() else {
        return;
    };
    for i in 0..discs.len() {
        let bounds = discs.bounds(i);
        let ([x0, y0], [x1, y1]) = (bounds.min, bounds.max);
        let a = i as u32;
        let mut visit = |j: usize| {
            let b = j as u32;
            if a < b && touch(discs, a, b) {
                out.push([a, b]);
            }
        };
        index.visit_query(x0, y0, x1, y1, &mut visit);
    }
}
