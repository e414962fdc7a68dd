//! Crossings of a ray, triangle by triangle.
//!
//! Is a point inside? A segment from the point P to a point R beyond the body is
//! tested against every face: O(N) a point, no set-up. Follows `muth2006`,
//! section 2.2: points beyond the body's box are outside; a face whose box the
//! segment's does not meet is passed over; the ratio `r = d1 / d2` (eq. 28) tells
//! whether its plane is crossed, area signs whether a P in the plane lies on the
//! face (then it is on the surface and nothing else counts), volume signs whether
//! the crossing lies within; whatever touches a rim or runs along a plane is
//! a degeneracy, for which another R is taken.
//!
//! *Deviates:*
//! - signs decide and are exact: `0 < r < 1` where P and R lie strictly on
//!   different sides of the plane, so r itself is never computed;
//! - crossings are counted with their direction, which gives the winding number
//!   and with it the rules for nested and overlapping shells; the paper's odd
//!   and even is [`super::InsideRule::Parity`];
//! - the points R are the same for all points and made once, so that answers and
//!   times repeat; should all of them fail, a column decides, which cannot.

use super::angle::solid_angle;
use super::exact::{Crossing, segment_crossing, winding};
use super::{InsideSettings, InsideTest, Side, no_surface, trust};
use crate::error::Result;
use crate::generate::Random;
use crate::geometry::{Aabb, check_points, flushed};
use crate::shape::TriMesh;
use rayon::prelude::*;

/// How many segments are tried. A random one meets an edge with a probability
/// of about 2^-50 an edge, so even the second is hardly ever needed.
const TRIES: usize = 16;

/// Points that one thread takes at a time.
const CHUNK: usize = 64;

/// Every triangle against a ray; exact.
#[derive(Clone, Debug)]
pub struct Ray {
    settings: InsideSettings,
    body: Option<Body>,
    scratch: Vec<Option<i64>>,
    bound: f64,
}

#[derive(Clone, Debug)]
struct Body {
    mesh: TriMesh,
    bounds: Aabb<3>,
    targets: [[f64; 3]; TRIES],
    confidence: f64,
}

impl Ray {
    /// The method, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        Ok(Ray {
            settings: settings.checked()?,
            body: None,
            scratch: Vec::new(),
            bound: 0.0,
        })
    }
}

impl Body {
    fn triangles(&self) -> impl Iterator<Item = [[f64; 3]; 3]> {
        (0..self.mesh.faces().len()).map(|f| self.mesh.triangle(f))
    }

    /// The winding number, none on the surface.
    fn winding(&self, p: [f64; 3]) -> Option<i64> {
        if !self.bounds.contains(p) {
            return Some(0);
        }
        for target in self.targets {
            match self.crossings([p, target]) {
                Ok(winding) => return Some(winding),
                Err(Crossing::StartsOn(_)) => return None,
                Err(_) => {}
            }
        }
        winding(p, self.triangles())
    }

    /// The sum of all crossings, or what stands against it.
    fn crossings(&self, segment: [[f64; 3]; 2]) -> std::result::Result<i64, Crossing> {
        let swept = Aabb::of_points(segment);
        let mut sum = 0;
        // A degeneracy found first does not excuse from looking on: the point may
        // lie on a later face. It is then found by the next segment.
        for triangle in self.triangles() {
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
}

/// Points on a sphere about the body's middle with three times the radius of
/// its box: beyond the box, in directions that no face is made along.
pub(super) fn targets(bounds: &Aabb<3>) -> [[f64; 3]; TRIES] {
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

impl InsideTest for Ray {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.body = None;
        let confidence = trust::exact_confidence(mesh, &self.settings)?;
        let bounds = mesh.bounds();
        self.body = Some(Body {
            mesh: mesh.clone(),
            bounds,
            targets: targets(&bounds),
            confidence,
        });
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points("point", points)?;
        self.bound = 0.0;
        let rule = self.settings.rule;
        out.resize(points.len(), Side::Outside);
        out.par_iter_mut()
            .with_min_len(CHUNK)
            .zip(points)
            .for_each(|(side, &p)| {
                *side = body.winding(p).map_or(Side::OnSurface, |w| rule.side(w));
            });
        Ok(())
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points("point", points)?;
        self.scratch.clear();
        self.scratch.resize(points.len(), None);
        self.scratch
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(points)
            .for_each(|(winding, &p)| *winding = body.winding(p));
        out.extend(
            self.scratch
                .iter()
                .zip(points)
                .map(|(winding, &p)| match winding {
                    Some(winding) => *winding as f64,
                    None => body.triangles().map(|t| solid_angle(p, t)).sum(),
                }),
        );
        let on_surface = self.scratch.iter().any(Option::is_none);
        let rounding = 32.0 * f64::EPSILON * body.mesh.faces().len() as f64;
        self.bound = if on_surface { rounding } else { 0.0 };
        Ok(())
    }

    fn bound(&self) -> f64 {
        self.bound
    }

    fn confidence(&self) -> f64 {
        self.body.as_ref().map_or(0.0, |body| body.confidence)
    }

    fn method(&self) -> &'static str {
        "ray"
    }

    fn reason(&self) -> String {
        "crossings of a ray, every triangle looked at".into()
    }
}
