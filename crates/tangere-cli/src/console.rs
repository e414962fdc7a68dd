//! Console output: results to standard output, notes and progress to standard error.

use crate::arguments::General;
use crate::failure::Failure;
use crate::stages::Stages;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tangere_front::text;

/// Time that work takes before a spinner appears for it on the terminal.
const LONG: Duration = Duration::from_millis(500);

/// Time between two pictures of a spinner.
const TICK: Duration = Duration::from_millis(100);

/// Output of a subcommand: prints results, notes and progress.
pub struct Console {
    quiet: bool,
    verbose: bool,
}

impl Console {
    /// Returns a console that prints as much as the options `--quiet` and `--verbose` request.
    pub fn new(general: &General) -> Self {
        Self {
            quiet: general.quiet,
            verbose: general.verbose > 0,
        }
    }

    /// Prints bytes to standard output.
    pub fn print(&self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.print_through(|out| out.write_all(bytes.as_ref()))
    }

    /// Opens a buffered writer to standard output and passes it to `content`. A closed pipe is
    /// [`Failure::Closed`].
    pub fn print_through(
        &self,
        content: impl FnOnce(&mut BufWriter<StdoutLock>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = content(&mut out).and_then(|()| out.flush());
        written.map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Work(format!("standard output: {error}")),
        })
    }

    /// Prints one JSON object.
    pub fn print_json(&self, object: &Value) -> Result<(), Failure> {
        self.print(format!("{object:#}\n"))
    }

    /// Prints a note to standard error, unless quiet.
    pub fn note(&self, line: impl std::fmt::Display) {
        if !self.quiet {
            // A closed standard error is ignored.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// Prints a note that names the columns of a table that are not used, if there are any.
    pub fn note_unused(&self, columns: &[String]) {
        if !columns.is_empty() {
            self.note(format_args!("columns not used: {}", columns.join(", ")));
        }
    }

    /// Runs `work`, with a spinner on a terminal if it takes long. Returns the result of `work` and
    /// the seconds it took.
    pub fn timed<T>(&self, what: &str, work: impl FnOnce() -> T) -> (T, f64) {
        self.measured(what, || match self.quiet {
            true => work(),
            false => with_spinner(what, work),
        })
    }

    /// Runs `work` with a progress bar on a terminal. `work` reports the fraction done, from 0 to
    /// 1, to the function it gets. Returns the result of `work` and the seconds it took.
    pub fn timed_with_bar<T>(
        &self,
        what: &str,
        work: impl FnOnce(&mut dyn FnMut(f64)) -> T,
    ) -> (T, f64) {
        const STEPS: usize = 1000;
        let bar = self.bar(STEPS);
        bar.set_message(what.to_owned());
        self.measured(what, || {
            let result = work(&mut |share| bar.set_position((share * STEPS as f64) as u64));
            bar.finish_and_clear();
            result
        })
    }

    fn measured<T>(&self, what: &str, work: impl FnOnce() -> T) -> (T, f64) {
        let start = Instant::now();
        let result = work();
        let seconds = start.elapsed();
        self.took(what, seconds);
        (result, seconds.as_secs_f64())
    }

    /// Prints with `--verbose` how long a part of the work took.
    pub fn took(&self, what: &str, time: Duration) {
        if self.verbose {
            self.note(format_args!(
                "{what}: {}",
                text::seconds(time.as_secs_f64())
            ));
        }
    }

    /// Returns the progress of work in named stages, with a bar of `steps` steps on a terminal and
    /// lines elsewhere. Nothing is shown with `--quiet`.
    pub fn stages(&self, steps: usize) -> Stages<'_> {
        Stages::new(self, self.bar(steps))
    }

    /// Returns a progress bar with `steps` steps. It is hidden if standard error is not a terminal,
    /// or with `--quiet`.
    pub fn bar(&self, steps: usize) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        bar
    }
}

fn with_spinner<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, finished) = channel::<()>();
    std::thread::scope(|scope| {
        let waits = move |time| finished.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        // Where no thread can be started, there is no spinner.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
            if waits(LONG) {
                let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
                while waits(TICK) {
                    spinner.tick();
                }
                spinner.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
