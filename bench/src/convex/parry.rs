//! parry on the same queries of the convex benchmark.
//!
//! There are two variants: `query::contact`, the usual interface, and the function that it calls.
//! That one takes the last normal as initial direction, the only temporal coherence that parry can
//! use.

use super::motion::Motion;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::ConvexPolyhedron;

/// The bodies of a [`Motion`] and their poses.
pub struct Parry {
    a: ConvexPolyhedron,
    b: ConvexPolyhedron,
    pub poses: Vec<[Pose; 2]>,
}

impl Parry {
    pub fn new(motion: &Motion) -> Result<Self, String> {
        let body = |shape: &tangere::shape::ConvexPolyhedron| {
            let points: Vec<Vector> = shape.vertices().iter().map(|&v| v.into()).collect();
            ConvexPolyhedron::from_convex_hull(&points).ok_or("parry finds no hull")
        };
        let pose = |pose: &tangere::geometry::Pose| {
            let [x, y, z, w, i, j, k] = pose.to_numbers();
            Pose::from_parts(Vector::new(x, y, z), Rotation::from_xyzw(i, j, k, w))
        };
        Ok(Parry {
            a: body(&motion.a)?,
            b: body(&motion.b)?,
            poses: motion
                .poses
                .iter()
                .map(|poses| poses.each_ref().map(pose))
                .collect(),
        })
    }

    /// Returns the gap by `query::contact`; NaN if parry has no answer.
    pub fn cold(&self, [a, b]: &[Pose; 2]) -> f64 {
        match parry3d_f64::query::contact(a, &self.a, b, &self.b, f64::MAX) {
            Ok(Some(contact)) => contact.dist,
            _ => f64::NAN,
        }
    }

    /// Returns the gap as [`cold`](Self::cold) does, but starts from the state of the last call.
    pub fn warm(&self, [a, b]: &[Pose; 2], past: &mut Past) -> f64 {
        let relative = a.inv_mul(b);
        let found = contact_support_map_support_map_with_params(
            &relative,
            &self.a,
            &self.b,
            f64::MAX,
            &mut past.simplex,
            past.normal,
        );
        match found {
            GJKResult::ClosestPoints(p, q, normal) => {
                past.normal = Some(normal);
                (q - p).dot(normal)
            }
            _ => f64::NAN,
        }
    }
}

/// State that parry keeps between calls.
pub struct Past {
    simplex: VoronoiSimplex,
    normal: Option<Vector>,
}

impl Past {
    pub fn new() -> Self {
        Past {
            simplex: VoronoiSimplex::new(),
            normal: None,
        }
    }
}
