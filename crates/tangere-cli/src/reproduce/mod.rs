//! `tangere reproduce`: what the papers claim, measured here.
//!
//! A paper is a [`Paper`] with its experiments: to add one, write a file (or a
//! folder) with a constant of that type and name it in [`PAPERS`]; to add an
//! experiment, write a function that makes [`Finding`]s and name it in its paper.
//! Experiments ask the library as any user would. What does not come out as
//! published is said, not tuned away: `holds` is false, and a remark tells why.

mod aragon2013;
mod finding;
mod fit;
mod leszczynski2004;
mod muth2006;
mod page;
mod schinner1995;
mod timing;
mod weller2014;

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use clap::builder::PossibleValuesParser;
use finding::Finding;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::{Path, PathBuf};
use tangere_front::text;

const EXAMPLES: &str = "\
Examples:
  tangere reproduce                                 all papers, as tables
  tangere reproduce leszczynski2004 --quick         one of them, within a minute
  tangere reproduce -o report                       then open report/index.html
  tangere reproduce schinner1995 --json > schinner1995.json";

/// Repeat the experiments of the papers and set published beside measured
///
/// Prints for each figure, table or statement what the paper claims, what it published, what comes
/// out here, and whether the claim holds; one that does not is a result like any other, not an
/// error. Times are CPU times of one thread, the least of several turns, and told as ratios
/// wherever the paper gives seconds. With -o also writes a page with plots (index.html), all
/// numbers (reproduce.json) and the data of each figure and table (.csv).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Reproduce {
    /// The papers to reproduce; all of them if none is named
    #[arg(value_name = "KEY", value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.key)))]
    keys: Vec<String>,
    /// Smaller scenes and fewer turns: less than a minute a paper
    #[arg(long)]
    quick: bool,
    /// The folder to write; made if it is not there. Without it nothing is written
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// A paper and what can be repeated of it.
struct Paper {
    /// As in docs/references.bib.
    key: &'static str,
    title: &'static str,
    /// What of it is repeated, and with what.
    about: &'static str,
    experiments: &'static [Experiment],
}

struct Experiment {
    /// What is being done, for people who wait.
    what: &'static str,
    run: fn(&Effort) -> Result<Vec<Finding>, Failure>,
}

/// Every paper, in the order of help and output.
const PAPERS: [&Paper; 5] = [
    &aragon2013::PAPER,
    &leszczynski2004::PAPER,
    &muth2006::PAPER,
    &schinner1995::PAPER,
    &weller2014::PAPER,
];

/// How much work an experiment may make.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// The most particles in a scene that grows, and calls about a pair that moves.
    largest: usize,
    /// How often contestants take turns.
    turns: usize,
}

impl Effort {
    const FULL: Effort = Effort {
        largest: 100_000,
        turns: 7,
    };
    const QUICK: Effort = Effort {
        largest: 20_000,
        turns: 5,
    };

    /// Numbers of particles from 500 up to the largest, in steps of about two.
    fn counts(&self) -> Vec<usize> {
        let decades = (0..).map(|e| 10usize.pow(e));
        decades
            .flat_map(|decade| [1, 2, 5].map(|m| m * decade))
            .skip_while(|&n| n < 500)
            .take_while(|&n| n <= self.largest)
            .collect()
    }
}

/// A paper with what came out.
struct Report {
    paper: &'static Paper,
    findings: Vec<Finding>,
}

/// Runs the experiments and shows them.
pub fn run(options: &Reproduce, console: &Console) -> Result<(), Failure> {
    let asked =
        |paper: &&&Paper| options.keys.is_empty() || options.keys.contains(&paper.key.into());
    let papers: Vec<&'static Paper> = PAPERS.iter().filter(asked).copied().collect();
    let effort = match options.quick {
        true => Effort::QUICK,
        false => Effort::FULL,
    };
    // Before the work, so that none of it is lost for a folder that cannot be.
    if let Some(folder) = &options.out {
        prepared(folder)?;
    }
    let reports = reports(&papers, &effort, console)?;
    let object = json(&reports);
    if let Some(folder) = &options.out {
        write(folder, &reports, &object, options.quick)?;
    }
    if options.json {
        return console.print_json(&object);
    }
    let mut text = text(&reports);
    if let Some(folder) = &options.out {
        let page = folder.join("index.html");
        text += &format!("\nOpen {} to see the plots.\n", page.display());
    }
    console.print(text)
}

fn reports(
    papers: &[&'static Paper],
    effort: &Effort,
    console: &Console,
) -> Result<Vec<Report>, Failure> {
    // One thread: papers count what one processor does.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Failure::Work(format!("a thread: {error}")))?;
    let report = |&paper: &&'static Paper| {
        let mut findings = Vec::new();
        for experiment in paper.experiments {
            let what = format!("{}: {}", paper.key, experiment.what);
            let (found, _) = console.timed(&what, || pool.install(|| (experiment.run)(effort)));
            findings.extend(found?);
        }
        Ok(Report { paper, findings })
    };
    papers.iter().map(report).collect()
}

/// `{KEY: {figure or table: {published, measured, claim, holds, remark}}}`.
fn json(reports: &[Report]) -> Value {
    let findings = |report: &Report| {
        let pairs = report.findings.iter().map(|f| (f.name.into(), f.json()));
        Value::Object(pairs.collect::<Map<String, Value>>())
    };
    let papers = reports.iter().map(|r| (r.paper.key.into(), findings(r)));
    Value::Object(papers.collect())
}

fn text(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{}: {}\n", report.paper.key, report.paper.title);
        for finding in &report.findings {
            text += &format!("\n{}", finding.text());
        }
    }
    let all = || reports.iter().flat_map(|report| &report.findings);
    let holding = all().filter(|finding| finding.holds).count();
    let claims = text::counted(all().count(), "claim", "claims");
    text + &format!("\n{holding} of {claims} hold.\n")
}

/// Makes the folder, and refuses one in which nothing can be written.
fn prepared(folder: &Path) -> Result<(), Failure> {
    let refuse = |error: std::io::Error| Failure::Work(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refuse)?;
    // A file without a name is gone as soon as it is closed.
    tempfile::tempfile_in(folder).map_err(refuse)?;
    for name in ["index.html", "reproduce.json"] {
        tangere_io::check_target(folder.join(name)).map_err(Failure::writing)?;
    }
    Ok(())
}

fn write(folder: &Path, reports: &[Report], object: &Value, quick: bool) -> Result<(), Failure> {
    let write = |name: &str, content: &str| {
        tangere_io::write_atomically(folder.join(name), |out| out.write_all(content.as_bytes()))
            .map_err(Failure::writing)
    };
    for report in reports {
        for finding in &report.findings {
            write(&finding.file(report.paper.key), &finding.data.csv())?;
        }
    }
    write("reproduce.json", &format!("{object:#}\n"))?;
    write("index.html", &page::html(reports, quick)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough to run everything, too little to measure anything.
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
        let console = Console::new(&crate::arguments::General {
            threads: 0,
            quiet: true,
            verbose: 0,
        });
        let reports = reports(&PAPERS, &LEAST, &console).unwrap();
        let object = json(&reports);
        let folder = tempfile::tempdir().unwrap();
        prepared(folder.path()).unwrap();
        write(folder.path(), &reports, &object, true).unwrap();
        let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
        let told = text(&reports);
        // Lines are broken anywhere.
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut files = 2;
        for report in &reports {
            let key = report.paper.key;
            for finding in &report.findings {
                let told_json = &object[key][finding.name];
                for field in ["published", "measured", "claim", "holds"] {
                    assert!(
                        !told_json[field].is_null(),
                        "{key}: {}: {field}",
                        finding.name
                    );
                }
                assert!(told.contains(&finding.claim));
                assert!(page.contains(&tangere_render::html::escaped(&finding.claim)));
                let csv = std::fs::read_to_string(folder.path().join(finding.file(key))).unwrap();
                let columns = csv.lines().next().unwrap().split(',').count();
                assert!(csv.lines().count() > 1, "{csv}");
                assert!(
                    csv.lines().all(|l| l.split(',').count() == columns),
                    "{csv}"
                );
                files += 1;
            }
        }
        // No two findings share a file or a name.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), files);
        assert!(page.contains("<svg") && page.ends_with("</html>\n"));
        // Letters of pictures say nothing.
        let words: Vec<&str> = page
            .split("base64,")
            .map(|part| part.split_once('"').map_or(part, |p| p.1))
            .collect();
        let words = words.concat();
        assert!(!words.contains("<script") && !words.contains("http") && !words.contains("NaN"));
        assert_eq!(page.matches("<img ").count(), 8 + 3 + 4);
        // What does not depend on the machine.
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

    #[test]
    fn a_folder_in_which_a_file_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("index.html")).unwrap();
        assert!(matches!(prepared(folder.path()), Err(Failure::Work(_))));
        assert!(prepared(&folder.path().join("a/b")).is_ok());
    }
}
