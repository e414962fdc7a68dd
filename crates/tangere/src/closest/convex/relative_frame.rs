//! Two convex bodies in the axes of the first.
//!
//! Coordinates are relative to the bodies' centers, so no digits are lost if a body is far from its
//! own origin or both are far from that of the world.

use crate::geometry::Pose;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// A convex body with its pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'s> {
    /// The body.
    pub shape: &'s ConvexPolyhedron,
    /// Its pose.
    pub pose: &'s Pose,
}

impl Posed<'_> {
    /// The center of the body, rotated but not translated.
    #[inline]
    pub(super) fn turned_center(&self) -> [f64; 3] {
        self.pose.rotate(self.shape.center())
    }

    /// The vector from center to center, in the world. Both centers are rotated already.
    #[inline]
    pub(super) fn way_to(&self, b: &Self, center: [f64; 3], center_b: [f64; 3]) -> [f64; 3] {
        let (ta, tb) = (self.pose.translation(), b.pose.translation());
        // Translations first: far from the origin their difference is exact.
        std::array::from_fn(|k| (tb[k] - ta[k]) + (center_b[k] - center[k]))
    }

    /// The scale that rounding is relative to: no coordinate in the frame of the first body is
    /// larger.
    #[inline]
    pub(super) fn scale_with(&self, b: &Self, between: [f64; 3]) -> f64 {
        self.shape.radius()
            + b.shape.radius()
            + (between[0].abs() + between[1].abs() + between[2].abs())
    }

    /// The world position of a point given relative to the center of the body.
    pub(super) fn world(&self, local: [f64; 3]) -> [f64; 3] {
        let center = self.shape.center();
        self.pose
            .apply(std::array::from_fn(|k| local[k] + center[k]))
    }
}

/// Bodies `a` and `b` in the axes of `a`, with the center of `a` as origin.
#[derive(Clone, Copy)]
pub(super) struct RelativeFrame<'s> {
    pub a: &'s ConvexPolyhedron,
    pub b: &'s ConvexPolyhedron,
    pub pose_a: &'s Pose,
    pub pose_b: &'s Pose,
    /// Rows of the rotation from the axes of `b` to those of `a`.
    pub rotation: [[f64; 3]; 3],
    /// The center of `b`.
    pub shift: [f64; 3],
    /// The scale that rounding is relative to: no coordinate of a body is larger.
    pub scale: f64,
}

impl<'s> RelativeFrame<'s> {
    pub fn new(a: Posed<'s>, b: Posed<'s>) -> Self {
        let (ma, mb) = (a.pose.rotation_matrix(), b.pose.rotation_matrix());
        let between = a.way_to(&b, a.turned_center(), b.turned_center());
        let mut rotation = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                rotation[i][j] = ma[0][i] * mb[0][j] + ma[1][i] * mb[1][j] + ma[2][i] * mb[2][j];
            }
        }
        let shift = transposed_times(&ma, between);
        Self {
            a: a.shape,
            b: b.shape,
            pose_a: a.pose,
            pose_b: b.pose,
            rotation,
            shift,
            scale: a.scale_with(&b, between),
        }
    }

    /// Both bodies with their poses.
    #[inline]
    pub fn bodies(&self) -> [Posed<'s>; 2] {
        let (a, b) = (self.a, self.b);
        let (pose_a, pose_b) = (self.pose_a, self.pose_b);
        [
            Posed {
                shape: a,
                pose: pose_a,
            },
            Posed {
                shape: b,
                pose: pose_b,
            },
        ]
    }

    /// The same bodies in the axes of the second.
    pub fn swapped(&self) -> Self {
        let m = &self.rotation;
        let back = transposed_times(m, self.shift);
        Self {
            a: self.b,
            b: self.a,
            pose_a: self.pose_b,
            pose_b: self.pose_a,
            rotation: std::array::from_fn(|i| std::array::from_fn(|j| m[j][i])),
            shift: back.map(|x| 0.0 - x),
            scale: self.scale,
        }
    }

    /// A vertex of `a`.
    #[inline]
    pub fn vertex_a(&self, i: u32) -> [f64; 3] {
        self.a.local(i)
    }

    /// A vertex of `b`.
    #[inline]
    pub fn vertex_b(&self, j: u32) -> [f64; 3] {
        self.in_axes_of_a(self.b.local(j))
    }

    /// A point of `b`, given relative to its center in its axes.
    #[inline]
    pub fn in_axes_of_a(&self, p: [f64; 3]) -> [f64; 3] {
        let turned = self.turned(p);
        std::array::from_fn(|k| turned[k] + self.shift[k])
    }

    /// A direction of `b` in the axes of `a`.
    #[inline]
    pub fn turned(&self, v: [f64; 3]) -> [f64; 3] {
        self.rotation.map(|row| dot(row, v))
    }

    /// A direction in the axes of `b`.
    #[inline]
    pub fn turned_back(&self, v: [f64; 3]) -> [f64; 3] {
        transposed_times(&self.rotation, v)
    }

    /// A vertex of the Minkowski difference, the set of all `x - y` with `x` in `a` and `y` in `b`:
    /// the bodies intersect if it contains the origin.
    #[inline]
    pub fn difference(&self, pair: [u32; 2]) -> [f64; 3] {
        minus(self.vertex_a(pair[0]), self.vertex_b(pair[1]))
    }

    /// Upper bound of the motion of points of the Minkowski difference since an earlier frame of
    /// the same bodies.
    #[inline]
    pub fn motion_since(&self, rotation: &[[f64; 3]; 3], shift: [f64; 3]) -> f64 {
        let moved = minus(self.shift, shift);
        let mut turned = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let change = self.rotation[i][j] - rotation[i][j];
                turned += change * change;
            }
        }
        // The difference of two rotations that differ by an angle x has spectral norm 2 sin(x / 2),
        // and the sum of its squares is twice the square of that.
        dot(moved, moved).sqrt() + (0.5 * turned).sqrt() * self.b.radius()
    }
}

#[inline]
fn transposed_times(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2])
}

/// Whether the second body comes first: searches use one order of the bodies, and contacts are
/// mirrored.
#[inline]
pub(super) fn comes_after(a: &Posed, b: &Posed) -> bool {
    let (ta, tb) = (a.pose.translation(), b.pose.translation());
    for k in 0..3 {
        if ta[k] != tb[k] {
            return ta[k] > tb[k];
        }
    }
    let (na, nb) = (a.pose.to_numbers(), b.pose.to_numbers());
    for k in 3..7 {
        if na[k] != nb[k] {
            return na[k] > nb[k];
        }
    }
    a.shape.key() > b.shape.key()
}

/// The direction and the length of a vector; none if it is too short to be normalised.
#[inline]
pub(super) fn direction(v: [f64; 3]) -> Option<([f64; 3], f64)> {
    let length = dot(v, v).sqrt();
    (length > f64::MIN_POSITIVE).then(|| (v.map(|x| x / length), length))
}

/// Twice the area of a triangle, as a vector along its normal: the cross product of its two shorter
/// edges, since the longer ones of a needle are nearly parallel.
#[inline]
pub(super) fn area(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> [f64; 3] {
    let (a, b, c) = (minus(q, p), minus(r, q), minus(p, r));
    let (aa, bb, cc) = (dot(a, a), dot(b, b), dot(c, c));
    if cc >= aa && cc >= bb {
        cross(a, b)
    } else if aa >= bb {
        cross(b, c)
    } else {
        cross(c, a)
    }
}
