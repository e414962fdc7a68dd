//! References to computes, fixes and variables within words and formulas.

use super::args::range;
use super::book::Book;
use super::engine::Changes;
use super::error::Problem;
use super::fixes::Kind;
use super::thermo;
use super::variables::Variable;

/// How deep references are followed.
const DEEPEST: u32 = 16;

/// The words of a text: letters, digits and underscores.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

impl Book {
    /// Whether the value of a formula needs contacts.
    pub fn text_needs_contacts(&self, text: &str, depth: u32) -> bool {
        depth < DEEPEST
            && names(text).any(|name| match name.split_at_checked(2) {
                Some(("c_", id)) => self.compute(id).is_ok_and(|c| c.needs_contacts(self)),
                Some(("v_", id)) => match self.variables.get(id) {
                    Ok(Variable::Equal(text) | Variable::Atom(text)) => {
                        self.text_needs_contacts(text, depth + 1)
                    }
                    _ => false,
                },
                _ => thermo::OF_CONTACTS.contains(&name),
            })
    }

    /// What the value of a variable depends on.
    pub fn changes_of(&self, name: &str, depth: u32) -> Changes {
        let text = match self.variables.get(name) {
            Ok(Variable::Equal(text) | Variable::Atom(text)) if depth < DEEPEST => text,
            _ => return Changes::Never,
        };
        let functions = [
            "ramp",
            "vdisplace",
            "swiggle",
            "cwiggle",
            "stagger",
            "stride",
        ];
        let words = names(text).map(|word| match word.split_at_checked(2) {
            Some(("v_", id)) => self.changes_of(id, depth + 1),
            Some(("c_" | "f_", _)) => Changes::ByState,
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Changes::Never,
            _ if ["step", "time", "elapsed", "elaplong", "logfreq"].contains(&word) => {
                Changes::ByClock
            }
            _ if functions.contains(&word) => Changes::ByClock,
            _ if ["dt", "PI", "version"].contains(&word) => Changes::Never,
            _ if text.contains(&format!("{word}(")) && word.len() > 1 => Changes::Never,
            _ => Changes::ByState,
        });
        words.max().unwrap_or(Changes::Never)
    }

    /// Replaces `c_ID[*]` by `c_ID[1] c_ID[2] ...`, and the same for fixes.
    pub fn expanded(&self, words: &[String]) -> Result<Vec<String>, Problem> {
        let mut found = Vec::new();
        for word in words {
            let inner = word
                .split_once('[')
                .and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?)))
                .filter(|(_, inner)| inner.contains('*'));
            let Some((name, inner)) = inner else {
                found.push(word.clone());
                continue;
            };
            let size = match name.split_at_checked(2) {
                Some(("c_", id)) => self.compute(id)?.size(),
                Some(("f_", id)) => match &self.fix(id)?.kind {
                    Kind::Average(average) => average.size(),
                    _ => 0,
                },
                _ => 0,
            };
            if size == 0 {
                return Err(Problem::new(word, "a compute or fix with a vector"));
            }
            let (low, high) = range(inner, "an index", 1, size as i64)?;
            found.extend((low..=high).map(|i| format!("{name}[{i}]")));
        }
        Ok(found)
    }
}
