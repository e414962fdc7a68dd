//! Half-edge construction of a convex polyhedron: from loops of vertices to linked features with
//! canonical indices.
//!
//! Cost: linear, plus sorting faces by their first two vertices. Twins are found by counting
//! half-edges into buckets by the lower vertex of their edge.

use rayon::prelude::*;

use super::coordinate_range::Scaled;
use super::extent::Extent;
use super::face_planes::planes;
use super::hull::NONE;
use super::merge_coplanar::Loops;
use super::support::SupportData;
use super::{ConvexPolyhedron, HalfEdge};
use crate::geometry::Aabb;

/// Constructs the convex polyhedron, with linked half-edges, whose faces have these loops of input
/// points. A segment or a point has one loop, of its vertices.
pub(super) fn polyhedron(
    points: &[[f64; 3]],
    scaled: &Scaled<'_>,
    dimension: u32,
    loops: &Loops,
) -> ConvexPolyhedron {
    let (sources, loops) = renumbered(points.len(), loops);
    let corners =
        |of: &[[f64; 3]]| -> Vec<[f64; 3]> { sources.iter().map(|&s| of[s as usize]).collect() };
    let (vertices, exact) = (corners(points), corners(&scaled.points));
    let (half_edges, face_starts) = match dimension {
        0 => (Vec::new(), vec![0]),
        1 => (segment(), vec![0]),
        _ => linked(vertices.len(), &canonical(&loops)),
    };
    let edges = (0..half_edges.len() as u32)
        .filter(|&h| h < half_edges[h as usize].twin)
        .collect();
    let (vertex_starts, outgoing) = rows(vertices.len(), &half_edges);
    let neighbours = outgoing
        .iter()
        .map(|&h| half_edges[half_edges[h as usize].twin as usize].origin)
        .collect();
    let extent = Extent::new(&exact);
    let planes = planes(&exact, &half_edges, &face_starts, scaled, extent.size);
    let mut shape = ConvexPolyhedron {
        bounds: Aabb::of_points(vertices.iter().copied()),
        center: extent.center.map(|x| scaled.given(x)),
        radius: scaled.given(extent.radius),
        size: scaled.given(extent.size),
        vertices,
        sources,
        half_edges,
        face_starts,
        planes,
        edges,
        vertex_starts,
        outgoing,
        neighbours,
        dimension,
        support_data: SupportData::default(),
    };
    shape.support_data = SupportData::of(&shape);
    shape
}

/// Drops the points that the loops of the half-edge construction do not use. Returns the indices of
/// the used points, ascending, and the loops with vertices renumbered to these.
fn renumbered(count: usize, loops: &Loops) -> (Vec<u32>, Loops) {
    let mut numbers = vec![NONE; count];
    for &v in &loops.vertices {
        numbers[v as usize] = 0;
    }
    let used = |v: &u32| numbers[*v as usize] != NONE;
    let sources: Vec<u32> = (0..count as u32).filter(used).collect();
    for (number, &v) in sources.iter().enumerate() {
        numbers[v as usize] = number as u32;
    }
    let renumbered = |&v: &u32| numbers[v as usize];
    let loops = Loops {
        starts: loops.starts.clone(),
        vertices: loops.vertices.iter().map(renumbered).collect(),
    };
    (sources, loops)
}

/// Returns the loops from which half-edges are constructed in canonical order: each rotated to
/// begin at its lowest vertex, sorted by their first two vertices. No two loops begin with the same
/// two vertices, because each direction of an edge belongs to one loop.
pub(super) fn canonical(loops: &Loops) -> Loops {
    let mut order: Vec<(u32, u32, u32, u32)> = (0..loops.len())
        .map(|i| {
            let vertices = loops.get(i);
            let lowest = vertices.iter().zip(0u32..).min();
            let (first, at) = lowest.map_or((NONE, 0), |(&v, at)| (v, at));
            let second = vertices.get((at as usize + 1) % vertices.len().max(1));
            (first, second.copied().unwrap_or(NONE), at, i as u32)
        })
        .collect();
    order.par_sort_unstable();
    let mut sorted = Loops {
        starts: Vec::with_capacity(loops.starts.len()),
        vertices: Vec::with_capacity(loops.vertices.len()),
    };
    sorted.starts.push(0);
    for (_, _, at, i) in order {
        let (end, start) = loops.get(i as usize).split_at(at as usize);
        sorted.vertices.extend_from_slice(start);
        sorted.vertices.extend_from_slice(end);
        sorted.starts.push(sorted.vertices.len() as u32);
    }
    sorted
}

/// Constructs the two half-edges of a polyhedron that is a segment.
fn segment() -> Vec<HalfEdge> {
    let half_edge = |origin: u32| HalfEdge {
        origin,
        twin: 1 - origin,
        next: 1 - origin,
        prev: 1 - origin,
        face: ConvexPolyhedron::NO_FACE,
        edge: 0,
    };
    vec![half_edge(0), half_edge(1)]
}

/// Constructs the half-edges of closed loops, linked to each other; returns them and the index of
/// the first half-edge of each loop.
fn linked(vertex_count: usize, loops: &Loops) -> (Vec<HalfEdge>, Vec<u32>) {
    let mut half_edges = Vec::with_capacity(loops.vertices.len());
    for f in 0..loops.len() {
        let (start, end) = (loops.starts[f], loops.starts[f + 1]);
        for h in start..end {
            half_edges.push(HalfEdge {
                origin: loops.vertices[h as usize],
                twin: NONE,
                next: if h + 1 == end { start } else { h + 1 },
                prev: if h == start { end - 1 } else { h - 1 },
                face: f as u32,
                edge: NONE,
            });
        }
    }
    let ends = |half_edges: &[HalfEdge], h: usize| {
        let half_edge = half_edges[h];
        let (a, b) = (half_edge.origin, half_edges[half_edge.next as usize].origin);
        (a.min(b), a.max(b))
    };
    let mut starts = vec![0u32; vertex_count + 1];
    for h in 0..half_edges.len() {
        starts[ends(&half_edges, h).0 as usize + 1] += 1;
    }
    for v in 0..vertex_count {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut buckets = vec![0u64; half_edges.len()];
    for h in 0..half_edges.len() {
        let (low, high) = ends(&half_edges, h);
        let place = &mut next[low as usize];
        buckets[*place as usize] = u64::from(high) << 32 | h as u64;
        *place += 1;
    }
    for v in 0..vertex_count {
        buckets[starts[v] as usize..starts[v + 1] as usize].sort_unstable();
    }
    // Every edge has two half-edges, which are now adjacent.
    for pair in buckets.chunks_exact(2) {
        let (x, y) = (pair[0] as u32, pair[1] as u32);
        half_edges[x as usize].twin = y;
        half_edges[y as usize].twin = x;
    }
    let mut edge = 0;
    for h in 0..half_edges.len() {
        let twin = half_edges[h].twin as usize;
        if h < twin {
            half_edges[h].edge = edge;
            half_edges[twin].edge = edge;
            edge += 1;
        }
    }
    (half_edges, loops.starts.clone())
}

/// Constructs the rows of half-edges that begin at each vertex, counterclockwise from the one of
/// lowest index. Returns the offset of each row, and all rows in one array.
fn rows(vertex_count: usize, half_edges: &[HalfEdge]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; vertex_count + 1];
    let mut first = vec![NONE; vertex_count];
    for (h, half_edge) in (0u32..).zip(half_edges) {
        starts[half_edge.origin as usize + 1] += 1;
        let first = &mut first[half_edge.origin as usize];
        *first = h.min(*first);
    }
    let mut outgoing = Vec::with_capacity(half_edges.len());
    for v in 0..vertex_count {
        let degree = starts[v + 1];
        starts[v + 1] += starts[v];
        let mut h = first[v];
        for _ in 0..degree {
            outgoing.push(h);
            // The face on the left of `h` is also on the right of the next half-edge.
            let before = half_edges[h as usize].prev;
            h = half_edges[before as usize].twin;
        }
    }
    (starts, outgoing)
}
