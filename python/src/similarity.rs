//! Scalings, rotations and translations from their arguments.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tangere::geometry::{Pose, Similarity};

use crate::arguments::number;
use crate::arrays::small;
use crate::errors::{argument_error, value_error};

/// A scaling, then a rotation, then a translation; each may be missing.
pub fn similarity(
    scale: Option<&Bound<'_, PyAny>>,
    rotate: Option<&Bound<'_, PyAny>>,
    translate: Option<&Bound<'_, PyAny>>,
    pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<Similarity> {
    let scale = scale.map_or(Ok(1.0), |scale| number(scale, "scale"))?;
    let pose = match pose {
        Some(_) if rotate.is_some() || translate.is_some() => Err(PyTypeError::new_err(
            "pose: found rotate or translate beside it, expected pose alone",
        )),
        Some(pose) => whole(pose),
        None => parts(rotate, translate),
    }?;
    Similarity::new(scale, pose).map_err(value_error)
}

/// A pose from one argument.
fn whole(pose: &Bound<'_, PyAny>) -> PyResult<Pose> {
    let numbers = small(pose, "pose", &[&[3], &[7], &[4, 4]])?;
    match numbers.as_chunks::<4>() {
        ([a, b, c, d], []) => Pose::from_matrix(&[*a, *b, *c, *d]),
        _ => Pose::from_numbers(&numbers),
    }
    .map_err(|e| argument_error("pose", e))
}

/// A pose from a rotation and a translation.
fn parts(
    rotate: Option<&Bound<'_, PyAny>>,
    translate: Option<&Bound<'_, PyAny>>,
) -> PyResult<Pose> {
    let rotation = match rotate {
        None => Pose::identity(),
        Some(rotate) => {
            let r = small(rotate, "rotate", &[&[4], &[3, 3]])?;
            match r[..] {
                [a, b, c, d, e, f, g, h, i] => Pose::from_matrix(&[
                    [a, b, c, 0.0],
                    [d, e, f, 0.0],
                    [g, h, i, 0.0],
                    [0.0, 0.0, 0.0, 1.0],
                ]),
                _ => Pose::from_numbers(&[&[0.0; 3], &r[..]].concat()),
            }
            .map_err(|e| argument_error("rotate", e))?
        }
    };
    let Some(translate) = translate else {
        return Ok(rotation);
    };
    let mut numbers = rotation.to_numbers();
    numbers[..3].copy_from_slice(&small(translate, "translate", &[&[3]])?);
    Pose::from_numbers(&numbers).map_err(|e| argument_error("translate", e))
}
