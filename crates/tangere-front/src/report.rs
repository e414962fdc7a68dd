//! Reports on surfaces and on their trees: as JSON, and what is wrong in words.

use serde_json::{Value, json};
use tangere::shape::MeshReport;
use tangere::tree::Tree;

/// What is worth knowing about a tree.
pub struct TreeReport {
    /// The number of nodes.
    pub nodes: usize,
    /// The levels of nodes.
    pub height: usize,
    /// The expected number of nodes that a small box visits.
    pub cost: f64,
    /// Seconds to build it.
    pub seconds: f64,
}

impl TreeReport {
    /// Of a tree that took so long to build.
    pub fn new(tree: &Tree<3>, seconds: f64) -> Self {
        Self {
            nodes: tree.nodes(),
            height: tree.height(),
            cost: tree.cost(),
            seconds,
        }
    }

    /// As an object; names and order are a contract.
    pub fn json(&self) -> Value {
        json!({
            "nodes": self.nodes,
            "height": self.height,
            "cost": self.cost,
            "seconds": self.seconds,
        })
    }
}

/// Adds the members of an object to another.
pub fn extend(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(members)) = (object, members) {
        object.extend(members);
    }
}

/// A report as an object; names and order are a contract.
pub fn report_json(report: &MeshReport) -> Value {
    let mut object = json!({
        "vertices": report.vertices,
        "triangles": report.triangles,
        "closed": report.closed,
        "oriented": report.oriented,
        "manifold": report.manifold,
        "components": report.components,
        "genus": report.genus,
        "boundary_edges": report.boundary_edges,
        "nonmanifold_edges": report.nonmanifold_edges,
        "nonmanifold_vertices": report.nonmanifold_vertices,
        "unused_vertices": report.unused_vertices,
        "degenerate_triangles": report.degenerate_triangles,
        "duplicate_triangles": report.duplicate_triangles,
        "volume": report.volume,
        "area": report.area,
        "bounds": { "min": report.bounds.min, "max": report.bounds.max },
        "edges": report.edges,
        "euler_characteristic": report.euler_characteristic,
        "misoriented_edges": report.misoriented_edges,
        "shells": report.shells,
        "inverted_shells": report.inverted_shells,
    });
    if let Some(pairs) = report.self_intersections {
        extend(&mut object, json!({ "self_intersections": pairs }));
    }
    object
}

/// What is wrong, with how often; nothing for a sound surface.
pub fn problems(report: &MeshReport) -> Vec<(&'static str, usize)> {
    [
        ("boundary edges", report.boundary_edges),
        ("non-manifold edges", report.nonmanifold_edges),
        ("misoriented edges", report.misoriented_edges),
        ("non-manifold vertices", report.nonmanifold_vertices),
        ("unused vertices", report.unused_vertices),
        ("degenerate triangles", report.degenerate_triangles),
        ("duplicate triangles", report.duplicate_triangles),
        ("inverted shells", report.inverted_shells),
        ("self-intersections", report.self_intersections.unwrap_or(0)),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .collect()
}
