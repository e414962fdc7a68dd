//! Claim of a paper, and the verdict on it.

use super::check::Outcome;

/// A claim of a paper: a statement in our words that a measurement can confirm or refute. What
/// counts as agreement is fixed here, before anything is measured.
pub struct Claim {
    /// The name of the figure, table or statement: a heading, and the key in JSON. It never changes.
    pub name: &'static str,
    /// Where the paper makes the claim: section, figure, table or equation.
    pub place: &'static str,
    /// The claim in our words.
    pub sentence: &'static str,
    /// The tolerance within which numbers agree, and the reason for it.
    pub tolerance: &'static str,
    /// The verdict of the run that docs/papers.md documents.
    pub documented: Verdict,
}

impl Claim {
    /// Returns the stable id of the claim, unique among all papers; `key` is that of the paper.
    pub fn id(&self, key: &str) -> String {
        let words = self.name.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
        format!("{key}-{}", words.join("-"))
    }
}

/// Whether a claim is reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    DoesNotHold,
    /// The machine, the bodies or the precision of the measurement do not allow a decision, or the
    /// paper has the number in a figure only.
    CannotBeJudged,
}

impl Verdict {
    pub const ALL: [Verdict; 3] = [
        Verdict::Holds,
        Verdict::DoesNotHold,
        Verdict::CannotBeJudged,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotBeJudged => "cannot be judged here",
        }
    }

    /// Returns the verdict on a claim with several checks: one failure refutes it; without failure
    /// one undecided check leaves it open, and so does the absence of checks.
    pub fn of(outcomes: impl Iterator<Item = Outcome>) -> Verdict {
        let mut verdict = Verdict::CannotBeJudged;
        let mut is_open = false;
        for outcome in outcomes {
            match outcome {
                Outcome::Fails => return Verdict::DoesNotHold,
                Outcome::Undecided => is_open = true,
                Outcome::Agrees => verdict = Verdict::Holds,
            }
        }
        match is_open {
            true => Verdict::CannotBeJudged,
            false => verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_refutes_and_one_open_check_leaves_open() {
        use Outcome::{Agrees, Fails, Undecided};
        let verdict = |outcomes: &[Outcome]| Verdict::of(outcomes.iter().copied());
        assert_eq!(verdict(&[Agrees, Agrees]), Verdict::Holds);
        assert_eq!(verdict(&[Agrees, Undecided]), Verdict::CannotBeJudged);
        assert_eq!(verdict(&[Undecided, Fails, Agrees]), Verdict::DoesNotHold);
        assert_eq!(verdict(&[]), Verdict::CannotBeJudged);
    }

    #[test]
    fn ids_are_words_of_names() {
        let claim = Claim {
            name: "Table 1, bounding volumes",
            place: "",
            sentence: "",
            tolerance: "",
            documented: Verdict::Holds,
        };
        assert_eq!(
            claim.id("aragon2013"),
            "aragon2013-table-1-bounding-volumes"
        );
    }
}
