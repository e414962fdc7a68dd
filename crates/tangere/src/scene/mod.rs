//! Scene: bodies of every shape in motion, and the contacts between them with an identity that lasts.
//!
//! A [`Scene`] holds bodies, each a [`Shape`] with a pose. [`Scene::update`] runs the broad phase
//! ([`pairs`](crate::pairs)) over the boxes of all bodies and the narrow phase of every candidate
//! pair; [`Scene::contacts`] then lists all pairs with a gap up to the margin, in the order of ids.
//!
//! | file | what |
//! |---|---|
//! | `shape`, `rounded`, `mesh_part` | shapes as lists of parts: convex core plus radius, half-space, mesh |
//! | `body` | what a body is made of: shape, pose, group, mask, whether it is fixed |
//! | `bodies` | the columns of bodies, and which slot an id has |
//! | `candidates`, `candidate`, `pair_kind` | broad phase: pairs of bodies whose boxes overlap, with their periodic image, kept while motion allows |
//! | `block` | candidates with what is kept of each, and their contacts: the unit of parallel work |
//! | `batches` | candidates of each kind and columns of bodies, for those who compute forces |
//! | `carry_over` | what candidates of a new list take over from those of the last one |
//! | `pair_frame`, `pair_evaluation` | contacts of a pair of bodies, part by part |
//! | `narrow_phase` | contacts of a pair of parts, one file for each pair of kinds |
//! | `identity` | which contact of this update is which of the last: slots, events |
//! | `history` | vectors of the user's that travel with contacts |
//! | `patches`, `mesh_patch` | corners of contact areas |
//! | `queries` | rays, nearest bodies, bodies in boxes and at points; they change nothing |
//! | `sleep` | until when bodies with declared velocities cannot touch |
//! | `verify` | everything again by brute force |
//! | `replay` | the query of one pair as bytes, answered by every method |
//! | `snapshot` | the state as bytes, and back |
//! | `volume` | penetration volume in closed form |
//! | `state_hash` | a hash of the content, independent of storage and history |
//!
//! Results are the same bits for any number of threads and any order in which bodies were added under
//! the same ids: a pair is computed from the poses of its two bodies, in the order of their ids, and
//! its integer image, and from nothing else.
//!
//! ```
//! use tangere::geometry::Pose;
//! use tangere::scene::{Body, Scene, SceneSettings, Shape};
//!
//! let mut scene = Scene::new(SceneSettings::default())?;
//! let floor = scene.add(Body::new(Shape::half_space([0.0, 0.0, 1.0])?).fixed())?;
//! let die = Body::new(Shape::cuboid([1.0, 1.0, 1.0])?);
//! let die = scene.add(die.at(Pose::from_translation([0.0, 0.0, 0.49])?))?;
//! scene.update()?;
//! let contact = &scene.contacts()[0];
//! assert_eq!((contact.a, contact.b), (floor, die));
//! assert_eq!(contact.contact.normal, [0.0, 0.0, 1.0]);
//! assert!((contact.contact.gap + 0.01).abs() < 1e-15);
//! assert!(scene.verify()?.is_empty());
//! # Ok::<(), tangere::Error>(())
//! ```

mod batches;
mod block;
mod bodies;
mod body;
mod candidate;
mod candidates;
mod carry_over;
mod history;
mod identity;
mod mesh_part;
mod mesh_patch;
mod narrow_phase;
mod pair_evaluation;
mod pair_frame;
mod pair_kind;
mod patches;
mod queries;
mod replay;
mod rounded;
mod scene_contact;
mod shape;
mod sleep;
mod snapshot;
mod state_hash;
mod verify;
mod volume;
mod world;

pub use batches::{Batch, CandidatePair, Columns};
pub use body::{Body, BodyId, Motion};
pub use mesh_part::MeshPart;
pub use pair_kind::PairKind;
pub use patches::Patches;
pub use queries::{BodyLists, NearestBody, Queries, RayHit};
pub use replay::{PairAnswer, PairMethod};
pub use rounded::{Rounded, RoundedKind};
pub use scene_contact::{Event, SceneContact};
pub use shape::{Element, Part, Shape};
pub use sleep::{Accelerations, PairSleep};
pub use verify::Difference;
pub use world::{Scene, SceneSettings};
