//! Queries of a scene that change nothing: rays, nearest bodies, bodies in boxes and at points.
//!
//! | question | file |
//! |---|---|
//! | which body does a ray hit first? | `ray_cast` |
//! | which body is nearest to a point, and which bodies contain it? | `point_distance` |
//! | how deep is a point in a union of solids? | `union_depth` |
//! | which bodies have a point in a box? | here, by the narrow phase of the box as a body |
//!
//! [`Scene::queries`](super::Scene::queries) builds a bounding volume hierarchy over the boxes of all
//! bodies in their present poses, n log n; a query then takes about log n, and batches run on all
//! threads. In a periodic cell every body is tested, in its nearest images: n for each query. Rays in
//! a periodic cell would meet infinitely many images, and are an error.

mod point_distance;
mod ray_cast;
mod union_depth;

pub use point_distance::NearestBody;
pub use ray_cast::RayHit;

use rayon::prelude::*;

use super::bodies::Bodies;
use super::narrow_phase::{Scratch, part_contacts};
use super::shape::Element;
use super::{BodyId, Rounded, Scene, SceneSettings};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Pose, is_valid_coordinate};
use crate::pairs::Image;
use crate::shape::ConvexPolyhedron;
use crate::tree::Tree;

/// The least number of queries of a parallel task.
const CHUNK: usize = 16;

/// A list of bodies for each query of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyLists {
    /// For each query, where its list begins in `ids`; at the end, the length of `ids`.
    pub offsets: Vec<usize>,
    /// The ids of all lists, one list after the other, each in ascending order.
    pub ids: Vec<BodyId>,
}

impl BodyLists {
    /// The bodies of a query.
    ///
    /// # Panics
    /// If there is no query of this number.
    pub fn of(&self, query: usize) -> &[BodyId] {
        &self.ids[self.offsets[query]..self.offsets[query + 1]]
    }

    fn of_lists(lists: Vec<Vec<BodyId>>) -> Self {
        let mut all = Self::default();
        all.offsets.push(0);
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            all.ids.extend(list);
            all.offsets.push(all.ids.len());
        }
        all
    }
}

/// Queries of a scene in its present state.
#[derive(Debug)]
pub struct Queries<'s> {
    bodies: &'s Bodies,
    settings: &'s SceneSettings,
    /// The slots of bounded bodies, in the order of the tree's items, then those of unbounded ones.
    slots: Vec<u32>,
    boxes: Vec<Aabb<3>>,
    tree: Tree<3>,
}

impl<'s> Queries<'s> {
    pub(super) fn new(scene: &'s Scene) -> Result<Self> {
        let bodies = &scene.bodies;
        let present: Vec<u32> = bodies.present().map(|slot| slot as u32).collect();
        let is_bounded = |slot: &u32| !bodies.shapes[*slot as usize].is_unbounded();
        let (mut slots, unbounded): (Vec<u32>, Vec<u32>) =
            present.into_iter().partition(is_bounded);
        let boxes = slots.par_iter().map(|&slot| {
            let slot = slot as usize;
            bodies.shapes[slot].bounds(&bodies.pose(slot))
        });
        let boxes: Vec<Aabb<3>> = boxes.collect();
        let tree = Tree::of_boxes(&boxes)?;
        slots.extend(unbounded);
        Ok(Self {
            bodies,
            settings: &scene.settings,
            slots,
            boxes,
            tree,
        })
    }

    /// The bodies that have a point in common with each of several boxes, walls by their surface.
    ///
    /// # Errors
    /// When a box is empty or has a coordinate that is not valid.
    pub fn in_boxes(&self, boxes: &[Aabb<3>]) -> Result<BodyLists> {
        let shapes: Vec<(Element, [f64; 3])> = boxes
            .iter()
            .enumerate()
            .map(|(i, bounds)| as_body(bounds, i))
            .collect::<Result<_>>()?;
        let lists = shapes.par_iter().zip(boxes).with_min_len(CHUNK);
        let lists = lists.map_init(Scratch::default, |scratch, ((probe, center), bounds)| {
            let mut found = Vec::new();
            self.visit(bounds, |slot, shift| {
                if self.touches(slot, shift, (probe, *center), scratch) {
                    found.push(self.bodies.ids[slot]);
                }
            });
            found
        });
        Ok(BodyLists::of_lists(lists.collect()))
    }

    /// Whether a body, shifted, has a point in common with a rounded solid at a place.
    fn touches(
        &self,
        slot: usize,
        shift: [f64; 3],
        (probe, place): (&Element, [f64; 3]),
        scratch: &mut Scratch,
    ) -> bool {
        let bodies = self.bodies;
        let pose = &bodies.pose(slot);
        let t = pose.translation();
        let moved = pose.at(std::array::from_fn(|k| (t[k] - place[k]) + shift[k]));
        let here = Pose::identity();
        let mut contacts = std::mem::take(&mut scratch.contacts);
        let mut parts = bodies.shapes[slot].parts().iter();
        let touches = parts.any(|part| {
            contacts.clear();
            let placed = part.placed(&moved);
            let other = (&part.element, &placed);
            part_contacts((probe, &here), other, 0.0, scratch, &mut contacts);
            !contacts.is_empty()
        });
        scratch.contacts = contacts;
        touches
    }

    /// Calls `visit` with every body, and the shift of its image, whose box overlaps a box.
    fn visit(&self, bounds: &Aabb<3>, mut visit: impl FnMut(usize, [f64; 3])) {
        let bounded = self.boxes.len();
        match self.settings.periodic {
            None => self.tree.overlapping(bounds, |item| {
                if self.boxes[item as usize].overlaps(bounds) {
                    visit(self.slots[item as usize] as usize, [0.0; 3]);
                }
            }),
            Some(cell) => {
                for (item, own) in self.boxes.iter().enumerate() {
                    let (from, to) = (bounds.center(), own.center());
                    let nearest = cell.nearest_image(std::array::from_fn(|k| to[k] - from[k]));
                    for image in images_around(nearest, |k| cell.repeats(k)) {
                        let shift = cell.shift(image);
                        let moved = Aabb {
                            min: std::array::from_fn(|k| own.min[k] + shift[k]),
                            max: std::array::from_fn(|k| own.max[k] + shift[k]),
                        };
                        // Rounding of the shift.
                        let size = moved.min.iter().chain(&moved.max).chain(&shift);
                        let size = size.fold(0.0f64, |most, x| most.max(x.abs()));
                        if moved.expanded(8.0 * f64::EPSILON * size).overlaps(bounds) {
                            visit(self.slots[item] as usize, shift);
                        }
                    }
                }
            }
        }
        for &slot in &self.slots[bounded..] {
            visit(slot as usize, [0.0; 3]);
        }
    }
}

/// An image and those next to it along the edges that repeat.
pub(super) fn images_around(
    nearest: Image<3>,
    repeats: impl Fn(usize) -> bool,
) -> impl Iterator<Item = Image<3>> {
    let steps = [0, 1, 2].map(|k| if repeats(k) { -1..=1 } else { 0..=0 });
    let [x, y, z] = steps;
    x.flat_map(move |i| {
        let z = z.clone();
        y.clone()
            .flat_map(move |j| z.clone().map(move |k| [i, j, k]))
    })
    .map(move |step| std::array::from_fn(|k| nearest[k] + step[k]))
}

/// A box as a rounded solid around its centre, which is returned with it.
fn as_body(bounds: &Aabb<3>, i: usize) -> Result<(Element, [f64; 3])> {
    let mut numbers = bounds.min.iter().chain(&bounds.max);
    if bounds.is_empty() || !numbers.all(|&x| is_valid_coordinate(x)) {
        let found = format!("{:?} to {:?}", bounds.min, bounds.max);
        let expected = "finite coordinates, none below that of the other corner";
        return Err(Error::item(Argument::Box, i, found, expected));
    }
    let center = bounds.center();
    let corner = |i: usize| {
        std::array::from_fn(|k| match i >> k & 1 {
            0 => bounds.min[k] - center[k],
            _ => bounds.max[k] - center[k],
        })
    };
    let corners: [[f64; 3]; 8] = std::array::from_fn(corner);
    let hull = ConvexPolyhedron::hull(&corners)?;
    Ok((Element::Rounded(Rounded::convex(hull)), center))
}
