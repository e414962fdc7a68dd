//! The broad phase with the method and the skin of the settings, chosen at run time.

use super::verlet_list::Source;
use super::{
    Auto, Brute, Candidates, Cells, GridPairs, Items, LinkedCells, Mask, Method, PairContact,
    PairFinder, PairSettings, Periodic, PublishedShells, Shells, Sweep, TreePairs, Uses,
};
use crate::error::Result;
use sealed::Methods;

/// Marker type of the space of the items: the bound `Space: Dimension<D>` holds if `D` is 2 or 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space;

/// A number of dimensions of space for which the broad-phase methods are compiled: 2 or 3. Sealed.
pub trait Dimension<const D: usize>: sealed::Methods<D> {}

impl<const D: usize> Dimension<D> for Space where Space: sealed::Methods<D> {}

pub(super) mod sealed {
    use super::{PairSettings, Result, Source, Space, compiled};

    /// Constructs a pair finder of any broad-phase method. The constructor is compiled here, once
    /// for each dimension, because compiling it again in every crate that uses it would take
    /// minutes.
    pub trait Methods<const D: usize> {
        /// Returns a pair finder of the method that the settings name. Their skin is ignored: the
        /// finder keeps no Verlet list.
        fn source(settings: PairSettings<D>) -> Result<Box<dyn Source<D>>>;
    }

    impl Methods<2> for Space {
        fn source(settings: PairSettings<2>) -> Result<Box<dyn Source<2>>> {
            compiled(settings)
        }
    }

    impl Methods<3> for Space {
        fn source(settings: PairSettings<3>) -> Result<Box<dyn Source<3>>> {
            compiled(settings)
        }
    }
}

/// Returns a pair finder of the method that the settings name, for a broad phase without Verlet
/// list.
fn compiled<const D: usize>(settings: PairSettings<D>) -> Result<Box<dyn Source<D>>> {
    let settings = settings.with_skin(None);
    Ok(match settings.method {
        Method::Brute => Box::new(Brute::new(settings)?),
        Method::Shells => Box::new(Shells::new(settings)?),
        Method::Cells => Box::new(Cells::new(settings)?),
        Method::Sweep => Box::new(Sweep::new(settings)?),
        Method::Grid => Box::new(GridPairs::new(settings)?),
        Method::Tree => Box::new(TreePairs::new(settings)?),
        Method::Linked => Box::new(LinkedCells::new(settings)?),
        Method::ShellsPublished => Box::new(PublishedShells::new(settings)?),
        Method::Auto => Box::new(Auto::new(settings)?),
    })
}

/// The broad phase of a simulation: a [`PairFinder`] with the method of the settings. If they have
/// a skin, it keeps candidate pairs from step to step in a Verlet list.
///
/// ```
/// use tangere::pairs::{BroadPhase, Method, PairFinder, PairSettings};
///
/// let (centers, radii) = ([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]], [0.5; 3]);
/// let settings = PairSettings::default().with_method(Method::Grid).with_skin(0.1);
/// let mut broad_phase = BroadPhase::new(settings)?;
/// let mut pairs = Vec::new();
/// broad_phase.update((&centers[..], &radii[..]).into())?;
/// broad_phase.pairs(&mut pairs)?;
/// assert_eq!(pairs, [[0, 1]]);
/// # Ok::<(), tangere::Error>(())
/// ```
pub struct BroadPhase<const D: usize> {
    finder: Box<dyn PairFinder<D>>,
}

impl<const D: usize> std::fmt::Debug for BroadPhase<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BroadPhase")
            .field("method", &self.finder.method())
            .finish_non_exhaustive()
    }
}

impl<const D: usize> BroadPhase<D>
where
    Space: Dimension<D>,
{
    /// Returns a broad phase without items.
    ///
    /// # Errors
    /// When the margin or the skin is negative or not finite, or a setting of one method is given
    /// to another or invalid.
    pub fn new(settings: PairSettings<D>) -> Result<Self> {
        let finder: Box<dyn PairFinder<D>> = match settings.skin {
            Some(_) => Box::new(Candidates::new(settings)?),
            None => Space::source(settings)?,
        };
        Ok(BroadPhase { finder })
    }
}

impl<const D: usize> PairFinder<D> for BroadPhase<D> {
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]) {
        self.finder.leave_out(groups, masks);
    }

    fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        self.finder.update(items)
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        self.finder.pairs(out)
    }

    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()> {
        self.finder.for_each_chunk(visit)
    }

    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        self.finder.chunk(first, out)
    }

    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        self.finder.contacts(out)
    }

    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        self.finder.query(others, out)
    }

    fn set_cell(&mut self, cell: Option<Periodic<D>>) {
        self.finder.set_cell(cell);
    }

    fn uses(&self) -> Option<Uses> {
        self.finder.uses()
    }

    fn method(&self) -> &'static str {
        self.finder.method()
    }

    fn reason(&self) -> String {
        self.finder.reason()
    }
}
