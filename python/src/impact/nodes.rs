//! Motion of the nodes of deforming bodies.

use pyo3::prelude::*;
use tangere::impact;

use crate::arguments::{Argument, number, optional};
use crate::arrays::points;
use crate::errors::{What, refused};

/// Motion of the nodes of a body: their final positions or their velocities, in `rows`.
#[derive(Clone)]
pub struct Nodes {
    pub rows: Vec<[f64; 3]>,
    /// Whether `rows` has the velocities of the nodes rather than their final positions.
    pub are_velocities: bool,
    /// The duration of the motion; None for a motion without end.
    pub duration: Option<f64>,
}

/// The duration that the library's engine first gets for a motion without end; `State` extends the
/// motion when a query needs more.
pub const FIRST: f64 = 1.0;

impl Nodes {
    /// Reads the motion from arguments; exactly one of velocities and ends must be given.
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
            // The library checks the positions.
            false => Ok(Self {
                rows,
                are_velocities,
                duration,
            }),
        }
    }

    /// Returns a motion at constant velocities; errors call them `name`.
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

    /// Returns a deforming body of this shape whose nodes have this motion.
    pub fn body(&self, shape: impact::BodyShape) -> tangere::Result<impact::Body> {
        let duration = self.duration.unwrap_or(FIRST);
        match self.are_velocities {
            true => impact::Body::with_velocities(shape, &self.rows, duration),
            false => impact::Body::deforming(shape, &self.rows, duration),
        }
    }

    /// Returns the names for error messages: for each item of the library the Python argument that
    /// contains it.
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
