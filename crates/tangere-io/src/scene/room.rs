//! Where balls of a scene leave room for others: a spatial hash over those placed so far.

use std::collections::HashMap;
use tangere::pairs::Periodic;

/// Balls that others are kept apart from.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// The edge of a cell: no ball has a larger diameter.
    cell: f64,
    balls: Vec<([f64; 3], f64)>,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl Room {
    /// Adds a ball.
    pub fn add(&mut self, center: [f64; 3], radius: f64) {
        if 2.0 * radius > self.cell {
            // The factor bounds how often all are sorted in anew.
            self.cell = 3.0 * radius;
            self.cells.clear();
            for i in 0..self.balls.len() {
                let key = self.key(self.balls[i].0);
                self.cells.entry(key).or_default().push(i as u32);
            }
        }
        let key = self.key(center);
        let number = self.balls.len() as u32;
        self.cells.entry(key).or_default().push(number);
        self.balls.push((center, radius));
    }

    fn key(&self, center: [f64; 3]) -> [i64; 3] {
        center.map(|x| (x / self.cell).floor() as i64)
    }

    /// Whether a ball overlaps none of them, nor an image of one in a periodic cell.
    pub fn is_free(&self, center: [f64; 3], radius: f64, periodic: Option<&Periodic<3>>) -> bool {
        if self.balls.is_empty() {
            return true;
        }
        let images = periodic.map_or_else(|| vec![[0.0; 3]], shifts);
        images.iter().all(|shift| {
            let at: [f64; 3] = std::array::from_fn(|k| center[k] + shift[k]);
            self.is_free_here(at, radius)
        })
    }

    fn is_free_here(&self, center: [f64; 3], radius: f64) -> bool {
        let reach = radius + 0.5 * self.cell;
        let low = self.key(center.map(|x| x - reach));
        let high = self.key(center.map(|x| x + reach));
        let cells = (0..3).map(|k| high[k].saturating_sub(low[k]).saturating_add(1) as f64);
        let overlaps = |&i: &u32| {
            let (other, other_radius) = self.balls[i as usize];
            let square: f64 = (0..3).map(|k| (center[k] - other[k]).powi(2)).sum();
            let sum = radius + other_radius;
            square < sum * sum
        };
        if cells.product::<f64>() > self.balls.len() as f64 {
            return !(0..self.balls.len() as u32).any(|i| overlaps(&i));
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let here = self.cells.get(&[x, y, z]);
                    if here.is_some_and(|here| here.iter().any(overlaps)) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// The ways to the neighbouring images of a cell, and 0.
fn shifts(cell: &Periodic<3>) -> Vec<[f64; 3]> {
    let range = |axis: usize| if cell.repeats(axis) { -1..=1 } else { 0..=0 };
    let mut shifts = Vec::new();
    for i in range(0) {
        for j in range(1) {
            for k in range(2) {
                shifts.push(cell.shift([i, j, k]));
            }
        }
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::generate::Random;

    #[test]
    fn room_is_that_of_brute_force() {
        let mut random = Random::new(5);
        let cell = Periodic::new([10.0, 10.0, 0.0]).unwrap();
        let mut room = Room::default();
        let mut balls: Vec<([f64; 3], f64)> = Vec::new();
        for i in 0..400 {
            let center = [0, 1, 2].map(|_| 10.0 * random.unit());
            let radius = if i % 50 == 0 {
                1.5
            } else {
                0.1 + 0.4 * random.unit()
            };
            let overlaps = |(other, other_radius): &([f64; 3], f64)| {
                let way: [f64; 3] = std::array::from_fn(|k| {
                    let way = (center[k] - other[k]).abs();
                    if k < 2 { way.min(10.0 - way) } else { way }
                });
                way.iter().map(|x| x * x).sum::<f64>().sqrt() < radius + other_radius
            };
            let is_free = !balls.iter().any(overlaps);
            assert_eq!(room.is_free(center, radius, Some(&cell)), is_free, "{i}");
            if is_free {
                room.add(center, radius);
                balls.push((center, radius));
            }
        }
        assert!(balls.len() > 50 && balls.len() < 400);
    }
}
