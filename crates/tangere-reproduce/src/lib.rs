//! Reproduction of the papers' experiments: published claims and numbers beside measured ones.
//!
//! [`run`] repeats the experiments of [`PAPERS`] and returns a [`Report`]: text, JSON, or a page
//! with its files. `tangere reproduce` is its command line.
//!
//! A paper is a [`Paper`] with its experiments. To add one, write a file (or a folder) with a
//! constant of that type and list it in [`PAPERS`]; to add an experiment, write a function that
//! returns findings and list it in its paper. Experiments use the public interface of the
//! library. A claim that is not reproduced is reported, not tuned away: `holds` is false, and a
//! remark gives the reason.

mod aragon2013;
mod finding;
mod fit;
mod leszczynski2004;
mod muth2006;
mod page;
mod schinner1995;
mod timing;
mod weller2014;

pub use weller2014::rotating_copy;

use finding::Finding;
use serde_json::{Map, Value};
use tangere_front::text;

/// Error of a reproduction.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] tangere::Error),
    /// An experiment failed: methods differ, bodies miss each other, no thread starts.
    #[error("{0}")]
    Failed(String),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Picture(#[from] tangere_render::Error),
}

/// A paper and its experiments.
pub struct Paper {
    /// The key of the paper in docs/references.bib.
    pub key: &'static str,
    title: &'static str,
    /// A description of what is reproduced, and how.
    about: &'static str,
    experiments: &'static [Experiment],
}

struct Experiment {
    /// The name of the experiment for the progress display.
    what: &'static str,
    run: fn(&Effort) -> Result<Vec<Finding>, Error>,
}

/// Every paper, in the order of help and output.
pub const PAPERS: [&Paper; 5] = [
    &aragon2013::PAPER,
    &leszczynski2004::PAPER,
    &muth2006::PAPER,
    &schinner1995::PAPER,
    &weller2014::PAPER,
];

/// Size of the experiments.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Maximum number of particles of a scene, and of queries of a pair of moving bodies.
    largest: usize,
    /// The number of repetitions of each measurement.
    turns: usize,
}

impl Effort {
    /// Full size: minutes per paper.
    pub const FULL: Effort = Effort {
        largest: 100_000,
        turns: 7,
    };
    /// Smaller scenes and fewer repetitions: less than a minute per paper.
    pub const QUICK: Effort = Effort {
        largest: 20_000,
        turns: 5,
    };

    fn is_quick(&self) -> bool {
        self.largest < Self::FULL.largest
    }

    /// Returns numbers of particles from 500 up to the largest, in factors of about two.
    fn counts(&self) -> Vec<usize> {
        let decades = (0..).map(|e| 10usize.pow(e));
        decades
            .flat_map(|decade| [1, 2, 5].map(|m| m * decade))
            .skip_while(|&n| n < 500)
            .take_while(|&n| n <= self.largest)
            .collect()
    }
}

/// Papers and their results.
pub struct Report {
    chapters: Vec<Chapter>,
    effort: Effort,
}

/// A paper and its results.
struct Chapter {
    paper: &'static Paper,
    findings: Vec<Finding>,
}

/// Repeats the experiments of papers. `around` is called with the name of each experiment and a
/// function that runs it. If `around` does not call the function, then the experiment has no
/// findings.
pub fn run(
    papers: &[&'static Paper],
    effort: Effort,
    around: &dyn Fn(&str, &mut dyn FnMut()),
) -> Result<Report, Error> {
    // One thread, as the papers report times of one processor.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Error::Failed(format!("a thread: {error}")))?;
    let chapter = |&paper: &&'static Paper| {
        let mut findings = Vec::new();
        for experiment in paper.experiments {
            let what = format!("{}: {}", paper.key, experiment.what);
            let mut found = Ok(Vec::new());
            around(&what, &mut || {
                found = pool.install(|| (experiment.run)(&effort));
            });
            findings.extend(found?);
        }
        Ok(Chapter { paper, findings })
    };
    let chapters = papers.iter().map(chapter).collect::<Result<_, Error>>()?;
    Ok(Report { chapters, effort })
}

impl Report {
    /// Returns the JSON object `{KEY: {figure or table: {published, measured, claim, holds,
    /// remark}}}`.
    pub fn json(&self) -> Value {
        let findings = |chapter: &Chapter| {
            let pairs = chapter.findings.iter().map(|f| (f.name.into(), f.json()));
            Value::Object(pairs.collect::<Map<String, Value>>())
        };
        let chapters = self.chapters.iter();
        let papers = chapters.map(|c| (c.paper.key.into(), findings(c)));
        Value::Object(papers.collect())
    }

    /// Returns the tables of all findings, and how many claims hold, as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for chapter in &self.chapters {
            if !text.is_empty() {
                text.push('\n');
            }
            text += &format!("{}: {}\n", chapter.paper.key, chapter.paper.title);
            for finding in &chapter.findings {
                text += &format!("\n{}", finding.text());
            }
        }
        let all = || self.chapters.iter().flat_map(|chapter| &chapter.findings);
        let holding = all().filter(|finding| finding.holds).count();
        let claims = text::counted(all().count(), "claim", "claims");
        text + &format!("\n{holding} of {claims} hold.\n")
    }

    /// Returns the names and contents of all files of the report: a CSV file for each finding, then
    /// those of [`FILES`].
    pub fn files(&self) -> Result<Vec<(String, String)>, Error> {
        let mut files = Vec::new();
        for chapter in &self.chapters {
            let key = chapter.paper.key;
            let data = chapter.findings.iter();
            files.extend(data.map(|finding| (finding.file(key), finding.data.csv())));
        }
        let contents = [
            format!("{:#}\n", self.json()),
            page::html(&self.chapters, self.effort.is_quick())?,
        ];
        files.extend(FILES.map(String::from).into_iter().zip(contents));
        Ok(files)
    }
}

/// The names of the files of every report, whatever its papers: all numbers as JSON, and the page.
pub const FILES: [&str; 2] = ["reproduce.json", "index.html"];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tangere_render::html::escaped;

    /// An effort that is enough to run everything, but too small to measure anything.
    const LEAST: Effort = Effort {
        largest: 1000,
        turns: 1,
    };

    #[test]
    fn counts_grow_up_to_the_largest() {
        assert_eq!(LEAST.counts(), [500, 1000]);
        assert_eq!(
            Effort::QUICK.counts(),
            [500, 1000, 2000, 5000, 10_000, 20_000]
        );
    }

    #[test]
    fn every_experiment_fills_the_report() {
        // Papers beside each other: the times do not matter here.
        let chapters = std::thread::scope(|scope| {
            let one = |paper| {
                run(&[paper], LEAST, &|_, experiment| experiment())
                    .unwrap()
                    .chapters
            };
            let running = PAPERS.map(|paper| scope.spawn(move || one(paper)));
            running
                .into_iter()
                .flat_map(|run| run.join().unwrap())
                .collect()
        });
        let report = Report {
            chapters,
            effort: LEAST,
        };
        let object = report.json();
        let files = report.files().unwrap();
        let by_name: BTreeMap<&str, &str> = files
            .iter()
            .map(|(name, content)| (name.as_str(), content.as_str()))
            .collect();
        // No two findings share a file or a name.
        assert_eq!(by_name.len(), files.len());
        let page = by_name["index.html"];
        let text = report.text();
        // The text is wrapped.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut expected = FILES.len();
        for chapter in &report.chapters {
            let key = chapter.paper.key;
            for finding in &chapter.findings {
                let entry = &object[key][finding.name];
                for field in ["published", "measured", "claim", "holds"] {
                    assert!(!entry[field].is_null(), "{key}: {}: {field}", finding.name);
                }
                assert!(text.contains(&finding.claim));
                assert!(page.contains(&escaped(&finding.claim)));
                let csv = by_name[finding.file(key).as_str()];
                let columns = csv.lines().next().unwrap().split(',').count();
                assert!(csv.lines().count() > 1, "{csv}");
                assert!(
                    csv.lines().all(|l| l.split(',').count() == columns),
                    "{csv}"
                );
                expected += 1;
            }
        }
        assert_eq!(files.len(), expected);
        assert!(page.contains("<svg") && page.ends_with("</html>\n"));
        // Without the base64 data of pictures.
        let words: Vec<&str> = page
            .split("base64,")
            .map(|part| part.split_once('"').map_or(part, |p| p.1))
            .collect();
        let words = words.concat();
        assert!(!words.contains("<script") && !words.contains("http") && !words.contains("NaN"));
        assert_eq!(page.matches("<img ").count(), 8 + 3 + 4);
        // Results that do not depend on the machine.
        let ratios = &object["leszczynski2004"]["contact ratios, 3D"];
        assert_eq!(ratios["holds"], false);
        assert_eq!(
            object["leszczynski2004"]["contact ratios, 2D"]["holds"],
            true
        );
        assert_eq!(
            object["leszczynski2004"]["tests of linked cells"]["holds"],
            true
        );
        assert_eq!(object["aragon2013"]["Figure 6"]["holds"], true);
        for volume in ["balls", "boxes"] {
            let contact = &object["aragon2013"]["Figure 7"]["measured"]["contact"][volume][0];
            assert!((contact.as_f64().unwrap() - 3.0).abs() < 3e-12, "{contact}");
        }
    }
}
