//! Reader of the poses of a motion, one per row.

use crate::csv::{line_of_row, parse_csv};
use crate::error::{Fault, Place, Result};
use crate::format::TableFormat;
use crate::npy::any_npy;
use crate::table::{listed_names, read_rows};
use std::path::Path;
use tangere::geometry::{Pose, is_rotation_matrix};

/// Reads poses from a text or an array (`.npy`). A row is a pose of 3 numbers (tx, ty, tz) or 7
/// (tx, ty, tz, qw, qx, qy, qz). An array of shape (N, 4, 4) contains matrices. Named columns of a
/// text may come in any order; a column of times or steps is ignored. Three rows of a rotation
/// matrix are refused, as they would count as translations; columns with names are not.
///
/// # Errors
/// When there is no pose, rows have other lengths, or a row is no valid pose: the error has its
/// line, or the number of its row.
pub fn read_poses(path: impl AsRef<Path>) -> Result<Vec<Pose>> {
    let reason = "holds points, not poses; expected csv or npy";
    read_rows(path.as_ref(), reason, poses_from_bytes)
}

/// Parses poses as [`read_poses`] does, from the content of a file: an array or else a text.
pub fn poses_from_bytes(
    bytes: &[u8],
    format: TableFormat,
) -> std::result::Result<Vec<Pose>, Fault> {
    if format == TableFormat::Npy {
        let array = any_npy(bytes)?;
        let place = |row| Place::Item("row", row);
        return match array.shape[..] {
            [3, 3] => {
                refuse_rotation(&array.values, "shape")?;
                poses(&array.values, 3, place)
            }
            [_, columns @ (3 | 7)] => poses(&array.values, columns, place),
            [_, 4, 4] => poses(&array.values, 16, place),
            _ => Err(Fault::new(
                Place::Part("shape"),
                format!("{:?}", array.shape),
                "N rows of 3 (tx, ty, tz) or 7 (tx, ty, tz, qw, qx, qy, qz), or of 4 x 4",
            )),
        };
    }
    // Empty text contains no pose.
    if bytes.trim_ascii().is_empty() {
        return poses(&[], 3, Place::Line);
    }
    let table = parse_csv(bytes)?;
    let has_names = table.names.is_some();
    let place = |row| Place::Line(line_of_row(bytes, row, has_names));
    let Some(names) = &table.names else {
        return match table.columns {
            3 if table.len() == 3 => {
                refuse_rotation(&table.values, "rows")?;
                poses(&table.values, 3, place)
            }
            3 | 7 => poses(&table.values, table.columns, place),
            columns => Err(Fault::new(
                Place::Part("columns"),
                columns,
                "3 (tx, ty, tz) or 7 (tx, ty, tz, qw, qx, qy, qz)",
            )),
        };
    };
    let columns = columns_of(names)?;
    let rows = table.values.chunks_exact(table.columns);
    let numbers: Vec<f64> = rows
        .flat_map(|row| columns.iter().map(|&column| row[column]))
        .collect();
    poses(&numbers, columns.len(), place)
}

/// Refuses a rotation matrix, whose rows would count as three translations.
fn refuse_rotation(numbers: &[f64], part: &'static str) -> std::result::Result<(), Fault> {
    match numbers.as_chunks::<3>() {
        (&[a, b, c], []) if is_rotation_matrix(&[a, b, c]) => Err(Fault::new(
            Place::Part(part),
            "a 3 x 3 rotation matrix, which would count as three translations",
            "rows of 7 (tx, ty, tz, qw, qx, qy, qz), or columns named tx, ty, tz",
        )),
        _ => Ok(()),
    }
}

/// For each of the seven numbers of a pose, in their order, the accepted names of its column. Names
/// are needed because some files have the real part of the quaternion first, others last.
const NAMES: [&[&str]; 7] = [
    &["tx", "x"],
    &["ty", "y"],
    &["tz", "z"],
    &["qw", "w"],
    &["qx"],
    &["qy"],
    &["qz"],
];

/// Names of columns of a file of poses that are ignored.
const OTHERS: [&str; 8] = ["t", "time", "step", "frame", "id", "index", "i", "pose"];

/// Finds the columns of the numbers of a pose by name. Unknown names are refused, because they may
/// belong to a rotation in another representation.
fn columns_of(names: &[String]) -> std::result::Result<Vec<usize>, Fault> {
    let place = |known: &&[&str]| {
        let is_one = |name: &str| known.iter().any(|k| name.trim().eq_ignore_ascii_case(k));
        let mut found = (0..names.len()).filter(|&k| is_one(&names[k]));
        match (found.next(), found.next()) {
            (Some(one), Some(other)) => Err(Fault::new(
                Place::Part("columns"),
                format!("{} and {}", names[one].trim(), names[other].trim()),
                format!("one column of {}", known[0]),
            )),
            (one, _) => Ok(one),
        }
    };
    let found: Vec<Option<usize>> = NAMES
        .iter()
        .map(place)
        .collect::<std::result::Result<_, _>>()?;
    let is_known = |name: &&String| {
        let known = NAMES.iter().copied().flatten().chain(&OTHERS);
        known
            .into_iter()
            .any(|k| name.trim().eq_ignore_ascii_case(k))
    };
    let all_known = names.iter().all(|name| is_known(&name));
    let count = match found[3..].iter().any(Option::is_some) {
        true => 7,
        false => 3,
    };
    let columns: Option<Vec<usize>> = found[..count].iter().copied().collect();
    columns.filter(|_| all_known).ok_or_else(|| {
        Fault::new(
            Place::Part("columns"),
            listed_names(names),
            "tx, ty, tz, and qw, qx, qy, qz if bodies turn, in any order, and a time or step if there is one",
        )
    })
}

fn poses(
    numbers: &[f64],
    columns: usize,
    place: impl Fn(usize) -> Place,
) -> std::result::Result<Vec<Pose>, Fault> {
    if numbers.is_empty() {
        return Err(Fault::new(Place::Part("rows"), 0, "at least one pose"));
    }
    let rows = numbers.chunks_exact(columns).enumerate();
    rows.map(|(i, row)| {
        let (lines, _) = row.as_chunks::<4>();
        let pose = match lines.try_into() {
            Ok(matrix) if columns == 16 => Pose::from_matrix(matrix),
            _ => Pose::from_numbers(row),
        };
        pose.map_err(|error| match error {
            tangere::Error::Argument {
                what,
                found,
                expected,
            } => Fault::new(place(i), format!("{what} {found}"), expected),
            tangere::Error::Item {
                what,
                index,
                found,
                expected,
            } => Fault::new(place(i), format!("{what} {index} {found}"), expected),
            error => Fault::new(place(i), error, "a pose"),
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NpyData, write_npy};

    fn read(shape: &[usize], values: &[f64]) -> std::result::Result<Vec<Pose>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.npy");
        write_npy(&path, shape, NpyData::F64(values)).expect("an array");
        read_poses(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_of_all_forms() {
        let there = Pose::from_translation([1.0, 2.0, 3.0]).unwrap();
        let text = |text: &str| poses_from_bytes(text.as_bytes(), TableFormat::Csv);
        assert_eq!(text("1,2,3\n").unwrap(), [there]);
        assert_eq!(text("tx ty tz\n1 2 3\n").unwrap(), [there]);
        assert_eq!(text("time,z,y,x\n9,3,2,1\n").unwrap(), [there]);
        let turned = Pose::from_numbers(&[1.0, 2.0, 3.0, 0.8, 0.6, 0.0, 0.0]).unwrap();
        let last = text("tx,ty,tz,qx,qy,qz,qw\n1,2,3,0.6,0,0,0.8\n");
        assert_eq!(last.unwrap(), [turned]);
        assert_eq!(read(&[1, 3], &[1.0, 2.0, 3.0]), Ok(vec![there]));
        let seven = [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(read(&[1, 7], &seven), Ok(vec![there]));
        let matrix = [
            1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0,
        ];
        let two = [matrix, matrix].concat();
        assert_eq!(read(&[2, 4, 4], &two), Ok(vec![there, there]));
    }

    #[test]
    fn a_rotation_matrix_is_not_three_translations() {
        let turned = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let error = read(&[3, 3], &turned).unwrap_err();
        assert!(
            error.contains("shape: found a 3 x 3 rotation matrix"),
            "{error}"
        );
        let text = |text: &str| poses_from_bytes(text.as_bytes(), TableFormat::Csv);
        let rows = "0,-1,0\n1,0,0\n0,0,1\n";
        assert!(text(rows).is_err());
        assert_eq!(text(&format!("tx,ty,tz\n{rows}")).unwrap().len(), 3);
        // A reflection, rows of other lengths and four rows are translations.
        let mirrored = turned.map(|x: f64| -x);
        let longer = turned.map(|x: f64| 1.00001 * x);
        for translations in [mirrored, longer] {
            assert_eq!(read(&[3, 3], &translations).unwrap().len(), 3);
        }
        assert_eq!(text(&format!("{rows}0,0,0\n")).unwrap().len(), 4);
    }

    #[test]
    fn wrong_rows_are_named() {
        for (shape, values, words) in [
            (
                &[2, 3][..],
                &[0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0][..],
                "row 1: found pose ty NaN, expected a finite number",
            ),
            (
                &[1, 4],
                &[0.0; 4],
                "shape: found [1, 4], expected N rows of 3",
            ),
            (&[3], &[0.0; 3], "shape: found [3]"),
            (&[0, 3], &[], "rows: found 0, expected at least one pose"),
            (&[1, 4, 4], &[0.0; 16], "row 0: found matrix row 3 [0.0,"),
            (&[1, 7], &[0.0; 7], "row 0: found pose quaternion"),
        ] {
            let error = read(shape, values).unwrap_err();
            assert!(error.contains(words), "{words}: {error}");
        }
        for (text, words) in [
            ("\n", "rows: found 0"),
            ("0 0 0 1\n", "columns: found 4"),
            (
                "a,b,c\n0,0,0\n",
                "columns: found a, b, c, expected tx, ty, tz",
            ),
            ("tx,ty,tz,qx\n0,0,0,0\n", "columns: found tx, ty, tz, qx"),
            ("tx,ty,tz,rx\n0,0,0,0\n", "columns: found tx, ty, tz, rx"),
            ("0 0 0\n\n0 0 nan\n", "line 3: found \"nan\""),
            ("0 0 0\n\n0 0 1e99\n", "line 3: found pose tz 1e99"),
        ] {
            let error = poses_from_bytes(text.as_bytes(), TableFormat::Csv);
            let error = error.unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
    }
}
