//! Sorted distances as leszczynski2004 publishes them: the same pairs as brute force, whatever the
//! reference point.

use proptest::prelude::*;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{
    BroadPhase, Brute, Items, Method, PairFinder, PairSettings, PublishedShells, Shells,
};

fn answer<const D: usize>(finder: &mut impl PairFinder<D>, items: Items<'_, D>) -> Vec<[u32; 2]> {
    let mut pairs = vec![[7, 7]];
    finder.update(items).expect("valid items");
    finder.pairs(&mut pairs).expect("no limit");
    pairs
}

/// Checks spheres, and boxes whose lower corners are the centres, with the default reference point,
/// with this one and with the centre of an item.
fn check<const D: usize>(margin: f64, centers: &[[f64; D]], radii: &[f64], origin: [f64; D]) {
    let settings = PairSettings::default().with_margin(margin);
    let mut brute = Brute::new(settings).expect("valid settings");
    let grown = centers.iter().zip(radii).map(|(p, r)| p.map(|x| x + r));
    let upper: Vec<[f64; D]> = grown.collect();
    for origin in [None, Some(origin), centers.first().copied()] {
        let mut shells =
            PublishedShells::new(settings.with_origin(origin)).expect("valid settings");
        let boxes = Items::Boxes {
            lower: centers,
            upper: &upper,
        };
        for items in [Items::Spheres { centers, radii }, boxes] {
            let expected = answer(&mut brute, items);
            assert_eq!(answer(&mut shells, items), expected, "from {origin:?}");
        }
    }
}

/// Integer coordinates that force ties, at any offset and scale, and a reference point among them
/// or far away.
fn lattice<const D: usize>() -> impl Strategy<Value = (Vec<[f64; D]>, Vec<f64>, [f64; D])> {
    let item = (prop::collection::vec(0..24i32, D), 0..4i32);
    let offset = prop::sample::select(vec![0.0, 1e9, -7e4]);
    let scale = prop::sample::select(vec![1.0, 0.1, 1e30, 1e-60]);
    let away = prop::sample::select(vec![1.0, -3.0, 1e6]);
    let spread = prop::collection::vec(prop::sample::select(vec![0.0, 0.5, 8.0]), D);
    let origin = prop::collection::vec(-4..28i32, D);
    let scene = prop::collection::vec(item, 0..120);
    (scene, offset, scale, spread, origin, away).prop_map(
        |(scene, offset, scale, spread, origin, away)| {
            let center = |p: &Vec<i32>| {
                std::array::from_fn(|k| (spread[k] * f64::from(p[k]) + offset) * scale)
            };
            let centers = scene.iter().map(|(p, _)| center(p)).collect();
            let radii = scene.iter().map(|(_, r)| 0.25 * f64::from(*r) * scale);
            let origin = std::array::from_fn(|k| (away * f64::from(origin[k]) + offset) * scale);
            (centers, radii.collect(), origin)
        },
    )
}

proptest! {
    #[test]
    fn agrees_in_2d(scene in lattice::<2>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(margin, &scene.0, &scene.1, scene.2);
    }

    #[test]
    fn agrees_in_3d(scene in lattice::<3>(), margin in prop::sample::select(vec![0.0, 0.5])) {
        check(margin, &scene.0, &scene.1, scene.2);
    }
}

/// The number of tests is that of algorithm 1, counted here by its own words, and the same by either
/// name; a reference point in the middle of all items has more.
#[test]
fn tests_are_those_of_the_algorithm() {
    let discs = particles::<2>(&ParticleBox::test_c(2, 3000, 4)).unwrap();
    let (centers, radii) = (discs.centers(), discs.radii());
    let settings = PairSettings::default();
    let mut shells = PublishedShells::new(settings.with_origin([0.0, 0.0])).unwrap();
    let expected = answer(&mut Brute::new(settings).unwrap(), (&discs).into());
    assert_eq!(answer(&mut shells, (&discs).into()), expected);
    let near = |i: usize| centers[i][0].hypot(centers[i][1]) - radii[i];
    let mut order: Vec<usize> = (0..centers.len()).collect();
    order.sort_by(|&i, &j| near(i).total_cmp(&near(j)));
    let mut count = 0;
    for (at, &i) in order.iter().enumerate() {
        for &j in &order[at + 1..] {
            if 2.0 * radii[i] < near(j) - near(i) {
                break;
            }
            count += 1;
        }
    }
    assert_eq!(shells.tests(), count);

    let mut corner = Shells::from_corner(settings).unwrap();
    let mut default = PublishedShells::new(settings).unwrap();
    assert_eq!(answer(&mut corner, (&discs).into()), expected);
    assert_eq!(answer(&mut default, (&discs).into()), expected);
    assert_eq!(default.tests(), corner.tests());
    let middle = centers.iter().fold([0.0; 2], |sum: [f64; 2], p| {
        [0, 1].map(|k| sum[k] + p[k] / centers.len() as f64)
    });
    let mut inner = PublishedShells::new(settings.with_origin(middle)).unwrap();
    assert_eq!(answer(&mut inner, (&discs).into()), expected);
    assert!(inner.tests() > default.tests());
}

#[test]
fn other_methods_and_bad_points_are_rejected() {
    let settings = PairSettings::<2>::default().with_origin([1.0, 2.0]);
    for method in Method::ALL {
        let made = BroadPhase::new(settings.with_method(method));
        if method == Method::ShellsPublished {
            let mut finder = made.unwrap();
            finder.update((&[][..], &[][..]).into()).unwrap();
            assert_eq!(finder.method(), "shells-published");
            continue;
        }
        let message = format!(
            "origin: found [1.0, 2.0], expected none for method {method}; only shells-published \
             has one"
        );
        assert_eq!(made.unwrap_err().to_string(), message);
    }
    for bad in [f64::NAN, f64::INFINITY, 1e99] {
        let settings = PairSettings::<2>::default().with_origin([0.0, bad]);
        let error = PublishedShells::new(settings).unwrap_err().to_string();
        assert!(error.starts_with("origin: found [0.0, "), "{error}");
    }
}
