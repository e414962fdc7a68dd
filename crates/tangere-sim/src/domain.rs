//! Where other domains of a distributed simulation come in.

use crate::error::Result;
use crate::simulation::Simulation;

/// The other parts of a simulation that is spread over several domains.
///
/// Spheres of a domain are owned; copies of those of other domains that are within reach are ghosts.
/// After every drift the positions and velocities of ghosts are exchanged, and where lists are made
/// anew, owned spheres move to the domain where they are now.
pub trait Domain {
    /// After the drift, before contacts.
    ///
    /// # Errors
    /// When other domains cannot be reached.
    fn exchange(&mut self, simulation: &mut Simulation) -> Result<()> {
        let _ = simulation;
        Ok(())
    }

    /// Whether any domain needs a new list of pairs, if this one does or not.
    ///
    /// # Errors
    /// When other domains cannot be reached.
    fn any(&mut self, here: bool) -> Result<bool> {
        Ok(here)
    }
}

/// A simulation that is alone: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Domain for Alone {}
