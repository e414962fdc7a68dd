//! Output of the broad phase benchmark: a table for each case, then all in Markdown.

use super::cases::Target;
use crate::timing::Standing;

/// The results of a case of the broad phase benchmark.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name of the case.
    pub title: String,
    /// The number of items.
    pub items: usize,
    /// The target of the case.
    pub target: Target,
    /// The results of all contestants.
    pub standings: Vec<Standing>,
}

impl Line {
    /// Returns the fastest of the other libraries if `peer`, otherwise of our methods without
    /// `auto`.
    pub fn best(&self, peer: bool) -> Option<&Standing> {
        self.standings
            .iter()
            .filter(|standing| standing.peer == peer && standing.name != "auto")
            .min_by(|a, b| a.best.seconds.total_cmp(&b.best.seconds))
    }

    fn auto(&self) -> Option<&Standing> {
        self.standings.iter().find(|one| one.name == "auto")
    }

    /// Returns the target of the case in milliseconds, if it has one.
    fn target_ms(&self) -> Option<f64> {
        match self.target {
            Target::Milliseconds(target) => Some(target),
            Target::Peers(times) => self.best(true).map(|peer| peer.best.seconds * 1e3 / times),
            Target::Nothing => None,
        }
    }

    fn target_text(&self) -> String {
        match (self.target, self.target_ms()) {
            (Target::Peers(times), Some(target)) => {
                format!("{} ({times} times the best peer)", significant(target))
            }
            (Target::Peers(times), None) => format!("{times} times the best peer"),
            (_, Some(target)) => significant(target),
            (_, None) => "-".into(),
        }
    }

    /// Prints a line for each contestant; the fastest method and the fastest other library are
    /// marked.
    pub fn print(&self, left_out: &[String]) {
        let answers = self.standings.first().map_or(0, |one| one.best.answers);
        println!(
            "\n{}: {answers} pairs, target {} ms",
            self.title,
            self.target_text()
        );
        println!(
            "  {:<26} {:>10} {:>9} {:>8} {:>8}  {:>5}  pairs",
            "", "ms", "ns each", "x best", "x target", "turns"
        );
        let least = self.best(false).map(|best| best.best.seconds);
        for standing in &self.standings {
            let seconds = standing.best.seconds;
            let times = |target: Option<f64>| {
                target.map_or("-".into(), |target| format!("{:.2}", seconds / target))
            };
            let name = match standing.best.by {
                Some(by) => format!("{} ({by})", standing.name),
                None => standing.name.into(),
            };
            println!(
                "  {name:<26} {:>10.2} {:>9.1} {:>8} {:>8}  {:>5}  {}",
                seconds * 1e3,
                seconds * 1e9 / self.items as f64,
                times(least),
                times(self.target_ms().map(|target| target * 1e-3)),
                standing.turns,
                standing.best.answers,
            );
        }
        for reason in left_out {
            println!("  left out, {reason}");
        }
    }
}

/// Returns a number with three significant digits, as many as are reproducible.
fn significant(x: f64) -> String {
    let digits = match x.abs() {
        x if x >= 99.5 => 0,
        x if x >= 9.95 => 1,
        _ => 2,
    };
    format!("{x:.digits$}")
}

fn milliseconds(standing: &Standing) -> String {
    significant(standing.best.seconds * 1e3)
}

/// Prints all cases as two tables in Markdown, for the notes on performance.
pub fn summary(lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    println!(
        "\n| case | pairs | target, ms | best method, ms | auto, ms | auto / best | best peer, ms | peer / auto |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for line in lines {
        let answers = line.standings.first().map_or(0, |one| one.best.answers);
        let (auto, best, peer) = (line.auto(), line.best(false), line.best(true));
        let named = |one: Option<&Standing>| {
            one.map_or("-".into(), |one| {
                format!("{} ({})", milliseconds(one), one.name)
            })
        };
        let over = |a: Option<&Standing>, b: Option<&Standing>| match (a, b) {
            (Some(a), Some(b)) => format!("{:.2}", a.best.seconds / b.best.seconds),
            _ => "-".into(),
        };
        let auto_text = auto.map_or("-".into(), |one| match one.best.by {
            Some(by) => format!("{} ({by})", milliseconds(one)),
            None => milliseconds(one),
        });
        println!(
            "| {} | {answers} | {} | {} | {auto_text} | {} | {} | {} |",
            line.title,
            line.target_text(),
            named(best),
            over(auto, best),
            named(peer),
            over(peer, auto),
        );
    }
    let mut names: Vec<&str> = Vec::new();
    for standing in lines.iter().flat_map(|line| &line.standings) {
        if !names.contains(&standing.name) {
            names.push(standing.name);
        }
    }
    println!("\n| case, ms | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    for line in lines {
        let cell = |name: &&str| {
            let found = line.standings.iter().find(|one| one.name == *name);
            found.map_or(String::new(), milliseconds)
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        println!("| {} | {} |", line.title, cells.join(" | "));
    }
}
