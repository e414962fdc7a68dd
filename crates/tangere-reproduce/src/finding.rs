//! Finding: the result for one figure, table or statement of a paper, with published and measured
//! numbers.

use crate::check::{Check, HEAD, Outcome};
use crate::claim::{Claim, Verdict};
use crate::numbers;
use serde_json::{Value, json};
use tangere_front::text::{self, Table, duration, three_digits};
use tangere_render::html::Figure;
use tangere_render::plot::Plot;

/// Published value of a claim that the text of the paper states in words, without a number.
pub const IN_WORDS: &str = "no number: the text states it in words";

/// A claim of a paper, what was measured, and the verdict.
pub struct Finding {
    pub claim: &'static Claim,
    /// The published numbers as the text prints them, or [`IN_WORDS`]; nothing that is derived from
    /// them.
    pub published: Value,
    /// The corresponding measured numbers.
    pub measured: Value,
    /// The numbers that decide, each with the range that agrees with the paper. They are in the
    /// order of importance.
    pub checks: Vec<Check>,
    /// Why the claim cannot be judged here, if not for undecided checks.
    pub open: Option<String>,
    /// In which way the engine is better than the paper, if the claim fails for that reason alone:
    /// every check that does not agree fails on the side marked as better.
    pub better: Option<String>,
    /// How the numbers were measured, and what explains them.
    pub remark: String,
    /// The table of the finding, which is shown as text and written as CSV.
    pub data: Data,
    pub plots: Vec<Plot>,
    pub pictures: Vec<Figure>,
}

/// Published numbers as the texts print them: whole ones without a fraction.
fn as_printed(published: &Value) -> Value {
    match published {
        Value::Number(number) => match number.as_f64() {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => Value::from(x as i64),
            _ => published.clone(),
        },
        Value::Array(values) => values.iter().map(as_printed).collect(),
        Value::Object(values) => {
            let entries = values.iter();
            let entries = entries.map(|(key, value)| (key.clone(), as_printed(value)));
            Value::Object(entries.collect())
        }
        other => other.clone(),
    }
}

impl Finding {
    /// Returns a finding about a claim, without numbers.
    pub fn of(claim: &'static Claim) -> Self {
        Self {
            claim,
            published: IN_WORDS.into(),
            measured: Value::Null,
            checks: Vec::new(),
            open: None,
            better: None,
            remark: String::new(),
            data: Data {
                head: Vec::new(),
                rows: Vec::new(),
            },
            plots: Vec::new(),
            pictures: Vec::new(),
        }
    }

    pub fn verdict(&self) -> Verdict {
        let verdict = Verdict::of(self.checks.iter().map(Check::outcome));
        match (&self.open, verdict) {
            (Some(_), Verdict::Holds) => Verdict::CannotBeJudged,
            _ => verdict,
        }
    }

    /// Returns in which way the engine is better than the paper, if no check says otherwise.
    pub fn better(&self) -> Option<&str> {
        let mut open = self
            .checks
            .iter()
            .filter(|c| c.outcome() != Outcome::Agrees);
        let is_better = self.verdict() == Verdict::DoesNotHold && open.all(Check::is_better);
        self.better.as_deref().filter(|_| is_better)
    }

    /// Returns whether repeating the measurement cannot change the verdict.
    pub fn is_decided(&self) -> bool {
        let outcomes = || self.checks.iter().map(Check::outcome);
        outcomes().any(|o| o == Outcome::Fails) || outcomes().all(|o| o != Outcome::Undecided)
    }

    /// Returns the reason for the verdict, in sentences.
    pub fn why(&self) -> String {
        use Outcome::{Fails, Undecided};
        let reasons = |wanted| {
            let checks = self.checks.iter().filter(|c| c.outcome() == wanted);
            checks.map(Check::reason).collect::<Vec<_>>().join("; ")
        };
        match self.verdict() {
            Verdict::Holds => match &self.checks[..] {
                [_] => "The measured value is in the accepted range.".into(),
                checks => format!(
                    "All {} measured values are in their accepted ranges.",
                    checks.len()
                ),
            },
            Verdict::DoesNotHold => {
                let why = format!("Outside the accepted range: {}.", reasons(Fails));
                match self.better() {
                    Some(better) => {
                        format!("The engine is better than the paper: {better}. {why}")
                    }
                    None => why,
                }
            }
            Verdict::CannotBeJudged => {
                let undecided = reasons(Undecided);
                let undecided = match undecided.is_empty() {
                    true => String::new(),
                    false => format!("Repetition does not decide: {undecided}."),
                };
                let open = self.open.clone().unwrap_or_default();
                [open, undecided].join(" ").trim().to_owned()
            }
        }
    }

    /// Returns the claim, the verdict and all numbers as JSON. `holds` is null if the claim cannot
    /// be judged. `key` is that of the paper.
    pub fn json(&self, key: &str) -> Value {
        let verdict = self.verdict();
        let holds = match verdict {
            Verdict::Holds => Some(true),
            Verdict::DoesNotHold => Some(false),
            Verdict::CannotBeJudged => None,
        };
        json!({
            "id": self.claim.id(key),
            "place": self.claim.place,
            "published": as_printed(&self.published),
            "measured": self.measured,
            "claim": self.claim.sentence,
            "tolerance": self.claim.tolerance,
            "checks": self.checks.iter().map(Check::json).collect::<Vec<_>>(),
            "verdict": verdict.name(),
            "holds": holds,
            "why": self.why(),
            "better": self.better().is_some(),
            "documented": self.claim.documented.name(),
            "remark": self.remark,
        })
    }

    /// Returns what the text of the paper prints, and what was measured, each as lines `key: value`.
    pub fn numbers(&self) -> [(&'static str, Vec<String>); 2] {
        [
            (
                "Published",
                numbers::published(&as_printed(&self.published)),
            ),
            ("Measured", numbers::measured(&self.measured)),
        ]
    }

    /// Returns the table of the checks.
    pub fn checked(&self) -> Table {
        Table {
            head: HEAD.into(),
            rows: self.checks.iter().map(Check::cells).collect(),
        }
    }

    /// Returns the finding as text for a terminal.
    pub fn text(&self) -> String {
        let claim = self.claim;
        let mut text = format!("{}: {}\n", claim.name, self.verdict().name());
        let [published, measured] = self
            .numbers()
            .map(|(name, lines)| format!("{name}: {}.", lines.join("; ")));
        for line in [
            format!("Claim ({}): {}", claim.place, claim.sentence),
            published,
            measured,
            format!("Why: {}", self.why()),
            format!("Tolerance: {}", claim.tolerance),
            self.unlike_documented().unwrap_or_default(),
            self.remark.clone(),
        ] {
            if !line.is_empty() {
                text += &text::wrapped(&line);
            }
        }
        if !self.checks.is_empty() {
            text += &format!("\n{}", self.checked().text());
        }
        text + &format!("\n{}", self.data.table().text())
    }

    /// Returns a sentence if the verdict is not that of the documented run.
    pub fn unlike_documented(&self) -> Option<String> {
        let documented = self.claim.documented;
        (self.verdict() != documented).then(|| {
            format!(
                "The documented run (docs/papers.md) has another verdict: {}.",
                documented.name()
            )
        })
    }

    /// Returns the name of the CSV file of the finding; `key` is that of the paper.
    pub fn file(&self, key: &str) -> String {
        format!("{}.csv", self.claim.id(key))
    }
}

/// A cell of a table: a number or a word.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    Count(usize),
    Number(f64),
    /// A fraction, shown in percent.
    Share(f64),
    Seconds(f64),
    /// A number as the paper prints it, with its unit; and its value for programs.
    Printed(String, f64),
    /// An empty cell, for a value that was neither published nor measured.
    Nothing,
}

impl Cell {
    /// Formats the cell for human readers: rounded, with units.
    fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(n) => text::count(*n as u64),
            Cell::Number(x) => three_digits(*x),
            Cell::Share(x) => format!("{}%", three_digits(100.0 * x)),
            Cell::Seconds(s) => duration(*s),
            Cell::Printed(text, _) => text.clone(),
            Cell::Nothing => "-".into(),
        }
    }

    /// Formats the cell for programs: full precision, no units.
    fn plain(&self) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Cell::Text(text) => text.clone(),
            Cell::Count(n) => n.to_string(),
            Cell::Number(x) | Cell::Share(x) | Cell::Seconds(x) | Cell::Printed(_, x) => {
                x.to_string()
            }
            Cell::Nothing => String::new(),
        }
    }
}

/// Returns a cell with a word.
pub fn word(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// Returns a cell with a number as the paper prints it, followed by its unit. `scale` is the value
/// of the unit: 1e-6 for microseconds.
pub fn printed(x: f64, unit: &str, scale: f64) -> Cell {
    Cell::Printed(format!("{x}{unit}"), x * scale)
}

/// Returns the number `x` as a cell made by `cell`; an empty cell if `x` is `None`.
pub fn maybe(cell: fn(f64) -> Cell, x: Option<f64>) -> Cell {
    x.map_or(Cell::Nothing, cell)
}

/// Table of a finding: rows of cells under their column names.
pub struct Data {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Data {
    pub fn table(&self) -> Table {
        let row = |cells: &Vec<Cell>| cells.iter().map(Cell::shown).collect();
        Table {
            head: self.head.clone(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    pub fn csv(&self) -> String {
        let head = self.head.iter().map(|name| word(*name).plain());
        let mut lines = vec![head.collect::<Vec<String>>().join(",")];
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::plain).collect();
            lines.push(cells.join(","));
        }
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::at_most;

    #[test]
    fn better_needs_every_failing_check() {
        const CLAIM: Claim = Claim {
            name: "claim",
            place: "",
            sentence: "",
            tolerance: "",
            documented: Verdict::Holds,
        };
        let better = |others: Vec<Check>| {
            let mut checks = vec![Check::number("growth", 0.5, [0.9, 1.1]).less_is_better()];
            checks.extend(others);
            let finding = Finding {
                checks,
                better: Some("it grows less".into()),
                ..Finding::of(&CLAIM)
            };
            finding.better().is_some()
        };
        assert!(better(vec![]));
        assert!(better(vec![Check::number("", 1.0, at_most(2.0))]));
        assert!(!better(vec![Check::number("", 3.0, at_most(2.0))]));
        assert!(!better(vec![Check::interval("", [1.0, 3.0], at_most(2.0))]));
    }

    #[test]
    fn data_for_people_and_programs() {
        let data = Data {
            head: vec!["test", "n", "share", "seconds"],
            rows: vec![
                vec![
                    word("A, \"B\""),
                    Cell::Count(1000),
                    Cell::Share(0.875),
                    Cell::Seconds(0.25),
                ],
                vec![
                    word("C"),
                    Cell::Nothing,
                    maybe(Cell::Number, None),
                    maybe(Cell::Number, Some(0.1)),
                ],
            ],
        };
        assert_eq!(
            data.csv(),
            "test,n,share,seconds\n\"A, \"\"B\"\"\",1000,0.875,0.25\nC,,,0.1\n"
        );
        assert_eq!(data.table().rows[0][1..], ["1 000", "87.5%", "250 ms"]);
        assert_eq!(data.table().rows[1][1..], ["-", "-", "0.100"]);
    }
}
