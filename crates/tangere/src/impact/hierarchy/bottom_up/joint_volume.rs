//! Joint volumes for bottom-up construction: the ball around two balls, or the box around two
//! boxes. The joint size of two volumes is the size of their joint volume: the radius of that ball,
//! or half the surface area of that box. For a group of volumes there is a lower bound of the joint
//! size with any member.
//!
//! Every operation is monotone under rounding. So two facts hold for the rounded joint sizes as
//! well: the joint size with a member of a group is never below the lower bound of the group, and
//! the joint size with a merged box is never below the joint size with one of its parts.

use crate::geometry::{Aabb, Ball};

/// A bounding volume that bottom-up construction merges with others.
pub(in crate::impact::hierarchy) trait JointVolume:
    Copy + Sync
{
    /// The data stored for a group of volumes. They give a lower bound of the size of the ball or
    /// box around any given volume and one member of the group.
    type Group: Copy + PartialEq + Sync;

    /// The data of the empty group of volumes, which give infinity as lower bound of the joint size
    /// of any volume and a member.
    const NONE: Self::Group;
    /// The number of parameters that describe a volume: 4 for a ball, 6 for a box.
    const NUMBERS: usize;

    /// Parameter `k` of a volume: a coordinate of its centre or corners, or its radius. Groups of
    /// volumes are split by these parameters, since volumes with similar parameters have small
    /// joint volumes.
    fn number(&self, k: usize) -> f64;

    /// The joint size of two volumes, by which bottom-up construction orders pairs: the radius of
    /// the ball around both, or half the surface area of the box around both. It does not depend on
    /// the order of the two.
    fn joint_size(&self, other: &Self) -> f64;

    /// The joint volume of this volume and another: the ball or the box around both.
    fn joint(&self, other: &Self) -> Self;

    /// What online insertion adds up of a volume of this size: the volume of a ball, up to a factor;
    /// half the surface area of a box.
    fn cost_of(size: f64) -> f64;

    /// What online insertion adds up of this volume.
    fn cost(&self) -> f64 {
        Self::cost_of(self.joint_size(self))
    }

    /// The group whose only member is this volume. A group stands for several volumes: it gives a
    /// lower bound of the size of the joint volume around another volume and any one of them.
    fn group(&self) -> Self::Group;

    /// The group of all volumes of the groups `a` and `b`.
    fn united(a: &Self::Group, b: &Self::Group) -> Self::Group;

    /// Lower bound of the joint size of this volume and any one member of a group: of the size of
    /// the ball or box around these two.
    fn least(&self, group: &Self::Group) -> f64;
}

/// Group of balls: the bounding box of their centres, and the smallest of their radii.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::impact::hierarchy) struct Balls {
    centers: Aabb<3>,
    radius: f64,
}

/// Radius of the joint ball around two balls with radii `a` and `b`. It is half of the sum of `a`,
/// `b` and the distance of the centres, unless one ball contains the other. `square` is the squared
/// distance.
#[inline]
fn joint_radius(square: f64, a: f64, b: f64) -> f64 {
    (0.5 * (square.sqrt() + (a + b))).max(a).max(b)
}

impl JointVolume for Ball<3> {
    type Group = Balls;

    const NONE: Balls = Balls {
        centers: Aabb::EMPTY,
        radius: f64::INFINITY,
    };
    const NUMBERS: usize = 4;

    /// Parameter `k` of a ball: a coordinate of its centre, or its radius.
    #[inline]
    fn number(&self, k: usize) -> f64 {
        match k {
            3 => self.radius,
            _ => self.center[k],
        }
    }

    /// The joint size of two balls: the radius of the ball around both.
    #[inline]
    fn joint_size(&self, other: &Self) -> f64 {
        let d: [f64; 3] = std::array::from_fn(|k| self.center[k] - other.center[k]);
        let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        joint_radius(square, self.radius, other.radius)
    }

    /// The joint volume of two balls: a ball around both.
    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }

    #[inline]
    fn cost_of(radius: f64) -> f64 {
        radius * radius * radius
    }

    /// The group whose only member is this ball, for lower bounds of joint sizes.
    #[inline]
    fn group(&self) -> Balls {
        Balls {
            centers: Aabb {
                min: self.center,
                max: self.center,
            },
            radius: self.radius,
        }
    }

    /// The group of all balls of the groups `a` and `b`.
    #[inline]
    fn united(a: &Balls, b: &Balls) -> Balls {
        Balls {
            centers: a.centers.union(&b.centers),
            radius: a.radius.min(b.radius),
        }
    }

    /// Lower bound of the joint size of this ball and any one ball of a group: of the radius of the
    /// ball around these two.
    #[inline]
    fn least(&self, group: &Balls) -> f64 {
        joint_radius(
            group.centers.distance_squared(self.center),
            self.radius,
            group.radius,
        )
    }
}

/// Group of boxes. `min` has the largest coordinate of all lower corners along each axis, `max` the
/// smallest coordinate of all upper corners. So along each axis every box of the group begins at
/// `min` or below and ends at `max` or above.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::impact::hierarchy) struct Boxes {
    min: [f64; 3],
    max: [f64; 3],
}

/// The joint size of two boxes whose joint box goes from corner `min` to corner `max`: half the
/// surface area of that box.
#[inline]
fn size(min: [f64; 3], max: [f64; 3]) -> f64 {
    let e: [f64; 3] = std::array::from_fn(|k| max[k] - min[k]);
    e[0] * e[1] + e[1] * e[2] + e[2] * e[0]
}

impl JointVolume for Aabb<3> {
    type Group = Boxes;

    const NONE: Boxes = Boxes {
        min: [f64::NEG_INFINITY; 3],
        max: [f64::INFINITY; 3],
    };
    const NUMBERS: usize = 6;

    /// Parameter `k` of a box: a coordinate of its lower or its upper corner.
    #[inline]
    fn number(&self, k: usize) -> f64 {
        match k {
            ..3 => self.min[k],
            _ => self.max[k - 3],
        }
    }

    /// The joint size of two boxes: half the surface area of the box around both.
    #[inline]
    fn joint_size(&self, other: &Self) -> f64 {
        let joint = self.union(other);
        size(joint.min, joint.max)
    }

    /// The joint volume of two boxes: the box around both.
    #[inline]
    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }

    #[inline]
    fn cost_of(area: f64) -> f64 {
        area
    }

    /// The group whose only member is this box, for lower bounds of joint sizes.
    #[inline]
    fn group(&self) -> Boxes {
        Boxes {
            min: self.min,
            max: self.max,
        }
    }

    /// The summary of all boxes of the groups `a` and `b`. It is no box around them: along each axis
    /// it has the largest lower and the smallest upper coordinate, for a lower bound of the joint
    /// volume of another box with any of them.
    #[inline]
    fn united(a: &Boxes, b: &Boxes) -> Boxes {
        Boxes {
            min: std::array::from_fn(|k| a.min[k].max(b.min[k])),
            max: std::array::from_fn(|k| a.max[k].min(b.max[k])),
        }
    }

    /// Lower bound of the joint size of this box and any one box of a group: of half the surface
    /// area of the box around these two.
    #[inline]
    fn least(&self, group: &Boxes) -> f64 {
        size(
            std::array::from_fn(|k| self.min[k].min(group.min[k])),
            std::array::from_fn(|k| self.max[k].max(group.max[k])),
        )
    }
}
