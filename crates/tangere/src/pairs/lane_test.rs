//! Lane test, the SIMD kernel of the cell lists: one packed item against a range of items, eight
//! lanes at a time.
//!
//! Branch-free: hits are compacted through a mask and written whether there are any or not. Near
//! ties, too close to decide in f32, are detected once for a batch of ranges, which is then
//! repeated with f64 tests for those lanes. Bounds checks took a third of a search; they are left
//! out where a comment proves that indices are in range.

use super::f32_packing::Packing;
use super::pair_lists::Writer;
use super::scene::Scene;
use crate::simd::{Kernel, Lanes, Vector, run_widest};
use std::marker::PhantomData;

/// The number of padding lanes after the last item of a cell list, so that eight lanes can be
/// loaded from the position of any item on.
pub(super) const PADDING: usize = 8;

/// The lane test of a cell list: its packed items, against which probes are tested.
pub(super) struct LaneTest<'a, const D: usize, const N: usize> {
    /// The packed coordinates of the items of the lane test, one slice of length `count + PADDING`
    /// for each coordinate.
    packed: [&'a [f32]; N],
    pub(super) index: &'a [u32],
    gap_error: f32,
    scene: &'a Scene<D>,
}

/// A visit of the lane test: an item, and the range `from..to` of positions in the cell list of the
/// items to test it against. `item` is its position in the cell list, or its index in the scene if
/// it is a query item.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visit {
    pub(super) item: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A probe: the packed item that the lane test tests against eight others at a time.
#[derive(Clone, Copy)]
pub(super) struct Probe<const N: usize> {
    pub(super) packed: [f32; N],
    pub(super) index: u32,
}

impl<'a, const D: usize, const N: usize> LaneTest<'a, D, N> {
    /// A lane test against the first `count` items of a cell list. `PADDING` more lanes must follow
    /// these items in `packed` and `index`.
    #[inline(always)]
    pub(super) fn new(
        packed: &'a [Vec<f32>; N],
        index: &'a [u32],
        count: usize,
        gap_error: f32,
        scene: &'a Scene<D>,
    ) -> Self {
        LaneTest {
            packed: packed.each_ref().map(|values| &values[..count + PADDING]),
            index: &index[..count + PADDING],
            gap_error,
            scene,
        }
    }

    /// The probe of the item at position `i` of the cell list, for a lane test against others.
    ///
    /// # Safety
    /// `i` is less than the number of items.
    #[inline(always)]
    pub(super) unsafe fn one(&self, i: usize) -> Probe<N> {
        // SAFETY: all slices are longer than `count`.
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

    /// The packed coordinates of the items at the positions `from..to` of the lane test, one slice
    /// for each coordinate.
    #[inline(always)]
    pub(super) fn range(&self, from: usize, to: usize) -> [&'a [f32]; N] {
        self.packed.map(|values| &values[from..to])
    }

    /// Runs the lane test on all visits and writes the touching pairs. `one` returns the probe of
    /// the item of a visit.
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

    /// Repeats the lane test of a batch of visits some of which have near ties (pairs too close to
    /// decide in f32), and decides these in f64. It is a function of its own, so that this rare
    /// case takes no registers from the common one.
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

    /// Runs the lane test on all visits, eight lanes at a time, and writes the touching pairs. If
    /// `CARE` is set, near ties are decided in f64. If it is not set, near ties may be written or
    /// not, and the result is whether there were none.
    ///
    /// # Safety
    /// As [`LaneTest::run`].
    #[inline(always)]
    unsafe fn list<V: Vector, P: Packing<D, N>, const CARE: bool>(
        &self,
        visits: &[Visit],
        one: &impl Fn(u32) -> Probe<N>,
        writer: &mut Writer<'_>,
    ) -> bool {
        let (zero, gap_error) = (V::splat(0.0), V::splat(self.gap_error));
        let mut closest = V::splat(f32::INFINITY);
        for visit in visits {
            let (mut j, to) = (visit.from as usize, visit.to as usize);
            loop {
                // First, so that nothing else is live across the call.
                writer.reserve_lanes();
                let one = one(visit.item);
                let eight: [V; N] = std::array::from_fn(
                    #[inline(always)]
                    |k| {
                        // SAFETY: `j` is below the number of items, and slices are longer by
                        // `PADDING`.
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
                    let unsure = signed_gap.abs().at_most(gap_error) & lanes;
                    touching = touching & !unsure | decided(self.scene, one.index, index, unsure);
                } else {
                    closest = closest.min(signed_gap.abs());
                }
                // SAFETY: lanes are reserved at the start of this iteration.
                unsafe { writer.write::<V>(one.index, index, touching) };
                j += 8;
                // Otherwise `j < to` still holds.
                if j >= to {
                    break;
                }
            }
        }
        closest.at_most(gap_error) == 0
    }
}

/// Kernel that repeats the lane test of a batch of visits and decides near ties in f64.
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
        // SAFETY: only `LaneTest::run` makes this, and its caller has promised it.
        unsafe {
            self.lane_test
                .list::<V, P, true>(self.visits, self.one, self.writer)
        };
    }
}

/// Decides near ties of the lane test in f64: returns the mask of those lanes, among the bits
/// `lanes`, whose items in `eight` touch item `i`.
#[cold]
#[inline(never)]
fn decided<const D: usize>(scene: &Scene<D>, i: u32, eight: &[u32; 8], lanes: u32) -> u32 {
    let touch = |lane: &usize| scene.touch(i as usize, eight[*lane] as usize);
    Lanes(lanes)
        .filter(touch)
        .fold(0, |bits, lane| bits | 1 << lane)
}
