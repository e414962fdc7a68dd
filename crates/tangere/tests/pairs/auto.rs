//! The automatic choice of the broad phase: it picks the method with the least predicted cost, and
//! reports the numbers of items and images.

use tangere::pairs::{BroadPhase, Items, Method, PairSettings, Periodic};
use tangere::pairs::{Dimension, PairFinder, Space};

/// Evenly spread numbers, the same in every run.
fn evenly(i: usize, k: usize) -> f64 {
    ((i + 1) as f64 * [0.754_877_67, 0.569_840_29, 0.430_159_71][k]).fract()
}

/// Returns the chosen method and the reason, and checks that its predicted cost is the least and
/// that it is none of those that are kept as published.
fn choice<const D: usize>(settings: PairSettings<D>, items: Items<'_, D>) -> (&'static str, String)
where
    Space: Dimension<D>,
{
    let mut auto = BroadPhase::new(settings).expect("valid settings");
    auto.update(items).expect("valid items");
    let (method, reason) = (auto.method(), auto.reason());
    let figures = reason
        .split_once("(ms: ")
        .map_or("", |(_, figures)| figures);
    let costs: Vec<(&str, f64)> = (figures.trim_end_matches(')').split(", "))
        .filter_map(|figure| figure.split_once(' '))
        .map(|(name, cost)| (name, cost.parse().expect("a number")))
        .collect();
    assert_eq!(costs.len(), 4, "{reason}");
    let published = Method::PUBLISHED.map(Method::name);
    assert!(!published.contains(&method), "{reason}");
    let own = costs.iter().find(|(name, _)| *name == method);
    let own = own.expect("a figure of its own").1;
    assert!(costs.iter().all(|&(_, cost)| own <= cost), "{reason}");
    (method, reason)
}

#[test]
fn the_cheapest_by_its_own_figures() {
    let spread: Vec<[f64; 3]> = (0..3000)
        .map(|i| std::array::from_fn(|k| evenly(i, k)))
        .collect();
    // A hundred clusters of thirty, far apart.
    let clusters: Vec<[f64; 3]> = (0..3000)
        .map(|i| std::array::from_fn(|k| 1e6 * evenly(i % 100, k) + evenly(i, k)))
        .collect();
    let same = vec![[0.5; 3]; 3000];
    let open = PairSettings::default();
    let small = vec![0.01; 3000];
    let sizes: Vec<f64> = (0..3000).map(|i| 0.1f64.powi(i % 4)).collect();
    for count in [1, 2, 10, 300, 3000] {
        for centers in [&spread, &clusters, &same] {
            for radii in [&small, &sizes] {
                for margin in [0.0, 0.3, 1e59] {
                    let settings = PairSettings { margin, ..open };
                    choice(settings, (&centers[..count], &radii[..count]).into());
                }
            }
        }
    }
    // All touch: cells find that many pairs fastest.
    let method = |centers: &[[f64; 3]]| choice(open, (centers, &small[..]).into()).0;
    assert_eq!(method(&same), "cells");
}

#[test]
fn items_and_images_are_counted_apart() {
    let (centers, radii) = ([[0.1, 0.0], [0.9, 0.0], [0.5, 0.5]], [0.1; 3]);
    let settings = PairSettings {
        periodic: Some(Periodic::new([1.0, 0.0]).unwrap()),
        ..PairSettings::default()
    };
    let (_, reason) = choice(settings, (&centers[..], &radii[..]).into());
    assert!(
        reason.contains("for 3 items and 1 image on one level"),
        "{reason}"
    );
    let (_, reason) = choice(
        PairSettings::default(),
        (&centers[..2], &[1.0, 1e60][..]).into(),
    );
    assert!(reason.contains("for 2 items on "), "{reason}");
    let mut auto = BroadPhase::new(settings).unwrap();
    auto.update((&centers[..0], &radii[..0]).into()).unwrap();
    assert_eq!(auto.reason(), "there are no items");
}
