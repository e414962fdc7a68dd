//! Other Rust crates (peers) on the same broad phase, used as their documentation suggests, each
//! with the exact sphere test on its candidates.
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

/// The largest expected number of candidate pairs; a peer with more is left out.
const CANDIDATES_MAX: f64 = 2e9;

/// The factor on a squared search radius, so that no contact is lost by the rounding of a peer.
const SLACK: f64 = 1.0 + 1e-12;

/// The peers that take part, and for those left out a text with the reason.
pub type Peers<'a> = (Vec<Contestant<'a>>, Vec<String>);

/// Spheres or discs, for which other crates are available as contestants.
pub trait Opponents {
    /// Returns the peers that support this dimension.
    fn peers(&self) -> Peers<'_>;
}

/// Returns a peer as contestant, which finds all pairs from scratch in each turn.
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

/// Expands to the contestant of parry for two or three dimensions: it has a crate for each, with
/// the same names in both.
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

/// Returns the peers that support both dimensions.
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

/// Returns the expected number of pairs of spheres whose centres are within a cube of the given
/// edge, in a uniformly filled box.
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

/// Finds all pairs by kiddo's k-d tree. If sphere `j` is not larger than sphere `i` and they touch,
/// their centres are within `r_i + r_j <= 2 r_i`. So each pair is found from the larger sphere; if
/// both are equal, from that of higher index.
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

/// Finds all pairs by zelll's linked cells. They are built from scratch in each turn, because zelll
/// shortcuts a rebuild with the same particles.
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
