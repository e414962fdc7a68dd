//! Usual compositions of a law, for which loops over contacts are compiled: then the parts of a law cost no
//! branches, and what a part keeps stays in registers.

use super::{Kept, Law, Normal, Rolling, Spring, Tangential, Twisting};

/// A composition without resistance to rolling and twisting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// gran/hooke/history.
    Hooke,
    /// gran/hertz/history.
    Hertz,
    /// hertz with mindlin friction.
    Mindlin,
}

pub(crate) const HOOKE: u8 = Usual::Hooke as u8;
pub(crate) const HERTZ: u8 = Usual::Hertz as u8;
pub(crate) const MINDLIN: u8 = Usual::Mindlin as u8;

impl Law {
    /// The usual composition that this law has; none if it has another one.
    pub(crate) fn usual(&self) -> Option<Usual> {
        let Tangential::Spring(spring) = self.tangential else {
            return None;
        };
        let is_plain = self.rolling == Rolling::None
            && self.twisting == Twisting::None
            && !self.limits_damping
            && !spring.rescales;
        if !is_plain {
            return None;
        }
        match (self.normal, spring.kept, spring.scales) {
            (Normal::Hooke { .. }, Kept::ProjectedDisplacement, false) => Some(Usual::Hooke),
            (Normal::Hertz { .. }, Kept::ProjectedDisplacement, true) => Some(Usual::Hertz),
            (Normal::Hertz { .. }, Kept::Displacement, true) => Some(Usual::Mindlin),
            _ => None,
        }
    }

    /// This law, which has the composition `USUAL`, with parts that the compiler knows.
    #[inline(always)]
    pub(crate) fn as_usual<const USUAL: u8>(&self) -> Self {
        let stiffness = match self.normal {
            Normal::Hooke { stiffness } | Normal::Hertz { stiffness } => stiffness,
            _ => 0.0,
        };
        let constants = match self.tangential {
            Tangential::Spring(spring) => [spring.stiffness, spring.damping, spring.friction],
            _ => [0.0; 3],
        };
        let [shear_stiffness, damping, friction] = constants;
        Self {
            normal: match USUAL {
                HOOKE => Normal::Hooke { stiffness },
                _ => Normal::Hertz { stiffness },
            },
            damping: self.damping,
            tangential: Tangential::Spring(Spring {
                stiffness: shear_stiffness,
                damping,
                friction,
                scales: USUAL != HOOKE,
                kept: match USUAL {
                    MINDLIN => Kept::Displacement,
                    _ => Kept::ProjectedDisplacement,
                },
                rescales: false,
            }),
            rolling: Rolling::None,
            twisting: Twisting::None,
            limits_damping: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Damping;

    #[test]
    fn usual_laws_are_themselves() {
        let spring = |scales: bool, kept: Kept| {
            Tangential::Spring(Spring {
                stiffness: 3.0,
                damping: 0.5,
                friction: 0.25,
                scales,
                kept,
                rescales: false,
            })
        };
        let hooke = Normal::Hooke { stiffness: 7.0 };
        let hertz = Normal::Hertz { stiffness: 8.0 };
        let damping = Damping::MassVelocity(2.0);
        let projected = Kept::ProjectedDisplacement;
        let law = Law::new(hooke, damping, spring(false, projected));
        assert_eq!(law.usual(), Some(Usual::Hooke));
        assert_eq!(law.as_usual::<HOOKE>(), law);
        let law = Law::new(hertz, damping, spring(true, projected));
        assert_eq!(law.usual(), Some(Usual::Hertz));
        assert_eq!(law.as_usual::<HERTZ>(), law);
        let law = Law::new(hertz, damping, spring(true, Kept::Displacement));
        assert_eq!(law.usual(), Some(Usual::Mindlin));
        assert_eq!(law.as_usual::<MINDLIN>(), law);
        let limited = Law {
            limits_damping: true,
            ..law
        };
        assert_eq!(limited.usual(), None);
        let law = Law::new(hertz, damping, spring(true, Kept::Force));
        assert_eq!(law.usual(), None);
    }
}
