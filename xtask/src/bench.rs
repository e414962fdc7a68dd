//! `cargo xtask bench`: lints the benchmarks and runs them in release mode.
//!
//! The benchmarks are a separate workspace. `cargo xtask test` does not cover it, so it is linted
//! here before the benchmarks run.

use crate::step::{Invocation, Step, run_all};
use crate::{Stop, target, tools};

/// Lints, then runs all benchmarks or the named ones; other arguments are passed to them.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    tools::component("fmt", "rustfmt")?;
    tools::component("clippy", "clippy")?;
    let format = Invocation::cargo("fmt --manifest-path bench/Cargo.toml --check");
    // In release like the benchmarks, so that macros and build scripts of peers are built once.
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

/// Returns a cargo command, in release mode, for the workspace of the benchmarks.
fn cargo(command: &str) -> Invocation {
    Invocation::cargo(command)
        .words("--release --manifest-path bench/Cargo.toml --target-dir")
        .argument(target().join("bench"))
}
