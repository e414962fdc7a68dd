//! Report of a mesh of finite element faces: topology, measures and defects.
//!
//! Cost: linear in the number of faces. Volumes are exact up to rounding: `x . (x_u × x_v)` is a
//! polynomial of degree 5 at most along each coordinate, which three Gauss points integrate
//! exactly. Areas are integrals of a square root, by five Gauss points along each coordinate: exact
//! for flat faces with straight sides.

use super::{Face, FaceKind, FaceMesh};
use crate::geometry::Aabb;
use crate::geometry::vector::{dot, minus};
use crate::parallel;
use crate::shape::disjoint_sets::DisjointSets;
use crate::shape::mesh_report::write_line;
use std::fmt;

/// Topology, measures and defects of a mesh of finite element faces.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FaceReport {
    /// The number of nodes, including unused ones.
    pub nodes: usize,
    /// The number of faces.
    pub faces: usize,
    /// The number of faces of each kind, in the order of [`FaceKind::ALL`].
    pub kinds: [usize; 7],
    /// The number of edges; for segments, of ends.
    pub edges: usize,
    /// Whether no edge belongs to one face only, and no edge is mismatched.
    pub closed: bool,
    /// Whether, at every edge of two or more faces, as many faces traverse it one way as the other.
    pub oriented: bool,
    /// Whether no edge has more than two faces.
    pub manifold: bool,
    /// The number of components connected through edges.
    pub components: usize,
    /// The number of edges of one face.
    pub boundary_edges: usize,
    /// The number of edges of more than two faces.
    pub nonmanifold_edges: usize,
    /// The number of edges of two or more faces that are not traversed equally often in both
    /// directions.
    pub misoriented_edges: usize,
    /// The number of edges whose faces share both corners but not the midside node.
    pub mismatched_edges: usize,
    /// The number of nodes that no face uses.
    pub unused_nodes: usize,
    /// The number of faces whose Jacobian is not positive everywhere, see [`Face::fold`].
    pub folded_faces: usize,
    /// The enclosed volume (area for segments), negative where normals point inward; none unless
    /// the mesh is closed and oriented.
    pub volume: Option<f64>,
    /// The area; for segments, the length.
    pub area: f64,
    /// An AABB of all faces.
    pub bounds: Aabb<3>,
}

/// Writes one line: the sizes, and whether the mesh is closed, oriented and manifold.
impl fmt::Display for FaceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = format!("{} nodes, {} faces", self.nodes, self.faces);
        write_line(
            f,
            &sizes,
            [self.closed, self.oriented, self.manifold],
            self.volume,
        )
    }
}

/// Three Gauss points and weights on `[-1, 1]`: exact to degree 5.
const THREE: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 5.0 / 9.0),
    (0.0, 8.0 / 9.0),
    (0.774_596_669_241_483_4, 5.0 / 9.0),
];

/// Five Gauss points and weights on `[-1, 1]`: exact to degree 9.
const FIVE: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 128.0 / 225.0),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// Returns the integral of `value` over the reference domain by a Gauss rule. A triangle is the
/// image of a square by `r = u`, `s = (1 - u) v`, with the Jacobian `1 - u`, which adds one degree.
fn integral(kind: FaceKind, rule: &[(f64, f64)], value: impl Fn([f64; 2]) -> f64) -> f64 {
    let mut sum = 0.0;
    for &(x, wx) in rule {
        if kind.dimension() == 1 {
            sum += wx * value([x, 0.0]);
            continue;
        }
        for &(y, wy) in rule {
            sum += match kind.corners() {
                3 => {
                    let (u, v) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
                    0.25 * wx * wy * (1.0 - u) * value([u, (1.0 - u) * v])
                }
                _ => wx * wy * value([x, y]),
            };
        }
    }
    sum
}

impl Face {
    /// Returns the area of a face or the length of a segment, by 25 or 5 Gauss points.
    pub fn area(&self) -> f64 {
        integral(self.kind(), &FIVE, |xi| {
            let normal = self.area_normal(xi);
            dot(normal, normal).sqrt()
        })
    }

    /// Returns the volume of the cone from `origin` to the face (for a segment, the area of the
    /// triangle): positive if the normal points away from the origin. Exact up to rounding.
    pub fn volume_from(&self, origin: [f64; 3]) -> f64 {
        let kind = self.kind();
        let sum = integral(kind, &THREE, |xi| {
            dot(minus(self.point(xi), origin), self.area_normal(xi))
        });
        sum / (1.0 + kind.dimension() as f64)
    }
}

impl FaceMesh {
    /// Returns the report of the mesh.
    pub fn report(&self) -> FaceReport {
        let topology = self.topology();
        let mut parts = DisjointSets::new(self.len());
        let (mut boundary, mut crowded, mut misoriented, mut mismatched) = (0, 0, 0, 0);
        for edge in topology.edges() {
            boundary += usize::from(edge.is_boundary());
            crowded += usize::from(edge.sides.len() > 2);
            misoriented += usize::from(!edge.is_boundary() && edge.balance != 0);
            mismatched += usize::from(!edge.is_matched);
            for side in &edge.sides[1..] {
                parts.join(edge.sides[0].face, side.face);
            }
        }
        let bounds = self.bounds();
        // Volumes are taken about a point nearby, so that an offset causes no cancellation.
        let origin = bounds.center();
        let [area, volume] = parallel::sums(self.len(), |f| {
            let face = self.face(f);
            [face.area(), face.volume_from(origin)]
        });
        let closed = boundary == 0 && mismatched == 0;
        let oriented = misoriented == 0;
        let count = |kind: FaceKind| self.kinds().iter().filter(|&&k| k == kind).count();
        let unused = |node: &usize| topology.faces_around(*node).is_empty();
        FaceReport {
            nodes: self.nodes().len(),
            faces: self.len(),
            kinds: FaceKind::ALL.map(count),
            edges: topology.edge_count(),
            closed,
            oriented,
            manifold: crowded == 0,
            components: (0..self.len() as u32).filter(|&f| parts.leads(f)).count(),
            boundary_edges: boundary,
            nonmanifold_edges: crowded,
            misoriented_edges: misoriented,
            mismatched_edges: mismatched,
            unused_nodes: (0..self.nodes().len()).filter(unused).count(),
            folded_faces: self.folded().len(),
            volume: (closed && oriented).then_some(volume),
            area,
            bounds,
        }
    }
}
