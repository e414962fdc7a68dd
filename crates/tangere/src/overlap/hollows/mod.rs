//! What a packing leaves unfilled, and where: bounds of the volume that two bodies share.
//!
//! A body `A` is its spheres `S` and the hollows `H` between them and the surface. Of two bodies
//!
//! ```text
//! S ∩ S'  ⊂  A ∩ A'  ⊂  (S ∩ S') ∪ (H ∩ A') ∪ (H' ∩ A),
//! ```
//!
//! so that what the spheres share, and the hollows of each that may be in the other, bound what the bodies
//! share from both sides. Cells of a lattice tell how much of the body and of its hollows they hold, exactly
//! up to rounding ([`body`], [`ball_box`]). Whether a cell of one body may reach the other is told by the
//! distance from the other, which is known at the corners of its own cells and is interpolated between them:
//! distances differ by no more than the points do, so that an interpolated one is off by at most
//! `√3/2` times the side of a cell. Cells fade out over a further stretch, so that bounds are continuous
//! in the pose.
//!
//! The estimate takes points of a body as filled independently of whether the other is: a lens
//! stands for its volume times the inverse filling about each of its two spheres, its
//! [weight](Hollows::weights).

mod ball_box;
mod body;
mod lattice;
mod record;

use super::moved::Motion;
use super::pack::Room;
use crate::error::Result;
use crate::shape::Packing;
use ball_box::unit_ball_in_box;
use lattice::Lattice;
pub(crate) use record::check_volume;

/// Cells that a body is cut into, by the number of its spheres to the power of 2/3: fewer than spheres, so
/// that bounds cost less than lenses.
const ROOMS: f64 = 4.0;

/// Cells over the box of a body, by those that it is cut into: bodies fill a part of their boxes.
const CELLS: f64 = 64.0;

/// The farthest point of a cube from its middle, in sides; also how far an interpolated distance may be off.
const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_7;

/// The stretch over which a cell fades out, in sides of its lattice.
const FADE: f64 = 0.5;

/// What rounding of volumes of cells may cost, in volumes of a cell.
const SLACK: f64 = 1e-11;

/// A cell that the body reaches.
#[derive(Clone, Copy, Debug)]
struct Cell {
    cell: u32,
    /// What of it belongs to the body.
    body: f64,
}

/// How near a cell of one body is to another: all of it counts up to a distance of its middle, nothing of it from
/// another one on.
#[derive(Clone, Copy)]
struct Reach {
    near: f64,
    far: f64,
}

impl Reach {
    fn share(&self, distance: f64) -> f64 {
        ((self.far - distance) / (self.far - self.near)).clamp(0.0, 1.0)
    }
}

/// What is known of a body that spheres fill.
#[derive(Clone, Debug)]
pub(crate) struct Hollows {
    lattice: Lattice,
    volume: f64,
    /// From the corners of cells to the body, 0 within it.
    distances: Vec<f64>,
    /// The least and the largest lower bound of the distance in each cell, in sides, rounded down and up: most cells of
    /// another body are well within or well outside, and need not be told more exactly.
    spans: Vec<[f32; 2]>,
    rooms: Vec<Cell>,
    /// Their middles.
    middles: Vec<[f64; 3]>,
    /// What is not filled of each room, by the number of levels of spheres that count: all for none.
    gaps: Vec<Vec<f64>>,
    /// What of the body a unit of each sphere's volume stands for.
    weights: Vec<f64>,
}

impl Hollows {
    /// Of a packing in a body.
    ///
    /// # Errors
    /// Those of the body.
    pub(crate) fn new(body: &mut impl Room, packing: &Packing) -> Result<Self> {
        let volume = body.volume();
        let rooms = (ROOMS * (packing.len() as f64).powf(2.0 / 3.0)).max(64.0);
        let lattice = Lattice::over(&body.bounds(), volume / rooms, (CELLS * rooms) as usize);
        let nodes: Vec<[f64; 3]> = (0..lattice.nodes()).map(|i| lattice.point(i)).collect();
        let mut distances = Vec::new();
        body.clearances(&nodes, &mut distances)?;
        for distance in &mut distances {
            *distance = (-*distance).max(0.0);
        }
        let volumes = match body.surface() {
            Some(mesh) => body::volumes(mesh, &lattice),
            None => body::volume_bounds(body, &lattice)?,
        };
        let rooms = rooms_of(&volumes);
        Ok(Self::of_rooms(lattice, volume, distances, rooms, packing))
    }

    fn of_rooms(
        lattice: Lattice,
        volume: f64,
        distances: Vec<f64>,
        rooms: Vec<Cell>,
        packing: &Packing,
    ) -> Self {
        let mut made = Self {
            lattice,
            volume,
            spans: spans(&lattice, &distances),
            distances,
            middles: rooms
                .iter()
                .map(|room| lattice.middle(room.cell as usize))
                .collect(),
            rooms,
            gaps: Vec::new(),
            weights: Vec::new(),
        };
        made.fill(packing);
        made
    }

    /// Takes spheres out of the hollows, level by level.
    fn fill(&mut self, packing: &Packing) {
        let (centers, radii) = (packing.centers(), packing.radii());
        let lattice = self.lattice;
        let mut number = vec![u32::MAX; lattice.cells()];
        for (i, room) in self.rooms.iter().enumerate() {
            number[room.cell as usize] = i as u32;
        }
        let mut gaps: Vec<f64> = self.rooms.iter().map(|room| room.body).collect();
        self.gaps.clear();
        self.gaps.push(gaps.clone());
        for level in packing.grid().level_numbers() {
            for &i in level {
                let i = i as usize;
                lattice.ball(centers[i], radii[i], |cell, volume| {
                    if let Some(gap) = gaps.get_mut(number[cell] as usize) {
                        *gap -= volume;
                    }
                });
            }
            self.gaps.push(gaps.clone());
        }
        let slack = SLACK * lattice.side.powi(3);
        for gap in self.gaps.iter_mut().flatten() {
            *gap = gap.max(0.0) + slack;
        }
        // A sphere stands for the parts of the cells that it fills, in proportion.
        let ratios: Vec<f64> = self
            .rooms
            .iter()
            .zip(&gaps)
            .map(|(room, gap)| {
                let filled = room.body - gap;
                if filled > 1e-3 * room.body {
                    room.body / filled
                } else {
                    0.0
                }
            })
            .collect();
        let mut stands: Vec<f64> = (0..radii.len())
            .map(|i| {
                let mut sum = 0.0;
                lattice.ball(centers[i], radii[i], |cell, volume| {
                    sum += volume * ratios.get(number[cell] as usize).unwrap_or(&1.0);
                });
                sum
            })
            .collect();
        let all: f64 = stands.iter().sum();
        for (stand, &r) in stands.iter_mut().zip(radii) {
            // Spheres too few to tell how much is filled about each of them stand for as much as all do.
            *stand = match all > 0.0 {
                true => *stand * (self.volume / all) / super::lens(0.0, [r, r]).volume,
                false => self.volume / packing.filled_volume(),
            };
        }
        self.weights = stands;
    }

    /// The volume of the body.
    pub(crate) fn volume(&self) -> f64 {
        self.volume
    }

    /// What of the body a unit of each sphere's volume stands for.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// What sums over hollows and over the body change by at most when nothing moves farther than a unit.
    pub(super) fn changes(&self) -> [f64; 2] {
        let rate = 3f64.sqrt() / (FADE * self.lattice.side);
        let hollows: f64 = self.gaps.last().map_or(0.0, |gaps| gaps.iter().sum());
        let body: f64 = self.rooms.iter().map(|room| room.body).sum();
        [hollows * rate, body * rate]
    }

    /// How much counts of a cell of another body about a point, by a lower bound of the distance of the point from
    /// this body; continuous in the point.
    fn share(&self, point: [f64; 3], reach: Reach) -> f64 {
        let lattice = &self.lattice;
        let inverse = 1.0 / lattice.side;
        let mut beside = 0.0;
        let mut place = [0; 3];
        let mut part = [0.0; 3];
        for k in 0..3 {
            let x = (point[k] - lattice.origin[k]) * inverse;
            let within = x.max(0.0).min(lattice.counts[k] as f64);
            beside += (x - within) * (x - within);
            let cell = (within as usize).min(lattice.counts[k] - 1);
            place[k] = cell;
            part[k] = within - cell as f64;
        }
        let [least, largest] = self.spans[lattice.cell(place)].map(f64::from);
        let [near, far] = [reach.near * inverse, reach.far * inverse];
        if beside >= far * far || least >= far {
            return 0.0;
        }
        if beside <= near * near && largest <= near {
            return 1.0;
        }
        let node =
            |i, j, k| self.distances[lattice.node([place[0] + i, place[1] + j, place[2] + k])];
        let along = |i, j| {
            let (a, b) = (node(i, j, 0), node(i, j, 1));
            a + part[2] * (b - a)
        };
        let across = |i| {
            let (a, b) = (along(i, 0), along(i, 1));
            a + part[1] * (b - a)
        };
        let (a, b) = (across(0), across(1));
        let interpolated = a + part[0] * (b - a) - HALF_DIAGONAL * lattice.side;
        reach.share(interpolated.max(beside.sqrt() * lattice.side))
    }

    /// What of the hollows, and of the body, may lie in another, with `levels` levels of spheres; `share` tells how much
    /// of a cell about a point counts.
    fn near(&self, levels: usize, share: impl Fn([f64; 3], Reach) -> f64) -> [f64; 2] {
        let near = HALF_DIAGONAL * self.lattice.side;
        let reach = Reach {
            near,
            far: near + FADE * self.lattice.side,
        };
        let gaps = &self.gaps[levels.min(self.gaps.len() - 1)];
        let mut sums = [0.0; 2];
        for ((room, &middle), gap) in self.rooms.iter().zip(&self.middles).zip(gaps) {
            let share = share(middle, reach);
            sums[0] += share * gap;
            sums[1] += share * room.body;
        }
        sums
    }
}

/// One side of the question: a packing, of which some levels of spheres were looked at.
#[derive(Clone, Copy)]
pub(super) struct Filled<'a> {
    packing: &'a Packing,
    levels: usize,
    /// The volume of the spheres that were not looked at.
    rest: f64,
}

impl<'a> Filled<'a> {
    pub(super) fn new(packing: &'a Packing, levels: usize) -> Self {
        Self {
            packing,
            levels,
            rest: packing.grid().finer_volume(levels),
        }
    }

    /// The volume of all spheres by that of those that were looked at; 1 if none were.
    pub(super) fn all_for_levels(&self) -> f64 {
        let all = self.packing.filled_volume();
        let seen = all - self.rest;
        if self.levels > 0 { all / seen } else { 1.0 }
    }

    /// How much counts of a cell of another body about a point.
    fn share(&self, point: [f64; 3], reach: Reach) -> f64 {
        match self.packing.hollows() {
            Some(hollows) => hollows.share(point, reach),
            None => {
                let bounds = self.packing.bounds();
                let beside: f64 = (0..3)
                    .map(|k| {
                        let out = (bounds.min[k] - point[k]).max(point[k] - bounds.max[k]);
                        out.max(0.0).powi(2)
                    })
                    .sum();
                reach.share(beside.sqrt())
            }
        }
    }

    /// What of hollows and body may lie in another.
    fn near(&self, share: impl Fn([f64; 3], Reach) -> f64) -> [f64; 2] {
        match self.packing.hollows() {
            Some(hollows) => hollows.near(self.levels, share),
            None => [self.rest, self.packing.filled_volume()],
        }
    }
}

/// What two bodies share at most, of which spheres of the levels that were looked at share `joined`.
pub(super) fn upper(joined: f64, bodies: [Filled<'_>; 2], motion: &Motion) -> f64 {
    let [a, b] = bodies;
    let of_a = || a.near(|point, reach| b.share(motion.point_of_a(point), reach));
    let of_b = || b.near(|point, reach| a.share(motion.point_of_b(point), reach));
    let ([gap_a, body_a], [gap_b, body_b]) = rayon::join(of_a, of_b);
    (joined + (gap_a + gap_b)).min(body_a).min(body_b)
}

/// The least and the largest lower bound of the distance in each cell, in sides.
fn spans(lattice: &Lattice, distances: &[f64]) -> Vec<[f32; 2]> {
    let span = |cell| {
        let [i, j, k] = lattice.place(cell);
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for corner in 0..8 {
            let node = [i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)];
            let distance = distances[lattice.node(node)];
            span = [span[0].min(distance), span[1].max(distance)];
        }
        // What is interpolated may be rounded to beyond the corners.
        let [least, largest] = span.map(|x| (x / lattice.side - HALF_DIAGONAL) as f32);
        [least.next_down().next_down(), largest.next_up().next_up()]
    };
    (0..lattice.cells()).map(span).collect()
}

/// Cells that hold something.
fn rooms_of(volumes: &[f64]) -> Vec<Cell> {
    let reached = volumes.iter().enumerate().filter(|(_, v)| **v > 0.0);
    reached
        .map(|(cell, &body)| Cell {
            cell: cell as u32,
            body,
        })
        .collect()
}

impl Lattice {
    /// Calls `visit` with the cells that a ball reaches and what of it they hold.
    fn ball(&self, center: [f64; 3], radius: f64, mut visit: impl FnMut(usize, f64)) {
        let at: [f64; 3] = std::array::from_fn(|k| (center[k] - self.origin[k]) / self.side);
        let size = radius / self.side;
        let corners = [at.map(|x| x - size), at.map(|x| x + size)];
        let [x, y, z] = [0, 1, 2].map(|axis| self.range(&corners, axis));
        let unit = radius * radius * radius;
        for i in x {
            for j in y.clone() {
                for k in z.clone() {
                    let place = [i, j, k];
                    let low = std::array::from_fn(|a| (place[a] as f64 - at[a]) / size);
                    let high = std::array::from_fn(|a| ((place[a] + 1) as f64 - at[a]) / size);
                    let volume = unit_ball_in_box(low, high);
                    if volume > 0.0 {
                        visit(self.cell(place), volume * unit);
                    }
                }
            }
        }
    }
}
