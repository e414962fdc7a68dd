//! Summary of point containment: the surface; the numbers of points inside, on the surface and
//! outside; method, confidence and error bound.

use super::Inside;
use super::answers::Answers;
use crate::console::Console;
use tangere::inside::{InsideTest, Side};
use tangere::shape::TriMesh;
use tangere_front::answer::Summary;
use tangere_front::report::report_json;
use tangere_front::text;

/// Returns the summary of point containment for all query points.
pub fn of(
    options: &Inside,
    mesh: &TriMesh,
    test: &dyn InsideTest,
    answers: &Answers,
    console: &Console,
) -> Summary {
    let count = |side: Side| answers.sides.iter().filter(|&&s| s == side).count();
    let mut summary = Summary::default();
    if options.common.json {
        let (report, _) = console.timed("checking all triangles", || mesh.report());
        summary.member("mesh", report_json(&report));
    } else {
        let closure = mesh.closure();
        let triangles = mesh.faces().len() as u64;
        summary
            .line("triangles", text::count(triangles))
            .line("closed", text::yes(closure.closed))
            .line("oriented", text::yes(closure.oriented));
    }
    summary
        .count("points", answers.sides.len())
        .count("inside", count(Side::Inside))
        .labelled_count("surface", "on the surface", count(Side::OnSurface))
        .count("outside", count(Side::Outside))
        .method(test.method(), &test.reason())
        .word("rule", options.rule.name())
        .number("confidence", answers.confidence)
        .member("bound", answers.bound);
    if options.winding {
        summary.line("bound", text::number(answers.bound));
    }
    summary
}
