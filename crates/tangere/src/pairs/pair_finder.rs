//! What every method is asked.

use super::{Items, Mask, PairContact, Periodic};
use crate::error::Result;

/// A method that finds pairs. `leave_out` says which do not count, `update` takes over items, `pairs` and `query`
/// answer for the items of the last update; memory is kept from call to call.
pub trait PairFinder<const D: usize>: Send {
    /// Leaves out pairs of items of the same group (of a clump, a body, a molecule)
    /// and pairs whose masks do not allow each other ([`Mask::allows`]), in whatever
    /// image they touch, from the next update on. Each of the two is empty, and then
    /// no rule, or has one for each item of the updates to come, in their order.
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

    /// Takes over items.
    ///
    /// # Errors
    /// When an item is none (it is named), or too large for the periodic cell, when
    /// there are not as many groups or masks, or too many images are within reach.
    /// The finder then has no items.
    fn update(&mut self, items: Items<'_, D>) -> Result<()>;

    /// All pairs, sorted, the lower item first, each once, in however many images
    /// they touch. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most).
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Calls `visit` with the same pairs in the same order, some at a time: no array
    /// holds them all in their order. Nothing is visited where there are too many.
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

    /// Some of the pairs whose lower item is `first` or a later one, the first of them
    /// in order, and the item with which to go on; no item where these were the last.
    /// A question of its own in between costs a search. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`](super::PairSettings::most) in all.
    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>>;

    /// The same pairs, each with the image in which they touch, their gap and
    /// the normal from the first to the second. `out` is cleared first.
    ///
    /// Where a pair touches in several images, the one in which it overlaps most. With
    /// [`PairSettings::every_image`](super::PairSettings::every_image) all of them, sorted by pair, then by image, and
    /// as pairs of an item with itself the images of its own that it touches: of each
    /// two opposite ones that whose last number other than 0 is positive.
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

    /// All pairs of an item of the last update and one of `others`, which must be
    /// of the same kind: sorted, the item first. `out` is cleared first. Others look
    /// into what the update has prepared. [`PairFinder::leave_out`] is about items
    /// alone: others have no group, are of every kind and meet every kind.
    ///
    /// # Errors
    /// As [`PairFinder::update`] and [`PairFinder::pairs`].
    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Replaces the periodic cell, for the next update.
    fn set_cell(&mut self, cell: Option<Periodic<D>>);

    /// How often this has searched, and how often it could do without: only
    /// [`Candidates`](super::Candidates) count.
    fn uses(&self) -> Option<Uses> {
        None
    }

    /// The method that answers.
    fn method(&self) -> &'static str;

    /// In one sentence, why this method answers.
    fn reason(&self) -> String;
}

/// How often candidates were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Updates that searched.
    pub builds: usize,
    /// Updates that needed no search.
    pub reuses: usize,
}

/// Visits all chunks of a finder.
pub(super) fn visit_chunks<const D: usize>(
    finder: &mut impl PairFinder<D>,
    chunk: &mut Vec<[u32; 2]>,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> Result<()> {
    let mut next = Some(0);
    while let Some(first) = next {
        next = finder.chunk(first, chunk)?;
        if !chunk.is_empty() {
            visit(chunk);
        }
    }
    Ok(())
}
