//! Tests of bodies that touch, rest, slide or overlap at the start.

use super::bodies::{Thing, cube};
use super::determinism::{engine, floor};
use nalgebra::{UnitQuaternion, Vector3};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::hierarchy::HierarchySettings;
use tangere::impact::{
    Body, BodyShape, Certificate, EngineSettings, Impact, ImpactEngine, RigidMotion,
};
use tangere::shape::TriMesh;

/// A cube exactly on the floor, with any velocity.
fn standing(velocity: [f64; 3], acceleration: [f64; 3]) -> ImpactEngine {
    let mut thing = cube(0.5);
    thing.place = Vector3::new(0.25, 0.5, 0.5);
    thing.velocity = velocity.into();
    thing.acceleration = acceleration.into();
    engine(&[thing, floor()])
}

#[test]
fn separating_bodies_do_not_count() {
    for velocity in [[0.0, 0.0, 1.0], [3.0, 1.0, 1e-3], [0.0, 0.0, 1e-4]] {
        assert_eq!(
            standing(velocity, [0.0; 3]).next_contact(50.0).unwrap(),
            None
        );
        // Thrown up, it comes back.
        let mut engine = standing(velocity, [0.0, 0.0, -1.0]);
        let impact = engine.next_contact(50.0).unwrap().unwrap();
        let back = 2.0 * velocity[2];
        // Rounding of positions on so large a floor delays the time, more at low speed.
        assert!(
            (impact.early - back).abs() <= 1e-11 / velocity[2],
            "{impact:?}"
        );
    }
    assert_eq!(
        standing([0.0; 3], [0.0, 0.0, 1.0])
            .next_contact(50.0)
            .unwrap(),
        None
    );
}

#[test]
fn resting_and_sliding_bodies_touch_now() {
    for (velocity, acceleration) in [
        ([0.0; 3], [0.0; 3]),
        ([1.0, 0.5, 0.0], [0.0; 3]),
        ([0.0; 3], [0.0, 0.0, -9.81]),
        ([1.0, 0.0, 0.0], [0.5, 0.0, -9.81]),
    ] {
        let mut engine = standing(velocity, acceleration);
        let impact = engine.next_contact(5.0).unwrap().unwrap();
        assert_eq!(
            (impact.certificate, impact.early),
            (Certificate::Touching, 0.0),
            "{velocity:?} {acceleration:?}"
        );
        engine.advance(1.0).unwrap();
        if acceleration[2] == 0.0 {
            let impact = engine.next_contact(5.0).unwrap().unwrap();
            assert_eq!(
                (impact.certificate, impact.early),
                (Certificate::Touching, 1.0)
            );
        }
        engine.ignore(0, 1).unwrap();
        assert_eq!(engine.next_contact(5.0).unwrap(), None);
    }
}

#[test]
fn balls_that_touch() {
    let pair = |velocity: [f64; 3], acceleration: [f64; 3]| {
        let mut other = Thing::ball(1.0);
        other.place = Vector3::new(2.0, 0.0, 0.0);
        (other.velocity, other.acceleration) = (velocity.into(), acceleration.into());
        engine(&[Thing::ball(1.0), other])
            .next_contact(50.0)
            .unwrap()
    };
    assert_eq!(pair([1.0, 0.0, 0.0], [0.0; 3]), None);
    assert_eq!(pair([0.0, 1.0, 0.0], [0.0; 3]), None);
    assert_eq!(pair([0.0; 3], [1.0, 0.0, 0.0]), None);
    let back = pair([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
    assert!((back.early - 2.0).abs() < 1e-12 && back.certificate == Certificate::Exact);
    for velocity in [[-1.0, 0.0, 0.0], [-1e-9, 1.0, 0.0]] {
        let now = pair(velocity, [0.0; 3]).unwrap();
        assert_eq!(now.early, 0.0);
        assert!(now.certificate != Certificate::Overlap);
    }
    assert_eq!(pair([0.0; 3], [0.0; 3]).unwrap().early, 0.0);
}

#[test]
fn overlaps_are_reported_ignored_and_included_again() {
    let mut things = vec![cube(0.5), cube(0.5), cube(0.5)];
    things[1].place = Vector3::new(0.3, 0.2, 0.1);
    things[2].place = Vector3::new(5.0, 0.1, 0.2);
    things[2].velocity = Vector3::new(-1.0, 0.0, 0.0);
    let mut engine = engine(&things);
    let overlap = engine.next_contact(10.0).unwrap().unwrap();
    assert_eq!(
        (overlap.certificate, overlap.early, overlap.late),
        (Certificate::Overlap, 0.0, 0.0)
    );
    assert!(overlap.contacts.iter().all(|c| (c.a, c.b) == (0, 1)));
    engine.ignore(1, 0).unwrap();
    let next = engine.next_contact(10.0).unwrap().unwrap();
    assert!((next.early - 3.7).abs() < 1e-12 && next.contacts.iter().all(|c| (c.a, c.b) == (1, 2)));
    engine.watch(0, 1).unwrap();
    assert_eq!(engine.next_contact(10.0).unwrap(), Some(overlap));
    // They still overlap later.
    engine.advance(1.0).unwrap();
    let later = engine.next_contact(10.0).unwrap().unwrap();
    assert_eq!(
        (later.certificate, later.early),
        (Certificate::Overlap, 1.0)
    );
    // A body inside another has no common points, and touches when it reaches the wall.
    let mut small = cube(0.1);
    small.velocity = Vector3::new(0.1, 0.0, 0.0);
    let mut inside = super::determinism::engine(&[cube(0.5), small]);
    let impact = inside.next_contact(10.0).unwrap().unwrap();
    assert!((impact.early - 4.0).abs() < 1e-12 && impact.certificate == Certificate::Bracket);
}

/// The normal of a contact at the start is that of the floor, at any of its corners or edges.
#[test]
fn normals_of_contacts_at_the_start() {
    for velocity in [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.5, -0.25, 0.0],
        [1.0, 0.0, -1.0],
    ] {
        for place in [[0.0, 0.0], [0.25, 0.5], [0.5, 0.5], [1.0, -2.0]] {
            // A corner that slides against a corner of the floor has the normal of the face there.
            if place == [0.5, 0.5] && velocity != [0.0; 3] {
                continue;
            }
            let mut thing = cube(0.5);
            thing.place = Vector3::new(place[0], place[1], 0.5);
            thing.velocity = velocity.into();
            let impact = engine(&[thing, floor()])
                .next_contact(5.0)
                .unwrap()
                .unwrap();
            assert_eq!(impact.early, 0.0);
            for contact in &impact.contacts {
                assert!(
                    contact.normal[2] < -1.0 + 1e-9,
                    "{velocity:?} {place:?} {contact:?}"
                );
            }
        }
    }
}

/// Intersecting bodies have common points.
#[test]
fn gaps_of_overlaps() {
    let mut thing = cube(0.5);
    thing.spin = Vector3::new(1.0, 2.0, 3.0);
    let impact = engine(&[thing, floor()])
        .next_contact(5.0)
        .unwrap()
        .unwrap();
    assert_eq!(impact.certificate, Certificate::Overlap);
    for contact in &impact.contacts {
        assert!(contact.gap.abs() < 1e-9, "{contact:?}");
    }
}

/// Two boxes, the second on the first or wherever it is put; `make` prepares the shapes.
fn boxes(place: [f64; 3], angle: f64, make: &dyn Fn(TriMesh) -> BodyShape) -> Impact {
    let shape = || make(generate::box_mesh([1.0; 3], [1, 2, 1]).unwrap());
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    let upper = RigidMotion::at_rest(Pose::new(turn, place).unwrap());
    let lower = RigidMotion::at_rest(Pose::identity());
    let bodies = vec![Body::new(shape(), lower), Body::new(shape(), upper)];
    let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
    engine.next_contact(1.0).unwrap().unwrap()
}

/// Points and normals of contacts in units of 1e-9, in order.
fn rounded(impact: &Impact) -> Vec<[i64; 6]> {
    let unit = |x: f64| (x * 1e9).round() as i64;
    let mut rows: Vec<[i64; 6]> = (impact.contacts.iter())
        .map(|c| std::array::from_fn(|k| unit(if k < 3 { c.point_a[k] } else { c.normal[k - 3] })))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// A mesh whose faces have another order.
fn permuted(mesh: &TriMesh, by: usize) -> TriMesh {
    let count = mesh.faces().len();
    let faces = (0..count).map(|i| mesh.faces()[(i * by + 3) % count]);
    TriMesh::new(mesh.vertices().to_vec(), faces.collect()).unwrap()
}

/// Bodies that rest on each other push along the normal of the faces between them, at shared edges
/// and corners too, whatever the hierarchy and the order of faces.
#[test]
fn normals_of_boxes_on_boxes() {
    let plain = |mesh: TriMesh| BodyShape::of_mesh(mesh).unwrap();
    for (place, angle) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4),
        ([0.5, 0.0, 1.0], 0.0),
        ([0.5, 0.5, 1.0], 0.0),
        ([0.25, 0.0, 1.0], 0.3),
    ] {
        let impact = boxes(place, angle, &plain);
        assert_eq!(
            impact.certificate,
            Certificate::Touching,
            "{place:?} {angle}"
        );
        for contact in &impact.contacts {
            let n = contact.normal;
            assert!(n[2] > 1.0 - 1e-9, "{place:?} {angle}: {contact:?}");
        }
        let expected = rounded(&impact);
        for branching in [2, 4, 16] {
            let settings = HierarchySettings {
                branching,
                ..HierarchySettings::default()
            };
            let other = |mesh: TriMesh| BodyShape::with_hierarchy(mesh, &settings).unwrap();
            assert_eq!(
                rounded(&boxes(place, angle, &other)),
                expected,
                "{branching}"
            );
        }
        for by in [7, 11, 13] {
            let other = |mesh: TriMesh| BodyShape::of_mesh(permuted(&mesh, by)).unwrap();
            assert_eq!(rounded(&boxes(place, angle, &other)), expected, "{by}");
        }
    }
}

/// Boxes that coincide have contacts at all eight corners, in any hierarchy.
#[test]
fn coincident_boxes_touch_at_all_corners() {
    for branching in [2, 8, 16] {
        let settings = HierarchySettings {
            branching,
            ..HierarchySettings::default()
        };
        let make = |mesh: TriMesh| BodyShape::with_hierarchy(mesh, &settings).unwrap();
        let impact = boxes([0.0; 3], 0.0, &make);
        let mut corners: Vec<_> = (rounded(&impact).iter())
            .map(|row| [row[0], row[1], row[2]])
            .filter(|p| p.iter().all(|x| x.abs() == 500_000_000))
            .collect();
        corners.dedup();
        assert_eq!(corners.len(), 8, "{branching}");
    }
}
