//! Volume that a packing leaves unfilled: bounds of the penetration volume.
//!
//! A body `A` is its spheres `S` and the unfilled volume `H` between them and the surface. Of two
//! bodies
//!
//! ```text
//! S ∩ S'  ⊂  A ∩ A'  ⊂  (S ∩ S') ∪ (H ∩ A') ∪ (H' ∩ A),
//! ```
//!
//! so the volume that the spheres share is a lower bound, and adding the unfilled volume of each
//! body that may lie in the other gives an upper bound. The cells of a lattice hold the volume of
//! the body and its unfilled part, exact up to rounding ([`cell_volumes`], [`ball_box_volume`]).
//! Whether a cell of one body may reach the other depends on its distance from the other, which is
//! stored at the corners of the other's cells and interpolated: distances are 1-Lipschitz, so an
//! interpolated one has an error of at most `√3/2` times the side of a cell ([`distance_to_body`]).
//! Cells fade out over a further stretch, so that bounds are continuous in the pose. Most cells are
//! accepted or rejected in whole [`blocks`].
//!
//! The estimate assumes that the two bodies are filled independently at each point: a lens
//! represents its volume times the inverse filling about each of its two spheres, its
//! [weight](UnfilledVolume::weights).

mod ball_box_volume;
mod blocks;
mod cell_volumes;
mod distance_to_body;
mod lattice;
mod record;

use super::pack::Container;
use super::relative_pose::RelativePose;
use crate::error::Result;
use crate::shape::Packing;
use ball_box_volume::unit_ball_in_box;
use blocks::Blocks;
use distance_to_body::{BodyDistance, BoxDistance, Transform};
use lattice::Lattice;
pub(crate) use record::check_volume;

/// Cells of a body divided by the number of its spheres to the power of 2/3: fewer than spheres, so
/// that bounds cost less than pairs.
const BODY_CELLS: f64 = 4.0;

/// The most cells of the lattice for each cell of the body: bodies fill a part of their AABB.
const CELLS: f64 = 64.0;

/// Half the diagonal of a cube, in sides; also the largest error of an interpolated distance.
const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_7;

/// The stretch over which a cell fades out, in sides of its lattice.
const FADE: f64 = 0.5;

/// Half widths of spans, in cells: the reach of blocks of the three levels.
const AROUND: [usize; 3] = [1, 3, 7];

/// Rounding error of volumes of cells, in volumes of a cell.
const SLACK: f64 = 1e-11;

/// A cell that the body reaches.
#[derive(Clone, Copy, Debug)]
struct BodyCell {
    cell: u32,
    /// The volume of the body in it.
    body: f64,
}

/// Fade-out of a cell by the distance of its middle from the other body: it counts whole up to
/// `near`, and not at all from `far` on.
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

/// The unfilled volume of a packed body, cell by cell.
#[derive(Clone, Debug)]
pub(crate) struct UnfilledVolume {
    lattice: Lattice,
    volume: f64,
    /// Distances from the corners of cells to the body, 0 inside.
    distances: Vec<f64>,
    /// The least and the largest lower bound of the distance around each cell, in sides, rounded
    /// down and up: they accept or reject most blocks of another body without interpolation.
    spans: [Vec<[f32; 2]>; AROUND.len()],
    body_cells: Vec<BodyCell>,
    blocks: Blocks,
    /// The volume of the body that a unit of each sphere's volume represents.
    weights: Vec<f64>,
}

impl UnfilledVolume {
    /// The unfilled volume of a packing in a body.
    ///
    /// # Errors
    /// Those of the body.
    pub(crate) fn new(body: &mut impl Container, packing: &Packing) -> Result<Self> {
        let volume = body.volume();
        let body_cells = (BODY_CELLS * (packing.len() as f64).powf(2.0 / 3.0)).max(64.0);
        let lattice = Lattice::over(
            &body.bounds(),
            volume / body_cells,
            (CELLS * body_cells) as usize,
        );
        let nodes: Vec<[f64; 3]> = (0..lattice.nodes()).map(|i| lattice.point(i)).collect();
        let mut distances = Vec::new();
        body.clearances(&nodes, &mut distances)?;
        for distance in &mut distances {
            *distance = (-*distance).max(0.0);
        }
        let volumes = match body.surface() {
            Some(mesh) => cell_volumes::volumes(mesh, &lattice),
            None => cell_volumes::volume_bounds(body, &lattice)?,
        };
        let body_cells = body_cells_of(&volumes);
        Ok(Self::of_body_cells(
            lattice, volume, distances, body_cells, packing,
        ))
    }

    fn of_body_cells(
        lattice: Lattice,
        volume: f64,
        distances: Vec<f64>,
        body_cells: Vec<BodyCell>,
        packing: &Packing,
    ) -> Self {
        let mut made = Self {
            lattice,
            volume,
            spans: spans(&lattice, &distances),
            distances,
            blocks: Blocks::new(&lattice, &body_cells),
            body_cells,
            weights: Vec::new(),
        };
        made.fill(packing);
        made
    }

    /// Subtracts spheres from the unfilled volume, level by level.
    fn fill(&mut self, packing: &Packing) {
        let (centers, radii) = (packing.centers(), packing.radii());
        let lattice = self.lattice;
        let mut number = vec![u32::MAX; lattice.cells()];
        for (i, body_cell) in self.body_cells.iter().enumerate() {
            number[body_cell.cell as usize] = i as u32;
        }
        let mut gaps: Vec<f64> = self
            .body_cells
            .iter()
            .map(|body_cell| body_cell.body)
            .collect();
        let slack = SLACK * lattice.side.powi(3);
        let with_slack =
            |gaps: &[f64]| -> Vec<f64> { gaps.iter().map(|gap| gap.max(0.0) + slack).collect() };
        self.blocks.push(&with_slack(&gaps));
        for level in packing.grid().level_numbers() {
            for &i in level {
                let i = i as usize;
                lattice.ball(centers[i], radii[i], |cell, volume| {
                    if let Some(gap) = gaps.get_mut(number[cell] as usize) {
                        *gap -= volume;
                    }
                });
            }
            self.blocks.push(&with_slack(&gaps));
        }
        // A sphere represents the unfilled parts of its cells in proportion to what it fills of
        // them.
        let ratios: Vec<f64> = self
            .body_cells
            .iter()
            .zip(&gaps)
            .map(|(body_cell, gap)| {
                let filled = body_cell.body - gap;
                if filled > 1e-3 * body_cell.body {
                    body_cell.body / filled
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
            // With too few spheres for a local filling, each has the mean weight.
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

    /// The volume of the body that a unit of each sphere's volume represents.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Lipschitz constants of the sums over unfilled volume and over the body.
    pub(super) fn changes(&self) -> [f64; 2] {
        let rate = 3f64.sqrt() / (FADE * self.lattice.side);
        let unfilled = self.blocks.unfilled();
        let body: f64 = self.body_cells.iter().map(|body_cell| body_cell.body).sum();
        [unfilled * rate, body * rate]
    }
}

/// One packing of a query, of which some levels of spheres are complete.
#[derive(Clone, Copy)]
pub(super) struct Filled<'a> {
    packing: &'a Packing,
    levels: usize,
    /// The volume of the spheres of incomplete levels.
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

    /// The volume of all spheres divided by that of complete levels; 1 if there are none.
    pub(super) fn all_for_levels(&self) -> f64 {
        let all = self.packing.filled_volume();
        let seen = all - self.rest;
        if self.levels > 0 { all / seen } else { 1.0 }
    }

    /// Upper bounds of the unfilled volume and of the volume of the body that lie in another, at a
    /// relative transform.
    fn near(&self, other: &Filled<'_>, way: &Transform, goes_on: &impl Fn() -> bool) -> [f64; 2] {
        let Some(unfilled) = self.packing.unfilled() else {
            return [self.rest, self.packing.filled_volume()];
        };
        let (blocks, side) = (&unfilled.blocks, unfilled.lattice.side);
        match other.packing.unfilled() {
            Some(of_other) => {
                let other = BodyDistance::new(of_other, way, side);
                blocks.near(self.levels, &other, goes_on)
            }
            None => {
                let other = BoxDistance::new(other.packing.bounds(), *way, side);
                blocks.near(self.levels, &other, goes_on)
            }
        }
    }
}

/// Upper bounds of the unfilled volume of two bodies that lies in the other, and of the penetration
/// volume by cells alone.
pub(super) fn near(bodies: [Filled<'_>; 2], relative_pose: &RelativePose) -> [f64; 2] {
    let goes_on = || true;
    let (of_a, of_b) = rayon::join(
        || near_of(0, bodies, relative_pose, &goes_on),
        || near_of(1, bodies, relative_pose, &goes_on),
    );
    joined(of_a, of_b)
}

/// The same on one thread, refined while `goes_on` holds for a and for b.
pub(super) fn near_while(
    bodies: [Filled<'_>; 2],
    relative_pose: &RelativePose,
    goes_on: impl Fn(usize) -> bool,
) -> [f64; 2] {
    let [of_a, of_b] = [0, 1].map(|side| near_of(side, bodies, relative_pose, &|| goes_on(side)));
    joined(of_a, of_b)
}

fn joined([gap_a, body_a]: [f64; 2], [gap_b, body_b]: [f64; 2]) -> [f64; 2] {
    [gap_a + gap_b, body_a.min(body_b)]
}

fn near_of(
    side: usize,
    bodies: [Filled<'_>; 2],
    relative_pose: &RelativePose,
    goes_on: &impl Fn() -> bool,
) -> [f64; 2] {
    let (matrix, offset) = relative_pose.ways()[side];
    bodies[side].near(&bodies[1 - side], &Transform { matrix, offset }, goes_on)
}

/// The least and the largest lower bound of the distance about each cell, in sides.
fn spans(lattice: &Lattice, distances: &[f64]) -> [Vec<[f32; 2]>; AROUND.len()] {
    let span = |cell| {
        let [i, j, k] = lattice.place(cell);
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for corner in 0..8 {
            let node = [i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)];
            let distance = distances[lattice.node(node)];
            span = [span[0].min(distance), span[1].max(distance)];
        }
        // Interpolation may round beyond the values at the corners.
        let [least, largest] = span.map(|x| (x / lattice.side - HALF_DIAGONAL) as f32);
        [least.next_down().next_down(), largest.next_up().next_up()]
    };
    let mut all: [Vec<[f32; 2]>; AROUND.len()] = Default::default();
    let (mut spans, mut reached): (Vec<_>, _) = ((0..lattice.cells()).map(span).collect(), 0);
    for (all, around) in all.iter_mut().zip(AROUND) {
        for axis in 0..3 {
            spans = widened(lattice, &spans, axis, around - reached);
        }
        reached = around;
        all.clone_from(&spans);
    }
    all
}

/// Spans widened by so many cells along an axis.
fn widened(lattice: &Lattice, spans: &[[f32; 2]], axis: usize, cells: usize) -> Vec<[f32; 2]> {
    let step = lattice.counts[axis + 1..].iter().product::<usize>();
    let join = |a: [f32; 2], b: [f32; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    (0..spans.len())
        .map(|cell| {
            let at = cell / step % lattice.counts[axis];
            let (before, after) = (cells.min(at), cells.min(lattice.counts[axis] - 1 - at));
            let range = cell - before * step..=cell + after * step;
            range
                .step_by(step)
                .fold(spans[cell], |m, i| join(m, spans[i]))
        })
        .collect()
}

/// The cells that contain a part of the body.
fn body_cells_of(volumes: &[f64]) -> Vec<BodyCell> {
    let reached = volumes.iter().enumerate().filter(|(_, v)| **v > 0.0);
    reached
        .map(|(cell, &body)| BodyCell {
            cell: cell as u32,
            body,
        })
        .collect()
}

impl Lattice {
    /// Calls `visit` with each cell that a ball reaches and the volume of the ball in it.
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
