//! `cargo xtask bench`: the benchmarks, in release.

use crate::Stop;
use crate::step::Invocation;

/// Runs all benchmarks or the one named; whatever follows is theirs.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    let mut command = Invocation::cargo("run --release --package tangere-bench --");
    for argument in arguments.iter().filter(|a| *a != "--") {
        command = command.argument(argument);
    }
    command.run()
}
