//! Contacts as text and as JSON.

use super::ImpactOptions;
use super::input::Scene;
use crate::question::Times;
use serde_json::{Value, json};
use tangere::contact::Feature;
use tangere::impact::FirstContacts;
use tangere::impact::ImpactContact;
use tangere_front::text;

/// Contacts that are printed; files have all.
const PRINTED: usize = 20;

/// The middle of the points of both bodies.
pub fn point(contact: &ImpactContact) -> [f64; 3] {
    let (a, b) = (contact.point_a, contact.point_b);
    std::array::from_fn(|k| 0.5 * a[k] + 0.5 * b[k])
}

fn feature_json(feature: Feature) -> Value {
    json!({ "kind": feature.kind.name(), "index": feature.index })
}

/// Infinity is not a number of JSON.
fn finite(x: f64) -> Option<f64> {
    Some(x).filter(|x| x.is_finite())
}

fn event(scene: &Scene, contact: &ImpactContact) -> Value {
    json!({
        "time": contact.early,
        "early": contact.early,
        "late": finite(contact.late),
        "certificate": contact.certificate.name(),
        "a": contact.a,
        "b": contact.b,
        "name_a": scene.names[contact.a as usize],
        "name_b": scene.names[contact.b as usize],
        "feature_a": feature_json(contact.feature_a),
        "feature_b": feature_json(contact.feature_b),
        "face_a": contact.face_a,
        "face_b": contact.face_b,
        "xi_a": contact.xi_a,
        "xi_b": contact.xi_b,
        "point": point(contact),
        "point_a": contact.point_a,
        "point_b": contact.point_b,
        "normal": contact.normal,
        "gap": contact.gap,
    })
}

/// All that was found.
pub fn object(scene: &Scene, found: &FirstContacts, times: &Times) -> Value {
    let events: Vec<Value> = found.contacts.iter().map(|c| event(scene, c)).collect();
    let counts = found.counts;
    json!({
        "events": events,
        "wakeups": found.wakeups,
        "counts": {
            "trajectory": counts.trajectory,
            "update": counts.update,
            "volume": counts.volume,
            "primitive": counts.primitive,
        },
        "bodies": scene.names,
        "until": scene.until,
        "searched": found.searched,
        "complete": found.is_complete,
        "seconds": times.json(),
    })
}

pub fn text(
    options: &ImpactOptions,
    scene: &Scene,
    found: &FirstContacts,
    times: &Times,
) -> String {
    let counts = found.counts;
    let mut rows = vec![
        ("bodies", text::count(scene.names.len() as u64)),
        ("contacts", text::count(found.contacts.len() as u64)),
        ("wake-ups", text::count(found.wakeups.len() as u64)),
        ("predicted meetings", text::count(counts.trajectory)),
        ("bodies moved", text::count(counts.update)),
        ("pairs of volumes", text::count(counts.volume)),
        ("pairs of faces", text::count(counts.primitive)),
    ];
    if !found.is_complete {
        let given_up = format!("at {}, before the end", text::number(found.searched));
        rows.push(("given up", given_up));
    }
    rows.extend(times.rows());
    let mut text = format!("{}\n", options.scene.display());
    text += &text::two_columns(&rows);
    if found.contacts.is_empty() {
        text += &format!(
            "\nNothing touches until {}.\n",
            text::number(found.searched)
        );
    }
    for contact in found.contacts.iter().take(PRINTED) {
        // A ball has no features but itself.
        let named = |i: u32, feature: Feature| {
            let name = &scene.names[i as usize];
            let body = scene.engine.body(i as usize);
            match body.is_ok_and(|body| body.shape().radius() > 0.0) {
                true => name.clone(),
                false => format!("{name}, {feature}"),
            }
        };
        let place = point(contact).map(text::number).join(", ");
        text += &format!(
            "\n{:.15} ({}): {} and {}, at {place}",
            contact.early,
            contact.certificate.name(),
            named(contact.a, contact.feature_a),
            named(contact.b, contact.feature_b),
        );
    }
    if found.contacts.len() > PRINTED {
        let rest = (found.contacts.len() - PRINTED) as u64;
        text += &format!("\nand {} more", text::count(rest));
    }
    text + "\n"
}
