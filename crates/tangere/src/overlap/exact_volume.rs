//! Exact penetration volume of two closed triangle meshes, up to rounding.
//!
//! Let `w(x, y, z)` be the winding number of a closed mesh. Above a point `(x, y)` it changes at
//! each triangle `T` whose projection along z contains the point, by the sign `s` of its normal in
//! z, so that `w(x, y, z)` is the sum of `s` over these triangles with height `h(x, y) > z`. The
//! volume of the intersection is the integral of the product of both winding numbers,
//!
//! ```text
//! V = Σ s s' ∫ min(h, h') dx dy   over pairs T of a, T' of b, within the projections of both
//! ```
//!
//! where heights are cut off at the bottom and at the top of the common bounding box and count from
//! its bottom, so that parts of a large body far from a small one bring in no rounding errors. The
//! common part of two projections is a convex polygon; the lines along which `h` and `h'` are equal
//! to each other or to a bound cut it, and on each part the integrand is linear.
//!
//! Cost: proportional to the number of pairs of triangles whose projections overlap, found by a BVH
//! in the plane. Rounding errors are about 1e-16 of the volume of the common bounding box times the
//! number of layers of triangles over a point.

use crate::error::Result;
use crate::geometry::{Aabb, Pose};
use crate::parallel::sums;
use crate::shape::{Solid, TriMesh};
use crate::stop::Current;
use crate::tree::Tree;

/// The most corners of a part of the common polygon of two triangles: six, and one for each line
/// along which heights are equal to each other or to a bound.
const CORNERS: usize = 12;

/// A point of the common polygon: x, y and the heights of both triangles there.
type Corner = [f64; 4];

/// Returns the volume of the intersection of two solids.
///
/// It is exact up to rounding, unlike the volume of packings, and has no force. Where a mesh winds
/// around a point several times, the point counts as often.
///
/// ```
/// use tangere::geometry::Pose;
/// use tangere::shape::Solid;
/// use tangere::{generate, overlap};
///
/// let mesh = generate::sponge(0)?;
/// let cube = Solid::new(&mesh)?;
/// let there = Pose::from_translation([0.5, 0.25, 0.0])?;
/// let volume = overlap::exact_volume(&cube, &Pose::identity(), &cube, &there)?;
/// assert!((volume - 0.5 * 0.75).abs() < 1e-15);
/// # Ok::<(), tangere::Error>(())
/// ```
///
/// # Errors
/// When the query is cancelled by a [`Stop`](crate::stop::Stop).
pub fn exact_volume(a: &Solid<'_>, pose_a: &Pose, b: &Solid<'_>, pose_b: &Pose) -> Result<f64> {
    let least = a.volume().min(b.volume());
    let (a, b) = (a.mesh(), b.mesh());
    let pose = pose_b.inverse().compose(pose_a);
    let bounds = a.bounds().transformed(&pose).intersection(&b.bounds());
    if bounds.is_empty() {
        return Ok(0.0);
    }
    // Heights and areas relative to the middle of the common box have the smallest rounding errors.
    let middle = bounds.center();
    let shifted = |p: [f64; 3]| [0, 1, 2].map(|k| p[k] - middle[k]);
    let columns = |mesh: &TriMesh, place: &dyn Fn([f64; 3]) -> [f64; 3]| -> Vec<Column> {
        (0..mesh.faces().len())
            .filter_map(|f| Column::new(mesh.triangle(f).map(place)))
            .filter(|column| column.bounds.overlaps(&flat(&bounds, middle)))
            .collect()
    };
    let a = columns(a, &|p| shifted(pose.apply(p)));
    let b = columns(b, &shifted);
    if a.is_empty() || b.is_empty() {
        return Ok(0.0);
    }
    let heights = [bounds.min[2] - middle[2], bounds.max[2] - middle[2]];
    let tree = Tree::new(b.len(), |i| b[i].bounds)?;
    let stop = Current::new();
    let [volume] = sums(a.len(), |i| {
        let mut volume = 0.0;
        if !stop.is_requested() {
            tree.overlapping(&a[i].bounds, |j| {
                volume += a[i].shared(&b[j as usize], heights);
            });
        }
        [volume]
    });
    stop.checked()?;
    // Rounding errors of bodies that only touch may be negative.
    Ok(volume.clamp(0.0, least))
}

/// The projection along z of a box, relative to `middle`, with a margin for rounding.
fn flat(bounds: &Aabb<3>, middle: [f64; 3]) -> Aabb<2> {
    let corner = |p: [f64; 3]| [p[0] - middle[0], p[1] - middle[1]];
    let flat = Aabb::of_points([corner(bounds.min), corner(bounds.max)]);
    let [width, depth] = flat.extent();
    flat.expanded(1e-9 * width.max(depth))
}

/// A triangle and the column of space below it.
struct Column {
    /// The corners, counterclockwise as seen from above.
    corners: [[f64; 3]; 3],
    /// Twice the area of the projection.
    area: f64,
    /// 1 if the normal of the triangle points up, -1 if it points down.
    sign: f64,
    /// The bounds of the projection.
    bounds: Aabb<2>,
}

impl Column {
    /// Returns the column below a triangle; `None` if its projection has no area.
    fn new([a, b, c]: [[f64; 3]; 3]) -> Option<Self> {
        let area = doubled_area(a, b, c);
        let corners = if area > 0.0 { [a, b, c] } else { [a, c, b] };
        (area != 0.0).then(|| Self {
            corners,
            area: area.abs(),
            sign: area.signum(),
            bounds: Aabb::of_points(corners.map(|[x, y, _]| [x, y])),
        })
    }

    /// The height of the triangle over a point of its projection, by barycentric coordinates. They
    /// are kept between 0 and 1, so that steep triangles do not enlarge rounding errors.
    fn height(&self, [x, y]: [f64; 2]) -> f64 {
        let [a, b, c] = self.corners;
        let p = [x, y, 0.0];
        let u = (doubled_area(p, b, c) / self.area).clamp(0.0, 1.0);
        let v = (doubled_area(p, c, a) / self.area).clamp(0.0, 1.0 - u);
        u * a[2] + v * b[2] + (1.0 - u - v) * c[2]
    }

    /// The contribution of two triangles to the volume between the heights `low` and `high`.
    fn shared(&self, other: &Self, [low, high]: [f64; 2]) -> f64 {
        // The smaller one is clipped, so that a large one does not bring its rounding errors in.
        let (small, large) = match self.area <= other.area {
            true => (self, other),
            false => (other, self),
        };
        let mut polygon = Polygon::default();
        for [x, y, _] in small.corners {
            polygon.push([x, y, 0.0, 0.0]);
        }
        for k in 0..3 {
            let (from, to) = (large.corners[k], large.corners[(k + 1) % 3]);
            polygon = polygon.clipped(|[x, y, ..]| doubled_area(from, to, [x, y, 0.0]));
        }
        for corner in polygon.corners_mut() {
            let place = [corner[0], corner[1]];
            *corner = [place[0], place[1], small.height(place), large.height(place)];
        }
        // The height of the column that both have in common is min(h, h', high) - low, at least 0:
        // high - low, less high - h where h is the least, and high - h' where h' is.
        let polygon = polygon.clipped(|[_, _, h, _]| h - low);
        let polygon = polygon.clipped(|[.., h]| h - low);
        let lower = |triangle: &Polygon, k: usize, other: usize| {
            let part = triangle.clipped(|c| c[other] - c[k]);
            part.clipped(|c| high - c[k]).integral(|c| c[k] - high)
        };
        let mut volume = 0.0;
        // Rounded heights are linear over a triangle, not over a polygon: where both are equal but for
        // rounding, the parts of a polygon in which one or the other is lower would overlap.
        for triangle in polygon.triangles() {
            volume += triangle.integral(|_| high - low) + lower(&triangle, 2, 3);
            // Equal heights count once.
            if triangle.corners().iter().any(|c| c[2] != c[3]) {
                volume += lower(&triangle, 3, 2);
            }
        }
        self.sign * other.sign * volume
    }
}

/// Twice the signed area of the projection of a triangle.
fn doubled_area(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A convex polygon in the plane, counterclockwise.
#[derive(Clone, Copy, Default)]
struct Polygon {
    corners: [Corner; CORNERS],
    len: usize,
}

impl Polygon {
    fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    fn corners_mut(&mut self) -> &mut [Corner] {
        &mut self.corners[..self.len]
    }

    /// Adds a corner. Rounding may give a polygon more than it can have; they are left out, as they
    /// lie on the boundary.
    fn push(&mut self, corner: Corner) {
        if self.len < CORNERS {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// The triangles of a fan around the first corner.
    fn triangles(&self) -> impl Iterator<Item = Self> {
        (2..self.len).map(|i| {
            let mut triangle = Self::default();
            for corner in [0, i - 1, i] {
                triangle.push(self.corners[corner]);
            }
            triangle
        })
    }

    /// The part of the polygon on which a linear function is 0 or more.
    fn clipped(&self, value: impl Fn(Corner) -> f64) -> Self {
        let mut part = Self::default();
        for (i, &corner) in self.corners().iter().enumerate() {
            let next = self.corners[(i + 1) % self.len];
            let (here, there) = (value(corner), value(next));
            if here >= 0.0 {
                part.push(corner);
            }
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                let t = here / (here - there);
                part.push([0, 1, 2, 3].map(|k| corner[k] + t * (next[k] - corner[k])));
            }
        }
        part
    }

    /// The integral over the polygon of a linear function, given by its values at the corners.
    fn integral(&self, value: impl Fn(Corner) -> f64) -> f64 {
        let flat = |c: Corner| [c[0], c[1], 0.0];
        let Some((&first, rest)) = self.corners().split_first() else {
            return 0.0;
        };
        let fan = rest.windows(2).map(|pair| {
            let area = doubled_area(flat(first), flat(pair[0]), flat(pair[1])) / 2.0;
            area * (value(first) + value(pair[0]) + value(pair[1])) / 3.0
        });
        fan.sum()
    }
}
