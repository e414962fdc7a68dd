//! The simulation box of a frame of a LAMMPS dump.

use super::Stopped;
use crate::line_reader::LineReader;
use crate::text::{Line, number, quoted};
use std::io::BufRead;

/// The simulation box of a frame of a LAMMPS dump: orthogonal, or tilted (triclinic).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DumpBox {
    /// The lower corner of the simulation box, at which its edge vectors begin.
    pub origin: [f64; 3],
    /// The edge vectors of the simulation box.
    pub vectors: [[f64; 3]; 3],
    /// The lower and upper bounds of the simulation box along x, y and z. Those of a tilted box are
    /// its bounding box.
    pub bounds: [[f64; 2]; 3],
    /// Whether the simulation box is periodic along each edge (`pp` in the dump).
    pub periodic: [bool; 3],
}

impl DumpBox {
    /// Parses the simulation box from the three lines after `head`, the line with `ITEM: BOX
    /// BOUNDS`.
    ///
    /// The words after it name what the three lines contain: nothing (lower and upper bounds), `xy
    /// xz yz` (bounds and a tilt each) or `abc origin` (an edge vector and a coordinate of the
    /// origin each). Then follow the kinds of both ends of each edge, which old dumps lack.
    pub(super) fn parse<R: BufRead>(
        head: Line<'_>,
        lines: &mut LineReader<R>,
    ) -> Result<Self, Stopped> {
        let (line, head) = (head, String::from_utf8_lossy(head.bytes));
        let has = |name: &str| head.split_whitespace().any(|word| word == name);
        let (general, tilted) = (has("abc"), has("xy"));
        let (width, skipped) = match (general, tilted) {
            (true, _) => (4, 5),
            (_, true) => (3, 6),
            _ => (2, 3),
        };
        let ends: Vec<&str> = head.split_whitespace().skip(skipped).collect();
        let is_kind =
            |end: &&str| end.len() == 2 && end.bytes().all(|kind| b"pfsm".contains(&kind));
        if !matches!(ends.len(), 0 | 3) || !ends.iter().all(is_kind) {
            let found = quoted(ends.join(" ").as_bytes());
            let expected =
                "the kinds of both ends of three edges, each p, f, s or m, as in pp ff pp";
            return Err(line.fault(found, expected).into());
        }
        let periodic = std::array::from_fn(|k| ends.get(k) == Some(&"pp"));
        let rows = rows(width, !general, lines)?;
        Ok(match general {
            true => Self::of_vectors(rows, periodic),
            false => Self::of_bounds(rows, periodic),
        })
    }

    /// Returns the box of lower and upper bounds and tilts.
    fn of_bounds(rows: [[f64; 4]; 3], periodic: [bool; 3]) -> Self {
        // For tilted boxes LAMMPS writes the bounding box.
        let [xy, xz, yz] = rows.map(|row| row[2]);
        let under = [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::min);
        let over = [0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::max);
        let lower = [rows[0][0] - under, rows[1][0] - yz.min(0.0), rows[2][0]];
        let upper = [rows[0][1] - over, rows[1][1] - yz.max(0.0), rows[2][1]];
        let [lx, ly, lz] = std::array::from_fn(|k| upper[k] - lower[k]);
        DumpBox {
            origin: lower,
            vectors: [[lx, 0.0, 0.0], [xy, ly, 0.0], [xz, yz, lz]],
            bounds: rows.map(|row| [row[0], row[1]]),
            periodic,
        }
    }

    /// Returns the box of three edge vectors, each followed by a coordinate of the origin.
    fn of_vectors(rows: [[f64; 4]; 3], periodic: [bool; 3]) -> Self {
        let origin = rows.map(|row| row[3]);
        let vectors = rows.map(|[x, y, z, _]| [x, y, z]);
        let bound = |k: usize, choose: fn(f64, f64) -> f64| {
            let reach = vectors.iter().map(|vector| choose(vector[k], 0.0));
            origin[k] + reach.sum::<f64>()
        };
        DumpBox {
            origin,
            vectors,
            bounds: std::array::from_fn(|k| [bound(k, f64::min), bound(k, f64::max)]),
            periodic,
        }
    }

    /// Returns the lengths of the simulation box along x, y and z and its tilts xy, xz and yz, as in
    /// LAMMPS. `None` if the first edge does not lie along x, or the second not in the plane of x
    /// and y.
    pub fn lengths_and_tilts(&self) -> Option<([f64; 3], [f64; 3])> {
        let [[lx, y, z], [xy, ly, z2], [xz, yz, lz]] = self.vectors;
        (y == 0.0 && z == 0.0 && z2 == 0.0).then_some(([lx, ly, lz], [xy, xz, yz]))
    }

    /// Returns the position of scaled coordinates `s`, which go from 0 to 1 along each edge of the
    /// simulation box.
    pub(super) fn place(&self, s: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.vectors;
        std::array::from_fn(|k| self.origin[k] + s[0] * a[k] + s[1] * b[k] + s[2] * c[k])
    }
}

/// Reads three lines of `width` numbers. With `bounds` the first two are a lower and an upper bound.
fn rows<R: BufRead>(
    width: usize,
    bounds: bool,
    lines: &mut LineReader<R>,
) -> Result<[[f64; 4]; 3], Stopped> {
    let mut rows = [[0.0; 4]; 3];
    for row in &mut rows {
        let expected = format!("{width} numbers of the box");
        let Some(line) = lines.next_filled()? else {
            return Err(lines.end_fault(expected).into());
        };
        if line.words().count() != width {
            return Err(line.fault(quoted(line.bytes), expected).into());
        }
        for (x, word) in row.iter_mut().zip(line.words()) {
            *x = number(word, line.number)?;
        }
        if bounds && row[0] > row[1] {
            let expected = "a lower bound of the box that is not above the upper";
            return Err(line.fault(quoted(line.bytes), expected).into());
        }
    }
    Ok(rows)
}
