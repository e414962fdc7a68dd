//! Resistance to twisting about the normal: the torque `-k t - c w`, for the angle `t` of a spring and
//! the angular velocity `w = (w_b - w_a) . n`, bounded by `mu` times the normal force.
//!
//! For marshall the constants follow from friction and the contact radius `a` (Marshall 2009, eqs. 30 to
//! 44): `k = k_t a^2 / 2`, `c = eta_t a^2 / 2`, `mu = 2/3 mu_t a`.

use super::{Clock, History, Shared, Tangential, Touch};
use crate::vector::{Vectors, dots, scaled, zero};
use serde::{Deserialize, Serialize};
use tangere::simd::Reals;

/// The resistance to twisting of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Twisting {
    /// No resistance.
    None,
    /// Spring, dashpot and slider: sds.
    Sds {
        /// Torque per angle.
        stiffness: f64,
        /// Torque per angular velocity.
        damping: f64,
        /// The largest torque per normal force: a length.
        friction: f64,
    },
    /// Constants from those of friction.
    Marshall,
}

impl Twisting {
    /// The torque on `b`; that on `a` is its opposite.
    #[inline(always)]
    pub(super) fn torque<V: Reals>(
        &self,
        touch: &Touch<V>,
        shared: &Shared<V>,
        tangential: &Tangential,
        clock: &Clock,
        history: &mut History<V>,
    ) -> Vectors<V> {
        let [stiffness, damping, friction] = match *self {
            Self::None => return [zero(); 3],
            Self::Sds {
                stiffness,
                damping,
                friction,
            } => [V::splat(stiffness), V::splat(damping), V::splat(friction)],
            Self::Marshall => {
                let a = shared.contact_radius;
                let half_area = V::splat(0.5) * a * a;
                [
                    V::splat(tangential.stiffness()) * half_area,
                    tangential.damping(shared) * half_area,
                    V::splat(2.0 / 3.0 * tangential.friction()) * a,
                ]
            }
        };
        let speed = dots(touch.relative_spin, touch.normal);
        let mut twist = history.twist;
        if clock.advances {
            twist = twist + speed * V::splat(clock.step);
        }
        let bound = friction * shared.critical;
        let damped = damping * speed;
        let mut torque = zero::<V>() - stiffness * twist - damped;
        let exceeds = bound.below(torque.abs());
        if V::bits(exceeds) != 0 {
            let least = zero::<V>() - bound;
            let turned = V::select(speed.below(zero()), least, zero());
            let turned = V::select(zero::<V>().below(speed), bound, turned);
            let rest = (turned - damped).div(stiffness);
            let rest = rest.only(zero::<V>().below(stiffness));
            twist = V::select(exceeds, rest, twist);
            torque = V::select(exceeds, zero::<V>() - turned, torque);
        }
        history.twist = twist;
        scaled(touch.normal, torque)
    }
}
