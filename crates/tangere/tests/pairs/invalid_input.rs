//! Invalid and extreme input of the broad phase: clear errors, no panics, complete answers.

use tangere::pairs::{
    Auto, BroadPhase, Cells, Items, Method, PairContact, PairFinder, PairSettings, Periodic,
    neighbors,
};
use test_support::finders::methods;

/// Returns the error of an update, after which a finder must have no items.
fn refusal<const D: usize>(finder: &mut dyn PairFinder<D>, items: Items<'_, D>) -> String {
    let error = finder.update(items).expect_err("bad items").to_string();
    let (mut pairs, mut contacts) = (vec![[1, 2]], Vec::new());
    finder.pairs(&mut pairs).expect("no pairs");
    finder.contacts(&mut contacts).expect("no contacts");
    assert!(pairs.is_empty() && contacts.is_empty(), "{error}");
    error
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn bad_spheres_are_named() {
    let centers = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let radii = [1.0; 3];
    // Array, value and expected parts of the message.
    let table: [(usize, f64, &[&str]); 7] = [
        (0, NAN, &["centre 2", "NaN", "finite"]),
        (0, INF, &["centre 2", "inf", "finite"]),
        (0, -INF, &["centre 2", "-inf", "finite"]),
        (0, 1e61, &["centre 2", "1.6e60"]),
        (1, NAN, &["radius 2", "NaN", "not negative"]),
        (1, -1e-3, &["radius 2", "-0.001", "not negative"]),
        (1, INF, &["radius 2", "inf", "finite"]),
    ];
    for (method, mut finder) in methods(PairSettings::default()) {
        for (what, value, expected) in table {
            let (mut centers, mut radii) = (centers, radii);
            match what {
                0 => centers[2][1] = value,
                _ => radii[2] = value,
            }
            finder.update((&centers[..2], &radii[..2]).into()).unwrap();
            let error = refusal(finder.as_mut(), (&centers[..], &radii[..]).into());
            for part in expected {
                assert!(error.contains(part), "{method}: {error}, without {part}");
            }
            // A rejected query leaves the items as they were.
            finder.update((&centers[..2], &radii[..2]).into()).unwrap();
            let mut out = vec![[5, 5]];
            let query = finder.query((&centers[..], &radii[..]).into(), &mut out);
            assert_eq!(query.unwrap_err().to_string(), error, "{method}");
            assert!(out.is_empty(), "{method}");
            finder.pairs(&mut out).unwrap();
            assert_eq!(out, [[0, 1]], "{method}");
        }
        let error = refusal(finder.as_mut(), (&centers[..], &radii[..2]).into());
        assert!(error.contains("radii: found 2 rows, expected 3"), "{error}");
        let error = refusal(finder.as_mut(), (&centers[..1], &radii[..]).into());
        assert!(error.contains("radii: found 3 rows, expected 1"), "{error}");
    }
}

#[test]
fn bad_boxes_are_named() {
    let lower = [[0.0, 0.0], [1.0, 1.0]];
    for (method, mut finder) in methods(PairSettings::default()) {
        for (upper, expected) in [
            (
                [[1.0, 1.0], [2.0, 0.9]],
                "box 1: found [1.0, 1.0] to [2.0, 0.9]",
            ),
            ([[1.0, 1.0], [NAN, 2.0]], "upper corner 1: found [NaN, 2.0]"),
            ([[INF, 1.0], [2.0, 2.0]], "upper corner 0: found [inf, 1.0]"),
        ] {
            let (lower, upper) = (&lower[..], &upper[..]);
            let error = refusal(finder.as_mut(), Items::Boxes { lower, upper });
            assert!(error.contains(expected), "{method}: {error}");
        }
        let (lower, upper) = (&lower[..], &lower[..1]);
        let error = refusal(finder.as_mut(), Items::Boxes { lower, upper });
        assert!(error.contains("upper: found 1 rows, expected 2"), "{error}");
        let lower = &[[NAN, 0.0]][..];
        let error = refusal(finder.as_mut(), Items::Boxes { lower, upper });
        assert!(error.contains("lower corner 0"), "{method}: {error}");
    }
}

#[test]
fn bad_settings_are_refused() {
    for margin in [-1.0, NAN, INF, 1e61] {
        for method in Method::ALL {
            let settings = PairSettings::<2> {
                margin,
                ..Default::default()
            };
            let error = BroadPhase::new(settings.with_method(method))
                .map(|_| ())
                .unwrap_err();
            assert!(error.to_string().starts_with("margin: found "), "{error}");
        }
    }
    for lengths in [[-1.0, 1.0], [NAN, 1.0], [INF, 1.0], [0.0, 0.0]] {
        assert!(Periodic::new(lengths).is_err(), "{lengths:?}");
    }
    assert!(Periodic::tilted([1.0, 0.0], &[0.5]).is_err());
    assert!(Periodic::tilted([1.0, 1.0], &[NAN]).is_err());
    assert!(Periodic::tilted([1.0, 1.0], &[0.5, 0.5]).is_err());
    assert!(Periodic::new([1.0, 1.0]).unwrap().at([INF, 0.0]).is_err());
    assert!("quick".parse::<Method>().is_err());
}

#[test]
fn items_too_large_or_too_far_for_their_cell_are_refused() {
    let periodic = Some(Periodic::new([4.0, 0.0]).unwrap());
    let settings = PairSettings {
        periodic,
        margin: 0.5,
        ..Default::default()
    };
    for (method, mut finder) in methods(settings) {
        let centers = [[0.5, 0.0], [3.5, 100.0]];
        let error = refusal(finder.as_mut(), (&centers[..], &[1.0, 0.6][..]).into());
        assert!(
            error.contains("periodic cell: found a width of 4"),
            "{error}"
        );
        assert!(error.contains("at least 4.2"), "{method}: {error}");
        let centers = [[0.5, 0.0], [5e6, 0.0]];
        let error = refusal(finder.as_mut(), (&centers[..], &[0.1, 0.1][..]).into());
        assert!(
            error.contains("centre 1: found [5000000.0, 0.0]"),
            "{error}"
        );
        // Far along the open axis is valid, and so is exactly half a cell.
        let centers = [[0.5, 1e50], [-1.5, 1e50]];
        finder
            .update((&centers[..], &[1.0, 0.5][..]).into())
            .unwrap();
        let mut contacts = Vec::new();
        finder.contacts(&mut contacts).unwrap();
        let found: Vec<_> = contacts.iter().map(|c| (c.pair, c.image, c.gap)).collect();
        assert_eq!(found, [([0, 1], [0, 0], 0.5)], "{method}");
    }
}

#[test]
fn nothing_has_no_pairs() {
    let none: (&[[f64; 3]], &[f64]) = (&[], &[]);
    let one = [[1.0, 2.0, 3.0]];
    let periodic = Some(Periodic::new([1.0; 3]).unwrap());
    for periodic in [None, periodic] {
        let settings = PairSettings {
            periodic,
            ..Default::default()
        };
        for (method, mut finder) in methods(settings) {
            let mut out = vec![[3, 4]];
            let mut contacts = vec![PairContact {
                pair: [0, 1],
                image: [0; 3],
                gap: 0.0,
                normal: [0.0; 3],
            }];
            // Before any update, and after one of nothing.
            for _ in 0..2 {
                out.push([3, 4]);
                finder.pairs(&mut out).unwrap();
                assert!(out.is_empty(), "{method}");
                finder.contacts(&mut contacts).unwrap();
                assert!(contacts.is_empty(), "{method}");
                out.push([3, 4]);
                finder
                    .query((&one[..], &[0.1][..]).into(), &mut out)
                    .unwrap();
                assert!(out.is_empty(), "{method}");
                // An empty set has no kind.
                let (lower, upper) = (&one[..], &one[..]);
                finder
                    .query(Items::Boxes { lower, upper }, &mut out)
                    .unwrap();
                assert!(!finder.reason().is_empty());
                finder.update(none.into()).unwrap();
            }
            finder.update((&one[..], &[0.1][..]).into()).unwrap();
            finder.query(none.into(), &mut out).unwrap();
            assert!(out.is_empty(), "{method}");
            finder
                .query((&one[..], &[0.0][..]).into(), &mut out)
                .unwrap();
            assert_eq!(out, [[0, 0]], "{method}");
        }
    }
    assert_eq!(neighbors(0, &[]), (vec![0], vec![]));
    assert_eq!(neighbors(2, &[]), (vec![0; 3], vec![]));
}

#[test]
fn spheres_against_boxes_are_refused() {
    let centers = &[[0.0, 0.0]][..];
    for (method, mut finder) in methods(PairSettings::default()) {
        finder.update((centers, &[1.0][..]).into()).unwrap();
        let (lower, upper) = (centers, centers);
        let mut out = vec![[1, 1]];
        let query = finder.query(Items::Boxes { lower, upper }, &mut out);
        let error = query.unwrap_err().to_string();
        assert!(error.contains("spheres with spheres"), "{method}: {error}");
        assert!(out.is_empty());
    }
}

#[test]
fn limits_say_how_many_pairs_there_are() {
    let centers = vec![[0.0, 0.0, 1e9]; 100];
    let radii = vec![0.0; 100];
    let message = |error: tangere::Error| error.to_string();
    for (most, fits) in [(4949, false), (4950, true)] {
        let settings = PairSettings {
            most,
            ..Default::default()
        };
        let expected = match fits {
            true => Ok(()),
            false => Err(format!(
                "pairs: found at least {}, expected at most {most}",
                most + 1
            )),
        };
        for (method, mut finder) in methods(settings) {
            let (mut out, mut contacts) = (Vec::new(), Vec::new());
            finder.update((&centers[..], &radii[..]).into()).unwrap();
            let pairs = finder.pairs(&mut out).map_err(message);
            assert_eq!(pairs, expected, "{method}");
            assert_eq!(out.len(), if fits { 4950 } else { 0 }, "{method}");
            let found = finder.contacts(&mut contacts).map_err(message);
            assert_eq!(found, expected, "{method}");
            assert_eq!(contacts.len(), out.len(), "{method}");
            // The limit applies to the answer, not to the items.
            let few = finder.query((&centers[..49], &radii[..49]).into(), &mut out);
            few.unwrap();
            assert_eq!(out.len(), 4900, "{method}");
            let many = finder.query((&centers[..50], &radii[..50]).into(), &mut out);
            let expected = format!(
                "pairs: found at least {}, expected at most {most}",
                most + 1
            );
            assert_eq!(many.map_err(message), Err(expected), "{method}");
            assert!(out.is_empty(), "{method}");
        }
    }
}

/// Identical spheres form every pair, in order.
fn identical(count: u32) {
    let centers = vec![[0.1, 1e9, -3.0]; count as usize];
    for radius in [0.0, 0.5] {
        let radii = vec![radius; count as usize];
        let mut out = Vec::new();
        for (method, mut finder) in methods(PairSettings::default()) {
            finder
                .update((&centers[..], &radii[..]).into())
                .expect("valid items");
            finder.pairs(&mut out).expect("no limit");
            let expected = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
            assert!(
                out.iter().copied().eq(expected),
                "{method}: {} pairs",
                out.len()
            );
        }
    }
}

#[test]
fn identical_spheres_make_all_pairs() {
    identical(1000);
}

#[test]
#[ignore = "50 million pairs, some GB of memory"]
fn ten_thousand_identical_spheres_make_all_pairs() {
    identical(10_000);
}

#[test]
fn margins_may_be_huge_and_radii_nothing() {
    let centers = [[-1e30, 0.0], [1e30, 1.0], [0.0, 0.0], [0.0, 0.0]];
    for (margin, expected) in [(1e60, 6), (1.5e30, 5), (0.0, 1)] {
        let settings = PairSettings {
            margin,
            ..Default::default()
        };
        for (method, mut finder) in methods(settings) {
            let mut out = Vec::new();
            finder.update((&centers[..], &[0.0; 4][..]).into()).unwrap();
            finder.pairs(&mut out).unwrap();
            assert_eq!(out.len(), expected, "{method}, margin {margin}");
            let (lower, upper) = (&centers[..], &centers[..]);
            finder.update(Items::Boxes { lower, upper }).unwrap();
            finder.pairs(&mut out).unwrap();
            assert_eq!(out.len(), expected, "{method}, margin {margin}, boxes");
        }
    }
}

#[test]
fn types_of_one_method_refuse_another_and_a_skin() {
    let settings = PairSettings::<3>::default();
    assert!(Cells::new(settings.with_method(Method::Cells)).is_ok());
    let refused = |settings| Cells::new(settings).expect_err("refused").to_string();
    let expected = "method: found grid, expected cells or auto for this type; BroadPhase has every \
                    method";
    assert_eq!(refused(settings.with_method(Method::Grid)), expected);
    let expected = "skin: found 0.5, expected none for this type; BroadPhase and Candidates keep a \
                    Verlet list";
    assert_eq!(refused(settings.with_skin(0.5)), expected);
    assert!(Auto::new(settings.with_method(Method::Brute)).is_err());
}
