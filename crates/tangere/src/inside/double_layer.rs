//! Double layer potential: the generalised winding number as a sum of the solid angles of all
//! triangles.
//!
//! `muth2006`, eq. (6): the double layer potential of a surface is 1 inside, 0 outside and in
//! between on the surface. The contribution of a triangle is its solid angle, in closed form (van
//! Oosterom and Strackee 1983), so a point costs O(N). On a surface with holes the value is the
//! generalised winding number; every point has a bound on its rounding error.
//!
//! *Deviates:*
//! - eight triangles at once, summed in a fixed order;
//! - triangles so near that rounding could matter, or that might contain the point, are tested by
//!   exact predicates. A triangle that contains the point contributes 0, so the value is 1/2 on
//!   faces and the interior solid angle on edges and vertices;
//! - where the error bound leaves the side open (beside edges), the crossings of an axis-parallel
//!   ray decide.

use super::crossing_test::Corners;
use super::exact::winding;
use super::leaks::Leaks;
use super::min_max::larger;
use super::solid_angle::{Fraction, solid_angle};
use super::winding_classifier::WindingClassifier;
use super::{Grid, InsideRule, InsideSettings, InsideTest, Method, Side, no_surface};
use crate::error::{Argument, Result};
use crate::geometry::{Aabb, check_points, point_on_triangle};
use crate::memory;
use crate::shape::TriMesh;
use crate::simd::{LANES, Lanes, RealKernel, Reals, atan2, run_reals};
use crate::stop::Current;
use rayon::prelude::*;

/// The number of groups in a range of triangles; a group has eight triangles. A range stays in the
/// cache while [`PASSERS`] points are evaluated against it.
const RANGE: usize = 128;
/// The number of points that are evaluated, one after the other, against one range of triangles.
const PASSERS: usize = 64;
/// The minimum number of points in a parallel task of the double layer method in which winding
/// numbers are turned into sides.
const CHUNK: usize = 256;
/// The maximum number of partial sums in memory at a time. There is one for each point and each
/// range of triangles.
const PARTS: usize = 1 << 18;
/// The threshold below which exact predicates test a triangle. Half the solid angle of the triangle
/// is the angle of the vector (denominator, numerator) of the formula in [`solid_angle`]. The
/// length of this vector, over the product of the distances of the corners from the point, is
/// compared with the threshold. If the denominator is negative, then the magnitude of the numerator
/// replaces the length.
const DOUBTFUL: f64 = 1.0 / (1 << 26) as f64;
/// Bound on the rounding error of the vector (denominator, numerator) of the solid angle formula,
/// relative to the product of the distances of the corners from the point. In units of 2^-53: 2 in
/// each of the vectors `a`, `b`, `c` to the corners and in each of their lengths, 28 in the four
/// terms of the denominator.
const SLACK: f64 = 40.0 * (f64::EPSILON / 2.0);
/// The distance from the body's box, in coordinates scaled by [`Body::scale`], beyond which the
/// winding number of a point is taken as 0. At smaller distances, squares of products of three
/// coordinates do not overflow.
const FAR: f64 = (1u128 << 100) as f64;

/// Bound on the error of the winding number 0 of a point that is farther than [`FAR`] from the
/// body's box: 2^32 triangles of size 2^60, the largest after scaling, cover less than `2^32 (2^60
/// / 2^100)^2` of all directions there.
const FAR_ERROR: f64 = 1.0 / (1u64 << 48) as f64;

/// Point containment by the double layer potential: winding numbers as sums of solid angles.
#[derive(Clone, Debug)]
pub struct Layer {
    settings: InsideSettings,
    body: Option<Body>,
    parts: Vec<Part>,
    values: Vec<Point>,
    bound: f64,
    confidence: f64,
}

/// Coordinates of eight triangles, indexed by corner, coordinate and lane.
type Group = [[[f64; LANES]; 3]; 3];

/// A surface prepared for sums of solid angles, with triangles in groups of eight.
#[derive(Clone, Debug)]
struct Body {
    groups: Vec<Group>,
    count: usize,
    bounds: Aabb<3>,
    /// A power of two by which all coordinates of the body are multiplied, so that its size is
    /// about 1. The factor is 1 if the size is between 2^-60 and 2^60.
    scale: f64,
    classifier: WindingClassifier,
    /// Whether the winding numbers of the body are integers at all points off its surface. They are
    /// not if triangles are oriented inconsistently, even if under the parity rule the surface has
    /// no leaks.
    is_whole: bool,
}

/// The sums of one range of triangles, seen from one point: solid angles and what bounds their
/// error.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// The sum of half the solid angles of the range's triangles, except those in `near`.
    sum: f64,
    /// The sum of the magnitudes of half the solid angles of the range's triangles, except those in
    /// `near`.
    size: f64,
    /// The sum of the squared condition numbers of the range's triangles. The condition number of a
    /// triangle is the product of the distances of its corners from the point, over the length of
    /// the vector (denominator, numerator) of the solid angle formula.
    conditions: f64,
    /// The sum of the solid angles of those triangles of the range that exact predicates test, as a
    /// fraction of the full solid angle 4 pi, with its error.
    near: Fraction,
    on_surface: bool,
}

/// The winding number of a point with the bound on its error.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    winding: Fraction,
    on_surface: bool,
}

impl Point {
    const FAR: Self = Point {
        winding: Fraction {
            value: 0.0,
            error: FAR_ERROR,
        },
        on_surface: false,
    };
}

impl Layer {
    /// The double layer method of point containment, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, or the settings name another method.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        Ok(Layer {
            settings: settings.checked_for(Method::Layer)?,
            body: None,
            parts: Vec::new(),
            values: Vec::new(),
            bound: 0.0,
            confidence: 0.0,
        })
    }

    /// Fills `values` with the winding number of each point, which is the double layer potential
    /// there, and sets `bound` to the largest of their error bounds.
    fn evaluate(&mut self, points: &[[f64; 3]]) -> Result<()> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points(Argument::Point, points)?;
        self.values.clear();
        memory::reserve(&mut self.values, points.len(), Argument::Points)?;
        self.values.resize(points.len(), Point::default());
        let stop = Current::new();
        let ranges = body.groups.len().div_ceil(RANGE);
        let batch = (PARTS / ranges).clamp(PASSERS, PARTS);
        for (points, values) in points.chunks(batch).zip(self.values.chunks_mut(batch)) {
            stop.checked()?;
            let passages = points.len().div_ceil(PASSERS);
            self.parts.clear();
            self.parts
                .resize(ranges * passages * PASSERS, Part::default());
            self.parts
                .par_chunks_mut(PASSERS)
                .enumerate()
                .filter(|_| !stop.is_requested())
                .for_each(|(task, parts)| {
                    let (range, passage) = (task / passages, task % passages);
                    let end = ((range + 1) * RANGE).min(body.groups.len());
                    let passers = points.iter().skip(passage * PASSERS);
                    let passers = passers.take(PASSERS);
                    for (part, &p) in parts
                        .iter_mut()
                        .zip(passers)
                        .filter(|(_, p)| !body.is_far(**p))
                    {
                        *part = run_reals(Angles {
                            body,
                            p,
                            groups: range * RANGE..end,
                        });
                    }
                });
            for (i, (value, &p)) in values.iter_mut().zip(points).enumerate() {
                let of_point = self.parts[i..].iter().step_by(passages * PASSERS);
                *value = match body.is_far(p) {
                    true => Point::FAR,
                    false => body.total(of_point),
                };
            }
        }
        self.bound = self
            .values
            .iter()
            .fold(0.0, |bound, v| larger(bound, v.winding.error));
        stop.checked()
    }
}

/// Kernel that sums the solid angles of the groups of eight triangles with indices `groups`, seen
/// from the point `p`.
struct Angles<'a> {
    body: &'a Body,
    p: [f64; 3],
    groups: std::ops::Range<usize>,
}

impl RealKernel for Angles<'_> {
    type Output = Part;

    #[inline(always)]
    fn run<V: Reals>(self) -> Part {
        let Angles { body, p, groups } = self;
        let mut part = Part::default();
        let zero = V::splat(0.0);
        let (mut sum, mut size, mut conditions) = (zero, zero, zero);
        let at = p.map(|x| V::splat(x * body.scale));
        for (g, group) in groups.clone().zip(&body.groups[groups]) {
            let away = |v: &[[f64; LANES]; 3]| {
                [
                    V::load(&v[0]) - at[0],
                    V::load(&v[1]) - at[1],
                    V::load(&v[2]) - at[2],
                ]
            };
            let dot = |u: &[V; 3], v: &[V; 3]| u[0].mul_add(v[0], u[1].mul_add(v[1], u[2] * v[2]));
            let minor = |p: V, q: V, r: V, s: V| p.neg_mul_add(q, r * s);
            let [a, b, c] = [away(&group[0]), away(&group[1]), away(&group[2])];
            let cross = [
                minor(b[2], c[1], b[1], c[2]),
                minor(b[0], c[2], b[2], c[0]),
                minor(b[1], c[0], b[0], c[1]),
            ];
            let (la, lb, lc) = (dot(&a, &a).sqrt(), dot(&b, &b).sqrt(), dot(&c, &c).sqrt());
            let product = la * lb * lc;
            let numerator = dot(&a, &cross);
            let others = dot(&b, &c).mul_add(la, dot(&c, &a) * lb);
            let denominator = product + dot(&a, &b).mul_add(lc, others);
            let squared = numerator * numerator;
            let forward = denominator.only(zero.below(denominator));
            let least = V::splat(DOUBTFUL) * product;
            let is_clear = (least * least).below(forward.mul_add(forward, squared));
            let angle = atan2(numerator, denominator).only(is_clear);
            let length = denominator.mul_add(denominator, squared);
            sum = sum + angle;
            size = size + angle.abs();
            conditions = conditions + (product * product).div(length).only(is_clear);
            let doubtful = !V::bits(is_clear) & ((1 << LANES) - 1);
            for lane in Lanes(doubtful) {
                if g * LANES + lane < body.count {
                    body.near(p, g * LANES + lane, &mut part);
                }
            }
        }
        part.sum = sum.sum();
        part.size = size.sum();
        part.conditions = conditions.sum();
        part
    }
}

impl Body {
    /// Prepares a surface for the double layer potential, a sum of solid angles.
    fn new(mesh: &TriMesh, classifier: WindingClassifier, rule: InsideRule) -> Self {
        let is_whole = match rule {
            InsideRule::Nonzero => classifier.is_sound(),
            InsideRule::Parity => Leaks::of(mesh, InsideRule::Nonzero).is_none(),
        };
        let bounds = mesh.bounds();
        let size = bounds.extent().into_iter().fold(0.0, f64::max);
        let exponent = libm::ilogb(size);
        let scale = match exponent.abs() <= 60 {
            true => 1.0,
            false => libm::exp2(f64::from(-exponent)),
        };
        let count = mesh.faces().len();
        let groups = (0..count.div_ceil(LANES))
            .into_par_iter()
            .map(|g| {
                let mut group = [[[0.0; LANES]; 3]; 3];
                for lane in 0..LANES {
                    let face = g * LANES + lane;
                    // Padding lanes hold degenerate triangles: no solid angle.
                    let corners = match face < count {
                        true => mesh.triangle(face),
                        false => [mesh.triangle(0)[0]; 3],
                    };
                    for c in 0..3 {
                        for k in 0..3 {
                            group[c][k][lane] = corners[c][k] * scale;
                        }
                    }
                }
                group
            })
            .collect();
        Body {
            groups,
            count,
            bounds,
            scale,
            classifier,
            is_whole,
        }
    }

    /// The triangle with index `face` of the double layer, in the coordinates of the mesh, that is,
    /// without scaling.
    fn triangle(&self, face: usize) -> Corners {
        let (group, lane) = (&self.groups[face / LANES], face % LANES);
        group.map(|corner| corner.map(|x| x[lane] / self.scale))
    }

    /// Adds the solid angle of a triangle near the point `p` to the sums of its range for the
    /// double layer potential. Exact predicates give the sign of the solid angle, and whether the
    /// point lies on the triangle.
    #[cold]
    fn near(&self, p: [f64; 3], face: usize, part: &mut Part) {
        let triangle = self.triangle(face);
        let angle = solid_angle(p, triangle);
        part.near.value += angle.value;
        part.near.error += angle.error + f64::EPSILON * part.near.value.abs();
        part.on_surface |= point_on_triangle(p, triangle).is_some();
    }

    /// The winding number of a point, which is the double layer potential there, from the sums of
    /// all ranges of triangles. Half a solid angle over 2 pi is the solid angle over 4 pi.
    fn total<'a>(&self, parts: impl Iterator<Item = &'a Part>) -> Point {
        let mut all = Part::default();
        let mut ranges = 0.0;
        for part in parts {
            all.sum += part.sum;
            all.size += part.size;
            all.conditions += part.conditions;
            all.near.value += part.near.value;
            all.near.error += part.near.error + f64::EPSILON * all.near.value.abs();
            all.on_surface |= part.on_surface;
            ranges += 1.0;
        }
        let turn = 0.5 * std::f64::consts::FRAC_1_PI;
        // The vector (denominator, numerator) of a triangle has an error of at most SLACK times its
        // condition number. The sum of these is at most the root of their number times the sum of
        // their squares. An angle has an error of 1 + pi / 3 <= 2.1 times that and 4 rounding units
        // of itself. Adding takes RANGE steps within a range and one for each range.
        let vectors = 2.1 * SLACK * (self.count as f64 * all.conditions).sqrt();
        let adding = (8.0 + RANGE as f64 + ranges) * f64::EPSILON * all.size;
        let error = (vectors + adding) * turn + all.near.error;
        let value = all.sum * turn + all.near.value;
        let rounding = 2.0 * f64::EPSILON * (all.near.value.abs() + value.abs());
        let error = error + rounding;
        Point {
            winding: Fraction { value, error },
            on_surface: all.on_surface,
        }
    }

    /// Whether a point is so far from the double layer that its winding number is taken as 0.
    #[inline]
    fn is_far(&self, p: [f64; 3]) -> bool {
        let reach = |k: usize| (self.bounds.min[k] - p[k]).max(p[k] - self.bounds.max[k]);
        (0..3).any(|k| reach(k) * self.scale > FAR)
    }

    /// The side of a point by exact ray crossings, for a surface without leaks, where the error
    /// bound of the double layer potential leaves the side open.
    fn exact_side(&self, p: [f64; 3], settings: &InsideSettings) -> Side {
        let triangles = (0..self.count).map(|face| self.triangle(face));
        winding(p, triangles).map_or(Side::OnSurface, |w| settings.rule.side(w))
    }
}

impl InsideTest for Layer {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.body = None;
        let rule = self.settings.rule;
        self.body = Some(Body::new(mesh, WindingClassifier::new(mesh, rule)?, rule));
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        self.evaluate(points)?;
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        let settings = self.settings;
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), Side::Outside);
        let sound = body.classifier.is_sound();
        let stop = Current::new();
        self.confidence = out
            .par_iter_mut()
            .zip(&self.values)
            .zip(points)
            .with_min_len(CHUNK)
            .filter(|_| !stop.is_requested())
            .map(|((side, value), &p)| {
                if value.on_surface {
                    *side = Side::OnSurface;
                    return 1.0;
                }
                let verdict = body.classifier.verdict(p, value.winding);
                let is_certain = body.is_whole && verdict.confidence == 1.0;
                *side = match sound && !is_certain {
                    true => body.exact_side(p, &settings),
                    false => verdict.side,
                };
                if sound { 1.0 } else { verdict.confidence }
            })
            .reduce(|| 1.0, f64::min);
        stop.checked().inspect_err(|_| out.clear())
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        [self.bound, self.confidence] = grid.classified_by(self, out)?;
        Ok(())
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        self.evaluate(points)?;
        memory::reserve(out, points.len(), Argument::Points)?;
        out.extend(self.values.iter().map(|v| v.winding.value));
        Ok(())
    }

    fn confidences(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        self.evaluate(points)?;
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        let sound = body.classifier.is_sound();
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), 1.0);
        out.par_iter_mut()
            .zip(&self.values)
            .zip(points)
            .with_min_len(CHUNK)
            .filter(|((_, value), _)| !(value.on_surface || sound))
            .for_each(|((out, value), &p)| {
                *out = body.classifier.verdict(p, value.winding).confidence;
            });
        Ok(())
    }

    fn bound(&self) -> f64 {
        self.bound
    }

    fn confidence(&self) -> f64 {
        self.confidence
    }

    fn method(&self) -> &'static str {
        "layer"
    }

    fn reason(&self) -> String {
        let what = "solid angles of all triangles".to_owned();
        match &self.body {
            None => what,
            Some(body) => body.classifier.reason(what),
        }
    }
}
