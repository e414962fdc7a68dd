//! Readers of array arguments, and makers of array results. Everything that NumPy converts to an
//! array is accepted. Every error names the argument.
//!
//! Native aligned arrays are read in their own memory, whatever their strides; only other dtypes,
//! byte orders and misaligned memory are converted first.

use numpy::ndarray::{Array2, ArrayView2, Axis, Ix2};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use tangere::geometry::Aabb;

use crate::errors::{What, refused, value_error};

/// Reads an argument as an array whose dtype is of one of `kinds`, NumPy's codes such as `f` for
/// floats.
fn array<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    kinds: &[u8],
    expected: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = value.py();
    refuse_masked(value, name)?;
    let given = value.cast::<PyUntypedArray>();
    let array = match given {
        Ok(array) => array.clone(),
        Err(_) => value
            .py()
            .import("numpy")?
            .call_method1("asarray", (value,))
            .map_err(|e| {
                // NumPy's errors, as for ragged lists, get the name of the argument; errors raised
                // by `__array__` are passed on.
                let message = format!("{name}: {}", e.value(py));
                if e.is_instance_of::<PyValueError>(py) {
                    PyValueError::new_err(message)
                } else if e.is_instance_of::<PyTypeError>(py) {
                    PyTypeError::new_err(message)
                } else {
                    e
                }
            })?
            .cast_into::<PyUntypedArray>()?,
    };
    // An empty list has no dtype of its own; its shape is checked later.
    let untyped = given.is_err() && array.is_empty();
    if untyped || kinds.contains(&array.dtype().kind()) {
        Ok(array)
    } else {
        Err(PyTypeError::new_err(format!(
            "{name}: found dtype {}, expected {expected}",
            array.dtype()
        )))
    }
}

/// Refuses a masked array of NumPy with masked values, whose data are no numbers to rely on.
pub fn refuse_masked(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let is_plain = value.is_exact_instance_of::<PyUntypedArray>();
    if is_plain || value.cast::<PyUntypedArray>().is_err() {
        return Ok(());
    }
    let is_masked = value
        .py()
        .import("numpy.ma")?
        .call_method1("is_masked", (value,))?;
    match is_masked.is_truthy()? {
        true => Err(refused(name, "masked values", "none: fill or drop them")),
        false => Ok(()),
    }
}

/// Returns the array itself if its elements are of type `T` and can be read in their own memory.
fn typed<'py, T: Element>(array: &Bound<'py, PyUntypedArray>) -> Option<Bound<'py, PyArrayDyn<T>>> {
    let size = size_of::<T>() as isize;
    let readable = array.is_aligned() && array.strides().iter().all(|stride| stride % size == 0);
    let typed = array.cast::<PyArrayDyn<T>>().ok()?;
    readable.then(|| typed.clone())
}

/// Converts the array to the dtype of `T`.
fn converted<'py, T: Element>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let converted = array.call_method1("astype", (dtype,))?;
    Ok(converted.cast_into::<PyArrayDyn<T>>()?)
}

/// Reads an argument as an array of float64.
fn floats<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let array = array(value, name, b"fiu", "an array of real numbers")?;
    if array.dtype().itemsize() == 8 && array.ndim() <= 32 {
        match array.dtype().kind() {
            b'i' => check_exact::<i64>(&array, name, "int64")?,
            b'u' => check_exact::<u64>(&array, name, "uint64")?,
            _ => {}
        }
    }
    typed(&array).map_or_else(|| converted(&array, "float64"), Ok)
}

/// Returns an error that names the first integer of an array that float64 does not hold exactly.
fn check_exact<T: Element + Copy + Into<i128>>(
    array: &Bound<'_, PyUntypedArray>,
    name: &str,
    dtype: &str,
) -> PyResult<()> {
    let integers = typed::<T>(array).map_or_else(|| converted(array, dtype), Ok)?;
    let integers = integers.try_readonly()?;
    let is_rounded = |&x: &T| {
        let x: i128 = x.into();
        x as f64 as i128 != x
    };
    let view = integers.as_array();
    let Some((i, &found)) = view.iter().enumerate().find(|(_, x)| is_rounded(x)) else {
        return Ok(());
    };
    let row = view.shape().iter().skip(1).product::<usize>().max(1);
    let expected = "an integer that float64 holds exactly, as all up to 2^53";
    let place = format!("{name}[{}]", i / row);
    Err(refused(&place, found.into(), expected))
}

/// Formats a shape as Python prints it.
fn written(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => {
            let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    }
}

/// Returns the error of an array of the wrong shape.
pub fn wrong_shape(name: &str, shape: &[usize], expected: impl std::fmt::Display) -> PyErr {
    refused(name, format_args!("shape {}", written(shape)), expected)
}

/// Returns the rows of an array with `D` columns. The shape is checked first: arrays with more than
/// 32 axes, which NumPy 2 allows, have no view.
fn rows<'a, const D: usize>(
    array: &'a PyReadonlyArrayDyn<'_, f64>,
    name: &str,
) -> PyResult<ArrayView2<'a, f64>> {
    let shape = array.shape();
    let refusal = || wrong_shape(name, shape, format_args!("(N, {D})"));
    match shape {
        [_, columns] if *columns == D => {
            let rows = array.as_array().into_dimensionality::<Ix2>();
            rows.map_err(|_| refusal())
        }
        _ => Err(refusal()),
    }
}

/// Copies all numbers of an array, in row-major order.
fn copied(array: &Bound<'_, PyArrayDyn<f64>>) -> PyResult<Vec<f64>> {
    let array = array.try_readonly()?;
    let view = array.as_array();
    let mut numbers = reserved(view.len())?;
    numbers.extend(view.iter().copied());
    Ok(numbers)
}

/// Returns an empty vector with memory reserved for `count` items.
pub fn reserved<T>(count: usize) -> PyResult<Vec<T>> {
    tangere::memory::reserved(count, What::Items).map_err(value_error)
}

/// Reads points in `D` dimensions; copied once.
pub fn points<const D: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; D]>> {
    points_in(&floats(value, name)?, name)
}

/// Reads points in `D` dimensions from an array with `D` columns. An empty list, which has no
/// columns, gives no points.
pub fn any_points<const D: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; D]>> {
    let array = floats(value, name)?;
    match array.shape() {
        [0] => Ok(Vec::new()),
        _ => points_in(&array, name),
    }
}

fn points_in<const D: usize>(
    array: &Bound<'_, PyArrayDyn<f64>>,
    name: &str,
) -> PyResult<Vec<[f64; D]>> {
    let array = array.try_readonly()?;
    let rows = rows::<D>(&array, name)?;
    let mut points = reserved(rows.nrows())?;
    match rows.to_slice() {
        Some(slice) => points.extend_from_slice(slice.as_chunks::<D>().0),
        None => points.extend(
            rows.rows()
                .into_iter()
                .map(|row| std::array::from_fn(|k| row[k])),
        ),
    }
    Ok(points)
}

/// Reads two points in space, which are `what`.
pub fn two_points(value: &Bound<'_, PyAny>, name: &str, what: &str) -> PyResult<[[f64; 3]; 2]> {
    let array = floats(value, name)?;
    let refusal = || wrong_shape(name, array.shape(), format_args!("(2, 3): {what}"));
    if array.shape() != [2, 3] {
        return Err(refusal());
    }
    points_in(&array, name)?.try_into().map_err(|_| refusal())
}

/// Points in 2 or 3 dimensions.
pub enum Points {
    /// Points in the plane.
    Plane(Vec<[f64; 2]>),
    /// Points in space.
    Space(Vec<[f64; 3]>),
}

/// Reads points from an array of two or three columns; copied once.
pub fn points_2_or_3(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Points> {
    let array = floats(value, name)?;
    match array.shape() {
        [_, 2] => points(&array, name).map(Points::Plane),
        [_, 3] => points(&array, name).map(Points::Space),
        shape => Err(wrong_shape(name, shape, "(N, 2) or (N, 3)")),
    }
}

/// Boxes in 2 or 3 dimensions.
pub enum Boxes {
    /// Boxes in the plane.
    Plane(Vec<Aabb<2>>),
    /// Boxes in space.
    Space(Vec<Aabb<3>>),
}

/// Reads finite boxes from two arrays of corners, each of two or three columns; copied once.
pub fn boxes_2_or_3(lower: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<Boxes> {
    let lower = floats(lower, "lower")?;
    match lower.shape() {
        [_, 2] => boxes(&lower, upper, Ends::Finite).map(Boxes::Plane),
        [_, 3] => boxes(&lower, upper, Ends::Finite).map(Boxes::Space),
        shape => Err(wrong_shape("lower", shape, "(N, 2) or (N, 3)")),
    }
}

/// Which coordinates of the corners of boxes are valid.
#[derive(Clone, Copy, PartialEq)]
pub enum Ends {
    /// Finite coordinates only.
    Finite,
    /// Finite and infinite coordinates.
    Any,
}

/// Reads boxes in `D` dimensions from the arguments `lower` and `upper`; copied once.
pub fn boxes<const D: usize>(
    lower: &Bound<'_, PyAny>,
    upper: &Bound<'_, PyAny>,
    ends: Ends,
) -> PyResult<Vec<Aabb<D>>> {
    let lower = floats(lower, "lower")?;
    let upper = floats(upper, "upper")?;
    let (lower, upper) = (lower.try_readonly()?, upper.try_readonly()?);
    let lower = rows::<D>(&lower, "lower")?;
    let upper = rows::<D>(&upper, "upper")?;
    if lower.nrows() != upper.nrows() {
        let expected = format!("{}, that of lower", written(lower.shape()));
        return Err(wrong_shape("upper", upper.shape(), expected));
    }
    let mut boxes = reserved(lower.nrows())?;
    for (i, (min, max)) in lower.rows().into_iter().zip(upper.rows()).enumerate() {
        let bounds = Aabb {
            min: std::array::from_fn(|k| min[k]),
            max: std::array::from_fn(|k| max[k]),
        };
        check_box(i, &bounds, ends)?;
        boxes.push(bounds);
    }
    Ok(boxes)
}

/// Refuses a box with an invalid corner, or with its upper corner below its lower one.
fn check_box<const D: usize>(i: usize, bounds: &Aabb<D>, ends: Ends) -> PyResult<()> {
    let may_be = |x: f64| x.is_finite() || ends == Ends::Any && !x.is_nan();
    for (name, corner) in [("lower", bounds.min), ("upper", bounds.max)] {
        if !corner.into_iter().all(may_be) {
            let expected = match ends {
                Ends::Finite => "finite numbers",
                Ends::Any => "numbers, finite or not",
            };
            return Err(refused(
                &format!("{name}[{i}]"),
                format_args!("{corner:?}"),
                expected,
            ));
        }
    }
    if bounds.is_empty() {
        return Err(refused(
            &format!("upper[{i}]"),
            format_args!("{:?}", bounds.max),
            format_args!("nothing below lower[{i}], {:?}", bounds.min),
        ));
    }
    Ok(())
}

/// Reads a one-dimensional array of float64; copied once.
pub fn numbers(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let array = floats(value, name)?;
    match array.shape() {
        [_] => copied(&array),
        shape => Err(wrong_shape(name, shape, "(N,)")),
    }
}

/// Reads a number for each of `count` items, or one for all; copied once. Whether there are as many
/// is for the caller to check.
pub fn numbers_for(value: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<f64>> {
    let array = floats(value, name)?;
    match array.shape() {
        [] => {
            let one = copied(&array)?;
            let mut numbers = reserved(count)?;
            numbers.resize(count, one[0]);
            Ok(numbers)
        }
        [_] => copied(&array),
        shape => Err(wrong_shape(name, shape, "(N,) or a number")),
    }
}

/// Reads an array of float64 whose rows, the items along its first axis, have one of `shapes`.
/// Returns all numbers in row-major order, copied once, and the count of numbers in a row.
pub fn rows_of(
    value: &Bound<'_, PyAny>,
    name: &str,
    shapes: &[&[usize]],
) -> PyResult<(Vec<f64>, usize)> {
    let array = floats(value, name)?;
    let found = array.shape();
    let fits = |shape: &&&[usize]| found.split_first().is_some_and(|(_, row)| row == **shape);
    let Some(shape) = shapes.iter().find(fits) else {
        let of_rows = |shape: &&[usize]| {
            let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("(N, {})", sizes.join(", "))
        };
        let expected: Vec<String> = shapes.iter().map(of_rows).collect();
        return Err(wrong_shape(name, found, expected.join(" or ")));
    };
    Ok((copied(&array)?, shape.iter().product()))
}

/// Returns the shape of an array of numbers.
pub fn shape_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<usize>> {
    Ok(floats(value, name)?.shape().to_vec())
}

/// Reads a small array of float64 of one of `shapes`, in row-major order.
pub fn small(value: &Bound<'_, PyAny>, name: &str, shapes: &[&[usize]]) -> PyResult<Vec<f64>> {
    let array = floats(value, name)?;
    if !shapes.contains(&array.shape()) {
        let expected: Vec<String> = shapes.iter().map(|shape| written(shape)).collect();
        return Err(wrong_shape(name, array.shape(), expected.join(" or ")));
    }
    copied(&array)
}

/// Reads `N` numbers.
pub fn vector<const N: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; N]> {
    let numbers = small(value, name, &[&[N]])?;
    Ok(std::array::from_fn(|k| numbers[k]))
}

/// Reads an argument as an array of integers.
fn whole<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    array(value, name, b"iu", "an array of integers")
}

/// Function that formats the integer at a position of an array.
type Written<'a> = &'a dyn Fn(usize) -> String;

/// Reads rows of `N` integers from 0 to below a limit, of any dtype; copied once. For an invalid
/// integer `refusal` returns the error, from the position of the integer and a function that
/// formats it.
fn integers<const N: usize>(
    array: &Bound<'_, PyUntypedArray>,
    below: u64,
    refusal: impl Fn(usize, Written<'_>) -> PyErr,
) -> PyResult<Vec<[u32; N]>> {
    fn taken<T, const N: usize>(
        array: &Bound<'_, PyArrayDyn<T>>,
        below: u64,
        refusal: impl Fn(usize, Written<'_>) -> PyErr,
    ) -> PyResult<Vec<[u32; N]>>
    where
        T: Element + Copy + std::fmt::Display + TryInto<u32>,
    {
        let array = array.try_readonly()?;
        // Views with a known number of axes are read several times as fast.
        let view = match array.ndim() {
            1 => array.as_array().insert_axis(Axis(1)),
            _ => array.as_array(),
        };
        let view = view.into_dimensionality::<Ix2>();
        let view = view.map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
        let mut rows: Vec<[u32; N]> = reserved(view.len() / N)?;
        rows.resize(view.len() / N, [0; N]);
        for (i, (slot, &x)) in rows.as_flattened_mut().iter_mut().zip(&view).enumerate() {
            *slot = match x.try_into() {
                Ok(n) if u64::from(n) < below => n,
                _ => {
                    let written = |k| view.iter().nth(k).map_or(String::new(), T::to_string);
                    return Err(refusal(i, &written));
                }
            };
        }
        Ok(rows)
    }
    if let Some(array) = typed::<u32>(array) {
        taken(&array, below, refusal)
    } else if let Some(array) = typed::<i32>(array) {
        taken(&array, below, refusal)
    } else if let Some(array) = typed::<i64>(array) {
        taken(&array, below, refusal)
    } else if let Some(array) = typed::<u64>(array) {
        taken(&array, below, refusal)
    } else if array.dtype().kind() == b'u' {
        taken(&converted::<u64>(array, "uint64")?, below, refusal)
    } else {
        taken(&converted::<i64>(array, "int64")?, below, refusal)
    }
}

/// Reads triangles with vertex indices below `vertex_count`, from integers of any type; copied
/// once.
pub fn triangles(
    value: &Bound<'_, PyAny>,
    name: &str,
    vertex_count: usize,
) -> PyResult<Vec<[u32; 3]>> {
    let array = whole(value, name)?;
    let [_, 3] = array.shape() else {
        return Err(wrong_shape(name, array.shape(), "(N, 3)"));
    };
    integers(&array, vertex_count as u64, |i, written| {
        let row = [0, 1, 2].map(|k| written(i / 3 * 3 + k));
        refused(
            &format!("{name}[{}]", i / 3),
            format_args!("[{}]", row.join(", ")),
            format_args!("indices from 0 to below {vertex_count}, the number of vertices"),
        )
    })
}

/// What error messages name as expected if an integer does not fit u32.
const UNSIGNED: &str = "an integer from 0 to 4294967295";

/// Reads the node indices of faces with `nodes` each, one face after another, from integers of any
/// type; copied once.
pub fn face_rows(value: &Bound<'_, PyAny>, name: &str, nodes: usize) -> PyResult<Vec<u32>> {
    let array = whole(value, name)?;
    match array.shape() {
        // The argument is an empty list.
        [0] => return Ok(Vec::new()),
        [_, columns] if *columns == nodes => {}
        shape => return Err(wrong_shape(name, shape, format_args!("(M, {nodes})"))),
    }
    let numbers = integers::<1>(&array, u64::MAX, |i, written| {
        let found = format!("node {}", written(i));
        refused(&format!("{name}[{}]", i / nodes), found, UNSIGNED)
    })?;
    Ok(numbers.into_flattened())
}

/// Reads rows of two integers from 0 to below 2^32; copied once.
pub fn pairs(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[u32; 2]>> {
    let array = whole(value, name)?;
    match array.shape() {
        // The argument is an empty list.
        [0] => Ok(Vec::new()),
        [count, 2] => unsigned(&array, name, *count),
        shape => Err(wrong_shape(name, shape, "(M, 2)")),
    }
}

/// Reads integers from 0 to below 2^32, `N` for each of `count` items: an array of shape (count,)
/// if `N` is 1, or (count, N); copied once.
pub fn unsigned<const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
    count: usize,
) -> PyResult<Vec<[u32; N]>> {
    let array = whole(value, name)?;
    let wanted = [count, N];
    let wanted = if N == 1 { &wanted[..1] } else { &wanted };
    if array.shape() != wanted {
        let expected = format!("{}, one for each item", written(wanted));
        return Err(wrong_shape(name, array.shape(), expected));
    }
    integers(&array, u64::MAX, |i, written| {
        refused(&format!("{name}[{}]", i / N), written(i), UNSIGNED)
    })
}

/// Reads ids, integers from 0 to below 2^64, from an array of shape (N,); copied once.
pub fn ids(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    let array = whole(value, name)?;
    let [_] = array.shape() else {
        return Err(wrong_shape(name, array.shape(), "(N,)"));
    };
    if array.dtype().kind() == b'u' {
        let numbers = typed(&array).map_or_else(|| converted(&array, "uint64"), Ok)?;
        let numbers = numbers.try_readonly()?;
        return Ok(numbers.as_array().iter().copied().collect());
    }
    let numbers = typed::<i64>(&array).map_or_else(|| converted(&array, "int64"), Ok)?;
    let numbers = numbers.try_readonly()?;
    let each = numbers.as_array();
    let each = each.iter().enumerate().map(|(i, &n)| {
        let expected = "an integer from 0 to 2^64 - 2";
        u64::try_from(n).map_err(|_| refused(&format!("{name}[{i}]"), n, expected))
    });
    each.collect()
}

/// Returns points as an array that owns their memory; nothing is copied.
pub fn from_points<T: Element, const D: usize>(
    py: Python<'_>,
    points: Vec<[T; D]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let shape = (points.len(), D);
    let array = Array2::from_shape_vec(shape, points.into_flattened())
        .map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
    Ok(PyArray2::from_owned_array(py, array))
}

/// Returns numbers as an array that owns their memory; nothing is copied.
pub fn from_numbers<T: Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers)
}

/// Rows of different lengths in compressed form (CSR): the offsets of the rows, and the items of
/// all rows.
pub type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);

/// Returns rows of different lengths as two arrays: `ends`, the offsets of the rows in `indices`
/// and the end of the last row, and `indices`, the items of all rows.
pub fn from_rows(py: Python<'_>, (ends, indices): (Vec<usize>, Vec<u32>)) -> Rows<'_> {
    let ends = ends.into_iter().map(|end| end as i64).collect();
    (from_numbers(py, ends), from_numbers(py, indices))
}

/// Returns a read-only array over memory that `owner` keeps alive.
///
/// # Safety
/// `items` must stay valid and unchanged for as long as `owner` lives.
pub unsafe fn borrowed<'py, T: Element, const D: usize>(
    items: &[[T; D]],
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    // SAFETY: the caller guarantees it; the array keeps a reference to the owner.
    let array = unsafe { PyArray2::borrow_from_array(&ArrayView2::from(items), owner) };
    // NumPy refuses to set the flag again: neither the array nor its base owns
    // writeable memory.
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
