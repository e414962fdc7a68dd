//! Groups and masks, which leave out pairs.

use super::{Steps, content, is_empty_text, refused};
use std::path::Path;
use tangere::pairs::Mask;
use tangere_io::{Fault, Place, Result};

/// Which pairs are left out; see [`tangere::pairs::PairFinder::leave_out`].
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Two of the same group are no pair; empty, or one for each item.
    pub groups: Vec<u32>,
    /// Two whose masks do not allow each other are no pair; empty, or one for each item.
    pub masks: Vec<Mask>,
}

impl Rules {
    /// From rows of integers: a group, and the kinds that an item is of and meets.
    pub fn new(groups: Vec<[u32; 1]>, masks: Vec<[u32; 2]>) -> Self {
        let mask = |[member, meets]: [u32; 2]| Mask { member, meets };
        Rules {
            groups: groups.into_flattened(),
            masks: masks.into_iter().map(mask).collect(),
        }
    }

    /// From the files that there are, with a row for each item of every step.
    ///
    /// # Errors
    /// When a file cannot be read, has other than integers, or other than a row for each item.
    pub fn read(groups: Option<&Path>, masks: Option<&Path>, steps: &Steps) -> Result<Self> {
        fn read<const N: usize>(
            path: Option<&Path>,
            expected: &str,
            steps: &Steps,
        ) -> Result<Vec<[u32; N]>> {
            let Some(path) = path else {
                return Ok(Vec::new());
            };
            let rows = integer_rows(path, expected)?;
            check(path, rows.len(), steps)?;
            Ok(rows)
        }
        let of_groups = "[N] or [N, 1], a group for each item";
        let of_masks = "[N, 2], for each item the kinds it is of and the kinds it meets";
        let groups = read(groups, of_groups, steps)?;
        Ok(Rules::new(groups, read(masks, of_masks, steps)?))
    }
}

/// Refuses rows that are not as many as the items of a step.
fn check(path: &Path, rows: usize, steps: &Steps) -> Result<()> {
    let counts = steps.frames.iter().map(|frame| frame.len()).enumerate();
    match counts.into_iter().find(|&(_, items)| items != rows) {
        None => Ok(()),
        Some((step, items)) => {
            let expected = steps.message(step, format_args!("{items}, one for each item"));
            Err(refused(path, "rows", rows, expected))
        }
    }
}

/// Rows of so many integers; `expected` names the shape where the file has another.
///
/// # Errors
/// When the file cannot be read, has another shape, or other than integers from 0 to 4294967295.
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
            // The conversion changes any value that is not such an integer.
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
