//! The program `tangere` as a function: [`run`] takes the arguments and returns the exit code.
//!
//! Conventions of all subcommands, on which scripts may rely:
//!
//! - Data goes to standard output or to the file of `-o/--out`; `-o -` is CSV to
//!   standard output wherever rows are written. `--json` prints exactly one object
//!   there. Notes and progress go to standard error.
//! - Exit code 0: done. 1: failed, for a reason outside the input. 2: wrong
//!   usage or bad input. After an error there is one line on standard error,
//!   nothing on standard output and no new file.
//! - A reader that closes the pipe early is no error.
//! - A signal that ends the program leaves no unfinished file.
//! - Running out of memory is exit code 1, whichever allocation fails.
//! - The result is identical for any `--threads`.

mod arguments;
mod ccd;
mod closest;
mod common_options;
mod completions;
mod console;
mod convert;
mod demo;
mod failure;
mod files;
mod gas;
mod generate;
mod impact;
mod info;
mod inside;
mod intersect;
mod meetings;
mod out_of_memory;
mod output;
mod overlap;
mod pack;
mod pairs;
mod panics;
mod reproduce;
mod sample;
mod signals;
mod times;

use arguments::{Arguments, Command};
use clap::Parser;
use console::Console;
use failure::Failure;
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use tangere_front::threads;

pub use out_of_memory::ExitingAllocator;
pub use panics::report_panics_in_one_line;
pub use signals::remove_unfinished_on_signals;

/// Runs the program and returns its exit code. The first of the `arguments` is the name of the
/// program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(message) => return refused(&message),
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| dispatch(&arguments)))
        .unwrap_or_else(|_| Err(Failure::Work(panics::message())));
    match outcome {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Input(message)) => failed(&message, 2),
        Err(Failure::Work(message)) => failed(&message, 1),
    }
}

/// Prints the requested help, or the error about invalid arguments, and returns the exit code.
fn refused(message: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let code = u8::try_from(message.exit_code()).unwrap_or(2);
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if code == 0 || message.kind() == help {
        // The reader may have closed the pipe.
        let _ = message.print();
        return ExitCode::from(code);
    }
    // Only the first paragraph and the tips are printed, not the usage.
    let text = message.render().to_string();
    let paragraphs = text.split("\n\n").enumerate();
    let said: Vec<&str> = paragraphs
        .filter(|(i, paragraph)| *i == 0 || paragraph.trim_start().starts_with("tip:"))
        .flat_map(|(_, paragraph)| paragraph.split_whitespace())
        .collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    failed(&format!("{said}; see --help"), code)
}

fn failed(message: &str, code: u8) -> ExitCode {
    // The message is one line, whatever a file name or the system put into it.
    let line = message.replace(['\n', '\r'], " ");
    let _ = writeln!(std::io::stderr(), "tangere: error: {line}");
    ExitCode::from(code)
}

/// The size of the stack of each thread in bytes, that of a main thread on most systems.
const STACK: usize = 8 << 20;

fn dispatch(arguments: &Arguments) -> Result<(), Failure> {
    let console = Console::new(&arguments.general);
    let command = || match &arguments.command {
        Command::Info(options) => info::run(options, &console),
        Command::Generate(options) => generate::run(options, &console),
        Command::Convert(options) => convert::run(options, &console),
        Command::Pairs(options) => pairs::run(options, &console),
        Command::Inside(options) => inside::run(options, &console),
        Command::Closest(options) => closest::run(options, &console),
        Command::Intersect(options) => intersect::run(options, &console),
        Command::Pack(options) => pack::run(options, &console),
        Command::Overlap(options) => overlap::run(options, &console),
        Command::Impact(options) => impact::run(options, &console),
        Command::Ccd(options) => ccd::run(options, &console),
        Command::Meetings(options) => meetings::run(options, &console),
        Command::Gas(options) => gas::run(options, &console),
        Command::Reproduce(options) => reproduce::run(options, &console),
        Command::Demo(options) => demo::run(options, &console),
        Command::Completions(options) => completions::run(options, &console),
    };
    // Always a pool of its own: memory for its threads and their stacks is reserved here, where
    // failure is an error. The stack of the main thread grows later, and could not then.
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads(arguments.general.threads))
        .stack_size(STACK)
        .build()
        .map_err(|error| {
            let reduced = "fewer threads need less memory: --threads 1";
            Failure::Work(format!("cannot start threads: {error}; {reduced}"))
        })?
        .install(command)
}
