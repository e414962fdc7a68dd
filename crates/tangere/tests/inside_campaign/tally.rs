//! Counts, and a table of them.

use std::fmt::Write;

/// What came out for one surface.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub what: String,
    pub triangles: usize,
    pub points: usize,
    /// Points that are on the surface, by exact arithmetic.
    pub on: usize,
    /// Answers that were compared: of all methods, forms and rules.
    pub answers: usize,
    pub wrong: usize,
    /// How many may be wrong: 0, unless the surface is broken.
    pub allowed: usize,
    /// Anything else that must not be.
    pub faults: Vec<String>,
    pub remark: String,
}

impl Row {
    pub fn is_bad(&self) -> bool {
        self.wrong > self.allowed || !self.faults.is_empty()
    }
}

/// All rows, and their sum.
pub fn table<'a>(name: &str, rows: impl IntoIterator<Item = &'a Row>) -> String {
    let mut text = String::new();
    let mut line = |[what, counts @ ..]: [String; 6], remark: &str| {
        let counts = counts.map(|count| format!("{count:>11}")).concat();
        writeln!(text, "{what:<46}{counts}  {remark}").expect("a string takes all");
    };
    let head = [name, "triangles", "points", "on", "answers", "wrong"];
    line(head.map(String::from), "");
    let mut sums = [0; 4];
    for row in rows {
        let counts = [row.points, row.on, row.answers, row.wrong];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let [points, on, answers, wrong] = counts.map(|count| count.to_string());
        let wrong = match row.allowed {
            0 => wrong,
            allowed => format!("{wrong} of {allowed}"),
        };
        let triangles = row.triangles.to_string();
        let cells = [row.what.clone(), triangles, points, on, answers, wrong];
        line(cells, &format!("{} {}", row.remark, row.faults.join("; ")));
    }
    let [points, on, answers, wrong] = sums.map(|sum| sum.to_string());
    line(
        ["all".into(), String::new(), points, on, answers, wrong],
        "",
    );
    text
}
