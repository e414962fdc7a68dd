//! Rotations: from text, from an axis, as quaternion and as matrix.
//!
//! A quaternion is `[w, x, y, z]` here. Every function keeps components of equal magnitude equal,
//! which makes quarter turns exact (see the head of `pose`).

use nalgebra::{Quaternion, UnitQuaternion};

use super::vector::{dot, largest};
use crate::error::{Argument, Error, Result, number};

/// The largest error that is accepted in a rotation given as numbers: the difference of the length
/// of a quaternion from 1, or of an entry of `R R^T` from that of the identity matrix. Files
/// written by people and by `%g` have six digits; a larger error is more likely a mistake than
/// rounding.
pub const ROTATION_TOLERANCE: f64 = 1e-6;

/// The largest difference of the squared length of a quaternion from 1 at which it counts as
/// normalised. Such a quaternion is not divided by its length again, so that a pose is the same,
/// bit for bit, after it was written and read.
const UNIT_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Reads a rotation from text: `x:90`, `y:-30`, `-z:45` (axis and degrees), `1,1,0:30` (any axis)
/// or `w,x,y,z` (a quaternion of unit length). Rotations are right-handed: `z:90` maps x to y.
///
/// Multiples of 90 degrees about x, y and z are exact: their matrices hold only
/// 0, 1 and -1.
///
/// # Errors
/// When the text is none of these, a number is not finite, the axis is zero or
/// the quaternion's length is not 1 within [`ROTATION_TOLERANCE`].
pub fn rotation_from_str(text: &str) -> Result<UnitQuaternion<f64>> {
    const EXPECTED: &str =
        "an axis and degrees such as `x:90` or `1,1,0:30`, or a quaternion `w,x,y,z`";
    let Some((axis_text, degrees_text)) = text.split_once(':') else {
        let numbers = numbers_from_str(Argument::Rotation, text)?;
        let &[w, x, y, z] = numbers.as_slice() else {
            return Err(Error::argument(
                Argument::Rotation,
                format!("`{text}`"),
                EXPECTED,
            ));
        };
        return Ok(unit_quaternion(checked_quaternion(
            Argument::RotationQuaternion,
            [w, x, y, z],
        )?));
    };
    let axis = match axis_text.trim() {
        "x" | "X" => [1.0, 0.0, 0.0],
        "y" | "Y" => [0.0, 1.0, 0.0],
        "z" | "Z" => [0.0, 0.0, 1.0],
        "-x" | "-X" => [-1.0, 0.0, 0.0],
        "-y" | "-Y" => [0.0, -1.0, 0.0],
        "-z" | "-Z" => [0.0, 0.0, -1.0],
        other => match numbers_from_str(Argument::RotationAxisText, other)?.as_slice() {
            &[x, y, z] => [x, y, z],
            _ => {
                return Err(Error::argument(
                    Argument::Rotation,
                    format!("`{text}`"),
                    EXPECTED,
                ));
            }
        },
    };
    let degrees = number_from_str(Argument::RotationAngle, degrees_text)?;
    rotation_about(axis, degrees)
}

/// Returns the right-handed rotation about an axis of any length by an angle in degrees. Multiples
/// of 90 degrees about x, y and z are exact: their matrices hold only 0, 1 and -1.
///
/// # Errors
/// When a number is not finite or the axis is zero.
pub fn rotation_about(axis: [f64; 3], degrees: f64) -> Result<UnitQuaternion<f64>> {
    let largest = largest(axis);
    if !(axis.iter().all(|x| x.is_finite()) && largest > 0.0) {
        return Err(Error::argument(
            Argument::RotationAxis,
            format!("{axis:?}"),
            "three finite numbers, not all 0",
        ));
    }
    if !degrees.is_finite() {
        return Err(Error::argument(
            Argument::RotationAngle,
            number(degrees),
            "a finite number of degrees",
        ));
    }
    let scaled = axis.map(|x| x / largest);
    let length = dot(scaled, scaled).sqrt();
    // A quaternion has the period of 720 degrees; the remainder is exact.
    let (sin, cos) = half_angle(degrees % 720.0);
    let v = scaled.map(|x| sin * (x / length));
    Ok(unit_quaternion(normalised([cos, v[0], v[1], v[2]])))
}

/// Returns the sine and the cosine of half the angle of a rotation; the angle is in degrees. For
/// multiples of 90 degrees the values come from a table, so that no rounding of pi enters: they are
/// exactly 0, 1 or -1, or of exactly equal magnitude.
fn half_angle(degrees: f64) -> (f64, f64) {
    use std::f64::consts::FRAC_1_SQRT_2 as H;
    let quarters = degrees / 90.0;
    if degrees % 90.0 != 0.0 {
        return (0.5 * degrees).to_radians().sin_cos();
    }
    match (quarters as i32).rem_euclid(8) {
        0 => (0.0, 1.0),
        1 => (H, H),
        2 => (1.0, 0.0),
        3 => (H, -H),
        4 => (0.0, -1.0),
        5 => (-H, -H),
        6 => (-1.0, 0.0),
        _ => (-H, H),
    }
}

/// Reads the numbers of a rotation or a pose from text: finite, separated by commas. `what` names
/// the argument in an error.
pub(super) fn numbers_from_str(what: Argument, text: &str) -> Result<Vec<f64>> {
    text.split(',')
        .map(|part| number_from_str(what, part))
        .collect()
}

/// Reads a finite number of a rotation or a pose from text. `what` names the argument in an error.
fn number_from_str(what: Argument, text: &str) -> Result<f64> {
    match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err(Error::argument(
            what,
            format!("`{}`", text.trim()),
            "a finite number",
        )),
    }
}

/// Returns the quaternion of a rotation, normalised; an error if its length differs from 1 by more
/// than [`ROTATION_TOLERANCE`]. `what` names the argument in the error.
pub(super) fn checked_quaternion(what: Argument, q: [f64; 4]) -> Result<[f64; 4]> {
    let length = squared_length(q).sqrt();
    if length.is_nan() || (length - 1.0).abs() > ROTATION_TOLERANCE {
        return Err(Error::argument(
            what,
            format!("{q:?} of length {}", number(length)),
            format!("a quaternion w,x,y,z of length 1 within {ROTATION_TOLERANCE:e}"),
        ));
    }
    Ok(normalised(q))
}

/// Returns the product of two quaternions: the rotation by `b` and then by `a`.
pub(super) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [aw, ax, ay, az] = a;
    let [bw, bx, by, bz] = b;
    [
        (aw * bw - ax * bx) - (ay * by + az * bz),
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
    ]
}

/// Returns a rotation as the unit quaternion of nalgebra, unchanged.
pub(super) fn unit_quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

/// Returns the squared length of a quaternion, summed in pairs, so that four equal magnitudes add
/// up without rounding.
fn squared_length([w, x, y, z]: [f64; 4]) -> f64 {
    (w * w + x * x) + (y * y + z * z)
}

/// Returns a quaternion divided by its length, unless that is 1 up to rounding.
pub(super) fn normalised(q: [f64; 4]) -> [f64; 4] {
    let n = squared_length(q);
    if (n - 1.0).abs() <= UNIT_ROUNDING {
        return q;
    }
    let length = n.sqrt();
    q.map(|x| x / length)
}

/// Returns the rows of the rotation matrix of a quaternion of any length.
///
/// The entries are quadratic in `q` and divided by `n = |q|^2`, so the length of `q` cancels.
/// Because `n` is computed from the same components, `q = (h, h, 0, 0)` is a rotation by exactly 90
/// degrees whatever the rounding of `h`: `2*h*h / (h*h + h*h) = 1`.
pub(super) fn matrix_of_quaternion(q: [f64; 4]) -> [[f64; 3]; 3] {
    let [w, x, y, z] = q;
    let n = squared_length(q);
    let diagonal = |a: f64, b: f64, c: f64| ((w * w - b * b) + (a * a - c * c)) / n;
    let sum = |a: f64, b: f64| 2.0 * (a + b) / n;
    [
        [diagonal(x, y, z), sum(x * y, -w * z), sum(x * z, w * y)],
        [sum(x * y, w * z), diagonal(y, z, x), sum(y * z, -w * x)],
        [sum(x * z, -w * y), sum(y * z, w * x), diagonal(z, x, y)],
    ]
}

/// Returns the unit quaternion of a rotation matrix: the longest column of `4 q q^T` (Shepperd's
/// choice), divided by its length. All components are divided by the same number, so that equal
/// magnitudes stay equal.
pub(super) fn quaternion_of_matrix(m: &[[f64; 3]; 3]) -> [f64; 4] {
    let [a, b, c] = [m[0][0], m[1][1], m[2][2]];
    let [x, y, z] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
    let [xy, yz, zx] = [m[0][1] + m[1][0], m[1][2] + m[2][1], m[2][0] + m[0][2]];
    let columns = [
        [1.0 + a + b + c, x, y, z],
        [x, 1.0 + a - b - c, xy, zx],
        [y, xy, 1.0 - a + b - c, yz],
        [z, zx, yz, 1.0 - a - b + c],
    ];
    let mut longest = 0;
    for i in 1..4 {
        if columns[i][i] > columns[longest][longest] {
            longest = i;
        }
    }
    // The sign is chosen so that `w` is not negative: there is one quaternion for each rotation.
    let q = columns[longest];
    normalised(if q[0] < 0.0 { q.map(|x| -x) } else { q })
}
