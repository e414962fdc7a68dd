//! Check of a claim: a measured number, or the interval in which it lies, against the range that
//! agrees with the paper.

use serde_json::{Value, json};
use tangere_front::text::three_digits;

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole interval is in the accepted range.
    Agrees,
    /// The whole interval is outside of it.
    Fails,
    /// The interval contains an end of the range: repetition did not decide.
    Undecided,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Agrees => "agrees",
            Outcome::Fails => "fails",
            Outcome::Undecided => "undecided",
        }
    }
}

/// A number of a claim: as the paper prints it, as measured, and the accepted range.
pub struct Check {
    pub what: String,
    /// What the text of the paper prints; empty if it prints nothing.
    pub published: String,
    /// The published number, or the ends of a published range, if it is one of the same quantity; else
    /// NaN. It is shown in the plot of the checks and decides nothing.
    pub value: [f64; 2],
    pub measured: [f64; 2],
    pub accepted: [f64; 2],
    pub shown: fn(f64) -> String,
    /// Whether this is a fact, true (1) or false (0), rather than a number.
    pub is_fact: bool,
    /// Whether the ends of the accepted range do not belong to it, as in an order.
    is_strict: bool,
    /// Whether a number below the accepted range is better than the paper's.
    is_less_better: bool,
}

impl Check {
    /// Returns the check that a number lies in a range. A number that does not exist is NaN, which
    /// is undecided.
    pub fn number(what: impl Into<String>, measured: f64, accepted: [f64; 2]) -> Self {
        Self::interval(what, [measured; 2], accepted)
    }

    /// Returns the check that a number known to lie in the interval `measured` is in a range.
    pub fn interval(what: impl Into<String>, measured: [f64; 2], accepted: [f64; 2]) -> Self {
        Self {
            what: what.into(),
            published: String::new(),
            value: [f64::NAN; 2],
            measured,
            accepted,
            shown: three_digits,
            is_fact: false,
            is_strict: false,
            is_less_better: false,
        }
    }

    /// Returns the check of an order: a number known to lie in the interval `measured` is above
    /// `least`. Equality is no order.
    pub fn above(what: impl Into<String>, measured: [f64; 2], least: f64) -> Self {
        Self::interval(what, measured, at_least(least)).strict()
    }

    /// Returns the check of an order: a number known to lie in the interval `measured` is below
    /// `most`. Equality is no order.
    pub fn below(what: impl Into<String>, measured: [f64; 2], most: f64) -> Self {
        Self::interval(what, measured, at_most(most)).strict()
    }

    /// Excludes the ends of the accepted range.
    pub fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Returns the check of a fact that is either true or false.
    pub fn fact(what: impl Into<String>, is_so: bool) -> Self {
        Self {
            is_fact: true,
            ..Self::number(what, f64::from(u8::from(is_so)), [1.0; 2])
        }
    }

    /// Sets the number as the paper prints it.
    pub fn printed(mut self, published: impl Into<String>) -> Self {
        self.published = published.into();
        self
    }

    /// Sets the number as the paper prints it, and its value, or the ends of a range.
    pub fn printed_number(self, published: impl Into<String>, value: [f64; 2]) -> Self {
        let mut check = self.printed(published);
        check.value = value;
        check
    }

    /// Shows numbers in percent.
    pub fn percent(mut self) -> Self {
        self.shown = |x| format!("{}%", three_digits(100.0 * x));
        self
    }

    /// Shows numbers with four decimals.
    pub fn decimals(mut self) -> Self {
        self.shown = |x| format!("{x:.4}");
        self
    }

    /// Marks a number below the accepted range as better than the paper's.
    pub fn less_is_better(mut self) -> Self {
        self.is_less_better = true;
        self
    }

    /// Whether the check fails on the side that is better than the paper.
    pub fn is_better(&self) -> bool {
        self.outcome() == Outcome::Fails
            && self.is_less_better
            && self.measured[1] <= self.accepted[0]
    }

    pub fn outcome(&self) -> Outcome {
        let ([low, high], [least, most]) = (self.measured, self.accepted);
        let (is_in, is_out) = match self.is_strict {
            true => (low > least && high < most, high <= least || low >= most),
            false => (low >= least && high <= most, high < least || low > most),
        };
        match (is_in, is_out) {
            (true, _) => Outcome::Agrees,
            (_, true) => Outcome::Fails,
            _ => Outcome::Undecided,
        }
    }

    /// Returns the check that decides among several of which all must agree: one that fails, else
    /// one that is undecided, else that closest to an end of its range. `None` without checks.
    pub fn worst(checks: impl IntoIterator<Item = Check>) -> Option<Check> {
        let rank = |check: &Check| {
            let ([low, high], [least, most]) = (check.measured, check.accepted);
            let margin = (low - least).min(most - high);
            let order = match check.outcome() {
                Outcome::Fails => 0,
                Outcome::Undecided => 1,
                Outcome::Agrees => 2,
            };
            (order, margin)
        };
        let by = |a: &Check, b: &Check| {
            let ((a, x), (b, y)) = (rank(a), rank(b));
            a.cmp(&b).then(x.total_cmp(&y))
        };
        checks.into_iter().min_by(by)
    }

    /// Returns the range of accepted numbers in words.
    pub fn accepted_text(&self) -> String {
        let [least, most] = self.accepted;
        match (least.is_finite(), most.is_finite()) {
            _ if self.is_fact => "yes".into(),
            (true, true) if least == most => (self.shown)(least),
            (true, true) if self.is_strict => {
                format!("between {} and {}", (self.shown)(least), (self.shown)(most))
            }
            (true, true) => format!("{} to {}", (self.shown)(least), (self.shown)(most)),
            (true, false) if self.is_strict => format!("above {}", (self.shown)(least)),
            (false, true) if self.is_strict => format!("below {}", (self.shown)(most)),
            (true, false) => format!("at least {}", (self.shown)(least)),
            (false, true) => format!("at most {}", (self.shown)(most)),
            (false, false) => "any".into(),
        }
    }

    pub fn measured_text(&self) -> String {
        let [low, high] = self.measured;
        if self.is_fact {
            return if low == 1.0 { "yes" } else { "no" }.into();
        }
        if low.is_nan() || high.is_nan() {
            return "-".into();
        }
        if low == f64::NEG_INFINITY && high == f64::INFINITY {
            return "anything".into();
        }
        let [from, to] = [low, high].map(self.shown);
        match from == to {
            true => from,
            false => format!("{from} to {to}"),
        }
    }

    /// Returns the cells of the check: what, published, measured, accepted, outcome.
    pub fn cells(&self) -> Vec<String> {
        let published = match self.published.is_empty() {
            true => "-".into(),
            false => self.published.clone(),
        };
        vec![
            self.what.clone(),
            published,
            self.measured_text(),
            self.accepted_text(),
            self.outcome().name().into(),
        ]
    }

    /// Returns the reason for a verdict as part of a sentence.
    pub fn reason(&self) -> String {
        match self.is_fact {
            true => format!("not so: {}", self.what),
            false => format!(
                "{} is {}, accepted is {}",
                self.what,
                self.measured_text(),
                self.accepted_text()
            ),
        }
    }

    pub fn json(&self) -> Value {
        let finite = |x: f64| x.is_finite().then_some(x);
        let [measured, accepted] = match self.is_fact {
            true => [json!(self.measured[0] == 1.0), json!(true)],
            false => [self.measured, self.accepted].map(|ends| json!(ends.map(finite))),
        };
        json!({
            "what": self.what,
            "published": (!self.published.is_empty()).then_some(&self.published),
            "measured": measured,
            "accepted": accepted,
            "strict": self.is_strict,
            "outcome": self.outcome().name(),
        })
    }
}

/// The names of the columns of [`Check::cells`].
pub const HEAD: [&str; 5] = ["check", "published", "measured", "accepted", "outcome"];

/// The range of numbers up to `most`.
pub fn at_most(most: f64) -> [f64; 2] {
    [f64::NEG_INFINITY, most]
}

/// The range of numbers from `least` on.
pub fn at_least(least: f64) -> [f64; 2] {
    [least, f64::INFINITY]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_decide_or_do_not() {
        let outcome = |measured| Check::interval("", measured, [0.9, 1.1]).outcome();
        assert_eq!(outcome([0.95, 1.05]), Outcome::Agrees);
        assert_eq!(outcome([1.05, 1.16]), Outcome::Undecided);
        assert_eq!(outcome([1.11, 1.16]), Outcome::Fails);
        assert_eq!(outcome([0.5, 0.89]), Outcome::Fails);
        assert_eq!(outcome([f64::NAN; 2]), Outcome::Undecided);
        assert_eq!(Check::fact("", true).outcome(), Outcome::Agrees);
        assert_eq!(Check::fact("", false).outcome(), Outcome::Fails);
    }

    #[test]
    fn equality_is_no_order() {
        let above = |measured| Check::above("", measured, 1.0).outcome();
        assert_eq!(above([1.0, 1.0]), Outcome::Fails);
        assert_eq!(above([1.0, 1.1]), Outcome::Undecided);
        assert_eq!(above([1.01, 1.1]), Outcome::Agrees);
        let below = Check::below("ratio", [1.0; 2], 1.0);
        assert_eq!(below.outcome(), Outcome::Fails);
        assert_eq!(below.reason(), "ratio is 1.00, accepted is below 1.00");
    }

    #[test]
    fn better_is_one_side_only() {
        let check = |x: f64| Check::number("", x, [0.9, 1.1]).less_is_better();
        assert!(check(0.5).is_better() && !check(1.0).is_better() && !check(1.5).is_better());
        assert!(!Check::number("", 0.5, [0.9, 1.1]).is_better());
    }

    #[test]
    fn the_worst_decides() {
        let outcome = |intervals: &[[f64; 2]]| {
            let checks = intervals.iter();
            let checks = checks.map(|&ends| Check::interval("", ends, at_least(1.0)));
            Check::worst(checks).map(|check| (check.outcome(), check.measured[0]))
        };
        assert_eq!(
            outcome(&[[1.5, 2.0], [1.2, 3.0]]),
            Some((Outcome::Agrees, 1.2))
        );
        assert_eq!(
            outcome(&[[1.5, 2.0], [0.9, 3.0]]),
            Some((Outcome::Undecided, 0.9))
        );
        assert_eq!(
            outcome(&[[0.2, 2.0], [0.8, 0.9]]),
            Some((Outcome::Fails, 0.8))
        );
        assert_eq!(outcome(&[]), None);
    }

    #[test]
    fn checks_in_words() {
        let check = Check::interval("ratio", [1.05, 1.16], at_most(1.0)).printed("0.7");
        assert_eq!(
            check.cells(),
            ["ratio", "0.7", "1.05 to 1.16", "at most 1.00", "fails"]
        );
        assert_eq!(
            check.reason(),
            "ratio is 1.05 to 1.16, accepted is at most 1.00"
        );
        let share = Check::number("share", 0.0258, [0.01, 0.03]).percent();
        assert_eq!(
            share.cells()[1..],
            ["-", "2.58%", "1.00% to 3.00%", "agrees"]
        );
        assert_eq!(check.json()["accepted"], json!([null, 1.0]));
    }
}
