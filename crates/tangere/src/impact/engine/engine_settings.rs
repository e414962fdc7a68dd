//! Settings of the impact engine.

use super::Refinement;
use crate::impact::hierarchy::Volume;
use crate::settings::builders;

/// Settings of an [`ImpactEngine`](super::ImpactEngine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSettings {
    /// The kind of bounding volume of BVH nodes, from which lower bounds of the time of impact are
    /// computed. Boxes are tighter; balls are those of `aragon2013`.
    pub volume: Volume,
    /// The kind of bounding volume of single faces, from which lower bounds of the time of impact
    /// of two faces are computed before the narrow phase.
    pub refinement: Refinement,
    /// The distance at which bodies touch: contact is reported at this separation.
    pub separation: f64,
    /// Whether the engine searches for contacts of a deforming body with itself.
    pub self_contact: bool,
    /// Maximum work of one query, or of [`ImpactEngine::first_contacts`] from one contact to the
    /// next: one for a test of two bounding volumes, 8 for a test of two faces. A search that
    /// reaches it ends with [`Certificate::Unresolved`](super::Certificate::Unresolved) and the time
    /// before which nothing touches. The default ends a search after some seconds.
    ///
    /// [`ImpactEngine::first_contacts`]: super::ImpactEngine::first_contacts
    pub work: u64,
}

impl Default for EngineSettings {
    fn default() -> Self {
        EngineSettings {
            volume: Volume::Box,
            refinement: Refinement::Obb,
            separation: 0.0,
            self_contact: true,
            work: 20_000_000,
        }
    }
}

builders! {
    EngineSettings {
        /// The kind of bounding volume of BVH nodes, from which the impact engine computes lower
        /// bounds of the time of impact.
        with_volume(volume: Volume),
        /// The kind of bounding volume of single faces, from which the impact engine computes lower
        /// bounds of the time of impact of two faces before the narrow phase.
        with_refinement(refinement: Refinement),
        /// The distance at which the impact engine reports contact of bodies.
        with_separation(separation: f64),
        /// Whether the impact engine searches for contacts of a deforming body with itself.
        with_self_contact(self_contact: bool),
        /// Maximum number of tests of pairs of bounding volumes and pairs of faces in one search of
        /// the impact engine.
        with_work(work: u64),
    }
}
