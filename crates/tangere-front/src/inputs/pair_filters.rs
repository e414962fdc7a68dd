//! Pair filters: groups and masks that exclude pairs from the broad phase.

use super::{Steps, integer_rows, refused};
use std::path::Path;
use tangere::pairs::Mask;
use tangere_io::Result;

/// Groups and masks that exclude pairs; see [`tangere::pairs::PairFinder::leave_out`].
#[derive(Clone, Debug, Default)]
pub struct PairFilters {
    /// The group of each item; empty if there are no groups. Two items of the same group are never
    /// a pair.
    pub groups: Vec<u32>,
    /// The mask of each item, which is a set of kinds it belongs to and a set of kinds it meets;
    /// empty if there are no masks. Two items are a pair only if each meets a kind that the other
    /// belongs to.
    pub masks: Vec<Mask>,
}

impl PairFilters {
    /// Returns filters from integers. A row of `groups` is the group of an item. A row of `masks`
    /// has two sets of bits: the kinds that the item belongs to, and the kinds that it meets.
    pub fn new(groups: Vec<[u32; 1]>, masks: Vec<[u32; 2]>) -> Self {
        let mask = |[member, meets]: [u32; 2]| Mask { member, meets };
        PairFilters {
            groups: groups.into_flattened(),
            masks: masks.into_iter().map(mask).collect(),
        }
    }

    /// Reads groups and masks from the given files, each with a row for each item. They apply to
    /// every step of the trajectory.
    ///
    /// # Errors
    /// When a file cannot be read, a value is no integer, or the number of rows is not that of the
    /// items.
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
        Ok(PairFilters::new(groups, read(masks, of_masks, steps)?))
    }
}

/// Checks that a file of groups or masks has as many rows as every step has items.
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
