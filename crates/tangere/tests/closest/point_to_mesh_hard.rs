//! `MeshSurface` in cases that are hard for filters in f32, against brute force over all triangles.

use tangere::closest::{MeshSurface, SurfacePoint};
use tangere::generate;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::parallel::Rows;
use tangere::shape::TriMesh;
use tangere::stop::Stop;
use tangere::{Error, geometry::COORDINATE_MIN};
use test_support::Random;
use test_support::vectors::plus;

/// A mesh of triangles that share no vertices.
fn soup(triangles: &[[[f64; 3]; 3]]) -> TriMesh {
    let vertices = triangles.as_flattened().to_vec();
    let faces = (0..triangles.len() as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]);
    TriMesh::new(vertices, faces.collect()).expect("a soup")
}

/// Needles, caps, segments and points of very different sizes, some of them twice.
fn slivers(random: &mut Random) -> TriMesh {
    let mut triangles = Vec::new();
    for i in 0..200 {
        let size = [0.5, 0.05, 1e-3, 1e-8][i % 4];
        let (a, ab) = (random.vector(1.0), random.vector(size));
        let aside = random.vector(size * [1.0, 1e-3, 1e-9, 0.0][i / 4 % 4]);
        let along = [0.3, 1.0, -0.5][i / 16 % 3];
        let c = plus(plus(a, ab.map(|x| along * x)), aside);
        triangles.push([a, plus(a, ab), c]);
        if i % 7 == 0 {
            triangles.push([a, plus(a, ab), c]);
            triangles.push([a; 3]);
        }
    }
    soup(&triangles)
}

/// A plate of `n` by `n` squares at height 0: all distances are exact, and many are equal.
fn plate(n: u32) -> TriMesh {
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| [f64::from(i), f64::from(j), 0.0]));
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let faces = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    TriMesh::new(vertices.collect(), faces.collect()).expect("a plate")
}

/// A small knot on a wide floor, and an outlier.
fn floor() -> TriMesh {
    let knot = generate::knot(300).expect("a knot");
    let mut triangles: Vec<_> = (0..knot.faces().len()).map(|f| knot.triangle(f)).collect();
    let wide = 1e4;
    triangles.push([[-wide, -wide, -9.0], [wide, -wide, -9.0], [0.0, wide, -9.0]]);
    triangles.push([[1e7, 0.0, 0.0], [1e7, 1.0, 0.0], [1e7, 0.0, 1.0]]);
    soup(&triangles)
}

/// Triangles that are single points, at two positions.
fn points_only() -> TriMesh {
    let mut triangles = vec![[[0.5; 3]; 3]; 20];
    triangles.extend([[[-0.25, 0.0, 1.0]; 3]; 11]);
    soup(&triangles)
}

/// The surfaces that all tests use, by name.
fn surfaces() -> Vec<(&'static str, TriMesh)> {
    let sphere = generate::sphere(3).expect("a sphere");
    vec![
        ("slivers", slivers(&mut Random::new(21))),
        ("plate", plate(12)),
        ("floor", floor()),
        ("sphere", sphere),
        ("one", soup(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])),
        ("points", points_only()),
    ]
}

/// Query points on and between corners, around the mesh, equally far from all of it, and far away.
fn points(mesh: &TriMesh, random: &mut Random) -> Vec<[f64; 3]> {
    let mut points = vec![[0.0; 3], [6.0, 6.0, 0.0], [6.0, 6.0, 3.0], [6.5, 6.5, -1.0]];
    for f in (0..mesh.faces().len()).step_by(5) {
        let [a, b, c] = mesh.triangle(f);
        points.push(a);
        points.push(std::array::from_fn(|k| (a[k] + b[k]) / 2.0));
        let middle = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        points.push(middle);
        for size in [1e-9, 1e-4, 0.1] {
            points.push(plus(middle, random.vector(size)));
        }
    }
    for i in 0..250 {
        let far = [1.0, 1.0, 4.0, 100.0, 1e3, 2e3, 1e6, 1e12, 1e17, 1e30];
        points.push(random.vector(far[i % far.len()]));
    }
    for far in [1e3, 1e5, 1e12] {
        points.push([far, 0.0, 0.0]);
        points.push([5.5, 6.5, -far]);
    }
    points
}

/// The nearest triangle, its nearest point and its distance, by brute force.
fn nearest_of_all(mesh: &TriMesh, p: [f64; 3]) -> (u32, [f64; 3], f64) {
    let (mut best, mut least) = ((0, p, 0.0), f64::INFINITY);
    for f in 0..mesh.faces().len() {
        let nearest = closest_on_triangle(p, mesh.triangle(f));
        let distance = nearest.distance_squared.sqrt();
        if distance < least {
            least = distance;
            best = (f as u32, nearest.point, least);
        }
    }
    best
}

/// A surface and points, moved and scaled; coordinates that are too small become 0.
fn changed(
    mesh: &TriMesh,
    points: &[[f64; 3]],
    size: f64,
    offset: f64,
) -> (TriMesh, Vec<[f64; 3]>) {
    let change = |p: &[f64; 3]| {
        p.map(|x| {
            let x = size * (x + offset);
            if x.abs() < COORDINATE_MIN { 0.0 } else { x }
        })
    };
    let vertices = mesh.vertices().iter().map(change).collect();
    let mesh = TriMesh::new(vertices, mesh.faces().to_vec()).expect("a changed surface");
    (mesh, points.iter().map(change).collect())
}

#[test]
fn nearest_points_match_brute_force() {
    let mut random = Random::new(31);
    for (name, mesh) in surfaces() {
        let points = points(&mesh, &mut random);
        for (size, offset) in [
            (1.0, 0.0),
            (1.0, 1e9),
            (1e-30, 0.0),
            (1e30, 0.0),
            (1e-30, 1e9),
        ] {
            let (mesh, points) = changed(&mesh, &points, size, offset);
            let surface = MeshSurface::new(&mesh);
            let mut found = Vec::new();
            surface.closest_all(&points, &mut found).unwrap();
            assert_eq!(found.len(), points.len());
            for (&p, found) in points.iter().zip(&found) {
                let expected = nearest_of_all(&mesh, p);
                let reported = (found.face, found.point, found.distance);
                assert_eq!(reported, expected, "{name} {size} {offset} {p:?}");
            }
        }
    }
}

#[test]
fn faces_within_a_distance_match_brute_force() {
    let mut random = Random::new(32);
    for (name, mesh) in surfaces() {
        let points = points(&mesh, &mut random);
        for (size, offset) in [(1.0, 0.0), (1.0, 1e9), (1e-30, 0.0)] {
            let (mesh, points) = changed(&mesh, &points, size, offset);
            let surface = MeshSurface::new(&mesh);
            for (i, &p) in points.iter().enumerate().step_by(3) {
                let all: Vec<f64> = (0..mesh.faces().len())
                    .map(|f| {
                        closest_on_triangle(p, mesh.triangle(f))
                            .distance_squared
                            .sqrt()
                    })
                    .collect();
                // The exact distance of one of the faces, and others.
                for distance in [all[i % all.len()], 0.0, size, 1e300] {
                    let found = surface.within(p, distance).unwrap();
                    let expected: Vec<u32> = (0..all.len() as u32)
                        .filter(|&f| all[f as usize] <= distance)
                        .collect();
                    assert_eq!(found, expected, "{name} {size} {offset} {p:?} {distance}");
                }
            }
        }
    }
}

#[test]
fn order_other_points_and_threads_do_not_matter() {
    let mesh = generate::sphere(4).unwrap();
    let surface = MeshSurface::new(&mesh);
    let mut random = Random::new(33);
    let mut points: Vec<[f64; 3]> = (0..5000).map(|_| random.vector(1.1)).collect();
    points.extend(mesh.vertices().iter().map(|v| v.map(|x| 0.1 * x)));
    points.push([0.0; 3]);
    points.push([1e50, 0.0, 0.0]);
    let answers = |points: &[[f64; 3]], threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut found = vec![SurfacePoint::default(); 7];
        let all = || surface.closest_all(points, &mut found).unwrap();
        pool.build().unwrap().install(all);
        found
    };
    let expected: Vec<SurfacePoint> = points
        .iter()
        .map(|&p| surface.closest(p).unwrap())
        .collect();
    for threads in [1, 2, 5] {
        assert!(answers(&points, threads) == expected, "{threads} threads");
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let shuffled: Vec<[f64; 3]> = order.iter().map(|&i| points[i]).collect();
    for (found, &i) in answers(&shuffled, 3).iter().zip(&order) {
        assert_eq!(*found, expected[i]);
    }
    assert_eq!(answers(&points[..1], 2), expected[..1]);
    assert_eq!(answers(&[], 2), []);
}

#[test]
fn queries_end_when_stopped() {
    let surface = MeshSurface::new(&generate::sphere(2).unwrap());
    let (points, stop) = (vec![[0.5, 0.1, 0.2]; 3000], Stop::new());
    let (mut found, mut rows) = (Vec::new(), Rows::default());
    let mut query = || {
        let nearest = surface.closest_all(&points, &mut found);
        let within = surface.within_all(&points, 0.6, &mut rows);
        (
            nearest,
            found.len(),
            within,
            rows.len(),
            rows.values().len(),
        )
    };
    let (nearest, _, within, _, values) = stop.during(&mut query);
    assert_eq!((nearest, within), (Ok(()), Ok(())));
    assert!(values > 3000);
    stop.request();
    let (stopped, none) = (Err(Error::Stopped), 0);
    let ended = (stopped.clone(), none, stopped, none, none);
    assert_eq!(stop.during(&mut query), ended);
    assert_eq!(query().1, 3000);
}
