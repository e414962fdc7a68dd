//! The program `tangere`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tangere_cli::remove_unfinished_on_signals();
    tangere_cli::run(std::env::args_os())
}
