//! Contacts of spheres with walls, eight at a time, by the laws of pairs.
//!
//! A wall keeps histories of the spheres that touch it, by row and face, sorted: most spheres touch no
//! wall.

use super::columns::{Line, Spin};
use crate::laws::account::{Account, COLUMNS, Work};
use crate::laws::{Clock, History, Law, Rolling, Touch};
use crate::region::SurfacePoint;
use crate::state::WallAccount;
use crate::vector::{Vector, differences, dot, dots, minus, plus, scaled, times, zero};
use tangere::simd::{LANES, Reals};

/// What a contact with a wall keeps from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WallContact {
    pub row: u32,
    pub face: u32,
    /// Spring of friction and contact radius.
    pub shear: [f64; 4],
    /// Springs of rolling and twisting.
    pub roll: [f64; 4],
    /// The force on the sphere.
    pub force: Vector,
    /// The account, if there is a ledger.
    pub account: WallAccount,
    /// The overlap and the effective radius.
    pub size: [f64; 2],
}

/// A sphere at a wall, before its force is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallTouch {
    pub row: u32,
    pub point: SurfacePoint,
    /// The velocity of the wall at the contact point.
    pub velocity: Vector,
}

/// Force and torque on a sphere.
pub(crate) type Load = (u32, Vector, Vector);

/// Whether a sphere touches a surface at this distance.
#[inline]
pub(crate) fn touches(law: &Law, radius: f64, point: &SurfacePoint, was_touching: bool) -> bool {
    let overlap = radius - point.distance;
    match was_touching {
        true => overlap > 0.0 - law.normal.pull_off_gap(effective(radius, point)),
        false => overlap > 0.0,
    }
}

/// The effective radius of a sphere at a curved surface.
#[inline]
fn effective(radius: f64, point: &SurfacePoint) -> f64 {
    match point.curvature_radius.is_finite() && point.curvature_radius != 0.0 {
        true => 1.0 / (1.0 / radius + 1.0 / point.curvature_radius),
        false => radius,
    }
}

/// Forces and torques of up to eight contacts of one wall. Their histories, at the same places in
/// `kept`, advance.
#[inline(always)]
pub(crate) fn react<V: Reals>(
    law: &Law,
    clock: &Clock,
    touches: &[WallTouch],
    kept: &mut [WallContact],
    has_ledger: bool,
    of: impl Fn(u32) -> (Line, Spin),
) -> [Load; LANES] {
    let mut columns = [[0.0; LANES]; 24];
    for lane in 0..LANES {
        let at = lane.min(touches.len() - 1);
        let (touch, kept) = (&touches[at], &kept[at]);
        let (line, spin) = of(touch.row);
        let radius = line.place[3];
        let values = [
            touch.point.way[0],
            touch.point.way[1],
            touch.point.way[2],
            touch.point.distance,
            radius,
            effective(radius, &touch.point),
            line.motion[3],
            line.motion[0] - touch.velocity[0],
            line.motion[1] - touch.velocity[1],
            line.motion[2] - touch.velocity[2],
            spin.0[0],
            spin.0[1],
            spin.0[2],
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            column[lane] = value;
        }
        for k in 0..4 {
            columns[16 + k][lane] = kept.shear[k];
            columns[20 + k][lane] = kept.roll[k];
        }
    }
    let value = |k: usize| V::load(&columns[k]);
    let vector = |k: usize| [value(k), value(k + 1), value(k + 2)];
    let (way, distance, radius) = (vector(0), value(3), value(4));
    let (velocity, spin) = (vector(7), vector(10));
    let one = V::splat(1.0);
    let mass = one.div(value(6));
    let normal = scaled(way, one.div(distance));
    let half_normal = match clock.is_synchronized {
        true => {
            let before = differences(way, scaled(velocity, V::splat(0.5 * clock.step)));
            scaled(before, one.div(dots(before, before).sqrt()))
        }
        false => normal,
    };
    let touch = Touch {
        overlap: radius - distance,
        radius: value(5),
        mass,
        inertia: match law.rolling {
            Rolling::Epsd { .. } => V::splat(1.4) * mass * radius * radius,
            _ => zero(),
        },
        normal,
        half_normal,
        velocity,
        surface_spin: scaled(spin, radius),
        relative_spin: spin,
    };
    let mut history = History {
        shear: vector(16),
        contact_radius: value(19),
        roll: vector(20),
        twist: value(23),
    };
    let before = history;
    let reaction = law.react(&touch, clock, &mut history);
    let mut accounts = [[0.0; LANES]; COLUMNS];
    if has_ledger {
        let mut old = [[0.0; LANES]; COLUMNS + 9];
        for lane in 0..LANES {
            let account = &kept[lane.min(kept.len() - 1)].account.pair;
            let [x, y, z] = account.force;
            let [p, q, r] = account.resistance;
            let [i, j, k] = kept[lane.min(kept.len() - 1)].account.normal;
            let values = account.columns.into_iter();
            let values = values.chain([x, y, z, p, q, r, i, j, k]);
            for (column, value) in old.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        let vector = |k: usize| std::array::from_fn(|i| V::load(&old[COLUMNS + k + i]));
        let work = Work {
            touch: &touch,
            parted: zero::<V>().below(zero()),
            force_before: vector(0),
            normal_before: vector(6),
            resistance_before: vector(3),
            before: &before,
            after: &history,
            reaction: &reaction,
            lacking_spin: [zero(); 3],
            lacking_before: [zero(); 3],
        };
        let columns: [V; COLUMNS] = std::array::from_fn(|k| V::load(&old[k]));
        let mut account = Account::from_columns(columns);
        law.account(clock, &work, &mut account);
        for (column, value) in accounts.iter_mut().zip(account.columns()) {
            value.store(column);
        }
    }
    let torque = scaled(reaction.turning, radius);
    let mut stored = [[0.0; LANES]; 17];
    for k in 0..3 {
        reaction.force[k].store(&mut stored[k]);
        (torque[k] + reaction.resistance[k]).store(&mut stored[3 + k]);
        reaction.resistance[k].store(&mut stored[14 + k]);
        history.shear[k].store(&mut stored[6 + k]);
        history.roll[k].store(&mut stored[10 + k]);
    }
    history.contact_radius.store(&mut stored[9]);
    history.twist.store(&mut stored[13]);
    let mut loads = [(0, [0.0; 3], [0.0; 3]); LANES];
    for lane in 0..touches.len() {
        let vector = |k: usize| [0, 1, 2].map(|i| stored[k + i][lane]);
        loads[lane] = (touches[lane].row, vector(0), vector(3));
        let kept = &mut kept[lane];
        kept.shear = [6, 7, 8, 9].map(|k| stored[k][lane]);
        kept.roll = [10, 11, 12, 13].map(|k| stored[k][lane]);
        kept.force = vector(0);
        kept.size = [columns[4][lane] - columns[3][lane], columns[5][lane]];
        if has_ledger {
            let account = accounts.map(|column| column[lane]);
            let resistance = vector(14);
            kept.account.advance(
                &touches[lane],
                account,
                kept.force,
                resistance,
                kept.size,
                clock,
            );
        }
    }
    loads
}

impl WallAccount {
    /// Takes the work of the wall over, and what the next step needs.
    fn advance(
        &mut self,
        touch: &WallTouch,
        columns: [f64; COLUMNS],
        force: Vector,
        resistance: Vector,
        size: [f64; 2],
        clock: &Clock,
    ) {
        if clock.advances {
            let both = plus(self.pair.force, force);
            self.work += 0.5 * clock.step * dot(both, touch.velocity);
        }
        self.pair = crate::state::PairAccount {
            columns,
            force,
            resistance,
        };
        self.normal = times(touch.point.way, 1.0 / touch.point.distance);
        self.velocity = touch.velocity;
        self.size = size;
    }

    /// Takes the last step into account, in which the sphere left the wall. Returns the sums and the
    /// work of the wall.
    pub(crate) fn closed(&self, line: &Line, spin: &Spin, clock: &Clock) -> ([f64; 5], f64) {
        let half = 0.5 * clock.step;
        let (n, velocity) = (self.normal, minus(line.velocity(), self.velocity));
        let speed = dot(velocity, n);
        let [
            damping_force,
            _,
            mut damping,
            mut friction,
            difference,
            mut rolling,
            mut twisting,
        ] = self.pair.columns;
        let force = self.pair.force;
        damping -= half * damping_force * speed;
        let across = minus(velocity, times(n, speed));
        let turning = crate::vector::cross(times(spin.vector(), line.place[3]), n);
        let tangential = minus(force, times(n, dot(force, n)));
        friction -= half * dot(tangential, minus(across, turning));
        let along = dot(self.pair.resistance, n) * dot(spin.vector(), n);
        twisting -= half * along;
        rolling -= half * (dot(self.pair.resistance, spin.vector()) - along);
        let work = self.work + half * dot(force, self.velocity);
        ([damping, friction, difference, rolling, twisting], work)
    }
}
