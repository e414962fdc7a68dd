//! Contact laws from the materials of a scene.
//!
//! What an interaction does not give follows from both materials: moduli by Hertz' effective modulus,
//! other constants by their geometric mean, as in LAMMPS. A constant that a material does not give has
//! its default: restitution 1, friction 0, surface energy 0, Poisson's ratio 0.25.

use crate::laws::{
    Damping, Kept, Law, Normal, Rolling, Spring, Tangential, Twisting, effective_modulus,
    effective_shear_modulus,
};
use tangere_io::Fault;
use tangere_io::scene::{ContactKeys, SceneInteraction, SceneMaterial, SimulationKeys};

/// Poisson's ratio of materials that give none.
const POISSON: f64 = 0.25;

/// The tangential stiffness of a linear spring, relative to the normal one, if none is given: periods of
/// normal and tangential vibrations of spheres are equal.
const TANGENTIAL: f64 = 2.0 / 7.0;

/// The law of two materials of a scene, by their numbers.
///
/// # Errors
/// When constants are missing or contradict each other.
pub(super) fn law_of(keys: &SimulationKeys, a: usize, b: usize) -> Result<Law, Fault> {
    let pair = [a.min(b), a.max(b)];
    let interaction = keys.interactions.iter().find(|own| own.materials == pair);
    let pair = Pair {
        materials: [&keys.materials[a], &keys.materials[b]],
        own: interaction,
    };
    let (normal, scale) = pair.normal()?;
    let mut law = Law::new(
        normal,
        pair.damping(&normal)?,
        pair.friction(&normal, scale)?,
    );
    law.rolling = match pair.choice("rolling", |keys| &keys.rolling)? {
        None => Rolling::None,
        Some(keys) => match keys.model.as_str() {
            "sds" => Rolling::Sds {
                stiffness: keys.stiffness,
                damping: keys.damping,
                friction: keys.friction,
            },
            "cdt" => Rolling::Cdt {
                friction: keys.friction,
            },
            "epsd" => Rolling::Epsd {
                damping: keys.damping,
                friction: keys.friction,
            },
            _ => Rolling::None,
        },
    };
    law.twisting = match pair.choice("twisting", |keys| &keys.twisting)? {
        None => Twisting::None,
        Some(keys) => match keys.model.as_str() {
            "sds" => Twisting::Sds {
                stiffness: keys.stiffness,
                damping: keys.damping,
                friction: keys.friction,
            },
            "marshall" => Twisting::Marshall,
            _ => Twisting::None,
        },
    };
    Ok(law)
}

/// Two materials, and what they have of their own as a pair.
struct Pair<'a> {
    materials: [&'a SceneMaterial; 2],
    own: Option<&'a SceneInteraction>,
}

/// The elastic constants from which a tangential stiffness follows.
enum Scale {
    /// Force per overlap.
    Stiffness(f64),
    /// The effective shear modulus.
    Shear(f64),
}

impl<'a> Pair<'a> {
    fn names(&self) -> String {
        let [a, b] = self.materials;
        match a.name == b.name {
            true => format!("material {:?}", a.name),
            false => format!("materials {:?} and {:?}", a.name, b.name),
        }
    }

    fn fault(&self, found: &str, expected: impl Into<String>) -> Fault {
        let place = self.own.map_or(self.materials[0].place, |own| own.place);
        Fault::new(place, format!("{} {found}", self.names()), expected)
    }

    /// A constant of the pair; of both materials, with their default, the geometric mean.
    fn mean(&self, of: impl Fn(&ContactKeys) -> Option<f64>, default: f64) -> f64 {
        if let Some(value) = self.own.and_then(|own| of(&own.contact)) {
            return value;
        }
        let [x, y] = self.materials.map(|m| of(&m.contact).unwrap_or(default));
        if x == y { x } else { (x * y).sqrt() }
    }

    /// A constant of the pair that both materials or the interaction give.
    fn given(&self, of: impl Fn(&ContactKeys) -> Option<f64>) -> Option<f64> {
        let is_given = |keys: &ContactKeys| of(keys).is_some();
        let own = self.own.is_some_and(|own| is_given(&own.contact));
        let both = self.materials.iter().all(|m| is_given(&m.contact));
        (own || both).then(|| self.mean(of, 0.0))
    }

    /// The same constant of each material, or that of the interaction for both.
    fn each(&self, of: impl Fn(&ContactKeys) -> Option<f64>) -> [Option<f64>; 2] {
        match self.own.and_then(|own| of(&own.contact)) {
            Some(value) => [Some(value); 2],
            None => self.materials.map(|m| of(&m.contact)),
        }
    }

    /// A choice by name: that of the interaction, or of both materials if they agree.
    fn choice<T: PartialEq>(
        &self,
        key: &str,
        of: impl Fn(&'a ContactKeys) -> &'a Option<T>,
    ) -> Result<Option<&'a T>, Fault> {
        if let Some(own) = self.own
            && let Some(value) = of(&own.contact)
        {
            return Ok(Some(value));
        }
        let [a, b] = self.materials.map(|m| of(&m.contact));
        match a == b {
            true => Ok(a.as_ref()),
            false => Err(self.fault(
                &format!("with different `{key}`"),
                "the same, or an [[interaction]] of both that gives it",
            )),
        }
    }

    fn normal(&self) -> Result<(Normal, Scale), Fault> {
        let stiffness = self.given(|keys| keys.stiffness);
        let young = self.each(|keys| keys.young);
        let energy = self.mean(|keys| keys.surface_energy, 0.0);
        let name = self.choice("normal", |keys| &keys.normal)?;
        let name = match name.map(String::as_str) {
            Some(name) => name,
            None if energy > 0.0 => "jkr",
            None if stiffness.is_some() => "hooke",
            None => "hertz",
        };
        if energy > 0.0 && !["dmt", "jkr"].contains(&name) {
            let found = format!("with a `surface_energy` and normal {name:?}");
            return Err(self.fault(&found, "normal \"dmt\" or \"jkr\""));
        }
        if name == "hooke" {
            let Some(stiffness) = stiffness else {
                return Err(self.fault("without `stiffness`", "force per overlap of the spring"));
            };
            return Ok((Normal::Hooke { stiffness }, Scale::Stiffness(stiffness)));
        }
        let [Some(e), Some(f)] = young else {
            let expected = match name {
                "hertz" => "Young's modulus, or `stiffness` of a linear spring",
                _ => "Young's modulus",
            };
            return Err(self.fault("without `young`", expected));
        };
        let ratios = self
            .each(|keys| keys.poisson)
            .map(|nu| nu.unwrap_or(POISSON));
        let modulus = effective_modulus([e, f], ratios);
        let shear = effective_shear_modulus([e, f], ratios);
        let stiffness = 4.0 / 3.0 * modulus;
        let normal = match name {
            "hertz" => Normal::Hertz { stiffness },
            "dmt" => Normal::Dmt { stiffness, energy },
            _ => Normal::Jkr { modulus, energy },
        };
        Ok((normal, Scale::Shear(shear)))
    }

    fn damping(&self, normal: &Normal) -> Result<Damping, Fault> {
        let name = self.choice("damping", |keys| &keys.damping)?;
        let restitution = self.mean(|keys| keys.restitution, 1.0);
        let constant = self.given(|keys| keys.damping_constant);
        let name = name.map_or("coeff_restitution", String::as_str);
        let takes_constant = ["velocity", "mass_velocity", "viscoelastic"].contains(&name);
        let constant = match (constant, takes_constant) {
            (Some(value), true) => value,
            (None, true) => {
                let found = format!("without `damping_constant` of {name:?}");
                return Err(self.fault(&found, "a number of at least 0"));
            }
            (Some(_), false) => {
                let found = format!("with a `damping_constant` and damping {name:?}");
                let expected = "damping \"velocity\", \"mass_velocity\" or \"viscoelastic\"";
                return Err(self.fault(&found, expected));
            }
            (None, false) => 0.0,
        };
        Ok(match name {
            "none" => Damping::None,
            "velocity" => Damping::Velocity(constant),
            "mass_velocity" => Damping::MassVelocity(constant),
            "viscoelastic" => Damping::Viscoelastic(constant),
            _ if restitution == 1.0 => Damping::None,
            "tsuji" => Damping::tsuji(restitution),
            _ => match normal {
                Normal::Hooke { .. } => Damping::restitution_of_hooke(restitution),
                _ => Damping::restitution_of_hertz(restitution),
            },
        })
    }

    fn friction(&self, normal: &Normal, scale: Scale) -> Result<Tangential, Fault> {
        let friction = self.mean(|keys| keys.friction, 0.0);
        let damping = self.mean(|keys| keys.tangential_damping, 1.0);
        let name = self.choice("tangential", |keys| &keys.tangential)?;
        let name = match name.map(String::as_str) {
            Some(name) => name,
            None if friction == 0.0 => "none",
            None if matches!(normal, Normal::Hooke { .. }) => "linear_history",
            None => "mindlin",
        };
        let stiffness = self.given(|keys| keys.tangential_stiffness);
        let is_mindlin = name.starts_with("mindlin");
        let stiffness = match (stiffness, scale) {
            (Some(stiffness), _) => stiffness,
            (None, Scale::Shear(shear)) if is_mindlin => 8.0 * shear,
            (None, Scale::Stiffness(normal)) if !is_mindlin => TANGENTIAL * normal,
            _ if ["none", "linear_nohistory"].contains(&name) => 0.0,
            _ => {
                let found = format!("without `tangential_stiffness` of {name:?}");
                return Err(self.fault(&found, "a number above 0"));
            }
        };
        Ok(match name {
            "none" => Tangential::None,
            "linear_nohistory" => Tangential::Slip { damping, friction },
            _ => Tangential::Spring(Spring {
                stiffness,
                damping,
                friction,
                scales: is_mindlin,
                kept: match name.ends_with("/force") {
                    true => Kept::Force,
                    false => Kept::Displacement,
                },
                rescales: name.contains("rescale"),
            }),
        })
    }
}
