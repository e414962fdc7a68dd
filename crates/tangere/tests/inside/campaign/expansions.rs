//! Multipole expansions against the double layer potential summed triangle by triangle: no error
//! exceeds its stated bound, for any degree, depth and separation.

use super::Size;
use super::bodies::{close_points, random_points};
use super::tally::Row;
use tangere::generate;
use tangere::inside::{
    InsideSettings, InsideTest, Layer, Multipole, MultipoleSettings, MultipoleTrees,
};
use tangere::shape::TriMesh;
use test_support::Random;

fn bodies(size: Size) -> Vec<(&'static str, TriMesh)> {
    let sphere = generate::sphere(size.of(2, 4)).expect("a sphere");
    let knot = generate::knot(size.of(400, 3000)).expect("a knot");
    let sponge = generate::sponge(size.of(1, 2)).expect("a sponge");
    let foam = generate::foam(size.of(600, 3000), 1).expect("a foam");
    let mut random = Random::new(9);
    let (vertices, faces) = foam.clone().into_parts();
    let left = faces.into_iter().filter(|_| random.unit() > 0.1);
    let left: Vec<[u32; 3]> = left
        .map(|[a, b, c]| if a % 20 == 0 { [a, c, b] } else { [a, b, c] })
        .collect();
    let broken = TriMesh::new(vertices, left).expect("some faces are left");
    vec![
        ("sphere", sphere),
        ("knot", knot),
        ("sponge", sponge),
        ("foam", foam),
        ("broken foam", broken),
    ]
}

/// All trees with their degrees and separations, and the required accuracy.
fn choices(size: Size, points: usize) -> Vec<(MultipoleSettings, f64)> {
    let degrees = size.of(&[1, 4, 9][..], &[1, 2, 3, 4, 6, 8, 11, 15, 20, 25, 30]);
    let separations = size.of(&[1.1, 2.0][..], &[1.05, 1.5, 2.0, 4.0]);
    let depths = size.of(0..=2, 0..=4);
    let mut trees: Vec<MultipoleTrees> = depths.map(MultipoleTrees::Depth).collect();
    trees.extend([
        MultipoleTrees::PreChosen,
        MultipoleTrees::WellChosen { points },
    ]);
    let mut choices = Vec::new();
    for &degree in degrees {
        // Translations of high degrees between many clusters take hours and add no coverage.
        let is_bearable = |trees: &&MultipoleTrees| match trees {
            MultipoleTrees::Depth(depth) => degree < 12 || *depth <= 2,
            _ => degree < 21,
        };
        for &separation in separations {
            choices.extend(trees.iter().filter(is_bearable).map(|&trees| {
                let settings = MultipoleSettings {
                    trees,
                    degree: Some(degree),
                    separation,
                    ..MultipoleSettings::default()
                };
                (settings, 1e-6)
            }));
        }
        let adaptive = MultipoleSettings {
            degree: Some(degree),
            ..MultipoleSettings::default()
        };
        choices.push((adaptive, 1e-3));
    }
    let accuracies = [0.9, 0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12];
    choices.extend(accuracies.map(|accuracy| (MultipoleSettings::default(), accuracy)));
    choices
}

pub fn multipoles(size: Size) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, mesh) in bodies(size) {
        let mut points = random_points(&mesh, size.of(60, 400), 3);
        points.extend(close_points(&mesh, size.of(60, 300), [1, 15]));
        let mut layer = Layer::new(InsideSettings::default()).expect("sound settings");
        let mut expected = Vec::new();
        layer.update(&mesh).expect("any surface");
        layer.winding(&points, &mut expected).expect("valid points");
        let mut row = Row {
            what: name.into(),
            triangles: mesh.faces().len(),
            points: points.len(),
            ..Row::default()
        };
        let (mut runs, mut worst) = (0, 0.0f64);
        for (choice, accuracy) in choices(size, points.len()) {
            let settings = InsideSettings {
                accuracy,
                ..InsideSettings::default()
            };
            let mut test = Multipole::with(settings, choice).expect("sound settings");
            let mut found = Vec::new();
            test.update(&mesh).expect("any surface");
            test.winding(&points, &mut found).expect("valid points");
            runs += 1;
            row.answers += found.len();
            let bound = test.bound() + layer.bound();
            for (found, expected) in found.iter().zip(&expected) {
                let error = (found - expected).abs();
                worst = worst.max(error / bound);
                // NaN errors are wrong, too.
                if error.is_nan() || error > bound {
                    row.wrong += 1;
                    if row.faults.len() < 5 {
                        row.faults
                            .push(format!("{error:e} above {bound:e}, {choice:?}"));
                    }
                }
            }
            // Close to boundary edges only the rounding of coordinates matters.
            let adapts = choice.trees == MultipoleTrees::Adaptive && choice.degree.is_none();
            let expected = accuracy + 2.0 * layer.bound() + 2e-7;
            if adapts && test.bound() > expected {
                let bound = test.bound();
                row.faults
                    .push(format!("bound {bound:e} above {expected:e}"));
            }
        }
        row.remark = format!("{runs} settings, largest error {worst:.2} of its bound");
        rows.push(row.printed());
    }
    rows
}
