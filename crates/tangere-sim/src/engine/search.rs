//! The broad phase of a list of candidate pairs; its memory is reused.

use super::body_chunk::ROWS;
use super::columns::Columns;
use super::filling::nearest_image;
use super::pair_list::Part;
use crate::error::Result;
use crate::setup::{Cell, Setup};
use std::ops::Range;
use tangere::pairs::{BroadPhase, Items, PairContact, PairFinder, PairSettings};

/// The least number of chunks of rows for which a thread is worth its while.
const CHUNKS_OF_A_PART: usize = 4;

/// The number of spheres from which memory of a search is freed after it.
const MANY: usize = 1 << 18;

/// The broad phase of a list; its memory is reused.
#[derive(Default)]
pub(crate) struct Search {
    finder: Option<BroadPhase<3>>,
    /// Whether the finder reports every image of a pair.
    finds_images: bool,
    /// Whether images of pairs follow from positions in the last search.
    is_plain: bool,
    /// Whether the finder was wanted after a search.
    is_asked: bool,
    /// The gap up to which the last search found pairs.
    reach: f64,
    centers: Vec<[f64; 3]>,
    radii: Vec<f64>,
    found: Vec<[u32; 2]>,
    found_contacts: Vec<PairContact<3>>,
}

impl Search {
    /// Forgets the finder, because the cell or the skin changed.
    pub fn forget_finder(&mut self) {
        self.finder = None;
    }

    /// Frees the memory of the last search that is not needed until the next one. That of few spheres is not worth
    /// its allocation.
    pub(super) fn free(&mut self, spheres: usize) {
        if spheres < MANY {
            return;
        }
        (self.found, self.found_contacts) = (Vec::new(), Vec::new());
        if !self.is_asked {
            self.finder = None;
        }
    }

    /// Runs the broad phase: all pairs within the skin, sorted by rows.
    pub(super) fn run(&mut self, columns: &Columns, setup: &Setup, skin: f64) -> Result<()> {
        self.centers.clear();
        self.radii.clear();
        for line in &columns.lines {
            self.centers.push(line.position());
            self.radii.push(line.place[3] + 0.5 * skin);
        }
        self.found.clear();
        self.found_contacts.clear();
        (self.reach, self.is_plain) = (skin, false);
        if columns.len() < 2 && !setup.cell.is_periodic() {
            return Ok(());
        }
        let cell = setup.cell.of_pairs(setup.is_flat);
        let settings = PairSettings {
            periodic: cell.for_pairs()?,
            ..PairSettings::default()
        };
        // Images of pairs follow from positions where no pair is within reach in two of them.
        let is_plain = !cell.is_tilted() && is_roomy(&cell, &self.radii);
        let items = Items::Spheres {
            centers: &self.centers,
            radii: &self.radii,
        };
        self.is_plain = is_plain;
        // A cell that has room for one skin may have none for the next.
        let every_image = !is_plain && cell.is_periodic();
        if self.finder.is_none() || self.finds_images != every_image {
            let settings = PairSettings {
                every_image,
                ..settings
            };
            self.finder = Some(BroadPhase::new(settings)?);
            self.finds_images = every_image;
        }
        if let Some(finder) = &mut self.finder {
            finder.update(items)?;
            // The finder has its own.
            if columns.len() >= MANY {
                (self.centers, self.radii) = (Vec::new(), Vec::new());
            }
            match is_plain {
                true => finder.pairs(&mut self.found)?,
                false => finder.contacts(&mut self.found_contacts)?,
            }
        }
        if !self.found.is_sorted() {
            self.found.sort_unstable();
        }
        if !self.found_contacts.is_sorted_by_key(|c| (c.pair, c.image)) {
            self.found_contacts
                .sort_unstable_by_key(|c| (c.pair, c.image));
        }
        Ok(())
    }
}

impl Search {
    /// The gap up to which the last search found pairs, and its finder, if it can be asked for pairs of spheres
    /// elsewhere. From now on it is kept for that.
    pub(super) fn asked(&mut self) -> Option<(f64, &mut BroadPhase<3>)> {
        self.is_asked = true;
        let finder = self.finder.as_mut().filter(|_| self.is_plain)?;
        Some((self.reach, finder))
    }

    /// Calls `f` for the pairs that were found and are wanted, whose lower row is in a range, in order.
    pub(super) fn for_each(
        &self,
        columns: &Columns,
        setup: &Setup,
        rows: Range<usize>,
        is_wanted: impl Fn([u32; 2]) -> bool,
        mut f: impl FnMut([u32; 2], [i32; 3]),
    ) {
        let is_before = |row: u32| (row as usize) < rows.start;
        let has_images = setup.cell.is_periodic();
        let first = self.found.partition_point(|pair| is_before(pair[0]));
        for &pair in &self.found[first..] {
            if pair[0] as usize >= rows.end {
                break;
            }
            if !is_wanted(pair) {
                continue;
            }
            let image = match has_images {
                true => {
                    let place = |row: u32| columns.lines[row as usize].position();
                    nearest_image(setup, pair.map(place))
                }
                false => [0; 3],
            };
            f(pair, image);
        }
        let contacts = &self.found_contacts;
        let first = contacts.partition_point(|contact| is_before(contact.pair[0]));
        for contact in &contacts[first..] {
            if contact.pair[0] as usize >= rows.end {
                break;
            }
            if is_wanted(contact.pair) {
                f(contact.pair, contact.image);
            }
        }
    }

    /// Parts of about the same work, one for each thread, if there is enough to do.
    pub(super) fn parts(&self, rows: usize) -> Vec<Part> {
        let chunks = rows.div_ceil(ROWS);
        let count = rayon::current_num_threads()
            .min(chunks / CHUNKS_OF_A_PART)
            .max(1);
        // The work of a row: itself, and the pairs of which it is the lower one.
        let mut work = vec![ROWS; chunks];
        for pair in &self.found {
            work[pair[0] as usize / ROWS] += 1;
        }
        for contact in &self.found_contacts {
            work[contact.pair[0] as usize / ROWS] += 1;
        }
        let total: usize = work.iter().sum();
        let mut parts = Vec::with_capacity(count);
        let (mut chunk, mut done) = (0, 0);
        for number in 1..=count {
            let begin = chunk;
            while chunk < chunks && (number == count || done * count < total * number) {
                done += work[chunk];
                chunk += 1;
            }
            parts.push(Part {
                rows: begin * ROWS..(chunk * ROWS).min(rows),
                ..Part::default()
            });
        }
        parts
    }
}

/// Whether no pair can be within reach in two images: twice the largest reach is less than the cell.
fn is_roomy(cell: &Cell, radii: &[f64]) -> bool {
    let largest = radii.iter().fold(0.0_f64, |a, &b| a.max(b));
    let reach = 2.0 * largest;
    (0..3).all(|k| !cell.periodic[k] || 2.001 * reach < cell.edges[k][k])
}
