//! Labelled cells and columns against exact arithmetic.

mod crowded;

use crate::winding::Oracle;
use tangere::Result;
use tangere::generate;
use tangere::geometry::{Pose, flushed};
use tangere::inside::{Auto, Cells, Grid, InsideRule, InsideSettings, InsideTest, Side};
use tangere::shape::TriMesh;
use test_support::Random;
use test_support::surfaces::{inverted, together};

fn triangles_of(mesh: &TriMesh) -> Vec<[[f64; 3]; 3]> {
    (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect()
}

fn cells(mesh: &TriMesh, rule: InsideRule) -> Result<Cells> {
    let settings = InsideSettings {
        rule,
        ..InsideSettings::default()
    };
    let mut cells = Cells::new(settings)?;
    cells.update(mesh)?;
    Ok(cells)
}

/// Compares sides by both rules, and winding numbers, with the oracle; returns the numbers of
/// points on the surface, inside and outside.
fn check(what: &str, mesh: &TriMesh, points: &[[f64; 3]]) -> [usize; 3] {
    let oracle = Oracle::new(mesh);
    let expected: Vec<Option<i64>> = points.iter().map(|&p| oracle.winding(p)).collect();
    let mut counts = [0; 3];
    for rule in InsideRule::ALL {
        let mut test = cells(mesh, rule).expect("a closed surface");
        let (mut sides, mut windings) = (Vec::new(), Vec::new());
        test.classify(points, &mut sides).expect("valid points");
        test.winding(points, &mut windings).expect("valid points");
        assert_eq!((sides.len(), windings.len()), (points.len(), points.len()));
        assert_sides(what, rule, points, &sides, &expected);
        for (i, &expected) in expected.iter().enumerate() {
            if let Some(expected) = expected {
                assert_eq!(windings[i], expected as f64, "{what}: {:?}", points[i]);
            }
            counts[(sides[i] as i8 + 1) as usize] += 1;
        }
    }
    let [outside, on, inside] = counts;
    [on / 2, inside / 2, outside / 2]
}

/// Compares sides with winding numbers, which are `None` on the surface.
fn assert_sides(
    what: &str,
    rule: InsideRule,
    points: &[[f64; 3]],
    sides: &[Side],
    expected: &[Option<i64>],
) {
    for ((p, &found), expected) in points.iter().zip(sides).zip(expected) {
        let side = expected.map_or(Side::OnSurface, |w| rule.side(w));
        assert_eq!(found, side, "{what}, {rule}: {p:?}, {expected:?}");
    }
}

/// Compares with the oracle as [`check`] does, and asserts that more than the given numbers of
/// points are on the surface, inside and outside.
fn check_more(what: &str, mesh: &TriMesh, points: &[[f64; 3]], least: [usize; 3]) {
    let found = check(what, mesh, points);
    let is_enough = found.iter().zip(least).all(|(&found, least)| found > least);
    assert!(is_enough, "{what}: {found:?}, {least:?}");
}

/// Whether an answer is the same on any number of threads.
fn assert_same_on_threads<T: PartialEq + Send>(counts: &[usize], answer: impl Fn() -> T + Sync) {
    let answers: Vec<T> = counts
        .iter()
        .map(|&threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("threads").install(&answer)
        })
        .collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

/// Compares the classification by columns with the oracle.
fn check_grid(what: &str, mesh: &TriMesh, axes: [Vec<f64>; 3]) -> usize {
    let oracle = Oracle::new(mesh);
    let grid = Grid::new(axes).expect("a grid");
    let points = grid.points();
    let expected: Vec<Option<i64>> = points.iter().map(|&p| oracle.winding(p)).collect();
    for rule in InsideRule::ALL {
        let mut sides = Vec::new();
        let mut test = cells(mesh, rule).expect("a closed surface");
        test.classify_grid(&grid, &mut sides).expect("a grid");
        assert_sides(what, rule, &points, &sides, &expected);
    }
    expected.iter().filter(|winding| winding.is_none()).count()
}

fn random_points(mesh: &TriMesh, count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    let (bounds, extent) = (mesh.bounds(), mesh.bounds().extent());
    let point =
        |_| std::array::from_fn(|k| bounds.min[k] + (1.2 * random.unit() - 0.1) * extent[k]);
    (0..count).map(point).map(flushed).collect()
}

fn moved(mesh: &TriMesh, by: impl Fn([f64; 3]) -> [f64; 3]) -> TriMesh {
    let vertices = mesh.vertices().iter().map(|&v| flushed(by(v))).collect();
    TriMesh::new(vertices, mesh.faces().to_vec()).expect("a moved surface")
}

fn turn() -> Pose {
    "0.1,0.2,0.3,0.8,0.1,0.5,0.31622776601683794"
        .parse()
        .expect("a pose")
}

/// Vertices, middles of edges and faces, and points on both sides of them.
fn critical_points(mesh: &TriMesh, step: usize, distances: &[f64]) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for [a, b, c] in triangles_of(mesh).into_iter().step_by(step) {
        let mix = |u: f64, v: f64| -> [f64; 3] {
            std::array::from_fn(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]))
        };
        let (u, v) = (minus_f(b, a), minus_f(c, a));
        let normal = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        for place in [
            mix(0.0, 0.0),
            mix(0.5, 0.0),
            mix(0.5, 0.5),
            mix(0.25, 0.25),
            mix(0.3, 0.4),
        ] {
            points.push(place);
            for &distance in distances {
                for sign in [-1.0, 1.0] {
                    points.push(std::array::from_fn(|k| {
                        place[k] + sign * distance * normal[k] / length
                    }));
                }
            }
        }
    }
    points.into_iter().map(flushed).collect()
}

fn minus_f(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Points of a lattice over a box.
fn lattice(low: f64, high: f64, step: f64) -> Vec<[f64; 3]> {
    let axis = axis(low, high, step);
    let mut points = Vec::new();
    for &z in &axis {
        for &y in &axis {
            points.extend(axis.iter().map(|&x| [x, y, z]));
        }
    }
    points
}

fn axis(low: f64, high: f64, step: f64) -> Vec<f64> {
    (0..=((high - low) / step) as usize)
        .map(|i| low + step * i as f64)
        .collect()
}

#[test]
fn the_oracle_knows_a_cube() {
    let oracle = Oracle::new(&generate::sponge(0).unwrap());
    for (p, expected) in [
        ([0.5; 3], Some(1)),
        ([0.25, 0.5, 1.0 - 1e-16], Some(1)),
        ([0.25, 0.5, 1.0], None),
        ([0.0; 3], None),
        ([1.0, 0.0, 0.3], None),
        ([1.0, 0.0, -1e-90], Some(0)),
        ([2.0, 0.5, 0.5], Some(0)),
    ] {
        assert_eq!(oracle.winding(p), expected, "{p:?}");
        assert_eq!(oracle.winding_by_all(p), expected, "{p:?}");
    }
}

#[test]
fn spheres_and_foams() {
    for (what, mesh) in [
        ("octahedron", generate::sphere(0).unwrap()),
        ("sphere", generate::sphere(3).unwrap()),
        ("foam", generate::foam(600, 3).unwrap()),
        ("knot", generate::knot(400).unwrap()),
        ("chazelle", generate::chazelle(6).unwrap()),
    ] {
        let [_, inside, outside] = check(what, &mesh, &random_points(&mesh, 150, 7));
        assert!(inside > 4 && outside > 4, "{what}: {inside} {outside}");
        let grid = Grid::around(&mesh.bounds(), 7).unwrap();
        check(what, &mesh, &grid.points());
        check_grid(what, &mesh, grid.axes().clone());
    }
}

#[test]
fn close_to_the_surface() {
    let distances = [1e-4, 1e-7, 1e-10, 1e-13, 1e-15, 1e-17, 1e-30];
    for (what, mesh) in [
        ("sphere", generate::sphere(2).unwrap()),
        ("foam", generate::foam(600, 1).unwrap()),
        ("chazelle", generate::chazelle(4).unwrap()),
    ] {
        let step = mesh.faces().len().div_ceil(12);
        check_more(
            what,
            &mesh,
            &critical_points(&mesh, step, &distances),
            [10, 10, 10],
        );
    }
}

#[test]
fn a_turned_sponge_at_any_offset() {
    let (sponge, turn) = (generate::sponge(1).unwrap(), turn());
    let size = 3.0;
    for offset in [0.0, size * (1u64 << 17) as f64, size * (1u64 << 40) as f64] {
        let place = |p: [f64; 3]| turn.apply(p).map(|x| x + offset);
        let mesh = moved(&sponge, place);
        let mut points: Vec<_> = lattice(-0.5, 3.5, 0.5)
            .into_iter()
            .map(place)
            .map(flushed)
            .collect();
        check_more("sponge", &mesh, &points, [63, 20, 20]);
        points.truncate(200);
        check("inverted sponge", &inverted(&mesh), &points);
    }
}

#[test]
fn lattices_and_grids_through_vertices() {
    let sponge = generate::sponge(1).unwrap();
    let [on, inside, _] = check("sponge", &sponge, &lattice(-0.5, 3.5, 0.5));
    assert!(on > 100 && inside > 10, "{on} {inside}");
    for (what, mesh, axes) in [
        (
            "sponge",
            sponge,
            [
                axis(-0.5, 3.5, 0.5),
                axis(-0.5, 3.5, 0.25),
                axis(-1.0, 4.0, 1.0),
            ],
        ),
        // Vertices, edges and faces on the grid, and columns within faces.
        (
            "octahedron",
            generate::sphere(0).unwrap(),
            [0, 1, 2].map(|_| axis(-1.25, 1.25, 0.125)),
        ),
        (
            "chazelle",
            generate::chazelle(3).unwrap(),
            [0, 1, 2].map(|_| axis(-4.0, 10.0, 1.0)),
        ),
        // Coordinates that are far from evenly spaced, and some twice.
        (
            "sphere",
            generate::sphere(1).unwrap(),
            [0, 1, 2].map(|_| vec![-9e5, -1.0, -0.5, -0.5, 0.0, 1e-9, 0.5, 0.75, 1.0, 1.0, 3.0]),
        ),
    ] {
        assert!(check_grid(what, &mesh, axes) > 0, "{what}");
    }
}

#[test]
fn cubes_of_few_triangles() {
    let cube = generate::sponge(0).unwrap();
    let [on, inside, outside] = check("cube", &cube, &lattice(-0.25, 1.25, 0.125));
    assert_eq!(
        [on, inside, outside],
        [9 * 9 * 9 - 7 * 7 * 7, 7 * 7 * 7, 13 * 13 * 13 - 9 * 9 * 9]
    );
}

#[test]
fn nested_and_overlapping_shells() {
    let sphere = generate::sphere(1).unwrap();
    let scaled = |s: f64, x: f64| moved(&sphere, |v| [v[0] * s + x, v[1] * s, v[2] * s]);
    for (what, mesh) in [
        (
            "cavity",
            together([sphere.clone(), inverted(&scaled(0.5, 0.0))]),
        ),
        (
            "nested",
            together([sphere.clone(), scaled(0.75, 0.0), scaled(0.5, 0.1)]),
        ),
        (
            "overlap",
            together([
                sphere.clone(),
                scaled(1.0, 0.5),
                inverted(&scaled(0.6, 0.3)),
            ]),
        ),
        ("twice", together([sphere.clone(), sphere.clone()])),
        ("cancelled", together([sphere.clone(), inverted(&sphere)])),
    ] {
        check(what, &mesh, &random_points(&mesh, 150, 11));
        check(what, &mesh, &lattice(-1.0, 1.5, 0.25));
        check_grid(what, &mesh, [0, 1, 2].map(|_| axis(-1.0, 1.5, 0.25)));
    }
}

/// A body of long thin triangles: two fans over a circle, one with its apex far away.
fn needle(sides: u32, length: f64) -> TriMesh {
    let mut vertices = vec![[0.0, 0.0, -1e-3], [0.3 * length, 0.2 * length, length]];
    for i in 0..sides {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(sides);
        vertices.push([angle.cos(), angle.sin(), 0.0]);
    }
    let mut faces = Vec::new();
    for i in 0..sides {
        let (a, b) = (2 + i, 2 + (i + 1) % sides);
        faces.extend([[a, b, 1], [b, a, 0]]);
    }
    let vertices = vertices.into_iter().map(flushed).collect();
    TriMesh::new(vertices, faces).expect("a needle")
}

#[test]
fn slivers() {
    for length in [10.0, 1e4, 1e8] {
        let mesh = needle(40, length);
        let mut points = critical_points(&mesh, 7, &[1e-3, 1e-12]);
        points.extend(random_points(&mesh, 100, 5));
        let mut random = Random::new(3);
        points.extend((0..200).map(|_| -> [f64; 3] {
            let t = random.unit();
            let r = 1.3 * (1.0 - t);
            let [x, y] = [0, 1].map(|_| r * (2.0 * random.unit() - 1.0));
            [x + 0.3 * length * t, y + 0.2 * length * t, t * length]
        }));
        let [_, inside, outside] = check("needle", &mesh, &points);
        assert!(inside > 20 && outside > 20, "{inside} {outside}");
        check_grid(
            "needle",
            &mesh,
            [
                axis(-2.0, 4.0, 0.5),
                axis(-1.0, 3.0, 0.5),
                axis(-1.0, 9.0, 0.5),
            ],
        );
    }
}

#[test]
fn many_triangles_in_one_cell() {
    let mesh = needle(300, 4.0);
    let apex = mesh.vertices()[1];
    let mut points = critical_points(&mesh, 101, &[1e-9]);
    let mut random = Random::new(21);
    points.extend((0..60).map(|n| {
        let reach = if n % 2 == 0 { 0.05 } else { 1e-6 };
        apex.map(|x| x + reach * (2.0 * random.unit() - 1.0))
    }));
    points.push(apex);
    let [on, _, outside] = check("cone", &mesh, &points);
    assert!(on > 3 && outside > 20, "{on} {outside}");
}

#[test]
fn tiny_and_huge_bodies() {
    let sphere = generate::sphere(1).unwrap();
    for exponent in [-299, -297, -280, -120, 120, 199] {
        let scale = 2f64.powi(exponent);
        let mesh = moved(&sphere, |v| v.map(|x| x * scale));
        let points: Vec<_> = lattice(-1.0, 1.0, 0.25)
            .into_iter()
            .map(|p| flushed(p.map(|x| x * scale)))
            .collect();
        check("sphere", &mesh, &points);
    }
}

#[test]
fn triangles_without_area() {
    // A tetrahedron whose edge 0-1 is split on one side only: a triangle without
    // area closes the gap. And one that is a point.
    let vertices = vec![
        [0.0; 3],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, 0.0, 2.0],
        [1.0, 0.0, 0.0],
        [0.5, 0.5, 0.5],
    ];
    let faces = vec![
        [0, 2, 4],
        [4, 2, 1],
        [0, 4, 1],
        [0, 1, 3],
        [1, 2, 3],
        [2, 0, 3],
        [5, 5, 5],
    ];
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let [on, inside, _] = check("tetrahedron", &mesh, &lattice(-0.5, 2.5, 0.25));
    assert!(on > 100 && inside > 10, "{on} {inside}");
    check_grid(
        "tetrahedron",
        &mesh,
        [0, 1, 2].map(|_| axis(-0.5, 2.5, 0.25)),
    );
}

#[test]
fn tetrahedra_on_a_small_lattice() {
    let mut random = Random::new(99);
    for round in 0..40 {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for n in 0..1 + round % 4 {
            let first = 4 * n as u32;
            for _ in 0..4 {
                vertices.push([0, 1, 2].map(|_| random.below(5) as f64));
            }
            faces.extend(
                [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
                    .map(|f: [u32; 3]| f.map(|v| v + first)),
            );
        }
        let Ok(mesh) = TriMesh::new(vertices, faces) else {
            continue;
        };
        let half = random.below(2) == 0;
        let points = if half {
            lattice(-0.5, 4.5, 0.5)
        } else {
            lattice(0.0, 4.0, 1.0)
        };
        check("tetrahedra", &mesh, &points);
        check_grid("tetrahedra", &mesh, [0, 1, 2].map(|_| axis(-0.5, 4.5, 0.5)));
    }
}

#[test]
fn bodies_of_a_few_thousand_places() {
    // So far away that coordinates are a few thousand multiples of their last place: some
    // centres of cells lie on faces, and other references are needed.
    let sponge = generate::sponge(1).unwrap();
    for unit in [97.0, 256.0, 331.0, 500.0, 1023.0] {
        let place = |x: f64| (x * unit + 1_048_575.0 * 4_294_967_296.0) / 4096.0;
        let mesh = moved(&sponge, |v| v.map(place));
        let mut points: Vec<_> = lattice(-0.5, 3.5, 0.5)
            .into_iter()
            .map(|p| p.map(place))
            .collect();
        points.extend(random_points(&mesh, 200, 17));
        check_more("far sponge", &mesh, &points, [50, 20, 20]);
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let mesh = generate::foam(20_000, 5).unwrap();
    let grid = Grid::around(&mesh.bounds(), 40).unwrap();
    let points = grid.points();
    assert_same_on_threads(&[1, 2, 3, 8], || {
        let mut test = cells(&mesh, InsideRule::Nonzero).unwrap();
        let (mut sides, mut columns) = (Vec::new(), Vec::new());
        test.classify(&points, &mut sides).unwrap();
        test.classify_grid(&grid, &mut columns).unwrap();
        assert_eq!(sides, columns);
        (sides, test.bytes(), test.reason())
    });
}

#[test]
fn invalid_points_are_rejected() {
    let mut test = cells(&generate::sphere(3).unwrap(), InsideRule::Nonzero).unwrap();
    let mut points = vec![[0.1; 3]; 3000];
    let mut sides = Vec::new();
    test.classify(&points, &mut sides).unwrap();
    assert_eq!(sides, vec![Side::Inside; 3000]);
    for bad in [f64::NAN, f64::INFINITY, -1e300, 1e-300] {
        points[2777][1] = bad;
        let error = test.classify(&points, &mut sides).unwrap_err().to_string();
        assert!(error.contains("point 2777"), "{error}");
        assert!(sides.is_empty());
    }
    let far = [[1e60, 0.0, 0.0], [0.0, -1e60, 1.0], [-1e60; 3]];
    test.classify(&far, &mut sides).unwrap();
    assert_eq!(sides, [Side::Outside; 3]);
    test.classify(&[], &mut sides).unwrap();
    assert!(sides.is_empty());
}

#[test]
fn open_surfaces_are_refused() {
    let sphere = generate::sphere(2).unwrap();
    let open = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[1..].to_vec()).unwrap();
    assert!(cells(&open, InsideRule::Nonzero).is_err());
    let mut test = Cells::new(InsideSettings {
        insist: true,
        ..InsideSettings::default()
    })
    .unwrap();
    test.update(&open).unwrap();
    let mut sides = Vec::new();
    test.classify(&[[0.0; 3]], &mut sides).unwrap();
    assert_eq!((sides.len(), test.confidence()), (1, 0.0));
}

/// With `grids_only` no cells are built, and all answers are the same.
#[test]
fn grids_alone_need_no_cells() {
    let meshes = [generate::sponge(1).unwrap(), generate::sphere(3).unwrap()];
    for mesh in &meshes {
        let grid = Grid::around(&mesh.bounds(), 18).unwrap();
        let mut points = grid.points();
        points.extend_from_slice(mesh.vertices());
        for rule in InsideRule::ALL {
            let settings = InsideSettings {
                rule,
                points: Some(grid.len()),
                grids_only: true,
                ..InsideSettings::default()
            };
            let mut whole = cells(mesh, rule).unwrap();
            let (mut expected, mut sides) = (Vec::new(), Vec::new());
            let (mut windings, mut found) = (Vec::new(), Vec::new());
            whole.classify(&points, &mut expected).unwrap();
            whole.winding(&points, &mut windings).unwrap();
            let mut bare = Cells::new(settings).unwrap();
            let mut auto = Auto::new(settings).unwrap();
            for test in [&mut bare as &mut dyn InsideTest, &mut auto] {
                test.update(mesh).unwrap();
                test.classify_grid(&grid, &mut sides).unwrap();
                assert_eq!(sides, expected[..grid.len()]);
                test.classify(&points, &mut sides).unwrap();
                assert_eq!(sides, expected);
                test.winding(&points, &mut found).unwrap();
                assert_eq!(found, windings);
                assert_eq!(test.method(), "cells");
                assert!(test.reason().contains("columns"), "{}", test.reason());
                assert!(test.classify(&[[f64::NAN; 3]], &mut sides).is_err());
                assert!(sides.is_empty());
            }
            assert!(bare.bytes() < whole.bytes());
        }
    }
}

/// Winding numbers too large to store in cells, and cells that have no list.
#[test]
fn many_shells_on_top_of_each_other() {
    let shell = generate::sphere(0).unwrap();
    for copies in [40, 127, 520] {
        let faces = shell.faces().repeat(copies);
        let mesh = TriMesh::new(shell.vertices().to_vec(), faces).unwrap();
        let points = Grid::around(&mesh.bounds(), 9).unwrap().points();
        let mut test = cells(&mesh, InsideRule::Nonzero).unwrap();
        let mut once = cells(&shell, InsideRule::Nonzero).unwrap();
        let (mut sides, mut expected) = (Vec::new(), Vec::new());
        test.classify(&points, &mut sides).unwrap();
        once.classify(&points, &mut expected).unwrap();
        assert_eq!(sides, expected);
        let mut windings = Vec::new();
        test.winding(&points, &mut windings).unwrap();
        for (winding, side) in windings.iter().zip(&expected) {
            match side {
                Side::Inside => assert_eq!(*winding, copies as f64),
                Side::Outside => assert_eq!(*winding, 0.0),
                Side::OnSurface => {}
            }
        }
    }
}
