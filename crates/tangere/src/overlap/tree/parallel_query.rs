//! Parallel query of two inner sphere trees.
//!
//! One thread traverses both trees breadth first until there are enough pairs of nodes to start
//! from; threads then take these in turns, a few at a time, as tasks. The sums of tasks are added
//! in order.

use super::traverse::{BallTransform, Descent, Lists, OneStep, Pair, Sink, Trees};
use super::{ITEM, SphereTree};
use crate::overlap::grid::{CandidateBuffer, SumSink, on_threads};
use crate::overlap::pair_sums::{Placed, Sums};
use crate::overlap::relative_pose::RelativePose;
use crate::simd::run_widest;
use crate::stop::Current;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of pairs of nodes at which the breadth-first traversal ends; tasks start from these.
const TASKS: usize = 128;
/// The number of pairs of nodes in a task. It is small, because the subtrees below them differ in
/// size.
const TAKEN: usize = 4;

/// Scratch memory of queries of two inner sphere trees.
#[derive(Debug, Default)]
pub(in crate::overlap) struct Scratch {
    /// The pairs of nodes from which the tasks of the query start.
    roots: Vec<Pair>,
    parts: Vec<Mutex<Sums>>,
    memory: Vec<Mutex<Lists>>,
}

impl Clone for Scratch {
    /// Returns empty scratch memory, because scratch memory holds no state between queries.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Sink for SumSink<'_> {
    #[inline(always)]
    fn push(&mut self, a: u32, b: u32) {
        SumSink::push(self, a, b);
    }
}

impl Scratch {
    /// Parallel query of two inner sphere trees: returns the sums (volume, moment, force and
    /// torque) over all overlapping pairs of spheres, or over some of them if the query is stopped.
    pub(in crate::overlap) fn sums(
        &mut self,
        a: &SphereTree,
        b: &SphereTree,
        relative_pose: &RelativePose,
        stop: &Current,
    ) -> Sums {
        let trees = Trees {
            a,
            b,
            balls: &BallTransform::new(a, b, relative_pose),
        };
        let records = [&a.spheres[..], &b.spheres[..]];
        let mut waiting = CandidateBuffer::new();
        let mut measure = SumSink::of_records(records, relative_pose, 0, &mut waiting);
        cut(trees, &mut self.roots, &mut measure);
        let mut all = measure.sums();
        let tasks = self.roots.len().div_ceil(TAKEN);
        let threads = rayon::current_num_threads();
        if self.parts.len() < tasks {
            self.parts.resize_with(tasks, Mutex::default);
        }
        if self.memory.len() < threads {
            self.memory.resize_with(threads, Mutex::default);
        }
        let (roots, parts, memory) = (&self.roots, &self.parts, &self.memory);
        let (next, seat) = (AtomicUsize::new(0), AtomicUsize::new(0));
        on_threads(threads.min(tasks), &|| {
            let Some(lists) = memory.get(seat.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
            let mut waiting = CandidateBuffer::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let (Some(from), Some(part)) = (roots.chunks(TAKEN).nth(i), parts.get(i)) else {
                    break;
                };
                let mut measure = SumSink::of_records(records, relative_pose, 0, &mut waiting);
                if !stop.is_requested() {
                    run_widest(Descent {
                        trees,
                        from,
                        lists: &mut lists,
                        sink: &mut measure,
                    });
                }
                *part.lock().unwrap_or_else(PoisonError::into_inner) = measure.sums();
            }
        });
        for part in &mut self.parts[..tasks] {
            all.add(part.get_mut().unwrap_or_else(PoisonError::into_inner));
        }
        all
    }
}

/// Receives candidate pairs of spheres and lists those that overlap.
struct PairList<'a> {
    trees: Trees<'a>,
    relative_pose: &'a RelativePose,
    found: &'a mut Vec<[u32; 2]>,
}

impl Sink for PairList<'_> {
    #[inline(always)]
    fn push(&mut self, i: u32, j: u32) {
        let Trees { a, b, .. } = self.trees;
        let [of_a, of_b] = [&a.spheres[i as usize], &b.spheres[j as usize]].map(|s| s.placed());
        let moved = Placed {
            center: self.relative_pose.of_relative(of_a.center),
            ..of_a
        };
        if moved.overlaps(&of_b) {
            let pair = [a.numbers[i as usize], b.numbers[j as usize]];
            self.found.push(pair);
        }
    }
}

/// Query of two inner sphere trees: appends all overlapping pairs of spheres to `found`, in no
/// particular order; only some of them if the query is stopped.
pub(in crate::overlap) fn pairs(
    a: &SphereTree,
    b: &SphereTree,
    relative_pose: &RelativePose,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    let balls = &BallTransform::new(a, b, relative_pose);
    let trees = Trees { a, b, balls };
    let mut sink = PairList {
        trees,
        relative_pose,
        found,
    };
    let (mut roots, mut lists) = (Vec::new(), Lists::default());
    cut(trees, &mut roots, &mut sink);
    for from in roots.chunks(TAKEN).take_while(|_| !stop.is_requested()) {
        run_widest(Descent {
            trees,
            from,
            lists: &mut lists,
            sink: &mut sink,
        });
    }
}

/// Cuts the query of two inner sphere trees into tasks: traverses both trees breadth first until
/// `roots` has enough pairs from which tasks can start. Pairs of spheres found on the way go to
/// `sink`.
fn cut(trees: Trees<'_>, roots: &mut Vec<Pair>, sink: &mut impl Sink) {
    roots.clear();
    roots.push([0; 2]);
    let mut first = 0;
    while roots.len() - first < TASKS && first < roots.len() {
        let pair = roots[first];
        debug_assert!(pair[0] & pair[1] & ITEM == 0);
        first += 1;
        run_widest(OneStep {
            trees,
            pair,
            left: roots,
            sink,
        });
    }
    roots.drain(..first);
}
