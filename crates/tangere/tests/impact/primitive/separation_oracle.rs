//! Exact oracle of contact at a separation `h`, by the squared distance as a piecewise polynomial.
//!
//! The distance of two shapes is at most `h` if one of these is: the distance of two vertices; that
//! of a vertex and the line of an edge, if its projection is on the edge; that of a vertex and the
//! plane of a face, or of the lines of two edges, if the nearest points are on them. The times of
//! contact are a closed set that begins at 0 or at a root of one of these polynomials.

use super::oracle::{
    Pair, Poly, Time, Vector, cross, dot, lowest, negated, plus, roots, times, trimmed, way,
};
use test_support::exact::whole;

/// A condition for contact: `far <= 0`, none of `inside` is negative, and `proper` is positive.
struct Piece {
    far: Poly,
    inside: Vec<Poly>,
    proper: Option<Poly>,
}

impl Piece {
    fn holds(&self, t: &Time) -> bool {
        t.sign(&self.far) <= 0
            && self.inside.iter().all(|g| t.sign(g) >= 0)
            && self.proper.iter().all(|g| t.sign(g) > 0)
    }
}

fn minus(f: &Poly, g: &Poly) -> Poly {
    plus(f, &negated(g))
}

fn difference(u: &Vector, v: &Vector) -> Vector {
    [0, 1, 2].map(|k| minus(&u[k], &v[k]))
}

/// The conditions of two vertices, one given relative to the other.
fn vertices(r: &Vector, h2: &Poly) -> Piece {
    Piece {
        far: minus(&dot(r, r), h2),
        inside: Vec::new(),
        proper: None,
    }
}

/// The conditions of an edge and a vertex: the ends relative to the vertex.
fn edge(u: &Vector, v: &Vector, h2: &Poly) -> Piece {
    let (e, x) = (difference(v, u), cross(u, v));
    let length = dot(&e, &e);
    Piece {
        far: minus(&dot(&x, &x), &times(h2, &length)),
        inside: vec![negated(&dot(u, &e)), dot(v, &e)],
        proper: Some(length),
    }
}

/// The conditions of a vertex and a face: the corners relative to the vertex.
fn face(u: &Vector, v: &Vector, w: &Vector, h2: &Poly) -> Piece {
    let n = cross(&difference(v, u), &difference(w, u));
    let (size, height) = (dot(&n, &n), dot(u, &n));
    Piece {
        far: minus(&times(&height, &height), &times(h2, &size)),
        inside: vec![
            dot(&n, &cross(v, w)),
            dot(&n, &cross(w, u)),
            dot(&n, &cross(u, v)),
        ],
        proper: Some(size),
    }
}

/// The conditions of two edges with vectors `e` and `g`, whose starts differ by `r`:
/// `s e - t g = r` up to the normal.
fn edges(e: &Vector, g: &Vector, r: &Vector, h2: &Poly) -> Piece {
    let n = cross(e, g);
    let (size, height) = (dot(&n, &n), dot(r, &n));
    let (s, t) = (dot(&cross(r, g), &n), dot(&cross(r, e), &n));
    Piece {
        far: minus(&times(&height, &height), &times(h2, &size)),
        inside: vec![minus(&size, &s), minus(&size, &t), s, t],
        proper: Some(size),
    }
}

/// The times of contact as in [`contacts`](super::oracle::contacts), with a separation.
pub fn contacts(pair: Pair, start: &[[f64; 3]], end: &[[f64; 3]], h: f64) -> Vec<Time> {
    let unit = lowest(start.iter().chain(end).copied().chain([[h; 3]]));
    let h = whole(h, unit);
    let h2 = trimmed(vec![&h * &h]);
    let from = |from: usize, to: usize| way([start, end], from, to, unit);
    let mut pieces = Vec::new();
    match pair {
        Pair::VertexVertex => pieces.push(vertices(&from(0, 1), &h2)),
        Pair::EdgeVertex => {
            let (u, v) = (from(2, 0), from(2, 1));
            pieces.extend([vertices(&u, &h2), vertices(&v, &h2), edge(&u, &v, &h2)]);
        }
        Pair::VertexFace => {
            let [u, v, w] = [1, 2, 3].map(|i| from(0, i));
            pieces.extend([&u, &v, &w].map(|r| vertices(r, &h2)));
            pieces.extend([(&u, &v), (&v, &w), (&w, &u)].map(|(p, q)| edge(p, q, &h2)));
            pieces.push(face(&u, &v, &w, &h2));
        }
        Pair::EdgeEdge => {
            for (i, j) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
                pieces.push(vertices(&from(i, j), &h2));
            }
            for (p, i, j) in [(0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1)] {
                pieces.push(edge(&from(p, i), &from(p, j), &h2));
            }
            pieces.push(edges(&from(0, 1), &from(2, 3), &from(0, 2), &h2));
        }
    }
    let mut candidates = vec![Time::Whole(0)];
    for piece in &pieces {
        for f in [&piece.far].into_iter().chain(&piece.inside) {
            if !f.is_empty() {
                candidates.extend(roots(f));
            }
        }
    }
    candidates.retain(|t| pieces.iter().any(|piece| piece.holds(t)));
    candidates
}
