//! Reproduction of the papers' experiments: published claims and numbers beside measured ones.
//!
//! [`run`] repeats the experiments of [`PAPERS`] and returns a [`Report`]: text, JSON, or a page
//! with its files. `tangere reproduce` is its command line.
//!
//! A paper is a [`Paper`] with its experiments. To add one, write a file (or a folder) with a
//! constant of that type and list it in [`PAPERS`]; to add an experiment, write a function that
//! returns findings and list it in its paper. Experiments use the public interface of the
//! library.
//!
//! Every experiment lists its claims (`claim::Claim`) with the place in the paper and the
//! tolerance, before anything is measured. A verdict compares numbers: a claim holds, does not hold,
//! or cannot be judged here, each with the reason. A claim that is not reproduced is reported, not
//! tuned away. docs/papers.md lists all claims; a test compares it with the code.

mod aragon2013;
mod bands;
mod check;
mod claim;
mod finding;
mod fit;
mod leszczynski2004;
mod muth2006;
mod numbers;
mod page;
#[cfg(test)]
mod papers_md;
mod schinner1995;
mod timing;
mod weller2014;

pub use schinner1995::MovingGrains;
pub use weller2014::rotating_copy;

use claim::{Claim, Verdict};
use finding::Finding;
use serde_json::Value;
use tangere_front::text;
use timing::{FEWEST_BATCHES, MOST_BATCHES};

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
    /// The claims that it judges, in the order of its findings.
    claims: &'static [&'static Claim],
    /// About how long it takes at full size, in seconds, for the progress display.
    weight: u32,
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
    /// The number of repetitions of each measurement that is not repeated in batches.
    turns: usize,
    /// The number of repetitions in a batch; batches are repeated until an interval decides.
    batch: usize,
}

impl Effort {
    /// Full size: up to half an hour for all papers.
    pub const FULL: Effort = Effort {
        largest: 100_000,
        turns: 7,
        batch: 3,
    };
    /// Smaller scenes and fewer repetitions: up to three minutes for all papers.
    pub const QUICK: Effort = Effort {
        largest: 20_000,
        turns: 5,
        batch: 2,
    };

    fn is_quick(&self) -> bool {
        self.largest < Self::FULL.largest
    }

    /// Whether this is the effort of a test, too small to measure anything.
    fn is_least(&self) -> bool {
        self.largest < Self::QUICK.largest
    }

    /// Returns the number of batches after which an interval that does not decide is reported as
    /// undecided.
    fn most_batches(&self) -> usize {
        match self.is_least() {
            true => FEWEST_BATCHES,
            false => MOST_BATCHES,
        }
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
    /// The names of the experiments that are not finished.
    unfinished: Vec<String>,
}

/// A paper and its results.
struct Chapter {
    paper: &'static Paper,
    findings: Vec<Finding>,
}

/// Notice of the progress of [`run`].
pub enum Progress<'a> {
    /// An experiment begins. `done` is the fraction of the expected time that has passed.
    Begins {
        /// The paper and the name of the experiment.
        what: &'a str,
        /// The fraction of the expected time that has passed, from 0 to 1.
        done: f64,
    },
    /// An experiment is finished; the report contains all results so far.
    Finished(&'a Report),
}

/// Repeats the experiments of papers. `notice` is called when an experiment begins, and when it is
/// finished with the results so far; an error that it returns ends the run.
pub fn run<E: From<Error>>(
    papers: &[&'static Paper],
    effort: Effort,
    notice: &mut dyn FnMut(Progress<'_>) -> Result<(), E>,
) -> Result<Report, E> {
    // One thread, as the papers report times of one processor.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Error::Failed(format!("a thread: {error}")))?;
    let all = || {
        let papers = papers.iter();
        papers.flat_map(|paper| paper.experiments.iter().map(move |e| (*paper, e)))
    };
    let name =
        |paper: &Paper, experiment: &Experiment| format!("{}: {}", paper.key, experiment.what);
    let total: u32 = all().map(|(_, experiment)| experiment.weight).sum();
    let mut report = Report {
        chapters: Vec::new(),
        effort,
        unfinished: all().map(|(paper, e)| name(paper, e)).collect(),
    };
    let mut passed = 0;
    for (paper, experiment) in all() {
        let what = name(paper, experiment);
        notice(Progress::Begins {
            what: &what,
            done: f64::from(passed) / f64::from(total.max(1)),
        })?;
        let findings = pool.install(|| (experiment.run)(&effort))?;
        let found = findings.iter().map(|finding| finding.claim.name);
        if found.ne(experiment.claims.iter().map(|claim| claim.name)) {
            let message = format!("{what}: findings are not those of its claims");
            return Err(Error::Failed(message).into());
        }
        passed += experiment.weight;
        match report.chapters.last_mut() {
            Some(chapter) if chapter.paper.key == paper.key => chapter.findings.extend(findings),
            _ => report.chapters.push(Chapter { paper, findings }),
        }
        report.unfinished.remove(0);
        notice(Progress::Finished(&report))?;
    }
    Ok(report)
}

impl Report {
    /// Returns the JSON object `{KEY: {figure or table: {id, place, published, measured, claim,
    /// tolerance, checks, verdict, holds, why, better, documented, remark}}}`.
    pub fn json(&self) -> Value {
        let findings = |chapter: &Chapter| {
            let json = |f: &Finding| (f.claim.name.into(), f.json(chapter.paper.key));
            Value::Object(chapter.findings.iter().map(json).collect())
        };
        let chapters = self.chapters.iter();
        let papers = chapters.map(|c| (c.paper.key.into(), findings(c)));
        Value::Object(papers.collect())
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.chapters.iter().flat_map(|chapter| &chapter.findings)
    }

    /// Returns how many claims hold, do not hold, and cannot be judged here, in a sentence.
    fn summary(&self) -> String {
        let count = |verdict| self.findings().filter(|f| f.verdict() == verdict).count();
        let [holds, fails, open] = Verdict::ALL.map(count);
        let claims = text::counted(self.findings().count(), "claim", "claims");
        let better = self.findings().filter(|f| f.better().is_some());
        let better = match better.count() {
            0 => String::new(),
            n => format!(" ({n} of them because the engine is better than the paper)"),
        };
        format!(
            "Of {claims}, {holds} hold, {fails} do not hold{better}, and {open} cannot be judged here."
        )
    }

    /// Returns a sentence if experiments are missing.
    fn incomplete(&self) -> Option<String> {
        let count = self.unfinished.len();
        (count > 0).then(|| {
            format!(
                "Unfinished: {} missing ({}).",
                text::counted(count, "experiment is", "experiments are"),
                self.unfinished.join("; ")
            )
        })
    }

    /// Returns how many claims hold, and the tables of all findings, as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.summary());
        if let Some(incomplete) = self.incomplete() {
            text += &format!("{incomplete}\n");
        }
        for chapter in &self.chapters {
            text += &format!("\n{}: {}\n", chapter.paper.key, chapter.paper.title);
            for finding in &chapter.findings {
                text += &format!("\n{}", finding.text());
            }
        }
        text
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
        let contents = [format!("{:#}\n", self.json()), page::html(self)?];
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
        batch: 1,
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
    fn what_is_finished_stays() {
        let mut reports = Vec::new();
        let outcome = run(
            &[&schinner1995::PAPER],
            LEAST,
            &mut |progress| match progress {
                Progress::Begins { done, .. } if done > 0.0 => {
                    Err(Error::Failed("interrupted".into()))
                }
                Progress::Begins { .. } => Ok(()),
                Progress::Finished(report) => {
                    reports.push((report.text(), report.files()?));
                    Ok(())
                }
            },
        );
        assert!(matches!(outcome, Err(Error::Failed(_))));
        let [(text, files)] = &reports[..] else {
            panic!("{} reports", reports.len());
        };
        assert!(
            text.starts_with("Of ") && text.contains("Unfinished: "),
            "{text}"
        );
        let page = &files.last().unwrap().1;
        assert!(page.contains("Unfinished: ") && files.len() > FILES.len());
    }

    #[test]
    fn every_experiment_fills_the_report() {
        // Papers beside each other: the times do not matter here.
        let chapters = std::thread::scope(|scope| {
            let one = |paper| {
                let mut notice = |_: Progress<'_>| Ok::<(), Error>(());
                run(&[paper], LEAST, &mut notice).unwrap().chapters
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
            unfinished: Vec::new(),
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
                let claim = finding.claim;
                let entry = &object[key][claim.name];
                for field in [
                    "id",
                    "place",
                    "published",
                    "claim",
                    "tolerance",
                    "verdict",
                    "why",
                ] {
                    let text = entry[field].to_string();
                    assert!(text.len() > 4, "{key}: {}: {field}: {text}", claim.name);
                }
                for text in [claim.sentence, claim.tolerance, claim.place, &finding.why()] {
                    assert!(page.contains(&escaped(text)), "{text}");
                }
                assert!(text.contains(claim.sentence));
                // Both numbers are shown, and a plot or a picture wherever something is judged.
                let start = format!("<article id=\"{}\">", claim.id(key));
                let article = page.split(&start).last().unwrap();
                let article = article.split("</article>").next().unwrap();
                for (name, lines) in finding.numbers() {
                    assert!(text.contains(&format!("{name}: {}", lines.join("; "))));
                    for line in lines {
                        assert!(!line.contains(['{', '"']), "{line}");
                        assert!(article.contains(&escaped(&line)), "{line}");
                    }
                }
                let is_drawn = article.contains("<svg") || article.contains("<img");
                assert!(is_drawn || finding.checks.is_empty(), "{}", claim.name);
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
        for (paper, name, verdict) in [
            ("leszczynski2004", "contact ratios, 3D", "does not hold"),
            ("leszczynski2004", "tests of linked cells", "does not hold"),
            ("aragon2013", "Figure 6", "holds"),
            (
                "aragon2013",
                "Figure 6, predictions",
                "cannot be judged here",
            ),
            (
                "aragon2013",
                "section 3.2, heights",
                "cannot be judged here",
            ),
            ("schinner1995", "one dimension, exchanges", "does not hold"),
            ("weller2014", "Theorem 3.2", "holds"),
            ("weller2014", "Inner sphere trees", "holds"),
        ] {
            assert_eq!(object[paper][name]["verdict"], verdict, "{paper}: {name}");
        }
        for volume in ["balls", "boxes"] {
            let contact = &object["aragon2013"]["Figure 7"]["measured"]["contact, s"][volume][0];
            assert!((contact.as_f64().unwrap() - 3.0).abs() < 3e-12, "{contact}");
        }
    }
}
