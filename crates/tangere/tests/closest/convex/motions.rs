//! Convex bodies in motion: every contact of a tracker is proven and independent of earlier
//! queries.

use std::sync::Mutex;
use test_support::Random;

use rayon::prelude::*;
use tangere::closest::{Tracker, certificate, exhaustive};
use tangere::contact::Contact;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

use super::checks::{Faults, Pair, bits};
use super::scenes::{self, Placing};

/// A pose after a further rotation.
fn composed(step: [f64; 4], pose: &Pose) -> Pose {
    let turned = scenes::pose([0.0; 3], step).compose(pose).to_numbers();
    scenes::pose(
        pose.translation(),
        [turned[3], turned[4], turned[5], turned[6]],
    )
}

/// Calls `visit` with the poses of two bodies that rotate by 0.002 a step and are kept at a gap.
fn turning(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    gap: f64,
    steps: usize,
    seed: u64,
    mut visit: impl FnMut(&Pose, &Pose),
) {
    let mut random = Random::new(seed);
    let (turn_a, turn_b) = (
        scenes::nudge(&mut random, 0.002),
        scenes::nudge(&mut random, 0.002),
    );
    let [mut pose_a, mut pose_b] = scenes::poses(&mut random, Placing::Anyhow(1.0), 1.0, [0.0; 3]);
    let mut tracker = Tracker::new();
    for _ in 0..steps {
        pose_a = composed(turn_a, &pose_a);
        pose_b = composed(turn_b, &pose_b);
        let now = tracker.contact(a, &pose_a, b, &pose_b);
        pose_b = scenes::closer(&pose_b, now.normal, now.gap, gap);
        visit(&pose_a, &pose_b);
    }
}

#[test]
fn turning_bodies() {
    let mut faults = Faults::default();
    for (faces, steps) in [(4, 400), (20, 400), (100, 300), (920, 60)] {
        let (a, b) = (scenes::round(faces, 1), scenes::round(faces, 2));
        for gap in [0.5, 0.01, 1e-6, 0.0, -1e-6, -0.02, -0.3] {
            let mut tracker = Tracker::new();
            let mut step = 0;
            turning(&a, &b, gap, steps, faces as u64, |pose_a, pose_b| {
                let pair = Pair {
                    a: &a,
                    pose_a,
                    b: &b,
                    pose_b,
                };
                step += 1;
                let with_oracle = faces <= 100 && step % 20 == 0;
                let fault = pair.fault(&mut tracker, with_oracle);
                faults.add(
                    || format!("{faces} faces, gap {gap}, step {step}, {pose_a} and {pose_b}"),
                    fault,
                );
            });
        }
    }
    faults.expect_none();
}

#[test]
fn answers_do_not_depend_on_history() {
    let mut faults = Faults::default();
    let mut random = Random::new(31);
    let bodies = scenes::bodies();
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let placing = [
                Placing::Lattice,
                Placing::Anyhow(1.0),
                Placing::Nearly(1e-9),
            ][random.below(3)];
            let [pose_a, pose_b] = scenes::poses(&mut random, placing, 1.0, [0.0; 3]);
            let truth = Tracker::new().contact(a, &pose_a, b, &pose_b);
            for _ in 0..3 {
                // The motion converges to the pose, from anywhere.
                let mut tracker = Tracker::new();
                let away = random.direction::<3>();
                for distance in [1.0, 0.1, 0.01, 1e-3, 1e-5, 1e-7, 1e-9, 1e-12] {
                    let numbers = pose_b.to_numbers();
                    let t = std::array::from_fn(|k| numbers[k] + distance * away[k]);
                    let there = scenes::pose(t, [numbers[3], numbers[4], numbers[5], numbers[6]]);
                    let there = composed(scenes::nudge(&mut random, distance), &there);
                    tracker.contact(a, &pose_a, b, &there);
                }
                let contact = tracker.contact(a, &pose_a, b, &pose_b);
                let fault = (bits(&contact) != bits(&truth))
                    .then(|| format!("{contact:?} is not {truth:?}"));
                faults.add(
                    || format!("{name_a}, {name_b}, {placing:?}, {pose_a} and {pose_b}"),
                    fault,
                );
            }
        }
    }
    faults.expect_none();
}

/// A vertex touches a vertex, or a point of an edge.
#[test]
fn touching_vertices() {
    let mut faults = Faults::default();
    let mut random = Random::new(77);
    let (mut queries, mut restarts) = (0, 0);
    for case in 0..600 {
        let faces = [4, 8, 20][case % 3];
        let seed = case as u64 / 60;
        let (a, b) = (
            scenes::round(faces, 2 * seed + 1),
            scenes::round(faces, 2 * seed + 2),
        );
        let [pose_a, pose_b] = scenes::poses(&mut random, Placing::Anyhow(0.0), 1.0, [0.0; 3]);
        // The support vertices along some direction, so that a plane separates the bodies.
        let way = random.direction::<3>();
        let height = |p: [f64; 3]| p[0] * way[0] + p[1] * way[1] + p[2] * way[2];
        let placed = |shape: &ConvexPolyhedron, pose: &Pose| -> Vec<[f64; 3]> {
            shape.vertices().iter().map(|&v| pose.apply(v)).collect()
        };
        let (of_a, of_b) = (placed(&a, &pose_a), placed(&b, &pose_b));
        let top = (0..of_a.len())
            .max_by(|&i, &j| height(of_a[i]).total_cmp(&height(of_a[j])))
            .expect("vertices");
        let bottom = (0..of_b.len())
            .min_by(|&i, &j| height(of_b[i]).total_cmp(&height(of_b[j])))
            .expect("vertices");
        let mut place = of_a[top];
        if case % 2 == 1 {
            // On the edge to the next highest vertex instead, where the vertex may penetrate a
            // little.
            let next = (0..of_a.len())
                .filter(|&i| i != top)
                .max_by(|&i, &j| height(of_a[i]).total_cmp(&height(of_a[j])))
                .expect("more vertices");
            place = std::array::from_fn(|k| 0.5 * (of_a[top][k] + of_a[next][k]));
        }
        let numbers = pose_b.to_numbers();
        let turned = [numbers[3], numbers[4], numbers[5], numbers[6]];
        let t = std::array::from_fn(|k| numbers[k] + place[k] - of_b[bottom][k]);
        let pose_b = scenes::pose(t, turned);
        let truth = Tracker::new().contact(&a, &pose_a, &b, &pose_b);
        let mut tracker = Tracker::new();
        for distance in [0.1, 1e-3, 1e-6, 1e-12] {
            let away = random.direction::<3>();
            let t = std::array::from_fn(|k| t[k] + distance * away[k]);
            tracker.contact(&a, &pose_a, &b, &scenes::pose(t, turned));
            tracker.reset_counts();
            let contact = tracker.contact(&a, &pose_a, &b, &pose_b);
            let fault = (bits(&contact) != bits(&truth))
                .then(|| format!("{contact:?} is not {truth:?}"))
                .or_else(|| {
                    let violation = certificate(&a, &pose_a, &b, &pose_b, &contact).err();
                    violation.map(|v| format!("{v}: {contact:?}"))
                });
            faults.add(|| format!("case {case}, {pose_a} and {pose_b}"), fault);
        }
        if case % 2 == 0 {
            // Repeated, the query starts with its own answer.
            tracker.reset_counts();
            tracker.contact(&a, &pose_a, &b, &pose_b);
            queries += 1;
            restarts += tracker.counts().restarts;
        }
    }
    faults.expect_none();
    assert!(
        restarts * 20 <= queries,
        "{restarts} of {queries} began anew"
    );
}

/// Every contact of rotating bodies against the exhaustive oracle.
#[test]
#[ignore = "minutes"]
fn campaign_against_all_features() {
    let faces = [4, 8, 20, 32, 40, 80, 100];
    let gaps = [0.5, 0.01, 0.0, -0.02];
    let faults = Mutex::new(Faults::default());
    let runs: Vec<(usize, f64, u64)> = faces
        .iter()
        .flat_map(|&faces| gaps.map(|gap| (faces, gap)))
        .flat_map(|(faces, gap)| (0..8).map(move |seed| (faces, gap, seed)))
        .collect();
    runs.into_par_iter().for_each(|(faces, gap, seed)| {
        let (a, b) = (
            scenes::round(faces, 2 * seed + 1),
            scenes::round(faces, 2 * seed + 2),
        );
        let mut tracker = Tracker::new();
        let mut own = Faults::default();
        turning(&a, &b, gap, 3142, seed, |pose_a, pose_b| {
            let contact = tracker.contact(&a, pose_a, &b, pose_b);
            let error = (exhaustive(&a, pose_a, &b, pose_b).gap - contact.gap).abs();
            let is_wrong = error > 1e-12 * (a.radius() + b.radius());
            let fault = is_wrong.then(|| format!("off by {error:e}: {contact:?}"));
            let fault = fault.or_else(|| {
                let violation = certificate(&a, pose_a, &b, pose_b, &contact).err();
                violation.map(|v| format!("{v}: {contact:?}"))
            });
            own.add(
                || format!("{faces} faces, gap {gap}, seed {seed}, {pose_a} and {pose_b}"),
                fault,
            );
        });
        faults.lock().expect("no panics").join(own);
    });
    let faults = faults.into_inner().expect("no panics");
    println!("{} poses", faults.answers);
    faults.expect_none();
}

/// A campaign over `TANGERE_POSES` poses, by default 10^7, or over the one run `TANGERE_RUN`.
#[test]
#[ignore = "minutes"]
fn campaign() {
    const RUN: u64 = 2000;
    let setting = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let runs = match setting("TANGERE_RUN") {
        Some(run) => run..run + 1,
        None => 0..setting("TANGERE_POSES").unwrap_or(10_000_000).div_ceil(RUN),
    };
    let bodies = scenes::bodies();
    let faults = Mutex::new(Faults::default());
    runs.into_par_iter().for_each(|run| {
        let mut random = Random::new(run.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let scale = [1.0, 1.0, 1.0, 1e-9, 1e9][random.below(5)];
        let pick = |random: &mut Random| match random.below(4) {
            0 => scenes::round([4, 8, 20, 60, 100, 400][random.below(6)], random.bits()),
            1 => scenes::lattice(random),
            _ => bodies[random.below(bodies.len())].1.clone(),
        };
        let [a, b] = [(); 2].map(|()| scenes::resized(&pick(&mut random), scale, [0.0; 3]));
        let mut tracker = Tracker::new();
        let mut own = Faults::default();
        let mut placed: Option<([Pose; 2], Contact)> = None;
        for k in 0..RUN {
            // A new pose now and then, and small steps between.
            let [pose_a, pose_b] = match placed {
                Some(([pose_a, pose_b], contact)) if k % 50 != 0 => {
                    let angle = [0.002, 0.02, 1e-6, 1e-9][random.below(4)];
                    let pose_b = composed(scenes::nudge(&mut random, angle), &pose_b);
                    let wanted = scale * [0.01, 0.0, 1e-7, -1e-7, -0.02, -0.2][random.below(6)];
                    match random.below(5) {
                        0 => [
                            pose_a,
                            scenes::closer(&pose_b, contact.normal, contact.gap, wanted),
                        ],
                        _ => [pose_a, pose_b],
                    }
                }
                _ => {
                    let placing = match random.below(6) {
                        0 => Placing::Lattice,
                        1 => Placing::Nearly([1e-3, 1e-6, 1e-9, 1e-12, 1e-15][random.below(5)]),
                        2 => Placing::Concentric,
                        3 => Placing::Anyhow(0.5),
                        _ => Placing::Anyhow(1.5),
                    };
                    let far = [[0.0; 3], [0.0; 3], [1e9, -2e9, 3e9]][random.below(3)];
                    scenes::poses(&mut random, placing, scale, far.map(|x| scale * x))
                }
            };
            let contact = tracker.contact(&a, &pose_a, &b, &pose_b);
            let violation = certificate(&a, &pose_a, &b, &pose_b, &contact).err();
            let fault = violation.map(|v| format!("{v}: {contact:?}"));
            let fault = fault.or_else(|| {
                let pair = Pair {
                    a: &a,
                    pose_a: &pose_a,
                    b: &b,
                    pose_b: &pose_b,
                };
                (k % 40 == 0)
                    .then(|| pair.fault(&mut tracker, k % 400 == 0))
                    .flatten()
            });
            own.add(
                || {
                    format!(
                        "run {run}, pose {k}, {pose_a} and {pose_b}, {:?} and {:?}",
                        a.vertices(),
                        b.vertices()
                    )
                },
                fault,
            );
            placed = Some(([pose_a, pose_b], contact));
        }
        faults.lock().expect("no panics").join(own);
    });
    let faults = faults.into_inner().expect("no panics");
    println!("{} poses", faults.answers);
    faults.expect_none();
}
