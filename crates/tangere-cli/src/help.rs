//! Help as it is printed: paragraphs whose last line is a single word get a second one.

/// Returns help, wrapped by the parser of arguments, with the last word of a line moved to the next
/// line where that would hold a single word. `width` is that of the longest line as it is seen.
pub fn without_orphans(help: &str, width: usize) -> String {
    let mut lines: Vec<String> = help.split('\n').map(str::to_owned).collect();
    for i in 1..lines.len() {
        let (before, orphan) = (&lines[i - 1], &lines[i]);
        let word = orphan.trim_start();
        let next = lines.get(i + 1).map_or("", |line| line.trim());
        if word.is_empty() || word.contains(' ') || word.starts_with('[') || !next.is_empty() {
            continue;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        // The line before was wrapped if the word would not have fitted.
        let length = before.chars().count() + 1 + word.chars().count();
        let is_wrapped = length > width && indent(before) == indent(orphan);
        let words = before.split_whitespace().count();
        let Some((kept, moved)) = before.rsplit_once(' ').filter(|_| is_wrapped && words > 3)
        else {
            continue;
        };
        let joined = format!("{}{moved} {word}", " ".repeat(indent(orphan)));
        lines[i - 1] = kept.trim_end().to_owned();
        lines[i] = joined;
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_last_word_gets_a_second() {
        let help = "  -o\n      The file to write, or - for CSV to standard\n      output\n\n  -q\n      Quiet\n";
        let expected = "  -o\n      The file to write, or - for CSV to\n      standard output\n\n  -q\n      Quiet\n";
        assert_eq!(without_orphans(help, 49), expected);
        // Lines that were not wrapped stay.
        let list = "Examples: a list of some words\n  one two three four five six seven\n  eight\n";
        let list = format!("{list}{}\n", "x ".repeat(60));
        assert_eq!(without_orphans(&list, 120), list);
    }
}
