//! Reader of poses of many bodies, by their ids, at one or several steps.

use crate::error::{Error, Fault, Place, Result};
use crate::format::{TableFormat, unfit};
use crate::table::{Table, line_of_row, listed_names, read_table};
use std::path::Path;
use tangere::geometry::Pose;

/// The poses of bodies at a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseStep {
    /// The number of the step; 0 if the file has no column `step`.
    pub step: i64,
    /// The ids of the bodies.
    pub ids: Vec<u64>,
    /// The pose of each body.
    pub poses: Vec<Pose>,
}

/// The least magnitude of an integer whose neighbour is not an f64, and may have been rounded to it: 2^53.
const EXACT: f64 = (1_u64 << 53) as f64;

/// For each number of a row, the names of its column: id, translation, rotation.
const NAMES: [&[&str]; 8] = [
    &["id"],
    &["tx", "x"],
    &["ty", "y"],
    &["tz", "z"],
    &["qw", "w"],
    &["qx"],
    &["qy"],
    &["qz"],
];

const EXPECTED: &str = "id, tx, ty, tz, and qw, qx, qy, qz if bodies turn, in this order or by these \
names; before them, or by its name, the step if there are several";

/// Reads poses of bodies: a table (`.csv` and so on, `.npy`) with a row for each, of the columns
/// `id, tx, ty, tz` or `id, tx, ty, tz, qw, qx, qy, qz`, and before these a column `step` if there are
/// several steps, which must ascend. A table with names may have them in any order.
///
/// # Errors
/// When the file cannot be read, has other columns or no rows, an id or a step is not a whole number,
/// a pose is invalid, a step is out of order, or has a body twice.
pub fn read_body_poses(path: impl AsRef<Path>) -> Result<Vec<PoseStep>> {
    let path = path.as_ref();
    if let Ok(TableFormat::Vtp | TableFormat::Vtu) = TableFormat::of_path(path) {
        return Err(unfit(path, "holds points, not poses; expected csv or npy"));
    }
    let table = read_table(path)?;
    let is_array = matches!(TableFormat::of_path(path), Ok(TableFormat::Npy));
    let (columns, step) = columns_of(&table).map_err(|fault| Error::content(path, fault))?;
    steps(&table, &columns, step).map_err(|(row, found, expected)| {
        let place = match (row, is_array) {
            (None, _) => Place::Part("rows"),
            (Some(row), true) => Place::Item("row", row),
            (Some(row), false) => match line_of_row(path, &table, row) {
                Ok(line) => Place::Line(line),
                Err(_) => Place::Item("row", row),
            },
        };
        Error::content(path, Fault::new(place, found, expected))
    })
}

/// Finds the columns of id and pose, and that of the step if there is one.
fn columns_of(table: &Table) -> std::result::Result<(Vec<usize>, Option<usize>), Fault> {
    let refusal = |found: String| Fault::new(Place::Part("columns"), found, EXPECTED);
    let Some(names) = &table.names else {
        return match table.columns {
            4 | 8 => Ok(((0..table.columns).collect(), None)),
            5 | 9 => Ok(((1..table.columns).collect(), Some(0))),
            other => Err(refusal(other.to_string())),
        };
    };
    let named = |known: &[&str]| {
        let is_one = |name: &String| known.iter().any(|k| name.trim().eq_ignore_ascii_case(k));
        let mut found = (0..names.len()).filter(|&k| is_one(&names[k]));
        (found.next(), found.next().is_some())
    };
    let found: Vec<(Option<usize>, bool)> = NAMES.iter().map(|known| named(known)).collect();
    let (step, is_twice) = named(&["step"]);
    let turns = found[4..].iter().any(|(column, _)| column.is_some());
    let wanted = &found[..if turns { 8 } else { 4 }];
    let columns: Option<Vec<usize>> = wanted.iter().map(|(column, _)| *column).collect();
    let count = wanted.len() + usize::from(step.is_some());
    match columns {
        Some(columns) if !is_twice && count == names.len() => Ok((columns, step)),
        _ => Err(refusal(listed_names(names))),
    }
}

/// The row of a fault, what was found and what was expected.
type RowFault = (Option<usize>, String, String);

fn steps(
    table: &Table,
    columns: &[usize],
    step: Option<usize>,
) -> std::result::Result<Vec<PoseStep>, RowFault> {
    let mut steps: Vec<PoseStep> = Vec::new();
    for (i, row) in table.rows().enumerate() {
        let fault = |found: String, expected: &str| (Some(i), found, expected.to_owned());
        let whole = |x: f64| x.fract() == 0.0 && x.abs() < EXACT;
        let id = row[columns[0]];
        if !whole(id) || id < 0.0 {
            let expected =
                "the id of a body, a whole number below 2^53, as tables have no larger ones";
            return Err(fault(format!("id {id}"), expected));
        }
        let number = step.map_or(0.0, |column| row[column]);
        if !whole(number) {
            return Err(fault(format!("step {number}"), "a whole number"));
        }
        let numbers: Vec<f64> = columns[1..].iter().map(|&column| row[column]).collect();
        let pose = Pose::from_numbers(&numbers).map_err(|error| match error {
            tangere::Error::Argument {
                what,
                found,
                expected,
            } => (Some(i), format!("{what} {found}"), expected),
            other => fault(other.to_string(), "a pose"),
        })?;
        let number = number as i64;
        match steps.last() {
            Some(last) if last.step == number => {}
            Some(last) if last.step > number => {
                let found = format!("step {number} after {}", last.step);
                return Err(fault(found, "steps that ascend"));
            }
            _ => steps.push(PoseStep {
                step: number,
                ..PoseStep::default()
            }),
        }
        if let Some(last) = steps.last_mut() {
            last.ids.push(id as u64);
            last.poses.push(pose);
        }
    }
    if steps.is_empty() {
        return Err((None, "0".into(), "at least one pose".into()));
    }
    for one in &steps {
        let mut sorted = one.ids.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let found = format!("body {} twice at step {}", twice[0], one.step);
            return Err((None, found, "each body once".into()));
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Vec<PoseStep>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("poses.csv");
        std::fs::write(&path, text).unwrap();
        read_body_poses(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_are_grouped_by_step() {
        let one = read("7,1,2,3\n9,4,5,6\n").unwrap();
        assert_eq!((one.len(), one[0].step), (1, 0));
        assert_eq!(one[0].ids, [7, 9]);
        assert_eq!(one[0].poses[1].translation(), [4.0, 5.0, 6.0]);
        let motion = read("0,1,0,0,0\n5,1,2,0,0\n").unwrap();
        assert_eq!((motion.len(), motion[1].step), (2, 5));
        assert_eq!(motion[1].poses[0].translation(), [2.0, 0.0, 0.0]);
        let text = "step,id,tx,ty,tz,qw,qx,qy,qz\n0,1,0,0,0,0,1,0,0\n0,2,1,0,0,1,0,0,0\n5,1,2,0,0,1,0,0,0\n";
        let two = read(text).unwrap();
        assert_eq!((two.len(), two[1].step), (2, 5));
        assert_eq!((&two[0].ids[..], &two[1].ids[..]), (&[1, 2][..], &[1][..]));
        assert_eq!(two[0].poses[0].rotate([0.0, 1.0, 0.0]), [0.0, -1.0, 0.0]);
    }

    #[test]
    fn bad_tables_are_refused() {
        for (text, words) in [
            ("1,2,3\n", "columns: found 3, expected id, tx, ty, tz"),
            ("id,tx,ty\n1,2,3\n", "columns: found id, tx, ty"),
            ("id,tx,ty,tz,mass\n1,2,3,4,5\n", "expected id, tx, ty, tz"),
            (
                "1.5,0,0,0\n",
                "line 1: found id 1.5, expected the id of a body",
            ),
            ("1,0,0,0\n-1,0,0,0\n", "line 2: found id -1"),
            (
                "9007199254740993,0,0,0\n",
                "line 1: found id 9007199254740992, expected the id of a body, a whole number below 2^53",
            ),
            ("id,tx,ty,tz,step\n1,0,0,0,0.5\n", "line 2: found step 0.5"),
            (
                "id,tx,ty,tz,step\n1,0,0,0,3\n1,0,0,0,2\n",
                "line 3: found step 2 after 3",
            ),
            ("1,0,0,0\n1,1,0,0\n", "found body 1 twice at step 0"),
            ("1,0,0,0,2,0,0,0\n", "line 1: found pose"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }
}
