//! The worked example of `schinner1995`: sort and sweep of eight intervals, with its table.
//!
//! The text prints the first five rows of the table and the last. The order of the ends in between
//! is in a figure only; here it is one that fits what is printed.

use super::claims::EXAMPLE;
use crate::Effort;
use crate::Error;
use crate::check::Check;
use crate::finding::{Data, Finding, word};
use serde_json::json;
use tangere::pairs::{Brute, Items, PairFinder};

/// An end of an interval: the number of the interval, and whether this is its lower end.
type End = (usize, bool);

/// The list of sorted ends: the first five and the last as printed.
const ENDS: [End; 16] = [
    (8, true),
    (4, true),
    (5, true),
    (5, false),
    (2, true),
    (8, false),
    (1, true),
    (4, false),
    (6, true),
    (2, false),
    (3, true),
    (1, false),
    (7, true),
    (6, false),
    (3, false),
    (7, false),
];

/// The printed rows: number, end, action, active list before it, and collisions found.
const PRINTED: [(usize, [&str; 4]); 6] = [
    (1, ["b8", "insert 8", "-", "-"]),
    (2, ["b4", "insert 4", "8", "(4;8)"]),
    (3, ["b5", "insert 5", "8 - 4", "(5;8), (5;4)"]),
    (4, ["e5", "delete 5", "8 - 4 - 5", "no check"]),
    (5, ["b2", "insert 2", "8 - 4", "(2;8) (2;4)"]),
    (16, ["e7", "delete 7", "7", "no check"]),
];

/// Whether a row is one that is printed, up to commas between collisions, of which some are printed
/// and some are not.
fn is_printed(row: &[String; 4], printed: &[&str; 4]) -> bool {
    let mut cells = row.iter().zip(printed);
    cells.all(|(cell, printed)| *cell == printed.replace(',', ""))
}

/// Sweeps the list of ends by the two rules of the text. Returns the rows of its table, and all
/// collisions.
fn swept(ends: &[End]) -> (Vec<[String; 4]>, Vec<[usize; 2]>) {
    let (mut active, mut rows, mut found): (Vec<usize>, _, _) =
        (Vec::new(), Vec::new(), Vec::new());
    let list = |items: Vec<String>, between: &str| match items.is_empty() {
        true => "-".into(),
        false => items.join(between),
    };
    for &(i, is_lower) in ends {
        let old = list(active.iter().map(usize::to_string).collect(), " - ");
        if is_lower {
            let pairs = active.iter().map(|j| format!("({i};{j})")).collect();
            found.extend(active.iter().map(|&j| [i.min(j), i.max(j)]));
            rows.push([
                format!("b{i}"),
                format!("insert {i}"),
                old,
                list(pairs, " "),
            ]);
            active.push(i);
        } else {
            rows.push([
                format!("e{i}"),
                format!("delete {i}"),
                old,
                "no check".into(),
            ]);
            active.retain(|j| *j != i);
        }
    }
    found.sort_unstable();
    (rows, found)
}

/// Returns the overlapping pairs of the intervals by brute force; ends lie at 1, 2, 3 and so on.
fn overlapping(ends: &[End]) -> tangere::Result<Vec<[usize; 2]>> {
    let at = |i: usize, is_lower: bool| {
        let place = ends.iter().position(|end| *end == (i, is_lower));
        place.unwrap_or(0) as f64
    };
    let count = ends.len() / 2;
    let corners = |is_lower: bool, y: f64| -> Vec<[f64; 2]> {
        (1..=count).map(|i| [at(i, is_lower), y]).collect()
    };
    let (lower, upper) = (corners(true, 0.0), corners(false, 1.0));
    let mut finder = Brute::<2>::new(Default::default())?;
    let mut found = Vec::new();
    finder.update(Items::Boxes {
        lower: &lower,
        upper: &upper,
    })?;
    finder.pairs(&mut found)?;
    let found = found.into_iter();
    Ok(found.map(|pair| pair.map(|i| i as usize + 1)).collect())
}

pub fn all(_: &Effort) -> Result<Vec<Finding>, Error> {
    let (rows, found) = swept(&ENDS);
    let unlike = PRINTED
        .iter()
        .filter(|(i, row)| !is_printed(&rows[i - 1], row));
    let unlike = unlike.count();
    let printed = PRINTED.map(|(i, row)| (i.to_string(), json!(row)));
    let cells = rows.iter().enumerate().map(|(i, row)| {
        let printed = PRINTED.iter().find(|p| p.0 == i + 1);
        let mut cells = vec![word((i + 1).to_string())];
        cells.extend(row.iter().map(word));
        cells.push(word(printed.map_or("-", |_| "as printed")));
        cells
    });
    Ok(vec![Finding {
        published: serde_json::Value::Object(printed.into_iter().collect()),
        measured: json!({"rows unlike those printed": unlike, "collisions": found.len()}),
        checks: vec![
            Check::number(
                "printed rows that come out otherwise",
                unlike as f64,
                [0.0; 2],
            ),
            Check::fact(
                "the sweep finds all overlapping intervals and no others",
                found == overlapping(&ENDS)?,
            ),
        ],
        remark: "The ends between the fifth and the last are in a figure only, and chosen here."
            .into(),
        data: Data {
            head: vec![
                "i",
                "end",
                "action",
                "active before",
                "collisions",
                "in the text",
            ],
            rows: cells.collect(),
        },
        ..Finding::of(&EXAMPLE)
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_printed() {
        let (rows, found) = swept(&ENDS);
        for (i, row) in PRINTED {
            assert!(is_printed(&rows[i - 1], &row), "row {i}: {:?}", rows[i - 1]);
        }
        assert_eq!(found, overlapping(&ENDS).unwrap());
        // A missing deletion would show.
        let mut ends = ENDS;
        ends.swap(3, 4);
        assert!(!is_printed(&swept(&ends).0[4], &PRINTED[4].1));
    }
}
