//! Pair settings: margin, periodic cell, limit of pairs, method and skin of the broad phase.

use super::{Method, Periodic};
use crate::error::{Argument, Error, Result, number};
use crate::settings::builders;

/// Settings of all broad-phase methods.
#[derive(Clone, Copy, Debug)]
pub struct PairSettings<const D: usize> {
    /// The largest gap at which items still form a pair; not negative.
    pub margin: f64,
    /// The periodic cell in which items repeat; `None` for open space.
    pub periodic: Option<Periodic<D>>,
    /// Whether pairs are searched in all periodic images. Items may then have any size: a pair may
    /// touch in several images, and an item may touch its own images
    /// ([`PairFinder::contacts`](super::PairFinder::contacts)). If it is not set, items so large
    /// that this may happen are an error.
    pub every_image: bool,
    /// Maximum number of pairs of an answer. If there are more, the error reports their number.
    /// This also bounds the memory for pairs: a search stores up to four times as many raw pairs
    /// (with excluded pairs and all periodic images), or a million if that is more.
    pub most: usize,
    /// The method of [`BroadPhase`](super::BroadPhase) and [`Candidates`](super::Candidates). Types
    /// of a single method accept only [`Method::Auto`] and their own.
    pub method: Method,
    /// The skin of the Verlet list: the distance beyond the margin up to which candidate pairs are
    /// listed. With `None`, [`BroadPhase`](super::BroadPhase) has no list and searches at every
    /// update, and [`Candidates`](super::Candidates) has a list with a skin of 0. Types of a single
    /// method accept only `None`.
    pub skin: Option<f64>,
    /// The mean number of items in a cell of [`Method::Linked`], from 0.125 up; 1 if `None`. Other
    /// methods accept only `None`.
    pub occupancy: Option<f64>,
    /// The reference point of [`Method::ShellsPublished`], from which distances are measured; the
    /// lower corner of the bounds of all items if `None`. Other methods accept only `None`.
    pub origin: Option<[f64; D]>,
}

impl<const D: usize> Default for PairSettings<D> {
    fn default() -> Self {
        PairSettings {
            margin: 0.0,
            periodic: None,
            every_image: false,
            most: usize::MAX,
            method: Method::Auto,
            skin: None,
            occupancy: None,
            origin: None,
        }
    }
}

builders! {
    PairSettings<D> {
        /// Sets the margin: the largest gap at which items still form a pair; not negative.
        with_margin(margin: f64),
        /// Sets the periodic cell, if any.
        with_periodic(periodic: impl Into<Option<Periodic<D>>>),
        /// Sets whether pairs are searched in all periodic images.
        with_every_image(every_image: bool),
        /// Sets the maximum number of pairs of an answer. If there are more, the error reports
        /// their number.
        with_most(most: usize),
        /// Sets the method of [`BroadPhase`](super::BroadPhase) and
        /// [`Candidates`](super::Candidates).
        with_method(method: Method),
        /// Sets the skin of the Verlet list, if one is to be kept.
        with_skin(skin: impl Into<Option<f64>>),
        /// Sets the mean number of items in a cell of [`Method::Linked`].
        with_occupancy(occupancy: impl Into<Option<f64>>),
        /// Sets the reference point of [`Method::ShellsPublished`].
        with_origin(origin: impl Into<Option<[f64; D]>>),
    }
}

impl<const D: usize> PairSettings<D> {
    /// Rejects pair settings that name another method than `own`, that have a skin, or that have a
    /// setting of a method other than `own`.
    pub(super) fn check_method(&self, own: &'static str) -> Result<()> {
        let method = self.method.name();
        if self.method != Method::Auto && method != own {
            let expected = format!("{own} or auto for this type; BroadPhase has every method");
            return Err(Error::argument(Argument::Method, method, expected));
        }
        if let Some(skin) = self.skin {
            let expected = "none for this type; BroadPhase and Candidates keep a Verlet list";
            return Err(Error::argument(Argument::Skin, number(skin), expected));
        }
        let others = |of: Method| format!("none for method {own}; only {of} has one");
        if let Some(occupancy) = self.occupancy
            && own != Method::Linked.name()
        {
            let (found, expected) = (number(occupancy), others(Method::Linked));
            return Err(Error::argument(Argument::Occupancy, found, expected));
        }
        if let Some(origin) = self.origin
            && own != Method::ShellsPublished.name()
        {
            let (found, expected) = (format!("{origin:?}"), others(Method::ShellsPublished));
            return Err(Error::argument(Argument::Origin, found, expected));
        }
        Ok(())
    }
}

/// Rejects a length of the pair settings that is negative or not finite: the margin, the skin or
/// the sum of both. The error calls it `what`.
pub(super) fn check_margin(what: Argument, margin: f64) -> Result<()> {
    match margin >= 0.0 && crate::geometry::is_valid_coordinate(margin) {
        true => Ok(()),
        false => {
            let expected = "a finite number that is not negative";
            Err(Error::argument(what, number(margin), expected))
        }
    }
}
