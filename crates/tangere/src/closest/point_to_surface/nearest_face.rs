//! Nearest face of a surface of finite element faces, by branch and bound.
//!
//! One descent of the tree leads to a face that is likely to be the nearest, in two of three cases
//! rightly, and its nearest point is computed. Then the tree is searched for others that may be as
//! near, by their boxes and by their control points along the vector from the nearest point so far.
//! Of the few that are left the one with the least lower bound comes first, and most of the others
//! then are too far. So the nearest point is computed for one to three faces a point. Points are
//! processed in groups, so that faces are solved eight at a time, and many points in the order of
//! their likely faces.
//!
//! Which face is the nearest must not depend on where the search begins. Faces that share an edge
//! are at the same distance, up to rounding, if the nearest point lies there, so distances are
//! compared with a tolerance: with `d` the distance of a face and `r` its rounding, all faces with
//! `d <= min (d + r)` are nearest. Among them the nearest point is exact where it lies within a
//! face. Held by a side of a face it may be off along the surface by what distances do not resolve,
//! about the square root of `r d`. Hence faces on which fewer sides hold it come first, then those
//! with the least index. Each distance is a function of face and point alone, so that is the same
//! face in any order.

use super::face_bound::FaceBound;
use super::face_obb_tree::FaceObbTree;
use super::obb_lanes::{NOTHING, Stack};
use crate::closest::point_to_face::{
    FacePoint, FaceStatus, PreparedFace, UNKNOWN, nearest_together,
};
use crate::geometry::vector::{dot, minus};
use crate::simd::{Kernel, Vector, run_widest};

/// Points that are searched together.
pub(super) const GROUP: usize = 16;

/// Maximum number of candidate faces of one point.
const WAITING: usize = 16;

/// Maximum number of ties that are stored; where there are more, as at the centre of a sphere, they
/// are searched again.
const TIES: usize = 8;

/// Squares of shorter vectors lose bits to underflow: 2^-500.
const SHORT: f64 = f64::from_bits((1023 - 500) << 52);

/// Faces with their bounds, in tree order: what is near in space is near in memory. Here faces are
/// named by their places, the indices in this order.
#[derive(Clone, Debug)]
pub(super) struct OrderedFaces {
    /// Their indices in the mesh.
    pub numbers: Vec<u32>,
    pub prepared: Vec<PreparedFace>,
    pub bounds: Vec<FaceBound>,
    pub tree: FaceObbTree,
}

/// The nearest face.
pub(super) struct NearestFace {
    /// Its place in tree order.
    pub place: u32,
    pub point: FacePoint,
    /// Lower bound of the distance to the surface.
    pub lower: f64,
    /// Whether the nearest point is proven.
    pub is_proven: bool,
}

/// Normalised; 0 if the vector is too short.
#[inline(always)]
fn direction(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    match length > SHORT {
        true => v.map(|x| x / length),
        false => [0.0; 3],
    }
}

impl OrderedFaces {
    /// Order among ties: the fewest active sides first, then the least index.
    #[inline(always)]
    fn rank(&self, (face, point): &(u32, FacePoint)) -> (u32, u32) {
        (point.active.count_ones(), self.numbers[*face as usize])
    }

    /// The nearest point of one face.
    #[inline]
    pub fn solved(&self, face: u32, y: [f64; 3]) -> FacePoint {
        self.prepared[face as usize].nearest_to_valid(y)
    }

    /// Upper bound of the computed distance to a face, rounding included twice: the distance of its
    /// nearest corner. The solver starts at corners too, so this holds even if it ends unproven;
    /// other nodes would not do.
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

    /// Sorts points by their likely faces: each entry has the index of a point in its low half and
    /// the place of a face that is likely to be nearest to it in its high half. Neighbours in this
    /// order look at the same faces.
    pub fn in_order(&self, points: &[[f64; 3]], order: &mut [u64]) {
        run_widest(Likely {
            faces: self,
            points,
            found: &mut *order,
        });
        order.sort_unstable();
    }

    /// Reports the nearest face of a point.
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

    /// Reports the nearest faces of at most `N` points, given by entries of `in_order`, in this
    /// order.
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

    /// Calls `visit` with every face that may be within `limit` of a point.
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

/// Kernel: adds likely faces to the indices of points.
struct Likely<'a> {
    faces: &'a OrderedFaces,
    points: &'a [[f64; 3]],
    found: &'a mut [u64],
}

impl Kernel for Likely<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (i, (&y, found)) in self.points.iter().zip(self.found).enumerate() {
            *found = u64::from(self.faces.tree.likely::<V>(y)) << 32 | i as u64;
        }
    }
}

/// Kernel: collects candidate faces for searches that have solved for a likely face each.
struct Begin<'a, 'b> {
    searches: &'a mut [Search<'b>],
    likely: &'a [u32],
}

impl Kernel for Begin<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut stack = NOTHING;
        for (search, &likely) in self.searches.iter_mut().zip(self.likely) {
            search.begin::<V>(likely, &mut stack);
        }
    }
}

/// Kernel: all faces within a distance.
struct Within<'a, F> {
    faces: &'a OrderedFaces,
    y: [f64; 3],
    limit: f64,
    visit: F,
}

impl<F: FnMut(u32)> Kernel for Within<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self) {
        let mut stack = NOTHING;
        let tree = &self.faces.tree;
        tree.approach::<V>(self.y, self.limit, &mut stack, |face, _| (self.visit)(face));
    }
}

/// The search for the nearest face of one point.
struct Search<'a> {
    faces: &'a OrderedFaces,
    y: [f64; 3],
    /// The least `d + r` so far: faces beyond cannot be among the nearest.
    limit: f64,
    /// The direction from the nearest point so far to the query point.
    way: [f64; 3],
    /// Candidate faces with their lower bounds.
    waiting: [(f64, u32); WAITING],
    count: usize,
    ties: [(u32, FacePoint); TIES],
    tied: usize,
    /// Whether there were more ties than are stored.
    is_crowded: bool,
    /// The least lower bound of faces whose solution is not proven.
    lower: f64,
}

impl<'a> Search<'a> {
    #[inline]
    fn new(faces: &'a OrderedFaces, y: [f64; 3]) -> Self {
        Search {
            faces,
            y,
            limit: f64::INFINITY,
            way: [0.0; 3],
            waiting: [(0.0, 0); WAITING],
            count: 0,
            ties: [(0, UNKNOWN); TIES],
            tied: 0,
            is_crowded: false,
            lower: f64::INFINITY,
        }
    }

    /// Collects all candidate faces but the likely one, which is solved.
    #[inline(always)]
    fn begin<V: Vector>(&mut self, likely: u32, stack: &mut Stack) {
        let (faces, y) = (self.faces, self.y);
        let (tree, limit) = (&faces.tree, self.limit);
        tree.approach::<V>(
            y,
            limit,
            stack,
            #[inline(always)]
            |face: u32, limit: &mut f64| {
                if face == likely {
                    return;
                }
                let bound = &faces.bounds[face as usize];
                let lower = bound.lower(y);
                if lower > self.limit || bound.lower_along(y, self.way) > self.limit {
                    return;
                }
                self.waiting[self.count] = (lower, face);
                self.count += 1;
                if self.count == WAITING {
                    while let Some(face) = self.next() {
                        self.take(face, faces.solved(face, y));
                    }
                }
                *limit = self.limit;
            },
        );
    }

    /// The index of the candidate with the least bound. One or two of a few are taken, so they are
    /// not sorted.
    #[inline]
    fn least(&self) -> Option<usize> {
        let waiting = &self.waiting[..self.count];
        (0..waiting.len()).min_by(|&a, &b| waiting[a].0.total_cmp(&waiting[b].0))
    }

    /// The next face to solve; none if all others are too far.
    #[inline]
    fn next(&mut self) -> Option<u32> {
        while let Some(place) = self.least() {
            let (lower, face) = self.waiting[place];
            if lower > self.limit {
                break;
            }
            self.count -= 1;
            self.waiting.swap(place, self.count);
            // Bounds again: the direction has changed since other faces were solved.
            let bound = &self.faces.bounds[face as usize];
            if bound.lower_along(self.y, self.way) <= self.limit {
                return Some(face);
            }
        }
        self.count = 0;
        None
    }

    /// Takes the solution for a face.
    fn take(&mut self, face: u32, point: FacePoint) {
        let bound = &self.faces.bounds[face as usize];
        if point.status == FaceStatus::Bracketed {
            // All bounds are applied, so that a face that could be skipped in another order has no
            // influence here.
            let own = FaceBound::bounds(self.faces.prepared[face as usize].face());
            let plain = own.distance_squared(self.y).sqrt();
            let lower = point.lower.max(bound.lower(self.y)).max(plain);
            self.lower = self.lower.min(lower);
        }
        let rounded_up = point.distance + bound.rounding(point.distance);
        if rounded_up < self.limit {
            self.limit = rounded_up;
            self.way = direction(minus(self.y, point.point));
        }
        let mut kept = 0;
        for i in 0..self.tied {
            if self.ties[i].1.distance <= self.limit {
                if kept < i {
                    self.ties[kept] = self.ties[i];
                }
                kept += 1;
            }
        }
        self.tied = kept;
        if point.distance > self.limit {
            return;
        }
        if self.tied < TIES {
            self.ties[self.tied] = (face, point);
            self.tied += 1;
        } else {
            self.is_crowded = true;
        }
    }

    fn found(&self) -> NearestFace {
        let faces = self.faces;
        // There is at least one tie: the face with the least `d + r`.
        let mut best = &self.ties[0];
        for tie in &self.ties[1..self.tied.max(1)] {
            if faces.rank(tie) < faces.rank(best) {
                best = tie;
            }
        }
        let crowd = match self.is_crowded {
            true => self.best_of_crowd(),
            false => None,
        };
        if let Some(tie) = &crowd
            && faces.rank(tie) < faces.rank(best)
        {
            best = tie;
        }
        let (place, point) = (best.0, &best.1);
        let rounding = faces.bounds[place as usize].rounding(point.distance);
        NearestFace {
            place,
            point: *point,
            lower: self.lower.min(point.lower),
            is_proven: point.status == FaceStatus::Proven
                && point.distance - self.lower <= 2.0 * rounding,
        }
    }

    /// The best of more ties than are stored, by a second search.
    #[cold]
    #[inline(never)]
    fn best_of_crowd(&self) -> Option<(u32, FacePoint)> {
        let (faces, limit) = (self.faces, self.limit);
        let mut best: Option<(u32, FacePoint)> = None;
        faces.within(self.y, limit, |face| {
            if faces.bounds[face as usize].lower(self.y) <= limit {
                let tie = (face, faces.solved(face, self.y));
                let is_better = best.is_none_or(|best| faces.rank(&tie) < faces.rank(&best));
                if tie.1.distance <= limit && is_better {
                    best = Some(tie);
                }
            }
        });
        best
    }
}
