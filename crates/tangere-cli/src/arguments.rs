//! The arguments that all subcommands share.

use clap::{Args, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tangere demo                                     a tour: look at tangere-demo/index.html
  tangere pairs spheres.npy -o pairs.npy           who might touch
  tangere generate foam --triangles 100000 -o foam.stl
  tangere info foam.stl                            what is right and wrong with a surface
  tangere convert foam.stl foam.ply --scale 0.001 --rotate x:90

Exit codes: 0 done, 1 failed, 2 wrong usage or bad input.";

/// Contact detection for simulation: who touches, how far, how deep, inside or out, and when.
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
    /// Threads to work on; 0 for all cores. Results do not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0,
          value_parser = threads, hide_default_value = true)]
    pub threads: usize,
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what is being done and how long it takes
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Info(crate::info::Info),
    Generate(crate::generate::Generate),
    Convert(crate::convert::Convert),
    Pairs(crate::pairs::Pairs),
    Demo(crate::demo::Demo),
    Completions(crate::completions::Completions),
}

/// The most threads that may be asked for.
const THREADS_MAX: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= THREADS_MAX => Ok(threads),
        _ => Err(format!("expected a whole number from 0 to {THREADS_MAX}")),
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err("expected a finite number".into()),
    }
}

/// `N` finite numbers separated by commas.
pub fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| number(word).ok()).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("expected {N} finite numbers separated by commas"))
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
}
