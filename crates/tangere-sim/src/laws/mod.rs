//! Contact laws: force and torques of two bodies in contact, composed of small functions.
//!
//! With the unit normal `n` from `a` to `b`, the force on `b` is
//!
//! `F = (F_n + F_d) n + F_t`,
//!
//! the force on `a` its opposite. The torques on both are `arm (F_t x n)`, with the distance of the
//! centre from the contact point as the arm; rolling and twisting resistance add torques of opposite
//! sign.
//!
//! | file | what | laws |
//! |---|---|---|
//! | `normal` | elastic and cohesive force `F_n`, contact radius | hooke, hertz, hertz/material, DMT, JKR |
//! | `damping` | `F_d = -eta v_n` | velocity, mass_velocity, viscoelastic, tsuji, coeff_restitution |
//! | `tangential` | friction `F_t`, with or without a spring that keeps its history | linear_nohistory, linear_history, mindlin, mindlin/force, mindlin_rescale, mindlin_rescale/force, and those of gran/hooke/history and gran/hertz/history |
//! | `rolling` | resistance to rolling | sds, cdt, epsd |
//! | `twisting` | resistance to twisting about the normal | sds, marshall |
//!
//! Names and definitions are those of LAMMPS' `pair_style granular`, so that constants of its decks
//! mean the same; each file has the equations and their source.
//!
//! Laws compute eight contacts at a time, one in each lane of [`Reals`]. All eight have the same law,
//! so that which parts it has is asked once for eight contacts.

pub(crate) mod account;
mod damping;
mod normal;
mod rolling;
mod tangential;
mod twisting;
pub(crate) mod usual;

pub use damping::Damping;
pub use normal::{Normal, effective_modulus, effective_shear_modulus};
pub use rolling::Rolling;
pub use tangential::{Kept, Spring, Tangential};
pub use twisting::Twisting;

use crate::error::{Error, Result};
use crate::vector::{Vectors, chosen, crosses, differences, dots, scaled, sums, zero};
use serde::{Deserialize, Serialize};
use tangere::simd::Reals;

/// The component of a history along the normal, relative to the largest force of friction, below which
/// the history is not turned into the tangent plane.
const OUT_OF_PLANE: f64 = 1e-10;

/// Two bodies in contact, `a` and `b`, as a law needs them; eight such pairs.
#[derive(Clone, Copy, Debug)]
pub struct Touch<V> {
    /// The overlap of the bodies: minus the gap.
    pub overlap: V,
    /// The effective radius `r_a r_b / (r_a + r_b)`; that of the sphere if the other body is a plane.
    pub radius: V,
    /// The effective mass `m_a m_b / (m_a + m_b)`; that of the free body if the other is fixed.
    pub mass: V,
    /// The moment of inertia of rolling: `1 / (1/(I_a + m_a r_a^2) + 1/(I_b + m_b r_b^2))`, without the
    /// term of a fixed body.
    pub inertia: V,
    /// The unit normal from `a` to `b`.
    pub normal: [V; 3],
    /// The unit normal half a step ago, in whose plane histories advance if the clock says so.
    pub half_normal: [V; 3],
    /// The velocity of the centre of `b` relative to that of `a`.
    pub velocity: [V; 3],
    /// `r_a w_a + r_b w_b` for the angular velocities `w`.
    pub surface_spin: [V; 3],
    /// The angular velocity of `b` relative to `a`.
    pub relative_spin: [V; 3],
}

/// What a contact remembers from step to step; of eight contacts.
#[derive(Clone, Copy, Debug)]
pub struct History<V> {
    /// The displacement of the tangential spring, or its force.
    pub shear: [V; 3],
    /// The contact radius in the last step, of laws that rescale the spring on unloading.
    pub contact_radius: V,
    /// The displacement of the rolling spring.
    pub roll: [V; 3],
    /// The angle of the twisting spring.
    pub twist: V,
}

impl<V: Reals> Default for History<V> {
    fn default() -> Self {
        Self {
            shear: [zero(); 3],
            contact_radius: zero(),
            roll: [zero(); 3],
            twist: zero(),
        }
    }
}

/// Force and torques of a contact; of eight contacts.
#[derive(Clone, Copy, Debug)]
pub struct Reaction<V> {
    /// The force on `b`; that on `a` is its opposite.
    pub force: [V; 3],
    /// `F_t x n`: times the distance of a centre from the contact point the torque of friction on that
    /// body, of the same sign for both.
    pub turning: [V; 3],
    /// The torque of rolling and twisting resistance on `b`; that on `a` is its opposite.
    pub resistance: [V; 3],
}

/// How histories advance in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The time step.
    pub step: f64,
    /// Whether histories advance; not where forces of a state are found that stands still, as at the
    /// beginning of a run.
    pub advances: bool,
    /// Whether histories advance in the tangent plane of half a step ago, to which the velocities belong,
    /// and are then turned into the present plane (Vyas et al. 2025).
    pub is_synchronized: bool,
}

/// A contact law.
///
/// ```
/// use tangere::simd::{One, Reals};
/// use tangere_sim::laws::{Clock, Damping, History, Law, Normal, Tangential, Touch};
///
/// let normal = Normal::Hooke { stiffness: 1e4 };
/// let law = Law::new(normal, Damping::None, Tangential::None);
/// let zero = One::splat(0.0);
/// let touch = Touch {
///     overlap: One(0.01),
///     radius: One(0.25),
///     mass: One(0.5),
///     inertia: One(0.1),
///     normal: [One(1.0), zero, zero],
///     half_normal: [One(1.0), zero, zero],
///     velocity: [zero; 3],
///     surface_spin: [zero; 3],
///     relative_spin: [zero; 3],
/// };
/// let clock = Clock { step: 1e-4, advances: true, is_synchronized: false };
/// let reaction = law.react(&touch, &clock, &mut History::default());
/// assert_eq!(reaction.force.map(|x| x.0), [100.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// The normal force.
    pub normal: Normal,
    /// The damping of the normal motion.
    pub damping: Damping,
    /// Friction.
    pub tangential: Tangential,
    /// Resistance to rolling.
    pub rolling: Rolling,
    /// Resistance to twisting.
    pub twisting: Twisting,
    /// Whether damping is limited so that normal force and damping together never attract.
    pub limits_damping: bool,
}

/// What the parts of a law share about eight contacts.
#[derive(Clone, Copy, Debug)]
struct Shared<V> {
    contact_radius: V,
    /// The tangential velocity of the surface of `b` relative to that of `a` at the contact point.
    slip: Vectors<V>,
    /// The damping coefficient `eta`.
    damping: V,
    /// The secant stiffness of the normal force.
    secant: V,
    /// The normal force that bounds friction.
    critical: V,
}

impl Law {
    /// A law without resistance to rolling and twisting.
    pub fn new(normal: Normal, damping: Damping, tangential: Tangential) -> Self {
        Self {
            normal,
            damping,
            tangential,
            rolling: Rolling::None,
            twisting: Twisting::None,
            limits_damping: false,
        }
    }

    /// Checks the constants: finite, and not negative where that would make no sense.
    ///
    /// # Errors
    /// When a constant is invalid; the error names it.
    pub fn check(&self) -> Result<()> {
        let mut constants = match self.normal {
            Normal::Hooke { stiffness } | Normal::Hertz { stiffness } => {
                vec![("normal stiffness", stiffness)]
            }
            Normal::Dmt { stiffness, energy } => {
                vec![("normal stiffness", stiffness), ("surface energy", energy)]
            }
            Normal::Jkr { modulus, energy } => {
                vec![("modulus", modulus), ("surface energy", energy)]
            }
        };
        constants.push(match self.damping {
            Damping::None => ("damping", 0.0),
            Damping::Velocity(c)
            | Damping::MassVelocity(c)
            | Damping::Viscoelastic(c)
            | Damping::Stiffness(c) => ("damping", c),
        });
        match self.tangential {
            Tangential::None => {}
            Tangential::Slip { damping, friction } => {
                constants.extend([("tangential damping", damping), ("friction", friction)]);
            }
            Tangential::Spring(spring) => constants.extend([
                ("tangential stiffness", spring.stiffness),
                ("tangential damping", spring.damping),
                ("friction", spring.friction),
            ]),
        }
        match self.rolling {
            Rolling::None => {}
            Rolling::Sds {
                stiffness,
                damping,
                friction,
            } => constants.extend([
                ("rolling stiffness", stiffness),
                ("rolling damping", damping),
                ("rolling friction", friction),
            ]),
            Rolling::Cdt { friction } => constants.push(("rolling friction", friction)),
            Rolling::Epsd { damping, friction } => {
                constants.extend([("rolling damping", damping), ("rolling friction", friction)]);
            }
        }
        if let Twisting::Sds {
            stiffness,
            damping,
            friction,
        } = self.twisting
        {
            constants.extend([
                ("twisting stiffness", stiffness),
                ("twisting damping", damping),
                ("twisting friction", friction),
            ]);
        }
        let bad = constants
            .into_iter()
            .find(|(_, value)| !(value.is_finite() && *value >= 0.0));
        match bad {
            Some((what, value)) => {
                let what = format!("{what} of a law");
                Err(Error::invalid(what, value, "a number of at least 0"))
            }
            None => Ok(()),
        }
    }

    /// Whether the law has resistance to rolling or twisting, and so their histories and torques.
    pub fn resists_rotation(&self) -> bool {
        self.rolling != Rolling::None || self.twisting != Twisting::None
    }

    /// Force and torques of eight contacts, whose histories advance with the clock.
    #[inline(always)]
    pub fn react<V: Reals>(
        &self,
        touch: &Touch<V>,
        clock: &Clock,
        history: &mut History<V>,
    ) -> Reaction<V> {
        let n = touch.normal;
        let normal_speed = dots(touch.velocity, n);
        let contact_radius = self.normal.contact_radius(touch.overlap, touch.radius);
        let elastic = self
            .normal
            .force(touch.overlap, contact_radius, touch.radius);
        let secant = self.normal.secant(touch.overlap, contact_radius, elastic);
        let damping = self.damping.coefficient(touch.mass, contact_radius, secant);
        let mut along = elastic - damping * normal_speed;
        if self.limits_damping {
            along = along.max(zero());
        }
        let slip = match clock.is_synchronized {
            false => {
                let across = differences(touch.velocity, scaled(n, normal_speed));
                differences(across, crosses(touch.surface_spin, n))
            }
            true => {
                let half = touch.half_normal;
                let speed = dots(touch.velocity, half);
                let across = differences(touch.velocity, scaled(half, speed));
                differences(across, crosses(touch.surface_spin, half))
            }
        };
        let shared = Shared {
            contact_radius,
            slip,
            damping,
            secant,
            critical: self.normal.critical(along, elastic, touch.radius),
        };
        let friction = self.tangential.force(touch, &shared, clock, history);
        let mut resistance = [zero(); 3];
        if self.rolling != Rolling::None {
            resistance = self.rolling.torque(touch, &shared, clock, history);
        }
        if self.twisting != Twisting::None {
            let twisting = &self.twisting;
            let torque = twisting.torque(touch, &shared, &self.tangential, clock, history);
            resistance = sums(resistance, torque);
        }
        Reaction {
            force: sums(scaled(n, along), friction),
            turning: crosses(friction, n),
            resistance,
        }
    }
}

/// Turns vectors into the plane with this normal where their component along it, times `unit`, exceeds
/// what is left to rounding; their lengths stay (Luding 2008, eq. 17).
#[inline(always)]
fn turned_into_plane<V: Reals>(v: Vectors<V>, normal: Vectors<V>, unit: V, bound: V) -> Vectors<V> {
    let along = dots(v, normal);
    let is_out = (V::splat(OUT_OF_PLANE) * bound).below((unit * along).abs());
    if V::bits(is_out) == 0 {
        return v;
    }
    let flat = differences(v, scaled(normal, along));
    let left = dots(flat, flat);
    let factor = dots(v, v).div(left).sqrt();
    let factor = V::select(zero::<V>().below(left), factor, zero());
    chosen(is_out, scaled(flat, factor), v)
}
