//! Poses and similarity transformations from arguments.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyList, PyString, PyTuple};
use tangere::geometry::{Pose, Similarity, is_rotation_matrix, rotation_from_str};

use crate::arguments::{Argument, Given, number};
use crate::arrays::{reserved, rows_of, shape_of, small, wrong_shape};
use crate::errors::{What, named, refused, value_error};

/// Reads a similarity: scaling, then rotation, then translation; each may be missing.
pub fn similarity(
    scale: Given<'_>,
    rotate: Argument<'_, '_>,
    translate: Argument<'_, '_>,
    pose: Argument<'_, '_>,
) -> PyResult<Similarity> {
    let scale = scale.or(1.0, "scale", number)?;
    let pose = match pose {
        Some(_) if rotate.is_some() || translate.is_some() => Err(PyTypeError::new_err(
            "pose: found rotate or translate beside it, expected pose alone",
        )),
        Some(pose) => self::pose(pose, "pose"),
        None => placed(translate, rotate, ["translate", "rotate"]),
    }?;
    Similarity::new(scale, pose).map_err(value_error)
}

/// Reads a small array of finite numbers of one of `shapes`, in row-major order.
fn finite(value: &Bound<'_, PyAny>, name: &str, shapes: &[&[usize]]) -> PyResult<Vec<f64>> {
    let numbers = small(value, name, shapes)?;
    let Some(i) = numbers.iter().position(|x| !x.is_finite()) else {
        return Ok(numbers);
    };
    let columns = shapes.iter().find_map(|shape| match shape {
        [rows, columns] if rows * columns == numbers.len() => Some(columns),
        _ => None,
    });
    let item = match columns {
        Some(columns) => format!("{name}[{}, {}]", i / columns, i % columns),
        None => format!("{name}[{i}]"),
    };
    Err(refused(
        &item,
        format_args!("{:?}", numbers[i]),
        "a finite number",
    ))
}

/// Returns which number of a translation, 0 to 2, an error is about; `None` if it is about another
/// argument.
fn component(what: What) -> Option<u8> {
    match what {
        What::PoseNumber(i @ 0..3) => Some(i),
        _ => None,
    }
}

/// Reads a pose from one argument: 3 or 7 numbers or a matrix.
pub fn pose(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Pose> {
    if let Some((numbers, count)) = plain(value) {
        return pose_of_numbers(&numbers[..count], name);
    }
    pose_of_numbers(&finite(value, name, &[&[3], &[7], &[4, 4]])?, name)
}

/// One pose, or many poses from the rows of an array.
pub enum Poses {
    One(Pose),
    Many(Vec<Pose>),
}

impl Poses {
    /// The poses, one or many.
    pub fn as_slice(&self) -> &[Pose] {
        match self {
            Poses::One(pose) => std::slice::from_ref(pose),
            Poses::Many(poses) => poses,
        }
    }
}

/// Reads one pose as [`pose`] does, or many poses from an array with one more axis, the first.
pub fn poses(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Poses> {
    if let Some((numbers, count)) = plain(value) {
        return pose_of_numbers(&numbers[..count], name).map(Poses::One);
    }
    match shape_of(value, name)?[..] {
        [3] | [7] | [4, 4] => pose(value, name).map(Poses::One),
        [3, 3] => {
            refuse_rotation(value, name)?;
            pose_rows(value, name).map(Poses::Many)
        }
        [_, 3 | 7] | [_, 4, 4] => pose_rows(value, name).map(Poses::Many),
        ref shape => Err(wrong_shape(
            name,
            shape,
            "(3,), (7,) or (4, 4), or of many (N, 3), (N, 7) or (N, 4, 4)",
        )),
    }
}

/// Refuses a rotation matrix, whose rows would count as three translations.
fn refuse_rotation(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let (numbers, _) = rows_of(value, name, &[&[3]])?;
    match numbers.as_chunks::<3>() {
        (&[a, b, c], []) if is_rotation_matrix(&[a, b, c]) => Err(refused(
            name,
            "a 3 x 3 rotation matrix, which would count as three translations",
            "a 4 x 4 matrix or (tx, ty, tz, qw, qx, qy, qz) for a rotation; for three translations \
             rows (tx, ty, tz, 1, 0, 0, 0)",
        )),
        _ => Ok(()),
    }
}

/// Reads poses from an array of shape (N, 3), (N, 7) or (N, 4, 4).
pub fn pose_rows(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Pose>> {
    let (numbers, row) = rows_of(value, name, &[&[3], &[7], &[4, 4]])?;
    let rows = numbers.chunks_exact(row).enumerate();
    // The name is formatted only for errors.
    let mut poses = reserved(rows.len())?;
    for (i, row) in rows {
        let pose = pose_of_numbers(row, "");
        poses.push(pose.or_else(|_| pose_of_numbers(row, &format!("{name}[{i}]")))?);
    }
    Ok(poses)
}

/// Reads a list or tuple of 3 or 7 finite numbers; returns them and how many there are. Converting
/// them to an array would take longer than most queries; NumPy converts and checks everything else.
fn plain(value: &Bound<'_, PyAny>) -> Option<([f64; 7], usize)> {
    if let Ok(list) = value.cast_exact::<PyList>() {
        taken(list.iter())
    } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        taken(tuple.iter())
    } else {
        None
    }
}

fn taken<'py>(
    items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
) -> Option<([f64; 7], usize)> {
    let count = items.len();
    if count != 3 && count != 7 {
        return None;
    }
    let mut numbers = [0.0; 7];
    for (number, item) in numbers.iter_mut().zip(items) {
        if !item.is_exact_instance_of::<PyFloat>() && !item.is_exact_instance_of::<PyInt>() {
            return None;
        }
        *number = item.extract().ok().filter(|x: &f64| x.is_finite())?;
    }
    Some((numbers, count))
}

/// Returns a pose from 3, 7 or 16 finite numbers; errors call them `name`.
pub fn pose_of_numbers(numbers: &[f64], name: &str) -> PyResult<Pose> {
    match numbers.as_chunks::<4>() {
        ([a, b, c, d], []) => Pose::from_matrix(&[*a, *b, *c, *d]).map_err(|e| {
            named(e, |what, row| match (row, component(what)) {
                (Some(row), _) => format!("{name}[{row}]"),
                (_, Some(row)) => format!("{name}[{row}, 3]"),
                _ => name.into(),
            })
        }),
        _ => Pose::from_numbers(numbers).map_err(|e| {
            named(e, |what, _| match component(what) {
                Some(i) => format!("{name}[{i}]"),
                None => format!("{name}[3:]"),
            })
        }),
    }
}

/// Reads a pose from a translation and a rotation, which errors call by `names`; each may be
/// missing.
pub fn placed(
    translate: Argument<'_, '_>,
    rotate: Argument<'_, '_>,
    [name, rotate_name]: [&str; 2],
) -> PyResult<Pose> {
    let turned = rotate.map_or(Ok(Pose::identity()), |r| rotation(r, rotate_name))?;
    let Some(translate) = translate else {
        return Ok(turned);
    };
    let mut numbers = turned.to_numbers();
    numbers[..3].copy_from_slice(&finite(translate, name, &[&[3]])?);
    Pose::from_numbers(&numbers).map_err(|e| {
        named(e, |what, _| match component(what) {
            Some(i) => format!("{name}[{i}]"),
            None => name.into(),
        })
    })
}

/// Reads a rotation from a string, a quaternion or a matrix.
pub fn rotation(rotate: &Bound<'_, PyAny>, name: &str) -> PyResult<Pose> {
    if let Ok(text) = rotate.cast::<PyString>() {
        return rotation_from_str(&text.to_cow()?)
            .and_then(|rotation| Pose::new(rotation, [0.0; 3]))
            .or_else(|_| {
                Err(refused(
                    name,
                    text.repr()?,
                    "an axis and degrees such as 'x:90' or '1,1,0:30', or a quaternion \
                     'w,x,y,z' of length 1",
                ))
            });
    }
    let numbers = finite(rotate, name, &[&[4], &[3, 3]])?;
    match numbers[..] {
        [a, b, c, d, e, f, g, h, i] => Pose::from_matrix(&[
            [a, b, c, 0.0],
            [d, e, f, 0.0],
            [g, h, i, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]),
        _ => Pose::from_numbers(&[&[0.0; 3], &numbers[..]].concat()),
    }
    .map_err(|e| named(e, |_, _| name.into()))
}
