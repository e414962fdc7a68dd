//! Summary of nearest points of a surface: the surface, ranges of distances and gaps, and the
//! number of points with a negative gap. Such points are inside a closed surface, or behind the
//! faces: on the side away from their normals.

use super::points::Answers;
use serde_json::{Map, Value, json};
use tangere::closest::{Projection, ProjectionStatus, SurfacePoint};
use tangere::parallel::Rows;
use tangere::shape::TriMesh;
use tangere_front::answer::Summary;
use tangere_front::inputs::surface::Surface;
use tangere_front::text;

/// Returns the summary of the answers. `points` is the number of query points, `is_closed` is
/// whether the surface is closed. `within` is the distance of a search for all faces near each
/// point; `None` if nearest points were searched.
pub fn of(
    surface: &Surface,
    is_closed: bool,
    points: usize,
    answers: &Answers,
    within: Option<f64>,
) -> Summary {
    let mut summary = Summary::default();
    of_surface(surface, is_closed, &mut summary);
    summary.count("points", points);
    match answers {
        Answers::Within(rows) => of_pairs(rows, within, &mut summary),
        Answers::Triangles(found) => {
            let row = |p: &SurfacePoint| [p.distance, p.gap];
            of_gaps(surface, is_closed, found.iter().map(row), &mut summary);
        }
        Answers::Faces(found) => {
            let row = |p: &Projection| [p.distance, p.gap];
            of_gaps(surface, is_closed, found.iter().map(row), &mut summary);
            let statuses = found.iter().map(|p| p.status);
            let iterations = found.iter().map(|p| f64::from(p.iterations));
            let all = &ProjectionStatus::ALL;
            summary
                .tally("status", all, ProjectionStatus::name, statuses)
                .span("iterations", iterations, true);
        }
    }
    summary
}

/// Adds the surface to the summary.
fn of_surface(surface: &Surface, is_closed: bool, summary: &mut Summary) {
    let kinds = surface.kinds().into_iter();
    let (kinds, words): (Map<String, Value>, Vec<String>) = kinds
        .map(|(kind, n)| {
            let words = format!("{} {kind}", text::count(n as u64));
            ((kind.name().to_owned(), json!(n)), words)
        })
        .unzip();
    let method = match surface {
        Surface::Triangles(_) => "triangles",
        Surface::Faces(_) => "faces",
    };
    summary
        .both("faces", surface.len(), "faces", words.join(", "))
        .member("kinds", Value::Object(kinds))
        .flag("closed", is_closed)
        .member("sign", sign(surface, is_closed))
        .member("method", method);
}

/// Adds three counts to the summary: the pairs of a point and a face within the distance `within`
/// of each other, the points with at least one such face, and the maximum number of such faces of a
/// point.
fn of_pairs(rows: &Rows<u32>, within: Option<f64>, summary: &mut Summary) {
    let lengths = (0..rows.len()).map(|i| rows.row(i).len());
    let near = lengths.clone().filter(|&n| n > 0).count();
    summary
        .member("within", within)
        .count("pairs", rows.values().len())
        .labelled_count("near", "points near", near)
        .labelled_count("most", "most faces", lengths.max().unwrap_or(0));
}

/// Adds to the summary the ranges of distances and gaps, and the number of points with a negative
/// gap. If the surface is closed, these are the points inside, otherwise those behind the faces.
fn of_gaps(
    surface: &Surface,
    is_closed: bool,
    rows: impl Iterator<Item = [f64; 2]> + Clone,
    summary: &mut Summary,
) {
    let distances = rows.clone().map(|[distance, _]| distance);
    let gaps = rows.map(|[_, gap]| gap);
    summary.span("distance", distances, true).span(
        "gap",
        gaps.clone().filter(|gap| !gap.is_nan()),
        true,
    );
    let (behind, inside) = match sign(surface, is_closed) {
        None => {
            if let Surface::Triangles(mesh) = surface {
                summary.line("gap", format!("no sign: {}", unsigned(mesh)));
            }
            (None, None)
        }
        Some(_) => {
            let behind = gaps.filter(|gap| *gap < 0.0).count();
            let side = if is_closed { "inside" } else { "behind" };
            summary.line(side, text::count(behind as u64));
            // The sign of an open surface does not mean inside.
            (Some(behind), is_closed.then_some(behind))
        }
    };
    summary.member("inside", inside).member("behind", behind);
}

/// Returns what the sign of a gap distinguishes: the inside of a closed surface from its outside
/// (`"inside"`), or the two sides of a face, positive where its normal points (`"normal"`). `None`
/// if gaps have no sign.
fn sign(surface: &Surface, is_closed: bool) -> Option<&'static str> {
    match surface {
        _ if is_closed => Some("inside"),
        Surface::Triangles(_) => None,
        Surface::Faces(_) => Some("normal"),
    }
}

/// Returns the reason why the gaps of points from this mesh have no sign.
fn unsigned(mesh: &TriMesh) -> &'static str {
    match mesh.closure().closed {
        false => "the surface is open",
        true => "its triangles are not consistently oriented",
    }
}
