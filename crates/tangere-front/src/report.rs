//! Reports on surfaces and on their bounding volume hierarchies (BVH).

use crate::answer::{Column, Get, Outputs, count, float, object, value};
use crate::answers::report::{DEFECT, MESH_REPORT};
use crate::text;
use serde_json::Value;
use tangere::shape::MeshReport;
use tangere::tree::Tree;

/// Report on a bounding volume hierarchy (BVH): its size, its query cost and its build time.
pub struct TreeReport {
    /// The number of nodes of the BVH.
    pub nodes: usize,
    /// The number of levels of nodes of the BVH.
    pub height: usize,
    /// The expected number of nodes of the BVH that a query with a small box visits.
    pub cost: f64,
    /// The seconds that building the BVH took.
    pub seconds: f64,
}

impl TreeReport {
    /// Returns the report of a BVH that took the given seconds to build.
    pub fn new(tree: &Tree<3>, seconds: f64) -> Self {
        Self {
            nodes: tree.nodes(),
            height: tree.height(),
            cost: tree.cost(),
            seconds,
        }
    }
}

/// The output columns of a [`TreeReport`], the report on a BVH.
pub const TREE: &[Column<TreeReport>] = &[
    count("nodes", |t: &TreeReport| t.nodes as u64).doc("Nodes."),
    count("height", |t: &TreeReport| t.height as u64).doc("Levels of nodes."),
    float("cost", |t: &TreeReport| t.cost).doc("Expected number of nodes that a small box visits."),
    float("seconds", |t: &TreeReport| t.seconds)
        .doc("Seconds to build it.")
        .not(Outputs::TEXT),
    value("time", "text", |t: &TreeReport| {
        text::seconds(t.seconds).into()
    })
    .only(Outputs::TEXT),
];

/// Returns the columns of the report on a triangle mesh. The column of self-intersections is left
/// out if they were not searched.
pub fn mesh_columns(report: &MeshReport) -> Vec<Column<MeshReport>> {
    let is_known = |column: &&Column<MeshReport>| {
        report.self_intersections.is_some() || column.name != "self_intersections"
    };
    MESH_REPORT.iter().filter(is_known).copied().collect()
}

/// Returns the report on a triangle mesh as a JSON object. Its names do not change between
/// versions.
pub fn report_json(report: &MeshReport) -> Value {
    object(&mesh_columns(report), report)
}

/// Returns for each kind of defect that the surface has its name and the number of such defects;
/// empty if the surface has none.
pub fn problems(report: &MeshReport) -> Vec<(&'static str, u64)> {
    let columns = MESH_REPORT.iter();
    let defects = columns.filter(|column| column.outputs == DEFECT);
    let counted = defects.filter_map(|column| match column.get {
        Get::Count(get) => Some((column.label_text(), get(report))),
        Get::Value(_, get) => Some((column.label_text(), get(report).as_u64()?)),
        _ => None,
    });
    counted.filter(|(_, count)| *count > 0).collect()
}
