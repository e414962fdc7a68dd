//! Brute force over all vertices, edges and faces of surfaces whose corners move linearly in a
//! step.

use std::collections::BTreeSet;
use tangere::geometry::{IntersectionKind, SegmentTriangle, segment_triangle, triangle_triangle};
use tangere::impact::primitive::{FirstContact, PrimitiveSettings, edge_edge, vertex_face};

/// A surface whose nodes move linearly.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub starts: Vec<[f64; 3]>,
    pub ends: Vec<[f64; 3]>,
    pub faces: Vec<[u32; 3]>,
}

impl Sheet {
    fn edges(&self) -> Vec<[u32; 2]> {
        let sides = |f: &[u32; 3]| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]];
        let edges = self.faces.iter().flat_map(sides);
        let edges: BTreeSet<[u32; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.into_iter().collect()
    }

    fn vertices(&self) -> BTreeSet<u32> {
        self.faces.iter().flatten().copied().collect()
    }

    /// The nodes after a fraction of the step.
    pub fn at(&self, share: f64) -> Vec<nalgebra::Vector3<f64>> {
        let of = |(p, q): (&[f64; 3], &[f64; 3])| {
            nalgebra::Vector3::from_fn(|k, _| p[k] + (q[k] - p[k]) * share)
        };
        self.starts.iter().zip(&self.ends).map(of).collect()
    }

    fn triangle(&self, face: &[u32; 3]) -> [[f64; 3]; 3] {
        face.map(|v| self.starts[v as usize])
    }
}

/// The first contact of two surfaces, or of one with itself, in time from 0 to 1.
pub fn first_contact(a: &Sheet, b: Option<&Sheet>) -> FirstContact {
    let settings = PrimitiveSettings::default();
    let (is_own, b) = (b.is_none(), b.unwrap_or(a));
    let mut first = FirstContact::FREE;
    let mut offer = |found: FirstContact| {
        first.early = first.early.min(found.early);
        first.late = first.late.min(found.late);
        first.status = first.status.max(found.status);
    };
    for (x, y) in [(a, b), (b, a)] {
        for v in x.vertices() {
            for face in &y.faces {
                if is_own && face.contains(&v) {
                    continue;
                }
                let [p, q, r] = face.map(|v| v as usize);
                let start = [x.starts[v as usize], y.starts[p], y.starts[q], y.starts[r]];
                let end = [x.ends[v as usize], y.ends[p], y.ends[q], y.ends[r]];
                offer(vertex_face(&start, &end, &settings));
            }
        }
        if is_own {
            break;
        }
    }
    let (edges_a, edges_b) = (a.edges(), b.edges());
    for ea in &edges_a {
        for eb in &edges_b {
            if is_own && (ea.iter().any(|v| eb.contains(v)) || eb < ea) {
                continue;
            }
            let ([p, q], [r, s]) = (ea.map(|v| v as usize), eb.map(|v| v as usize));
            let start = [a.starts[p], a.starts[q], b.starts[r], b.starts[s]];
            let end = [a.ends[p], a.ends[q], b.ends[r], b.ends[s]];
            offer(edge_edge(&start, &end, &settings));
        }
    }
    first
}

/// Contact state of surfaces at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    Apart,
    /// The surfaces have common points, but no intersecting faces.
    Touching,
    Crossing,
}

/// Contact state of surfaces at the start, without shared features.
pub fn start(a: &Sheet, other: Option<&Sheet>) -> Start {
    let (is_own, b) = (other.is_none(), other.unwrap_or(a));
    let meets = |fa: &[u32; 3], fb: &[u32; 3]| {
        let (ta, tb) = (a.triangle(fa), b.triangle(fb));
        if !is_own || !fa.iter().any(|v| fb.contains(v)) {
            return match triangle_triangle(ta, tb) {
                None => Start::Apart,
                Some(IntersectionKind::Crossing) => Start::Crossing,
                Some(_) => Start::Touching,
            };
        }
        let crosses = |x: &[u32; 3], tx: [[f64; 3]; 3], y: &[u32; 3], ty: [[f64; 3]; 3]| {
            let side = |i: usize| {
                let j = (i + 1) % 3;
                match segment_triangle([tx[i], tx[j]], ty) {
                    _ if y.contains(&x[i]) || y.contains(&x[j]) => Start::Apart,
                    SegmentTriangle::Disjoint => Start::Apart,
                    SegmentTriangle::Crosses { .. } => Start::Crossing,
                    _ => Start::Touching,
                }
            };
            side(0).max(side(1)).max(side(2))
        };
        crosses(fa, ta, fb, tb).max(crosses(fb, tb, fa, ta))
    };
    let mut most = Start::Apart;
    for (i, fa) in a.faces.iter().enumerate() {
        let others = if is_own {
            &b.faces[i + 1..]
        } else {
            &b.faces[..]
        };
        most = others.iter().map(|fb| meets(fa, fb)).fold(most, Start::max);
    }
    // A vertex on a face that shares another vertex with its own face.
    match most == Start::Apart && first_contact(a, other).early == 0.0 {
        true => Start::Touching,
        false => most,
    }
}
