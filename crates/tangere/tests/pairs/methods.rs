//! Every broad-phase method against brute force.

use proptest::prelude::*;
use tangere::pairs::{
    Auto, Brute, Cells, GridPairs, Items, PairFinder, PairSettings, Periodic, Shells, Sweep,
    TreePairs,
};
use tangere::pairs::{Dimension, Space};
use test_support::Random;
use test_support::finders::methods;

type Pairs = Vec<[u32; 2]>;

fn answer<const D: usize>(finder: &mut dyn PairFinder<D>, items: Items<'_, D>) -> Pairs {
    let mut pairs = vec![[7, 7]];
    finder.update(items).expect("valid items");
    finder.pairs(&mut pairs).expect("no limit");
    pairs
}

fn check<const D: usize>(settings: PairSettings<D>, scenes: &[(Vec<[f64; D]>, Vec<f64>)])
where
    Space: Dimension<D>,
{
    let mut finders = methods(settings);
    let (brute, others) = finders.split_first_mut().expect("brute force");
    for (centers, radii) in scenes {
        let upper: Vec<[f64; D]> = centers
            .iter()
            .zip(radii)
            .map(|(p, r)| p.map(|x| x + r))
            .collect();
        let spheres = Items::Spheres { centers, radii };
        let boxes = Items::Boxes {
            lower: centers,
            upper: &upper,
        };
        for items in [spheres, boxes] {
            let expected = answer(brute.1.as_mut(), items);
            assert!(expected.windows(2).all(|w| w[0] < w[1]));
            assert!(expected.iter().all(|[a, b]| a < b));
            for (name, finder) in &mut *others {
                assert_eq!(answer(finder.as_mut(), items), expected, "{name}");
            }
        }
    }
}

/// Spheres on a lattice, of which many exactly touch, coincide or are points.
fn lattice<const D: usize>() -> impl Strategy<Value = Vec<(Vec<[f64; D]>, Vec<f64>)>> {
    let item = (prop::collection::vec(0..24i32, D), 0..4i32);
    let scene = prop::collection::vec(item, 0..120);
    let place = (
        prop::sample::select(vec![0.0, 1e9, -7e4]),
        prop::sample::select(vec![1.0, 0.1, 1e30]),
    );
    (prop::collection::vec(scene, 1..3), place).prop_map(|(scenes, (offset, scale))| {
        scenes
            .iter()
            .map(|scene| {
                let center = |p: &Vec<i32>| {
                    std::array::from_fn(|k| (0.5 * f64::from(p[k]) + offset) * scale)
                };
                (
                    scene.iter().map(|(p, _)| center(p)).collect(),
                    scene
                        .iter()
                        .map(|(_, r)| 0.25 * f64::from(*r) * scale)
                        .collect(),
                )
            })
            .collect()
    })
}

/// A tilted periodic cell and its lengths; a straight cell if an axis is open, with the length 0
/// there.
pub fn tilted_cell(open: usize, tilts: [i32; 3]) -> ([f64; 3], Periodic<3>) {
    let mut lengths = [8.0, 10.0, 12.0];
    let mut tilts = tilts.map(f64::from);
    if open < 3 {
        lengths[open] = 0.0;
        tilts = [0.0; 3];
    }
    let cell = Periodic::tilted(lengths, &tilts).expect("a cell");
    (lengths, cell.at([-1.0, 2.0, 0.5]).expect("a place"))
}

proptest! {
    #[test]
    fn methods_agree_in_2d(scenes in lattice::<2>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(PairSettings { margin, ..Default::default() }, &scenes);
    }

    #[test]
    fn methods_agree_in_3d(scenes in lattice::<3>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(PairSettings { margin, ..Default::default() }, &scenes);
    }

    #[test]
    fn methods_agree_in_periodic_space(
        points in prop::collection::vec((prop::array::uniform3(-30..50i32), 0..3i32), 0..80),
        open in 0..4usize,
        tilts in prop::array::uniform3(-3..4i32),
        margin in prop::sample::select(vec![0.0, 0.5]),
    ) {
        let (lengths, periodic) = tilted_cell(open, tilts);
        let centers: Vec<[f64; 3]> = points.iter().map(|(p, _)| p.map(|x| 0.5 * f64::from(x))).collect();
        let radii: Vec<f64> = points.iter().map(|(_, r)| 0.5 * f64::from(*r)).collect();
        let settings = PairSettings { margin, periodic: Some(periodic), ..Default::default() };
        check(settings, &[(centers.clone(), radii.clone())]);

        // The oracle's own oracle: every image that could matter.
        let mut brute = Brute::new(settings).unwrap();
        let found = answer(&mut brute, (&centers[..], &radii[..]).into());
        let mut expected = Vec::new();
        let images = |k: usize| if lengths[k] > 0.0 { -8..=8 } else { 0..=0 };
        for a in 0..centers.len() {
            for b in a + 1..centers.len() {
                let reach = radii[a] + radii[b] + margin;
                let way = |image: [i32; 3]| -> [f64; 3] {
                    let shift = periodic.shift(image);
                    std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k])
                };
                // Only images along z move things along z, and only those along y and z along y.
                let touch = images(2).filter(|&l| way([0, 0, l])[2].abs() <= reach).any(|l| {
                    images(1).filter(|&j| way([0, j, l])[1].abs() <= reach).any(|j| images(0).any(|i| {
                        let d = way([i, j, l]);
                        d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach
                    }))
                });
                if touch {
                    expected.push([a as u32, b as u32]);
                }
            }
        }
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn many_random_spheres_agree() {
    use tangere::generate::{ParticleBox, particles};
    let spheres = particles::<3>(&ParticleBox::test_a(3, 3000, 1)).unwrap();
    check(
        PairSettings::default(),
        &[(spheres.centers().to_vec(), spheres.radii().to_vec())],
    );
    let discs = particles::<2>(&ParticleBox::test_a(2, 3000, 1)).unwrap();
    check(
        PairSettings::default(),
        &[(discs.centers().to_vec(), discs.radii().to_vec())],
    );
}

/// Numbers from 0 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut random = Random::new(seed);
    move || random.unit()
}

/// A scene with its radii, moved some steps by at most `step`, then to random positions.
fn moving<const D: usize>(
    count: usize,
    step: f64,
    radii: Vec<f64>,
) -> Vec<(Vec<[f64; D]>, Vec<f64>)> {
    let mut next = numbers(7);
    let mut centers: Vec<[f64; D]> = (0..count)
        .map(|_| std::array::from_fn(|_| 10.0 * next()))
        .collect();
    let mut scenes = Vec::new();
    for n in 0..8 {
        let step = if n == 5 { 20.0 } else { step };
        for p in &mut centers {
            *p = p.map(|x| x + step * (next() - 0.5));
        }
        scenes.push((centers.clone(), radii.clone()));
    }
    scenes
}

#[test]
fn moving_scenes_agree_at_every_step() {
    for step in [0.001, 0.05, 1.0] {
        let mut next = numbers(3);
        let radii: Vec<f64> = (0..400).map(|_| 0.5 * next()).collect();
        check(
            PairSettings::default(),
            &moving::<2>(400, step, radii.clone()),
        );
        check(PairSettings::default(), &moving::<3>(400, step, radii));
    }
}

#[test]
fn sizes_of_all_magnitudes_agree() {
    let mut next = numbers(5);
    // 1:1e6, some points, and one that holds everything.
    let mut radii: Vec<f64> = (0..500).map(|_| 10f64.powf(-6.0 * next())).collect();
    radii[..50].fill(0.0);
    radii[77] = 30.0;
    let mut scenes = moving::<3>(500, 0.01, radii);
    // One outlier far away, and others coincide in a cluster.
    let (mut centers, radii) = scenes[0].clone();
    centers[3] = [1e12, -3e30, 0.0];
    for p in &mut centers[100..200] {
        *p = p.map(|x| 1e-7 * x);
    }
    scenes.push((centers.clone(), radii.clone()));
    centers[200..300].fill([4.0; 3]);
    scenes.push((centers, radii));
    // Flat: all at the same height, and then on a line.
    let (mut centers, radii) = scenes[1].clone();
    centers.iter_mut().for_each(|p| p[1] = 2.5e9);
    scenes.push((centers.clone(), vec![0.0; radii.len()]));
    scenes.push((centers.clone(), radii.clone()));
    centers.iter_mut().for_each(|p| p[0] = -1.0);
    scenes.push((centers, radii));
    check(PairSettings::default(), &scenes);
}

#[test]
fn few_and_identical_items_agree_after_one_another() {
    let scene = |n: usize, at: [f64; 3], r: f64| (vec![at; n], vec![r; n]);
    let scenes = [
        scene(0, [0.0; 3], 1.0),
        scene(1, [1e30; 3], 1.0),
        scene(1, [0.0; 3], 0.0),
        scene(300, [1e9, 0.0, -1e9], 0.0),
        scene(300, [1e9, 1.0, -1e9], 1e30),
        scene(2, [-1e59; 3], 1e59),
        scene(0, [0.0; 3], 0.0),
        scene(300, [0.0; 3], 1.0),
    ];
    check(PairSettings::default(), &scenes);
    let margin = 0.5;
    check(
        PairSettings {
            margin,
            ..Default::default()
        },
        &scenes,
    );
}

/// Regression: the bits of -0 sorted it after all other coordinates.
#[test]
fn negative_zeros_are_zeros() {
    let lower: Vec<[f64; 2]> = (0..40).map(|i| [[0.0, -0.0][i % 2], i as f64]).collect();
    let check_at = |radius: f64| {
        check(
            PairSettings::default(),
            &[(lower.clone(), vec![radius; lower.len()])],
        );
    };
    check_at(0.0);
    check_at(1.0);
    let flat: Vec<[f64; 2]> = (0..40)
        .map(|i| [[0.0, -0.0][i % 2], [0.0, 5.0][i / 20]])
        .collect();
    check(PairSettings::default(), &[(flat, vec![0.0; 40])]);
}

/// Regression: the shifts of far images are rounded, and so are positions in a cell far from the
/// origin; pairs that just touch were lost.
#[test]
fn far_images_and_far_cells_agree() {
    for (origin, images) in [(0.0, 900_000), (1e15, 0), (1e9, 1000)] {
        let cell = Periodic::tilted([4.3, 5.1, 6.7], &[1.1, -0.7, 0.9]).unwrap();
        let cell = cell.at([origin; 3]).unwrap();
        let mut next = numbers(11);
        let centers: Vec<[f64; 3]> = (0..150)
            .map(|_| {
                let image =
                    std::array::from_fn(|_| (f64::from(images) * (2.0 * next() - 1.0)) as i32);
                let shift = cell.shift(image);
                std::array::from_fn(|k| (4.0 * next()).round() + origin + shift[k])
            })
            .collect();
        for margin in [0.0, 0.25] {
            let settings = PairSettings {
                margin,
                periodic: Some(cell),
                ..Default::default()
            };
            check(
                settings,
                &[
                    (centers.clone(), vec![0.5; 150]),
                    (centers.clone(), vec![0.0; 150]),
                ],
            );
        }
    }
}

/// The work of a search must not be quadratic if one item is huge, sizes differ much, one item is
/// an outlier or all items lie in clusters.
#[test]
fn hard_scenes_are_not_quadratic() {
    let count = 50_000;
    let mut next = numbers(9);
    let spread: Vec<[f64; 3]> = (0..count)
        .map(|_| std::array::from_fn(|_| 40.0 * next()))
        .collect();
    let clusters: Vec<[f64; 3]> = (0..count)
        .map(|i| std::array::from_fn(|k| 40.0 * ((i * [7, 11, 13][k]) % 50) as f64 + next()))
        .collect();
    let equal = vec![0.1; count];
    let mut huge = equal.clone();
    huge[1] = 10.0;
    let mut points = vec![0.0; count];
    points[1] = 10.0;
    let mixed: Vec<f64> = (0..count).map(|_| 0.5 * 1e-3f64.powf(next())).collect();
    let mut lost = spread.clone();
    lost[5] = [1e20; 3];
    let settings = PairSettings::default();
    for (name, centers, radii) in [
        ("huge", &spread, &huge),
        ("points", &spread, &points),
        ("mixed", &spread, &mixed),
        ("lost", &lost, &equal),
        ("clusters", &clusters, &vec![0.01; count]),
    ] {
        let items = Items::Spheres { centers, radii };
        let expected = answer(&mut TreePairs::new(settings).unwrap(), items);
        let started = std::time::Instant::now();
        let mut shells = Shells::new(settings).unwrap();
        assert_eq!(answer(&mut shells, items), expected, "shells, {name}");
        // A thirtieth of all pairs.
        assert!(
            shells.tests() < count * count / 60,
            "shells, {name}: {}",
            shells.tests()
        );
        println!(
            "{name}: shells {:?}, {} tests",
            started.elapsed(),
            shells.tests()
        );
        let mut sweep = Sweep::new(settings).unwrap();
        let started = std::time::Instant::now();
        assert_eq!(answer(&mut sweep, items), expected, "sweep, {name}");
        println!("{name}: sweep {:?}", started.elapsed());
        let mut grid = GridPairs::new(settings).unwrap();
        let started = std::time::Instant::now();
        assert_eq!(answer(&mut grid, items), expected, "grid, {name}");
        println!("{name}: grid {:?}", started.elapsed());
    }
}

#[test]
fn sweep_counts_exchanges_and_notices_jumps() {
    let radii = vec![0.1; 3000];
    let scenes = moving::<3>(3000, 1e-3, radii);
    let mut sweep = Sweep::new(PairSettings::default()).unwrap();
    let mut exchanges = Vec::new();
    for (centers, radii) in &scenes {
        answer(&mut sweep, Items::Spheres { centers, radii });
        exchanges.push(sweep.exchanges());
    }
    assert_eq!(exchanges[0], None);
    assert_eq!(exchanges[5], None, "a jump");
    for n in [1, 2, 3, 4, 6, 7] {
        assert!(
            exchanges[n].is_some_and(|e| e > 0),
            "step {n}: {exchanges:?}"
        );
    }
    let (centers, radii) = &scenes[7];
    answer(&mut sweep, Items::Spheres { centers, radii });
    assert_eq!(sweep.exchanges(), Some(0), "nothing moved");
}

#[test]
fn contacts_and_queries_agree_with_pairs() {
    use tangere::generate::{ParticleBox, particles};
    let spheres = particles::<3>(&ParticleBox::test_a(3, 2000, 2)).unwrap();
    let periodic = Some(Periodic::new([1.26, 1.26, 0.0]).unwrap());
    let settings = PairSettings {
        periodic,
        margin: 0.01,
        ..Default::default()
    };
    let mut finder = Cells::new(settings).unwrap();
    let pairs = answer(&mut finder, (&spheres).into());
    let mut contacts = Vec::new();
    finder.contacts(&mut contacts).unwrap();
    assert!(contacts.iter().map(|c| c.pair).eq(pairs.iter().copied()));
    assert!(contacts.iter().any(|c| c.image != [0; 3]));
    for c in &contacts {
        let length: f64 = c.normal.iter().map(|x| x * x).sum();
        assert!(c.gap <= 0.01 + 1e-12 && (length - 1.0).abs() < 1e-12);
    }
    // One half against the other: the pairs between them.
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let half = 1000;
    finder
        .update((&centers[..half], &radii[..half]).into())
        .unwrap();
    let mut between = Vec::new();
    finder
        .query((&centers[half..], &radii[half..]).into(), &mut between)
        .unwrap();
    let expected: Pairs = pairs
        .iter()
        .filter(|[a, b]| (*a as usize) < half && *b as usize >= half)
        .map(|&[a, b]| [a, b - half as u32])
        .collect();
    assert_eq!(between, expected);
}

#[test]
fn limits_and_bad_items_are_errors() {
    let settings = PairSettings {
        most: 5,
        ..Default::default()
    };
    let mut finder = Auto::<2>::new(settings).unwrap();
    let centers = [[0.0, 0.0]; 5];
    finder.update((&centers[..], &[1.0; 5][..]).into()).unwrap();
    let mut out = vec![[1, 2]];
    let message = finder.pairs(&mut out).unwrap_err().to_string();
    assert!(
        message.contains("found at least 6") && message.contains("at most 5"),
        "{message}"
    );
    assert!(out.is_empty());
    for (center, radius) in [
        (f64::NAN, 1.0),
        (0.0, f64::NAN),
        (0.0, -1.0),
        (f64::INFINITY, 0.0),
    ] {
        let centers = [[0.0, 0.0], [center, 0.0]];
        let error = finder.update((&centers[..], &[1.0, radius][..]).into());
        assert!(error.unwrap_err().to_string().contains(" 1: "));
        finder.pairs(&mut out).unwrap();
        assert!(out.is_empty());
    }
    assert!(finder.update((&centers[..], &[1.0][..]).into()).is_err());
    assert!(
        Auto::<2>::new(PairSettings {
            margin: -1.0,
            ..Default::default()
        })
        .is_err()
    );
    let cell = Periodic::new([3.0, 0.0]).unwrap();
    let mut finder = Auto::new(PairSettings {
        periodic: Some(cell),
        ..Default::default()
    })
    .unwrap();
    assert!(
        finder
            .update((&[[0.0, 0.0], [1.0, 0.0]][..], &[1.0, 1.0][..]).into())
            .is_err()
    );
}
