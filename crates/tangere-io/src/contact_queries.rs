//! Reader of queries of continuous collision detection between vertices, edges and faces: their
//! corners at the start and at the end of a step.

use crate::csv::{line_of_row, parse_csv, rows_of_fields};
use crate::error::{Fault, Place, Result};
use crate::format::TableFormat;
use crate::npy::parse_npy;
use crate::table::{Table, read_rows};
use crate::text::{any_number, quoted};
use std::path::Path;

/// Queries of continuous collision detection between two primitives: vertices, edges or faces. The
/// two primitives of a query have `K` corners in total. Queries may also have the truth: whether
/// the primitives touch during the step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactQueries<const K: usize> {
    /// For each query the corners of both primitives at the start of the step.
    pub start: Vec<[[f64; 3]; K]>,
    /// For each query the corners of both primitives at the end of the step.
    pub end: Vec<[[f64; 3]; K]>,
    /// The truth of each query: whether its primitives touch during the step. `None` if the file
    /// does not say.
    pub truth: Option<Vec<bool>>,
    /// The number of coordinates given as fractions that float64 cannot represent exactly. They are
    /// rounded.
    pub rounded: usize,
}

/// Reads queries of continuous collision detection. The two primitives of a query have `K` corners
/// in total. A query has 2 `K` rows: the corners at the start of the step, then those at its end.
///
/// A row of a text or an array (`.npy`) has 3 numbers (x, y, z), or 4 of which the last is the
/// truth, 1 if the two primitives touch. A text may have fractions instead: 6 whole numbers
/// (numerator and denominator of x, y and z), or 7 with the truth, as in the benchmark of the paper
/// `wang2021`. Columns of a text may be named `x`, `y`, `z` and `truth`, in any order. Arrays may
/// also have the shapes (N, 2 `K`, 3) and (N, 2, `K`, 3).
///
/// # Errors
/// When rows have other lengths or some are missing, a denominator is 0, or the truth is not the
/// same in all rows of a query: the error has the line, or the number of the row.
pub fn read_queries<const K: usize>(path: impl AsRef<Path>) -> Result<ContactQueries<K>> {
    let reason = "holds points, not moving corners; expected csv or npy";
    read_rows(path.as_ref(), reason, queries_from_bytes)
}

/// Parses queries as [`read_queries`] does, from the content of a file: an array or else a text.
pub fn queries_from_bytes<const K: usize>(
    bytes: &[u8],
    format: TableFormat,
) -> std::result::Result<ContactQueries<K>, Fault> {
    if format == TableFormat::Npy {
        let array = parse_npy(bytes)?;
        let columns = match array.shape[..] {
            [_, columns @ (3 | 4)] => columns,
            [_, corners, 3] if corners == 2 * K => 3,
            [_, 2, corners, 3] if corners == K => 3,
            _ => {
                let expected = format!(
                    "rows of 3 (x, y, z) or 4 (x, y, z, truth), or (N, {}, 3)",
                    2 * K
                );
                let found = format!("{:?}", array.shape);
                return Err(Fault::new(Place::Part("shape"), found, expected));
            }
        };
        let rows = array.values.chunks_exact(columns).map(|row| Row {
            point: [row[0], row[1], row[2]],
            truth: row.get(3).copied(),
        });
        return queries(rows.collect(), 0, |row| Place::Item("row", row));
    }
    // Empty text contains no query.
    if bytes.trim_ascii().is_empty() {
        return Ok(ContactQueries::default());
    }
    let table = parse_csv(bytes)?;
    let has_names = table.names.is_some();
    let (rows, rounded) = match columns_of(&table)? {
        Columns::Numbers(columns, truth) => {
            let row = |row: &[f64]| Row {
                point: columns.map(|k| row[k]),
                truth: truth.map(|k| row[k]),
            };
            (table.rows().map(row).collect(), 0)
        }
        Columns::Fractions => fractions(bytes, has_names)?,
    };
    queries(rows, rounded, |row| {
        Place::Line(line_of_row(bytes, row, has_names))
    })
}

/// A row of a file of queries: a corner, and the truth of its query, 1 if the primitives touch.
struct Row {
    point: [f64; 3],
    truth: Option<f64>,
}

enum Columns {
    /// The coordinates of a corner are one number each. The first value has the indices of the
    /// columns of x, y and z, the second the index of the column of the truth; `None` if there is
    /// no such column.
    Numbers([usize; 3], Option<usize>),
    Fractions,
}

fn columns_of(table: &Table) -> std::result::Result<Columns, Fault> {
    let named = ["x", "y", "z"].map(|name| table.column_named(name));
    if let [Some(x), Some(y), Some(z)] = named {
        return Ok(Columns::Numbers([x, y, z], table.column_named("truth")));
    }
    match table.columns {
        3 => Ok(Columns::Numbers([0, 1, 2], None)),
        4 => Ok(Columns::Numbers([0, 1, 2], Some(3))),
        6 | 7 => Ok(Columns::Fractions),
        columns => Err(Fault::new(
            Place::Part("columns"),
            columns,
            "3 (x, y, z), 6 (numerators and denominators of x, y and z), or one more with the truth",
        )),
    }
}

/// Parses rows of a text in which each coordinate is a fraction. Returns the rows, and the number
/// of fractions that float64 cannot represent exactly.
fn fractions(bytes: &[u8], has_names: bool) -> std::result::Result<(Vec<Row>, usize), Fault> {
    let (mut rows, mut rounded) = (Vec::new(), 0);
    for (line, fields) in rows_of_fields(bytes, has_names) {
        let whole = |k: usize| {
            let word = fields.get(k).copied().unwrap_or_default();
            Whole::of(word)
                .ok_or_else(|| Fault::new(Place::Line(line), quoted(word), "a whole number"))
        };
        let mut point = [0.0; 3];
        for (k, x) in point.iter_mut().enumerate() {
            let (numerator, denominator) = (whole(2 * k)?, whole(2 * k + 1)?);
            if denominator.value == 0.0 {
                let expected = "a denominator other than 0";
                return Err(Fault::new(Place::Line(line), "0", expected));
            }
            *x = numerator.value / denominator.value;
            // The remainder of the division; a fused multiply-add rounds it only once, so 0 means
            // that the quotient is exact.
            let rest = x.mul_add(denominator.value, -numerator.value);
            let is_exact = numerator.is_exact && denominator.is_exact && rest == 0.0;
            rounded += usize::from(!is_exact);
        }
        let truth = fields.get(6).copied().and_then(any_number);
        rows.push(Row { point, truth });
    }
    Ok((rows, rounded))
}

/// A whole number parsed from text, as a float.
struct Whole {
    value: f64,
    /// Whether float64 represents the whole number exactly.
    is_exact: bool,
}

impl Whole {
    fn of(word: &[u8]) -> Option<Self> {
        let value = any_number(word)?;
        let digits = match word {
            [b'-' | b'+', digits @ ..] => digits,
            digits => digits,
        };
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        let digits = match &digits[zeros..] {
            [] => b"0",
            digits => digits,
        };
        digits.iter().all(u8::is_ascii_digit).then(|| Whole {
            value,
            // The number is exact if the float prints the same digits.
            is_exact: value.abs() < 9e15 || format!("{:.0}", value.abs()).as_bytes() == digits,
        })
    }
}

/// Groups rows into queries of 2 `K` rows each. `place` returns the position of a row in the file,
/// for errors.
fn queries<const K: usize>(
    rows: Vec<Row>,
    rounded: usize,
    place: impl Fn(usize) -> Place,
) -> std::result::Result<ContactQueries<K>, Fault> {
    if !rows.len().is_multiple_of(2 * K) {
        let expected = format!("a multiple of {}, the rows of a pair", 2 * K);
        return Err(Fault::new(Place::Part("rows"), rows.len(), expected));
    }
    let mut found = ContactQueries {
        rounded,
        ..ContactQueries::default()
    };
    let mut truths = Vec::new();
    for (i, rows) in rows.chunks_exact(2 * K).enumerate() {
        let corners = |from: usize| std::array::from_fn(|k| rows[from + k].point);
        found.start.push(corners(0));
        found.end.push(corners(K));
        for (k, row) in rows.iter().enumerate() {
            let is_valid = row.truth.is_none_or(|truth| truth == 0.0 || truth == 1.0);
            if !is_valid || row.truth != rows[0].truth {
                let truth = row.truth.unwrap_or_default();
                let expected = "0 or 1, the same in all rows of a pair";
                let found = format!("the truth {truth}");
                return Err(Fault::new(place(2 * K * i + k), found, expected));
            }
        }
        truths.extend(rows[0].truth.map(|truth| truth == 1.0));
    }
    found.truth = (truths.len() == found.start.len() && !truths.is_empty()).then_some(truths);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy;
    use crate::npy::NpyData;

    fn text(text: &str) -> std::result::Result<ContactQueries<2>, String> {
        queries_from_bytes(text.as_bytes(), TableFormat::Csv).map_err(|fault| fault.to_string())
    }

    fn array(shape: &[usize], values: &[f64]) -> std::result::Result<ContactQueries<2>, String> {
        let mut bytes = Vec::new();
        npy::write(&mut bytes, shape, NpyData::F64(values)).unwrap();
        queries_from_bytes(&bytes, TableFormat::Npy).map_err(|fault| fault.to_string())
    }

    fn expected(truth: Option<Vec<bool>>) -> ContactQueries<2> {
        ContactQueries {
            start: vec![[[0.0; 3], [0.5, 1.0, 2.0]]],
            end: vec![[[0.0; 3], [-0.5, -1.0, -2.0]]],
            truth,
            rounded: 0,
        }
    }

    #[test]
    fn all_forms_are_read() {
        let plain = "0 0 0\n0.5 1 2\n0 0 0\n-0.5 -1 -2\n";
        assert_eq!(text(plain), Ok(expected(None)));
        let named = "id,z,y,x\n0,0,0,0\n1,2,1,0.5\n2,0,0,0\n3,-2,-1,-0.5\n";
        assert_eq!(text(named), Ok(expected(None)));
        let known = "x,y,z,truth\n0,0,0,1\n0.5,1,2,1\n0,0,0,1\n-0.5,-1,-2,1\n";
        assert_eq!(text(known), Ok(expected(Some(vec![true]))));
        let fractions = "0,1,0,7,0,-3,0\n2,4,-5,-5,36028797018963968,18014398509481984,0\n\
                         0,1,0,1,0,1,0\n-1,2,-1,1,+02,-1,0\n";
        assert_eq!(text(fractions), Ok(expected(Some(vec![false]))));
        assert_eq!(text("").unwrap(), ContactQueries::default());
        let values = [
            0.0, 0.0, 0.0, 0.5, 1.0, 2.0, 0.0, 0.0, 0.0, -0.5, -1.0, -2.0,
        ];
        for shape in [&[4, 3][..], &[1, 4, 3], &[1, 2, 2, 3]] {
            assert_eq!(array(shape, &values), Ok(expected(None)));
        }
        assert_eq!(array(&[0, 3], &[]).unwrap(), ContactQueries::default());
    }

    #[test]
    fn what_is_rounded_is_counted() {
        let third = "1,3,9007199254740993,1,1,9007199254740993\n".repeat(4);
        let found = text(&third).unwrap();
        assert_eq!((found.rounded, found.start[0][0][0]), (12, 1.0 / 3.0));
        let long = "1,1,100000000000000000000000000000000,1,9007199254740994,2\n".repeat(4);
        assert_eq!(text(&long).unwrap().rounded, 4);
    }

    #[test]
    fn wrong_rows_are_named() {
        let good = "0,1,0,1,0,1,1\n";
        for (content, words) in [
            (
                "0 0 0\n".repeat(5),
                "rows: found 5, expected a multiple of 4",
            ),
            (
                "0 0\n".repeat(4),
                "columns: found 2, expected 3 (x, y, z), 6",
            ),
            (
                format!("{good}0,1,0,0,0,1,1\n"),
                "line 2: found 0, expected a denominator",
            ),
            (
                format!("{good}0,1,0.5,1,0,1,1\n"),
                "line 2: found \"0.5\", expected a whole",
            ),
            (format!("{good}0,1,0,1,0,1\n"), "line 2: found 6 fields"),
            (
                format!("{}0,1,0,1,0,1,0\n", good.repeat(3)),
                "line 4: found the truth 0",
            ),
            (
                "0 0 0 2\n".repeat(4),
                "line 1: found the truth 2, expected 0 or 1",
            ),
        ] {
            let error = text(&content).unwrap_err();
            assert!(error.contains(words), "{words}: {error}");
        }
        let error = array(&[2, 3, 3], &[0.0; 18]).unwrap_err();
        assert!(
            error.contains("shape: found [2, 3, 3], expected rows of 3"),
            "{error}"
        );
        let error = array(&[4, 4], &[0.5; 16]).unwrap_err();
        assert!(error.contains("row 0: found the truth 0.5"), "{error}");
    }
}
