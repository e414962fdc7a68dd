//! Panel clustering: the same sides as all other methods whatever its degree and separation, and winding
//! numbers within their bound.

use super::settings;
use crate::winding::Oracle;
use proptest::prelude::*;
use tangere::generate;
use tangere::inside::{
    Grid, Inside, InsideRule, InsideSettings, InsideTest, Layer, Method, PublishedMultipole,
    PublishedPanels, Side,
};
use tangere::shape::TriMesh;

fn made(panels: PublishedPanels, settings: InsideSettings) -> tangere::Result<Inside> {
    Inside::new(
        settings
            .with_method(Method::PanelClustering)
            .with_panels(panels),
    )
}

/// Checks sides by both rules against exact integers.
fn check(mesh: &TriMesh, points: &[[f64; 3]], panels: PublishedPanels) {
    let oracle = Oracle::new(mesh);
    for rule in InsideRule::ALL {
        let side = |&p: &[f64; 3]| oracle.winding(p).map_or(Side::OnSurface, |w| rule.side(w));
        let expected: Vec<Side> = points.iter().map(side).collect();
        let mut test = made(panels, settings(rule)).expect("valid settings");
        let mut sides = Vec::new();
        test.update(mesh).expect("a surface without leaks");
        test.classify(points, &mut sides).expect("valid points");
        assert_eq!(sides, expected, "{rule} {panels:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Tetrahedra with integer corners and points between them: many points on the surface.
    #[test]
    fn tetrahedra_on_a_lattice(
        shells in prop::collection::vec(prop::array::uniform4(prop::array::uniform3(-2..3i8)), 1..4),
        halves in prop::collection::vec(prop::array::uniform3(-5..6i8), 1..40),
        degree in prop::sample::select(vec![None, Some(1), Some(2), Some(5), Some(20)]),
        separation in prop::sample::select(vec![1.001, 1.5, 3.0]),
    ) {
        let corners = shells.as_flattened();
        let vertices: Vec<[f64; 3]> = corners.iter().map(|c| c.map(f64::from)).collect();
        let faces: Vec<[u32; 3]> = (0..shells.len() as u32)
            .flat_map(|s| [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].map(|f| f.map(|v| 4 * s + v)))
            .collect();
        let points: Vec<[f64; 3]> = halves.iter().map(|p| p.map(|x| 0.5 * f64::from(x))).collect();
        // A tetrahedron that is a single point is not a mesh.
        if let Ok(mesh) = TriMesh::new(vertices, faces) {
            let panels = PublishedPanels { degree, separation };
            check(&mesh, &points, panels);
        }
    }
}

/// With an accuracy near 1 winding numbers are those of the Taylor expansions: off by the truncated
/// terms, which fall with the degree and stay within the bound.
#[test]
fn errors_fall_with_the_degree_within_the_bound() {
    let mesh = generate::sphere(4).unwrap();
    let points = Grid::around(&mesh.bounds(), 8).unwrap().points();
    let mut last = f64::INFINITY;
    let mut expected = Vec::new();
    let mut layer = Layer::new(InsideSettings::default()).unwrap();
    layer.update(&mesh).unwrap();
    layer.winding(&points, &mut expected).unwrap();
    for degree in [1, 3, 6, 10] {
        let panels = PublishedPanels::default().with_degree(degree);
        let mut test = made(panels, InsideSettings::default().with_accuracy(0.999)).unwrap();
        let mut winding = Vec::new();
        test.update(&mesh).unwrap();
        test.winding(&points, &mut winding).unwrap();
        let errors = winding.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let error = errors.fold(0.0, f64::max);
        assert!(
            error <= test.bound(),
            "{degree}: {error:e} {:e}",
            test.bound()
        );
        assert!(error < 0.3 * last && error > 1e-12, "{degree}: {error:e}");
        last = error;
    }
}

/// A surface with a hole: winding numbers to the accuracy, and the sides of solid angles.
#[test]
fn a_surface_with_a_hole() {
    let sphere = generate::sphere(3).unwrap();
    let open = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[9..].to_vec()).unwrap();
    let points = Grid::around(&open.bounds(), 7).unwrap().points();
    let (mut sides, mut winding) = (Vec::new(), Vec::new());
    let (mut expected, mut exact) = (Vec::new(), Vec::new());
    let mut layer = Layer::new(InsideSettings::default()).unwrap();
    layer.update(&open).unwrap();
    layer.classify(&points, &mut expected).unwrap();
    layer.winding(&points, &mut exact).unwrap();
    let panels = PublishedPanels::default().with_degree(3);
    let mut test = made(panels, InsideSettings::default()).unwrap();
    test.update(&open).unwrap();
    test.classify(&points, &mut sides).unwrap();
    assert_eq!(sides, expected);
    test.winding(&points, &mut winding).unwrap();
    assert!(test.bound() <= 1.1e-6, "{:e}", test.bound());
    for (a, b) in winding.iter().zip(&exact) {
        assert!((a - b).abs() <= test.bound());
    }
}

#[test]
fn settings_arrive() {
    let sphere = generate::sphere(2).unwrap();
    let reason = |panels: PublishedPanels| {
        let mut test = made(panels, InsideSettings::default())?;
        test.update(&sphere)?;
        Ok::<_, tangere::Error>(test.reason())
    };
    let panels = PublishedPanels::default();
    let text = reason(panels.with_degree(7)).unwrap();
    let expected = "panel clustering by Taylor expansions of degree 7, 120 terms";
    assert!(text.starts_with(expected), "{text}");
    for (bad, part) in [
        (panels.with_degree(0), "degree of expansions: found 0"),
        (
            panels.with_degree(21),
            "degree of expansions: found 21, expected 1 to 20",
        ),
        (
            panels.with_separation(1.0),
            "separation of clusters: found 1,",
        ),
        (
            panels.with_separation(f64::NAN),
            "separation of clusters: found NaN",
        ),
    ] {
        let error = reason(bad).unwrap_err().to_string();
        assert!(error.starts_with(part), "{error}");
    }
    for method in Method::ALL {
        let settings = InsideSettings::default().with_method(method);
        let other = match method == Method::PanelClustering {
            true => settings.with_multipole(PublishedMultipole::default()),
            false => settings.with_panels(panels),
        };
        let error = Inside::new(other).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("method: found {method}, expected ")),
            "{error}"
        );
    }
}
