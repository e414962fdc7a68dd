//! Contact detection for simulation.
//!
//! Tangere answers five questions about bodies in motion: who might touch, is
//! it inside, how far apart, how deep, and when. Here they are, and what all of them
//! rest on:
//!
//! | module | what it holds |
//! |---|---|
//! | [`pairs`] | who might touch: all pairs among many particles or boxes |
//! | [`inside`] | is it inside: points against a surface, exactly, or its winding number |
//! | [`closest`] | how far apart: convex bodies followed from step to step, finite element faces, surfaces |
//! | [`overlap`] | how deep: what two bodies packed with spheres share, force and torque |
//! | [`impact`] | when: first contact of bodies that move, turn and deform; of vertices, edges and faces; of balls that accelerate |
//! | [`contact`] | how two bodies touch: one record for all shapes |
//! | [`geometry`] | boxes, balls, triangles, poses, exact predicates |
//! | [`shape`] | spheres, surfaces, convex polyhedra, finite element faces, validated once; reports and repairs |
//! | [`generate`] | shapes made from a few numbers, the same on every machine |
//! | [`tree`] | one bounding-volume tree for boxes, rays, points, pairs, poses |
//! | [`parallel`] | work on several threads with the same bits on any number |
//! | [`memory`] | reserving what an answer takes: running out of memory is an error |
//!
//! Slices go in, the caller's buffer or closure gets the answer. Coordinates
//! are `f64` in plain arrays. Decisions are made by exact predicates, and
//! answers do not depend on the number of threads or the machine. Bad input is an
//! [`Error`] that names the item, the value and what was expected; nothing panics on it.
//!
//! # Who might touch?
//! ```
//! use tangere::pairs::{Auto, PairFinder, PairSettings};
//!
//! let (centers, radii) = ([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]], [0.5; 3]);
//! let mut finder = Auto::new(PairSettings::default())?;
//! let mut pairs = Vec::new();
//! finder.update((&centers[..], &radii[..]).into())?;
//! finder.pairs(&mut pairs)?;
//! assert_eq!(pairs, [[0, 1]]);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Is it inside?
//! ```
//! use tangere::generate;
//! use tangere::inside::{Auto, InsideSettings, InsideTest, Side};
//!
//! let mut test = Auto::new(InsideSettings::default())?;
//! let mut sides = Vec::new();
//! test.update(&generate::sphere(4)?)?;
//! test.classify(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.9, 0.9, 0.0]], &mut sides)?;
//! assert_eq!(sides, [Side::Inside, Side::OnSurface, Side::Outside]);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # How far apart?
//! ```
//! use tangere::closest::{Tracker, certificate};
//! use tangere::geometry::Pose;
//! use tangere::{generate, shape::ConvexPolyhedron};
//!
//! let grain = ConvexPolyhedron::from_mesh(&generate::hull(920, 1)?)?;
//! let mut tracker = Tracker::new();
//! let here = Pose::identity();
//! for step in 0..1000 {
//!     let there = Pose::from_translation([2.5 - 1e-3 * f64::from(step), 0.0, 0.0])?;
//!     let contact = tracker.contact(&grain, &here, &grain, &there);
//!     assert_eq!(certificate(&grain, &here, &grain, &there, &contact), Ok(()));
//!     assert!(contact.lower <= contact.gap && contact.gap <= contact.upper);
//! }
//! // From apart to deep in each other; nearly always the features were known.
//! assert!(tracker.counts().steps[0] > 900);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # How deep?
//! ```
//! use tangere::generate;
//! use tangere::geometry::Pose;
//! use tangere::overlap::pack::{PackSettings, pack_mesh};
//! use tangere::overlap::{OverlapQuery, OverlapSettings};
//!
//! let knot = pack_mesh(&generate::knot(2000)?, &PackSettings::spheres(200))?;
//! let mut query = OverlapQuery::new(OverlapSettings::default());
//! let there = Pose::from_translation([1.0, 0.0, 0.0])?;
//! let found = query.overlap(&knot, &Pose::identity(), &knot, &there);
//! assert!(found.lower <= found.volume && found.volume <= found.upper);
//! assert!(found.force[0] > 0.0); // It drives the second knot away from the first.
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # When?
//! ```
//! use tangere::generate;
//! use tangere::geometry::Pose;
//! use tangere::impact::{Body, EngineSettings, ImpactEngine, RigidMotion};
//!
//! let tumbling = RigidMotion::new(Pose::identity(), [3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0; 3])?;
//! let there = RigidMotion::at_rest(Pose::from_translation([8.0, 0.0, 0.0])?);
//! let bodies = vec![
//!     Body::rigid(generate::hull(920, 1)?, tumbling)?,
//!     Body::rigid(generate::sphere(4)?, there)?,
//! ];
//! let mut engine = ImpactEngine::new(bodies, &EngineSettings::default())?;
//! let impact = engine.next_contact(10.0)?.expect("they meet");
//! // Nothing touches before `early`; by `late` they have touched.
//! assert!(impact.late - impact.early < 1e-12);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Is a surface sound?
//! ```
//! use tangere::generate;
//!
//! let report = generate::sphere(4)?.report();
//! assert!(report.closed && report.oriented && report.manifold);
//! assert_eq!(report.triangles, 8 * 4usize.pow(4));
//! assert_eq!(report.genus, Some(0));
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Which triangles are near?
//! ```
//! use tangere::geometry::triangle::closest_on_triangle;
//! use tangere::{generate, tree::Tree};
//!
//! let knot = generate::knot(20_000)?;
//! let tree = Tree::of_mesh(&knot);
//! let point = [0.0, 0.0, 0.0];
//! let mut nearest = (f64::INFINITY, None);
//! tree.approaching(point, f64::INFINITY, |face, bound| {
//!     let closest = closest_on_triangle(point, knot.triangle(face as usize));
//!     if closest.distance_squared < nearest.0 {
//!         nearest = (closest.distance_squared, Some(face));
//!         *bound = closest.distance_squared;
//!     }
//! });
//! assert!(nearest.1.is_some());
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Moving a body
//! ```
//! use tangere::geometry::{Pose, Similarity};
//! use tangere::generate;
//!
//! // Translation, then a unit quaternion w, x, y, z.
//! let pose: Pose = "10,0,0,0,0,0,1".parse()?;
//! let moved = generate::sphere(3)?.transformed(&Similarity::from(pose))?;
//! assert_eq!(moved.bounds().center(), [10.0, 0.0, 0.0]);
//!
//! // The same half turn about z from nalgebra's own types.
//! use tangere::nalgebra::{UnitQuaternion, Vector3};
//! let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
//! assert_eq!(Pose::new(turn, [10.0, 0.0, 0.0])?.rotate([0.0, 0.0, 1.0]), [0.0, 0.0, 1.0]);
//! # Ok::<(), tangere::Error>(())
//! ```
pub mod closest;
pub mod contact;
pub mod error;
pub mod generate;
pub mod geometry;
pub mod impact;
pub mod inside;
pub mod memory;
mod names;
pub mod overlap;
pub mod pairs;
pub mod parallel;
mod settings;
pub mod shape;
mod simd;
pub mod stop;
pub mod tree;

pub use error::{Argument, Error, Result};
/// The crate of vectors and rotations: [`geometry::Pose::new`] takes its types.
pub use nalgebra;
