//! Lets actions act on the spheres of a chunk, in their order: walls, gravity, given forces, drag.

use super::body_chunk::BodyChunk;
use super::columns::{Line, Mobility};
use super::results::Effort;
use super::walls::{self, WallContact, WallTouch};
use crate::ledger::RowAccount;
use crate::motion::Prescribed;
use crate::setup::{Effect, Wall};
use crate::vector::{Vector, length, minus, plus, times};
use tangere::simd::{LANES, Reals};

impl BodyChunk<'_> {
    /// Lets actions act, in their order.
    #[inline(always)]
    pub(super) fn act<V: Reals>(&mut self) {
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
