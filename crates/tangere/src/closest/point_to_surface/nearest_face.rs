//! Nearest face of a surface of finite element faces, by branch and bound.
//!
//! One descent of the tree leads to a face that is likely to be the nearest, in two of three cases
//! rightly, and its nearest point is computed. Then the tree is searched for other faces that may
//! be as near. They are rejected by the distance of their boxes, and by that of their control
//! points along the vector from the nearest point so far to the query point. Of the few faces that
//! remain, the one with the least lower bound comes first; most of the others then are too far. So
//! the nearest point is computed for one to three faces per query. Queries are processed in groups,
//! so that faces are solved eight at a time.
//!
//! The nearest face must not depend on where the search begins. Faces that share an edge are at the
//! same distance, up to rounding, if the nearest point lies there. So distances are compared with a
//! tolerance: with `d` the distance of a face and `r` its rounding error, all faces with `d <= min
//! (d + r)` are ties. If the nearest point of a tie lies inside the face, it is exact. If it lies
//! on an active side, it may be off along the surface by what distances do not resolve, about the
//! square root of `r d`. Hence ties with fewer active sides come first, then those with the least
//! index. Each distance is a function of face and point alone, so the result is the same in any
//! order.

use super::face_bound::FaceBound;
use super::ordered_faces::OrderedFaces;
use crate::closest::obb_tree::Stack;
use crate::closest::point_to_face::{FacePoint, FaceStatus, UNKNOWN};
use crate::geometry::vector::{dot, minus};
use crate::simd::Vector;

/// The number of query points whose nearest faces are searched together.
pub(super) const GROUP: usize = 16;

/// Maximum number of candidate faces that wait in the search of one query point. When it is
/// reached, the nearest points of these faces are computed, except for faces that are too far by
/// then.
const WAITING: usize = 16;

/// The maximum number of ties, faces that are equally near up to rounding, that are stored. Where
/// there are more, as at the centre of a sphere, a second search finds the best.
const TIES: usize = 8;

/// The length below which the squared length of a vector loses bits to underflow: 2^-500. Such a
/// vector gives no direction.
const SHORT: f64 = f64::from_bits((1023 - 500) << 52);

/// The nearest face of a surface to a query point, with its nearest point.
pub(super) struct NearestFace {
    /// The index of the nearest face in tree order, the order in which the tree stores the faces.
    pub place: u32,
    pub point: FacePoint,
    /// Lower bound of the distance from the query point to the surface.
    pub lower: f64,
    /// Whether the nearest point is proven: no point of the surface is nearer, up to rounding.
    pub is_proven: bool,
}

/// The unit vector along `v`, which goes from the nearest point so far to the query point in a
/// search for the nearest face; 0 if `v` is too short.
#[inline(always)]
fn direction(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    match length > SHORT {
        true => v.map(|x| x / length),
        false => [0.0; 3],
    }
}

/// The search for the nearest face of one query point.
pub(super) struct Search<'a> {
    faces: &'a OrderedFaces,
    y: [f64; 3],
    /// The least sum so far of the distance of a face and the rounding error of this distance.
    /// Faces farther than that are neither the nearest nor ties, equally near up to rounding.
    limit: f64,
    /// The direction from the nearest point so far to the query point; 0 if they coincide.
    way: [f64; 3],
    /// The candidate faces whose nearest points are not yet computed: for each a lower bound of its
    /// distance from the query point, and its index in tree order.
    waiting: [(f64, u32); WAITING],
    count: usize,
    ties: [(u32, FacePoint); TIES],
    tied: usize,
    /// Whether there were more ties, faces that are equally near up to rounding, than can be
    /// stored.
    is_crowded: bool,
    /// The least lower bound of the distance among those faces whose nearest point is computed but
    /// not proven; infinite if there are none.
    lower: f64,
}

impl<'a> Search<'a> {
    /// A new search for the face of a surface nearest to the query point `y`.
    #[inline]
    pub fn new(faces: &'a OrderedFaces, y: [f64; 3]) -> Self {
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

    /// Collects all candidates for the nearest face except `likely`, whose nearest point is already
    /// known.
    #[inline(always)]
    pub fn begin<V: Vector>(&mut self, likely: u32, stack: &mut Stack) {
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

    /// The position in `waiting` of the candidate for the nearest face with the least lower bound.
    /// As a rule only one or two candidates are taken, so the list is not sorted.
    #[inline]
    fn least(&self) -> Option<usize> {
        let waiting = &self.waiting[..self.count];
        (0..waiting.len()).min_by(|&a, &b| waiting[a].0.total_cmp(&waiting[b].0))
    }

    /// Removes the face with the least lower bound from the candidates for the nearest face, and
    /// returns it, so that the caller computes its nearest point. `None` if all candidates are too
    /// far.
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        while let Some(place) = self.least() {
            let (lower, face) = self.waiting[place];
            if lower > self.limit {
                break;
            }
            self.count -= 1;
            self.waiting.swap(place, self.count);
            // The bound is tested again: `way` has changed since other faces were solved.
            let bound = &self.faces.bounds[face as usize];
            if bound.lower_along(self.y, self.way) <= self.limit {
                return Some(face);
            }
        }
        self.count = 0;
        None
    }

    /// Adds a face, given by its index in tree order, and its nearest point to the search for the
    /// nearest face. Lowers the limit if the face is nearer. Stores the face if it is a tie: as
    /// near as the nearest, up to rounding.
    pub fn take(&mut self, face: u32, point: FacePoint) {
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

    /// The nearest face of the surface, when all candidates are solved.
    pub fn found(&self) -> NearestFace {
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

    /// The best tie for the nearest face, by a second search, where more faces are equally near
    /// than can be stored.
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
