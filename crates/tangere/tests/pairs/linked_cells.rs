//! Linked cells as in leszczynski2004: the same pairs as brute force, with as many tests as the
//! paper predicts.

use proptest::prelude::*;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{
    BroadPhase, Brute, Items, LinkedCells, Method, PairFinder, PairSettings, Periodic,
};

fn answer<const D: usize>(finder: &mut impl PairFinder<D>, items: Items<'_, D>) -> Vec<[u32; 2]> {
    let mut pairs = vec![[7, 7]];
    finder.update(items).expect("valid items");
    finder.pairs(&mut pairs).expect("no limit");
    pairs
}

/// Checks that spheres, and boxes whose lower corners are the centres, have the same pairs with any
/// occupancy.
fn check<const D: usize>(settings: PairSettings<D>, centers: &[[f64; D]], radii: &[f64]) {
    let mut brute = Brute::new(settings).expect("valid settings");
    let grown = centers.iter().zip(radii).map(|(p, r)| p.map(|x| x + r));
    let upper: Vec<[f64; D]> = grown.collect();
    for occupancy in [0.125, 1.0, 5.0, 1e9] {
        let mut linked = LinkedCells::with_occupancy(settings, occupancy).expect("valid settings");
        let boxes = Items::Boxes {
            lower: centers,
            upper: &upper,
        };
        for items in [Items::Spheres { centers, radii }, boxes] {
            let expected = answer(&mut brute, items);
            assert_eq!(
                answer(&mut linked, items),
                expected,
                "occupancy {occupancy}"
            );
        }
    }
}

/// Integer coordinates that force ties, at any offset and scale.
fn lattice<const D: usize>() -> impl Strategy<Value = (Vec<[f64; D]>, Vec<f64>)> {
    let item = (prop::collection::vec(0..24i32, D), 0..4i32);
    let offset = prop::sample::select(vec![0.0, 1e9, -7e4]);
    let scale = prop::sample::select(vec![1.0, 0.1, 1e30, 1e-60]);
    // How far items spread along each axis: flat scenes, too.
    let spread = prop::collection::vec(prop::sample::select(vec![0.0, 0.5, 8.0]), D);
    let scene = prop::collection::vec(item, 0..120);
    (scene, offset, scale, spread).prop_map(|(scene, offset, scale, spread)| {
        let center =
            |p: &Vec<i32>| std::array::from_fn(|k| (spread[k] * f64::from(p[k]) + offset) * scale);
        let centers = scene.iter().map(|(p, _)| center(p)).collect();
        let radii = scene.iter().map(|(_, r)| 0.25 * f64::from(*r) * scale);
        (centers, radii.collect())
    })
}

proptest! {
    #[test]
    fn agrees_in_2d(scene in lattice::<2>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(PairSettings { margin, ..Default::default() }, &scene.0, &scene.1);
    }

    #[test]
    fn agrees_in_3d(scene in lattice::<3>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(PairSettings { margin, ..Default::default() }, &scene.0, &scene.1);
    }

    #[test]
    fn agrees_in_periodic_space(
        points in prop::collection::vec((prop::array::uniform3(-30..50i32), 0..3i32), 0..80),
        tilts in prop::array::uniform3(-3..4i32),
    ) {
        let periodic = Periodic::tilted([8.0, 10.0, 12.0], &tilts.map(f64::from)).unwrap();
        let centers: Vec<[f64; 3]> = points.iter().map(|(p, _)| p.map(|x| 0.5 * f64::from(x))).collect();
        let radii: Vec<f64> = points.iter().map(|(_, r)| 0.5 * f64::from(*r)).collect();
        check(PairSettings { periodic: Some(periodic), ..Default::default() }, &centers, &radii);
    }
}

#[test]
fn agrees_on_random_spheres() {
    let settings = [
        ParticleBox::test_a,
        ParticleBox::test_b,
        ParticleBox::test_c,
    ];
    for test in settings {
        let discs = particles::<2>(&test(2, 1500, 3)).unwrap();
        check(PairSettings::default(), discs.centers(), discs.radii());
        let spheres = particles::<3>(&test(3, 1500, 3)).unwrap();
        check(PairSettings::default(), spheres.centers(), spheres.radii());
    }
}

/// Returns the number of tests of `count` particles in units of `n p`, and the number expected for
/// a box whose cells at the walls have fewer neighbours.
fn tests<const D: usize>(count: usize, occupancy: f64) -> (f64, f64) {
    let spheres = particles::<D>(&ParticleBox::test_c(D, count, 5)).expect("a box");
    let mut linked =
        LinkedCells::<D>::with_occupancy(PairSettings::default(), occupancy).expect("valid");
    answer(&mut linked, (&spheres).into());
    let cells = linked.cells();
    let number = cells.iter().product::<usize>() as f64;
    let average = count as f64 / number;
    assert!(
        (average / occupancy - 1.0).abs() < 0.1,
        "{average} in a cell"
    );
    // Of the m^D cells, m^D + 2 (m-1) m^(D-1) + .. ordered neighbours: the product
    // of (3 m - 2) over axes; every two cells once, a cell with itself by half.
    let neighbors: f64 = cells.iter().map(|&m| 3.0 * m as f64 - 2.0).product();
    (
        linked.tests() as f64 / (count as f64 * average),
        0.5 * neighbors / number,
    )
}

#[test]
fn tests_are_as_many_as_the_paper_counts() {
    for occupancy in [1.0, 5.0, 10.0] {
        let (measured, expected) = tests::<2>(40_000, occupancy);
        assert!(
            (measured / expected - 1.0).abs() < 0.03,
            "{measured} {expected}"
        );
        assert!((measured / 4.5 - 1.0).abs() < 0.05, "{measured} n p in 2D");
        let (measured, expected) = tests::<3>(40_000, occupancy);
        assert!(
            (measured / expected - 1.0).abs() < 0.03,
            "{measured} {expected}"
        );
        assert!((measured / 13.5 - 1.0).abs() < 0.15, "{measured} n p in 3D");
    }
}

#[test]
fn cells_are_no_smaller_than_the_largest_item() {
    let mut linked = LinkedCells::<2>::new(PairSettings::default()).unwrap();
    let centers: Vec<[f64; 2]> = (0..100).map(|i| [f64::from(i), 0.0]).collect();
    let mut radii = vec![0.1; 100];
    linked.update((&centers[..], &radii[..]).into()).unwrap();
    assert_eq!(linked.cells(), [100, 1]);
    radii[50] = 12.0;
    linked.update((&centers[..], &radii[..]).into()).unwrap();
    assert_eq!(linked.cells(), [4, 1]);
    assert_eq!(linked.method(), "linked");
    linked.update((&[][..], &[][..]).into()).unwrap();
    assert_eq!((linked.cells(), linked.tests()), ([1, 1], 0));
}

/// By its name it is the same method, with the occupancy of the settings.
#[test]
fn by_name_with_an_occupancy() {
    let spheres = particles::<2>(&ParticleBox::test_b(2, 2000, 3)).unwrap();
    let settings = PairSettings::default().with_occupancy(5.0);
    let mut linked = LinkedCells::<2>::new(settings).unwrap();
    let expected = answer(&mut linked, (&spheres).into());
    assert_eq!(linked.cells(), [20, 20]);
    let by_name = settings.with_method(Method::Linked);
    for settings in [by_name, by_name.with_skin(0.01)] {
        let mut finder = BroadPhase::new(settings).unwrap();
        assert_eq!(answer(&mut finder, (&spheres).into()), expected);
        assert_eq!(finder.method(), "linked");
    }
    for method in Method::ALL.into_iter().filter(|&m| m != Method::Linked) {
        for skin in [None, Some(0.1)] {
            let settings = settings.with_method(method).with_skin(skin);
            let error = BroadPhase::new(settings).unwrap_err().to_string();
            let message = format!(
                "occupancy: found 5, expected none for method {method}; only linked has one"
            );
            assert_eq!(error, message);
        }
    }
}

#[test]
fn invalid_occupancies_are_rejected() {
    for bad in [0.0, -1.0, 0.1, f64::NAN, f64::INFINITY] {
        let settings = PairSettings::<2>::default().with_method(Method::Linked);
        let error = BroadPhase::new(settings.with_occupancy(bad)).unwrap_err();
        assert!(error.to_string().contains("occupancy"), "{error}");
        let error = LinkedCells::<3>::with_occupancy(PairSettings::default(), bad).unwrap_err();
        assert!(error.to_string().contains("occupancy"), "{error}");
    }
}
