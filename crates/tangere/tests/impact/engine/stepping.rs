//! Tumbling bodies against very fine stepping: no contact is missed, late or invented, with any
//! bounding volumes.

use super::bodies::{Spatial, scene};
use super::checks::Scene;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{EngineSettings, Refinement};
use test_support::Random;

fn ways(hierarchy: usize, settings: usize) -> (HierarchySettings, EngineSettings) {
    let hierarchy = HierarchySettings {
        construction: Construction::ALL[hierarchy % 2],
        volume: Volume::ALL[hierarchy / 2 % 2],
        branching: [2, 4, 8][hierarchy / 4 % 3],
    };
    let settings = EngineSettings {
        volume: Volume::ALL[settings % 2],
        refinement: Refinement::ALL[settings / 2 % 6],
        ..EngineSettings::default()
    };
    (hierarchy, settings)
}

fn scene_of(n: &mut Random) -> Scene {
    let count = if n.chance(1, 5) { 3 + n.below(3) } else { 2 };
    Scene {
        things: scene(n, count),
        horizon: 1.2,
        separation: 0.0,
    }
}

/// The number of results with each certificate, and without a contact.
type Tally = [usize; 6];

/// Checks the scenes of these seeds.
fn run(seeds: std::ops::Range<u64>, check: fn(u64) -> usize) -> Tally {
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in seeds {
        match std::panic::catch_unwind(|| check(seed)) {
            Ok(kind) => tally[kind] += 1,
            Err(_) => wrong.push(seed),
        }
    }
    assert!(wrong.is_empty(), "scenes {wrong:?}");
    tally
}

fn check_tumbling(seed: u64) -> usize {
    let n = &mut Random::new(seed);
    let scene = scene_of(n);
    let (hierarchy, settings) = ways(4, 11);
    let found = scene.impact(&hierarchy, &settings);
    scene.check(found.as_ref());
    let (hierarchy, settings) = ways(n.below(12), n.below(12));
    let other = scene.impact(&hierarchy, &settings);
    scene.check_alike(found.as_ref(), other.as_ref());
    found.map_or(5, |f| f.certificate as usize)
}

#[test]
fn tumbling_bodies() {
    let tally = run(0..60, check_tumbling);
    assert!(tally[1] > 20 && tally[5] > 10, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_scenes_of_tumbling_bodies() {
    let tally = run(1000..2000, check_tumbling);
    println!("{tally:?}");
    assert!(tally[1] > 400 && tally[5] > 100, "{tally:?}");
}

/// All refinements, volumes, constructions and branchings give the same times, up to their
/// brackets.
#[test]
fn all_settings_give_the_same_times() {
    let check = |seed| {
        let scene = scene_of(&mut Random::new(seed));
        let first = scene.impact(&HierarchySettings::default(), &EngineSettings::default());
        for way in 0..144 {
            let (hierarchy, settings) = ways(way / 12, way % 12);
            let other = scene.impact(&hierarchy, &settings);
            scene.check_alike(first.as_ref(), other.as_ref());
        }
        first.map_or(5, |f| f.certificate as usize)
    };
    run(200..212, check);
}

/// With a separation, contact is at that distance.
#[test]
fn separations() {
    let check = |seed| {
        let n = &mut Random::new(seed);
        let mut scene = scene_of(n);
        let size = scene.things[0].extent().1;
        scene.separation = size * [0.3, 1e-2, 1e-6][n.below(3)];
        let found = scene.impact(&HierarchySettings::default(), &EngineSettings::default());
        scene.check(found.as_ref());
        found.map_or(5, |f| f.certificate as usize)
    };
    run(300..330, check);
}

/// Bodies rotate hundreds of times before they touch.
#[test]
fn bodies_that_spin_fast() {
    let check = |seed| {
        let n = &mut Random::new(seed);
        let mut scene = scene_of(n);
        scene.things.truncate(2);
        for thing in &mut scene.things {
            thing.spin = n.axis() * n.between(500.0, 3000.0);
        }
        let found = scene.impact(&HierarchySettings::default(), &EngineSettings::default());
        scene.check(found.as_ref());
        found.map_or(5, |f| f.certificate as usize)
    };
    run(400..415, check);
}
