//! Filling of holes: each small loop of boundary edges is closed by the triangulation of least area.
//!
//! A boundary edge belongs to one triangle. Where holes meet at a vertex, the order of directions
//! around it decides which edges bound the same hole. A loop of n vertices is triangulated by dynamic programming over its
//! sub-polygons (`barequet1995`): with vertices i < j,
//!
//! `W(i, j) = min over i < m < j of W(i, m) + W(m, j) + area(i, m, j)`, and `W(i, i + 1) = 0`.
//!
//! Time O(n^3) and memory O(n^2) a loop. New triangles traverse the boundary edges against their
//! triangles, so that the orientation is that of the neighbours. No vertex is added.
//!
//! Deviates: a chord that is already an edge of the mesh is not used, as that edge would get more
//! than two triangles; triangles without area come last.

use super::TriMesh;
use super::mesh_edges::Edges;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{cross, direction, dot, length, minus};
use std::collections::{HashMap, HashSet};

/// A mesh whose holes were filled, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct HolesFilled {
    /// The repaired mesh: the same vertices and triangles, then the new triangles.
    pub mesh: TriMesh,
    /// The number of holes that were filled.
    pub filled: usize,
    /// The number of triangles that were added.
    pub added: usize,
    /// The number of boundary edges that are left: of holes with too many edges, and of those that
    /// cannot be filled without an edge of three triangles.
    pub open_edges: usize,
}

/// The largest number of edges of a hole that can be filled, for time and memory.
pub const MOST_HOLE_EDGES: usize = 1000;

/// The largest number of edges of a hole that is filled if no other is requested.
pub const DEFAULT_HOLE_EDGES: usize = 200;

/// The index that stands for no half-edge.
const NONE: u32 = u32::MAX;

impl TriMesh {
    /// Fills holes: loops of at most `most_edges` boundary edges, each by the triangulation of least
    /// area. The outer boundary of an open sheet is a loop like any other.
    ///
    /// New triangles have the orientation of their neighbours. They may intersect others if the
    /// surface folds over near the hole; see [`TriMesh::report_with_self_intersections`].
    ///
    /// ```
    /// use tangere::shape::TriMesh;
    ///
    /// // A tetrahedron without its last face.
    /// let vertices = vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    /// let open = TriMesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]])?;
    /// let repaired = open.holes_filled(200)?;
    /// assert_eq!((repaired.filled, repaired.added, repaired.open_edges), (1, 1, 0));
    /// assert!(repaired.mesh.report().closed && repaired.mesh.report().oriented);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `most_edges` is less than 3 or more than [`MOST_HOLE_EDGES`].
    pub fn holes_filled(&self, most_edges: usize) -> Result<HolesFilled> {
        if !(3..=MOST_HOLE_EDGES).contains(&most_edges) {
            let expected = format!("a number from 3 to {MOST_HOLE_EDGES}");
            let what = Argument::Other("edges of a hole");
            return Err(Error::argument(what, most_edges, expected));
        }
        let mut boundary = Boundary::new(self);
        let mut faces = self.faces().to_vec();
        let mut filled = 0;
        for hole in boundary.loops() {
            if hole.len() > most_edges {
                continue;
            }
            if let Some(new) = triangulated(self.vertices(), &hole, &boundary.edges) {
                for face in &new {
                    for k in 0..3 {
                        boundary.edges.insert(edge(face[k], face[(k + 1) % 3]));
                    }
                }
                boundary.open_edges -= hole.len();
                filled += 1;
                faces.extend(new);
            }
        }
        Ok(HolesFilled {
            added: faces.len() - self.faces().len(),
            mesh: TriMesh::new(self.vertices().to_vec(), faces)?,
            filled,
            open_edges: boundary.open_edges,
        })
    }
}

/// Returns an edge, the lower vertex first.
fn edge(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The boundary of a mesh.
struct Boundary<'a> {
    faces: &'a [[u32; 3]],
    /// All edges of the mesh.
    edges: HashSet<[u32; 2]>,
    /// For each boundary half-edge the next one along its hole.
    next: Vec<u32>,
    /// Whether a half-edge is the only one of its edge.
    is_boundary: Vec<bool>,
    open_edges: usize,
}

impl<'a> Boundary<'a> {
    fn new(mesh: &'a TriMesh) -> Self {
        let faces = mesh.faces();
        let mut boundary = Boundary {
            faces,
            edges: HashSet::new(),
            next: Vec::new(),
            is_boundary: vec![false; 3 * faces.len()],
            open_edges: 0,
        };
        Edges::new(mesh.vertices().len(), faces).for_each(|low, high, around| {
            boundary.edges.insert([low, high]);
            if let [one] = *around {
                boundary.is_boundary[one as usize] = true;
                boundary.open_edges += 1;
            }
        });
        boundary.next = successors(mesh, &boundary.is_boundary);
        boundary
    }

    /// Returns the loops of boundary edges without a vertex twice, in the order of their lowest
    /// half-edge. Their vertices are in the order in which a filling traverses them. Loops that pass
    /// a vertex at which the hole goes on in no certain way are left out.
    fn loops(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.is_boundary.len()];
        let mut loops = Vec::new();
        for first in 0..self.is_boundary.len() {
            if !self.is_boundary[first] || seen[first] {
                continue;
            }
            let mut path = Vec::new();
            let mut is_alone = true;
            let mut half_edge = first as u32;
            let is_closed = loop {
                seen[half_edge as usize] = true;
                is_alone &= half_edge as usize / 3 == first / 3;
                // The filling traverses the edge from its end to its start.
                path.push(self.faces[half_edge as usize / 3][(half_edge as usize + 1) % 3]);
                match self.next[half_edge as usize] {
                    NONE => break false,
                    next if next as usize == first => break true,
                    next if !seen[next as usize] => half_edge = next,
                    _ => break false,
                }
            };
            // The filling of a triangle without neighbours would be the triangle again.
            if is_closed && !is_alone {
                split(path, &mut loops);
            }
        }
        loops
    }
}

/// For each boundary half-edge the next one along its hole, which ends where it begins; `NONE` if
/// that is not known.
///
/// Around a vertex seen from outside, fans of triangles and gaps alternate. Counterclockwise a fan
/// goes from a half-edge that begins at the vertex to one that ends there, and the gap after it to
/// the half-edge that begins the next fan. Where there is one gap, it joins the only two boundary
/// half-edges; of several, each half-edge that begins at the vertex is joined to the nearest that
/// ends there, clockwise in the plane across the mean normal.
fn successors(mesh: &TriMesh, is_boundary: &[bool]) -> Vec<u32> {
    let faces = mesh.faces();
    let corner = |h: usize, k: usize| faces[h / 3][(h + k) % 3];
    let mut around: HashMap<u32, [Vec<u32>; 2]> = HashMap::new();
    for h in (0..is_boundary.len()).filter(|&h| is_boundary[h]) {
        around.entry(corner(h, 0)).or_default()[0].push(h as u32);
        around.entry(corner(h, 1)).or_default()[1].push(h as u32);
    }
    let mut normals: HashMap<u32, [f64; 3]> = (around.iter())
        .filter(|(_, [begin, _])| begin.len() > 1)
        .map(|(&vertex, _)| (vertex, [0.0; 3]))
        .collect();
    for face in faces {
        for vertex in face {
            if let Some(sum) = normals.get_mut(vertex) {
                let [a, b, c] = face.map(|v| mesh.vertices()[v as usize]);
                let normal = cross(minus(b, a), minus(c, a));
                *sum = std::array::from_fn(|k| sum[k] + normal[k]);
            }
        }
    }
    let mut next = vec![NONE; is_boundary.len()];
    for (vertex, [begin, end]) in &around {
        match (&begin[..], &end[..]) {
            (&[one], &[other]) => next[one as usize] = other,
            _ if begin.len() == end.len() => {
                let normal = normals.get(vertex).copied().unwrap_or_default();
                let Some(plane) = Plane::across(normal) else {
                    continue;
                };
                let point = |v: u32| mesh.vertices()[v as usize];
                let angle = |v: u32| plane.angle(minus(point(v), point(*vertex)));
                let begin_angle = |h: u32| angle(corner(h as usize, 1));
                let end_angle = |h: u32| angle(corner(h as usize, 0));
                let nearest = |from: f64| {
                    // How far clockwise, from 0 to 4 quarter turns.
                    let turn = |h: &u32| (from - end_angle(*h)).rem_euclid(4.0);
                    end.iter()
                        .copied()
                        .min_by(|x, y| turn(x).total_cmp(&turn(y)))
                };
                let joined: Vec<u32> = (begin.iter())
                    .filter_map(|&h| nearest(begin_angle(h)))
                    .collect();
                let distinct: HashSet<u32> = joined.iter().copied().collect();
                if distinct.len() == begin.len() {
                    for (&h, &other) in begin.iter().zip(&joined) {
                        next[h as usize] = other;
                    }
                }
            }
            // Neighbours that disagree in orientation, or an edge of more than two triangles.
            _ => {}
        }
    }
    next
}

/// Axes of a plane, counterclockwise around its normal.
struct Plane([[f64; 3]; 2]);

impl Plane {
    /// Returns the plane across a normal; `None` if that is 0.
    fn across(normal: [f64; 3]) -> Option<Self> {
        let normal = direction(normal)?;
        // The axis along which the normal is shortest is far from parallel to it.
        let shortest = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs()))?;
        let axis = std::array::from_fn(|k| f64::from(k == shortest));
        let first = direction(cross(axis, normal))?;
        Some(Plane([first, cross(normal, first)]))
    }

    /// Returns the direction of a vector in the plane, in quarter turns from -2 to 2: it grows with
    /// the angle, but is not in proportion to it.
    fn angle(&self, vector: [f64; 3]) -> f64 {
        let [x, y] = self.0.map(|axis| dot(axis, vector));
        let share = match x.abs() + y.abs() {
            0.0 => 0.0,
            sum => y / sum,
        };
        match (x >= 0.0, y >= 0.0) {
            (true, _) => share,
            (false, true) => 2.0 - share,
            (false, false) => -2.0 - share,
        }
    }
}

/// Splits a loop at vertices that occur twice, and appends the parts of at least 3 edges.
fn split(path: Vec<u32>, loops: &mut Vec<Vec<u32>>) {
    let mut open: Vec<u32> = Vec::new();
    let mut parts = Vec::new();
    for vertex in path {
        if let Some(before) = open.iter().position(|&other| other == vertex) {
            parts.push(open.split_off(before));
        }
        open.push(vertex);
    }
    parts.push(open);
    loops.extend(parts.into_iter().filter(|part| part.len() >= 3));
}

/// The weight of a triangulation: the number of its triangles without area, then their total area.
type Weight = (u32, f64);

/// Returns the triangulation of a loop that has the least weight and no chord among `edges`; `None`
/// if there is none. Of several the one with the lowest vertices in the loop is returned.
fn triangulated(
    points: &[[f64; 3]],
    hole: &[u32],
    edges: &HashSet<[u32; 2]>,
) -> Option<Vec<[u32; 3]>> {
    let n = hole.len();
    let point = |i: usize| points[hole[i] as usize];
    let area = |i: usize, m: usize, j: usize| {
        let (u, v) = (minus(point(m), point(i)), minus(point(j), point(i)));
        0.5 * length(cross(u, v))
    };
    let mut best: Vec<Option<Weight>> = vec![None; n * n];
    let mut middle = vec![0_u32; n * n];
    for i in 0..n - 1 {
        best[i * n + i + 1] = Some((0, 0.0));
    }
    for length in 2..n {
        for i in 0..n - length {
            let j = i + length;
            // The last chord is the edge of the loop from its last vertex to its first.
            let is_chord = (i, j) != (0, n - 1);
            if is_chord && edges.contains(&edge(hole[i], hole[j])) {
                continue;
            }
            for m in i + 1..j {
                let (Some(left), Some(right)) = (best[i * n + m], best[m * n + j]) else {
                    continue;
                };
                let area = area(i, m, j);
                let flat = u32::from(area == 0.0);
                let weight = (left.0 + right.0 + flat, left.1 + right.1 + area);
                if best[i * n + j].is_none_or(|known| weight < known) {
                    best[i * n + j] = Some(weight);
                    middle[i * n + j] = m as u32;
                }
            }
        }
    }
    best[n - 1]?;
    let mut triangles = Vec::with_capacity(n - 2);
    let mut parts = vec![(0, n - 1)];
    while let Some((i, j)) = parts.pop() {
        if j < i + 2 {
            continue;
        }
        let m = middle[i * n + j] as usize;
        triangles.push([hole[i], hole[m], hole[j]]);
        parts.extend([(m, j), (i, m)]);
    }
    Some(triangles)
}
