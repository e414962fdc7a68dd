//! Every method of pairs against brute force.

use proptest::prelude::*;
use tangere::pairs::{
    Brute, Cells, GridPairs, Items, PairFinder, PairSettings, Periodic, Shells, Sweep, TreePairs,
};

type Pairs = Vec<[u32; 2]>;

fn answer<const D: usize>(finder: &mut impl PairFinder<D>, items: Items<'_, D>) -> Pairs {
    let mut pairs = vec![[7, 7]];
    finder.update(items).expect("valid items");
    finder.pairs(&mut pairs).expect("no limit");
    pairs
}

fn check<const D: usize>(settings: PairSettings<D>, scenes: &[(Vec<[f64; D]>, Vec<f64>)]) {
    let mut brute = Brute::new(settings).unwrap();
    let mut cells = Cells::new(settings).unwrap();
    let mut shells = Shells::new(settings).unwrap();
    let mut corner = Shells::from_corner(settings).unwrap();
    let mut sweep = Sweep::new(settings).unwrap();
    let mut grid = GridPairs::new(settings).unwrap();
    let mut tree = TreePairs::new(settings).unwrap();
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
            let expected = answer(&mut brute, items);
            assert!(expected.windows(2).all(|w| w[0] < w[1]));
            assert!(expected.iter().all(|[a, b]| a < b));
            assert_eq!(answer(&mut cells, items), expected, "cells");
            assert_eq!(answer(&mut shells, items), expected, "shells");
            assert_eq!(answer(&mut corner, items), expected, "corner");
            assert_eq!(answer(&mut sweep, items), expected, "sweep");
            assert_eq!(answer(&mut grid, items), expected, "grid");
            assert_eq!(answer(&mut tree, items), expected, "tree");
        }
    }
}

/// Spheres on a lattice, so that many exactly touch, sit on each other or are points.
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
        let mut lengths = [8.0, 10.0, 12.0];
        let mut tilts = tilts.map(f64::from);
        if open < 3 {
            lengths[open] = 0.0;
            tilts = [0.0; 3];
        }
        let periodic = Periodic::tilted(lengths, &tilts).unwrap().at([-1.0, 2.0, 0.5]).unwrap();
        let centers: Vec<[f64; 3]> = points.iter().map(|(p, _)| p.map(|x| 0.5 * f64::from(x))).collect();
        let radii: Vec<f64> = points.iter().map(|(_, r)| 0.5 * f64::from(*r)).collect();
        let settings = PairSettings { margin, periodic: Some(periodic), ..Default::default() };
        check(settings, &[(centers.clone(), radii.clone())]);

        // The oracle's own oracle: every image that could matter.
        let mut brute = Brute::new(settings).unwrap();
        let found = answer(&mut brute, (&centers[..], &radii[..]).into());
        let mut expected = Vec::new();
        for a in 0..centers.len() {
            for b in a + 1..centers.len() {
                let images = |k: usize| if lengths[k] > 0.0 { -8..=8 } else { 0..=0 };
                let touch = images(0).any(|i| images(1).any(|j| images(2).any(|l| {
                    let shift = periodic.shift([i, j, l]);
                    let d: Vec<f64> = (0..3).map(|k| (centers[b][k] - centers[a][k]) + shift[k]).collect();
                    let reach = radii[a] + radii[b] + margin;
                    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach
                })));
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
