//! Settings of the impact engine.

use super::Refinement;
use crate::impact::hierarchy::Volume;
use crate::settings::builders;

/// Settings of an [`ImpactEngine`](super::ImpactEngine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSettings {
    /// The kind of bounding volume of BVH nodes from which times of impact are bounded. Boxes are
    /// tighter; balls are those of `aragon2013`.
    pub volume: Volume,
    /// The bounding volumes of single faces from which times of impact are bounded before the
    /// narrow phase.
    pub refinement: Refinement,
    /// The distance at which bodies touch: contact is reported at this separation.
    pub separation: f64,
    /// Whether deforming bodies may touch themselves.
    pub self_contact: bool,
    /// The most pairs of volumes and faces that one search tests; beyond that it ends with
    /// [`Certificate::Unresolved`](super::Certificate::Unresolved).
    pub work: u64,
}

impl Default for EngineSettings {
    fn default() -> Self {
        EngineSettings {
            volume: Volume::Box,
            refinement: Refinement::Obb,
            separation: 0.0,
            self_contact: true,
            work: 50_000_000,
        }
    }
}

builders! {
    EngineSettings {
        /// The bounding volumes of BVH nodes from which the impact engine bounds times of impact.
        with_volume(volume: Volume),
        /// The bounding volumes of single faces from which the impact engine bounds times of impact
        /// before the narrow phase.
        with_refinement(refinement: Refinement),
        /// The distance at which the impact engine reports contact of bodies.
        with_separation(separation: f64),
        /// Whether deforming bodies of the impact engine may touch themselves.
        with_self_contact(self_contact: bool),
        /// The most pairs of volumes and faces that one search of the impact engine tests.
        with_work(work: u64),
    }
}
