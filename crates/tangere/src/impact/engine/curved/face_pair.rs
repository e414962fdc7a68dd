//! Pair of curved faces at one instant: positions of their control points, bounds of rounding
//! errors, nearest points and candidate separating axes of their patches.

use super::super::gap_bound::U;
use super::super::mover::Mover;
use super::super::relative_frame::RelativeFrame;
use super::bezier_patch::{Form, Net, Patch, control};
use super::body_view::BodyView;
use super::hull_bound::{Closed, Slab};
use crate::closest::distance_apart;
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{cross, direction, dot, minus};

/// Upper bound of the rounding error of a control point of a face or of its quarters, relative to
/// the largest distance of a control point from the centre of the body.
const ROUNDING: f64 = 256.0 * U;

/// A search for the first contact of two curved faces covers a window of time in which the faces
/// move by at most this fraction of their size.
const WINDOW: f64 = 0.5;

/// Two curved faces at one instant.
pub(super) struct FacePair<'a> {
    pub(super) frame: &'a mut RelativeFrame,
    pub(super) movers: [&'a Mover; 2],
    pub(super) faces: [u32; 2],
    pub(super) views: [BodyView; 2],
    pub(super) closed: Closed,
    pub(super) are_deforming: [bool; 2],
}

impl<'a> FacePair<'a> {
    /// A pair of curved faces of two bodies at the time of a frame.
    pub(super) fn new(
        frame: &'a mut RelativeFrame,
        movers: [&'a Mover; 2],
        faces: [u32; 2],
    ) -> Self {
        let are_deforming = movers.map(|m| m.body.is_deforming());
        let radii: f64 = movers.iter().map(|m| m.body.shape.inner.radius).sum();
        let closed = Closed {
            margin: radii + frame.separation,
            slack: 0.0,
            drift: 0.0,
            acceleration: frame.acceleration,
            bend: 0.0,
        };
        FacePair {
            views: BodyView::both(frame, are_deforming),
            frame,
            movers,
            faces,
            closed,
            are_deforming,
        }
    }

    /// The patches that cover the entire faces of a pair.
    pub(super) fn whole(&mut self) -> [Patch; 2] {
        let patches =
            [0, 1].map(|i| Patch::whole(self.movers[i], &self.frame.sides[i], self.faces[i]));
        self.update_error_bounds([&patches[0], &patches[1]]);
        patches
    }

    /// Computes the bounds of the rounding errors and of the accelerations of a face pair at the
    /// time of its frame. `patches` are the patches of the entire faces.
    pub(super) fn update_error_bounds(&mut self, patches: [&Patch; 2]) {
        let longest = |net: &Net| {
            let square = (0..9).map(|i| dot(control(net, i), control(net, i)));
            square.fold(0.0, f64::max).sqrt() * (1.0 + 8.0 * U)
        };
        let velocity = dot(self.frame.velocity, self.frame.velocity).sqrt();
        let (mut slack, mut drift, mut bend) = (self.frame.slack, velocity, 0.0);
        for (view, patch) in self.views.iter().zip(patches) {
            let mut reach = longest(&patch.points);
            if view.is_deforming {
                let fastest = longest(&patch.rates);
                reach += fastest * view.elapsed;
                drift += fastest;
            }
            slack += ROUNDING * reach;
            drift += view.turning * reach;
            bend += view.turning * view.turning * reach * (1.0 + 16.0 * U);
        }
        self.closed.slack = slack;
        self.closed.drift = 16.0 * U * drift;
        self.closed.bend = bend;
    }

    /// Moves a pair of curved faces to another time; `roots` are the patches of the entire faces.
    pub(super) fn moved_to(&mut self, time: f64, roots: [&Patch; 2]) {
        if time != self.frame.time {
            self.frame.moved_to(self.movers, time);
            self.views = BodyView::both(self.frame, self.are_deforming);
            self.update_error_bounds(roots);
        }
    }

    /// The current control points of two patches of a face pair.
    pub(super) fn nets(&self, patches: [&Patch; 2]) -> [Net; 2] {
        [self.views[0].net(patches[0]), self.views[1].net(patches[1])]
    }

    /// The projections of the control points of two patches of a face pair on an axis.
    pub(super) fn slab(&self, patches: [&Patch; 2], nets: &[Net; 2], n: [f64; 3]) -> Slab {
        let nets = [&nets[0], &nets[1]];
        Slab::new(&self.views, nets, patches, &self.closed, n)
    }

    /// The position of control point `i` of a patch of face `of` of a face pair, in world
    /// directions, relative to the centre of body `a`.
    pub(super) fn control(&self, of: usize, net: &Net, i: usize) -> [f64; 3] {
        let turned = self.views[of].outward(control(net, i));
        std::array::from_fn(|k| self.views[of].away[k] + turned[k])
    }

    /// The one or two triangles through the corners of a patch of face `of` of a face pair, and
    /// their number.
    pub(super) fn triangles(
        &self,
        of: usize,
        patch: &Patch,
        net: &Net,
    ) -> ([[[f64; 3]; 3]; 2], usize) {
        let corner = |i: usize| self.control(of, net, i);
        match patch.form {
            Form::Point => ([[corner(0); 3]; 2], 1),
            Form::Triangle => ([[corner(0), corner(1), corner(2)]; 2], 1),
            Form::Quadrilateral => {
                let c = [corner(0), corner(1), corner(2), corner(3)];
                ([[c[0], c[1], c[2]], [c[0], c[2], c[3]]], 2)
            }
        }
    }

    /// The nearest points of two patches of a face pair, where each patch is replaced by one or two
    /// triangles through its corners. Returns the distance of these points, the unit vector from
    /// that of `a` to that of `b` (`None` if they coincide), and the parameters of each in its
    /// patch.
    pub(super) fn nearest(
        &self,
        patches: [&Patch; 2],
        nets: &[Net; 2],
    ) -> (f64, Option<[f64; 3]>, [[f64; 2]; 2]) {
        let (of_a, count_a) = self.triangles(0, patches[0], &nets[0]);
        let (of_b, count_b) = self.triangles(1, patches[1], &nets[1]);
        let mut best = (f64::INFINITY, [[0.0; 3]; 2], [0, 0]);
        for i in 0..count_a {
            for j in 0..count_b {
                let (square, found) = distance_apart(of_a[i], of_b[j]);
                if square < best.0 {
                    best = (square, [found.point_a, found.point_b], [i, j]);
                }
            }
        }
        let (square, points, [i, j]) = best;
        let uvs = [
            corner_triangle_uv(patches[0].form, &of_a[i], i, points[0]),
            corner_triangle_uv(patches[1].form, &of_b[j], j, points[1]),
        ];
        (square.sqrt(), direction(minus(points[1], points[0])), uvs)
    }

    /// The initial axis of a search over a face pair: the unit vector from the centre of a patch of
    /// face `a` to the centre of a patch of face `b`.
    pub(super) fn between(&self, nets: &[Net; 2]) -> [f64; 3] {
        let middle = |of: usize| {
            let net = &nets[of];
            let mean = net.map(|row| row.iter().sum::<f64>() / 9.0);
            let turned = self.views[of].outward(mean);
            let away = self.views[of].away;
            [0, 1, 2].map(|k| away[k] + turned[k])
        };
        direction(minus(middle(1), middle(0))).unwrap_or([0.0, 0.0, 1.0])
    }

    /// The candidate separating axes of two patches of a face pair: the normals of both patches and
    /// the cross products of their sides, as unit vectors from `a` to `b`.
    pub(super) fn directions(
        &self,
        patches: [&Patch; 2],
        nets: &[Net; 2],
    ) -> impl Iterator<Item = [f64; 3]> {
        let between = self.between(nets);
        let sides = [0, 1].map(|i| {
            let count = patches[i].form.corners().len();
            let corner = |k: usize| self.control(i, &nets[i], k % count);
            let sides: [[f64; 3]; 4] = std::array::from_fn(|k| minus(corner(k + 1), corner(k)));
            (sides, count)
        });
        let [(of_a, count_a), (of_b, count_b)] = sides;
        let normals = [cross(of_a[0], of_a[1]), cross(of_b[0], of_b[1])];
        let products =
            (0..count_a * count_b).map(move |k| cross(of_a[k / count_b], of_b[k % count_b]));
        normals.into_iter().chain(products).filter_map(move |n| {
            let unit = direction(n)?;
            match dot(unit, between) < 0.0 {
                true => Some(unit.map(|x| -x)),
                false => Some(unit),
            }
        })
    }

    /// The time in which the faces of a pair move by at most [`WINDOW`] times their size `size`.
    pub(super) fn window(&self, size: f64) -> f64 {
        let length = |v: [f64; 3]| dot(v, v).sqrt();
        let speed = self.closed.drift / (16.0 * U);
        let way = WINDOW * size;
        (0.5 * way / speed).min((way / length(self.frame.acceleration)).sqrt())
    }
}

/// The parameters of point `p` in a patch of a face pair; `p` lies on triangle `index` of the one
/// or two triangles through the corners of the patch.
fn corner_triangle_uv(form: Form, triangle: &[[f64; 3]; 3], index: usize, p: [f64; 3]) -> [f64; 2] {
    let [_, u, v] = closest_on_triangle(p, *triangle).barycentric;
    match (form, index) {
        (Form::Point, _) => [0.0; 2],
        (Form::Triangle, _) => [u, v],
        (Form::Quadrilateral, 0) => [u + v, v],
        (Form::Quadrilateral, _) => [u, u + v],
    }
}
