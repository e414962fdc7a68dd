//! Where a deck is: files that include each other, jumps, and commands within commands.

use super::boolean::holds;
use super::error::{Error, Problem};
use super::lines::{Line, Word, lines};
use super::now::Now;
use std::sync::Arc;

/// How deep files may include each other.
const DEEPEST: usize = 32;

/// The place in a deck.
#[derive(Debug)]
pub(super) struct Place {
    frames: Vec<Frame>,
    /// The file and line of the command under way, and the command.
    file: String,
    line: usize,
    command: String,
    skips_jump: bool,
}

/// A file, or commands within a command.
#[derive(Debug)]
struct Frame {
    name: String,
    lines: Arc<[Line]>,
    at: usize,
    is_file: bool,
}

impl Place {
    pub fn new(name: &str, text: &str) -> Self {
        let mut place = Self {
            frames: Vec::new(),
            file: name.to_string(),
            line: 0,
            command: String::new(),
            skips_jump: false,
        };
        place.frames.push(Frame::file(name, text));
        place
    }

    /// The next command.
    pub fn next(&mut self) -> Option<String> {
        loop {
            let frame = self.frames.last_mut()?;
            let Some(line) = frame.lines.get(frame.at) else {
                self.frames.pop();
                continue;
            };
            frame.at += 1;
            self.file.clone_from(&frame.name);
            self.line = line.number;
            self.command.clone_from(&line.text);
            return Some(line.text.clone());
        }
    }

    /// The command with its variables replaced, for messages.
    pub fn set_command(&mut self, text: &str) {
        self.command = text.to_string();
    }

    /// An error of the command under way.
    pub fn error(&self, problem: Problem) -> Error {
        Error {
            file: self.file.clone(),
            line: self.line,
            command: self.command.clone(),
            problem,
        }
    }

    /// Executes a file next.
    pub fn enter(&mut self, name: &str, text: &str) -> Result<(), Problem> {
        if self.frames.len() >= DEEPEST {
            let found = format!("{DEEPEST} files that include each other");
            return Err(Problem::new(found, "no circular include"));
        }
        self.frames.push(Frame::file(name, text));
        Ok(())
    }

    /// Executes commands next.
    pub fn insert(&mut self, commands: Vec<String>) {
        // What is done is dropped, so that loops of `if` and `jump` do not pile up.
        while let Some(frame) = self.frames.last() {
            if frame.is_file || frame.at < frame.lines.len() {
                break;
            }
            self.frames.pop();
        }
        let commands = commands.iter().flat_map(|text| lines(text));
        let commands = commands.map(|line| Line {
            number: self.line,
            text: line.text,
        });
        self.frames.push(Frame {
            name: self.file.clone(),
            lines: commands.collect(),
            at: 0,
            is_file: false,
        });
    }

    /// The next jump does nothing: a loop has ended.
    pub fn skip_next_jump(&mut self) {
        self.skips_jump = true;
    }

    /// Continues at a label, or at the start, of the present file or of another.
    pub fn jump(
        &mut self,
        file: Option<(&str, String)>,
        label: Option<&str>,
    ) -> Result<(), Problem> {
        if std::mem::take(&mut self.skips_jump) {
            return Ok(());
        }
        while self.frames.last().is_some_and(|frame| !frame.is_file) {
            self.frames.pop();
        }
        if let Some((name, text)) = file {
            self.frames.pop();
            self.frames.push(Frame::file(name, &text));
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.at = match label {
            None => 0,
            Some(label) => {
                let is_label = |line: &Line| {
                    let mut words = line.text.split_whitespace();
                    words.next() == Some("label") && words.next() == Some(label)
                };
                let at = frame.lines.iter().position(is_label);
                at.ok_or_else(|| {
                    let expected = format!("a label of {}", frame.name);
                    Problem::new(format!("jump to {label}"), expected)
                })?
            }
        };
        Ok(())
    }
}

impl Frame {
    fn file(name: &str, text: &str) -> Self {
        Self {
            name: name.to_string(),
            lines: lines(text).into(),
            at: 0,
            is_file: true,
        }
    }
}

/// The commands that `if` chooses: `condition then a b ... elif condition c ... else d ...`.
pub(super) fn chosen(now: &Now, words: &[Word]) -> Result<Vec<String>, Problem> {
    let is_key =
        |word: &Word| !word.is_quoted && ["then", "elif", "else"].contains(&word.text.as_str());
    let mut rest = words;
    let mut is_first = true;
    loop {
        let condition = match (is_first, rest.split_first()) {
            (true, Some((condition, after))) => {
                rest = after;
                match rest.split_first() {
                    Some((word, after)) if word.text == "then" => rest = after,
                    Some((word, _)) => return Err(Problem::new(word.text.as_str(), "then")),
                    None => return Err(Problem::missing("then")),
                }
                Some(condition)
            }
            (false, Some((word, after))) => match (word.text.as_str(), after.split_first()) {
                ("elif", Some((condition, after))) => {
                    rest = after;
                    Some(condition)
                }
                ("else", _) => {
                    rest = after;
                    None
                }
                _ => return Err(Problem::new(word.text.as_str(), "elif, else or the end")),
            },
            (true, None) => return Err(Problem::missing("a condition")),
            (false, None) => return Ok(Vec::new()),
        };
        is_first = false;
        let end = rest.iter().position(is_key).unwrap_or(rest.len());
        let (commands, after) = rest.split_at(end);
        if commands.is_empty() {
            return Err(Problem::missing("a command"));
        }
        let is_true = match condition {
            Some(condition) => holds(&now.replaced(&condition.text, true)?)?,
            None => true,
        };
        if is_true {
            return Ok(commands.iter().map(|word| word.text.clone()).collect());
        }
        rest = after;
    }
}
