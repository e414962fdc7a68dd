//! Contact of two curved faces: points, reference coordinates, features, normal, and the upper
//! bound of the time of impact.
//!
//! Where surfaces fit each other along a line or over an area, the points at which the lower bound
//! of the gap is least need not be the nearest points of the surfaces. Then alternating projection
//! improves them: the point of each patch in turn is replaced by the point of that patch nearest to
//! the point of the other.

use super::super::contact_geometry::Touch;
use super::bezier_patch::{Form, Patch, spread};
use super::expansion::Expansion;
use super::face_pair::FacePair;
use super::nearest_points::nearest_points;
use super::patch_gap::PatchGap;
use super::subdivision::WindowResult;
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{cross, direction, dot, minus};

/// A contact point is on a side of a curved face if its reference coordinates are nearer to the
/// side than this, or than their rounding error if that is larger.
const ON: f64 = 1e-10;

/// Sides of two curved faces are treated as parallel if the sine of the angle between them is at
/// most this.
const ALONG: f64 = 1e-8;

/// A search for the contact of curved faces that has reached its maximum number of patches begins
/// again if it has advanced by more than this fraction of its window of time.
const FURTHER: f64 = 1.0 / 16.0;

impl FacePair<'_> {
    /// The contact of two curved faces at the nearest points of two of their patches.
    pub(super) fn touch(
        &self,
        patches: [&Patch; 2],
        patch_gap: &PatchGap,
        overlaps: bool,
    ) -> Touch {
        let nets = self.nets(patches);
        let expansions =
            [0, 1].map(|i| Expansion::new(&self.views[i], patches[i], &nets[i], patch_gap.uvs[i]));
        let xi = [0, 1].map(|i| patches[i].xi(patch_gap.uvs[i]));
        let on = [0, 1].map(|i| {
            let size = spread(patches[i].form, &nets[i]).1 * 2.0_f64.powi(patches[i].depth as i32);
            let tolerance = (64.0 * self.closed.slack / size).clamp(ON, 0.25);
            feature(patches[i].form, xi[i], tolerance)
        });
        let between = minus(expansions[1].velocity, expansions[0].velocity);
        let away = minus(expansions[1].jet.x, expansions[0].jet.x);
        let normal = self.normal(&expansions, patches, on, patch_gap.normal, away);
        let distance = dot(away, away).sqrt();
        let gap = distance - self.closed.margin;
        let (time, slack) = (self.frame.time, self.closed.slack);
        // gap - closing s + bend s²/2 <= -slack holds at twice the time of the linear gap if the
        // quadratic term is at most the gap there.
        let turning = self.frame.sides[0].turning + self.frame.sides[1].turning;
        let closing = -dot(normal, between) - turning * slack;
        let open = gap.max(0.0) + 2.0 * slack;
        let bend = dot(normal, self.closed.acceleration).max(0.0) + self.closed.bend;
        let s = 2.0 * open / closing;
        // The points of a search that reached its limit need not be the nearest.
        let is_near = gap <= 8.0 * slack;
        let is_certain =
            is_near && closing > 0.0 && 0.5 * bend * s * s <= open && s < f64::INFINITY;
        let late = match (overlaps, is_certain) {
            (true, _) => time,
            (_, true) => (time + s).next_up(),
            _ => f64::INFINITY,
        };
        let radii = self.movers.map(|m| m.body.shape.inner.radius);
        let pushed = |p: [f64; 3], by: f64| std::array::from_fn(|k| p[k] + by * normal[k]);
        let weights = |[u, v]: [f64; 2]| [1.0 - u - v, u, v];
        Touch {
            early: time,
            late,
            point_a: pushed(expansions[0].jet.x, radii[0]),
            point_b: pushed(expansions[1].jet.x, -radii[1]),
            on_a: on[0],
            on_b: on[1],
            weights_a: weights(xi[0]),
            weights_b: weights(xi[1]),
            normal,
            gap: distance - radii[0] - radii[1],
            overlaps,
            is_exact: false,
            is_hidden: late == f64::INFINITY && self.frame.is_hidden(self.movers),
        }
    }

    /// The contact normal of two curved faces, from face `a` to face `b`.
    fn normal(
        &self,
        expansions: &[Expansion; 2],
        patches: [&Patch; 2],
        on: [TriangleFeature; 2],
        along: [f64; 3],
        away: [f64; 3],
    ) -> [f64; 3] {
        use TriangleFeature::{Edge, Face};
        if self.closed.margin > 0.0 {
            return direction(away).unwrap_or(along);
        }
        let of_face = |i: usize| {
            let [u, v] = expansions[i].jet.first;
            direction(cross(direction(u)?, direction(v)?))
        };
        let side = |i: usize, k: u8| {
            let [a, b] = patches[i].along;
            let [x, y] = side_direction(patches[i].form, k);
            // Quarters keep the directions of the coordinates, up to sign.
            let (x, y) = (x / a[0], y / b[1]);
            let [u, v] = expansions[i].jet.first;
            direction([0, 1, 2].map(|c| x * u[c] + y * v[c]))
        };
        let found = match (on[0], on[1]) {
            (_, Face) => of_face(1),
            (Face, _) => of_face(0),
            (Edge(i), Edge(j)) => match (side(0, i), side(1, j)) {
                (Some(u), Some(v)) => {
                    let product = cross(u, v);
                    direction(product).filter(|_| dot(product, product) > ALONG * ALONG)
                }
                _ => None,
            },
            _ => None,
        };
        match found {
            Some(n) if dot(n, along) < 0.0 => n.map(|x| -x),
            Some(n) => n,
            None => along,
        }
    }
}

/// The result for two curved faces when the search for their contact has reached its maximum number
/// of patches. Nothing touches before the current time of the search. If this time has advanced by
/// more than [`FURTHER`] of the window, the search is to begin again from it. Otherwise a contact
/// at the nearest points of the entire faces is reported.
pub(super) fn contact_at_limit(
    pair: &FacePair,
    whole: [&Patch; 2],
    patches: [&Patch; 2],
    mut patch_gap: PatchGap,
    [start, until]: [f64; 2],
) -> WindowResult {
    let time = pair.frame.time;
    if time - start > FURTHER * (until - start) {
        return WindowResult::Free(time);
    }
    patch_gap.uvs = [0, 1].map(|i| whole[i].uv(patches[i].xi(patch_gap.uvs[i])));
    patch_gap.distance = f64::INFINITY;
    let nets = pair.nets(whole);
    patch_gap.approach_points(pair, whole, &nets);
    (patch_gap.uvs, patch_gap.distance) = nearest_points(pair, whole, &nets, patch_gap.uvs);
    WindowResult::Touch(pair.touch(whole, &patch_gap, false))
}

/// The direction of a side of a curved face in contact, in the reference coordinates of the face.
fn side_direction(form: Form, side: u8) -> [f64; 2] {
    match (form, side) {
        (_, 0) => [1.0, 0.0],
        (Form::Triangle, 1) => [-1.0, 1.0],
        (Form::Quadrilateral, 2) => [-1.0, 0.0],
        _ => [0.0, 1.0],
    }
}

/// The feature (corner, side or interior) of a curved face on which a contact point lies, given by
/// its reference coordinates, up to a tolerance.
fn feature(form: Form, [u, v]: [f64; 2], tolerance: f64) -> TriangleFeature {
    // The distance from each side.
    let (within, n) = match form {
        Form::Point => return TriangleFeature::Face,
        Form::Triangle => ([v, 1.0 - u - v, u, 1.0], 3),
        Form::Quadrilateral => ([1.0 + v, 1.0 - u, 1.0 - v, 1.0 + u].map(|x| 0.5 * x), 4),
    };
    let is_on = |i: usize| within[i % n] <= tolerance;
    let corner = (0..n).find(|&i| is_on(i) && is_on(i + 1));
    if let Some(i) = corner {
        return TriangleFeature::Vertex(((i + 1) % n) as u8);
    }
    match (0..n).find(|&i| is_on(i)) {
        Some(i) => TriangleFeature::Edge(i as u8),
        None => TriangleFeature::Face,
    }
}
