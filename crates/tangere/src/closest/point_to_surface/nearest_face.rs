//! The nearest of many faces.
//!
//! One way down the tree leads to a face that is likely to be the nearest, in two of three cases
//! rightly, and it is solved for. Then the tree is searched for others that may be as near, by their boxes
//! and by their control points along the way from the nearest point so far. Of the few that are left
//! the one with the least lower bound comes first, and most of the others then are too far. So one to
//! three faces a point are solved for. Points go through this in groups, so that faces are
//! solved for eight at a time, and many points in the order of their likely faces.
//!
//! Which face is the nearest must not depend on where the search begins. Faces that share an edge
//! are at the same distance if the nearest point lies there, up to rounding, so distances are
//! compared with a tolerance: with `d` the distance of a face and `r` its rounding,
//! all faces with `d <= min (d + r)` are nearest. Among them the nearest point is exact where it lies
//! within a face. Held by a side of a face it may be off along the surface by as much as
//! distances cannot tell, about the square root of `r d`. Hence faces on which fewer sides
//! hold it come first, then those with the least number. Each distance is a function of face and
//! point alone, so that is the same face in any order.

use super::face_bound::FaceBound;
use super::face_obb_tree::{FaceObbTree, NOTHING, Stack};
use crate::closest::point_to_face::{
    FacePoint, FaceStatus, PreparedFace, UNKNOWN, nearest_together,
};
use crate::geometry::vector::{dot, minus};
use crate::simd::{Kernel, Vector, run_widest};

/// Points whose nearest faces are looked for together.
pub(super) const GROUP: usize = 16;

/// Faces that wait for their nearest point to be computed.
const WAITING: usize = 16;

/// Nearest faces that are remembered; where there are more, as at the centre of a sphere, they
/// are looked for again.
const TIES: usize = 8;

/// Squares of shorter vectors lose bits: 2^-500.
const SHORT: f64 = f64::from_bits((1023 - 500) << 52);

/// Faces with what is asked before they are, in the order of the tree: what is near is near in
/// memory. Faces are known by their places in this order here.
#[derive(Clone, Debug)]
pub(super) struct OrderedFaces {
    /// What they are called elsewhere.
    pub numbers: Vec<u32>,
    pub prepared: Vec<PreparedFace>,
    pub bounds: Vec<FaceBound>,
    pub patches: FaceObbTree,
}

/// The nearest face.
pub(super) struct NearestFace {
    /// Its place.
    pub place: u32,
    pub point: FacePoint,
    /// No face is nearer.
    pub lower: f64,
    /// Whether both agree.
    pub is_proven: bool,
}

/// A vector of length 1; 0 if it is too short for that.
#[inline(always)]
fn direction(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    match length > SHORT {
        true => v.map(|x| x / length),
        false => [0.0; 3],
    }
}

impl OrderedFaces {
    /// The fewest sides first, then the least number.
    #[inline(always)]
    fn rank(&self, (face, point): &(u32, FacePoint)) -> (u32, u32) {
        (point.active.count_ones(), self.numbers[*face as usize])
    }

    /// The nearest point of one face.
    #[inline]
    pub fn solved(&self, face: u32, y: [f64; 3]) -> FacePoint {
        self.prepared[face as usize].nearest_to_valid(y)
    }

    /// A distance that the face, solved for, does not exceed, rounding included twice: that of
    /// its nearest corner. Corners are where its solution starts, so this holds even if that
    /// ends before it is proven; other nodes would not do.
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

    /// Writes the numbers of points, with the place of a face that is likely to be the nearest of each
    /// above them, in the order of these: points that are answered in this order, one after the
    /// other, look at the same faces.
    pub fn in_order(&self, points: &[[f64; 3]], order: &mut [u64]) {
        run_widest(Likely {
            faces: self,
            points,
            found: &mut *order,
        });
        order.sort_unstable();
    }

    /// The nearest face of a point.
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

    /// The nearest faces of at most `N` points of many by their numbers with likely faces, told in
    /// this order.
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

    /// Calls `visit` with every face that may be within `limit` of a point, whatever else is.
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

/// Faces that are likely to be the nearest of points, above the numbers of these.
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
            *found = u64::from(self.faces.patches.likely::<V>(y)) << 32 | i as u64;
        }
    }
}

/// Searches that have solved for a likely face each, and now let others wait.
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

/// All faces within a distance.
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
        let patches = &self.faces.patches;
        patches.approach::<V>(self.y, self.limit, &mut stack, |face, _| (self.visit)(face));
    }
}

/// The search for the nearest face of one point.
struct Search<'a> {
    faces: &'a OrderedFaces,
    y: [f64; 3],
    /// The least `d + r` so far: faces beyond cannot be among the nearest.
    limit: f64,
    /// From the nearest point so far.
    way: [f64; 3],
    /// Lower bounds and faces.
    waiting: [(f64, u32); WAITING],
    count: usize,
    ties: [(u32, FacePoint); TIES],
    tied: usize,
    /// Whether there were more ties than that.
    is_crowded: bool,
    /// Of faces whose bounds did not meet.
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

    /// Lets all faces wait that may be the nearest, besides one that is solved for.
    #[inline(always)]
    fn begin<V: Vector>(&mut self, likely: u32, stack: &mut Stack) {
        let (faces, y) = (self.faces, self.y);
        let (patches, limit) = (&faces.patches, self.limit);
        patches.approach::<V>(
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

    /// The place of the face that waits with the least bound. One or two are taken of a few, so
    /// they are not sorted.
    #[inline]
    fn least(&self) -> Option<usize> {
        let waiting = &self.waiting[..self.count];
        (0..waiting.len()).min_by(|&a, &b| waiting[a].0.total_cmp(&waiting[b].0))
    }

    /// The next face to solve for; with none all others are too far.
    #[inline]
    fn next(&mut self) -> Option<u32> {
        while let Some(place) = self.least() {
            let (lower, face) = self.waiting[place];
            if lower > self.limit {
                break;
            }
            self.count -= 1;
            self.waiting.swap(place, self.count);
            // Once more: the way is another one since others were solved for.
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
            // All bounds together: a face that is left out elsewhere then has no say here.
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
        // There is one tie at least: what has the least `d + r` is not beyond it.
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

    /// Of more nearest faces than are remembered.
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
