//! The evaluation tree over known points, and what clusters it meets.
//!
//! Cells are octants of the cube around the points, refined while triangles are
//! near and points many. A cell has a list of clusters that its parent could
//! not settle, each with the error that may be made with it. Those far enough are
//! converted to its local expansion, larger ones are opened, the rest is
//! left to the children. In cells with few points the moments of clusters are
//! summed directly, and triangles of those too near one by one.
//!
//! The error allowed is shared out: a cluster hands its part to its children in
//! proportion to area over squared distance, so that the sum never exceeds the whole,
//! whatever is near. The degree of each conversion follows from its part
//! ([`super::bound`]).
//!
//! *Deviates:* `muth2006` has cells and clusters of equal levels and one degree.

use super::bound::Source;
use super::clusters::{Cluster, Clusters, dot, minus};
use super::field::{Far, Local};
use super::harmonics::{Complex, MOST, count};
use super::moments::Moments;
use super::near::{Close, Near, Seen, Turn};
use super::order::{Keyed, LEVELS, octants};
use super::translations::{Across, Downward, Workspace};
use crate::geometry::point_on_triangle;
use crate::inside::angle::solid_angle;
use crate::simd::{LANES, Wide, run_reals};
use std::ops::Range;

/// Points of a cell that is not refined: at fewer, sums of moments are cheaper than
/// conversions.
const FEW: usize = 32;

/// Points of a cell for which moments may be summed directly: in its children they
/// would be, cell by cell.
const SOME: usize = 8 * FEW;

/// Clusters nearer than this many times both radii do not get a larger share of
/// the error: they will be opened, or looked at triangle by triangle.
const NEAR: f64 = 2.5;

/// A cluster to be settled and the error that may be made with it.
pub(super) type Share = (u32, f64);

/// What a walk looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) clusters: &'a Clusters,
    pub(super) moments: &'a Moments,
    /// Sorted.
    pub(super) keys: &'a [Keyed],
    /// Coordinates in the order of the keys, in units of the clusters.
    pub(super) places: [&'a [f64]; 3],
}

/// A cell: points that are next to each other in the order, and the ball around them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) level: u32,
    low: [f64; 3],
    high: [f64; 3],
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    /// The degree of its local expansion, 0 if there is none: constants come
    /// with conversions of higher degree only.
    pub(super) degree: usize,
    /// The error made so far.
    pub(super) error: f64,
}

impl Cell {
    /// A cell of some points.
    pub(super) fn new(scene: &Scene<'_>, range: Range<usize>, level: u32) -> Self {
        let mut cell = Cell {
            first: range.start,
            last: range.end,
            level,
            ..Cell::default()
        };
        for k in 0..3 {
            let places = &scene.places[k][range.clone()];
            let (low, high) =
                places
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
                        (
                            if x < low { x } else { low },
                            if x > high { x } else { high },
                        )
                    });
            (cell.low[k], cell.high[k]) = (low, high);
            cell.center[k] = 0.5 * (low + high);
        }
        let corner = minus(cell.high, cell.center);
        cell.radius = dot(corner, corner).sqrt().max(1e-30) * (1.0 + 1e-14);
        cell
    }

    fn len(&self) -> usize {
        self.last - self.first
    }

    /// How far a point is from the box of the cell's points, rounded down.
    #[inline]
    fn distance(&self, p: [f64; 3]) -> f64 {
        let gaps: [f64; 3] =
            std::array::from_fn(|k| (self.low[k] - p[k]).max(p[k] - self.high[k]).max(0.0));
        dot(gaps, gaps).sqrt() * (1.0 - 1e-14)
    }
}

/// Answers of a walk.
pub(super) struct Answers<'a> {
    /// The first point of `winding`.
    pub(super) first: usize,
    pub(super) winding: &'a mut [f64],
    /// Whether points are on the surface.
    pub(super) on_surface: &'a mut [bool],
}

/// Memory of a walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// Lists of cells on the way from the root, one after the other.
    lists: Vec<Share>,
    /// Local expansions, as the lists.
    locals: Vec<Complex>,
    open: Vec<Share>,
    /// Clusters to be converted, by degree.
    bins: Vec<Vec<u32>>,
    lanes: Vec<Wide>,
    workspace: Workspace,
    far: Vec<(u32, u32)>,
    near: Vec<u32>,
    seen: Vec<Seen>,
    close: Vec<Close>,
    /// The largest error of a cell.
    pub(super) error: f64,
    pub(super) stats: [[u64; 16]; 6],
}

/// What becomes of cells that are small enough for a task of their own.
pub(super) trait Tasks {
    /// Whether the cell is taken, with its list and local expansion.
    fn takes(&mut self, cell: &Cell, list: &[Share], local: &[Complex]) -> bool;
}

impl Tasks for () {
    fn takes(&mut self, _: &Cell, _: &[Share], _: &[Complex]) -> bool {
        false
    }
}

impl Walker {
    /// Answers for all points of a cell, given its list and local expansion.
    pub(super) fn walk(
        &mut self,
        scene: &Scene<'_>,
        cell: Cell,
        list: &[Share],
        local: &[Complex],
        tasks: &mut impl Tasks,
        answers: &mut Answers<'_>,
    ) {
        self.error = 0.0;
        self.lists.clear();
        self.lists.extend_from_slice(list);
        self.locals.clear();
        self.locals.resize(count(scene.moments.degree), [0.0; 2]);
        self.locals[..local.len()].copy_from_slice(local);
        self.bins.resize(MOST + 1, Vec::new());
        self.workspace.reserve(scene.moments.degree);
        self.visit(scene, cell, 0..list.len(), 0, tasks, answers);
    }

    fn visit(
        &mut self,
        scene: &Scene<'_>,
        mut cell: Cell,
        list: Range<usize>,
        slot: usize,
        tasks: &mut impl Tasks,
        answers: &mut Answers<'_>,
    ) {
        let per = count(scene.moments.degree);
        let own = per * slot..per * (slot + 1);
        if tasks.takes(&cell, &self.lists[list.clone()], &self.locals[own.clone()]) {
            return;
        }
        let is_last = cell.len() <= FEW || cell.level >= LEVELS;
        let left = self.lists.len();
        if is_last {
            self.open.clear();
            self.open.extend_from_slice(&self.lists[list]);
        } else {
            self.convert(scene, &mut cell, list, slot);
            self.sum_far(scene, &cell, answers);
        }
        if is_last || self.lists.len() == left {
            self.evaluate(scene, &mut cell, slot, answers);
            self.error = self.error.max(cell.error);
        } else {
            let rest = left..self.lists.len();
            let mut children = [Cell::default(); 8];
            let mut len = 0;
            let starts = octants(&scene.keys[cell.first..cell.last], cell.level);
            for pair in starts.windows(2).filter(|pair| pair[0] < pair[1]) {
                let range = cell.first + pair[0]..cell.first + pair[1];
                children[len] = Cell {
                    degree: cell.degree,
                    error: cell.error,
                    ..Cell::new(scene, range, cell.level + 1)
                };
                len += 1;
            }
            let children = &children[..len];
            self.locals.truncate(own.end);
            self.locals.resize(own.end + per * len, [0.0; 2]);
            if cell.degree > 0 {
                self.hand_down(&cell, children, slot, per);
            }
            // The last first, so that a visit may use all slots after its own.
            for (i, &child) in children.iter().enumerate().rev() {
                self.visit(scene, child, rest.clone(), slot + 1 + i, tasks, answers);
            }
        }
        self.lists.truncate(left);
    }

    /// Settles what can be by conversion; what cannot is appended to the lists.
    fn convert(&mut self, scene: &Scene<'_>, cell: &mut Cell, list: Range<usize>, slot: usize) {
        let Scene {
            clusters, moments, ..
        } = scene;
        self.open.clear();
        self.far.clear();
        self.open.extend_from_slice(&self.lists[list]);
        while let Some((c, share)) = self.open.pop() {
            self.stats[5][0] += 1;
            let node = &clusters.nodes[c as usize];
            let away = minus(cell.center, node.center);
            let distance = dot(away, away).sqrt();
            if distance > node.radius + cell.radius {
                let source = Source::new(node, moments.norms(c as usize));
                if let Some(found) = source.converted(distance, cell.radius, share) {
                    cell.error += found.error;
                    cell.degree = cell.degree.max(found.degree);
                    self.bins[found.degree].push(c);
                    if self.bins[found.degree].len() == LANES {
                        self.convert_bin(scene, cell, found.degree, slot);
                    }
                    continue;
                }
            }
            let is_large = node.radius > cell.radius && !node.is_leaf();
            if cell.len() <= SOME && !is_large {
                let source = Source::new(node, moments.norms(c as usize));
                if let Some(found) = source.direct(cell.distance(node.center), share) {
                    cell.error += found.error;
                    if found.degree > 0 {
                        self.stats[2][found.degree.min(15)] += cell.len().div_ceil(8) as u64;
                        self.far.push((c, found.degree as u32));
                    }
                    continue;
                }
            }
            if is_large {
                open(&clusters.nodes, node, share, cell, &mut self.open);
            } else {
                self.lists.push((c, share));
            }
        }
        for degree in 1..=moments.degree {
            if !self.bins[degree].is_empty() {
                self.convert_bin(scene, cell, degree, slot);
            }
        }
        // Nothing is to be seen of clusters without any moment.
        self.bins[0].clear();
    }

    /// Converts the moments of up to eight clusters to a local expansion.
    fn convert_bin(&mut self, scene: &Scene<'_>, cell: &Cell, degree: usize, slot: usize) {
        self.stats[0][degree.min(15)] += self.bins[degree].len() as u64;
        self.stats[1][degree.min(15)] += 1;
        let per = count(scene.moments.degree);
        let mut shifts = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
        let mut radii = [0.0; LANES];
        const NONE: [Complex; count(MOST)] = [[0.0; 2]; count(MOST)];
        let mut moments = [&NONE[..]; LANES];
        for (lane, &c) in self.bins[degree].iter().enumerate() {
            let node = &scene.clusters.nodes[c as usize];
            let away = minus(cell.center, node.center);
            for k in 0..3 {
                shifts[k][lane] = away[k];
            }
            radii[lane] = node.radius;
            moments[lane] = scene.moments.of(c as usize);
        }
        run_reals(Across {
            degree,
            shifts: &shifts,
            radii: &radii,
            radius: cell.radius,
            moments,
            local: &mut self.locals[per * slot..per * (slot + 1)],
            workspace: &mut self.workspace,
        });
        self.bins[degree].clear();
    }

    /// Hands a local expansion down to the children, in the slots after it.
    fn hand_down(&mut self, cell: &Cell, children: &[Cell], slot: usize, per: usize) {
        let mut shifts = [[0.0; LANES]; 3];
        let mut ratios = [0.0; LANES];
        let inverse = 1.0 / cell.radius;
        for (lane, child) in children.iter().enumerate() {
            ratios[lane] = child.radius * inverse;
            let away = minus(child.center, cell.center);
            for k in 0..3 {
                shifts[k][lane] = away[k] * inverse;
            }
        }
        self.lanes.resize(per, Wide::default());
        let (own, after) = self.locals[per * slot..].split_at_mut(per);
        run_reals(Downward {
            degree: cell.degree,
            local: own,
            shifts: &shifts,
            ratios: &ratios,
            out: &mut self.lanes,
            workspace: &mut self.workspace,
        });
        for (lane, to) in after.chunks_mut(per).enumerate() {
            for (to, from) in to[..count(cell.degree)].iter_mut().zip(&self.lanes) {
                *to = [from.0[0][lane], from.0[1][lane]];
            }
        }
    }

    /// The answers for all points of a cell that is not refined: the local expansion,
    /// and what [`Walker::open`] holds.
    fn evaluate(
        &mut self,
        scene: &Scene<'_>,
        cell: &mut Cell,
        slot: usize,
        answers: &mut Answers<'_>,
    ) {
        let per = count(scene.moments.degree);
        let range = cell.first..cell.last;
        let out = cell.first - answers.first..cell.last - answers.first;
        let winding = &mut answers.winding[out.clone()];
        let places = scene.places.map(|places| &places[range.clone()]);
        if cell.degree > 0 {
            run_reals(Local {
                center: cell.center,
                radius: cell.radius,
                degree: cell.degree,
                local: &self.locals[per * slot..per * (slot + 1)],
                points: places,
                out: winding,
            });
        }
        if self.open.is_empty() {
            return;
        }
        self.stats[4][0] += 1;
        self.stats[4][1] += cell.len() as u64;
        self.stats[5][1] -= 0;
        self.settle(scene, cell);
        self.sum_far(scene, cell, answers);
        if self.near.is_empty() {
            return;
        }
        let winding = &mut answers.winding[out.clone()];
        let on_surface = &mut answers.on_surface[out];
        for from in (0..winding.len()).step_by(LANES) {
            let lanes = (winding.len() - from).min(LANES);
            let points: [[f64; LANES]; 3] = std::array::from_fn(|k| {
                std::array::from_fn(|i| places[k][from + i.min(lanes - 1)])
            });
            let mut sums = [0.0; LANES];
            {
                let mut turn = Turn::default();
                run_reals(Near {
                    clusters: scene.clusters,
                    list: &self.near,
                    points: &points,
                    turn: &mut turn,
                    close: &mut self.close,
                    seen: &mut self.seen,
                });
                for lane in 0..lanes {
                    sums[lane] += turn.winding(lane);
                }
                for close in self.close.drain(..) {
                    let triangle = triangle(scene.clusters, &close);
                    for lane in (0..lanes).filter(|lane| close.points >> lane & 1 == 1) {
                        let p = std::array::from_fn(|k| points[k][lane] / scene.clusters.unit);
                        if point_on_triangle(p, triangle).is_some() {
                            on_surface[from + lane] = true;
                        } else {
                            sums[lane] += solid_angle(p, triangle);
                        }
                    }
                }
            }
            for lane in 0..lanes {
                winding[from + lane] += sums[lane];
            }
        }
    }

    /// Adds the fields of clusters that are summed by their moments.
    fn sum_far(&mut self, scene: &Scene<'_>, cell: &Cell, answers: &mut Answers<'_>) {
        if self.far.is_empty() {
            return;
        }
        let first = answers.first;
        for from in (cell.first..cell.last).step_by(LANES) {
            let lanes = (cell.last - from).min(LANES);
            let points = block(scene, from, lanes);
            let mut sums = [0.0; LANES];
            run_reals(Far {
                nodes: &scene.clusters.nodes,
                moments: scene.moments,
                list: &self.far,
                points: &points,
                sums: &mut sums,
            });
            for lane in 0..lanes {
                answers.winding[from + lane - first] += sums[lane];
            }
        }
    }

    /// Divides what is open into clusters that are summed by their moments and ones
    /// whose triangles are looked at.
    fn settle(&mut self, scene: &Scene<'_>, cell: &mut Cell) {
        let Scene {
            clusters, moments, ..
        } = scene;
        self.far.clear();
        self.near.clear();
        while let Some((c, share)) = self.open.pop() {
            let node = &clusters.nodes[c as usize];
            self.stats[5][2] += 1;
            let source = Source::new(node, moments.norms(c as usize));
            let found = source.direct(cell.distance(node.center), share);
            match found {
                Some(found) if !node.is_leaf() || is_cheaper(found.degree, node) => {
                    if found.degree > 0 {
                        self.far.push((c, found.degree as u32));
                        self.stats[2][found.degree.min(15)] += 1;
                    }
                    cell.error += found.error;
                }
                _ if node.is_leaf() => {
                    self.near.push(c);
                    self.stats[3][0] += 1;
                    self.stats[3][1] += node.faces().len() as u64;
                }
                _ => open(&clusters.nodes, node, share, cell, &mut self.open),
            }
        }
    }
}

/// Up to eight points; the last one fills what is left.
#[inline]
fn block(scene: &Scene<'_>, first: usize, lanes: usize) -> [[f64; LANES]; 3] {
    let mut points = [[0.0; LANES]; 3];
    for k in 0..3 {
        let places = &scene.places[k][first..first + lanes];
        points[k] = [places[lanes - 1]; LANES];
        points[k][..lanes].copy_from_slice(places);
    }
    points
}

/// Whether a sum of moments costs less than all triangles.
fn is_cheaper(degree: usize, node: &Cluster) -> bool {
    6 * count(degree) + 60 < 50 * node.faces().len()
}

/// Shares out what a cluster may err to its children.
#[inline]
fn open(nodes: &[Cluster], node: &Cluster, share: f64, cell: &Cell, out: &mut Vec<Share>) {
    let from = out.len();
    let mut total = 0.0;
    for c in node.children() {
        let child = &nodes[c];
        let away = minus(cell.center, child.center);
        let nearest = NEAR * (child.radius + cell.radius);
        let weight = child.area / dot(away, away).max(nearest * nearest);
        total += weight;
        out.push((c as u32, weight));
    }
    // Without area nothing is shared out, and nothing is needed.
    let factor = if total > 0.0 { share / total } else { 0.0 };
    for (_, part) in &mut out[from..] {
        *part *= factor;
    }
}

/// The corners of a triangle as the mesh has them.
fn triangle(clusters: &Clusters, close: &Close) -> [[f64; 3]; 3] {
    let node = &clusters.nodes[close.cluster as usize];
    let corners = &clusters.corners[node.corners()];
    clusters.faces[close.face as usize]
        .corners
        .map(|c| corners[c as usize].map(|x| x / clusters.unit))
}
