//! Periodic images: every image of every pair, against a loop over all images.

use proptest::prelude::*;
use tangere::pairs::{
    BroadPhase, Candidates, Image, Items, Method, PairContact, PairSettings, Periodic,
};
use tangere::pairs::{Dimension, PairFinder, Space};
use test_support::Random;
use test_support::finders::methods;

/// The images within `reach` cells, by plain loops.
fn images<const D: usize>(cell: &Periodic<D>, reach: i32) -> Vec<Image<D>> {
    let mut images = vec![[0; D]];
    for k in (0..D).filter(|&k| cell.repeats(k)) {
        let along = |image: &Image<D>| {
            let image = *image;
            (-reach..=reach).map(move |n| {
                let mut moved = image;
                moved[k] = n;
                moved
            })
        };
        images = images.iter().flat_map(along).collect();
    }
    images
}

/// Whether item `b`, shifted, touches item `a`, by the rule of the documentation.
fn touch<const D: usize>(
    items: Items<'_, D>,
    (a, b): (usize, usize),
    shift: [f64; D],
    margin: f64,
) -> bool {
    match items {
        Items::Spheres { centers, radii } => {
            let d: [f64; D] = std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k]);
            let mut square = d[0] * d[0];
            for x in &d[1..] {
                square += x * x;
            }
            let reach = radii[a] + radii[b] + margin;
            square <= reach * reach
        }
        Items::Boxes { lower, upper } => (0..D).all(|k| {
            (lower[b][k] - upper[a][k]) + shift[k] <= margin
                && (lower[a][k] - upper[b][k]) - shift[k] <= margin
        }),
    }
}

type Touch<const D: usize> = ([u32; 2], Image<D>);

/// All pairs and images in which they touch, sorted.
fn oracle<const D: usize>(
    items: Items<'_, D>,
    cell: &Periodic<D>,
    margin: f64,
    reach: i32,
) -> Vec<Touch<D>> {
    let is_positive = |image: &Image<D>| {
        let last = image.iter().rev().find(|&&n| n != 0);
        last.is_some_and(|&n| n > 0)
    };
    let images: Vec<(Image<D>, [f64; D], bool)> = images(cell, reach)
        .into_iter()
        .map(|image| (image, cell.shift(image), is_positive(&image)))
        .collect();
    let mut all = Vec::new();
    for a in 0..items.len() {
        for b in a..items.len() {
            for &(image, shift, is_positive) in &images {
                if (a < b || is_positive) && touch(items, (a, b), shift, margin) {
                    all.push(([a as u32, b as u32], image));
                }
            }
        }
    }
    all.sort_unstable();
    for (_, image) in &all {
        let inside = image.iter().all(|n| n.abs() < reach);
        assert!(inside, "{image:?}: the loop over images is too short");
    }
    all
}

/// Checks the gap and normal of spheres, or the gap of boxes, up to an error of `off`.
fn check_contact<const D: usize>(
    items: Items<'_, D>,
    cell: &Periodic<D>,
    contact: &PairContact<D>,
    off: f64,
) {
    let [a, b] = contact.pair.map(|i| i as usize);
    let shift = cell.shift(contact.image);
    let length = contact.normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((length - 1.0).abs() < 1e-12, "{contact:?}");
    match items {
        Items::Spheres { centers, radii } => {
            let d: [f64; D] = std::array::from_fn(|k| centers[b][k] - centers[a][k] + shift[k]);
            let distance = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            let gap = distance - radii[a] - radii[b];
            assert!((contact.gap - gap).abs() <= off, "{contact:?} {gap}");
            let along: f64 = (0..D).map(|k| d[k] * contact.normal[k]).sum();
            assert!((along - distance).abs() <= off, "{contact:?} {d:?}");
        }
        Items::Boxes { lower, upper } => {
            let sides = (0..D).flat_map(|k| {
                let after = lower[b][k] - upper[a][k] + shift[k];
                [after, lower[a][k] - upper[b][k] - shift[k]]
            });
            let gap = sides.fold(f64::NEG_INFINITY, f64::max);
            assert!((contact.gap - gap).abs() <= off, "{contact:?} {gap}");
        }
    }
}

/// Compares every method with the loop over images; `steps` are the items of successive updates.
fn check<const D: usize>(
    cell: Periodic<D>,
    margin: f64,
    steps: &[(Vec<[f64; D]>, Vec<f64>)],
    reach: i32,
) -> usize
where
    Space: Dimension<D>,
{
    // Contacts have errors of some units of the largest intermediate number.
    let mut largest = 0.0f64;
    for image in images(&cell, 1) {
        let far = |x: f64| (f64::from(reach) * x).abs();
        largest = cell
            .shift(image)
            .into_iter()
            .map(far)
            .fold(largest, f64::max);
    }
    for (centers, radii) in steps {
        let numbers = centers.as_flattened().iter().chain(radii);
        largest = numbers.fold(largest, |m, x| m.max(x.abs()));
    }
    let off = 1e-13 * largest;
    let settings = PairSettings {
        margin,
        periodic: Some(cell),
        every_image: true,
        ..PairSettings::default()
    };
    let mut finders = methods(settings);
    for (name, skin) in [("skin", 0.25 * cell.widths()[0]), ("no skin", 0.0)] {
        let skin = if skin.is_finite() { skin } else { 0.25 };
        let candidates = Candidates::new(settings.with_skin(skin)).expect("valid settings");
        finders.push((name, Box::new(candidates)));
    }
    let (mut contacts, mut pairs) = (Vec::new(), Vec::new());
    let mut touches = 0;
    for (centers, radii) in steps {
        let upper: Vec<[f64; D]> = (centers.iter().zip(radii))
            .map(|(p, r)| std::array::from_fn(|k| p[k] + r * (k + 1) as f64))
            .collect();
        let lower = centers;
        for items in [
            Items::Spheres { centers, radii },
            Items::Boxes {
                lower,
                upper: &upper,
            },
        ] {
            let expected = oracle(items, &cell, margin, reach);
            touches += expected.len();
            let mut once: Vec<[u32; 2]> = expected.iter().map(|(pair, _)| *pair).collect();
            once.retain(|[a, b]| a < b);
            once.dedup();
            for (name, finder) in &mut finders {
                finder.update(items).expect("valid items");
                finder.pairs(&mut pairs).expect("no limit");
                assert_eq!(pairs, once, "{name}");
                finder.contacts(&mut contacts).expect("no limit");
                let found: Vec<Touch<D>> = contacts.iter().map(|c| (c.pair, c.image)).collect();
                assert_eq!(found, expected, "{name}");
                for contact in &contacts {
                    check_contact(items, &cell, contact, off);
                }
            }
        }
    }
    touches
}

/// Items on a lattice, so that many exactly touch, some of them outside of the cell.
fn scene<const D: usize>(largest: i32) -> impl Strategy<Value = (Vec<[f64; D]>, Vec<f64>)> {
    let item = (prop::collection::vec(-6..12i32, D), 0..=largest);
    prop::collection::vec(item, 0..12).prop_map(|items| {
        let center = |p: &Vec<i32>| std::array::from_fn(|k| 0.25 * f64::from(p[k]));
        (
            items.iter().map(|(p, _)| center(p)).collect(),
            items.iter().map(|(_, r)| 0.25 * f64::from(*r)).collect(),
        )
    })
}

/// The steps moved far away and scaled to units that are no powers of two.
fn moved<const D: usize>(
    steps: Vec<(Vec<[f64; D]>, Vec<f64>)>,
    (offset, unit): (f64, f64),
) -> Vec<(Vec<[f64; D]>, Vec<f64>)> {
    let step = |(centers, radii): (Vec<[f64; D]>, Vec<f64>)| {
        let center = |p: [f64; D]| p.map(|x| (x + offset) * unit);
        (
            centers.into_iter().map(center).collect(),
            radii.into_iter().map(|r| r * unit).collect(),
        )
    };
    steps.into_iter().map(step).collect()
}

/// Offsets and units with which rounding decides ties either way.
fn places() -> impl Strategy<Value = (f64, f64)> {
    prop::sample::select(vec![(0.0, 1.0), (0.0, 0.1), (1e5, 0.7), (-3e4, 1e-30)])
}

/// The cell with edges of 1, 2 and 1.5 units, some of them open, tilted or not.
fn cell<const D: usize>(open: usize, tilts: &[f64], unit: f64) -> Periodic<D> {
    let mut lengths: [f64; D] = std::array::from_fn(|k| [1.0, 2.0, 1.5][k] * unit);
    for (k, length) in lengths.iter_mut().enumerate() {
        if open >> k & 1 == 1 {
            *length = 0.0;
        }
    }
    let tilts: Vec<f64> = tilts.iter().map(|tilt| tilt * unit).collect();
    let tilts = if open == 0 { &tilts[..] } else { &[] };
    let cell = Periodic::tilted(lengths, tilts).expect("a valid cell");
    cell.at([0.125 * unit; D]).expect("a valid origin")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn discs_in_every_image(
        steps in prop::collection::vec(scene::<2>(6), 1..3),
        open in 0..3usize,
        tilt in prop::sample::select(vec![0.0, 0.25, -0.5, 1.75]),
        margin in prop::sample::select(vec![0.0, 0.25, 0.1]),
        place in places(),
    ) {
        check(cell(open, &[tilt], place.1), margin * place.1, &moved(steps, place), 24);
    }

    #[test]
    fn spheres_in_every_image(
        steps in prop::collection::vec(scene::<3>(3), 1..3),
        open in 0..7usize,
        tilts in prop::sample::select(vec![[0.0; 3], [0.25, -0.25, 0.5], [-0.5, 0.75, 1.0]]),
        margin in prop::sample::select(vec![0.0, 0.25]),
        place in places(),
    ) {
        check(cell(open, &tilts, place.1), margin * place.1, &moved(steps, place), 13);
    }
}

#[test]
fn one_sphere_much_larger_than_the_cell() {
    // The images of a lattice point within 2 r: Gauss counts them in the plane.
    let cell = Periodic::new([1.0, 1.0]).unwrap();
    let within = |r: i32| {
        let squares = (-r..=r).flat_map(|x| (-r..=r).map(move |y| x * x + y * y));
        squares.filter(|&s| s <= r * r).count()
    };
    assert_eq!(within(10), 317);
    let mut finder = BroadPhase::new(PairSettings {
        periodic: Some(cell),
        every_image: true,
        ..PairSettings::default()
    })
    .unwrap();
    let (mut contacts, mut pairs) = (Vec::new(), Vec::new());
    let items = [(vec![[0.3, 0.9]], vec![5.0])];
    finder
        .update((&items[0].0[..], &items[0].1[..]).into())
        .unwrap();
    finder.contacts(&mut contacts).unwrap();
    assert_eq!(contacts.len(), 317 / 2);
    finder.pairs(&mut pairs).unwrap();
    assert!(pairs.is_empty());
    assert_eq!(finder.method(), "cells");
    assert!(finder.reason().contains("images"), "{}", finder.reason());

    let touches = check(
        cell,
        0.5,
        &[(
            vec![[0.3, 0.9], [7.25, -3.5], [0.5, 0.5]],
            vec![4.0, 0.1, 1.5],
        )],
        24,
    );
    assert!(touches > 500, "{touches}");
}

#[test]
fn a_thin_slab_with_many_grains() {
    // As thick as a third of a grain: most pairs are found in several images.
    let count = 300;
    let mut random = Random::new(1);
    let mut next = || random.unit();
    let centers: Vec<[f64; 3]> = (0..count)
        .map(|_| [12.0 * next(), 12.0 * next(), 0.35 * next()])
        .collect();
    let radii = vec![0.5; count];
    let cell = Periodic::new([12.0, 12.0, 0.35]).unwrap();
    let touches = check(cell, 0.0, &[(centers, radii)], 9);
    assert!(touches > 3000, "{touches}");
}

fn settings<const D: usize>(lengths: [f64; D], every_image: bool) -> PairSettings<D> {
    PairSettings {
        periodic: Some(Periodic::new(lengths).expect("valid lengths")),
        every_image,
        ..PairSettings::default()
    }
}

#[test]
fn without_it_large_items_are_refused_with_a_hint() {
    let (centers, radii) = ([[0.0; 2]; 2], [0.5, 0.5]);
    let items = (&centers[..], &radii[..]);
    let mut refusing = BroadPhase::new(settings([1.5, 3.0], false)).unwrap();
    let message = refusing.update(items.into()).unwrap_err().to_string();
    assert!(message.contains("every image is requested"), "{message}");
    let mut pairs = vec![[1, 2]];
    refusing.pairs(&mut pairs).unwrap();
    assert!(pairs.is_empty());
    let mut taking = BroadPhase::new(settings([1.5, 3.0], true)).unwrap();
    taking.update(items.into()).unwrap();
    taking.pairs(&mut pairs).unwrap();
    assert_eq!(pairs, [[0, 1]]);
}

#[test]
fn an_item_as_wide_as_the_cell_is_no_pair_with_itself() {
    for method in Method::ALL {
        let mut finder = BroadPhase::new(settings([1.0, 0.0], false).with_method(method)).unwrap();
        let (centers, radii) = ([[0.25, 0.0], [0.0, 5.0]], [0.5, 0.0]);
        finder.update((&centers[..], &radii[..]).into()).unwrap();
        let (mut pairs, mut contacts) = (vec![[0, 0]], Vec::new());
        finder.pairs(&mut pairs).unwrap();
        finder.contacts(&mut contacts).unwrap();
        assert_eq!((pairs.len(), contacts.len()), (0, 0), "{method}");
    }
}

#[test]
fn too_many_images_are_refused_before_they_are_made() {
    let refused = |radius: f64, count: usize| {
        let (centers, radii) = (vec![[0.5; 3]; count], vec![radius; count]);
        let mut finder = BroadPhase::new(settings([1.0; 3], true)).expect("valid settings");
        let update = finder.update((&centers[..], &radii[..]).into());
        let mut pairs = Vec::new();
        finder.pairs(&mut pairs).expect("no items");
        assert!(pairs.is_empty());
        update.expect_err("too many").to_string()
    };
    for (radius, count) in [(200.0, 1), (30.0, 50), (1e20, 2), (1e60, 3)] {
        let message = refused(radius, count);
        assert!(message.contains("images"), "{message}");
        assert!(message.contains("at most 8388608"), "{message}");
    }
}

#[test]
fn too_many_contacts_are_counted() {
    let (centers, radii) = ([[0.3, 0.9], [0.5, 0.1]], [5.0, 0.0]);
    for method in Method::ALL {
        let limited = |most: usize| {
            let mut finder = BroadPhase::new(
                PairSettings {
                    most,
                    ..settings([1.0, 1.0], true)
                }
                .with_method(method),
            )
            .expect("valid settings");
            let items = (&centers[..], &radii[..]);
            finder.update(items.into()).expect("valid items");
            finder
        };
        let mut contacts = Vec::new();
        limited(usize::MAX).contacts(&mut contacts).unwrap();
        let count = contacts.len();
        assert!(count > 158, "{count}");
        limited(count).contacts(&mut contacts).unwrap();
        let refused = limited(count - 1).contacts(&mut contacts).unwrap_err();
        assert!(
            refused.to_string().contains(&count.to_string()),
            "{refused}"
        );
        assert!(contacts.is_empty());
        // A pair counts once in however many images it touches.
        let mut pairs = Vec::new();
        limited(1).pairs(&mut pairs).unwrap();
        assert_eq!(pairs, [[0, 1]]);
        assert!(limited(0).pairs(&mut pairs).is_err());
    }
}

#[test]
fn query_items_are_found_in_every_image_once() {
    let (centers, radii) = ([[0.3, 0.9], [0.5, 0.1]], [1.5, 0.0]);
    let (others, other_radii) = ([[0.0, 0.0]], [0.1]);
    let mut finder = BroadPhase::new(settings([1.0, 1.0], true)).unwrap();
    finder.update((&centers[..], &radii[..]).into()).unwrap();
    let mut found = Vec::new();
    let others = (&others[..], &other_radii[..]);
    finder.query(others.into(), &mut found).unwrap();
    assert_eq!(found, [[0, 0]]);
}
