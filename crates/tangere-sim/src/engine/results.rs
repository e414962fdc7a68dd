//! Results of contacts: force and torques, which both spheres of a pair sum later in the same step.
//!
//! Results live only until they are summed. Blocks whose results are not needed at the same time share
//! memory, which so stays in the cache: a step neither loads nor stores it. Which blocks do follows from
//! the list ([`Results::lay_out`]).

use std::ops::Range;
use tangere::simd::LANES;

/// What both bodies read of a contact: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Effort(
    /// `F_t x n`, which is times the arm the torque of friction on a body; 0; the force on `b`; half the
    /// overlap, the distance of the contact point from the surfaces.
    pub [f64; LANES],
);

/// A torque of rolling and twisting resistance on `b`.
pub(crate) type Resistance = [f64; 4];

/// The results of a sequence of blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub efforts: Vec<Effort>,
    /// Line by line, if a law has resistance to rolling or twisting.
    pub resistances: Vec<Resistance>,
    /// For each block, where its lines begin, and how many it may have.
    places: Vec<(u32, u32)>,
    /// Scratch memory, one for blocks that are done one after the other.
    awake: Vec<Vec<u32>>,
}

/// The turn of a block: its results are written before the chunk `first` is summed, and read for the last time
/// when the chunk `last` is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub first: usize,
    pub last: usize,
}

impl Results {
    /// Prepares memory for blocks: first those that have it to themselves, with their numbers of lines, then
    /// those that share it, in the order of their turns, with up to `lines` lines each.
    pub fn lay_out(&mut self, own: &[usize], turns: &[Turn], lines: usize, has_resistances: bool) {
        self.places.clear();
        // Shared blocks are done at the same time.
        let at_once = if turns.is_empty() { own.len() } else { 1 };
        self.awake.resize_with(at_once.max(1), Vec::new);
        let mut end = 0;
        for &lines in own {
            self.places.push((end as u32, lines as u32));
            end += lines;
        }
        let mut free: Vec<u32> = Vec::new();
        let mut taken: Vec<(usize, u32)> = Vec::new();
        for turn in turns {
            taken.retain(|&(last, base)| {
                let is_over = last < turn.first;
                if is_over {
                    free.push(base);
                }
                !is_over
            });
            let base = free.pop().unwrap_or_else(|| {
                end += lines;
                (end - lines) as u32
            });
            taken.push((turn.last, base));
            self.places.push((base, lines as u32));
        }
        // Lines are written before they are read, so that those of before may stay.
        self.efforts.resize(end, Effort::default());
        let resistances = if has_resistances { end } else { 0 };
        self.resistances.resize(resistances, Resistance::default());
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.places.len()
    }

    fn range(&self, number: usize) -> Range<usize> {
        let (base, lines) = self.places[number];
        base as usize..(base + lines) as usize
    }

    /// The lines of a block.
    pub fn of_block(&mut self, number: usize) -> BlockResults<'_> {
        let lines = self.range(number);
        BlockResults {
            efforts: &mut self.efforts[lines.clone()],
            resistances: self.resistances.get_mut(lines).unwrap_or_default(),
            awake: &mut self.awake[0],
        }
    }

    /// The lines of the first blocks, none of which shares its memory.
    pub fn of_each(&mut self, count: usize) -> Vec<BlockResults<'_>> {
        let mut efforts = &mut self.efforts[..];
        let mut resistances = &mut self.resistances[..];
        let places = self.places[..count].iter().zip(&mut self.awake);
        let all = places.map(|(&(_, lines), awake)| {
            let lines = lines as usize;
            let count = lines.min(resistances.len());
            BlockResults {
                efforts: efforts.split_off_mut(..lines).unwrap_or_default(),
                resistances: resistances.split_off_mut(..count).unwrap_or_default(),
                awake,
            }
        });
        all.collect()
    }

    /// Where a line of a block is.
    #[inline(always)]
    pub fn place(&self, number: usize, line: usize) -> usize {
        self.places[number].0 as usize + line
    }
}

/// The results of a block.
pub(crate) struct BlockResults<'a> {
    pub efforts: &'a mut [Effort],
    /// None without resistance.
    pub resistances: &'a mut [Resistance],
    /// Numbers of pairs that are tested: scratch memory.
    pub awake: &'a mut Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_share_memory_when_their_turns_are_over() {
        let turn = |first, last| Turn { first, last };
        let turns = [
            turn(0, 0),
            turn(0, 2),
            turn(1, 1),
            turn(2, 3),
            turn(3, 3),
            turn(3, 4),
        ];
        let mut results = Results::default();
        results.lay_out(&[8], &turns, 8, true);
        // The third takes the place of the first, the fourth that of the third, the fifth that of the second.
        let bases: Vec<u32> = results.places.iter().map(|place| place.0).collect();
        assert_eq!(bases, [0, 8, 16, 8, 8, 16, 24]);
        assert_eq!(results.efforts.len(), 32);
        assert_eq!(results.resistances.len(), 32);
        for (i, a) in turns.iter().enumerate() {
            for (j, b) in turns.iter().enumerate().skip(i + 1) {
                let overlap = a.first <= b.last && b.first <= a.last;
                assert!(!overlap || bases[i + 1] != bases[j + 1]);
            }
        }
    }
}
