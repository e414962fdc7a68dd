//! Pair finder: the trait [`PairFinder`], which is the interface of all broad-phase methods.

use super::{Items, Mask, PairContact, Periodic};
use crate::error::Result;

/// A broad-phase method. `leave_out` sets exclusions, `update` takes items, `pairs` and `query`
/// return the pairs for the items of the last update. Memory is kept from call to call.
pub trait PairFinder<const D: usize>: Send {
    /// Sets the exclusions of the pair finder, from the next update on: pairs of items of the same
    /// group (clump, body, molecule) and pairs whose masks do not allow each other
    /// ([`Mask::allows`]), in whatever image they touch. Each list is empty, for no exclusions, or
    /// has one entry for each item of the following updates, in their order.
    ///
    /// ```
    /// use tangere::pairs::{Auto, Mask, PairFinder, PairSettings};
    ///
    /// let (centers, radii) = ([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], [0.5; 4]);
    /// let mut finder = Auto::new(PairSettings::default())?;
    /// let mut pairs = Vec::new();
    ///
    /// // Two clumps of two.
    /// finder.leave_out(&[7, 7, 9, 9], &[]);
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.pairs(&mut pairs)?;
    /// assert_eq!(pairs, [[1, 2]]);
    ///
    /// // Grains, which meet everything, and walls, which meet grains.
    /// let grain = Mask { member: 0b01, meets: 0b11 };
    /// let wall = Mask { member: 0b10, meets: 0b01 };
    /// finder.leave_out(&[], &[grain, wall, wall, grain]);
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.pairs(&mut pairs)?;
    /// assert_eq!(pairs, [[0, 1], [2, 3]]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]);

    /// Replaces the items of the pair finder, from which the following calls find pairs.
    ///
    /// # Errors
    /// When an item is invalid (the error names it) or too large for the periodic cell, when the
    /// number of groups or masks differs from that of items, or when too many images are within
    /// reach. The finder then has no items.
    fn update(&mut self, items: Items<'_, D>) -> Result<()>;

    /// Writes all touching pairs that the pair finder finds to `out`, sorted, the lower index of
    /// each pair first. Each pair is listed once, in however many images it touches. `out` is
    /// cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most).
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Calls `visit` with the pairs of [`PairFinder::pairs`] in the same order, chunk by chunk, so
    /// that no array holds all sorted pairs. If there are too many pairs, `visit` is never called.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most).
    ///
    /// ```
    /// use tangere::pairs::{Auto, PairFinder, PairSettings};
    ///
    /// let centers: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 0.0]).collect();
    /// let mut finder = Auto::new(PairSettings::default())?;
    /// finder.update((&centers[..], &[0.5; 1000][..]).into())?;
    /// let mut count = 0;
    /// finder.for_each_chunk(&mut |pairs| count += pairs.len())?;
    /// assert_eq!(count, 999);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()>;

    /// Writes a chunk of the pair finder's pairs whose lower item is `first` or later to `out`, in
    /// order. Returns the `first` of the next chunk, or `None` after the last. Any other call in
    /// between costs a new search. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most) in all.
    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>>;

    /// Writes the contacts of all touching pairs that the pair finder finds to `out`: the image in
    /// which they touch, the gap, and the normal from the first item to the second. `out` is
    /// cleared first.
    ///
    /// A pair that touches in several images has one contact, in the image with the deepest
    /// overlap. With [`PairSettings::every_image`](super::PairSettings::every_image) it has a
    /// contact for each image, sorted by pair, then by image. An item that touches its own images
    /// is then a pair with itself; of two opposite images, the one whose last nonzero component is
    /// positive is listed.
    ///
    /// ```
    /// use tangere::pairs::{Auto, PairFinder, PairSettings, Periodic};
    ///
    /// // As large as the cell: it touches itself, across each border.
    /// let (centers, radii) = ([[0.2, 0.7]], [0.5]);
    /// let mut finder = Auto::new(PairSettings {
    ///     periodic: Some(Periodic::new([1.0, 1.0])?),
    ///     every_image: true,
    ///     ..PairSettings::default()
    /// })?;
    /// let mut contacts = Vec::new();
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.contacts(&mut contacts)?;
    /// let images: Vec<_> = contacts.iter().map(|c| (c.pair, c.image)).collect();
    /// assert_eq!(images, [([0, 0], [0, 1]), ([0, 0], [1, 0])]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most).
    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()>;

    /// Queries the pair finder: writes all touching pairs of an item of the last update and one of
    /// the query items `others` to `out`, sorted, the item first. Query items must be of the same
    /// kind as the items. `out` is cleared first. The search structure of the update is reused.
    /// [`PairFinder::leave_out`] applies to items alone: query items have no group, belong to every
    /// kind and meet every kind.
    ///
    /// # Errors
    /// As [`PairFinder::update`] and [`PairFinder::pairs`].
    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Replaces the periodic cell of the pair finder, from the next update on.
    fn set_cell(&mut self, cell: Option<Periodic<D>>);

    /// How often the pair finder rebuilt and reused its Verlet list; `None` if it has none.
    fn uses(&self) -> Option<Uses> {
        None
    }

    /// The name of the method that the pair finder uses.
    fn method(&self) -> &'static str;

    /// Why the pair finder uses this method, in one sentence.
    fn reason(&self) -> String;
}

/// How often a Verlet list was rebuilt and reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The number of updates that rebuilt the list.
    pub builds: usize,
    /// The number of updates that reused the list.
    pub reuses: usize,
}

/// Calls `visit` with all chunks of a pair finder, one after the other. Chunks are written to the
/// vector that `buffer` returns, so that its memory is reused.
pub(super) fn visit_chunks<const D: usize, F: PairFinder<D>>(
    finder: &mut F,
    buffer: fn(&mut F) -> &mut Vec<[u32; 2]>,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> Result<()> {
    let mut chunk = std::mem::take(buffer(finder));
    let mut next = Ok(Some(0));
    while let Ok(Some(first)) = next {
        next = finder.chunk(first, &mut chunk);
        if next.is_ok() && !chunk.is_empty() {
            visit(&chunk);
        }
    }
    *buffer(finder) = chunk;
    next.map(|_| ())
}
