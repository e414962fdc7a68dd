//! Numbers as C's `printf` writes them: `%d %i %u %g %e %f` with flags, width and precision.

use super::error::Problem;

/// One value to print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
}

impl Number {
    pub fn value(self) -> f64 {
        match self {
            Self::Integer(i) => i as f64,
            Self::Real(x) => x,
        }
    }
}

/// A format with one conversion, and the text around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format {
    before: String,
    after: String,
    is_left: bool,
    is_padded: bool,
    sign: Option<char>,
    is_alternate: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

impl Format {
    /// Parses a format.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = || Problem::new(text, "a format with one %d, %g, %e or %f");
        let (before, rest) = text.split_once('%').ok_or_else(wrong)?;
        let mut format = Self {
            before: before.to_string(),
            after: String::new(),
            is_left: false,
            is_padded: false,
            sign: None,
            is_alternate: false,
            width: 0,
            precision: None,
            conversion: 'g',
        };
        let mut rest = rest;
        loop {
            match rest.chars().next() {
                Some('-') => format.is_left = true,
                Some('0') => format.is_padded = true,
                Some('+') => format.sign = Some('+'),
                Some(' ') => format.sign = format.sign.or(Some(' ')),
                Some('#') => format.is_alternate = true,
                _ => break,
            }
            rest = &rest[1..];
        }
        let (width, left) = digits(rest).ok_or_else(wrong)?;
        format.width = width.unwrap_or(0);
        rest = left;
        if let Some(left) = rest.strip_prefix('.') {
            let (precision, left) = digits(left).ok_or_else(wrong)?;
            format.precision = Some(precision.unwrap_or(0));
            rest = left;
        }
        let rest = rest.trim_start_matches('l');
        let conversion = rest.chars().next().ok_or_else(wrong)?;
        if !"diugGeEfF".contains(conversion) || rest[1..].contains('%') {
            return Err(wrong());
        }
        format.conversion = conversion;
        format.after = rest[1..].to_string();
        Ok(format)
    }

    /// Whether it is for integers.
    pub fn is_integer(&self) -> bool {
        "diu".contains(self.conversion)
    }

    /// The text of a number. Integers in a format for real numbers are printed as such, and the other way
    /// round.
    pub fn print(&self, number: Number) -> String {
        let mut out = self.before.clone();
        self.print_field(number, &mut out);
        out.push_str(&self.after);
        out
    }

    fn print_field(&self, number: Number, out: &mut String) {
        let x = number.value();
        let (is_negative, body) = match number {
            _ if self.is_integer() => {
                let i = match number {
                    Number::Integer(i) => i,
                    Number::Real(x) => x as i64,
                };
                let least = self.precision.unwrap_or(1);
                (i < 0, format!("{:0>least$}", i.unsigned_abs()))
            }
            _ if x.is_nan() => (false, "nan".to_string()),
            _ if x.is_infinite() => (x < 0.0, "inf".to_string()),
            _ => (x.is_sign_negative(), self.digits(x.abs())),
        };
        let sign = match is_negative {
            true => Some('-'),
            false => self.sign,
        };
        let size = body.len() + usize::from(sign.is_some());
        let padding = self.width.saturating_sub(size);
        let is_number = x.is_finite();
        let zeros = self.is_padded && !self.is_left && is_number;
        if !self.is_left && !zeros {
            out.extend(std::iter::repeat_n(' ', padding));
        }
        out.extend(sign);
        if zeros {
            out.extend(std::iter::repeat_n('0', padding));
        }
        out.push_str(&body);
        if self.is_left {
            out.extend(std::iter::repeat_n(' ', padding));
        }
    }

    /// The digits of a number that is not negative.
    fn digits(&self, x: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        let text = match self.conversion {
            'f' | 'F' => format!("{x:.precision$}"),
            'e' | 'E' => scientific(x, precision),
            _ => general(x, precision.max(1), self.is_alternate),
        };
        match self.conversion.is_uppercase() {
            true => text.to_uppercase(),
            false => text,
        }
    }
}

/// A number in front of a text, if there is one. None if it is too large to be a width.
fn digits(text: &str) -> Option<(Option<usize>, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    match &text[..end] {
        "" => Some((None, text)),
        number => {
            let number: usize = number.parse().ok().filter(|n| *n <= 512)?;
            Some((Some(number), &text[end..]))
        }
    }
}

/// `%e`: one digit, the point, `precision` digits and an exponent of at least two digits.
fn scientific(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        None => text,
    }
}

/// `%g`: `precision` digits, of which zeros at the end are left out, scientific if the exponent is below
/// -4 or not below the precision.
fn general(x: f64, precision: usize, keeps_zeros: bool) -> String {
    let text = scientific(x, precision - 1);
    let exponent = text
        .split_once('e')
        .and_then(|(_, e)| e.parse::<i32>().ok());
    let exponent = exponent.unwrap_or(0);
    let trimmed = |digits: &str| -> String {
        match !keeps_zeros && digits.contains('.') {
            true => digits
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_string(),
            false => digits.to_string(),
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        };
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{x:.decimals$}"))
}

/// A number as `%.15g` writes it: how variables become text.
pub(super) fn plain(x: f64) -> String {
    match x {
        x if x.is_nan() => "nan".to_string(),
        x if x.is_infinite() => if x > 0.0 { "inf" } else { "-inf" }.to_string(),
        x if x.is_sign_negative() => format!("-{}", general(x.abs(), 15, false)),
        x => general(x, 15, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(format: &str, x: f64) -> String {
        Format::parse(format).unwrap().print(Number::Real(x))
    }

    #[test]
    fn as_in_c() {
        for (format, x, expected) in [
            ("%g", 0.0, "0"),
            ("%g", 100000.0, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001234567, "1.23457e-05"),
            ("%g", -1.5, "-1.5"),
            ("%g", 999999.5, "1e+06"),
            ("%.3g", 1234.0, "1.23e+03"),
            ("%20.15g|", 0.1, "                 0.1|"),
            ("% -14.8g|", 784139.13, " 784139.13    |"),
            ("%-1.16e", 0.1, "1.0000000000000001e-01"),
            ("%8.3f", -2.5187, "  -2.519"),
            ("%08.3f", -2.5187, "-002.519"),
            ("%+.2e", 12345.0, "+1.23e+04"),
            ("t=%d s", 41.7, "t=41 s"),
            ("%G", 1e-7, "1E-07"),
            ("%g", f64::NAN, "nan"),
            ("%6g", f64::NEG_INFINITY, "  -inf"),
        ] {
            assert_eq!(real(format, x), expected, "{format}");
        }
        let format = Format::parse("%10d ").unwrap();
        assert_eq!(format.print(Number::Integer(100)), "       100 ");
        let format = Format::parse("%05ld").unwrap();
        assert_eq!(format.print(Number::Integer(-42)), "-0042");
    }

    #[test]
    fn bad_formats() {
        for format in ["", "abc", "%", "%s", "%d %d", "%99999d", "%.g%"] {
            assert!(Format::parse(format).is_err(), "{format}");
        }
    }

    #[test]
    fn variables_have_fifteen_digits() {
        assert_eq!(plain(0.1), "0.1");
        assert_eq!(plain(1.0 / 3.0), "0.333333333333333");
        assert_eq!(plain(1e20), "1e+20");
        assert_eq!(plain(-3.0), "-3");
    }
}
