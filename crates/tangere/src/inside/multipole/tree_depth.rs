//! Depth of the two octrees of `muth2006` (section 2.1.4), that of clusters of triangles and that
//! of cells of points. It is chosen from the number of triangles alone, or from the numbers of
//! triangles and points.
//!
//! *Deviates:* both choices use the area of the surface as well. A surface overlaps about as many
//! cells as squares of a cell's size fit into its area, and a foam has many times the area of a
//! sphere in the same cube.

use crate::geometry::triangle;
use crate::parallel::sums;
use crate::shape::TriMesh;

/// The largest depth (number of levels below the root) that is chosen for the trees.
const DEEPEST: u32 = 8;

/// The properties of a surface that determine the depth of the trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    faces: f64,
    /// The area of the surface, in units of the squared edge of the cube around it.
    area: f64,
}

impl Surface {
    /// The properties of a mesh that determine the depth of the trees: its number of triangles, and
    /// its area relative to the cube around it.
    pub(super) fn new(mesh: &TriMesh) -> Self {
        let edge = mesh.bounds().extent().into_iter().fold(0.0, f64::max);
        let faces = mesh.faces().len();
        let [area] = sums(faces, |face| {
            let corners = mesh.triangle(face);
            [triangle::area(corners.map(|p| p.map(|x| x / edge)))]
        });
        Surface {
            faces: faces as f64,
            area,
        }
    }

    /// An estimate of the number of clusters on a level of the tree that has `cells` cells along
    /// each edge of the cube.
    fn clusters(self, cells: f64) -> f64 {
        (self.area * cells * cells).clamp(1.0, cells * cells * cells)
    }
}

/// The depth of the trees at which a cluster has about `leaf` triangles, on average.
pub(super) fn pre_chosen(surface: Surface, leaf: usize) -> u32 {
    let off = |depth: u32| {
        let per = surface.faces / surface.clusters(cells(depth));
        let ratio = per / leaf.max(1) as f64;
        ratio.max(1.0 / ratio)
    };
    shallowest(off)
}

/// The depth of the trees at which set-up and evaluation of `points` points together cost least.
pub(super) fn well_chosen(surface: Surface, points: usize, degree: usize, separation: f64) -> u32 {
    shallowest(|depth| Cost::new(surface, degree, separation, cells(depth)).total(points))
}

/// The depth of the trees for which `value` is least; the smallest if there are several.
fn shallowest(value: impl Fn(u32) -> f64) -> u32 {
    (1..=DEEPEST)
        .min_by(|&a, &b| value(a).total_cmp(&value(b)))
        .unwrap_or(1)
}

/// The number of cells along an edge of the root cube, on the level of the trees with the given
/// depth.
fn cells(depth: u32) -> f64 {
    f64::from(1u32 << depth)
}

/// The cost of the multipole method with the trees of `muth2006`: of the set-up, and of each point.
/// The unit is the cost of one term of a conversion between expansions.
struct Cost {
    set_up: f64,
    point: f64,
}

impl Cost {
    /// The cost of trees whose last level has `cells` cells along each edge of the cube. The
    /// constants are measured for this implementation.
    fn new(surface: Surface, degree: usize, separation: f64, cells: f64) -> Self {
        let coefficients = ((degree + 1) * (degree + 1)) as f64;
        let clusters = surface.clusters(cells);
        // Cells near the surface fill a layer on both sides.
        let reach = separation + 1.0;
        let all = cells * cells * cells;
        let near = (clusters * (2.0 * reach + 1.0)).min(all);
        // Clusters near a cell: a patch of the nearest sheet, and the clusters that area beyond
        // that of a sphere, the largest of one sheet, brings into a ball.
        let folded = (surface.area - std::f64::consts::PI).max(0.0) / cells;
        let ball = 4.0 / 3.0 * std::f64::consts::PI * reach * reach * reach;
        let about = 4.0 * reach * reach + folded * ball;
        // Clusters that are near a parent and not the cell: a ring.
        let ring = 3.0 * about;
        let triangles = surface.faces / clusters * about.min(clusters);
        Cost {
            set_up: 30.0 * surface.faces
                + near * ring * coefficients * coefficients
                + clusters * coefficients * coefficients,
            point: 4.0 * coefficients + 7.0 * triangles * near / all + 100.0,
        }
    }

    /// The total cost, with trees of a given depth, of the set-up and of the evaluation of `points`
    /// points.
    fn total(&self, points: usize) -> f64 {
        self.set_up + self.point * points as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// The depths for spheres of 8192, 32768 and 131072 triangles agree with the times in Table 2
    /// of `muth2006`. There the second sphere takes four times as long as the first, so it has the
    /// same depth. The third takes less time than the second, so it is deeper.
    #[test]
    fn depths_are_those_of_the_paper() {
        let sphere = |faces: f64| Surface {
            faces,
            area: std::f64::consts::PI,
        };
        let leaf = |faces: f64| (faces.ln() * faces.ln()) as usize;
        let depths = [8192.0, 32768.0, 131072.0].map(|n| pre_chosen(sphere(n), leaf(n)));
        assert_eq!(depths, [3, 3, 4]);
        let made = Surface::new(&generate::sphere(5).unwrap());
        assert!((made.area - std::f64::consts::PI).abs() < 0.01, "{made:?}");
        assert_eq!(pre_chosen(made, leaf(made.faces)), 3);
    }

    /// Of two surfaces with as many triangles in the same cube, the one of larger area has more
    /// clusters, each with fewer triangles, so fewer levels are enough.
    #[test]
    fn more_area_takes_fewer_levels() {
        let foam = |area: f64| Surface {
            faces: 500_000.0,
            area,
        };
        assert!(pre_chosen(foam(40.0), 150) < pre_chosen(foam(3.0), 150));
        for points in [1000, 512_000] {
            let depth = |area: f64| well_chosen(foam(area), points, 13, 1.5);
            assert!(depth(40.0) <= depth(3.0), "{points}");
            assert!((1..=DEEPEST).contains(&depth(3.0)));
        }
        // A speck of a surface, and one that fills its cube.
        for area in [1e-12, 1e12] {
            assert!((1..=DEEPEST).contains(&pre_chosen(foam(area), 150)));
            assert!((1..=DEEPEST).contains(&well_chosen(foam(area), 1000, 13, 1.5)));
        }
    }
}
