//! Simplex features: the features of two bodies that a simplex of their Minkowski difference spans,
//! and a simplex that spans given features.

use super::relative_frame::RelativeFrame;
use super::simplex::Simplex;
use crate::contact::{Feature, FeatureKind};
use crate::shape::ConvexPolyhedron;

impl RelativeFrame<'_> {
    /// The features that a simplex spans: for each body the smallest feature that contains the
    /// vertices of this body in `pairs`. `None` if the vertices of a body have no common face.
    pub fn features_of(&self, pairs: &[[u32; 2]]) -> Option<[Feature; 2]> {
        Some([
            feature_of(self.a, pairs.iter().map(|p| p[0]))?,
            feature_of(self.b, pairs.iter().map(|p| p[1]))?,
        ])
    }

    /// A simplex of up to four vertices of the Minkowski difference that spans two features, or a
    /// part of them.
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
}

/// The smallest feature of a body that contains all these vertices of a simplex; `None` if they
/// have no common face.
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

/// Up to three vertices of a feature, with which a simplex that spans the feature is built, and
/// their number.
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
