//! Bodies that cannot be packed are rejected, and the error says why.

use super::bodies::{block, check, moved};
use tangere::Error;
use tangere::geometry::Aabb;
use tangere::overlap::pack::{FunctionContainer, MeshContainer, PackSettings, pack, pack_mesh};
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::surfaces::{inverted, together};

fn message(mesh: &TriMesh, settings: &PackSettings) -> String {
    let packed = pack_mesh(mesh, settings);
    packed.expect_err("what cannot be packed").to_string()
}

#[test]
fn surfaces_without_an_inside_are_refused_with_their_report() {
    let report = |mesh: &TriMesh| match pack_mesh(mesh, &PackSettings::spheres(10)) {
        Err(Error::Surface { report, .. }) => report,
        other => panic!("expected a surface that is refused, found {other:?}"),
    };
    let cube = block([1.0; 3]);
    let (vertices, mut faces) = cube.clone().into_parts();
    faces.pop();
    let open = TriMesh::new(vertices.clone(), faces.clone()).unwrap();
    assert_eq!(report(&open).boundary_edges, 3);
    assert_eq!(report(&inverted(&cube)).inverted_shells, 1);
    let inner = moved(&cube, 0.5, [0.25; 3]);
    assert_eq!(report(&together([&cube, &inner])).inverted_shells, 1);
    let [a, b, c] = cube.faces()[11];
    faces.push([a, c, b]);
    let misoriented = TriMesh::new(vertices, faces).unwrap();
    assert_eq!(report(&misoriented).misoriented_edges, 3);
    let flat = ConvexPolyhedron::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    assert!(MeshContainer::of_convex(&flat).is_err());
}

#[test]
fn ends_that_cannot_be_reached_are_refused() {
    let cube = block([1.0; 3]);
    let nothing = PackSettings::default();
    for (settings, expected) in [
        (
            nothing,
            "end of the packing: found none, expected a number of",
        ),
        (PackSettings::spheres(0), "spheres: found 0, expected 1 to"),
        (
            PackSettings::filling(f64::NAN),
            "filling: found NaN, expected",
        ),
        (PackSettings::filling(0.0), "filling: found 0, expected"),
        (PackSettings::filling(1.0), "filling: found 1, expected"),
        (
            PackSettings::smallest(f64::NAN),
            "smallest: found NaN, expected",
        ),
        (PackSettings::smallest(-1.0), "smallest: found -1, expected"),
        (
            PackSettings::smallest(f64::INFINITY),
            "smallest: found inf, expected",
        ),
    ] {
        let text = message(&cube, &settings);
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn a_body_thinner_than_the_smallest_sphere_is_an_error_with_its_thickness() {
    let plate = block([1.0, 1.0, 0.25]);
    let text = message(&plate, &PackSettings::smallest(0.2));
    let expected = "smallest: found 0.2, expected at most 0.12499";
    assert!(
        text.starts_with(expected) || text.contains("at most 0.125"),
        "{text}"
    );
}

#[test]
fn plates_too_thin_for_any_sphere_are_rejected() {
    let foil = block([1.0, 1.0, 1e-9]);
    let text = message(&foil, &PackSettings::spheres(10));
    let expected = "body: found one without room for a sphere, thinner than 2.";
    assert!(text.starts_with(expected), "{text}");
    // Slightly thinner than the smallest sphere: a proof would take 10^10 cells.
    let plate = block([1.0, 1.0, 1e-3]);
    let text = message(&plate, &PackSettings::smallest(5.001e-4));
    assert!(
        text.starts_with("smallest: found 0.0005001, expected at most 0.00049"),
        "{text}"
    );
}

#[test]
fn shells_that_intersect_are_named() {
    let some = PackSettings::spheres(10);
    let cube = block([1.0; 3]);
    for (other, how) in [
        (moved(&cube, 1.0, [0.3, 0.4, 0.5]), "go through each other"),
        // Side by side, the one that overlaps in planes of the other, and one that is smaller.
        (moved(&cube, 1.0, [1.0, 0.0, 0.0]), "share a wall"),
        (moved(&cube, 1.0, [0.5, 0.0, 0.0]), "share a wall"),
        (moved(&cube, 0.5, [1.0, 0.25, 0.25]), "share a wall"),
        (moved(&cube, 1.0, [1.0, 1.0, 0.0]), "touch"),
    ] {
        let mesh = together([&cube, &other]);
        let text = message(&mesh, &some);
        let expected = format!("mesh: found shells 0 and 1 that {how} (triangles ");
        assert!(text.starts_with(&expected), "{text}");
        assert!(
            text.contains("unite them, or pack each by itself"),
            "{text}"
        );
        // The same with shared vertices.
        if how == "share a wall" {
            let welded = mesh.welded(0.0).unwrap().mesh;
            let text = message(&welded, &some);
            assert!(text.contains(how), "{text}");
        }
    }
    // Disjoint, nested, and joined at one vertex.
    let hole = inverted(&moved(&cube, 0.5, [0.25; 3]));
    let corner = together([&cube, &moved(&cube, 1.0, [1.0; 3])]);
    for mesh in [
        together([&cube, &moved(&cube, 1.0, [1.5, 0.0, 0.0])]),
        together([&cube, &hole]),
        corner.welded(0.0).unwrap().mesh,
    ] {
        let packing = pack_mesh(&mesh, &some).unwrap();
        check(&mesh, &packing);
        assert!((packing.radii()[0] - 0.5).abs() < 1e-9 || mesh.report().volume < Some(1.0));
    }
}

#[test]
fn invalid_distances_are_rejected() {
    let bounds = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let odd = |[x, _, _]: [f64; 3]| if x > 0.7 { f64::NAN } else { 0.1 };
    let mut container = FunctionContainer::new(bounds, 1.0, odd).unwrap();
    let text = pack(&mut container, &PackSettings::spheres(100))
        .unwrap_err()
        .to_string();
    assert!(text.starts_with("distance: found NaN at [0."), "{text}");
    for volume in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(FunctionContainer::new(bounds, volume, |_| 1.0).is_err());
    }
    let point = Aabb {
        min: [1.0; 3],
        max: [1.0; 3],
    };
    assert!(FunctionContainer::new(point, 1.0, |_| 1.0).is_err());
    // Outside everywhere: no sphere fits.
    let mut empty = FunctionContainer::new(bounds, 1.0, |_| -1.0).unwrap();
    let text = pack(&mut empty, &PackSettings::spheres(1))
        .unwrap_err()
        .to_string();
    assert!(text.starts_with("body: found one without room"), "{text}");
}

#[test]
fn triangles_without_area_are_no_obstacle() {
    // A corner on an edge, with the triangle between them.
    let (mut vertices, mut faces) = block([1.0; 3]).into_parts();
    let [a, b, c] = faces[0];
    let [p, q] = [a, b].map(|v| vertices[v as usize]);
    let m = vertices.len() as u32;
    vertices.push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
    faces[0] = [a, m, c];
    faces.push([m, b, c]);
    faces.push([a, b, m]);
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let report = mesh.report();
    assert!(report.closed && report.oriented && report.degenerate_triangles == 1);
    let packing = pack_mesh(&mesh, &PackSettings::spheres(50)).unwrap();
    check(&mesh, &packing);
    assert!((packing.radii()[0] - 0.5).abs() < 1e-12);
}
