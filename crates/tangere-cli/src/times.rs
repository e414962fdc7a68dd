//! Times of a query subcommand: reading, set-up and query.

use crate::console::Console;
use crate::failure::Failure;
use serde_json::json;
use std::path::Path;
use std::time::Instant;
use tangere_front::answer::Summary;
use tangere_front::inputs::paths::input_name;
use tangere_front::text;

/// Run times of a subcommand in seconds: the total for reading files, and the minimum over all
/// repetitions for the set-up and for the query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub read: f64,
    setup: Option<f64>,
    query: Option<f64>,
}

impl Times {
    /// Runs `read`, which reads a file, and adds the seconds it takes to the time of reading.
    pub fn read<T>(
        &mut self,
        path: &Path,
        console: &Console,
        read: impl FnOnce() -> tangere_io::Result<T>,
    ) -> Result<T, Failure> {
        let (read, seconds) = console.timed(&format!("reading {}", input_name(path)), read);
        self.read += seconds;
        read.map_err(Failure::reading)
    }

    /// Adds seconds to the time of the set-up, for a set-up of several parts that is not repeated.
    pub fn add_set_up(&mut self, seconds: f64) {
        self.setup = Some(self.setup.unwrap_or(0.0) + seconds);
    }

    /// Runs `work` as the set-up and measures it; the minimum over all calls is kept.
    pub fn set_up<T>(&mut self, work: impl FnOnce() -> T) -> T {
        least(&mut self.setup, work)
    }

    /// Runs `work` as the query and measures it; the minimum over all calls is kept.
    pub fn query<T>(&mut self, work: impl FnOnce() -> T) -> T {
        least(&mut self.query, work)
    }

    /// Returns the seconds of reading, set-up and query; 0 for what was not measured.
    pub fn seconds(&self) -> [f64; 3] {
        [
            self.read,
            self.setup.unwrap_or(0.0),
            self.query.unwrap_or(0.0),
        ]
    }

    /// Adds the times to the summary. The set-up has a line only if it was measured.
    pub fn add_to(&self, summary: &mut Summary) {
        let [read, setup, query] = self.seconds();
        let seconds = json!({ "read": read, "setup": setup, "query": query });
        summary.member("seconds", seconds);
        summary.line("read", text::seconds(read));
        if self.setup.is_some() {
            summary.line("set-up", text::seconds(setup));
        }
        summary.line("query", text::seconds(query));
    }
}

/// Runs `work` and measures its seconds; if they are less than `least`, sets `least` to them.
fn least<T>(least: &mut Option<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs_f64();
    *least = Some(least.map_or(seconds, |least| least.min(seconds)));
    done
}
