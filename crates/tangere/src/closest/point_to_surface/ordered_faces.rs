//! Ordered faces: finite element faces in the order of their tree, with their bounds.
//!
//! In this order, faces that are near in space are near in memory. Here, the place of a face is its
//! index in this order.

use super::face_bound::FaceBound;
use super::face_obb_tree::FaceObbTree;
use super::nearest_face::{NearestFace, Search};
use crate::closest::obb_tree::NOTHING;
use crate::closest::point_to_face::{FacePoint, PreparedFace, UNKNOWN, nearest_together};
use crate::geometry::vector::{dot, minus};
use crate::simd::{Kernel, Vector, run_widest};

/// Finite element faces in tree order, the order of the leaves of their OBB tree, with their bounds
/// and this tree.
#[derive(Clone, Debug)]
pub(super) struct OrderedFaces {
    /// For each face in tree order its index in the mesh.
    pub numbers: Vec<u32>,
    pub prepared: Vec<PreparedFace>,
    pub bounds: Vec<FaceBound>,
    pub tree: FaceObbTree,
}

impl OrderedFaces {
    /// The rank of one of the ordered faces among ties, faces that are equally near up to rounding.
    /// Faces with fewer active sides at the nearest point come first, then faces with lesser
    /// indices in the mesh.
    #[inline(always)]
    pub fn rank(&self, (face, point): &(u32, FacePoint)) -> (u32, u32) {
        (point.active.count_ones(), self.numbers[*face as usize])
    }

    /// The point nearest to `y` of one of the ordered faces, `face`, an index in tree order.
    #[inline]
    pub fn solved(&self, face: u32, y: [f64; 3]) -> FacePoint {
        self.prepared[face as usize].nearest_to_valid(y)
    }

    /// Upper bound of the computed distance from `y` to one of the ordered faces, `face`, an index
    /// in tree order: the distance of its nearest corner, plus twice the rounding error. The solver
    /// starts at corners too, so this bound holds even if the nearest point is not proven. The
    /// distance of other nodes is no such bound.
    #[inline]
    pub fn upper(&self, face: u32, y: [f64; 3]) -> f64 {
        let face = face as usize;
        let nodes = self.prepared[face].face();
        let corners = &nodes.nodes()[..nodes.kind().corners()];
        let squares = corners.iter().map(|&corner| {
            let way = minus(y, corner);
            dot(way, way)
        });
        let distance = squares.fold(f64::INFINITY, f64::min).sqrt();
        distance + 2.0 * self.bounds[face].rounding(distance)
    }

    /// Sorts points by their likely faces among the ordered faces. Each entry of `order` has the
    /// index of a point in its low half, and in its high half the index in tree order of a face
    /// that is likely to be nearest to the point. Points that are neighbours in this order visit
    /// the same faces.
    pub fn in_order(&self, points: &[[f64; 3]], order: &mut [u64]) {
        run_widest(Likely {
            faces: self,
            points,
            found: &mut *order,
        });
        order.sort_unstable();
    }

    /// Calls `report` with the nearest of the ordered faces to a point.
    #[inline]
    pub fn nearest(&self, y: [f64; 3], report: impl FnOnce(NearestFace)) {
        let mut order = [0];
        self.in_order(&[y], &mut order);
        let mut report = Some(report);
        self.nearest_of::<1>(&[y], &order, |_, found| {
            if let Some(report) = report.take() {
                report(found);
            }
        });
    }

    /// Searches the nearest of the ordered faces for each of at most `N` points, and calls `report`
    /// with the index of the point in `all` and its nearest face. The points are given by `order`,
    /// entries of [`in_order`](Self::in_order).
    #[inline]
    pub fn nearest_of<const N: usize>(
        &self,
        all: &[[f64; 3]],
        order: &[u64],
        mut report: impl FnMut(usize, NearestFace),
    ) {
        let mut faces = [0; N];
        let mut points = [[0.0; 3]; N];
        for (i, &ordered) in order.iter().enumerate() {
            faces[i] = (ordered >> 32) as u32;
            points[i] = all[ordered as u32 as usize];
        }
        let mut searches: [Search; N] = std::array::from_fn(|i| Search::new(self, points[i]));
        let searches = &mut searches[..order.len()];
        let mut who: [usize; N] = std::array::from_fn(|i| i);
        let mut solved = [UNKNOWN; N];
        let mut solving = order.len();
        let mut is_begun = false;
        while solving > 0 {
            let question = |k: usize| {
                let prepared = &self.prepared[faces[k] as usize];
                (prepared, points[who[k]])
            };
            nearest_together(question, &mut solved[..solving]);
            for k in 0..solving {
                searches[who[k]].take(faces[k], solved[k]);
            }
            if !is_begun {
                run_widest(Begin {
                    searches: &mut *searches,
                    likely: &faces[..solving],
                });
                is_begun = true;
            }
            solving = 0;
            for (i, search) in searches.iter_mut().enumerate() {
                if let Some(face) = search.next() {
                    (who[solving], faces[solving]) = (i, face);
                    solving += 1;
                }
            }
        }
        for (search, &ordered) in searches.iter().zip(order) {
            report(ordered as u32 as usize, search.found());
        }
    }

    /// Calls `visit` with the index in tree order of each of the ordered faces that may be within
    /// `limit` of a point.
    #[inline]
    pub fn within(&self, y: [f64; 3], limit: f64, visit: impl FnMut(u32)) {
        run_widest(Within {
            faces: self,
            y,
            limit,
            visit,
        });
    }
}

/// The kernel that finds for each point a face that is likely to be the nearest.
struct Likely<'a> {
    faces: &'a OrderedFaces,
    points: &'a [[f64; 3]],
    found: &'a mut [u64],
}

impl Kernel for Likely<'_> {
    type Output = ();

    /// Finds for each point the one of the ordered faces that is likely to be the nearest.
    #[inline(always)]
    fn run<V: Vector>(self) {
        for (i, (&y, found)) in self.points.iter().zip(self.found).enumerate() {
            *found = u64::from(self.faces.tree.likely::<V>(y)) << 32 | i as u64;
        }
    }
}

/// The kernel that collects the candidates for the nearest face. Each search has already solved for
/// the face that is likely to be the nearest.
struct Begin<'a, 'b> {
    searches: &'a mut [Search<'b>],
    likely: &'a [u32],
}

impl Kernel for Begin<'_, '_> {
    type Output = ();

    /// Collects the candidates among the ordered faces for all searches.
    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut stack = NOTHING;
        for (search, &likely) in self.searches.iter_mut().zip(self.likely) {
            search.begin::<V>(likely, &mut stack);
        }
    }
}

/// The kernel that finds all faces that may be within a distance of a point.
struct Within<'a, F> {
    faces: &'a OrderedFaces,
    y: [f64; 3],
    limit: f64,
    visit: F,
}

impl<F: FnMut(u32)> Kernel for Within<'_, F> {
    type Output = ();

    /// Calls `visit` with each of the ordered faces that may be within the limit.
    #[inline(always)]
    fn run<V: Vector>(mut self) {
        let mut stack = NOTHING;
        let tree = &self.faces.tree;
        tree.approach::<V>(self.y, self.limit, &mut stack, |face, _| (self.visit)(face));
    }
}
