//! Convex polyhedron from given faces, with an exact check of convexity.
//!
//! Cost: that of the hull of the vertices.
//!
//! A closed, connected and oriented surface without a reflex edge is the boundary of a convex body
//! unless it winds around itself several times, as a pyramid over a pentagram does. So edges are
//! tested first, one exact predicate each, because an error can then name the edge. Then coplanar
//! triangles are merged, and the loops around them must be the loops of the hull. That excludes
//! faces that are covered several times, because all triangles of a face have the same orientation
//! and their loop goes around it once.

use std::borrow::Cow;

use super::ConvexPolyhedron;
use super::coordinate_range::Scaled;
use super::half_edge_construction::{canonical, polyhedron};
use super::hull::{NONE, hull_loops};
use super::merge_coplanar::merged;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{cross, dot, minus};
use crate::geometry::{Sign, are_collinear, orient2d, orient3d, projected};
use crate::shape::disjoint_sets::DisjointSets;
use crate::shape::mesh_edges::{Edges, repeats_vertex};
use crate::shape::{TriMesh, distinct_points};

impl ConvexPolyhedron {
    /// Returns the convex polyhedron whose faces are given as a triangle mesh; see
    /// [`from_faces`](Self::from_faces). [`sources`](Self::sources) has indices of vertices of the
    /// mesh.
    ///
    /// ```
    /// use tangere::{generate, shape::ConvexPolyhedron};
    ///
    /// let ball = ConvexPolyhedron::from_mesh(&generate::sphere(2)?)?;
    /// assert_eq!((ball.vertex_count(), ball.dimension()), (66, 3));
    /// let error = ConvexPolyhedron::from_mesh(&generate::knot(100)?).unwrap_err();
    /// assert!(error.to_string().starts_with("edge: found vertex "));
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn from_mesh(mesh: &TriMesh) -> Result<Self> {
        Self::from_faces(mesh.vertices(), mesh.faces())
    }

    /// Returns the convex polyhedron whose faces are given as polygons, each by the vertex indices
    /// of its corners in order.
    ///
    /// The surface must be closed, connected, oriented and convex, all decided exactly. Its faces
    /// may be cut into several polygons: coplanar ones are merged, and vertices within faces or
    /// edges are dropped. A polygon of more than three corners is a fan of triangles; where
    /// rounding keeps its corners from lying in one plane, the fan must be convex as well.
    /// Coincident vertices are one vertex; unused vertices and triangles that repeat a vertex are
    /// ignored. The orientation may be outward or inward: it is the same body.
    ///
    /// # Errors
    /// If coordinates are invalid for [`hull`](Self::hull), an index is out of range, a polygon has
    /// no area or repeats a vertex; if an edge does not have two consistently oriented faces; if an
    /// edge is not convex (the message has its vertices and their coordinates); if the surface is
    /// not connected, winds around itself, or is flat: [`hull`](Self::hull) makes flat polygons.
    pub fn from_faces(vertices: &[[f64; 3]], faces: &[impl AsRef<[u32]>]) -> Result<Self> {
        let scaled = Scaled::new(Argument::Vertex, vertices)?;
        let triangles = triangles(&scaled.points, faces)?;
        let mut surface = Surface::new(vertices, &scaled, &triangles)?;
        surface.check_parts()?;
        let (dimension, hull) = hull_loops(&surface.scaled.points);
        if dimension < 3 {
            return Err(Error::argument(
                Argument::Surface,
                "all vertices in one plane",
                "a surface around a volume",
            ));
        }
        surface.check_edges()?;
        let loops = merged(&surface.triangles, &surface.twins, &surface.scaled.points);
        if canonical(&loops) != canonical(&hull) {
            return Err(Error::argument(
                Argument::Surface,
                "one that winds around itself, although no edge is reflex",
                "the boundary of a convex body",
            ));
        }
        let mut body = polyhedron(&surface.given, &surface.scaled, dimension, &loops);
        for source in &mut body.sources {
            *source = surface.numbers[*source as usize];
        }
        Ok(body)
    }
}

/// Cuts the given faces into triangles of vertex indices. Vertices at equal places get the index of
/// the first of them.
fn triangles(points: &[[f64; 3]], faces: &[impl AsRef<[u32]>]) -> Result<Vec<[u32; 3]>> {
    let (distinct, places) = distinct_points(points);
    let mut first = vec![NONE; distinct.len()];
    for (v, &place) in (0..).zip(&places) {
        first[place as usize] = v.min(first[place as usize]);
    }
    let mut triangles = Vec::with_capacity(faces.len());
    let (mut corners, mut sorted) = (Vec::new(), Vec::new());
    for (f, face) in faces.iter().enumerate() {
        let face = face.as_ref();
        let bad = |expected: String| {
            Error::item(Argument::Face, f, format!("vertices {face:?}"), expected)
        };
        if face.len() < 3 {
            return Err(bad("at least three vertices".to_owned()));
        }
        if face.iter().any(|&v| v as usize >= points.len()) {
            let count = points.len();
            return Err(bad(format!(
                "indices below {count}, the number of vertices"
            )));
        }
        corners.clear();
        corners.extend(face.iter().map(|&v| first[places[v as usize] as usize]));
        if let [a, b, c] = corners[..]
            && repeats_vertex(&[a, b, c])
        {
            continue;
        }
        sorted.clone_from(&corners);
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(bad("corners at different places".to_owned()));
        }
        let has_area = |t: [u32; 3]| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            !are_collinear(a, b, c)
        };
        // A corner within a straight side makes fans from other corners of that side degenerate.
        let n = corners.len();
        let corners = &corners;
        let fan = |start: usize| {
            let corner = move |i: usize| corners[(start + i) % n];
            (1..n - 1).map(move |i| [corner(0), corner(i), corner(i + 1)])
        };
        let Some(start) = (0..n).find(|&start| fan(start).all(has_area)) else {
            return Err(bad("corners that are not on one line".to_owned()));
        };
        triangles.extend(fan(start));
    }
    if triangles.is_empty() {
        return Err(Error::argument(
            Argument::Surface,
            "no faces",
            "a closed surface",
        ));
    }
    Ok(triangles)
}

/// The surface of the given faces: a closed and oriented triangle mesh without unused vertices.
struct Surface {
    given: Vec<[f64; 3]>,
    scaled: Scaled<'static>,
    /// For each vertex of the surface, its index among the given vertices.
    numbers: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// For each half-edge of the surface, the index of its twin: the same edge in the opposite
    /// direction. Half-edge `3 * t + k` begins at corner `k` of triangle `t`.
    twins: Vec<u32>,
}

impl Surface {
    /// Returns the surface of the given faces without unused vertices. `named` has the triangles
    /// into which the faces are cut, as indices of `vertices`. Each edge must have two faces that
    /// traverse it in opposite directions; the error names an edge that has not.
    fn new(vertices: &[[f64; 3]], scaled: &Scaled<'_>, named: &[[u32; 3]]) -> Result<Self> {
        let mut places = vec![NONE; vertices.len()];
        for &v in named.as_flattened() {
            places[v as usize] = 0;
        }
        let used = |v: &u32| places[*v as usize] != NONE;
        let numbers: Vec<u32> = (0..vertices.len() as u32).filter(used).collect();
        for (place, &v) in (0..).zip(&numbers) {
            places[v as usize] = place;
        }
        let chosen = |of: &[[f64; 3]]| -> Vec<[f64; 3]> {
            numbers.iter().map(|&v| of[v as usize]).collect()
        };
        let mut surface = Surface {
            given: chosen(vertices),
            scaled: Scaled {
                points: Cow::Owned(chosen(&scaled.points)),
                exponent: scaled.exponent,
            },
            triangles: named
                .iter()
                .map(|t| t.map(|v| places[v as usize]))
                .collect(),
            twins: vec![NONE; 3 * named.len()],
            numbers,
        };
        surface.join()?;
        Ok(surface)
    }

    /// Finds the twin of every half-edge of the given faces. Each edge must have two faces that
    /// traverse it in opposite directions; the error names the first edge that has not.
    fn join(&mut self) -> Result<()> {
        let mut bad = None;
        let origin = |h: u32| self.triangles[h as usize / 3][h as usize % 3];
        let twins = &mut self.twins;
        Edges::new(self.given.len(), &self.triangles).for_each(|a, b, around| match *around {
            [x, y] if origin(x) != origin(y) => {
                twins[x as usize] = y;
                twins[y as usize] = x;
            }
            [_, _] if bad.is_none() => {
                let found = "with two faces that run along it in the same direction";
                bad = Some((a, b, found.to_owned()));
            }
            _ if bad.is_none() => {
                bad = Some((a, b, format!("with a number of faces of {}", around.len())));
            }
            _ => {}
        });
        match bad {
            None => Ok(()),
            Some((a, b, found)) => {
                let expected = "two faces that run along it in opposite directions";
                Err(self.edge_error(a, b, &found, expected))
            }
        }
    }

    /// Rejects given faces that are not connected.
    fn check_parts(&self) -> Result<()> {
        let mut parts = DisjointSets::new(self.triangles.len());
        for (h, &twin) in (0..).zip(&self.twins) {
            parts.join(h / 3, twin / 3);
        }
        match (1..self.triangles.len() as u32).find(|&t| parts.leads(t)) {
            None => Ok(()),
            Some(t) => {
                let [a, b, c] = self.triangles[t as usize].map(|v| self.numbers[v as usize]);
                Err(Error::argument(
                    Argument::Surface,
                    format!("a second part, with a triangle of vertices {a}, {b} and {c}"),
                    "one connected surface",
                ))
            }
        }
    }

    /// Rejects given faces with a reflex edge. If all faces are oriented inward, so that every edge
    /// appears reflex, it flips all of them instead.
    fn check_edges(&mut self) -> Result<()> {
        let mut first: [Option<u32>; 2] = [None; 2];
        for h in 0..self.twins.len() as u32 {
            match self.bend(h) {
                Sign::Negative => first[0] = first[0].or(Some(h)),
                Sign::Positive => first[1] = first[1].or(Some(h)),
                Sign::Zero if self.is_folded(h) => {
                    let [a, b] = self.ends(h);
                    let found = "where the surface folds back on itself";
                    return Err(self.edge_error(a, b, found, "a convex edge"));
                }
                Sign::Zero => {}
            }
        }
        let reflex = match first {
            [_, None] => return Ok(()),
            [None, Some(_)] => {
                self.turn();
                return Ok(());
            }
            // The sign of the volume is the orientation of most of the surface.
            [convex, reflex] if self.volume() > 0.0 => reflex.or(convex),
            [convex, _] => convex,
        };
        let [a, b] = reflex.map_or([0, 0], |h| self.ends(h));
        Err(self.edge_error(a, b, "where the surface is reflex", "a convex edge"))
    }

    /// Returns the vertices at both ends of half-edge `h` of the given faces.
    fn ends(&self, h: u32) -> [u32; 2] {
        let t = self.triangles[h as usize / 3];
        [t[h as usize % 3], t[(h as usize + 1) % 3]]
    }

    /// Returns the coordinates of four vertices of the given faces: the corners of the triangle of
    /// half-edge `h`, beginning at the origin of `h`, and the corner opposite to the edge in the
    /// triangle on its other side.
    fn across(&self, h: u32) -> [[f64; 3]; 4] {
        let corner = |h: u32, k: u32| {
            let v = self.triangles[h as usize / 3][(h + k) as usize % 3];
            self.scaled.points[v as usize]
        };
        // Half-edges of a triangle begin at a multiple of three.
        let twin = self.twins[h as usize];
        [corner(h, 0), corner(h, 1), corner(h, 2), corner(twin, 2)]
    }

    /// Returns the side on which the neighbour across half-edge `h` of the given faces lies,
    /// relative to the plane of the triangle of `h`: negative if the edge is convex.
    fn bend(&self, h: u32) -> Sign {
        let [a, b, c, d] = self.across(h);
        orient3d(a, b, c, d)
    }

    /// Returns whether the given faces fold back at half-edge `h`. The two triangles at the edge
    /// are coplanar; they fold back if they lie on the same side of the edge.
    fn is_folded(&self, h: u32) -> bool {
        let corners = self.across(h);
        (0..3).any(|axis| {
            let [a, b, c, d] = corners.map(|p| projected(p, axis));
            let side = orient2d(a, b, c);
            !side.is_zero() && side == orient2d(a, b, d)
        })
    }

    /// Flips all triangles of the given faces: corners 1 and 2 are exchanged. So the half-edges
    /// that begin at corners 0 and 2 exchange their indices.
    fn turn(&mut self) {
        let turned = |h: u32| 3 * (h / 3) + (2 - h % 3);
        let mut twins = vec![NONE; self.twins.len()];
        for (h, &twin) in (0..).zip(&self.twins) {
            twins[turned(h) as usize] = turned(twin);
        }
        self.twins = twins;
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }

    /// Returns six times the volume inside the given faces, in scaled coordinates and rounded;
    /// negative if the faces are oriented inward.
    fn volume(&self) -> f64 {
        let base = self.scaled.points[0];
        let term = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| minus(self.scaled.points[v as usize], base));
            dot(a, cross(b, c))
        };
        self.triangles.iter().map(term).sum()
    }

    /// Returns the error for the edge of the given faces between vertices `a` and `b`, with a text
    /// of what was found there and a text of what was expected.
    fn edge_error(&self, a: u32, b: u32, found: &str, expected: &str) -> Error {
        let [p, q] = [a, b].map(|v| self.given[v as usize]);
        let [a, b] = [a, b].map(|v| self.numbers[v as usize]);
        let found = format!("vertex {a} at {p:?} to vertex {b} at {q:?}, {found}");
        Error::argument(Argument::Edge, found, expected)
    }
}
