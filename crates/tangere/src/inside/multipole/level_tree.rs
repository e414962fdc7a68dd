//! Evaluation tree of `muth2006`, level by level: a tree of cells that divide the box in which the
//! query points will lie. It needs only this box, so all its local expansions are computed when the
//! surface is prepared, before any point is known.
//!
//! Clusters are sets of triangles ([`super::clusters`]). A cell and a cluster of the same level are
//! near each other if the distance of their centres is at most `d + 1` times the larger radius, eq.
//! (16), with `d` the required separation (a ratio). The near clusters of a cell are searched among the
//! children of those near its parent, so near fields are nested. Each cluster that is not near is
//! converted to the local expansion of the cell once, on the highest level possible. Cells are
//! refined down to the last level, or until no cluster is near. If the box of the points is larger
//! than the surface, the tree has extra levels at the top, on which only cells are refined until
//! they are as small as the clusters.
//!
//! *Deviates:* the radius of a cell is that of its box; clusters without children are kept on all
//! levels below; and the errors of all conversions are added up ([`super::error_bound`]), so that a
//! cell has a bound on the error of its values.

use super::adaptive_tree::{Answers, Cell, WalkInput};
use super::clusters::{Clusters, leaves};
use super::direct_sums::{Mark, Sums};
use super::expansion_values::Local;
use super::harmonics::{Complex, count};
use super::moments::Moments;
use super::morton_order::{Cube, Keyed, sort};
use super::sorted_points::{ROUNDING, SurfaceExpansion};
use super::translations::{Workspace, convert, hand_down};
use super::winding_value::Value;
use super::work::MultipoleWork;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{dot, minus};
use crate::memory::{self, refill};
use crate::parallel::parts;
use crate::simd::{LANES, Wide, run_reals};
use crate::stop::Current;
use std::ops::Range;

/// The maximum number of cells of the evaluation tree: more would not fit into memory with their
/// expansions.
const CELLS_MOST: usize = 1 << 21;

/// The maximum number of coefficients of the local expansions of all cells, of 16 bytes each.
const COEFFICIENTS_MOST: usize = 1 << 27;

/// The maximum number of entries of the lists of near clusters of all cells, of 4 bytes each.
const NEAR_MOST: usize = 1 << 28;

/// The maximum number of products of coefficients of all conversions: minutes of work.
const PRODUCTS_MOST: u64 = 1 << 40;

/// The approximate number of points that are evaluated in one parallel task.
const TASK: usize = 1 << 10;

/// A cell of the evaluation tree, which is an octree.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    center: [f64; 3],
    /// Half of the edge length of the tree cell.
    half: f64,
    /// The index of the first of the cell's eight children, 0 if it has none.
    children: u32,
    /// If the cell has no children, its index among the leaf cells of the tree.
    leaf: u32,
}

/// A leaf cell of the tree, with its near clusters.
#[derive(Clone, Copy, Debug, Default)]
struct Leaf {
    center: [f64; 3],
    radius: f64,
    /// The end of the leaf cell's near clusters in [`LevelTree::near`]; they start where those of
    /// the leaf cell before end.
    near: usize,
    error: f64,
}

/// The evaluation tree of `muth2006`: cells with local expansions, whose leaves hold the points.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelTree {
    degree: usize,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    near: Vec<u32>,
    /// The coefficients of the local expansions of the leaf cells, cell by cell.
    locals: Vec<Complex>,
    /// For each cluster, the number of conversions of its moments to local expansions in the build.
    conversions: Vec<u32>,
    keys: Vec<Keyed>,
    scratch: Vec<Keyed>,
    coordinates: [Vec<f64>; 3],
    winding: Vec<f64>,
    errors: Vec<f64>,
    marks: Vec<Mark>,
    /// For each parallel task of an evaluation, the end of the task's points among the sorted
    /// points.
    ends: Vec<usize>,
    /// For each parallel task of an evaluation, scratch memory for direct sums.
    sums: Vec<Sums>,
}

/// The leaf cells of the evaluation tree with what the evaluation of points needs: their local
/// expansions and near clusters.
struct Cells<'a> {
    degree: usize,
    leaves: &'a [Leaf],
    near: &'a [u32],
    locals: &'a [Complex],
}

impl Cells<'_> {
    /// Evaluates the winding numbers of a range of points. The points are sorted by their keys,
    /// which are the indices of their leaf cells in the level tree.
    fn answer(
        &self,
        scene: &WalkInput<'_>,
        points: Range<usize>,
        sums: &mut Sums,
        answers: &mut Answers<'_>,
    ) {
        let per = count(self.degree);
        let mut first = points.start;
        while first < points.end {
            let key = scene.keys[first].0;
            let rest = &scene.keys[first..points.end];
            let range = first..first + rest.partition_point(|item| item.0 == key);
            let own = range.start - answers.first..range.end - answers.first;
            let leaf = key as usize;
            let node = &self.leaves[leaf];
            run_reals(Local {
                center: node.center,
                radius: node.radius,
                degree: self.degree,
                local: &self.locals[leaf * per..(leaf + 1) * per],
                points: scene
                    .coordinates
                    .map(|coordinates| &coordinates[range.clone()]),
                out: &mut answers.winding[own.clone()],
            });
            let near = leaf
                .checked_sub(1)
                .map_or(0, |before| self.leaves[before].near);
            sums.near.clear();
            sums.near.extend_from_slice(&self.near[near..node.near]);
            answers.errors[own].fill(node.error);
            let cell = Cell {
                first,
                last: range.end,
                ..Cell::default()
            };
            sums.add_near(scene, &cell, answers);
            first = range.end;
        }
    }
}

/// Input and scratch memory for the build of the level tree.
struct Build<'a> {
    scene: WalkInput<'a>,
    separation: f64,
    /// The requested depth, which errors name.
    requested: u32,
    /// The number of levels below the root: the requested depth, and the extra levels at the top.
    depth: u32,
    lists: Vec<u32>,
    lanes: Vec<Wide>,
    workspace: Workspace,
    /// The number of products of coefficients so far.
    products: u64,
    stop: Current,
}

impl Build<'_> {
    /// The error of a depth with this degree whose trees exceed a limit.
    fn too_deep(&self, degree: usize, expected: String) -> Error {
        let found = format!("{} with degree {degree}", self.requested);
        Error::argument(Argument::MultipoleDepth, found, expected)
    }

    /// Counts a conversion of a cluster, and checks the work done so far.
    fn count_conversion(&mut self, degree: usize) -> Result<()> {
        let per = count(degree) as u64;
        self.products += per * per;
        if self.products > PRODUCTS_MOST {
            let expected = "a smaller depth or degree: the conversions of this one take more than \
                            2^40 products of coefficients";
            return Err(self.too_deep(degree, expected.into()));
        }
        Ok(())
    }
}

impl LevelTree {
    /// Builds the level tree over a cube. It has `depth` levels below the first level whose cells
    /// are about as small as the root cluster. `area` is that of the largest triangle, in the unit
    /// of the clusters.
    ///
    /// # Errors
    /// When there would be too many cells, coefficients, near clusters or conversions, memory for
    /// them runs out, or the work is stopped.
    pub(super) fn build(
        &mut self,
        clusters: &Clusters,
        moments: &Moments,
        cube: Cube,
        depth: u32,
        separation: f64,
        area: f64,
    ) -> Result<()> {
        self.degree = moments.degree;
        self.nodes.clear();
        self.leaves.clear();
        self.near.clear();
        self.locals.clear();
        refill(&mut self.conversions, clusters.nodes.len(), 0);
        self.keys.clear();
        let half = 0.5 * cube.edge;
        let root = Node {
            center: cube.low.map(|x| x + half),
            half,
            ..Node::default()
        };
        self.nodes.push(root);
        let scene = WalkInput {
            clusters,
            moments,
            is_whole: false,
            keys: &[],
            coordinates: [&[]; 3],
        };
        let mut build = Build {
            scene,
            separation,
            requested: depth,
            depth: depth + extra(half * 3f64.sqrt(), clusters.nodes[0].radius),
            lists: vec![0],
            lanes: vec![Wide::default(); count(self.degree)],
            workspace: Workspace::default(),
            products: 0,
            stop: Current::new(),
        };
        // A cell contains at most 3 sqrt(3) / 4 of the square of its edge of a plane, and one with a
        // part of a triangle is near its cluster: so many cells there are at least on the last
        // level, which is known before any work.
        let edge = (0..build.depth).fold(cube.edge, |edge, _| 0.5 * edge);
        let least = area / (1.3 * edge * edge);
        let per = count(self.degree) as f64;
        if least > CELLS_MOST as f64 || least * per > COEFFICIENTS_MOST as f64 {
            let expected = format!(
                "a smaller depth or degree: at most {CELLS_MOST} cells with {COEFFICIENTS_MOST} \
                 coefficients in all, not {least:.1e} cells with {per} each or more"
            );
            return Err(build.too_deep(self.degree, expected));
        }
        build.workspace.reserve(self.degree);
        let none = vec![Complex::default(); count(self.degree)];
        self.refine(&mut build, 0, 0, 0..1, (none, 0.0))
    }

    /// Builds a cell of the level tree and its descendants. `list` is the range in `build.lists` of
    /// the clusters near the parent of the cell; `local` and `error` are the local expansion and
    /// the error bound that the cell inherits from its parent.
    fn refine(
        &mut self,
        build: &mut Build<'_>,
        node: usize,
        level: u32,
        list: Range<usize>,
        (mut local, mut error): (Vec<Complex>, f64),
    ) -> Result<()> {
        build.stop.checked()?;
        let WalkInput {
            clusters, moments, ..
        } = build.scene;
        let Node { center, half, .. } = self.nodes[node];
        let radius = half * 3f64.sqrt() * (1.0 + 1e-14);
        let from = build.lists.len();
        let mut bin = [0; LANES];
        let mut len = 0;
        for k in list {
            let c = build.lists[k] as usize;
            let parent = &clusters.nodes[c];
            let is_kept = parent.is_leaf() || level == 0 || parent.radius < radius;
            let candidates = if is_kept { c..c + 1 } else { parent.children() };
            for c in candidates {
                let cluster = &clusters.nodes[c];
                let away = minus(center, cluster.center);
                let distance = dot(away, away).sqrt();
                if distance <= (build.separation + 1.0) * cluster.radius.max(radius) {
                    build.lists.push(c as u32);
                    continue;
                }
                let source = moments.source(&clusters.nodes, c);
                error += source.converted_error(distance, radius, self.degree);
                build.count_conversion(self.degree)?;
                self.conversions[c] += 1;
                bin[len] = c as u32;
                len += 1;
                if len == LANES {
                    let target = (center, radius);
                    let (scene, workspace) = (&build.scene, &mut build.workspace);
                    convert(scene, &bin, self.degree, target, &mut local, workspace);
                    len = 0;
                }
            }
        }
        if len > 0 {
            let (scene, workspace) = (&build.scene, &mut build.workspace);
            let target = (center, radius);
            convert(
                scene,
                &bin[..len],
                self.degree,
                target,
                &mut local,
                workspace,
            );
        }
        if level >= build.depth || build.lists.len() == from {
            self.nodes[node].leaf = self.leaves.len() as u32;
            let near = build.lists[from..].iter();
            self.near.extend(near.flat_map(|&c| leaves(clusters, c)));
            if self.near.len() > NEAR_MOST {
                let expected = format!(
                    "one with which cells have at most {NEAR_MOST} near clusters in all; a smaller \
                     depth has fewer, too"
                );
                let what = Argument::ClusterSeparation;
                return Err(Error::argument(what, build.separation, expected));
            }
            self.leaves.push(Leaf {
                center,
                radius,
                near: self.near.len(),
                error,
            });
            let (what, per) = (Argument::ExpansionCoefficients, local.len());
            if self.locals.len() + per > COEFFICIENTS_MOST {
                let expected = format!(
                    "a smaller depth or degree: expansions have at most {COEFFICIENTS_MOST} \
                     coefficients in all"
                );
                return Err(build.too_deep(self.degree, expected));
            }
            memory::reserve(&mut self.locals, per, what)?;
            self.locals.extend_from_slice(&local);
            build.lists.truncate(from);
            return Ok(());
        }
        let children = self.nodes.len();
        if children + 8 > CELLS_MOST {
            let expected = format!("one with at most {CELLS_MOST} cells near this surface");
            return Err(build.too_deep(self.degree, expected));
        }
        self.nodes[node].children = children as u32;
        for octant in 0..8 {
            let side = |k: usize| if octant >> k & 1 == 1 { 0.5 } else { -0.5 };
            self.nodes.push(Node {
                center: std::array::from_fn(|k| center[k] + side(k) * half),
                half: 0.5 * half,
                ..Node::default()
            });
        }
        let targets: [([f64; 3], f64); 8] =
            std::array::from_fn(|octant| (self.nodes[children + octant].center, 0.5 * radius));
        let lanes = (&mut build.lanes[..], &mut build.workspace);
        hand_down(
            self.degree,
            &local,
            (center, radius),
            targets.into_iter(),
            lanes,
        );
        let handed: Vec<Vec<Complex>> = (0..8)
            .map(|lane| {
                build
                    .lanes
                    .iter()
                    .map(|x| [x.0[0][lane], x.0[1][lane]])
                    .collect()
            })
            .collect();
        for (octant, local) in handed.into_iter().enumerate() {
            let list = from..build.lists.len();
            self.refine(build, children + octant, level + 1, list, (local, error))?;
        }
        build.lists.truncate(from);
        Ok(())
    }

    /// The number of leaf cells of the level tree, and the mean number of triangles in the near
    /// clusters of a leaf cell.
    pub(super) fn sizes(&self, clusters: &Clusters) -> (usize, f64) {
        let faces = |&c: &u32| clusters.nodes[c as usize].faces().len() as f64;
        let near: f64 = self.near.iter().map(faces).sum();
        (self.leaves.len(), near / self.leaves.len().max(1) as f64)
    }

    /// The operations of the build, and of the last evaluation of points.
    pub(super) fn work(&self, clusters: &Clusters, degree: usize) -> MultipoleWork {
        let triangles = |list: Range<usize>| -> usize {
            let faces = |&c: &u32| clusters.nodes[c as usize].faces().len();
            self.near[list].iter().map(faces).sum()
        };
        let near = |group: &[Keyed]| {
            let leaf = group[0].0 as usize;
            let first = leaf
                .checked_sub(1)
                .map_or(0, |before| self.leaves[before].near);
            group.len() * triangles(first..self.leaves[leaf].near)
        };
        MultipoleWork {
            degree,
            triangles: clusters.faces.len(),
            clusters: clusters.nodes.len(),
            cells: self.nodes.len(),
            conversions: self.conversions.iter().map(|&n| n as usize).sum(),
            most_conversions: self.conversions.iter().max().map_or(0, |&n| n as usize),
            cell_radius: self.leaves.iter().fold(f64::INFINITY, |least, leaf| {
                least.min(leaf.radius / clusters.unit)
            }),
            points: self.keys.len(),
            near_triangles: self.keys.chunk_by(|a, b| a.0 == b.0).map(near).sum(),
        }
    }

    /// Evaluates the winding numbers of points with the level tree. Calls `others` with the index
    /// of each point outside the tree's root cell, which gets no value.
    pub(super) fn answer(
        &mut self,
        surface: SurfaceExpansion<'_>,
        points: &[[f64; 3]],
        out: &mut [Value],
        mut others: impl FnMut(usize),
    ) {
        let unit = surface.clusters.unit;
        self.keys.clear();
        for (i, p) in (0u32..).zip(points) {
            match self.leaf(p.map(|x| x * unit)) {
                Some(leaf) => self.keys.push((u64::from(leaf), i)),
                None => others(i as usize),
            }
        }
        sort(&mut self.keys, &mut self.scratch);
        for k in 0..3 {
            let coordinates = self.keys.iter().map(|&(_, i)| points[i as usize][k] * unit);
            self.coordinates[k].clear();
            self.coordinates[k].extend(coordinates);
        }
        let total = self.keys.len();
        refill(&mut self.winding, total, 0.0);
        refill(&mut self.errors, total, 0.0);
        refill(&mut self.marks, total, Mark::Off);
        let scene = WalkInput {
            clusters: surface.clusters,
            moments: surface.moments,
            is_whole: false,
            keys: &self.keys,
            coordinates: self
                .coordinates
                .each_ref()
                .map(|coordinates| &coordinates[..]),
        };
        self.ends.clear();
        let mut begin = 0;
        for group in self.keys.chunk_by(|a, b| a.0 == b.0) {
            begin += group.len();
            let last = self.ends.last().copied().unwrap_or(0);
            if begin - last >= TASK || begin == total {
                self.ends.push(begin);
            }
        }
        let tasks = self.ends.len();
        if self.sums.len() < tasks {
            self.sums.resize_with(tasks, Sums::default);
        }
        let LevelTree {
            degree,
            leaves,
            near,
            locals,
            winding,
            errors,
            marks,
            sums,
            ends,
            ..
        } = self;
        let cells = Cells {
            degree: *degree,
            leaves,
            near,
            locals,
        };
        let end = |i: usize| ends[i];
        parts(
            tasks,
            (((&mut winding[..], &mut errors[..]), &mut marks[..]), &end),
            (&mut sums[..tasks], &|i| i + 1),
            &|i, ((winding, errors), marks): ((&mut [f64], &mut [f64]), &mut [Mark]), sums| {
                let sums: &mut [Sums] = sums;
                let first = if i == 0 { 0 } else { end(i - 1) };
                let mut answers = Answers {
                    first,
                    winding,
                    errors,
                    marks,
                };
                cells.answer(&scene, first..end(i), &mut sums[0], &mut answers);
            },
        );
        for (k, &(_, i)) in self.keys.iter().enumerate() {
            let value = Value {
                winding: self.winding[k],
                error: self.errors[k] + ROUNDING,
                mark: self.marks[k],
            };
            out[i as usize] = value.or_unknown();
        }
    }

    /// The index among the leaf cells of the level tree of the one that contains a point; `None` if
    /// the point is outside the tree's root cell.
    fn leaf(&self, p: [f64; 3]) -> Option<u32> {
        let mut node = self.nodes.first()?;
        let is_in = (0..3).all(|k| (p[k] - node.center[k]).abs() <= node.half);
        if !is_in {
            return None;
        }
        while node.children != 0 {
            let octant = (0..3).fold(0, |octant, k| {
                octant | usize::from(p[k] >= node.center[k]) << k
            });
            node = &self.nodes[node.children as usize + octant];
        }
        Some(node.leaf)
    }
}

/// The number of extra levels at the top of the level tree, on which only cells are refined, until
/// they are about as small as the root cluster. `cell` and `cluster` are the radii of the root cell
/// and of the root cluster.
fn extra(cell: f64, cluster: f64) -> u32 {
    let mut levels = 0;
    let mut radius = cell;
    while radius > 1.5 * cluster && levels < 64 {
        radius *= 0.5;
        levels += 1;
    }
    levels
}
