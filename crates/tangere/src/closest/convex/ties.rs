//! Which features touch a plane, and what the answer is where they are not unique.

use super::features::Foot;
use super::frame::Frame;
use super::simplex::Simplex;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// What counts as touching a plane, as a part of the scale.
const BAND: f64 = 1.0 / (1u64 << 33) as f64;

impl Frame<'_> {
    /// The features that a simplex of the difference is made of, if it has such.
    pub fn features_of(&self, pairs: &[[u32; 2]]) -> Option<[Feature; 2]> {
        Some([
            feature_of(self.a, pairs.iter().map(|p| p[0]))?,
            feature_of(self.b, pairs.iter().map(|p| p[1]))?,
        ])
    }

    /// Vertices of the difference that span two features, or part of them.
    pub fn simplex_of(&self, features: [Feature; 2]) -> Simplex {
        let (on_a, of_a) = spanning(self.a, features[0]);
        let (on_b, of_b) = spanning(self.b, features[1]);
        let mut out = [[on_a[0], on_b[0]]; 4];
        let mut len = 0;
        for &i in &on_a[..of_a] {
            for &j in &on_b[..of_b] {
                if len < 4 {
                    out[len] = [i, j];
                    len += 1;
                }
            }
        }
        Simplex::new(self, &out[..len])
    }

    /// The answer in a direction along which several features are equally far. It depends on
    /// the simplex, so that must come from a start without a past.
    pub fn settled(
        &self,
        pairs: &[[u32; 2]],
        weights: &[f64],
        normal: [f64; 3],
    ) -> ([Feature; 2], Foot) {
        let band = BAND * self.scale;
        let back = self.turned_back(normal).map(|x| 0.0 - x);
        let [i, j] = self.support(normal, pairs[0]);
        let features = [
            touching(self.a, i, normal, band),
            touching(self.b, j, back, band),
        ];
        // The normal of a face is better than one that was searched for.
        let normal = match features.map(|f| (f.kind, f.index)) {
            [(FeatureKind::Face, f), _] => self.a.normal(f),
            [_, (FeatureKind::Face, g)] => self.turned(self.b.normal(g)).map(|x| 0.0 - x),
            _ => normal,
        };
        let [on_a, on_b] = self.witnesses(pairs, weights);
        let foot = Foot {
            on_a,
            on_b,
            normal,
            gap: dot(normal, minus(self.seen(on_b), on_a)),
        };
        (features, foot)
    }

    /// The points of both bodies that weighted vertices make up, each about the center of its
    /// body in its own axes.
    fn witnesses(&self, pairs: &[[u32; 2]], weights: &[f64]) -> [[f64; 3]; 2] {
        let mut out = [[0.0; 3]; 2];
        for (&[i, j], weight) in pairs.iter().zip(weights) {
            let (p, q) = (self.a.local(i), self.b.local(j));
            for d in 0..3 {
                out[0][d] += weight * p[d];
                out[1][d] += weight * q[d];
            }
        }
        out
    }
}

/// The vertex, edge or face that touches the plane through its farthest vertex across a
/// direction.
pub(super) fn touching(shape: &ConvexPolyhedron, v: u32, way: [f64; 3], band: f64) -> Feature {
    let p = shape.local(v);
    let drop = |k: u32| dot(way, minus(p, shape.local(k)));
    let near = shape.neighbours(v).iter().filter(|&&k| drop(k) <= band);
    match near.clone().count() {
        0 => Feature::vertex(v),
        1 => {
            let edge = near.clone().next().and_then(|&k| shape.edge_between(v, k));
            edge.map_or(Feature::vertex(v), Feature::edge)
        }
        _ => {
            let mut best = (f64::NEG_INFINITY, Feature::vertex(v));
            for &h in shape.outgoing(v) {
                let face = shape.half_edge(h).face;
                if face != ConvexPolyhedron::NO_FACE {
                    let along = dot(way, shape.normal(face));
                    if along > best.0 {
                        best = (along, Feature::face(face));
                    }
                }
            }
            best.1
        }
    }
}

/// The smallest feature with all these vertices.
fn feature_of(
    shape: &ConvexPolyhedron,
    vertices: impl Iterator<Item = u32> + Clone,
) -> Option<Feature> {
    let mut distinct = [0; 4];
    let mut len = 0;
    for v in vertices {
        if !distinct[..len].contains(&v) {
            distinct[len] = v;
            len += 1;
        }
    }
    let distinct = &distinct[..len];
    match *distinct {
        [v] => Some(Feature::vertex(v)),
        [v, w] => match shape.edge_between(v, w) {
            Some(edge) => Some(Feature::edge(edge)),
            None => shape.face_through(distinct).map(Feature::face),
        },
        _ => shape.face_through(distinct).map(Feature::face),
    }
}

/// Up to three vertices that span a feature.
fn spanning(shape: &ConvexPolyhedron, feature: Feature) -> ([u32; 3], usize) {
    match feature.kind {
        FeatureKind::Vertex => ([feature.index; 3], 1),
        FeatureKind::Edge => {
            let [v, w] = shape.edge_vertices(feature.index);
            ([v, w, w], 2)
        }
        FeatureKind::Face => {
            let face = shape.face_loop(feature.index);
            let n = face.len();
            ([0, n / 3, 2 * n / 3].map(|k| face[k].origin), 3)
        }
    }
}
