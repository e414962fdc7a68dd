//! All faces of a surface within a distance of points: the part common to all surfaces, then the
//! search among triangles.
//!
//! Boxes and triangles are measured in f32; only triangles whose distance differs from the given
//! one by less than the errors are measured in f64.

use super::far_query;
use super::mesh_obb_tree::MeshObbTree;
use super::obb_lanes::splat;
use super::obb_tree::PACKET;
use super::triangle_packet::{MARGIN, TINY};
use crate::error::{Argument, Count, Error, Result};
use crate::geometry::check_points;
use crate::geometry::triangle::closest_inlined;
use crate::memory;
use crate::parallel::{Overfull, Row, Rows};
use crate::simd::{Kernel, Lanes, Vector};
use crate::stop::Current;
use crate::tree::STACK;

/// The faces within a distance of each point, which `report` pushes in any order; an error if there
/// are more than `most` in all.
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

/// Public methods of a surface with `push_within(point, distance, row)`, which pushes the faces
/// within a distance of one point.
macro_rules! within_methods {
    ($surface:ident) => {
        impl $surface {
            /// All faces within `distance` of a point, in the order of their indices. A curved
            /// face whose distance is only bracketed counts if its lower bound is within.
            ///
            /// # Errors
            /// When a coordinate or the distance is not finite, or the distance is negative.
            pub fn within(&self, point: [f64; 3], distance: f64) -> Result<Vec<u32>> {
                let mut all = Rows::default();
                self.within_all(&[point], distance, &mut all)?;
                Ok(all.row(0).to_vec())
            }

            /// All faces within `distance` of each of many points, a row for each.
            ///
            /// # Errors
            /// As [`within`](Self::within), when it was stopped, or when memory runs out.
            pub fn within_all(
                &self,
                points: &[[f64; 3]],
                distance: f64,
                found: &mut Rows<u32>,
            ) -> Result<()> {
                self.within_at_most(points, distance, usize::MAX, found)
            }

            /// As [`within_all`](Self::within_all), with an error as soon as there are more than
            /// `most` pairs of a point and a face, which bounds memory. It is needed on systems
            /// that overcommit memory.
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

/// Checks a distance.
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

/// The search for one point; reports every face once, in no particular order.
pub(super) struct Within<'a, F> {
    pub tree: &'a MeshObbTree,
    /// In the order of their indices.
    pub triangles: &'a [[[f64; 3]; 3]],
    pub point: [f64; 3],
    pub distance: f64,
    pub report: F,
}

impl<F: FnMut(u32)> Kernel for Within<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self) {
        match self.tree.obbs.packed(self.point) {
            Some(packed) => self.near::<V>(packed),
            None => {
                let tree = self.tree;
                far_query::approach::<V>(&tree.obbs, self.point, self.distance, |number, _| {
                    let packet = &tree.packets[number as usize];
                    for lane in Lanes(packet.used) {
                        self.measure(packet.faces[lane]);
                    }
                });
            }
        }
    }
}

impl<F: FnMut(u32)> Within<'_, F> {
    #[inline(always)]
    fn near<V: Vector>(&mut self, packed: [f32; 3]) {
        let Some(root) = self.tree.obbs.root else {
            return;
        };
        let p = splat::<V>(packed);
        let error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        // Rounding of the distance is one of the errors; the squared limit is clamped so that empty
        // lanes stay beyond it.
        let distance = (self.distance * self.tree.obbs.scale) as f32;
        let square = |x: f32| (x * x).min(f32::MAX);
        let reach = V::splat(square(distance + error));
        let mut stack = [0u32; STACK];
        stack[0] = root;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let child = stack[top];
            if child & PACKET == 0 {
                let node = &self.tree.obbs.nodes[child as usize];
                for lane in Lanes(node.squares(p).at_most(reach)) {
                    stack[top] = node.children[lane];
                    top += 1;
                }
                continue;
            }
            let packet = &self.tree.packets[(child & !PACKET) as usize];
            let squares = packet.squares(p);
            let error = error + packet.margin;
            let may = squares.at_most(V::splat(square(distance + error))) & packet.used;
            let surely = match distance > error {
                true => may & squares.below(V::splat(square(distance - error))),
                false => 0,
            };
            for lane in Lanes(surely) {
                (self.report)(packet.faces[lane]);
            }
            for lane in Lanes(may & !surely) {
                self.measure(packet.faces[lane]);
            }
        }
    }

    #[inline(always)]
    fn measure(&mut self, face: u32) {
        let nearest = closest_inlined(self.point, self.triangles[face as usize]);
        // Compares the root, so that a face is found at exactly its reported distance.
        if nearest.distance_squared.sqrt() <= self.distance {
            (self.report)(face);
        }
    }
}
