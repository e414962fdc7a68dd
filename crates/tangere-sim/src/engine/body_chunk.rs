//! A chunk of rows: sums the contacts of its spheres, lets actions act, kicks and drifts.
//!
//! Phases *sum*, *kick* and *drift* of a step in one pass over memory, for each chunk of rows alone.
//! The contacts of a sphere are summed in the order of (other id, image), then walls and other actions
//! in their order. Velocity Verlet: `v += h a`, `x += dt v`, forces, `v += h a`, with `h = dt/2`; the
//! second kick of a step and the first one of the next are done together.

use super::columns::{Line, Mobility, Spin};
use super::results::{Effort, Results};
use super::row_contacts::Entry;
use super::velocity_box::VelocityBox;
use super::walls::{WallContact, WallTouch};
use crate::laws::Clock;
use crate::ledger::RowAccount;
use crate::motion::Prescribed;
use crate::setup::{Action, Cell};
use crate::vector::{Vector, zero};
use tangere::simd::{LANES, RealKernel, Reals};

/// The number of rows of a chunk.
pub(crate) const ROWS: usize = 256;

/// The number of rows of a bunch, whose velocities are bounded together; chunks are whole bunches.
pub(crate) const BUNCH: usize = 32;

/// What a chunk keeps and reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkState {
    /// For each wall, in the order of actions, its contacts, sorted by row and face.
    pub walls: Vec<Vec<WallContact>>,
    /// Rows that went into another periodic cell, with the number of cells along each edge.
    pub wraps: Vec<(u32, [i32; 3])>,
    /// The first row whose position is not a number.
    pub invalid: Option<u32>,
    /// Velocities of the spheres of each of its bunches.
    pub velocities: Vec<VelocityBox>,
    /// For each wall, the rows of the chunk that may touch it before the next list is made. Empty
    /// until the first step after a list.
    pub near: Vec<Vec<u32>>,
    /// Sums of the accounts of wall contacts that ended in the last step, and the works of the walls.
    pub closed: Vec<([f64; 5], f64)>,
    /// Rows that overlap a wall too deeply, with the number of the wall and the overlap.
    pub too_deep: Vec<(u32, usize, f64)>,
    pub(super) touches: Vec<WallTouch>,
    pub(super) kept: Vec<WallContact>,
    /// For each row torque, 0, force, 0. Scratch memory of the sweep, unless clumps read it afterwards.
    pub loads: Vec<Effort>,
}

impl ChunkState {
    /// Torque, 0, force, 0 of a row in the last pass.
    pub fn load(&self, row: u32) -> [f64; LANES] {
        self.loads[row as usize % ROWS].0
    }
}

/// What is done in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stages {
    /// Forces are found; otherwise those of the columns are taken.
    pub sums: bool,
    /// The second half kick of a step.
    pub ends_step: bool,
    /// Forces are stored in the columns.
    pub stores: bool,
    /// The first half kick of a step, and the drift.
    pub begins_step: bool,
}

/// What all chunks share in a pass.
#[derive(Clone, Copy)]
pub(crate) struct BodyContext<'a> {
    pub cell: &'a Cell,
    pub actions: &'a [Action],
    /// Prescribed motion of actions that have one, at the end of the drift.
    pub motions: &'a [Option<Prescribed>],
    /// The same in the step whose forces are found.
    pub wall_motions: &'a [Option<Prescribed>],
    pub kinds: &'a [u32],
    pub groups: &'a [u32],
    pub masses: &'a [f64],
    pub mobilities: &'a [Mobility],
    pub clock: Clock,
    pub stages: Stages,
    /// The skin of the list: no sphere moves by more than half of it before the next list is made.
    pub skin: f64,
    /// Forces of the user, by row, if there are any.
    pub own_forces: &'a [Vector],
    /// The overlap with a wall, relative to the radius, that stops a simulation.
    pub deepest: f64,
    /// Whether work is taken into account.
    pub has_ledger: bool,
    /// Whether loads are read after the sweep.
    pub keeps_loads: bool,
    /// Whether a law has resistance to rolling or twisting.
    pub has_resistances: bool,
}

/// The rows of a chunk.
pub(crate) struct BodyChunk<'a> {
    pub first: usize,
    pub lines: &'a mut [Line],
    pub spins: &'a mut [Spin],
    pub images: &'a mut [[i32; 3]],
    pub forces: &'a mut [Vector],
    pub torques: &'a mut [Vector],
    pub references: &'a mut [Vector],
    /// None without a ledger.
    pub accounts: &'a mut [RowAccount],
    pub state: &'a mut ChunkState,
    /// The contacts of its rows.
    pub contacts: &'a [Entry],
    /// Results of pairs of different parts.
    pub shared_results: &'a Results,
    /// Those of the part, whose blocks begin with `first_block`.
    pub results: &'a Results,
    pub first_block: usize,
    pub context: &'a BodyContext<'a>,
}

impl RealKernel for BodyChunk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(mut self) {
        let stages = self.context.stages;
        self.state.closed.clear();
        self.state.too_deep.clear();
        if stages.sums {
            self.accounts.iter_mut().for_each(RowAccount::clear_forces);
        }
        match stages.sums {
            true => {
                let count = self.lines.len();
                self.state.loads.resize(count, Effort::default());
                for Effort(load) in &mut self.state.loads {
                    zero::<V>().store(load);
                }
                // Few chunks have contacts of shared blocks.
                let shared = self.shared_results.blocks();
                let is_shared = |entry: &Entry| entry.block_and_line().0 < shared;
                let has_own_alone = shared == 0 || !self.contacts.iter().any(is_shared);
                match (has_own_alone, self.context.has_resistances) {
                    (true, false) => self.sum::<V, false, false>(),
                    (true, true) => self.sum::<V, false, true>(),
                    (false, false) => self.sum::<V, true, false>(),
                    (false, true) => self.sum::<V, true, true>(),
                }
                self.act::<V>();
            }
            false => {
                let kept = self.forces.iter().zip(&*self.torques);
                let load = |(f, t): (&Vector, &Vector)| {
                    Effort([t[0], t[1], t[2], 0.0, f[0], f[1], f[2], 0.0])
                };
                self.state.loads.clear();
                self.state.loads.extend(kept.map(load));
            }
        }
        if stages.stores {
            let stored = self.forces.iter_mut().zip(&mut *self.torques);
            for (Effort(load), (force, torque)) in self.state.loads.iter().zip(stored) {
                *force = [load[4], load[5], load[6]];
                *torque = [load[0], load[1], load[2]];
            }
        }
        self.move_on::<V>();
    }
}

impl BodyChunk<'_> {
    /// Sums forces and torques of the contacts of each sphere: a flat loop over the contacts of the chunk,
    /// which begins a new sum where the row changes.
    #[inline(always)]
    fn sum<V: Reals, const SHARES: bool, const RESISTS: bool>(&mut self) {
        const SIGNS: [[f64; LANES]; 2] = [
            [0.0, 0.0, 0.0, 0.0, -1.0, -1.0, -1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0],
        ];
        const KEEPS: [[f64; LANES]; 2] = [[0.0; LANES], [1.0; LANES]];
        let (shared, own, first) = (self.shared_results, self.results, self.first_block);
        // Where the results of an entry are.
        let found = |entry: Entry| {
            let (number, line) = entry.block_and_line();
            match SHARES && number < shared.blocks() {
                true => (shared, shared.place(number, line)),
                false => (own, own.place(number - first, line)),
            }
        };
        let lines = &*self.lines;
        let loads = &mut self.state.loads[..lines.len()];
        let force_lanes = zero::<V>().below(V::load(&SIGNS[1]));
        let mut sum = zero::<V>();
        let mut last = u16::MAX;
        for &entry in self.contacts {
            let (results, place) = found(entry);
            let Effort(effort) = &results.efforts[place];
            let row = entry.row as usize;
            let arm = lines[row].place[3] - effort[7];
            let signs = V::load(&SIGNS[entry.side()]);
            let factors = V::select(force_lanes, signs, V::splat(arm));
            let goes_on = zero::<V>().below(V::load(&KEEPS[usize::from(entry.row == last)]));
            sum = sum.only(goes_on) + factors * V::load(effort);
            if RESISTS {
                let sign = V::splat(SIGNS[entry.side()][4]);
                sum = sum + sign * V::load_half(&results.resistances[place]);
            }
            sum.store(&mut loads[row].0);
            last = entry.row;
        }
    }
}
