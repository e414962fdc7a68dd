//! Contact laws from words: the models of `pair_style granular`, the classic ones of `gran/*`, and the
//! mixed laws of two kinds.
//!
//! As LAMMPS mixes them: constants by their geometric mean, moduli `E` and `nu` by Hertz' effective
//! modulus. A tangential stiffness from the material (`NULL`) then follows from the mixed constants.

use super::args::Args;
use super::error::Problem;
use crate::laws::{Damping, Kept, Law, Normal, Rolling, Spring, Tangential, Twisting};
use crate::laws::{effective_modulus, effective_shear_modulus};

/// A contact law in the words of LAMMPS.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    normal: String,
    /// Stiffness or modulus, damping or restitution, Poisson's ratio, surface energy.
    normal_constants: Vec<f64>,
    damping: String,
    tangential: String,
    /// Constants of friction; none for `NULL`.
    tangential_constants: Vec<Option<f64>>,
    rolling: Option<Vec<f64>>,
    twisting: Option<String>,
    twisting_constants: Vec<f64>,
    limits_damping: bool,
    /// The effective modulus, of a law that is mixed.
    mixed_modulus: Option<f64>,
}

const NORMALS: [&str; 5] = ["hooke", "hertz", "hertz/material", "dmt", "jkr"];
const DAMPINGS: [&str; 5] = [
    "velocity",
    "mass_velocity",
    "viscoelastic",
    "tsuji",
    "coeff_restitution",
];
const TANGENTIALS: [&str; 6] = [
    "linear_nohistory",
    "linear_history",
    "mindlin",
    "mindlin/force",
    "mindlin_rescale",
    "mindlin_rescale/force",
];
const PARTS: [&str; 7] = [
    "damping",
    "tangential",
    "rolling",
    "twisting",
    "heat",
    "cutoff",
    "limit_damping",
];

impl Model {
    /// Reads a law up to the end or up to one of `stops`.
    pub fn parse(args: &mut Args, stops: &[&str]) -> Result<Self, Problem> {
        let normal = args.word("a normal model")?;
        let count = match normal {
            "hooke" | "hertz" => 2,
            "hertz/material" => 3,
            "dmt" | "jkr" => 4,
            other => return Err(Problem::unknown(other, "a normal model", &NORMALS)),
        };
        let mut model = Self {
            normal: normal.to_string(),
            normal_constants: positives(args, count, "a constant of the normal model")?,
            damping: "viscoelastic".to_string(),
            tangential: String::new(),
            tangential_constants: Vec::new(),
            rolling: None,
            twisting: None,
            twisting_constants: Vec::new(),
            limits_damping: false,
            mixed_modulus: None,
        };
        while let Some(word) = args.peek() {
            if stops.contains(&word) {
                break;
            }
            args.next();
            model.read_part(word, args)?;
        }
        if model.tangential.is_empty() {
            return Err(Problem::missing(format!(
                "tangential and a model: {}",
                TANGENTIALS.join(", ")
            )));
        }
        if model.limits_damping && model.is_cohesive() {
            let found = format!("limit_damping with {}", model.normal);
            return Err(Problem::new(found, "limit_damping without cohesion"));
        }
        model.law()?;
        Ok(model)
    }

    fn read_part(&mut self, word: &str, args: &mut Args) -> Result<(), Problem> {
        match word {
            "damping" => {
                let name = args.word("a damping model")?;
                if !DAMPINGS.contains(&name) {
                    return Err(Problem::unknown(name, "a damping model", &DAMPINGS));
                }
                self.damping = name.to_string();
            }
            "tangential" => {
                let name = args.word("a tangential model")?;
                if !TANGENTIALS.contains(&name) {
                    return Err(Problem::unknown(name, "a tangential model", &TANGENTIALS));
                }
                self.tangential = name.to_string();
                self.tangential_constants.clear();
                if name != "linear_nohistory" {
                    let stiffness = match args.word("a tangential stiffness")? {
                        "NULL" if name.starts_with("mindlin") => None,
                        word => Some(positive(word, "a tangential stiffness")?),
                    };
                    self.tangential_constants.push(stiffness);
                }
                for what in ["the tangential damping", "the coefficient of friction"] {
                    let value = positive(args.word(what)?, what)?;
                    self.tangential_constants.push(Some(value));
                }
            }
            "rolling" => {
                self.rolling = match args.word("a rolling model")? {
                    "none" => None,
                    "sds" => Some(positives(args, 3, "a constant of rolling")?),
                    other => {
                        return Err(Problem::unknown(other, "a rolling model", &["none", "sds"]));
                    }
                }
            }
            "twisting" => {
                let name = args.word("a twisting model")?;
                (self.twisting, self.twisting_constants) = match name {
                    "none" => (None, Vec::new()),
                    "marshall" => (Some(name.to_string()), Vec::new()),
                    "sds" => {
                        let constants = positives(args, 3, "a constant of twisting")?;
                        (Some(name.to_string()), constants)
                    }
                    other => {
                        let known = ["none", "sds", "marshall"];
                        return Err(Problem::unknown(other, "a twisting model", &known));
                    }
                };
            }
            "heat" => match args.word("a heat model")? {
                "none" => {}
                other => return Err(Problem::new(other, "none: heat is not simulated")),
            },
            "cutoff" => {
                args.number("a cutoff")?;
            }
            "limit_damping" => self.limits_damping = true,
            other => return Err(Problem::unknown(other, "a part of a law", &PARTS)),
        }
        Ok(())
    }

    fn is_cohesive(&self) -> bool {
        ["dmt", "jkr"].contains(&self.normal.as_str())
    }

    fn is_material(&self) -> bool {
        self.is_cohesive() || self.normal == "hertz/material"
    }

    /// The law of two kinds that have laws of the same form with themselves; none if the forms differ.
    pub fn mixed(&self, other: &Self) -> Option<Self> {
        let is_alike = self.normal == other.normal
            && self.damping == other.damping
            && self.tangential == other.tangential
            && self.rolling.is_some() == other.rolling.is_some()
            && self.twisting == other.twisting;
        if !is_alike {
            return None;
        }
        let means = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let pairs = a.iter().zip(b);
            pairs.map(|(x, y)| (x * y).sqrt()).collect()
        };
        let mut mixed = self.clone();
        mixed.normal_constants = means(&self.normal_constants, &other.normal_constants);
        if self.is_material() {
            let (a, b) = (&self.normal_constants, &other.normal_constants);
            let modulus = effective_modulus([a[0], b[0]], [a[2], b[2]]);
            mixed.normal_constants[0] = modulus;
            mixed.mixed_modulus = Some(modulus);
        }
        let constants = self.tangential_constants.iter();
        mixed.tangential_constants = constants
            .zip(&other.tangential_constants)
            .map(|(x, y)| Some((x.as_ref()? * y.as_ref()?).sqrt()))
            .collect();
        if let (Some(a), Some(b)) = (&self.rolling, &other.rolling) {
            mixed.rolling = Some(means(a, b));
        }
        mixed.twisting_constants = means(&self.twisting_constants, &other.twisting_constants);
        mixed.limits_damping |= other.limits_damping;
        Some(mixed)
    }

    /// The law.
    pub fn law(&self) -> Result<Law, Problem> {
        let constant = |i: usize| self.normal_constants.get(i).copied().unwrap_or_default();
        let (first, restitution, ratio, energy) =
            (constant(0), constant(1), constant(2), constant(3));
        let modulus = || {
            let own = || effective_modulus([first; 2], [ratio; 2]);
            self.mixed_modulus.unwrap_or_else(own)
        };
        if self.is_material() && (first <= 0.0 || ratio >= 1.0) {
            let found = format!("modulus {first} and Poisson's ratio {ratio}");
            return Err(Problem::new(found, "a modulus above 0 and a ratio below 1"));
        }
        let normal = match self.normal.as_str() {
            "hooke" => Normal::Hooke { stiffness: first },
            "hertz" => Normal::Hertz { stiffness: first },
            "hertz/material" => Normal::Hertz {
                stiffness: 4.0 / 3.0 * modulus(),
            },
            "dmt" => Normal::Dmt {
                stiffness: 4.0 / 3.0 * modulus(),
                energy,
            },
            _ => Normal::Jkr {
                modulus: modulus(),
                energy,
            },
        };
        let damping = match self.damping.as_str() {
            "velocity" => Damping::Velocity(restitution),
            "mass_velocity" => Damping::MassVelocity(restitution),
            "viscoelastic" => Damping::Viscoelastic(restitution),
            "tsuji" => Damping::tsuji(restitution),
            _ => match normal {
                Normal::Hooke { .. } => Damping::restitution_of_hooke(restitution),
                _ => Damping::restitution_of_hertz(restitution),
            },
        };
        let mut law = Law::new(normal, damping, self.friction(first, ratio)?);
        if let Some([stiffness, damping, friction]) = self.rolling.as_deref() {
            (law.rolling) = Rolling::Sds {
                stiffness: *stiffness,
                damping: *damping,
                friction: *friction,
            };
        }
        law.twisting = match (self.twisting.as_deref(), self.twisting_constants.as_slice()) {
            (Some("marshall"), _) => Twisting::Marshall,
            (Some(_), [stiffness, damping, friction]) => Twisting::Sds {
                stiffness: *stiffness,
                damping: *damping,
                friction: *friction,
            },
            _ => Twisting::None,
        };
        law.limits_damping = self.limits_damping;
        Ok(law)
    }

    fn friction(&self, modulus: f64, ratio: f64) -> Result<Tangential, Problem> {
        let name = self.tangential.as_str();
        match self.tangential_constants.as_slice() {
            [damping, friction] => Ok(Tangential::Slip {
                damping: damping.unwrap_or_default(),
                friction: friction.unwrap_or_default(),
            }),
            [stiffness, damping, friction] => {
                let stiffness = match stiffness {
                    Some(stiffness) => *stiffness,
                    None if self.is_material() => {
                        8.0 * effective_shear_modulus([modulus; 2], [ratio; 2])
                    }
                    None => {
                        return Err(Problem::new(
                            format!("NULL with {}", self.normal),
                            "a tangential stiffness, or hertz/material, dmt or jkr",
                        ));
                    }
                };
                Ok(Tangential::Spring(Spring {
                    stiffness,
                    damping: damping.unwrap_or_default(),
                    friction: friction.unwrap_or_default(),
                    scales: name.starts_with("mindlin"),
                    kept: match name.ends_with("/force") {
                        true => Kept::Force,
                        false => Kept::Displacement,
                    },
                    rescales: name.contains("rescale"),
                }))
            }
            _ => Err(Problem::missing("constants of the tangential model")),
        }
    }
}

/// The law of `gran/hooke`, `gran/hooke/history` or `gran/hertz/history`, from its six constants.
pub(super) fn classic(name: &str, args: &mut Args) -> Result<Law, Problem> {
    let stiffness = positive(args.word("Kn")?, "Kn")?;
    let or_null = |word: &str, what: &str, default: f64| match word {
        "NULL" => Ok(default),
        word => positive(word, what),
    };
    let tangential = or_null(args.word("Kt")?, "Kt", stiffness * 2.0 / 7.0)?;
    let damping = positive(args.word("gamma_n")?, "gamma_n")?;
    let slip = or_null(args.word("gamma_t")?, "gamma_t", 0.5 * damping)?;
    let friction = positive(args.word("xmu")?, "xmu")?;
    let slip = match args.word("dampflag")? {
        "0" => 0.0,
        "1" => slip,
        other => return Err(Problem::new(other, "dampflag: 0 or 1")),
    };
    if slip > 0.0 && damping == 0.0 {
        return Err(Problem::new(
            format!("gamma_t {slip} with gamma_n 0"),
            "gamma_t 0, or gamma_n above 0",
        ));
    }
    let relative = if damping > 0.0 { slip / damping } else { 0.0 };
    let spring = Tangential::Spring(Spring {
        stiffness: tangential,
        damping: relative,
        friction,
        scales: name == "hertz/history",
        kept: Kept::ProjectedDisplacement,
        rescales: false,
    });
    let mut law = match name {
        "hooke" => Law::new(
            Normal::Hooke { stiffness },
            Damping::MassVelocity(damping),
            Tangential::Slip {
                damping: relative,
                friction,
            },
        ),
        "hooke/history" => Law::new(
            Normal::Hooke { stiffness },
            Damping::MassVelocity(damping),
            spring,
        ),
        "hertz/history" => Law::new(
            Normal::Hertz { stiffness },
            Damping::Viscoelastic(damping),
            spring,
        ),
        other => {
            let known = ["hooke", "hooke/history", "hertz/history", "granular"];
            return Err(Problem::unknown(other, "a law", &known));
        }
    };
    law.limits_damping = args.take("limit_damping");
    Ok(law)
}

fn positive(word: &str, what: &str) -> Result<f64, Problem> {
    let value = super::args::number(word, what)?;
    match value >= 0.0 {
        true => Ok(value),
        false => Err(Problem::new(word, format!("{what}: not negative"))),
    }
}

fn positives(args: &mut Args, count: usize, what: &str) -> Result<Vec<f64>, Problem> {
    (0..count)
        .map(|_| positive(args.word(what)?, what))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(text: &str) -> Result<Model, Problem> {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        Model::parse(&mut Args::new(&words), &[])
    }

    #[test]
    fn mixing_is_that_of_lammps() {
        let a = model("hertz/material 1e9 0.5 0.3 tangential mindlin NULL 1.0 0.4").unwrap();
        let b = model("hertz/material 4e9 0.8 0.2 tangential mindlin NULL 1.0 0.9").unwrap();
        let law = a.mixed(&b).unwrap().law().unwrap();
        let modulus = 1.0 / ((1.0 - 0.09) / 1e9 + (1.0 - 0.04) / 4e9);
        assert_eq!(
            law.normal,
            Normal::Hertz {
                stiffness: 4.0 / 3.0 * modulus
            }
        );
        assert_eq!(law.damping, Damping::Viscoelastic(0.4_f64.sqrt()));
        let Tangential::Spring(spring) = law.tangential else {
            panic!("{law:?}");
        };
        assert!((spring.friction - 0.6).abs() < 1e-15);
        let ratio = 0.06_f64.sqrt();
        let shear = modulus / (4.0 * (2.0 - ratio) * (1.0 + ratio));
        assert!((spring.stiffness / (8.0 * shear) - 1.0).abs() < 1e-14);
        let c = model("hertz 1e9 0.5 tangential mindlin 1e9 1.0 0.4").unwrap();
        assert_eq!(a.mixed(&c), None);
    }

    #[test]
    fn bad_laws() {
        for (text, found) in [
            ("hook 1 2", "hook"),
            ("hooke 1", "the end of the command"),
            ("hooke 1 2", "the end of the command"),
            ("hooke -1 2 tangential linear_nohistory 0 0", "-1"),
            ("hertz 1 2 tangential mindlin NULL 0 0", "NULL with hertz"),
            ("hooke 1 2 tangential linear_history NULL 0 0", "NULL"),
            (
                "hooke 1 2 tangential linear_nohistory 0 0 damping tsuj",
                "tsuj",
            ),
            (
                "hertz/material 0 1 0.3 tangential mindlin NULL 0 0",
                "modulus 0 and Poisson's ratio 0.3",
            ),
        ] {
            let problem = model(text).unwrap_err();
            assert_eq!(problem.found, found, "{text}");
        }
    }
}
