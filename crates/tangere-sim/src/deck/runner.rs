//! Decks on the engine of this crate.

use super::Deck;
use super::engine::{Changes, Clock, Contact, Engine, Observer};
use super::error::{Error as DeckError, Problem};
use crate::checkpoint::Checkpoint;
use crate::contact_row::ContactRow;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::run_folder::cpu_seconds;
use crate::setup::{Setup, Spheres};
use crate::simulation::Simulation;
use crate::vector::{dot, minus, times};

/// What a program does while a simulation runs: progress, checkpoints, interruption.
pub trait Watch {
    /// The number of steps after which [`look`](Self::look) is called again.
    fn steps(&self) -> u64;

    /// Looks at the simulation between two steps. `run` is the number of the run, from 0.
    ///
    /// # Errors
    /// To end the run.
    fn look(&mut self, simulation: &Simulation, run: u64) -> Result<()>;

    /// Sees the end of a run.
    ///
    /// # Errors
    /// To end the deck.
    fn ended(&mut self, simulation: &Simulation, run: u64) -> Result<()>;

    /// Sees the error with which a run stops, and may add to it where more about it is kept.
    fn stopped(&mut self, simulation: &Simulation, error: Error) -> Error;
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn steps(&self) -> u64 {
        u64::MAX
    }

    fn look(&mut self, _: &Simulation, _: u64) -> Result<()> {
        Ok(())
    }

    fn ended(&mut self, _: &Simulation, _: u64) -> Result<()> {
        Ok(())
    }

    fn stopped(&mut self, _: &Simulation, error: Error) -> Error {
        error
    }
}

/// Runs decks with a [`Simulation`].
pub struct Runner<'w> {
    simulation: Option<Simulation>,
    watch: Box<dyn Watch + 'w>,
    /// The number of the next run.
    run: u64,
    /// The state from which a run goes on, and the number of that run.
    resumed: Option<(u64, Checkpoint)>,
    /// States at the end of runs that are over, by number.
    ends: Vec<Checkpoint>,
    is_synchronized: bool,
    /// CPU time of steps, of all threads.
    cpu: f64,
    steps: u64,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner")
            .field("simulation", &self.simulation)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl Default for Runner<'_> {
    fn default() -> Self {
        Self::new(Unwatched)
    }
}

/// The overlap of pairs, relative to the smaller radius, that stops a deck.
const DEEPEST: f64 = 0.5;

impl<'w> Runner<'w> {
    /// Runs decks under a watch.
    pub fn new(watch: impl Watch + 'w) -> Self {
        Self {
            simulation: None,
            watch: Box::new(watch),
            run: 0,
            resumed: None,
            ends: Vec::new(),
            is_synchronized: false,
            cpu: 0.0,
            steps: 0,
        }
    }

    /// Goes on from a checkpoint that [`Watch::look`] wrote in the run of this number. `ends` has the
    /// states at the ends of the runs before it.
    pub fn resume(&mut self, run: u64, checkpoint: Checkpoint, ends: Vec<Checkpoint>) {
        self.resumed = Some((run, checkpoint));
        self.ends = ends;
    }

    /// Histories advance in the tangent plane of half a step ago (Vyas et al. 2025), not as in LAMMPS.
    pub fn set_synchronized(&mut self, is_synchronized: bool) {
        self.is_synchronized = is_synchronized;
    }

    /// The simulation of the last run.
    pub fn simulation(&self) -> Option<&Simulation> {
        self.simulation.as_ref()
    }

    /// CPU seconds of steps, of all threads, and the number of these steps; those before a resumption do
    /// not count.
    pub fn stepping(&self) -> (f64, u64) {
        (self.cpu, self.steps)
    }

    /// The number of runs so far.
    pub fn runs(&self) -> u64 {
        self.run
    }

    fn go(
        &mut self,
        setup: &mut Setup,
        spheres: &mut Spheres,
        clock: &mut Clock,
        steps: u64,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let number = self.run;
        self.run += 1;
        let last = clock.step + steps;
        if let Some((run, _)) = &self.resumed
            && number < *run
        {
            // This run is over: its end is known.
            let missing = || Error::invalid("checkpoint", "no end of a run", "one for each run");
            let end = self.ends.get(number as usize).ok_or_else(missing)?.clone();
            let simulation = Simulation::from_state(end.state)?;
            take_out(&simulation, setup, spheres, clock);
            observer.set_memo(&simulation.memo);
            let contacts = rows(&simulation.contacts(), spheres);
            observer
                .skip(*clock, setup, spheres, &contacts)
                .map_err(of_problem)?;
            self.simulation = Some(simulation);
            return Ok(());
        }
        let resumed = self.resumed.take();
        let is_resumed = resumed.is_some();
        let mut simulation = match (resumed, self.simulation.take()) {
            (Some((_, checkpoint)), _) => {
                let actions = std::mem::take(&mut setup.actions);
                let mut simulation = Simulation::from_state(checkpoint.state)?;
                simulation.setup.actions = actions;
                simulation
            }
            (None, Some(mut simulation)) => {
                simulation.replace(setup.clone(), spheres)?;
                simulation
            }
            (None, None) => Simulation::new(setup.clone(), spheres)?,
        };
        simulation.set_synchronized(self.is_synchronized);
        simulation.set_deepest(DEEPEST);
        let mut hook = Hook {
            observer,
            setup,
            spheres,
        };
        if is_resumed {
            take_out(&simulation, hook.setup, hook.spheres, clock);
            hook.setup.actions.clone_from(&simulation.setup.actions);
            let contacts = rows(&simulation.contacts(), hook.spheres);
            let observer = &mut *hook.observer;
            observer.set_memo(&simulation.memo);
            let resumed = observer.resume(*clock, hook.setup, hook.spheres, &contacts);
            resumed.map_err(of_problem)?;
        } else {
            simulation.set_step_number(clock.step, clock.time);
            hook.change(&mut simulation)?;
            let found = simulation.find_forces();
            found.map_err(|error| self.watch.stopped(&simulation, error))?;
            hook.observe(&simulation, clock)?;
        }
        loop {
            let step = simulation.step_number();
            if step >= last {
                break;
            }
            let next = hook.observer.next_step(step).unwrap_or(last).min(last);
            let pause = step.saturating_add(self.watch.steps().max(1));
            let begin = cpu_seconds();
            let advanced = simulation.advance_in(next.min(pause) - step, &mut hook);
            advanced.map_err(|error| self.watch.stopped(&simulation, error))?;
            self.cpu += cpu_seconds() - begin;
            self.steps += simulation.step_number() - step;
            if simulation.step_number() == next {
                hook.observe(&simulation, clock)?;
            }
            simulation.memo = hook.observer.memo();
            self.watch.look(&simulation, number)?;
        }
        take_out(&simulation, hook.setup, hook.spheres, clock);
        simulation.memo = hook.observer.memo();
        self.watch.ended(&simulation, number)?;
        self.simulation = Some(simulation);
        Ok(())
    }
}

/// Keeps what a deck would run.
struct Capture(Option<(Setup, Spheres, Clock)>);

impl Engine for Capture {
    fn run(
        &mut self,
        setup: &mut Setup,
        spheres: &mut Spheres,
        clock: &mut Clock,
        _: u64,
        _: &mut dyn Observer,
    ) -> std::result::Result<(), Problem> {
        self.0 = Some((setup.clone(), spheres.clone(), *clock));
        Ok(())
    }
}

impl Simulation {
    /// The simulation that a deck has defined when it comes to its first `run`. Output of the deck is not
    /// written; values that depend on variables stay as they are there.
    ///
    /// # Errors
    /// The first command that fails, or a deck without `run`.
    pub fn from_deck(deck: &mut Deck) -> std::result::Result<Self, DeckError> {
        let mut log = std::io::sink();
        let name = deck.name().to_string();
        let failed = |problem: Problem| DeckError {
            file: name.clone(),
            line: 0,
            command: "run".into(),
            problem,
        };
        let Some(_) = deck.next_run(&mut log)? else {
            return Err(failed(Problem::missing("a run command")));
        };
        let mut capture = Capture(None);
        deck.run_steps(&mut capture, 0, &mut log)?;
        let Some((setup, spheres, clock)) = capture.0 else {
            return Err(failed(Problem::missing("a run command")));
        };
        let made = Self::new(setup, &spheres);
        let mut made = made.map_err(|error| failed(to_problem(error)))?;
        made.set_step_number(clock.step, clock.time);
        made.set_deepest(DEEPEST);
        Ok(made)
    }
}

/// Takes the state of a simulation over.
fn take_out(simulation: &Simulation, setup: &mut Setup, spheres: &mut Spheres, clock: &mut Clock) {
    *spheres = simulation.spheres();
    setup.cell = simulation.setup().cell;
    *clock = Clock {
        step: simulation.step_number(),
        time: simulation.time(),
    };
}

/// Lets the observer of a deck see the simulation, and change values of actions.
struct Hook<'a> {
    observer: &'a mut dyn Observer,
    setup: &'a mut Setup,
    spheres: &'a mut Spheres,
}

impl Hook<'_> {
    fn change(&mut self, simulation: &mut Simulation) -> Result<()> {
        let changes = self.observer.changes();
        if changes == Changes::Never {
            return Ok(());
        }
        if changes == Changes::ByState {
            *self.spheres = simulation.spheres();
        }
        let clock = Clock {
            step: simulation.step_number(),
            time: simulation.time(),
        };
        let changed = self.observer.before_forces(clock, self.setup, self.spheres);
        changed.map_err(of_problem)?;
        simulation.setup.actions.clone_from(&self.setup.actions);
        Ok(())
    }

    fn observe(&mut self, simulation: &Simulation, clock: &mut Clock) -> Result<()> {
        take_out(simulation, self.setup, self.spheres, clock);
        let contacts = match self.observer.wants_contacts(clock.step) {
            true => rows(&simulation.contacts(), self.spheres),
            false => Vec::new(),
        };
        let seen = self
            .observer
            .observe(*clock, self.setup, self.spheres, &contacts);
        seen.map_err(of_problem)
    }
}

impl Domain for Hook<'_> {
    fn exchange(&mut self, simulation: &mut Simulation) -> Result<()> {
        self.change(simulation)
    }
}

/// Contacts by the rows of their spheres, which are sorted by ids.
fn rows(contacts: &[ContactRow], spheres: &Spheres) -> Vec<Contact> {
    let row = |id: u64| spheres.ids.binary_search(&id).unwrap_or_default();
    let converted = contacts.iter().map(|contact| {
        let [a, b] = [contact.a, contact.b].map(row);
        let distance = spheres.radii[a] + spheres.radii[b] + contact.gap;
        let along = dot(contact.force, contact.normal);
        Contact {
            spheres: [a, b],
            way: times(contact.normal, distance),
            force: contact.force,
            friction: minus(contact.force, times(contact.normal, along)),
        }
    });
    converted.collect()
}

/// A problem of the observer, on its way through the engine.
fn of_problem(problem: Problem) -> Error {
    Error::invalid("deck", problem.found, problem.expected)
}

/// What went wrong in a run, as a problem of the command.
fn to_problem(error: Error) -> Problem {
    match error {
        Error::Invalid {
            what,
            found,
            expected,
        } if what == "deck" => Problem::new(found, expected),
        Error::Invalid {
            what,
            found,
            expected,
        } => Problem::new(format!("{what} {found}"), expected),
        Error::Stopped { step, id, cause } => Problem::new(
            format!("step {step}, sphere {id}: {cause}"),
            "a simulation that can go on",
        ),
        other => Problem::new(other.to_string(), "a simulation that can go on"),
    }
}

impl Engine for Runner<'_> {
    fn run(
        &mut self,
        setup: &mut Setup,
        spheres: &mut Spheres,
        clock: &mut Clock,
        steps: u64,
        observer: &mut dyn Observer,
    ) -> std::result::Result<(), Problem> {
        self.go(setup, spheres, clock, steps, observer)
            .map_err(to_problem)
    }
}
