//! Linked cells with header and list arrays, as leszczynski2004 describes them in section 2.1
//! and compares its own method with.
//!
//! Space is divided into `m_1 x .. x m_D` cells whose edges are no shorter than the largest item
//! (equation 2). The header has the first item of each cell, the list the next item in the same
//! cell. An item is tested with the later items of its cell and with all items of the later half of
//! the neighbouring cells, so that each pair is tested once. With `p` items in a cell on average
//! this is `p 3^D / 2` tests for each of `n` items: `4.5 n p` in the plane and `13.5 n p` in space.
//! O(n) if all items have about the same size.
//!
//! [`Cells`](crate::pairs::Cells) also sorts items into cells and is faster.
//!
//! Deviates: the cells cover the bounds of all items, as there is no box of walls. The parameter is
//! the number of items in a cell; the numbers of cells along the axes are chosen so that nearly
//! cubic cells come closest to it within equation 2 (see [`LinkedCells::cells`]). The edges of
//! cells allow for rounding. Boxes are sorted by their centres, and their size is their longest
//! edge.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::Aabb;
use crate::pairs::pair_lists::PairLists;
use crate::pairs::pair_search::PairSearch;
use crate::pairs::scene::{Scene, Shapes};
use crate::pairs::{Finder, LinkedCells, Method, PairSettings};
use std::cell::Cell;

/// Bound on the error of the positions by which linked cells sort items, relative to the largest
/// coordinate. It allows for a few rounding units each in the centre of an item, in its distance
/// from the lower corner of all cells and in the division by the edge of a cell.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The mean number of items in a linked cell if none is requested: LCM1 of the paper.
const OCCUPANCY: f64 = 1.0;

/// The smallest mean number of items in a linked cell that can be requested. There are then at most
/// eight cells for each item, which bounds memory.
const LEAST: f64 = 0.125;

/// Marks the end of the list of items of a linked cell, and an empty cell.
const NONE: u32 = u32::MAX;

/// The search of the linked cells.
#[derive(Clone, Debug)]
pub struct LinkedSearch<const D: usize> {
    /// The requested mean number of items in a linked cell.
    occupancy: f64,
    cells: [usize; D],
    /// The header of the linked cells: the first item of each cell, or `NONE`.
    header: Vec<u32>,
    /// The list of the linked cells: for each item, the next item in the same cell, or `NONE`.
    list: Vec<u32>,
    /// The number of pairs of items that the last search of the linked cells tested.
    tests: usize,
}

impl<const D: usize> Default for LinkedSearch<D> {
    fn default() -> Self {
        LinkedSearch {
            occupancy: OCCUPANCY,
            cells: [1; D],
            header: Vec::new(),
            list: Vec::new(),
            tests: 0,
        }
    }
}

impl<const D: usize> LinkedCells<D> {
    /// A finder with linked cells that have `occupancy` items on average, or more if the largest
    /// item does not fit into cells as small. An occupancy of 1, 5 or 10 gives LCM1, LCM5 or LCM10
    /// of leszczynski2004; [`Finder::new`] gives that of [`PairSettings::occupancy`], or LCM1.
    ///
    /// # Errors
    /// When the margin is negative or not finite, or the occupancy not a finite
    /// number from 0.125 up.
    pub fn with_occupancy(settings: PairSettings<D>, occupancy: f64) -> Result<Self> {
        Finder::new(settings.with_occupancy(occupancy))
    }

    /// The number of pairs that the linked cells tested for the last answer.
    pub fn tests(&self) -> usize {
        self.search.tests
    }

    /// The number of linked cells along each axis for the items of the last update.
    pub fn cells(&self) -> [usize; D] {
        self.search.cells
    }
}

impl<const D: usize> LinkedSearch<D> {
    /// The number of linked cells along each axis if a box with the edge lengths `lengths` is cut
    /// into about `items / occupancy` nearly cubic cells, none with an edge shorter than `least`.
    fn division(&self, items: usize, lengths: [f64; D], least: f64) -> [usize; D] {
        let mut axes: [usize; D] = std::array::from_fn(|k| k);
        axes.sort_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
        let mut cells = [1; D];
        // The number of cells still to distribute: an axis too short for its share leaves more
        // of them to the longer ones.
        let mut wanted = libm::log((items as f64 / self.occupancy).max(1.0));
        for (done, &k) in axes.iter().enumerate() {
            if lengths[k] <= least {
                continue;
            }
            // Cubic cells have edges of a = (L_1 .. L_R / wanted)^(1/R). In
            // logarithms, as volumes may be beyond the range of numbers.
            let volume: f64 = axes[done..].iter().map(|&k| libm::log(lengths[k])).sum();
            let edge = (volume - wanted) / (D - done) as f64;
            let share = libm::exp(libm::log(lengths[k]) - edge).round();
            let most = match least > 0.0 {
                true => (lengths[k] / least).floor(),
                false => f64::INFINITY,
            };
            let count = share.min(most).max(1.0);
            cells[k] = count as usize;
            wanted = (wanted - libm::log(count)).max(0.0);
        }
        cells
    }
}

/// The centre of an item, which determines its linked cell.
#[inline(always)]
fn middle<const D: usize>(shapes: &Shapes<D>, i: usize) -> [f64; D] {
    match shapes {
        Shapes::Spheres { centers, .. } => centers[i],
        Shapes::Boxes { lower, upper } => {
            std::array::from_fn(|k| 0.5 * lower[i][k] + 0.5 * upper[i][k])
        }
    }
}

impl<const D: usize> PairSearch<D> for LinkedSearch<D> {
    fn configure(&mut self, settings: &PairSettings<D>) -> Result<()> {
        let occupancy = settings.occupancy.unwrap_or(OCCUPANCY);
        if !(occupancy >= LEAST && occupancy.is_finite()) {
            let expected = format!("a finite number from {LEAST} up");
            let found = number(occupancy);
            return Err(Error::argument(Argument::Occupancy, found, expected));
        }
        self.occupancy = occupancy;
        Ok(())
    }

    fn update(&mut self, scene: &Scene<D>) {
        let items = scene.len();
        self.cells = [1; D];
        self.list.clear();
        self.header.clear();
        self.tests = 0;
        if items == 0 {
            return;
        }
        let mut whole = Aabb::EMPTY;
        let mut longest = 0.0f64;
        for i in 0..items {
            let bounds = scene.bounds(i);
            whole = whole.union(&bounds);
            longest = bounds.extent().into_iter().fold(longest, f64::max);
        }
        let lengths = whole.extent();
        let largest = (0..D).fold(0.0f64, |m, k| {
            m.max(whole.min[k].abs()).max(whole.max[k].abs())
        });
        self.cells = self.division(items, lengths, longest + ROUNDING * largest);

        let origin = whole.min;
        let scale: [f64; D] = std::array::from_fn(|k| match lengths[k] > 0.0 {
            true => self.cells[k] as f64 / lengths[k],
            false => 0.0,
        });
        self.header.resize(self.cells.iter().product(), NONE);
        for i in 0..items {
            let p = middle(&scene.shapes, i);
            let mut cell = 0;
            for k in (0..D).rev() {
                let along = ((p[k] - origin[k]) * scale[k]) as usize;
                cell = cell * self.cells[k] + along.min(self.cells[k] - 1);
            }
            self.list.push(self.header[cell]);
            self.header[cell] = i as u32;
        }
    }

    fn method(&self) -> &'static str {
        Method::Linked.name()
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (pairs, shared) = found.list();
        let list = &self.list;
        let mut tests = 0;
        let more = Cell::new(true);
        let mut meet = |i: u32, first: u32| {
            let mut j = first;
            while j != NONE {
                tests += 1;
                if scene.touch(i as usize, j as usize) {
                    pairs.push(shared, i, j);
                    if pairs.is_full(shared) {
                        pairs.stop();
                        more.set(false);
                    }
                }
                j = list[j as usize];
            }
        };
        let behind = Stencil::new(self.cells);
        let mut at = [0; D];
        for (cell, &first) in self.header.iter().enumerate() {
            let mut i = first;
            while i != NONE && more.get() {
                let next = list[i as usize];
                meet(i, next);
                for neighbor in behind.around(cell, at) {
                    meet(i, self.header[neighbor]);
                }
                i = next;
            }
            for k in 0..D {
                at[k] += 1;
                if at[k] < self.cells[k] {
                    break;
                }
                at[k] = 0;
            }
        }
        self.tests = tests;
    }
}

/// Half stencil: the later half of the neighbours of a cell, so that each pair of neighbouring
/// cells is visited once.
struct Stencil<const D: usize> {
    cells: [usize; D],
    /// For each neighbour in the half stencil (4 in the plane and 13 in space), the step to it from
    /// the linked cell in the middle: in cells along each axis, and as a difference of indices in
    /// the header.
    steps: [([isize; D], isize); 13],
    count: usize,
}

impl<const D: usize> Stencil<D> {
    /// The half stencil for linked cells, of which there are `cells[k]` along axis `k`.
    fn new(cells: [usize; D]) -> Self {
        let count = 3usize.pow(D as u32) / 2;
        // In the order of cells, the middle one of the neighbourhood is the cell itself, and the
        // half stencil comes after it.
        let step = |behind: usize| {
            let (mut rest, mut stride, mut step) = (count + 1 + behind, 1, 0);
            let along = std::array::from_fn(|k| {
                let along = (rest % 3) as isize - 1;
                step += along * stride;
                rest /= 3;
                stride *= cells[k] as isize;
                along
            });
            (along, step)
        };
        Stencil {
            cells,
            steps: std::array::from_fn(|i| if i < count { step(i) } else { ([0; D], 0) }),
            count,
        }
    }

    /// The header indices of the neighbours in the half stencil of a linked cell. `cell` is its own
    /// header index, and `at` its index along each axis.
    fn around(&self, cell: usize, at: [usize; D]) -> impl Iterator<Item = usize> {
        let inner = (0..D).all(|k| at[k] > 0 && at[k] + 1 < self.cells[k]);
        let inside = move |along: &[isize; D]| {
            (0..D).all(|k| {
                let place = at[k].checked_add_signed(along[k]);
                place.is_some_and(|place| place < self.cells[k])
            })
        };
        self.steps[..self.count]
            .iter()
            .filter(move |(along, _)| inner || inside(along))
            .filter_map(move |(_, step)| cell.checked_add_signed(*step))
    }
}
