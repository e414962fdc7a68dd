//! Within distance: all faces of a surface within a distance of points, for both kinds of surfaces.
//!
//! [`triangles_within`](super::triangles_within) searches triangle meshes,
//! [`ordered_faces`](super::ordered_faces) finite element faces.

use crate::error::{Argument, Count, Error, Result};
use crate::geometry::check_points;
use crate::memory;
use crate::parallel::{Overfull, Row, Rows};
use crate::stop::Current;

/// Fills `found` with the indices of the faces of a surface within a distance of each point: one
/// row for each point, with its indices in ascending order. `report(point, row)` must push the
/// faces of one point to `row`, in any order. It is an error if all rows together have more than
/// `most` faces.
pub(super) fn faces_within(
    points: &[[f64; 3]],
    distance: f64,
    most: usize,
    found: &mut Rows<u32>,
    report: impl Fn([f64; 3], &mut Row<'_, u32>) + Sync,
) -> Result<()> {
    check_points(Argument::Point, points)?;
    check_distance(distance)?;
    let stop = Current::new();
    let filled = found.try_fill(points.len(), most, |i, row| {
        if !stop.is_requested() {
            report(points[i], row);
            if !row.is_counted() {
                row.sort_unstable();
            }
        }
    });
    stop.checked().inspect_err(|_| found.fill(0, |_, _| ()))?;
    filled.map_err(|reason| match reason {
        Overfull::TooMany => Error::TooMany {
            what: Argument::Pairs,
            found: Count::AtLeast((most as u64).saturating_add(1)),
            most: most as u64,
        },
        Overfull::NoMemory(count) => {
            let count = Count::AtLeast(count as u64);
            memory::exhausted(Argument::Pairs, count, size_of::<u32>())
        }
    })
}

/// Defines the public methods `within`, `within_all` and `within_at_most` of a surface. The surface
/// must have a method `push_within(point, distance, row)`, which pushes the indices of the faces
/// within a distance of one point to `row`.
macro_rules! within_methods {
    ($surface:ident) => {
        impl $surface {
            /// The indices of all faces of the surface within `distance` of a point, in ascending
            /// order. A curved face whose distance is only bracketed is included if its lower bound
            /// is at most `distance`.
            ///
            /// # Errors
            /// When a coordinate is not finite, too large, or too small but not 0, or the distance
            /// is negative or not finite. Also when the query is cancelled by a
            /// [`Stop`](crate::stop::Stop), or memory runs out.
            pub fn within(&self, point: [f64; 3], distance: f64) -> Result<Vec<u32>> {
                let mut all = Rows::default();
                self.within_all(&[point], distance, &mut all)?;
                Ok(all.row(0).to_vec())
            }

            /// The indices of all faces of the surface within `distance` of each of many points:
            /// `found` gets one row for each point.
            ///
            /// # Errors
            /// As [`within`](Self::within).
            pub fn within_all(
                &self,
                points: &[[f64; 3]],
                distance: f64,
                found: &mut Rows<u32>,
            ) -> Result<()> {
                self.within_at_most(points, distance, usize::MAX, found)
            }

            /// As [`within_all`](Self::within_all), with an error as soon as there are more than
            /// `most` pairs of a point and a face. This bounds the memory also on systems that
            /// overcommit it, where an allocation that is too large does not fail.
            ///
            /// # Errors
            /// As [`within_all`](Self::within_all), or when there are more pairs than `most`.
            pub fn within_at_most(
                &self,
                points: &[[f64; 3]],
                distance: f64,
                most: usize,
                found: &mut Rows<u32>,
            ) -> Result<()> {
                faces_within(points, distance, most, found, |point, row| {
                    self.push_within(point, distance, row);
                })
            }
        }
    };
}

pub(super) use within_methods;

/// Checks that the distance within which faces are found is finite and not negative.
fn check_distance(distance: f64) -> Result<()> {
    if distance >= 0.0 && distance.is_finite() {
        return Ok(());
    }
    Err(Error::argument(
        Argument::Distance,
        format!("{distance:?}"),
        "a finite number, 0 or more",
    ))
}
