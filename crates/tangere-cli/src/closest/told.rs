//! The answer for two bodies, as JSON and for people.

use super::Bodies;
use crate::info::extend;
use crate::question::Times;
use serde_json::{Value, json};
use std::path::Path;
use tangere::closest::PatchPoint;
use tangere::contact::{Contact, ContactStatus, Feature};
use tangere::shape::ConvexPolyhedron;
use tangere_front::text;

/// What was found out.
pub struct Answer<'a> {
    pub contact: Contact,
    pub patch: &'a [PatchPoint],
    pub times: Times,
    pub verified: bool,
}

impl Answer<'_> {
    /// One object.
    pub fn json(&self) -> Value {
        let points: Vec<Value> = self.patch.iter().map(patch_json).collect();
        let mut object = contact_json(&self.contact);
        extend(
            &mut object,
            json!({ "patch": points, "seconds": self.times.json() }),
        );
        if self.verified {
            extend(&mut object, json!({ "verified": true }));
        }
        object
    }

    /// A table.
    pub fn text(&self, paths: [&Path; 2], bodies: &Bodies) -> String {
        let c = &self.contact;
        let depth = match c.gap < 0.0 {
            true => format!(" ({} deep)", text::number(0.0 - c.gap)),
            false => String::new(),
        };
        let patch = match self.patch.len() {
            0 | 1 => "a point".into(),
            2 => "a segment".into(),
            n => format!("a polygon of {n} corners"),
        };
        let mut rows = vec![
            ("a", described(&bodies.a)),
            ("b", described(&bodies.b)),
            ("status", c.status.name().into()),
            ("gap", text::number(c.gap) + &depth),
            (
                "error",
                format!("at most {:.1e}", (c.upper - c.lower).abs()),
            ),
            ("point of a", triple(c.point_a)),
            ("point of b", triple(c.point_b)),
            ("normal", triple(c.normal)),
            ("feature of a", c.feature_a.to_string()),
            ("feature of b", c.feature_b.to_string()),
            ("patch", patch),
            ("steps", text::count(c.steps)),
        ];
        rows.extend(self.times.rows());
        if self.verified {
            rows.push(("verified", proof(c).into()));
        }
        let [a, b] = paths.map(|path| path.display());
        format!("{a} and {b}\n") + &text::two_columns(&rows)
    }
}

/// What the checker has proven of an answer.
fn proof(contact: &Contact) -> &'static str {
    match contact.status {
        ContactStatus::Separated => {
            "planes between the bodies, their points and Voronoi regions prove the gap"
        }
        ContactStatus::Touching => "planes across the normal and the points prove the contact",
        ContactStatus::Penetrating => {
            "planes across the normal and a ball within the difference prove the depth"
        }
        ContactStatus::Bracketed => "both bounds are proven",
    }
}

/// A contact without its patch.
pub fn contact_json(contact: &Contact) -> Value {
    json!({
        "gap": contact.gap,
        "lower": contact.lower,
        "upper": contact.upper,
        "point_a": contact.point_a,
        "point_b": contact.point_b,
        "normal": contact.normal,
        "feature_a": feature_json(contact.feature_a),
        "feature_b": feature_json(contact.feature_b),
        "status": contact.status.name(),
        "steps": contact.steps,
    })
}

fn patch_json(point: &PatchPoint) -> Value {
    json!({
        "point_a": point.point_a,
        "point_b": point.point_b,
        "gap": point.gap,
        "feature_a": feature_json(point.feature_a),
        "feature_b": feature_json(point.feature_b),
    })
}

fn feature_json(feature: Feature) -> Value {
    json!({ "kind": feature.kind.name(), "index": feature.index })
}

/// A body in a few words.
pub fn described(body: &ConvexPolyhedron) -> String {
    let kind = match body.dimension() {
        0 => "a point",
        1 => "a segment",
        2 => "a flat polygon",
        _ => "a polyhedron",
    };
    format!(
        "{kind}: {}, {}, {}",
        text::counted(body.vertex_count(), "vertex", "vertices"),
        text::counted(body.edge_count(), "edge", "edges"),
        text::counted(body.face_count(), "face", "faces"),
    )
}

fn triple(p: [f64; 3]) -> String {
    p.map(text::number).join(", ")
}
