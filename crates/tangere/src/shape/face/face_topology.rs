//! Topology of a mesh of finite element faces: which faces share an edge, and which a node.
//!
//! Only node indices are used. Time and memory are linear in the number of faces: edges are counted
//! into buckets by their lower corner (that of lower index) and sorted within a bucket. Edges are
//! identified by their corners. Where faces share the corners of an edge but not the midside node
//! (a quadratic face beside a linear one, say) the edge is [mismatched](FaceEdge::is_matched):
//! there is a gap between the faces.
//!
//! The edges of segments are their ends.

use super::{FaceKind, FaceMesh};

/// One side of a face: an edge, or the end of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceSide {
    /// The index of the face.
    pub face: u32,
    /// The index of the edge in the face: the edge runs from corner `edge` of the face to the next
    /// corner. For a segment, the index of the end.
    pub edge: u8,
}

/// An edge of a face mesh, with the faces around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceEdge<'a> {
    /// The node indices of the two corners of the edge, the lower index first. For the end of a
    /// segment, the index of its node twice.
    pub corners: [u32; 2],
    /// The sides of faces that coincide with the edge, in the order of the faces.
    pub sides: &'a [FaceSide],
    /// Whether the faces around the edge agree on its midside node: all have the same one, or none
    /// has one.
    pub is_matched: bool,
    /// The number of faces that traverse the edge from its corner of lower index to the other,
    /// minus the number of faces that traverse it in the opposite direction. For an end, the number
    /// of segments that begin there, minus the number of those that end there.
    pub balance: i64,
}

impl FaceEdge<'_> {
    /// Returns whether the edge of the face topology is a boundary: it belongs to one face only.
    pub fn is_boundary(&self) -> bool {
        self.sides.len() == 1
    }
}

/// The topology of a face mesh: its edges, and the faces around its nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceTopology {
    /// The sides of all faces of the mesh, sorted by the edge to which they belong.
    sides: Vec<FaceSide>,
    /// For each edge of the mesh, the offset in `sides` of the sides of faces that coincide with
    /// it; at the end, the length of `sides`.
    edge_starts: Vec<u32>,
    edge_corners: Vec<[u32; 2]>,
    matched: Vec<bool>,
    balances: Vec<i32>,
    /// For each side of each face, face by face, the index of the mesh edge to which the side
    /// belongs. `face_starts` has the offset of each face in this array.
    edge_of_side: Vec<u32>,
    face_starts: Vec<u32>,
    /// The indices of the faces around each node of the mesh (those that have it as a corner or
    /// other node), node by node. `node_starts` has the offset of each node in this array.
    around: Vec<u32>,
    node_starts: Vec<u32>,
}

impl FaceMesh {
    /// Returns the topology of the face mesh: its edges, and the faces around its nodes.
    pub fn topology(&self) -> FaceTopology {
        FaceTopology::new(self)
    }
}

/// Returns the node indices of a side of a face: its two corners in the direction of the side, and
/// its midside node if it has one.
fn side_nodes(mesh: &FaceMesh, side: FaceSide) -> ([u32; 2], Option<u32>) {
    let face = side.face as usize;
    let nodes = mesh.nodes_of(face);
    let (ends, middle) = mesh.kind(face).edge(side.edge as usize);
    (ends.map(|k| nodes[k]), middle.map(|k| nodes[k]))
}

/// Returns the offsets of consecutive lists in an array of the topology, from their lengths:
/// `counts[0]` is 0, and `counts[i + 1]` is the length of list `i`.
fn summed(mut counts: Vec<u32>) -> Vec<u32> {
    for i in 1..counts.len() {
        counts[i] += counts[i - 1];
    }
    counts
}

impl FaceTopology {
    /// Builds the topology of a face mesh.
    fn new(mesh: &FaceMesh) -> Self {
        let face_starts = {
            let corners = |kind: &FaceKind| kind.corners() as u32;
            let counts = std::iter::once(0).chain(mesh.kinds().iter().map(corners));
            summed(counts.collect())
        };
        let node_count = mesh.nodes().len();
        let sides_of = |face: u32| {
            let edges = 0..mesh.kind(face as usize).corners() as u8;
            edges.map(move |edge| FaceSide { face, edge })
        };
        let all_sides = || (0..mesh.len() as u32).flat_map(sides_of);

        let mut bucket_starts = vec![0; node_count + 1];
        for side in all_sides() {
            let ([a, b], _) = side_nodes(mesh, side);
            bucket_starts[a.min(b) as usize + 1] += 1;
        }
        let bucket_starts = summed(bucket_starts);
        let mut next = bucket_starts.clone();
        // An entry has the upper corner, then the side; sides are visited in order and so sort in
        // order.
        let no_side = FaceSide { face: 0, edge: 0 };
        let mut keyed = vec![(0, no_side); bucket_starts[node_count] as usize];
        for side in all_sides() {
            let ([a, b], _) = side_nodes(mesh, side);
            let slot = &mut next[a.min(b) as usize];
            keyed[*slot as usize] = (a.max(b), side);
            *slot += 1;
        }
        let mut topology = FaceTopology {
            sides: Vec::with_capacity(keyed.len()),
            edge_starts: vec![0],
            edge_corners: Vec::new(),
            matched: Vec::new(),
            balances: Vec::new(),
            edge_of_side: vec![0; keyed.len()],
            face_starts,
            around: Vec::new(),
            node_starts: Vec::new(),
        };
        for lower in 0..node_count {
            let range = bucket_starts[lower] as usize..bucket_starts[lower + 1] as usize;
            let bucket = &mut keyed[range];
            bucket.sort_unstable();
            for edge in bucket.chunk_by(|x, y| x.0 == y.0) {
                topology.push_edge(mesh, [lower as u32, edge[0].0], edge);
            }
        }
        topology.gather_around(mesh);
        topology
    }

    /// Adds an edge to the face topology. `corners` has its node indices, the lower first. `edge`
    /// has one entry for each side of a face at the edge: the higher of the two node indices, the
    /// same in all entries, and the side.
    fn push_edge(&mut self, mesh: &FaceMesh, corners: [u32; 2], edge: &[(u32, FaceSide)]) {
        let number = self.edge_corners.len() as u32;
        let (_, middle) = side_nodes(mesh, edge[0].1);
        let (mut matched, mut balance) = (true, 0);
        for &(_, side) in edge {
            let (ends, other) = side_nodes(mesh, side);
            matched &= other == middle;
            let forward = match corners[0] == corners[1] {
                true => side.edge == 0,
                false => ends == corners,
            };
            balance += if forward { 1 } else { -1 };
            let place = self.face_starts[side.face as usize] + u32::from(side.edge);
            self.edge_of_side[place as usize] = number;
            self.sides.push(side);
        }
        self.edge_corners.push(corners);
        self.edge_starts.push(self.sides.len() as u32);
        self.matched.push(matched);
        self.balances.push(balance);
    }

    /// Collects the faces around each node of the mesh into `around`, for the face topology.
    fn gather_around(&mut self, mesh: &FaceMesh) {
        let mut counts = vec![0; mesh.nodes().len() + 1];
        for &node in mesh.indices() {
            counts[node as usize + 1] += 1;
        }
        self.node_starts = summed(counts);
        let mut next = self.node_starts.clone();
        self.around = vec![0; mesh.indices().len()];
        for face in 0..mesh.len() {
            for &node in mesh.nodes_of(face) {
                let slot = &mut next[node as usize];
                self.around[*slot as usize] = face as u32;
                *slot += 1;
            }
        }
    }

    /// The number of edges of the face topology.
    pub fn edge_count(&self) -> usize {
        self.edge_corners.len()
    }

    /// Returns edge `edge` of the face topology, with the faces around it.
    #[inline]
    pub fn edge(&self, edge: usize) -> FaceEdge<'_> {
        let range = self.edge_starts[edge] as usize..self.edge_starts[edge + 1] as usize;
        FaceEdge {
            corners: self.edge_corners[edge],
            sides: &self.sides[range],
            is_matched: self.matched[edge],
            balance: i64::from(self.balances[edge]),
        }
    }

    /// Iterates over all edges of the face topology, sorted by the node indices of their corners.
    pub fn edges(&self) -> impl Iterator<Item = FaceEdge<'_>> {
        (0..self.edge_count()).map(|edge| self.edge(edge))
    }

    /// Returns the index in the face topology of edge `edge` of face `face`.
    #[inline]
    pub fn edge_of(&self, face: usize, edge: usize) -> usize {
        self.edge_of_side[self.face_starts[face] as usize + edge] as usize
    }

    /// Returns the neighbour of a face across one of its edges, as a side of the neighbour: the
    /// index of the neighbour, and the index of the common edge in it. None if the edge belongs to
    /// one face only or to more than two.
    #[inline]
    pub fn neighbor(&self, face: usize, edge: usize) -> Option<FaceSide> {
        match self.edge(self.edge_of(face, edge)).sides {
            [a, b] if a.face as usize == face => Some(*b),
            [a, _] => Some(*a),
            _ => None,
        }
    }

    /// Returns the indices of the faces that have this node, as a corner or not, in ascending
    /// order.
    #[inline]
    pub fn faces_around(&self, node: usize) -> &[u32] {
        let range = self.node_starts[node] as usize..self.node_starts[node + 1] as usize;
        &self.around[range]
    }

    /// Returns whether the face topology is closed: every edge belongs to two or more faces, and
    /// the faces at an edge share its midside node. If the mesh is also oriented, it separates
    /// inside and outside.
    pub fn is_closed(&self) -> bool {
        self.edges()
            .all(|edge| !edge.is_boundary() && edge.is_matched)
    }

    /// Returns whether the face topology is oriented: at each edge of two or more faces, as many
    /// faces traverse the edge in one direction as in the other.
    pub fn is_oriented(&self) -> bool {
        self.edges()
            .all(|edge| edge.is_boundary() || edge.balance == 0)
    }
}
