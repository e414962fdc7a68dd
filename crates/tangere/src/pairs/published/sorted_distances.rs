//! Sorted distances as published: items are sorted by their distance from one reference point; two
//! items whose intervals of distances (shells) do not overlap cannot touch. leszczynski2004, section
//! 2.2, algorithm 1.
//!
//! Item `i` with centre `x` and radius `r` covers the distances from `l = |x - x0| - r` (equation 3)
//! to `|x - x0| + r`, where `x0` is the reference point. Items are sorted by `l`, and each is tested
//! with those after it until `2 r_i < l_j - l_i`. Of the `n` items of a cube, about n^(2/3) have
//! shells that overlap that of an item, so there are n^(5/3) tests in all (n^(3/2) in a square).
//!
//! The paper wants `x0` such that all positions have coordinates of the same sign, measured from it:
//! without [`PairSettings::origin`] it is the lower corner of the bounds of all items. Any other
//! point is as right, since distances from a point differ by no more than the distance of the
//! centres, but a point among the items has more overlapping shells.
//!
//! Deviates: boxes are included, with the distances of their nearest and farthest point, and
//! distances allow for rounding. With a margin, radii are larger by half of it.

use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Vector, is_valid_coordinate};
use crate::pairs::pair_lists::PairLists;
use crate::pairs::pair_search::PairSearch;
use crate::pairs::scene::{Scene, Shapes};
use crate::pairs::{Method, PairSettings, PublishedShells};

/// Bound on the rounding error of the distance of an item from the reference point, relative to the
/// largest coordinate of the items or of their corners as measured from the reference point.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The shell of an item: its interval of distances from the reference point.
#[derive(Clone, Copy, Debug, Default)]
struct Shell {
    near: f64,
    far: f64,
    index: u32,
}

/// The search of the sorted distances as published.
#[derive(Clone, Debug, Default)]
pub struct SortedDistances<const D: usize> {
    /// The reference point `x0`; the lower corner of the bounds of all items if `None`.
    origin: Option<[f64; D]>,
    /// The shells of the items, sorted by their near distance from the reference point. An update
    /// starts from the order of the update before.
    shells: Vec<Shell>,
    /// The number of pairs of items that the last search tested.
    tests: usize,
}

impl<const D: usize> PublishedShells<D> {
    /// The number of pairs that the search of the published shells tested for the last answer.
    pub fn tests(&self) -> usize {
        self.search.tests
    }
}

impl<const D: usize> SortedDistances<D> {
    /// The number of pairs of items that the last search tested.
    pub(in crate::pairs) fn tests(&self) -> usize {
        self.tests
    }
}

impl<const D: usize> PairSearch<D> for SortedDistances<D> {
    fn configure(&mut self, settings: &PairSettings<D>) -> Result<()> {
        if let Some(origin) = settings.origin
            && !origin.iter().all(|&x| is_valid_coordinate(x))
        {
            let expected = "finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60";
            let found = format!("{origin:?}");
            return Err(Error::argument(Argument::Origin, found, expected));
        }
        self.origin = settings.origin;
        Ok(())
    }

    fn update(&mut self, scene: &Scene<D>) {
        let count = scene.len();
        let whole = (0..count).fold(Aabb::EMPTY, |b, i| b.union(&scene.bounds(i)));
        let origin = self.origin.unwrap_or(whole.min);
        let largest = (0..D).fold(0.0f64, |m, k| {
            let ends = [whole.min[k], whole.max[k]];
            let away = ends.map(|x| (x - origin[k]).abs());
            ends.iter().chain(&away).fold(m, |m, x| m.max(x.abs()))
        });
        let shifts = Vector::from(scene.shift_error()).norm();
        let slack = ROUNDING * largest + shifts;
        let distance = |p: [f64; D]| {
            let offset: [f64; D] = std::array::from_fn(|k| p[k] - origin[k]);
            Vector::from(offset).norm()
        };
        let half = 0.5 * scene.margin;
        let shell = |i: usize| {
            let (near, far) = match &scene.shapes {
                Shapes::Spheres { centers, radii } => {
                    let (middle, reach) = (distance(centers[i]), radii[i] + half);
                    (middle - reach, middle + reach)
                }
                Shapes::Boxes { .. } => {
                    let bounds = scene.bounds(i);
                    let (min, max) = (bounds.min, bounds.max);
                    let nearest = std::array::from_fn(|k| origin[k].clamp(min[k], max[k]));
                    let farthest =
                        std::array::from_fn(|k| match origin[k] - min[k] > max[k] - origin[k] {
                            true => min[k],
                            false => max[k],
                        });
                    (distance(nearest), distance(farthest))
                }
            };
            Shell {
                near: near - slack,
                far: far + slack,
                index: i as u32,
            }
        };
        if self.shells.len() == count {
            for s in &mut self.shells {
                *s = shell(s.index as usize);
            }
        } else {
            self.shells.clear();
            self.shells.extend((0..count).map(shell));
        }
        // In place; one pass where everything is still in order.
        self.shells
            .sort_unstable_by(|a, b| (a.near.total_cmp(&b.near)).then(a.index.cmp(&b.index)));
    }

    fn method(&self) -> &'static str {
        Method::ShellsPublished.name()
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, shared) = found.list();
        self.tests = 0;
        for (at, a) in self.shells.iter().enumerate() {
            if list.is_full(shared) {
                list.stop();
                break;
            }
            let after = self.shells[at + 1..].iter();
            for b in after.take_while(|b| b.near <= a.far) {
                self.tests += 1;
                if scene.touch(a.index as usize, b.index as usize) {
                    list.push(shared, a.index, b.index);
                }
            }
        }
    }
}
