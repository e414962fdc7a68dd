//! `cargo xtask fuzz`: runs the fuzz targets, which feed random and mutated input to every parser.

use crate::step::{Invocation, Step, run_all};
use crate::{Stop, files_in, root, tools};

/// Runs all fuzz targets or the named one, each for the same time.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    let mut asked = None;
    let mut seconds = 60u64;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--seconds" => {
                let value = rest.next().map(String::as_str).unwrap_or("nothing");
                seconds = value.parse().map_err(|_| {
                    Stop::Usage(format!("--seconds: found {value}, expected a whole number"))
                })?;
            }
            other if other.starts_with('-') || asked.is_some() => {
                return Err(Stop::Usage(format!(
                    "found {other:?}, expected [TARGET] [--seconds N]"
                )));
            }
            name => asked = Some(name.to_owned()),
        }
    }
    let known: Vec<String> = files_in(&root().join("fuzz/fuzz_targets"))
        .iter()
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect();
    let targets = match asked {
        None => known,
        Some(name) if known.contains(&name) => vec![name],
        Some(name) => {
            return Err(Stop::Usage(format!(
                "found fuzz target {name:?}, expected one of {}",
                known.join(", ")
            )));
        }
    };
    tools::fuzzer()?;
    let commands = targets.iter().map(|target| campaign(target, seconds));
    run_all("fuzz", vec![Step::new("fuzz", commands)])
}

fn campaign(target: &str, seconds: u64) -> Invocation {
    // rustup selects the toolchain, which the cargo that runs this program cannot.
    let mut command = Invocation::new("rustup")
        .words("run nightly cargo fuzz run")
        .argument(target);
    // libFuzzer writes new inputs to the first folder and only reads the others.
    let seeds = format!("fuzz/seeds/{target}");
    if root().join(&seeds).is_dir() {
        let corpus = format!("fuzz/corpus/{target}");
        command = command.argument(corpus).argument(seeds);
    }
    command
        .argument("--")
        .argument(format!("-max_total_time={seconds}"))
}
