//! Exact winding number of points so close to the surface that rounding matters, by the crossings
//! of an axis-parallel ray. Only clusters that the ray meets are visited.

use super::clusters::Clusters;
use crate::inside::exact::{Column, Crossing, column_crossing};

/// The exact winding number of the point `p`, which is in the mesh's coordinates, by a ray through
/// the clusters. `None` if the point lies on the surface. `open` is scratch memory.
pub(super) fn exact_winding(clusters: &Clusters, p: [f64; 3], open: &mut Vec<u32>) -> Option<i64> {
    let at = p.map(|x| x * clusters.unit);
    let mut winding = 0;
    open.clear();
    open.push(0);
    while let Some(c) = open.pop() {
        let node = &clusters.nodes[c as usize];
        let beside = (0..2).any(|k| at[k] < node.low[k] || at[k] > node.high[k]);
        if beside || at[2] > node.high[2] {
            continue;
        }
        if !node.is_leaf() {
            open.extend(node.children().map(|c| c as u32));
            continue;
        }
        for face in node.faces() {
            match column_crossing(p, clusters.triangle(c as usize, face), Column::up(2)) {
                Crossing::Misses | Crossing::Degenerate => {}
                Crossing::Through(sign) => winding += i64::from(sign),
                Crossing::StartsOn(_) => return None,
            }
        }
    }
    Some(winding)
}
