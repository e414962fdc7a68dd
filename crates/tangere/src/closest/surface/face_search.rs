//! The nearest of many faces.
//!
//! First the tree is searched with nothing but bounds: boxes from below, nodes from above. Of the
//! few faces that are left the one with the least lower bound comes first, and most of the others
//! then are too far. So about one face a point is solved for. Points go through this in groups,
//! so that faces are solved for many at a time.
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
use super::face_patches::{FacePatches, NOTHING, Stack};
use crate::closest::face::{FacePoint, FaceStatus, PreparedFace, UNKNOWN, nearest_together};
use crate::geometry::vector::{dot, minus};
use crate::simd::{Kernel, Vector, prefetch, run_widest};

/// Points whose nearest faces are looked for together.
pub(super) const GROUP: usize = 16;

/// Faces that wait for their nearest point to be computed.
const WAITING: usize = 32;

/// Nearest faces that are remembered; where there are more, as at the centre of a sphere, they
/// are looked for again.
const TIES: usize = 8;

/// Faces with what is asked before they are.
#[derive(Clone, Debug)]
pub(super) struct Faces {
    pub prepared: Vec<PreparedFace>,
    pub bounds: Vec<FaceBound>,
    pub patches: FacePatches,
}

/// The nearest face.
pub(super) struct Found {
    pub face: u32,
    pub point: FacePoint,
    /// No face is nearer.
    pub lower: f64,
    /// Whether both agree.
    pub is_proven: bool,
}

/// The fewest sides first, then the least number.
fn rank(face: u32, point: &FacePoint) -> (u32, u32) {
    (point.active.count_ones(), face)
}

impl Faces {
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

    /// The nearest faces of at most `N` points, told one by one in their order.
    #[inline]
    pub fn nearest<const N: usize>(&self, points: &[[f64; 3]], mut told: impl FnMut(Found)) {
        let mut searches: [Search; N] = std::array::from_fn(|i| {
            let y = points.get(i).copied().unwrap_or_default();
            Search::new(self, y)
        });
        let searches = &mut searches[..points.len()];
        let mut who: [usize; N] = std::array::from_fn(|i| i);
        let mut faces = [0; N];
        let mut solved = [UNKNOWN; N];
        let mut asked = points.len();
        run_widest(Likely {
            faces: self,
            points,
            found: &mut faces[..asked],
        });
        let mut is_begun = false;
        while asked > 0 {
            let question = |k: usize| {
                let prepared = &self.prepared[faces[k] as usize];
                (prepared, points[who[k]])
            };
            nearest_together(question, &mut solved[..asked]);
            for k in 0..asked {
                searches[who[k]].take(faces[k], solved[k]);
            }
            if !is_begun {
                run_widest(Begin {
                    searches: &mut *searches,
                    likely: &faces[..asked],
                });
                is_begun = true;
            }
            asked = 0;
            for (i, search) in searches.iter_mut().enumerate() {
                if let Some(face) = search.next() {
                    (who[asked], faces[asked]) = (i, face);
                    asked += 1;
                }
            }
        }
        searches.iter().for_each(|search| told(search.found()));
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

/// Faces that are likely to be the nearest of points.
struct Likely<'a> {
    faces: &'a Faces,
    points: &'a [[f64; 3]],
    found: &'a mut [u32],
}

impl Kernel for Likely<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (&y, found) in self.points.iter().zip(self.found) {
            *found = self.faces.patches.likely::<V>(y);
            prefetch(&self.faces.prepared, *found as usize);
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
    faces: &'a Faces,
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
    faces: &'a Faces,
    y: [f64; 3],
    /// Faces beyond cannot be among the nearest: never less than `min (d + r)`.
    reach: f64,
    /// The least `d + r` so far.
    limit: f64,
    /// Lower bounds and faces.
    waiting: [(f64, u32); WAITING],
    count: usize,
    ties: [Option<(u32, FacePoint)>; TIES],
    tied: usize,
    /// Whether there were more ties than that.
    is_crowded: bool,
    /// Of faces whose bounds did not meet.
    lower: f64,
}

impl<'a> Search<'a> {
    #[inline]
    fn new(faces: &'a Faces, y: [f64; 3]) -> Self {
        Search {
            faces,
            y,
            reach: f64::INFINITY,
            limit: f64::INFINITY,
            waiting: [(0.0, 0); WAITING],
            count: 0,
            ties: [const { None }; TIES],
            tied: 0,
            is_crowded: false,
            lower: f64::INFINITY,
        }
    }

    /// Lets all faces wait that may be the nearest, besides one that is solved for.
    #[inline(always)]
    fn begin<V: Vector>(&mut self, likely: u32, stack: &mut Stack) {
        let (faces, y) = (self.faces, self.y);
        let patches = &faces.patches;
        patches.approach::<V>(y, self.reach, stack, |face, limit| {
            if face == likely {
                return;
            }
            let lower = faces.bounds[face as usize].lower(y);
            if lower > self.reach {
                return;
            }
            self.reach = self.reach.min(faces.upper(face, y));
            self.waiting[self.count] = (lower, face);
            self.count += 1;
            if self.count == WAITING {
                while let Some(face) = self.next() {
                    self.take(face, faces.solved(face, y));
                }
            }
            *limit = self.reach;
        });
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
        let place = self.least()?;
        let (lower, face) = self.waiting[place];
        if lower > self.reach {
            self.count = 0;
            return None;
        }
        self.count -= 1;
        self.waiting.swap(place, self.count);
        Some(face)
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
        self.limit = self.limit.min(rounded_up);
        self.reach = self.reach.min(rounded_up);
        let mut kept = 0;
        for i in 0..self.tied {
            if let Some(tie) = self.ties[i].filter(|(_, tie)| tie.distance <= self.limit) {
                self.ties[kept] = Some(tie);
                kept += 1;
            }
        }
        self.tied = kept;
        if point.distance > self.limit {
            return;
        }
        if self.tied < TIES {
            self.ties[self.tied] = Some((face, point));
            self.tied += 1;
        } else {
            self.is_crowded = true;
        }
    }

    fn found(&self) -> Found {
        let mut best: Option<(u32, FacePoint)> = None;
        let mut take = |face: u32, point: FacePoint| {
            let is_better =
                |(other, old): &(u32, FacePoint)| rank(face, &point) < rank(*other, old);
            if best.as_ref().is_none_or(is_better) {
                best = Some((face, point));
            }
        };
        for (face, point) in self.ties[..self.tied].iter().flatten() {
            take(*face, *point);
        }
        if self.is_crowded {
            let (faces, limit) = (self.faces, self.limit);
            faces.within(self.y, limit, |face| {
                if faces.bounds[face as usize].lower(self.y) <= limit {
                    let point = faces.solved(face, self.y);
                    if point.distance <= limit {
                        take(face, point);
                    }
                }
            });
        }
        // There is one: the face with the least upper bound is not beyond it, and is solved for.
        let (face, point) = best.unwrap_or_else(|| (0, self.faces.solved(0, self.y)));
        let rounding = self.faces.bounds[face as usize].rounding(point.distance);
        Found {
            face,
            point,
            lower: self.lower.min(point.lower),
            is_proven: point.status == FaceStatus::Proven
                && point.distance - self.lower <= 2.0 * rounding,
        }
    }
}
