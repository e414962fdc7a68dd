//! What is told about answers.

use super::Answers;
use super::input::Given;
use crate::info::extend;
use crate::question::{Sample, Times};
use serde_json::{Map, Value, json};
use tangere::closest::{Projection, ProjectionStatus};
use tangere::parallel::Rows;
use tangere::shape::FaceKind;
use tangere_front::text;

/// An answer in numbers.
pub struct Told<'a> {
    pub given: &'a Given,
    pub points: usize,
    pub answers: &'a Answers,
    pub is_closed: bool,
    pub within: Option<f64>,
    pub times: Times,
    /// The points that were compared.
    pub verified: Option<Sample>,
}

/// Least, most and mean of some numbers.
struct Span {
    least: f64,
    most: f64,
    mean: f64,
}

impl Span {
    /// None of no numbers.
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let count = numbers.clone().count();
        (count > 0).then(|| Span {
            least: numbers.clone().fold(f64::INFINITY, f64::min),
            most: numbers.clone().fold(f64::NEG_INFINITY, f64::max),
            mean: numbers.sum::<f64>() / count as f64,
        })
    }

    fn json(span: &Option<Self>) -> Value {
        match span {
            Some(s) => json!({ "least": s.least, "most": s.most, "mean": s.mean }),
            None => Value::Null,
        }
    }

    fn text(&self) -> String {
        let [least, most, mean] = [self.least, self.most, self.mean].map(text::number);
        format!("{least} to {most}, {mean} on average")
    }
}

impl Told<'_> {
    /// How many faces there are of each kind.
    fn kinds(&self) -> Vec<(FaceKind, usize)> {
        match self.given {
            Given::Triangles(mesh) => vec![(FaceKind::Tri3, mesh.faces().len())],
            Given::Faces(mesh) => {
                let count = |kind| mesh.kinds().iter().filter(|&&k| k == kind).count();
                let all = FaceKind::ALL.map(|kind| (kind, count(kind)));
                all.into_iter().filter(|(_, count)| *count > 0).collect()
            }
        }
    }

    fn method(&self) -> &'static str {
        match self.given {
            Given::Triangles(_) => "triangles",
            Given::Faces(_) => "faces",
        }
    }

    /// Distances, gaps where they have a sign.
    fn spans(&self) -> [Option<Span>; 2] {
        let has_sign = |gap: &f64| !gap.is_nan();
        match self.answers {
            Answers::Triangles(found) => [
                Span::of(found.iter().map(|p| p.distance)),
                Span::of(found.iter().map(|p| p.gap).filter(has_sign)),
            ],
            Answers::Faces(found) => [
                Span::of(found.iter().map(|p| p.distance)),
                Span::of(found.iter().map(|p| p.gap).filter(has_sign)),
            ],
            Answers::Within(_) => [None, None],
        }
    }

    /// Points behind the surface, if it has sides.
    fn behind(&self) -> Option<usize> {
        match self.answers {
            Answers::Triangles(_) if !self.is_closed => None,
            Answers::Triangles(found) => Some(found.iter().filter(|p| p.gap < 0.0).count()),
            Answers::Faces(found) => Some(found.iter().filter(|p| p.gap < 0.0).count()),
            Answers::Within(_) => None,
        }
    }

    /// What the sign of a gap tells, if it has one: the side of a closed surface, or that of the
    /// normal.
    fn sign(&self) -> Option<&'static str> {
        match self.given {
            _ if self.is_inside_told() => Some("inside"),
            Given::Triangles(_) if !self.is_closed => None,
            _ => Some("normal"),
        }
    }

    /// Whether a negative gap is one inside: the surface is closed and, as a whole, not turned inward.
    fn is_inside_told(&self) -> bool {
        self.is_closed && !self.is_turned_inward()
    }

    fn is_turned_inward(&self) -> bool {
        let Given::Triangles(mesh) = self.given else {
            return false;
        };
        // Six times the signed volume, about a vertex.
        let o = mesh.vertices()[mesh.faces()[0][0] as usize];
        let volume: f64 = (0..mesh.faces().len())
            .map(|face| {
                let [a, b, c] = (mesh.triangle(face)).map(|p| [0, 1, 2].map(|k| p[k] - o[k]));
                a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])
            })
            .sum();
        self.is_closed && volume < 0.0
    }

    /// Why gaps have no sign, if they have none.
    fn unsigned(&self) -> Option<String> {
        let (Given::Triangles(mesh), Answers::Triangles(_), None) =
            (self.given, self.answers, self.sign())
        else {
            return None;
        };
        let report = mesh.report();
        let reason = if !report.closed {
            "the surface is open".into()
        } else if !report.oriented {
            "its triangles are not turned alike".into()
        } else {
            let flat = report.degenerate_triangles;
            format!(
                "{} without area",
                text::counted(flat, "triangle is", "triangles are")
            )
        };
        Some(format!("no sign: {reason}"))
    }

    pub fn json(&self) -> Value {
        let kinds = self.kinds().into_iter();
        let kinds: Map<String, Value> = kinds
            .map(|(kind, count)| (kind.name().to_owned(), json!(count)))
            .collect();
        let mut object = json!({
            "points": self.points,
            "faces": self.given.len(),
            "kinds": kinds,
            "closed": self.is_closed,
            "sign": self.sign(),
            "method": self.method(),
        });
        if let Answers::Within(rows) = self.answers {
            let near = Near::of(rows);
            let told = json!({
                "within": self.within,
                "pairs": near.pairs,
                "near": near.points,
                "most": near.most,
            });
            extend(&mut object, told);
        } else {
            let [distance, gap] = self.spans();
            let told = json!({
                "distance": Span::json(&distance),
                "gap": Span::json(&gap),
                // Of an open surface a sign is no side.
                "inside": self.behind().filter(|_| self.is_inside_told()),
                "behind": self.behind(),
            });
            extend(&mut object, told);
        }
        if let Answers::Faces(found) = self.answers {
            let statuses: Map<String, Value> = (ProjectionStatus::ALL.iter())
                .map(|&status| (status.name().to_owned(), json!(of(found, status))))
                .collect();
            let iterations = Span::of(found.iter().map(|p| f64::from(p.iterations)));
            let told = json!({ "status": statuses, "iterations": Span::json(&iterations) });
            extend(&mut object, told);
        }
        extend(&mut object, json!({ "seconds": self.times.json() }));
        if let Some(sample) = self.verified {
            let told = json!({ "verified": true, "verified_points": sample.len() });
            extend(&mut object, told);
        }
        object
    }

    pub fn text(&self) -> String {
        let count = |n: usize| text::count(n as u64);
        let kinds = self.kinds().into_iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, n)| format!("{} {kind}", count(n)))
            .collect();
        let yes = if self.is_closed { "yes" } else { "no" };
        let mut rows = vec![
            ("faces", kinds.join(", ")),
            ("closed", yes.into()),
            ("points", count(self.points)),
        ];
        if let Answers::Within(found) = self.answers {
            let near = Near::of(found);
            rows.push(("pairs", count(near.pairs)));
            rows.push(("points near", count(near.points)));
            rows.push(("most faces", count(near.most)));
        }
        let [distance, gap] = self.spans();
        rows.extend(distance.map(|span| ("distance", span.text())));
        rows.extend(gap.map(|span| ("gap", span.text())));
        rows.extend(self.unsigned().map(|reason| ("gap", reason)));
        if self.is_turned_inward() {
            let reason = "the sign is that of the normals: the surface is turned inward";
            rows.push(("gap", reason.into()));
        }
        let side = match self.is_inside_told() {
            true => "inside",
            false => "behind",
        };
        rows.extend(self.behind().map(|n| (side, count(n))));
        if let Answers::Faces(found) = self.answers {
            for status in ProjectionStatus::ALL {
                let n = of(found, status);
                if n > 0 {
                    rows.push((status.name(), count(n)));
                }
            }
            let iterations = Span::of(found.iter().map(|p| f64::from(p.iterations)));
            rows.extend(iterations.map(|span| ("iterations", span.text())));
        }
        rows.extend(self.times.rows());
        if let Some(sample) = self.verified {
            let points = sample.text("point", "points");
            rows.push(("verified", format!("{points} against every face")));
        }
        text::two_columns(&rows)
    }
}

fn of(found: &[Projection], status: ProjectionStatus) -> usize {
    found.iter().filter(|p| p.status == status).count()
}

/// Faces within a distance, in numbers.
struct Near {
    pairs: usize,
    /// Points that have any.
    points: usize,
    /// Of one point.
    most: usize,
}

impl Near {
    fn of(rows: &Rows<u32>) -> Self {
        let lengths = (0..rows.len()).map(|i| rows.row(i).len());
        Near {
            pairs: rows.values().len(),
            points: lengths.clone().filter(|&n| n > 0).count(),
            most: lengths.max().unwrap_or(0),
        }
    }
}
