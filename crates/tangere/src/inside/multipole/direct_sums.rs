//! Direct sums at each point of a small cell: the multipole expansions of clusters of triangles
//! and, for clusters that are too near for an expansion, the solid angles of their triangles.

use super::adaptive_tree::{Answers, Cell, Share, WalkInput, share_out};
use super::clusters::Cluster;
use super::expansion_values::Far;
use super::harmonics::count;
use super::near_field::{AngleProduct, Close, NearField, RelativeCorner};
use crate::geometry::point_on_triangle;
use crate::inside::solid_angle::solid_angle;
use crate::simd::{LANES, run_reals};

/// Bound on the rounding error of the sum of the solid angles of near triangles at a point, for a
/// closed surface. A triangle at the limit of [`super::near_field`] has an error of some 1e-8, but
/// only a few triangles are so close to a point, and the errors of all others are much smaller. The
/// bound need not be tight, because the winding numbers of a closed surface are rounded to
/// integers.
const ROUNDING: f64 = 1e-7;

/// The clusters whose direct sums are to be added at the points of a cell, and scratch memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) open: Vec<Share>,
    /// The clusters to be summed by their moments: the index of each, and the degree up to which
    /// its moments are summed.
    pub(super) far: Vec<(u32, u32)>,
    pub(super) near: Vec<u32>,
    seen: Vec<RelativeCorner>,
    close: Vec<Close>,
}

impl Sums {
    /// Prepares the direct sums of a cell: divides the clusters in `self.open`, those still to be
    /// added, into those summed by their moments and those summed triangle by triangle.
    pub(super) fn settle(&mut self, scene: &WalkInput<'_>, cell: &mut Cell) {
        let WalkInput {
            clusters, moments, ..
        } = scene;
        self.far.clear();
        self.near.clear();
        while let Some((c, share)) = self.open.pop() {
            let node = &clusters.nodes[c as usize];
            let source = moments.source(&clusters.nodes, c as usize);
            match source.direct(cell.distance(node.center), share) {
                Some(found) if !node.is_leaf() || is_cheaper(found.degree, node) => {
                    if found.degree > 0 {
                        self.far.push((c, found.degree as u32));
                    }
                    cell.error += found.error;
                }
                _ if node.is_leaf() => self.near.push(c),
                _ => share_out(&clusters.nodes, node, share, cell, &mut self.open),
            }
        }
    }

    /// Adds the direct sums of the far clusters, by their moments, at the points of a cell.
    pub(super) fn add_far(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &Cell,
        answers: &mut Answers<'_>,
    ) {
        if self.far.is_empty() {
            return;
        }
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
            let to = from - answers.first;
            for (value, sum) in answers.winding[to..to + lanes].iter_mut().zip(sums) {
                *value += sum;
            }
        }
    }

    /// Adds the direct sums of the triangles of near clusters, by their solid angles, at the points
    /// of a cell. Marks points that are close to a triangle or on it.
    pub(super) fn add_near(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &Cell,
        answers: &mut Answers<'_>,
    ) {
        if self.near.is_empty() {
            return;
        }
        for from in (cell.first..cell.last).step_by(LANES) {
            let lanes = (cell.last - from).min(LANES);
            let points = block(scene, from, lanes);
            let mut turn = AngleProduct::default();
            match scene.is_whole {
                true => self.turn::<false>(scene, &points, &mut turn),
                false => self.turn::<true>(scene, &points, &mut turn),
            }
            let to = from - answers.first;
            for lane in 0..lanes {
                answers.winding[to + lane] += turn.winding(lane);
                answers.errors[to + lane] += match scene.is_whole {
                    true => ROUNDING,
                    false => turn.error(lane),
                };
            }
            for close in self.close.drain(..) {
                let triangle = scene
                    .clusters
                    .triangle(close.cluster as usize, close.face as usize);
                for lane in (0..lanes).filter(|lane| close.points >> lane & 1 == 1) {
                    let p = std::array::from_fn(|k| points[k][lane] / scene.clusters.unit);
                    let to = to + lane;
                    if point_on_triangle(p, triangle).is_some() {
                        answers.marks[to] = Mark::On;
                    } else {
                        let angle = solid_angle(p, triangle);
                        answers.winding[to] += angle.value;
                        answers.errors[to] += angle.error;
                        if answers.marks[to] == Mark::Off {
                            answers.marks[to] = Mark::Close;
                        }
                    }
                }
            }
        }
    }
}

impl Sums {
    /// Direct sum over the near clusters: for each of eight points, multiplies the product `turn`
    /// by the complex number `w` of every triangle of these clusters. The argument of `w` is half
    /// the solid angle of the triangle ([`super::near_field`]).
    fn turn<const MEASURED: bool>(
        &mut self,
        scene: &WalkInput<'_>,
        points: &[[f64; LANES]; 3],
        turn: &mut AngleProduct,
    ) {
        run_reals(NearField::<'_, MEASURED> {
            clusters: scene.clusters,
            list: &self.near,
            points,
            turn,
            close: &mut self.close,
            seen: &mut self.seen,
        });
    }
}

/// The position of a point relative to the surface: off, close or on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    Off,
    /// The point is off the surface, but so close that rounding matters.
    Close,
    On,
}

/// The coordinates of the `lanes` points from index `first` on, at most eight, for direct sums,
/// indexed by axis and lane. The last point is repeated in the other lanes.
#[inline]
pub(super) fn block(scene: &WalkInput<'_>, first: usize, lanes: usize) -> [[f64; LANES]; 3] {
    let mut points = [[0.0; LANES]; 3];
    for k in 0..3 {
        let coordinates = &scene.coordinates[k][first..first + lanes];
        points[k] = [coordinates[lanes - 1]; LANES];
        points[k][..lanes].copy_from_slice(coordinates);
    }
    points
}

/// Whether a direct sum of a cluster's moments up to `degree` costs less than a sum of the solid
/// angles of its triangles.
fn is_cheaper(degree: usize, node: &Cluster) -> bool {
    6 * count(degree) + 60 < 50 * node.faces().len()
}
