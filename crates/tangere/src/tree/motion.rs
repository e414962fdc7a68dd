//! Motion of the boxes of one AABB tree into the packed coordinates of another, rounded outward.

use super::Tree;
use super::lane_pairs::Boxes;
use super::node::Node;

use crate::geometry::Pose;
use crate::simd::Vector;

/// Bound on the relative error of a tree box that is moved in f32. Errors arise in the centre and
/// the half lengths of the box, in three products and sums for each coordinate, and in the offset.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// The magnitude that the matrix, offset and margin of a motion must not reach, so that moved boxes
/// cannot overflow f32.
const HUGE: f32 = 1e37;

/// The motion from the packed coordinates of one tree to those of another: a box becomes the
/// bounding box of the moved box.
pub(super) struct Motion {
    pub(super) matrix: [[f32; 3]; 3],
    pub(super) offset: [f32; 3],
    /// Bound on the errors along each axis that the motion must allow for: the rounding in f32 of
    /// moved boxes, and the rounding in f64 of the items that the caller moves by the pose.
    margin: [f32; 3],
    /// Bound on the rounding error of a moved box along any unit vector. It includes the error of
    /// the slab ([`super::normal_slabs`]) with which the box is compared.
    pub(super) margin_along: f32,
}

impl Motion {
    /// The motion by `pose` from the packed coordinates of tree `from` to those of tree `to`.
    pub(super) fn new(from: &Tree<3>, pose: &Pose, to: &Tree<3>) -> Self {
        let rotation = pose.rotation_matrix();
        let center = pose.apply(from.frame.center);
        // In space: three products, three sums and the offset, relative to the largest of the
        // numbers.
        let space = std::array::from_fn(|k| {
            let size: f64 = (0..3)
                .map(|j| {
                    rotation[k][j].abs() * (from.frame.center[j].abs() + 1.0 / from.frame.scale)
                })
                .sum();
            (size + pose.translation()[k].abs() + to.frame.center[k].abs()) * (8.0 * f64::EPSILON)
        });
        Self::between(from, rotation, center, space, to)
    }

    /// The reverse of the motion by which `pose` moves tree `from`: from the packed coordinates of
    /// tree `to` to those of tree `from`.
    pub(super) fn back(from: &Tree<3>, pose: &Pose, to: &Tree<3>) -> Self {
        let m = pose.rotation_matrix();
        let rotation: [[f64; 3]; 3] = std::array::from_fn(|k| [m[0][k], m[1][k], m[2][k]]);
        let t = pose.translation();
        let center = pose.rotate_back(std::array::from_fn(|k| to.frame.center[k] - t[k]));
        // The items were moved with rounding, and the matrix is orthogonal up to rounding: each a
        // few rounding units of the largest numbers, in any direction.
        let length = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
        let size = length(from.frame.center)
            + length(to.frame.center)
            + length(t)
            + 3.0 / from.frame.scale
            + 3.0 / to.frame.scale;
        let space = [size * (64.0 * f64::EPSILON); 3];
        Self::between(to, rotation, center, space, from)
    }

    /// The motion between the packed coordinates of two trees. In unpacked coordinates it is the
    /// rotation `rotation` with a translation that takes the centre of the packed frame of `from`
    /// to `center`. `space` bounds the rounding errors of points so moved, along each axis.
    fn between(
        from: &Tree<3>,
        rotation: [[f64; 3]; 3],
        center: [f64; 3],
        space: [f64; 3],
        to: &Tree<3>,
    ) -> Self {
        let ratio = to.frame.scale / from.frame.scale;
        let offset: [f64; 3] =
            std::array::from_fn(|k| (center[k] - to.frame.center[k]) * to.frame.scale);
        let margin = std::array::from_fn(|k| {
            // Packed coordinates are at most 1.
            let reach: f64 = rotation[k].iter().map(|r| r.abs() * ratio).sum();
            let packed = (reach + offset[k].abs()) * SLACK + space[k] * to.frame.scale;
            super::packed_frame::up(packed as f32)
        });
        let motion = Motion {
            matrix: rotation.map(|row| row.map(|r| (r * ratio) as f32)),
            offset: offset.map(|x| x as f32),
            margin,
            margin_along: 2.0 * (margin[0] + margin[1] + margin[2]),
        };
        let numbers = motion.matrix.as_flattened().iter();
        if numbers
            .chain(&motion.offset)
            .chain(&motion.margin)
            .all(|x| x.abs() < HUGE)
        {
            motion
        } else {
            Motion::UNBOUNDED
        }
    }

    /// The motion that is used if sizes or distances exceed the range of f32: every moved box
    /// becomes unbounded, so that no pair is missed.
    const UNBOUNDED: Self = Motion {
        matrix: [[0.0; 3]; 3],
        offset: [0.0; 3],
        margin: [f32::MAX; 3],
        margin_along: f32::INFINITY,
    };

    /// Applies the motion to a tree node: returns a copy of the node in which each box is replaced
    /// by the bounding box of the moved box.
    #[inline(always)]
    pub(super) fn moved<V: Vector>(&self, node: &Node<3>) -> Node<3> {
        let [low, high] = self.moved_boxes::<V>(node);
        let mut moved = Node {
            lo: node.lo,
            hi: node.hi,
            children: node.children,
        };
        for k in 0..3 {
            low[k].store(&mut moved.lo[k].0);
            high[k].store(&mut moved.hi[k].0);
        }
        moved
    }

    /// Applies the motion to the eight boxes of a tree node: returns the bounding boxes of the
    /// moved boxes, in vectors.
    #[inline(always)]
    pub(super) fn moved_boxes<V: Vector>(&self, node: &Node<3>) -> Boxes<V> {
        // Halved before adding: sums of the largest numbers would overflow.
        let half = V::splat(0.5);
        let (mut middle, mut extent) = ([half; 3], [half; 3]);
        for k in 0..3 {
            let (low, high) = (
                V::load(&node.lo[k].0).mul(half),
                V::load(&node.hi[k].0).mul(half),
            );
            middle[k] = low.add(high);
            extent[k] = high.sub(low);
        }
        let mut boxes = [[half; 3]; 2];
        for k in 0..3 {
            let mut center = V::splat(self.offset[k]);
            let mut radius = V::splat(self.margin[k]);
            for j in 0..3 {
                center = center.add(middle[j].mul(V::splat(self.matrix[k][j])));
                radius = radius.add(extent[j].mul(V::splat(self.matrix[k][j].abs())));
            }
            boxes[0][k] = center.sub(radius);
            boxes[1][k] = center.add(radius);
        }
        boxes
    }
}
