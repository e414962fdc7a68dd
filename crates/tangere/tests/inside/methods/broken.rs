//! Surfaces with defects: inside rules, and winding numbers with their confidence.

use super::{inverted, methods, settings};
use tangere::generate;
use tangere::inside::Method;
use tangere::inside::{Grid, Inside, InsideRule, InsideSettings, InsideTest, Layer, Side};
use tangere::shape::TriMesh;
use test_support::surfaces::together;

fn sphere(radius: f64, x: f64) -> TriMesh {
    let sphere = generate::sphere(2).expect("a sphere");
    let place = |v: &[f64; 3]| [radius * v[0] + x, radius * v[1], radius * v[2]];
    let vertices = sphere.vertices().iter().map(place).collect();
    TriMesh::new(vertices, sphere.faces().to_vec()).expect("a sphere")
}

#[test]
fn rules_for_several_shells() {
    use Side::{Inside, Outside};
    // In both, in the outer or left one only, in none.
    let points = [[0.0; 3], [-0.75, 0.0, 0.0], [3.0, 0.0, 0.0]];
    let (outer, inner) = (sphere(1.0, 0.0), sphere(0.5, 0.0));
    let cases = [
        (
            "nested",
            together([outer.clone(), inner.clone()]),
            [Inside, Inside, Outside],
            [Outside, Inside, Outside],
        ),
        (
            "cavity",
            together([outer.clone(), inverted(&inner)]),
            [Outside, Inside, Outside],
            [Outside, Inside, Outside],
        ),
        (
            "overlapping",
            together([outer.clone(), sphere(1.0, 0.5)]),
            [Inside, Inside, Outside],
            [Outside, Inside, Outside],
        ),
        (
            "inverted",
            inverted(&outer),
            [Inside, Inside, Outside],
            [Inside, Inside, Outside],
        ),
        (
            "duplicated",
            together([outer.clone(), outer.clone()]),
            [Inside, Inside, Outside],
            [Outside, Outside, Outside],
        ),
        (
            "opposed",
            together([outer.clone(), inverted(&outer)]),
            [Outside, Outside, Outside],
            [Outside, Outside, Outside],
        ),
    ];
    for (name, mesh, nonzero, parity) in cases {
        for (rule, expected) in [(InsideRule::Nonzero, nonzero), (InsideRule::Parity, parity)] {
            for mut test in methods(settings(rule)) {
                let mut sides = Vec::new();
                test.update(&mesh).unwrap();
                test.classify(&points, &mut sides).unwrap();
                assert_eq!(sides, expected, "{name}, {rule}, {}", test.method());
                assert_eq!(test.confidence(), 1.0);
            }
        }
    }
}

/// With every twentieth face inverted, parity is not affected; the nonzero rule uses the winding
/// number, whose confidence is low where the side is wrong.
#[test]
fn flipped_faces() {
    let sphere = generate::sphere(3).unwrap();
    let faces = (0..).zip(sphere.faces());
    let faces = faces.map(|(i, &[a, b, c])| if i % 20 == 7 { [a, c, b] } else { [a, b, c] });
    let flipped = TriMesh::new(sphere.vertices().to_vec(), faces.collect()).unwrap();
    compare(&sphere, &flipped, InsideRule::Nonzero, 10);
    // Also just beneath and above every face, where an inverted one fills half the view.
    let mut points = Grid::around(&sphere.bounds(), 10).unwrap().points();
    for f in 0..sphere.faces().len() {
        let [a, b, c] = sphere.triangle(f);
        for share in [0.33, 0.335] {
            points.push([0, 1, 2].map(|k| share * (a[k] + b[k] + c[k])));
        }
    }
    for mut test in methods(settings(InsideRule::Parity)) {
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        test.update(&sphere).unwrap();
        test.classify(&points, &mut expected).unwrap();
        test.update(&flipped).unwrap();
        test.classify(&points, &mut found).unwrap();
        assert!(found == expected, "{}", test.method());
        assert_eq!(test.confidence(), 1.0, "{}", test.method());
    }
    let mut auto = Inside::new(settings(InsideRule::Parity)).unwrap();
    auto.update(&flipped).unwrap();
    assert_ne!(auto.method(), "layer");
}

#[test]
fn holes() {
    let sphere = generate::sphere(3).unwrap();
    let holey: Vec<[u32; 3]> = sphere.faces().iter().copied().skip(9).collect();
    let holey = TriMesh::new(sphere.vertices().to_vec(), holey).unwrap();
    for rule in InsideRule::ALL {
        compare(&sphere, &holey, rule, 1);
    }
}

/// `auto` classifies a broken surface by its winding numbers, and has little confidence where it
/// differs from the sound one.
fn compare(sound: &TriMesh, broken: &TriMesh, rule: InsideRule, wrong_at_most: usize) {
    let points = Grid::around(&sound.bounds(), 10).expect("a grid").points();
    let mut test = Inside::new(settings(rule)).expect("sound settings");
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    test.update(sound).expect("sound");
    test.classify(&points, &mut expected).expect("valid");
    test.update(broken).expect("auto takes what is broken");
    test.classify(&points, &mut found).expect("valid");
    assert!(test.confidence() < 1.0, "{}", test.confidence());
    let mut sure = Vec::new();
    test.confidences(&points, &mut sure).expect("valid");
    let least = sure.iter().copied().fold(1.0, f64::min);
    assert_eq!(least, test.confidence());
    let mut wrong = 0;
    for i in 0..points.len() {
        if found[i] != expected[i] {
            wrong += 1;
            assert!(sure[i] < 0.5, "{:?}: {}", points[i], sure[i]);
        }
    }
    assert!(wrong <= wrong_at_most, "{wrong} wrong");
    // The middle is far from any defect.
    assert!(sure.iter().any(|&sure| sure > 0.8));
    let mut layer = Layer::new(settings(rule)).expect("sound settings");
    let mut windings = Vec::new();
    layer.update(broken).expect("any surface");
    layer.winding(&points, &mut windings).expect("valid");
    for (side, w) in found.iter().zip(windings) {
        let inside = match rule {
            InsideRule::Nonzero => w.abs() > 0.5,
            InsideRule::Parity => w.round() as i64 & 1 == 1,
        };
        assert_eq!(*side == Side::Inside, inside);
    }
}

/// On a broken surface, too, points on a triangle are on the surface.
#[test]
fn surfaces_are_found_on_broken_ones() {
    let sphere = generate::sphere(2).unwrap();
    let holey = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[5..].to_vec()).unwrap();
    let mut test = Inside::new(InsideSettings::default()).unwrap();
    test.update(&holey).unwrap();
    let points: Vec<[f64; 3]> = (0..holey.faces().len())
        .map(|f| holey.triangle(f)[1])
        .collect();
    let mut sides = Vec::new();
    test.classify(&points, &mut sides).unwrap();
    assert!(sides.iter().all(|&side| side == Side::OnSurface));
}

/// With inconsistently oriented triangles ray parity still gives sides, but not winding numbers:
/// these are sums of solid angles then, within their bound.
#[test]
fn windings_of_what_is_tight_by_parity_alone() {
    let whole = sphere(1.0, 0.0);
    let turn = |(k, f): (usize, &[u32; 3])| if k % 9 == 0 { [f[1], f[0], f[2]] } else { *f };
    let faces = whole.faces().iter().enumerate().map(turn).collect();
    let turned = TriMesh::new(whole.vertices().to_vec(), faces).unwrap();
    let points = [[0.0; 3], [0.3, 0.4, 0.5], [0.9, 0.2, 0.1], [2.0, 0.0, 0.0]];
    let settings = settings(InsideRule::Parity);
    let mut angles = Vec::new();
    let mut layer = Layer::new(settings).unwrap();
    layer.update(&turned).unwrap();
    layer.winding(&points, &mut angles).unwrap();
    for method in [Method::Ray, Method::Cells, Method::Auto] {
        let mut test = Inside::new(settings.with_method(method)).unwrap();
        let mut windings = Vec::new();
        test.update(&turned).unwrap();
        test.winding(&points, &mut windings).unwrap();
        for (w, a) in windings.iter().zip(&angles) {
            assert!(
                (w - a).abs() <= test.bound() + layer.bound(),
                "{method}: {w} {a}"
            );
        }
    }
}
