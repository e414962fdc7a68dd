//! Bézier patches of finite element faces: control points, and subdivision into quarters.
//!
//! A face of any kind, also a linear one, is a quadratic triangle or a biquadratic quadrilateral in
//! Bernstein form. A ball is represented by a patch that is a point, its centre; its radius is
//! added to the distance at which bodies touch. Coordinates are body coordinates relative to the
//! centre of the body, so they do not change as the body moves.

use crate::geometry::vector::{cross, dot, largest, minus};
use crate::shape::{Face, FaceKind};

use super::super::mover::Mover;
use super::super::relative_frame::Side;

/// Control points of a Bézier patch: `net[k][i]` is coordinate `k` of control point `i`. If a patch
/// has fewer than nine control points, the rest repeats the first one.
pub(super) type Net = [[f64; 9]; 3];

/// The polynomial form of a Bézier patch: a point, a quadratic triangle or a biquadratic
/// quadrilateral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A point: all control points of the patch coincide. The patch of a ball is its centre.
    Point,
    /// Quadratic triangle: control points of the corners, then of the sides, in the order of the
    /// nodes of [`FaceKind::Tri6`].
    Triangle,
    /// Biquadratic quadrilateral: control points of the corners, then of the sides, then of the
    /// middle, in the order of the nodes of [`FaceKind::Quad9`].
    Quadrilateral,
}

impl Form {
    /// The corners of the domain of a Bézier patch, in parameters `(u, v)`. The domain of a
    /// triangle has the corners (0, 0), (1, 0) and (0, 1), that of a quadrilateral is the unit
    /// square, and that of a point is the origin.
    pub(super) fn corners(self) -> &'static [[f64; 2]] {
        match self {
            Form::Point => &[[0.0, 0.0]],
            Form::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            Form::Quadrilateral => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        }
    }

    /// Moves parameters that may lie outside the domain of a Bézier patch into it.
    pub(super) fn clamped(self, [u, v]: [f64; 2]) -> [f64; 2] {
        match self {
            Form::Point => [0.0; 2],
            Form::Quadrilateral => [u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)],
            Form::Triangle => {
                let over = 0.5 * (u + v - 1.0).max(0.0);
                let u = (u - over).clamp(0.0, 1.0);
                [u, (v - over).clamp(0.0, 1.0 - u)]
            }
        }
    }
}

/// A Bézier patch: an entire face, or a part of a face from repeated subdivision into quarters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) form: Form,
    pub(super) points: Net,
    /// Velocities of the control points of the patch; 0 if the body is rigid.
    pub(super) rates: Net,
    /// Position of the patch in the reference domain of its face: the point of the patch with
    /// parameters `(u, v)` has the coordinates `origin + u along[0] + v along[1]` there.
    pub(super) origin: [f64; 2],
    pub(super) along: [[f64; 2]; 2],
    /// Index of the first of the four quarters of the patch in the list of patches of its face; 0
    /// if the patch has not been quartered.
    pub(super) first: u32,
    pub(super) depth: u32,
}

/// Transposes the control points of a Bézier patch, given point by point, into a [`Net`].
fn net(points: &[[f64; 3]]) -> Net {
    std::array::from_fn(|k| std::array::from_fn(|i| points.get(i).unwrap_or(&points[0])[k]))
}

/// Control point `i` of the net of a Bézier patch.
#[inline]
pub(super) fn control(net: &Net, i: usize) -> [f64; 3] {
    [net[0][i], net[1][i], net[2][i]]
}

/// The midpoint of two control points of a Bézier patch.
fn middle(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
}

/// The control points of a face as a Bézier patch of degree 2, from the nodes of the face. The
/// degree of linear faces is elevated.
fn degree_elevated(kind: FaceKind, nodes: &[[f64; 3]]) -> Net {
    let mut points = [[0.0; 3]; FaceKind::NODES_MAX];
    match kind {
        FaceKind::Tri3 | FaceKind::Quad4 => {
            let n = nodes.len();
            points[..n].copy_from_slice(nodes);
            for i in 0..n {
                points[n + i] = middle(nodes[i], nodes[(i + 1) % n]);
            }
            if n == 4 {
                points[8] = middle(points[4], points[6]);
                return net(&points);
            }
            net(&points[..6])
        }
        _ => net(Face::from_valid(kind, nodes).control_points().as_slice()),
    }
}

impl Patch {
    /// The Bézier patch of an entire face, in body coordinates relative to the centre of the body.
    pub(super) fn whole(mover: &Mover, side: &Side, face: u32) -> Self {
        let inner = &mover.body.shape.inner;
        let rates = mover.body.deformation.as_ref().map(|d| &d.rates);
        let (kind, numbers): (FaceKind, &[u32]) = match &inner.elements {
            Some(elements) => (elements.kind(face), elements.nodes_of(face)),
            None => (FaceKind::Tri3, &inner.faces[face as usize]),
        };
        let count = numbers.len();
        let mut nodes = [[0.0; 3]; FaceKind::NODES_MAX];
        let mut speeds = nodes;
        for (i, &node) in numbers.iter().enumerate() {
            nodes[i] = minus(inner.points[node as usize], side.center);
            if let Some(rates) = rates {
                speeds[i] = rates[node as usize];
            }
        }
        let form = match kind.corners() {
            _ if inner.radius > 0.0 => Form::Point,
            4 => Form::Quadrilateral,
            _ => Form::Triangle,
        };
        let (origin, length) = match form {
            Form::Quadrilateral => ([-1.0; 2], 2.0),
            _ => ([0.0; 2], 1.0),
        };
        Patch {
            form,
            points: match form {
                Form::Point => net(&nodes[..1]),
                _ => degree_elevated(kind, &nodes[..count]),
            },
            rates: match (form, rates) {
                (Form::Point, _) | (_, None) => [[0.0; 9]; 3],
                _ => degree_elevated(kind, &speeds[..count]),
            },
            origin,
            along: [[length, 0.0], [0.0, length]],
            first: 0,
            depth: 0,
        }
    }

    /// Converts parameters `(u, v)` of a Bézier patch to coordinates in the reference domain of its
    /// face.
    pub(super) fn xi(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [a, b] = self.along;
        std::array::from_fn(|k| self.origin[k] + (u * a[k] + v * b[k]))
    }

    /// Converts coordinates in the reference domain of a face to parameters `(u, v)` of the Bézier
    /// patch of the entire face.
    pub(super) fn uv(&self, xi: [f64; 2]) -> [f64; 2] {
        let [a, b] = self.along;
        let uv = [
            (xi[0] - self.origin[0]) / a[0],
            (xi[1] - self.origin[1]) / b[1],
        ];
        self.form.clamped(uv)
    }

    /// Converts parameters `(u, v)` of a Bézier patch to the parameters of the same point in one of
    /// its quarters. They may lie outside the domain of the quarter.
    pub(super) fn uv_in_quarter(&self, quarter: usize, [u, v]: [f64; 2]) -> [f64; 2] {
        let [a, b] = match (self.form, quarter) {
            (Form::Triangle, 3) => return [1.0 - 2.0 * u, 1.0 - 2.0 * v],
            (_, 0) => [0.0, 0.0],
            (_, 1) => [1.0, 0.0],
            (Form::Quadrilateral, 2) => [1.0, 1.0],
            _ => [0.0, 1.0],
        };
        [2.0 * u - a, 2.0 * v - b]
    }

    /// The four quarters of a Bézier patch, with the velocities of their control points. If
    /// `is_deforming` is false, these are 0.
    pub(super) fn quarters(&self, is_deforming: bool) -> [Self; 4] {
        let halves = match self.form {
            Form::Quadrilateral => quarters_of_square,
            _ => quarters_of_triangle,
        };
        let mut points = [[[0.0; 9]; 3]; 4];
        let mut rates = points;
        for k in 0..3 {
            for (i, values) in halves(&self.points[k]).into_iter().enumerate() {
                points[i][k] = values;
            }
            if is_deforming {
                for (i, values) in halves(&self.rates[k]).into_iter().enumerate() {
                    rates[i][k] = values;
                }
            }
        }
        let [a, b] = self.along.map(|along| along.map(|x| 0.5 * x));
        std::array::from_fn(|i| {
            let (from, sign) = match (self.form, i) {
                (Form::Triangle, 3) => ([0.5, 0.5], -1.0),
                (_, 0) => ([0.0, 0.0], 1.0),
                (_, 1) => ([0.5, 0.0], 1.0),
                (Form::Quadrilateral, 2) => ([0.5, 0.5], 1.0),
                _ => ([0.0, 0.5], 1.0),
            };
            Patch {
                points: points[i],
                rates: rates[i],
                origin: self.xi(from),
                along: [a, b].map(|along| along.map(|x| sign * x)),
                first: 0,
                depth: self.depth + 1,
                ..*self
            }
        })
    }
}

/// Subdivides a quadratic Bézier triangle into quarters, for one coordinate: `c` has this
/// coordinate of its control points, the result that of the control points of each quarter. Three
/// quarters are at its corners, and the middle one is rotated by half a turn.
///
/// The control points of the quarters are values of the polar form (blossom) `f(p, q)` of the
/// triangle, where `p` and `q` are corners or midpoints of edges. Each is an average of two other
/// values.
fn quarters_of_triangle(c: &[f64; 9]) -> [[f64; 9]; 4] {
    let half = |a: f64, b: f64| 0.5 * (a + b);
    let [c0, c1, c2, m0, m1, m2, ..] = *c;
    // The polar form at each corner and the midpoints of edges 0, 1, 2.
    let at = [
        [half(c0, m0), half(m0, m2), half(c0, m2)],
        [half(m0, c1), half(c1, m1), half(m0, m1)],
        [half(m2, m1), half(m1, c2), half(m2, c2)],
    ];
    let middle = [
        half(at[0][0], at[1][0]),
        half(at[1][1], at[2][1]),
        half(at[2][2], at[0][2]),
    ];
    // The polar form at two midpoints: of edges 0 and 1, 1 and 2, 2 and 0.
    let across = [
        half(at[0][1], at[1][1]),
        half(at[1][2], at[2][2]),
        half(at[2][0], at[0][0]),
    ];
    let of = |p: [f64; 6]| std::array::from_fn(|i| p[if i < 6 { i } else { 0 }]);
    [
        of([c0, middle[0], middle[2], at[0][0], across[2], at[0][2]]),
        of([middle[0], c1, middle[1], at[1][0], at[1][1], across[0]]),
        of([middle[2], middle[1], c2, across[1], at[2][1], at[2][2]]),
        of([
            middle[1], middle[2], middle[0], across[1], across[2], across[0],
        ]),
    ]
}

/// Indices of the control points in each row of a biquadratic patch. Along a row only `u` changes.
/// Control points are in the order of the nodes of [`FaceKind::Quad9`].
pub(super) const ROWS: [[usize; 3]; 3] = [[0, 4, 1], [7, 8, 5], [3, 6, 2]];

/// Subdivides a biquadratic Bézier patch into quarters, for one coordinate: `c` has this coordinate
/// of its control points, the result that of the control points of each quarter. Control points are
/// in the order of the nodes of [`FaceKind::Quad9`].
fn quarters_of_square(c: &[f64; 9]) -> [[f64; 9]; 4] {
    let half = |a: f64, b: f64| 0.5 * (a + b);
    let halved = |[a, b, c]: [f64; 3]| {
        let (ab, bc) = (half(a, b), half(b, c));
        [a, ab, half(ab, bc), bc, c]
    };
    // Five columns of each row, then five rows of each column.
    let rows = ROWS.map(|row| halved(row.map(|i| c[i])));
    let columns: [[f64; 5]; 5] = std::array::from_fn(|j| halved([0, 1, 2].map(|i| rows[i][j])));
    [[0, 0], [2, 0], [2, 2], [0, 2]].map(|[j, i]| {
        let mut out = [0.0; 9];
        for (row, names) in ROWS.iter().enumerate() {
            for (column, &name) in names.iter().enumerate() {
                out[name] = columns[j + column][i + row];
            }
        }
        out
    })
}

/// Bulge and size of a Bézier patch. The bulge is the largest distance of the middle control point
/// of a side from the segment between the ends of that side. For a quadrilateral, the distances of
/// the corners and of the central control point from a plane count too: the plane parallel to both
/// diagonals, midway between them. The bulge bounds how far the hull of the control points reaches
/// beyond the surface and beyond its sides. The size is the length of the longest side or diagonal.
pub(super) fn spread(form: Form, net: &Net) -> (f64, f64) {
    let corner = |i: usize| control(net, i);
    let n = form.corners().len();
    if form == Form::Point {
        return (0.0, 0.0);
    }
    let (mut bulge, mut size) = (0.0_f64, 0.0_f64);
    for i in 0..n {
        let (a, b) = (corner(i), corner((i + 1) % n));
        let side = minus(b, a);
        let off = off_segment(a, side, corner(n + i));
        bulge = bulge.max(off);
        size = size.max(dot(side, side).sqrt());
    }
    if n == 4 {
        let across = minus(corner(2), corner(0));
        let back = minus(corner(3), corner(1));
        size = size.max(dot(across, across).sqrt().max(dot(back, back).sqrt()));
        // The distance from the plane along the normal; the entire distance if there is no normal.
        let normal = cross(across, back);
        let length = dot(normal, normal).sqrt();
        let center: [f64; 3] =
            std::array::from_fn(|k| 0.25 * (0..4).map(|i| net[k][i]).sum::<f64>());
        for i in [0, 1, 2, 3, 8] {
            let away = minus(corner(i), center);
            let off = match length > 1e-12 * size * size {
                true => dot(normal, away).abs() / length,
                false => largest(away),
            };
            bulge = bulge.max(off);
        }
    }
    (bulge, size)
}

/// The distance of control point `p` of a Bézier patch from the segment that begins at `a` and has
/// the direction and length of `side`.
fn off_segment(a: [f64; 3], side: [f64; 3], p: [f64; 3]) -> f64 {
    let (to, square) = (minus(p, a), dot(side, side));
    let share = match square > 0.0 {
        true => (dot(to, side) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    let off: [f64; 3] = std::array::from_fn(|k| to[k] - share * side[k]);
    dot(off, off).sqrt()
}
