//! Verlet lists, pairs in chunks and queries: always the pairs of a new brute-force search.

use super::methods::tilted_cell;
use proptest::prelude::*;
use tangere::pairs::{
    BroadPhase, Brute, Candidates, Items, Method, PairFinder, PairSettings, Periodic, Uses,
};
use tangere::pairs::{Dimension, Space};
use test_support::Random;
use test_support::finders::methods;

type Pairs = Vec<[u32; 2]>;

/// Spheres, and boxes whose lower corners are the centres.
#[derive(Clone, Debug)]
struct Scene<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    upper: Vec<[f64; D]>,
}

impl<const D: usize> Scene<D> {
    fn new(centers: Vec<[f64; D]>, radii: Vec<f64>) -> Self {
        let upper = centers.iter().zip(&radii);
        let upper = upper.map(|(p, r)| p.map(|x| x + r)).collect();
        Scene {
            centers,
            radii,
            upper,
        }
    }

    fn items(&self, boxes: bool) -> Items<'_, D> {
        let (centers, radii) = (&self.centers[..], &self.radii[..]);
        match boxes {
            false => Items::Spheres { centers, radii },
            true => Items::Boxes {
                lower: centers,
                upper: &self.upper,
            },
        }
    }
}

/// Numbers from 0 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut random = Random::new(seed);
    move || random.unit()
}

fn answer<const D: usize>(finder: &mut dyn PairFinder<D>) -> Pairs {
    let mut pairs = vec![[7, 7]];
    finder.pairs(&mut pairs).expect("no limit");
    let mut chunks = Vec::new();
    let visit = &mut |chunk: &[[u32; 2]]| {
        assert!(!chunk.is_empty());
        chunks.extend_from_slice(chunk);
    };
    finder.for_each_chunk(visit).expect("no limit");
    assert!(chunks == pairs, "chunks are not the pairs");
    // From any item, also after another query.
    for first in [0, 1, 77, u32::MAX] {
        let next = finder.chunk(first, &mut chunks).expect("no limit");
        let from = pairs.partition_point(|pair| pair[0] < first);
        assert!(pairs[from..].starts_with(&chunks));
        assert!(next.is_some() || chunks.len() == pairs.len() - from);
        assert!(next.is_none_or(|next| chunks.iter().all(|pair| pair[0] < next)));
        finder.pairs(&mut chunks).expect("no limit");
    }
    pairs
}

fn fresh<const D: usize>(settings: PairSettings<D>, items: Items<'_, D>) -> Brute<D> {
    let mut brute = Brute::new(settings).expect("valid settings");
    brute.update(items).expect("valid items");
    brute
}

/// Updates the Verlet list and compares all its answers with brute force.
fn step<const D: usize>(
    candidates: &mut Candidates<D>,
    settings: PairSettings<D>,
    items: Items<'_, D>,
) {
    candidates.set_cell(settings.periodic);
    candidates.update(items).expect("valid items");
    let mut brute = fresh(settings, items);
    let expected = answer(&mut brute);
    assert_eq!(answer(candidates), expected);
    let listed = candidates.candidates();
    assert!(listed.windows(2).all(|w| w[0] <= w[1]));
    let own = |[a, b]: &[u32; 2]| a == b && settings.every_image;
    assert!(listed.iter().all(|pair| pair[0] < pair[1] || own(pair)));
    assert!(expected.iter().all(|pair| listed.contains(pair)) || listed.len() > 2000);
    let (mut contacts, mut more) = Default::default();
    candidates.contacts(&mut contacts).expect("no limit");
    brute.contacts(&mut more).expect("no limit");
    assert_eq!(contacts, more);
}

#[test]
fn walks_jumps_and_growth_are_followed() {
    fn follow<const D: usize>(boxes: bool, offset: f64, margin: f64) -> Uses
    where
        Space: Dimension<D>,
    {
        let settings = PairSettings {
            margin,
            ..Default::default()
        };
        let mut next = numbers(3);
        let mut candidates = Candidates::new(settings.with_skin(0.3)).expect("a valid skin");
        let place = |next: &mut dyn FnMut() -> f64| {
            std::array::from_fn(|_| offset + 0.25 * (40.0 * next()).round())
        };
        let mut centers: Vec<[f64; D]> = (0..150).map(|_| place(&mut next)).collect();
        let mut radii: Vec<f64> = (0..150).map(|_| 0.125 * (4.0 * next()).round()).collect();
        for n in 0..60 {
            for p in &mut centers {
                *p = p.map(|x| x + 0.06 * (next() - 0.5));
            }
            match n {
                // One jumps far away, some are added, some removed, all grow, all shrink.
                17 => centers[3] = [offset + 1e3; D],
                25 => {
                    centers.push(place(&mut next));
                    radii.push(1.0);
                }
                31 => {
                    centers.swap_remove(5);
                    radii.swap_remove(5);
                }
                40..45 => radii.iter_mut().for_each(|r| *r += 0.02),
                45..50 => radii.iter_mut().for_each(|r| *r = (*r - 0.03).max(0.0)),
                _ => {}
            }
            let scene = Scene::new(centers.clone(), radii.clone());
            step(&mut candidates, settings, scene.items(boxes));
        }
        candidates.uses().expect("candidates count")
    }
    for boxes in [false, true] {
        for (offset, margin) in [(0.0, 0.0), (0.0, 0.1), (1e9, 0.05)] {
            for uses in [
                follow::<2>(boxes, offset, margin),
                follow::<3>(boxes, offset, margin),
            ] {
                assert_eq!(uses.builds + uses.reuses, 60);
                assert!(uses.builds >= 5 && uses.reuses >= 30, "{uses:?}");
            }
        }
    }
}

#[test]
fn every_method_finds_candidates() {
    let mut next = numbers(5);
    let settings = PairSettings::default();
    for method in Method::ALL {
        let mut candidates = Candidates::new(settings.with_method(method).with_skin(0.2)).unwrap();
        let mut centers: Vec<[f64; 3]> = (0..200)
            .map(|_| std::array::from_fn(|_| 6.0 * next()))
            .collect();
        for _ in 0..12 {
            centers
                .iter_mut()
                .for_each(|p| *p = p.map(|x| x + 0.02 * next()));
            let scene = Scene::new(centers.clone(), vec![0.4; 200]);
            step(&mut candidates, settings, scene.items(false));
        }
        assert!(
            candidates.reuses() >= 6,
            "{method}: {}",
            candidates.reuses()
        );
        if method != Method::Auto {
            assert_eq!(candidates.method(), method.name());
        }
    }
}

/// The smallest motion that may matter, exactly at the end of the skin, causes a rebuild.
#[test]
fn the_skin_is_used_up_to_its_end_and_no_further() {
    for offset in [0.0, 1e9, -3e12] {
        for boxes in [false, true] {
            let settings = PairSettings::<2>::default();
            let mut candidates = Candidates::new(settings.with_skin(0.5)).unwrap();
            let gap = 0.5 + 2.0f64.powi(-10);
            let mut at = |a: f64, b: f64| {
                let centers = vec![[offset + a, 0.0], [offset + 1.0 + gap + b, 0.0]];
                let radius = if boxes { 1.0 } else { 0.5 };
                let scene = Scene::new(centers, vec![radius; 2]);
                step(&mut candidates, settings, scene.items(boxes));
                (candidates.builds(), candidates.candidates().len())
            };
            assert_eq!(at(0.0, 0.0), (1, 0));
            assert_eq!(at(0.125, -0.125), (1, 0));
            // Nearer by 0.5 now: items beyond the skin may touch next.
            assert_eq!(at(0.25 + 2.0f64.powi(-10), -0.25), (2, 1));
            assert_eq!(at(0.25 + 2.0f64.powi(-9), -0.25), (2, 1));
        }
    }
}

/// A motion common to all boxes, however far, brings none nearer and causes no rebuild.
#[test]
fn boxes_that_move_together_keep_their_candidates() {
    let settings = PairSettings::default();
    let mut candidates = Candidates::<3>::new(settings.with_skin(0.25)).unwrap();
    let mut next = numbers(8);
    let centers: Vec<[f64; 3]> = (0..100)
        .map(|_| std::array::from_fn(|_| 0.5 * (10.0 * next()).round()))
        .collect();
    for n in 0..20 {
        let moved = centers.iter().map(|p| p.map(|x| x + 8.0 * f64::from(n)));
        let scene = Scene::new(moved.collect(), vec![0.5; 100]);
        step(&mut candidates, settings, scene.items(true));
    }
    assert_eq!((candidates.builds(), candidates.reuses()), (1, 19));
}

#[test]
fn sheared_and_stretched_cells_are_followed() {
    /// In a small cell every image is found, also an item's own images.
    fn follow<const D: usize>(
        boxes: bool,
        (wrapped, affine, small): (bool, bool, bool),
        skin: f64,
    ) -> Uses
    where
        Space: Dimension<D>,
    {
        let (count, size) = if small { (12, 1.5) } else { (150, 8.0) };
        let mut next = numbers(13);
        let mut fractions: Vec<[f64; D]> = (0..count)
            .map(|_| std::array::from_fn(|_| (16.0 * next()).round() / 16.0))
            .collect();
        let radii: Vec<f64> = (0..count).map(|_| 0.25 * (3.0 * next()).round()).collect();
        // Some are given in images far away.
        let images: Vec<[i32; D]> = (0..count)
            .map(|_| std::array::from_fn(|_| (7.0 * next()) as i32 - 3))
            .collect();
        let mut settings = PairSettings {
            margin: 0.1,
            every_image: small,
            ..Default::default()
        };
        let mut candidates = Candidates::new(settings.with_skin(skin)).expect("a valid skin");
        let start = Periodic::new([size; D]).expect("a cell");
        for n in 0..50 {
            let t = f64::from(n);
            let lengths = std::array::from_fn(|k| size + 0.004 * t * (k as f64 - 1.0));
            let mut tilts = [0.01 * t, -0.004 * t, 0.002 * t];
            if n >= 35 {
                tilts[0] -= size;
            }
            let tilts = &tilts[..D * (D - 1) / 2];
            let cell = Periodic::tilted(lengths, tilts).expect("a cell");
            let cell = cell.at([-0.01 * t; D]).expect("an origin");
            settings.periodic = Some(cell);
            let carrier = if affine { cell } else { start };
            let edges: [[f64; D]; D] =
                std::array::from_fn(|i| carrier.shift(std::array::from_fn(|k| i32::from(i == k))));
            for p in &mut fractions {
                *p = p.map(|x| x + 0.003 * (next() - 0.5));
                if wrapped {
                    *p = p.map(|x| x.rem_euclid(1.0));
                }
            }
            let centers = fractions.iter().zip(&images).map(|(p, image)| {
                let far = cell.shift(if wrapped { [0; D] } else { *image });
                std::array::from_fn(|k| (0..D).map(|i| p[i] * edges[i][k]).sum::<f64>() + far[k])
            });
            let scene = Scene::new(centers.collect(), radii.clone());
            step(&mut candidates, settings, scene.items(boxes));
        }
        candidates.uses().expect("candidates count")
    }
    for boxes in [false, true] {
        for wrapped in [false, true] {
            for affine in [false, true] {
                for small in [false, true] {
                    let how = (wrapped, affine, small);
                    let plane = follow::<2>(boxes, how, 0.5);
                    let space = follow::<3>(boxes, how, 0.5);
                    for uses in [plane, space] {
                        assert!(uses.builds >= 3, "{uses:?}");
                        assert!(uses.reuses >= 25, "{boxes} {how:?}: {uses:?}");
                    }
                    // A skin wider than the cell, and none at all.
                    follow::<2>(boxes, how, 1e6);
                    assert_eq!(follow::<2>(boxes, how, 0.0).reuses, 0);
                }
            }
        }
    }
}

/// Wrapping items at the border causes no rebuild.
#[test]
fn crossing_the_border_is_no_motion() {
    let cell = Periodic::tilted([10.0, 8.0, 9.0], &[1.0, 0.5, -0.5]).unwrap();
    let settings = PairSettings {
        periodic: Some(cell),
        ..Default::default()
    };
    for boxes in [false, true] {
        let mut next = numbers(2);
        let mut candidates = Candidates::<3>::new(settings.with_skin(0.5)).unwrap();
        let mut centers: Vec<[f64; 3]> = (0..200)
            .map(|_| std::array::from_fn(|_| 8.0 * next()))
            .collect();
        for n in 0..30 {
            for (i, p) in centers.iter_mut().enumerate() {
                *p = p.map(|x| x + 0.01 * (next() - 0.5));
                let image = std::array::from_fn(|k| ((i * 31 + n * 17 + k * 7) % 5) as i32 - 2);
                let shift = cell.shift(image);
                if (i + n).is_multiple_of(4) {
                    *p = std::array::from_fn(|k| p[k] + shift[k]);
                }
            }
            let scene = Scene::new(centers.clone(), vec![0.6; 200]);
            step(&mut candidates, settings, scene.items(boxes));
        }
        assert_eq!((candidates.builds(), candidates.reuses()), (1, 29));
    }
}

/// A single item touches its own images as it grows or the cell shrinks.
#[test]
fn growth_and_strain_bring_own_images_nearer() {
    for boxes in [false, true] {
        for wide in [0.0, 0.05] {
            let mut settings = PairSettings {
                every_image: true,
                ..Default::default()
            };
            let mut candidates = Candidates::<2>::new(settings.with_skin(0.25)).unwrap();
            for n in 0..40 {
                let t = f64::from(n);
                settings.periodic = Some(Periodic::new([4.0 - wide * t, 5.0]).unwrap());
                // It moves, and grows or the cell shrinks.
                let grown = if wide > 0.0 { 1.6 } else { 1.4 + 0.02 * t };
                let radius = if boxes { 2.0 * grown } else { grown };
                let scene = Scene::new(vec![[0.01 * t, 0.0]], vec![radius]);
                step(&mut candidates, settings, scene.items(boxes));
            }
            let (builds, reuses) = (candidates.builds(), candidates.reuses());
            assert!(builds >= 4 && reuses >= 20, "{builds} {reuses}");
            let mut contacts = Vec::new();
            candidates.contacts(&mut contacts).unwrap();
            assert!(contacts.iter().any(|c| c.pair == [0, 0]));
        }
    }
}

#[test]
fn other_kinds_cells_and_errors_start_anew() {
    let open = PairSettings::<2>::default();
    let cell = |lengths| PairSettings {
        periodic: Some(Periodic::new(lengths).expect("a cell")),
        ..open
    };
    let scene = Scene::new(vec![[0.5, 0.5], [9.5, 0.5], [0.5, 9.5]], vec![0.5; 3]);
    let mut candidates = Candidates::new(open.with_skin(1.0)).unwrap();
    step(&mut candidates, open, scene.items(false));
    step(&mut candidates, open, scene.items(true));
    step(&mut candidates, cell([10.0, 10.0]), scene.items(true));
    step(&mut candidates, cell([10.0, 0.0]), scene.items(true));
    step(&mut candidates, cell([10.0, 0.0]), scene.items(true));
    step(&mut candidates, open, scene.items(true));
    assert_eq!((candidates.builds(), candidates.reuses()), (5, 1));
    let mut pairs = Vec::new();
    // As any finder: after an error there are no items.
    for bad in [f64::NAN, -1.0] {
        let message = candidates.update(Items::Spheres {
            centers: &[[0.0, 0.0], [0.0, 0.0]],
            radii: &[1.0, bad],
        });
        assert!(message.unwrap_err().to_string().contains(" 1: "));
        candidates.pairs(&mut pairs).unwrap();
        assert!(pairs.is_empty() && candidates.candidates().is_empty());
    }
    candidates.set_cell(cell([1.5, 0.0]).periodic);
    assert!(candidates.update(scene.items(false)).is_err());
    step(
        &mut candidates,
        open,
        Scene::new(vec![], vec![]).items(false),
    );
    step(&mut candidates, open, scene.items(false));
    for skin in [-1.0, f64::NAN, f64::INFINITY] {
        let message = Candidates::new(open.with_skin(skin))
            .err()
            .map(|e| e.to_string());
        assert!(message.is_some_and(|m| m.contains("skin")));
    }
}

#[test]
fn limits_count_pairs_and_not_candidates() {
    let settings = PairSettings {
        most: 9,
        ..Default::default()
    };
    let mut candidates = Candidates::<2>::new(settings.with_skin(5.0)).unwrap();
    let line: Vec<[f64; 2]> = (0..10).map(|i| [f64::from(i), 0.0]).collect();
    let mut pairs = Vec::new();
    candidates
        .update((&line[..], &[0.5; 10][..]).into())
        .unwrap();
    candidates.pairs(&mut pairs).unwrap();
    assert!(pairs.len() == 9 && candidates.candidates().len() > 20);
    candidates
        .update((&line[..], &[1.0; 10][..]).into())
        .unwrap();
    let mut visited = 0;
    let messages = [
        candidates.pairs(&mut pairs),
        candidates.for_each_chunk(&mut |_| visited += 1),
        candidates.contacts(&mut Vec::new()),
        candidates.query((&line[..], &[1.0; 10][..]).into(), &mut pairs),
    ]
    .map(|result| result.unwrap_err().to_string());
    assert_eq!((pairs.len(), visited), (0, 0));
    for message in messages {
        assert!(
            message.contains("at least 10") && message.contains("at most 9"),
            "{message}"
        );
    }
}

#[test]
fn chunks_are_many_and_limited() {
    let mut next = numbers(21);
    let centers: Vec<[f64; 2]> = (0..3000)
        .map(|_| std::array::from_fn(|_| 10.0 * next()))
        .collect();
    let radii = vec![0.7; 3000];
    for periodic in [None, Some(Periodic::new([10.0, 10.0]).unwrap())] {
        let settings = PairSettings {
            periodic,
            ..Default::default()
        };
        let mut finder = BroadPhase::new(settings.with_method(Method::Cells)).unwrap();
        finder.update((&centers[..], &radii[..]).into()).unwrap();
        let pairs = answer(&mut finder);
        let (mut chunks, mut longest) = (0, 0);
        let visit = &mut |chunk: &[[u32; 2]]| {
            chunks += 1;
            longest = longest.max(chunk.len());
        };
        finder.for_each_chunk(visit).unwrap();
        assert!(pairs.len() > 200_000 && chunks >= 3 && longest <= 1 << 16);
        for (most, fits) in [(pairs.len(), true), (pairs.len() - 1, false)] {
            let settings = PairSettings { most, ..settings };
            let mut finder =
                tangere::pairs::BroadPhase::new(settings.with_method(Method::Grid)).unwrap();
            finder.update((&centers[..], &radii[..]).into()).unwrap();
            let mut visited = 0;
            let result = finder.for_each_chunk(&mut |chunk| visited += chunk.len());
            assert_eq!(
                (result.is_ok(), visited),
                (fits, if fits { pairs.len() } else { 0 })
            );
        }
    }
    // Exactly half a cell apart: two images, one pair, and none is too many.
    let settings = PairSettings {
        periodic: Some(Periodic::new([4.0, 0.0]).unwrap()),
        most: 1,
        ..Default::default()
    };
    let two = [[0.0, 0.0], [2.0, 0.0]];
    let mut finder = BroadPhase::new(settings.with_method(Method::Tree)).unwrap();
    finder.update((&two[..], &[1.0; 2][..]).into()).unwrap();
    assert_eq!(answer(&mut finder), [[0, 1]]);
    let mut candidates = Candidates::new(settings.with_skin(0.5)).unwrap();
    for _ in 0..2 {
        candidates.update((&two[..], &[1.0; 2][..]).into()).unwrap();
        assert_eq!(answer(&mut candidates), [[0, 1]]);
    }
    assert_eq!(candidates.reuses(), 1);
}

/// Compares the queries of every method, done twice, and its own pairs afterwards.
fn check_query<const D: usize>(settings: PairSettings<D>, items: &Scene<D>, others: &Scene<D>)
where
    Space: Dimension<D>,
{
    let mut joined = items.clone();
    joined.centers.extend(&others.centers);
    joined.radii.extend(&others.radii);
    joined.upper.extend(&others.upper);
    let count = items.radii.len() as u32;
    for boxes in [false, true] {
        let mut expected = answer(&mut fresh(settings, joined.items(boxes)));
        expected.retain(|&[a, b]| a < count && b >= count);
        expected.iter_mut().for_each(|pair| pair[1] -= count);
        let own = answer(&mut fresh(settings, items.items(boxes)));
        let mut finders = methods(settings);
        let candidates = Candidates::new(settings.with_skin(0.3)).expect("a skin");
        finders.push(("candidates", Box::new(candidates)));
        for (name, mut finder) in finders {
            let mut found = vec![[7, 7]];
            finder.update(items.items(boxes)).expect("valid items");
            for _ in 0..2 {
                let result = finder.query(others.items(boxes), &mut found);
                result.expect("valid others");
                assert_eq!(found, expected, "{name}");
                assert_eq!(answer(finder.as_mut()), own, "{name}");
            }
        }
    }
}

fn lattice<const D: usize>(most: usize) -> impl Strategy<Value = (Vec<[i32; D]>, Vec<i32>)> {
    let item = (prop::collection::vec(-2..22i32, D), 0..4i32);
    prop::collection::vec(item, 0..most).prop_map(|scene| {
        scene
            .iter()
            .map(|(p, r)| (std::array::from_fn(|k| p[k]), *r))
            .unzip()
    })
}

fn placed<const D: usize>(
    (places, radii): &(Vec<[i32; D]>, Vec<i32>),
    (step, radius): (f64, f64),
    (offset, scale): (f64, f64),
) -> Scene<D> {
    let place = |p: &[i32; D]| p.map(|x| (step * f64::from(x) + offset) * scale);
    Scene::new(
        places.iter().map(place).collect(),
        radii
            .iter()
            .map(|r| radius * f64::from(*r) * scale)
            .collect(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn queries_agree_in_open_space(
        (a, b) in (lattice::<2>(100), lattice::<2>(100)),
        (c, d) in (lattice::<3>(100), lattice::<3>(60)),
        margin in prop::sample::select(vec![0.0, 0.5]),
        place in prop::sample::select(vec![(0.0, 1.0), (1e9, 0.1), (-7e4, 1e20)]),
        // Query items may be larger, smaller, and spread over another region.
        large in prop::sample::select(vec![(0.5, 0.25), (0.5, 4.0), (1e-3, 1e-4), (40.0, 0.0), (1e9, 1e9)]),
    ) {
        let item = (0.5, 0.25);
        let settings = PairSettings { margin, ..Default::default() };
        check_query(settings, &placed(&a, item, place), &placed(&b, large, place));
        let settings = PairSettings { margin, ..Default::default() };
        check_query(settings, &placed(&c, item, place), &placed(&d, large, place));
        check_query(settings, &placed(&d, large, place), &placed(&c, item, place));
    }

    #[test]
    fn queries_agree_in_periodic_space(
        (a, b) in (lattice::<3>(80), lattice::<3>(80)),
        far in prop::sample::select(vec![0, 1, 1000, 900_000]),
        open in 0..4usize,
        tilts in prop::array::uniform3(-3..4i32),
        margin in prop::sample::select(vec![0.0, 0.5]),
    ) {
        let (_, cell) = tilted_cell(open, tilts);
        let settings = PairSettings { margin, periodic: Some(cell), ..Default::default() };
        let items = placed(&a, (0.5, 0.5), (0.0, 1.0));
        let mut others = placed(&b, (0.5, 0.5), (0.0, 1.0));
        for (i, p) in others.centers.iter_mut().enumerate() {
            let shift = cell.shift(std::array::from_fn(|k| far * ((i + k) % 3) as i32 - far));
            *p = std::array::from_fn(|k| p[k] + shift[k]);
        }
        let others = Scene::new(others.centers, others.radii);
        check_query(settings, &items, &others);
        check_query(settings, &others, &items);
    }

    #[test]
    fn candidates_agree_on_lattices(
        steps in prop::collection::vec((lattice::<2>(40), 0..3usize), 1..6),
        skin in prop::sample::select(vec![0.0, 0.25, 1.0, 30.0]),
        offset in prop::sample::select(vec![0.0, 1e9]),
        (periodic, boxes, every_image) in any::<(bool, bool, bool)>(),
    ) {
        let lengths = if every_image { [0.75, 1.25] } else { [9.0, 8.0] };
        let periodic = periodic.then(|| Periodic::tilted(lengths, &[0.5]).unwrap());
        let periodic = periodic.map(|cell| cell.at([offset; 2]).unwrap());
        let settings = PairSettings { periodic, margin: 0.25, every_image, ..Default::default() };
        let mut candidates = Candidates::new(settings.with_skin(skin)).unwrap();
        for (scene, nudges) in &steps {
            let mut scene = placed(scene, (0.25, 0.25), (offset, 1.0));
            for _ in 0..=*nudges {
                step(&mut candidates, settings, scene.items(boxes));
                step(&mut candidates, settings, scene.items(boxes));
                for (i, p) in scene.centers.iter_mut().enumerate() {
                    p[i % 2] += 0.125;
                }
                scene = Scene::new(scene.centers, scene.radii);
            }
        }
    }
}

#[test]
fn queries_of_another_kind_or_size_are_refused() {
    let cell = Periodic::new([4.0, 0.0]).unwrap();
    for periodic in [None, Some(cell)] {
        for method in Method::ALL {
            let settings = PairSettings {
                periodic,
                ..Default::default()
            };
            let mut finder = BroadPhase::new(settings.with_method(method)).unwrap();
            let scene = Scene::new(vec![[0.0, 0.0], [1.0, 0.0]], vec![0.5; 2]);
            let mut out = vec![[1, 1]];
            finder.query(scene.items(true), &mut out).unwrap();
            assert!(out.is_empty(), "there are no items yet");
            finder.update(scene.items(false)).unwrap();
            let mut refused = |others: Items<'_, 2>, word: &str| {
                let message = finder.query(others, &mut out).unwrap_err().to_string();
                assert!(message.contains(word) && out.is_empty(), "{message}");
                assert_eq!(answer(&mut finder), [[0, 1]]);
            };
            refused(scene.items(true), "kind");
            let bad = Scene::new(vec![[0.0, f64::NAN]], vec![0.5]);
            refused(bad.items(false), "centre 0");
            if periodic.is_some() {
                let large = Scene::new(vec![[0.0, 0.0]], vec![1.6]);
                refused(large.items(false), "width");
                let lost = Scene::new(vec![[0.0, 0.0], [1e8, 0.0]], vec![0.1; 2]);
                refused(lost.items(false), "million");
            }
        }
    }
}
