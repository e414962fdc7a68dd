//! What is told about an answer.

use super::Inside;
use crate::info::extend;
use serde_json::{Value, json};
use tangere::shape::MeshReport;
use tangere_front::report::report_json;
use tangere_front::text;

/// An answer in numbers.
pub struct Told<'a> {
    pub name: &'a str,
    /// Points inside, on the surface and outside.
    pub counts: [usize; 3],
    pub method: &'static str,
    pub reason: String,
    pub bound: f64,
    pub confidence: f64,
    /// Of reading, set-up and query.
    pub seconds: [f64; 3],
    /// With what sides were compared.
    pub standard: Option<&'static str>,
}

impl Told<'_> {
    pub fn json(&self, options: &Inside, report: &MeshReport) -> Value {
        let [inside, surface, outside] = self.counts;
        let [read, setup, query] = self.seconds;
        let mut object = json!({
            "points": inside + surface + outside,
            "inside": inside,
            "surface": surface,
            "outside": outside,
            "method": self.method,
            "reason": self.reason,
            "rule": options.rule.name(),
            "bound": self.bound,
            "confidence": self.confidence,
            "mesh": report_json(report),
            "seconds": { "read": read, "setup": setup, "query": query },
        });
        if self.standard.is_some() {
            extend(&mut object, json!({ "verified": true }));
        }
        object
    }

    pub fn text(&self, options: &Inside, report: &MeshReport) -> String {
        let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let count = |n: usize| text::count(n as u64);
        let [inside, surface, outside] = self.counts;
        let mut rows = vec![
            ("triangles", count(report.triangles)),
            ("closed", yes(report.closed)),
            ("oriented", yes(report.oriented)),
            ("points", count(inside + surface + outside)),
            ("inside", count(inside)),
            ("on the surface", count(surface)),
            ("outside", count(outside)),
            ("method", format!("{}: {}", self.method, self.reason)),
            ("rule", options.rule.name().into()),
            ("confidence", text::number(self.confidence)),
        ];
        if options.winding {
            rows.push(("bound", text::number(self.bound)));
        }
        let times = ["read", "set-up", "query"].into_iter().zip(self.seconds);
        rows.extend(times.map(|(what, seconds)| (what, text::seconds(seconds))));
        if let Some(standard) = self.standard {
            rows.push(("verified", format!("equal to {standard}")));
        }
        format!("{}\n", self.name) + &text::two_columns(&rows)
    }
}
