//! Lists of candidate pairs: when one is made, for which skin, and what follows its rows.

use super::Simulation;
use crate::engine::body_chunk::{BUNCH, ChunkState, ROWS};
use crate::engine::columns::Line;
use crate::engine::velocity_box::VelocityBox;
use crate::error::{Error, Result};
use std::time::Instant;

/// How often the list is made anew before rows are sorted again.
pub(super) const SORTED_FOR: u32 = 10;

/// The time of a new list, relative to the test of a candidate pair, for each sphere.
const LIST_COST: f64 = 500.0;

/// How many more candidates each sphere has if the skin is wider by a diameter.
const CANDIDATES: f64 = 10.0;

/// The range of skins, in median diameters.
const SKINS: [f64; 2] = [0.02, 0.7];

impl Simulation {
    /// Finds out how far spheres have moved since the list was made, and adds the pairs of those that have
    /// moved much farther than most. Returns whether the list is still good.
    pub(super) fn follow_strays(&mut self) -> Result<bool> {
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
}
