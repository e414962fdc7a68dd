//! Strays: spheres that use up their share of the skin long before most others do.
//!
//! In a bed at rest with a few spheres that fall, these few would make a new list necessary again and again.
//! Instead their pairs where they are now are added to the list that is in use. The list stays complete: a pair
//! that touches is within the skin at the places of reference of its spheres, and of a stray that is the place
//! where its pairs were added.

use super::columns::Columns;
use super::contact_block::BLOCK_BITS;
use super::filling::{Filter, by_ids, nearest_image};
use super::pair_list::PairList;
use super::search::Search;
use crate::error::Result;
use crate::setup::Setup;
use std::collections::BTreeSet;
use tangere::pairs::{BroadPhase, Items, PairFinder, PairSettings};

/// The part of all spheres that may be strays at a time, and while a list lives, as divisors.
const AT_A_TIME: usize = 16;
pub(super) const IN_ALL: usize = 8;

/// A number of strays that are always worth while.
const FEW: usize = 4;

/// The strays of a list.
#[derive(Default)]
pub(super) struct Strays {
    /// Their rows, sorted.
    rows: Vec<u32>,
    /// The pairs that were added, by rows in ascending order, with their slots.
    slots: BTreeSet<([u32; 2], u32)>,
    /// Finds the pairs of strays among themselves, with the cell for which it was made.
    among: Option<BroadPhase<3>>,
    found: Vec<[u32; 2]>,
    centers: Vec<[f64; 3]>,
    radii: Vec<f64>,
}

impl Strays {
    /// Forgets all, as the list is made anew.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.slots.clear();
        self.among = None;
    }

    /// Centers and radii of rows: where they are now, or at their places of reference.
    fn set_items(&mut self, columns: &Columns, rows: &[u32], reach: f64, is_now: bool) {
        self.centers.clear();
        self.radii.clear();
        for &row in rows {
            let line = &columns.lines[row as usize];
            self.centers.push(match is_now {
                true => line.position(),
                false => columns.references[row as usize],
            });
            self.radii.push(line.place[3] + 0.5 * reach);
        }
    }
}

impl PairList {
    /// Adds the pairs of strays, whose places of reference are those where they are now. Returns whether that
    /// was possible; otherwise the list must be made anew.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn follow(
        &mut self,
        search: &mut Search,
        columns: &Columns,
        setup: &Setup,
        strays: &[u32],
    ) -> Result<bool> {
        let count = columns.len();
        if strays.len() > FEW + count / AT_A_TIME
            || self.strays.rows.len() + strays.len() > FEW + count / IN_ALL
        {
            return Ok(false);
        }
        let Some((reach, finder)) = search.asked() else {
            return Ok(false);
        };
        let mut of = std::mem::take(&mut self.strays);
        let mut pairs = Vec::new();
        // With all others where the list was made.
        of.set_items(columns, strays, reach, true);
        let items = Items::Spheres {
            centers: &of.centers,
            radii: &of.radii,
        };
        finder.query(items, &mut of.found)?;
        for &[row, number] in &of.found {
            pairs.push([row, strays[number as usize]]);
        }
        // Among strays, those of before included.
        of.rows.extend_from_slice(strays);
        of.rows.sort_unstable();
        of.rows.dedup();
        let rows = std::mem::take(&mut of.rows);
        if rows.len() > 1 {
            of.set_items(columns, &rows, reach, false);
            if of.among.is_none() {
                of.among = Some(BroadPhase::new(PairSettings {
                    periodic: setup.cell.of_pairs(setup.is_flat).for_pairs()?,
                    ..PairSettings::default()
                })?);
            }
            if let Some(among) = &mut of.among {
                among.update(Items::Spheres {
                    centers: &of.centers,
                    radii: &of.radii,
                })?;
                among.pairs(&mut of.found)?;
            }
            let found = of.found.iter();
            pairs.extend(found.map(|pair| pair.map(|number| rows[number as usize])));
        }
        of.rows = rows;
        let filter = Filter::new(columns, setup);
        let mut has_room = true;
        for [a, b] in pairs {
            let rows = [a.min(b), a.max(b)];
            has_room &= a == b || self.add(&mut of, &filter, columns, setup, rows);
        }
        self.strays = of;
        self.lay_out(&setup.laws.laws);
        Ok(has_room)
    }

    /// Adds a pair of rows, unless it is in the list. Returns whether there was room.
    fn add(
        &mut self,
        of: &mut Strays,
        filter: &Filter<'_>,
        columns: &Columns,
        setup: &Setup,
        lower_first: [u32; 2],
    ) -> bool {
        let Some(law) = filter.law(lower_first) else {
            return true;
        };
        let has_images = setup.cell.is_periodic();
        // As the search found it: between places of reference.
        let image = match has_images {
            true => nearest_image(
                setup,
                lower_first.map(|row| columns.references[row as usize]),
            ),
            false => [0; 3],
        };
        let (rows, image) = by_ids(&columns.ids, lower_first, image);
        let image = image.map(|n| n as i8);
        let slots = of.slots.range((lower_first, 0)..=(lower_first, u32::MAX));
        let is_added = slots.into_iter().any(|&(_, slot)| {
            let (number, index) = super::pair_list::block_and_index(slot);
            self.blocks[number].image(index) == image
        });
        if is_added || self.find(&self.firsts, rows, image).is_some() {
            return true;
        }
        let mut parts = self.parts.iter();
        let part = parts.find(|part| {
            lower_first
                .iter()
                .all(|&row| part.rows.contains(&(row as usize)))
        });
        let spare = part.map_or(self.sorted..self.shared, |part| part.spare.clone());
        for number in spare {
            let block = &mut self.blocks[number];
            let Some(index) = block.append(rows) else {
                continue;
            };
            if has_images {
                let [i, j, k] = image;
                block.images.push([i, j, k, 0]);
                block.has_images |= image != [0; 3];
            }
            if setup.laws.laws.len() > 1 {
                block.laws.push(law as u16);
            }
            let slot = (number << BLOCK_BITS | index) as u32;
            of.slots.insert((lower_first, slot));
            self.count += 1;
            return true;
        }
        false
    }
}
