//! Overlapping spheres of two packings: every method finds the pairs that brute force finds.

mod packings;

use packings::{all, crown, fallen, lattice, moved, packing, pose, spread, stray, tapered};
use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, Overlap, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere::stop::Stop;
use test_support::Random;

fn query(method: Method) -> OverlapQuery {
    OverlapQuery::new(OverlapSettings {
        method,
        ..OverlapSettings::default()
    })
    .expect("valid settings")
}

/// Poses of b: identity, ties on lattices, rotated.
fn poses() -> Vec<Pose> {
    let mut random = Random::new(5);
    let mut poses = vec![
        Pose::identity(),
        pose([0.25, 0.0, 0.0], 0.0),
        pose([0.125, 0.125, 0.0], 0.0),
        pose([0.5, 0.5, 0.5], 0.0),
        Pose::from_numbers(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).expect("half a turn"),
        pose([1e4, 0.0, 0.0], 1.0),
    ];
    for _ in 0..3 {
        let by = [0; 3].map(|_| random.unit() - 0.5);
        poses.push(pose(by, 6.0 * random.unit()));
    }
    poses
}

/// Equal up to the rounding of sums over so many numbers of this size.
fn assert_alike(found: &Overlap, expected: &Overlap, size: f64, what: &str) {
    let volume = expected.lower;
    assert_eq!(found.pairs, expected.pairs, "{what}");
    assert!(
        (found.lower - volume).abs() <= 1e-12 * volume,
        "{what}: {} for {volume}",
        found.lower
    );
    for k in 0..3 {
        let force = (found.force[k] - expected.force[k]).abs();
        let torque = (found.torque[k] - expected.torque[k]).abs();
        assert!(force <= 1e-12 * volume, "{what}: force {k}");
        assert!(torque <= 1e-12 * volume * size, "{what}: torque {k}");
        let center = (found.centroid[k] - expected.centroid[k]).abs();
        assert!(
            volume == 0.0 || center <= 1e-12 * size,
            "{what}: centroid {k}"
        );
    }
}

fn compare(name: &str, a: &Packing, pose_a: &Pose, b: &Packing, pose_b: &Pose) -> usize {
    let mut expected = Vec::new();
    query(Method::Brute).pairs(a, pose_a, b, pose_b, &mut expected);
    let answer = query(Method::Brute).overlap(a, pose_a, b, pose_b);
    assert_eq!(answer.pairs, expected.len());
    let (p, q) = (a.bounds(), b.bounds());
    let size = (0..3).fold(1.0, |size: f64, k| {
        [p.min[k], p.max[k], q.min[k], q.max[k]]
            .iter()
            .fold(size, |size, x| size.max(x.abs()))
    });
    for method in Method::ALL {
        let mut found = Vec::new();
        query(method).pairs(a, pose_a, b, pose_b, &mut found);
        assert_eq!(found, expected, "{name} by {method}");
        let answer_of_method = query(method).overlap(a, pose_a, b, pose_b);
        assert_alike(
            &answer_of_method,
            &answer,
            4.0 * size,
            &format!("{name} by {method}"),
        );
        assert!(answer_of_method.complete);
        assert_eq!(answer_of_method.spheres, [a.len(), b.len()]);
    }
    expected.len()
}

#[test]
fn every_method_finds_the_pairs_of_brute_force() {
    let packings = all();
    let mut pairs = 0;
    for (i, (first, a)) in packings.iter().enumerate() {
        for (j, (second, b)) in packings.iter().enumerate() {
            for (k, pose) in poses().iter().enumerate() {
                // All packings with themselves, and each pair of them in some poses.
                if i == j || (i + j + k) % 3 == 0 {
                    let name = format!("{first} and {second} in pose {k}");
                    pairs += compare(&name, a, &Pose::identity(), b, pose);
                }
            }
        }
    }
    assert!(pairs > 50_000, "{pairs}");
}

/// Methods of the papers as published are for comparison: the automatic choice never picks them.
#[test]
fn auto_never_picks_a_published_method() {
    let packings = all();
    let budgets = [None, Some(Budget::Work(100)), Some(Budget::Work(u64::MAX))];
    for (name, a) in &packings {
        for (other, b) in &packings {
            for budget in budgets {
                let (here, there) = (Pose::identity(), pose([0.25, 0.0, 0.0], 0.0));
                let mut query = query(Method::Auto);
                let found = match budget {
                    None => query.overlap(a, &here, b, &there),
                    Some(budget) => query.overlap_within(a, &here, b, &there, budget),
                };
                let method = found.method;
                assert!(
                    !Method::PUBLISHED.contains(&method),
                    "{name} and {other}: {method}"
                );
            }
        }
    }
}

/// Radii of all sizes, the largest up to 10^9.5 times the smallest; returns the number of pairs
/// compared.
fn compare_spreads(seeds: std::ops::Range<u64>) -> usize {
    // Around 32 spheres, which need no cells, and beyond.
    let mut pairs = 0;
    for seed in seeds {
        let ratio = 10f64.powf(seed as f64 % 9.5);
        let counts = [33 + seed % 15, 20 + 3 * (seed % 120)];
        let [a, b] =
            [0, 1].map(|i| packing(spread(counts[i] as usize, ratio, 2 * seed + i as u64)));
        let there = pose([0.1, 0.2, 0.3], seed as f64);
        let name = format!("{ratio:.0}, seed {seed}");
        pairs += compare(&name, &a, &Pose::identity(), &b, &there);
        pairs += compare(&name, &b, &Pose::identity(), &a, &there);
    }
    pairs
}

#[test]
fn radii_may_differ_by_any_factor() {
    let pairs = compare_spreads(0..120);
    assert!(pairs > 5000, "{pairs}");
}

#[test]
#[ignore = "minutes"]
fn radii_may_differ_by_any_factor_in_many_ways() {
    compare_spreads(120..2000);
}

#[test]
fn large_spheres_cost_no_more_than_there_are_small_ones() {
    for ratio in [1e4, 1e6, 1e9] {
        let (a, b) = (
            packing(spread(600, ratio, 1)),
            packing(spread(600, ratio, 2)),
        );
        let there = pose([0.1, 0.2, 0.3], 1.0);
        let found = query(Method::Grid).overlap(&a, &Pose::identity(), &b, &there);
        // Eight pairs of spheres at a time, and some.
        assert!(found.work < 600 * 600 / 4, "{ratio}: {}", found.work);
    }
}

#[test]
fn a_stop_ends_work() {
    let (a, there) = (
        packing(lattice(12, 0.25, [0.0; 3])),
        pose([0.2, 0.1, 0.0], 0.3),
    );
    let here = Pose::identity();
    for method in Method::ALL {
        let all = query(method).overlap(&a, &here, &a, &there);
        let stop = Stop::new();
        stop.request();
        let (ended, pairs) = stop.during(|| {
            let mut pairs = Vec::new();
            query(method).pairs(&a, &here, &a, &there, &mut pairs);
            (query(method).overlap(&a, &here, &a, &there), pairs)
        });
        assert!(all.complete && !ended.complete, "{method}");
        assert!(
            ended.pairs < all.pairs / 2 && pairs.len() < all.pairs / 2,
            "{method}"
        );
        assert!(
            ended.lower <= all.lower && all.upper <= ended.upper * (1.0 + 1e-12),
            "{method}"
        );
        assert_eq!((ended.method, ended.spheres), (all.method, [0, 0]));
    }
    // Stopped from another thread: the query would take seconds.
    let many = packing(lattice(30, 0.25, [0.0; 3]));
    let stop = Stop::new();
    let stopper = stop.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        stopper.request();
    });
    let ended = stop.during(|| query(Method::Brute).overlap(&many, &here, &many, &there));
    thread.join().unwrap();
    assert!(!ended.complete && ended.lower <= ended.upper);
}

#[test]
fn far_from_the_origin_nothing_changes() {
    let by = [1e9, -1e9, 5e8];
    let near = packing(lattice(6, 0.25, [-1.0; 3]));
    let far = packing(moved(lattice(6, 0.25, [-1.0; 3]), by));
    let back = Pose::from_translation(by.map(|x| -x)).unwrap();
    let mut pairs = 0;
    for pose in poses() {
        pairs += compare("far b", &near, &pose, &far, &back);
        pairs += compare("far a", &far, &back, &near, &pose);
    }
    assert!(pairs > 1000, "{pairs}");
    let rough = moved(fallen(300, 9), by);
    let smaller = rough.1.iter().map(|r| r * (1.0 - 1e-3)).collect();
    let rough = packing((rough.0, smaller));
    pairs = compare(
        "both",
        &rough,
        &pose([0.0; 3], 0.5),
        &rough,
        &pose([0.0; 3], 0.5),
    );
    assert!(pairs >= 300, "{pairs}");
}

#[test]
fn sizes_may_have_nothing_in_common() {
    let whole = packing(fallen(100, 3));
    for scale in [1e-3, 1e-9, 1e-15, 1e-25, 1e-60] {
        let (centers, radii) = fallen(60, 4);
        let small = packing((
            centers.into_iter().map(|c| c.map(|x| x * scale)).collect(),
            radii.into_iter().map(|r| r * scale).collect(),
        ));
        // Into the middle of a sphere, and onto the border of one.
        let [x, y, z] = whole.centers()[0];
        let inside = pose([x, y, z], 1.0);
        let border = pose([x + whole.radii()[0], y, z], 1.0);
        for (a, b, of_small) in [(&small, &whole, 0), (&whole, &small, 1)] {
            let mut pairs = 0;
            for there in [&inside, &border] {
                let here = Pose::identity();
                let (pose_a, pose_b) = if of_small == 0 {
                    (there, &here)
                } else {
                    (&here, there)
                };
                pairs += compare(&format!("scale {scale}"), a, pose_a, b, pose_b);
            }
            assert!(pairs >= 60, "{scale}: {pairs}");
        }
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (a, b) = (packing(fallen(3000, 6)), packing(fallen(2000, 7)));
    let there = pose([0.1, 0.2, -0.1], 1.0);
    let here = Pose::identity();
    for method in Method::ALL {
        let results: Vec<_> = [1, 2, 3, 4, 7, 16]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                pool.build().unwrap().install(|| {
                    // Built on as many threads, too.
                    let a = packing((a.centers().to_vec(), a.radii().to_vec()));
                    let mut query = query(method);
                    let mut pairs = Vec::new();
                    query.pairs(&a, &here, &b, &there, &mut pairs);
                    let mut answers = vec![query.overlap(&a, &here, &b, &there)];
                    for work in [0, 100, 1000, 5000, 20_000] {
                        let budget = Budget::Work(work);
                        answers.push(query.overlap_within(&a, &here, &b, &there, budget));
                    }
                    (format!("{answers:?}"), pairs)
                })
            })
            .collect();
        assert!(results.iter().all(|r| *r == results[0]), "{method}");
    }
}

/// The largest spheres of a packing.
fn largest(of: &Packing, count: usize) -> Packing {
    let mut order: Vec<usize> = (0..of.len()).collect();
    order.sort_by(|&i, &j| of.radii()[j].total_cmp(&of.radii()[i]));
    order.truncate(count);
    packing((
        order.iter().map(|&i| of.centers()[i]).collect(),
        order.iter().map(|&i| of.radii()[i]).collect(),
    ))
}

#[test]
fn budgets_are_kept_and_bounds_shrink() {
    let (a, b) = (packing(fallen(2500, 10)), packing(fallen(1500, 11)));
    let (here, there) = (Pose::identity(), pose([0.2, 0.1, 0.0], 2.0));
    let mut query = query(Method::Grid);
    let whole = query.overlap(&a, &here, &b, &there);
    assert!(whole.complete && whole.pairs > 1000 && whole.work > 0);
    let mut last = query.overlap_within(&a, &here, &b, &there, Budget::Work(0));
    assert_eq!((last.lower, last.pairs, last.complete), (0.0, 0, false));
    assert!(last.upper >= whole.lower);
    let mut cuts = 0;
    for step in 1..=40 {
        let work = whole.work * step / 40;
        let found = query.overlap_within(&a, &here, &b, &there, Budget::Work(work));
        assert!(found.work <= work);
        assert!(found.lower <= whole.lower * (1.0 + 1e-12) && found.upper >= whole.lower);
        assert!(found.lower >= last.lower * (1.0 - 1e-12));
        assert!(found.upper <= last.upper * (1.0 + 1e-12));
        assert!((0..2).all(|i| found.spheres[i] >= last.spheres[i]));
        if found.spheres != last.spheres && found.spheres.iter().all(|&n| n > 0) {
            // All pairs of the largest ones, and some more.
            let (a, b) = (largest(&a, found.spheres[0]), largest(&b, found.spheres[1]));
            let of_largest = query.overlap(&a, &here, &b, &there);
            assert!(of_largest.lower <= found.lower * (1.0 + 1e-12));
            assert!(of_largest.pairs <= found.pairs);
            cuts += 1;
        }
        last = found;
    }
    assert!(cuts >= 2, "{cuts}");
    assert_eq!(last, whole);
    let long = Budget::Time(std::time::Duration::from_secs(100));
    assert_eq!(query.overlap_within(&a, &here, &b, &there, long), whole);
    let none = Budget::Time(std::time::Duration::ZERO);
    let found = query.overlap_within(&a, &here, &b, &there, none);
    assert_eq!((found.pairs, found.complete), (0, false));
}

#[test]
fn pairs_and_work_are_linear_on_bad_packings() {
    for (name, spheres, larger) in [
        (
            "lattice",
            lattice(12, 0.5, [-6.0; 3]),
            lattice(24, 0.25, [-6.0; 3]),
        ),
        ("crown", crown(2000), crown(16_000)),
        ("stray", stray(12, 100.0), stray(24, 100.0)),
        ("tapered", tapered(), tapered()),
    ] {
        for (a, b) in [
            (spheres.clone(), spheres.clone()),
            (spheres.clone(), larger.clone()),
            (larger.clone(), larger),
        ] {
            let (a, b) = (packing(a), packing(b));
            let mut query = query(Method::Grid);
            let (mut pairs, mut work) = (0, 0);
            for pose in poses() {
                let found = query.overlap(&a, &Pose::identity(), &b, &pose);
                pairs = pairs.max(found.pairs);
                work = work.max(found.work);
            }
            let count = a.len() + b.len();
            // 13 disjoint spheres at most touch one of their size from within twice its reach.
            assert!(pairs <= 13 * count, "{name}: {pairs} pairs of {count}");
            assert!(work <= 60 * count as u64, "{name}: {work} for {count}");
        }
    }
}

#[test]
fn an_update_is_as_good_as_new() {
    let mut updated = packing(fallen(500, 12));
    let other = packing(fallen(400, 13));
    let mut query = query(Method::Grid);
    let there = pose([0.1, 0.0, 0.2], 1.0);
    for spheres in [
        fallen(500, 14),
        lattice(8, 0.125, [-1.0; 3]),
        crown(300),
        fallen(20, 15),
        fallen(700, 16),
    ] {
        updated.update(&spheres.0, &spheres.1).unwrap();
        let new = packing(spheres);
        assert_eq!(updated.bounds(), new.bounds());
        assert_eq!(updated.filled_volume(), new.filled_volume());
        for (a, b, c, d) in [
            (&updated, &other, &new, &other),
            (&other, &updated, &other, &new),
        ] {
            let found = query.overlap(a, &Pose::identity(), b, &there);
            let expected = query.overlap(c, &Pose::identity(), d, &there);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
            assert!(found.pairs > 10);
        }
    }
    // Bad spheres change nothing.
    let before = query.overlap(&updated, &Pose::identity(), &other, &there);
    let (mut centers, mut radii) = (updated.centers().to_vec(), updated.radii().to_vec());
    radii[5] = f64::NAN;
    assert!(updated.update(&centers, &radii).is_err());
    radii[5] = 0.0;
    assert!(updated.update(&centers, &radii).is_err());
    radii[5] = updated.radii()[5];
    assert!(updated.update(&centers[..5], &radii).is_err());
    assert!(updated.update(&[], &[]).is_err());
    let after = query.overlap(&updated, &Pose::identity(), &other, &there);
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
    // Overlaps are reported.
    assert_eq!(updated.first_overlap(), None);
    for (i, j) in [(20, 300), (5, 650), (699, 0)] {
        let radius = updated.radii()[i];
        let old = std::mem::replace(&mut centers[i], updated.centers()[j]);
        centers[i][0] += updated.radii()[j] + 0.999 * radius;
        updated.update(&centers, &radii).unwrap();
        let first = updated.first_overlap().unwrap();
        assert!(
            first <= [i.min(j), i.max(j)] && (first.contains(&i)),
            "{first:?}"
        );
        centers[i] = old;
    }
    updated.update(&centers, &radii).unwrap();
    assert_eq!(updated.first_overlap(), None);
}
