//! Accounts of contacts: where the work that contacts do goes, for the energy ledger.
//!
//! Velocity Verlet moves bodies from step to step with the velocity `v` at its middle, so that a force
//! that is `F` at its beginning and `F'` at its end does the work `(F + F')/2 . v dt`, up to terms of
//! second order in the step. With it, each contact sums
//!
//! | sum | what |
//! |---|---|
//! | damping | minus the work of the dashpot of the normal motion |
//! | friction | minus the work of the tangential force on the slip: what friction dissipates, its spring stores, and the difference |
//! | difference | what the spring of friction loses where its stiffness changes: Mindlin's law with displacements has no potential |
//! | rolling, twisting | minus the work of these torques |
//!
//! What springs store follows from the state ([`Law::stored`]), so that dissipation is the sum less what
//! is stored.

use super::{Clock, History, Law, Normal, Reaction, Rolling, Spring, Tangential, Touch, Twisting};
use crate::vector::{Vectors, crosses, differences, dots, scaled, sums, zero};
use std::f64::consts::PI;
use tangere::simd::Reals;

/// The columns of an account.
pub(crate) const COLUMNS: usize = 7;

/// The number of sums of an account.
pub(crate) const SUMS: usize = 5;

/// The account of a contact; of eight contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account<V> {
    /// The force of the dashpot in the last step.
    pub damping_force: V,
    /// The stiffness of the spring of friction in the last step; below 0 if there was none.
    pub stiffness: V,
    /// Damping, friction, difference, rolling, twisting.
    pub sums: [V; SUMS],
}

/// An account that begins, by columns.
pub(crate) const FRESH: [f64; COLUMNS] = [0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0];

impl<V: Reals> Account<V> {
    #[inline(always)]
    pub fn from_columns([damping_force, stiffness, a, b, c, d, e]: [V; COLUMNS]) -> Self {
        Self {
            damping_force,
            stiffness,
            sums: [a, b, c, d, e],
        }
    }

    #[inline(always)]
    pub fn columns(&self) -> [V; COLUMNS] {
        let [a, b, c, d, e] = self.sums;
        [self.damping_force, self.stiffness, a, b, c, d, e]
    }
}

/// What a contact did in the last step and does now.
pub(crate) struct Work<'a, V: Reals> {
    pub touch: &'a Touch<V>,
    /// The contacts that have parted: they have no force now.
    pub parted: V::Mask,
    /// The force on `b`, and the torque of resistance on `b`, in the last step.
    pub force_before: Vectors<V>,
    /// The normal in the last step.
    pub normal_before: Vectors<V>,
    pub resistance_before: Vectors<V>,
    /// The history before and after the step.
    pub before: &'a History<V>,
    pub after: &'a History<V>,
    pub reaction: &'a Reaction<V>,
    /// The sum of the angular velocities times what the arms of torques lack of the radii.
    pub lacking_spin: Vectors<V>,
    /// The same in the last step.
    pub lacking_before: Vectors<V>,
}

impl Law {
    /// Takes the work of a step into account.
    #[inline(always)]
    pub(crate) fn account<V: Reals>(
        &self,
        clock: &Clock,
        work: &Work<'_, V>,
        account: &mut Account<V>,
    ) {
        if !clock.advances {
            // Forces of a state that stands still: the next step begins with them.
            let touch = work.touch;
            let (damping_force, stiffness) = self.present(touch, work.reaction);
            (account.damping_force, account.stiffness) = (damping_force, stiffness);
            return;
        }
        let touch = work.touch;
        let (n, half_step) = (touch.normal, V::splat(0.5 * clock.step));
        let is_new = account.stiffness.below(zero());
        // Of pairs that have just begun to touch, the line of results is that of another pair.
        let old = |v: Vectors<V>| v.map(|x| V::select(is_new, zero(), x));
        let now = |x: V| V::select(work.parted, zero(), x);
        let nows = |v: Vectors<V>| v.map(now);
        let (force_before, resistance_before) =
            (old(work.force_before), old(work.resistance_before));
        let force = nows(work.reaction.force);
        let (damping_force, stiffness) = self.present(touch, work.reaction);
        let damping_force = now(damping_force);
        let speed = dots(touch.velocity, n);
        let [damping, friction, difference, rolling, twisting] = &mut account.sums;
        // What acts at the beginning of the step does its work along the normal of that time.
        let n_before = work.normal_before;
        let speed_before = dots(touch.velocity, n_before);
        let power = account.damping_force * speed_before + damping_force * speed;
        *damping = *damping - power * half_step;
        if self.tangential != Tangential::None {
            // At the contact point, whose distances from the centres are the arms of torques.
            let power = |force, n, speed, lacking| {
                let spin = differences(touch.surface_spin, lacking);
                let across = differences(touch.velocity, scaled(n, speed));
                dots(force, differences(across, crosses(spin, n)))
            };
            let power = power(force_before, n_before, speed_before, work.lacking_before)
                + power(force, n, speed, work.lacking_spin);
            *friction = *friction - power * half_step;
        }
        if let Tangential::Spring(spring) = self.tangential {
            let lost = spring.lost(work, [account.stiffness, stiffness], is_new);
            *difference = *difference + now(lost);
        }
        if self.resists_rotation() {
            let both = sums(resistance_before, nows(work.reaction.resistance));
            let along = dots(both, n);
            let turn = dots(touch.relative_spin, n);
            *twisting = *twisting - along * turn * half_step;
            let all = dots(both, touch.relative_spin);
            *rolling = *rolling - (all - along * turn) * half_step;
        }
        (account.damping_force, account.stiffness) = (damping_force, stiffness);
    }

    /// The force of the dashpot, and the stiffness of the spring of friction.
    #[inline(always)]
    fn present<V: Reals>(&self, touch: &Touch<V>, reaction: &Reaction<V>) -> (V, V) {
        let contact_radius = self.normal.contact_radius(touch.overlap, touch.radius);
        let elastic = self
            .normal
            .force(touch.overlap, contact_radius, touch.radius);
        let stiffness = match self.tangential {
            Tangential::Spring(spring) => spring.present_stiffness(contact_radius),
            _ => zero(),
        };
        (dots(reaction.force, touch.normal) - elastic, stiffness)
    }

    /// What a contact stores: in its normal spring, in that of friction, of rolling and of twisting.
    pub(crate) fn stored(
        &self,
        overlap: f64,
        radius: f64,
        shear: [f64; 4],
        roll: [f64; 4],
    ) -> [f64; 4] {
        use tangere::simd::One;
        let a = self.normal.contact_radius(One(overlap), One(radius)).0;
        let square = |[x, y, z, _]: [f64; 4]| x * x + y * y + z * z;
        let tangential = match self.tangential {
            Tangential::Spring(spring) => {
                let stiffness = spring.present_stiffness(One(a)).0;
                spring.energy(stiffness, square(shear))
            }
            _ => 0.0,
        };
        let elastic = self.normal.force(One(overlap), One(a), One(radius));
        let secant = self.normal.secant(One(overlap), One(a), elastic).0;
        let rolling = match self.rolling {
            Rolling::Sds { stiffness, .. } => 0.5 * stiffness * square(roll),
            // The spring keeps a torque.
            Rolling::Epsd { friction, .. } => {
                let stiffness = 2.25 * secant * (friction * radius) * (friction * radius);
                match stiffness > 0.0 {
                    true => 0.5 * square(roll) / stiffness,
                    false => 0.0,
                }
            }
            Rolling::None | Rolling::Cdt { .. } => 0.0,
        };
        let twist = roll[3] * roll[3];
        let twisting = match self.twisting {
            Twisting::Sds { stiffness, .. } => 0.5 * stiffness * twist,
            Twisting::Marshall => 0.25 * self.tangential.stiffness() * a * a * twist,
            Twisting::None => 0.0,
        };
        [
            self.normal.energy(overlap, a, radius),
            tangential,
            rolling,
            twisting,
        ]
    }
}

impl Normal {
    /// The work against the normal force from the first touch to an overlap; with adhesion of JKR from a
    /// contact radius of 0 on.
    pub(crate) fn energy(&self, overlap: f64, contact_radius: f64, radius: f64) -> f64 {
        let pressed = 0.4 * contact_radius * overlap * overlap;
        match *self {
            Self::Hooke { stiffness } => 0.5 * stiffness * overlap * overlap,
            Self::Hertz { stiffness } => stiffness * pressed,
            Self::Dmt { stiffness, energy } => {
                stiffness * pressed - 4.0 * PI * energy * radius * overlap
            }
            // The integral of F dd/da, with F and d as functions of the contact radius a.
            Self::Jkr { modulus, energy } => {
                let a = contact_radius;
                let square = a * a;
                let elastic = 8.0 / 15.0 * modulus * square * square * a / (radius * radius);
                let adhesive = 8.0 / 3.0 * (PI * energy * modulus).sqrt() / radius;
                elastic - adhesive * square * a * a.sqrt() + 2.0 * PI * energy * square
            }
        }
    }

    /// The energy of a contact that begins, at no overlap: that which adhesion sets free at once.
    pub(crate) fn energy_at_touch(&self, radius: f64) -> f64 {
        match self {
            Self::Jkr { .. } => {
                use tangere::simd::One;
                let a = self.contact_radius(One(0.0), One(radius)).0;
                self.energy(0.0, a, radius)
            }
            _ => 0.0,
        }
    }
}

impl Normal {
    /// The energy of a contact where adhesion lets go.
    pub(crate) fn energy_at_parting(&self, radius: f64) -> f64 {
        match self {
            Self::Jkr { .. } => {
                use tangere::simd::One;
                let overlap = 0.0 - self.pull_off_gap(radius);
                let a = self.contact_radius(One(overlap), One(radius)).0;
                self.energy(overlap, a, radius)
            }
            _ => 0.0,
        }
    }
}

impl Spring {
    /// The stiffness at a contact radius.
    #[inline(always)]
    fn present_stiffness<V: Reals>(&self, contact_radius: V) -> V {
        match self.scales {
            true => V::splat(self.stiffness) * contact_radius,
            false => V::splat(self.stiffness),
        }
    }

    /// What the spring stores, from the square of what it keeps.
    fn energy(&self, stiffness: f64, square: f64) -> f64 {
        match self.kept {
            super::Kept::Force if stiffness > 0.0 => 0.5 * square / stiffness,
            super::Kept::Force => 0.0,
            _ => 0.5 * stiffness * square,
        }
    }

    /// What the spring loses in a step beside what friction takes, with its stiffness before and after:
    /// its energy before, and the work of its mean force on its change, less its energy after. With a
    /// displacement `s` that shrinks by `c` on unloading this is `k (1 - c) s^2 / 2 + (k - c k') s . s' / 2`,
    /// with a force `f` it is `f^2 / 2k + ((1 - c) f . f' - c f^2) / 2k'`.
    #[inline(always)]
    fn lost<V: Reals>(&self, work: &Work<'_, V>, [k0, k1]: [V; 2], is_new: V::Mask) -> V {
        if !self.scales {
            return zero();
        }
        let (half, one) = (V::splat(0.5), V::splat(1.0));
        let (s0, s1) = (work.before.shear, work.after.shear);
        let (square, product) = (dots(s0, s0), dots(s0, s1));
        // The stiffness is proportional to the contact radius.
        let shrink = match self.rescales {
            true => V::select(k1.below(k0), k1.div(k0), one),
            false => one,
        };
        let lost = match self.kept {
            super::Kept::Force => {
                let after = (one - shrink) * product - shrink * square;
                half * (square.div(k0) + after.div(k1))
            }
            _ => half * (k0 * (one - shrink) * square + (k0 - shrink * k1) * product),
        };
        V::select(is_new, zero(), lost)
    }
}
