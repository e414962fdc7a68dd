//! From text to commands: logical lines and words.
//!
//! A line that ends with `&` continues on the next one. `#` outside of quotes starts a comment. Words are
//! parted by spaces, and quotes (`'`, `"` or `"""`, of which the last may span lines) keep spaces within
//! words. Variables are replaced between the two steps, outside of single and double quotes only.

use super::error::Problem;

/// A command as written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The number of its first line, from 1.
    pub number: usize,
    /// Its text without comment and continuations.
    pub text: String,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The word without quotes.
    pub text: String,
    /// Whether it was in quotes.
    pub is_quoted: bool,
}

/// The commands of a text; empty ones are left out.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut open: Option<Line> = None;
    for (i, raw) in text.lines().enumerate() {
        let mut line = open.take().unwrap_or(Line {
            number: i + 1,
            text: String::new(),
        });
        line.text.push_str(raw);
        if has_open_block(&line.text) {
            line.text.push('\n');
            open = Some(line);
            continue;
        }
        let trimmed = without_comment(&line.text).trim_end();
        if trimmed.ends_with('&') && trimmed.len() == line.text.trim_end().len() {
            line.text.truncate(trimmed.len() - 1);
            open = Some(line);
            continue;
        }
        line.text = trimmed.trim_start().to_string();
        if !line.text.is_empty() {
            found.push(line);
        }
    }
    if let Some(mut line) = open {
        line.text = without_comment(&line.text).trim().to_string();
        if !line.text.is_empty() {
            found.push(line);
        }
    }
    found
}

/// Whether a block of `"""` is open at the end of a text.
fn has_open_block(text: &str) -> bool {
    let mut rest = text;
    let mut is_open = false;
    while let Some(at) = rest.find("\"\"\"") {
        if !is_open && without_comment(&rest[..at]).len() < at {
            return false;
        }
        is_open = !is_open;
        rest = &rest[at + 3..];
    }
    is_open
}

/// A text up to the first `#` outside of quotes.
fn without_comment(text: &str) -> &str {
    let mut quote = None;
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        let starts_block = text[at..].starts_with("\"\"\"");
        match (quote, c) {
            (None, '#') => return &text[..at],
            (Some("\"\"\""), '"') if starts_block => {
                quote = None;
                rest.nth(1);
            }
            (None, '"') if starts_block => {
                quote = Some("\"\"\"");
                rest.nth(1);
            }
            (None, '"') => quote = Some("\""),
            (None, '\'') => quote = Some("'"),
            (Some("\""), '"') | (Some("'"), '\'') => quote = None,
            _ => {}
        }
    }
    text
}

/// The words of a command.
pub(super) fn words(text: &str) -> Result<Vec<Word>, Problem> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quote = ["\"\"\"", "\"", "'"]
            .into_iter()
            .find(|quote| rest.starts_with(quote));
        let (word, after) = match quote {
            Some(quote) => {
                let inner = &rest[quote.len()..];
                let end = inner
                    .find(quote)
                    .ok_or_else(|| Problem::new(rest, format!("a closing {quote}")))?;
                let after = &inner[end + quote.len()..];
                if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                    return Err(Problem::new(rest, "a space after the closing quote"));
                }
                (&inner[..end], after)
            }
            None => match rest.find(char::is_whitespace) {
                Some(end) => rest.split_at(end),
                None => (rest, ""),
            },
        };
        found.push(Word {
            text: word.to_string(),
            is_quoted: quote.is_some(),
        });
        rest = after.trim_start();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(usize, String)> {
        let lines = lines(text).into_iter();
        lines.map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn comments_and_continuations() {
        let text = "# head\nunits si # here\n\nfix 1 all &\n  gravity 1.0 & \n chute 26 # end\nprint \"a # b\"";
        let expected = [
            (2, "units si"),
            (4, "fix 1 all   gravity 1.0  chute 26"),
            (7, "print \"a # b\""),
        ];
        assert_eq!(texts(text), expected.map(|(n, t)| (n, t.to_string())));
    }

    #[test]
    fn blocks_span_lines() {
        let text = "print \"\"\"one\ntwo\"\"\" # c\nrun 1";
        let expected = [(1, "print \"\"\"one\ntwo\"\"\""), (3, "run 1")];
        assert_eq!(texts(text), expected.map(|(n, t)| (n, t.to_string())));
        let block = words("print \"\"\"one\ntwo\"\"\"").unwrap();
        assert_eq!(block[1].text, "one\ntwo");
    }

    #[test]
    fn quotes_keep_spaces() {
        let found = words("if \"1 < 2\" then 'print \"a b\"' else x").unwrap();
        let found: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found, ["if", "1 < 2", "then", "print \"a b\"", "else", "x"]);
        assert!(words("print \"abc").is_err());
        assert!(words("print \"abc\"d").is_err());
    }
}
