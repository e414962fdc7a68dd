//! Hierarchical grid of a gas: finds the bounding spheres that overlap a given one, with a level of
//! cells for each size.
//!
//! The radii of the bounding spheres (balls) of a level differ at most by a factor of [`ALIKE`].
//! Each ball is in the cell of its centre, and cells are as wide as the diameter of the largest
//! ball of the level, so two balls of one level overlap only in adjacent cells. A ball is tested
//! against every level. If it covers more cells of a level than the level has balls, it is tested
//! against all balls of the level one by one.
//!
//! Cost of a search: at most 27 cells in levels of balls of its own size or larger; in other levels
//! the number of cells it covers or the number of balls, whichever is less.

use super::domain::Domain;
use super::grid_level::{GridLevel, NONE, Range, Slice};
use crate::geometry::vector::dot;

/// Largest ratio of the radii of two bounding spheres (balls) of one level of the hierarchical
/// grid.
const ALIKE: f64 = 2.5;
/// If a bounding sphere (ball) covers at most this many layers of cells along each axis of a grid
/// level, a search stores these layers on the stack, otherwise on the heap.
const FEW: usize = 6;
/// Two bounding spheres (balls) count as overlapping if the distance of their centres is at most
/// this times the sum of their radii. The excess over 1 is much larger than rounding errors.
const SLACK: f64 = 1.0 + 1e-9;

/// The bounding sphere (ball) of a sphere, linked into the list of its cell; it fills one cache
/// line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Ball {
    /// The centre of the ball (bounding sphere), in the first period of the domain.
    pub center: [f64; 3],
    /// The radius of the ball (bounding sphere): the radius of the sphere plus its skin, the
    /// distance that it may move before it leaves the ball.
    reach: f64,
    cell: u64,
    before: u32,
    after: u32,
    /// How far the sphere may move before it leaves its ball.
    pub skin: f64,
    level: u32,
}

impl Ball {
    /// The ball, in the hierarchical grid of a gas, of a sphere with the given centre, radius and
    /// skin.
    pub fn new(center: [f64; 3], radius: f64, skin: f64) -> Self {
        Ball {
            center,
            reach: radius + skin,
            cell: 0,
            before: NONE,
            after: NONE,
            skin,
            level: 0,
        }
    }
}

/// Hierarchical grid of all balls of a gas, in levels by size and cells by position.
#[derive(Clone, Debug, Default)]
pub(super) struct HierarchicalGrid {
    balls: Vec<Ball>,
    levels: Vec<GridLevel>,
    order: Vec<u32>,
}

impl HierarchicalGrid {
    /// Builds the levels of the hierarchical grid of a gas for these balls, and inserts each into
    /// its cell.
    pub fn fill(
        &mut self,
        balls: impl Iterator<Item = Ball>,
        is_point: impl Fn(u32) -> bool,
        domain: &Domain,
    ) {
        self.balls.clear();
        self.balls.extend(balls);
        let count = self.balls.len();
        self.order.clear();
        self.order.extend(0..count as u32);
        let Self { order, balls, .. } = self;
        let reach = |i: u32| balls[i as usize].reach;
        order.sort_by(|&i, &j| {
            let kinds = is_point(i).cmp(&is_point(j));
            kinds.then(reach(j).total_cmp(&reach(i)))
        });
        let (mut used, mut first) = (0, 0);
        while first < count {
            let largest = order[first];
            let is_points = is_point(largest);
            let is_alike = |i: u32| {
                is_point(i) == is_points
                    && balls[i as usize].reach * ALIKE >= balls[largest as usize].reach
            };
            let next = first + order[first..].iter().take_while(|&&i| is_alike(i)).count();
            if used == self.levels.len() {
                self.levels.push(GridLevel::default());
            }
            let level = &mut self.levels[used];
            level.members.clear();
            level.members.extend_from_slice(&order[first..next]);
            level.is_points = is_points;
            let reach = balls[largest as usize].reach;
            level.lay_out(|i| balls[i as usize].center, reach, domain);
            for &i in &order[first..next] {
                balls[i as usize].level = used as u32;
            }
            (used, first) = (used + 1, next);
        }
        self.levels.truncate(used);
        for i in 0..count as u32 {
            self.insert(i, self.balls[i as usize].center);
        }
    }

    /// The ball with this index in the hierarchical grid of the gas.
    #[inline]
    pub fn ball(&self, ball: u32) -> &Ball {
        &self.balls[ball as usize]
    }

    /// Moves the ball of a sphere of the gas to another centre in the hierarchical grid.
    pub fn put(&mut self, ball: u32, center: [f64; 3]) {
        self.remove(ball);
        self.insert(ball, center);
    }

    /// Inserts the ball of a sphere of the gas into its cell of the hierarchical grid.
    fn insert(&mut self, ball: u32, center: [f64; 3]) {
        let level = &mut self.levels[self.balls[ball as usize].level as usize];
        let cell = level.cell(center);
        let bucket = level.bucket(cell);
        let after = std::mem::replace(&mut level.heads[bucket], ball);
        if after != NONE {
            self.balls[after as usize].before = ball;
        }
        let ball = &mut self.balls[ball as usize];
        (ball.center, ball.cell, ball.before, ball.after) = (center, cell, NONE, after);
    }

    /// Removes the ball of a sphere of the gas from its cell of the hierarchical grid.
    fn remove(&mut self, ball: u32) {
        let Ball {
            cell,
            level,
            before,
            after,
            ..
        } = self.balls[ball as usize];
        match before {
            NONE => {
                let level = &mut self.levels[level as usize];
                let bucket = level.bucket(cell);
                level.heads[bucket] = after;
            }
            _ => self.balls[before as usize].after = after,
        }
        if after != NONE {
            self.balls[after as usize].before = before;
        }
    }

    /// Finds all periodic images of balls in the hierarchical grid of the gas that overlap a given
    /// ball, including that ball itself and its own images. `out` is replaced: each element has the
    /// index of a ball, and the number of periods along each axis by which its image is translated.
    /// The order is arbitrary. Pairs of two spheres of radius 0 are left out, since points never
    /// meet.
    pub fn overlapping(&self, ball: u32, domain: &Domain, out: &mut Vec<(u32, [i8; 3])>) {
        out.clear();
        let home = &self.balls[ball as usize];
        let is_point = self.levels[home.level as usize].is_points;
        for level in &self.levels {
            if is_point && level.is_points {
                continue;
            }
            let distance = (home.reach + level.reach) * SLACK;
            let ranges = level.ranges(home.center, distance);
            let lengths = ranges.map(Range::len);
            // Visiting a cell costs about as much as testing a ball.
            if lengths[0] * lengths[1] * lengths[2] > level.members.len() as f64 {
                self.each_image(level, home, domain, out);
            } else if lengths.iter().all(|&length| length <= FEW as f64) {
                let mut slices = [[Slice::default(); FEW]; 3];
                let found = ranges.map(|range| {
                    let mut count = 0;
                    for slice in level.slices(range, home.center[range.axis]) {
                        slices[range.axis][count] = slice;
                        count += 1;
                    }
                    count
                });
                let slices = [0, 1, 2].map(|k| &slices[k][..found[k]]);
                self.each_cell(level, home, slices, domain, out);
            } else {
                let slices = ranges.map(|range| -> Vec<Slice> {
                    level.slices(range, home.center[range.axis]).collect()
                });
                let slices = [0, 1, 2].map(|k| &slices[k][..]);
                self.each_cell(level, home, slices, domain, out);
            }
        }
    }

    /// Tests a ball of the gas against all balls in those cells of a level of the hierarchical grid
    /// that may contain the centre of an overlapping ball.
    fn each_cell(
        &self,
        level: &GridLevel,
        home: &Ball,
        slices: [&[Slice]; 3],
        domain: &Domain,
        out: &mut Vec<(u32, [i8; 3])>,
    ) {
        let distance = (home.reach + level.reach) * SLACK;
        let square = distance * distance;
        for x in slices[0] {
            for y in slices[1] {
                let (xy, part) = (x.square + y.square, x.part + y.part);
                if xy > square {
                    continue;
                }
                for z in slices[2] {
                    let cell = part + z.part;
                    let mut next = level.heads[level.bucket(cell)];
                    if next == NONE || xy + z.square > square {
                        continue;
                    }
                    let image = [x.image, y.image, z.image];
                    let shift = domain.shift(image);
                    while next != NONE {
                        let ball = &self.balls[next as usize];
                        if ball.cell == cell && overlaps(home, ball, shift) {
                            out.push((next, image));
                        }
                        next = ball.after;
                    }
                }
            }
        }
    }

    /// Tests a ball of the gas against all images of all balls of a level of the hierarchical grid,
    /// one by one.
    fn each_image(
        &self,
        level: &GridLevel,
        home: &Ball,
        domain: &Domain,
        out: &mut Vec<(u32, [i8; 3])>,
    ) {
        let distance = (home.reach + level.reach) * SLACK;
        for &i in &level.members {
            let ball = &self.balls[i as usize];
            let images = [0, 1, 2].map(|k| match domain.axes()[k].period() {
                None => (0, 0),
                Some((_, length)) => {
                    let away = home.center[k] - ball.center[k];
                    let from = ((away - distance) / length).ceil() as i8;
                    (from, ((away + distance) / length).floor() as i8)
                }
            });
            for x in images[0].0..=images[0].1 {
                for y in images[1].0..=images[1].1 {
                    for z in images[2].0..=images[2].1 {
                        let image = [x, y, z];
                        if overlaps(home, ball, domain.shift(image)) {
                            out.push((i, image));
                        }
                    }
                }
            }
        }
    }
}

/// Whether ball `a` of the hierarchical grid of a gas overlaps ball `b` moved by a shift.
#[inline]
fn overlaps(a: &Ball, b: &Ball, shift: [f64; 3]) -> bool {
    let d = [0, 1, 2].map(|k| (b.center[k] - a.center[k]) + shift[k]);
    let reach = (a.reach + b.reach) * SLACK;
    dot(d, d) <= reach * reach
}

#[cfg(test)]
mod tests {
    use super::super::domain::Axis;
    use super::*;
    use test_support::Random;

    /// All periodic images of balls that overlap ball `i`, by brute force: for each the index of
    /// the ball and the image. A ball encloses a sphere and its skin. The first `points` balls
    /// belong to spheres of radius 0; pairs of two of these are left out.
    fn met(balls: &[Ball], domain: &Domain, i: u32, points: u32) -> Vec<(u32, [i8; 3])> {
        let mut all = Vec::new();
        for j in 0..balls.len() as u32 {
            if i < points && j < points {
                continue;
            }
            let images = |k: usize| match domain.axes()[k].period() {
                None => 0..=0,
                Some(_) => -3..=3i8,
            };
            for x in images(0) {
                for y in images(1) {
                    for z in images(2) {
                        let shift = domain.shift([x, y, z]);
                        if overlaps(&balls[i as usize], &balls[j as usize], shift) {
                            all.push((j, [x, y, z]));
                        }
                    }
                }
            }
        }
        all
    }

    #[test]
    fn all_that_meet_are_found_once() {
        let mut random = Random::new(3);
        let mut unit = || random.unit();
        let floor = Axis::Walls {
            lower: 0.0,
            upper: f64::INFINITY,
        };
        let side = Axis::Periodic {
            lower: -1.0,
            length: 1.5,
        };
        let mixed = Domain::new([side, Axis::Open, floor]).unwrap();
        let narrow = Domain::periodic([1.0, 0.3, 7.0]).unwrap();
        let domains = [Domain::OPEN, mixed, narrow];
        for (round, domain) in domains.iter().cycle().take(18).enumerate() {
            let sizes: f64 = [1.0, 10.0, 100.0][round / 3 % 3];
            let balls: Vec<Ball> = (0..60)
                .map(|_| {
                    let skin = 0.15 / sizes.powf(unit());
                    let center = domain.wrapped([unit(), unit(), 3.0 * unit()]);
                    Ball::new(center, 0.0, skin)
                })
                .collect();
            let points = [0, 10][round % 2];
            let mut cells = HierarchicalGrid::default();
            cells.fill(balls.into_iter(), |i| i < points, domain);
            for moved in 0..50u32 {
                // Some balls move to cells that were empty before, some beyond the last cells.
                let center = match moved % 9 {
                    0 => [unit(), 50.0 * unit(), unit()],
                    1 => [unit(), unit(), 1e8 * (1.0 + unit().floor())],
                    _ => [unit(), unit(), 3.0 * unit()],
                };
                cells.put((7 * moved) % 60, domain.wrapped(center));
            }
            let mut found = Vec::new();
            for i in 0..60u32 {
                cells.overlapping(i, domain, &mut found);
                found.sort_unstable();
                assert_eq!(found, met(&cells.balls, domain, i, points), "{round} {i}");
            }
        }
    }
}
