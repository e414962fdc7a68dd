//! Tests of motion estimated from observed poses.

use super::bodies::{Spatial, Thing, cube, plate};
use nalgebra::Vector3;
use tangere::geometry::Pose;
use tangere::impact::{EngineSettings, ImpactEngine, Observed};
use test_support::Random;

/// The pose of a body at a time.
fn pose(thing: &Thing, time: f64) -> Pose {
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(thing.spin * time) * thing.rotation;
    let center = thing.rotation * thing.center + thing.place;
    let center = center + thing.velocity * time + thing.acceleration * (0.5 * time * time);
    Pose::new(turn, (center - turn * thing.center).into()).expect("sound")
}

/// A cube that is thrown but at rest as far as the engine knows, and a floor.
fn thrown(n: &mut Random) -> (Thing, ImpactEngine) {
    let mut thing = cube(0.5);
    thing.place = Vector3::new(0.0, 0.0, 10.0) + n.offset(1.0);
    thing.rotation = n.rotation();
    thing.velocity = n.offset(2.0);
    thing.spin = n.offset(3.0);
    thing.acceleration = Vector3::new(0.0, 0.0, -9.81);
    let mut seen = thing.clone();
    (seen.velocity, seen.spin, seen.acceleration) = Default::default();
    let floor = plate([4, 4], [50.0, 50.0]);
    let bodies = vec![seen.body(), floor.body()];
    (
        thing,
        ImpactEngine::with_bodies(bodies, &EngineSettings::default()).expect("sound"),
    )
}

#[test]
fn three_observations_determine_the_motion() {
    let n = &mut Random::new(71);
    for _ in 0..20 {
        let (thing, mut engine) = thrown(n);
        let reference = ImpactEngine::with_bodies(
            vec![thing.body(), plate([4, 4], [50.0, 50.0]).body()],
            &EngineSettings::default(),
        );
        let expected = reference.unwrap().next_contact(5.0).unwrap().unwrap();
        let mut time = 0.0;
        for step in 0..12 {
            engine.advance(time).unwrap();
            let seen = engine.observe(0, pose(&thing, time), 1e-9).unwrap();
            let is_known = step == 0 || step > 2;
            let should = [Observed::Changed, Observed::AsPredicted][usize::from(is_known)];
            assert_eq!(seen, should, "step {step}");
            if step >= 2 {
                let impact = engine.next_contact(5.0).unwrap().unwrap();
                assert!((impact.early - expected.early).abs() < 1e-9);
            }
            time += n.between(0.01, 0.06);
        }
        assert_eq!(
            engine.observe(1, Pose::identity(), 0.0).unwrap(),
            Observed::AsPredicted
        );
    }
}

#[test]
fn a_kick_is_noticed() {
    let n = &mut Random::new(72);
    for _ in 0..20 {
        let (mut thing, mut engine) = thrown(n);
        for step in 0..5 {
            engine.advance(0.04 * f64::from(step)).unwrap();
            engine
                .observe(0, pose(&thing, engine.time()), 1e-9)
                .unwrap();
        }
        // It is kicked at the last observation.
        let at = engine.time();
        let estimated = engine.motion(0).unwrap();
        let off = Vector3::from(estimated.velocity()) - (thing.velocity + thing.acceleration * at);
        assert!(off.norm() < 1e-9 && (Vector3::from(estimated.spin()) - thing.spin).norm() < 1e-9);
        let here = pose(&thing, at);
        thing.place = Vector3::from(here.translation());
        thing.rotation = here.rotation();
        thing.velocity = n.offset(3.0);
        thing.spin = n.offset(2.0);
        for step in 1..6 {
            let since = 0.03 * f64::from(step);
            engine.advance(at + since).unwrap();
            let seen = engine.observe(0, pose(&thing, since), 1e-9).unwrap();
            let should = [Observed::Changed, Observed::AsPredicted][usize::from(step > 2)];
            assert_eq!(seen, should, "step {step} after the kick");
        }
        let mut initial = thing.clone();
        initial.place += Vector3::zeros();
        let bodies = vec![initial.body(), plate([4, 4], [50.0, 50.0]).body()];
        let mut other = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
        let expected = other.next_contact(9.0).unwrap().unwrap().early + at;
        let impact = engine.next_contact(9.0).unwrap().unwrap();
        assert!(
            (impact.early - expected).abs() < 1e-9,
            "{} {expected}",
            impact.early
        );
    }
}

/// Deviations within the tolerance do not change the prediction, and two observations at one time
/// do no harm.
#[test]
fn tolerances() {
    let n = &mut Random::new(73);
    let (thing, mut engine) = thrown(n);
    for step in 0..4 {
        engine.advance(0.05 * f64::from(step)).unwrap();
        for _ in 0..2 {
            engine
                .observe(0, pose(&thing, engine.time()), 1e-9)
                .unwrap();
        }
    }
    let before = engine.motion(0).unwrap();
    let expected = engine.next_contact(5.0).unwrap();
    let shifted = |by: f64| {
        let [x, y, z] = before.pose().translation();
        Pose::new(before.pose().rotation(), [x + by, y, z]).unwrap()
    };
    assert_eq!(
        engine.observe(0, shifted(1e-3), 2e-3).unwrap(),
        Observed::AsPredicted
    );
    assert_eq!(engine.motion(0).unwrap(), before);
    assert_eq!(engine.next_contact(5.0).unwrap(), expected);
    assert_eq!(
        engine.observe(0, shifted(1e-3), f64::INFINITY).unwrap(),
        Observed::AsPredicted
    );
    assert_eq!(
        engine.observe(0, shifted(1e-3), 1e-4).unwrap(),
        Observed::Changed
    );
    // A rotation counts by the displacement of the farthest corner.
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(Vector3::new(0.0, 0.0, 0.01));
    let pose = engine.motion(0).unwrap().pose();
    let turned = Pose::new(turn * pose.rotation(), pose.translation()).unwrap();
    assert_eq!(
        engine.observe(0, turned, 0.01).unwrap(),
        Observed::AsPredicted
    );
    assert_eq!(engine.observe(0, turned, 0.001).unwrap(), Observed::Changed);
    for bad in [f64::NAN, -1.0] {
        assert!(engine.observe(0, pose, bad).is_err());
    }
    assert!(engine.observe(2, pose, 0.0).is_err());
}
