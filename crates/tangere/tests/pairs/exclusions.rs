//! Exclusions of the broad phase: groups and masks against all pairs, filtered one by one.

use proptest::prelude::*;
use tangere::pairs::{
    BroadPhase, Candidates, Items, Mask, Method, PairFinder, PairSettings, Periodic,
};
use tangere::pairs::{Dimension, Space};

type Pairs = Vec<[u32; 2]>;

/// Whether a pair is not excluded, by the rules of the documentation.
fn counts(groups: &[u32], masks: &[Mask], [a, b]: [u32; 2]) -> bool {
    let (a, b) = (a as usize, b as usize);
    let apart = groups.is_empty() || groups[a] != groups[b];
    let meet = masks.is_empty()
        || ((masks[a].member & masks[b].meets) != 0 && (masks[b].member & masks[a].meets) != 0);
    apart && meet
}

/// Spheres, boxes made from the same numbers, groups and masks.
#[derive(Clone, Debug)]
struct Scene<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    upper: Vec<[f64; D]>,
    groups: Vec<u32>,
    masks: Vec<Mask>,
}

fn scene<const D: usize>() -> impl Strategy<Value = Scene<D>> {
    let item = (
        prop::collection::vec(0..24i32, D),
        0..4i32,
        0..5u32,
        (0..8u32, 0..8u32),
    );
    (prop::collection::vec(item, 0..150), 0..4u32).prop_map(|(items, used)| {
        let center = |p: &Vec<i32>| std::array::from_fn(|k| 0.5 * f64::from(p[k]));
        let radius = |r: i32| 0.25 * f64::from(r);
        Scene {
            centers: items.iter().map(|(p, ..)| center(p)).collect(),
            radii: items.iter().map(|&(_, r, ..)| radius(r)).collect(),
            upper: (items.iter())
                .map(|(p, r, ..)| center(p).map(|x: f64| x + radius(*r)))
                .collect(),
            groups: match used & 1 {
                0 => Vec::new(),
                _ => items.iter().map(|&(.., g, _)| g * 1_000_000_007).collect(),
            },
            masks: match used & 2 {
                0 => Vec::new(),
                _ => (items.iter())
                    .map(|&(.., (member, meets))| Mask { member, meets })
                    .collect(),
            },
        }
    })
}

fn check<const D: usize>(settings: PairSettings<D>, scenes: &[Scene<D>])
where
    Space: Dimension<D>,
{
    for method in Method::ALL {
        let mut every = BroadPhase::new(settings.with_method(method)).expect("valid settings");
        let mut finder = BroadPhase::new(settings.with_method(method)).expect("valid settings");
        let (mut pairs, mut all): (Pairs, Pairs) = (vec![[7, 7]], Vec::new());
        let (mut contacts, mut all_contacts) = (Vec::new(), Vec::new());
        for scene in scenes {
            let Scene {
                centers,
                radii,
                upper,
                groups,
                masks,
            } = scene;
            finder.leave_out(groups, masks);
            for items in [
                Items::Spheres { centers, radii },
                Items::Boxes {
                    lower: centers,
                    upper,
                },
            ] {
                finder.update(items).expect("valid items");
                every.update(items).expect("valid items");
                finder.pairs(&mut pairs).expect("no limit");
                every.pairs(&mut all).expect("no limit");
                all.retain(|&pair| counts(groups, masks, pair));
                assert_eq!(pairs, all, "{method}");
                finder.contacts(&mut contacts).expect("no limit");
                every.contacts(&mut all_contacts).expect("no limit");
                all_contacts.retain(|contact| counts(groups, masks, contact.pair));
                assert_eq!(contacts, all_contacts, "{method}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn discs(scenes in prop::collection::vec(scene::<2>(), 1..4), margin in 0..2u8) {
        check(PairSettings { margin: 0.5 * f64::from(margin), ..Default::default() }, &scenes);
    }

    #[test]
    fn spheres(scenes in prop::collection::vec(scene::<3>(), 1..4)) {
        check(PairSettings::default(), &scenes);
    }

    #[test]
    fn around_a_periodic_cell(
        scenes in prop::collection::vec(scene::<3>(), 1..3),
        every_image in any::<bool>(),
    ) {
        let length = if every_image { 1.25 } else { 12.0 };
        let periodic = Periodic::tilted([12.0, length, 0.0], &[0.25, 0.0, 0.0]).unwrap();
        check(
            PairSettings { periodic: Some(periodic), every_image, ..Default::default() },
            &scenes,
        );
    }
}

/// A thousand spheres at one position, in clumps of a hundred.
fn clumps() -> (Vec<[f64; 3]>, Vec<f64>, Vec<u32>) {
    let groups = (0..1000).map(|i| i / 100).collect();
    (vec![[1.0; 3]; 1000], vec![0.5; 1000], groups)
}

#[test]
fn excluded_pairs_do_not_count_towards_the_limit() {
    let (centers, radii, groups) = clumps();
    let left = 1000 * 900 / 2;
    for method in Method::ALL {
        let limited = |most: usize| {
            let settings = PairSettings {
                most,
                ..PairSettings::default()
            };
            let mut finder = BroadPhase::new(settings.with_method(method)).expect("valid settings");
            finder.leave_out(&groups, &[]);
            let items = (&centers[..], &radii[..]);
            finder.update(items.into()).expect("valid items");
            finder
        };
        let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
        limited(left).pairs(&mut pairs).unwrap();
        assert_eq!(pairs.len(), left);
        limited(left).contacts(&mut contacts).unwrap();
        assert_eq!(contacts.len(), left);
        let refused = limited(left - 1).pairs(&mut pairs).unwrap_err().to_string();
        assert!(refused.contains("450000"), "{refused}");
        assert!(pairs.is_empty());
        assert!(limited(left - 1).contacts(&mut contacts).is_err());
    }
}

#[test]
fn wrong_lengths_are_errors_of_the_update() {
    let (centers, radii) = ([[0.0; 2], [0.5, 0.0]], [0.5, 0.5]);
    let items = || (&centers[..], &radii[..]).into();
    let mut finder = BroadPhase::<2>::new(PairSettings::default()).unwrap();
    let mut pairs = Vec::new();
    finder.leave_out(&[1, 2, 3], &[]);
    let message = finder.update(items()).unwrap_err().to_string();
    assert!(message.contains("groups: found 3 rows"), "{message}");
    assert!(
        message.contains("expected 2, one for each item"),
        "{message}"
    );
    finder.pairs(&mut pairs).unwrap();
    assert!(pairs.is_empty());
    // The rule stays until there is another.
    assert!(finder.update(items()).is_err());
    finder.leave_out(&[], &[Mask::ALL]);
    let message = finder.update(items()).unwrap_err().to_string();
    assert!(message.contains("masks: found 1 rows"), "{message}");
    finder.leave_out(&[], &[]);
    finder.update(items()).unwrap();
    finder.pairs(&mut pairs).unwrap();
    assert_eq!(pairs, [[0, 1]]);
}

#[test]
fn rules_begin_with_the_next_update() {
    let (centers, radii) = ([[0.0; 2], [0.5, 0.0]], [0.5, 0.5]);
    let items = || (&centers[..], &radii[..]).into();
    let mut finder = BroadPhase::<2>::new(PairSettings::default()).unwrap();
    let mut pairs = Vec::new();
    finder.update(items()).unwrap();
    finder.leave_out(&[4, 4], &[]);
    finder.pairs(&mut pairs).unwrap();
    assert_eq!(pairs, [[0, 1]]);
    for _ in 0..2 {
        finder.update(items()).unwrap();
        finder.pairs(&mut pairs).unwrap();
        assert!(pairs.is_empty());
    }
}

#[test]
fn query_items_have_no_group_and_meet_every_kind() {
    let (centers, radii) = ([[0.0; 2]; 3], [0.5; 3]);
    let (others, other_radii) = ([[0.25, 0.0]; 2], [0.5; 2]);
    let mut finder = BroadPhase::<2>::new(PairSettings::default()).unwrap();
    let mask = |member, meets| Mask { member, meets };
    finder.leave_out(&[0, 0, 0], &[mask(1, 2), mask(0, 1), mask(1, 0)]);
    finder.update((&centers[..], &radii[..]).into()).unwrap();
    let mut found = Vec::new();
    let others = (&others[..], &other_radii[..]);
    finder.query(others.into(), &mut found).unwrap();
    // An item of no kind, or that meets none, has no pairs.
    assert_eq!(found, [[0, 0], [0, 1]]);
}

#[test]
fn an_item_and_its_own_image_are_of_one_group() {
    let settings = PairSettings {
        periodic: Some(Periodic::new([1.0, 1.0]).unwrap()),
        every_image: true,
        ..PairSettings::default()
    };
    let mut finder = BroadPhase::new(settings).unwrap();
    let (centers, radii) = ([[0.5; 2], [0.25; 2]], [0.75; 2]);
    let mut contacts = Vec::new();
    finder.leave_out(&[1, 2], &[]);
    finder.update((&centers[..], &radii[..]).into()).unwrap();
    finder.contacts(&mut contacts).unwrap();
    assert!(contacts.len() > 4);
    assert!(contacts.iter().all(|contact| contact.pair == [0, 1]));
}

/// A Verlet list applies exclusions while it is reused, and new ones at once.
#[test]
fn verlet_lists_apply_exclusions() {
    let settings = PairSettings::<2>::default();
    let mut reused = Candidates::new(settings.with_skin(0.5)).unwrap();
    let mut anew = BroadPhase::new(settings).unwrap();
    let (mut pairs, mut expected, mut left_out): (Pairs, Pairs, usize) = Default::default();
    let radii = [0.5; 60];
    for step in 0..12 {
        let place = |i: usize| {
            [
                0.7 * (i % 8) as f64,
                0.7 * (i / 8) as f64 + 0.01 * step as f64,
            ]
        };
        let centers: Vec<[f64; 2]> = (0..60).map(place).collect();
        if step % 5 == 0 {
            let groups: Vec<u32> = (0..60).map(|i| i / (2 + step as u32)).collect();
            reused.leave_out(&groups, &[]);
            anew.leave_out(&groups, &[]);
        }
        let items = Items::Spheres {
            centers: &centers,
            radii: &radii,
        };
        reused.update(items).unwrap();
        anew.update(items).unwrap();
        for others in [false, true] {
            if others {
                reused.query(items, &mut pairs).unwrap();
                anew.query(items, &mut expected).unwrap();
            } else {
                reused.pairs(&mut pairs).unwrap();
                anew.pairs(&mut expected).unwrap();
                left_out += usize::from(step > 0 && pairs.len() < 150);
            }
            assert_eq!(pairs, expected, "step {step}, others {others}");
        }
    }
    assert!(reused.reuses() > 5 && left_out > 0);
}
