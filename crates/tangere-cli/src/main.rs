//! The program `tangere`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tangere_cli::run(std::env::args_os())
}
