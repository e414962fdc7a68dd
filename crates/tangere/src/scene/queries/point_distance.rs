//! Distance of points from bodies: the nearest body, and the bodies that contain a point.

use rayon::prelude::*;

use super::super::rounded::Rounded;
use super::super::shape::{Element, Part};
use super::union_depth::{Surface, Union};
use super::{BodyLists, CHUNK, Queries, images_around};
use crate::closest::Tracker;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{dot, largest, length, minus};
use crate::geometry::{Aabb, Pose, is_valid_coordinate};
use crate::scene::BodyId;
use crate::shape::ConvexPolyhedron;

/// The body nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestBody {
    /// The id of the nearest body; of several at the same distance the lowest. `None` in a scene
    /// without bodies.
    pub body: Option<BodyId>,
    /// The distance of the point from the body, negative inside a solid; infinite without bodies.
    /// Inside a compound it is minus the distance from the surface of the union of its parts, or an
    /// upper bound of that ([`Queries::nearest`]).
    pub gap: f64,
    /// The point of the body nearest to the given point; of the image that is nearest.
    pub point: [f64; 3],
}

impl Queries<'_> {
    /// The body nearest to each of several points. The gap inside a solid is minus the distance from
    /// its surface; of several solids around a point the one with the deepest point is the nearest.
    ///
    /// The surface of a compound is that of the union of its parts: a face that two parts share is
    /// inside. Parts within 1e-9 of their size touch. Where the nearest way out of spheres, boxes, convex
    /// polyhedra, convex meshes and half-spaces leads into a capsule or a mesh that is not convex, or
    /// the point is in such parts alone, the surface is at least as far as the gap says: the gap is that
    /// of the part in which the point is deepest, or of the union without these parts if it is deeper there.
    ///
    /// # Errors
    /// When a coordinate is not valid.
    pub fn nearest(&self, points: &[[f64; 3]]) -> Result<Vec<NearestBody>> {
        check(points)?;
        let all = points.par_iter().with_min_len(CHUNK);
        let all = all.map_init(Prober::new, |prober, &point| {
            prober
                .as_ref()
                .map_or_else(nothing, |prober| self.nearest_to(point, prober))
        });
        Ok(all.collect())
    }

    /// The solid bodies that contain each of several points, inside or on their surface. Walls
    /// contain nothing.
    ///
    /// # Errors
    /// When a coordinate is not valid.
    pub fn containing(&self, points: &[[f64; 3]]) -> Result<BodyLists> {
        check(points)?;
        let all = points.par_iter().with_min_len(CHUNK);
        let all = all.map_init(Prober::new, |prober, &point| {
            let mut found = Vec::new();
            let at = Aabb {
                min: point,
                max: point,
            };
            let Some(prober) = prober else {
                return found;
            };
            self.visit(&at, |slot, shift| {
                let parts = self.bodies.shapes[slot].parts().iter();
                let mut solid = parts.filter(|part| !is_wall(part));
                let pose = &self.bodies.pose(slot);
                if solid.any(|part| prober.gap(part, pose, shift, point).0 <= 0.0) {
                    found.push(self.bodies.ids[slot]);
                }
            });
            found
        });
        Ok(BodyLists::of_lists(all.collect()))
    }

    fn nearest_to(&self, point: [f64; 3], prober: &Prober) -> NearestBody {
        let bodies = self.bodies;
        let mut best = nothing();
        let mut test = |slot: usize, shift: [f64; 3]| {
            let parts = bodies.shapes[slot].parts();
            let (gap, on_body) = prober.gap_of_union(parts, &bodies.pose(slot), shift, point);
            let id = Some(bodies.ids[slot]);
            let is_first = best.body.is_none() || id < best.body;
            if gap < best.gap || (gap == best.gap && is_first) {
                best = NearestBody {
                    body: id,
                    gap,
                    point: on_body,
                };
            }
            best.gap.max(0.0)
        };
        for &slot in &self.slots[self.boxes.len()..] {
            test(slot as usize, [0.0; 3]);
        }
        match self.settings.periodic {
            None => self.tree.approaching(point, f64::INFINITY, |item, bound| {
                let least = test(self.slots[item as usize] as usize, [0.0; 3]);
                *bound = bound.min(least * least);
            }),
            Some(cell) => {
                for (item, own) in self.boxes.iter().enumerate() {
                    let center = own.center();
                    let way = std::array::from_fn(|k| center[k] - point[k]);
                    for image in images_around(cell.nearest_image(way), |k| cell.repeats(k)) {
                        test(self.slots[item] as usize, cell.shift(image));
                    }
                }
            }
        }
        best
    }
}

fn nothing() -> NearestBody {
    NearestBody {
        body: None,
        gap: f64::INFINITY,
        point: [f64::NAN; 3],
    }
}

/// Whether points can be inside a part: not of a wall, or of a polygon without thickness.
fn has_inside(part: &Part) -> bool {
    match &part.element {
        Element::Rounded(rounded) => rounded.radius() > 0.0 || rounded.core().dimension() == 3,
        Element::HalfSpace(_) => true,
        Element::Mesh(mesh) => mesh.is_solid(),
    }
}

/// The planes or the sphere around a solid part of a body in a pose, and its size; `None` of a capsule
/// and of a mesh that is not convex.
fn surfaces(part: &Part, pose: &Pose) -> Option<(Vec<Surface>, f64)> {
    let placed = part.placed(pose);
    let plane = |normal: [f64; 3], offset: f64| {
        let normal = placed.rotate(normal);
        let offset = offset + dot(normal, placed.translation());
        Surface::Plane { normal, offset }
    };
    let polyhedron = |hull: &ConvexPolyhedron| {
        let planes = hull.planes().iter();
        let planes = planes.map(|face| plane(face.normal, face.offset));
        (planes.collect(), hull.radius())
    };
    match &part.element {
        Element::Rounded(rounded) => match (rounded.core().dimension(), rounded.radius()) {
            (0, radius) => {
                let center = placed.apply(rounded.core().vertex(0));
                Some((vec![Surface::Sphere { center, radius }], radius))
            }
            (3, 0.0) => Some(polyhedron(rounded.core())),
            _ => None,
        },
        Element::HalfSpace(normal) => {
            let surface = plane(*normal, 0.0);
            // Of no size itself: that of the numbers of its plane.
            Some((vec![surface], largest(placed.translation())))
        }
        Element::Mesh(mesh) => mesh.convex().map(polyhedron),
    }
}

fn is_wall(part: &Part) -> bool {
    matches!(&part.element, Element::Mesh(mesh) if !mesh.is_solid())
}

fn check(points: &[[f64; 3]]) -> Result<()> {
    let is_wrong = |p: &[f64; 3]| !p.iter().all(|&x| is_valid_coordinate(x));
    match points.iter().position(is_wrong) {
        None => Ok(()),
        Some(i) => Err(Error::item(
            Argument::Point,
            i,
            format!("{:?}", points[i]),
            "finite coordinates of magnitude at most 1.6e60",
        )),
    }
}

/// A point as a convex body.
struct Prober(ConvexPolyhedron);

impl Prober {
    /// `None` never: a point has a hull.
    fn new() -> Option<Self> {
        Some(Self(ConvexPolyhedron::hull(&[[0.0; 3]]).ok()?))
    }

    /// The signed distance of a point from the union of the parts of a body whose image is shifted, and
    /// its nearest point.
    fn gap_of_union(
        &self,
        parts: &[Part],
        pose: &Pose,
        shift: [f64; 3],
        point: [f64; 3],
    ) -> (f64, [f64; 3]) {
        let mut best = (f64::INFINITY, [f64::NAN; 3]);
        let mut is_inside = false;
        for part in parts {
            let found = self.gap(part, pose, shift, point);
            is_inside |= found.0 <= 0.0 && has_inside(part);
            if found.0 < best.0 {
                best = found;
            }
        }
        if parts.len() < 2 || !is_inside {
            return best;
        }
        let mut union = Union::default();
        let mut others: Vec<&Part> = Vec::new();
        let t = pose.translation();
        let local = pose.at(std::array::from_fn(|k| (t[k] - point[k]) + shift[k]));
        for part in parts.iter().filter(|part| has_inside(part)) {
            match surfaces(part, &local) {
                Some((surfaces, size)) => union.add(surfaces, size),
                None => others.push(part),
            }
        }
        let Some(way) = union.way_out() else {
            return best;
        };
        let found = (
            0.0 - length(way),
            std::array::from_fn(|k| point[k] + way[k]),
        );
        let is_free = |part: &&Part| self.gap(part, pose, shift, found.1).0 > union.tolerance();
        match found.0 <= best.0 || others.iter().all(is_free) {
            true => found,
            false => best,
        }
    }

    /// The signed distance of a point from a part of a body whose image is shifted, and the nearest
    /// point of the part.
    fn gap(&self, part: &Part, pose: &Pose, shift: [f64; 3], point: [f64; 3]) -> (f64, [f64; 3]) {
        let t = pose.translation();
        // The point is the origin, so that digits are not lost far from that of the world.
        let placed = part.placed(&pose.at(std::array::from_fn(|k| (t[k] - point[k]) + shift[k])));
        let (gap, near) = match &part.element {
            Element::Rounded(rounded) => self.rounded(rounded, &placed),
            Element::HalfSpace(normal) => {
                let up = placed.rotate(*normal);
                let height = 0.0 - dot(up, placed.translation());
                (height, up.map(|x| 0.0 - height * x))
            }
            Element::Mesh(mesh) => {
                let local = placed.inverse().apply([0.0; 3]);
                // The coordinate was checked; a rounded one that is too small is 0.
                match mesh.surface().closest(local) {
                    Ok(near) => {
                        let gap = if mesh.is_solid() {
                            near.gap
                        } else {
                            near.distance
                        };
                        (gap, placed.apply(near.point))
                    }
                    Err(_) => (f64::INFINITY, [f64::NAN; 3]),
                }
            }
        };
        (gap, std::array::from_fn(|k| point[k] + near[k]))
    }

    fn rounded(&self, rounded: &Rounded, placed: &Pose) -> (f64, [f64; 3]) {
        let here = Pose::identity();
        let contact = Tracker::new().contact(&self.0, &here, rounded.core(), placed);
        let radius = rounded.radius();
        let near = contact.point_b;
        let normal = match contact.normal == [0.0; 3] {
            true => [1.0, 0.0, 0.0],
            false => contact.normal,
        };
        let near = minus(near, normal.map(|x| radius * x));
        (contact.gap - radius, near)
    }
}
