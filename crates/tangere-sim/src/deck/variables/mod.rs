//! Variables: their styles, and their text in commands.
//!
//! | style | value |
//! |---|---|
//! | index, loop, string | text |
//! | equal, internal | a number, computed whenever it is asked for |
//! | atom | a number for each sphere |
//!
//! `${name}` and `$x` in commands are replaced by the text of a variable, numbers with 15 digits;
//! `$(formula)` and `$(formula:%format)` by the value of a formula, with 20 digits.

mod formula;
mod functions;
mod groups;

pub(super) use formula::{Operand, column};
pub(super) use groups::solved;

use super::args::{Args, number};
use super::error::Problem;
use super::now::Now;
use super::printf::{Format, Number, plain};
use super::random::Random;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Variable {
    /// One of several texts.
    Index { values: Vec<String>, at: usize },
    /// One of several integers, with zeros in front up to a width.
    Loop { next: i64, last: i64, width: usize },
    /// A text.
    String(String),
    /// A formula for a number.
    Equal(String),
    /// A formula for a number of each sphere.
    Atom(String),
    /// A number.
    Internal(f64),
}

/// All variables of a deck.
#[derive(Debug, Default)]
pub(super) struct Variables {
    table: BTreeMap<String, Variable>,
    /// The random numbers of formulas; seeded by the first that asks.
    random: Mutex<Option<Random>>,
}

/// The styles that are read.
pub(super) const STYLES: [&str; 8] = [
    "index", "loop", "string", "equal", "atom", "delete", "internal", "uloop",
];

impl Variables {
    /// The command `variable`.
    pub fn define(&mut self, args: &mut Args) -> Result<(), Problem> {
        let name = args.word("the name of a variable")?;
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let expected = "a name of letters, digits and underscores";
            return Err(Problem::new(name, expected));
        }
        let style = args.word("the style of a variable")?;
        let is_there = self.table.contains_key(name);
        let variable = match style {
            "delete" => {
                self.table.remove(name);
                return args.end();
            }
            "index" if is_there => return Ok(()),
            "index" => Variable::Index {
                values: match args.rest() {
                    [] => return Err(Problem::missing("values of the variable")),
                    words => words.to_vec(),
                },
                at: 0,
            },
            "loop" | "uloop" if is_there => return Ok(()),
            "loop" | "uloop" => looped(args)?,
            "string" => Variable::String(self.only(args)?),
            "equal" => Variable::Equal(self.only(args)?),
            "atom" => Variable::Atom(self.only(args)?),
            "internal" => Variable::Internal(args.number("a value")?),
            other => return Err(Problem::unknown(other, "a style of variables", &STYLES)),
        };
        self.table.insert(name.to_string(), variable);
        Ok(())
    }

    fn only(&self, args: &mut Args) -> Result<String, Problem> {
        let text = args.word("the value of the variable")?.to_string();
        args.end()?;
        Ok(text)
    }

    /// Defines a variable from outside, as `-var name values` of LAMMPS' command line.
    pub fn preset(&mut self, name: &str, values: &[String]) {
        let values = values.to_vec();
        self.table
            .insert(name.to_string(), Variable::Index { values, at: 0 });
    }

    pub fn get(&self, name: &str) -> Result<&Variable, Problem> {
        self.table.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.table.keys().map(String::as_str).collect();
            Problem::unknown(name, "the name of a variable", &known)
        })
    }

    /// The command `next`: advances variables. Returns whether one was at its end, which removes it.
    pub fn advance(&mut self, names: &[String]) -> Result<bool, Problem> {
        if names.is_empty() {
            return Err(Problem::missing("the name of a variable"));
        }
        let mut has_ended = false;
        for name in names {
            self.get(name)?;
            match self.table.get_mut(name) {
                Some(Variable::Index { values, at }) => {
                    *at += 1;
                    has_ended |= *at >= values.len();
                }
                Some(Variable::Loop { next, last, .. }) => {
                    *next += 1;
                    has_ended |= next > last;
                }
                _ => return Err(Problem::new(name, "a variable of style index or loop")),
            }
        }
        if has_ended {
            for name in names {
                self.table.remove(name);
            }
        }
        Ok(has_ended)
    }
}

/// `loop N`, `loop N M`, `loop N pad`, `loop N M pad`.
fn looped(args: &mut Args) -> Result<Variable, Problem> {
    let first = args.integer("the number of values")?;
    let mut range = [1, first];
    if args.peek().is_some_and(|word| word != "pad") {
        range = [first, args.integer("the last value")?];
    }
    if range[0] > range[1] || range[0] < 0 {
        let found = format!("{} to {}", range[0], range[1]);
        return Err(Problem::new(found, "a range that is not empty"));
    }
    let width = match args.take("pad") {
        true => range[1].to_string().len(),
        false => 0,
    };
    args.end()?;
    Ok(Variable::Loop {
        next: range[0],
        last: range[1],
        width,
    })
}

impl Now<'_> {
    /// The text of a variable.
    pub fn text_of(&self, name: &str) -> Result<String, Problem> {
        match self.book.variables.get(name)? {
            Variable::Index { values, at } => values
                .get(*at)
                .cloned()
                .ok_or_else(|| Problem::new(name, "a variable that is not at its end")),
            Variable::Loop { next, width, .. } => Ok(format!("{next:0>width$}", width = *width)),
            Variable::String(text) => Ok(text.clone()),
            Variable::Internal(x) => Ok(plain(*x)),
            Variable::Equal(_) => Ok(plain(self.number_of(name)?)),
            Variable::Atom(_) => Err(Problem::new(name, "a variable that is one value")),
        }
    }

    /// The number of a variable.
    pub fn number_of(&self, name: &str) -> Result<f64, Problem> {
        match self.variable(name)? {
            Operand::Number(x) => Ok(x),
            Operand::Column(_) => Err(Problem::new(name, "a variable that is one number")),
        }
    }

    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Result<Operand, Problem> {
        match self.book.variables.get(name)? {
            Variable::Equal(text) => self.deeper(name, || match self.formula(text)? {
                Operand::Column(_) => Err(Problem::new(
                    text.as_str(),
                    "a formula for one number: variables of style equal have one",
                )),
                number => Ok(number),
            }),
            Variable::Atom(text) => {
                let was = self.is_atom_formula.replace(true);
                let value = self.deeper(name, || self.formula(text));
                self.is_atom_formula.set(was);
                let count = self.spheres.ids.len();
                Ok(match value? {
                    Operand::Number(x) => Operand::Column(vec![x; count]),
                    column => column,
                })
            }
            Variable::Internal(x) => Ok(Operand::Number(*x)),
            _ => {
                let text = self.text_of(name)?;
                Ok(Operand::Number(number(&text, &format!("variable {name}"))?))
            }
        }
    }

    /// Replaces variables in a command; with `in_quotes`, within quotes too.
    pub fn replaced(&self, text: &str, in_quotes: bool) -> Result<String, Problem> {
        let mut out = String::new();
        let mut quote: Option<&str> = None;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if !in_quotes {
                let found = ["\"\"\"", "\"", "'"]
                    .into_iter()
                    .find(|quote| rest.starts_with(quote));
                if let Some(found) = found.filter(|found| quote.is_none_or(|q| q == *found)) {
                    quote = match quote {
                        Some(_) => None,
                        None => Some(found),
                    };
                    out.push_str(found);
                    rest = &rest[found.len()..];
                    continue;
                }
            }
            let after = &rest[c.len_utf8()..];
            if c != '$' || quote.is_some() {
                out.push(c);
                rest = after;
                continue;
            }
            let (value, left) = self.reference(after)?;
            out.push_str(&value);
            rest = left;
        }
        Ok(out)
    }

    /// The text of what follows a `$`, and the rest.
    fn reference<'t>(&self, text: &'t str) -> Result<(String, &'t str), Problem> {
        if let Some(inner) = text.strip_prefix('{') {
            let wrong = || Problem::new(format!("${text}"), "a closing }");
            let (name, rest) = inner.split_once('}').ok_or_else(wrong)?;
            return Ok((self.text_of(name)?, rest));
        }
        if let Some(inner) = text.strip_prefix('(') {
            let mut depth = 1;
            let end = inner.find(|c| {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            let wrong = || Problem::new(format!("${text}"), "a closing )");
            let end = end.ok_or_else(wrong)?;
            let (inside, rest) = (&inner[..end], &inner[end + 1..]);
            let (formula, format) = match inside.rsplit_once(":%") {
                Some((formula, format)) => (formula, Format::parse(&format!("%{format}"))?),
                None => (inside, Format::parse("%.20g")?),
            };
            return match self.formula(formula)? {
                Operand::Number(x) => Ok((format.print(Number::Real(x)), rest)),
                Operand::Column(_) => Err(Problem::new(formula, "a formula for one number")),
            };
        }
        let mut letters = text.chars();
        match letters.next() {
            Some(c) if c.is_ascii_alphanumeric() => {
                Ok((self.text_of(&c.to_string())?, letters.as_str()))
            }
            _ => Err(Problem::new(
                format!("${text}"),
                "the name of a variable after $",
            )),
        }
    }
}
