//! Deforming bodies against brute force: exactly over all pairs of their features, and by fine
//! stepping against rotating bodies.

use super::bodies::{Spatial, Thing, plate, shape};
use super::features::{Sheet, Start, first_contact, start};
use nalgebra::Vector3;
use tangere::impact::primitive::ContactStatus;
use tangere::impact::{Body, BodyShape, Certificate, EngineSettings, Impact, ImpactEngine};
use tangere::shape::TriMesh;
use test_support::Random;

pub fn deforming(sheet: &Sheet, duration: f64) -> Body {
    let mesh = TriMesh::new(sheet.starts.clone(), sheet.faces.clone()).expect("sound");
    Body::deforming(
        BodyShape::of_mesh(mesh).expect("sound"),
        &sheet.ends,
        duration,
    )
    .expect("sound")
}

/// Checks the engine against brute force in a step; returns whether the bodies touch.
fn check(found: Option<&Impact>, a: &Sheet, b: Option<&Sheet>, [from, duration]: [f64; 2]) -> bool {
    match start(a, b) {
        Start::Apart => {}
        // They may separate or not.
        Start::Touching => return true,
        Start::Crossing => {
            let impact = found.expect("an overlap");
            assert_eq!(
                (impact.certificate, impact.early),
                (Certificate::Overlap, from)
            );
            return true;
        }
    }
    let expected = first_contact(a, b);
    let Some(impact) = found else {
        assert_eq!(expected.status, ContactStatus::Free, "missed: {expected:?}");
        return false;
    };
    assert_eq!(
        expected.status,
        ContactStatus::Contact,
        "invented: {impact:?}"
    );
    assert_eq!(impact.certificate, Certificate::Exact);
    let [early, late] = [expected.early, expected.late].map(|s| from + s * duration);
    let tiny = 1e-15 * (from + duration);
    assert!(impact.early <= late + tiny, "late: {impact:?} {expected:?}");
    assert!(
        early <= impact.late + tiny,
        "early: {impact:?} {expected:?}"
    );
    assert!(impact.late - impact.early <= 1e-12 * impact.late + tiny);
    true
}

/// Random points with coordinates that are floats, or small integers, which force ties.
fn point(n: &mut Random, is_whole: bool) -> [f64; 3] {
    match is_whole {
        true => [(); 3].map(|()| n.below(5) as f64),
        false => n.offset(1.0).into(),
    }
}

pub fn crumple(n: &mut Random, is_whole: bool, count: usize, goes: f64) -> Sheet {
    let starts: Vec<[f64; 3]> = (0..count + 2).map(|_| point(n, is_whole)).collect();
    let move_of = |n: &mut Random, p: [f64; 3]| -> [f64; 3] {
        let q = point(n, is_whole);
        match is_whole {
            true => q,
            false => std::array::from_fn(|k| p[k] + goes * q[k]),
        }
    };
    let ends = starts.iter().map(|&p| move_of(n, p)).collect();
    let faces = (0..count as u32).map(|i| [i, i + 1, i + 2]).collect();
    Sheet {
        starts,
        ends,
        faces,
    }
}

#[test]
fn two_surfaces_that_deform() {
    let n = &mut Random::new(31);
    let mut touched = [0; 2];
    for i in 0..600 {
        let is_whole = n.chance(1, 2);
        let (one, other) = (1 + n.below(6), 1 + n.below(6));
        let a = crumple(n, is_whole, one, 1.0);
        let mut b = crumple(n, is_whole, other, 1.0);
        let shift = if is_whole { 4.0 } else { 2.0 };
        b.starts.iter_mut().for_each(|p| p[0] += shift);
        let duration = [1.0, 0.1, 7.3][i % 3];
        let bodies = vec![deforming(&a, duration), deforming(&b, duration)];
        let settings = EngineSettings {
            self_contact: false,
            ..EngineSettings::default()
        };
        let mut engine = ImpactEngine::with_bodies(bodies, &settings).unwrap();
        let found = engine.next_contact(duration).unwrap();
        let touches = check(found.as_ref(), &a, Some(&b), [0.0, duration]);
        touched[usize::from(touches)] += 1;
    }
    assert!(touched.iter().all(|&count| count > 60), "{touched:?}");
}

#[test]
fn crumpled_surfaces_touch_themselves() {
    let n = &mut Random::new(32);
    let mut touched = [0; 2];
    for _ in 0..400 {
        let is_whole = n.chance(1, 4);
        let (count, goes) = (2 + n.below(4), n.between(0.1, 1.0));
        let a = crumple(n, is_whole, count, goes);
        let mut engine =
            ImpactEngine::with_bodies(vec![deforming(&a, 0.7)], &EngineSettings::default())
                .unwrap();
        let found = engine.next_contact(0.7).unwrap();
        touched[usize::from(check(found.as_ref(), &a, None, [0.0, 0.7]))] += 1;
    }
    assert!(touched.iter().all(|&count| count > 50), "{touched:?}");
}

/// A sheet folded onto itself touches itself.
#[test]
fn a_sheet_folds_onto_itself() {
    let n = &mut Random::new(33);
    let flat = plate([8, 3], [2.0, 0.6]);
    for _ in 0..20 {
        let mut noise = || n.between(-0.02, 0.02);
        let starts: Vec<[f64; 3]> = flat
            .points
            .iter()
            .map(|p| [p[0], p[1], 0.2 * p[0].abs() + noise()])
            .collect();
        let folded = |p: &[f64; 3]| match p[0] > 0.0 {
            true => [-p[0] + 0.3, p[1] + 0.05, p[2] - 0.5],
            false => *p,
        };
        let ends = starts.iter().map(folded).collect();
        let sheet = Sheet {
            starts,
            ends,
            faces: flat.faces.clone(),
        };
        let mut engine =
            ImpactEngine::with_bodies(vec![deforming(&sheet, 2.0)], &EngineSettings::default())
                .unwrap();
        let found = engine.next_contact(2.0).unwrap();
        assert!(check(found.as_ref(), &sheet, None, [0.0, 2.0]));
        let impact = found.unwrap();
        assert!(impact.contacts.iter().all(|c| c.a == 0 && c.b == 0));
        engine.ignore(0, 0).unwrap();
        assert_eq!(engine.next_contact(2.0).unwrap(), None);
        engine.watch(0, 0).unwrap();
        assert_eq!(engine.next_contact(2.0).unwrap(), Some(impact));
    }
}

/// A tube is pressed flat until its sides touch.
#[test]
fn a_tube_closes() {
    let n = &mut Random::new(34);
    for around in [5, 8, 12] {
        let flat = plate([around, 4], [1.0, 1.0]);
        let row = around + 1;
        let faces: Vec<[u32; 3]> = flat
            .faces
            .iter()
            .map(|f| f.map(|v| if v % row == around { v - around } else { v }))
            .collect();
        let turn = |p: &[f64; 3]| {
            let (sin, cos) = (p[0] * std::f64::consts::PI).sin_cos();
            [cos, 2.0 * p[1], sin]
        };
        let starts: Vec<[f64; 3]> = flat.points.iter().map(turn).collect();
        let pressed = |n: &mut Random, p: &[f64; 3]| {
            let middle = (1.0 - p[1].abs() / 3.0).max(0.0);
            [
                p[0] * (1.0 + 0.3 * middle),
                p[1] + n.between(0.0, 0.01),
                p[2] * (1.0 - 2.0 * middle),
            ]
        };
        let ends = starts.iter().map(|p| pressed(n, p)).collect();
        let sheet = Sheet {
            starts,
            ends,
            faces,
        };
        let mut engine =
            ImpactEngine::with_bodies(vec![deforming(&sheet, 1.0)], &EngineSettings::default())
                .unwrap();
        let found = engine.next_contact(1.0).unwrap();
        assert!(check(found.as_ref(), &sheet, None, [0.0, 1.0]));
    }
}

/// In consecutive steps a node that passes a surface does so within one of them, also at their
/// borders.
#[test]
fn nothing_passes_between_steps() {
    let n = &mut Random::new(35);
    let face = vec![[0, 1, 2]];
    let mut touched = 0;
    for _ in 0..300 {
        let floor = [[-9.0, -8.0, 0.1], [9.0, -8.0, -0.2], [0.5, 9.0, 0.3]];
        let tip = [n.between(-1.0, 1.0), n.between(-1.0, 1.0)];
        // The height of the floor there, up to rounding, is where the tip is after some steps.
        let corner = floor.map(Vector3::from);
        let normal = (corner[1] - corner[0]).cross(&(corner[2] - corner[0]));
        let height = 0.1 - (normal.x * (tip[0] + 9.0) + normal.y * (tip[1] + 8.0)) / normal.z;
        let at = |z: f64| {
            vec![
                [tip[0], tip[1], z],
                [tip[0], 1.5, z + 1.0],
                [2.0, 0.3, z + 1.2],
            ]
        };
        let duration = [0.1, 0.2, 0.3, 0.7][n.below(4)];
        let last = 1 + n.below(6);
        let heights = |k: usize| height + 0.37 * (last as f64 - k as f64);
        let body = |starts: Vec<[f64; 3]>, ends: Vec<[f64; 3]>| Sheet {
            starts,
            ends,
            faces: face.clone(),
        };
        let still = body(floor.to_vec(), floor.to_vec());
        let first = body(at(heights(0)), at(heights(1)));
        let bodies = vec![deforming(&still, duration), deforming(&first, duration)];
        let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
        for k in 0..last + 2 {
            let now = engine.time();
            let moving = body(at(heights(k)), at(heights(k + 1)));
            if k > 0 {
                engine
                    .set_nodes(0, &still.starts, &still.ends, duration)
                    .unwrap();
                engine
                    .set_nodes(1, &moving.starts, &moving.ends, duration)
                    .unwrap();
            }
            let found = engine.next_contact(now + duration).unwrap();
            if check(found.as_ref(), &still, Some(&moving), [now, duration]) {
                touched += 1;
                break;
            }
            assert!(k <= last, "it is through");
            engine.advance(now + duration).unwrap();
            let mut nodes = Vec::new();
            engine.nodes(1, &mut nodes).unwrap();
            assert_eq!(nodes, moving.ends);
        }
    }
    assert_eq!(touched, 300);
}

/// A translating rigid body equals a deforming one whose nodes have the same velocity, up to
/// rounding.
#[test]
fn deforming_against_rigid_bodies_that_move_straight() {
    let n = &mut Random::new(36);
    let mut touched = [0; 2];
    for _ in 0..200 {
        let a = crumple(n, false, 5, 0.6);
        let mut b = shape(n);
        if b.radius > 0.0 || b.faces.len() > 60 {
            continue;
        }
        b.rotation = n.rotation();
        b.place = n.axis() * 3.0;
        b.velocity = n.offset(2.5) - b.place;
        let mut moved = b.clone();
        moved.place += b.velocity;
        let points = |thing: &Thing| thing.at(0.0).iter().map(|&p| p.into()).collect();
        let sheet = Sheet {
            starts: points(&b),
            ends: points(&moved),
            faces: b.faces.clone(),
        };
        let settings = EngineSettings {
            self_contact: false,
            ..EngineSettings::default()
        };
        let mut engine =
            ImpactEngine::with_bodies(vec![deforming(&a, 1.0), b.body()], &settings).unwrap();
        let found = engine.next_contact(1.0).unwrap();
        let expected = first_contact(&a, Some(&sheet));
        if start(&a, Some(&sheet)) != Start::Apart {
            assert_eq!(found.unwrap().certificate, Certificate::Overlap);
            continue;
        }
        touched[usize::from(found.is_some())] += 1;
        assert_eq!(found.is_some(), expected.is_contact());
        if let Some(impact) = found {
            assert_eq!(impact.certificate, Certificate::Exact);
            assert!(
                (impact.early - expected.early).abs() < 1e-12,
                "{impact:?} {expected:?}"
            );
        }
    }
    assert!(touched.iter().all(|&count| count > 20), "{touched:?}");
}

/// Adjacent faces of a flat surface share corners and edges, which is no self-contact.
#[test]
fn flat_parts_do_not_touch_themselves() {
    let flat = tangere::generate::plate([2.0, 2.0], [4, 4]).expect("sound");
    let cube = tangere::generate::box_mesh([1.0; 3], [3; 3]).expect("sound");
    for mesh in [flat, cube] {
        let ends: Vec<[f64; 3]> = (mesh.vertices().iter())
            .map(|p| [p[0], p[1], p[2] - 1.0 - 0.2 * p[0]])
            .collect();
        let shape = BodyShape::of_mesh(mesh).expect("sound");
        let body = Body::deforming(shape, &ends, 1.0).expect("sound");
        let mut engine =
            ImpactEngine::with_bodies(vec![body], &EngineSettings::default()).expect("sound");
        assert_eq!(engine.next_contact(1.0).expect("sound"), None);
    }
}
