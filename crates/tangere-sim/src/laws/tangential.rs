//! Friction: tangential force of a contact, bounded by `mu` times the normal force.
//!
//! With the slip velocity `v_t` and the displacement `s` of a spring since the contact began, the force
//! is `-k s - eta_t v_t`, `eta_t = x eta` with the damping coefficient `eta` of the normal motion. Where
//! it exceeds the bound, its direction stays, and the spring is set back to what the bound allows.
//!
//! | law | stiffness | kept | on unloading |
//! |---|---|---|---|
//! | linear_nohistory | 0 | nothing | |
//! | linear_history | `k` | displacement | |
//! | mindlin | `k a`, `k = 8 G` of a material | displacement | |
//! | mindlin/force | `k a` | force | |
//! | mindlin_rescale | `k a` | displacement | spring shrinks with the contact radius |
//! | mindlin_rescale/force | `k a` | force | spring shrinks with the contact radius |
//! | linear_history_classic, mindlin_classic | `k`, `k a` | displacement | |
//!
//! Mindlin 1949; Thornton, Cummins and Cleary 2013 for force and rescaling. In each step the spring is
//! first turned into the tangent plane with its length (Luding 2008, eq. 17) and then advanced. The
//! classic laws, of gran/hooke/history and gran/hertz/history, first advance it and then project it
//! (Silbert et al. 2001).

use super::{Clock, History, Shared, Touch, turned_into_plane};
use crate::vector::{Vectors, chosen, differences, dots, scaled, sums, zero};
use serde::{Deserialize, Serialize};
use tangere::simd::Reals;

/// The friction of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tangential {
    /// No friction.
    None,
    /// Damping of the slip, bounded by friction: linear_nohistory.
    Slip {
        /// The damping coefficient relative to that of the normal motion.
        damping: f64,
        /// The coefficient of friction.
        friction: f64,
    },
    /// A spring that keeps its history.
    Spring(Spring),
}

/// The tangential spring of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Force per displacement, or with `scales` per displacement and contact radius.
    pub stiffness: f64,
    /// The damping coefficient relative to that of the normal motion.
    pub damping: f64,
    /// The coefficient of friction.
    pub friction: f64,
    /// Whether the stiffness is per contact radius (Mindlin).
    pub scales: bool,
    /// What the history keeps.
    pub kept: Kept,
    /// Whether the spring shrinks with the contact radius on unloading.
    pub rescales: bool,
}

/// What the history of a tangential spring keeps, and how it follows the turning contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kept {
    /// The displacement, turned into the tangent plane and then advanced.
    Displacement,
    /// The force, turned and then advanced.
    Force,
    /// The displacement, advanced and then projected onto the tangent plane.
    ProjectedDisplacement,
}

impl Tangential {
    /// The stiffness of the spring, per contact radius if it scales with it; 0 if there is none.
    pub(super) fn stiffness(&self) -> f64 {
        match self {
            Self::Spring(spring) => spring.stiffness,
            _ => 0.0,
        }
    }

    /// The coefficient of friction.
    pub(super) fn friction(&self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Slip { friction, .. } => *friction,
            Self::Spring(spring) => spring.friction,
        }
    }

    /// The damping coefficient of the slip.
    #[inline(always)]
    pub(super) fn damping<V: Reals>(&self, shared: &Shared<V>) -> V {
        match self {
            Self::None => zero(),
            Self::Slip { damping, .. } => V::splat(*damping) * shared.damping,
            Self::Spring(spring) => V::splat(spring.damping) * shared.damping,
        }
    }

    /// The tangential force on `b`.
    #[inline(always)]
    pub(super) fn force<V: Reals>(
        &self,
        touch: &Touch<V>,
        shared: &Shared<V>,
        clock: &Clock,
        history: &mut History<V>,
    ) -> Vectors<V> {
        match self {
            Self::None => [zero(); 3],
            Self::Slip { damping, friction } => {
                let slip = shared.slip;
                let speed = dots(slip, slip).sqrt();
                let most = (V::splat(*friction) * shared.critical).div(speed);
                // No number where nothing slips: the damping then.
                let factor = most.min(V::splat(*damping) * shared.damping);
                scaled(slip, zero::<V>() - factor)
            }
            Self::Spring(spring) => spring.force(touch, shared, clock, history),
        }
    }
}

impl Spring {
    #[inline(always)]
    fn force<V: Reals>(
        &self,
        touch: &Touch<V>,
        shared: &Shared<V>,
        clock: &Clock,
        history: &mut History<V>,
    ) -> Vectors<V> {
        let stiffness = match self.scales {
            true => V::splat(self.stiffness) * shared.contact_radius,
            false => V::splat(self.stiffness),
        };
        let bound = V::splat(self.friction) * shared.critical;
        let mut shear = history.shear;
        if self.rescales {
            let is_unloading = shared.contact_radius.below(history.contact_radius);
            let factor = shared.contact_radius.div(history.contact_radius);
            let factor = V::select(is_unloading, factor, V::splat(1.0));
            shear = scaled(shear, factor);
        }
        let normal = touch.normal;
        // Of what is kept, the force per unit.
        let unit = match self.kept {
            Kept::Force => V::splat(-1.0),
            _ => stiffness,
        };
        let mut displaced = shear;
        if clock.advances {
            let step = V::splat(clock.step);
            match self.kept {
                Kept::ProjectedDisplacement => {
                    displaced = sums(shear, scaled(shared.slip, step));
                    shear = differences(displaced, scaled(normal, dots(displaced, normal)));
                }
                Kept::Displacement | Kept::Force => {
                    let plane = if clock.is_synchronized {
                        touch.half_normal
                    } else {
                        normal
                    };
                    shear = turned_into_plane(shear, plane, unit, bound);
                    let advance = match self.kept {
                        Kept::Force => zero::<V>() - stiffness * step,
                        _ => step,
                    };
                    shear = sums(shear, scaled(shared.slip, advance));
                    if clock.is_synchronized {
                        shear = turned_into_plane(shear, normal, unit, bound);
                    }
                    displaced = shear;
                }
            }
            if self.rescales {
                history.contact_radius = shared.contact_radius;
            }
        }
        let damped = scaled(
            shared.slip,
            zero::<V>() - V::splat(self.damping) * shared.damping,
        );
        let mut force = differences(damped, scaled(shear, unit));
        let square = dots(force, force);
        let exceeds = (bound * bound).below(square);
        if V::bits(exceeds) != 0 {
            // Without any displacement there is nothing to set back, and no force.
            let was_displaced = zero::<V>().below(dots(displaced, displaced));
            let cut = scaled(force, bound.div(square.sqrt()).only(was_displaced));
            force = chosen(exceeds, cut, force);
            let is_set_back = V::and(
                V::and(exceeds, was_displaced),
                zero::<V>().below(unit.abs()),
            );
            let rest = scaled(differences(damped, cut), V::splat(1.0).div(unit));
            shear = chosen(is_set_back, rest, shear);
        }
        history.shear = shear;
        force
    }
}
