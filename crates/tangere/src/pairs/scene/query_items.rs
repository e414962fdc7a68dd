//! Query items: a second set of items, added to a scene for the length of one query.
//!
//! Query items are appended like ghosts. In open space each is appended once, in periodic space
//! once for every image from which it reaches the cell. Ghosts of items are then not needed: the
//! answer is the pairs of an item and a query item.

use super::items::{Items, MOST};
use super::{ROUNDING, Scene, Shapes};
use crate::error::{Argument, Error, Result};
use crate::geometry::Vector;
use crate::pairs::periodic_cell::Periodic;
use crate::pairs::periodic_images::{Ghost, Images, check_images};

/// The state of a scene before query items were added.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeforeQuery<const D: usize> {
    ghosts: usize,
    shift_error: [f64; D],
    rounding: f64,
}

impl<const D: usize> Default for BeforeQuery<D> {
    fn default() -> Self {
        BeforeQuery {
            ghosts: 0,
            shift_error: [0.0; D],
            rounding: 0.0,
        }
    }
}

impl<const D: usize> Scene<D> {
    /// The indices of query items in the scene. [`Scene::item`] of such an index is the number of
    /// items plus the index of the query item in the caller's list.
    pub(in super::super) fn query_items(&self) -> &[u32] {
        &self.query_items
    }

    /// Adds query items to the scene for the length of one query. [`Scene::remove_query_items`]
    /// must follow, also after an error.
    pub(in super::super) fn add_query_items(&mut self, others: Items<'_, D>) -> Result<()> {
        self.before = BeforeQuery {
            ghosts: self.ghosts.len(),
            shift_error: self.shift_error,
            rounding: self.rounding,
        };
        others.check()?;
        if self.items == 0 {
            return Ok(());
        }
        if self.items + others.len() > MOST {
            let most = MOST - self.items;
            return Err(Error::too_many(Argument::Others, others.len(), most));
        }
        match self.cell {
            None => {
                self.shapes.append(others)?;
                let ghost = |item: usize| Ghost {
                    item: item as u32,
                    image: [0; D],
                };
                let numbers = self.items..self.items + others.len();
                self.ghosts.extend(numbers.map(ghost));
            }
            Some(cell) => {
                self.given.append(others)?;
                self.add_query_images(&cell, others)?;
            }
        }
        let first = self.items + self.before.ghosts;
        self.query_items.extend(first as u32..self.len() as u32);
        Ok(())
    }

    /// Adds query items to the scene in all periodic images from which they reach items in the
    /// cell.
    fn add_query_images(&mut self, cell: &Periodic<D>, others: Items<'_, D>) -> Result<()> {
        let diagonal = |x: [f64; D]| Vector::from(x).norm();
        let longest = |x: [f64; D]| x.into_iter().fold(0.0, f64::max);
        let extent = |i: usize| match others {
            Items::Spheres { radii, .. } => [radii[i]; D],
            Items::Boxes { lower, upper } => std::array::from_fn(|k| upper[i][k] - lower[i][k]),
        };
        // As for items: half of the extent along an axis, and to the corners.
        let (half, round) = match others {
            Items::Spheres { .. } => (1.0, true),
            Items::Boxes { .. } => (0.5, false),
        };
        let corner = |x: [f64; D]| if round { x[0] } else { half * diagonal(x) };
        let widest = (0..others.len()).map(|i| longest(extent(i)));
        let widest = half * widest.fold(0.0, f64::max);
        if !self.every_image {
            cell.check_width(half * longest(self.extent) + widest + self.narrow)?;
        }
        let margin = if round {
            self.margin
        } else {
            diagonal([self.margin; D])
        };
        let farthest = corner(self.extent) + margin;
        let space = Images::new(cell);
        let most = self.most_ghosts();
        let mut total = 0.0;
        let Scene { ghosts, images, .. } = self;
        for i in 0..others.len() {
            let middle = match others {
                Items::Spheres { centers, .. } => centers[i],
                Items::Boxes { lower, upper } => {
                    let (min, max) = (lower[i], upper[i]);
                    crate::geometry::Aabb { min, max }.center()
                }
            };
            let home = space.home(others.middle_name(), i, middle)?;
            let item = (self.items + i) as u32;
            let around = space.around(middle, home, corner(extent(i)) + farthest);
            total += around.count();
            if total <= most as f64 {
                around.visit(|image| {
                    ghosts.push(Ghost { item, image });
                    images.push(std::array::from_fn(|k| home[k] + image[k]));
                });
            }
        }
        check_images(total, others.len(), most)?;
        let from = self.items + self.before.ghosts;
        let mut largest = 0.0f64;
        for &image in &images[from..] {
            let path = cell.path(image);
            for k in 0..D {
                self.shift_error[k] = self.shift_error[k].max(8.0 * f64::EPSILON * path[k]);
                largest = largest.max(path[k]);
            }
        }
        let (ghosts, images) = (&ghosts[self.before.ghosts..], &images[from..]);
        let mut place = |given: &[[f64; D]], points: &mut Vec<[f64; D]>| {
            for (ghost, &image) in ghosts.iter().zip(images) {
                let (p, shift) = (given[ghost.item as usize], cell.shift(image));
                let p: [f64; D] = std::array::from_fn(|k| p[k] + shift[k]);
                largest = p.iter().fold(largest, |m, x| m.max(x.abs()));
                points.push(p);
            }
        };
        match (&self.given, &mut self.shapes) {
            (
                Shapes::Spheres { centers, radii },
                Shapes::Spheres {
                    centers: places,
                    radii: sizes,
                },
            ) => {
                place(centers, places);
                sizes.extend(ghosts.iter().map(|ghost| radii[ghost.item as usize]));
            }
            (
                Shapes::Boxes { lower, upper },
                Shapes::Boxes {
                    lower: lows,
                    upper: highs,
                },
            ) => {
                place(lower, lows);
                place(upper, highs);
            }
            _ => unreachable!("both are copies of the same items"),
        }
        self.rounding = self.rounding.max(4.0 * ROUNDING * largest);
        Ok(())
    }

    /// Removes the query items from the scene and restores its state.
    pub(in super::super) fn remove_query_items(&mut self) {
        self.query_items.clear();
        self.ghosts.truncate(self.before.ghosts);
        self.shift_error = self.before.shift_error;
        self.rounding = self.before.rounding;
        self.shapes.truncate(self.items + self.before.ghosts);
        if !self.is_open() {
            self.images.truncate(self.items + self.before.ghosts);
            self.given.truncate(self.items);
        }
    }
}

impl<const D: usize> Shapes<D> {
    /// Appends query items of the same kind to the shapes of a scene.
    fn append(&mut self, items: Items<'_, D>) -> Result<()> {
        match (self, items) {
            (
                Shapes::Spheres { centers, radii },
                Items::Spheres {
                    centers: c,
                    radii: r,
                },
            ) => {
                centers.extend_from_slice(c);
                radii.extend_from_slice(r);
            }
            (Shapes::Boxes { lower, upper }, Items::Boxes { lower: l, upper: u }) => {
                lower.extend_from_slice(l);
                upper.extend_from_slice(u);
            }
            _ => {
                let expected = "spheres with spheres, or boxes with boxes";
                return Err(Error::argument(
                    Argument::Others,
                    "another kind of item",
                    expected,
                ));
            }
        }
        Ok(())
    }

    /// Removes query items from the shapes of a scene: keeps the first `count` shapes.
    fn truncate(&mut self, count: usize) {
        match self {
            Shapes::Spheres { centers, radii } => {
                centers.truncate(count);
                radii.truncate(count);
            }
            Shapes::Boxes { lower, upper } => {
                lower.truncate(count);
                upper.truncate(count);
            }
        }
    }
}
