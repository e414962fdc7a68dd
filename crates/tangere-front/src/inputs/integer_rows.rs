//! Reader of rows of integers from a table or an array.

use super::paths::is_empty_text;
use super::{content, refused};
use std::path::Path;
use tangere_io::{Fault, Place, Result};

/// Reads a table or array with rows of `N` integers each. `expected` describes its shape in errors.
///
/// # Errors
/// When the file cannot be read, has another shape, or a value is no integer from 0 to 4294967295.
pub fn integer_rows<const N: usize>(path: &Path, expected: &str) -> Result<Vec<[u32; N]>> {
    if is_empty_text(path) {
        return Ok(Vec::new());
    }
    let array = tangere_io::read_array(path)?;
    let fits = match array.shape[..] {
        // An empty list has no number of columns.
        [rows] => N == 1 || rows == 0,
        [_, columns] => columns == N,
        _ => false,
    };
    if !fits {
        return Err(refused(
            path,
            "shape",
            format!("{:?}", array.shape),
            expected,
        ));
    }
    let row = |(i, row): (usize, &[f64; N])| {
        let mut integers = [0; N];
        for (integer, &x) in integers.iter_mut().zip(row) {
            // The conversion changes every value that is not an integer in the range of u32.
            *integer = x as u32;
            if f64::from(*integer) != x {
                let expected = format!("an integer from 0 to {}", u32::MAX);
                return Err(content(
                    path,
                    Fault::new(Place::Item("row", i), x, expected),
                ));
            }
        }
        Ok(integers)
    };
    let (rows, _) = array.values.as_chunks();
    rows.iter().enumerate().map(row).collect()
}
