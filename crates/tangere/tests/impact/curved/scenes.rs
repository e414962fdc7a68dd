//! Tests of bodies of many curved faces, and of degenerate faces.

use super::closed::{CURVED, paraboloid};
use super::shapes::{KINDS, at_rest, body, first, first_with, moving, nodes, sheet, single};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::hierarchy::Volume;
use tangere::impact::{
    Body, BodyShape, Certificate, EngineSettings, ImpactContact, ImpactEngine, Refinement,
    RigidMotion,
};
use tangere::shape::{FaceKind, FaceMesh};
use test_support::Random;

/// The lowest point of a sphere of faces along a direction, by samples and a pattern search.
fn lowest(mesh: &FaceMesh, direction: [f64; 3]) -> f64 {
    let height = |f: usize, xi: [f64; 2]| {
        let p = mesh.face(f).point(xi);
        (0..3).map(|k| p[k] * direction[k]).sum::<f64>()
    };
    let mut least = f64::INFINITY;
    for f in 0..mesh.len() {
        let kind = mesh.kind(f);
        let mut best = (f64::INFINITY, kind.center());
        let (mut center, mut step) = (kind.center(), 1.0);
        // A pattern search: heights of one face are smooth and nearly convex.
        for _ in 0..60 {
            let mut moved = false;
            for du in -2..=2 {
                for dv in -2..=2 {
                    let xi = [
                        center[0] + step * f64::from(du) / 2.0,
                        center[1] + step * f64::from(dv) / 2.0,
                    ];
                    if kind.contains(xi) && height(f, xi) < best.0 {
                        best = (height(f, xi), xi);
                        moved = true;
                    }
                }
            }
            center = best.1;
            if !moved {
                step *= 0.5;
            }
        }
        least = least.min(best.0);
    }
    least
}

#[test]
fn spheres_on_plates() {
    let plate = sheet(FaceKind::Quad8, 4, |[x, y]| [3.0 * x, 3.0 * y, 0.0]);
    for kind in CURVED {
        let sphere = generate::face_sphere(kind, 2).unwrap();
        let low = lowest(&sphere, [0.0, 0.0, 1.0]);
        for (volume, refinement) in [
            (Volume::Box, Refinement::Obb),
            (Volume::Ball, Refinement::None),
            (Volume::Box, Refinement::Dop26),
        ] {
            let settings = EngineSettings {
                volume,
                refinement,
                ..EngineSettings::default()
            };
            let falling = moving([0.1, 0.05, 5.0], [0.0, 0.0, -2.0], [0.0; 3]);
            let bodies = vec![body(&sphere, falling), body(&plate, at_rest())];
            let impact = first_with(bodies, 10.0, &settings).unwrap();
            let exact = (5.0 + low) / 2.0;
            // The pattern is good to some 1e-12.
            assert!(
                (impact.early - exact).abs() < 1e-11,
                "{kind} {impact:?} {exact}"
            );
            assert!(impact.late - impact.early < 1e-11, "{kind} {impact:?}");
        }
    }
}

/// Two spheres of curved faces, thrown at each other from far.
#[test]
fn example_of_the_paper_with_curved_faces() {
    for kind in CURVED {
        let sphere = BodyShape::of_faces(generate::face_sphere(kind, 3).unwrap()).unwrap();
        let thrown = |x: f64, v: f64| {
            let velocity = [v, 0.0, 50.0 * 3.0_f64.sqrt()];
            moving([x, 0.0, 0.0], velocity, [0.0, 0.0, -9.81])
        };
        let bodies = vec![
            Body::new(sphere.clone(), thrown(0.0, 50.0)),
            Body::new(sphere, thrown(1500.0, -50.0)),
        ];
        let impact = first(bodies, 20.0).unwrap();
        assert!((impact.early - 14.98).abs() < 1e-4, "{impact:?}");
        assert!(impact.late - impact.early < 15.0 * 1e-12, "{impact:?}");
    }
}

/// A ball of faces in a socket that fits exactly, or nearly: conservative, in bounded work.
#[test]
fn a_ball_in_its_socket() {
    for kind in [FaceKind::Tri6, FaceKind::Quad8] {
        for room in [0.0, 1e-3, 0.1] {
            let cap = |[x, y]: [f64; 2]| [0.5 * x, 0.5 * y, -0.5 * (x * x + y * y) * 0.25];
            let socket = |[x, y]: [f64; 2]| {
                [
                    0.5 * x,
                    0.5 * y,
                    -0.5 * (1.0 - room) * (x * x + y * y) * 0.25,
                ]
            };
            let below = sheet(kind, 2, cap);
            let above = sheet(kind, 2, socket);
            let falling = moving([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0; 3]);
            let mut engine = ImpactEngine::with_bodies(
                vec![body(&below, at_rest()), body(&above, falling)],
                &EngineSettings::default(),
            )
            .unwrap();
            let impact = engine.next_contact(5.0).unwrap().unwrap();
            assert!(impact.early <= 1.0 + 1e-15, "{kind} {room} {impact:?}");
            assert!(impact.early > 1.0 - 1e-3, "{kind} {room} {impact:?}");
            let work = engine.counts().primitive;
            assert!(work < 2_000_000, "{kind} {room}: {work}");
            println!(
                "{kind} {room}: early by {:e}, {work} looks",
                1.0 - impact.early
            );
        }
    }
}

/// Cylinders on plates touch along lines.
#[test]
fn a_cylinder_on_a_plate() {
    for kind in CURVED {
        let cylinder = sheet(kind, 2, |[x, y]| [x, y, 0.25 * x * x]);
        let plate = sheet(FaceKind::Quad4, 3, |[x, y]| [2.0 * x, 2.0 * y, 0.0]);
        let falling = moving([0.03, 0.02, 2.0], [0.1, 0.05, -1.0], [0.0; 3]);
        let mut engine = ImpactEngine::with_bodies(
            vec![body(&plate, at_rest()), body(&cylinder, falling)],
            &EngineSettings::default(),
        )
        .unwrap();
        let impact = engine.next_contact(5.0).unwrap().unwrap();
        assert!(
            impact.early <= 2.0 && impact.early > 2.0 - 1e-11,
            "{kind} {impact:?}"
        );
        let work = engine.counts().primitive;
        println!("{kind}: early by {:e}, {work} looks", 2.0 - impact.early);
        assert!(work < 100_000, "{work}");
    }
}

/// Sharp edges of bent faces cross each other.
#[test]
fn edges_that_cross() {
    for kind in CURVED {
        // Knives: upright sheets whose lower and upper sides are parabolas.
        let knife = |bend: f64| {
            let map = move |[x, y]: [f64; 2]| [x, 0.0, 0.5 * bend * x * x + 0.5 * (y + 1.0)];
            single(kind, nodes(kind, map))
        };
        if kind == FaceKind::Tri6 {
            continue;
        }
        let above = knife(0.3);
        let below = {
            let map = |[x, y]: [f64; 2]| [0.0, x, -0.2 * x * x - 0.5 * (y + 1.0)];
            single(kind, nodes(kind, map))
        };
        let falling = moving([0.1, 0.2, 3.0], [0.0, 0.0, -1.0], [0.0; 3]);
        let impact = first(vec![body(&below, at_rest()), body(&above, falling)], 10.0).unwrap();
        // At x = 0 of the world the upper is at 3 + 0.15 * 0.01, the lower at y = 0.2 at -0.2 *
        // 0.04.
        let exact = 3.0 + 0.5 * 0.3 * 0.01 + 0.2 * 0.04;
        assert!(
            impact.early <= exact && exact - impact.early < 1e-12,
            "{kind} {exact} {impact:?}"
        );
        assert_eq!(impact.certificate, Certificate::Bracket, "{impact:?}");
        let n = impact.contacts[0].normal;
        // Across both edges: their slopes are 0.3 * -0.1 and -0.4 * 0.2.
        let slope = [0.3 * -0.1, -0.4 * 0.2];
        for k in 0..2 {
            assert!((n[k] + slope[k] * n[2]).abs() < 1e-9, "{kind} {impact:?}");
        }
    }
}

/// Overlap at the start is reported; touching faces that separate are not.
#[test]
fn overlap_and_parting() {
    for kind in CURVED {
        let below = paraboloid(kind, -1.0, 0.8, [0.0; 2]);
        let above = paraboloid(kind, 1.0, 0.8, [0.0; 2]);
        for h in [-0.01, -0.2] {
            let inside = moving([0.05, 0.0, h], [0.0, 0.0, 1.0], [0.0; 3]);
            let impact = first(vec![body(&below, at_rest()), body(&above, inside)], 1.0).unwrap();
            assert_eq!(
                impact.certificate,
                Certificate::Overlap,
                "{kind} {impact:?}"
            );
            assert_eq!(impact.early, 0.0);
        }
        let away = moving([0.0; 3], [0.0, 0.0, 1.0], [0.0; 3]);
        let impact = first(vec![body(&below, at_rest()), body(&above, away)], 10.0);
        assert_eq!(impact, None, "{kind}");
        let together = moving([0.0; 3], [0.0, 0.0, -1.0], [0.0; 3]);
        let impact = first(vec![body(&below, at_rest()), body(&above, together)], 10.0).unwrap();
        assert_eq!(impact.early, 0.0);
        // Up and down again.
        let thrown = moving([0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, -2.0]);
        let impact = first(vec![body(&below, at_rest()), body(&above, thrown)], 10.0).unwrap();
        assert!(
            impact.early <= 1.0 && impact.early > 1.0 - 1e-12,
            "{kind} {impact:?}"
        );
    }
}

/// After a bounce the next contact is a later one.
#[test]
fn bounces() {
    for kind in CURVED {
        let plate = sheet(FaceKind::Quad8, 2, |[x, y]| [x, y, 0.1 * (x * x + y * y)]);
        let sphere = generate::face_sphere(kind, 1).unwrap();
        let falling = moving([0.05, 0.02, 3.0], [0.0; 3], [0.0, 0.0, -9.81]);
        let mut engine = ImpactEngine::with_bodies(
            vec![body(&plate, at_rest()), body(&sphere, falling)],
            &EngineSettings::default(),
        )
        .unwrap();
        let mut last = 0.0;
        for _ in 0..4 {
            let impact = engine.next_contact(100.0).unwrap().unwrap();
            assert!(impact.early > last + 0.1, "{kind} {last} {impact:?}");
            engine.advance(impact.early).unwrap();
            let now = engine.motion(1).unwrap();
            let [_, _, z] = now.velocity();
            let up = RigidMotion::new(
                now.pose(),
                [0.0, 0.0, -0.8 * z],
                [0.0; 3],
                now.acceleration(),
            );
            engine.set_motion(1, up.unwrap()).unwrap();
            last = impact.early;
        }
    }
}

/// Results do not depend on the horizons of earlier queries.
#[test]
fn results_do_not_depend_on_horizons() {
    let mut random = Random::new(8);
    for round in 0..20 {
        let sphere = generate::face_sphere(CURVED[round % 3], 1).unwrap();
        let plate = sheet(FaceKind::Quad9, 2, |[x, y]| [2.0 * x, 2.0 * y, 0.2 * x * y]);
        let spin = random.vector(1.0);
        let pose = random.pose([0.2, 0.1, 4.0]);
        let falling = RigidMotion::new(pose, [0.0, 0.1, -1.0], spin, [0.0; 3]).unwrap();
        let engine = || {
            let bodies = vec![body(&sphere, falling), body(&plate, at_rest())];
            ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap()
        };
        let once = engine().next_contact(10.0).unwrap();
        let mut queried = engine();
        let mut found = None;
        let mut horizon = 0.0;
        while found.is_none() && horizon < 10.0 {
            horizon += 0.01;
            found = queried.next_contact(horizon).unwrap();
        }
        assert_eq!(once, found, "{round}");
    }
}

/// Degenerate faces: nodes on one line, at one point, folded, and far from the origin.
#[test]
fn bad_faces_are_never_late() {
    let mut random = Random::new(17);
    let floor = sheet(FaceKind::Quad4, 2, |[x, y]| [4.0 * x, 4.0 * y, 0.0]);
    for kind in KINDS {
        for round in 0..8 {
            let mut points = nodes(kind, |[x, y]| [x, y, 0.1 * x * y]);
            match round {
                // On a line, at a point but for one, two corners in one place.
                0 => points.iter_mut().for_each(|p| p[1] = 0.0),
                1 => points[1..].iter_mut().for_each(|p| *p = [0.1, 0.1, 0.1]),
                2 => points[1] = points[0],
                // Folded and torn.
                3 => points.swap(0, 1),
                4 => points.reverse(),
                5 => points[0] = [5.0, -5.0, 5.0],
                6 => points.iter_mut().for_each(|p| *p = p.map(|x| x * 1e-80)),
                _ => points.iter_mut().for_each(|p| *p = random.vector(1.0)),
            }
            let mesh = single(kind, points.clone());
            for spin in [[0.0; 3], [0.3, -0.2, 0.5]] {
                let pose = Pose::from_translation([0.0, 0.0, 10.0]).unwrap();
                let motion = RigidMotion::new(pose, [0.0, 0.0, -1.0], spin, [0.0; 3]).unwrap();
                let mut engine = ImpactEngine::with_bodies(
                    vec![body(&floor, at_rest()), body(&mesh, motion)],
                    &EngineSettings::default(),
                )
                .unwrap();
                let impact = engine.next_contact(40.0).unwrap();
                let early = impact.as_ref().map_or(40.0, |i| i.early);
                // Nodes that are on the face must not be below the floor before.
                for step in 0..50 {
                    let t = early * f64::from(step) / 50.0;
                    let pose = motion.after(t).unwrap().pose();
                    for &p in &points {
                        let z = pose.apply(p)[2];
                        assert!(z > 0.0, "{kind} {round} {t} {impact:?}");
                    }
                }
                assert!(impact.is_some(), "{kind} {round}");
                let work = engine.counts().primitive;
                assert!(work < 200_000, "{kind} {round} {work}");
            }
        }
    }
}

/// Far from the origin only rounding grows.
#[test]
fn far_from_the_origin() {
    for kind in CURVED {
        let at = [1e6, -2e6, 3e6];
        let map = |bend: f64| {
            move |[x, y]: [f64; 2]| [at[0] + x, at[1] + y, at[2] + 0.5 * bend * (x * x + y * y)]
        };
        let below = single(kind, nodes(kind, map(-1.0)));
        let above = single(kind, nodes(kind, map(1.0)));
        let falling = moving([0.0, 0.0, 2.0], [0.0, 0.0, -1.0], [0.0; 3]);
        let impact = first(vec![body(&below, at_rest()), body(&above, falling)], 10.0).unwrap();
        assert!(
            impact.early <= 2.0 && impact.early > 2.0 - 1e-8,
            "{kind} {impact:?}"
        );
    }
}

/// With a separation, contact is at that distance.
#[test]
fn separations() {
    for kind in CURVED {
        for separation in [1e-3, 0.1, 1.0] {
            let settings = EngineSettings {
                separation,
                ..EngineSettings::default()
            };
            let below = paraboloid(kind, -1.0, 0.8, [0.0; 2]);
            let above = paraboloid(kind, 0.3, 0.8, [0.0; 2]);
            let falling = moving([0.0, 0.0, 3.0], [0.0, 0.0, -1.0], [0.0; 3]);
            let bodies = vec![body(&below, at_rest()), body(&above, falling)];
            let impact = first_with(bodies, 10.0, &settings).unwrap();
            let exact = 3.0 - separation;
            assert!(
                impact.early <= exact && exact - impact.early < 1e-12,
                "{kind} {impact:?}"
            );
            assert!(
                (impact.contacts[0].gap - separation).abs() < 1e-12,
                "{impact:?}"
            );
        }
    }
}

/// A deforming sheet whose far ends meet: self-contact.
#[test]
fn a_sheet_touches_itself() {
    // A strip of which both ends go up and over each other.
    let strip = sheet(FaceKind::Quad8, 4, |[x, y]| [2.0 * x, y, 0.0]);
    let ends: Vec<[f64; 3]> = strip
        .nodes()
        .iter()
        .map(|p| {
            let angle = 0.75 * p[0] * std::f64::consts::PI * 1.2;
            let r = 1.0 + 0.05 * p[0];
            [r * angle.sin(), p[1], r * (1.0 - angle.cos())]
        })
        .collect();
    let shape = BodyShape::of_faces(strip).unwrap();
    let body = Body::deforming(shape, &ends, 1.0).unwrap();
    let impact = first(vec![body], 1.0);
    let impact = impact.unwrap();
    assert!(impact.early > 0.1 && impact.early < 1.0, "{impact:?}");
    assert!(
        impact
            .contacts
            .iter()
            .all(|c| c.a == 0 && c.b == 0 && c.gap < 1e-8),
        "{impact:?}"
    );
    // A search that reaches its limit of patches does not report a bracket.
    let is_bracket = |c: &&ImpactContact| c.certificate == Certificate::Bracket;
    let mut brackets = impact.contacts.iter().filter(is_bracket);
    assert!(brackets.all(|c| c.gap < 1e-11), "{impact:?}");
}

/// Results of many bodies have the same bits on one thread and on two.
#[test]
fn threads_do_not_matter() {
    let mut random = Random::new(31);
    let kinds = [FaceKind::Tri6, FaceKind::Quad4, FaceKind::Quad9];
    let meshes = kinds.map(|kind| generate::face_sphere(kind, 1).unwrap());
    let mut bodies = Vec::new();
    for i in 0..60 {
        let at = random.vector(9.0);
        let pose = random.pose(at);
        let (velocity, spin) = (random.vector(1.0), random.vector(1.0));
        bodies.push((
            i % 3,
            RigidMotion::new(pose, velocity, spin, [0.0; 3]).unwrap(),
        ));
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let made = || {
            let bodies = bodies.iter().map(|&(i, motion)| body(&meshes[i], motion));
            first(bodies.collect(), 4.0)
        };
        pool.build().unwrap().install(made)
    };
    let one = on(1);
    assert!(one.is_some());
    assert_eq!(one, on(2));
}

/// A shape returns the mesh that it was made of.
#[test]
fn shapes_return_their_meshes() {
    let mesh = generate::face_sphere(FaceKind::Quad8, 1).unwrap();
    let shape = BodyShape::of_faces(mesh.clone()).unwrap();
    assert_eq!(shape.kinds(), Some(mesh.kinds()));
    assert_eq!(shape.points(), mesh.nodes());
    assert_eq!(shape.face_mesh(), Some(mesh));
    assert_eq!(BodyShape::ball(1.0).unwrap().face_mesh(), None);
}

/// Invalid motions and shapes are errors.
#[test]
fn bad_input_is_refused() {
    let mesh = generate::face_sphere(FaceKind::Tri6, 0).unwrap();
    let shape = BodyShape::of_faces(mesh.clone()).unwrap();
    let nodes = mesh.nodes().to_vec();
    let errors = [
        Body::deforming(shape.clone(), &nodes[1..], 1.0),
        Body::deforming(shape.clone(), &nodes, 0.0),
        Body::deforming(shape.clone(), &vec![[f64::NAN; 3]; nodes.len()], 1.0),
        Body::with_velocities(shape.clone(), &vec![[1e300; 3]; nodes.len()], 1.0),
    ];
    for error in errors {
        assert!(error.is_err());
    }
    // Control points between nodes at the edge of all coordinates are beyond it.
    let far = nodes.iter().map(|p| p.map(|x| 1.6e60 * x)).collect();
    let far = FaceMesh::new(far, mesh.kinds().to_vec(), mesh.indices().to_vec());
    if let Ok(far) = far {
        let _ = BodyShape::of_faces(far);
    }
    let settings = EngineSettings {
        separation: f64::NAN,
        ..EngineSettings::default()
    };
    let bodies = vec![Body::new(shape, at_rest())];
    assert!(ImpactEngine::with_bodies(bodies, &settings).is_err());
}

#[test]
fn segments_are_refused() {
    let circle = generate::face_circle(FaceKind::Seg3, 8).unwrap();
    let error = BodyShape::of_faces(circle).unwrap_err().to_string();
    assert!(error.contains("segments"), "{error}");
}
