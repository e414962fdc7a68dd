//! Labelled cells: a uniform grid whose cells are inside, outside or crossed by the surface; most
//! points need one table lookup.
//!
//! All points of a cell that the surface does not cross are on the same side, which is the label of
//! the cell. Cells are cubes somewhat smaller than the triangles (`cell_size`), grouped in bricks
//! of 4 x 4 x 4. A coarse grid has one entry for every brick: its label or, if the surface crosses
//! the brick, the index of its record. The record has two bits for each cell: whether it is crossed
//! and whether it is inside. For crossed cells the winding number at the centre is stored, and the
//! segment from a point to the centre of its cell is tested against the two or three triangles of
//! the cell (`segment_crossing`). If long thin triangles crowd a cell, it is cut into slices across
//! them (`slices`).
//!
//! Set-up is linear in the number of bricks and in the number of crossed cells, which is kept
//! proportional to that of triangles. Slabs of the grid are built in parallel (`slab`): first the
//! cells that each triangle overlaps (`voxelise`), then the winding numbers at cell centres, by
//! columns through them. A point takes a few nanoseconds, in a crossed cell some dozens. Memory is
//! some 120 to 200 bytes a triangle, of which 72 are the triangle itself; bodies of a few thousand
//! long thin triangles take up to some 20 MB.
//!
//! # Why nothing is missed
//! The cell of a point is computed by monotonic steps (`uniform_grid`), so that all of the segment
//! lies in the cell; a triangle is in the list of every cell that it may overlap, for which cells
//! are slightly enlarged; and all decisions are exact. So answers are those of exact arithmetic
//! whatever the grid is. If the centre of a crossed cell lies on the surface, another grid is
//! tried. The BVH serves points for which no grid works: those in cells whose centre lies on the
//! surface even in the last grid, and those in cells crowded by very many triangles that slices do
//! not separate.
//!
//! Labels leak through holes: the surface must be closed (`leaks`).

mod cell_size;
mod packed_cell;
mod query;
mod segment_crossing;
mod slab;
mod slices;
mod triangle_extent;
mod uniform_grid;
mod voxelise;

use super::crossing_test::Crossings;
use super::grid_columns::{Columns, Triangle};
use super::leaks::exact_bound;
use super::min_max::{greater, larger, lesser};
use super::ray_tree::TreeCrossings;
use super::solid_angle::total_angle;
use super::{Grid, InsideRule, InsideSettings, InsideTest, Method, Side, leaks, no_surface};
use crate::error::{Argument, Result};
use crate::geometry::{Aabb, check_points};
use crate::memory;
use crate::shape::TriMesh;
use crate::simd::run_widest;
use cell_size::Sizes;
use query::{Query, Winding};
use rayon::prelude::*;
use slab::{Build, Scratch, Share, Slab};
use uniform_grid::{BRICK, GRID_CHOICES, UniformGrid};

/// The minimum number of triangles of a cell that is cut into slices, thin parallel layers with a
/// shorter list of triangles each. The first number is used normally, the second if most points are
/// expected to be in cells with many triangles.
const SLICED_FROM: [u32; 2] = [64, 4];
/// The maximum number of triangles in the list of a labelled cell. A cell with more triangles has
/// slices instead of a list or, if slices do not help, the BVH serves its points.
const CROWDED: u32 = 128;
/// The maximum number of bricks (blocks of 4 x 4 x 4 cells) for each triangle. It limits the memory
/// of the coarse grid, which has one number for each brick.
const BRICKS_A_TRIANGLE: f64 = 12.0;
/// The limit of the number of bricks (blocks of 4 x 4 x 4 cells) is at least this, however few
/// triangles there are.
const BRICKS_MIN: f64 = (1 << 15) as f64;
/// The maximum number of bricks (blocks of 4 x 4 x 4 cells) of any grid: their indices have 32
/// bits.
const BRICKS_MAX: f64 = (1u32 << 31) as f64;
/// The number of triangles that one thread processes at a time while the cells are built.
const TRIANGLES: usize = 8192;
/// The number of points that one thread classifies at a time.
const POINTS: usize = 4096;

/// Point containment by labelled cells; exact.
#[derive(Clone, Debug)]
pub struct Cells {
    settings: InsideSettings,
    body: Option<Body>,
    columns: Columns,
    bound: f64,
}

/// A surface and the labelled cells around it.
#[derive(Clone, Debug)]
struct Body {
    rule: InsideRule,
    triangles: Vec<Triangle>,
    lattice: UniformGrid,
    /// The coarse grid of the body's labelled cells, with one entry for each brick (block of 4 x 4
    /// x 4 cells). For a brick that no triangle crosses the entry is its label, a number below
    /// [`slab::LABELS`]. For a crossed brick it is [`slab::LABELS`] plus the index of the brick in
    /// its slab.
    coarse: Vec<u32>,
    slabs: Vec<Slab>,
    /// The binary logarithm of the number of layers of bricks (blocks of 4 x 4 x 4 cells) in a slab
    /// of the body's grid.
    layers_log: u32,
    /// The BVH for points in those cells or slices of the body whose winding number is not known.
    /// It is not known if the reference point (for a cell, the centre) lies on the surface or if
    /// there are too many triangles. `None` if all winding numbers are known.
    tree: Option<TreeCrossings>,
    confidence: f64,
    /// Whether the signed crossings of a ray add up to the winding number. `false` only under the
    /// parity rule, if triangles are oriented inconsistently.
    winds: bool,
}

impl Cells {
    /// The method of labelled cells, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, or the settings name another method.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        Ok(Cells {
            settings: settings.checked_for(Method::Cells)?,
            body: None,
            columns: Columns::default(),
            bound: 0.0,
        })
    }

    /// The memory of the labelled cells and of the copy of the surface, in bytes.
    pub fn bytes(&self) -> usize {
        self.body.as_ref().map_or(0, Body::bytes)
    }
}

/// The bounding box of all triangles of a mesh, around which labelled cells are built.
fn bounds_of(mesh: &TriMesh) -> Aabb<3> {
    let vertices = mesh.vertices();
    let of_some = |faces: &[[u32; 3]]| {
        let mut bounds = Aabb::EMPTY;
        for &vertex in faces.as_flattened() {
            let p = vertices[vertex as usize];
            for k in 0..3 {
                bounds.min[k] = lesser(bounds.min[k], p[k]);
                bounds.max[k] = greater(bounds.max[k], p[k]);
            }
        }
        bounds
    };
    let chunks = mesh.faces().par_chunks(TRIANGLES).map(of_some);
    chunks.reduce(|| Aabb::EMPTY, |a, b| a.union(&b))
}

impl Body {
    /// A body with its surface only, without labelled cells. This suffices if only regular grids of
    /// points will be classified.
    fn bare(mesh: &TriMesh, rule: InsideRule, confidence: f64) -> Self {
        let faces = (0..mesh.faces().len()).into_par_iter();
        Body {
            rule,
            triangles: faces.map(|face| mesh.triangle(face)).collect(),
            lattice: UniformGrid::default(),
            coarse: Vec::new(),
            slabs: Vec::new(),
            layers_log: 0,
            tree: None,
            confidence,
            winds: leaks::crossings_wind(mesh, rule),
        }
    }

    /// Whether the body has no labelled cells, only its surface.
    fn is_bare(&self) -> bool {
        self.coarse.is_empty()
    }

    /// A body with its surface and the labelled cells around it. If cell centres lie on the
    /// surface, then the cells are built again on a shifted grid.
    fn new(mesh: &TriMesh, rule: InsideRule, confidence: f64) -> Result<Self> {
        let mut body = Body::bare(mesh, rule, confidence);
        let count = mesh.faces().len();
        let bounds = bounds_of(mesh);
        let (edge, crowded) = Sizes::of(mesh, &bounds).edge();
        let sliced_from = SLICED_FROM[usize::from(crowded)];
        let bricks = (BRICKS_A_TRIANGLE * count as f64).clamp(BRICKS_MIN, BRICKS_MAX);
        let mut unknown = 1;
        for choice in 0..GRID_CHOICES {
            if unknown > 0 {
                let lattice = UniformGrid::new(&bounds, edge, bricks, choice);
                unknown = body.build(lattice, sliced_from);
            }
        }
        if body.slabs.iter().any(|slab| slab.has_unknown) {
            body.tree = Some(TreeCrossings::new(&body.triangles)?);
        }
        Ok(body)
    }

    /// Rebuilds all labelled cells on the grid `lattice`, slab by slab in parallel. Cells with at
    /// least `sliced_from` triangles are cut into slices. Returns the number of cell centres that
    /// lie on the surface.
    fn build(&mut self, lattice: UniformGrid, sliced_from: u32) -> usize {
        let [width, height, depth] = lattice.bricks;
        // Thin slabs let more threads work, thick ones share fewer triangles.
        let layers_log = (depth / 16).max(1).ilog2().min(2);
        let layers = 1 << layers_log;
        let slabs = depth.div_ceil(layers);
        let mut shares = vec![Share::default(); self.triangles.len().div_ceil(TRIANGLES)];
        self.triangles
            .par_chunks(TRIANGLES)
            .zip(&mut shares)
            .enumerate()
            .for_each(|(n, (triangles, share))| {
                let first = n * TRIANGLES;
                let mut reach = [[0; 2]; TRIANGLES];
                let slab = |z: f64| {
                    (lattice.cell(lattice.position(z, 2), 2) as usize / BRICK / layers) as u16
                };
                for (i, triangle) in triangles.iter().enumerate() {
                    let (a, b, c) = (triangle[0][2], triangle[1][2], triangle[2][2]);
                    let (low, high) = (lesser(lesser(a, b), c), greater(greater(a, b), c));
                    reach[i] = [slab(low), slab(high)];
                }
                share.deal(slabs, first, &reach[..triangles.len()]);
            });
        // Zeroed memory comes from the system, page by page as needed.
        self.coarse = vec![0; width * height * depth];
        self.slabs.resize_with(slabs, Slab::default);
        self.slabs.truncate(slabs);
        let (triangles, rule) = (&self.triangles, self.rule);
        let unknown = self
            .coarse
            .par_chunks_mut(width * height * layers)
            .zip(&mut self.slabs)
            .enumerate()
            .map_init(Scratch::default, |scratch, (number, (coarse, slab))| {
                run_widest(Build {
                    lattice: &lattice,
                    rule,
                    triangles,
                    sliced_from,
                    shares: &shares,
                    number,
                    layers: number * layers..depth.min((number + 1) * layers),
                    coarse,
                    scratch,
                    slab,
                })
            })
            .sum();
        self.lattice = lattice;
        self.layers_log = layers_log;
        unknown
    }

    /// The memory of the labelled cells and of the copy of the surface, in bytes.
    fn bytes(&self) -> usize {
        let slab = |slab: &Slab| {
            size_of_val(&slab.bricks[..])
                + size_of_val(&slab.cells[..])
                + size_of_val(&slab.list[..])
                + size_of_val(&slab.slices[..])
        };
        size_of_val(&self.triangles[..])
            + size_of_val(&self.coarse[..])
            + self.slabs.iter().map(slab).sum::<usize>()
            + self.tree.as_ref().map_or(0, TreeCrossings::bytes)
    }
}

impl InsideTest for Cells {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.body = None;
        let confidence = leaks::exact_confidence(mesh, &self.settings)?;
        let rule = self.settings.rule;
        self.body = Some(match self.settings.grids_only {
            true => Body::bare(mesh, rule, confidence),
            false => Body::new(mesh, rule, confidence)?,
        });
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        memory::reserve(out, points.len(), Argument::Points)?;
        self.bound = exact_bound(body.confidence);
        if body.is_bare() {
            check_points(Argument::Point, points)?;
            let side = |&p: &[f64; 3]| match body.winding_by_tree(p) {
                Some(winding) => body.rule.side(winding),
                None => Side::OnSurface,
            };
            points.par_iter().map(side).collect_into_vec(out);
            return Ok(());
        }
        out.resize(points.len(), Side::Outside);
        let valid = points
            .par_chunks(POINTS)
            .zip(out.par_chunks_mut(POINTS))
            .map(|(points, sides)| {
                run_widest(Query {
                    body,
                    points,
                    sides,
                })
            })
            .reduce(|| true, |a, b| a & b);
        if !valid {
            out.clear();
            check_points(Argument::Point, points)?;
        }
        Ok(())
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        self.bound = exact_bound(body.confidence);
        let triangle = |face: usize| body.triangles[face];
        self.columns
            .classify(grid, body.rule, body.triangles.len(), triangle, out)
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points(Argument::Point, points)?;
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), 0.0);
        self.bound = out
            .par_iter_mut()
            .zip(points)
            .with_min_len(256)
            .map(
                |(winding, &p)| match run_widest(Winding { body, point: p }) {
                    Some(exact) if body.winds => {
                        *winding = exact as f64;
                        0.0
                    }
                    _ => {
                        let angle = total_angle(p, &body.triangles);
                        *winding = angle.value;
                        angle.error
                    }
                },
            )
            .reduce(|| exact_bound(body.confidence), larger);
        Ok(())
    }

    fn bound(&self) -> f64 {
        self.bound
    }

    fn confidence(&self) -> f64 {
        self.body.as_ref().map_or(0.0, |body| body.confidence)
    }

    fn method(&self) -> &'static str {
        "cells"
    }

    fn reason(&self) -> String {
        match &self.body {
            None => "labelled cells".into(),
            Some(body) if body.is_bare() => "columns of grids, no cells".into(),
            Some(body) => {
                let [x, y, z] = body.lattice.bricks.map(|n| n * BRICK);
                format!("labelled cells, {x} x {y} x {z}")
            }
        }
    }
}
