//! `cargo xtask bench`: the benchmarks, in release.
//!
//! They are a workspace of their own, which `cargo xtask test` never sees, so
//! they are linted here before they run.

use crate::step::{Invocation, Step, run_all};
use crate::{Stop, target, tools};

/// Lints, then runs all benchmarks or those named; whatever follows is theirs.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    tools::component("fmt", "rustfmt")?;
    tools::component("clippy", "clippy")?;
    let format = Invocation::cargo("fmt --manifest-path bench/Cargo.toml --check");
    // In release as the benchmarks, which so find macros and build scripts of peers built.
    let clippy = cargo("clippy").words("--all-targets -- -D warnings");
    run_all("bench", vec![Step::new("lints", [format, clippy])])?;
    if arguments == ["--lint"] {
        return Ok(());
    }
    let mut command = cargo("run").argument("--");
    for argument in arguments.iter().filter(|a| *a != "--") {
        command = command.argument(argument);
    }
    command.run()
}

/// A command of cargo for the workspace of the benchmarks.
fn cargo(command: &str) -> Invocation {
    Invocation::cargo(command)
        .words("--release --manifest-path bench/Cargo.toml --target-dir")
        .argument(target().join("bench"))
}
