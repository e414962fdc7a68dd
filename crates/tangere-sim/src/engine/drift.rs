//! Kick and drift of the spheres of a chunk.

use super::body_chunk::{BUNCH, BodyChunk, ChunkState, Stages};
use super::columns::{Line, Mobility};
use super::results::Effort;
use super::velocity_box::VelocityBox;
use crate::setup::Cell;
use crate::vector::{Vector, dot, plus, times, zero};
use tangere::simd::{LANES, Reals};

impl BodyChunk<'_> {
    /// Kicks that end a step and begin the next one, and the drift.
    #[inline(always)]
    pub(super) fn move_on<V: Reals>(&mut self) {
        let context = self.context;
        let Stages {
            ends_step,
            begins_step,
            ..
        } = context.stages;
        let (step, half) = (context.clock.step, 0.5 * context.clock.step);
        let steps = V::load(&[step, step, step, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // Radius and inverse mass stay.
        let place_lanes = zero::<V>().below(V::load(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        let motion_lanes = zero::<V>().below(V::load(&[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]));
        let inside = Inside::<V>::new(context.cell);
        let count = self.lines.len();
        let lines = &mut self.lines[..count];
        let spins = &mut self.spins[..count];
        let kept_loads = std::mem::take(&mut self.state.loads);
        let loads = &kept_loads[..count];
        let mobilities = &context.mobilities[self.first..self.first + count];
        self.state.wraps.clear();
        self.state.invalid = None;
        self.state.velocities.clear();
        for begin in (0..count).step_by(BUNCH) {
            let (mut low, mut high) = (V::splat(f64::INFINITY), V::splat(f64::NEG_INFINITY));
            let mut all = zero::<V>();
            let rows = begin..(begin + BUNCH).min(count);
            for i in rows.clone() {
                let (line, spin, Effort(load)) = (&mut lines[i], &mut spins[i].0, &loads[i]);
                let mut lanes = V::load(line.lanes());
                match mobilities[i] {
                    // It follows its clump, after the sweep.
                    Mobility::Member => continue,
                    Mobility::Still => {
                        low = zero::<V>().min(low);
                        high = zero::<V>().max(high);
                        continue;
                    }
                    Mobility::Integrated => {
                        let velocity = line.velocity();
                        let kick = V::splat(half * line.motion[3]) * V::load(load);
                        let angular = half * spin[3];
                        // The last lane of the torque is 0.
                        let turn: [f64; 4] = std::array::from_fn(|k| angular * load[k]);
                        if ends_step {
                            lanes = V::select(motion_lanes, lanes + kick, lanes);
                            for k in 0..4 {
                                spin[k] += turn[k];
                            }
                        }
                        if let Some(account) = self.accounts.get_mut(i) {
                            // Each half step for itself: steps may be made one by one.
                            let push = times([load[4], load[5], load[6]], half * line.motion[3]);
                            if ends_step {
                                account.kick(velocity, push, half);
                            }
                            if begins_step {
                                let velocity = if ends_step {
                                    plus(velocity, push)
                                } else {
                                    velocity
                                };
                                account.kick(velocity, push, half);
                            }
                        }
                        if begins_step {
                            lanes = V::select(motion_lanes, lanes + kick, lanes);
                            for k in 0..4 {
                                spin[k] += turn[k];
                            }
                            let drift = steps * lanes.swapped_halves();
                            lanes = V::select(place_lanes, lanes + drift, lanes);
                        }
                        lanes.store(line.lanes_mut());
                    }
                    Mobility::Prescribed(number) => {
                        if let Some(Some(moved)) = context.motions.get(usize::from(number)) {
                            let force = [load[4], load[5], load[6], 0.0];
                            let mass = context.masses[self.first + i];
                            let mut account = self.accounts.get_mut(i);
                            let mut note = |before: f64, line: &Line, spin: &[f64; 4]| {
                                if let Some(account) = &mut account {
                                    // What is not the work of forces.
                                    let [tx, ty, tz, ..] = *load;
                                    let turning = [spin[0], spin[1], spin[2]];
                                    let power =
                                        dot([force[0], force[1], force[2]], line.velocity())
                                            + dot([tx, ty, tz], turning);
                                    account.works[2] +=
                                        energy(line, spin, mass) - before - half * power;
                                }
                            };
                            if ends_step {
                                let before = energy(line, spin, mass);
                                moved.kick_free(&mut line.motion, force, half);
                                note(before, line, spin);
                            }
                            if begins_step {
                                let before = energy(line, spin, mass);
                                let from = line.place;
                                moved.kick_free(&mut line.motion, force, half);
                                moved.move_sphere(&mut line.place, &mut line.motion, spin, step);
                                note(before, line, spin);
                                // The velocity at the end of the step is not that of the way.
                                let mut way = [0.0; LANES];
                                for k in 0..3 {
                                    way[LANES / 2 + k] = (line.place[k] - from[k]) / step;
                                }
                                low = V::load(&way).min(low);
                                high = V::load(&way).max(high);
                            }
                            lanes = V::load(line.lanes());
                        }
                    }
                }
                low = lanes.min(low);
                high = lanes.max(high);
                all = all + lanes;
            }
            // Least and largest values know nothing of what is not a number; the sum does.
            if !(inside.holds(low) && inside.holds(high) && is_finite(all)) {
                for i in rows {
                    let line = &mut lines[i];
                    let moves = !matches!(mobilities[i], Mobility::Member | Mobility::Still);
                    if moves && !inside.holds(V::load(line.lanes())) {
                        let (image, reference) = (&mut self.images[i], &mut self.references[i]);
                        let row = (self.first + i) as u32;
                        let is_begun = begins_step.then_some(context.cell);
                        leave(self.state, is_begun, row, line, image, reference);
                    }
                }
            }
            self.state.velocities.push(VelocityBox::of_lines(low, high));
        }
        self.state.loads = kept_loads;
    }
}

/// The range of positions in a cell, along its periodic edges.
struct Inside<V: Reals> {
    origin: V,
    low: V,
    high: V,
}

impl<V: Reals> Inside<V> {
    #[inline(always)]
    fn new(cell: &Cell) -> Self {
        let mut origin = [0.0; LANES];
        let mut low = [f64::MIN; LANES];
        let mut high = [f64::INFINITY; LANES];
        for k in 0..3 {
            if cell.periodic[k] {
                (origin[k], low[k], high[k]) = (cell.origin[k], 0.0, cell.edges[k][k]);
            }
        }
        if cell.is_tilted() {
            high[0] = f64::NEG_INFINITY;
        }
        Self {
            origin: V::load(&origin),
            low: V::load(&low),
            high: V::load(&high),
        }
    }

    /// Whether a line is inside, and finite. Never in a cell with other angles.
    #[inline(always)]
    fn holds(&self, lanes: V) -> bool {
        let at = lanes - self.origin;
        V::bits(V::and_not(at.below(self.high), at.below(self.low))) == 0xff
    }
}

/// Whether all lanes are finite.
#[inline(always)]
fn is_finite<V: Reals>(lanes: V) -> bool {
    let size = lanes.abs();
    V::bits(size.below(V::splat(f64::INFINITY))) == 0xff
}

/// Takes a sphere that may have left the cell, if it has just moved, back into it. Notes it if its
/// position is not finite.
#[inline(never)]
pub(crate) fn leave(
    state: &mut ChunkState,
    cell: Option<&Cell>,
    row: u32,
    line: &mut Line,
    cells: &mut [i32; 3],
    reference: &mut Vector,
) {
    let image = cell.map_or([0; 3], |cell| cell.image_of(line.position()));
    if let (Some(cell), true) = (cell, image != [0; 3]) {
        let shift = cell.shift(image);
        for k in 0..3 {
            line.place[k] -= shift[k];
            reference[k] -= shift[k];
            cells[k] += image[k];
        }
        state.wraps.push((row, image));
    }
    if line.position().iter().any(|x| !x.is_finite()) && state.invalid.is_none() {
        state.invalid = Some(row);
    }
}

/// The kinetic energy of a sphere.
fn energy(line: &Line, spin: &[f64; 4], mass: f64) -> f64 {
    let (v, [x, y, z, _]) = (line.velocity(), *spin);
    let radius = line.place[3];
    0.5 * mass * (dot(v, v) + 0.4 * radius * radius * (x * x + y * y + z * z))
}
