//! Which candidate pairs touch for the first time.
//!
//! A pair with a gap needs no test until its spheres have moved relative to each other by as much: only pairs that
//! wake are tested, eight at a time.

use super::contact_block::{ContactBlock, NewContact, STRETCH};
use super::contact_context::{ContactContext, ways};
use super::contact_groups::Kept;
use super::results::BlockResults;
use crate::vector::dots;
use tangere::simd::{LANES, Reals, prefetch};

/// The number of pairs whose waiting is tested at once.
pub(super) const TESTED: usize = 2 * LANES;

/// How many groups of eight ahead spheres are prefetched, and how many their rows.
const AHEAD: usize = 4;
const ROWS_AHEAD: usize = 12;

/// Finds the pairs that touch for the first time. Others are tested with their forces ([`react`]).
#[inline(always)]
pub(super) fn find_touching<V: Reals>(
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
