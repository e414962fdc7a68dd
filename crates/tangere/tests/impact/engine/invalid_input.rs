//! Invalid values, degenerate surfaces and work limits of the impact engine: an error or a result,
//! never a panic.

use super::bodies::{Spatial, Thing, corners, cube, plate};
use nalgebra::Vector3;
use std::time::Duration;
use tangere::geometry::Pose;
use tangere::impact::{
    Body, BodyShape, Certificate, EngineSettings, Impact, ImpactEngine, Refinement, RigidMotion,
};
use tangere::shape::TriMesh;
use tangere::stop::Stop;
use tangere::{Error, generate};
use test_support::Random;

pub fn engine(things: &[Thing]) -> ImpactEngine {
    let bodies = things.iter().map(Thing::body).collect();
    ImpactEngine::with_bodies(bodies, &EngineSettings::default()).expect("sound")
}

pub fn first(things: &[Thing], horizon: f64) -> Option<Impact> {
    engine(things).next_contact(horizon).expect("sound")
}

#[test]
fn numbers_that_are_not_finite() {
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 2e60, -1e300] {
        for k in 0..3 {
            let mut v = [0.0; 3];
            v[k] = bad;
            let (pose, zero) = (Pose::identity(), [0.0; 3]);
            assert!(RigidMotion::new(pose, v, zero, zero).is_err());
            assert!(RigidMotion::new(pose, zero, v, zero).is_err());
            assert!(RigidMotion::new(pose, zero, zero, v).is_err());
            assert!(RigidMotion::at_rest(pose).about(v).is_err());
            let surface = BodyShape::of_mesh(generate::sphere(0).unwrap()).unwrap();
            let mut ends = surface.points().to_vec();
            ends[3][k] = bad;
            assert!(Body::deforming(surface.clone(), &ends, 1.0).is_err());
            assert!(Body::with_velocities(surface, &ends, 1.0).is_err());
        }
        assert!(BodyShape::ball(bad).is_err());
    }
    for bad in [0.0, -1.0, f64::NAN, 1e-100] {
        assert!(BodyShape::ball(bad).is_err());
    }
    for bad in [f64::NAN, -1.0, f64::INFINITY, 1e61] {
        let settings = EngineSettings {
            separation: bad,
            ..EngineSettings::default()
        };
        assert!(ImpactEngine::with_bodies(Vec::new(), &settings).is_err());
    }
    let still = RigidMotion::at_rest(Pose::identity());
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(still.after(bad).is_err());
    }
}

#[test]
fn durations_lengths_and_kinds() {
    let surface = BodyShape::of_mesh(generate::sphere(0).unwrap()).unwrap();
    let points = surface.points().to_vec();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, -0.0] {
        assert!(Body::deforming(surface.clone(), &points, bad).is_err());
        assert!(Body::with_velocities(surface.clone(), &points, bad).is_err());
    }
    assert!(Body::deforming(surface.clone(), &points[1..], 1.0).is_err());
    assert!(Body::with_velocities(surface.clone(), &points[1..], 1.0).is_err());
    assert!(Body::deforming(BodyShape::ball(1.0).unwrap(), &[[0.0; 3]], 1.0).is_err());
    // So short a time makes the nodes too fast.
    let ends: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| 2.0 * x)).collect();
    assert!(Body::deforming(surface.clone(), &ends, 1e-300).is_err());
    let soft = Body::deforming(surface.clone(), &ends, 2.0).unwrap();
    let still = RigidMotion::at_rest(Pose::identity());
    let mut engine = ImpactEngine::with_bodies(
        vec![soft, Body::new(surface, still)],
        &EngineSettings::default(),
    )
    .unwrap();
    assert!(engine.set_motion(0, still).is_err());
    assert!(engine.set_nodes(1, &points, &ends, 1.0).is_err());
    assert!(engine.set_nodes(0, &points[1..], &ends, 1.0).is_err());
    assert!(engine.set_nodes(0, &points, &ends[1..], 1.0).is_err());
    assert!(engine.set_nodes(0, &points, &ends, 0.0).is_err());
    assert!(
        engine
            .set_node_velocities(0, &points[1..], &ends, 1.0)
            .is_err()
    );
    assert!(engine.observe(0, Pose::identity(), 1.0).is_err());
    // Rejected input changes nothing.
    let mut nodes = Vec::new();
    engine.nodes(0, &mut nodes).unwrap();
    assert_eq!(nodes, points);
    assert!(engine.next_contact(2.1).is_err());
    assert!(engine.next_contact(2.0).is_ok());
}

#[test]
fn horizons_times_and_names_of_bodies() {
    let mut none = ImpactEngine::with_bodies(Vec::new(), &EngineSettings::default()).unwrap();
    assert_eq!((none.is_empty(), none.len()), (true, 0));
    assert_eq!(none.next_contact(f64::INFINITY).unwrap(), None);
    none.advance(3.0).unwrap();
    assert_eq!(none.time(), 3.0);
    for bad in [f64::NAN, 2.0, -f64::INFINITY] {
        assert!(none.next_contact(bad).is_err());
        assert!(none.advance(bad).is_err());
    }
    assert!(none.advance(f64::INFINITY).is_err());
    let mut one = engine(&[cube(1.0)]);
    assert_eq!(one.next_contact(f64::INFINITY).unwrap(), None);
    let still = RigidMotion::at_rest(Pose::identity());
    for body in [1, usize::MAX] {
        assert!(one.body(body).is_err() && one.motion(body).is_err());
        assert!(one.nodes(body, &mut Vec::new()).is_err());
        assert!(one.set_motion(body, still).is_err());
        assert!(one.ignore(0, body).is_err() && one.watch(body, 0).is_err());
        assert!(one.set_nodes(body, &[], &[], 1.0).is_err());
        assert!(one.observe(body, Pose::identity(), 1.0).is_err());
    }
    assert!(one.ignore(0, 0).is_ok());
}

#[test]
fn triangles_without_area() {
    let needle = Thing::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let repeated = Thing::new(
        vec![[0.25, 0.125, 0.0], [0.5, 0.0, 0.0]],
        vec![[0, 1, 0], [0, 0, 0]],
    );
    let n = &mut Random::new(63);
    let all = [needle, repeated, plate([2, 2], [3.0, 3.0])];
    for (i, a) in all.iter().enumerate() {
        for b in &all {
            for spin in [0.0, 2.0] {
                let mut b = b.clone();
                b.place = Vector3::new(0.1, 0.2, 5.0);
                b.velocity = Vector3::new(0.0, 0.0, -1.0);
                b.spin = n.offset(spin);
                let mut engine = engine(&[a.clone(), b.clone()]);
                let found = engine.next_contact(20.0).unwrap();
                if b.faces.len() == 8 || i == 2 {
                    let impact = found.expect("a plate is wide");
                    assert!((0.5..7.0).contains(&impact.early), "{impact:?}");
                    assert!((Vector3::from(impact.contacts[0].normal).norm() - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

/// A box that falls flat onto a plate of many faces touches it everywhere at once.
#[test]
fn flat_faces_that_meet_all_at_once() {
    for (turned, refinement) in [
        (false, Refinement::Obb),
        (true, Refinement::Obb),
        (false, Refinement::None),
    ] {
        let floor = plate([30, 30], [3.0, 3.0]);
        let mut top = plate([10, 10], [1.0, 1.0]);
        top.place = Vector3::new(0.013, 0.027, 2.0);
        top.velocity = Vector3::new(0.0, 0.0, -1.0);
        if turned {
            top.spin = Vector3::new(0.0, 0.0, 0.5);
        }
        let settings = EngineSettings {
            refinement,
            ..EngineSettings::default()
        };
        let mut engine =
            ImpactEngine::with_bodies(vec![floor.body(), top.body()], &settings).unwrap();
        let impact = engine.next_contact(5.0).unwrap().unwrap();
        assert!((impact.early - 2.0).abs() < 1e-12);
        assert!(impact.contacts.iter().all(|c| c.early <= impact.late));
        // Each face of the top touches, at least with an edge or a corner.
        let named = |face: &[u32; 3]| {
            impact.contacts.iter().any(|c| {
                let on = corners(&top, c.feature_b);
                on.iter().all(|v| face.contains(v))
            })
        };
        assert!(top.faces.iter().all(named));
        assert!(
            impact
                .contacts
                .iter()
                .all(|c| (c.normal[2] - 1.0).abs() < 1e-9)
        );
    }
}

#[test]
fn work_has_limits() {
    let n = &mut Random::new(64);
    let mut things = [(); 2].map(|()| Thing::of_mesh(&generate::knot(600).unwrap()));
    for (i, thing) in things.iter_mut().enumerate() {
        thing.place = Vector3::new(20.0 * i as f64, 0.0, 0.0);
        (thing.rotation, thing.spin) = (n.rotation(), n.offset(4.0));
        thing.velocity = Vector3::new(1.0 - 2.0 * i as f64, 0.0, 0.0);
    }
    let expected = first(&things, 100.0).unwrap();
    for work in [0, 1, 10, 1000] {
        let settings = EngineSettings {
            work,
            ..EngineSettings::default()
        };
        let bodies = things.iter().map(Thing::body).collect();
        let mut engine = ImpactEngine::with_bodies(bodies, &settings).unwrap();
        let (mut last, mut queries) = (0.0, 0);
        loop {
            let impact = engine.next_contact(100.0).unwrap().unwrap();
            if impact.certificate != Certificate::Unresolved {
                assert_eq!(impact, expected);
                break;
            }
            assert!(impact.contacts.is_empty() && impact.late == f64::INFINITY);
            assert!(last <= impact.early && impact.early <= expected.early);
            (last, queries) = (impact.early, queries + 1);
            // However small the limit, every query makes progress.
            let counts = engine.counts();
            assert!(queries <= counts.volume + counts.primitive, "{work}");
            assert!(queries < 100_000, "{work}");
        }
        assert!(queries > 0, "{work}");
    }
}

#[test]
fn another_thread_stops() {
    // Needles so long that the time until they touch needs very short steps.
    let needle = generate::box_mesh([4294967295.0, 1.0, 1.0], [1; 3]).unwrap();
    let mut things = [(); 2].map(|()| Thing::of_mesh(&needle));
    things[1].place = Vector3::new(0.0, 3.0, 0.0);
    things[0].spin = Vector3::new(0.1, 0.4, 1.0);
    things[1].spin = Vector3::new(0.3, -0.2, 0.5);
    let mut engine = engine(&things);
    let stop = Stop::new();
    let own = stop.clone();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        own.request();
    });
    let stopped = stop.during(|| engine.next_contact(10.0));
    assert_eq!(stopped, Err(Error::Stopped));
    other.join().unwrap();
    // A stopped search may be continued.
    assert!(engine.next_contact(1e-9).is_ok());
}

#[test]
fn one_vertex_that_no_face_has() {
    let mesh = TriMesh::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -3.0]],
        vec![[0, 1, 2]],
    );
    let mut falling = Thing::of_mesh(&mesh.unwrap());
    falling.place.z = 2.0;
    falling.velocity.z = -1.0;
    let impact = first(&[plate([1, 1], [5.0, 5.0]), falling], 9.0).unwrap();
    assert!((impact.early - 2.0).abs() < 1e-12);
}
