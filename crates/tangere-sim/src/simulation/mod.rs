//! A simulation: spheres, laws and actions, moved step by step.
//!
//! A step goes: drift (positions to its end), exchange (with other domains), contacts (which pairs
//! touch, force and torques of each), sum (per sphere, in the order of ids, then actions), kick (second
//! half of the velocity Verlet step), output. Sum, kick and the drift of the next step are one pass over
//! the spheres. Time a step is proportional to spheres and contacts; the list of candidate pairs is made
//! anew when a sphere has moved by half the skin.

mod lists;
mod observe;
mod sweeps;

use crate::clump::Clump;
use crate::domain::{Alone, Domain};
use crate::engine::body_chunk::{BUNCH, ChunkState, Stages};
use crate::engine::clumps::{Clumps, Moved};
use crate::engine::columns::{Columns, Mobility};
use crate::engine::pair_list::PairList;
use crate::engine::search::Search;
use crate::engine::velocity_box::VelocityBox;
use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::setup::{Effect, Setup, Spheres};
use crate::state::Histories;
use crate::vector::Vector;
use lists::SORTED_FOR;
use std::collections::BTreeMap;

/// The number of steps from which memory that none of them needs is freed.
const LONG_RUN: u64 = 16;

/// The number of steps after which lanes without a contact are counted.
const COMPACTED_EVERY: u64 = 8;

/// The beginning of a step, from forces that are known.
const FIRST_HALF: Stages = Stages {
    sums: false,
    ends_step: false,
    stores: false,
    begins_step: true,
};

/// Seconds spent in the parts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Sorting, broad phase and lists.
    pub neighbours: f64,
    /// Contacts of pairs: geometry and law.
    pub contacts: f64,
    /// Sums, walls and other actions, kick and drift.
    pub integrate: f64,
}

/// A simulation.
pub struct Simulation {
    pub(crate) setup: Setup,
    pub(crate) columns: Columns,
    pub(crate) list: PairList,
    pub(crate) search: Search,
    pub(crate) chunks: Vec<ChunkState>,
    /// The number of steps so far.
    pub(crate) step: u64,
    pub(crate) time: f64,
    /// The step and the time from which time is counted by the present time step.
    pub(crate) epoch: (u64, f64),
    /// Whether the forces in the columns are those of this state.
    pub(crate) has_forces: bool,
    /// Whether the list is that of these spheres.
    pub(crate) has_list: bool,
    lists_since_sort: u32,
    /// How many lists were made.
    pub(crate) lists: u64,
    pub(crate) is_synchronized: bool,
    /// The overlap of pairs, relative to the smaller radius, that stops a simulation.
    pub(crate) deepest: f64,
    pub(crate) own_forces: Vec<Vector>,
    /// The skin of the present list: what is found does not depend on it.
    skin: f64,
    /// A bound of the way of any sphere since the list was made.
    path: f64,
    /// Velocities of each chunk of rows in the last drift.
    velocities: Vec<VelocityBox>,
    /// A bound of the rounding of a position.
    rounding: f64,
    /// The median diameter of spheres.
    diameter: f64,
    /// The step in which the last list was made; none before the first.
    listed: Option<u64>,
    pub(crate) seconds: Seconds,
    /// What contacts remember, until a list is made.
    pub(crate) waiting: Option<Histories>,
    /// What observers remember, by name.
    pub(crate) memo: BTreeMap<String, Vec<f64>>,
    /// Where energy goes, if that is asked for.
    pub(crate) ledger: Option<Ledger>,
    pub(crate) clumps: Clumps,
    /// Whether the last sweep, which failed, has drifted spheres beyond the places of its contacts.
    pub(crate) has_drifted_on: bool,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("spheres", &self.columns.len())
            .field("step", &self.step)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// A simulation of spheres.
    ///
    /// # Errors
    /// When a value is invalid; the error names the sphere, the value and what was expected.
    pub fn new(setup: Setup, spheres: &Spheres) -> Result<Self> {
        setup.check(spheres)?;
        let mut made = Self {
            columns: Columns::new(spheres),
            list: PairList::default(),
            search: Search::default(),
            chunks: Vec::new(),
            step: 0,
            time: 0.0,
            epoch: (0, 0.0),
            has_forces: false,
            has_list: false,
            lists_since_sort: SORTED_FOR,
            lists: 0,
            is_synchronized: false,
            deepest: f64::INFINITY,
            own_forces: Vec::new(),
            skin: setup.skin,
            path: 0.0,
            velocities: Vec::new(),
            rounding: 0.0,
            diameter: median_diameter(spheres),
            listed: None,
            seconds: Seconds::default(),
            waiting: None,
            memo: BTreeMap::new(),
            ledger: None,
            clumps: Clumps::default(),
            has_drifted_on: false,
            setup,
        };
        made.assign();
        Ok(made)
    }

    /// A simulation of spheres, some of which are parts of clumps.
    ///
    /// # Errors
    /// As [`new`](Self::new); when a clump has a sphere that is not there or is another clump's, or no mass.
    pub fn with_clumps(setup: Setup, spheres: &Spheres, clumps: Vec<Clump>) -> Result<Self> {
        let mut made = Self::new(setup, spheres)?;
        let deforms = made.deforms();
        let mut ids: Vec<u64> = made.columns.ids.clone();
        ids.sort_unstable();
        let mut taken = std::collections::HashSet::new();
        for clump in &clumps {
            let what = |part: &str| format!("{part} of clump {}", clump.id);
            if deforms {
                let expected = "a cell that does not change with time";
                return Err(Error::invalid(what("cell"), "one that changes", expected));
            }
            if made.setup.is_flat && !clump.is_flat() {
                let expected = "spheres in one plane of z, and motion in it (Clump::flatten)";
                return Err(Error::invalid(what("plane"), "others", expected));
            }
            let inertia = clump.inertia.iter().all(|x| *x > 0.0 && x.is_finite());
            if !(clump.mass > 0.0 && clump.mass.is_finite() && inertia) {
                let expected = "a mass and moments of inertia above 0";
                return Err(Error::invalid(what("mass"), clump.mass, expected));
            }
            if clump.members.is_empty() {
                return Err(Error::invalid(what("spheres"), "none", "at least one"));
            }
            for member in &clump.members {
                if ids.binary_search(&member.id).is_err() || !taken.insert(member.id) {
                    let expected = "the id of a sphere that is in no other clump";
                    return Err(Error::invalid(what("sphere"), member.id, expected));
                }
            }
        }
        let mut clumps = clumps;
        clumps.sort_unstable_by_key(|clump| clump.id);
        for clump in &mut clumps {
            clump.wrap(&made.setup.cell);
        }
        made.clumps = Clumps::new(clumps);
        made.assign();
        Ok(made)
    }

    /// The clumps, in the order of ids.
    pub fn clumps(&self) -> &[Clump] {
        &self.clumps.bodies
    }

    /// The id of the body of each sphere, in ascending order of the spheres' ids: that of its clump, or its
    /// own.
    pub fn bodies(&self) -> Vec<u64> {
        let columns = &self.columns;
        let of = columns.by_id().into_iter().map(|row| {
            let clump = columns.clumps.get(row as usize);
            let clump = clump.and_then(|&number| self.clumps.bodies.get(number as usize));
            clump.map_or(columns.ids[row as usize], |clump| clump.id)
        });
        of.collect()
    }

    /// What the simulation is made from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Replaces what acts on the spheres. Contacts keep their histories.
    ///
    /// # Errors
    /// When a value is invalid; nothing changes then.
    pub fn set_setup(&mut self, setup: Setup) -> Result<()> {
        setup.check(&self.spheres())?;
        // Histories of walls go by their names.
        self.waiting = Some(self.histories());
        if setup.step != self.setup.step {
            self.epoch = (self.step, self.time);
        }
        self.setup = setup;
        self.assign();
        self.search.forget_finder();
        (self.has_list, self.has_forces) = (false, false);
        Ok(())
    }

    /// Whether histories advance in the tangent plane of half a step ago (Vyas et al. 2025), not in the
    /// present one.
    pub fn set_synchronized(&mut self, is_synchronized: bool) {
        self.is_synchronized = is_synchronized;
    }

    /// Stops the simulation where two spheres overlap by more than this part of the smaller radius.
    pub fn set_deepest(&mut self, deepest: f64) {
        self.deepest = deepest;
    }

    /// The number of spheres.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no sphere.
    pub fn is_empty(&self) -> bool {
        self.columns.len() == 0
    }

    /// The number of steps so far.
    pub fn step_number(&self) -> u64 {
        self.step
    }

    /// Sets the number of steps so far, and the time.
    pub fn set_step_number(&mut self, step: u64, time: f64) {
        (self.step, self.time) = (step, time);
        self.epoch = (step, time);
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Seconds spent so far.
    pub fn seconds(&self) -> Seconds {
        self.seconds
    }

    /// How many lists of candidate pairs were made so far.
    pub fn lists(&self) -> u64 {
        self.lists
    }

    /// How many pairs the list of candidates has.
    pub fn candidates(&self) -> usize {
        self.list.count
    }

    /// How many pairs of spheres touch.
    pub fn contact_count(&self) -> usize {
        let contacts = self.list.blocks.iter().flat_map(|block| &block.contacts);
        contacts.map(|contacts| contacts.count).sum()
    }

    /// The spheres, in ascending order of ids.
    pub fn spheres(&self) -> Spheres {
        self.columns.spheres()
    }

    /// Forces of the user, in ascending order of ids, that act until they are set again; none for none.
    ///
    /// # Errors
    /// When there is not one for each sphere, or one is not finite.
    pub fn set_own_forces(&mut self, forces: &[Vector]) -> Result<()> {
        if forces.is_empty() {
            if self.has_own_forces() {
                self.own_forces.clear();
                self.has_forces = false;
            }
            return Ok(());
        }
        if forces.len() != self.len() {
            let expected = format!("{}, one for each sphere", self.len());
            return Err(Error::invalid("number of forces", forces.len(), expected));
        }
        let by_id = self.columns.by_id();
        for (force, &row) in forces.iter().zip(&by_id) {
            if force.iter().any(|x| !x.is_finite()) {
                return Err(Error::Stopped {
                    step: self.step,
                    id: self.columns.ids[row as usize],
                    cause: format!("the user's force is {force:?}, expected finite numbers"),
                });
            }
        }
        self.own_forces.resize(forces.len(), [0.0; 3]);
        for (force, &row) in forces.iter().zip(&by_id) {
            self.own_forces[row as usize] = *force;
        }
        Ok(())
    }

    /// Whether forces of the user act.
    pub fn has_own_forces(&self) -> bool {
        !self.own_forces.is_empty()
    }

    /// Makes steps.
    ///
    /// # Errors
    /// When a sphere is lost, two overlap too deeply, or a number is not finite.
    pub fn advance(&mut self, steps: u64) -> Result<()> {
        self.advance_in(steps, &mut Alone)
    }

    /// Makes steps as one of several domains.
    ///
    /// # Errors
    /// As [`advance`](Self::advance); when other domains cannot be reached.
    pub fn advance_in(&mut self, steps: u64, domain: &mut dyn Domain) -> Result<()> {
        if steps == 0 {
            return Ok(());
        }
        if !self.has_forces {
            self.find_forces()?;
        }
        self.has_forces = false;
        self.sweep(FIRST_HALF)?;
        if steps >= LONG_RUN {
            self.columns.forget_forces();
        }
        for number in 1..=steps {
            self.step += 1;
            // No sum of steps, whose rounding would grow.
            self.time = self.epoch.1 + (self.step - self.epoch.0) as f64 * self.setup.step;
            self.after_drift(domain)?;
            let deforms = self.deforms();
            let is_last = number == steps || deforms;
            self.sweep(Stages {
                sums: true,
                ends_step: true,
                stores: is_last,
                begins_step: !is_last,
            })?;
            if deforms {
                self.deform();
                if number < steps {
                    self.sweep(FIRST_HALF)?;
                }
            }
        }
        self.has_forces = true;
        Ok(())
    }

    /// Whether an action changes the cell.
    fn deforms(&self) -> bool {
        let mut actions = self.setup.actions.iter();
        actions.any(|action| matches!(action.effect, Effect::Deform(_)))
    }

    /// Finds the forces of the state as it is, as at the beginning of a run. Histories do not advance.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn find_forces(&mut self) -> Result<()> {
        self.wrap_all();
        self.make_list()?;
        self.sweep(Stages {
            sums: true,
            ends_step: false,
            stores: true,
            begins_step: false,
        })?;
        self.has_forces = true;
        Ok(())
    }

    /// Moves every sphere into the cell.
    fn wrap_all(&mut self) {
        if !self.setup.cell.is_periodic() {
            return;
        }
        let (mut wrapped, mut rows) = (Vec::new(), Vec::new());
        for row in 0..self.columns.len() {
            let line = &mut self.columns.lines[row];
            let image = self.setup.cell.image_of(line.position());
            if image == [0; 3] {
                continue;
            }
            let shift = self.setup.cell.shift(image);
            for k in 0..3 {
                line.place[k] -= shift[k];
                self.columns.images[row][k] += image[k];
            }
            wrapped.push((self.columns.ids[row], image));
            rows.push((row as u32, image));
        }
        // An old list has the same rows; what its contacts keep goes to the next one.
        if !self.list.parts.is_empty() {
            self.list.shift_images(&mut rows);
        }
        if let Some(histories) = &mut self.waiting {
            histories.shift_images(wrapped);
        }
    }

    /// Sets what follows from actions: which spheres move, and how heavy they are.
    fn assign(&mut self) {
        let columns = &mut self.columns;
        for row in 0..columns.len() {
            let mut mobility = Mobility::Still;
            let mut inertia = 0.0;
            let mut is_frozen = false;
            for (number, action) in self.setup.actions.iter().enumerate() {
                if columns.groups[row] & action.group == 0 {
                    continue;
                }
                match &action.effect {
                    Effect::Integrate { inertia: factor } => {
                        mobility = Mobility::Integrated;
                        inertia = *factor;
                    }
                    Effect::Move(_) => mobility = Mobility::Prescribed(number as u16),
                    Effect::Freeze => is_frozen = true,
                    _ => {}
                }
            }
            let (mass, radius) = (columns.masses[row], columns.lines[row].place[3]);
            columns.mobilities[row] = mobility;
            columns.lines[row].motion[3] = if is_frozen { 0.0 } else { 1.0 / mass };
            columns.spins[row].0[3] = match inertia > 0.0 {
                true => 1.0 / (inertia * mass * radius * radius),
                false => 0.0,
            };
        }
        self.clumps.find_rows(&mut self.columns);
    }

    /// Moves the clumps, after a sweep.
    fn move_clumps(&mut self, stages: Stages) {
        let accounts = self.ledger.as_mut().map(Ledger::rows);
        let moved = Moved {
            columns: &mut self.columns,
            chunks: &mut self.chunks,
            accounts: accounts.unwrap_or_default(),
        };
        self.clumps.move_on(&self.setup, stages, moved);
    }

    /// What is to be done between drift and contacts.
    fn after_drift(&mut self, domain: &mut dyn Domain) -> Result<()> {
        if let Some(row) = self.chunks.iter().find_map(|chunk| chunk.invalid) {
            return Err(Error::Stopped {
                step: self.step,
                id: self.columns.ids[row as usize],
                cause: "its position is not finite: a force or the time step is too large".into(),
            });
        }
        let wraps = self.chunks.iter().flat_map(|chunk| &chunk.wraps);
        let mut wraps: Vec<(u32, [i32; 3])> = wraps.copied().collect();
        self.list.shift_images(&mut wraps);
        // In every step: what is found must not depend on when lists are made.
        self.remove_lost()?;
        domain.exchange(self)?;
        self.velocities.clear();
        let boxes = self.chunks.iter().flat_map(|chunk| &chunk.velocities);
        self.velocities.extend(boxes);
        // Spheres that are new have not moved.
        let bunches = self.columns.len().div_ceil(BUNCH);
        self.velocities.resize(bunches, VelocityBox::EMPTY);
        let moving = self
            .velocities
            .iter()
            .filter(|velocities| !velocities.is_empty());
        let fastest = moving.map(VelocityBox::fastest).fold(0.0, f64::max);
        // Upward, by more than rounding of positions may add.
        self.path += fastest * self.setup.step * (1.0 + 1e-9) + self.rounding;
        let half = 0.5 * self.skin;
        let mut has_moved_far = self.path > half;
        if has_moved_far && self.has_list {
            has_moved_far = !self.follow_strays()?;
        }
        match domain.any(has_moved_far || !self.has_list)? {
            true => self.make_list()?,
            false if self.step.is_multiple_of(COMPACTED_EVERY) => self.list.compact(),
            false => {}
        }
        Ok(())
    }
}

fn median_diameter(spheres: &Spheres) -> f64 {
    let mut radii = spheres.radii.clone();
    let middle = radii.len() / 2;
    match radii.is_empty() {
        true => 0.0,
        false => 2.0 * *radii.select_nth_unstable_by(middle, f64::total_cmp).1,
    }
}
