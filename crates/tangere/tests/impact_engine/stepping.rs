//! Tumbling bodies against very fine stepping: nothing is missed, late or invented, whichever volumes are used.

use super::bodies::{Random, Thing, corners, scene};
use super::numbers::Numbers;
use super::oracle::{distance, first_common};
use nalgebra::Vector3;
use tangere::contact::Feature;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{
    Body, Certificate, EngineSettings, Impact, ImpactContact, ImpactEngine, Refinement,
};

/// Of the size of bodies.
const NEAR: f64 = 1e-9;

const HORIZON: f64 = 1.2;

fn impact(
    things: &[Thing],
    hierarchy: &HierarchySettings,
    settings: &EngineSettings,
) -> Option<Impact> {
    let body = |thing: &Thing| Body::new(thing.shape(hierarchy), thing.motion());
    let bodies = things.iter().map(body).collect();
    let mut engine = ImpactEngine::new(bodies, settings).unwrap();
    engine.next_contact(HORIZON).unwrap()
}

fn pairs(things: &[Thing]) -> impl Iterator<Item = (usize, usize)> {
    (0..things.len()).flat_map(|b| (0..b).map(move |a| (a, b)))
}

/// Nothing touches before the contact, or at all if there is none.
fn check_never_late(things: &[Thing], found: Option<&Impact>) {
    let until = found.map_or(HORIZON, |impact| impact.early);
    for (a, b) in pairs(things) {
        let (a, b) = (&things[a], &things[b]);
        // What is at the time itself is looked at elsewhere.
        let before = match found {
            Some(_) => until - 1e-13 * until,
            None => until,
        };
        let fine = 1e-5 * HORIZON;
        let near = (before - 1e-4 * HORIZON).max(0.0);
        let first = first_common(a, b, [0.0, near], fine)
            .or_else(|| first_common(a, b, [near, before], 1e-9 * HORIZON));
        if found.is_some_and(|f| f.certificate == Certificate::Overlap) {
            continue;
        }
        assert_eq!(
            first,
            None,
            "late: {:?}",
            found.map(|f| (f.early, f.certificate))
        );
    }
}

fn size(things: &[Thing]) -> f64 {
    let of = |thing: &Thing| thing.place.amax() + thing.center.amax() + thing.extent().1;
    things.iter().map(of).fold(0.0, f64::max)
}

/// At the time of contact bodies are where they touch, and just afterwards they go through each other.
fn check_not_invented(things: &[Thing], found: &Impact) {
    assert!(!found.contacts.is_empty());
    assert_eq!(
        found.early,
        found
            .contacts
            .iter()
            .map(|c| c.early)
            .fold(f64::INFINITY, f64::min)
    );
    for contact in &found.contacts {
        let (a, b) = (&things[contact.a as usize], &things[contact.b as usize]);
        assert!(
            contact.early <= found.late,
            "later than the first: {found:?}"
        );
        assert!(contact.early <= contact.late);
        let tiny = NEAR * size(things);
        let apart = distance(a, b, contact.early);
        assert!(
            apart.abs() <= tiny || contact.certificate == Certificate::Overlap,
            "{apart} {contact:?}"
        );
        match contact.certificate {
            Certificate::Overlap => {
                assert_eq!(contact.early, 0.0);
                assert!(apart <= 0.0);
            }
            Certificate::Bracket | Certificate::Exact => {
                assert!(
                    contact.late - contact.early <= 1e-9 * HORIZON,
                    "{contact:?}"
                );
                let later = |k: i32| contact.late + HORIZON * (10.0_f64.powi(k) - 1e-17);
                let met = (-17..-5).any(|k| distance(a, b, later(k)) <= 0.0);
                assert!(met, "they do not meet: {contact:?}");
            }
            Certificate::Touching => assert_eq!(contact.late, f64::INFINITY),
            Certificate::Unresolved => panic!("nothing is that hard: {contact:?}"),
        }
    }
}

/// How far a point is from a feature at a time.
fn off(thing: &Thing, feature: Feature, point: [f64; 3], time: f64) -> f64 {
    let (points, corners) = (thing.at(time), corners(thing, feature));
    let corner = |k: usize| points[corners[k.min(corners.len() - 1)] as usize].into();
    let triangle = [corner(0), corner(1), corner(2)];
    tangere::closest::triangle_distance([point; 3], triangle).distance - thing.radius
}

fn check_contact(things: &[Thing], contact: &ImpactContact) {
    let tiny = NEAR * size(things);
    let time = contact.early;
    let normal = Vector3::from(contact.normal);
    assert!((normal.norm() - 1.0).abs() < 1e-12);
    assert!(contact.a < contact.b);
    let sides = [
        (
            contact.a,
            contact.feature_a,
            contact.face_a,
            contact.xi_a,
            contact.point_a,
            1.0,
        ),
        (
            contact.b,
            contact.feature_b,
            contact.face_b,
            contact.xi_b,
            contact.point_b,
            -1.0,
        ),
    ];
    for (body, feature, face, [u, v], point, sign) in sides {
        let thing = &things[body as usize];
        let away = off(thing, feature, point, time);
        assert!(away.abs() <= tiny, "{away} off the feature: {contact:?}");
        let of_face = &thing.faces[face as usize];
        assert!(corners(thing, feature).iter().all(|v| of_face.contains(v)));
        let points = thing.at(time);
        let [p, q, r] = of_face.map(|v| points[v as usize]);
        let there = p + (q - p) * u + (r - p) * v + normal * (sign * thing.radius);
        assert!(
            (there - Vector3::from(point)).norm() <= tiny,
            "{there} {contact:?}"
        );
    }
    if contact.certificate == Certificate::Overlap {
        return;
    }
    let away = Vector3::from(contact.point_b) - Vector3::from(contact.point_a);
    assert!(
        contact.gap.abs() <= tiny && away.norm() <= tiny,
        "{contact:?}"
    );
    // Just before, what is nearest is on the sides to which the normal points.
    let (a, b) = (&things[contact.a as usize], &things[contact.b as usize]);
    let speed = a.speed(time) + b.speed(time);
    let before = time - 1e-7 * size(things) / speed;
    let triangle = |thing: &Thing, face: u32| {
        let points = thing.at(before);
        thing.faces[face as usize].map(|v| points[v as usize].into())
    };
    let (ta, tb) = (triangle(a, contact.face_a), triangle(b, contact.face_b));
    let nearest = tangere::closest::triangle_distance(ta, tb);
    let way = Vector3::from(nearest.point_b) - Vector3::from(nearest.point_a);
    if before > 0.0 && contact.certificate != Certificate::Touching {
        let along = normal.dot(&way) / way.norm();
        assert!(along > 1e-3, "{along}: {contact:?}");
    }
}

fn check(things: &[Thing], found: Option<&Impact>) {
    check_never_late(things, found);
    if let Some(impact) = found {
        check_not_invented(things, impact);
        for contact in &impact.contacts {
            check_contact(things, contact);
        }
    }
}

fn some_ways(n: &mut Numbers) -> (HierarchySettings, EngineSettings) {
    let hierarchy = HierarchySettings {
        construction: Construction::ALL[n.one_of(2)],
        volume: Volume::ALL[n.one_of(2)],
        branching: [2, 4, 8][n.one_of(3)],
    };
    let settings = EngineSettings {
        volume: Volume::ALL[n.one_of(2)],
        refinement: Refinement::ALL[n.one_of(6)],
        ..EngineSettings::default()
    };
    (hierarchy, settings)
}

/// How often each answer was given: of every certificate, and none.
type Tally = [usize; 6];

fn check_scene(seed: u64, tally: &mut Tally) {
    let n = &mut Numbers(seed);
    let count = if n.is_one_of(5) { 3 + n.one_of(3) } else { 2 };
    let things = scene(n, count);
    let settings = EngineSettings::default();
    let found = impact(&things, &HierarchySettings::default(), &settings);
    tally[found.as_ref().map_or(5, |f| f.certificate as usize)] += 1;
    check(&things, found.as_ref());
    let (hierarchy, settings) = some_ways(n);
    let other = impact(&things, &hierarchy, &settings);
    check_alike(&things, found.as_ref(), other.as_ref());
}

/// Two answers of which both are right.
fn check_alike(things: &[Thing], one: Option<&Impact>, other: Option<&Impact>) {
    let (Some(one), Some(other)) = (one, other) else {
        assert_eq!(one, other);
        return;
    };
    if one.late < f64::INFINITY && other.late < f64::INFINITY {
        let tiny = 1e-14 * one.early;
        let alike = one.early <= other.late + tiny && other.early <= one.late + tiny;
        assert!(alike, "{one:?} {other:?}");
    } else {
        check(things, Some(other));
    }
}

fn run(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in seeds {
        let checked = std::panic::catch_unwind(|| {
            let mut own = Tally::default();
            check_scene(seed, &mut own);
            own
        });
        match checked {
            Ok(own) => (0..6).for_each(|i| tally[i] += own[i]),
            Err(_) => {
                eprintln!("in scene {seed}");
                wrong.push(seed);
            }
        }
    }
    assert!(wrong.is_empty(), "scenes {wrong:?}");
    tally
}

#[test]
fn tumbling_bodies() {
    let tally = run(0..60);
    eprintln!("{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_scenes_of_tumbling_bodies() {
    let tally = run(1000..2000);
    eprintln!("{tally:?}");
}
