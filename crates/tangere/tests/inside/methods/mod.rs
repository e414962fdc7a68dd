//! Point containment against exact integer arithmetic, on hard input.

mod agreement;
mod broken;
mod cancelled;
mod invalid_input;
mod moving_bodies;
mod panel_clustering;
mod published_multipole;

use crate::winding::Oracle;
use proptest::prelude::*;
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::inside::{
    Grid, Inside, InsideRule, InsideSettings, InsideTest, Layer, Method, Ray, Side,
};
use tangere::shape::TriMesh;
use test_support::surfaces::inverted;

/// Every method, and what the automatic choice is for a few points.
fn methods(settings: InsideSettings) -> Vec<Box<dyn InsideTest>> {
    let few = Inside::new(settings.with_points(1)).expect("sound");
    let mut methods: Vec<Box<dyn InsideTest>> = vec![Box::new(few)];
    methods.extend(Method::ALL.map(|method| -> Box<dyn InsideTest> {
        Box::new(Inside::new(settings.with_method(method)).expect("sound"))
    }));
    methods
}

fn settings(rule: InsideRule) -> InsideSettings {
    InsideSettings {
        rule,
        ..InsideSettings::default()
    }
}

/// All methods agree with exact integers by both rules.
fn check(mesh: &TriMesh, points: &[[f64; 3]]) {
    let oracle = Oracle::new(mesh);
    let windings: Vec<_> = points.iter().map(|&p| oracle.winding_by_all(p)).collect();
    for (&p, expected) in points.iter().zip(&windings) {
        assert_eq!(
            oracle.winding(p),
            *expected,
            "the oracle disagrees with itself at {p:?}"
        );
    }
    for rule in InsideRule::ALL {
        let side = |w: &Option<i64>| w.map_or(Side::OnSurface, |w| rule.side(w));
        let expected: Vec<Side> = windings.iter().map(side).collect();
        for mut test in methods(settings(rule)) {
            let mut sides = Vec::new();
            test.update(mesh).expect("a surface without leaks");
            test.classify(points, &mut sides).expect("valid points");
            let wrong: Vec<_> = (0..points.len())
                .filter(|&i| sides[i] != expected[i])
                .collect();
            if let Some(&i) = wrong.first() {
                panic!(
                    "{} {rule}: {} of {} points wrong, first {:?}: {:?}, not {:?}",
                    test.method(),
                    wrong.len(),
                    points.len(),
                    points[i],
                    sides[i],
                    expected[i],
                );
            }
            assert_eq!(test.confidence(), 1.0);
            let mut found = Vec::new();
            test.winding(points, &mut found).expect("valid points");
            for (w, found) in windings.iter().zip(found) {
                let Some(w) = w else { continue };
                let error = (found - *w as f64).abs();
                assert!(
                    error <= test.bound(),
                    "{}: {error} above {}",
                    test.method(),
                    test.bound()
                );
            }
        }
    }
}

/// A rotation that maps no axis near another, then a translation.
fn turned(mesh: &TriMesh, offset: [f64; 3]) -> (TriMesh, Pose) {
    let [x, y, z] = offset;
    let length = (0.8f64 * 0.8 + 0.3 * 0.3 + 0.5 * 0.5 + 0.141 * 0.141).sqrt();
    let q = [0.8, 0.3, 0.5, 0.141].map(|q| q / length);
    let pose = Pose::from_numbers(&[x, y, z, q[0], q[1], q[2], q[3]]).expect("a unit quaternion");
    let moved = mesh.transformed(&Similarity::from(pose)).expect("in range");
    (moved, pose)
}

/// Vertices, middles of edges and faces, and the lattice of half cells of a
/// moved sponge, all rounded.
fn hard_points(mesh: &TriMesh, cells: i32, pose: &Pose, original: &TriMesh) -> Vec<[f64; 3]> {
    let mut points = mesh.vertices().to_vec();
    for f in 0..mesh.faces().len() {
        let [a, b, c] = mesh.triangle(f);
        points.push(std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
        points.push(std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0));
    }
    let bounds = original.bounds();
    let steps = 2 * cells + 2;
    for i in -1..steps {
        for j in -1..steps {
            for k in -1..steps {
                let at = |t: i32, axis: usize| {
                    bounds.min[axis] + bounds.extent()[axis] * f64::from(t) / f64::from(2 * cells)
                };
                points.push(pose.apply([at(i, 0), at(j, 1), at(k, 2)]));
            }
        }
    }
    points
}

#[test]
fn turned_sponges() {
    let sponge = generate::sponge(1).unwrap();
    let size = sponge.bounds().extent()[0];
    let far = 131_072.0 * size;
    for offset in [[0.0; 3], [far, -0.7 * far, 0.3 * far]] {
        let (mesh, pose) = turned(&sponge, offset);
        let points = hard_points(&mesh, 3, &pose, &sponge);
        check(&mesh, &points);
        check(&inverted(&mesh), &points);
    }
}

#[test]
fn sponges_on_their_lattice() {
    let sponge = generate::sponge(1).unwrap();
    check(
        &sponge,
        &hard_points(&sponge, 3, &Pose::identity(), &sponge),
    );
    // The rule of level 2 is known: cells with two middle digits are empty.
    let sponge = generate::sponge(2).unwrap();
    let grid = Grid::around(&sponge.bounds(), 9).unwrap();
    let solid = |cell: [usize; 3]| {
        [1, 3].iter().all(|power| {
            let middle = |c: &&usize| *c / power % 3 == 1;
            cell.iter().filter(middle).count() < 2
        })
    };
    let expected: Vec<Side> = (0..729)
        .map(|i| [i % 9, i / 9 % 9, i / 81])
        .map(|cell| {
            if solid(cell) {
                Side::Inside
            } else {
                Side::Outside
            }
        })
        .collect();
    for mut test in methods(InsideSettings::default()) {
        let mut sides = Vec::new();
        test.update(&sponge).unwrap();
        test.classify_grid(&grid, &mut sides).unwrap();
        assert!(sides == expected, "{}", test.method());
    }
}

/// Points off faces, edges and vertices by 1e-4 to 1e-15 of the size, to both
/// sides, and rounded.
fn close_points(mesh: &TriMesh, every: usize) -> Vec<[f64; 3]> {
    let size = mesh.bounds().extent()[0];
    let center = mesh.bounds().center();
    let mut points = Vec::new();
    for f in (0..mesh.faces().len()).step_by(every) {
        let [a, b, c] = mesh.triangle(f);
        let on = [
            a,
            std::array::from_fn(|k| 0.25 * a[k] + 0.75 * b[k]),
            std::array::from_fn(|k| 0.2 * a[k] + 0.3 * b[k] + 0.5 * c[k]),
        ];
        for (i, at) in on.into_iter().enumerate() {
            let direction: [f64; 3] = std::array::from_fn(|k| at[k] - center[k]);
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            let power = 4 + (f / every + 4 * i) % 12;
            for away in [1.0, -1.0] {
                let step = away * size * 10f64.powi(-(power as i32)) / length;
                points.push(std::array::from_fn(|k| at[k] + direction[k] * step));
            }
        }
    }
    points
}

#[test]
fn points_on_the_verge() {
    let sphere = generate::sphere(3).unwrap();
    check(&sphere, &close_points(&sphere, 11));
    let (moved, _) = turned(&sphere, [131_072.0, 65_536.1, -1.0]);
    check(&moved, &close_points(&moved, 23));
}

#[test]
fn slivers_and_saddles() {
    // Flat as paper, and a needle: triangles a millionth as wide as long.
    let sphere = generate::sphere(2).unwrap();
    for scale in [[1.0, 1.0, 1e-9], [1e-7, 1e-7, 1.0], [1.0, 1e-30, 1e-3]] {
        let vertices = sphere.vertices().iter();
        let thin = vertices.map(|v| std::array::from_fn(|k| v[k] * scale[k]));
        let thin = TriMesh::new(thin.collect(), sphere.faces().to_vec()).unwrap();
        let (mesh, _) = turned(&thin, [0.0; 3]);
        let mut points = close_points(&mesh, 3);
        points.extend(close_points(&thin, 7));
        check(&thin, &points);
        points.retain(|p| p.iter().all(|x| x.abs() > 1e-40));
        check(&mesh, &points);
    }
    let saddle = generate::chazelle(4).unwrap();
    let mut points = close_points(&saddle, 5);
    points.extend(Grid::around(&saddle.bounds(), 5).unwrap().points());
    check(&saddle, &points);
}

#[test]
fn sizes_at_the_ends_of_the_range() {
    let sphere = generate::sphere(1).unwrap();
    let points = close_points(&sphere, 2);
    for exponent in [-200, 190] {
        let scale = 2f64.powi(exponent);
        let scaled =
            |p: &[[f64; 3]]| -> Vec<[f64; 3]> { p.iter().map(|p| p.map(|x| x * scale)).collect() };
        let faces = sphere.faces().to_vec();
        let mesh = TriMesh::new(scaled(sphere.vertices()), faces).unwrap();
        let mut points = scaled(&points);
        points.extend([
            [0.0; 3],
            [1e60, -1e60, 1e60],
            [1e-80, 0.0, 0.0],
            [1.0, 2.0, 3.0],
        ]);
        check(&mesh, &points);
    }
}

/// Tetrahedra with corners on a small lattice: many are flat, overlap or touch.
fn lattice_shells() -> impl Strategy<Value = (Vec<[[i8; 3]; 4]>, Vec<[i8; 3]>)> {
    let corner = || prop::array::uniform3(0i8..5);
    let shells = prop::collection::vec(prop::array::uniform4(corner()), 1..5);
    let points = prop::collection::vec(prop::array::uniform3(-1i8..11), 1..40);
    (shells, points)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn tetrahedra_on_a_lattice((shells, halves) in lattice_shells()) {
        let corners = shells.as_flattened();
        let vertices: Vec<[f64; 3]> = corners.iter().map(|v| v.map(f64::from)).collect();
        let faces: Vec<[u32; 3]> = (0..shells.len() as u32)
            .flat_map(|s| {
                [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|f| f.map(|v| 4 * s + v))
            })
            .collect();
        let points: Vec<[f64; 3]> = halves.iter().map(|p| p.map(|x| 0.5 * f64::from(x))).collect();
        // A tetrahedron that is a single point is not a mesh.
        if let Ok(mesh) = TriMesh::new(vertices, faces) {
            check(&mesh, &points);
        }
    }
}

#[test]
fn winding_numbers_on_the_surface() {
    let cube = generate::sponge(0).unwrap();
    let [low, high] = [cube.bounds().min[0], cube.bounds().max[0]];
    let (third, half) = (low + (high - low) / 4.0, 0.5 * (low + high));
    let points = [
        [third, half, high],
        [high, third, high],
        [high; 3],
        [half; 3],
    ];
    for mut test in methods(InsideSettings::default()) {
        let mut found = Vec::new();
        test.update(&cube).unwrap();
        test.winding(&points, &mut found).unwrap();
        for (found, expected) in found.iter().zip([0.5, 0.25, 0.125, 1.0]) {
            assert!(
                (found - expected).abs() <= test.bound(),
                "{}: {found}",
                test.method()
            );
        }
        assert!(test.bound() < 1e-6);
    }
}

/// Methods of the papers as published are for comparison: the automatic choice never picks them,
/// whatever the surface and the number of points.
#[test]
fn auto_never_picks_a_published_method() {
    let sphere = generate::sphere(2).unwrap();
    let faces = sphere.faces().to_vec();
    let open = TriMesh::new(sphere.vertices().to_vec(), faces[1..].to_vec()).unwrap();
    let published = Method::PUBLISHED.map(Method::name);
    for mesh in [&sphere, &open, &inverted(&sphere)] {
        for points in [None, Some(0), Some(1), Some(40), Some(41), Some(1_000_000)] {
            for grids_only in [false, true] {
                let settings = InsideSettings::default().with_points(points);
                let mut test = Inside::new(settings.with_grids_only(grids_only)).unwrap();
                test.update(mesh).unwrap();
                assert!(!published.contains(&test.method()), "{}", test.reason());
            }
        }
    }
}

/// By its name the paper's ray crossing is the type `Ray`, which classifies the points of a grid one
/// by one, as all others do.
#[test]
fn plain_rays_by_name() {
    let sponge = generate::sponge(1).unwrap();
    let grid = Grid::around(&sponge.bounds(), 7).unwrap();
    let settings = InsideSettings::default();
    let mut expected = Vec::new();
    let mut ray = Inside::new(settings.with_method(Method::Ray)).unwrap();
    ray.update(&sponge).unwrap();
    ray.classify_grid(&grid, &mut expected).unwrap();
    for method in [Method::Auto, Method::Ray, Method::RayPlain] {
        let mut plain = Ray::new(settings.with_method(method)).unwrap();
        let mut sides = Vec::new();
        plain.update(&sponge).unwrap();
        plain.classify_grid(&grid, &mut sides).unwrap();
        assert_eq!((plain.method(), &sides), ("ray-plain", &expected));
        assert_eq!((plain.bound(), plain.confidence()), (0.0, 1.0));
    }
    let error = Layer::new(settings.with_method(Method::RayPlain)).expect_err("another method");
    assert!(
        error.to_string().starts_with("method: found ray-plain"),
        "{error}"
    );
}
