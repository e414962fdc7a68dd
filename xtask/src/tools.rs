//! External tools of the tasks. Components of the Rust toolchain and Python's venv module are
//! installed if they are missing; for other tools an error of one line says how to install them.

use crate::step::Invocation;
use crate::{Stop, target};
use std::path::PathBuf;

/// Ensures that a component of the Rust toolchain is installed.
pub fn component(command: &str, component: &str) -> Result<(), Stop> {
    let found = Invocation::cargo(command).argument("--version");
    if found.succeeds() {
        return Ok(());
    }
    let install = Invocation::new("rustup")
        .words("component add")
        .argument(component);
    if install.succeeds() && found.succeeds() {
        return Ok(());
    }
    Err(Stop::Failure(format!(
        "cargo {command} is missing: install it with `{install}` (or the package {component} of your system)"
    )))
}

/// Returns the name of the system's Python, 3.10 or newer; an error if there is none.
fn system_python() -> Result<String, Stop> {
    let asked = std::env::var("PYTHON").ok();
    let names = asked
        .iter()
        .map(String::as_str)
        .chain(["python3", "python"]);
    for name in names {
        let new_enough = "import sys; sys.exit(sys.version_info < (3, 10))";
        if Invocation::new(name)
            .argument("-c")
            .argument(new_enough)
            .succeeds()
        {
            return Ok(name.to_owned());
        }
    }
    Err(Stop::Failure(
        "Python 3.10 or newer is missing: install it (python3, python3-venv), or name it in the variable PYTHON".into(),
    ))
}

/// Returns the Python of a virtual environment under the target folder, and the command that creates
/// the environment; none if it exists.
pub fn environment(name: &str) -> Result<(PathBuf, Option<Invocation>), Stop> {
    let folder = target().join(name);
    let python = folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    if Invocation::new(&python)
        .words("-m pip --version")
        .succeeds()
    {
        return Ok((python, None));
    }
    let system = system_python()?;
    let complete = Invocation::new(&system)
        .words("-c")
        .argument("import venv, ensurepip");
    if !complete.succeeds() {
        // Debian splits it off. Only the administrator may install it.
        Invocation::new("apt-get")
            .words("install -y python3-venv")
            .succeeds();
    }
    if !complete.succeeds() {
        return Err(Stop::Failure(
            "Python's venv module is missing: install it (Debian, Ubuntu: apt-get install python3-venv)".into(),
        ));
    }
    // What an older or moved Python left behind is of no use.
    let make = Invocation::new(system)
        .words("-m venv --clear")
        .argument(&folder);
    Ok((python, Some(make)))
}

/// Checks that `cargo fuzz` can run: an error if it or a nightly toolchain is missing.
pub fn fuzzer() -> Result<(), Stop> {
    if !Invocation::new("rustup")
        .words("run nightly cargo --version")
        .succeeds()
    {
        return Err(Stop::Failure(
            "fuzzing needs a nightly toolchain: install it with `rustup toolchain install nightly`"
                .into(),
        ));
    }
    if !Invocation::cargo("fuzz --version").succeeds() {
        return Err(Stop::Failure(
            "cargo fuzz is missing: install it with `cargo install cargo-fuzz`".into(),
        ));
    }
    Ok(())
}
