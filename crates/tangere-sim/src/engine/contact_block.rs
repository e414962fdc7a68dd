//! A block of candidate pairs: the unit of parallel work of contacts, with all that they keep.
//!
//! Phase *contacts* of a step: which pairs touch, and force and torques of those that do, eight at a
//! time. Both bodies of a contact later read its line of results; nothing is scattered.

use super::body_chunk::BUNCH;
use super::columns::{Line, Spin};
use super::contact_groups::{Contacts, Group, Kept};
use super::results::{BlockResults, Effort};
use crate::laws::account::{Account, FRESH, SUMS, Work};
use crate::laws::usual::{HERTZ, HOOKE, MINDLIN, Usual};
use crate::laws::{Clock, History, Law, Rolling, Touch};
use crate::setup::Cell;
use crate::vector::{differences, dots, scaled, sums, zero};
use tangere::simd::{LANES, RealKernel, Reals, prefetch, prefetch_lines, run_reals};

/// The number of pairs of a block, as a power of two.
pub(crate) const BLOCK_BITS: u32 = 10;

/// The number of pairs of a block.
pub(crate) const BLOCK: usize = 1 << BLOCK_BITS;

/// A power of two that is more than the lines of results of a block, of which each pair may have a group.
pub(crate) const LINE_BITS: u32 = BLOCK_BITS + LANES.ilog2();

/// The number of pairs of a stretch: its spheres are so near each other that their velocities differ little.
const STRETCH: usize = 128;

/// The number of stretches of a block.
const STRETCHES: usize = BLOCK / STRETCH;

/// The number of pairs whose waiting is tested at once.
const TESTED: usize = 2 * LANES;

/// How many groups ahead memory is prefetched.
const AHEAD: usize = 4;

/// How many groups of candidates ahead their rows are prefetched.
const ROWS_AHEAD: usize = 12;

/// How many groups ahead the groups themselves and their results are prefetched.
const STREAMED: usize = 6;

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

/// What all blocks share in a step.
#[derive(Clone, Copy)]
pub(crate) struct ContactContext<'a> {
    /// The rows from `first` on.
    pub lines: &'a [Line],
    pub spins: &'a [Spin],
    pub first: u32,
    pub cell: &'a Cell,
    pub laws: &'a [Law],
    /// Whether a law holds on to spheres that part (JKR).
    pub has_pull_off: bool,
    /// Whether torques act at the full radii.
    pub is_classic: bool,
    pub clock: Clock,
    /// The overlap that is an error, relative to the smaller radius.
    pub deepest: f64,
    /// The boxes of velocities of all bunches of rows in the last drift.
    pub velocities: &'a [VelocityBox],
    /// A bound of the rounding of positions in a drift.
    pub rounding: f64,
    /// Whether work is taken into account.
    pub has_ledger: bool,
    /// Whether forces are kept for observers.
    pub stores: bool,
}

/// Eight spheres: their places in columns of the same length.
#[derive(Clone, Copy)]
struct Eight<'a> {
    lines: &'a [Line],
    spins: &'a [Spin],
    /// Less than the length of the columns.
    rows: [u32; LANES],
}

impl<'a> ContactContext<'a> {
    /// The first and the second spheres of eight pairs of rows.
    #[inline(always)]
    fn spheres(&self, rows: &[[u32; LANES]; 2]) -> [Eight<'a>; 2] {
        let (lines, spins) = (self.lines, self.spins);
        let mut are_inside = lines.len() == spins.len();
        let mut found = [[0; LANES]; 2];
        for side in 0..2 {
            for lane in 0..LANES {
                let row = rows[side][lane].wrapping_sub(self.first);
                found[side][lane] = row;
                are_inside &= (row as usize) < lines.len();
            }
        }
        assert!(are_inside, "pairs of other rows");
        found.map(|rows| Eight { lines, spins, rows })
    }
}

impl ContactContext<'_> {
    /// Loads what a group will need into the cache.
    #[inline(always)]
    fn prefetch(&self, group: &Group) {
        for lane in 0..LANES {
            for side in 0..2 {
                let row = group.rows[side][lane].wrapping_sub(self.first) as usize;
                prefetch(self.lines, row);
                prefetch(self.spins, row);
            }
        }
    }
}

impl<'a> Eight<'a> {
    #[inline(always)]
    fn lines(&self) -> [&'a [f64; LANES]; LANES] {
        // SAFETY: rows are less than the length of both columns, by construction.
        std::array::from_fn(|lane| unsafe {
            self.lines.get_unchecked(self.rows[lane] as usize).lanes()
        })
    }

    #[inline(always)]
    fn places(&self) -> [&'a [f64; 4]; LANES] {
        // SAFETY: as above.
        std::array::from_fn(|lane| unsafe {
            &self.lines.get_unchecked(self.rows[lane] as usize).place
        })
    }

    #[inline(always)]
    fn spins(&self) -> [&'a [f64; 4]; LANES] {
        // SAFETY: as above.
        std::array::from_fn(|lane| unsafe { &self.spins.get_unchecked(self.rows[lane] as usize).0 })
    }
}

/// Lower and upper ends of the velocities of some spheres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityBox {
    pub low: [f64; 4],
    pub high: [f64; 4],
}

impl VelocityBox {
    pub const EMPTY: Self = Self {
        low: [f64::INFINITY; 4],
        high: [f64::NEG_INFINITY; 4],
    };

    #[inline(always)]
    pub fn add(&mut self, velocity: [f64; 4]) {
        for k in 0..4 {
            let x = velocity[k];
            self.low[k] = if x < self.low[k] { x } else { self.low[k] };
            self.high[k] = if x > self.high[k] { x } else { self.high[k] };
        }
    }

    /// From the ends of lines, whose velocities are in the second half.
    #[inline(always)]
    pub fn of_lines<V: Reals>(low: V, high: V) -> Self {
        let (mut lows, mut highs) = ([0.0; LANES], [0.0; LANES]);
        low.store(&mut lows);
        high.store(&mut highs);
        let last = |[.., u, v, w, m]: [f64; LANES]| [u, v, w, m];
        Self {
            low: last(lows),
            high: last(highs),
        }
    }

    /// Adds those of another box.
    #[inline(always)]
    fn join(&mut self, other: &Self) {
        for k in 0..4 {
            self.low[k] = if other.low[k] < self.low[k] {
                other.low[k]
            } else {
                self.low[k]
            };
            self.high[k] = if other.high[k] > self.high[k] {
                other.high[k]
            } else {
                self.high[k]
            };
        }
    }

    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// The largest relative speed of two of these spheres.
    fn diagonal(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let squares = (0..3).map(|k| (self.high[k] - self.low[k]) * (self.high[k] - self.low[k]));
        let sum: f64 = squares.sum();
        sum.sqrt()
    }

    /// A bound of the speed of these spheres.
    pub fn fastest(&self) -> f64 {
        let largest = |k: usize| self.low[k].abs().max(self.high[k].abs());
        let sum: f64 = (0..3).map(|k| largest(k) * largest(k)).sum();
        sum.sqrt()
    }
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

    /// Whether a pair may have the sphere of a row.
    pub fn may_have(&self, row: u32) -> bool {
        self.bunches.contains(&(row / BUNCH as u32))
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
    fn prefetch_pair(&self, index: usize) {
        prefetch(&self.pairs, index);
        if self.has_images {
            prefetch(&self.images, index);
        }
    }

    /// Changes the images of the pairs of a row that went into another cell: `cells` along each edge.
    pub fn shift_images(&mut self, row: u32, cells: [i32; 3]) {
        for index in 0..self.images.len() {
            let pair = self.pairs[index];
            let sign = i32::from(pair[1] == row) - i32::from(pair[0] == row);
            if sign == 0 {
                continue;
            }
            let image = &mut self.images[index];
            for k in 0..3 {
                image[k] += (sign * cells[k]) as i8;
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

/// The kernel of a block.
struct BlockStep<'a> {
    block: &'a mut ContactBlock,
    context: &'a ContactContext<'a>,
    results: BlockResults<'a>,
}

impl RealKernel for BlockStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let BlockStep {
            block,
            context,
            mut results,
        } = self;
        let results = &mut results;
        // Many begin in the first step alone.
        block.begun = Vec::new();
        block.too_deep = None;
        block.closed.clear();
        block.adhesion.clear();
        find_touching::<V>(block, results, context);
        let mut all = std::mem::take(&mut block.contacts);
        for (contacts, law) in all.iter_mut().zip(context.laws) {
            match context.has_ledger {
                true => react::<V, true>(block, contacts, results, context, law),
                false => match law.usual() {
                    // Compiled for each, so that the loop over contacts has no branches for the parts of a law.
                    Some(Usual::Hooke) => {
                        let law = law.as_usual::<HOOKE>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    Some(Usual::Hertz) => {
                        let law = law.as_usual::<HERTZ>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    Some(Usual::Mindlin) => {
                        let law = law.as_usual::<MINDLIN>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    None => react::<V, false>(block, contacts, results, context, law),
                },
            }
        }
        block.contacts = all;
    }
}

/// The difference of positions of eight pairs, from `a` to the image of `b`.
#[inline(always)]
fn ways<V: Reals>(
    cell: &Cell,
    images: &[[i8; 4]; LANES],
    [xa, ya, za]: [V; 3],
    [xb, yb, zb]: [V; 3],
) -> [V; 3] {
    let way = [xb - xa, yb - ya, zb - za];
    let mut any = 0;
    for image in images {
        any |= i32::from_ne_bytes(image.map(|n| n as u8));
    }
    match any != 0 {
        true => sums(way, shifts(cell, images)),
        false => way,
    }
}

/// The shifts of eight images.
#[inline(always)]
fn shifts<V: Reals>(cell: &Cell, images: &[[i8; 4]; LANES]) -> [V; 3] {
    let mut shifts = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let [i, j, k, _] = images[lane].map(i32::from);
        let shift = cell.shift([i, j, k]);
        for k in 0..3 {
            shifts[k][lane] = shift[k];
        }
    }
    [
        V::load(&shifts[0]),
        V::load(&shifts[1]),
        V::load(&shifts[2]),
    ]
}

/// Finds the pairs that touch for the first time. Others are tested with their forces ([`react`]).
#[inline(always)]
fn find_touching<V: Reals>(
    block: &mut ContactBlock,
    results: &mut BlockResults<'_>,
    context: &ContactContext<'_>,
) {
    let paths = block.paths.map(rounded_up);
    let scratch = &mut *results.awake;
    if scratch.len() < block.wakes.len() + TESTED {
        scratch.resize(block.wakes.len() + TESTED, 0);
    }
    let mut count = 0;
    for (group, wakes) in block.wakes.as_chunks::<TESTED>().0.iter().enumerate() {
        let path = paths[group / (STRETCH / TESTED)];
        if let Some(free) = scratch[count..].first_chunk_mut::<TESTED>() {
            count += V::list_at_most(wakes, path, (group * TESTED) as u32, free);
        }
    }
    let awake = &scratch[..count];
    let (ahead, rows_ahead) = (AHEAD * LANES, ROWS_AHEAD * LANES);
    // The first time all up to the last one ahead.
    for &index in &awake[..rows_ahead.min(count)] {
        block.prefetch_pair(index as usize);
    }
    for at in (0..count).step_by(LANES) {
        let coming = (at + rows_ahead).min(count)..(at + rows_ahead + LANES).min(count);
        for &index in &awake[coming] {
            block.prefetch_pair(index as usize);
        }
        let coming = if at == 0 { 0 } else { at + ahead }..(at + ahead + LANES).min(count);
        for &index in awake.get(coming).unwrap_or_default() {
            for row in block.pairs[index as usize] {
                prefetch(context.lines, row.wrapping_sub(context.first) as usize);
            }
        }
        let awake = &awake[at..(at + LANES).min(count)];
        let mut indices = [awake[0]; LANES];
        indices[..awake.len()].copy_from_slice(awake);
        let mut rows = [[0; LANES]; 2];
        for lane in 0..LANES {
            [rows[0][lane], rows[1][lane]] = block.pairs[indices[lane] as usize];
        }
        let [a, b] = context.spheres(&rows);
        let [xa, ya, za, ra, xb, yb, zb, rb] = V::transposed_halves(a.places(), b.places());
        let mut images = [[0; 4]; LANES];
        if block.has_images {
            for lane in 0..LANES {
                images[lane] = block.images[indices[lane] as usize];
            }
        }
        let way = ways(context.cell, &images, [xa, ya, za], [xb, yb, zb]);
        let square = dots(way, way);
        let reach = ra + rb;
        let began = V::bits(square.below(reach * reach));
        // Less than the gap, because gap and path are rounded.
        let paths = indices.map(|index| block.paths[index as usize / STRETCH]);
        let wake = V::load(&paths) + V::splat(1.0 - 1e-6) * (square.sqrt() - reach);
        let mut wakes = [0.0; LANES];
        wake.store(&mut wakes);
        for (&index, wake) in awake.iter().zip(wakes) {
            block.wakes[index as usize] = wake as f32;
        }
        if began != 0 {
            begin(block, began, awake);
        }
    }
}

/// The next larger f32.
fn rounded_up(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) < x {
        rounded.next_up()
    } else {
        rounded
    }
}

/// Adds pairs to those that touch, where their bits in `began` are set.
#[cold]
fn begin(block: &mut ContactBlock, began: u32, indices: &[u32]) {
    for (lane, &index) in indices.iter().enumerate() {
        if began >> lane & 1 == 1 {
            let line = block.begin(index as usize, &Kept::default());
            block.begun.push(NewContact { index, line });
        }
    }
}

/// Of pairs that do not overlap, the bits of those that adhesion holds.
#[inline(never)]
fn still_held<V: Reals>(law: &Law, overlap: V, radius: V, apart: u32) -> u32 {
    let mut values = [[0.0; LANES]; 2];
    overlap.store(&mut values[0]);
    radius.store(&mut values[1]);
    let is_held = |lane: &usize| {
        let [overlap, radius] = values.map(|value| value[*lane]);
        apart >> lane & 1 == 1 && 0.0 - overlap < law.normal.pull_off_gap(radius)
    };
    let held = (0..LANES).filter(is_held);
    held.fold(0, |bits, lane| bits | 1 << lane)
}

/// Force and torques of pairs that touch, all of one law.
#[inline(always)]
fn react<V: Reals, const LEDGER: bool>(
    block: &mut ContactBlock,
    contacts: &mut Contacts,
    results: &mut BlockResults<'_>,
    context: &ContactContext<'_>,
    law: &Law,
) {
    let resists = law.resists_rotation();
    if context.stores {
        let count = contacts.groups.len();
        contacts.forces.resize(count, [[0.0; LANES]; 3]);
    } else if !LEDGER {
        contacts.forces = Vec::new();
    }
    let Contacts {
        count,
        groups,
        radii,
        rolls,
        accounts,
        forces,
        resistances,
        ..
    } = contacts;
    let mut touching_now = 0;
    for number in 0..groups.len() {
        if let Some(next) = groups.get(number + AHEAD) {
            context.prefetch(next);
        }
        // What is streamed, too: hardware does not follow it from page to page.
        let next = number + STREAMED;
        prefetch_lines(groups, next..next + 1);
        let group = &mut groups[number];
        let mut no_roll = [[0.0; LANES]; 4];
        let roll = match resists {
            true => &mut rolls[number],
            false => &mut no_roll,
        };
        let mut history = History {
            shear: load_columns(&group.shear),
            contact_radius: radii.get(number).map_or(zero(), |radii| V::load(radii)),
            roll: [V::load(&roll[0]), V::load(&roll[1]), V::load(&roll[2])],
            twist: V::load(&roll[3]),
        };
        let Gathered {
            touch,
            smaller,
            overlaps,
            spin_sum,
            way,
        } = gather::<V>(context, law, group);
        let touched = u32::from(group.touching);
        let taken = (1 << group.taken) - 1;
        let mut touches = overlaps;
        let mut touching = V::bits(overlaps) & taken;
        if context.has_pull_off {
            let apart = touched & !touching;
            if apart != 0 {
                touching |= still_held(law, touch.overlap, touch.radius, apart);
                touches = zero::<V>().below(lanes_of(touching));
            }
        }
        group.touching = touching as u8;
        touching_now += touching.count_ones();
        let is_too_deep = (V::splat(context.deepest) * smaller).below(touch.overlap);
        let deep = V::bits(is_too_deep) & touching;
        if deep != 0 {
            note_depth(block, deep, &group.indices, touch.overlap);
        }
        let before = history;
        let reaction = law.react(&touch, &context.clock, &mut history);
        let half = match context.is_classic {
            true => zero(),
            false => V::splat(0.5) * touch.overlap,
        };
        if LEDGER {
            let columns = &mut accounts[number];
            let mut account = Account::from_columns(load_columns(columns));
            let resistance_before = resistances.get(number);
            let resistance_before = resistance_before.map_or([zero(); 3], load_columns);
            let back = scaled(touch.velocity, V::splat(context.clock.step));
            let way_before = differences(way, back);
            let distance_before = dots(way_before, way_before).sqrt();
            let half_before = match context.is_classic {
                true => zero(),
                false => half + V::splat(0.5) * (dots(way, way).sqrt() - distance_before),
            };
            let parted = touched & !touching;
            let work = Work {
                touch: &touch,
                parted: zero::<V>().below(lanes_of(parted)),
                force_before: load_columns(&forces[number]),
                normal_before: scaled(way_before, V::splat(1.0).div(distance_before)),
                resistance_before,
                before: &before,
                after: &history,
                reaction: &reaction,
                lacking_spin: scaled(spin_sum, half),
                lacking_before: scaled(spin_sum, half_before),
            };
            if context.has_pull_off && context.clock.advances {
                note_adhesion(
                    block,
                    law,
                    [touch.radius, account.stiffness],
                    parted,
                    touched | touching,
                );
            }
            law.account(&context.clock, &work, &mut account);
            for (column, value) in columns.iter_mut().zip(account.columns()) {
                value.store(column);
            }
            for lane in (0..LANES).filter(|lane| touching >> lane & 1 == 0) {
                if parted >> lane & 1 == 1 {
                    let [_, _, sums @ ..] = columns.map(|column| column[lane]);
                    block.closed.push(sums);
                }
                for (column, fresh) in columns.iter_mut().zip(FRESH) {
                    column[lane] = fresh;
                }
            }
        }
        // What does not touch has no force and remembers nothing.
        let force = kept_of(reaction.force, touches);
        let ([fx, fy, fz], [tx, ty, tz]) = (force, kept_of(reaction.turning, touches));
        let rows = V::transpose([tx, ty, tz, zero(), fx, fy, fz, half.only(touches)]);
        let lines = group.line as usize..group.line as usize + LANES;
        for (Effort(line), row) in results.efforts[lines.clone()].iter_mut().zip(rows) {
            row.store(line);
        }
        store_columns(kept_of(history.shear, touches), &mut group.shear);
        if let Some(radii) = radii.get_mut(number) {
            history.contact_radius.only(touches).store(radii);
        }
        if let Some(forces) = forces.get_mut(number) {
            store_columns(force, forces);
        }
        if resists {
            let [x, y, z] = kept_of(history.roll, touches);
            store_columns([x, y, z, history.twist.only(touches)], roll);
        }
        if !results.resistances.is_empty() {
            let mut torques = [[0.0; LANES]; 3];
            store_columns(kept_of(reaction.resistance, touches), &mut torques);
            let [x, y, z] = &torques;
            let lines = results.resistances[lines].iter_mut().enumerate();
            for (lane, line) in lines {
                *line = [x[lane], y[lane], z[lane], 0.0];
            }
            if let Some(kept) = resistances.get_mut(number) {
                *kept = torques;
            }
        }
    }
    *count = touching_now as usize;
}

/// Vectors in the lanes of a mask, 0 in others.
#[inline(always)]
fn kept_of<V: Reals>([x, y, z]: [V; 3], mask: V::Mask) -> [V; 3] {
    [x.only(mask), y.only(mask), z.only(mask)]
}

/// 1 in the lanes whose bits are set, 0 in others.
#[inline(always)]
fn lanes_of<V: Reals>(bits: u32) -> V {
    let lanes: [f64; LANES] = std::array::from_fn(|lane| f64::from(bits >> lane & 1));
    V::load(&lanes)
}

#[inline(always)]
fn load_columns<V: Reals, const N: usize>(columns: &[[f64; LANES]; N]) -> [V; N] {
    let mut loaded = [zero(); N];
    for k in 0..N {
        loaded[k] = V::load(&columns[k]);
    }
    loaded
}

#[inline(always)]
fn store_columns<V: Reals, const N: usize>(values: [V; N], columns: &mut [[f64; LANES]; N]) {
    for k in 0..N {
        values[k].store(&mut columns[k]);
    }
}

/// Notes the energy that adhesion sets free where pairs begin to touch, and takes where they part.
#[cold]
fn note_adhesion<V: Reals>(
    block: &mut ContactBlock,
    law: &Law,
    [radius, stiffness]: [V; 2],
    parted: u32,
    touched: u32,
) {
    let mut values = [[0.0; LANES]; 2];
    radius.store(&mut values[0]);
    stiffness.store(&mut values[1]);
    for lane in (0..LANES).filter(|lane| touched >> lane & 1 == 1) {
        let [radius, stiffness] = values.map(|value| value[lane]);
        if stiffness < 0.0 {
            block
                .adhesion
                .push(0.0 - law.normal.energy_at_touch(radius));
        }
        if parted >> lane & 1 == 1 {
            block.adhesion.push(law.normal.energy_at_parting(radius));
        }
    }
}

/// What a law needs of eight pairs.
struct Gathered<V: Reals> {
    touch: Touch<V>,
    /// The smaller radius.
    smaller: V,
    /// The pairs that overlap.
    overlaps: V::Mask,
    /// The sum of both angular velocities.
    spin_sum: [V; 3],
    /// From the first to the second.
    way: [V; 3],
}

#[inline(always)]
fn gather<V: Reals>(context: &ContactContext<'_>, law: &Law, group: &Group) -> Gathered<V> {
    let [first, second] = context.spheres(&group.rows);
    let [xa, ya, za, ra, ua, va, wa, ia] = V::transposed(first.lines());
    let [xb, yb, zb, rb, ub, vb, wb, ib] = V::transposed(second.lines());
    let [pa, qa, sa, _, pb, qb, sb, _] = V::transposed_halves(first.spins(), second.spins());
    let (a, b) = ([xa, ya, za], [xb, yb, zb]);
    let way = ways(context.cell, &group.images, a, b);
    let one = V::splat(1.0);
    let square = dots(way, way);
    let reach = ra + rb;
    // As it is tested for pairs that are apart.
    let overlaps = square.below(reach * reach);
    let distance = square.sqrt();
    let normal = scaled(way, one.div(distance));
    let velocity = [ub - ua, vb - va, wb - wa];
    let half_normal = match context.clock.is_synchronized {
        true => {
            let back = V::splat(0.5 * context.clock.step);
            let before = differences(way, scaled(velocity, back));
            scaled(before, one.div(dots(before, before).sqrt()))
        }
        false => normal,
    };
    let (spin_a, spin_b) = ([pa, qa, sa], [pb, qb, sb]);
    Gathered {
        touch: Touch {
            overlap: reach - distance,
            radius: (ra * rb).div(reach),
            mass: one.div(ia + ib),
            inertia: match law.rolling {
                // Of a sphere 2/5 + 1 of m r^2 about the contact point.
                Rolling::Epsd { .. } => V::splat(1.4).div(ia.div(ra * ra) + ib.div(rb * rb)),
                _ => zero(),
            },
            normal,
            half_normal,
            velocity,
            surface_spin: sums(scaled(spin_a, ra), scaled(spin_b, rb)),
            relative_spin: differences(spin_b, spin_a),
        },
        smaller: ra.min(rb),
        overlaps,
        spin_sum: sums(spin_a, spin_b),
        way,
    }
}

/// Notes the first of the pairs that overlap too deeply.
#[cold]
fn note_depth<V: Reals>(block: &mut ContactBlock, bits: u32, indices: &[u16; LANES], overlap: V) {
    let mut overlaps = [0.0; LANES];
    overlap.store(&mut overlaps);
    for lane in (0..LANES).filter(|lane| bits >> lane & 1 == 1) {
        let index = u32::from(indices[lane]);
        if block.too_deep.is_none_or(|(so_far, _)| index < so_far) {
            block.too_deep = Some((index, overlaps[lane]));
        }
    }
}

/// The way from the first sphere of a pair to the image of the second.
pub(crate) fn way_of(lines: &[Line], cell: &Cell, pair: [u32; 2], image: [i8; 3]) -> [f64; 3] {
    let [a, b] = pair.map(|row| lines[row as usize].position());
    let shift = cell.shift(image.map(i32::from));
    std::array::from_fn(|k| (b[k] - a[k]) + shift[k])
}
