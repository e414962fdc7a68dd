//! Kinds of finite element faces: nodes, reference domain, constraints, VTK codes.
//!
//! The reference domain has the coordinates `xi`: it is the interval from -1 to 1 for segments, the
//! triangle `(0, 0), (1, 0), (0, 1)` for triangles, and the square from -1 to 1 for quadrilaterals.
//! A constraint is a linear inequality for `xi`; each side of the domain has one.
//!
//! Nodes are ordered as in VTK: corners, then one node on each edge in the order of the edges, then
//! the centre. Edge `i` runs from corner `i` to the next one.
//!
//! ```text
//! seg3          tri6              quad9
//! 0---2---1     2                 3---6---2
//!               | \               |       |
//!               5   4             7   8   5
//!               |     \           |       |
//!               0---3---1         0---4---1
//! ```

use crate::names::names;

/// A kind of finite element face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum FaceKind {
    /// A straight segment in the plane.
    Seg2,
    /// A parabolic segment in the plane.
    Seg3,
    /// A flat triangle.
    Tri3,
    /// A quadratic triangle.
    Tri6,
    /// A bilinear quadrilateral.
    Quad4,
    /// A quadratic quadrilateral without a node in the middle (serendipity).
    Quad8,
    /// A biquadratic quadrilateral, with a node in the middle.
    Quad9,
}

names! {
    FaceKind, Kind {
        Seg2 = "seg2",
        Seg3 = "seg3",
        Tri3 = "tri3",
        Tri6 = "tri6",
        Quad4 = "quad4",
        Quad8 = "quad8",
        Quad9 = "quad9",
    }
}

/// A constraint: one side of the reference domain of a kind of face, as the inequality
/// `normal . xi + offset >= 0`, which holds in the domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The gradient of the constraint with respect to the reference coordinates `xi`.
    pub normal: [f64; 2],
    /// The left side `normal . xi + offset` of the constraint at `xi = 0`.
    pub offset: f64,
}

impl Constraint {
    /// Returns the constraint `normal . xi + offset >= 0` of one side of the reference domain of a
    /// kind of face.
    const fn new(normal: [f64; 2], offset: f64) -> Self {
        Constraint { normal, offset }
    }

    /// Returns `normal . xi + offset` of the constraint: positive inside the reference domain of
    /// the face, 0 on the side.
    #[inline]
    pub fn value(&self, xi: [f64; 2]) -> f64 {
        self.normal[0] * xi[0] + self.normal[1] * xi[1] + self.offset
    }
}

const SEGMENT: [Constraint; 2] = [
    Constraint::new([1.0, 0.0], 1.0),
    Constraint::new([-1.0, 0.0], 1.0),
];
const TRIANGLE: [Constraint; 3] = [
    Constraint::new([0.0, 1.0], 0.0),
    Constraint::new([-1.0, -1.0], 1.0),
    Constraint::new([1.0, 0.0], 0.0),
];
const QUADRILATERAL: [Constraint; 4] = [
    Constraint::new([0.0, 1.0], 1.0),
    Constraint::new([-1.0, 0.0], 1.0),
    Constraint::new([0.0, -1.0], 1.0),
    Constraint::new([1.0, 0.0], 1.0),
];

const SEGMENT_NODES: [[f64; 2]; 3] = [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
const TRIANGLE_NODES: [[f64; 2]; 6] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [0.5, 0.0],
    [0.5, 0.5],
    [0.0, 0.5],
];
const QUADRILATERAL_NODES: [[f64; 2]; 9] = [
    [-1.0, -1.0],
    [1.0, -1.0],
    [1.0, 1.0],
    [-1.0, 1.0],
    [0.0, -1.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [-1.0, 0.0],
    [0.0, 0.0],
];

impl FaceKind {
    /// Maximum number of nodes of a face, over all kinds.
    pub const NODES_MAX: usize = 9;

    /// The number of nodes of a face of this kind.
    #[inline]
    pub const fn nodes(self) -> usize {
        match self {
            FaceKind::Seg2 => 2,
            FaceKind::Seg3 | FaceKind::Tri3 => 3,
            FaceKind::Quad4 => 4,
            FaceKind::Tri6 => 6,
            FaceKind::Quad8 => 8,
            FaceKind::Quad9 => 9,
        }
    }

    /// Returns the number of corners of this kind of face, which is also the number of its edges.
    /// The corners and the edges of a segment are its two ends.
    #[inline]
    pub const fn corners(self) -> usize {
        match self {
            FaceKind::Seg2 | FaceKind::Seg3 => 2,
            FaceKind::Tri3 | FaceKind::Tri6 => 3,
            FaceKind::Quad4 | FaceKind::Quad8 | FaceKind::Quad9 => 4,
        }
    }

    /// The number of reference coordinates of this kind of face: 1 for segments, 2 for others.
    #[inline]
    pub const fn dimension(self) -> usize {
        match self {
            FaceKind::Seg2 | FaceKind::Seg3 => 1,
            _ => 2,
        }
    }

    /// Returns the polynomial degree of the edges of this kind of face: 1 if they are straight, 2
    /// if they are parabolic.
    #[inline]
    pub const fn degree(self) -> usize {
        match self {
            FaceKind::Seg2 | FaceKind::Tri3 | FaceKind::Quad4 => 1,
            _ => 2,
        }
    }

    /// Returns the code of this kind of face in VTK files.
    pub const fn vtk_code(self) -> u8 {
        match self {
            FaceKind::Seg2 => 3,
            FaceKind::Seg3 => 21,
            FaceKind::Tri3 => 5,
            FaceKind::Tri6 => 22,
            FaceKind::Quad4 => 9,
            FaceKind::Quad8 => 23,
            FaceKind::Quad9 => 28,
        }
    }

    /// Returns the kind of face with this code in VTK files; none if no kind has it.
    pub fn from_vtk_code(code: u8) -> Option<Self> {
        FaceKind::ALL
            .into_iter()
            .find(|kind| kind.vtk_code() == code)
    }

    /// Returns the reference coordinates of the nodes of this kind of face.
    #[inline]
    pub fn node_coordinates(self) -> &'static [[f64; 2]] {
        match self.corners() {
            2 => &SEGMENT_NODES[..self.nodes()],
            3 => &TRIANGLE_NODES[..self.nodes()],
            _ => &QUADRILATERAL_NODES[..self.nodes()],
        }
    }

    /// Returns the middle of the reference domain of this kind of face.
    #[inline]
    pub const fn center(self) -> [f64; 2] {
        match self.corners() {
            3 => [1.0 / 3.0, 1.0 / 3.0],
            _ => [0.0, 0.0],
        }
    }

    /// Returns the constraints of the reference domain of this kind of face, one for each of its
    /// sides. Constraint `i` belongs to edge `i`, or to end `i` of a segment.
    #[inline]
    pub fn constraints(self) -> &'static [Constraint] {
        match self.corners() {
            2 => &SEGMENT,
            3 => &TRIANGLE,
            _ => &QUADRILATERAL,
        }
    }

    /// Returns whether `xi` lies in the closed reference domain of this kind of face.
    #[inline]
    pub fn contains(self, xi: [f64; 2]) -> bool {
        self.constraints().iter().all(|side| side.value(xi) >= 0.0)
    }

    /// Returns the reference coordinates of a point on an edge of this kind of face. `place` is its
    /// parameter along the edge, from 0 at the first corner to 1 at the next. For a segment the
    /// edge is one of its ends, whatever the parameter.
    #[inline]
    pub fn on_edge(self, edge: usize, place: f64) -> [f64; 2] {
        let corners = &self.node_coordinates()[..self.corners()];
        let a = corners[edge % corners.len()];
        if self.dimension() == 1 {
            return a;
        }
        let b = corners[(edge + 1) % corners.len()];
        std::array::from_fn(|k| a[k] + place * (b[k] - a[k]))
    }

    /// Returns the nodes of edge `edge` of this kind of face, as indices in the face: the two
    /// corners in the direction of the edge and, if the face is quadratic, the midside node. For a
    /// segment the edge is one of its ends, returned twice.
    #[inline]
    pub fn edge(self, edge: usize) -> ([usize; 2], Option<usize>) {
        if self.dimension() == 1 {
            return ([edge, edge], None);
        }
        let n = self.corners();
        let middle = (self.degree() == 2).then_some(n + edge);
        ([edge, (edge + 1) % n], middle)
    }

    /// Returns an order of the nodes of this kind of face, as indices in the face, that reverses
    /// its normal.
    #[inline]
    pub fn turned(self) -> &'static [usize] {
        match self {
            FaceKind::Seg2 => &[1, 0],
            FaceKind::Seg3 => &[1, 0, 2],
            FaceKind::Tri3 => &[0, 2, 1],
            FaceKind::Tri6 => &[0, 2, 1, 5, 4, 3],
            FaceKind::Quad4 => &[0, 3, 2, 1],
            FaceKind::Quad8 => &[0, 3, 2, 1, 7, 6, 5, 4],
            FaceKind::Quad9 => &[0, 3, 2, 1, 7, 6, 5, 4, 8],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_read_back() {
        for kind in FaceKind::ALL {
            assert_eq!(kind.name().parse::<FaceKind>().unwrap(), kind);
            assert_eq!(FaceKind::from_vtk_code(kind.vtk_code()), Some(kind));
        }
        let error = "tri9".parse::<FaceKind>().unwrap_err().to_string();
        assert!(
            error.starts_with("kind: found \"tri9\", expected one of seg2"),
            "{error}"
        );
        assert_eq!(FaceKind::from_vtk_code(10), None);
    }

    #[test]
    fn edges_and_constraints_agree() {
        for kind in FaceKind::ALL {
            let nodes = kind.node_coordinates();
            assert_eq!(nodes.len(), kind.nodes());
            assert_eq!(kind.constraints().len(), kind.corners());
            assert!(nodes.iter().all(|&xi| kind.contains(xi)));
            for (i, side) in kind.constraints().iter().enumerate() {
                let ([a, b], middle) = kind.edge(i);
                for node in [Some(a), Some(b), middle].into_iter().flatten() {
                    assert_eq!(side.value(nodes[node]), 0.0, "{kind} edge {i}");
                }
                assert_eq!(kind.on_edge(i, 0.0), nodes[a]);
                if let Some(middle) = middle {
                    assert_eq!(kind.on_edge(i, 0.5), nodes[middle]);
                }
                assert!(side.value(kind.center()) > 0.0);
                assert!(!kind.contains(kind.on_edge(i, 0.5).map(|x| 3.0 * x + 1e-3)));
            }
        }
    }

    #[test]
    fn turning_twice_changes_nothing() {
        for kind in FaceKind::ALL {
            let turned = kind.turned();
            for k in 0..kind.nodes() {
                assert_eq!(turned[turned[k]], k, "{kind}");
            }
            // An edge stays an edge, with the same node between.
            for i in 0..kind.corners() {
                let ([a, b], middle) = kind.edge(i);
                let ends = [turned[a], turned[b]];
                let found = (0..kind.corners()).find(|&j| {
                    let ([c, d], _) = kind.edge(j);
                    [d, c] == ends
                });
                let found = found.expect("the edge of the turned face");
                assert_eq!(kind.edge(found).1, middle.map(|m| turned[m]));
            }
        }
    }
}
