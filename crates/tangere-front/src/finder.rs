//! Broad phase for items in 2D or 3D whose dimension is known only at run time.

use crate::inputs::{Cell, Frame, PairFilters};
use tangere::pairs::{
    BroadPhase, Dimension, Method, PairContact, PairFinder, PairSettings, Periodic, Space, Uses,
    neighbors,
};
use tangere::{Argument, Error, Result};

/// Settings of the broad phase.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The search method; the pairs do not depend on it.
    pub method: Method,
    /// The largest gap between two items that count as touching, a distance; 0 if only items that
    /// share a point touch.
    pub margin: f64,
    /// Skin of the Verlet list, a distance: pairs up to this much farther apart than pairs that
    /// touch are kept as candidates from step to step. `None` disables the list.
    pub skin: Option<f64>,
    /// The periodic cell of the items; `None` if space is not periodic. [`Finder::set_cell`]
    /// replaces it.
    pub cell: Option<Cell>,
    /// Whether all periodic images are tested, not only the minimum image.
    pub every_image: bool,
    /// Maximum number of pairs; a search that finds more returns an error.
    pub most: usize,
    /// The mean number of items in a cell of [`Method::Linked`]; its default if `None`.
    pub occupancy: Option<f64>,
    /// The reference point of [`Method::ShellsPublished`], of as many coordinates as the items; its
    /// default if `None`.
    pub origin: Option<Vec<f64>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            method: Method::Auto,
            margin: 0.0,
            skin: None,
            cell: None,
            every_image: false,
            most: usize::MAX,
            occupancy: None,
            origin: None,
        }
    }
}

impl Settings {
    fn finder<const D: usize>(&self) -> Result<BroadPhase<D>>
    where
        Space: Dimension<D>,
    {
        let origin = match self.origin.as_deref().map(<[f64; D]>::try_from) {
            None => None,
            Some(Ok(origin)) => Some(origin),
            Some(Err(_)) => {
                let found = format!("{:?}", self.origin.as_deref().unwrap_or_default());
                let expected = format!("{D} coordinates, one for each dimension of the items");
                return Err(Error::argument(Argument::Origin, found, expected));
            }
        };
        BroadPhase::new(PairSettings {
            margin: self.margin,
            // The cell is set before each update.
            periodic: None,
            every_image: self.every_image,
            most: self.most,
            method: self.method,
            skin: self.skin,
            occupancy: self.occupancy,
            origin,
        })
    }
}

/// A [`PairFinder`] for items in the plane or in space; the dimension may change with an update.
pub struct Finder {
    settings: Settings,
    /// New groups and masks of the items, which the next update sets; `None` if they have not
    /// changed since the last update.
    filters: Option<PairFilters>,
    state: State,
    items: usize,
}

enum State {
    /// The finder has had no items yet, and no dimension.
    New,
    Plane(BroadPhase<2>),
    Space(BroadPhase<3>),
}

/// Evaluates `$answer`, in which `$finder` is the pair finder in use, that of two or that of three
/// dimensions. Evaluates `$none` if no items were given yet, as their dimension is not known then.
macro_rules! of_either {
    ($state:expr, $finder:ident => $answer:expr, $none:expr) => {
        match $state {
            State::New => $none,
            State::Plane($finder) => $answer,
            State::Space($finder) => $answer,
        }
    };
}

impl Finder {
    /// Returns a finder without items.
    ///
    /// # Errors
    /// When the margin or the skin is negative or not finite, or a setting of one method is given
    /// to another or invalid.
    pub fn new(settings: Settings) -> Result<Self> {
        match settings.origin.as_deref() {
            Some([_, _, _]) => settings.finder::<3>().map(|_| ())?,
            _ => settings.finder::<2>().map(|_| ())?,
        }
        Ok(Finder {
            settings,
            filters: None,
            state: State::New,
            items: 0,
        })
    }

    /// Sets groups and masks that exclude pairs, from the next update on.
    pub fn leave_out(&mut self, filters: PairFilters) {
        self.filters = Some(filters);
    }

    /// Replaces the periodic cell from the next update on.
    pub fn set_cell(&mut self, cell: Option<Cell>) {
        self.settings.cell = cell;
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        (self.state, self.items) = (State::New, 0);
    }

    /// Replaces the items. Memory and the candidate pairs of the Verlet list are kept unless the
    /// dimension changes.
    ///
    /// # Errors
    /// As [`PairFinder::update`], or when the periodic cell has another dimension. The finder then
    /// has no items.
    pub fn update(&mut self, frame: &Frame) -> Result<()> {
        let before = std::mem::replace(&mut self.state, State::New);
        self.items = 0;
        let (filters, cell) = (self.filters.take(), self.settings.cell);
        self.state = match (frame, before) {
            (Frame::Plane(shapes), before) => {
                let cell = match cell {
                    Some(Cell::Space(_)) => return Err(other_cell(3)),
                    Some(Cell::Plane(cell)) => Some(cell),
                    None => None,
                };
                let finder = match before {
                    State::Plane(finder) => finder,
                    _ => self.settings.finder()?,
                };
                State::Plane(updated(finder, filters, cell, shapes.items())?)
            }
            (Frame::Space(shapes), before) => {
                let cell = match cell {
                    Some(Cell::Plane(_)) => return Err(other_cell(2)),
                    Some(Cell::Space(cell)) => Some(cell),
                    None => None,
                };
                let finder = match before {
                    State::Space(finder) => finder,
                    _ => self.settings.finder()?,
                };
                State::Space(updated(finder, filters, cell, shapes.items())?)
            }
        };
        self.items = frame.len();
        Ok(())
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Finds all pairs; see [`PairFinder::pairs`].
    ///
    /// # Errors
    /// When there are more pairs than the limit.
    pub fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        of_either!(&mut self.state, finder => finder.pairs(out), Ok(()))
    }

    /// Finds all pairs of an item and one of `others`; see [`PairFinder::query`].
    ///
    /// # Errors
    /// When `others` are invalid or of another dimension, or there are more pairs than the limit.
    pub fn query(&mut self, others: &Frame, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        match (&mut self.state, others) {
            (State::New, others) => others.check(),
            (State::Plane(finder), Frame::Plane(others)) => finder.query(others.items(), out),
            (State::Space(finder), Frame::Space(others)) => finder.query(others.items(), out),
            (_, others) => {
                let dimension = others.dimension();
                let expected = format!("{}, as the items have", 5 - dimension);
                let found = format!("{dimension} dimensions");
                Err(Error::argument(Argument::Other("others"), found, expected))
            }
        }
    }

    /// Finds a chunk of the pairs, from the first pair whose lower item is `first` or later.
    /// Returns the `first` of the next chunk, or `None` after the last pair. See
    /// [`PairFinder::chunk`].
    ///
    /// # Errors
    /// When all chunks together have more pairs than the limit.
    pub fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        out.clear();
        of_either!(&mut self.state, finder => finder.chunk(first, out), Ok(None))
    }

    /// Finds all contacts: pairs with image, gap and normal; see [`PairFinder::contacts`].
    ///
    /// # Errors
    /// When there are more contacts than the limit.
    pub fn contacts(&mut self) -> Result<Contacts> {
        fn found<const D: usize>(finder: &mut BroadPhase<D>) -> Result<Vec<PairContact<D>>> {
            let mut contacts = Vec::new();
            finder.contacts(&mut contacts)?;
            Ok(contacts)
        }
        match &mut self.state {
            State::New => Ok(Contacts::Space(Vec::new())),
            State::Plane(finder) => found(finder).map(Contacts::Plane),
            State::Space(finder) => found(finder).map(Contacts::Space),
        }
    }

    /// Returns neighbour lists as two arrays, `offsets` and `indices`: the items that touch item
    /// `i` are `indices[offsets[i]..offsets[i + 1]]`. See [`neighbors`].
    ///
    /// # Errors
    /// When there are more pairs than the limit.
    pub fn neighbors(&mut self) -> Result<(Vec<usize>, Vec<u32>)> {
        let mut pairs = Vec::new();
        self.pairs(&mut pairs)?;
        Ok(neighbors(self.items, &pairs))
    }

    /// Returns how often candidates of the Verlet list were searched and reused; 0 without a skin.
    pub fn uses(&self) -> Uses {
        let uses = of_either!(&self.state, finder => finder.uses(), None);
        uses.unwrap_or_default()
    }

    /// Returns the name of the search method in use; before the first update, that of the settings.
    pub fn method(&self) -> &'static str {
        of_either!(&self.state, finder => finder.method(), self.settings.method.name())
    }

    /// Returns the reason for the choice of the search method, in one sentence.
    pub fn reason(&self) -> String {
        of_either!(&self.state, finder => finder.reason(), "there are no particles yet".into())
    }
}

fn updated<const D: usize>(
    mut finder: BroadPhase<D>,
    filters: Option<PairFilters>,
    cell: Option<Periodic<D>>,
    items: tangere::pairs::Items<'_, D>,
) -> Result<BroadPhase<D>> {
    if let Some(filters) = filters {
        finder.leave_out(&filters.groups, &filters.masks);
    }
    finder.set_cell(cell);
    finder.update(items)?;
    Ok(finder)
}

fn other_cell(dimension: usize) -> Error {
    let expected = format!("{}, one for each dimension of the items", 5 - dimension);
    let found = format!("{dimension} lengths");
    Error::argument(Argument::PeriodicLengths, found, expected)
}

/// Contacts of the broad phase in the plane or in space.
#[derive(Clone, Debug)]
pub enum Contacts {
    /// Contacts in the plane.
    Plane(Vec<PairContact<2>>),
    /// Contacts in space.
    Space(Vec<PairContact<3>>),
}

impl Contacts {
    /// Returns the pair of items of each contact. A pair that touches in several periodic images
    /// occurs several times.
    pub fn pairs(&self) -> Vec<[u32; 2]> {
        match self {
            Contacts::Plane(contacts) => contacts.iter().map(|c| c.pair).collect(),
            Contacts::Space(contacts) => contacts.iter().map(|c| c.pair).collect(),
        }
    }

    /// Returns the pairs of the contacts as [`Finder::pairs`] does: each pair once, even if it
    /// touches in several periodic images, and no item paired with its own image.
    pub fn distinct_pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = self.pairs();
        pairs.retain(|[a, b]| a != b);
        pairs.dedup();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Shapes;

    fn row(distance: f64) -> Frame {
        Frame::Plane(Shapes::Spheres {
            centers: (0..3).map(|i| [distance * f64::from(i), 0.0]).collect(),
            radii: vec![0.5; 3],
        })
    }

    #[test]
    fn the_dimension_may_change() {
        let mut finder = Finder::new(Settings::default()).unwrap();
        let mut pairs = vec![[7, 7]];
        finder.pairs(&mut pairs).unwrap();
        assert!(pairs.is_empty() && finder.is_empty());
        finder.update(&row(1.0)).unwrap();
        finder.pairs(&mut pairs).unwrap();
        assert_eq!(pairs, [[0, 1], [1, 2]]);
        let space = Frame::Space(Shapes::Spheres {
            centers: vec![[0.0; 3]; 2],
            radii: vec![1.0; 2],
        });
        let error = finder.query(&space, &mut pairs).unwrap_err();
        let message = "others: found 3 dimensions, expected 2, as the items have";
        assert_eq!(error.to_string(), message);
        finder.update(&space).unwrap();
        assert_eq!(finder.neighbors().unwrap(), (vec![0, 1, 2], vec![1, 0]));
        finder.set_cell(Some(Cell::new(&[9.0, 9.0], &[], &[]).unwrap()));
        assert!(finder.update(&space).is_err());
        assert!(finder.is_empty());
    }

    #[test]
    fn contacts_have_the_pairs() {
        let mut finder = Finder::new(Settings {
            every_image: true,
            cell: Some(Cell::new(&[0.75, 0.0], &[], &[]).unwrap()),
            ..Settings::default()
        })
        .unwrap();
        let mut pairs = Vec::new();
        finder.update(&row(0.25)).unwrap();
        finder.pairs(&mut pairs).unwrap();
        let contacts = finder.contacts().unwrap();
        assert!(contacts.pairs().len() > pairs.len());
        assert_eq!(contacts.distinct_pairs(), pairs);
    }
}
