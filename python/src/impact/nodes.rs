//! How the nodes of a deforming body move.

use pyo3::prelude::*;
use tangere::impact;

use crate::arguments::{Argument, number, optional};
use crate::arrays::points;
use crate::errors::{What, refused};

/// Where nodes end, or how fast they move.
#[derive(Clone)]
pub struct Nodes {
    pub rows: Vec<[f64; 3]>,
    /// Whether the rows are velocities rather than ends.
    pub are_velocities: bool,
    /// For how long; None: as long as is asked.
    pub duration: Option<f64>,
}

/// So long are velocities without an end known at first.
pub const FIRST: f64 = 1.0;

impl Nodes {
    /// From arguments, of which velocities or ends are given.
    pub fn new(
        velocities: Argument<'_, '_>,
        ends: Argument<'_, '_>,
        duration: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let duration = optional(duration, "duration", number)?;
        let (rows, are_velocities) = match (velocities, ends) {
            (Some(velocities), None) => (points::<3>(velocities, "velocities")?, true),
            (None, Some(ends)) => (points::<3>(ends, "ends")?, false),
            (given, _) => {
                let found = if given.is_some() { "both" } else { "neither" };
                let expected = "one of them";
                return Err(refused("velocities and ends", found, expected));
            }
        };
        if !are_velocities && duration.is_none() {
            let expected = "the time in which nodes go to their ends";
            return Err(refused("duration", "None", expected));
        }
        match are_velocities {
            true => Self::velocities(rows, duration, "velocities"),
            // The library looks at places.
            false => Ok(Self {
                rows,
                are_velocities,
                duration,
            }),
        }
    }

    /// Velocities, which errors call by a name.
    pub fn velocities(rows: Vec<[f64; 3]>, duration: Option<f64>, name: &str) -> PyResult<Self> {
        let is_wrong = |row: &[f64; 3]| !row.iter().all(|x| x.is_finite());
        if let Some(i) = rows.iter().position(is_wrong) {
            return Err(refused(
                &format!("{name}[{i}]"),
                format_args!("{:?}", rows[i]),
                "finite numbers",
            ));
        }
        Ok(Self {
            rows,
            are_velocities: true,
            duration,
        })
    }

    /// A body whose nodes move so.
    pub fn body(&self, shape: impact::BodyShape) -> tangere::Result<impact::Body> {
        let duration = self.duration.unwrap_or(FIRST);
        match self.are_velocities {
            true => impact::Body::with_velocities(shape, &self.rows, duration),
            false => impact::Body::deforming(shape, &self.rows, duration),
        }
    }

    /// What the library's items are called here.
    pub fn names(&self) -> [(What, &'static str); 4] {
        let rows = ["ends", "velocities"][usize::from(self.are_velocities)];
        [
            (What::End, rows),
            (What::Ends, rows),
            (What::Velocity, rows),
            (What::Point, "points"),
        ]
    }
}
