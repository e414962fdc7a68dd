//! Penetration volume of two bodies, with the force and torque that separate them.
//!
//! Each body is filled with a sphere packing ([`Packing`](crate::shape::Packing)); two bodies
//! share the sphere-sphere intersections of their packings. Two packings of `n` spheres have
//! `O(n)` overlapping pairs in the worst case, because a sphere meets at most a constant number of
//! disjoint spheres that are not smaller (weller2014, theorem 3.2); the hierarchical grid finds
//! them in `O(n)` time.
//!
//! All methods find the same pairs and differ only in the rounding of sums. Decisions are made in
//! the frame of `b`: centres of `a` are moved there, rounded once, and two spheres overlap if the
//! distance of their centres is below the sum of their radii, computed as `(c - c')² < (r + r')²`.
//!
//! Normals point from a to b. The force is that on b: the sum over pairs of the volume of the lens
//! times the direction from the centre of a's sphere to that of b's. The force on a is opposite.
//!
//! | module | what |
//! |---|---|
//! | `query` | the query: method, frame, budget |
//! | `grid` | hierarchical grid (method `grid`) |
//! | `tree` | inner sphere trees (method `tree`) |
//! | `published_hash_grid` | the spatial hash of the paper (method `djb2`) |
//! | `brute_force` | all pairs, the oracle (method `brute`) |
//! | `sphere_intersection` | volume and moments of two intersecting spheres |
//! | `pair_sums` | volume, force and torque summed over pairs |
//! | `relative_pose` | both packings in the frame of b |
//! | `unfilled` | volume that a packing leaves unfilled: bounds of the penetration volume |
//! | `rate_of_change` | Lipschitz constants of the penetration volume |
//! | [`pack`] | sphere packing of a body |
//!
//! *Deviates* from weller2014:
//! - a sphere's cells are no smaller than its diameter, for else it meets more than eight (the
//!   paper has two rules for their size that exclude each other);
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
