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
mod contacts;
mod convert;
mod demo;
mod distance;
mod failure;
mod files;
mod gas;
mod generate;
mod help;
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
mod query_points;
mod replay;
mod reproduce;
mod sample;
mod series;
mod signals;
mod simulate;
mod stages;
mod times;

use arguments::{Arguments, Command};
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
    let arguments = match arguments::parsed(arguments) {
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
        print_help(message);
        return ExitCode::from(code);
    }
    let text = usage_error(&message.render().to_string());
    let _ = writeln!(std::io::stderr(), "tangere: error: {text}");
    ExitCode::from(code)
}

/// Prints help or the version: to standard output if it was requested, else to standard error.
fn print_help(message: &clap::Error) {
    use std::io::IsTerminal;
    let is_error = message.use_stderr();
    let is_terminal = match is_error {
        true => std::io::stderr().is_terminal(),
        false => std::io::stdout().is_terminal(),
    };
    let has_colours = is_terminal && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let plain = message.render().to_string();
    let width = plain.lines().map(|line| line.chars().count()).max();
    let text = match has_colours {
        true => message.render().ansi().to_string(),
        false => plain,
    };
    let text = help::without_orphans(&text, width.unwrap_or(0));
    // The reader may have closed the pipe.
    let _ = match is_error {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => std::io::stdout().write_all(text.as_bytes()),
    };
}

/// Returns the message of an error about arguments, with its line breaks: the first paragraph, the
/// tips and a reference to the help, without the usage.
fn usage_error(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let paragraphs = text.split("\n\n").enumerate();
    let said = paragraphs
        .filter(|(i, paragraph)| *i == 0 || paragraph.trim_start().starts_with("tip:"))
        .map(|(_, paragraph)| paragraph.trim_end());
    let said: Vec<&str> = said.collect();
    let said = said.join("\n");
    match said.contains('\n') {
        true => format!("{said}\n  see --help"),
        false => format!("{said}; see --help"),
    }
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
        Command::Distance(options) => distance::run(options, &console),
        Command::Intersect(options) => intersect::run(options, &console),
        Command::Pack(options) => pack::run(options, &console),
        Command::Overlap(options) => overlap::run(options, &console),
        Command::Contacts(options) => contacts::run(options, &console),
        Command::Replay(options) => replay::run(options, &console),
        Command::Impact(options) => impact::run(options, &console),
        Command::Ccd(options) => ccd::run(options, &console),
        Command::Meetings(options) => meetings::run(options, &console),
        Command::Gas(options) => gas::run(options, &console),
        Command::Simulate(options) => simulate::run(options, &console),
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
