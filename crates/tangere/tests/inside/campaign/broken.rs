//! Surfaces with defects: each method has no more wrong answers than the generalised winding number
//! summed in floats, and little confidence in them.

use super::Size;
use super::bodies::{close_points, moved, size_of};
use super::tally::Row;
use crate::winding::Oracle;
use rayon::prelude::*;
use std::f64::consts::PI;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::inside::{Grid, Inside, InsideSettings, InsideTest, Method, Side};
use tangere::shape::TriMesh;
use test_support::Random;
use test_support::surfaces::together;

/// The largest confidence of a wrong answer. Beneath a bump that was removed, a point is outside
/// for any method that does not know the bump: from there the boundary of the hole looks small, and
/// rays along the axes miss it.
const SURE: f64 = 0.6;

/// The sum of the solid angles of all triangles over 4 pi, each by one arctangent (van Oosterom and
/// Strackee), without further measures.
fn float_winding(mesh: &TriMesh, p: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let angle = |face: usize| {
        let [a, b, c] = mesh
            .triangle(face)
            .map(|v| [v[0] - p[0], v[1] - p[1], v[2] - p[2]]);
        let [x, y, z] = [a, b, c].map(|v| dot(v, v).sqrt());
        let across = [
            b[1] * c[2] - b[2] * c[1],
            b[2] * c[0] - b[0] * c[2],
            b[0] * c[1] - b[1] * c[0],
        ];
        let along = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * dot(a, across).atan2(along)
    };
    (0..mesh.faces().len()).map(angle).sum::<f64>() / (4.0 * PI)
}

/// A surface with some of its faces, unchanged or changed.
fn with_faces(mesh: &TriMesh, change: impl FnMut([u32; 3]) -> Option<[u32; 3]>) -> TriMesh {
    let faces = mesh.faces().iter().copied().filter_map(change).collect();
    TriMesh::new(mesh.vertices().to_vec(), faces).expect("some faces are left")
}

/// The defects: the name of each, the remaining surface, and the bodies whose union it was.
fn defects(body: &TriMesh) -> Vec<(&'static str, TriMesh, Vec<TriMesh>)> {
    let sound = || vec![body.clone()];
    let aside = Pose::from_translation([0.37 * size_of(body), 0.05, 0.02]).expect("finite");
    let aside = moved(body, &aside);
    let mut random = Random::new(77);
    let flipped = with_faces(body, |[a, b, c]| match random.unit() < 0.05 {
        true => Some([a, c, b]),
        false => Some([a, b, c]),
    });
    let pricked = with_faces(body, |face| (random.unit() >= 0.01).then_some(face));
    let worn = with_faces(body, |face| (random.unit() >= 0.05).then_some(face));
    let top = body.vertices().iter().copied();
    let top = top.fold([f64::MIN; 3], |top, v| if v[2] > top[2] { v } else { top });
    let reach = 0.12 * size_of(body);
    let holed = with_faces(body, |face| {
        let [x, y, z] = body.vertices()[face[0] as usize];
        let square = (x - top[0]).powi(2) + (y - top[1]).powi(2) + (z - top[2]).powi(2);
        (square > reach * reach).then_some(face)
    });
    vec![
        ("duplicated shell", together([body, body]), sound()),
        (
            "overlapping shells",
            together([body, &aside]),
            vec![body.clone(), aside.clone()],
        ),
        ("5% of the faces flipped", flipped, sound()),
        ("1% of the faces gone", pricked, sound()),
        ("5% of the faces gone", worn, sound()),
        ("a hole", holed, sound()),
    ]
}

pub fn broken_surfaces(size: Size) -> Vec<Row> {
    let sphere = generate::sphere(size.of(3, 5)).expect("a sphere");
    let knot = generate::knot(size.of(800, 8000)).expect("a knot");
    let mut bodies = vec![("sphere", sphere), ("knot", knot)];
    if size == Size::Full {
        bodies.push(("foam", generate::foam(7000, 1).expect("a foam")));
    }
    let mut rows = Vec::new();
    for (name, body) in bodies {
        for (defect, broken, parts) in defects(&body) {
            let edge = size.of(8, 24);
            let mut points = Grid::around(&broken.bounds(), edge)
                .expect("a grid")
                .points();
            points.extend(close_points(&body, size.of(300, 8000), [1, 4]));
            rows.push(row(format!("{name}, {defect}"), &broken, &parts, points));
        }
    }
    rows
}

fn row(what: String, broken: &TriMesh, parts: &[TriMesh], points: Vec<[f64; 3]>) -> Row {
    let oracles: Vec<Oracle> = parts.iter().map(Oracle::new).collect();
    // The points inside any of the parts; those on one are skipped.
    let truth = |p: &[f64; 3]| {
        let windings: Option<Vec<i64>> = oracles.iter().map(|part| part.winding(*p)).collect();
        windings.map(|windings| windings.iter().any(|&w| w != 0))
    };
    let known: Vec<([f64; 3], bool)> = points
        .par_iter()
        .filter_map(|p| Some((*p, truth(p)?)))
        .collect();
    let floats = known.par_iter();
    let floats = floats.filter(|(p, inside)| (float_winding(broken, *p).abs() > 0.5) != *inside);
    let mut row = Row {
        what,
        triangles: broken.faces().len(),
        points: known.len(),
        allowed: 0,
        ..Row::default()
    };
    let by_floats = floats.count();
    let points: Vec<[f64; 3]> = known.iter().map(|(p, _)| *p).collect();
    let (mut surest, mut surest_at): (f64, [f64; 3]) = (0.0, [0.0; 3]);
    let (mut unsure, mut counts) = (0, Vec::new());
    for method in [Method::Auto, Method::Layer, Method::Multipole] {
        let mut test =
            Inside::new(InsideSettings::default().with_method(method)).expect("sound settings");
        test.update(broken).expect("any surface");
        let (mut sides, mut sure) = (Vec::new(), Vec::new());
        test.classify(&points, &mut sides).expect("valid points");
        test.confidences(&points, &mut sure).expect("valid points");
        row.answers += sides.len();
        let mut wrong = 0;
        for ((p, inside), (side, sure)) in known.iter().zip(sides.iter().zip(&sure)) {
            if (*side == Side::Inside) != *inside || *side == Side::OnSurface {
                wrong += 1;
                if *sure > surest {
                    (surest, surest_at) = (*sure, *p);
                }
            }
            unsure += usize::from(*sure < SURE);
        }
        counts.push(wrong.to_string());
        row.wrong += wrong;
        if wrong > by_floats {
            row.faults.push(format!("{method}: {wrong}"));
        }
    }
    row.allowed = 3 * by_floats;
    if surest >= SURE {
        row.faults.push(format!(
            "wrong with confidence {surest:.2} at {surest_at:?}"
        ));
    }
    row.remark = format!(
        "floats {by_floats}, auto/layer/multipole {}; confidence where wrong <= {surest:.2}; below {SURE} at {:.1}%",
        counts.join("/"),
        100.0 * unsure as f64 / row.answers as f64,
    );
    row.printed()
}
