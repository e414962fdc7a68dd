//! `tangere ccd`: continuous collision detection of vertices, edges and faces in a step.

mod verify;

use crate::arguments::number;
use crate::common_options::CommonOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tangere::impact::primitive::{
    ContactStatus, FirstContact, PrimitiveSettings, edge_edges, edge_vertices, vertex_faces,
    vertex_vertices,
};
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::impact::FIRST_CONTACT;
use tangere_front::text;
use tangere_io::read_queries;
use verify::Verdict;

/// File formats in which `tangere ccd` writes times of impact.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy];

const EXAMPLES: &str = "\
Examples:
  tangere ccd queries.csv --kind vertex-face
  tangere ccd edge-edge.csv --separation 0.001 -o times.csv
  tangere ccd corners.npy --kind edge-vertex --json | jq .first
  tangere ccd unit-tests-edge-edge-0.csv --threads 1 --repeat 5

QUERIES has as many rows for a query as there are corners at the start of the step and at its end:

  kind           rows  corners, at the start and then at the end
  vertex-face       8  the vertex, then three corners of the face
  edge-edge         8  two ends of one edge, then two of the other
  edge-vertex       6  two ends of the edge, then the vertex
  vertex-vertex     4  the two vertices

A row has three numbers x,y,z, or three fractions as six whole numbers (numerator and denominator \
of each), and may have one number more: the truth, 1 if they touch. With the truth, missed contacts \
(false negatives) and invented ones (false positives) are counted; if there are any, the exit code \
is 1. Arrays may have the shape (N, rows, 3). Without --kind the name of the file must contain one, \
such as edge-edge.

-o has a row for each query: time and late, lower and upper bound of the time of impact (inf: no \
contact), and the status free, contact or, with a separation only, unresolved. .npy files \
have the same fields, the status as a number: 0, 1 or 2.

--json has kind, separation, queries, contact, free, unresolved, first (query, time, late; null if \
none touches), truth (missed, invented; null if not known), rounded (fractions that no float64 \
represents) and seconds (read, setup, query).";

/// Continuous collision detection: exact queries of vertices, edges and faces in a step
///
/// Reports the time of impact. Corners move at constant velocity from time 0 to 1. Without a
/// separation answers are exact for the numbers given, however degenerate.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Ccd {
    /// The corners of each query, at the start of the step and at its end: CSV or NPY
    #[arg(value_name = "QUERIES")]
    queries: PathBuf,
    /// The kind of query [default: from the file name]
    #[arg(long, value_enum, value_name = "KIND")]
    kind: Option<Kind>,
    /// The distance at or below which there is contact
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = number,
          allow_hyphen_values = true)]
    separation: f64,
    /// The file to write: .csv or .npy, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    VertexFace,
    EdgeEdge,
    EdgeVertex,
    VertexVertex,
}

impl Kind {
    fn name(self) -> String {
        let name = self.to_possible_value();
        name.map_or_else(String::new, |name| name.get_name().to_owned())
    }

    /// Returns the kind of query that a file name contains, such as `edge-edge` in
    /// `unit-tests-edge-edge-0.csv`.
    fn of_path(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |kind: &Self| words.windows(2).any(|pair| pair.join("-") == kind.name());
        let kinds = Self::value_variants().iter().copied();
        let found: Vec<Self> = kinds.filter(has).collect();
        match found[..] {
            [kind] => Ok(kind),
            _ => Err(Failure::Input(format!(
                "{}: found no kind in its name, expected --kind vertex-face, edge-edge, edge-vertex \
                 or vertex-vertex",
                path.display()
            ))),
        }
    }
}

/// Results for all queries of a file. `found` has the first contact of each query. `truth` is
/// whether its primitives touch, if the file contains that. `rounded` is the number of coordinates
/// given as fractions that float64 cannot represent exactly.
struct Answers {
    found: Vec<FirstContact>,
    truth: Option<Vec<bool>>,
    rounded: usize,
    times: Times,
}

/// Reads queries, computes times of impact, and writes them.
pub fn run(options: &Ccd, console: &Console) -> Result<(), Failure> {
    let CommonOptions { json, .. } = options.common;
    let out = options.out.as_deref();
    let target = Target::new(out, FORMATS, json, [&options.queries])?;
    let kind = match options.kind {
        Some(kind) => kind,
        None => Kind::of_path(&options.queries)?,
    };
    let answers = match kind {
        Kind::VertexFace => answered::<4>(options, console, vertex_faces),
        Kind::EdgeEdge => answered::<4>(options, console, edge_edges),
        Kind::EdgeVertex => answered::<3>(options, console, edge_vertices),
        Kind::VertexVertex => answered::<2>(options, console, vertex_vertices),
    }?;
    if answers.rounded > 0 {
        let fractions = text::counted(answers.rounded, "fraction is", "fractions are");
        let name = options.queries.display();
        console.note(format_args!(
            "{name}: {fractions} not representable in float64, and rounded"
        ));
    }
    let truth = answers.truth.as_ref();
    let verdict = truth.map(|truth| Verdict::of(&answers.found, truth, options.separation > 0.0));
    if let Some(verdict) = &verdict {
        verdict.check(&options.queries)?;
    }
    let table = Table::new(FIRST_CONTACT, &answers.found);
    let summary = summary(options, kind, &answers, verdict.as_ref());
    if let Some(target) = &target {
        target.write_rows(&table, console)?;
    }
    let head = options.queries.display().to_string();
    output::report(&summary, &head, json, target.as_ref(), console)
}

type Answer<const K: usize> = fn(
    &[[[f64; 3]; K]],
    &[[[f64; 3]; K]],
    &PrimitiveSettings,
    &mut Vec<FirstContact>,
) -> tangere::Result<()>;

/// Reads queries, each with `K` corners (the vertices of both primitives), and computes their times
/// of impact with the function `answer`.
fn answered<const K: usize>(
    options: &Ccd,
    console: &Console,
    answer: Answer<K>,
) -> Result<Answers, Failure> {
    let settings = PrimitiveSettings::new(options.separation)?;
    let (path, mut times) = (&options.queries, Times::default());
    let queries = times.read(path, console, || read_queries::<K>(path))?;
    let mut found = Vec::new();
    for _ in 0..options.common.repeat {
        let query = || answer(&queries.start, &queries.end, &settings, &mut found);
        console.timed("querying", || times.query(query)).0?;
    }
    Ok(Answers {
        found,
        truth: queries.truth,
        rounded: queries.rounded,
        times,
    })
}

impl Answers {
    fn of(&self, status: ContactStatus) -> usize {
        self.found.iter().filter(|f| f.status == status).count()
    }

    /// Returns the index of the query with the earliest contact, and the contact; `None` if there
    /// is no contact.
    fn first(&self) -> Option<(usize, &FirstContact)> {
        let contacts = self.found.iter().enumerate();
        let contacts = contacts.filter(|(_, found)| found.is_contact());
        contacts.min_by(|a, b| a.1.early.total_cmp(&b.1.early))
    }
}

/// Returns the summary of the answers. The names of its entries do not change between versions.
fn summary(options: &Ccd, kind: Kind, answers: &Answers, verdict: Option<&Verdict>) -> Summary {
    let mut summary = Summary::default();
    summary.word("kind", &kind.name());
    match options.separation > 0.0 {
        true => summary.number("separation", options.separation),
        false => summary.member("separation", options.separation),
    };
    summary
        .count("queries", answers.found.len())
        .count("contact", answers.of(ContactStatus::Contact))
        .count("free", answers.of(ContactStatus::Free));
    match answers.of(ContactStatus::Unresolved) {
        0 => summary.member("unresolved", 0),
        unresolved => summary.count("unresolved", unresolved),
    };
    match answers.first() {
        None => summary.member("first", Value::Null),
        Some((query, found)) => {
            let first = json!({ "query": query, "time": found.early, "late": found.late });
            let time = text::number(found.early);
            let text = format!("{time}, query {}", text::count(query as u64));
            summary.both("first", first, "first", text)
        }
    };
    match verdict {
        None => summary.member("truth", Value::Null),
        Some(verdict) => summary.both("truth", verdict.json(), "truth", verdict.text()),
    };
    summary.member("rounded", answers.rounded);
    answers.times.add_to(&mut summary);
    summary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_from_file_names() {
        let kind = |name: &str| Kind::of_path(Path::new(name)).ok();
        assert_eq!(kind("unit-tests-edge-edge-0.csv"), Some(Kind::EdgeEdge));
        assert_eq!(kind("edge-edge/Vertex-Face.npy"), Some(Kind::VertexFace));
        assert_eq!(kind("wedge-vertex-face-1.csv"), Some(Kind::VertexFace));
        assert_eq!(kind("edge_vertex.csv"), Some(Kind::EdgeVertex));
        for bad in [
            "queries.csv",
            "edge-edge-and-vertex-face.csv",
            "edgeedge.csv",
            "",
        ] {
            assert_eq!(kind(bad), None);
        }
    }
}
