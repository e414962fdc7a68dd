//! `tangere completions`: completion scripts for shells.

use crate::arguments::Arguments;
use crate::console::Console;
use crate::failure::Failure;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  tangere completions bash > ~/.local/share/bash-completion/completions/tangere
  tangere completions fish > ~/.config/fish/completions/tangere.fish";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Prints the completion script.
pub fn run(options: &Completions, console: &Console) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Arguments::command(),
        "tangere",
        &mut script,
    );
    console.print(script)
}
