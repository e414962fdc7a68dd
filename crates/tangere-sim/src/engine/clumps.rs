//! Phase *kick* and *drift* of clumps: forces on their spheres are summed, the body moves, and its
//! spheres follow.
//!
//! It comes after the sweep over all rows, which leaves the spheres of clumps where they are. The spheres of
//! a clump are summed in the order of their ids.

use super::body_chunk::{BUNCH, ChunkState, ROWS, Stages};
use super::columns::{Columns, Mobility};
use super::drift::leave;
use crate::clump::Clump;
use crate::ledger::RowAccount;
use crate::setup::{Effect, Setup};
use crate::vector::{Vector, cross, dot, plus, times};
use rayon::prelude::*;

/// No clump.
pub(crate) const NO_CLUMP: u32 = u32::MAX;

/// The clumps of a simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clumps {
    pub bodies: Vec<Clump>,
    /// The rows of the members of each.
    rows: Vec<Vec<u32>>,
}

/// What moves with the clumps.
pub(crate) struct Moved<'a> {
    pub columns: &'a mut Columns,
    pub chunks: &'a mut [ChunkState],
    /// None without a ledger.
    pub accounts: &'a mut [RowAccount],
}

impl Clumps {
    pub fn new(bodies: Vec<Clump>) -> Self {
        Self {
            bodies,
            rows: Vec::new(),
        }
    }

    /// The clumps with the rows of their members.
    pub fn with_rows(&self) -> impl Iterator<Item = (&Clump, &[u32])> {
        self.bodies.iter().zip(self.rows.iter().map(Vec::as_slice))
    }

    /// Finds the rows of members, and sets what follows from their clumps.
    pub fn find_rows(&mut self, columns: &mut Columns) {
        if self.bodies.is_empty() {
            return;
        }
        let by_id = columns.by_id();
        let row_of = |id: u64| {
            let found = by_id.binary_search_by_key(&id, |&row| columns.ids[row as usize]);
            found.ok().map(|at| by_id[at])
        };
        let rows = self.bodies.iter().map(|body| {
            let rows = body.members.iter().filter_map(|member| row_of(member.id));
            rows.collect()
        });
        self.rows = rows.collect();
        columns.clumps.clear();
        columns.clumps.resize(columns.len(), NO_CLUMP);
        for (number, (body, rows)) in self.bodies.iter().zip(&self.rows).enumerate() {
            for &row in rows {
                let row = row as usize;
                columns.clumps[row] = number as u32;
                columns.mobilities[row] = Mobility::Member;
                columns.lines[row].motion[3] = 1.0 / body.mass;
            }
        }
    }

    /// Kicks and drifts as `stages` says, and moves the members.
    pub fn move_on(&mut self, setup: &Setup, stages: Stages, moved: Moved<'_>) {
        if self.bodies.is_empty() || !(stages.ends_step || stages.begins_step) {
            return;
        }
        let Moved {
            columns,
            chunks,
            accounts,
        } = moved;
        let (step, half) = (setup.step, 0.5 * setup.step);
        let gravities: Vec<(u32, Vector)> = setup
            .actions
            .iter()
            .filter_map(|action| match action.effect {
                Effect::Gravity(acceleration) => Some((action.group, acceleration)),
                _ => None,
            })
            .collect();
        let seen = &*chunks;
        let groups = &columns.groups;
        let bodies = self.bodies.par_iter_mut().zip(&self.rows);
        bodies.for_each(|(body, rows)| {
            let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
            for (member, &row) in body.members.iter().zip(rows) {
                let [tx, ty, tz, _, fx, fy, fz, _] = seen[row as usize / ROWS].load(row);
                let own = [fx, fy, fz];
                force = plus(force, own);
                let moment = cross(body.arm(member), own);
                torque = plus(torque, plus([tx, ty, tz], moment));
            }
            for (group, acceleration) in &gravities {
                if rows
                    .first()
                    .is_some_and(|&row| groups[row as usize] & group != 0)
                {
                    force = plus(force, times(*acceleration, body.mass));
                }
            }
            if setup.is_flat {
                force[2] = 0.0;
                torque = [0.0, 0.0, torque[2]];
            }
            if stages.ends_step {
                body.kick(force, torque, half);
            }
            if stages.begins_step {
                body.kick(force, torque, half);
                body.drift(step);
                body.wrap(&setup.cell);
            }
        });
        for (body, rows) in self.bodies.iter().zip(&self.rows) {
            let mut spin = body.spin();
            if setup.is_flat {
                spin = [0.0, 0.0, spin[2]];
            }
            // Of flat systems z stays.
            let moving = if setup.is_flat { 2 } else { 3 };
            for (member, &row) in body.members.iter().zip(rows) {
                let (chunk, row) = (&mut chunks[row as usize / ROWS], row as usize);
                let arm = body.arm(member);
                let velocity = plus(body.velocity, cross(spin, arm));
                let line = &mut columns.lines[row];
                if let Some(account) = accounts.get_mut(row) {
                    let kicks = u32::from(stages.ends_step) + u32::from(stages.begins_step);
                    let mean = times(plus(line.velocity(), velocity), 0.5);
                    let time = f64::from(kicks) * half;
                    account.works[0] += time * dot(account.drag, mean);
                    account.works[1] += time * dot(account.external, mean);
                }
                line.motion[..3].copy_from_slice(&velocity);
                columns.spins[row].0[..3].copy_from_slice(&spin);
                let mut way = [0.0; 4];
                if stages.begins_step {
                    let before = line.place;
                    let image = columns.images[row];
                    let image = std::array::from_fn(|k| body.image[k].wrapping_sub(image[k]));
                    let shift = setup.cell.shift(image);
                    for k in 0..moving {
                        line.place[k] = body.position[k] + arm[k] + shift[k];
                        way[k] = (line.place[k] - before[k]) / step;
                    }
                    let image = &mut columns.images[row];
                    let reference = &mut columns.references[row];
                    leave(chunk, Some(&setup.cell), row as u32, line, image, reference);
                }
                chunk.velocities[row % ROWS / BUNCH].add(way);
            }
        }
    }
}
