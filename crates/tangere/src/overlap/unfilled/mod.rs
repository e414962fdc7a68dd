//! Unfilled volume: the part of a body that the spheres of its packing do not fill. With it the
//! volume that spheres share gives lower and upper bounds of the penetration volume.
//!
//! A body `A` consists of its spheres `S` and the unfilled volume `H` between them and the surface.
//! For two bodies
//!
//! ```text
//! S ∩ S'  ⊂  A ∩ A'  ⊂  (S ∩ S') ∪ (H ∩ A') ∪ (H' ∩ A),
//! ```
//!
//! so the volume that the spheres share is a lower bound, and adding the unfilled volume of each
//! body that may lie in the other gives an upper bound. The cells of a lattice store the volume of
//! the body and its unfilled part, exact up to rounding ([`cell_volumes`], [`ball_box_volume`]).
//! Whether a cell of one body may reach the other depends on its distance from the other body,
//! which is stored at the corners of the other body's cells and interpolated: distances are
//! 1-Lipschitz, so an interpolated one has an error of at most `√3/2` times the side of a cell
//! ([`body_distance`]). Cells fade out over a further length, so that bounds are continuous in
//! the pose. Most cells are accepted or rejected together in [blocks](cell_blocks).
//!
//! The estimate assumes that the two bodies are filled independently of each other at each point:
//! the lens of two spheres represents its volume times the [weights](UnfilledVolume::weights) of
//! both spheres, which are the inverse filling around them.

mod ball_box_volume;
mod body_distance;
mod cell_blocks;
mod cell_volumes;
mod distance_spans;
mod lattice;
mod record;

use super::pack::Container;
use super::relative_pose::RelativePose;
use crate::error::Result;
use crate::shape::Packing;
use body_distance::{BodyDistance, BoxDistance, Transform};
use cell_blocks::Blocks;
use distance_spans::{AROUND, spans};
use lattice::Lattice;
pub(crate) use record::check_volume;

/// The factor of the number of cells that a body should fill: for `n` spheres that number is this
/// factor times `n^(2/3)`, at least 64. So large packings have fewer cells than spheres, and bounds
/// cost less than pairs.
const BODY_CELLS: f64 = 4.0;

/// The maximum ratio of the number of cells of the lattice, which covers the AABB of a body, to the
/// number of cells that the body should fill.
const CELLS: f64 = 64.0;

/// Half the diagonal of a cube, in sides of the cube. It is also the largest error of an
/// interpolated distance, in sides of a cell.
const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_7;

/// The length over which a cell of a body fades out, in units of the side of the cell. As the
/// distance of the cell from the other body grows by this length, the fraction of its volume that
/// is added to the upper bound of the penetration volume falls from 1 to 0.
const FADE: f64 = 0.5;

/// Bound on the rounding error of the unfilled volume of a cell, as a fraction of the cell's
/// volume.
const SLACK: f64 = 1e-11;

/// A cell of the lattice that contains a part of the body.
#[derive(Clone, Copy, Debug)]
struct BodyCell {
    cell: u32,
    /// The volume of the body in the cell.
    body: f64,
}

/// Two distances from the other body, which give the fraction of a cell's volume that is added to
/// the upper bound of the penetration volume. If the middle of the cell is no farther than `near`,
/// all is added; if it is at `far` or beyond, nothing. Between them the fraction falls linearly.
#[derive(Clone, Copy)]
struct Reach {
    near: f64,
    far: f64,
}

impl Reach {
    /// Returns the fraction, from 0 to 1, of a cell's volume that is added to the upper bound of
    /// the penetration volume, if the middle of the cell has the given distance from the other
    /// body.
    fn share(&self, distance: f64) -> f64 {
        ((self.far - distance) / (self.far - self.near)).clamp(0.0, 1.0)
    }
}

/// The unfilled volume of a packed body, cell by cell.
#[derive(Clone, Debug)]
pub(crate) struct UnfilledVolume {
    lattice: Lattice,
    volume: f64,
    /// For each corner of cells of the lattice, its distance from the body; 0 inside.
    distances: Vec<f64>,
    /// For each of three sizes of neighbourhoods and each cell, the least and the largest lower
    /// bound of the distance from the body in the neighbourhood, in sides of a cell, rounded down
    /// and up. With these spans most blocks of another body's cells are accepted or rejected
    /// without interpolation.
    spans: [Vec<[f32; 2]>; AROUND.len()],
    body_cells: Vec<BodyCell>,
    blocks: Blocks,
    /// The weight of each sphere of the packing: the volume of the body that a unit of the sphere's
    /// volume represents. A sphere also represents unfilled volume around it.
    weights: Vec<f64>,
}

impl UnfilledVolume {
    /// Returns the unfilled volume that a packing leaves in a body.
    ///
    /// # Errors
    /// When the body returns an error.
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

    /// Returns the unfilled volume of a packing, given the volume of the body in each cell of a
    /// lattice and the distances of the cells' corners from the body.
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

    /// Subtracts the spheres of the packing from the unfilled volume, level by level, largest
    /// spheres first, and computes the weights of the spheres.
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
        // A sphere represents the unfilled parts of its cells in proportion to the volume that it
        // fills of them.
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

    /// The volume of the body whose unfilled volume this is.
    pub(crate) fn volume(&self) -> f64 {
        self.volume
    }

    /// Returns the weight of each sphere, which depends on the unfilled volume around it: the
    /// volume of the body that a unit of the sphere's volume represents.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the Lipschitz constants of two sums over the cells near another body: of the sum of
    /// their unfilled volume, and of the sum of the body's volume in them. If no point of either
    /// body moves farther than `δ` relative to the other, then each sum changes by at most `δ`
    /// times its constant.
    pub(super) fn changes(&self) -> [f64; 2] {
        let rate = 3f64.sqrt() / (FADE * self.lattice.side);
        let unfilled = self.blocks.unfilled();
        let body: f64 = self.body_cells.iter().map(|body_cell| body_cell.body).sum();
        [unfilled * rate, body * rate]
    }
}

/// One packing of a query, with a number `levels` of its coarsest levels (those of the largest
/// spheres). The query has found all pairs of a sphere in these levels of one packing and a sphere
/// in these levels of the other.
#[derive(Clone, Copy)]
pub(super) struct Filled<'a> {
    packing: &'a Packing,
    levels: usize,
    /// The volume of the packing's spheres that are not in the `levels` coarsest levels.
    rest: f64,
}

impl<'a> Filled<'a> {
    /// Returns a packing together with `levels`, the number of its coarsest levels (those of the
    /// largest spheres) whose overlapping pairs have all been found, to bound its unfilled volume.
    pub(super) fn new(packing: &'a Packing, levels: usize) -> Self {
        Self {
            packing,
            levels,
            rest: packing.grid().finer_volume(levels),
        }
    }

    /// Returns the volume of all spheres of the packing, divided by that of the spheres in its
    /// `levels` coarsest levels; 1 if `levels` is 0. The estimate of the penetration volume, which
    /// comes from the pairs of these levels, is multiplied by it.
    pub(super) fn all_for_levels(&self) -> f64 {
        let all = self.packing.filled_volume();
        let seen = all - self.rest;
        if self.levels > 0 { all / seen } else { 1.0 }
    }

    /// Returns upper bounds of the unfilled volume and of the volume of this body that lie in the
    /// other body. `transform` maps the frame of this body to that of the other. Blocks of cells
    /// are subdivided, for tighter bounds, while `goes_on` holds.
    fn near(
        &self,
        other: &Filled<'_>,
        transform: &Transform,
        goes_on: &impl Fn() -> bool,
    ) -> [f64; 2] {
        let Some(unfilled) = self.packing.unfilled() else {
            return [self.rest, self.packing.filled_volume()];
        };
        let (blocks, side) = (&unfilled.blocks, unfilled.lattice.side);
        match other.packing.unfilled() {
            Some(of_other) => {
                let other = BodyDistance::new(of_other, transform, side);
                blocks.near(self.levels, &other, goes_on)
            }
            None => {
                let other = BoxDistance::new(other.packing.bounds(), *transform, side);
                blocks.near(self.levels, &other, goes_on)
            }
        }
    }
}

/// Returns two upper bounds from the cells of two bodies: of the unfilled volume of each body that
/// lies in the other, summed over both bodies, and of the penetration volume.
pub(super) fn near(bodies: [Filled<'_>; 2], relative_pose: &RelativePose) -> [f64; 2] {
    let goes_on = || true;
    let (of_a, of_b) = rayon::join(
        || near_of(0, bodies, relative_pose, &goes_on),
        || near_of(1, bodies, relative_pose, &goes_on),
    );
    joined(of_a, of_b)
}

/// Returns the bounds of [`near`] (on unfilled volume and penetration volume), computed on one
/// thread. Blocks of the cells of body `i`, 0 or 1, are subdivided, for tighter bounds, while
/// `goes_on(i)` holds.
pub(super) fn near_while(
    bodies: [Filled<'_>; 2],
    relative_pose: &RelativePose,
    goes_on: impl Fn(usize) -> bool,
) -> [f64; 2] {
    let [of_a, of_b] = [0, 1].map(|side| near_of(side, bodies, relative_pose, &|| goes_on(side)));
    joined(of_a, of_b)
}

/// Combines the bounds of two bodies: adds the unfilled volumes `gap_a` and `gap_b`, and takes the
/// lesser of `body_a` and `body_b`, the volumes of each body that lie in the other.
fn joined([gap_a, body_a]: [f64; 2], [gap_b, body_b]: [f64; 2]) -> [f64; 2] {
    [gap_a + gap_b, body_a.min(body_b)]
}

/// Returns the bounds of [`Filled::near`] for body `side`, 0 or 1, at a relative pose: of the
/// unfilled volume and of the volume of this body that lie in the other.
fn near_of(
    side: usize,
    bodies: [Filled<'_>; 2],
    relative_pose: &RelativePose,
    goes_on: &impl Fn() -> bool,
) -> [f64; 2] {
    let (matrix, offset) = relative_pose.transforms()[side];
    bodies[side].near(&bodies[1 - side], &Transform { matrix, offset }, goes_on)
}

/// Returns the cells of the unfilled volume's lattice that contain a part of the body, given the
/// volume of the body in every cell.
fn body_cells_of(volumes: &[f64]) -> Vec<BodyCell> {
    let reached = volumes.iter().enumerate().filter(|(_, v)| **v > 0.0);
    reached
        .map(|(cell, &body)| BodyCell {
            cell: cell as u32,
            body,
        })
        .collect()
}
