//! Arguments of the program: subcommands, general options, and parsers of values.

use crate::failure::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use nalgebra::UnitQuaternion;
use std::ffi::OsString;
use tangere::Argument;
use tangere::geometry::rotation_from_str;

const EXAMPLES: &str = "\
Examples:
  tangere demo                                     a tour, as a page
  tangere pairs spheres.npy -o pairs.npy           broad phase: pairs that touch
  tangere inside body.stl points.npy -o sides.npy  point containment
  tangere closest a.stl b.stl --convex             distance or penetration depth
  tangere distance body.stl --grid 80 -o field.vti  signed distance field
  tangere intersect a.stl b.stl -o pairs.npy       intersecting triangles
  tangere overlap a.stl b.stl --pose-b 0.5,0,0     penetration volume and force
  tangere pack a.stl --spheres 20000 -o a.npy      sphere packing, for overlap
  tangere contacts scene.toml -o contacts.csv      bodies of any shape: contacts
  tangere replay pair.bin                          one pair, by every method
  tangere impact scene.toml -o impacts.csv         moving bodies: first contacts
  tangere meetings balls.csv                       times of impact of balls
  tangere ccd queries.csv --kind vertex-face       of vertices, edges and faces
  tangere gas spheres.csv --until 10               event-driven hard spheres
  tangere simulate in.chute --out results          granular matter, LAMMPS decks
  tangere generate foam --triangles 100000 -o foam.stl
  tangere info foam.stl                            defects of a surface
  tangere convert foam.stl foam.ply --scale 0.001 --rotate x:90
  tangere generate particles -o discs.npy --dim 2 && tangere info discs.npy
  tangere reproduce leszczynski2004 --quick        claims of papers, measured

Exit codes: 0 done, 1 failed, 2 wrong usage or bad input; after a signal, as shells report it, \
130 (SIGINT) or 143 (SIGTERM).";

/// Contact detection for simulation: broad phase, point containment, distance, penetration depth
/// and volume, continuous collision detection.
#[derive(Debug, Parser)]
#[command(name = "tangere", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    #[command(flatten)]
    pub general: General,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that may stand before or after the subcommand.
#[derive(Args, Debug)]
#[command(next_help_heading = "General options")]
pub struct General {
    /// Number of threads, at most 1024 and twice the cores; 0 for all cores
    ///
    /// Results do not depend on it.
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true,
          allow_negative_numbers = true, value_parser = |text: &str| whole::<usize>(text, 0, 1024))]
    pub threads: usize,
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print each stage and how long it takes
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// Parses the arguments of the program; the first is its name.
pub fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let command = with_negative_values(Arguments::command());
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// Returns a command whose options take a negative number as their value, so that it is their
/// parser that refuses it: it says what is expected.
fn with_negative_values(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| match takes_value(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    command.mut_subcommands(with_negative_values)
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Info(crate::info::Info),
    Generate(crate::generate::Generate),
    Convert(crate::convert::Convert),
    Pairs(crate::pairs::Pairs),
    Inside(crate::inside::Inside),
    Closest(crate::closest::Closest),
    Distance(crate::distance::Distance),
    Intersect(crate::intersect::Intersect),
    Pack(crate::pack::Pack),
    Overlap(crate::overlap::OverlapOptions),
    Contacts(crate::contacts::ContactOptions),
    Replay(crate::replay::Replay),
    Impact(crate::impact::ImpactOptions),
    Ccd(crate::ccd::Ccd),
    Meetings(crate::meetings::Meetings),
    Gas(crate::gas::Gas),
    Simulate(crate::simulate::Simulate),
    Reproduce(crate::reproduce::Reproduce),
    Demo(crate::demo::Demo),
    Completions(crate::completions::Completions),
}

/// Largest integer up to which all have a float64 of their own: 2^53.
pub const EXACT_INTEGERS: u64 = 1 << 53;

/// Parses a whole number from `least` to `most`. Notation such as `1e5` is accepted.
pub fn whole<T: TryFrom<u64>>(text: &str, least: u64, most: u64) -> Result<T, String> {
    // Beyond 2^53 distinct integers may round to the same f64.
    const EXACT: f64 = EXACT_INTEGERS as f64;
    let written_out = text.trim().parse::<u64>().ok();
    let number = written_out.or_else(|| match text.trim().parse::<f64>() {
        Ok(x) if (0.0..EXACT).contains(&x) && x.fract() == 0.0 => Some(x as u64),
        _ => None,
    });
    number
        .filter(|number| (least..=most).contains(number))
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

/// Parses a finite number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err("expected a finite number".into()),
    }
}

/// Parses `N` finite numbers separated by commas.
pub fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let expected = format!("expected {N} finite numbers separated by commas");
    let numbers = separated(text, |word| number(word).ok(), &expected)?;
    numbers.try_into().map_err(|_| expected)
}

/// Parses values separated by commas. The error is `expected`, and names the value that is refused.
pub fn separated<T>(
    text: &str,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<Vec<T>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let parsed = |(i, word): (usize, &&str)| {
        parse(word).ok_or_else(|| match words.len() {
            1 => expected.to_owned(),
            n => format!("{expected}; number {} of {n} is {word:?}", i + 1),
        })
    };
    words.iter().enumerate().map(parsed).collect()
}

/// Parses a finite number, 0 or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    let found = number(text).ok().filter(|x| *x >= 0.0);
    found.ok_or_else(|| "expected a finite number, 0 or more".into())
}

/// Value of an option: numbers separated by commas, infinite ones included. Their count is checked
/// once the dimension is known.
#[derive(Clone, Debug, PartialEq)]
pub struct List(pub Vec<f64>);

/// Parses numbers separated by commas; infinite ones are accepted, NaN is not.
pub fn list(text: &str) -> Result<List, String> {
    let number = |word: &str| word.parse().ok().filter(|x: &f64| !x.is_nan());
    separated(text, number, "expected numbers separated by commas").map(List)
}

impl List {
    /// Returns the numbers; an error unless there are `each` numbers for each of the `dimension`
    /// axes.
    pub fn take(&self, option: &str, each: usize, dimension: usize) -> Result<&[f64], Failure> {
        let (found, expected) = (self.0.len(), each * dimension);
        let space = if dimension == 2 { "the plane" } else { "space" };
        match found == expected {
            true => Ok(&self.0),
            false => Err(Failure::Input(format!(
                "{option}: found {found} numbers, expected {expected} in {space}"
            ))),
        }
    }
}

/// Returns a parser for an option: its text must be the `name` of one of the values in `all`.
pub fn chosen<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name)).try_map(move |word| {
        let found = all.into_iter().find(|&one| name(one) == word);
        found.ok_or("unknown name")
    })
}

/// Parses a rotation: an axis and an angle in degrees, such as `x:90` or `1,1,0:30`, or a unit
/// quaternion `w,x,y,z`.
pub fn rotation(text: &str) -> Result<UnitQuaternion<f64>, String> {
    const FORMS: &str =
        "x, y, z or three numbers, then :degrees, or a quaternion w,x,y,z of length 1";
    rotation_from_str(text).map_err(|error| match error {
        // The form is valid but the numbers are not: report the numbers as well.
        tangere::Error::Argument {
            what: Argument::RotationAxis | Argument::RotationQuaternion,
            found,
            expected,
        } => format!("found {found}, expected {expected} ({FORMS})"),
        _ => format!("expected {FORMS}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn numbers_between_commas() {
        assert_eq!(numbers("-1,2.5, 3e2"), Ok([-1.0, 2.5, 300.0]));
        for bad in ["", "1,2", "1,2,3,4", "1,nan,2", "1,inf,2", "1,,2", "a,b,c"] {
            assert!(numbers::<3>(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn whole_numbers_within_limits() {
        assert_eq!(whole::<u32>("12", 0, 12), Ok(12));
        assert_eq!(whole::<usize>("1e5", 500, 1 << 27), Ok(100_000));
        assert_eq!(
            whole::<u64>(&u64::MAX.to_string(), 0, u64::MAX),
            Ok(u64::MAX)
        );
        for bad in ["", "-1", "13", "1.5", "1e-1", "nan", "inf", "many", "1e300"] {
            let message = whole::<u32>(bad, 0, 12).unwrap_err();
            assert_eq!(message, "expected a whole number from 0 to 12", "{bad:?}");
        }
    }

    #[test]
    fn rotations_say_what_they_can_be() {
        assert_eq!(rotation("-x:90"), rotation("x:-90"));
        for bad in [
            "", "x", "x:", "w:90", "x:ninety", "1,2:3", "1,2,3", "0,0,0:1", "2,0,0,0",
        ] {
            let message = rotation(bad).unwrap_err();
            let forms = "x, y, z or three numbers, then :degrees, or a quaternion w,x,y,z";
            assert!(message.contains(forms), "{bad:?}: {message}");
        }
        assert!(rotation("2,0,0,0").unwrap_err().contains("of length 2"));
    }
}
