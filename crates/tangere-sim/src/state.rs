//! States of simulations: all that the next step depends on, to save and to go on from.

use crate::clump::Clump;
use crate::engine::body_chunk::ROWS;
use crate::error::{Error, Result};
use crate::ledger::LedgerState;
use crate::setup::{Border, Setup, Spheres};
use crate::simulation::Simulation;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a contact of two spheres remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairHistory {
    /// The ids of both, the lower one first.
    pub ids: [u64; 2],
    /// The image of the second sphere.
    pub image: [i8; 3],
    /// The spring of friction, and the contact radius.
    pub shear: [f64; 4],
    /// The springs of rolling and of twisting.
    pub roll: [f64; 4],
    /// Its account, if there is a ledger.
    pub account: Option<PairAccount>,
}

/// The account of a contact: work that it did, and its force in the last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairAccount {
    /// The force of the dashpot, the stiffness of the spring of friction, and sums of work.
    pub columns: [f64; 7],
    /// The force on the second sphere.
    pub force: [f64; 3],
    /// The torque of rolling and twisting resistance on the second sphere.
    pub resistance: [f64; 3],
}

/// What a contact of a sphere with a wall remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallHistory {
    /// The name of the wall.
    pub wall: String,
    /// The id of the sphere.
    pub id: u64,
    /// The face of the wall.
    pub face: u32,
    /// The spring of friction, and the contact radius.
    pub shear: [f64; 4],
    /// The springs of rolling and of twisting.
    pub roll: [f64; 4],
    /// Its account, if there is a ledger.
    pub account: Option<WallAccount>,
}

/// The account of a contact with a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WallAccount {
    /// As of a contact of two spheres; the force and the torque are those on the sphere.
    pub pair: PairAccount,
    /// The work of the wall on the sphere.
    pub work: f64,
    /// The unit normal towards the sphere in the last step.
    pub normal: [f64; 3],
    /// The velocity of the wall in the last step.
    pub velocity: [f64; 3],
    /// The overlap and the effective radius in the last step.
    pub size: [f64; 2],
}

impl Default for PairAccount {
    fn default() -> Self {
        Self {
            columns: crate::laws::account::FRESH,
            force: [0.0; 3],
            resistance: [0.0; 3],
        }
    }
}

/// What contacts remember, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Histories {
    /// Contacts of two spheres.
    pub pairs: Vec<PairHistory>,
    /// Contacts with walls.
    pub walls: Vec<WallHistory>,
}

impl Histories {
    /// Changes the images of the contacts of spheres that were taken back into the cell: their ids, and
    /// the number of cells along each edge.
    pub(crate) fn shift_images(&mut self, mut wrapped: Vec<(u64, [i32; 3])>) {
        wrapped.sort_unstable();
        let cells = |id: u64| match wrapped.binary_search_by_key(&id, |sphere| sphere.0) {
            Ok(at) => wrapped[at].1,
            Err(_) => [0; 3],
        };
        for pair in &mut self.pairs {
            let [a, b] = pair.ids.map(cells);
            for k in 0..3 {
                pair.image[k] += (b[k] - a[k]) as i8;
            }
        }
    }
}

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What the simulation is made from.
    pub setup: Setup,
    /// The spheres, by ids.
    pub spheres: Spheres,
    /// What contacts remember.
    pub histories: Histories,
    /// The number of steps so far.
    pub step: u64,
    /// The time.
    pub time: f64,
    /// The step and the time from which time is counted.
    pub epoch: (u64, f64),
    /// Forces of the user, by ids; none if there are none.
    pub own_forces: Vec<Vector>,
    /// Whether forces and torques of the spheres are those of this state.
    pub has_forces: bool,
    /// Whether histories advance in the plane of half a step ago.
    pub is_synchronized: bool,
    /// The overlap that stops the simulation, relative to the smaller radius.
    pub deepest: f64,
    /// What observers remember, by name: means of decks.
    pub memo: BTreeMap<String, Vec<f64>>,
    /// The energy ledger, if there is one.
    pub ledger: Option<LedgerState>,
    /// The clumps.
    pub clumps: Vec<Clump>,
}

impl Simulation {
    /// All that the next step depends on.
    pub fn state(&self) -> State {
        State {
            setup: self.setup.clone(),
            spheres: self.spheres(),
            histories: self.histories(),
            step: self.step,
            time: self.time,
            epoch: self.epoch,
            own_forces: match self.has_own_forces() {
                true => {
                    let rows = self.columns.by_id().into_iter();
                    rows.map(|row| self.own_forces[row as usize]).collect()
                }
                false => Vec::new(),
            },
            has_forces: self.has_forces,
            is_synchronized: self.is_synchronized,
            deepest: self.deepest,
            memo: self.memo.clone(),
            ledger: self.state_of_ledger(),
            clumps: self.clumps.bodies.clone(),
        }
    }

    /// A simulation that goes on from a state, bit for bit.
    ///
    /// # Errors
    /// When a value of the state is invalid.
    pub fn from_state(state: State) -> Result<Self> {
        let mut made = Self::with_clumps(state.setup, &state.spheres, state.clumps)?;
        (made.step, made.time) = (state.step, state.time);
        made.epoch = state.epoch;
        made.set_own_forces(&state.own_forces)?;
        made.is_synchronized = state.is_synchronized;
        made.deepest = state.deepest;
        made.memo = state.memo;
        made.set_ledger_state(state.ledger);
        made.waiting = Some(state.histories);
        if state.has_forces {
            made.make_list()?;
            made.has_forces = true;
        }
        Ok(made)
    }

    /// What contacts remember, sorted.
    pub fn histories(&self) -> Histories {
        let ids = &self.columns.ids;
        let pairs = self
            .list
            .touching()
            .map(|(block, index, kept)| PairHistory {
                ids: block.pairs[index].map(|row| ids[row as usize]),
                image: block.image(index),
                shear: kept.shear,
                roll: kept.roll,
                account: self.ledger.is_some().then_some(kept.account),
            });
        let mut pairs: Vec<PairHistory> = pairs.collect();
        pairs.sort_unstable_by_key(|pair| (pair.ids, pair.image));
        let names = self.setup.wall_names();
        let mut walls = Vec::new();
        for chunk in &self.chunks {
            for (name, contacts) in names.iter().zip(&chunk.walls) {
                walls.extend(contacts.iter().map(|contact| WallHistory {
                    wall: name.to_string(),
                    id: ids[contact.row as usize],
                    face: contact.face,
                    shear: contact.shear,
                    roll: contact.roll,
                    account: self.ledger.is_some().then_some(contact.account),
                }));
            }
        }
        walls.sort_unstable_by(|a, b| (&a.wall, a.id, a.face).cmp(&(&b.wall, b.id, b.face)));
        let mut histories = Histories { pairs, walls };
        if let Some(waiting) = &self.waiting {
            histories.clone_from(waiting);
        }
        histories
    }

    /// Gives contacts what they remembered. Contacts that are no more are left out.
    pub(crate) fn take_histories(&mut self, histories: &Histories) {
        self.list.set_histories(&self.columns, &histories.pairs);
        let by_id = self.columns.by_id();
        let names = self.setup.wall_names();
        for chunk in &mut self.chunks {
            chunk.walls.clear();
            chunk.walls.resize_with(names.len(), Vec::new);
        }
        for history in &histories.walls {
            let ids = &self.columns.ids;
            let found = by_id.binary_search_by_key(&history.id, |&row| ids[row as usize]);
            let wall = names.iter().position(|name| *name == history.wall);
            if let (Ok(at), Some(wall)) = (found, wall) {
                let row = by_id[at];
                self.chunks[row as usize / ROWS].walls[wall].push(
                    crate::engine::walls::WallContact {
                        row,
                        face: history.face,
                        shear: history.shear,
                        roll: history.roll,
                        account: history.account.unwrap_or_default(),
                        size: history.account.unwrap_or_default().size,
                        force: history.account.unwrap_or_default().pair.force,
                    },
                );
            }
        }
        for chunk in &mut self.chunks {
            for contacts in &mut chunk.walls {
                contacts.sort_unstable_by_key(|contact| (contact.row, contact.face));
            }
        }
    }

    /// Replaces spheres and what acts on them; contacts that stay keep their histories, by ids.
    ///
    /// # Errors
    /// When a value is invalid; nothing changes then.
    pub fn replace(&mut self, setup: Setup, spheres: &Spheres) -> Result<()> {
        // A clump that lost a sphere falls apart.
        let ids: std::collections::HashSet<u64> = spheres.ids.iter().copied().collect();
        let is_whole = |clump: &&Clump| clump.members.iter().all(|m| ids.contains(&m.id));
        let clumps = self
            .clumps
            .bodies
            .iter()
            .filter(is_whole)
            .cloned()
            .collect();
        let mut made = Self::with_clumps(setup, spheres, clumps)?;
        (made.step, made.time) = (self.step, self.time);
        made.epoch = match made.setup.step == self.setup.step {
            true => self.epoch,
            false => (self.step, self.time),
        };
        made.is_synchronized = self.is_synchronized;
        made.deepest = self.deepest;
        made.seconds = self.seconds;
        made.lists = self.lists;
        made.waiting = Some(self.histories());
        let residual = self.energy().map(|energy| energy.residual);
        made.set_ledger_state(self.state_of_ledger());
        *self = made;
        if let Some(residual) = residual {
            self.rebase_ledger(residual);
        }
        Ok(())
    }

    /// Removes the spheres that left the cell where that is no error.
    pub(crate) fn remove_lost(&mut self) -> Result<()> {
        let cell = self.setup.cell;
        if !cell.border.contains(&Border::Sink) {
            return Ok(());
        }
        let mut only_sinks = cell;
        for k in 0..3 {
            if only_sinks.border[k] == Border::Fixed {
                only_sinks.border[k] = Border::Open;
            }
        }
        if self.columns.lost(&only_sinks).is_none() {
            return Ok(());
        }
        let rows = self.columns.by_id();
        let stays = rows.iter().map(|&row| {
            let line = &self.columns.lines[row as usize];
            only_sinks.holds(line.position())
        });
        let stays: Vec<bool> = stays.collect();
        let forces = rows.iter().zip(&stays).filter(|(_, stays)| **stays);
        let forces = forces.filter_map(|(&row, _)| self.own_forces.get(row as usize));
        let forces = forces.copied().collect();
        self.replace(self.setup.clone(), &self.spheres().only(&stays))?;
        // The new rows are in the order of ids.
        self.own_forces = forces;
        Ok(())
    }

    /// Changes the cell as actions prescribe at the end of a step.
    pub(crate) fn deform(&mut self) {
        use crate::setup::{Effect, Remap};
        let deforms = self
            .setup
            .actions
            .iter()
            .filter_map(|action| match &action.effect {
                Effect::Deform(deform) => Some((action.group, deform.clone())),
                _ => None,
            });
        let deforms: Vec<_> = deforms.collect();
        for (group, deform) in deforms {
            if deform.every > 0 && !self.step.is_multiple_of(deform.every) {
                continue;
            }
            let (old, new) = (self.setup.cell, deform.cell_at(self.time));
            self.setup.cell.origin = new.origin;
            self.setup.cell.edges = new.edges;
            if deform.remap == Remap::Positions {
                for row in 0..self.columns.len() {
                    if self.columns.groups[row] & group != 0 {
                        let place = &mut self.columns.lines[row].place;
                        let at = old.fractions([place[0], place[1], place[2]]);
                        let moved = self.setup.cell.at(at);
                        place[..3].copy_from_slice(&moved);
                    }
                }
            }
            self.has_list = false;
            self.search.forget_finder();
        }
    }
}

impl Setup {
    /// The names of walls, in the order of actions.
    pub(crate) fn wall_names(&self) -> Vec<&str> {
        let walls = self
            .actions
            .iter()
            .filter(|action| matches!(action.effect, crate::setup::Effect::Wall(_)));
        walls.map(|action| action.name.as_str()).collect()
    }
}

impl Spheres {
    /// Those that are marked.
    pub fn only(&self, marked: &[bool]) -> Self {
        fn column<T: Clone>(column: &[T], marked: &[bool]) -> Vec<T> {
            let kept = column.iter().zip(marked).filter(|(_, marked)| **marked);
            kept.map(|(x, _)| x.clone()).collect()
        }
        Self {
            ids: column(&self.ids, marked),
            kinds: column(&self.kinds, marked),
            groups: column(&self.groups, marked),
            positions: column(&self.positions, marked),
            images: column(&self.images, marked),
            velocities: column(&self.velocities, marked),
            spins: column(&self.spins, marked),
            radii: column(&self.radii, marked),
            masses: column(&self.masses, marked),
            forces: column(&self.forces, marked),
            torques: column(&self.torques, marked),
        }
    }
}

impl State {
    /// # Errors
    /// When a number of the state is not finite.
    pub(crate) fn check(&self) -> Result<()> {
        match self.time.is_finite() && !self.deepest.is_nan() {
            true => self.setup.check(&self.spheres),
            false => Err(Error::invalid(
                "time of a state",
                self.time,
                "a finite number",
            )),
        }
    }
}
