//! Reader of moving balls: centre, radius, velocity and acceleration.

use crate::csv::{line_of_row, parse_csv};
use crate::error::{Fault, Place, Result};
use crate::format::TableFormat;
use crate::npy::parse_npy;
use crate::table::{Table, listed_names, read_rows};
use std::path::Path;
use tangere::impact::trajectory::MovingBall;

/// Reads balls from a text or an array (`.npy`).
///
/// A row is a ball: centre, radius, velocity, acceleration. 4 columns are balls at rest, 7 have a
/// constant velocity, 10 a constant acceleration. Named columns may come in any order and are
/// case-insensitive: `x`, `y` and `radius` (or `r`, or `diameter`, which is halved) are required;
/// `z`, `vx`, `vy`, `vz`, `ax`, `ay`, `az` default to 0; other columns are ignored.
///
/// # Errors
/// When columns are missing, or a radius is negative: the error has the line, or the number of the
/// row.
pub fn read_balls(path: impl AsRef<Path>) -> Result<Vec<MovingBall>> {
    load_balls(path).map(|loaded| loaded.balls)
}

/// Moving balls read from a file, and the names of its columns that were not used.
#[derive(Clone, Debug, Default)]
pub struct LoadedBalls {
    /// The balls, one for each row of the file.
    pub balls: Vec<MovingBall>,
    /// The names of the columns of the file that were not used.
    pub unkept: Vec<String>,
}

/// Reads balls as [`read_balls`] does, and reports columns that are not used.
///
/// # Errors
/// Those of [`read_balls`].
pub fn load_balls(path: impl AsRef<Path>) -> Result<LoadedBalls> {
    let reason = "is not read for moving balls; expected csv or npy";
    read_rows(path.as_ref(), reason, loaded)
}

/// Parses balls as [`read_balls`] does, from the content of a file: an array or else a text.
pub fn balls_from_bytes(
    bytes: &[u8],
    format: TableFormat,
) -> std::result::Result<Vec<MovingBall>, Fault> {
    loaded(bytes, format).map(|loaded| loaded.balls)
}

fn loaded(bytes: &[u8], format: TableFormat) -> std::result::Result<LoadedBalls, Fault> {
    let table = match format {
        TableFormat::Npy => parse_npy(bytes)?.into_table()?,
        // Empty text contains no balls.
        _ if bytes.trim_ascii().is_empty() => return Ok(LoadedBalls::default()),
        _ => parse_csv(bytes)?,
    };
    if table.is_empty() && table.names.is_none() {
        return Ok(LoadedBalls::default());
    }
    let columns = Columns::of(&table)?;
    let ball = |(i, row): (usize, &[f64])| {
        columns.ball(row).map_err(|error| {
            let place = match format {
                TableFormat::Npy => Place::Item("row", i),
                _ => Place::Line(line_of_row(bytes, i, table.names.is_some())),
            };
            match error {
                tangere::Error::Argument {
                    what,
                    found,
                    expected,
                } => Fault::new(place, format!("the {what} {found}"), expected),
                other => Fault::new(place, other, "a ball"),
            }
        })
    };
    let balls: std::result::Result<_, Fault> = table.rows().enumerate().map(ball).collect();
    let used = columns.vectors.as_flattened().iter().copied().flatten();
    let used: Vec<usize> = used.chain([columns.radius]).collect();
    Ok(LoadedBalls {
        balls: balls?,
        unkept: table.names_besides(&used),
    })
}

const EXPECTED: &str =
    "x, y, z, radius (or r, or diameter), vx, vy, vz, ax, ay, az; x, y and the radius at least";

/// The indices of the columns of a table that contain centre, radius, velocity and acceleration of
/// balls.
struct Columns {
    /// For each of centre, velocity and acceleration, the indices of the columns of its components
    /// x, y and z; `None` for a component that the table lacks.
    vectors: [[Option<usize>; 3]; 3],
    radius: usize,
    /// Whether the column of index `radius` contains diameters of the balls, which are halved.
    halved: bool,
}

impl Columns {
    fn of(table: &Table) -> std::result::Result<Self, Fault> {
        let Some(names) = &table.names else {
            let vector = |first: usize| {
                let is_there = first + 3 <= table.columns;
                [0, 1, 2].map(|k| is_there.then_some(first + k))
            };
            return match table.columns {
                4 | 7 | 10 => Ok(Columns {
                    vectors: [vector(0), vector(4), vector(7)],
                    radius: 3,
                    halved: false,
                }),
                columns => Err(Fault::new(
                    Place::Part("columns"),
                    columns,
                    "4 (x, y, z, radius), 7 (and vx, vy, vz) or 10 (and ax, ay, az)",
                )),
            };
        };
        let named = |name: &str| table.column_named(name);
        let vectors =
            ["", "v", "a"].map(|kind| ["x", "y", "z"].map(|axis| named(&format!("{kind}{axis}"))));
        match (vectors[0], table.size_column()?) {
            ([Some(_), Some(_), _], Some((radius, halved))) => Ok(Columns {
                vectors,
                radius,
                halved,
            }),
            _ => Err(Fault::new(
                Place::Part("columns"),
                listed_names(names),
                EXPECTED,
            )),
        }
    }

    fn ball(&self, row: &[f64]) -> tangere::Result<MovingBall> {
        let number = |column: Option<usize>| column.map_or(0.0, |k| row[k]);
        let [center, velocity, acceleration] = self.vectors.map(|vector| vector.map(number));
        let unit = if self.halved { 0.5 } else { 1.0 };
        MovingBall::new(center, velocity, acceleration, unit * row[self.radius])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::{self, NpyData};

    fn text(text: &str) -> std::result::Result<Vec<MovingBall>, String> {
        balls_from_bytes(text.as_bytes(), TableFormat::Csv).map_err(|fault| fault.to_string())
    }

    fn array(shape: &[usize], values: &[f64]) -> std::result::Result<Vec<MovingBall>, String> {
        let mut bytes = Vec::new();
        npy::write(&mut bytes, shape, NpyData::F64(values)).unwrap();
        balls_from_bytes(&bytes, TableFormat::Npy).map_err(|fault| fault.to_string())
    }

    fn ball(center: [f64; 3], radius: f64, velocity: [f64; 3], pull: [f64; 3]) -> MovingBall {
        MovingBall::new(center, velocity, pull, radius).unwrap()
    }

    #[test]
    fn rows_and_names_are_read() {
        let (c, v, a) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]);
        let all = ball(c, 0.5, v, a);
        assert_eq!(text("1 2 3 0.5 4 5 6 7 8 9\n"), Ok(vec![all]));
        let named = "az,ay,ax,Vz,vy,vx,id,R,z,y,x\n9,8,7,6,5,4,99,0.5,3,2,1\n";
        assert_eq!(text(named), Ok(vec![all]));
        let straight = ball(c, 0.5, v, [0.0; 3]);
        assert_eq!(text("1;2;3;0.5;4;5;6\n"), Ok(vec![straight]));
        let rest = ball(c, 0.5, [0.0; 3], [0.0; 3]);
        assert_eq!(text("1 2 3 0.5\n"), Ok(vec![rest]));
        let disc = ball([1.0, 2.0, 0.0], 0.5, [0.0, 5.0, 0.0], [0.0; 3]);
        assert_eq!(text("x,y,diameter,vy\n1,2,1,5\n"), Ok(vec![disc]));
        let values = [1.0, 2.0, 3.0, 0.5, 4.0, 5.0, 6.0];
        assert_eq!(array(&[1, 7], &values), Ok(vec![straight]));
        for nothing in [
            text(""),
            text("x,y,r\n"),
            array(&[0], &[]),
            array(&[0, 7], &[]),
        ] {
            assert_eq!(nothing, Ok(Vec::new()));
        }
    }

    #[test]
    fn wrong_rows_are_named() {
        for (content, words) in [
            (
                "1 2 3\n",
                "columns: found 3, expected 4 (x, y, z, radius), 7",
            ),
            (
                "x,y,vx\n1,2,3\n",
                "columns: found x, y, vx, expected x, y, z, radius",
            ),
            (
                "x,y,r\n\n0,0,1\n0,0,-2\n",
                "line 4: found the radius -2, expected a finite",
            ),
            ("0 0 0 inf\n", "line 1: found \"inf\""),
        ] {
            let error = text(content).unwrap_err();
            assert!(error.contains(words), "{words}: {error}");
        }
        let error = array(&[1, 4], &[0.0, 0.0, 0.0, -1.0]).unwrap_err();
        assert!(error.contains("row 0: found the radius -1"), "{error}");
        let error = array(&[1, 1, 4], &[0.0; 4]).unwrap_err();
        assert!(error.contains("shape: found"), "{error}");
    }
}
