//! The fast multipole method against solid angles summed one by one, and against exact crossings:
//! no error exceeds its stated bound.

use tangere::geometry::{Aabb, Pose, Similarity};
use tangere::inside::{
    InsideRule, InsideSettings, InsideTest, Layer, Multipole, MultipoleSettings, MultipoleTrees,
    Side, exact,
};
use tangere::shape::TriMesh;
use tangere::{Error, generate};
use test_support::Random;

fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.unit()).collect()
}

/// Points in a box a little larger than that of a mesh.
fn points_around(mesh: &TriMesh, count: usize, seed: u64) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds();
    let (center, extent) = (bounds.center(), bounds.extent());
    let numbers = numbers(3 * count, seed);
    numbers
        .chunks(3)
        .map(|x| std::array::from_fn(|k| center[k] + 1.3 * extent[k] * (x[k] - 0.5)))
        .collect()
}

/// Corners, middles of edges and faces of a mesh, and points a little off them.
fn special_points(mesh: &TriMesh) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for face in (0..mesh.faces().len()).step_by(mesh.faces().len() / 20) {
        let [a, b, c] = mesh.triangle(face);
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (a[k] + b[k]));
        let third: [f64; 3] = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        for p in [a, middle, third] {
            points.push(p);
            for step in [1e-3, 1e-7, 1e-12, 1e-15] {
                points.push(p.map(|x| x * (1.0 + step)));
                points.push(p.map(|x| x * (1.0 - step)));
            }
        }
    }
    points
}

fn meshes() -> Vec<(&'static str, TriMesh)> {
    let sphere = generate::sphere(4).expect("a sphere");
    let knot = generate::knot(1500).expect("a knot");
    let sponge = generate::sponge(1).expect("a sponge");
    let (vertices, faces) = sphere.clone().into_parts();
    let holes = faces.iter().copied().enumerate();
    let holes = holes.filter(|(i, _)| i % 17 != 3).map(|(_, face)| face);
    let turned = faces
        .iter()
        .enumerate()
        .map(|(i, &[a, b, c])| match i % 20 {
            0 => [a, c, b],
            _ => [a, b, c],
        });
    let holes = TriMesh::new(vertices.clone(), holes.collect()).expect("a mesh");
    let scattered = faces.iter().copied().step_by(2).collect();
    let scattered = TriMesh::new(vertices.clone(), scattered).expect("a mesh");
    let turned = TriMesh::new(vertices, turned.collect()).expect("a mesh");
    vec![
        ("sphere", sphere),
        ("knot", knot),
        ("sponge", sponge),
        ("holes", holes),
        ("turned", turned),
        ("scattered", scattered),
    ]
}

fn is_closed(name: &str) -> bool {
    !["holes", "turned", "scattered"].contains(&name)
}

/// Winding numbers summed triangle by triangle.
fn summed(mesh: &TriMesh, points: &[[f64; 3]]) -> (Vec<f64>, f64) {
    let mut layer = Layer::new(InsideSettings::default()).expect("settings");
    let mut out = Vec::new();
    layer.update(mesh).expect("a surface");
    layer.winding(points, &mut out).expect("points");
    (out, layer.bound())
}

#[test]
fn winding_numbers_are_within_their_bound() {
    for (name, mesh) in meshes() {
        let points = points_around(&mesh, 800, 3);
        let (expected, rounding) = summed(&mesh, &points);
        for accuracy in [0.3, 1e-2, 1e-4, 1e-6, 1e-9] {
            let settings = InsideSettings {
                accuracy,
                ..InsideSettings::default()
            };
            let mut test = Multipole::new(settings).unwrap();
            let mut out = Vec::new();
            test.update(&mesh).unwrap();
            test.winding(&points, &mut out).unwrap();
            assert!(
                test.bound() <= accuracy + 1e-9,
                "{name}: {:e}",
                test.bound()
            );
            assert!(!is_closed(name) || test.bound() == 0.0);
            for (p, (found, expected)) in points.iter().zip(out.iter().zip(&expected)) {
                let error = (found - expected).abs();
                assert!(
                    error <= test.bound() + rounding,
                    "{name} to {accuracy:e} at {p:?}: {found} instead of {expected}"
                );
            }
        }
    }
}

/// A surface with few holes is closed for the sum; points in a hole, on its boundary and beside it
/// are classified as if it were not closed.
#[test]
fn holes_stay_holes() {
    let sphere = generate::sphere(4).unwrap();
    let (vertices, faces) = sphere.clone().into_parts();
    let kept = faces[8..].to_vec();
    let open = TriMesh::new(vertices, kept).unwrap();
    let mut points = Vec::new();
    for face in 0..12 {
        let [a, b, c] = sphere.triangle(face);
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (a[k] + b[k]));
        let third: [f64; 3] = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        for p in [a, middle, third] {
            for step in [0.0, 1e-2, 1e-5, 1e-9, 1e-14] {
                points.extend([1.0 + step, 1.0 - step].map(|s| p.map(|x| s * x)));
            }
        }
    }
    let settings = InsideSettings {
        accuracy: 1e-8,
        ..InsideSettings::default()
    };
    let mut test = Multipole::new(settings).unwrap();
    test.update(&open).unwrap();
    assert!(test.reason().contains("closed by"), "{}", test.reason());
    let mut in_between = 0;
    for &p in &points {
        let mut out = Vec::new();
        test.winding(&[p], &mut out).unwrap();
        let (expected, rounding) = summed(&open, &[p]);
        let error = (out[0] - expected[0]).abs();
        assert!(error <= test.bound() + rounding, "{p:?}: {error:e}");
        assert!(
            test.bound() <= 2e-8 + 4.0 * rounding,
            "{p:?}: {:e}",
            test.bound()
        );
        in_between += usize::from((out[0] - 0.5).abs() < 0.3);
    }
    assert!(in_between > 50, "{in_between}");
}

/// Combinations of every degree with every depth: all for each mesh, or a third of them for each
/// mesh, such that each mesh has every degree and every depth.
fn check_trees_of_the_paper(is_long: bool) {
    for (m, (name, mesh)) in meshes().into_iter().enumerate() {
        let points = points_around(&mesh, 200, 5);
        let (expected, rounding) = summed(&mesh, &points);
        for (i, degree) in [2, 5, 12].into_iter().enumerate() {
            for (j, depth) in [0, 2, 3].into_iter().enumerate() {
                if !is_long && (m + i + j) % 3 != 0 {
                    continue;
                }
                for separation in [1.2, 2.0] {
                    let choices = MultipoleSettings {
                        trees: MultipoleTrees::Depth(depth),
                        degree: Some(degree),
                        separation,
                        ..MultipoleSettings::default()
                    };
                    let mut test =
                        Multipole::with(InsideSettings::default(), choices).expect("valid");
                    let mut out = Vec::new();
                    test.update(&mesh).expect("valid");
                    assert_eq!((test.depth(), test.degree()), (Some(depth), Some(degree)));
                    test.winding(&points, &mut out).expect("valid");
                    let worst = out
                        .iter()
                        .zip(&expected)
                        .fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
                    assert!(
                        worst <= test.bound() + rounding,
                        "{name}, degree {degree}, depth {depth}: {worst:e} {:e}",
                        test.bound()
                    );
                    // The bound is useful.
                    assert!(test.bound() < 1e3 / separation.powi(degree as i32));
                }
            }
        }
    }
}

#[test]
fn the_trees_of_the_paper_are_within_their_bound() {
    check_trees_of_the_paper(false);
}

#[test]
#[ignore = "a quarter of a minute"]
fn all_trees_of_the_paper_are_within_their_bound() {
    check_trees_of_the_paper(true);
}

#[test]
fn depths_are_chosen() {
    let mesh = generate::sphere(3).unwrap();
    let points = points_around(&mesh, 200, 9);
    let (expected, _) = summed(&mesh, &points);
    let mut depths = Vec::new();
    for trees in [
        MultipoleTrees::WellChosen { points: 10 },
        MultipoleTrees::WellChosen { points: 10_000_000 },
        MultipoleTrees::PreChosen,
    ] {
        let bounds = mesh.bounds();
        for domain in [
            None,
            Some(bounds.expanded(9.0)),
            Some(Aabb::new([0.1, 0.2, 0.3], [0.9, 0.8, 1.0]).unwrap()),
        ] {
            let choices = MultipoleSettings {
                trees,
                domain,
                ..MultipoleSettings::default()
            };
            let mut test = Multipole::with(InsideSettings::default(), choices).unwrap();
            let mut out = Vec::new();
            test.update(&mesh).unwrap();
            test.winding(&points, &mut out).unwrap();
            for (found, expected) in out.iter().zip(&expected) {
                assert!((found - expected).abs() <= test.bound() + 1e-9, "{trees:?}");
            }
            assert!(test.bound() < 0.25, "{trees:?} {}", test.bound());
            depths.push(test.depth());
        }
    }
    assert!(depths[0] < depths[3], "{depths:?}");
}

#[test]
fn sides_are_exact_on_and_beside_the_surface() {
    let rotation = "0,0,0,0.3,0.5,-0.4,0.7071067811865476";
    let turned: Pose = rotation.parse().unwrap();
    let offset = Pose::from_translation([131072.0, -3.0, 77.7]).unwrap();
    for (name, mesh) in meshes().into_iter().filter(|(name, _)| is_closed(name)) {
        for pose in [Pose::identity(), turned, offset] {
            let mesh = mesh.transformed(&Similarity::from(pose)).unwrap();
            let mut points = special_points(&mesh);
            points.extend(points_around(&mesh, 500, 11));
            let expected = exact::windings(&points, &mesh);
            for trees in [MultipoleTrees::Adaptive, MultipoleTrees::PreChosen] {
                for rule in InsideRule::ALL {
                    let settings = InsideSettings {
                        rule,
                        ..InsideSettings::default()
                    };
                    let choices = MultipoleSettings {
                        trees,
                        ..MultipoleSettings::default()
                    };
                    let mut test = Multipole::with(settings, choices).unwrap();
                    let mut sides = Vec::new();
                    test.update(&mesh).unwrap();
                    test.classify(&points, &mut sides).unwrap();
                    assert_eq!(test.confidence(), 1.0);
                    for (p, (side, winding)) in points.iter().zip(sides.iter().zip(&expected)) {
                        let expected = winding.map_or(Side::OnSurface, |w| rule.side(w));
                        assert_eq!(*side, expected, "{name} {trees:?} {rule} at {p:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn on_the_surface_the_winding_number_is_the_angle_inside() {
    let mesh = generate::sphere(0).unwrap();
    let edge = (-1.0f64 / 3.0).acos() / std::f64::consts::TAU;
    let corner = (1.0f64 / 3.0).asin() / std::f64::consts::PI;
    let points = [
        [0.25, 0.25, 0.5],
        [0.5, 0.5, 0.0],
        [0.0, 0.0, 1.0],
        [1e30, 0.0, 0.0],
        [1e60, 1e60, -1e60],
    ];
    let mut test = Multipole::new(InsideSettings::default()).unwrap();
    let mut out = Vec::new();
    test.update(&mesh).unwrap();
    test.winding(&points, &mut out).unwrap();
    for (found, expected) in out.iter().zip([0.5, edge, corner, 0.0, 0.0]) {
        assert!(
            (found - expected).abs() <= test.bound(),
            "{found} {expected}"
        );
    }
    assert!(test.bound() < 1e-6);
}

/// The vertices and faces of the sphere of level 3.
fn parts() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    generate::sphere(3).expect("a sphere").into_parts()
}

/// Winding numbers must match sums of solid angles, and sides their nearest integers.
fn check_against_layer(what: &str, mesh: &TriMesh, points: &[[f64; 3]]) {
    let (expected, rounding) = summed(mesh, points);
    let mut test = Multipole::new(InsideSettings::default()).expect("settings");
    let (mut windings, mut sides) = (Vec::new(), Vec::new());
    test.update(mesh).expect("a surface");
    test.winding(points, &mut windings).expect("points");
    let bound = test.bound();
    assert!(bound <= 2e-6 + 2.0 * rounding, "{what}: {bound:e}");
    test.classify(points, &mut sides).expect("points");
    for (i, (found, expected)) in windings.iter().zip(&expected).enumerate() {
        let p = points[i];
        // NaN is wrong, too.
        let is_near = (found - expected).abs() <= bound + rounding;
        assert!(is_near, "{what} at {p:?}: {found} instead of {expected}");
        if sides[i] != Side::OnSurface && (expected.abs() - 0.5).abs() > 1e-3 {
            let inside = expected.abs() > 0.5;
            assert_eq!(sides[i] == Side::Inside, inside, "{what} at {p:?}");
        }
    }
}

/// Sizes of triangles and distances differ by many orders of magnitude: products of complex numbers
/// neither vanish nor overflow.
#[test]
fn sizes_of_all_orders_together() {
    let (vertices, faces) = parts();
    let count = vertices.len() as u32;
    let both = |scale: f64, first: usize| {
        let small = vertices.iter().map(|v| v.map(|x| x * scale));
        let large = vertices.iter().map(|v| v.map(|x| x + 3.0));
        let shifted = faces.iter().map(|face| face.map(|v| v + count));
        let kept = faces[first..].iter().copied().chain(shifted).collect();
        TriMesh::new(small.chain(large).collect(), kept).expect("two spheres")
    };
    for scale in [1e-6, 1e-13, 1e-25, 1e-40] {
        for first in [0, 1] {
            let mesh = both(scale, first);
            for within in [0.5, 0.99, 1.01, 2.0, 1e3] {
                let points: Vec<[f64; 3]> = vertices
                    .iter()
                    .map(|v| v.map(|x| x * within * scale))
                    .collect();
                check_against_layer(&format!("{scale:e} {first} {within}"), &mesh, &points);
            }
        }
    }
    // All but one triangle of the small sphere: inside, as much as without the large one.
    let points: Vec<[f64; 3]> = vertices.iter().map(|v| v.map(|x| x * 0.5e-13)).collect();
    let mut test = Multipole::new(InsideSettings::default()).unwrap();
    let mut sides = Vec::new();
    test.update(&both(1e-13, 1)).unwrap();
    test.classify(&points, &mut sides).unwrap();
    assert!(sides.iter().all(|&side| side == Side::Inside));
    for far in [1e7, 1e14, 1e30] {
        let mut moved = vertices.clone();
        moved[100] = moved[100].map(|x| x * far);
        let mesh = TriMesh::new(moved, faces[1..].to_vec()).unwrap();
        let points: Vec<[f64; 3]> = vertices.iter().map(|v| v.map(|x| 0.5 * x)).collect();
        check_against_layer(&format!("a vertex at {far:e}"), &mesh, &points);
    }
}

#[test]
fn points_far_away() {
    let (vertices, faces) = parts();
    let open = TriMesh::new(vertices, faces[1..].to_vec()).unwrap();
    for far in [1e3, 1e9, 1e20, 1e28, 1e45] {
        let points = [[far, 0.3, 0.0], [0.0; 3], [0.5, 0.1, 0.2], [0.0, far, -far]];
        check_against_layer(&format!("{far:e}"), &open, &points);
    }
}

/// A mesh with coordinates rounded so coarsely that many triangles have no area and some are a
/// point.
#[test]
fn triangles_that_are_a_point() {
    let (vertices, faces) = parts();
    for cells in [1.0, 2.0, 3.0] {
        let rounded: Vec<[f64; 3]> = vertices
            .iter()
            .map(|v| v.map(|x| (x * cells).round() + 0.0))
            .collect();
        for first in [0, 1] {
            let mesh = TriMesh::new(rounded.clone(), faces[first..].to_vec()).unwrap();
            check_against_layer(&format!("{cells} cells"), &mesh, &rounded);
            let mut test = Multipole::new(InsideSettings::default()).unwrap();
            let mut sides = Vec::new();
            test.update(&mesh).unwrap();
            test.classify(&rounded, &mut sides).unwrap();
            assert!(sides.iter().all(|&side| side == Side::OnSurface));
        }
    }
}

#[test]
fn answers_do_not_depend_on_threads() {
    let trees = [MultipoleTrees::Adaptive, MultipoleTrees::PreChosen];
    let meshes = meshes();
    let cases = trees
        .iter()
        .flat_map(|trees| meshes.iter().map(move |mesh| (trees, mesh)));
    for (&trees, (_, mesh)) in cases {
        let points = points_around(mesh, 9_000, 17);
        let answers = [1, 2, 5, 16].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let settings = InsideSettings {
                    accuracy: 1e-2,
                    ..InsideSettings::default()
                };
                let choices = MultipoleSettings {
                    trees,
                    ..MultipoleSettings::default()
                };
                let mut test = Multipole::with(settings, choices).unwrap();
                let mut out = Vec::new();
                test.update(mesh).unwrap();
                test.winding(&points, &mut out).unwrap();
                let bits: Vec<u64> = out.iter().map(|x| x.to_bits()).collect();
                (bits, test.bound().to_bits())
            })
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }
}

#[test]
fn earlier_calls_do_not_matter() {
    let [(_, sphere), (_, knot), ..] = &meshes()[..] else {
        panic!("meshes");
    };
    let points = points_around(knot, 3000, 23);
    let mut test = Multipole::new(InsideSettings::default()).unwrap();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    test.update(knot).unwrap();
    test.winding(&points, &mut first).unwrap();
    test.update(sphere).unwrap();
    test.winding(&points, &mut second).unwrap();
    assert_ne!(first, second);
    test.winding(&points[..7], &mut second).unwrap();
    test.update(knot).unwrap();
    test.winding(&points, &mut second).unwrap();
    assert_eq!(first, second);
}

#[test]
fn bad_input_is_refused() {
    let settings = InsideSettings::default();
    let with = |choices: MultipoleSettings| Multipole::with(settings, choices).map(|_| ());
    let choices = MultipoleSettings::default();
    for (choices, words) in [
        (
            MultipoleSettings {
                degree: Some(MultipoleSettings::DEGREE_MAX + 1),
                ..choices
            },
            "factorials overflow",
        ),
        (
            MultipoleSettings {
                degree: Some(0),
                ..choices
            },
            "1 to 30",
        ),
        (
            MultipoleSettings {
                leaf: Some(0),
                ..choices
            },
            "at least 1",
        ),
        (
            MultipoleSettings {
                separation: f64::NAN,
                ..choices
            },
            "above 1",
        ),
        (
            MultipoleSettings {
                trees: MultipoleTrees::Depth(99),
                ..choices
            },
            "at most 21",
        ),
    ] {
        let error = with(choices).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let mut test = Multipole::new(settings).unwrap();
    let mut out = vec![1.0];
    assert!(test.winding(&[[0.0; 3]], &mut out).is_err());
    test.update(&generate::sphere(1).unwrap()).unwrap();
    let bad = [[0.0; 3], [0.0, f64::NAN, 0.0]];
    let error = test.winding(&bad, &mut out).unwrap_err();
    assert!(matches!(error, Error::Item { index: 1, .. }), "{error}");
    assert!(out.is_empty());
    test.winding(&[], &mut out).unwrap();
    assert!(out.is_empty());
    let accuracy = InsideSettings {
        accuracy: 1.0,
        ..settings
    };
    assert!(Multipole::new(accuracy).is_err());
}

/// A depth that is too large is named as requested, though the trees have extra levels where the
/// domain is larger than the surface.
#[test]
fn too_large_a_depth_is_named_as_requested() {
    let choices = MultipoleSettings {
        trees: MultipoleTrees::Depth(16),
        domain: Some(Aabb {
            min: [-9.0; 3],
            max: [9.0; 3],
        }),
        ..MultipoleSettings::default()
    };
    let mut test = Multipole::with(InsideSettings::default(), choices).unwrap();
    let error = test.update(&generate::sphere(1).unwrap()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("found 16 with degree"), "{error}");
}
