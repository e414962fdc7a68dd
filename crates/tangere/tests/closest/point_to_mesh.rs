//! `MeshSurface` against brute force over all triangles.

use std::f64::consts::PI;
use tangere::closest::{MeshSurface, SurfacePoint};
use tangere::generate;
use tangere::geometry::triangle::{closest_on_triangle, solid_angle};
use tangere::geometry::{TriangleFeature, point_on_triangle};
use tangere::shape::TriMesh;
use test_support::Random;

/// The surfaces that all tests use, by name.
fn surfaces() -> Vec<(&'static str, TriMesh)> {
    vec![
        ("sphere", generate::sphere(2).expect("a sphere")),
        ("knot", generate::knot(400).expect("a knot")),
        ("sponge", generate::sponge(1).expect("a sponge")),
    ]
}

/// Query points: random ones, vertices, points on edges and faces, and points straight above them.
fn points(mesh: &TriMesh, random: &mut Random) -> Vec<[f64; 3]> {
    let b = mesh.bounds();
    let mut points: Vec<[f64; 3]> = (0..200)
        .map(|_| {
            std::array::from_fn(|k| {
                0.5 * (b.min[k] + b.max[k]) + 0.7 * (b.max[k] - b.min[k]) * random.signed()
            })
        })
        .collect();
    for f in (0..mesh.faces().len()).step_by(7) {
        let [p, q, r] = mesh.triangle(f);
        points.push(p);
        points.push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
        points.push(std::array::from_fn(|k| (p[k] + q[k] + r[k]) / 3.0));
        points.push(std::array::from_fn(|k| p[k] + 0.01 * random.signed()));
    }
    points
}

/// The nearest triangle and its distance, by brute force.
fn by_all(mesh: &TriMesh, p: [f64; 3]) -> (u32, f64) {
    let mut best = (0, f64::INFINITY);
    for f in 0..mesh.faces().len() {
        let nearest = closest_on_triangle(p, mesh.triangle(f));
        let distance = nearest.distance_squared.sqrt();
        if distance < best.1 {
            best = (f as u32, distance);
        }
    }
    best
}

#[test]
fn nearest_faces_match_brute_force() {
    let mut random = Random::new(11);
    for (name, mesh) in surfaces() {
        let surface = MeshSurface::new(&mesh);
        assert!(surface.is_signed());
        let points = points(&mesh, &mut random);
        let mut found = Vec::new();
        surface.closest_all(&points, &mut found).unwrap();
        for (&p, found) in points.iter().zip(&found) {
            let (face, distance) = by_all(&mesh, p);
            assert_eq!(
                (found.face, found.distance),
                (face, distance),
                "{name} {p:?}"
            );
            assert_eq!(*found, surface.closest(p).unwrap(), "{name} {p:?}");
            let whole: f64 = (0..mesh.faces().len())
                .map(|f| solid_angle(p, mesh.triangle(f)))
                .sum();
            let inside = whole.abs() > 2.0 * PI;
            // A point exactly in the plane of its face is on neither side.
            let on = found.gap == 0.0 && found.distance < 1e-15;
            assert!(on || found.gap.abs() == found.distance, "{name} {p:?}");
            if found.distance > 1e-9 {
                assert_eq!(found.gap < 0.0, inside, "{name} {p:?} {found:?}");
            }
        }
    }
}

#[test]
fn faces_within_a_distance_match_brute_force() {
    let mut random = Random::new(12);
    for (name, mesh) in surfaces() {
        let surface = MeshSurface::new(&mesh);
        for p in points(&mesh, &mut random).into_iter().step_by(3) {
            for distance in [0.0, 0.1, 0.5] {
                let expected: Vec<u32> = (0..mesh.faces().len() as u32)
                    .filter(|&f| {
                        let nearest = closest_on_triangle(p, mesh.triangle(f as usize));
                        nearest.distance_squared.sqrt() <= distance
                    })
                    .collect();
                let found = surface.within(p, distance).unwrap();
                assert_eq!(found, expected, "{name} {p:?} {distance}");
            }
        }
    }
}

/// Points and triangles with small integer coordinates: many triangles are equally near, and points
/// lie exactly on triangles in spite of rounding.
#[test]
fn ties_go_to_the_least_index_and_points_on_triangles_have_distance_0() {
    let mut random = Random::new(14);
    let mut whole = |most: f64| (random.signed() * (most + 0.5)).round();
    let (mut ties, mut on) = (0, 0);
    for _ in 0..400 {
        let vertices: Vec<[f64; 3]> = (0..24).map(|_| [(); 3].map(|()| whole(2.0))).collect();
        let faces = (0..8).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        let Ok(mesh) = TriMesh::new(vertices, faces) else {
            continue;
        };
        let surface = MeshSurface::new(&mesh);
        for _ in 0..8 {
            let p = [(); 3].map(|()| whole(3.0));
            let distances: Vec<f64> = (0..8)
                .map(|f| {
                    closest_on_triangle(p, mesh.triangle(f))
                        .distance_squared
                        .sqrt()
                })
                .collect();
            let (face, distance) = by_all(&mesh, p);
            let found = surface.closest(p).unwrap();
            assert_eq!((found.face, found.distance), (face, distance), "{p:?}");
            ties += usize::from(distances.iter().filter(|&&d| d == distance).count() > 1);
            let touched: Vec<u32> = (0..8)
                .filter(|&f| point_on_triangle(p, mesh.triangle(f as usize)).is_some())
                .collect();
            assert_eq!(surface.within(p, 0.0).unwrap(), touched, "{p:?}");
            on += touched.len();
        }
    }
    assert!(ties > 100 && on > 100, "{ties} {on}");
}

/// An edge has the same distance in both of its triangles, whatever its direction.
#[test]
fn shared_edges_have_one_distance() {
    let mut random = Random::new(15);
    let mut point = || [(); 3].map(|()| random.signed());
    let mut on_edges = 0;
    for _ in 0..2000 {
        let (a, b, c, d, p) = (point(), point(), point(), point(), point());
        let one = closest_on_triangle(p, [a, b, c]);
        let other = closest_on_triangle(p, [d, b, a]);
        let is_edge = |feature| matches!(feature, TriangleFeature::Edge(_));
        if one.feature == TriangleFeature::Edge(0) && other.feature == TriangleFeature::Edge(1) {
            assert_eq!(one.distance_squared, other.distance_squared);
            assert_eq!(one.point, other.point);
        }
        on_edges += usize::from(is_edge(one.feature) && is_edge(other.feature));
    }
    assert!(on_edges > 200, "{on_edges}");
}

#[test]
fn threads_and_order_do_not_matter() {
    let (_, mesh) = surfaces().swap_remove(1);
    let surface = MeshSurface::new(&mesh);
    let mut points = points(&mesh, &mut Random::new(13));
    let answers = |points: &[[f64; 3]], threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut found: Vec<SurfacePoint> = Vec::new();
        let all = || surface.closest_all(points, &mut found).unwrap();
        pool.build().unwrap().install(all);
        found
    };
    let one = answers(&points, 1);
    assert_eq!(one, answers(&points, 3));
    points.reverse();
    let mut turned = answers(&points, 2);
    turned.reverse();
    assert_eq!(one, turned);
}

#[test]
fn an_open_surface_has_no_sign() {
    let mesh = TriMesh::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let surface = MeshSurface::new(&mesh.unwrap());
    let nearest = surface.closest([0.25, 0.25, 2.0]).unwrap();
    assert_eq!((nearest.point, nearest.distance), ([0.25, 0.25, 0.0], 2.0));
    assert!(nearest.gap.is_nan());
}

#[test]
fn invalid_input() {
    let surface = MeshSurface::new(&generate::sphere(1).unwrap());
    let error = surface.closest([f64::NAN, 0.0, 0.0]).unwrap_err();
    assert!(error.to_string().contains("point 0"), "{error}");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let error = surface.within([0.0; 3], bad).unwrap_err();
        assert!(error.to_string().contains("distance"), "{error}");
    }
    assert!(surface.within([9.0, 9.0, 9.0], 1.0).unwrap().is_empty());
}

/// Next to a triangle without area, which has no normal, the sign is right. The body is a wedge whose faces meet an edge at its middle, closed by a triangle without area.
#[test]
fn no_wrong_sign_next_to_a_triangle_without_area() {
    let vertices = vec![
        [0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, -0.05],
        [1.0, 1.0, -0.05],
        [1.0, 0.0, 0.05],
        [1.0, 1.0, 0.05],
        [0.0, 0.5, 0.0],
    ];
    let faces = vec![
        [0, 6, 1],
        [0, 1, 3],
        [0, 3, 2],
        [0, 4, 6],
        [4, 5, 6],
        [6, 5, 1],
        [2, 3, 5],
        [2, 5, 4],
        [0, 2, 4],
        [1, 5, 3],
    ];
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let report = mesh.report();
    assert!(report.closed && report.oriented && report.degenerate_triangles == 1);
    let surface = MeshSurface::new(&mesh);
    let answer = surface.closest([-0.0955, 0.562, -0.104]).unwrap();
    assert!(surface.is_signed() && answer.gap == answer.distance && answer.distance > 0.14);
}

/// Signs do not depend on the size of the body.
#[test]
fn signs_at_the_smallest_sizes() {
    for s in [1.0, 1e-80, 1e-83, 1e-86, 1e-89, 1e50] {
        let vertices = vec![[0.0; 3], [s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]];
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let surface = MeshSurface::new(&TriMesh::new(vertices, faces).unwrap());
        for point in [
            [2.0, 0.0, 0.0],
            [-1.0, -1.0, 0.0],
            [0.9, 0.9, 0.0],
            [-2.0, 0.3, 0.3],
        ] {
            let answer = surface.closest(point.map(|x| s * x)).unwrap();
            assert!(answer.gap > 0.0, "{s:e}: {point:?} {answer:?}");
        }
        let inside = surface.closest([0.2 * s; 3]).unwrap();
        assert!(inside.gap < 0.0, "{s:e}: {inside:?}");
    }
}
