//! Limits on the number of pairs bound memory in every query, and errors report the number of
//! pairs.
//!
//! Scenes have so many pairs that finders keep only some of them and fall back to counting.

use tangere::pairs::{
    BroadPhase, Candidates, Items, Mask, Method, PairContact, PairFinder, PairSettings, Periodic,
};
use tangere::pairs::{Dimension, Space};

type Named<const D: usize> = (String, Box<dyn PairFinder<D>>);

/// Finders that store pairs differently; in open space all finders.
fn finders<const D: usize>(settings: PairSettings<D>) -> Vec<Named<D>>
where
    Space: Dimension<D>,
{
    const VALID: &str = "valid settings";
    let mut all: Vec<Named<D>> = Vec::new();
    let methods = match settings.periodic {
        None => &Method::ALL[..],
        Some(_) => &[Method::Auto, Method::Sweep, Method::Tree],
    };
    for &method in methods {
        let finder = BroadPhase::new(settings.with_method(method)).expect(VALID);
        all.push((method.to_string(), Box::new(finder)));
    }
    if !settings.every_image {
        let candidates = Candidates::new(settings.with_skin(0.01)).expect(VALID);
        all.push(("candidates".into(), Box::new(candidates)));
    }
    all
}

/// The answers of a finder to every query.
#[derive(Debug, PartialEq)]
struct Answers<const D: usize> {
    pairs: Result<Vec<[u32; 2]>, String>,
    chunks: Result<Vec<[u32; 2]>, String>,
    contacts: Result<Vec<PairContact<D>>, String>,
    query: Result<Vec<[u32; 2]>, String>,
}

fn answers<const D: usize>(
    finder: &mut dyn PairFinder<D>,
    items: Items<'_, D>,
    others: Items<'_, D>,
) -> Answers<D> {
    fn checked<T>(result: tangere::Result<()>, out: Vec<T>) -> Result<Vec<T>, String> {
        if result.is_err() {
            assert!(out.is_empty(), "something beside an error");
        }
        result.map(|()| out).map_err(|error| error.to_string())
    }
    finder.update(items).expect("valid items");
    let mut pairs = vec![[9, 9]];
    let result = finder.pairs(&mut pairs);
    let pairs = checked(result, pairs);
    let mut chunks = Vec::new();
    let result = finder.for_each_chunk(&mut |some| chunks.extend_from_slice(some));
    let chunks = checked(result, chunks);
    let mut contacts = Vec::new();
    let result = finder.contacts(&mut contacts);
    let contacts = checked(result, contacts);
    let mut query = vec![[9, 9]];
    let result = finder.query(others, &mut query);
    let query = checked(result, query);
    Answers {
        pairs,
        chunks,
        contacts,
        query,
    }
}

/// The error of `found` pairs. A search ends once it has found more than `most`.
fn too_many<T>(found: usize, most: usize) -> Result<T, String> {
    assert!(found > most);
    let least = most + 1;
    Err(format!(
        "pairs: found at least {least}, expected at most {most}"
    ))
}

/// Asserts that all finders report the numbers of pairs, contacts and pairs with query items.
fn counted<const D: usize>(
    settings: PairSettings<D>,
    (groups, masks): (&[u32], &[Mask]),
    items: Items<'_, D>,
    others: Items<'_, D>,
    counts: [usize; 3],
) where
    Space: Dimension<D>,
{
    let most = settings.most;
    for (name, mut finder) in finders(settings) {
        finder.leave_out(groups, masks);
        let found = answers(finder.as_mut(), items, others);
        let [pairs, contacts, query] = counts;
        assert_eq!(found.pairs, too_many(pairs, most), "{name}");
        assert_eq!(found.chunks, too_many(pairs, most), "{name}, chunks");
        assert_eq!(found.contacts, too_many(contacts, most), "{name}");
        assert_eq!(found.query, too_many(query, most), "{name}, query");
        // A finder works again after exceeding its limit.
        let few = match items {
            Items::Spheres { centers, radii } => (&centers[..2], &radii[..2]).into(),
            Items::Boxes { lower, upper } => Items::Boxes {
                lower: &lower[..2],
                upper: &upper[..2],
            },
        };
        finder.leave_out(&[], &[]);
        finder.update(few).expect("valid items");
        let mut out = Vec::new();
        finder.pairs(&mut out).expect("one pair");
        assert_eq!(out, [[0, 1]], "{name}");
    }
}

/// A search ends as soon as it has found too many pairs: to count all takes much longer.
#[test]
fn coincident_spheres_are_refused_at_once() {
    const COUNT: usize = 40_000;
    let (centers, radii) = (vec![[0.5, 1e3, -2.0]; COUNT], vec![0.25; COUNT]);
    let items: Items<'_, 3> = (&centers[..], &radii[..]).into();
    let groups: Vec<u32> = (0..COUNT as u32).collect();
    let cell = Periodic::new([8.0, 0.0, 8.0]).expect("a valid cell");
    let limited = PairSettings::default().with_most(1_000_000);
    for (settings, groups) in [
        (limited, &[][..]),
        (limited, &groups),
        (limited.with_periodic(cell), &[]),
        (limited.with_periodic(cell).with_every_image(true), &[]),
    ] {
        for (name, mut finder) in finders(settings) {
            finder.leave_out(groups, &[]);
            let found = answers(finder.as_mut(), items, items);
            assert_eq!(
                found.pairs,
                too_many(COUNT * COUNT / 2, 1_000_000),
                "{name}"
            );
            assert_eq!(found.chunks, found.pairs, "{name}");
            assert_eq!(found.query, found.pairs, "{name}");
            assert!(found.contacts.is_err(), "{name}");
        }
    }
}

/// Spheres with more than a million pairs.
const MANY: usize = 1452;

#[test]
fn crowds_in_open_space() {
    let (centers, radii) = (vec![[0.5, 1e3, -2.0]; MANY], vec![0.25; MANY]);
    let settings = PairSettings {
        most: 1000,
        ..PairSettings::default()
    };
    let all = MANY * (MANY - 1) / 2;
    let spheres: Items<'_, 3> = (&centers[..], &radii[..]).into();
    let counts = [all, all, MANY * MANY];
    counted(settings, (&[], &[]), spheres, spheres, counts);
    let (lower, upper) = (&centers[..], &centers[..]);
    let boxes = Items::Boxes { lower, upper };
    counted(settings, (&[], &[]), boxes, boxes, counts);
}

#[test]
fn crowds_of_groups_and_kinds() {
    let (centers, radii) = (vec![[0.5, 1e3]; MANY], vec![0.25; MANY]);
    let settings = PairSettings {
        most: 1000,
        ..PairSettings::default()
    };
    let spheres: Items<'_, 2> = (&centers[..], &radii[..]).into();
    let groups: Vec<u32> = (0..MANY as u32).map(|i| i % 2).collect();
    let pairs = MANY * MANY / 4;
    let counts = [pairs, pairs, MANY * MANY];
    counted(settings, (&groups, &[]), spheres, spheres, counts);
    // A third meets only the first kind, which no item has.
    let mask = |i: usize| match i % 3 {
        0 => Mask {
            member: 2,
            meets: 1,
        },
        _ => Mask {
            member: 2,
            meets: 3,
        },
    };
    let masks: Vec<Mask> = (0..MANY).map(mask).collect();
    let rest = MANY / 3 * 2;
    let pairs = rest * (rest - 1) / 2;
    let counts = [pairs, pairs, MANY * MANY];
    counted(settings, (&[], &masks), spheres, spheres, counts);
}

#[test]
fn crowds_in_periodic_space() {
    let settings = PairSettings {
        most: 1000,
        periodic: Some(Periodic::new([4.0, 0.0]).unwrap()),
        ..PairSettings::default()
    };
    // Half a cell apart: all touch, and half of them in two images.
    let center = |i: usize| [0.1 + 2.0 * (i % 2) as f64, 7.0];
    let centers: Vec<_> = (0..MANY).map(center).collect();
    let radii = vec![1.0; MANY];
    let all = MANY * (MANY - 1) / 2;
    let counts = [all, all, MANY * MANY];
    let spheres: Items<'_, 2> = (&centers[..], &radii[..]).into();
    counted(settings, (&[], &[]), spheres, spheres, counts);
}

#[test]
fn crowds_of_images() {
    check_crowds_of_images(false);
}

#[test]
#[ignore = "10 seconds"]
fn crowds_of_images_and_as_many_queries() {
    check_crowds_of_images(true);
}

fn check_crowds_of_images(is_long: bool) {
    let settings = PairSettings {
        most: 1000,
        periodic: Some(Periodic::new([0.4; 3]).expect("valid")),
        every_image: true,
        ..PairSettings::default()
    };
    // Many images of a few, and few images of many.
    for (count, width) in [(200, 0.4), (600, 0.9)] {
        let periodic = Some(Periodic::new([width; 3]).expect("valid"));
        let centers = vec![[0.1; 3]; count];
        let radii = vec![0.5; count];
        let spheres: Items<'_, 3> = (&centers[..], &radii[..]).into();
        // From the images of one.
        let settings = PairSettings {
            periodic,
            ..settings
        };
        let mut one = BroadPhase::new(settings.with_method(Method::Brute)).expect("valid");
        one.update((&centers[..1], &radii[..1]).into())
            .expect("valid");
        let mut contacts = Vec::new();
        one.contacts(&mut contacts).expect("valid");
        let own = contacts.len();
        assert!(own > 0);
        let pairs = count * (count - 1) / 2;
        let contacts = pairs * (2 * own + 1) + count * own;
        assert!(contacts > 1 << 20);
        // Others look at all images of all items, each on its own.
        let queried = if is_long { count } else { 20 };
        let others: Items<'_, 3> = (&centers[..queried], &radii[..queried]).into();
        let counts = [pairs, contacts, count * queried];
        counted(settings, (&[], &[]), spheres, others, counts);
    }
}

#[test]
fn few_that_count_among_many_that_do_not() {
    check_few_among_many(false);
}

#[test]
#[ignore = "8 seconds"]
fn few_that_count_among_many_that_do_not_and_many_queries() {
    check_few_among_many(true);
}

fn check_few_among_many(is_long: bool) {
    // All of one group but the last, and a pair across the border that touches twice.
    let mut centers = vec![[0.1, 7.0]; MANY];
    centers[MANY - 1] = [2.1, 7.0];
    let radii = vec![1.0; MANY];
    let mut groups = vec![1; MANY];
    groups[MANY - 1] = 0;
    let mask = |i: usize| Mask {
        member: 1,
        meets: u32::from(i + 3 > MANY),
    };
    let masks: Vec<Mask> = (0..MANY).map(mask).collect();
    let queried = if is_long { MANY / 2 } else { 40 };
    let others: (&[[f64; 2]], &[f64]) = (&centers[..queried], &radii[..queried]);
    let spheres: Items<'_, 2> = (&centers[..], &radii[..]).into();
    for periodic in [None, Some(Periodic::new([4.0, 0.0]).expect("valid"))] {
        let settings = |most| PairSettings {
            most,
            periodic,
            ..PairSettings::default()
        };
        for (groups, masks, pairs) in [(&groups[..], &[][..], MANY - 1), (&[], &masks, 1)] {
            let mut brute =
                BroadPhase::new(settings(usize::MAX).with_method(Method::Brute)).expect("valid");
            brute.leave_out(groups, masks);
            let expected = answers(&mut brute, spheres, others.into());
            assert_eq!(expected.pairs.as_ref().map(Vec::len), Ok(pairs));
            // Within the limit, except for pairs with query items.
            for (name, mut finder) in finders(settings(pairs)) {
                finder.leave_out(groups, masks);
                let found = answers(finder.as_mut(), spheres, others.into());
                assert_eq!(found.pairs, expected.pairs, "{name}");
                assert_eq!(found.chunks, expected.pairs, "{name}");
                assert_eq!(found.contacts, expected.contacts, "{name}");
                let query = expected.query.as_ref().map_or(0, Vec::len);
                assert_eq!(found.query, too_many(query, pairs), "{name}");
            }
        }
    }
}
