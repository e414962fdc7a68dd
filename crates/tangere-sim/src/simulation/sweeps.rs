//! A sweep: all phases of a step over all parts of the rows, and what it stops for.

use super::Simulation;
use crate::engine::body_chunk::{BodyContext, ROWS, Stages};
use crate::engine::contact_context::ContactContext;
use crate::engine::row_contacts::RowContacts;
use crate::engine::sweep::Sweep;
use crate::error::{Error, Result};
use crate::laws::{Clock, Law};
use crate::ledger::Ledger;
use crate::motion::Prescribed;
use crate::setup::Effect;
use rayon::prelude::*;

impl Simulation {
    /// All phases of a step, from contacts to the drift of the next one, as far as `stages` says.
    ///
    /// # Errors
    /// When two spheres overlap too deeply.
    pub(super) fn sweep(&mut self, stages: Stages) -> Result<()> {
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
