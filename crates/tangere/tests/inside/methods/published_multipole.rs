//! The multipole method with the trees of muth2006: the same sides as all other methods, whatever its
//! degree, separation and depth.

use super::settings;
use crate::winding::Oracle;
use proptest::prelude::*;
use tangere::generate;
use tangere::inside::{
    Grid, Inside, InsideRule, InsideSettings, InsideTest, Method, MultipoleSettings,
    PublishedDepth, PublishedMultipole, Side,
};
use tangere::shape::TriMesh;

/// Checks sides by both rules against exact integers.
fn check(mesh: &TriMesh, points: &[[f64; 3]], published: PublishedMultipole) {
    let oracle = Oracle::new(mesh);
    for rule in InsideRule::ALL {
        let side = |&p: &[f64; 3]| oracle.winding(p).map_or(Side::OnSurface, |w| rule.side(w));
        let expected: Vec<Side> = points.iter().map(side).collect();
        let settings = settings(rule).with_points(points.len());
        let mut test = Inside::new(
            settings
                .with_method(Method::Multipole)
                .with_multipole(published),
        )
        .expect("valid settings");
        let mut sides = Vec::new();
        test.update(mesh).expect("a surface without leaks");
        test.classify(points, &mut sides).expect("valid points");
        assert_eq!(sides, expected, "{rule} {published:?}");
    }
}

fn published() -> impl Strategy<Value = PublishedMultipole> {
    let degree = prop::sample::select(vec![None, Some(1), Some(2), Some(5), Some(12)]);
    let separation = prop::sample::select(vec![1.001, 1.5, 3.0]);
    let depth = prop::sample::select(vec![
        PublishedDepth::WellChosen,
        PublishedDepth::PreChosen,
        PublishedDepth::Levels(0),
        PublishedDepth::Levels(1),
        PublishedDepth::Levels(4),
    ]);
    (degree, separation, depth).prop_map(|(degree, separation, depth)| PublishedMultipole {
        degree,
        separation,
        depth,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Tetrahedra with integer corners and points between them: many points on the surface.
    #[test]
    fn tetrahedra_on_a_lattice(
        shells in prop::collection::vec(prop::array::uniform4(prop::array::uniform3(-2..3i8)), 1..4),
        halves in prop::collection::vec(prop::array::uniform3(-5..6i8), 1..40),
        published in published(),
    ) {
        let corners = shells.as_flattened();
        let vertices: Vec<[f64; 3]> = corners.iter().map(|c| c.map(f64::from)).collect();
        let faces: Vec<[u32; 3]> = (0..shells.len() as u32)
            .flat_map(|s| [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].map(|f| f.map(|v| 4 * s + v)))
            .collect();
        let points: Vec<[f64; 3]> = halves.iter().map(|p| p.map(|x| 0.5 * f64::from(x))).collect();
        // A tetrahedron that is a single point is not a mesh.
        if let Ok(mesh) = TriMesh::new(vertices, faces) {
            check(&mesh, &points, published);
        }
    }

    #[test]
    fn a_sphere_and_points_far_away(published in published()) {
        let sphere = generate::sphere(2).unwrap();
        let mut points = Grid::around(&sphere.bounds(), 5).unwrap().points();
        points.extend_from_slice(&sphere.vertices()[..20]);
        points.push([0.0, 0.0, 1.0000001]);
        check(&sphere, &points, published);
        let settings = settings(InsideRule::Nonzero).with_points(2);
        let settings = settings.with_method(Method::Multipole).with_multipole(published);
        let mut test = Inside::new(settings).unwrap();
        let mut sides = Vec::new();
        test.update(&sphere).unwrap();
        test.classify(&[[1e9, 0.0, 0.0], [-3.0, 1e30, 2.0]], &mut sides).unwrap();
        assert_eq!(sides, [Side::Outside; 2]);
    }
}

/// The settings arrive: the reason names degree and depth, and there is no other degree.
#[test]
fn settings_arrive() {
    let sphere = generate::sphere(2).unwrap();
    let by = |published: PublishedMultipole, points: Option<usize>| {
        let settings = InsideSettings::default().with_method(Method::Multipole);
        let mut test = Inside::new(settings.with_points(points).with_multipole(published))?;
        test.update(&sphere)?;
        Ok::<_, tangere::Error>(test.reason())
    };
    let published = PublishedMultipole::default();
    let levels = |levels: u32| published.with_depth(PublishedDepth::Levels(levels));
    let reason = by(levels(3).with_degree(9), None).unwrap();
    assert!(
        reason.starts_with("fast multipoles of degree 9 on 3 levels"),
        "{reason}"
    );
    // 128 triangles: log 128 = 4.9.
    let reason = by(published, None).unwrap();
    assert!(
        reason.starts_with("fast multipoles of degree 5 on "),
        "{reason}"
    );
    let well_chosen = published.with_depth(PublishedDepth::WellChosen);
    assert!(by(well_chosen, Some(1000)).is_ok());
    for (bad, part) in [
        (published.with_degree(0), "degree of expansions: found 0"),
        (
            published.with_degree(MultipoleSettings::DEGREE_MAX + 1),
            "degree of expansions: found",
        ),
        (
            published.with_separation(1.0),
            "separation of clusters: found 1,",
        ),
        (
            published.with_separation(f64::NAN),
            "separation of clusters: found NaN",
        ),
        (levels(22), "depth of the multipole method: found 22"),
        (
            well_chosen,
            "depth of the multipole method: found well-chosen without it",
        ),
    ] {
        let error = by(bad, None).unwrap_err().to_string();
        assert!(error.starts_with(part), "{error}");
    }
    for method in Method::ALL.into_iter().filter(|&m| m != Method::Multipole) {
        let settings = InsideSettings::default().with_method(method);
        let error = Inside::new(settings.with_multipole(published)).unwrap_err();
        let message =
            format!("method: found {method}, expected multipole, whose settings are given");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn depths_by_name() {
    for (text, depth) in [
        ("well-chosen", PublishedDepth::WellChosen),
        ("pre-chosen", PublishedDepth::PreChosen),
        ("7", PublishedDepth::Levels(7)),
    ] {
        assert_eq!(text.parse::<PublishedDepth>(), Ok(depth));
        assert_eq!(depth.to_string(), text);
    }
    assert_eq!("worst".parse(), Ok(PublishedDepth::WellChosen));
    assert_eq!("practical".parse(), Ok(PublishedDepth::PreChosen));
    for bad in ["", "deep", "-1", "1.5"] {
        assert!(bad.parse::<PublishedDepth>().is_err(), "{bad:?}");
    }
}

/// The automatic choice never takes the trees of the paper: on a surface with leaks it is adaptive.
#[test]
fn auto_is_adaptive() {
    let sphere = generate::sphere(3).unwrap();
    let open = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[1..].to_vec()).unwrap();
    let mut test = Inside::new(InsideSettings::default()).unwrap();
    test.update(&open).unwrap();
    assert_eq!(test.method(), "multipole");
    assert!(test.reason().starts_with("adaptive"), "{}", test.reason());
}
