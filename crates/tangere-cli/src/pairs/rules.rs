//! Files of groups and masks: which pairs are left out.

use super::input::{Frame, Steps, is_empty_text, refused};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use tangere::pairs::{Mask, PairFinder};
use tangere_io::{Error, Fault, Place};

/// What every step leaves out.
#[derive(Debug, Default)]
pub struct Rules {
    groups: Vec<u32>,
    masks: Vec<Mask>,
}

impl Rules {
    /// From the files that there are, with a row for each item of every step.
    pub fn read<const D: usize>(
        groups: Option<&PathBuf>,
        masks: Option<&PathBuf>,
        steps: &Steps<D>,
    ) -> Result<Self, Failure> {
        let mut rules = Rules::default();
        if let Some(path) = groups {
            let expected = "[N] or [N, 1], a group for each item";
            let rows = rows(path, expected)?.into_iter();
            rules.groups = rows.map(|[group]| group).collect();
            check(path, rules.groups.len(), steps)?;
        }
        if let Some(path) = masks {
            let mask = |[member, meets]: [u32; 2]| Mask { member, meets };
            let expected = "[N, 2], for each item the kinds it is of and the kinds it meets";
            rules.masks = rows(path, expected)?.into_iter().map(mask).collect();
            check(path, rules.masks.len(), steps)?;
        }
        Ok(rules)
    }

    /// Sets the rules of a finder from its next update on.
    pub fn hand_to<const D: usize>(&self, finder: &mut dyn PairFinder<D>) {
        finder.leave_out(&self.groups, &self.masks);
    }
}

/// Refuses rows that are not as many as the items of a step.
fn check<const D: usize>(path: &Path, rows: usize, steps: &Steps<D>) -> Result<(), Failure> {
    let items = |frame: &Frame<D>| frame.items().len();
    match (steps.frames.iter().map(items).enumerate()).find(|&(_, items)| items != rows) {
        None => Ok(()),
        Some((step, items)) => {
            let expected = steps.message(step, format_args!("{items}, one for each item"));
            Err(refused(path, "rows", rows, &expected))
        }
    }
}

/// Rows of so many integers; `expected` tells the shape that is refused otherwise.
pub fn rows<const N: usize>(path: &Path, expected: &str) -> Result<Vec<[u32; N]>, Failure> {
    if is_empty_text(path) {
        return Ok(Vec::new());
    }
    let array = tangere_io::read_array(path).map_err(Failure::reading)?;
    let fits = match array.shape[..] {
        // An empty list has lost its columns.
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
            // Rounding and saturating change whatever is no such integer.
            *integer = x as u32;
            if f64::from(*integer) != x {
                let expected = format!("an integer from 0 to {}", u32::MAX);
                return Err(Failure::reading(Error::Content {
                    path: path.to_owned(),
                    fault: Fault::new(Place::Item("row", i), x, expected),
                }));
            }
        }
        Ok(integers)
    };
    array
        .values
        .as_chunks()
        .0
        .iter()
        .enumerate()
        .map(row)
        .collect()
}
