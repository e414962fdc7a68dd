//! Formulas of variables: operators, numbers, references.
//!
//! Operators from the loosest to the tightest: `|| |^`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, `^`,
//! the sign and `!`. All group from the left, and `-2^2` is 4, as in LAMMPS. Truth is 1, falsehood 0.

use super::super::attributes;
use super::super::computes::Value;
use super::super::error::Problem;
use super::super::now::Now;
use super::super::thermo;
use super::{functions, groups};
use std::f64::consts::PI;

/// A value within a formula.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Operand {
    /// A number.
    Number(f64),
    /// A number for each sphere.
    Column(Vec<f64>),
}

impl Operand {
    /// Applies a function to each number.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Number(x) => Self::Number(f(x)),
            Self::Column(x) => Self::Column(x.into_iter().map(f).collect()),
        }
    }

    /// Applies a function to numbers of two operands.
    pub fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Number(x), Self::Number(y)) => Self::Number(f(x, y)),
            (Self::Number(x), y) => y.map(|y| f(x, y)),
            (x, Self::Number(y)) => x.map(|x| f(x, y)),
            (Self::Column(x), Self::Column(y)) => {
                Self::Column(x.into_iter().zip(y).map(|(x, y)| f(x, y)).collect())
            }
        }
    }
}

/// Binary operators: text, tightness, function. Longer ones come first.
type Operator = (&'static str, u8, fn(f64, f64) -> f64);
const OPERATORS: [Operator; 15] = [
    ("||", 1, |x, y| truth(x != 0.0 || y != 0.0)),
    ("|^", 1, |x, y| truth((x != 0.0) != (y != 0.0))),
    ("&&", 2, |x, y| truth(x != 0.0 && y != 0.0)),
    ("==", 3, |x, y| truth(x == y)),
    ("!=", 3, |x, y| truth(x != y)),
    ("<=", 4, |x, y| truth(x <= y)),
    (">=", 4, |x, y| truth(x >= y)),
    ("<", 4, |x, y| truth(x < y)),
    (">", 4, |x, y| truth(x > y)),
    ("+", 5, |x, y| x + y),
    ("-", 5, |x, y| x - y),
    ("*", 6, |x, y| x * y),
    ("/", 6, |x, y| x / y),
    ("%", 6, libm::fmod),
    ("^", 7, power),
];

fn truth(is_true: bool) -> f64 {
    f64::from(u8::from(is_true))
}

/// Powers; those with small integers by multiplication.
fn power(x: f64, y: f64) -> f64 {
    match y == y.trunc() && y.abs() <= 4.0 {
        true => {
            let product = (0..y.abs() as u32).fold(1.0, |product, _| product * x);
            if y < 0.0 { 1.0 / product } else { product }
        }
        false => libm::pow(x, y),
    }
}

impl Now<'_> {
    /// The value of a formula.
    pub fn formula(&self, text: &str) -> Result<Operand, Problem> {
        let replaced;
        let text = match text.contains('$') {
            true => {
                replaced = self.replaced(text, true)?;
                replaced.as_str()
            }
            false => text,
        };
        let mut parser = Parser {
            text,
            rest: text,
            now: self,
        };
        let value = self.deeper(text, || parser.sum(0))?;
        match parser.peek() {
            None => Ok(value),
            Some(_) => Err(Problem::new(
                parser.rest.trim(),
                format!("an operator or the end of the formula {text}"),
            )),
        }
    }

    /// The value of a formula that is one number.
    pub fn number_formula(&self, text: &str) -> Result<f64, Problem> {
        match self.formula(text)? {
            Operand::Number(x) => Ok(x),
            Operand::Column(_) => Err(Problem::new(text, "a formula for one number")),
        }
    }
}

struct Parser<'t, 'n> {
    text: &'t str,
    rest: &'t str,
    now: &'n Now<'n>,
}

impl<'t> Parser<'t, '_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn wrong(&self, expected: &str) -> Problem {
        let found = match self.rest.trim() {
            "" => "the end of the formula",
            rest => rest,
        };
        Problem::new(found, format!("{expected} in the formula {}", self.text))
    }

    /// Operands joined by operators that bind more tightly than `least`.
    fn sum(&mut self, least: u8) -> Result<Operand, Problem> {
        let mut value = self.signed()?;
        loop {
            self.peek();
            let found = OPERATORS
                .iter()
                .find(|(text, ..)| self.rest.starts_with(text));
            let Some((text, tightness, f)) = found.filter(|(_, t, _)| *t > least) else {
                return Ok(value);
            };
            self.take(text);
            let right = self.sum(*tightness)?;
            value = value.zip(right, f);
        }
    }

    fn signed(&mut self) -> Result<Operand, Problem> {
        if self.take("-") {
            let now = self.now;
            return Ok(now.deeper("-", || self.signed())?.map(|x| 0.0 - x));
        }
        if self.take("!") {
            let now = self.now;
            let value = now.deeper("!", || self.signed())?;
            return Ok(value.map(|x| truth(x == 0.0)));
        }
        match self.peek() {
            Some('(') => {
                self.take("(");
                let now = self.now;
                let value = now.deeper("(", || self.sum(0))?;
                match self.take(")") {
                    true => Ok(value),
                    false => Err(self.wrong("a closing )")),
                }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            _ => Err(self.wrong("a number, a name or (")),
        }
    }

    fn number(&mut self) -> Result<Operand, Problem> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(c) = bytes.get(end) {
            let is_sign = matches!(c, b'+' | b'-');
            let follows_exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
            let is_digit = c.is_ascii_digit() || matches!(c, b'.' | b'e' | b'E');
            let is_part = is_digit || (is_sign && follows_exponent);
            if !is_part {
                break;
            }
            end += 1;
        }
        let (word, rest) = self.rest.split_at(end);
        let value: f64 = word.parse().map_err(|_| self.wrong("a number"))?;
        self.rest = rest;
        Ok(Operand::Number(value))
    }

    fn name(&mut self) -> Result<Operand, Problem> {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_letter(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let now = self.now;
        if let Some((kind, id)) = word.split_once('_').filter(|(kind, _)| kind.len() == 1) {
            let indices = self.indices()?;
            match kind {
                "c" => {
                    let value = now.compute(id)?;
                    return entry(now, &value, &indices, word);
                }
                "f" => return entry(now, &now.book.fix(id)?.value(now.clock)?, &indices, word),
                "v" => {
                    return match (now.variable(id)?, indices.as_slice()) {
                        (value, []) => Ok(value),
                        (Operand::Column(x), [i]) => entry(now, &Value::Atom(x), &[*i], word),
                        _ => Err(Problem::new(word, "a variable without an index")),
                    };
                }
                _ => return Err(Problem::new(word, "c_, f_ or v_ and a name")),
            }
        }
        if self.rest.starts_with('(') {
            let args = self.arguments()?;
            if let Some(result) = groups::call(now, word, &args) {
                return result.map(Operand::Number);
            }
            return functions::call(now, word, &args);
        }
        if self.rest.starts_with('[') {
            let indices = self.indices()?;
            let column = attributes::values(now, word)
                .ok_or_else(|| Problem::new(word, "a property of atoms such as x, vx, fx, mass"))?;
            return entry(now, &Value::Atom(column), &indices, word);
        }
        match word {
            "PI" => return Ok(Operand::Number(PI)),
            "version" => return Ok(Operand::Number(20260704.0)),
            "yes" | "on" | "true" => return Ok(Operand::Number(1.0)),
            "no" | "off" | "false" => return Ok(Operand::Number(0.0)),
            _ => {}
        }
        if attributes::OF_VARIABLES.contains(&word)
            && let Some(column) = attributes::values(now, word)
        {
            return Ok(Operand::Column(column));
        }
        let value = thermo::keyword(now, word)?;
        Ok(Operand::Number(value.value()))
    }

    /// `[i]` or `[i][j]` after a name.
    fn indices(&mut self) -> Result<Vec<usize>, Problem> {
        let mut found = Vec::new();
        while self.rest.starts_with('[') {
            let inner = &self.rest[1..];
            let end = inner.find(']').ok_or_else(|| self.wrong("a closing ]"))?;
            let index = self.now.number_formula(&inner[..end])?;
            if index < 1.0 || index != index.trunc() || index > 1e15 {
                return Err(Problem::new(&inner[..end], "an index from 1 up"));
            }
            found.push(index as usize);
            self.rest = &inner[end + 1..];
        }
        Ok(found)
    }

    /// The arguments of a function, as text.
    fn arguments(&mut self) -> Result<Vec<&'t str>, Problem> {
        let inner = &self.rest[1..];
        let mut depth = 0;
        let mut start = 0;
        let mut found = Vec::new();
        for (at, c) in inner.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' if depth == 0 => {
                    found.push(inner[start..at].trim());
                    self.rest = &inner[at + 1..];
                    if found == [""] {
                        found.clear();
                    }
                    return Ok(found);
                }
                ')' | ']' => depth -= 1,
                ',' if depth == 0 => {
                    found.push(inner[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        Err(self.wrong("a closing )"))
    }
}

/// An entry of the value of a compute or fix.
fn entry(now: &Now, value: &Value, indices: &[usize], word: &str) -> Result<Operand, Problem> {
    let row = |id: usize| {
        let row = now.spheres.ids.iter().position(|own| *own == id as u64);
        row.ok_or_else(|| Problem::new(format!("{word}[{id}]"), "the ID of an atom"))
    };
    match (value, indices) {
        (Value::Scalar(x) | Value::Both(x, _), []) => Ok(Operand::Number(*x)),
        (Value::Vector(x) | Value::Both(_, x), [i]) => match x.get(i - 1) {
            Some(x) => Ok(Operand::Number(*x)),
            None => Err(Problem::new(
                format!("{word}[{i}]"),
                format!("an index from 1 to {}", x.len()),
            )),
        },
        (Value::Atom(x), []) => Ok(Operand::Column(x.clone())),
        (Value::Atom(x), [i]) => Ok(Operand::Number(
            x.get(row(*i)?).copied().unwrap_or_default(),
        )),
        (Value::Columns(x), [j]) => Ok(Operand::Column(column(x, *j, word)?.clone())),
        (Value::Columns(x), [i, j]) => {
            let own = column(x, *j, word)?.get(row(*i)?);
            Ok(Operand::Number(own.copied().unwrap_or_default()))
        }
        (Value::Local(_), _) => Err(Problem::new(
            word,
            "a compute of numbers or atoms: local values are for dump local and compute reduce",
        )),
        (Value::Scalar(_), _) => Err(Problem::new(word, "no index: it is one number")),
        (Value::Vector(_), _) => Err(Problem::new(word, format!("one index: {word}[i]"))),
        _ => Err(Problem::new(word, "another number of indices")),
    }
}

/// A column of an array, counted from 1.
pub(in super::super) fn column<'v>(
    columns: &'v [Vec<f64>],
    j: usize,
    word: &str,
) -> Result<&'v Vec<f64>, Problem> {
    j.checked_sub(1)
        .and_then(|j| columns.get(j))
        .ok_or_else(|| {
            let expected = format!("a column from 1 to {}", columns.len());
            Problem::new(format!("{word}[{j}]"), expected)
        })
}
