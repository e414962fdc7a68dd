//! CSV reader and writer: tables of numbers, one row per line, all rows of the same length.
//!
//! Fields are separated by semicolons if the first row contains one, else by commas
//! if it contains one, else by white space. `#` begins a comment. The first row
//! holds names if one of its fields is in quotes or none of them is a number.
//! The decimal separator is a point. Numbers that are not finite are an error.

use crate::error::Fault;
use crate::table::Table;
use crate::text::{
    Line, Lines, any_number, check_utf8_mark, integer, number, quoted, write_number,
};
use crate::vtk;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Byte(u8),
    Space,
}

/// Parses a CSV text as a table.
pub fn parse_csv(bytes: &[u8]) -> Result<Table, Fault> {
    check_utf8_mark(bytes)?;
    let mut lines = Lines::new(bytes);
    let Some(first) = next_row(&mut lines) else {
        return Err(lines.end_fault("a row of numbers"));
    };
    let separator = separator(first.bytes);
    let fields = quoted_fields(first, separator)?;
    let is_header = fields.iter().any(|field| field.in_quotes)
        || fields.iter().all(|field| any_number(&field.text).is_none());
    if is_header {
        check_names(first, &fields)?;
    }
    let columns = fields.len();
    let mut values = Vec::new();
    let mut row = match is_header {
        true => next_row(&mut lines),
        false => Some(first),
    };
    while let Some(line) = row {
        let before = values.len();
        match separator {
            Separator::Byte(byte) => {
                for field in line.bytes.split(|&other| other == byte) {
                    values.push(number(field.trim_ascii(), line.number)?);
                }
            }
            Separator::Space => {
                for field in line.words() {
                    values.push(number(field, line.number)?);
                }
            }
        }
        let found = values.len() - before;
        if found != columns {
            return Err(line.fault(
                format!("{found} field{}", if found == 1 { "" } else { "s" }),
                format!("{columns} as in line {}", first.number),
            ));
        }
        row = next_row(&mut lines);
    }
    let name = |field: Field| String::from_utf8_lossy(&field.text).into_owned();
    Ok(Table {
        columns,
        values,
        names: is_header.then(|| fields.into_iter().map(name).collect()),
    })
}

/// Returns for each row of numbers its line number in the file and its fields as text. The text
/// must be a valid table.
pub(crate) fn rows_of_fields(
    bytes: &[u8],
    has_names: bool,
) -> impl Iterator<Item = (usize, Vec<&[u8]>)> {
    let mut lines = Lines::new(bytes);
    let separator = next_row(&mut lines.clone()).map(|first| separator(first.bytes));
    std::iter::from_fn(move || next_row(&mut lines))
        .skip(usize::from(has_names))
        .map(move |line| {
            let fields = match separator {
                Some(Separator::Byte(byte)) => {
                    let fields = line.bytes.split(|&other| other == byte);
                    fields.map(<[u8]>::trim_ascii).collect()
                }
                _ => line.words().collect(),
            };
            (line.number, fields)
        })
}

/// Returns the line number in the file, from 1, of the row of numbers with index `row`.
pub(crate) fn line_of_row(bytes: &[u8], row: usize, has_names: bool) -> usize {
    let mut lines = Lines::new(bytes);
    let mut rows = std::iter::from_fn(|| next_row(&mut lines));
    let line = rows.nth(row + usize::from(has_names));
    line.map_or(0, |line| line.number)
}

/// Returns a fault if two columns have the same name. Names are case-insensitive, as in
/// [`Table::column_named`]. Any number of columns may have no name.
fn check_names(line: Line, fields: &[Field]) -> Result<(), Fault> {
    let mut columns = HashMap::new();
    for (i, field) in fields.iter().enumerate() {
        let name = field.text.to_ascii_lowercase();
        if name.is_empty() {
            continue;
        }
        if let Some(first) = columns.insert(name, i) {
            let [a, b] = [first, i].map(|k| quoted(&fields[k].text));
            return Err(line.fault(
                format!(
                    "the names {a} in column {} and {b} in column {}",
                    first + 1,
                    i + 1
                ),
                "a name of its own for each column",
            ));
        }
    }
    Ok(())
}

/// Returns the next line that is not blank, without its comment.
fn next_row<'a>(lines: &mut Lines<'a>) -> Option<Line<'a>> {
    lines.map(without_comment).find(|line| !line.is_blank())
}

/// Returns the line up to a `#` that is not in quotes.
fn without_comment(line: Line) -> Line {
    let mut in_quotes = false;
    let end = line.bytes.iter().position(|&byte| {
        in_quotes ^= byte == b'"';
        byte == b'#' && !in_quotes
    });
    Line {
        bytes: &line.bytes[..end.unwrap_or(line.bytes.len())],
        ..line
    }
}

fn separator(row: &[u8]) -> Separator {
    let has = |separator: u8| {
        let mut in_quotes = false;
        row.iter().any(|&byte| {
            in_quotes ^= byte == b'"';
            byte == separator && !in_quotes
        })
    };
    match [b';', b','].into_iter().find(|&byte| has(byte)) {
        Some(byte) => Separator::Byte(byte),
        None => Separator::Space,
    }
}

struct Field {
    text: Vec<u8>,
    in_quotes: bool,
}

/// Splits a row, which may hold the names of columns, into fields. A quoted field may contain the
/// separator; a doubled quote in it stands for a quote.
fn quoted_fields(line: Line, separator: Separator) -> Result<Vec<Field>, Fault> {
    // In a table separated by tabs, names may contain spaces.
    let separator = match separator {
        Separator::Space if line.bytes.trim_ascii().contains(&b'\t') => Separator::Byte(b'\t'),
        other => other,
    };
    let ends_field = |byte: u8| match separator {
        Separator::Byte(other) => byte == other,
        Separator::Space => crate::text::is_space(byte),
    };
    let mut fields = Vec::new();
    let mut rest = line.bytes.trim_ascii();
    loop {
        let mut field = Field {
            text: Vec::new(),
            in_quotes: false,
        };
        if let Some(mut inner) = rest.strip_prefix(b"\"") {
            field.in_quotes = true;
            loop {
                let Some(end) = inner.iter().position(|&byte| byte == b'"') else {
                    return Err(line.fault(quoted(rest), "a quote at the end of the name"));
                };
                field.text.extend_from_slice(&inner[..end]);
                inner = &inner[end + 1..];
                match inner.strip_prefix(b"\"") {
                    Some(more) => {
                        field.text.push(b'"');
                        inner = more;
                    }
                    None => break,
                }
            }
            rest = inner;
        }
        let end = rest.iter().position(|&byte| ends_field(byte));
        let outside = rest[..end.unwrap_or(rest.len())].trim_ascii();
        if field.in_quotes && !outside.is_empty() {
            return Err(line.fault(quoted(outside), "a separator after the quote"));
        }
        field.text.extend_from_slice(outside);
        fields.push(field);
        match end {
            Some(end) => rest = rest[end + 1..].trim_ascii_start(),
            None => return Ok(fields),
        }
    }
}

/// Returns the integers of some columns of a table with names; `None` for a column with a number that
/// is not an integer of type `T` without a point or an exponent. The text must be a valid table.
///
/// `-0` is no integer: it would lose its sign.
pub(crate) fn integer_columns<T: std::str::FromStr>(
    bytes: &[u8],
    columns: &[usize],
) -> Vec<Option<Vec<T>>> {
    let mut found: Vec<Option<Vec<T>>> = columns.iter().map(|_| Some(Vec::new())).collect();
    if columns.is_empty() {
        return found;
    }
    for (_, words) in rows_of_fields(bytes, true) {
        for (values, &k) in found.iter_mut().zip(columns) {
            let word = words[k];
            match (integer(word).filter(|_| word != b"-0"), values.as_mut()) {
                (Some(value), Some(values)) => values.push(value),
                _ => *values = None,
            }
        }
        if found.iter().all(Option::is_none) {
            break;
        }
    }
    found
}

/// Returns the separator of a text file by its extension: tabs in `.tsv`, else commas.
pub(crate) fn separator_of(path: &Path) -> &'static str {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("tsv") => "\t",
        _ => ",",
    }
}

/// Writes a table as text, followed in each row by the numbers of `fields`. The names of the table
/// are those of all columns. Floats read back bit for bit, integers have all digits.
pub(crate) fn write(
    out: &mut impl Write,
    table: &Table,
    fields: &[vtk::Field],
    separator: &str,
) -> io::Result<()> {
    write_rows(out, table, table.len(), fields, separator)
}

/// Writes a table as [`write`] does. It may have no columns of its own, for `count` rows of fields.
pub(crate) fn write_rows(
    out: &mut impl Write,
    table: &Table,
    count: usize,
    fields: &[vtk::Field],
    separator: &str,
) -> io::Result<()> {
    let separate = |out: &mut _, k: usize| match k {
        0 => Ok(()),
        _ => Write::write_all(out, separator.as_bytes()),
    };
    if let Some(names) = &table.names {
        for (k, name) in names.iter().enumerate() {
            separate(out, k)?;
            let plain = |c: char| c.is_alphanumeric() || "_-+*/().:[]".contains(c);
            if !name.is_empty() && name.chars().all(plain) && any_number(name.as_bytes()).is_none()
            {
                out.write_all(name.as_bytes())?;
            } else {
                write!(out, "\"{}\"", name.replace('"', "\"\""))?;
            }
        }
        out.write_all(b"\n")?;
    }
    for i in 0..count {
        let row = &table.values[i * table.columns..][..table.columns];
        for (k, &x) in row.iter().enumerate() {
            separate(out, k)?;
            write_number(out, x)?;
        }
        let mut written = row.len();
        for field in fields {
            for k in 0..field.components {
                separate(out, written)?;
                field.values.write_text(i * field.components + k, out)?;
                written += 1;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
