//! The innermost loop: one packed item against a range of others, eight at once.
//! A part of other methods.
//!
//! Nothing is guessed that may go wrong: pairs are written without asking whether
//! there are any (eight lanes, of which those that count are kept), a range is met
//! at least once even if it is empty, and whether something was too close to call is
//! asked once for an item. Checks of bounds took a third of the time of a search; they
//! are left out where a comment proves them.

use super::found::Writer;
use super::packing::Packing;
use super::scene::Scene;
use crate::simd::{Lanes, Vector};

/// Lanes after the last item, so that eight can be read from anywhere.
pub(super) const PADDING: usize = 8;

/// Packed items.
pub(super) struct Near<'a, const D: usize, const N: usize, V> {
    /// All of the same length, at least `count + PADDING`.
    packed: [&'a [f32]; N],
    pub(super) index: &'a [u32],
    room: V,
    zero: V,
    scene: &'a Scene<D>,
}

/// The item that meets others.
pub(super) struct One<V, const N: usize> {
    packed: [V; N],
    index: u32,
}

impl<'a, const D: usize, const N: usize, V: Vector> Near<'a, D, N, V> {
    /// The first `count` of items, with as many more as `PADDING` says.
    #[inline(always)]
    pub(super) fn new(
        packed: &'a [Vec<f32>; N],
        index: &'a [u32],
        count: usize,
        room: f32,
        scene: &'a Scene<D>,
    ) -> Self {
        Near {
            packed: packed.each_ref().map(|values| &values[..count + PADDING]),
            index: &index[..count + PADDING],
            room: V::splat(room),
            zero: V::splat(0.0),
            scene,
        }
    }

    /// An item as it is packed.
    #[inline(always)]
    pub(super) fn packed(&self, i: usize) -> [f32; N] {
        std::array::from_fn(|k| self.packed[k][i])
    }

    /// Item `i` of these, to meet others.
    #[inline(always)]
    pub(super) fn one(&self, i: usize, packed: [f32; N]) -> One<V, N> {
        self.probe(self.index[i], packed)
    }

    /// An item of the scene, to meet these.
    #[inline(always)]
    pub(super) fn probe(&self, index: u32, packed: [f32; N]) -> One<V, N> {
        One {
            packed: packed.map(V::splat),
            index,
        }
    }

    /// Calls `visit` to list the pairs of item `i`, which it does by [`Near::visit`]; a
    /// second time, with care, if something was too close to call.
    #[inline(always)]
    pub(super) fn meet(
        &self,
        writer: &mut Writer<'_>,
        i: u32,
        mut visit: impl FnMut(&mut Writer<'_>, &mut V, bool),
    ) {
        let mark = writer.mark();
        let mut closest = V::splat(f32::INFINITY);
        visit(writer, &mut closest, false);
        if closest.at_most(self.room) != 0 {
            writer.rewind(mark);
            visit(writer, &mut closest, true);
        }
        writer.end(i);
    }

    /// Lists the pairs of one with items `from..to`. Without care, pairs that are
    /// too close to call are listed or not, and `closest` tells that there are some.
    ///
    /// # Safety
    /// `from <= to`, and `to` is no more than the number of items.
    #[inline(always)]
    pub(super) unsafe fn visit<P: Packing<D, N>>(
        &self,
        one: &One<V, N>,
        (from, to): (usize, usize),
        writer: &mut Writer<'_>,
        closest: &mut V,
        care: bool,
    ) {
        let mut j = from;
        loop {
            let eight: [V; N] = std::array::from_fn(
                #[inline(always)]
                |k| {
                    // SAFETY: `j` is at most the number of items, and slices are longer by `PADDING`.
                    V::load(unsafe { &*self.packed[k].as_ptr().add(j).cast() })
                },
            );
            // SAFETY: as above.
            let index: &[u32; 8] = unsafe { &*self.index.as_ptr().add(j).cast() };
            let measure = P::measure(&one.packed, &eight);
            let lanes = (1u32 << (to - j).min(8)) - 1;
            let mut touching = measure.below(self.zero) & lanes;
            *closest = closest.min(measure.abs());
            if care {
                let unsure = measure.abs().at_most(self.room) & lanes;
                touching = touching & !unsure | decided(self.scene, one.index, index, unsure);
            }
            writer.write::<V>(one.index, index, touching);
            j += 8;
            // Then `j < to` still.
            if j >= to {
                break;
            }
        }
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
