//! Pose of a body: a rotation followed by a translation.
//!
//! Moving a point costs nine products. The arithmetic is part of the contract, so that every method
//! that moves a point, in any order and on any number of threads, gets the same bits:
//!
//! `m[i][0]*x + m[i][1]*y + m[i][2]*z + t[i]`
//!
//! from left to right without fused multiply-add; a result of magnitude below
//! [`COORDINATE_MIN`] becomes 0, so that predicates are exact on moved points
//! as well. The rotation matrix is computed once, when the pose is made.
//!
//! The 24 rotations that map the axes onto each other have matrices of exact zeros and ones (or
//! -1), and so have their products and inverses: equal magnitudes in a quaternion stay equal in
//! every operation here, and the matrix divides by the squared length, which may differ from 1 by
//! rounding.

use std::fmt;
use std::str::FromStr;

use nalgebra::UnitQuaternion;

use super::rotation::{
    ROTATION_TOLERANCE, checked_quaternion, matrix_of_quaternion, normalised, numbers_from_str,
    product, quaternion_of_matrix, unit_quaternion,
};
use super::vector::{cross, dot};
use super::{COORDINATE_MAX, COORDINATE_MIN, Vector, flushed};
use crate::error::{Argument, Error, Result, number};

/// A pose: a rotation about the origin, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The rotation of the pose as a quaternion `w, x, y, z`, of unit length up to rounding.
    quaternion: [f64; 4],
    /// The rows of the rotation matrix of the pose, computed from the quaternion.
    matrix: [[f64; 3]; 3],
    translation: [f64; 3],
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// Returns the identity pose, which moves nothing.
    pub fn identity() -> Self {
        Self::from_unit([1.0, 0.0, 0.0, 0.0], [0.0; 3])
    }

    /// Whether this is the identity pose.
    #[inline]
    pub(crate) fn is_identity(&self) -> bool {
        self.translation == [0.0; 3] && self.quaternion == [1.0, 0.0, 0.0, 0.0]
    }

    /// Returns the pose of a rotation and a translation.
    ///
    /// # Errors
    /// When a coordinate of the translation is not finite or its magnitude exceeds
    /// [`COORDINATE_MAX`], or the quaternion is not of unit length (nalgebra can make a
    /// `UnitQuaternion` without a check).
    pub fn new(rotation: UnitQuaternion<f64>, translation: [f64; 3]) -> Result<Self> {
        let [tx, ty, tz] = translation;
        Self::from_numbers(&[tx, ty, tz, rotation.w, rotation.i, rotation.j, rotation.k])
    }

    /// Returns a pose that only translates.
    ///
    /// # Errors
    /// As [`Pose::from_numbers`].
    pub fn from_translation(translation: [f64; 3]) -> Result<Self> {
        Self::from_numbers(&translation)
    }

    /// Returns a pose from its numbers, `tx, ty, tz` or `tx, ty, tz, qw, qx, qy, qz`.
    ///
    /// # Errors
    /// When there are neither 3 nor 7 numbers, when a number is not finite or the magnitude of
    /// `tx`, `ty` or `tz` exceeds [`COORDINATE_MAX`] (the error names the number), or when the
    /// quaternion's length differs from 1 by more than [`ROTATION_TOLERANCE`].
    pub fn from_numbers(numbers: &[f64]) -> Result<Self> {
        if numbers.len() != 3 && numbers.len() != 7 {
            return Err(Error::argument(
                Argument::Pose,
                format!("{} numbers", numbers.len()),
                "3 (tx,ty,tz) or 7 (tx,ty,tz,qw,qx,qy,qz)",
            ));
        }
        for (&x, i) in numbers.iter().zip(0..).take(3) {
            if x.is_nan() || x.abs() > COORDINATE_MAX {
                return Err(Error::argument(
                    Argument::PoseNumber(i),
                    format!("{x:?}"),
                    "a finite number of magnitude at most 1.6e60",
                ));
            }
        }
        for (&x, i) in numbers.iter().zip(0..).skip(3) {
            if !x.is_finite() {
                return Err(Error::argument(
                    Argument::PoseNumber(i),
                    format!("{x:?}"),
                    "a finite number",
                ));
            }
        }
        let quaternion = match numbers {
            [_, _, _, w, x, y, z] => {
                checked_quaternion(Argument::PoseQuaternion, [*w, *x, *y, *z])?
            }
            _ => [1.0, 0.0, 0.0, 0.0],
        };
        Ok(Self::from_unit(
            quaternion,
            [numbers[0], numbers[1], numbers[2]],
        ))
    }

    /// Returns a pose from the rows of a 4x4 matrix that acts on columns `(x, y, z, 1)`.
    ///
    /// # Errors
    /// When an entry is not finite, the last row is not `0 0 0 1`, or the upper
    /// left block is not a rotation (orthonormal and right-handed) within
    /// [`ROTATION_TOLERANCE`].
    pub fn from_matrix(rows: &[[f64; 4]; 4]) -> Result<Self> {
        for (i, row) in rows.iter().enumerate() {
            if !row.iter().all(|x| x.is_finite()) {
                return Err(Error::item(
                    Argument::MatrixRow,
                    i,
                    format!("{row:?}"),
                    "finite numbers",
                ));
            }
        }
        let affine = [0.0, 0.0, 0.0, 1.0];
        if (0..4).any(|j| (rows[3][j] - affine[j]).abs() > ROTATION_TOLERANCE) {
            return Err(Error::item(
                Argument::MatrixRow,
                3,
                format!("{:?}", rows[3]),
                "[0, 0, 0, 1]",
            ));
        }
        let m: [[f64; 3]; 3] = std::array::from_fn(|i| [rows[i][0], rows[i][1], rows[i][2]]);
        for i in 0..3 {
            for j in 0..=i {
                let product = dot(m[i], m[j]);
                let expected = if i == j { 1.0 } else { 0.0 };
                let deviation = (product - expected).abs();
                // Overflows of opposite sign add up to NaN.
                if deviation.is_nan() || deviation > ROTATION_TOLERANCE {
                    return Err(Error::argument(
                        Argument::Matrix,
                        format!("row {i} times row {j} = {}", number(product)),
                        format!("{expected} within {ROTATION_TOLERANCE:e}: a rotation"),
                    ));
                }
            }
        }
        let determinant = dot(m[0], cross(m[1], m[2]));
        if determinant < 0.0 {
            return Err(Error::argument(
                Argument::Matrix,
                format!("determinant {}, a reflection", number(determinant)),
                "determinant 1: a rotation",
            ));
        }
        let [w, x, y, z] = quaternion_of_matrix(&m);
        Self::from_numbers(&[rows[0][3], rows[1][3], rows[2][3], w, x, y, z])
    }

    /// Returns a pose from a quaternion of unit length up to rounding, without a check.
    pub(crate) fn from_unit(quaternion: [f64; 4], translation: [f64; 3]) -> Self {
        Self {
            quaternion,
            matrix: matrix_of_quaternion(quaternion),
            translation,
        }
    }

    /// Returns the rotation of the pose.
    pub fn rotation(&self) -> UnitQuaternion<f64> {
        unit_quaternion(self.quaternion)
    }

    /// Returns the rows of the rotation matrix of the pose, which [`Pose::apply`] uses.
    #[inline]
    pub fn rotation_matrix(&self) -> [[f64; 3]; 3] {
        self.matrix
    }

    /// Returns the translation of the pose.
    #[inline]
    pub fn translation(&self) -> [f64; 3] {
        self.translation
    }

    /// Returns the translation of the pose as a vector of nalgebra.
    #[inline]
    pub fn translation_vector(&self) -> Vector<3> {
        Vector::from(self.translation)
    }

    /// Returns the numbers of the pose, `tx, ty, tz, qw, qx, qy, qz`; [`Pose::from_numbers`] gives
    /// the same pose back, bit for bit.
    pub fn to_numbers(&self) -> [f64; 7] {
        let [tx, ty, tz] = self.translation;
        let [w, x, y, z] = self.quaternion;
        [tx, ty, tz, w, x, y, z]
    }

    /// Returns whether the pose is a pure translation, without a rotation.
    #[inline]
    pub fn is_translation(&self) -> bool {
        self.quaternion[1..] == [0.0; 3]
    }

    /// Applies the pose to a point. Each coordinate is a row of the rotation matrix times the point
    /// plus the translation, summed from left to right; without a rotation it is `x + t`, rounded
    /// once.
    #[inline]
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = p;
        flushed(std::array::from_fn(|i| {
            let m = &self.matrix[i];
            m[0] * x + m[1] * y + m[2] * z + self.translation[i]
        }))
    }

    /// Applies the rotation of the pose, without its translation, to a vector.
    #[inline]
    pub fn rotate(&self, v: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = v;
        std::array::from_fn(|i| {
            let m = &self.matrix[i];
            m[0] * x + m[1] * y + m[2] * z
        })
    }

    /// Applies the inverse of the rotation of the pose to a vector.
    #[inline]
    pub(crate) fn rotate_back(&self, v: [f64; 3]) -> [f64; 3] {
        let m = &self.matrix;
        std::array::from_fn(|k| m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2])
    }

    /// Returns the pose extrapolated by one step. The motion from the earlier pose `before` to this
    /// pose is applied to this pose once more; `before` holds [numbers](Pose::to_numbers) of a
    /// pose.
    pub(crate) fn ahead(&self, before: &[f64; 7]) -> Self {
        let [tx, ty, tz, w, x, y, z] = *before;
        let q = self.quaternion;
        let turn = product(q, [w, -x, -y, -z]);
        let t = self.translation;
        Self::from_unit(
            product(turn, q),
            [2.0 * t[0] - tx, 2.0 * t[1] - ty, 2.0 * t[2] - tz],
        )
    }

    /// Returns this pose with the rotation by the unit quaternion `turn` applied after its own
    /// rotation; the translation stays.
    pub(crate) fn turned(&self, turn: [f64; 4]) -> Self {
        Self::from_unit(normalised(product(turn, self.quaternion)), self.translation)
    }

    /// Returns the pose with the same rotation and another translation, which the caller ensures to
    /// be valid.
    pub(crate) fn at(&self, translation: [f64; 3]) -> Self {
        Self {
            translation: flushed(translation),
            ..*self
        }
    }

    /// Returns the pose with the same rotation and the translation of a valid pose, bit for bit.
    #[inline]
    pub(crate) fn moved_to(&self, translation: [f64; 3]) -> Self {
        Self {
            translation,
            ..*self
        }
    }

    /// Returns the quaternion of the pose; [`from_unit`](Self::from_unit) makes the same rotation of it.
    #[inline]
    pub(crate) fn quaternion(&self) -> [f64; 4] {
        self.quaternion
    }

    /// Returns the inverse pose. Its rotation matrix is exactly the transpose; its translation is
    /// rounded.
    pub fn inverse(&self) -> Self {
        let [w, x, y, z] = self.quaternion;
        let inverse = Self::from_unit([w, -x, -y, -z], [0.0; 3]);
        let t = flushed(inverse.rotate(self.translation).map(|x| 0.0 - x));
        Self {
            translation: t,
            ..inverse
        }
    }

    /// Returns the composition of two poses: `first`, then `self`.
    pub fn compose(&self, first: &Self) -> Self {
        let product = product(self.quaternion, first.quaternion);
        Self::from_unit(normalised(product), self.apply(first.translation))
    }
}

/// Writes a pose as seven numbers with commas, `tx,ty,tz,qw,qx,qy,qz`, in the shortest digits that
/// [`Pose::from_str`] reads back to the same pose.
impl fmt::Display for Pose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, x) in self.to_numbers().into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{x:?}")?;
        }
        Ok(())
    }
}

/// Reads a pose, `tx,ty,tz` or `tx,ty,tz,qw,qx,qy,qz`.
impl FromStr for Pose {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::from_numbers(&numbers_from_str(Argument::Pose, text)?)
    }
}

/// A similarity: a uniform scaling about the origin, then a [`Pose`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    scale: f64,
    pose: Pose,
}

impl Default for Similarity {
    fn default() -> Self {
        Pose::identity().into()
    }
}

impl From<Pose> for Similarity {
    fn from(pose: Pose) -> Self {
        Self { scale: 1.0, pose }
    }
}

impl Similarity {
    /// Returns the similarity of a scaling by `scale`, then `pose`. A negative scale reflects.
    ///
    /// # Errors
    /// When the scale is 0 or not finite, or when its magnitude is out of the range of valid
    /// coordinates.
    pub fn new(scale: f64, pose: Pose) -> Result<Self> {
        let magnitude = scale.abs();
        if !(COORDINATE_MIN..=COORDINATE_MAX).contains(&magnitude) {
            return Err(Error::argument(
                Argument::Scale,
                format!("{scale:?}"),
                "a number other than 0 of magnitude 4.9e-91 to 1.6e60",
            ));
        }
        Ok(Self { scale, pose })
    }

    /// Returns the scale factor of the similarity.
    #[inline]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the pose of the similarity, which is applied after the scaling.
    #[inline]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns whether the similarity is a reflection; the triangles of a surface must then be
    /// reversed for their normals to still point outward.
    #[inline]
    pub fn mirrors(&self) -> bool {
        self.scale < 0.0
    }

    /// Applies the similarity to a point: [`Pose::apply`] of the scaled point.
    #[inline]
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        self.pose.apply(p.map(|x| self.scale * x))
    }
}

/// Whether rows are those of a rotation matrix within
/// [`ROTATION_TOLERANCE`](super::ROTATION_TOLERANCE). Readers of poses refuse such rows where they
/// would count as three translations.
///
/// ```
/// use tangere::geometry::is_rotation_matrix;
///
/// assert!(is_rotation_matrix(&[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
/// assert!(!is_rotation_matrix(&[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]));
/// ```
pub fn is_rotation_matrix(rows: &[[f64; 3]; 3]) -> bool {
    let [a, b, c] = rows.map(|[x, y, z]| [x, y, z, 0.0]);
    Pose::from_matrix(&[a, b, c, [0.0, 0.0, 0.0, 1.0]]).is_ok()
}
