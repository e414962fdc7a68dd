//! The innermost loop: one packed item against a range of others, eight at once.
//! A part of other methods.
//!
//! Nothing is guessed that may go wrong: pairs are written without asking whether
//! there are any (eight lanes, of which those that count are kept), and whether
//! something was too close to call is asked once for many items. Checks of bounds took a third of the time of a search; they
//! are left out where a comment proves them.

use super::f32_packing::Packing;
use super::pair_lists::Writer;
use super::scene::Scene;
use crate::simd::{Kernel, Lanes, Vector, run_widest};
use std::marker::PhantomData;

/// Lanes after the last item, so that eight can be read from anywhere.
pub(super) const PADDING: usize = 8;

/// Packed items.
pub(super) struct LaneTest<'a, const D: usize, const N: usize> {
    /// All of the same length, at least `count + PADDING`.
    packed: [&'a [f32]; N],
    pub(super) index: &'a [u32],
    room: f32,
    scene: &'a Scene<D>,
}

/// An item is to meet those from one to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visit {
    pub(super) item: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The item that meets others.
#[derive(Clone, Copy)]
pub(super) struct Probe<const N: usize> {
    pub(super) packed: [f32; N],
    pub(super) index: u32,
}

impl<'a, const D: usize, const N: usize> LaneTest<'a, D, N> {
    /// The first `count` of items, with as many more as `PADDING` says.
    #[inline(always)]
    pub(super) fn new(
        packed: &'a [Vec<f32>; N],
        index: &'a [u32],
        count: usize,
        room: f32,
        scene: &'a Scene<D>,
    ) -> Self {
        LaneTest {
            packed: packed.each_ref().map(|values| &values[..count + PADDING]),
            index: &index[..count + PADDING],
            room,
            scene,
        }
    }

    /// Item `i` of these.
    ///
    /// # Safety
    /// It is below their number.
    #[inline(always)]
    pub(super) unsafe fn one(&self, i: usize) -> Probe<N> {
        // SAFETY: all slices are longer than that number.
        unsafe {
            Probe {
                packed: self.packed.map(
                    #[inline(always)]
                    |values| *values.get_unchecked(i),
                ),
                index: *self.index.get_unchecked(i),
            }
        }
    }

    /// The packed items `from..to`.
    #[inline(always)]
    pub(super) fn range(&self, from: usize, to: usize) -> [&'a [f32]; N] {
        self.packed.map(|values| &values[from..to])
    }

    /// Lists the pairs of visits; `one` gives the item of a visit.
    ///
    /// # Safety
    /// The ranges of visits are within the items, and not empty.
    #[inline(always)]
    pub(super) unsafe fn run<V: Vector, P: Packing<D, N>>(
        &self,
        visits: &[Visit],
        one: impl Fn(u32) -> Probe<N>,
        writer: &mut Writer<'_>,
    ) {
        let mark = writer.mark();
        // SAFETY: as the caller promises.
        let sure = unsafe { self.list::<V, P, false>(visits, &one, writer) };
        if !sure {
            writer.rewind(mark);
            self.test_near_ties::<P>(visits, &one, writer);
        }
    }

    /// Its own code, as what is seldom used would take registers from what is used always.
    #[cold]
    #[inline(never)]
    fn test_near_ties<P: Packing<D, N>>(
        &self,
        visits: &[Visit],
        one: &impl Fn(u32) -> Probe<N>,
        writer: &mut Writer<'_>,
    ) {
        run_widest(Care {
            lane_test: self,
            visits,
            one,
            writer,
            packing: PhantomData::<P>,
        });
    }

    /// Lists the pairs of visits. Without care, pairs that are too close to call are listed
    /// or not, and the answer is whether there are none.
    ///
    /// # Safety
    /// As of [`LaneTest::meet`].
    #[inline(always)]
    unsafe fn list<V: Vector, P: Packing<D, N>, const CARE: bool>(
        &self,
        visits: &[Visit],
        one: &impl Fn(u32) -> Probe<N>,
        writer: &mut Writer<'_>,
    ) -> bool {
        let (zero, room) = (V::splat(0.0), V::splat(self.room));
        let mut closest = V::splat(f32::INFINITY);
        for visit in visits {
            let (mut j, to) = (visit.from as usize, visit.to as usize);
            loop {
                // First, so that nothing else has to be kept.
                writer.reserve_lanes();
                let one = one(visit.item);
                let eight: [V; N] = std::array::from_fn(
                    #[inline(always)]
                    |k| {
                        // SAFETY: `j` is below the number of items, and slices are longer by `PADDING`.
                        V::load(unsafe { &*self.packed[k].as_ptr().add(j).cast() })
                    },
                );
                // SAFETY: as above.
                let index: &[u32; 8] = unsafe { &*self.index.as_ptr().add(j).cast() };
                let signed_gap = P::signed_gap(
                    &one.packed.map(
                        #[inline(always)]
                        |x| V::splat(x),
                    ),
                    &eight,
                );
                let lanes = (1u32 << (to - j).min(8)) - 1;
                let mut touching = signed_gap.below(zero) & lanes;
                if CARE {
                    let unsure = signed_gap.abs().at_most(room) & lanes;
                    touching = touching & !unsure | decided(self.scene, one.index, index, unsure);
                } else {
                    closest = closest.min(signed_gap.abs());
                }
                // SAFETY: there is room, as this loop begins with making it.
                unsafe { writer.write::<V>(one.index, index, touching) };
                j += 8;
                // Then `j < to` still.
                if j >= to {
                    break;
                }
            }
        }
        closest.at_most(room) == 0
    }
}

/// Visits with care.
struct Care<'a, 'w, 'l, const D: usize, const N: usize, P, F> {
    lane_test: &'a LaneTest<'a, D, N>,
    visits: &'a [Visit],
    one: &'a F,
    writer: &'w mut Writer<'l>,
    packing: PhantomData<P>,
}

impl<const D: usize, const N: usize, P: Packing<D, N>, F: Fn(u32) -> Probe<N>> Kernel
    for Care<'_, '_, '_, D, N, P, F>
{
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        // SAFETY: only `LaneTest::meet` makes this, and its caller has promised it.
        unsafe {
            self.lane_test
                .list::<V, P, true>(self.visits, self.one, self.writer)
        };
    }
}

/// Which of eight items touch item `i`, of those that are too close to call in f32.
#[cold]
#[inline(never)]
fn decided<const D: usize>(scene: &Scene<D>, i: u32, eight: &[u32; 8], lanes: u32) -> u32 {
    let touch = |lane: &usize| scene.touch(i as usize, eight[*lane] as usize);
    Lanes(lanes)
        .filter(touch)
        .fold(0, |bits, lane| bits | 1 << lane)
}
