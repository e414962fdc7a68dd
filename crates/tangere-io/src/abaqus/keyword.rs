//! Parser of the keyword lines and data lines of Abaqus input.

use crate::error::Fault;
use crate::text::{Line, Lines, quoted};

/// A keyword line of Abaqus input: the keyword and its parameters.
pub(super) struct Keyword<'a> {
    pub line: Line<'a>,
    /// The name of the keyword, in upper case and without the star.
    pub name: String,
    /// The parameters of the keyword: names in upper case, and values; `None` for a parameter
    /// without a value.
    parameters: Vec<(String, Option<String>)>,
}

impl<'a> Keyword<'a> {
    /// Returns the keyword of a line; `None` if it is a data line. If a keyword line ends with a
    /// comma, the next line continues it and is taken from `lines`.
    pub fn of(line: Line<'a>, lines: &mut Lines<'a>) -> Result<Option<Self>, Fault> {
        let Some(rest) = line.bytes.strip_prefix(b"*") else {
            return Ok(None);
        };
        let Ok(text) = std::str::from_utf8(rest) else {
            return Err(line.fault(quoted(line.bytes), "a keyword in UTF-8"));
        };
        let mut text = text.trim_end().to_owned();
        while text.ends_with(',') {
            let next = lines.clone().next();
            let Some(next) = next.filter(|next| !next.bytes.starts_with(b"*")) else {
                break;
            };
            lines.next();
            text.push_str(String::from_utf8_lossy(next.bytes).trim_end());
        }
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        if name.is_empty() {
            return Err(line.fault(quoted(line.bytes), "a keyword after *"));
        }
        let parameters =
            words
                .filter(|word| !word.is_empty())
                .map(|word| match word.split_once('=') {
                    Some((name, value)) => {
                        let value = value.trim().trim_matches('"').to_owned();
                        (name.trim().to_ascii_uppercase(), Some(value))
                    }
                    None => (word.to_ascii_uppercase(), None),
                });
        Ok(Some(Keyword {
            line,
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
            parameters: parameters.collect(),
        }))
    }

    /// Returns the value of a parameter of the keyword, by its name in upper case. `None` if there
    /// is no such parameter or it has no value.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut all = self.parameters.iter();
        all.find(|(other, _)| other == name)?.1.as_deref()
    }

    /// Whether the keyword has the parameter of this name (in upper case), with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|(other, _)| other == name)
    }
}

/// Returns the comma-separated fields of a line, without blanks around them.
pub(super) fn fields(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}
