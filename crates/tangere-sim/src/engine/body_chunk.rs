//! A chunk of rows: sums the contacts of its spheres, lets actions act, kicks and drifts.
//!
//! Phases *sum*, *kick* and *drift* of a step in one pass over memory, for each chunk of rows alone.
//! The contacts of a sphere are summed in the order of (other id, image), then walls and other actions
//! in their order. Velocity Verlet: `v += h a`, `x += dt v`, forces, `v += h a`, with `h = dt/2`; the
//! second kick of a step and the first one of the next are done together.

use super::columns::{Line, Mobility, Spin};
use super::contact_block::VelocityBox;
use super::results::{Effort, Results};
use super::row_contacts::Entry;
use super::walls::{self, WallContact, WallTouch};
use crate::laws::Clock;
use crate::ledger::RowAccount;
use crate::motion::Prescribed;
use crate::setup::{Action, Cell, Effect, Wall};
use crate::vector::{Vector, dot, length, minus, plus, times, zero};
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
    touches: Vec<WallTouch>,
    kept: Vec<WallContact>,
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

    /// Lets actions act, in their order.
    #[inline(always)]
    fn act<V: Reals>(&mut self) {
        let context = self.context;
        let mut wall = 0;
        for (number, action) in context.actions.iter().enumerate() {
            match &action.effect {
                Effect::Wall(shape) => {
                    let motion = context.wall_motions[number].as_ref();
                    self.touch_wall::<V>(action.group, shape, motion, wall);
                    wall += 1;
                }
                // That of a clump acts at its centre of mass.
                Effect::Gravity(acceleration) => {
                    let [x, y, z] = *acceleration;
                    let pull = V::load(&[0.0, 0.0, 0.0, 0.0, x, y, z, 0.0]);
                    self.each(action.group, |Effort(load), _, row| {
                        if context.mobilities[row] != Mobility::Member {
                            let pulled = V::load(load) + pull * V::splat(context.masses[row]);
                            pulled.store(load);
                        }
                    });
                }
                Effect::AddForce(force) => {
                    self.note(
                        action.group,
                        |account| &mut account.external,
                        |_, _, _| *force,
                    );
                    self.each(action.group, |load, _, _| add_force(load, *force));
                }
                Effect::SetForce(components) => {
                    self.note(
                        action.group,
                        |account| &mut account.external,
                        |Effort(load), _, _| {
                            let added = |k: usize| components[k].map_or(0.0, |x| x - load[4 + k]);
                            [added(0), added(1), added(2)]
                        },
                    );
                    self.each(action.group, |load, _, _| {
                        for k in 0..3 {
                            if let Some(value) = components[k] {
                                load.0[4 + k] = value;
                            }
                        }
                    });
                }
                Effect::Viscous(coefficients) => {
                    let force = |line: &Line, row: usize| {
                        let coefficient = coefficients.get(context.kinds[row] as usize);
                        let coefficient = coefficient.copied().unwrap_or_default();
                        times(line.velocity(), 0.0 - coefficient)
                    };
                    self.note(
                        action.group,
                        |account| &mut account.drag,
                        |_, line, row| force(line, row),
                    );
                    self.each(action.group, |load, line, row| {
                        add_force(load, force(line, row))
                    });
                }
                Effect::Drag {
                    density,
                    viscosity,
                    velocity,
                } => {
                    let force = |line: &Line| {
                        let relative = minus(*velocity, line.velocity());
                        drag(relative, line.place[3], *density, *viscosity)
                    };
                    self.note(
                        action.group,
                        |account| &mut account.drag,
                        |_, line, _| force(line),
                    );
                    self.each(action.group, |load, line, _| add_force(load, force(line)));
                }
                Effect::Freeze => self.each(action.group, |load, _, _| *load = Effort::default()),
                Effect::Flat => {
                    self.each(action.group, |Effort(load), line, _| {
                        (load[0], load[1], load[6]) = (0.0, 0.0, 0.0);
                        line.motion[2] = 0.0;
                    });
                    for (spin, group) in self.spins.iter_mut().zip(&context.groups[self.first..]) {
                        if group & action.group != 0 {
                            (spin.0[0], spin.0[1]) = (0.0, 0.0);
                        }
                    }
                }
                Effect::Integrate { .. } | Effect::Move(_) | Effect::Deform(_) => {}
            }
        }
        if !context.own_forces.is_empty() {
            let own_forces = &context.own_forces[self.first..];
            for (account, &force) in self.accounts.iter_mut().zip(own_forces) {
                account.external = plus(account.external, force);
            }
            for (load, &force) in self.state.loads.iter_mut().zip(own_forces) {
                add_force(load, force);
            }
        }
    }

    /// With a ledger, notes a force on each sphere of a group.
    #[inline(always)]
    fn note(
        &mut self,
        group: u32,
        term: impl Fn(&mut RowAccount) -> &mut Vector,
        f: impl Fn(&Effort, &Line, usize) -> Vector,
    ) {
        let groups = &self.context.groups[self.first..];
        let rows = self.accounts.iter_mut().zip(&self.state.loads);
        let rows = rows.zip(&*self.lines).zip(groups);
        for (row, (((account, load), line), groups)) in (self.first..).zip(rows) {
            if groups & group != 0 {
                let term = term(account);
                *term = plus(*term, f(load, line, row));
            }
        }
    }

    /// Calls `f` with load, line and row of each sphere of a group.
    #[inline(always)]
    fn each(&mut self, group: u32, mut f: impl FnMut(&mut Effort, &mut Line, usize)) {
        let rows = self.state.loads.iter_mut().zip(&mut *self.lines);
        let groups = &self.context.groups[self.first..];
        for (row, ((load, line), groups)) in (self.first..).zip(rows.zip(groups)) {
            if groups & group != 0 {
                f(load, line, row);
            }
        }
    }

    /// Contacts of the spheres of the chunk with a wall.
    #[inline(always)]
    fn touch_wall<V: Reals>(
        &mut self,
        group: u32,
        wall: &Wall,
        motion: Option<&Prescribed>,
        number: usize,
    ) {
        let (first, context) = (self.first, self.context);
        let state = &mut *self.state;
        while state.walls.len() <= number {
            state.walls.push(Vec::new());
        }
        let old = std::mem::take(&mut state.walls[number]);
        if state.near.len() <= number {
            let is_near = |i: &u32| {
                let (row, line) = (first as u32 + i, &self.lines[*i as usize]);
                let mut is_near = motion.is_some() || old.iter().any(|old| old.row == row);
                // No sphere moves by as much as the skin.
                let reach = line.place[3] + context.skin;
                let surface = &wall.surface;
                surface.for_each_point(line.position(), reach, |_| is_near = true);
                is_near && context.groups[row as usize] & group != 0
            };
            let near = (0..self.lines.len() as u32).filter(is_near).collect();
            state.near.push(near);
        }
        state.touches.clear();
        state.kept.clear();
        let mut next = 0;
        for &i in &state.near[number] {
            let (row, line) = (first as u32 + i, &self.lines[i as usize]);
            while next < old.len() && old[next].row < row {
                next += 1;
            }
            let was_near = next < old.len() && old[next].row == row;
            let center = line.position();
            let placed = motion.map_or(center, |motion| motion.back(center));
            let radius = line.place[3];
            let reach = match was_near {
                true => 2.0 * radius,
                false => radius,
            };
            wall.surface.for_each_point(placed, reach, |mut point| {
                let olds = old[next..].iter().take_while(|old| old.row == row);
                let before = olds.into_iter().find(|old| old.face == point.face);
                if !walls::touches(&wall.law, radius, &point, before.is_some()) {
                    return;
                }
                let mut velocity = point.velocity;
                if let Some(motion) = motion {
                    point.way = motion.turned(point.way);
                    let driven = motion.velocity(minus(center, point.way));
                    velocity = plus(motion.turned(velocity), driven);
                }
                state.touches.push(WallTouch {
                    row,
                    point,
                    velocity,
                });
                let fresh = WallContact {
                    row,
                    face: point.face,
                    ..WallContact::default()
                };
                state.kept.push(before.copied().unwrap_or(fresh));
            });
        }
        let (lines, spins) = (&*self.lines, &*self.spins);
        let of = |row: u32| {
            let mut line = lines[row as usize - first];
            // That of a frozen sphere is 0 for pairs only.
            if context.mobilities[row as usize] != Mobility::Member {
                line.motion[3] = 1.0 / context.masses[row as usize];
            }
            (line, spins[row as usize - first])
        };
        for (touches, kept) in state
            .touches
            .chunks(LANES)
            .zip(state.kept.chunks_mut(LANES))
        {
            let has_ledger = context.has_ledger;
            let loads = walls::react::<V>(&wall.law, &context.clock, touches, kept, has_ledger, of);
            for contact in kept.iter() {
                let (row, overlap) = (contact.row, contact.size[0]);
                if overlap > context.deepest * lines[row as usize - first].place[3] {
                    state.too_deep.push((row, number, overlap));
                }
            }
            for &(row, force, torque) in &loads[..touches.len()] {
                let load = &mut state.loads[row as usize - first];
                add_force(load, force);
                add_torque(load, torque);
            }
        }
        if context.has_ledger && context.clock.advances {
            let mut stays = state.kept.iter().peekable();
            for contact in &old {
                let key = (contact.row, contact.face);
                while stays.next_if(|kept| (kept.row, kept.face) < key).is_some() {}
                if stays.peek().is_none_or(|kept| (kept.row, kept.face) != key) {
                    let row = contact.row as usize - first;
                    let closed = contact
                        .account
                        .closed(&lines[row], &spins[row], &context.clock);
                    state.closed.push(closed);
                }
            }
        }
        // The old list becomes scratch memory.
        state.walls[number] = std::mem::replace(&mut state.kept, old);
    }

    /// Kicks that end a step and begin the next one, and the drift.
    #[inline(always)]
    fn move_on<V: Reals>(&mut self) {
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

#[inline(always)]
fn add_force(Effort(load): &mut Effort, [x, y, z]: Vector) {
    let force = [x, y, z, 0.0];
    for k in 0..4 {
        load[4 + k] += force[k];
    }
}

#[inline(always)]
fn add_torque(Effort(load): &mut Effort, [x, y, z]: Vector) {
    let torque = [x, y, z, 0.0];
    for k in 0..4 {
        load[k] += torque[k];
    }
}

/// Drag of a sphere with a relative velocity of the fluid: `1/2 rho C A |v| v`, where the drag
/// coefficient is `C = 24/Re (1 + 0.15 Re^0.687)` up to a Reynolds number of 1000, 0.44 beyond (Schiller
/// and Naumann 1933).
fn drag(relative: Vector, radius: f64, density: f64, viscosity: f64) -> Vector {
    let speed = length(relative);
    let reynolds = 2.0 * radius * speed * density / viscosity;
    let area = std::f64::consts::PI * radius * radius;
    let factor = match reynolds <= 1000.0 {
        // With 24/Re written out, which is finite at rest.
        true => {
            let stokes = 6.0 * std::f64::consts::PI * viscosity * radius;
            stokes * (1.0 + 0.15 * libm::pow(reynolds, 0.687))
        }
        false => 0.5 * density * 0.44 * area * speed,
    };
    times(relative, factor)
}
