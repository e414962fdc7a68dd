//! How deep? The volume that two bodies share, with the force that drives them apart.
//!
//! Bodies are filled with spheres that do not overlap ([`Packing`](crate::shape::Packing)); two of them
//! share the lenses that their spheres have in common. Pairs of spheres of two packings of
//! `n` spheres that meet are `O(n)` in the worst case, for a sphere meets at most a constant number of
//! disjoint spheres that are not smaller (weller2014, theorem 3.2), and levels of cells find
//! them in as much time.
//!
//! All methods find the same pairs and differ in rounding of the sums only. Decisions are made in
//! the frame of `b`: spheres of `a` are moved there, rounded once, and two meet if the distance of
//! their centres is below the sum of their radii, computed as `(c - c')² < (r + r')²`.
//!
//! Normals point from a to b. The force is that on b, a sum over the pairs of the volume of the lens
//! times the direction from the centre of a's sphere to that of b's; a is driven by the opposite one.
//!
//! *Deviates* from weller2014:
//! - a sphere's cells are no smaller than its diameter, for else it meets more than eight (the paper has two
//!   rules for their size that exclude each other);
//! - a pair that meets in several cells is counted in one of them;
//! - the direction of two spheres whose centres nearly coincide fades out, so that the force is
//!   continuous there too.

mod answer;
mod brute_force;
pub(crate) mod grid;
pub mod pack;
mod pair_sums;
pub(crate) mod published_hash_grid;
mod query;
mod rate_of_change;
mod relative_pose;
mod sphere_intersection;
mod tree;
pub(crate) mod unfilled;

pub use answer::{Budget, Method, Overlap};
pub use query::{OverlapQuery, OverlapSettings};
pub use rate_of_change::{Lipschitz, lipschitz};
pub use sphere_intersection::{Lens, lens};
pub(crate) use tree::SphereTree;
