//! Progress of work in named stages: a bar on a terminal, else a line when a stage begins and one
//! when it ends.

use crate::console::Console;
use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::time::Instant;
use tangere_front::text;

/// The stages of a long run; see [`Console::stages`].
pub struct Stages<'a> {
    console: &'a Console,
    bar: ProgressBar,
    is_terminal: bool,
    /// The stage that runs now, and when it began.
    running: Option<(String, Instant)>,
}

impl<'a> Stages<'a> {
    pub(crate) fn new(console: &'a Console, bar: ProgressBar) -> Self {
        Self {
            console,
            bar,
            is_terminal: std::io::stderr().is_terminal(),
            running: None,
        }
    }

    /// Ends the stage that runs, and begins the next after `done` steps of the bar.
    pub fn begin(&mut self, done: usize, what: &str) {
        self.end();
        self.bar.set_position(done as u64);
        self.bar.set_message(what.to_owned());
        if !self.is_terminal {
            self.console.note(format_args!("{what} ..."));
        }
        self.running = Some((what.to_owned(), Instant::now()));
    }

    /// Ends the stage that runs, if any, and reports how long it took: on a terminal with
    /// `--verbose` only.
    pub fn end(&mut self) {
        let Some((what, start)) = self.running.take() else {
            return;
        };
        match self.is_terminal {
            true => self
                .bar
                .suspend(|| self.console.took(&what, start.elapsed())),
            false => {
                let took = text::seconds(start.elapsed().as_secs_f64());
                self.console.note(format_args!("{what}: {took}"));
            }
        }
    }
}

impl Drop for Stages<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
