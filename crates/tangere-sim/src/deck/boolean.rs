//! Conditions of `if`: numbers and words, compared and joined. There is no arithmetic, as in LAMMPS:
//! variables are replaced before.

use super::error::Problem;

/// An operand: a number if it reads as one.
#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(f64),
    Word(String),
}

/// Comparisons, longer ones first.
const SIGNS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Whether a condition holds.
pub(super) fn holds(text: &str) -> Result<bool, Problem> {
    let mut parser = Parser { text, rest: text };
    let value = parser.any(0)?;
    match parser.rest.trim().is_empty() {
        true => truth(&value, text),
        false => Err(Problem::new(
            parser.rest.trim(),
            format!("&&, ||, |^ or the end of the condition {text}"),
        )),
    }
}

fn truth(value: &Operand, text: &str) -> Result<bool, Problem> {
    match value {
        Operand::Number(x) => Ok(*x != 0.0),
        Operand::Word(word) => match word.as_str() {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            word => {
                let expected = format!("a comparison in the condition {text}");
                Err(Problem::new(word, expected))
            }
        },
    }
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Parser<'_> {
    fn take(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Conditions joined by `||` and `|^`.
    fn any(&mut self, depth: u32) -> Result<Operand, Problem> {
        let mut value = self.all(depth)?;
        loop {
            let is_exclusive = match (self.take("||"), self.take("|^")) {
                (true, _) => false,
                (_, true) => true,
                _ => return Ok(value),
            };
            let (a, b) = (truth(&value, self.text)?, self.all(depth)?);
            let b = truth(&b, self.text)?;
            let joined = if is_exclusive { a != b } else { a || b };
            value = Operand::Number(f64::from(u8::from(joined)));
        }
    }

    /// Conditions joined by `&&`.
    fn all(&mut self, depth: u32) -> Result<Operand, Problem> {
        let mut value = self.comparison(depth)?;
        while self.take("&&") {
            let (a, b) = (truth(&value, self.text)?, self.comparison(depth)?);
            let b = truth(&b, self.text)?;
            value = Operand::Number(f64::from(u8::from(a && b)));
        }
        Ok(value)
    }

    fn comparison(&mut self, depth: u32) -> Result<Operand, Problem> {
        let mut left = self.operand(depth)?;
        while let Some(sign) = SIGNS.into_iter().find(|sign| self.take(sign)) {
            let right = self.operand(depth)?;
            let is_true = match (&left, &right) {
                (Operand::Number(x), Operand::Number(y)) => match sign {
                    "==" => x == y,
                    "!=" => x != y,
                    "<=" => x <= y,
                    ">=" => x >= y,
                    "<" => x < y,
                    _ => x > y,
                },
                (Operand::Word(x), Operand::Word(y)) if sign == "==" => x == y,
                (Operand::Word(x), Operand::Word(y)) if sign == "!=" => x != y,
                (Operand::Word(word), _) | (_, Operand::Word(word)) => {
                    let expected = format!("a number to compare by {sign} in {}", self.text);
                    return Err(Problem::new(word.as_str(), expected));
                }
            };
            left = Operand::Number(f64::from(u8::from(is_true)));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: u32) -> Result<Operand, Problem> {
        if depth > 64 {
            return Err(Problem::new(self.text, "fewer parentheses"));
        }
        if self.take("(") {
            let value = self.any(depth + 1)?;
            return match self.take(")") {
                true => Ok(value),
                false => Err(Problem::new(self.text, "a closing )")),
            };
        }
        if !self.rest.trim_start().starts_with("!=") && self.take("!") {
            let value = self.operand(depth + 1)?;
            let is_true = truth(&value, self.text)?;
            return Ok(Operand::Number(f64::from(u8::from(!is_true))));
        }
        self.rest = self.rest.trim_start();
        for quote in ['"', '\''] {
            if let Some(inner) = self.rest.strip_prefix(quote) {
                let wrong = || Problem::new(self.text, "a closing quote");
                let (word, rest) = inner.split_once(quote).ok_or_else(wrong)?;
                self.rest = rest;
                return Ok(Operand::Word(word.to_string()));
            }
        }
        let is_end = |c: char| c.is_whitespace() || "=!<>&|()".contains(c);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            let expected = format!("a number or a word in the condition {}", self.text);
            let found = match self.rest {
                "" => "the end of the condition",
                rest => rest,
            };
            return Err(Problem::new(found, expected));
        }
        self.rest = rest;
        Ok(match super::args::number(word, "") {
            Ok(x) => Operand::Number(x),
            Err(_) => Operand::Word(word.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        for (text, expected) in [
            ("1 < 2", true),
            ("1<2", true),
            ("2 <= 1.5", false),
            ("abc == abc", true),
            ("abc != abd", true),
            ("(1 < 2) && !(3 == 4)", true),
            ("1 == 1 |^ 2 == 2", false),
            ("0 || 1 && 0", false),
            ("-1.5e0 > -2", true),
            ("true", true),
            ("!0", true),
        ] {
            assert_eq!(holds(text), Ok(expected), "{text}");
        }
        for text in [
            "", "1 <", "abc < 2", "(1 < 2", "1 2", "abc", "&&", "1 == \"x",
        ] {
            assert!(holds(text).is_err(), "{text}");
        }
    }
}
