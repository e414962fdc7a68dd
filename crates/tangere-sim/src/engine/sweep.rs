//! A sweep over one part of the rows: contacts, sums, kick and drift, chunk after chunk, so that forces
//! of contacts are summed while they are in the cache.

use super::body_chunk::{BodyChunk, BodyContext, ChunkState, ROWS};
use super::columns::{Line, Spin};
use super::contact_block::ContactBlock;
use super::contact_context::ContactContext;
use super::pair_list::Part;
use super::results::Results;
use super::row_contacts::{Blocks, RowContacts};
use crate::ledger::RowAccount;
use crate::vector::Vector;
use std::time::Instant;
use tangere::simd::{prefetch_lines, run_reals};

/// The part of all columns that a sweep has to itself.
pub(crate) struct Sweep<'a> {
    pub part: &'a Part,
    /// Blocks of pairs of different parts, which are done.
    pub shared: &'a [ContactBlock],
    pub blocks: &'a mut [ContactBlock],
    pub shared_results: &'a Results,
    pub results: &'a mut Results,
    pub row_contacts: RowContacts<'a>,
    pub lines: &'a mut [Line],
    pub spins: &'a mut [Spin],
    pub images: &'a mut [[i32; 3]],
    /// None if they are not kept.
    pub forces: &'a mut [Vector],
    pub torques: &'a mut [Vector],
    pub references: &'a mut [Vector],
    /// None without a ledger.
    pub accounts: &'a mut [RowAccount],
    pub chunks: &'a mut [ChunkState],
}

impl Sweep<'_> {
    /// Returns the seconds of contacts and of the rest.
    pub fn run(self, body: &BodyContext<'_>, contact: Option<&ContactContext<'_>>) -> [f64; 2] {
        let Self {
            part,
            shared,
            blocks,
            shared_results,
            results,
            mut row_contacts,
            lines,
            spins,
            images,
            forces,
            torques,
            references,
            accounts,
            chunks,
        } = self;
        let (first, first_block) = (part.rows.start, part.blocks.start);
        let mut seconds = [0.0; 2];
        let mut last = Instant::now();
        let mut lap = |kind: usize| {
            let now = Instant::now();
            seconds[kind] += now.duration_since(last).as_secs_f64();
            last = now;
        };
        // Spare blocks, which are the first, belong to all rows, and are done before far ones.
        let mut done = [part.near.start, first_block];
        let mut scratch = Vec::new();
        for (number, state) in chunks.iter_mut().enumerate() {
            if let Some(next) = row_contacts.chunks.get(number + 1) {
                prefetch_lines(next, 0..next.len());
            }
            if let Some(contact) = contact {
                for (done, &needed) in done.iter_mut().zip(&part.needed[number]) {
                    while *done < needed {
                        let context = ContactContext {
                            lines,
                            spins,
                            first: first as u32,
                            ..*contact
                        };
                        let own = *done - first_block;
                        if let Some(next) = blocks.get(own + 1) {
                            next.prefetch();
                        }
                        let block = &mut blocks[own];
                        if !block.pairs.is_empty() {
                            block.step(&context, results.of_block(own));
                            row_contacts.note(&block.pairs, *done, &block.begun);
                        }
                        *done += 1;
                    }
                }
                let all = Blocks {
                    shared,
                    own: blocks,
                    first: first_block,
                };
                row_contacts.add(&all, number);
                lap(0);
            }
            if !body.keeps_loads {
                std::mem::swap(&mut state.loads, &mut scratch);
            }
            let begin = number * ROWS;
            let rows = begin..(begin + ROWS).min(lines.len());
            run_reals(BodyChunk {
                first: first + begin,
                lines: &mut lines[rows.clone()],
                spins: &mut spins[rows.clone()],
                images: &mut images[rows.clone()],
                forces: forces.get_mut(rows.clone()).unwrap_or_default(),
                torques: torques.get_mut(rows.clone()).unwrap_or_default(),
                references: &mut references[rows.clone()],
                accounts: accounts.get_mut(rows).unwrap_or_default(),
                state: &mut *state,
                contacts: &row_contacts.chunks[number],
                shared_results,
                results,
                first_block,
                context: body,
            });
            if !body.keeps_loads {
                std::mem::swap(&mut state.loads, &mut scratch);
            }
            lap(1);
        }
        seconds
    }
}
