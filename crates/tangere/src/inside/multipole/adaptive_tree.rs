//! Adaptive evaluation tree of the fast multipole method (FMM), for known points: decides for each
//! cell of points and each cluster of triangles how they interact, and sums the results.
//!
//! Cells are octants of the cube around the points, refined while there are many points and near
//! triangles. A cell has a list of the clusters whose field its ancestors have not added yet, each
//! with its error budget. Clusters far enough are converted to the cell's local expansion, larger
//! ones are replaced by their children, and the rest is passed on to the cell's children. In cells
//! with few points the multipole expansions of clusters are evaluated at each point, and clusters
//! too near for that are summed triangle by triangle.
//!
//! A cluster shares out its error budget to its children in proportion to area over squared
//! distance, so that the sum never exceeds the budget. The degree of each conversion follows from
//! its budget ([`super::error_bound`]).
//!
//! A closed surface has the same winding number at all points of a cell without triangles, so there
//! one point represents all. In small cells one point represents each class of points that the
//! surface does not separate ([`super::point_classes`]).
//!
//! *Deviates:* `muth2006` has cells and clusters of equal levels and one degree
//! ([`super::level_tree`]).

use super::clusters::{Cluster, Clusters};
use super::direct_sums::{Mark, Sums};
use super::expansion_values::Local;
use super::harmonics::{Complex, MOST, count};
use super::moments::Moments;
use super::morton_order::{Keyed, LEVELS, octants};
use super::point_classes::{self, Partition, members};
use super::translations::{Workspace, convert, hand_down};
use crate::geometry::vector::{dot, minus};
use crate::inside::min_max::{greater, lesser};
use crate::memory::refill;
use crate::simd::{LANES, Wide, run_reals};
use std::ops::Range;

/// The maximum number of points of a cell that is not refined. For so few points, multipole
/// expansions evaluated at each point are cheaper than conversions to a local expansion.
const FEW: usize = 32;

/// The maximum number of points of a cell at which multipole expansions of clusters may be
/// evaluated directly, instead of passing the clusters on to the cell's children.
const SOME: usize = 8 * FEW;

/// The maximum number of classes of points (points that the surface does not separate) for which a
/// cell is not refined, because one point of each class is evaluated instead. If a quarter of the
/// number of the cell's points is larger, then that is the maximum.
const CLASSES: usize = 16;

/// The distance below which a cluster's share of the error budget no longer grows as the cluster
/// comes nearer to a cell, in multiples of the sum of the radii of cluster and cell. Such a cluster
/// needs no larger share: it will be replaced by its children, or summed triangle by triangle.
const NEAR: f64 = 2.5;

/// A share: the index of a cluster whose field is still to be added at the points of a cell, and
/// its error budget.
pub(super) type Share = (u32, f64);

/// The input of a walk through the adaptive tree: the clusters of the surface, and the points.
#[derive(Clone, Copy)]
pub(super) struct WalkInput<'a> {
    pub(super) clusters: &'a Clusters,
    pub(super) moments: &'a Moments,
    /// Whether the surface has no boundary, so that winding numbers are integers.
    pub(super) is_whole: bool,
    /// The sorted Morton keys of the points.
    pub(super) keys: &'a [Keyed],
    /// The coordinates of the points in the order of the keys, multiplied by [`Clusters::unit`] as
    /// those of the clusters are.
    pub(super) coordinates: [&'a [f64]; 3],
}

/// A cell of the adaptive tree: a contiguous range of sorted points, and the ball around them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) level: u32,
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    /// The degree of the local expansion of the cell; 0 if there is none. An expansion has at least
    /// degree 1, because clusters have no moment of degree 0.
    pub(super) degree: usize,
    /// The sum of the error bounds of all expansions that have been used so far for the cell's
    /// points.
    pub(super) error: f64,
}

impl Cell {
    /// The cell of the adaptive evaluation tree that holds the sorted points with indices `range`.
    pub(super) fn new(scene: &WalkInput<'_>, range: Range<usize>, level: u32) -> Self {
        let mut cell = Cell {
            first: range.start,
            last: range.end,
            level,
            ..Cell::default()
        };
        for k in 0..3 {
            let [low, high] = ends(&scene.coordinates[k][range.clone()]);
            (cell.low[k], cell.high[k]) = (low, high);
            cell.center[k] = 0.5 * (low + high);
        }
        let corner = minus(cell.high, cell.center);
        // Rounded up, and never 0, because it is a divisor.
        cell.radius = dot(corner, corner).sqrt().max(1e-30) * (1.0 + 1e-14);
        cell
    }

    /// The number of points in the cell of the adaptive tree.
    fn len(&self) -> usize {
        self.last - self.first
    }

    /// A lower bound of the distance of the point `p` from the box of the points in the cell of the
    /// adaptive tree: the distance, rounded down.
    #[inline]
    pub(super) fn distance(&self, p: [f64; 3]) -> f64 {
        let mut square = 0.0;
        for k in 0..3 {
            let gap = (self.low[k] - p[k]).max(p[k] - self.high[k]).max(0.0);
            square += gap * gap;
        }
        square.sqrt() * (1.0 - 1e-14)
    }

    /// Whether the box from `low` to `high` overlaps the box of the points in the cell of the
    /// adaptive tree.
    #[inline]
    pub(super) fn meets(&self, low: [f64; 3], high: [f64; 3]) -> bool {
        (0..3).all(|k| low[k] <= self.high[k] && high[k] >= self.low[k])
    }

    /// Whether the box of a triangle overlaps the box of the points in the cell of the adaptive
    /// tree.
    #[inline]
    pub(super) fn meets_triangle(&self, [a, b, c]: [[f64; 3]; 3]) -> bool {
        let low = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let high = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        self.meets(low, high)
    }
}

/// The least and the greatest of `numbers`, the coordinates of points in a cell of the adaptive
/// tree along one axis.
fn ends(numbers: &[f64]) -> [f64; 2] {
    let mut low = [f64::INFINITY; LANES];
    let mut high = [f64::NEG_INFINITY; LANES];
    let mut blocks = numbers.chunks_exact(LANES);
    for block in &mut blocks {
        for lane in 0..LANES {
            low[lane] = lesser(block[lane], low[lane]);
            high[lane] = greater(block[lane], high[lane]);
        }
    }
    for &x in blocks.remainder() {
        (low[0], high[0]) = (lesser(x, low[0]), greater(x, high[0]));
    }
    [
        low.into_iter().fold(low[0], lesser),
        high.into_iter().fold(high[0], greater),
    ]
}

/// The results that a walk computes for points: winding numbers, error bounds and marks (whether a
/// point is off, close to or on the surface). They are in the order of the sorted keys and
/// initially zero.
pub(super) struct Answers<'a> {
    /// The index, among all sorted points, of the first point whose results these are.
    pub(super) first: usize,
    pub(super) winding: &'a mut [f64],
    pub(super) errors: &'a mut [f64],
    pub(super) marks: &'a mut [Mark],
}

/// A walk through the adaptive tree, with its scratch memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// The clusters still to be added (with error budgets) of the cells on the path from the root
    /// to the current cell, one list after the other.
    lists: Vec<Share>,
    /// The local expansions of the cells on the path from the root to the current cell.
    locals: Vec<Complex>,
    /// For each degree, the clusters that wait for their conversion to a local expansion of that
    /// degree, until there are eight.
    bins: Vec<Vec<u32>>,
    lanes: Vec<Wide>,
    workspace: Workspace,
    sums: Sums,
    partition: Partition,
    chosen: Chosen,
}

/// One representative of each class of points in a cell (points that the surface does not
/// separate), and their results.
#[derive(Clone, Debug, Default)]
struct Chosen {
    coordinates: [Vec<f64>; 3],
    winding: Vec<f64>,
    errors: Vec<f64>,
    marks: Vec<Mark>,
}

impl Chosen {
    /// Replaces the representatives of a cell by the input points with the indices `points`, and
    /// sets their results to zero.
    fn choose(&mut self, scene: &WalkInput<'_>, points: impl Iterator<Item = usize> + Clone) {
        for (own, coordinates) in self.coordinates.iter_mut().zip(scene.coordinates) {
            own.clear();
            own.extend(points.clone().map(|i| coordinates[i]));
        }
        let count = self.coordinates[0].len();
        refill(&mut self.winding, count, 0.0);
        refill(&mut self.errors, count, 0.0);
        refill(&mut self.marks, count, Mark::Off);
    }
}

/// A receiver of cells that are worth a parallel task of their own.
pub(super) trait Tasks {
    /// Returns whether the receiver takes a cell of the adaptive tree as a task, with the list of
    /// clusters still to be added and the cell's local expansion. If so, then the walk skips the
    /// cell.
    fn takes(&mut self, cell: &Cell, list: &[Share], local: &[Complex]) -> bool;
}

impl Tasks for () {
    fn takes(&mut self, _: &Cell, _: &[Share], _: &[Complex]) -> bool {
        false
    }
}

impl Walker {
    /// Walks through the adaptive evaluation tree from `cell` on and evaluates all points of the
    /// cell. `list` has the clusters still to be added there, `local` is the local expansion of the
    /// cell.
    pub(super) fn walk(
        &mut self,
        scene: &WalkInput<'_>,
        cell: Cell,
        (list, local): (&[Share], &[Complex]),
        tasks: &mut impl Tasks,
        answers: &mut Answers<'_>,
    ) {
        self.lists.clear();
        self.lists.extend_from_slice(list);
        self.locals.clear();
        self.locals
            .resize(count(scene.moments.degree), Complex::default());
        self.locals[..local.len()].copy_from_slice(local);
        self.bins.resize(MOST + 1, Vec::new());
        self.bins.iter_mut().for_each(|bin| bin.reserve(LANES));
        self.workspace.reserve(scene.moments.degree);
        self.visit(scene, cell, (0..list.len(), 0), tasks, answers);
    }

    /// Visits a cell of the adaptive tree: evaluates its points, or visits its children. `list` is
    /// the range of its clusters in `self.lists`, `slot` the index of its local expansion in
    /// `self.locals`.
    fn visit(
        &mut self,
        scene: &WalkInput<'_>,
        mut cell: Cell,
        (list, slot): (Range<usize>, usize),
        tasks: &mut impl Tasks,
        answers: &mut Answers<'_>,
    ) {
        let per = count(scene.moments.degree);
        let own = per * slot..per * (slot + 1);
        if tasks.takes(&cell, &self.lists[list.clone()], &self.locals[own.clone()]) {
            return;
        }
        if scene.is_whole && cell.len() > 1 && self.is_divided(scene, &cell, list.clone()) {
            return self.represent(scene, &cell, list, slot, answers);
        }
        if cell.len() <= FEW || cell.level >= LEVELS {
            self.sums.open.clear();
            self.sums.open.extend_from_slice(&self.lists[list]);
            return self.evaluate(scene, &mut cell, slot, answers);
        }
        let left = self.lists.len();
        self.convert(scene, &mut cell, list, slot);
        self.sums.add_far(scene, &cell, answers);
        if self.lists.len() == left {
            self.sums.open.clear();
            return self.evaluate(scene, &mut cell, slot, answers);
        }
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
        self.locals.resize(own.end + per * len, Complex::default());
        if cell.degree > 0 {
            self.hand_down(&cell, children, slot, per);
        }
        // The last first, so that a visit may use all slots after its own.
        for (i, &child) in children.iter().enumerate().rev() {
            let at = (rest.clone(), slot + 1 + i);
            self.visit(scene, child, at, tasks, answers);
        }
        self.lists.truncate(left);
    }

    /// Divides the points of a cell of the adaptive tree into classes that the surface does not
    /// separate. Returns whether there are so few classes that evaluating one point of each pays
    /// off. A cell of more than [`point_classes::MOST`] points is one class if no triangle's box
    /// overlaps the box of the points; otherwise it is not divided, and the result is `false`.
    fn is_divided(&mut self, scene: &WalkInput<'_>, cell: &Cell, list: Range<usize>) -> bool {
        if cell.len() <= point_classes::MOST {
            let most = match cell.len() <= FEW || cell.level >= LEVELS {
                true => cell.len(),
                false => CLASSES.max(cell.len() / 4),
            };
            let list = &self.lists[list];
            return self.partition.divide(scene, cell, list, most);
        }
        let is_free = self.is_free(scene, cell, list);
        if is_free {
            self.partition.classes.clear();
            self.partition.classes.push(1);
        }
        is_free
    }

    /// Whether no triangle's box overlaps the box of the points in the cell of the adaptive tree,
    /// among the triangles of the clusters at `list` in `self.lists`.
    fn is_free(&mut self, scene: &WalkInput<'_>, cell: &Cell, list: Range<usize>) -> bool {
        let clusters = scene.clusters;
        let open = &mut self.sums.open;
        open.clear();
        open.extend_from_slice(&self.lists[list]);
        while let Some((c, _)) = open.pop() {
            let node = &clusters.nodes[c as usize];
            if !cell.meets(node.low, node.high) {
                continue;
            }
            if node.is_leaf() {
                let corners = &clusters.corners[node.corners()];
                for face in &clusters.faces[node.faces()] {
                    if cell.meets_triangle(face.corners.map(|c| corners[c as usize])) {
                        return false;
                    }
                }
            } else {
                open.extend(node.children().map(|c| (c as u32, 0.0)));
            }
        }
        true
    }

    /// Evaluates one point of each class of points in a cell of the adaptive tree, and copies the
    /// result to the other points of the class.
    fn represent(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &Cell,
        list: Range<usize>,
        slot: usize,
        answers: &mut Answers<'_>,
    ) {
        let mut chosen = std::mem::take(&mut self.chosen);
        let firsts = self
            .partition
            .classes
            .iter()
            .map(|class| class.trailing_zeros());
        chosen.choose(scene, firsts.map(|first| cell.first + first as usize));
        let scene = WalkInput {
            coordinates: chosen
                .coordinates
                .each_ref()
                .map(|coordinates| &coordinates[..]),
            ..*scene
        };
        let mut few = Cell {
            error: cell.error,
            ..Cell::new(&scene, 0..self.partition.classes.len(), cell.level)
        };
        let mut theirs = Answers {
            first: 0,
            winding: &mut chosen.winding,
            errors: &mut chosen.errors,
            marks: &mut chosen.marks,
        };
        let expansion = Cell {
            first: 0,
            last: few.last,
            ..*cell
        };
        self.add_local(&scene, &expansion, slot, &mut theirs);
        self.sums.open.clear();
        self.sums.open.extend_from_slice(&self.lists[list]);
        self.settle(&scene, &mut few, &mut theirs);
        let start = cell.first - answers.first;
        let mut answer = |to: Range<usize>, i: usize| {
            answers.winding[to.clone()].fill(chosen.winding[i]);
            answers.errors[to.clone()].fill(chosen.errors[i]);
            answers.marks[to].fill(chosen.marks[i]);
        };
        match &self.partition.classes[..] {
            [_] => answer(start..start + cell.len(), 0),
            classes => {
                for (i, &class) in classes.iter().enumerate() {
                    members(class).for_each(|k| answer(start + k..start + k + 1, i));
                }
            }
        }
        self.chosen = chosen;
    }

    /// Evaluates all points of a cell that the adaptive tree does not refine: adds the values of
    /// the cell's local expansion, and the direct sums of the clusters still to be added.
    fn evaluate(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &mut Cell,
        slot: usize,
        answers: &mut Answers<'_>,
    ) {
        self.add_local(scene, cell, slot, answers);
        self.settle(scene, cell, answers);
    }

    /// Adds, at the points of a cell of the adaptive tree, the direct sums of the clusters still to
    /// be added, and the error bounds of all expansions used for the cell.
    fn settle(&mut self, scene: &WalkInput<'_>, cell: &mut Cell, answers: &mut Answers<'_>) {
        self.sums.settle(scene, cell);
        self.sums.add_far(scene, cell, answers);
        self.sums.add_near(scene, cell, answers);
        let range = cell.first - answers.first..cell.last - answers.first;
        for error in &mut answers.errors[range] {
            *error += cell.error;
        }
    }

    /// Adds the values of the local expansion of a cell of the adaptive tree at its points.
    fn add_local(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &Cell,
        slot: usize,
        answers: &mut Answers<'_>,
    ) {
        if cell.degree == 0 {
            return;
        }
        let per = count(scene.moments.degree);
        let range = cell.first..cell.last;
        let out = range.start - answers.first..range.end - answers.first;
        run_reals(Local {
            center: cell.center,
            radius: cell.radius,
            degree: cell.degree,
            local: &self.locals[per * slot..per * (slot + 1)],
            points: scene
                .coordinates
                .map(|coordinates| &coordinates[range.clone()]),
            out: &mut answers.winding[out],
        });
    }

    /// Distributes the clusters in the list of a cell of the adaptive tree. Where the error budget
    /// allows, a cluster is converted to the cell's local expansion. Otherwise a cluster larger
    /// than the cell is replaced by its children. If the cell has few enough points, then other
    /// clusters that are far enough are chosen for direct sums. The rest is appended to
    /// `self.lists`, for the children of the cell. `list` is the range of the cell's clusters in
    /// `self.lists`, `slot` the index of its local expansion in `self.locals`.
    fn convert(&mut self, scene: &WalkInput<'_>, cell: &mut Cell, list: Range<usize>, slot: usize) {
        let WalkInput {
            clusters, moments, ..
        } = scene;
        self.sums.open.clear();
        self.sums.far.clear();
        self.sums.open.extend_from_slice(&self.lists[list]);
        while let Some((c, share)) = self.sums.open.pop() {
            let node = &clusters.nodes[c as usize];
            let away = minus(cell.center, node.center);
            let distance = dot(away, away).sqrt();
            let source = moments.source(&clusters.nodes, c as usize);
            if distance > node.radius + cell.radius
                && let Some(found) = source.converted(distance, cell.radius, share)
            {
                cell.error += found.error;
                if found.degree > 0 {
                    cell.degree = cell.degree.max(found.degree);
                    self.bins[found.degree].push(c);
                    if self.bins[found.degree].len() == LANES {
                        self.convert_bin(scene, cell, found.degree, slot);
                    }
                }
                continue;
            }
            if node.radius > cell.radius && !node.is_leaf() {
                share_out(&clusters.nodes, node, share, cell, &mut self.sums.open);
            } else if cell.len() <= SOME
                && let Some(found) = source.direct(cell.distance(node.center), share)
            {
                cell.error += found.error;
                if found.degree > 0 {
                    self.sums.far.push((c, found.degree as u32));
                }
            } else {
                self.lists.push((c, share));
            }
        }
        for degree in 1..=moments.degree {
            if !self.bins[degree].is_empty() {
                self.convert_bin(scene, cell, degree, slot);
            }
        }
    }

    /// Converts the moments of up to eight clusters, those that wait in the bin of degree `degree`,
    /// to the local expansion of a cell of the adaptive tree. `slot` is the index of that expansion
    /// in `self.locals`.
    fn convert_bin(&mut self, scene: &WalkInput<'_>, cell: &Cell, degree: usize, slot: usize) {
        let per = count(scene.moments.degree);
        let local = &mut self.locals[per * slot..per * (slot + 1)];
        let target = (cell.center, cell.radius);
        let list = &mut self.bins[degree];
        convert(scene, list, degree, target, local, &mut self.workspace);
        list.clear();
    }

    /// Translates the local expansion of a cell of the adaptive tree to its children, whose
    /// expansions are stored after that of the cell. `slot` is the index of the cell's expansion in
    /// `self.locals`, `per` the number of coefficients of an expansion.
    fn hand_down(&mut self, cell: &Cell, children: &[Cell], slot: usize, per: usize) {
        let targets = children.iter().map(|child| (child.center, child.radius));
        let (own, after) = self.locals[per * slot..].split_at_mut(per);
        self.lanes.resize(per, Wide::default());
        let from = (cell.center, cell.radius);
        let lanes = (&mut self.lanes[..], &mut self.workspace);
        hand_down(cell.degree, own, from, targets, lanes);
        for (lane, to) in after.chunks_mut(per).enumerate() {
            for (to, from) in to[..count(cell.degree)].iter_mut().zip(&self.lanes) {
                *to = [from.0[0][lane], from.0[1][lane]];
            }
        }
    }
}

/// Shares out the error budget of a cluster to its children, for a cell of the adaptive tree: each
/// child gets a part proportional to its area over its squared distance from the cell.
#[inline]
pub(super) fn share_out(
    nodes: &[Cluster],
    node: &Cluster,
    share: f64,
    cell: &Cell,
    out: &mut Vec<Share>,
) {
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
    // Without area nothing is shared, and nothing is needed.
    let factor = if total > 0.0 { share / total } else { 0.0 };
    for (_, part) in &mut out[from..] {
        *part *= factor;
    }
}
