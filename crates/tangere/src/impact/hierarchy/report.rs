//! Quality report of a hierarchy: number of nodes, depths of leaves and total volumes.

use super::{Hierarchy, Node};
use std::f64::consts::PI;
use std::fmt;

/// Number of nodes, depths of leaves and total volumes of a hierarchy (`aragon2013`, 3.2).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HierarchyReport {
    /// The number of nodes of the hierarchy, including leaves.
    pub nodes: usize,
    /// The number of leaves of the hierarchy, which is the number of items.
    pub leaves: usize,
    /// The least depth of a leaf of the hierarchy; the root has depth 0.
    pub height_min: usize,
    /// The mean depth of the leaves of the hierarchy.
    pub height_mean: f64,
    /// The largest depth of a leaf of the hierarchy.
    pub height_max: usize,
    /// The total volume of the balls of all nodes, including leaves.
    pub ball_volume: f64,
    /// The total volume of the boxes of all nodes, including leaves.
    pub box_volume: f64,
    /// The radius of the bounding sphere of the root of the hierarchy.
    pub radius: f64,
}

/// Writes the report as a table, with a line for the name and value of each field.
impl fmt::Display for HierarchyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Destructured, so that a new field cannot be forgotten here.
        let Self {
            nodes,
            leaves,
            height_min,
            height_mean,
            height_max,
            ball_volume,
            box_volume,
            radius,
        } = self;
        let mut line = |name: &str, value: &dyn fmt::Display| writeln!(f, "{name:<13}{value}");
        line("nodes", nodes)?;
        line("leaves", leaves)?;
        line("height_min", height_min)?;
        line("height_mean", height_mean)?;
        line("height_max", height_max)?;
        line("ball_volume", ball_volume)?;
        line("box_volume", box_volume)?;
        write!(f, "{:<13}{radius}", "radius")
    }
}

impl Hierarchy {
    /// The quality report of the hierarchy; its cost is linear in the number of nodes.
    pub fn report(&self) -> HierarchyReport {
        let nodes = self.nodes();
        let mut depths = vec![0; nodes.len()];
        let (mut least, mut most, mut sum, mut leaves) = (usize::MAX, 0, 0.0, 0);
        for (i, node) in nodes.iter().enumerate() {
            for child in node.children() {
                depths[child] = depths[i] + 1;
            }
            if node.is_leaf() {
                least = least.min(depths[i]);
                most = most.max(depths[i]);
                sum += depths[i] as f64;
                leaves += 1;
            }
        }
        let total = |volume: fn(&Node) -> f64| nodes.iter().map(volume).sum();
        HierarchyReport {
            nodes: nodes.len(),
            leaves,
            height_min: least,
            height_mean: sum / leaves as f64,
            height_max: most,
            ball_volume: total(|node| 4.0 / 3.0 * PI * node.ball.radius.powi(3)),
            box_volume: total(|node| node.bounds.extent().iter().product()),
            radius: nodes[0].ball.radius,
        }
    }
}
