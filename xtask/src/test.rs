//! `cargo xtask test`: runs all checks that a change must pass.
//!
//! Cheap checks come first. Tests, examples and the Python package share one
//! profile (`dev`, optimised a little) so that dependencies are built once.

use crate::step::{Invocation, Step, run_all};
use crate::{Stop, files_in, root, target, tools};

/// Runs all checks.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    let mut long = false;
    for argument in arguments {
        match argument.as_str() {
            "--long" => long = true,
            other => {
                return Err(Stop::Usage(format!("found {other:?}, expected --long")));
            }
        }
    }
    tools::component("fmt", "rustfmt")?;
    tools::component("clippy", "clippy")?;

    let mut steps = vec![
        Step::new("format", [Invocation::cargo("fmt --all --check")]),
        Step::new(
            "clippy",
            [Invocation::cargo(
                "clippy --workspace --all-targets -- -D warnings",
            )],
        ),
        Step::new("licences", [Invocation::cargo("xtask licences")]),
        Step::new(
            "documentation",
            [Invocation::cargo("doc --workspace --no-deps")
                .variable("RUSTDOCFLAGS", "-D warnings")],
        ),
        Step::new("tests", rust_tests(long)),
        Step::new("examples", examples()?),
    ];
    steps.extend(python(long)?);
    run_all(if long { "test --long" } else { "test" }, steps)
}

/// Returns the commands of the unit, integration and documentation tests; with `long`, in release
/// mode and with the long tests.
fn rust_tests(long: bool) -> Vec<Invocation> {
    if !long {
        return vec![Invocation::cargo("test --workspace --no-fail-fast")];
    }
    // Long tests are marked `ignore`; so are documentation examples that only
    // illustrate, and those must not be run. Hence two commands.
    vec![
        Invocation::cargo("test --workspace --no-fail-fast --release --lib --bins --tests")
            .words("-- --include-ignored")
            .variable("TANGERE_LONG", "1"),
        Invocation::cargo("test --workspace --no-fail-fast --release --doc"),
    ]
}

/// Returns the commands that run every example of every crate, in a folder where it may leave
/// files. The examples of the whole workspace are built first, which does nothing after the tests.
/// Building a single package would use other features and rebuild dependencies.
fn examples() -> Result<Vec<Invocation>, Stop> {
    let scratch = target().join("examples-output");
    std::fs::create_dir_all(&scratch)
        .map_err(|error| Stop::Failure(format!("{}: {error}", scratch.display())))?;
    let mut commands = vec![Invocation::cargo("build --workspace --examples")];
    for package in files_in(&root().join("crates")) {
        for example in files_in(&package.join("examples")) {
            let is_source = example.extension().is_some_and(|ending| ending == "rs");
            if !is_source && !example.join("main.rs").is_file() {
                continue;
            }
            if let Some(name) = example.file_stem() {
                let program = target().join("debug/examples").join(name);
                commands.push(
                    Invocation::new(program.with_extension(std::env::consts::EXE_EXTENSION))
                        .within(&scratch),
                );
            }
        }
    }
    Ok(commands)
}

/// Returns the steps that build and test the Python package in its own virtual environment.
fn python(long: bool) -> Result<Vec<Step>, Stop> {
    let (python, make) = tools::environment("venv")?;
    let programs = python.parent().unwrap_or(root()).to_owned();
    let python = || Invocation::new(&python);
    let pip = || python().words("-m pip install --quiet --disable-pip-version-check");
    let environment = make
        .into_iter()
        .chain([pip().words("-r python/requirements-test.txt")]);
    // The maturin of the environment builds with the profile of the tests; the new
    // build must replace an older one of the same version.
    let package = pip()
        .words("--no-build-isolation --no-deps --force-reinstall")
        .words("--config-settings=build-args=--profile=dev ./python")
        .with_programs_of(programs);
    let mut pytest = python().words("-m pytest -q python/tests");
    if long {
        pytest = pytest.variable("TANGERE_LONG", "1");
    }
    // In another folder, so that `import tangere` finds the package and not the sources.
    let stubtest = python().words("-m mypy.stubtest tangere").within(target());
    Ok(vec![
        // Mostly waits for the network, so it need not wait for the compiler.
        Step::new("python environment", environment).early(),
        Step::new("python package", [package]),
        Step::new("python tests", [pytest]),
        Step::new("python stubs", [stubtest]),
    ])
}
