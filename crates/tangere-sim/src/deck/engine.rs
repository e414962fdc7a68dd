//! What a deck needs of a simulation, and what it does while one runs.

use super::error::Problem;
use crate::setup::{Setup, Spheres};
use crate::vector::Vector;
use std::collections::BTreeMap;

/// The number of the step, and the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The step.
    pub step: u64,
    /// The time.
    pub time: f64,
}

/// A contact of two spheres, for output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The two spheres `a` and `b`: rows of [`Spheres`].
    pub spheres: [usize; 2],
    /// From the centre of `a` to that of `b`, or of its image that is in contact.
    pub way: Vector,
    /// The force on `b`; that on `a` is its opposite.
    pub force: Vector,
    /// Its part across the normal.
    pub friction: Vector,
}

/// A simulation that a deck runs.
///
/// Histories of contacts stay from run to run, by the ids of the spheres; spheres, laws and actions may
/// differ from those of the last run.
pub trait Engine {
    /// Runs a number of steps.
    ///
    /// Forces of the state as it is come first, as in LAMMPS; histories do not advance in this
    /// evaluation. Then `observer` sees the state, with the step of `clock`. After each step `clock`
    /// advances; the observer sees each step that it asks for. At the end columns of `spheres` are those
    /// of the last step.
    ///
    /// # Errors
    /// What the observer returns, or what ends the simulation: the problem names sphere, value and what
    /// was expected.
    fn run(
        &mut self,
        setup: &mut Setup,
        spheres: &mut Spheres,
        clock: &mut Clock,
        steps: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Problem>;
}

/// What of the setup changes while a simulation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changes {
    /// Nothing.
    Never,
    /// Values that depend on the step only.
    ByClock,
    /// Values that depend on the spheres too.
    ByState,
}

/// Sees a simulation while it runs.
pub trait Observer {
    /// The next step, after this one, at which [`observe`](Self::observe) must be called.
    fn next_step(&self, step: u64) -> Option<u64>;

    /// Whether contacts are needed at a step.
    fn wants_contacts(&self, step: u64) -> bool;

    /// Whether [`before_forces`](Self::before_forces) must be called, and with what.
    fn changes(&self) -> Changes;

    /// Changes values of actions before forces are computed. `clock` is that of the forces. Unless
    /// [`changes`](Self::changes) is [`Changes::ByState`], `spheres` may be of an earlier step.
    ///
    /// # Errors
    /// If a value cannot be computed.
    fn before_forces(
        &mut self,
        clock: Clock,
        setup: &mut Setup,
        spheres: &Spheres,
    ) -> Result<(), Problem>;

    /// Sees a state. Contacts are there if they were wanted.
    ///
    /// # Errors
    /// If output fails, which ends the run.
    fn observe(
        &mut self,
        clock: Clock,
        setup: &Setup,
        spheres: &Spheres,
        contacts: &[Contact],
    ) -> Result<(), Problem>;

    /// What it remembers from step to step, by name, to be kept with checkpoints.
    fn memo(&self) -> BTreeMap<String, Vec<f64>> {
        BTreeMap::new()
    }

    /// Remembers what [`memo`](Self::memo) returned.
    fn set_memo(&mut self, memo: &BTreeMap<String, Vec<f64>>) {
        let _ = memo;
    }

    /// A run that is over, of a deck that is resumed: only its end is known, and nothing is written.
    ///
    /// # Errors
    /// If a value cannot be computed.
    fn skip(
        &mut self,
        clock: Clock,
        setup: &Setup,
        spheres: &Spheres,
        contacts: &[Contact],
    ) -> Result<(), Problem> {
        let _ = (clock, setup, spheres, contacts);
        Ok(())
    }

    /// The state from which a run goes on: from here on output is written again.
    ///
    /// # Errors
    /// If a value cannot be computed.
    fn resume(
        &mut self,
        clock: Clock,
        setup: &Setup,
        spheres: &Spheres,
        contacts: &[Contact],
    ) -> Result<(), Problem> {
        let _ = (clock, setup, spheres, contacts);
        Ok(())
    }
}
