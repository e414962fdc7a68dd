//! Surfaces without leaks: no answer of any method may be wrong.

use super::Size;
use super::bodies::{
    FAR, close_points, half_lattice, moved, pose, random_points, slivers, surface_points,
};
use super::tally::Row;
use crate::winding::Oracle;
use rayon::prelude::*;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::inside::{Grid, Inside, InsideRule, InsideSettings, InsideTest, Method, Side};
use tangere::shape::TriMesh;
use test_support::surfaces::inverted;

/// The most point-triangle tests of methods without set-up.
const LOOKS: usize = 20_000_000;

/// The most triangles tested with integers alone.
const BY_INTEGERS: usize = 200_000;

/// The methods, and whether each tests all triangles. For parity, only some that count crossings.
fn methods(rule: InsideRule) -> Vec<(&'static str, bool, Box<dyn InsideTest>)> {
    let settings = InsideSettings {
        rule,
        ..InsideSettings::default()
    };
    let some = match rule {
        InsideRule::Nonzero => &Method::ALL[..],
        InsideRule::Parity => &[Method::Auto, Method::Ray, Method::Cells][..],
    };
    let made = |&method: &Method| -> (&'static str, bool, Box<dyn InsideTest>) {
        let test = Inside::new(settings.with_method(method)).expect("sound settings");
        let is_plain = matches!(
            method,
            Method::Layer | Method::RayPlain | Method::PanelClustering
        );
        (method.name(), is_plain, Box::new(test))
    };
    some.iter().map(made).collect()
}

/// Runs all methods on points and grids, by both rules.
fn classified(
    what: String,
    mesh: &TriMesh,
    points: &[[f64; 3]],
    grids: &[Grid],
    size: Size,
) -> Row {
    let oracle = Oracle::new(mesh);
    let winding = |points: &[[f64; 3]]| -> Vec<Option<i64>> {
        points.par_iter().map(|&p| oracle.winding(p)).collect()
    };
    let mut row = Row {
        what,
        triangles: mesh.faces().len(),
        ..Row::default()
    };
    let mut parts = vec![(points.to_vec(), None)];
    parts.extend(grids.iter().map(|grid| (grid.points(), Some(grid))));
    let parts: Vec<_> = parts
        .into_iter()
        .map(|(points, grid)| (winding(&points), points, grid))
        .collect();
    for (windings, points, _) in &parts {
        row.points += points.len();
        row.on += windings.iter().filter(|w| w.is_none()).count();
        let sample = (BY_INTEGERS / row.triangles).clamp(3, size.of(100, 2000));
        let step = points.len().div_ceil(sample).max(1);
        let all: Vec<usize> = (0..points.len()).step_by(step).collect();
        let differs = |&&i: &&usize| oracle.winding_by_all(points[i]) != windings[i];
        let differ = all.par_iter().filter(differs).count();
        if differ > 0 {
            row.faults
                .push(format!("the oracle differs from itself {differ} times"));
        }
    }
    for rule in InsideRule::ALL {
        for (name, looks_at_all, mut test) in methods(rule) {
            if let Err(error) = test.update(mesh) {
                row.faults.push(format!("{name}: {error}"));
                continue;
            }
            let mut wrong = 0;
            for (windings, points, grid) in &parts {
                let most = match looks_at_all {
                    true => (size.of(LOOKS / 10, LOOKS) / row.triangles).max(50),
                    false => points.len(),
                };
                let step = points.len().div_ceil(most).max(1);
                let some: Vec<[f64; 3]> = points.iter().copied().step_by(step).collect();
                let expected: Vec<Option<i64>> = windings.iter().copied().step_by(step).collect();
                let side = |w: &Option<i64>| w.map_or(Side::OnSurface, |w| rule.side(w));
                let mut count = |sides: &[Side]| {
                    row.answers += sides.len();
                    wrong += expected
                        .iter()
                        .zip(sides)
                        .filter(|(w, s)| side(w) != **s)
                        .count();
                    wrong += expected.len().abs_diff(sides.len());
                };
                let mut sides = Vec::new();
                test.classify(&some, &mut sides).expect("valid points");
                count(&sides);
                if step == 1
                    && let Some(grid) = grid
                {
                    test.classify_grid(grid, &mut sides).expect("a grid");
                    count(&sides);
                }
                if test.confidence() < 1.0 {
                    row.faults.push(format!("{name} is not sure"));
                }
                if rule == InsideRule::Nonzero {
                    wrong += wrong_windings(test.as_mut(), &some, &expected, &mut row);
                }
            }
            if wrong > 0 {
                row.wrong += wrong;
                row.faults.push(format!("{name} {rule}: {wrong}"));
            }
        }
    }
    row.printed()
}

/// The number of winding numbers off the surface whose error exceeds their bound.
fn wrong_windings(
    test: &mut dyn InsideTest,
    points: &[[f64; 3]],
    expected: &[Option<i64>],
    row: &mut Row,
) -> usize {
    // Points on the surface test every triangle.
    let step = (points.len() * row.triangles / LOOKS).clamp(1, points.len().max(1));
    let points: Vec<[f64; 3]> = points.iter().copied().step_by(step).collect();
    let mut found = Vec::new();
    test.winding(&points, &mut found).expect("valid points");
    row.answers += found.len();
    let bound = test.bound();
    let is_within = |(w, found): (&Option<i64>, &f64)| match w {
        Some(w) => (found - *w as f64).abs() <= bound,
        None => found.is_finite(),
    };
    let pairs = expected.iter().step_by(step).zip(&found);
    pairs.filter(|pair| !is_within(*pair)).count()
}

fn grids(mesh: &TriMesh, edges: &[usize]) -> Vec<Grid> {
    let grid = |&n: &usize| Grid::around(&mesh.bounds(), n).expect("a grid");
    edges.iter().map(grid).collect()
}

pub fn spheres_and_foams(size: Size) -> Vec<Row> {
    let edges = size.of(&[10][..], &[10, 20, 40, 80]);
    let count = size.of(1000, 100_000);
    let mut bodies: Vec<(String, TriMesh)> = Vec::new();
    for level in 0..=size.of(4, 9) {
        bodies.push(("sphere".into(), generate::sphere(level).expect("a sphere")));
    }
    for &triangles in size.of(&[2000][..], &[28_952, 120_868, 494_124]) {
        let foam = generate::foam(triangles, 1).expect("a foam");
        bodies.push(("foam".into(), foam));
    }
    let mut rows = Vec::new();
    for (name, mesh) in &bodies {
        let points = random_points(mesh, count, 1);
        rows.push(classified(
            name.clone(),
            mesh,
            &points,
            &grids(mesh, edges),
            size,
        ));
    }
    let kept: Vec<_> = [size.of(3, 6), bodies.len() - size.of(1, 3)].into();
    for (name, mesh) in kept.into_iter().map(|i| &bodies[i]) {
        let far = moved(mesh, &pose(mesh, 3, FAR));
        for (how, mesh) in [("far", far.clone()), ("far, inverted", inverted(&far))] {
            let points = random_points(&mesh, count, 2);
            let grids = grids(&mesh, size.of(&[10], &[40]));
            rows.push(classified(
                format!("{name}, {how}"),
                &mesh,
                &points,
                &grids,
                size,
            ));
        }
    }
    rows
}

pub fn close_to_the_surface(size: Size) -> Vec<Row> {
    let sphere = |level| generate::sphere(level).expect("a sphere");
    let foam = |count| generate::foam(count, 2).expect("a foam");
    let knot = generate::knot(size.of(600, 20_000)).expect("a knot");
    let bodies = match size {
        Size::Small => vec![("sphere", sphere(3)), ("knot", knot), ("foam", foam(1000))],
        Size::Full => vec![
            ("octahedron", sphere(0)),
            ("sphere", sphere(4)),
            ("sphere", sphere(7)),
            ("knot", knot),
            ("foam", foam(28_952)),
            ("foam", foam(120_868)),
        ],
    };
    let mut rows = Vec::new();
    for (name, mesh) in bodies {
        let far = moved(&mesh, &pose(&mesh, 5, FAR));
        let cases = [
            (name.to_owned(), mesh.clone()),
            (
                format!("{name}, turned"),
                moved(&mesh, &pose(&mesh, 7, 0.0)),
            ),
            (format!("{name}, far"), far.clone()),
            (format!("{name}, far, inverted"), inverted(&far)),
        ];
        for (what, mesh) in cases {
            let points = close_points(&mesh, size.of(1500, 100_000), [4, 15]);
            rows.push(classified(what, &mesh, &points, &[], size));
        }
    }
    rows
}

pub fn turned_sponges(size: Size) -> Vec<Row> {
    let mut rows = Vec::new();
    for level in 1..=size.of(1, 3) {
        let sponge = generate::sponge(level).expect("a sponge");
        let mut poses = vec![("as made".to_owned(), Pose::identity(), false)];
        for seed in 1..=size.of(1, 3) {
            poses.push((format!("rotation {seed}"), pose(&sponge, seed, 0.0), false));
            let far = pose(&sponge, 100 + seed, FAR);
            poses.push((format!("rotation {seed}, far"), far, seed == 1));
        }
        for (what, pose, also_inverted) in poses {
            let mesh = moved(&sponge, &pose);
            let mut points = half_lattice(&sponge, level, &pose);
            points.extend(surface_points(&mesh, size.of(2000, 100_000)));
            let what = format!("sponge {level}, {what}");
            rows.push(classified(what.clone(), &mesh, &points, &[], size));
            if also_inverted {
                let inverted = inverted(&mesh);
                rows.push(classified(
                    format!("{what}, inverted"),
                    &inverted,
                    &points,
                    &[],
                    size,
                ));
            }
        }
    }
    rows
}

pub fn slivers_and_saddles(size: Size) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, mesh) in slivers(size == Size::Full) {
        let far = moved(&mesh, &pose(&mesh, 12, FAR));
        let cases = [
            (name.to_owned(), mesh.clone()),
            (
                format!("{name}, turned"),
                moved(&mesh, &pose(&mesh, 11, 0.0)),
            ),
            (format!("{name}, far"), far.clone()),
            (format!("{name}, far, inverted"), inverted(&far)),
        ];
        for (what, mesh) in cases {
            let mut points = close_points(&mesh, size.of(400, 30_000), [2, 18]);
            points.extend(surface_points(&mesh, size.of(400, 30_000)));
            points.extend(random_points(&mesh, size.of(200, 20_000), 4));
            let grids = grids(&mesh, size.of(&[5], &[20]));
            rows.push(classified(what, &mesh, &points, &grids, size));
        }
    }
    rows
}
