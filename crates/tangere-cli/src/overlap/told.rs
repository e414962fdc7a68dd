//! An answer as JSON and for people.

use super::Bodies;
use crate::info::extend;
use crate::question::Times;
use serde_json::{Value, json};
use tangere::overlap::Overlap;
use tangere::shape::Packing;
use tangere_front::text;

/// Where less of a body is filled, estimates are off by more than some percent of it.
const ROUGH: f64 = 0.6;

/// The members of one answer; names and order are a contract.
pub fn answer_json(answer: &Overlap, has_budget: bool) -> Value {
    let mut object = json!({
        "volume": answer.volume,
        "lower": answer.lower,
        "upper": answer.upper,
        "force": answer.force,
        "torque": answer.torque,
        "centroid": known(answer.centroid),
        "normal": known(answer.normal),
        "pairs": answer.pairs,
        "method": answer.method.name(),
    });
    if has_budget {
        extend(
            &mut object,
            json!({
                "complete": answer.complete,
                "spheres": answer.spheres,
                "work": answer.work,
            }),
        );
    }
    object
}

/// What there is not is null.
fn known(p: [f64; 3]) -> Option<[f64; 3]> {
    (!p.iter().any(|x| x.is_nan())).then_some(p)
}

/// One object.
pub fn object(answer: &Overlap, times: &Times, has_budget: bool, verified: bool) -> Value {
    let mut object = answer_json(answer, has_budget);
    extend(&mut object, json!({ "seconds": times.json() }));
    if verified {
        extend(&mut object, json!({ "verified": true }));
    }
    object
}

/// A table.
pub fn text(
    bodies: &Bodies,
    answer: &Overlap,
    times: &Times,
    has_budget: bool,
    verified: bool,
) -> String {
    let mut rows = vec![
        ("a", described(&bodies.a)),
        ("b", described(&bodies.b)),
        ("volume", text::number(answer.volume)),
        ("at least", text::number(answer.lower)),
        ("at most", text::number(answer.upper)),
        ("force on b", triple(answer.force)),
        ("torque on b", triple(answer.torque)),
        ("centroid", triple(answer.centroid)),
        ("normal", triple(answer.normal)),
        ("pairs", text::count(answer.pairs as u64)),
        ("method", answer.method.name().into()),
    ];
    if has_budget {
        let [a, b] = answer.spheres.map(|n| text::count(n as u64));
        let all = if answer.complete { ", all" } else { "" };
        rows.push(("looked at", format!("{a} and {b} spheres{all}")));
        rows.push(("work", text::count(answer.work)));
    }
    rows.extend(times.rows());
    if verified {
        rows.push(("verified", "as every pair of spheres tells".into()));
    }
    text::two_columns(&rows)
}

/// A body in a few words.
pub fn described(packing: &Packing) -> String {
    let spheres = text::counted(packing.len(), "sphere", "spheres");
    match packing.record()[..] {
        [] => spheres,
        _ => {
            let filling = packing.filling();
            let rough = match filling < ROUGH {
                true => ", a rough estimate: pack more",
                false => "",
            };
            format!("{spheres}, {:.1}% of the body{rough}", 100.0 * filling)
        }
    }
}

/// Three numbers, or that there is nothing.
fn triple(p: [f64; 3]) -> String {
    match p.iter().any(|x| x.is_nan()) {
        true => "none".into(),
        false => p.map(text::number).join(", "),
    }
}
