//! `cargo xtask wheel`: builds the Python package as a wheel that installs without Rust, and tests it
//! in a clean environment.
//!
//! On Linux the linker of Zig links with the symbols of an old C library, so that the wheel runs on
//! all systems with that or a newer one.

use crate::step::{Invocation, Step, run_all};
use crate::{Stop, files_in, target, tools};
use std::path::PathBuf;

/// A use of the package that needs its compiled part and its files.
const FIRST_STEPS: &str = "import tangere, numpy; \
    mesh = tangere.generate.sphere(3); \
    assert tangere.closest(mesh, mesh, [3, 0, 0]).distance == 1; \
    assert len(tangere.pairs(numpy.zeros((2, 3)), [1.0, 1.0])) == 1; \
    print('tangere', tangere.__version__)";

/// Builds and tests the wheel.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    if let Some(other) = arguments.first() {
        return Err(Stop::Usage(format!(
            "found {other:?}, expected no arguments"
        )));
    }
    let folder = target().join("wheels/portable");
    let (builder, make) = tools::environment("wheel-builder")?;
    let pip = |python: &PathBuf| {
        Invocation::new(python).words("-m pip install --quiet --disable-pip-version-check")
    };
    let (tools, options) = match cfg!(target_os = "linux") {
        true => (
            "maturin>=1.9.4,<2 ziglang>=0.13",
            "--zig --compatibility manylinux2014",
        ),
        false => ("maturin>=1.9.4,<2", ""),
    };
    let environment = make.into_iter().chain([pip(&builder).words(tools)]);
    // An older wheel would be installed as well.
    let emptied = match folder.exists() {
        true => std::fs::remove_dir_all(&folder),
        false => Ok(()),
    };
    emptied.map_err(|error| Stop::Failure(format!("{}: {error}", folder.display())))?;
    let wheel = Invocation::new(&builder)
        .words("-m maturin build --release --manifest-path python/Cargo.toml")
        .words(options)
        .argument("--out")
        .argument(&folder)
        .with_programs_of(builder.parent().unwrap_or(&folder));
    let build = vec![Step::new("tools", environment), Step::new("wheel", [wheel])];
    run_all("wheel", build)?;

    let mut wheels = files_in(&folder);
    let (Some(wheel), None) = (wheels.pop(), wheels.pop()) else {
        return Err(Stop::Failure(format!(
            "{}: expected one wheel",
            folder.display()
        )));
    };
    let clean = target().join("wheel-clean");
    if clean.exists() {
        std::fs::remove_dir_all(&clean)
            .map_err(|error| Stop::Failure(format!("{}: {error}", clean.display())))?;
    }
    let (python, make) = tools::environment("wheel-clean")?;
    // No other package of the system and no source of the workspace is found from there.
    let first_steps = Invocation::new(&python)
        .words("-I -c")
        .argument(FIRST_STEPS)
        .within(target());
    let pytest = Invocation::new(&python).words("-m pytest -q python/tests");
    let check = vec![
        Step::new(
            "clean environment",
            make.into_iter().chain([pip(&python).argument(&wheel)]),
        ),
        Step::new("first steps", [first_steps]),
        Step::new(
            "tools of tests",
            [pip(&python).words("-r python/requirements-test.txt")],
        ),
        Step::new("python tests", [pytest]),
    ];
    run_all("wheel", check)?;
    println!("{}", wheel.display());
    Ok(())
}
