//! Tally of the campaign: counts of results, and a table of them.

/// The results for one surface.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub what: String,
    pub triangles: usize,
    pub points: usize,
    /// The number of points on the surface, by exact arithmetic.
    pub on: usize,
    /// The number of answers that were compared, over all methods, forms and rules.
    pub answers: usize,
    pub wrong: usize,
    /// The number of answers that may be wrong: 0, unless the surface is broken.
    pub allowed: usize,
    /// The number of other failures.
    pub faults: Vec<String>,
    pub remark: String,
}

impl Row {
    pub fn is_bad(&self) -> bool {
        self.wrong > self.allowed || !self.faults.is_empty()
    }

    /// Prints the row at once, as the full campaign takes minutes.
    pub fn printed(self) -> Self {
        println!("{}", self.line());
        self
    }

    fn line(&self) -> String {
        let wrong = match self.allowed {
            0 => self.wrong.to_string(),
            allowed => format!("{} of {allowed}", self.wrong),
        };
        let counts = [self.triangles, self.points, self.on, self.answers];
        let [triangles, points, on, answers] = counts.map(|count| count.to_string());
        let remark = format!("{} {}", self.remark, self.faults.join("; "));
        let cells = [&self.what, &triangles, &points, &on, &answers, &wrong];
        line(cells.map(String::as_str), &remark)
    }
}

fn line([what, counts @ ..]: [&str; 6], remark: &str) -> String {
    let counts = counts.map(|count| format!("{count:>11}")).concat();
    format!("{what:<46}{counts}  {remark}")
        .trim_end()
        .to_owned()
}

/// All rows, and their sum.
pub fn table<'a>(name: &str, rows: impl IntoIterator<Item = &'a Row>) -> String {
    let head = ["triangles", "points", "on", "answers", "wrong"];
    let [a, b, c, d, e] = head;
    let mut lines = vec![line([name, a, b, c, d, e], "")];
    let mut sum = Row {
        what: "all".into(),
        ..Row::default()
    };
    for row in rows {
        sum.triangles += row.triangles;
        sum.points += row.points;
        sum.on += row.on;
        sum.answers += row.answers;
        sum.wrong += row.wrong;
        sum.allowed += row.allowed;
        lines.push(row.line());
    }
    lines.push(sum.line());
    lines.join("\n")
}
