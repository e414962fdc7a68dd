//! Surfaces, their transformations, and points that are hard to classify.

use tangere::generate;
use tangere::geometry::{Pose, Similarity, flushed, is_valid_coordinate};
use tangere::shape::TriMesh;
use test_support::Random;

/// The distance by which a body is moved away, in its sizes.
pub const FAR: f64 = 131_072.0;

pub fn size_of(mesh: &TriMesh) -> f64 {
    mesh.bounds().extent().into_iter().fold(0.0, f64::max)
}

/// A pose with an arbitrary rotation and a translation by a number of sizes of the body.
pub fn pose(mesh: &TriMesh, seed: u64, sizes: f64) -> Pose {
    let mut random = Random::new(seed);
    let q: [f64; 4] = std::array::from_fn(|_| 2.0 * random.unit() - 1.0);
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|x| x / length);
    let far = sizes * size_of(mesh);
    Pose::from_numbers(&[far, -0.7 * far, 0.3 * far, w, x, y, z]).expect("a unit quaternion")
}

pub fn moved(mesh: &TriMesh, pose: &Pose) -> TriMesh {
    mesh.transformed(&Similarity::from(*pose))
        .expect("in range")
}

/// The mesh scaled differently along each axis.
pub fn stretched(mesh: &TriMesh, scale: [f64; 3]) -> TriMesh {
    let vertices = mesh.vertices().iter();
    let vertices = vertices.map(|v| flushed(std::array::from_fn(|k| v[k] * scale[k])));
    TriMesh::new(vertices.collect(), mesh.faces().to_vec()).expect("in range")
}

/// A closed surface over a grid of `n` by `n` squares in [-1, 1]^2: heights `top` and `bottom`,
/// and a wall around.
fn shell(n: u32, top: impl Fn(f64, f64) -> f64, bottom: impl Fn(f64, f64) -> f64) -> TriMesh {
    let at = |i: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let edge = n + 1;
    let mut vertices = Vec::new();
    let heights: [&dyn Fn(f64, f64) -> f64; 2] = [&bottom, &top];
    for height in heights {
        for j in 0..edge {
            for i in 0..edge {
                vertices.push([at(i), at(j), height(at(i), at(j))]);
            }
        }
    }
    let vertex = |layer: u32, i: u32, j: u32| (layer * edge + j) * edge + i;
    let mut faces = Vec::new();
    let mut square = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
    for i in 0..n {
        for j in 0..n {
            let around = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            square(around.map(|(i, j)| vertex(1, i, j)));
            let [a, b, c, d] = around.map(|(i, j)| vertex(0, i, j));
            square([a, d, c, b]);
        }
        let mut wall = |[p, q]: [(u32, u32); 2]| {
            let [a, b] = [vertex(0, p.0, p.1), vertex(0, q.0, q.1)];
            let [c, d] = [vertex(1, q.0, q.1), vertex(1, p.0, p.1)];
            square([a, b, c, d]);
        };
        wall([(i, 0), (i + 1, 0)]);
        wall([(i + 1, n), (i, n)]);
        wall([(0, i + 1), (0, i)]);
        wall([(n, i), (n, i + 1)]);
    }
    TriMesh::new(vertices, faces).expect("a shell")
}

/// Surfaces of triangles that are long and thin, nearly flat or bent both ways.
pub fn slivers(full: bool) -> Vec<(&'static str, TriMesh)> {
    let sphere = generate::sphere(if full { 4 } else { 1 }).expect("a sphere");
    let n = if full { 40 } else { 4 };
    vec![
        ("flat sphere", stretched(&sphere, [1.0, 1.0, 1e-9])),
        ("needle", stretched(&sphere, [1e-7, 1e-7, 1.0])),
        ("blade", stretched(&sphere, [1.0, 1e-30, 1e-3])),
        ("saddle", shell(n, |x, y| x * y + 1e-3, |x, y| x * y - 1e-3)),
        ("paper saddle", shell(n, |x, y| x * y + 1e-15, |x, y| x * y)),
        ("comb", {
            let teeth = |x: f64, _: f64| {
                if (x * 1e3).rem_euclid(2.0) < 1.0 {
                    1.0
                } else {
                    0.5
                }
            };
            stretched(&shell(n, teeth, |_, _| -1e-12), [1e-6, 1.0, 1.0])
        }),
        (
            "chazelle",
            generate::chazelle(if full { 60 } else { 4 }).expect("notches"),
        ),
    ]
}

/// The points with valid coordinates.
fn valid(points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let points = points.into_iter().map(flushed);
    let is_valid = |p: &[f64; 3]| p.iter().all(|&x| is_valid_coordinate(x));
    points.filter(is_valid).collect()
}

/// Random points in a box a tenth larger than that of the body.
pub fn random_points(mesh: &TriMesh, count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    let (center, extent) = (mesh.bounds().center(), mesh.bounds().extent());
    let mut at = |k: usize| center[k] + 1.1 * extent[k] * (random.unit() - 0.5);
    valid((0..count).map(|_| [0, 1, 2].map(&mut at)).collect())
}

/// A vertex of a face, a point on an edge and a point within the face.
fn features(mesh: &TriMesh, face: usize) -> [[f64; 3]; 3] {
    let [a, b, c] = mesh.triangle(face);
    [
        a,
        std::array::from_fn(|k| 0.25 * a[k] + 0.75 * b[k]),
        std::array::from_fn(|k| 0.2 * a[k] + 0.3 * b[k] + 0.5 * c[k]),
    ]
}

/// About `count` points off vertices, edges and faces, along the normal to both sides, by
/// `10^-from` to `10^-to` of the size.
pub fn close_points(mesh: &TriMesh, count: usize, [from, to]: [i32; 2]) -> Vec<[f64; 3]> {
    let size = size_of(mesh);
    let mut points = Vec::new();
    let a_face = 6 * (to - from + 1) as usize;
    let step = (mesh.faces().len() * a_face).div_ceil(count).max(1);
    for face in (0..mesh.faces().len()).step_by(step) {
        let [a, b, c] = mesh.triangle(face);
        let [u, v] = [b, c].map(|q| -> [f64; 3] { std::array::from_fn(|k| (q[k] - a[k]) / size) });
        let normal: [f64; 3] = std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            u[i] * v[j] - u[j] * v[i]
        });
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        // For triangles too thin for floats any direction will do.
        let unit = match length > 1e-150 {
            true => normal.map(|x| x / length),
            false => [0.6, 0.0, 0.8],
        };
        for at in features(mesh, face) {
            for power in from..=to {
                for away in [size, -size] {
                    let step = away * 10f64.powi(-power);
                    points.push(std::array::from_fn(|k| at[k] + unit[k] * step));
                }
            }
        }
    }
    valid(points)
}

/// All vertices, and about `count` points on edges and faces, rounded to floats.
pub fn surface_points(mesh: &TriMesh, count: usize) -> Vec<[f64; 3]> {
    let step = (3 * mesh.faces().len()).div_ceil(count).max(1);
    let faces = (0..mesh.faces().len()).step_by(step);
    let mut points: Vec<[f64; 3]> = faces.flat_map(|f| features(mesh, f)).collect();
    let halves = (0..mesh.faces().len()).step_by(step);
    points.extend(halves.map(|f| {
        let [a, b, _] = mesh.triangle(f);
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
    }));
    points.extend_from_slice(mesh.vertices());
    valid(points)
}

/// The lattice of half cells of a sponge, up to half a cell beyond it, moved by a pose.
pub fn half_lattice(sponge: &TriMesh, level: u32, pose: &Pose) -> Vec<[f64; 3]> {
    let cells = 3i32.pow(level);
    let bounds = sponge.bounds();
    let at =
        |t: i32, k: usize| bounds.min[k] + bounds.extent()[k] * f64::from(t) / f64::from(2 * cells);
    let range = || -1..=2 * cells + 1;
    let mut points = Vec::new();
    for z in range() {
        for y in range() {
            points.extend(range().map(|x| pose.apply([at(x, 0), at(y, 1), at(z, 2)])));
        }
    }
    points
}
