//! A block of candidate pairs: the unit of parallel work of contacts, with all that they keep.
//!
//! Phase *contacts* of a step: which pairs touch ([`super::find_touching`]), and force and torques of those that do
//! ([`super::contact_forces`]). Both bodies of a contact later read its line of results; nothing is scattered.

use super::body_chunk::BUNCH;
use super::columns::Line;
use super::contact_context::ContactContext;
use super::contact_forces::{BlockStep, STREAMED};
use super::contact_groups::{Contacts, Kept};
use super::find_touching::TESTED;
use super::results::BlockResults;
use super::velocity_box::VelocityBox;
use crate::laws::Law;
use crate::laws::account::SUMS;
use crate::setup::Cell;
use tangere::simd::{LANES, prefetch, prefetch_lines, run_reals};

/// The number of pairs of a block, as a power of two.
pub(crate) const BLOCK_BITS: u32 = 10;

/// The number of pairs of a block.
pub(crate) const BLOCK: usize = 1 << BLOCK_BITS;

/// A power of two that is more than the lines of results of a block, of which each pair may have a group.
pub(crate) const LINE_BITS: u32 = BLOCK_BITS + LANES.ilog2();

/// The number of pairs of a stretch: its spheres are so near each other that their velocities differ little.
pub(super) const STRETCH: usize = 128;

/// The number of stretches of a block.
const STRETCHES: usize = BLOCK / STRETCH;

/// A pair that touches for the first time since the list was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewContact {
    /// The number of the pair within its block.
    pub index: u32,
    /// The line of its results.
    pub line: u32,
}

/// A block of candidate pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactBlock {
    /// Rows of both spheres; the first has the lower id.
    pub pairs: Vec<[u32; 2]>,
    /// The image of the second sphere, and 0, if space is periodic.
    pub images: Vec<[i8; 4]>,
    /// Whether any pair is in another image than 0.
    pub has_images: bool,
    /// The law of each pair, if there are several.
    pub laws: Vec<u16>,
    /// For each pair, the path before which it cannot touch, rounded down; NaN for those that touched since the
    /// list was made.
    /// As many as are tested at once.
    pub wakes: Vec<f32>,
    /// For each stretch, a bound of the relative path of any two of its spheres since the list was made.
    /// Two spheres with a gap `g` are apart until it has grown by `g`, so that they need no test before.
    pub paths: [f64; STRETCHES],
    /// The bunches in which the rows of each stretch are, and where those of each end.
    bunches: Vec<u32>,
    bunch_ends: [u32; STRETCHES],
    /// The pairs that touched since the list was made, by law.
    pub contacts: Vec<Contacts>,
    /// The number of the pair of each line of results.
    indices: Vec<u16>,
    /// The pairs that were added to them in the last step.
    pub begun: Vec<NewContact>,
    /// The first pair that overlaps more than is allowed, and its overlap.
    pub too_deep: Option<(u32, f64)>,
    /// What the accounts of pairs that parted in the last step summed, with a ledger.
    pub closed: Vec<[f64; SUMS]>,
    /// What adhesion took in the last step where pairs began to touch and parted, with a ledger.
    pub adhesion: Vec<f64>,
}

/// A pair that touches, with all that is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seated {
    index: usize,
    line: u32,
    kept: Kept,
}

impl ContactBlock {
    /// Empties the block for pairs of a new list.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.images.clear();
        self.has_images = false;
        self.laws.clear();
        self.wakes.clear();
        self.bunches.clear();
        self.bunch_ends = [0; STRETCHES];
        self.paths = [0.0; STRETCHES];
        self.contacts.iter_mut().for_each(Contacts::clear);
        self.indices.clear();
        self.begun.clear();
        self.closed.clear();
        self.adhesion.clear();
    }

    /// Prepares the block, whose pairs are known, for its first step. `seen` has for each bunch of rows the last
    /// block and stretch, counted from 1, that noted it.
    pub fn complete(
        &mut self,
        laws: &[Law],
        has_ledger: bool,
        block: u32,
        seen: &mut [(u32, u32)],
    ) {
        let count = self.pairs.len();
        self.wakes.resize(count, 0.0);
        self.wakes.resize(count.next_multiple_of(TESTED), f32::NAN);
        self.contacts.resize_with(laws.len(), Contacts::default);
        for (contacts, law) in self.contacts.iter_mut().zip(laws) {
            contacts.keep(law, has_ledger);
        }
        for (number, pairs) in (1..).zip(self.pairs.chunks(STRETCH)) {
            for bunch in pairs.iter().flatten().map(|row| row / BUNCH as u32) {
                let stretch = &mut seen[bunch as usize];
                if *stretch != (block, number) {
                    *stretch = (block, number);
                    self.bunches.push(bunch);
                }
            }
            self.bunch_ends[number as usize - 1] = self.bunches.len() as u32;
        }
    }

    /// Adds a pair to a list that is in use. Returns its number; none if the block is full.
    pub fn append(&mut self, pair: [u32; 2]) -> Option<usize> {
        let index = self.pairs.len();
        if index >= BLOCK {
            return None;
        }
        self.pairs.push(pair);
        if self.wakes.len() <= index {
            self.wakes.resize(self.wakes.len() + TESTED, f32::NAN);
        }
        // It is tested in the next step.
        self.wakes[index] = 0.0;
        let stretch = index / STRETCH;
        let begin = match stretch {
            0 => 0,
            _ => self.bunch_ends[stretch - 1] as usize,
        };
        for bunch in pair.map(|row| row / BUNCH as u32) {
            if !self.bunches[begin..].contains(&bunch) {
                self.bunches.push(bunch);
            }
        }
        self.bunch_ends[stretch] = self.bunches.len() as u32;
        Some(index)
    }

    /// Whether a pair touched since the list was made.
    pub fn has_touched(&self, index: usize) -> bool {
        self.wakes[index].is_nan()
    }

    /// Adds a pair to those that touch. Returns the line of its results.
    pub fn begin(&mut self, index: usize, kept: &Kept) -> u32 {
        self.wakes[index] = f32::NAN;
        let law = self.law_of(index);
        let lines = self.indices.len();
        let pair = self.pairs[index];
        let image = self.images.get(index).copied().unwrap_or_default();
        let line = self.contacts[law].add(index as u16, pair, image, kept, lines as u32);
        if line as usize >= lines {
            // A new group.
            self.indices.resize(lines + LANES, 0);
        }
        self.indices[line as usize] = index as u16;
        line
    }

    /// The pairs that touch: the number within the block, the line of results, and what they keep.
    pub fn touching(&self) -> impl Iterator<Item = (usize, u32, Kept)> {
        let contacts = self.contacts.iter();
        contacts.flat_map(|contacts| {
            contacts.seats().map(|seat| {
                let (number, lane) = seat;
                let group = &contacts.groups[number];
                let line = group.line + lane as u32;
                (usize::from(group.indices[lane]), line, contacts.kept(seat))
            })
        })
    }

    /// The number of lines of results, one for each lane, and of pairs that touch.
    pub fn lanes(&self) -> [usize; 2] {
        let touching = self.contacts.iter().map(|contacts| contacts.count).sum();
        [self.indices.len(), touching]
    }

    /// Takes away the lanes of pairs that do not touch any more. Calls `moved` with the old and the new line of
    /// the results of each other pair. `memory` is scratch memory.
    pub fn compact(&mut self, memory: &mut Vec<Seated>, mut moved: impl FnMut(u32, u32)) {
        memory.clear();
        memory.extend(
            self.touching()
                .map(|(index, line, kept)| Seated { index, line, kept }),
        );
        for contacts in &mut self.contacts {
            for group in &contacts.groups {
                for &index in &group.indices[..usize::from(group.taken)] {
                    // It is tested in the next step.
                    self.wakes[usize::from(index)] = 0.0;
                }
            }
            contacts.clear();
        }
        self.indices.clear();
        for seated in &*memory {
            let line = self.begin(seated.index, &seated.kept);
            moved(seated.line, line);
        }
    }

    /// The number of the pair whose results are in a line.
    pub fn index_of(&self, line: usize) -> usize {
        usize::from(self.indices[line])
    }

    pub fn image(&self, index: usize) -> [i8; 3] {
        let [i, j, k, _] = self.images.get(index).copied().unwrap_or_default();
        [i, j, k]
    }

    /// Loads what the next step begins with into the cache.
    pub fn prefetch(&self) {
        prefetch_lines(&self.wakes, 0..self.wakes.len());
        for contacts in &self.contacts {
            prefetch_lines(&contacts.groups, 0..STREAMED.min(contacts.groups.len()));
        }
    }

    /// Loads a pair into the cache.
    #[inline(always)]
    pub(super) fn prefetch_pair(&self, index: usize) {
        prefetch(&self.pairs, index);
        if self.has_images {
            prefetch(&self.images, index);
        }
    }

    /// Changes the images of the pairs of rows that went into other cells: the rows in ascending order, with the
    /// number of cells along each edge. Their bunches are marked.
    pub fn shift_images(&mut self, wraps: &[(u32, [i32; 3])], is_marked: &[bool]) {
        if !self.bunches.iter().any(|&bunch| is_marked[bunch as usize]) {
            return;
        }
        for index in 0..self.images.len() {
            let pair = self.pairs[index];
            let mut cells = [0; 3];
            for (row, sign) in pair.into_iter().zip([-1, 1]) {
                if !is_marked[row as usize / BUNCH] {
                    continue;
                }
                if let Ok(at) = wraps.binary_search_by_key(&row, |wrap| wrap.0) {
                    for k in 0..3 {
                        cells[k] += sign * wraps[at].1[k];
                    }
                }
            }
            if cells == [0; 3] {
                continue;
            }
            let image = &mut self.images[index];
            for k in 0..3 {
                image[k] += cells[k] as i8;
            }
            self.has_images |= *image != [0; 4];
            if self.has_touched(index) {
                let law = self.law_of(index);
                self.contacts[law].set_image(index, self.images[index]);
            }
        }
    }

    /// The number of the law of a pair.
    fn law_of(&self, index: usize) -> usize {
        usize::from(self.laws.get(index).copied().unwrap_or_default())
    }

    /// Finds which pairs touch, and their forces and torques.
    pub fn step(&mut self, context: &ContactContext<'_>, results: BlockResults<'_>) {
        let mut begin = 0;
        for (path, &end) in self.paths.iter_mut().zip(&self.bunch_ends) {
            let bunches = &self.bunches[begin..end.max(begin as u32) as usize];
            let mut velocities = VelocityBox::EMPTY;
            for &bunch in bunches {
                velocities.join(&context.velocities[bunch as usize]);
            }
            // Upward, by more than rounding adds; at first nothing has moved.
            let way = velocities.diagonal() * context.clock.step * (1.0 + 1e-9);
            *path += way + context.rounding;
            begin += bunches.len();
        }
        run_reals(BlockStep {
            block: self,
            context,
            results,
        });
    }
}

/// The way from the first sphere of a pair to the image of the second.
pub(crate) fn way_of(lines: &[Line], cell: &Cell, pair: [u32; 2], image: [i8; 3]) -> [f64; 3] {
    let [a, b] = pair.map(|row| lines[row as usize].position());
    let shift = cell.shift(image.map(i32::from));
    std::array::from_fn(|k| (b[k] - a[k]) + shift[k])
}
