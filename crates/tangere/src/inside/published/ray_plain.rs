//! Ray test as published: winding number and parity from the crossings of a segment with every
//! triangle.
//!
//! A segment from the point `P` to a point `R` beyond the body is tested against every face: O(N) a
//! point, no set-up. Follows `muth2006`, section 2.2. Points beyond the body's box are outside. A
//! face is skipped if its box does not overlap that of the segment. Eq. (28) gives the position `r`
//! along the segment where it meets the plane of the face: the plane is crossed if `0 < r < 1`. If
//! `P` lies in the plane, signs of triangle areas show whether it is on the face; it is then on the
//! surface, and the test ends. Signs of tetrahedron volumes show whether the crossing lies within
//! the face. A segment that touches an edge or runs along a plane is degenerate, and another `R` is
//! tried.
//!
//! *Deviates:*
//! - signs decide and are exact: `0 < r < 1` if `P` and `R` lie strictly on different sides of the
//!   plane, so `r` itself is never computed;
//! - crossings are counted with their direction, which gives the winding number
//!   and with it the rules for nested and overlapping shells; the paper's odd
//!   and even is [`InsideRule::Parity`](crate::inside::InsideRule::Parity);
//! - the points `R` are the same for all points and computed once, so that answers and times are
//!   reproducible; if all of them fail, an axis-parallel ray decides, which cannot fail
//!   ([`exact`](crate::inside::exact)).

use crate::error::Result;
use crate::generate::Random;
use crate::geometry::{Aabb, flushed};
use crate::inside::Method;
use crate::inside::crossing_test::{Corners, Crossings};
use crate::inside::exact::{Crossing, segment_crossing, winding};

/// The maximum number of segments, with different ends, that the ray test tries for a point. A
/// segment in a random direction meets a given edge with a probability of about 2^-50, so that even
/// the second is hardly ever needed.
const TRIES: usize = 16;

/// Counting of ray crossings by a test of every triangle.
#[derive(Clone, Debug)]
pub struct PlainCrossings {
    bounds: Aabb<3>,
    targets: [[f64; 3]; TRIES],
}

impl Crossings for PlainCrossings {
    fn new(triangles: &[Corners]) -> Result<Self> {
        let bounds = Aabb::of_points(triangles.iter().flatten().copied());
        let targets = targets(&bounds);
        Ok(PlainCrossings { bounds, targets })
    }

    fn winding(&self, triangles: &[Corners], p: [f64; 3]) -> Option<i64> {
        if !self.bounds.contains(p) {
            return Some(0);
        }
        for target in self.targets {
            match crossings(triangles, [p, target]) {
                Ok(winding) => return Some(winding),
                Err(Crossing::StartsOn(_)) => return None,
                Err(_) => {}
            }
        }
        winding(p, triangles.iter().copied())
    }

    fn reason() -> &'static str {
        "crossings of a segment in a random direction, every triangle tested"
    }

    fn method() -> Method {
        Method::RayPlain
    }

    fn sorts_grids() -> bool {
        false
    }
}

/// The sum of the signed crossings of the ray test's segment with every triangle. An error is the
/// crossing that ended the test: the segment starts on a triangle, or its crossing with a triangle
/// is degenerate. After a degenerate crossing the remaining triangles are not tested, although the
/// point may lie on one of them: the next segment then finds this.
fn crossings(triangles: &[Corners], segment: [[f64; 3]; 2]) -> std::result::Result<i64, Crossing> {
    let swept = Aabb::of_points(segment);
    let mut sum = 0;
    for &triangle in triangles {
        if !Aabb::of_points(triangle).overlaps(&swept) {
            continue;
        }
        match segment_crossing(segment, triangle) {
            Crossing::Misses => {}
            Crossing::Through(sign) => sum += i64::from(sign),
            other => return Err(other),
        }
    }
    Ok(sum)
}

/// The points `R` at which the segments of the ray test end: random points on a sphere about the
/// centre of the body's box. The radius of the sphere is three times the longest side of the box,
/// so that the points are beyond the box.
fn targets(bounds: &Aabb<3>) -> [[f64; 3]; TRIES] {
    let mut random = Random::new(0x6d75_7468_3230_3036);
    let (center, extent) = (bounds.center(), bounds.extent());
    let radius = 3.0 * extent.into_iter().fold(0.0, f64::max);
    std::array::from_fn(|_| {
        loop {
            let v: [f64; 3] = std::array::from_fn(|_| 2.0 * random.unit() - 1.0);
            let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if (0.25..=1.0).contains(&square) {
                let length = square.sqrt();
                break flushed(std::array::from_fn(|k| {
                    center[k] + radius * (v[k] / length)
                }));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// If a segment passes through a vertex or along a face, another one is tried; if all segments
    /// fail, the axis-parallel ray decides.
    #[test]
    fn degenerate_segments() {
        let mesh = generate::sponge(1).unwrap();
        let triangles: Vec<Corners> = (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect();
        let mut plain = PlainCrossings::new(&triangles).unwrap();
        let good = plain.targets;
        let bounds = mesh.bounds();
        let points: Vec<[f64; 3]> = (0..343)
            .map(|i| [i % 7, i / 7 % 7, i / 49])
            .map(|t| {
                std::array::from_fn(|k| bounds.min[k] + bounds.extent()[k] * t[k] as f64 / 6.0)
            })
            .collect();
        let found = |plain: &PlainCrossings| -> Vec<_> {
            points
                .iter()
                .map(|&p| plain.winding(&triangles, p))
                .collect()
        };
        let expected: Vec<_> = points
            .iter()
            .map(|&p| winding(p, triangles.iter().copied()))
            .collect();
        assert_eq!(found(&plain), expected);
        // From a corner's neighbour far along the diagonal.
        let far = [0, 1, 2].map(|k| bounds.max[k] + 7.0 * bounds.extent()[k]);
        plain.targets = [far; TRIES];
        assert!(
            points
                .iter()
                .any(|&p| { crossings(&triangles, [p, far]) == Err(Crossing::Degenerate) })
        );
        assert_eq!(found(&plain), expected);
        plain.targets[TRIES - 1] = good[0];
        assert_eq!(found(&plain), expected);
    }
}
