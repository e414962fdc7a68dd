//! The program `tangere`.

use std::process::ExitCode;
use tangere_cli::ExitingAllocator;

#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

fn main() -> ExitCode {
    tangere_cli::report_panics_in_one_line();
    tangere_cli::remove_unfinished_on_signals();
    tangere_cli::run(std::env::args_os())
}
