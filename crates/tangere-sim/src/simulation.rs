//! A simulation: spheres, laws and actions, moved step by step.
//!
//! A step goes: drift (positions to its end), exchange (with other domains), contacts (which pairs
//! touch, force and torques of each), sum (per sphere, in the order of ids, then actions), kick (second
//! half of the velocity Verlet step), output. Sum, kick and the drift of the next step are one pass over
//! the spheres. Time a step is proportional to spheres and contacts; the list of candidate pairs is made
//! anew when a sphere has moved by half the skin.

use crate::clump::Clump;
use crate::contact_row::ContactRow;
use crate::domain::{Alone, Domain};
use crate::engine::body_chunk::{BUNCH, BodyContext, ChunkState, ROWS, Stages};
use crate::engine::clumps::{Clumps, Moved};
use crate::engine::columns::{Columns, Line, Mobility};
use crate::engine::contact_block::{ContactContext, VelocityBox, way_of};
use crate::engine::pair_list::{PairList, Search};
use crate::engine::row_contacts::RowContacts;
use crate::engine::sweep::Sweep;
use crate::error::{Error, Result};
use crate::laws::{Clock, Law};
use crate::ledger::Ledger;
use crate::motion::Prescribed;
use crate::setup::{Effect, Setup, Spheres};
use crate::state::Histories;
use crate::state_hash::{bits, mixed};
use crate::vector::{Vector, length, plus, times};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Instant;

/// The number of steps from which memory that none of them needs is freed.
const LONG_RUN: u64 = 16;

/// The number of steps after which lanes without a contact are counted.
const COMPACTED_EVERY: u64 = 8;

/// How often the list is made anew before rows are sorted again.
const SORTED_FOR: u32 = 10;

/// The time of a new list, relative to the test of a candidate pair, for each sphere.
const LIST_COST: f64 = 500.0;

/// How many more candidates each sphere has if the skin is wider by a diameter.
const CANDIDATES: f64 = 10.0;

/// The range of skins, in median diameters.
const SKINS: [f64; 2] = [0.02, 0.7];

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
        let mut wrapped = Vec::new();
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
            // An old list has the same rows; what its contacts keep goes to the next one.
            if !self.list.parts.is_empty() {
                self.list.shift_images(row, image);
            }
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
        for chunk in &self.chunks {
            for &(row, image) in &chunk.wraps {
                self.list.shift_images(row as usize, image);
            }
        }
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

    /// Finds out how far spheres have moved since the list was made, and adds the pairs of those that have
    /// moved much farther than most. Returns whether the list is still good.
    fn follow_strays(&mut self) -> Result<bool> {
        let half = 0.5 * self.skin;
        // Most spheres are nearer than the sum of the fastest steps.
        self.path = self.columns.farthest() * (1.0 + 1e-9);
        if self.path <= 0.8 * half {
            return Ok(true);
        }
        let (strays, rest) = self.columns.beyond(0.5 * half);
        let (columns, setup) = (&mut self.columns, &self.setup);
        if strays.iter().any(|&row| columns.has_left(row, &setup.cell)) {
            // A new list stops the simulation.
            return Ok(false);
        }
        for &row in &strays {
            columns.references[row as usize] = columns.lines[row as usize].position();
            // Walls that it may reach now.
            self.chunks[row as usize / ROWS].near.clear();
        }
        self.path = rest * (1.0 + 1e-9);
        self.list.follow(&mut self.search, columns, setup, &strays)
    }

    pub(crate) fn make_list(&mut self) -> Result<()> {
        let begin = Instant::now();
        if let Some(id) = self.columns.astray() {
            return Err(Error::Stopped {
                step: self.step,
                id,
                cause: "its position is not finite: a force or the time step is too large".into(),
            });
        }
        self.remove_lost()?;
        if let Some(id) = self.columns.lost(&self.setup.cell) {
            return Err(Error::Stopped {
                step: self.step,
                id,
                cause: "it left the cell across a fixed border".into(),
            });
        }
        let mut moved = None;
        self.lists_since_sort += 1;
        if self.lists_since_sort > SORTED_FOR {
            self.lists_since_sort = 0;
            moved = self.columns.sort();
            if moved.is_some() {
                self.clumps.find_rows(&mut self.columns);
            }
        }
        self.skin = self.next_skin();
        self.listed = Some(self.step);
        self.path = 0.0;
        self.rounding = self.columns.rounding();
        self.velocities.clear();
        let bunches = self.columns.len().div_ceil(BUNCH);
        // Nothing has moved since the list is made.
        self.velocities.resize(bunches, VelocityBox::EMPTY);
        self.columns.references = Vec::new();
        let (columns, setup) = (&self.columns, &self.setup);
        let moved_rows = moved.as_deref();
        // Adhesion holds on to pairs across gaps.
        let reach = self.skin + self.longest_hold();
        self.list
            .make(&mut self.search, columns, setup, reach, moved_rows)?;
        self.sort_walls(moved.as_deref());
        if let Some(histories) = self.waiting.take() {
            self.take_histories(&histories);
        }
        if let (Some(moved), Some(ledger)) = (&moved, &mut self.ledger) {
            ledger.sort(moved);
        }
        if let (Some(moved), false) = (&moved, self.own_forces.is_empty()) {
            let old = self.own_forces.clone();
            for (force, &row) in old.into_iter().zip(moved) {
                self.own_forces[row as usize] = force;
            }
        }
        let columns = &mut self.columns;
        columns.references = columns.lines.iter().map(Line::position).collect();
        self.has_list = true;
        self.lists += 1;
        self.seconds.neighbours += begin.elapsed().as_secs_f64();
        Ok(())
    }

    /// The widest gap of any contact.
    fn longest_hold(&self) -> f64 {
        let laws = &self.setup.laws.laws;
        if laws.iter().all(|law| law.normal.pull_off_gap(1.0) == 0.0) {
            return 0.0;
        }
        let radii = self.columns.lines.iter().map(|line| line.place[3]);
        // The effective radius of two spheres is at most half the larger one.
        let largest = 0.5 * radii.fold(0.0, f64::max);
        let gaps = laws.iter().map(|law| law.normal.pull_off_gap(largest));
        gaps.fold(0.0, f64::max)
    }

    /// The skin of the next list. A list costs as much as [`LIST_COST`] candidates of each sphere and a
    /// step, and a wider skin has more candidates in every step, about [`CANDIDATES`] for each sphere and
    /// diameter. With the speed `u` at which the last list was used up, the sum
    /// `LIST_COST u / skin + CANDIDATES skin / diameter` is least for the root of its derivative.
    fn next_skin(&self) -> f64 {
        let best = |speed: f64| {
            let best = (LIST_COST / CANDIDATES * speed * self.diameter).sqrt();
            best.clamp(SKINS[0] * self.diameter, SKINS[1] * self.diameter)
        };
        match self.listed {
            // As fast as most spheres move now, of which each has half of the skin.
            None => best(2.0 * self.columns.common_speed() * self.setup.step).max(self.skin),
            Some(listed) if listed == self.step => self.skin,
            Some(listed) => best(self.skin / (self.step - listed) as f64),
        }
    }

    /// Moves what walls keep to the chunks of their new rows.
    fn sort_walls(&mut self, moved: Option<&[u32]>) {
        let count = self.columns.len().div_ceil(ROWS);
        if let Some(moved) = moved {
            let mut all = Vec::new();
            for chunk in &mut self.chunks {
                for (wall, contacts) in chunk.walls.iter_mut().enumerate() {
                    for mut contact in contacts.drain(..) {
                        contact.row = moved[contact.row as usize];
                        all.push((wall, contact));
                    }
                }
            }
            all.sort_unstable_by_key(|(wall, contact)| (*wall, contact.row, contact.face));
            self.chunks.resize_with(count, ChunkState::default);
            for (wall, contact) in all {
                let walls = &mut self.chunks[contact.row as usize / ROWS].walls;
                while walls.len() <= wall {
                    walls.push(Vec::new());
                }
                walls[wall].push(contact);
            }
        }
        self.chunks.resize_with(count, ChunkState::default);
        for chunk in &mut self.chunks {
            chunk.near.clear();
        }
    }

    /// All phases of a step, from contacts to the drift of the next one, as far as `stages` says.
    ///
    /// # Errors
    /// When two spheres overlap too deeply.
    fn sweep(&mut self, stages: Stages) -> Result<()> {
        let (time, step) = (self.time, self.setup.step);
        let actions = &self.setup.actions;
        let motions = actions.iter().map(|action| match &action.effect {
            Effect::Move(motion) => Some(Prescribed::of_spheres(motion, time - action.since, step)),
            _ => None,
        });
        let motions: Vec<Option<Prescribed>> = motions.collect();
        let wall_motions = actions.iter().map(|action| match &action.effect {
            Effect::Wall(wall) => {
                let motion = wall.motion.as_ref();
                motion.map(|motion| Prescribed::of_wall(motion, time - action.since))
            }
            _ => None,
        });
        let wall_motions: Vec<Option<Prescribed>> = wall_motions.collect();
        let clock = Clock {
            step,
            advances: stages.ends_step,
            is_synchronized: self.is_synchronized,
        };
        if stages.stores {
            self.columns.expect_forces();
        }
        let columns = &mut self.columns;
        let list = &mut self.list;
        let laws = &self.setup.laws;
        let contact = ContactContext {
            lines: &[],
            spins: &[],
            first: 0,
            cell: &self.setup.cell,
            laws: &laws.laws,
            has_pull_off: laws
                .laws
                .iter()
                .any(|law| law.normal.pull_off_gap(1.0) > 0.0),
            is_classic: laws.is_classic,
            clock,
            deepest: self.deepest,
            velocities: &self.velocities,
            rounding: self.rounding,
            has_ledger: self.ledger.is_some(),
            stores: stages.stores,
        };
        let busy = list.busy();
        if stages.sums && busy > 0 {
            let context = ContactContext {
                lines: &columns.lines,
                spins: &columns.spins,
                ..contact
            };
            let blocks = &mut list.blocks[..busy];
            let results = list.shared_results.of_each(busy);
            let work = blocks.par_iter_mut().zip(results).with_min_len(1);
            work.for_each(|(block, results)| block.step(&context, results));
            list.note_shared_contacts(columns);
        }
        let body = BodyContext {
            cell: &self.setup.cell,
            actions,
            motions: &motions,
            wall_motions: &wall_motions,
            kinds: &columns.kinds,
            groups: &columns.groups,
            masses: &columns.masses,
            mobilities: &columns.mobilities,
            clock,
            stages,
            skin: self.skin,
            own_forces: &self.own_forces,
            deepest: self.deepest,
            has_ledger: self.ledger.is_some(),
            keeps_loads: !self.clumps.bodies.is_empty(),
            has_resistances: laws.laws.iter().any(Law::resists_rotation),
        };
        let contact = stages.sums.then_some(&contact);
        let (shared, mut blocks) = list.blocks.split_at_mut(list.shared);
        let shared = &shared[..busy];
        let mut row_contacts = &mut list.row_contacts[..];
        let mut new_contacts = &mut list.new_contacts[..];
        let mut lines = &mut columns.lines[..];
        let mut spins = &mut columns.spins[..];
        let mut images = &mut columns.images[..];
        let mut forces = &mut columns.forces[..];
        let mut torques = &mut columns.torques[..];
        let mut references = &mut columns.references[..];
        let mut chunks = &mut self.chunks[..];
        let accounts = self.ledger.as_mut().map(Ledger::rows);
        let mut accounts = accounts.unwrap_or_default();
        let mut sweeps = Vec::with_capacity(list.parts.len());
        for (part, results) in list.parts.iter().zip(&mut list.results) {
            let rows = part.rows.len();
            let chunk_count = rows.div_ceil(ROWS);
            sweeps.push(Sweep {
                part,
                shared,
                blocks: split_off(&mut blocks, part.blocks.len()),
                shared_results: &list.shared_results,
                results,
                row_contacts: RowContacts {
                    first: part.rows.start,
                    chunks: split_off(&mut row_contacts, chunk_count),
                    new: split_off(&mut new_contacts, chunk_count),
                    ids: &columns.ids,
                },
                lines: split_off(&mut lines, rows),
                spins: split_off(&mut spins, rows),
                images: split_off(&mut images, rows),
                forces: split_up_to(&mut forces, rows),
                torques: split_up_to(&mut torques, rows),
                references: split_off(&mut references, rows),
                accounts: split_up_to(&mut accounts, rows),
                chunks: split_off(&mut chunks, chunk_count),
            });
        }
        let seconds = sweeps.into_par_iter().with_max_len(1);
        let seconds = seconds.map(|sweep| sweep.run(&body, contact));
        let [contacts, integrate] = seconds.reduce(|| [0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        self.seconds.contacts += contacts;
        self.seconds.integrate += integrate;
        self.move_clumps(stages);
        if stages.sums {
            if let Some(ledger) = &mut self.ledger {
                ledger.close(&self.list.blocks, &self.chunks);
            }
            let checked = self.check_depth(stages.ends_step);
            self.has_drifted_on = checked.is_err() && stages.begins_step;
            checked?;
        }
        Ok(())
    }

    /// # Errors
    /// When two spheres, or a sphere and a wall, overlap too deeply.
    fn check_depth(&self, has_moved: bool) -> Result<()> {
        let why = match has_moved {
            true => "the time step is too large, or the contact too soft",
            false => "expected them apart at the start",
        };
        let ids = &self.columns.ids;
        let deep = self.list.blocks.iter().filter_map(|block| {
            let (index, overlap) = block.too_deep?;
            let pair = block.pairs[index as usize];
            Some((pair.map(|row| ids[row as usize]), pair, overlap))
        });
        let Some(([a, b], pair, overlap)) = deep.min_by_key(|deep| deep.0) else {
            return self.check_walls(why);
        };
        let radii = pair.map(|row| self.columns.lines[row as usize].place[3]);
        Err(Error::Stopped {
            step: self.step,
            id: a,
            cause: format!(
                "it overlaps sphere {b} by {overlap:e}, more than {} of the smaller radius {:e}: {why}",
                self.deepest,
                radii[0].min(radii[1])
            ),
        })
    }

    /// # Errors
    /// When a sphere and a wall overlap too deeply.
    fn check_walls(&self, why: &str) -> Result<()> {
        let ids = &self.columns.ids;
        let deep = self.chunks.iter().flat_map(|chunk| &chunk.too_deep);
        let deep = deep.map(|&(row, wall, overlap)| (ids[row as usize], row, wall, overlap));
        let Some((id, row, wall, overlap)) = deep.min_by_key(|deep| (deep.0, deep.2)) else {
            return Ok(());
        };
        let radius = self.columns.lines[row as usize].place[3];
        let names = self.setup.wall_names();
        let wall = names.get(wall).map(ToString::to_string).unwrap_or_default();
        Err(Error::Stopped {
            step: self.step,
            id,
            cause: format!(
                "it overlaps wall {wall:?} by {overlap:e}, more than {} of its radius {radius:e}: {why}",
                self.deepest
            ),
        })
    }

    /// The contacts of spheres, sorted by ids and image.
    pub fn contacts(&self) -> Vec<ContactRow> {
        let columns = &self.columns;
        let rows = self.list.touching().map(|(block, index, kept)| {
            let (pair, image) = (block.pairs[index], block.image(index));
            let way = way_of(&columns.lines, &self.setup.cell, pair, image);
            let distance = length(way);
            let normal = times(way, 1.0 / distance);
            let [a, b] = pair.map(|row| &columns.lines[row as usize]);
            let gap = distance - (a.place[3] + b.place[3]);
            let [sx, sy, sz, _] = kept.shear;
            ContactRow {
                a: columns.ids[pair[0] as usize],
                b: columns.ids[pair[1] as usize],
                image: image.map(i32::from),
                normal,
                gap,
                point: plus(a.position(), times(normal, a.place[3] + 0.5 * gap)),
                force: kept.account.force,
                shear: [sx, sy, sz],
            }
        });
        let mut rows: Vec<ContactRow> = rows.collect();
        rows.sort_unstable_by_key(|row| (row.a, row.b, row.image));
        rows
    }

    /// Kinetic energy of translation and of rotation. Sums are in the order of ids.
    pub fn kinetic_energy(&self) -> [f64; 2] {
        let columns = &self.columns;
        let mut sums = [0.0; 2];
        for body in &self.clumps.bodies {
            let [translation, rotation] = body.kinetic_energy();
            sums[0] += translation;
            sums[1] += rotation;
        }
        for row in columns.by_id() {
            let row = row as usize;
            if columns.mobilities[row] == Mobility::Member {
                continue;
            }
            let (v, w) = (columns.lines[row].velocity(), columns.spins[row].vector());
            let (mass, radius) = (columns.masses[row], columns.lines[row].place[3]);
            let square = |v: Vector| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            sums[0] += 0.5 * mass * square(v);
            sums[1] += 0.5 * 0.4 * mass * radius * radius * square(w);
        }
        sums
    }

    /// A hash of the state by ids: the same for any number of threads, order of storage, and restarts.
    pub fn hash(&self) -> u64 {
        let columns = &self.columns;
        let rows = (0..columns.len()).into_par_iter().map(|row| {
            let (line, spin) = (&columns.lines[row], columns.spins[row].0);
            let image = columns.images[row].map(|n| n as u64);
            let [x, y, z, r] = line.place.map(bits);
            let [u, v, w, _] = line.motion.map(bits);
            let [a, b, c, _] = spin.map(bits);
            let id = columns.ids[row];
            let kind = u64::from(columns.kinds[row]);
            let [i, j, k] = image;
            mixed(&[id, kind, i, j, k, x, y, z, r, u, v, w, a, b, c])
        });
        let spheres = rows.reduce(|| 0, u64::wrapping_add);
        let mut sum = mixed(&[self.step, bits(self.time)]).wrapping_add(spheres);
        let histories = self.histories();
        for pair in &histories.pairs {
            let [i, j, k] = pair.image.map(|n| n as u64);
            let [s, t, u, v] = pair.shear.map(bits);
            let [p, q, r, w] = pair.roll.map(bits);
            let [a, b] = pair.ids;
            sum = sum.wrapping_add(mixed(&[a, b, i, j, k, s, t, u, v, p, q, r, w]));
        }
        for body in &self.clumps.bodies {
            let [a, b, c, d] = body.orientation.map(bits);
            let [x, y, z] = body.position.map(bits);
            let [u, v, w] = body.velocity.map(bits);
            let [p, q, r] = body.angular_momentum.map(bits);
            let [i, j, k] = body.image.map(|n| n as u64);
            let words = [body.id, i, j, k, a, b, c, d, x, y, z, u, v, w, p, q, r];
            sum = sum.wrapping_add(mixed(&words));
        }
        let names = self.setup.wall_names();
        for contact in &histories.walls {
            let wall = names.iter().position(|name| *name == contact.wall);
            let wall = !(wall.unwrap_or(names.len()) as u64);
            let [s, t, u, v] = contact.shear.map(bits);
            let [p, q, r, w] = contact.roll.map(bits);
            let face = u64::from(contact.face);
            sum = sum.wrapping_add(mixed(&[wall, contact.id, face, s, t, u, v, p, q, r, w]));
        }
        sum
    }
}

/// Splits the first part off a slice.
fn split_off<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(slice).split_at_mut(length);
    *slice = rest;
    first
}

/// As [`split_off`], as much as there is.
fn split_up_to<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let length = length.min(slice.len());
    split_off(slice, length)
}

fn median_diameter(spheres: &Spheres) -> f64 {
    let mut radii = spheres.radii.clone();
    let middle = radii.len() / 2;
    match radii.is_empty() {
        true => 0.0,
        false => 2.0 * *radii.select_nth_unstable_by(middle, f64::total_cmp).1,
    }
}
