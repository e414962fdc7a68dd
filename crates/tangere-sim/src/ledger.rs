//! The energy ledger: where the energy of a simulation is, and where it went.
//!
//! What is there follows from the state: kinetic and rotational energy, potential energy in gravity, and
//! what springs of contacts store. What went is summed in every step, per contact ([`laws::account`]) and
//! per sphere, and of contacts that ended in exact sums, so that it does not depend on the order of storage
//! and threads. The residual is what the two do not explain: the error of the integration, which falls with
//! the square of the step.
//!
//! [`laws::account`]: crate::laws

use crate::engine::body_chunk::ChunkState;
use crate::engine::columns::{Columns, Mobility};
use crate::engine::contact_block::{ContactBlock, way_of};
use crate::exact_sum::{ExactSum, exact_sum};
use crate::laws::account::SUMS;
use crate::setup::Effect;
use crate::simulation::Simulation;
use crate::vector::{Vector, dot, length, plus, times};
use serde::{Deserialize, Serialize};

/// The energy of a simulation, and what became of it since the ledger was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of translation.
    pub kinetic: f64,
    /// Of rotation.
    pub rotational: f64,
    /// In gravity: `-m g . x`.
    pub potential: f64,
    /// Stored by contacts: negative with adhesion.
    pub elastic: f64,
    /// What was dissipated.
    pub dissipated: Dissipated,
    /// What was done from outside.
    pub work: Works,
    /// What is not explained: the present sum of all terms, less the work from outside and the sum at the
    /// opening.
    pub residual: f64,
}

/// What contacts dissipated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipated {
    /// By damping of the normal motion.
    pub damping: f64,
    /// By friction: sliding and damping of the slip.
    pub friction: f64,
    /// By resistance to rolling.
    pub rolling: f64,
    /// By resistance to twisting.
    pub twisting: f64,
    /// By adhesion where contacts begin and end.
    pub adhesion: f64,
    /// By springs whose stiffness changes, for which there is no potential.
    pub difference: f64,
}

/// Work from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// Of walls that move.
    pub walls: f64,
    /// Of drag and viscous forces.
    pub drag: f64,
    /// Of other forces.
    pub external: f64,
    /// Of what prescribes the motion of spheres.
    pub prescribed: f64,
}

impl Energy {
    /// All terms by name.
    pub fn terms(&self) -> [(&'static str, f64); 15] {
        let Dissipated {
            damping,
            friction,
            rolling,
            twisting,
            adhesion,
            difference,
        } = self.dissipated;
        [
            ("kinetic", self.kinetic),
            ("rotational", self.rotational),
            ("potential", self.potential),
            ("elastic", self.elastic),
            ("dissipated_damping", damping),
            ("dissipated_friction", friction),
            ("dissipated_rolling", rolling),
            ("dissipated_twisting", twisting),
            ("dissipated_adhesion", adhesion),
            ("dissipated_difference", difference),
            ("work_walls", self.work.walls),
            ("work_drag", self.work.drag),
            ("work_external", self.work.external),
            ("work_prescribed", self.work.prescribed),
            ("residual", self.residual),
        ]
    }
}

impl Dissipated {
    /// The sum of all terms.
    pub fn total(&self) -> f64 {
        self.damping
            + self.friction
            + self.rolling
            + self.twisting
            + self.adhesion
            + self.difference
    }
}

impl Works {
    /// The sum of all terms.
    pub fn total(&self) -> f64 {
        self.walls + self.drag + self.external + self.prescribed
    }
}

/// The account of a sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RowAccount {
    /// The works of drag, of other forces from outside, and of what prescribes motion.
    pub works: [f64; 3],
    /// The force of drag in the last step.
    pub drag: Vector,
    /// Other forces from outside in the last step.
    pub external: Vector,
}

impl RowAccount {
    pub fn clear_forces(&mut self) {
        (self.drag, self.external) = ([0.0; 3], [0.0; 3]);
    }

    /// Takes the work of the forces in half a step into account, in which they are constant and change
    /// the velocity by `push`.
    #[inline(always)]
    pub fn kick(&mut self, velocity: Vector, push: Vector, half: f64) {
        let mean = plus(velocity, times(push, 0.5));
        self.works[0] += half * dot(self.drag, mean);
        self.works[1] += half * dot(self.external, mean);
    }
}

/// What a ledger remembers, by ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerState {
    rows: Vec<RowAccount>,
    sums: Sums,
    opening: f64,
}

/// Exact sums of contacts that ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    /// Damping, friction, difference, rolling, twisting.
    contacts: [ExactSum; SUMS],
    adhesion: ExactSum,
    walls: ExactSum,
}

/// The ledger of a simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// By rows.
    rows: Vec<RowAccount>,
    sums: Sums,
    /// The sum of all terms at the opening.
    opening: f64,
}

impl Ledger {
    pub fn rows(&mut self) -> &mut [RowAccount] {
        &mut self.rows
    }

    /// Moves rows to their new places.
    pub fn sort(&mut self, moved: &[u32]) {
        let old = self.rows.clone();
        for (account, &row) in old.into_iter().zip(moved) {
            self.rows[row as usize] = account;
        }
    }

    /// Adds the accounts of contacts that ended in the last step.
    pub fn close(&mut self, blocks: &[ContactBlock], chunks: &[ChunkState]) {
        let sums = &mut self.sums;
        let mut close = |closed: &[f64; SUMS]| {
            for (sum, &x) in sums.contacts.iter_mut().zip(closed) {
                sum.add(x);
            }
        };
        for block in blocks {
            block.closed.iter().for_each(&mut close);
            block.adhesion.iter().for_each(|&x| sums.adhesion.add(x));
        }
        for chunk in chunks {
            for (closed, work) in &chunk.closed {
                close(closed);
                sums.walls.add(*work);
            }
        }
    }

    fn state(&self, columns: &Columns) -> LedgerState {
        let rows = columns.by_id().into_iter();
        LedgerState {
            rows: rows.map(|row| self.rows[row as usize]).collect(),
            sums: self.sums.clone(),
            opening: self.opening,
        }
    }
}

impl Simulation {
    /// Opens the energy ledger: from now on work is taken into account, which [`energy`](Self::energy)
    /// reports.
    ///
    /// # Errors
    /// As [`advance`](Self::advance), if forces are not known yet.
    pub fn open_ledger(&mut self) -> crate::error::Result<()> {
        self.waiting = Some(self.histories());
        self.ledger = Some(Ledger {
            rows: vec![RowAccount::default(); self.columns.len()],
            ..Ledger::default()
        });
        self.list.has_ledger = true;
        self.find_forces()?;
        self.rebase_ledger(0.0);
        Ok(())
    }

    /// Sets the opening balance so that the residual is what it was.
    pub(crate) fn rebase_ledger(&mut self, residual: f64) {
        if let Some(ledger) = &mut self.ledger {
            ledger.opening = 0.0;
        }
        let balance = self.energy().map_or(0.0, |energy| energy.residual);
        if let Some(ledger) = &mut self.ledger {
            ledger.opening = balance - residual;
        }
    }

    pub(crate) fn state_of_ledger(&self) -> Option<LedgerState> {
        let ledger = self.ledger.as_ref();
        ledger.map(|ledger| ledger.state(&self.columns))
    }

    /// Goes on with a ledger. Spheres that it does not know begin without works.
    pub(crate) fn set_ledger_state(&mut self, state: Option<LedgerState>) {
        self.list.has_ledger = state.is_some();
        self.ledger = state.map(|state| {
            let mut rows = vec![RowAccount::default(); self.columns.len()];
            for (row, account) in self.columns.by_id().into_iter().zip(state.rows) {
                rows[row as usize] = account;
            }
            Ledger {
                rows,
                sums: state.sums,
                opening: state.opening,
            }
        });
    }

    /// The energy and what became of it; none without a ledger.
    pub fn energy(&self) -> Option<Energy> {
        let ledger = self.ledger.as_ref()?;
        let columns = &self.columns;
        let rows = 0..columns.len();
        // Spheres of clumps move with them.
        let rows = rows.filter(|&row| columns.mobilities[row] != Mobility::Member);
        let clumps = self.clumps.bodies.iter();
        let clumps: Vec<[f64; 2]> = clumps.map(|clump| clump.kinetic_energy()).collect();
        let kinetic = rows.clone().map(|row| {
            let v = columns.lines[row].velocity();
            0.5 * columns.masses[row] * dot(v, v)
        });
        let kinetic = exact_sum(kinetic.chain(clumps.iter().map(|energy| energy[0])));
        let rotational = rows.map(|row| {
            let w = columns.spins[row].vector();
            let radius = columns.lines[row].place[3];
            let inertia = match columns.spins[row].0[3] {
                inverse if inverse > 0.0 => 1.0 / inverse,
                _ => 0.4 * columns.masses[row] * radius * radius,
            };
            0.5 * inertia * dot(w, w)
        });
        let rotational = exact_sum(rotational.chain(clumps.iter().map(|energy| energy[1])));
        let mut elastic = ExactSum::default();
        let mut sums: [ExactSum; SUMS] = ledger.sums.contacts.clone();
        let mut walls = ledger.sums.walls.clone();
        // What springs of friction, rolling and twisting store is not dissipated.
        let mut add = |[normal, tangential, rolling, twisting]: [f64; 4], columns: [f64; 7]| {
            [normal, tangential, rolling, twisting]
                .into_iter()
                .for_each(|x| elastic.add(x));
            let [_, _, own @ ..] = columns;
            for (sum, x) in sums.iter_mut().zip(own) {
                sum.add(x);
            }
            for (k, x) in [(1, tangential), (3, rolling), (4, twisting)] {
                sums[k].add(0.0 - x);
            }
        };
        for (block, index, kept) in self.list.touching() {
            let (pair, image) = (block.pairs[index], block.image(index));
            let distance = length(way_of(&columns.lines, &self.setup.cell, pair, image));
            let [a, b] = pair.map(|row| columns.lines[row as usize].place[3]);
            let law = usize::from(block.laws.get(index).copied().unwrap_or_default());
            let law = &self.setup.laws.laws[law];
            let stored = law.stored(a + b - distance, a * b / (a + b), kept.shear, kept.roll);
            add(stored, kept.account.columns);
        }
        let laws = self
            .setup
            .actions
            .iter()
            .filter_map(|action| match &action.effect {
                Effect::Wall(wall) => Some(&wall.law),
                _ => None,
            });
        let laws: Vec<_> = laws.collect();
        for chunk in &self.chunks {
            for (law, contacts) in laws.iter().zip(&chunk.walls) {
                for contact in contacts {
                    let [overlap, radius] = contact.size;
                    let stored = law.stored(overlap, radius, contact.shear, contact.roll);
                    add(stored, contact.account.pair.columns);
                    walls.add(contact.account.work);
                }
            }
        }
        let work = |k: usize| exact_sum(ledger.rows.iter().map(|account| account.works[k]));
        let [damping, friction, difference, rolling, twisting] = sums.map(|sum| sum.value());
        let dissipated = Dissipated {
            damping,
            // The difference is a part of what the spring of friction took.
            friction: friction - difference,
            rolling,
            twisting,
            adhesion: ledger.sums.adhesion.value(),
            difference,
        };
        let work = Works {
            walls: walls.value(),
            drag: work(0),
            external: work(1),
            prescribed: work(2),
        };
        let (elastic, potential) = (elastic.value(), self.potential());
        let balance =
            kinetic + rotational + potential + elastic + dissipated.total() - work.total();
        Some(Energy {
            kinetic,
            rotational,
            potential,
            elastic,
            dissipated,
            work,
            residual: balance - ledger.opening,
        })
    }

    /// The potential energy in gravity, with the images of spheres.
    fn potential(&self) -> f64 {
        let columns = &self.columns;
        let mut sum = ExactSum::default();
        for action in &self.setup.actions {
            let Effect::Gravity(acceleration) = &action.effect else {
                continue;
            };
            for (clump, rows) in self.clumps.with_rows() {
                if rows
                    .first()
                    .is_some_and(|&row| columns.groups[row as usize] & action.group != 0)
                {
                    let place = plus(clump.position, self.setup.cell.shift(clump.image));
                    sum.add(0.0 - clump.mass * dot(*acceleration, place));
                }
            }
            for row in 0..columns.len() {
                let is_own = columns.mobilities[row] != Mobility::Member;
                if is_own && columns.groups[row] & action.group != 0 {
                    let shift = self.setup.cell.shift(columns.images[row]);
                    let place = plus(columns.lines[row].position(), shift);
                    sum.add(0.0 - columns.masses[row] * dot(*acceleration, place));
                }
            }
        }
        sum.value()
    }
}
