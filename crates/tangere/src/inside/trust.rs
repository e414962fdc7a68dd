//! Whether a surface is one for which crossings of a ray mean anything.
//!
//! A winding number is the same for every ray if the surface has no boundary:
//! at every edge as many triangles run one way as the other. Its parity is, if
//! every edge has an even number of triangles. Vertices are those of the
//! indices; only where these leave a boundary, vertices at the same place count
//! as one. Time is linear in the number of triangles.

use super::{InsideRule, InsideSettings};
use crate::error::{Error, Result};
use crate::shape::{Edges, TriMesh, distinct_points};

/// What is wrong with a surface for one rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leaks {
    /// Edges of one triangle.
    pub(crate) boundary: usize,
    /// Other edges that do not balance.
    pub(crate) unbalanced: usize,
    /// The first edges that leak, as vertices.
    pub(crate) first: Vec<[u32; 2]>,
}

/// How many edges an error names.
const NAMED: usize = 4;

impl Leaks {
    /// Those of a surface.
    pub(crate) fn of(mesh: &TriMesh, rule: InsideRule) -> Self {
        let leaks = Self::of_faces(mesh.vertices().len(), mesh.faces(), rule);
        if leaks.is_none() {
            return leaks;
        }
        let (distinct, place) = distinct_points(mesh.vertices());
        if distinct.len() == mesh.vertices().len() {
            return leaks;
        }
        // Of the vertices at one place the first stands for all, so that edges
        // are named by numbers of the surface as given.
        let mut first = vec![u32::MAX; distinct.len()];
        for (vertex, &place) in (0u32..).zip(&place) {
            let first = &mut first[place as usize];
            *first = vertex.min(*first);
        }
        let welded = |v: u32| first[place[v as usize] as usize];
        let faces: Vec<[u32; 3]> = mesh.faces().iter().map(|face| face.map(welded)).collect();
        Self::of_faces(mesh.vertices().len(), &faces, rule)
    }

    fn of_faces(vertices: usize, faces: &[[u32; 3]], rule: InsideRule) -> Self {
        let mut leaks = Leaks::default();
        Edges::new(vertices, faces).for_each(|a, b, around| {
            let balanced = match rule {
                InsideRule::Parity => around.len() % 2 == 0,
                InsideRule::Nonzero => {
                    let forward = |&h: &u32| faces[h as usize / 3][h as usize % 3] == a;
                    2 * around.iter().filter(|h| forward(h)).count() == around.len()
                }
            };
            if balanced {
                return;
            }
            match around.len() {
                1 => leaks.boundary += 1,
                _ => leaks.unbalanced += 1,
            }
            if leaks.first.len() < NAMED {
                leaks.first.push([a, b]);
            }
        });
        leaks
    }

    /// Whether there are none: every ray gives the same answer.
    pub(crate) fn is_none(&self) -> bool {
        self.boundary + self.unbalanced == 0
    }
}

/// What is found, in words: how many edges and which come first.
impl std::fmt::Display for Leaks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut kinds = Vec::new();
        if self.boundary > 0 {
            kinds.push(format!("{} boundary edges", self.boundary));
        }
        if self.unbalanced > 0 {
            kinds.push(format!(
                "{} edges with triangles that do not match",
                self.unbalanced
            ));
        }
        let edges: Vec<String> = self.first.iter().map(|[a, b]| format!("{a}-{b}")).collect();
        let more = if self.boundary + self.unbalanced > edges.len() {
            ", ..."
        } else {
            ""
        };
        write!(f, "{} ({}{more})", kinds.join(" and "), edges.join(", "))
    }
}

/// Whether an exact method may promise its answers: 1 if so, 0 if it goes on
/// because it was told to.
///
/// # Errors
/// When it may not.
pub(crate) fn exact_confidence(mesh: &TriMesh, settings: &InsideSettings) -> Result<f64> {
    let leaks = Leaks::of(mesh, settings.rule);
    if leaks.is_none() {
        return Ok(1.0);
    }
    if settings.insist {
        return Ok(0.0);
    }
    Err(Error::argument(
        "mesh",
        leaks,
        "a closed and consistently turned surface, as exact methods need; \
         methods auto, layer and multipole answer for this one by its winding number",
    ))
}
