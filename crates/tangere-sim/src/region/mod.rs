//! Regions of space: whether a point is inside, and where their surface is near a sphere.
//!
//! Regions are those of LAMMPS: [`Solid`]s (block, cylinder, cone, sphere, half space) with the side that
//! counts and faces that are left out, unions and intersections of regions, and regions that are moved
//! and turned. [`Region::surface_points`] lists all places where a sphere touches the surface: inside a
//! solid one for each face, outside of it the closest one.
//!
//! | file | what |
//! |---|---|
//! | `solid` | the solids: containment and closest points of faces |
//! | `combined` | unions and intersections |
//! | `placement` | regions that are moved and turned, and the velocity of their surface |
//! | `points` | a list of fixed capacity for the places found |

mod combined;
mod placement;
mod points;
mod solid;

pub use combined::Combined;
pub use placement::{Moved, Placement};
pub use points::{SurfacePoint, SurfacePoints};
pub use solid::{Shape, Solid};

use crate::vector::Vector;
use serde::{Deserialize, Serialize};

/// A region of space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Region {
    /// Two planes across an axis, of which a sphere touches the nearer one (LAMMPS' `xplane lo hi`).
    Planes {
        /// The axis.
        axis: usize,
        /// The lower plane.
        low: Option<f64>,
        /// The upper plane.
        high: Option<f64>,
    },
    /// The inside of an infinite cylinder about an axis through the origin (LAMMPS' `zcylinder`).
    Tube {
        /// The axis.
        axis: usize,
        /// The radius.
        radius: f64,
    },
    /// A solid, or the space around it.
    Solid(Solid),
    /// A union or an intersection of regions.
    Combined(Combined),
    /// A region that is moved and turned.
    Moved(Box<Moved>),
}

impl Region {
    /// Whether a point is inside; points of the surface are inside, and so outside of what is around it.
    pub fn contains(&self, point: Vector) -> bool {
        self.holds(point, false)
    }

    /// All places of the surface within `reach` of a centre. What the list held before is removed.
    ///
    /// A centre on the other side of the surface touches nothing, unless a face is left open: then
    /// spheres touch from both sides.
    #[inline]
    pub fn surface_points(&self, center: Vector, reach: f64, points: &mut SurfacePoints) {
        points.clear();
        if self.admits(center, false) {
            self.collect(center, reach, false, 0, points);
        }
    }

    /// Calls a function with each place of the surface within a reach of a centre.
    #[inline]
    pub fn for_each_point(&self, center: Vector, reach: f64, f: impl FnMut(SurfacePoint)) {
        if let Self::Planes { axis, low, high } = self {
            // Most spheres are far from planes.
            let is_far =
                |plane: &Option<f64>| plane.is_none_or(|x| (center[*axis] - x).abs() > reach);
            if is_far(low) && is_far(high) {
                return;
            }
        }
        let mut points = SurfacePoints::new();
        self.surface_points(center, reach, &mut points);
        points.iter().copied().for_each(f);
    }

    /// The largest number of places at which one sphere may touch: of faces that keep histories of their
    /// own. Beyond [`SurfacePoints::CAPACITY`] places are not found.
    pub fn face_count(&self) -> u32 {
        match self {
            Self::Planes { .. } => 1,
            Self::Tube { .. } => 1,
            Self::Solid(solid) => solid.shape.face_count(),
            Self::Combined(combined) => combined.parts.iter().map(Self::face_count).sum(),
            Self::Moved(moved) => moved.region.face_count(),
        }
    }

    /// Containment in the region, or with `flips` in what is around it; open faces do not matter.
    fn holds(&self, point: Vector, flips: bool) -> bool {
        match self {
            Self::Planes { axis, low, high } => {
                let x = point[*axis];
                (low.is_none_or(|low| x >= low) && high.is_none_or(|high| x <= high)) != flips
            }
            Self::Tube { axis, radius } => {
                let [i, j] = across(*axis);
                (point[i] * point[i] + point[j] * point[j] <= radius * radius) != flips
            }
            Self::Solid(solid) => solid.shape.contains(point) != (solid.is_outside != flips),
            Self::Combined(combined) => combined.contains(point) != (combined.is_outside != flips),
            Self::Moved(moved) => moved.region.holds(moved.placement.back(point), flips),
        }
    }

    /// Whether a sphere with this centre may touch the surface.
    fn admits(&self, center: Vector, flips: bool) -> bool {
        match self {
            Self::Planes { .. } | Self::Tube { .. } => true,
            Self::Moved(moved) => moved.region.admits(moved.placement.back(center), flips),
            _ => self.is_open() || self.holds(center, flips),
        }
    }

    /// Whether a face is left open.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Solid(solid) => solid.open.contains(&true),
            Self::Moved(moved) => moved.region.is_open(),
            _ => false,
        }
    }

    /// Adds the places of the surface, or with `flips` of the surface seen from the other side. Faces are
    /// counted from `first` up.
    fn collect(
        &self,
        center: Vector,
        reach: f64,
        flips: bool,
        first: u32,
        points: &mut SurfacePoints,
    ) {
        match self {
            Self::Planes { axis, low, high } => {
                let below = low.map_or(f64::INFINITY, |low| center[*axis] - low);
                let above = high.map_or(f64::INFINITY, |high| high - center[*axis]);
                let mut way = [0.0; 3];
                let is_low = below < above;
                way[*axis] = if is_low { below } else { 0.0 - above };
                let distance = way[*axis].abs();
                if distance < reach {
                    points.push(SurfacePoint::flat(way, distance, first));
                }
            }
            Self::Tube { axis, radius } => {
                let [i, j] = across(*axis);
                let from_axis = (center[i] * center[i] + center[j] * center[j]).sqrt();
                let gap = radius - from_axis;
                if gap.abs() < reach && from_axis > 0.0 {
                    let mut way = [0.0; 3];
                    for k in [i, j] {
                        way[k] = 0.0 - gap / from_axis * center[k];
                    }
                    let sign = if gap > 0.0 { -2.0 } else { 2.0 };
                    let point = SurfacePoint::flat(way, gap.abs(), first);
                    points.push(point.curved(sign * radius));
                }
            }
            Self::Solid(solid) => solid.collect(center, reach, flips, first, points),
            Self::Combined(combined) => combined.collect(center, reach, flips, first, points),
            Self::Moved(moved) => moved.collect(center, reach, flips, first, points),
        }
    }
}

/// The two axes across an axis.
const fn across(axis: usize) -> [usize; 2] {
    match axis {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}
