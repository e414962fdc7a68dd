//! Check of a surface by code that is independent of the library: genus, volume, intersections,
//! hash.

use std::collections::HashMap;

use robust::{Coord, Coord3D, orient2d, orient3d};
use tangere::shape::TriMesh;

type Point = [f64; 3];

/// Checks that a mesh is closed, oriented, manifold in edges and vertices,
/// connected, of positive volume, without degenerate or duplicate triangles,
/// unused or repeated vertices, and representable in `f32`. Returns its genus.
pub fn genus(mesh: &TriMesh) -> usize {
    let (vertices, faces) = (mesh.vertices(), mesh.faces());
    for p in vertices {
        for &x in p {
            assert_eq!(f64::from(x as f32), x, "not representable in f32");
            assert_ne!(x.to_bits(), (-0.0f64).to_bits(), "a negative zero");
        }
    }
    let distinct: std::collections::HashSet<_> = vertices
        .iter()
        .map(|p| p.map(|x| (x + 0.0).to_bits()))
        .collect();
    assert_eq!(distinct.len(), vertices.len(), "repeated vertices");
    for face in 0..faces.len() {
        let t = mesh.triangle(face);
        assert!(
            (0..3).any(|axis| orientation_2d(axis, t[0], t[1], t[2]) != 0.0),
            "triangle {face} has no area"
        );
    }

    // Each directed edge once, and once in the other direction.
    let mut edges: HashMap<(u32, u32), u32> = HashMap::with_capacity(3 * faces.len());
    for f in faces {
        for k in 0..3 {
            let old = edges.insert((f[k], f[(k + 1) % 3]), f[(k + 2) % 3]);
            assert!(old.is_none(), "edge used twice in one direction");
        }
    }
    assert!(edges.keys().all(|&(a, b)| edges.contains_key(&(b, a))));

    // A walk around each vertex visits all its triangles: the surface is manifold there.
    let mut valence = vec![0u32; vertices.len()];
    let mut first = vec![u32::MAX; vertices.len()];
    for f in faces {
        for k in 0..3 {
            valence[f[k] as usize] += 1;
            first[f[k] as usize] = f[(k + 1) % 3];
        }
    }
    for (v, &start) in first.iter().enumerate() {
        assert_ne!(start, u32::MAX, "vertex {v} is not used");
        let (mut at, mut steps) = (start, 0);
        loop {
            at = edges[&(v as u32, at)];
            steps += 1;
            if at == start {
                break;
            }
        }
        assert_eq!(steps, valence[v], "vertex {v} is not manifold");
    }

    // Connected: everything is reached from the first vertex.
    let mut neighbours = vec![Vec::new(); vertices.len()];
    for &(a, b) in edges.keys() {
        neighbours[a as usize].push(b);
    }
    let mut seen = vec![false; vertices.len()];
    let mut stack = vec![0u32];
    while let Some(v) = stack.pop() {
        if !std::mem::replace(&mut seen[v as usize], true) {
            stack.extend(&neighbours[v as usize]);
        }
    }
    assert!(seen.iter().all(|&s| s), "not connected");

    assert!(volume(mesh) > 0.0, "inside out");
    let euler = vertices.len() as i64 - (edges.len() / 2) as i64 + faces.len() as i64;
    assert!(euler <= 2 && euler % 2 == 0);
    ((2 - euler) / 2) as usize
}

/// The volume that a closed mesh encloses.
pub fn volume(mesh: &TriMesh) -> f64 {
    (0..mesh.faces().len())
        .map(|face| {
            let [a, b, c] = mesh.triangle(face);
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum::<f64>()
        / 6.0
}

/// All pairs of triangles of a mesh that have a point in common other than a
/// shared corner or edge.
pub fn self_intersections(mesh: &TriMesh) -> usize {
    let triangles: Vec<_> = (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect();
    candidates(&triangles, &triangles)
        .filter(|&(i, j)| i < j)
        .filter(|&(i, j)| meet(&triangles[i], &triangles[j]))
        .count()
}

/// The intersecting pairs of triangles of two meshes.
pub fn intersections(a: &TriMesh, b: &TriMesh) -> usize {
    let a: Vec<_> = (0..a.faces().len()).map(|f| a.triangle(f)).collect();
    let b: Vec<_> = (0..b.faces().len()).map(|f| b.triangle(f)).collect();
    candidates(&a, &b)
        .filter(|&(i, j)| meet(&a[i], &b[j]))
        .count()
}

/// Pairs whose boxes overlap, by a sweep along the first axis.
fn candidates<'a>(
    a: &'a [[Point; 3]],
    b: &'a [[Point; 3]],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let bounds = |t: &[Point; 3], axis: usize| {
        let x = t.map(|p| p[axis]);
        (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]))
    };
    let mut order: Vec<_> = (0..b.len()).collect();
    order.sort_by(|&i, &j| bounds(&b[i], 0).0.total_cmp(&bounds(&b[j], 0).0));
    let widest = b
        .iter()
        .map(|t| bounds(t, 0).1 - bounds(t, 0).0)
        .fold(0.0, f64::max);
    (0..a.len()).flat_map(move |i| {
        let (lo, hi) = bounds(&a[i], 0);
        let from = order.partition_point(|&j| bounds(&b[j], 0).0 < lo - widest * 1.001);
        order[from..]
            .iter()
            .copied()
            .take_while(|&j| bounds(&b[j], 0).0 <= hi)
            .filter(|&j| {
                (0..3).all(|axis| {
                    let (p, q) = (bounds(&a[i], axis), bounds(&b[j], axis));
                    p.0 <= q.1 && q.0 <= p.1
                })
            })
            .map(|j| (i, j))
            .collect::<Vec<_>>()
    })
}

/// Whether two triangles have a point in common other than shared corners and edges.
fn meet(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let shared: Vec<(usize, usize)> = (0..9)
        .map(|k| (k / 3, k % 3))
        .filter(|&(i, j)| a[i] == b[j])
        .collect();
    let edge = |t: &[Point; 3], opposite: usize| [t[(opposite + 1) % 3], t[(opposite + 2) % 3]];
    match shared[..] {
        [] => (0..3).any(|k| crosses(edge(a, k), b) || crosses(edge(b, k), a)),
        [(i, j)] => crosses(edge(a, i), b) || crosses(edge(b, j), a),
        [(i, k), (j, l)] => {
            let (p, q) = (a[3 - i - j], b[3 - k - l]);
            side(a, q) == 0.0
                && (0..3).any(|axis| {
                    let s = orientation_2d(axis, a[i], a[j], p);
                    s != 0.0 && s * orientation_2d(axis, a[i], a[j], q) > 0.0
                })
        }
        _ => true,
    }
}

fn side(t: &[Point; 3], p: Point) -> f64 {
    let [a, b, c, d] = [t[0], t[1], t[2], p].map(|[x, y, z]| Coord3D { x, y, z });
    orient3d(a, b, c, d)
}

fn orientation_2d(axis: usize, a: Point, b: Point, c: Point) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord {
        x: p[(axis + 1) % 3],
        y: p[(axis + 2) % 3],
    });
    orient2d(a, b, c)
}

/// Whether a segment and a triangle, both closed, have a point in common.
fn crosses([p, q]: [Point; 2], t: &[Point; 3]) -> bool {
    let (sp, sq) = (side(t, p), side(t, q));
    if sp * sq > 0.0 {
        return false;
    }
    if sp != 0.0 || sq != 0.0 {
        let around: [f64; 3] = std::array::from_fn(|k| side(&[p, q, t[k]], t[(k + 1) % 3]));
        return around.iter().all(|&s| s >= 0.0) || around.iter().all(|&s| s <= 0.0);
    }
    // Coplanar: projected along an axis along which the triangle has an area.
    let Some(axis) = (0..3).find(|&axis| orientation_2d(axis, t[0], t[1], t[2]) != 0.0) else {
        return true;
    };
    let o = |a, b, c| orientation_2d(axis, a, b, c);
    let turn = o(t[0], t[1], t[2]);
    let inside = |x: Point| (0..3).all(|k| o(t[k], t[(k + 1) % 3], x) * turn >= 0.0);
    let on_box = |a: Point, b: Point, x: Point| {
        (0..3).all(|k| a[k].min(b[k]) <= x[k] && x[k] <= a[k].max(b[k]))
    };
    inside(p)
        || inside(q)
        || (0..3).any(|k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            let (s, t, u, v) = (o(p, q, a), o(p, q, b), o(a, b, p), o(a, b, q));
            (s * t < 0.0 && u * v < 0.0)
                || (s == 0.0 && on_box(p, q, a))
                || (t == 0.0 && on_box(p, q, b))
        })
}

/// A hash (FNV-1a) of all numbers of a mesh.
pub fn hash(mesh: &TriMesh) -> u64 {
    let coordinates = mesh.vertices().iter().flatten().map(|x| x.to_bits());
    let indices = mesh.faces().iter().flatten().map(|&v| u64::from(v));
    hash_of(coordinates.chain(indices))
}

/// A hash (FNV-1a) of numbers.
pub fn hash_of(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// A mesh made by 1 and by 4 threads, which must be equal, and its hash.
pub fn hash_on_any_threads(make: impl Fn() -> TriMesh + Sync) -> u64 {
    let [one, four] = [1, 4].map(|threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool of a few threads")
            .install(&make)
    });
    assert_eq!(hash(&one), hash(&four));
    hash(&one)
}
