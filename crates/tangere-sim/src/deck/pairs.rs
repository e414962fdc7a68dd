//! `pair_style` and `pair_coeff`: the laws of all pairs of kinds.

use super::args::{Args, range};
use super::error::Problem;
use super::models::{Model, classic};
use crate::laws::Law;
use crate::setup::PairLaws;
use std::collections::BTreeMap;

/// The laws of pairs as they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Pairs {
    /// No contacts between spheres.
    #[default]
    None,
    /// One law for all: `gran/*`.
    Classic { law: Law, is_set: bool },
    /// Laws by pairs of kinds, lower kind first: `granular`.
    Granular(BTreeMap<(u32, u32), Model>),
}

/// The styles that are read.
pub(super) const STYLES: [&str; 5] = [
    "granular",
    "gran/hooke",
    "gran/hooke/history",
    "gran/hertz/history",
    "none",
];

impl Pairs {
    /// The command `pair_style`.
    pub fn parse(args: &mut Args) -> Result<Self, Problem> {
        let style = args.word("a pair style")?;
        let pairs = match style {
            "none" => Self::None,
            "granular" => {
                if !args.is_empty() {
                    args.number("a cutoff")?;
                }
                Self::Granular(BTreeMap::new())
            }
            other if STYLES.contains(&other) => Self::Classic {
                law: classic(other.trim_start_matches("gran/"), args)?,
                is_set: false,
            },
            other => return Err(Problem::unknown(other, "a pair style", &STYLES)),
        };
        args.end()?;
        Ok(pairs)
    }

    /// The command `pair_coeff`.
    pub fn set(&mut self, args: &mut Args, kinds: usize) -> Result<(), Problem> {
        let what = "an atom type";
        let first = range(args.word(what)?, what, 1, kinds as i64)?;
        let second = range(args.word(what)?, what, 1, kinds as i64)?;
        match self {
            Self::None => Err(Problem::new("pair_coeff", "a pair_style before it")),
            Self::Classic { is_set, .. } => {
                *is_set = true;
                args.end()
            }
            Self::Granular(models) => {
                let model = Model::parse(args, &[])?;
                for i in first.0..=first.1 {
                    for j in second.0..=second.1 {
                        let pair = (i.min(j) as u32 - 1, i.max(j) as u32 - 1);
                        models.insert(pair, model.clone());
                    }
                }
                Ok(())
            }
        }
    }

    /// The table of laws of all pairs of kinds.
    pub fn laws(&self, kinds: usize) -> Result<PairLaws, Problem> {
        let mut laws = PairLaws {
            kinds,
            laws: Vec::new(),
            table: vec![None; kinds * kinds],
            is_classic: false,
        };
        match self {
            Self::None => {}
            Self::Classic { law, is_set } => {
                if !is_set {
                    return Err(Problem::new("no pair_coeff", "pair_coeff * * before run"));
                }
                laws.laws.push(*law);
                laws.table.fill(Some(0));
                laws.is_classic = true;
            }
            Self::Granular(models) => {
                for i in 0..kinds {
                    for j in i..kinds {
                        let model = model_of(models, i as u32, j as u32)?;
                        let law = model.law()?;
                        let known = laws.laws.iter().position(|known| *known == law);
                        let number = known.unwrap_or_else(|| {
                            laws.laws.push(law);
                            laws.laws.len() - 1
                        });
                        for at in [i * kinds + j, j * kinds + i] {
                            laws.table[at] = Some(number as u32);
                        }
                    }
                }
            }
        }
        Ok(laws)
    }
}

/// The law of two kinds, mixed if it was not given.
fn model_of(models: &BTreeMap<(u32, u32), Model>, i: u32, j: u32) -> Result<Model, Problem> {
    if let Some(model) = models.get(&(i, j)) {
        return Ok(model.clone());
    }
    let missing = || {
        Problem::new(
            format!("no pair_coeff of atom types {} and {}", i + 1, j + 1),
            "one for each pair of types, or for both types with themselves",
        )
    };
    let (Some(a), Some(b)) = (models.get(&(i, i)), models.get(&(j, j))) else {
        return Err(missing());
    };
    a.mixed(b).ok_or_else(|| {
        Problem::new(
            format!("different models of atom types {} and {}", i + 1, j + 1),
            "pair_coeff of the two: only models of the same form are mixed",
        )
    })
}
