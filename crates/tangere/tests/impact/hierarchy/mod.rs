//! Tests of bounding volume hierarchies: invariants on any input, and bottom-up hierarchies against
//! their definition.

mod bodies;
mod oracle;

use bodies::{KINDS, Triangle, body};
use oracle::{check_greedy, omohundro};
use tangere::error::Error;
use tangere::generate;
use tangere::geometry::{Aabb, Ball};
use tangere::impact::hierarchy::{Construction, Hierarchy, HierarchySettings, Volume};
use tangere::stop::Stop;
use test_support::Random;

fn settings(construction: Construction, volume: Volume, branching: usize) -> HierarchySettings {
    HierarchySettings {
        construction,
        volume,
        branching,
    }
}

fn all_settings(branchings: &[usize]) -> Vec<HierarchySettings> {
    let mut all = Vec::new();
    for construction in Construction::ALL {
        for volume in Volume::ALL {
            all.extend(
                branchings
                    .iter()
                    .map(|&k| settings(construction, volume, k)),
            );
        }
    }
    all
}

/// Checks the invariants: every item is in one leaf, siblings are contiguous after their parents,
/// and descendants lie in one range. All points are in the boxes and balls of all nodes above them;
/// where there are very many nodes, only a few are checked.
fn check<P: AsRef<[[f64; 3]]>>(hierarchy: &Hierarchy, count: usize, points: impl Fn(usize) -> P) {
    let (nodes, settings) = (hierarchy.nodes(), hierarchy.settings());
    let mut parents = vec![usize::MAX; nodes.len()];
    let mut seen = vec![false; count];
    for (i, node) in nodes.iter().enumerate() {
        assert!(node.is_leaf() || (2..=settings.branching).contains(&(node.count as usize)));
        for child in node.children() {
            assert!(child > i && parents[child] == usize::MAX);
            parents[child] = i;
        }
        if !node.is_leaf() {
            continue;
        }
        assert!(!std::mem::replace(&mut seen[node.first as usize], true));
        let points = points(node.first as usize);
        let (mut above, mut steps) = (i, 0);
        while above != usize::MAX && steps < 1000 {
            for &p in points.as_ref() {
                assert!(nodes[above].bounds.contains(p), "{settings:?} {above}");
                assert!(nodes[above].ball.contains_point(p), "{settings:?} {above}");
            }
            (above, steps) = (parents[above], steps + 1);
        }
    }
    assert!(seen.iter().all(|&seen| seen));
    assert!(parents[1..].iter().all(|&parent| parent != usize::MAX));
    let mut below: Vec<[usize; 2]> = (0..nodes.len()).map(|i| [i, i + 1]).collect();
    for (i, node) in nodes.iter().enumerate().rev() {
        if !node.is_leaf() {
            let ends = node.children().map(|child| match nodes[child].is_leaf() {
                true => node.children().end,
                false => below[child][1],
            });
            below[i] = [node.first as usize, ends.max().unwrap_or(0)];
            let sizes = node.children().map(|child| match nodes[child].is_leaf() {
                true => 1,
                false => 1 + below[child][1] - below[child][0],
            });
            assert_eq!(sizes.sum::<usize>(), below[i][1] - below[i][0]);
        }
    }
    let exact = Aabb::of_points((0..count).flat_map(|i| points(i).as_ref().to_vec()));
    assert_eq!(nodes[0].bounds, exact);
}

fn made(items: &[Triangle], settings: &HierarchySettings) -> Hierarchy {
    Hierarchy::new(items.len(), |i| items[i], settings).expect("items are valid")
}

#[test]
fn all_points_are_in_all_volumes_above_them() {
    for kind in KINDS {
        for count in [1, 2, 3, 10, 300] {
            let items = body(kind, count);
            for settings in all_settings(&[2, 3, 4, 8, 16]) {
                check(&made(&items, &settings), count, |i| items[i]);
            }
        }
    }
    for mesh in [
        generate::sphere(3).unwrap(),
        generate::knot(600).unwrap(),
        generate::foam(1000, 2).unwrap(),
        generate::sponge(1).unwrap(),
    ] {
        for settings in all_settings(&[2, 4]) {
            let hierarchy = Hierarchy::of_mesh(&mesh, &settings).unwrap();
            check(&hierarchy, mesh.faces().len(), |f| mesh.triangle(f));
        }
    }
}

#[test]
fn items_may_have_any_number_of_points() {
    let mut n = Random::new(5);
    let items: Vec<Vec<[f64; 3]>> = (0..200)
        .map(|i| {
            let p = n.vector(3.0);
            let around = (0..1 + i % 90).map(|_| n.vector(0.3));
            around
                .map(|d| std::array::from_fn(|k| p[k] + d[k]))
                .collect()
        })
        .collect();
    for settings in all_settings(&[2, 8]) {
        let hierarchy = Hierarchy::new(items.len(), |i| &items[i], &settings).unwrap();
        check(&hierarchy, items.len(), |i| &items[i]);
    }
}

#[test]
fn joins_are_those_of_least_volume() {
    for kind in KINDS {
        for volume in Volume::ALL {
            let items = body(kind, 120);
            check_greedy(&made(&items, &settings(Construction::BottomUp, volume, 2)));
        }
    }
    for volume in Volume::ALL {
        let items = body("small faces", 300);
        check_greedy(&made(&items, &settings(Construction::BottomUp, volume, 2)));
    }
}

/// Where no two joint volumes are equal there is only one bottom-up hierarchy.
#[test]
fn the_hierarchy_is_that_of_the_online_insertion_tree() {
    for kind in [
        "small faces",
        "large faces",
        "all sizes",
        "points",
        "slivers",
    ] {
        for volume in Volume::ALL {
            let items = body(kind, 700);
            let hierarchy = made(&items, &settings(Construction::BottomUp, volume, 2));
            let nodes = hierarchy.nodes();
            let mut below: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
            for (i, node) in nodes.iter().enumerate().rev() {
                below[i] = match node.is_leaf() {
                    true => vec![node.first],
                    false => node
                        .children()
                        .flat_map(|child| below[child].clone())
                        .collect(),
                };
                below[i].sort_unstable();
            }
            let mut found: Vec<_> = below.into_iter().filter(|items| items.len() > 1).collect();
            let mut expected = omohundro(&hierarchy);
            found.sort();
            expected.sort();
            assert!(found == expected, "{kind}, {volume}");
        }
    }
}

#[test]
fn the_ball_of_the_root_is_the_smallest() {
    for mesh in [generate::knot(600).unwrap(), generate::sphere(3).unwrap()] {
        let smallest = Ball::smallest(mesh.vertices()).unwrap();
        for settings in all_settings(&[2, 5]) {
            let mut hierarchy = Hierarchy::of_mesh(&mesh, &settings).unwrap();
            for _ in 0..2 {
                let radius = hierarchy.nodes()[0].ball.radius;
                assert!(radius <= smallest.radius * (1.0 + 1e-12));
                hierarchy.refit(|f| mesh.triangle(f)).unwrap();
            }
        }
    }
}

#[test]
fn refitting_bounds_what_has_moved() {
    let mut n = Random::new(9);
    for kind in KINDS {
        let items = body(kind, 200);
        let moved: Vec<Triangle> = items
            .iter()
            .map(|face| {
                face.map(|p| {
                    let d = n.vector(0.5);
                    std::array::from_fn(|k| p[k] + d[k])
                })
            })
            .collect();
        for settings in all_settings(&[2, 4]) {
            let mut hierarchy = made(&items, &settings);
            let before = hierarchy.nodes().to_vec();
            hierarchy.refit(|i| moved[i]).unwrap();
            check(&hierarchy, items.len(), |i| moved[i]);
            for (old, new) in before.iter().zip(hierarchy.nodes()) {
                assert_eq!((old.first, old.count), (new.first, new.count));
            }
            // Invalid input changes nothing.
            let moved_nodes = hierarchy.nodes().to_vec();
            let bad = |i: usize| {
                if i == 7 {
                    [[0.0, f64::NAN, 0.0]; 3]
                } else {
                    moved[i]
                }
            };
            let Err(Error::Item { what, index, .. }) = hierarchy.refit(bad) else {
                panic!("a NaN is refused");
            };
            assert_eq!((what, index), (tangere::Argument::Item, 7));
            assert_eq!(hierarchy.nodes(), moved_nodes);
            // Back where they were, boxes are what they were.
            hierarchy.refit(|i| items[i]).unwrap();
            for (old, new) in before.iter().zip(hierarchy.nodes()) {
                assert_eq!(old.bounds, new.bounds);
            }
        }
    }
}

#[test]
fn the_same_hierarchy_every_time() {
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    };
    for kind in ["small faces", "lattice", "same", "grid"] {
        let items = body(kind, 3000);
        for settings in all_settings(&[2, 4]) {
            let one = pool(1).install(|| made(&items, &settings));
            let many = pool(5).install(|| made(&items, &settings));
            assert_eq!(one.nodes(), many.nodes());
        }
    }
}

/// Deep hierarchies, and thousands of equal volumes, need neither a deep stack nor quadratic time.
#[test]
fn long_and_equal_input_is_no_harder_than_other() {
    for kind in [
        "same",
        "nested",
        "line",
        "grid",
        "lattice",
        "plane of points",
    ] {
        let items = body(kind, 100_000);
        for settings in all_settings(&[2]) {
            // Online insertion is quadratic where all places are alike.
            let is_online = settings.construction == Construction::Online;
            let items = if is_online { &items[..2000] } else { &items };
            let mut hierarchy = made(items, &settings);
            hierarchy.refit(|i| items[i]).unwrap();
            let report = hierarchy.report();
            assert_eq!(report.leaves, items.len());
            if is_online {
                check(&hierarchy, items.len(), |i| items[i]);
                continue;
            }
            let is_chain = kind == "nested" && settings.construction == Construction::BottomUp;
            assert_eq!(report.height_max > 1000, is_chain, "{kind} {settings:?}");
        }
    }
    let items = body("nested", 100_000);
    for settings in all_settings(&[8]) {
        check(&made(&items[..5000], &settings), 5000, |i| items[i]);
        if settings.construction != Construction::Online {
            assert_eq!(made(&items, &settings).report().leaves, items.len());
        }
    }
}

#[test]
fn levels_bound_every_item_once() {
    let mesh = generate::knot(2000).unwrap();
    for settings in all_settings(&[2, 4]) {
        let hierarchy = Hierarchy::of_mesh(&mesh, &settings).unwrap();
        let report = hierarchy.report();
        for depth in 0..=report.height_max + 1 {
            let level: Vec<_> = hierarchy.level(depth).collect();
            let most = settings.branching.saturating_pow(depth as u32);
            assert!(level.len() <= most.min(mesh.faces().len()));
            for f in 0..mesh.faces().len() {
                let corners = mesh.triangle(f);
                let bounds = |node: &&&tangere::impact::hierarchy::Node| {
                    corners.iter().all(|&p| node.bounds.contains(p))
                };
                assert!(level.iter().any(|node| bounds(&node)));
            }
        }
        let leaves = hierarchy.level(report.height_max);
        let mut faces: Vec<u32> = leaves.map(|leaf| leaf.first).collect();
        faces.sort_unstable();
        assert!(faces.into_iter().eq(0..mesh.faces().len() as u32));
        assert!(
            hierarchy
                .level(report.height_min)
                .any(|node| node.is_leaf())
        );
    }
}

#[test]
fn a_report_has_heights_and_volumes() {
    // Four unit boxes in two far pairs: the hierarchy is known.
    let items: Vec<[[f64; 3]; 2]> = [0.0, 2.0, 100.0, 102.0]
        .map(|x| [[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]])
        .to_vec();
    for settings in all_settings(&[2]) {
        let report = Hierarchy::new(4, |i| items[i], &settings).unwrap().report();
        assert_eq!((report.nodes, report.leaves), (7, 4));
        assert_eq!((report.height_min, report.height_max), (2, 2));
        assert_eq!(report.height_mean, 2.0);
        assert_eq!(report.box_volume, 4.0 + 2.0 * 3.0 + 103.0);
        let square = |r: f64| r * r.sqrt();
        let radii = 4.0 * square(0.75)
            + 2.0 * square((9.0 + 2.0) / 4.0)
            + square((103.0 * 103.0 + 2.0) / 4.0);
        let volume = 4.0 / 3.0 * std::f64::consts::PI * radii;
        assert!((report.ball_volume / volume - 1.0).abs() < 1e-12);
    }
    let table = made(&body("same", 1), &HierarchySettings::default())
        .report()
        .to_string();
    assert!(
        table.starts_with("nodes        1\nleaves       1\nheight_min   0\n"),
        "{table}"
    );
    assert_eq!(table.lines().count(), 8);
}

#[test]
fn invalid_input_is_an_error() {
    let face = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let refused = |count: usize, branching: usize, bad: [f64; 3]| {
        let settings = settings(Construction::BottomUp, Volume::Ball, branching);
        let points = |i: usize| if i == 2 { [bad; 3] } else { face };
        Hierarchy::new(count, points, &settings)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(0, 2, [0.0; 3]),
        "items: found 0, expected from 1 to 2147483648 items"
    );
    for branching in [0, 1, 17, usize::MAX] {
        let expected =
            format!("branching: found {branching}, expected a number of children from 2 to 16");
        assert_eq!(refused(3, branching, [0.0; 3]), expected);
    }
    for bad in [f64::NAN, f64::INFINITY, 1e61, 1e-300] {
        let message = refused(3, 2, [0.0, bad, 0.0]);
        assert!(
            message.starts_with(&format!("item 2: found [0.0, {bad:?}, 0.0]")),
            "{message}"
        );
    }
    let none: [[f64; 3]; 0] = [];
    let message = Hierarchy::new(1, |_| none, &HierarchySettings::default()).unwrap_err();
    assert!(message.to_string().starts_with("item 0: found no points"));
    // A closure that returns different points each time is rejected or bounded, never a panic.
    let calls = std::cell::Cell::new(0);
    let fickle = |_: usize| {
        calls.set(calls.get() + 1);
        vec![[f64::from(calls.get()); 3]; usize::from(calls.get() % 7 != 6)]
    };
    assert!(Hierarchy::new(4, fickle, &HierarchySettings::default()).is_err());
}

#[test]
fn names_are_read_back() {
    for volume in Volume::ALL {
        assert_eq!(volume.to_string().parse(), Ok(volume));
    }
    for construction in Construction::ALL {
        assert_eq!(construction.to_string().parse(), Ok(construction));
    }
    let message = "sideways".parse::<Construction>().unwrap_err().to_string();
    assert_eq!(
        message,
        "construction: found \"sideways\", expected one of top-down, bottom-up, online"
    );
}

#[test]
fn a_stop_ends_construction() {
    let items = body("small faces", 3000);
    let stop = Stop::new();
    stop.request();
    for settings in all_settings(&[2]) {
        let found = stop.during(|| Hierarchy::new(items.len(), |i| items[i], &settings));
        assert!(matches!(found, Err(Error::Stopped)));
    }
}
