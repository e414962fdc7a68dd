//! Invalid input of point containment.

use super::methods;
use tangere::generate;
use tangere::inside::{
    self, Inside, InsideSettings, InsideTest, Layer, Method, Ray, RayTree, Side,
};
use tangere::shape::TriMesh;

fn open_cube() -> TriMesh {
    let cube = generate::sponge(0).expect("a cube");
    let faces = cube.faces()[2..].to_vec();
    TriMesh::new(cube.vertices().to_vec(), faces).expect("a cube without a side")
}

#[test]
fn invalid_points_are_rejected() {
    let mesh = generate::sphere(1).unwrap();
    for mut test in methods(InsideSettings::default()) {
        test.update(&mesh).unwrap();
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e61, 1e-100] {
            let points = [[0.0; 3], [1.0, 2.0, 3.0], [0.5, bad, 0.0], [f64::NAN; 3]];
            let mut sides = vec![Side::Inside; 9];
            let error = test.classify(&points, &mut sides).unwrap_err().to_string();
            assert!(error.starts_with("point 2: found [0.5, "), "{error}");
            assert!(sides.is_empty());
            let mut windings = vec![1.0];
            let error = test
                .winding(&points, &mut windings)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("point 2: found [0.5, "), "{error}");
            assert!(windings.is_empty());
        }
        // The surface is still there.
        let mut sides = Vec::new();
        test.classify(&[[0.0; 3]], &mut sides).unwrap();
        assert_eq!(sides, [Side::Inside]);
    }
}

#[test]
fn calls_before_the_first_surface_fail() {
    for mut test in methods(InsideSettings::default()) {
        let error = test.classify(&[[0.0; 3]], &mut Vec::new()).unwrap_err();
        assert!(error.to_string().starts_with("mesh: found none"), "{error}");
        assert!(test.winding(&[[0.0; 3]], &mut Vec::new()).is_err());
    }
}

#[test]
fn invalid_accuracies_are_rejected() {
    for accuracy in [0.0, 1.0, -1e-6, 2.0, f64::NAN, f64::INFINITY] {
        let settings = InsideSettings {
            accuracy,
            ..InsideSettings::default()
        };
        for method in Method::ALL {
            let error = Inside::new(settings.with_method(method))
                .err()
                .map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.starts_with("accuracy: found"), "{method}: {error}");
        }
        assert!(Ray::new(settings).is_err());
    }
}

#[test]
fn open_surfaces_and_exact_methods() {
    let open = open_cube();
    let exact: [Box<dyn InsideTest>; 2] = [
        Box::new(Ray::new(InsideSettings::default()).unwrap()),
        Box::new(RayTree::new(InsideSettings::default()).unwrap()),
    ];
    for mut test in exact {
        // After a rejected surface the one before is not used.
        test.update(&generate::sphere(0).unwrap()).unwrap();
        let error = test.update(&open).unwrap_err().to_string();
        for part in ["mesh: found 4 boundary edges (", "-", "winding number"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(test.classify(&[[0.0; 3]], &mut Vec::new()).is_err());
    }
    let insist = InsideSettings {
        insist: true,
        ..InsideSettings::default()
    };
    let mut test = RayTree::new(insist).unwrap();
    test.update(&open).unwrap();
    let mut sides = Vec::new();
    test.classify(&[[0.0; 3]], &mut sides).unwrap();
    assert_eq!((sides.len(), test.confidence()), (1, 0.0));
    test.update(&generate::sphere(0).unwrap()).unwrap();
    assert_eq!(test.confidence(), 1.0);
    // Without a guarantee the bound is infinite.
    for method in [Method::Auto, Method::Ray, Method::Cells] {
        let mut test = Inside::new(insist.with_method(method)).unwrap();
        let mut windings = Vec::new();
        test.update(&open).unwrap();
        test.winding(&[[0.5; 3]], &mut windings).unwrap();
        assert_eq!((test.bound(), test.confidence()), (f64::INFINITY, 0.0));
        let reason = test.reason();
        assert!(!reason.contains("no leaks"), "{reason}");
        if method == Method::Auto {
            assert!(reason.contains("4 boundary edges"), "{reason}");
        }
        test.update(&generate::sphere(0).unwrap()).unwrap();
        test.winding(&[[0.1; 3]], &mut windings).unwrap();
        assert_eq!((test.bound(), test.confidence()), (0.0, 1.0));
    }
}

/// Triangle soups: corners repeated for each triangle, as in STL files.
#[test]
fn soups_whose_corners_coincide_are_closed() {
    let sphere = generate::sphere(1).unwrap();
    let vertices: Vec<[f64; 3]> = (0..sphere.faces().len())
        .flat_map(|f| sphere.triangle(f))
        .collect();
    let faces = (0..sphere.faces().len() as u32)
        .map(|f| [3 * f, 3 * f + 1, 3 * f + 2])
        .collect();
    let soup = TriMesh::new(vertices, faces).unwrap();
    assert!(!soup.report().closed);
    for mut test in methods(InsideSettings::default()) {
        test.update(&soup).unwrap();
        let mut sides = Vec::new();
        test.classify(&[[0.0; 3], [2.0; 3]], &mut sides).unwrap();
        assert_eq!(sides, [Side::Inside, Side::Outside]);
        assert_eq!(test.confidence(), 1.0);
    }
}

#[test]
fn layer_reports_leaks() {
    let mut test = Layer::new(InsideSettings::default()).unwrap();
    test.update(&open_cube()).unwrap();
    assert!(
        test.reason().contains("4 boundary edges"),
        "{}",
        test.reason()
    );
}

#[test]
fn types_of_one_method_refuse_another() {
    let settings = InsideSettings::default();
    assert!(Layer::new(settings.with_method(Method::Layer)).is_ok());
    let error = Layer::new(settings.with_method(Method::Ray)).expect_err("another method");
    let expected =
        "method: found ray, expected layer or auto for this type; Inside has every method";
    assert_eq!(error.to_string(), expected);
    assert!(RayTree::new(settings.with_method(Method::Ray)).is_ok());
    assert!(inside::Auto::new(settings.with_method(Method::Cells)).is_err());
}
