//! Tests of bodies that rotate past each other at small gaps: the work must not grow with the
//! inverse of the gap, and the work limit ends what is left.

use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::{
    Body, BodyShape, Certificate, EngineSettings, FirstContactSettings, ImpactEngine, RigidMotion,
};

/// Gaps at which bodies pass.
const GAPS: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];

/// A body at a position with a velocity and a spin.
fn body(shape: &BodyShape, place: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> Body {
    let pose = Pose::from_translation(place).unwrap();
    Body::new(
        shape.clone(),
        RigidMotion::new(pose, velocity, spin, [0.0; 3]).unwrap(),
    )
}

fn engine(bodies: Vec<Body>) -> ImpactEngine {
    ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap()
}

/// The work of a search that finds no contact.
fn work_of_miss(bodies: Vec<Body>, until: f64) -> u64 {
    let mut engine = engine(bodies);
    assert_eq!(engine.next_contact(until).unwrap(), None);
    engine.counts().volume + engine.counts().primitive
}

/// The works at all gaps must be at most `most`, and grow at most with the logarithm of the gap.
fn check_growth(name: &str, most: u64, work: impl Fn(f64) -> u64) {
    let works = GAPS.map(work);
    assert!(works.iter().all(|w| *w <= most), "{name}: {works:?}");
    let (first, last) = (works[0].max(2000), works[GAPS.len() - 1]);
    assert!(last <= 4 * first, "{name}: {works:?}");
}

fn plate() -> BodyShape {
    BodyShape::of_mesh(generate::plate([2.0, 2.0], [20, 20]).unwrap()).unwrap()
}

fn sphere() -> BodyShape {
    BodyShape::of_mesh(generate::sphere(3).unwrap()).unwrap()
}

fn box_of(size: [f64; 3]) -> BodyShape {
    BodyShape::of_mesh(generate::box_mesh(size, [1; 3]).unwrap()).unwrap()
}

#[test]
fn plates_that_spin_about_their_normals() {
    let (plate, still) = (plate(), [0.0; 3]);
    check_growth("one spins", 100, |gap| {
        let lower = body(&plate, [0.0; 3], still, still);
        let upper = body(&plate, [0.0, 0.0, gap], still, [0.0, 0.0, 1.0]);
        work_of_miss(vec![lower, upper], 100.0)
    });
    check_growth("both spin, tilted", 100, |gap| {
        let turn = Pose::from_numbers(&[0.0, 0.0, 0.0, 0.8, 0.0, 0.36, 0.48]).unwrap();
        let n = turn.rotate([0.0, 0.0, 1.0]);
        let turned = |height: f64, rate: f64| {
            let pose = Pose::new(turn.rotation(), n.map(|x| x * height)).unwrap();
            let motion = RigidMotion::new(pose, still, n.map(|x| x * rate), still).unwrap();
            Body::new(plate.clone(), motion)
        };
        work_of_miss(vec![turned(0.0, -0.3), turned(gap, 1.0)], 100.0)
    });
}

#[test]
fn spheres_that_spin_past_each_other() {
    let (sphere, still) = (sphere(), [0.0; 3]);
    let spins = [[1.0, 0.5, 0.2], [0.0, 1.0, 3.0]];
    check_growth("one passes", 20_000, |gap| {
        let a = body(&sphere, still, still, spins[0]);
        let b = body(&sphere, [-5.0, 2.0 + gap, 0.0], [1.0, 0.0, 0.0], spins[1]);
        work_of_miss(vec![a, b], 10.0)
    });
    check_growth("both stay", 20_000, |gap| {
        let a = body(&sphere, still, still, spins[0]);
        let b = body(&sphere, [0.0, 2.0 + gap, 0.0], still, spins[1]);
        work_of_miss(vec![a, b], 100.0)
    });
    let plate = plate();
    check_growth("over a plate that spins", 20_000, |gap| {
        let a = body(&plate, still, still, [0.0, 0.0, 0.7]);
        let b = body(&sphere, [0.0, 0.0, 1.0 + gap], still, spins[0]);
        work_of_miss(vec![a, b], 100.0)
    });
    let cube = box_of([1.0; 3]);
    check_growth("corners of cubes", 20_000, |gap| {
        let a = body(&cube, still, still, [0.0, 0.0, 1.0]);
        let place = [2.0_f64.sqrt() + gap, 0.0, 0.2];
        let b = body(&cube, place, still, [0.0, 0.0, -1.3]);
        work_of_miss(vec![a, b], 100.0)
    });
}

/// Contacts of bodies that rotate fast or are very long are still found, at the right time.
#[test]
fn fast_spins_and_long_bodies_touch_in_time() {
    let (cube, still) = (box_of([1.0; 3]), [0.0; 3]);
    // The corner of a fast cube, at the distance of half a diagonal from its axis, hits the other
    // within a turn.
    for rate in [1e3, 1e6, 1e9] {
        let fast = body(&cube, still, [1.0, 0.0, 0.0], [0.0, 0.0, rate]);
        let mut engine = engine(vec![fast, body(&cube, [3.3, 0.0, 0.2], still, still)]);
        let impact = engine.next_contact(10.0).unwrap().unwrap();
        let expected = 3.3 - 0.5 - 0.5_f64.sqrt();
        let off = impact.early - expected;
        assert!((-1e-5..7.0 / rate + 1e-12).contains(&off), "{rate}: {off}");
        assert!(engine.counts().primitive < 20_000, "{:?}", engine.counts());
    }
    for rate in [1e6, 1.8e19, 1e60] {
        let fast = body(&cube, still, still, [0.0, 0.0, rate]);
        let next = body(&cube, [1.3, 0.0, 0.2], still, still);
        assert!(work_of_miss(vec![fast, next], 10.0) < 20_000);
    }
    let long = box_of([4294967295.0, 1.0, 1.0]);
    let needle = body(&long, still, still, [0.0, 0.0, 1.0]);
    let falling = body(&cube, [0.0, 0.0, 5.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
    let mut engine = engine(vec![needle, falling]);
    let impact = engine.next_contact(10.0).unwrap().unwrap();
    // The cube, turned by t, is 0.5 (|sin t| + |cos t|) high below its centre.
    let t = impact.early;
    let gap = 5.0 - t - 0.5 - 0.5 * (t.sin().abs() + t.cos().abs());
    assert!(gap.abs() < 1e-3 && engine.counts().primitive < 20_000);
}

/// Two needles of length 2^32 that rotate about any axes need more work than there is: both kinds
/// of queries end and report how far they came, and the next query continues.
#[test]
fn the_work_limit_ends_a_search() {
    let long = box_of([4294967295.0, 1.0, 1.0]);
    let bodies = || {
        vec![
            body(&long, [0.0; 3], [0.0; 3], [0.1, 0.4, 1.0]),
            body(&long, [0.0, 3.0, 0.0], [0.0; 3], [0.3, -0.2, 0.5]),
        ]
    };
    let settings = EngineSettings::default().with_work(100_000);
    let mut engine = ImpactEngine::with_bodies(bodies(), &settings).unwrap();
    let mut times = Vec::new();
    for _ in 0..3 {
        let impact = engine.next_contact(10.0).unwrap().unwrap();
        assert_eq!(impact.certificate, Certificate::Unresolved);
        assert!(impact.contacts.is_empty() && impact.late == f64::INFINITY);
        times.push(impact.early);
    }
    assert!(times.is_sorted() && times[0] < times[2], "{times:?}");
    let engine = ImpactEngine::with_bodies(bodies(), &settings).unwrap();
    for step in [None, Some(1e-9), Some(1e-300)] {
        let settings = FirstContactSettings::default().with_step(step);
        let found = engine.first_contacts_with(10.0, &settings).unwrap();
        assert!(!found.is_complete && found.searched < 10.0, "{step:?}");
        // All wake-ups together have one limit.
        assert!(found.counts.primitive < 20_000, "{:?}", found.counts);
    }
}

/// A box that spins about the axis along which its faces are flush with those of another box: the
/// coplanar faces do not end the search before the edge meets the face.
#[test]
fn flush_boxes_that_spin_fast_have_a_bracket() {
    let cube = box_of([1.0; 3]);
    for (spin, place, speed) in [(10.0, 2.0, 2.0), (500.0, 2.0, 2.0), (1000.0, 1.5, 1.0)] {
        let still = body(&cube, [0.0; 3], [0.0; 3], [0.0; 3]);
        let flies = body(
            &cube,
            [place, 0.0, 0.0],
            [-speed, 0.0, 0.0],
            [0.0, 0.0, spin],
        );
        let impact = engine(vec![still, flies])
            .next_contact(1.0)
            .unwrap()
            .unwrap();
        assert_eq!(impact.certificate, Certificate::Bracket, "{spin}");
        let gap = |t: f64| {
            let (sine, cosine) = (spin * t).sin_cos();
            place - speed * t - 0.5 - 0.5 * (sine.abs() + cosine.abs())
        };
        assert!(
            gap(impact.early) > -1e-11 && gap(impact.late) < 1e-11,
            "{spin}"
        );
        assert!(impact.late - impact.early < 1e-9, "{spin}: {impact:?}");
    }
}

/// Where rounding hides how far a body has turned, nothing is reported as a contact.
#[test]
fn contacts_that_rounding_hides_are_unresolved() {
    let cube = box_of([1.0; 3]);
    for spin in [[0.0, 0.0, 1e15], [1e15, 0.0, 0.0], [3e14, 5e14, 8e14]] {
        let still = body(&cube, [0.0; 3], [0.0; 3], [0.0; 3]);
        let flies = body(&cube, [3.0, 0.0, 0.0], [-2.0, 0.0, 0.0], spin);
        let mut engine = engine(vec![still, flies]);
        let first = engine.next_contact(1.0).unwrap().unwrap();
        assert_eq!(first.certificate, Certificate::Unresolved, "{first:?}");
        // The balls around the boxes touch at 0.63, the boxes at 1 in any position.
        assert!(first.early > 0.6 && first.early <= 1.0, "{first:?}");
        assert!(first.contacts.is_empty() && first.late == f64::INFINITY);
        let again = engine.next_contact(1.0).unwrap().unwrap();
        assert_eq!(again, first);
        let found = engine.first_contacts(1.0).unwrap();
        assert!(found.contacts.is_empty() && !found.is_complete);
        assert_eq!(found.searched, first.early);
    }
}
