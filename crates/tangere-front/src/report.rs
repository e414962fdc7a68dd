//! Reports on surfaces and on their trees: as JSON, and what is wrong in words.

use crate::answer::{Get, object};
use crate::answers::report::{DEFECTS, MESH_REPORT};
use crate::text;
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

    /// For people, as two columns.
    pub fn text(&self) -> String {
        text::two_columns(&[
            ("nodes", text::count(self.nodes as u64)),
            ("height", text::count(self.height as u64)),
            ("cost", text::number(self.cost)),
            ("time", text::seconds(self.seconds)),
        ])
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

/// A report as an object; names are a contract.
pub fn report_json(report: &MeshReport) -> Value {
    let mut object = object(MESH_REPORT, report);
    if let (None, Value::Object(members)) = (report.self_intersections, &mut object) {
        members.retain(|name, _| name != "self_intersections");
    }
    object
}

/// What is wrong, with how often; nothing for a sound surface.
pub fn problems(report: &MeshReport) -> Vec<(&'static str, u64)> {
    let columns = MESH_REPORT.iter();
    let defects = columns.filter(|column| DEFECTS.contains(&column.name));
    let counted = defects.filter_map(|column| match column.get {
        Get::Count(get) => Some((column.label_text(), get(report))),
        Get::Value(_, get) => Some((column.label_text(), get(report).as_u64()?)),
        _ => None,
    });
    counted.filter(|(_, count)| *count > 0).collect()
}
