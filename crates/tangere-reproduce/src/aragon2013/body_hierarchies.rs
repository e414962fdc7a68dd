//! A body and its bounding volume hierarchies: spheres or boxes, top-down or bottom-up, 2 to 16
//! children per node.

use crate::Effort;
use crate::finding::{Cell, Data, word};
use crate::timing::cpu_seconds;
use std::f64::consts::PI;
use tangere::impact::hierarchy::{
    Construction, Hierarchy, HierarchyReport, HierarchySettings, Node, Volume,
};
use tangere::shape::TriMesh;

/// The numbers of children per node with which hierarchies are built.
pub const BRANCHING: [usize; 4] = [2, 4, 8, 16];

/// A body with a bounding volume hierarchy for each combination of construction (top-down or
/// bottom-up), bounding volume (sphere or box) and number of children per node.
pub struct Subject {
    pub name: &'static str,
    pub mesh: TriMesh,
    pub made: Vec<BuiltHierarchy>,
}

/// A bounding volume hierarchy, the settings with which it was built, and the CPU seconds that this
/// took.
pub struct BuiltHierarchy {
    pub settings: HierarchySettings,
    pub hierarchy: Hierarchy,
    pub report: HierarchyReport,
    seconds: f64,
}

impl Subject {
    /// Builds all hierarchies.
    pub fn new(name: &'static str, mesh: TriMesh, effort: &Effort) -> tangere::Result<Self> {
        let mut made = Vec::new();
        for construction in Construction::ALL {
            for volume in Volume::ALL {
                // Online insertion is slow, and its trees are compared as they are.
                let is_online = construction == Construction::Online;
                for branching in &BRANCHING[..if is_online { 1 } else { BRANCHING.len() }] {
                    let branching = *branching;
                    let settings = HierarchySettings {
                        construction,
                        volume,
                        branching,
                    };
                    made.push(BuiltHierarchy::new(
                        &mesh,
                        settings,
                        if effort.is_quick() || is_online { 1 } else { 3 },
                    )?);
                }
            }
        }
        Ok(Self { name, mesh, made })
    }

    /// Returns the hierarchies of one construction and one kind of bounding volume, by increasing
    /// branching factor: the binary one first.
    pub fn by(
        &self,
        construction: Construction,
        volume: Volume,
    ) -> impl Iterator<Item = &BuiltHierarchy> {
        self.made
            .iter()
            .filter(move |m| (m.settings.construction, m.settings.volume) == (construction, volume))
    }

    /// Returns the binary hierarchy of one construction and one kind of bounding volume.
    pub fn binary(&self, construction: Construction, volume: Volume) -> &BuiltHierarchy {
        // All combinations were built, those with two children first.
        self.by(construction, volume)
            .next()
            .unwrap_or(&self.made[0])
    }

    /// Returns the binary hierarchy of one kind of bounding volume, built bottom-up.
    pub fn bottom_up(&self, volume: Volume) -> &BuiltHierarchy {
        self.binary(Construction::BottomUp, volume)
    }

    /// Returns the height of a balanced tree over the faces of the body, with `branching` children
    /// per node.
    pub fn balanced(&self, branching: usize) -> f64 {
        let count = self.mesh.faces().len() as f64;
        // Rounding must not increase an exact power.
        (count.ln() / (branching as f64).ln() - 1e-9).ceil()
    }
}

impl BuiltHierarchy {
    fn new(mesh: &TriMesh, settings: HierarchySettings, turns: usize) -> tangere::Result<Self> {
        let start = cpu_seconds();
        let mut hierarchy = Hierarchy::of_mesh(mesh, &settings)?;
        let mut seconds = cpu_seconds() - start;
        for _ in 1..turns {
            let start = cpu_seconds();
            hierarchy = Hierarchy::of_mesh(mesh, &settings)?;
            seconds = seconds.min(cpu_seconds() - start);
        }
        Ok(Self {
            settings,
            report: hierarchy.report(),
            hierarchy,
            seconds,
        })
    }

    /// Returns minimum, mean and maximum of the depths of leaves.
    pub fn heights(&self) -> [f64; 3] {
        let report = &self.report;
        [
            report.height_min as f64,
            report.height_mean,
            report.height_max as f64,
        ]
    }

    fn row(&self, subject: &Subject) -> Vec<Cell> {
        let [least, mean, most] = self.heights();
        vec![
            word(subject.name),
            word(self.settings.construction.name()),
            word(self.settings.volume.name()),
            Cell::Count(self.settings.branching),
            Cell::Count(subject.balanced(self.settings.branching) as usize),
            Cell::Count(least as usize),
            Cell::Number(mean),
            Cell::Count(most as usize),
            Cell::Number(self.report.ball_volume),
            Cell::Number(self.report.box_volume),
            Cell::Seconds(self.seconds),
        ]
    }
}

/// Returns a table with a row for each hierarchy: its body and settings, the depths of its leaves,
/// the volumes of its nodes, and the time to build it.
pub fn data<'a>(rows: impl Iterator<Item = (&'a Subject, &'a BuiltHierarchy)>) -> Data {
    Data {
        head: vec![
            "body",
            "construction",
            "volume",
            "children",
            "balanced height",
            "least height",
            "mean",
            "largest",
            "balls m^3",
            "boxes m^3",
            "time",
        ],
        rows: rows.map(|(subject, made)| made.row(subject)).collect(),
    }
}

/// Returns the total volume of the bounding spheres of nodes.
pub fn ball_volume<'a>(nodes: impl Iterator<Item = &'a Node>) -> f64 {
    nodes.map(|n| 4.0 / 3.0 * PI * n.ball.radius.powi(3)).sum()
}
