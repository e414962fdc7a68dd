//! Signed distances: their sign is that of `inside`, whatever shells do, and grids are their points.

use tangere::closest::MeshSurface;
use tangere::generate;
use tangere::geometry::{Aabb, Pose, Similarity};
use tangere::inside::Grid;
use tangere::inside::exact::windings;
use tangere::shape::TriMesh;
use test_support::Random;
use test_support::surfaces::{cube, inverted, together};

/// The sign of the distance at each point by the exact winding number, which shares nothing with the
/// search.
fn expected_signs(mesh: &TriMesh, points: &[[f64; 3]]) -> Vec<f64> {
    let sign = |winding: Option<i64>| match winding {
        None => 0.0,
        Some(0) => 1.0,
        Some(_) => -1.0,
    };
    windings(points, mesh).into_iter().map(sign).collect()
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Random points in and around the box, the vertices, and points on and near edges and faces.
fn points(mesh: &TriMesh, count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    let (center, extent) = (mesh.bounds().center(), mesh.bounds().extent());
    let mut points: Vec<[f64; 3]> = (0..count)
        .map(|_| std::array::from_fn(|k| center[k] + 0.6 * extent[k] * random.signed()))
        .collect();
    for f in 0..mesh.faces().len() {
        let [p, q, r] = mesh.triangle(f);
        let between: [f64; 3] = std::array::from_fn(|k| 0.5 * (p[k] + q[k]));
        let middle: [f64; 3] = std::array::from_fn(|k| (p[k] + q[k] + r[k]) / 3.0);
        for at in [p, between, middle] {
            points.push(at);
            for size in [1e-16, 1e-9, 1e-3] {
                points.push(at.map(|x| x + size * random.signed()));
            }
        }
    }
    points
}

fn moved(mesh: &TriMesh, scale: f64, by: [f64; 3]) -> TriMesh {
    let pose = Pose::from_translation(by).expect("a pose");
    let motion = Similarity::new(scale, pose).expect("a motion");
    mesh.transformed(&motion).expect("a moved surface")
}

/// A closed strip of a cross section that crosses itself: a prism over the figure `8`.
fn eight() -> TriMesh {
    let corners = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    let vertices = (0..8).map(|i| {
        let [x, y] = corners[i % 4];
        [x, y, if i < 4 { 0.0 } else { 1.0 }]
    });
    let mut faces = vec![[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]];
    for i in 0..4 {
        let j = (i + 1) % 4;
        faces.extend([[i, j, j + 4], [i, j + 4, i + 4]]);
    }
    TriMesh::new(vertices.collect(), faces).expect("a prism")
}

/// Closed and oriented surfaces with crossing, touching, nested, inverted and duplicated shells, and
/// others that need nothing but pseudonormals.
fn surfaces() -> Vec<(&'static str, TriMesh)> {
    let unit = || cube([0.0; 3], 1.0);
    let sphere = generate::sphere(2).expect("a sphere");
    let crossing = moved(&sphere, 1.0, [0.7, 0.1, 0.2]);
    let folded = {
        // A vertex of the sphere is pushed through the other side.
        let mut vertices = sphere.vertices().to_vec();
        vertices[0] = vertices[0].map(|x| -1.5 * x + 0.1);
        TriMesh::new(vertices, sphere.faces().to_vec()).expect("a folded sphere")
    };
    vec![
        ("cube", unit()),
        ("sphere", sphere.clone()),
        ("sponge", generate::sponge(1).expect("a sponge")),
        ("knot", generate::knot(400).expect("a knot")),
        ("hollow", together([cube([0.0; 3], 2.0), inverted(&unit())])),
        (
            "two cubes across",
            together([unit(), cube([0.5, 0.3, 0.2], 1.0)]),
        ),
        (
            "two cubes, a common wall",
            together([unit(), cube([1.0, 0.0, 0.0], 1.0)]),
        ),
        (
            "two cubes, a common corner",
            together([unit(), cube([1.0; 3], 1.0)]),
        ),
        ("a cube twice", together([unit(), unit()])),
        (
            "a cube and its inverse",
            together([unit(), inverted(&unit())]),
        ),
        ("an inverted cube", inverted(&unit())),
        (
            "nested, both outward",
            together([cube([0.0; 3], 2.0), unit()]),
        ),
        (
            "beside, one inverted",
            together([unit(), inverted(&cube([3.0, 0.0, 0.0], 1.0))]),
        ),
        (
            "spheres across",
            together([sphere.clone(), crossing.clone()]),
        ),
        (
            "spheres across, one inverted",
            together([sphere, inverted(&crossing)]),
        ),
        ("a folded sphere", folded),
        ("a prism over an 8", eight()),
    ]
}

#[test]
fn signs_are_those_of_inside() {
    for (name, mesh) in surfaces() {
        let surface = MeshSurface::new(&mesh);
        assert!(surface.is_signed(), "{name}");
        let points = points(&mesh, 3000, 5);
        let (mut found, mut distances) = (Vec::new(), Vec::new());
        surface.closest_all(&points, &mut found).unwrap();
        surface.signed_distances(&points, &mut distances).unwrap();
        let signs = expected_signs(&mesh, &points);
        for (i, &p) in points.iter().enumerate() {
            let gap = found[i].gap;
            assert_eq!(gap.to_bits(), distances[i].to_bits(), "{name} {p:?}");
            // A point off the surface may be so near that its distance rounds to 0.
            let is_right = sign(gap) == signs[i] || found[i].distance == 0.0;
            assert!(is_right, "{name} {p:?}: {gap}, expected {}", signs[i]);
            assert!(
                gap.abs() == found[i].distance || signs[i] == 0.0,
                "{name} {p:?}"
            );
        }
    }
}

/// A triangle without area has no normal; the sign next to it is that of `inside` all the same.
#[test]
fn triangles_without_area_do_not_matter() {
    let sphere = generate::sphere(1).unwrap();
    let (mut vertices, mut faces) = sphere.into_parts();
    // The first edge of the first face gets a vertex in its middle, on one side only.
    let [a, b, c] = faces[0];
    let middle = vertices.len() as u32;
    let ends = [a, b].map(|v| vertices[v as usize]);
    vertices.push(std::array::from_fn(|k| 0.5 * (ends[0][k] + ends[1][k])));
    faces[0] = [a, middle, c];
    faces.extend([[middle, b, c], [a, b, middle]]);
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let report = mesh.report();
    assert!(report.closed && report.oriented && report.degenerate_triangles == 1);
    let surface = MeshSurface::new(&mesh);
    let points = points(&mesh, 500, 6);
    let mut distances = Vec::new();
    surface.signed_distances(&points, &mut distances).unwrap();
    for (i, expected) in expected_signs(&mesh, &points).into_iter().enumerate() {
        let is_right = sign(distances[i]) == expected || distances[i] == 0.0;
        assert!(is_right, "{:?}: {}", points[i], distances[i]);
    }
}

#[test]
fn distances_are_exact_about_a_box() {
    let bounds = Aabb {
        min: [-0.5; 3],
        max: [0.5; 3],
    };
    let mesh = cube([0.0; 3], 1.0);
    let points = points(&mesh, 2000, 7);
    let mut distances = Vec::new();
    let surface = MeshSurface::new(&mesh);
    surface.signed_distances(&points, &mut distances).unwrap();
    for (p, found) in points.iter().zip(distances) {
        let over: [f64; 3] =
            std::array::from_fn(|k| (p[k] - bounds.max[k]).max(bounds.min[k] - p[k]));
        let outside = over.map(|x| x.max(0.0));
        let expected = match over.into_iter().fold(f64::NEG_INFINITY, f64::max) {
            most if most <= 0.0 => most,
            _ => outside.iter().map(|x| x * x).sum::<f64>().sqrt(),
        };
        assert!(
            (found - expected).abs() < 1e-15,
            "{p:?}: {found}, {expected}"
        );
    }
}

#[test]
fn a_grid_has_the_distances_of_its_points() {
    for (name, mesh) in surfaces().into_iter().step_by(3) {
        let surface = MeshSurface::new(&mesh);
        let grid = Grid::over(&mesh.bounds(), [17, 5, 21]).unwrap();
        let (mut by_points, mut by_grid) = (Vec::new(), vec![3.0]);
        surface
            .signed_distances(&grid.points(), &mut by_points)
            .unwrap();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("a pool");
            pool.install(|| surface.signed_distance_grid(&grid, &mut by_grid))
                .unwrap();
            let bits = |x: &f64| x.to_bits();
            assert!(
                by_grid.iter().map(bits).eq(by_points.iter().map(bits)),
                "{name}"
            );
        }
    }
}

#[test]
fn open_surfaces_have_distances_without_sign() {
    let (vertices, faces) = generate::sphere(2).unwrap().into_parts();
    let open = TriMesh::new(vertices, faces[1..].to_vec()).unwrap();
    let surface = MeshSurface::new(&open);
    let (mut found, mut distances) = (Vec::new(), Vec::new());
    let points = [[0.0; 3], [2.0, 0.0, 0.0]];
    surface.closest_all(&points, &mut found).unwrap();
    surface.signed_distances(&points, &mut distances).unwrap();
    assert!(!surface.is_signed() && found.iter().all(|p| p.gap.is_nan()));
    assert!(distances[0] > 0.9 && distances[1] == 1.0);
}

#[test]
fn bad_points_and_grids_are_refused() {
    let surface = MeshSurface::new(&generate::sphere(1).unwrap());
    let mut distances = vec![1.0];
    let error = surface.signed_distances(&[[0.0; 3], [0.0, f64::NAN, 0.0]], &mut distances);
    assert!(error.unwrap_err().to_string().starts_with("point 1"));
    assert!(distances.is_empty());
    let axis: Vec<f64> = (0..Grid::AXIS_MAX).map(|i| i as f64).collect();
    let grid = Grid::new([axis.clone(), axis.clone(), axis]).unwrap();
    let error = surface
        .signed_distance_grid(&grid, &mut distances)
        .unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
    assert!(distances.is_empty());
}

/// A distance is 0 on the surface and nowhere else, however near a point is.
#[test]
fn only_points_on_the_surface_have_the_distance_0() {
    let mut random = Random::new(21);
    let mut tiny = 0;
    for mesh in [
        generate::sphere(2).unwrap(),
        moved(&generate::knot(300).unwrap(), 1e-3, [1.0, 2.0, 3.0]),
    ] {
        let mut points = Vec::new();
        for f in 0..mesh.faces().len() {
            let [p, q, r] = mesh.triangle(f);
            for _ in 0..8 {
                let (u, v) = (random.unit(), random.unit());
                let (v, w) = (v * (1.0 - u), (1.0 - v) * (1.0 - u));
                points.push(std::array::from_fn(|k| u * p[k] + v * q[k] + w * r[k]));
            }
        }
        let mut distances = Vec::new();
        let surface = MeshSurface::new(&mesh);
        surface.signed_distances(&points, &mut distances).unwrap();
        let expected = expected_signs(&mesh, &points);
        let found: Vec<f64> = distances.iter().map(|&x| sign(x)).collect();
        assert_eq!(found, expected);
        assert!(distances.iter().all(|x| x.abs() < 1e-14));
        let is_tiny = |x: &&f64| x.abs() == 2_f64.powi(-511);
        tiny += distances.iter().filter(is_tiny).count();
    }
    assert!(tiny > 10, "{tiny}");
}
