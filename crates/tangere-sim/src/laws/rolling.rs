//! Resistance to rolling: torques against the tangential part of the relative rotation.
//!
//! | law | torque on `b`, at most `mu R F` |
//! |---|---|
//! | sds | spring, dashpot and slider of a pseudo-force: `R n x F_r`, `F_r = -k s - c v_r`, `v_r = R (w_b - w_a) x n` (Luding 2008; Wang et al. 2015, eq. 31) |
//! | cdt | constant directional torque: `-mu R F w_t/|w_t|`, `w_t` the tangential part of `w_b - w_a` (Ai et al. 2011, model A) |
//! | epsd | elastic-plastic spring and dashpot: `M - c w_t`, `dM = -k w_t dt`, `k = 2.25 k_n (mu R)^2`, `c = 2 x sqrt(I k)` where the spring is not at its bound (Ai et al. 2011, model C) |
//!
//! with the effective radius `R`, the normal force `F` that bounds friction, the secant stiffness `k_n`
//! of the normal force and the moment of inertia of rolling `I`.

use super::{Clock, History, Shared, Touch, turned_into_plane};
use crate::vector::{Vectors, chosen, crosses, differences, dots, scaled, sums, zero};
use serde::{Deserialize, Serialize};
use tangere::simd::Reals;

/// The resistance to rolling of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rolling {
    /// No resistance.
    None,
    /// Spring, dashpot and slider: sds.
    Sds {
        /// Force per displacement.
        stiffness: f64,
        /// Force per velocity.
        damping: f64,
        /// The coefficient of rolling friction.
        friction: f64,
    },
    /// Constant directional torque: cdt.
    Cdt {
        /// The coefficient of rolling friction.
        friction: f64,
    },
    /// Elastic-plastic spring and dashpot: epsd.
    Epsd {
        /// The damping ratio.
        damping: f64,
        /// The coefficient of rolling friction.
        friction: f64,
    },
}

impl Rolling {
    /// The torque on `b`; that on `a` is its opposite.
    #[inline(always)]
    pub(super) fn torque<V: Reals>(
        &self,
        touch: &Touch<V>,
        shared: &Shared<V>,
        clock: &Clock,
        history: &mut History<V>,
    ) -> Vectors<V> {
        match *self {
            Self::None => [zero(); 3],
            Self::Sds {
                stiffness,
                damping,
                friction,
            } => {
                let bound = V::splat(friction) * shared.critical;
                sds(touch, clock, history, [stiffness, damping], bound)
            }
            Self::Cdt { friction } => {
                let spin = tangential_spin(touch);
                let bound = V::splat(friction) * touch.radius * shared.critical;
                let speed = dots(spin, spin).sqrt();
                let factor = bound.div(speed).only(zero::<V>().below(speed));
                scaled(spin, zero::<V>() - factor)
            }
            Self::Epsd { damping, friction } => {
                let reach = V::splat(friction) * touch.radius;
                let stiffness = V::splat(2.25) * shared.secant * reach * reach;
                epsd(
                    touch,
                    clock,
                    history,
                    [stiffness, V::splat(damping)],
                    reach * shared.critical,
                )
            }
        }
    }
}

#[inline(always)]
fn tangential_spin<V: Reals>(touch: &Touch<V>) -> Vectors<V> {
    let spin = touch.relative_spin;
    differences(spin, scaled(touch.normal, dots(spin, touch.normal)))
}

#[inline(always)]
fn sds<V: Reals>(
    touch: &Touch<V>,
    clock: &Clock,
    history: &mut History<V>,
    [stiffness, damping]: [f64; 2],
    bound: V,
) -> Vectors<V> {
    let normal = touch.normal;
    let plane = if clock.is_synchronized {
        touch.half_normal
    } else {
        normal
    };
    let stiffness = V::splat(stiffness);
    let velocity = scaled(crosses(touch.relative_spin, plane), touch.radius);
    let mut roll = history.roll;
    if clock.advances {
        roll = turned_into_plane(roll, plane, stiffness, bound);
        roll = sums(roll, scaled(velocity, V::splat(clock.step)));
        if clock.is_synchronized {
            roll = turned_into_plane(roll, normal, stiffness, bound);
        }
    }
    let damped = scaled(velocity, V::splat(0.0 - damping));
    let mut force = differences(damped, scaled(roll, stiffness));
    let square = dots(force, force);
    let exceeds = (bound * bound).below(square);
    if V::bits(exceeds) != 0 {
        let has_rolled = zero::<V>().below(dots(roll, roll));
        let cut = scaled(force, bound.div(square.sqrt()).only(has_rolled));
        force = chosen(exceeds, cut, force);
        let rest = scaled(differences(damped, cut), V::splat(1.0).div(stiffness));
        roll = chosen(V::and(exceeds, has_rolled), rest, roll);
    }
    if clock.advances {
        history.roll = roll;
    }
    scaled(crosses(normal, force), touch.radius)
}

#[inline(always)]
fn epsd<V: Reals>(
    touch: &Touch<V>,
    clock: &Clock,
    history: &mut History<V>,
    [stiffness, damping]: [V; 2],
    bound: V,
) -> Vectors<V> {
    let spin = tangential_spin(touch);
    let mut spring = history.roll;
    if clock.advances {
        spring = turned_into_plane(spring, touch.normal, V::splat(1.0), bound);
        spring = differences(spring, scaled(spin, stiffness * V::splat(clock.step)));
    }
    let square = dots(spring, spring);
    let exceeds = (bound * bound).below(square);
    spring = chosen(exceeds, scaled(spring, bound.div(square.sqrt())), spring);
    if clock.advances {
        history.roll = spring;
    }
    let coefficient = V::splat(2.0) * damping * (touch.inertia * stiffness).sqrt();
    let coefficient = V::select(exceeds, zero(), coefficient);
    differences(spring, scaled(spin, coefficient))
}
