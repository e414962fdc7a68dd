//! Leaks of a surface: edges at which its triangles do not close it. Because of them the sum of the
//! ray crossings from a point depends on the direction of the ray.
//!
//! The winding number is the same for every ray if the surface has no boundary: at every edge, as
//! many triangles traverse the edge in one direction as in the other. Its parity is the same for
//! every ray if every edge has an even number of triangles. Vertices are compared by index; if that
//! leaves a boundary, coincident vertices are merged. Time is linear in the number of triangles.

use super::{InsideRule, InsideSettings};
use crate::error::{Argument, Error, Result};
use crate::shape::{Edges, TriMesh, distinct_points, repeats_vertex};
use rayon::prelude::*;
use std::ops::Range;

/// The leaks of a surface: the edges at which the triangles do not cancel under a containment rule.
/// They cancel under the nonzero rule if as many triangles traverse the edge in one direction as in
/// the other, under the parity rule if their number is even.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leaks {
    /// The number of leaking edges that belong to a single triangle.
    pub(crate) boundary: usize,
    /// The number of leaking edges that belong to several triangles. Their triangles do not
    /// traverse the edge equally often in both directions or, under the parity rule, their number
    /// is odd.
    pub(crate) unbalanced: usize,
    /// The first leaking edges, at most [`NAMED`], each as the indices of its two vertices.
    pub(crate) first: Vec<[u32; 2]>,
}

/// The maximum number of leaking edges that an error names.
const NAMED: usize = 4;

impl Leaks {
    /// Finds the leaks of a surface under a containment rule. Coincident vertices count as one.
    pub(crate) fn of(mesh: &TriMesh, rule: InsideRule) -> Self {
        if has_no_leaks(mesh.vertices().len(), mesh.faces(), rule) {
            return Leaks::default();
        }
        let leaks = Self::of_faces(mesh.vertices().len(), mesh.faces(), rule);
        let (distinct, place) = distinct_points(mesh.vertices());
        if distinct.len() == mesh.vertices().len() {
            return leaks;
        }
        // The first of coincident vertices stands for all, so that edges are named by indices of
        // the surface as given.
        let mut first = vec![u32::MAX; distinct.len()];
        for (vertex, &place) in (0u32..).zip(&place) {
            let first = &mut first[place as usize];
            *first = vertex.min(*first);
        }
        let welded = |v: u32| first[place[v as usize] as usize];
        let faces: Vec<[u32; 3]> = mesh.faces().iter().map(|face| face.map(welded)).collect();
        Self::of_faces(mesh.vertices().len(), &faces, rule)
    }

    /// Finds the leaks of a list of faces under a containment rule. Vertices are the same only if
    /// they have the same index.
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

    /// Whether there are no leaks, so that every ray from a point gives the same answer.
    pub(crate) fn is_none(&self) -> bool {
        self.boundary + self.unbalanced == 0
    }
}

/// The maximum number of parallel tasks of the fast check for leaks. It is small, because each task
/// reads all faces.
const THREADS: usize = 8;

/// Whether no edge of a surface leaks, as is usual; faster than [`Leaks::of_faces`].
fn has_no_leaks(vertices: usize, faces: &[[u32; 3]], rule: InsideRule) -> bool {
    if vertices > 1 << 31 {
        return false;
    }
    // Reading faces is cheap compared to sorting them: every thread reads all and takes the
    // edges of its own vertices.
    let threads = rayon::current_num_threads().clamp(1, THREADS);
    let share = vertices.div_ceil(threads).max(1);
    (0..threads).into_par_iter().all(|n| {
        let first = vertices.min(n * share);
        has_no_leaks_among(first..vertices.min(first + share), faces, rule)
    })
}

/// Whether no edge leaks whose vertex of lower index is in the range `vertices`.
///
/// The half-edges are sorted by that vertex. The vertex of higher index and the direction of a
/// half-edge are stored in one number. A vertex has about six half-edges.
fn has_no_leaks_among(vertices: Range<usize>, faces: &[[u32; 3]], rule: InsideRule) -> bool {
    let count = vertices.len();
    let mut places = vec![0u32; count + 1];
    for_each_half_edge(&vertices, faces, |own, _, _| places[own + 1] += 1);
    for v in 0..count {
        places[v + 1] += places[v];
    }
    let mut dealt = vec![0u32; places[count] as usize];
    for_each_half_edge(&vertices, faces, |own, a, b| {
        let place = &mut places[own];
        dealt[*place as usize] = a.max(b) << 1 | u32::from(a < b);
        *place += 1;
    });
    // Each start has moved to the start of the next vertex.
    (0..count).into_par_iter().with_min_len(1 << 12).all(|v| {
        let start = if v == 0 { 0 } else { places[v - 1] };
        is_balanced(&dealt[start as usize..places[v] as usize], rule)
    })
}

/// Calls `visit` with every half-edge from `a` to `b` whose vertex of lower index is in the range
/// `vertices`: first the position of that vertex in the range, then `a` and `b`.
#[inline(always)]
fn for_each_half_edge(
    vertices: &Range<usize>,
    faces: &[[u32; 3]],
    mut visit: impl FnMut(usize, u32, u32),
) {
    for face in faces.iter().filter(|face| !repeats_vertex(face)) {
        for k in 0..3 {
            let (a, b) = (face[k], face[(k + 1) % 3]);
            let own = (a.min(b) as usize).wrapping_sub(vertices.start);
            if own < vertices.len() {
                visit(own, a, b);
            }
        }
    }
}

/// Whether the half-edges `dealt`, whose edges have the same vertex of lower index, cancel, so that
/// none of these edges leaks. An entry is twice the index of the other vertex, plus 1 if the
/// half-edge leads to it.
fn is_balanced(dealt: &[u32], rule: InsideRule) -> bool {
    /// The maximum number of half-edges that are compared pairwise; more are sorted first.
    const FEW: usize = 24;
    let count = |like: u32, mask: u32| dealt.iter().filter(|&&x| x & mask == like).count();
    if dealt.len() <= FEW {
        return dealt.iter().all(|&x| match rule {
            InsideRule::Nonzero => count(x, u32::MAX) == count(x ^ 1, u32::MAX),
            InsideRule::Parity => count(x & !1, !1) % 2 == 0,
        });
    }
    let mut sorted = dealt.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|x, y| x >> 1 == y >> 1)
        .all(|edge| match rule {
            InsideRule::Nonzero => 2 * edge.iter().filter(|&&x| x & 1 == 1).count() == edge.len(),
            InsideRule::Parity => edge.len() % 2 == 0,
        })
}

impl Leaks {
    /// A text with the numbers of leaking edges, for messages.
    pub(crate) fn counts(&self) -> String {
        let edges = |n: usize| if n == 1 { "edge" } else { "edges" };
        let (open, other) = (self.boundary, self.unbalanced);
        let mut kinds = Vec::new();
        if open > 0 {
            kinds.push(format!("{open} boundary {}", edges(open)));
        }
        if other > 0 {
            let edges = edges(other);
            kinds.push(format!("{other} {edges} with triangles that do not match"));
        }
        kinds.join(" and ")
    }
}

/// A text with the number of leaking edges and the first of them.
impl std::fmt::Display for Leaks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let edges: Vec<String> = self.first.iter().map(|[a, b]| format!("{a}-{b}")).collect();
        let more = if self.boundary + self.unbalanced > edges.len() {
            ", ..."
        } else {
            ""
        };
        write!(f, "{} ({}{more})", self.counts(), edges.join(", "))
    }
}

/// The confidence of an exact method for a surface: 1 if it guarantees its answers, 0 if it accepts
/// a surface with leaks because of [`InsideSettings::insist`].
///
/// # Errors
/// When the surface has leaks and `insist` is not set.
pub(crate) fn exact_confidence(mesh: &TriMesh, settings: &InsideSettings) -> Result<f64> {
    let leaks = Leaks::of(mesh, settings.rule);
    if leaks.is_none() {
        return Ok(1.0);
    }
    if settings.insist {
        return Ok(0.0);
    }
    let what = match leaks.boundary {
        0 => Argument::Mesh,
        _ => Argument::OpenMesh,
    };
    Err(Error::argument(
        what,
        leaks,
        "a closed and consistently turned surface, as exact methods need; \
         methods auto, layer and multipole answer for this one by its winding number",
    ))
}

/// Whether the signed crossings along any ray add up to the winding number, given that the surface
/// has no leaks under `rule`. `false` only under the parity rule, if triangles are oriented
/// inconsistently.
pub(crate) fn crossings_wind(mesh: &TriMesh, rule: InsideRule) -> bool {
    rule == InsideRule::Nonzero || Leaks::of(mesh, InsideRule::Nonzero).is_none()
}

/// Bound on the error of winding numbers off the surface by an exact method: 0 if its confidence is
/// positive, infinite if it is 0, as for a surface with leaks.
pub(crate) fn exact_bound(confidence: f64) -> f64 {
    if confidence > 0.0 { 0.0 } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// The fast check agrees with counting every edge.
    #[test]
    fn what_is_tight_has_no_leaks() {
        let check = |vertices: usize, faces: &[[u32; 3]]| {
            for rule in InsideRule::ALL {
                let expected = Leaks::of_faces(vertices, faces, rule).is_none();
                assert_eq!(has_no_leaks(vertices, faces, rule), expected, "{faces:?}");
                // However vertices are divided among threads.
                for share in [1, 2, 7] {
                    let found = (0..vertices).step_by(share).all(|first| {
                        has_no_leaks_among(first..vertices.min(first + share), faces, rule)
                    });
                    assert_eq!(found, expected, "{share}: {faces:?}");
                }
            }
        };
        let sphere = generate::sphere(1).unwrap();
        let (count, faces) = (sphere.vertices().len(), sphere.faces());
        check(count, faces);
        check(count, &faces[1..]);
        check(count, &[faces, faces].concat());
        check(count, &[faces, &[[0, 0, 1], [2, 1, 2]]].concat());
        let mut turned = faces.to_vec();
        turned[3].swap(0, 1);
        check(count, &turned);
        turned.extend_from_slice(faces);
        check(count, &turned);
        // A fan of many triangles around one vertex, closed below and not.
        let n = 40;
        let rim = |i: u32| 2 + i % n;
        let mut fan: Vec<[u32; 3]> = (0..n).map(|i| [0, rim(i), rim(i + 1)]).collect();
        check(42, &fan);
        fan.extend((0..n).map(|i| [1, rim(i + 1), rim(i)]));
        check(42, &fan);
        fan[7].swap(0, 2);
        check(42, &fan);
        check(3, &[]);
        // Three triangles at an edge, four, and a pair that cancels.
        check(5, &[[0, 1, 2], [0, 1, 3], [1, 0, 4]]);
        check(3, &[[0, 1, 2], [0, 2, 1]]);
        check(3, &[[0, 1, 2], [0, 1, 2]]);
    }
}
